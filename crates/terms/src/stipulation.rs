//! Stipulations: who makes which half-move, what he wants, what must stand at the end, and after how many half-moves.
//!
//! A stipulation is a list of half-moves and a goal. Each half-move ([`HalfMove`]) says which side moves and whether it
//! **strives** for the goal, **resists** it or **helps**. The goal says what must stand on the board at the end, and
//! which side is then to move.
//!
//! | text | list | goal |
//! |---|---|---|
//! | `#3` | attacker strives, defender resists, by turns; 5 half-moves | the defender is mated |
//! | `#-2`, which is `#3` after its key | the same, but the defender begins; 4 half-moves | the defender is mated |
//! | `exact-#3` | as `#3` | the defender is mated, and not earlier |
//! | `=3` | as `#3` | the defender is stalemated |
//! | `s#3`, `s=3` | attacker strives, defender resists, by turns; 6 half-moves | the attacker is mated, stalemated |
//! | `semi-r#3`, `semi-r=3` | as `s#3`; the defender must mate, stalemate if he can | the attacker is mated, stalemated |
//! | `r#3`, `r=3` | as `s#3`; both sides must mate, stalemate if they can | the attacker is mated, stalemated |
//! | `h#2`, `h=2` | both help, by turns, the attacker last; 4 half-moves | the defender is mated, stalemated |
//! | `h#` | both help, by turns, for as long as they like; either begins | the defender is mated |
//! | `h#2.5` | the same with 5 half-moves, so the attacker begins | the defender is mated |
//! | `reci-h#2`, `reci-h=2` | as `h#2`; before his last half-move the defender can mate, stalemate at once too | the same |
//! | `ser-#4`, `ser-=4` | 4 half-moves of the attacker | the defender is mated, stalemated |
//! | `~1` | 1 half-move of the attacker | any |
//! | `ser-h#4`, `ser-h=4` | 4 half-moves of the defender, then one of the attacker | the defender is mated, stalemated |
//! | `ser-s#4`, `ser-s=4` | 4 half-moves of the attacker who helps, then one of the defender who resists | the attacker is mated, stalemated |
//! | `ser-r#4`, `ser-r=4` | as `ser-s#4`; both sides must mate, stalemate if they can | the attacker is mated, stalemated |
//! | `hs#4`, `hs=4` | both help, by turns, 8 half-moves; the last one is the defender's, who resists | the attacker is mated, stalemated |
//!
//! A question in which one side strives and the other resists is answered when the goal is reached after the stated
//! half-moves **or earlier**, but for `exact-#`. The duties of the sides on the way belong to the goal ([`Goal`]).
//!
//! In a series a half-move after which the other side passes must not give check. A side that resists with the last
//! half-move has no move that misses the goal and that its duty allows.
//!
//! The sides are the **attacker** and the **defender**, not White and Black: a stipulation does not know the diagram.
//! [`Stipulation::attacker`] gives the colour, from the side to move in the diagram.
//!
//! `text` reads and writes the texts of stipulations, `words` reads those in words.

use shakmaty::{Chess, Color};

use crate::{Duty, End, Goal, MateLength, Side, passed};

/// The aim of the side that makes a half-move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Will {
    /// One move that leads to the goal is enough.
    Strives,
    /// Every legal move must lead to the goal.
    Resists,
    /// The moves that lead to the goal are looked for, all of them.
    Helps,
}

/// A half-move of a stipulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HalfMove {
    /// The side that moves.
    pub side: Side,
    /// The aim of that side.
    pub will: Will,
}

/// The manner in which the half-moves are dealt out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Play {
    /// The sides move by turns; the attacker strives, the defender resists.
    #[default]
    Forced,
    /// The sides move by turns and both help; the attacker moves last.
    Help,
    /// As [`Play::Help`], and before his last half-move the defender can bring the end about at once himself.
    Reciprocal,
    /// The attacker makes all half-moves.
    Series,
    /// The defender makes all half-moves but the last, which is the attacker's.
    SeriesHelp,
    /// The attacker makes all half-moves but the last, with which the defender must reach the goal.
    SeriesSelf,
    /// The sides move by turns and help, but the defender resists with the last half-move.
    HelpSelf,
}

/// A question about a diagram: the half-moves, the goal, and the number of half-moves.
///
/// ```
/// use matesolve_terms::{MateLength, Side, Stipulation};
///
/// let three = Stipulation::mate(Some(MateLength(3)));
/// assert_eq!((three.to_string(), three.half_moves()), ("#3".to_owned(), Some(5)));
/// assert_eq!(three.begins(), Side::Attacker);
///
/// let after_the_key = three.after_first().unwrap();
/// assert_eq!((after_the_key.to_string(), after_the_key.half_moves()), ("#-2".to_owned(), Some(4)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stipulation {
    begins: Side,
    play: Play,
    goal: Goal,
    half_moves: Option<u16>,
    /// Whether the first half-moves of another question are left out, which count in the numbers of the moves.
    is_rest: bool,
}

impl Default for Stipulation {
    /// The shortest mate by the side to move.
    fn default() -> Stipulation {
        Stipulation::mate(None)
    }
}

impl Stipulation {
    /// The direct mate `#n`, from 1 move on: the side to move mates. Without a length, the shortest mate is wanted.
    pub fn mate(moves: Option<MateLength>) -> Stipulation {
        Stipulation::forced(Goal::MATE, Side::Attacker, moves)
    }

    /// The direct mate `#-n`, from 1 move on: the side to move *is mated* in `n` moves of the other side.
    pub fn mated(moves: Option<MateLength>) -> Stipulation {
        Stipulation { begins: Side::Defender, ..Stipulation::default() }.within(moves)
    }

    /// The direct mate by `attacker` in a diagram where `turn` is to move. Without a length, the shortest mate is
    /// wanted.
    pub fn mate_by(attacker: Color, turn: Color, moves: Option<MateLength>) -> Stipulation {
        if attacker == turn { Stipulation::mate(moves) } else { Stipulation::mated(moves) }
    }

    /// A question in which the attacker strives for this goal and the defender resists: `#n`, `=n`, `s#n`, `s=n`,
    /// `r#n`, `semi-r=n` …, from 1 move on if the attacker begins. Without a length, the shortest solution is
    /// wanted.
    pub fn forced(goal: Goal, begins: Side, moves: Option<MateLength>) -> Stipulation {
        Stipulation { begins, play: Play::Forced, goal, half_moves: None, is_rest: false }.within(moves)
    }

    /// A question in which nobody resists, except perhaps with the last half-move. `half_moves` is at least 1,
    /// and at least 2 for all but [`Play::Help`] and [`Play::Series`]. `play` is not [`Play::Forced`].
    pub fn helped(play: Play, end: End, half_moves: u16) -> Stipulation {
        let begins = match play {
            Play::Help | Play::Reciprocal if half_moves.is_multiple_of(2) => Side::Defender,
            Play::HelpSelf if !half_moves.is_multiple_of(2) => Side::Defender,
            Play::SeriesHelp => Side::Defender,
            _ => Side::Attacker,
        };
        let of = if matches!(play, Play::SeriesSelf | Play::HelpSelf) { Side::Attacker } else { Side::Defender };
        let goal = Goal { end, ..Goal::of(of) };
        Stipulation { begins, play, goal, half_moves: Some(half_moves), is_rest: false }
    }

    /// The helpmate `h#` of any length, which `begins` begins: the shortest is wanted.
    pub fn helpmate(begins: Side) -> Stipulation {
        Stipulation { begins, half_moves: None, ..Stipulation::helped(Play::Help, End::Mate, 2) }
    }

    /// Returns whether the sides help each other and no length is stated.
    #[inline]
    pub fn is_helped_at_any_length(self) -> bool {
        self.is_helped() && self.half_moves.is_none()
    }

    /// Returns the same question with sides that must bring the end about at once when they can.
    #[must_use]
    pub fn with_duty(self, duty: Duty) -> Stipulation {
        Stipulation { goal: Goal { duty, ..self.goal }, ..self }
    }

    /// Returns whether the defender, before this half-move, must be able to bring the end about at once himself.
    #[inline]
    pub fn is_reciprocal_at(self, index: u16) -> bool {
        self.play == Play::Reciprocal && self.half_moves == Some(index + 2)
    }

    /// Returns whether the sides help each other, so that the answer is a list of all solutions.
    #[inline]
    pub fn is_helped(self) -> bool {
        self.play != Play::Forced
    }

    /// Returns the stated length as problemists count it: whole moves, and whether there is half a move more, which
    /// begins the play. `None` if no length is stated.
    pub fn counted(self) -> Option<(u16, bool)> {
        let half_moves = self.half_moves?;
        Some(match self.play {
            Play::Forced => (self.moves()?.0, false),
            Play::Help | Play::HelpSelf | Play::Reciprocal => (half_moves / 2, !half_moves.is_multiple_of(2)),
            Play::Series => (half_moves, false),
            Play::SeriesHelp | Play::SeriesSelf => (half_moves - 1, false),
        })
    }

    /// Returns the same question without its first `by` half-moves; `None` if none are left. Only for questions in
    /// which nobody resists: the question that is left has the same play.
    fn shortened(self, by: u16) -> Option<Stipulation> {
        let half_moves = self.half_moves?.checked_sub(by).filter(|&left| left > 0)?;
        Some(Stipulation { begins: self.half_move(by).side, half_moves: Some(half_moves), is_rest: true, ..self })
    }

    /// Returns the question of the set play: the rest of help play if the side that begins makes none of its first
    /// moves. Of play by turns its first half-move is left out, of a series all its moves, so that the other side
    /// reaches the goal at once. `None` if there is none, as where one side moves alone.
    pub fn set_play(self) -> Option<Stipulation> {
        let half_moves = self.half_moves?;
        let left_out = match self.play {
            Play::Forced | Play::Series => return None,
            Play::Help => 1,
            // Somebody still helps in it, before the moves that must or can end the play.
            Play::HelpSelf => (half_moves > 2).then_some(1)?,
            Play::Reciprocal => (half_moves > 3).then_some(1)?,
            Play::SeriesHelp | Play::SeriesSelf => half_moves.checked_sub(1).filter(|&series| series > 0)?,
        };
        self.shortened(left_out)
    }

    /// Returns the question for a diagram in which the side that usually moves second is to move: the first half-move
    /// is left out. In a series that side passes, so that the series has one move less. `None` if there is none, as
    /// where that side begins already (`h#2.5`).
    pub fn begun_by_the_other(self) -> Option<Stipulation> {
        let is_second = match self.play {
            Play::Forced => false,
            Play::Help | Play::HelpSelf => self.left_out() == 0,
            Play::Reciprocal => self.left_out() == 0 && self.half_moves > Some(2),
            Play::Series | Play::SeriesHelp | Play::SeriesSelf => self.goal.end != End::Any,
        };
        let left = self.shortened(1).filter(|_| is_second)?;
        // By turns it is another question by itself: `h#2` becomes `h#1.5`.
        Some(Stipulation { is_rest: self.is_series(), ..left })
    }

    /// Returns the same question of help play with fewer half-moves, all that there are, the shortest first.
    pub fn shorter(self) -> impl Iterator<Item = Stipulation> {
        let half_moves = self.half_moves.unwrap_or_default();
        let is_series = self.is_series();
        // If the other side is to move, a series can be empty.
        let least = match self.play {
            Play::Forced => half_moves,
            Play::Reciprocal => 2,
            Play::SeriesHelp | Play::SeriesSelf if !self.is_rest => 2,
            _ => 1,
        };
        let lengths = (least..half_moves).filter(move |length| is_series || (half_moves - length).is_multiple_of(2));
        lengths.map(move |length| {
            let of_length = Stipulation { half_moves: Some(length), ..self };
            Stipulation { begins: of_length.half_move(0).side, ..of_length }
        })
    }

    /// Returns the diagram of `part`, the set play of this question or a shorter one: `start`, with the side to move
    /// that begins it. `None` if that side cannot be to move.
    pub fn begun_as(self, part: Stipulation, start: &Chess) -> Option<Chess> {
        if part.begins == self.begins { Some(start.clone()) } else { passed(start) }
    }

    /// Returns whether one side makes all half-moves, perhaps but the last.
    #[inline]
    pub fn is_series(self) -> bool {
        matches!(self.play, Play::Series | Play::SeriesHelp | Play::SeriesSelf)
    }

    /// Returns the number of half-moves that are missing before the first, by the numbers of the moves: 1 where the
    /// side begins that usually moves second (`h#2.5`, set play), 2 in the set play of `h#2.5`.
    pub fn left_out(self) -> u16 {
        let is_half = !self.is_series() && self.is_helped() && self.begins != self.goal.of;
        match (is_half, self.is_rest) {
            (false, true) if !self.is_series() => 2,
            (is_half, is_rest) => u16::from(is_half || is_rest),
        }
    }

    /// Returns the same question with another length, in moves of the attacker; `None`: of any length.
    #[inline]
    #[must_use]
    pub fn within(self, moves: Option<MateLength>) -> Stipulation {
        let half_moves = moves.map(|moves| match (self.begins, self.last_mover()) {
            (Side::Attacker, Side::Attacker) => moves.0.saturating_mul(2).saturating_sub(1),
            (Side::Defender, Side::Defender) => moves.0.saturating_mul(2).saturating_add(1),
            _ => moves.0.saturating_mul(2),
        });
        Stipulation { half_moves, ..self }
    }

    /// Returns the same question, with the same number of the attacker's moves, for a diagram in which `begins` moves
    /// first.
    #[must_use]
    pub fn begun_by(self, begins: Side) -> Stipulation {
        Stipulation { begins, ..self }.within(self.moves())
    }

    /// Returns the question that is left after the first half-move; `None` if there is none.
    pub fn after_first(self) -> Option<Stipulation> {
        let half_moves = match self.half_moves {
            Some(half_moves) => Some(half_moves.checked_sub(1)?),
            None => None,
        };
        Some(Stipulation { begins: self.begins.other(), half_moves, ..self })
    }

    /// Returns the question that has one half-move more before its first: the one of which [`Stipulation::after_first`]
    /// makes this one. For play in which one side resists.
    #[must_use]
    pub fn before_first(self) -> Stipulation {
        let half_moves = self.half_moves.map(|half_moves| half_moves.saturating_add(1));
        Stipulation { begins: self.begins.other(), half_moves, ..self }
    }

    /// Returns the side that makes the first half-move.
    #[inline]
    pub fn begins(self) -> Side {
        self.begins
    }

    /// Returns whether the defender makes the first half-move.
    #[inline]
    pub fn defender_begins(self) -> bool {
        self.begins == Side::Defender
    }

    /// Returns what must stand on the board at the end.
    #[inline]
    pub fn goal(self) -> Goal {
        self.goal
    }

    /// Returns the manner in which the half-moves are dealt out.
    #[inline]
    pub fn play(self) -> Play {
        self.play
    }

    /// Returns the stated number of half-moves; `None` if no length is stated.
    #[inline]
    pub fn half_moves(self) -> Option<u16> {
        self.half_moves
    }

    /// Returns the half-move with this index, from 0.
    #[inline]
    pub fn half_move(self, index: u16) -> HalfMove {
        let by_turns = if index.is_multiple_of(2) { self.begins } else { self.begins.other() };
        let is_last = self.half_moves == Some(index + 1);
        let side = match self.play {
            Play::Forced | Play::Help | Play::HelpSelf | Play::Reciprocal => by_turns,
            Play::SeriesHelp if is_last => Side::Attacker,
            Play::SeriesSelf if is_last => Side::Defender,
            Play::Series | Play::SeriesSelf => Side::Attacker,
            Play::SeriesHelp => Side::Defender,
        };
        let will = match (self.play, side) {
            (Play::Forced, Side::Attacker) => Will::Strives,
            (Play::Forced, Side::Defender) => Will::Resists,
            (Play::SeriesSelf | Play::HelpSelf, _) if is_last => Will::Resists,
            _ => Will::Helps,
        };
        HalfMove { side, will }
    }

    /// Returns the stated length in moves of the attacker; `None` if no length is stated.
    #[inline]
    pub fn moves(self) -> Option<MateLength> {
        let waits = u16::from(self.begins == Side::Attacker && self.last_mover() == Side::Attacker);
        self.half_moves.map(|half_moves| MateLength((half_moves.saturating_add(waits)) / 2))
    }

    /// Returns the side that makes the last half-move of forced play. Of the other kinds only the attacker's moves are
    /// counted.
    #[inline]
    fn last_mover(self) -> Side {
        if self.play == Play::Forced { self.goal.of.other() } else { Side::Attacker }
    }

    /// Returns the longest length that counts, in moves of the attacker: the stated one, or [`MateLength::MAX`].
    #[inline]
    pub fn bound(self) -> MateLength {
        self.moves().unwrap_or(MateLength::MAX)
    }

    /// Returns the shortest length of a solution in a position in which the play is not over, in moves of the attacker:
    /// 0 where the defender begins and makes the last move too, 1 elsewhere. For play in which one side resists.
    #[inline]
    pub fn least(self) -> MateLength {
        MateLength(u16::from(self.begins == Side::Attacker || self.last_mover() == Side::Attacker))
    }

    /// Returns the longest length that needs no search to be refuted where the play is not over, in moves of the
    /// attacker; `None` where even a solution in 0 moves is possible.
    #[inline]
    pub fn refuted_at_sight(self) -> Option<MateLength> {
        self.least().shorter()
    }

    /// Returns the colour of the attacker in a diagram where `turn` is to move.
    #[inline]
    pub fn attacker(self, turn: Color) -> Color {
        self.begins.color(turn)
    }

    /// Returns bits that differ for questions whose answers must not be mixed: the colour of the attacker, and the
    /// goal. They are zero for direct mates by White.
    #[inline]
    pub fn salt(self, attacker: Color) -> u64 {
        u64::from(attacker.is_black()) | self.goal.salt() << 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_half_moves_and_the_attackers_moves() {
        for n in 1..=9 {
            let moves = Some(MateLength(n));
            assert_eq!(Stipulation::mate(moves).half_moves(), Some(2 * n - 1));
            assert_eq!(Stipulation::mated(moves).half_moves(), Some(2 * n));
            assert_eq!((Stipulation::mate(moves).moves(), Stipulation::mated(moves).moves()), (moves, moves));
            assert_eq!(Stipulation::mate(moves).begun_by(Side::Defender), Stipulation::mated(moves));
        }
        assert_eq!((Stipulation::default().moves(), Stipulation::default().bound()), (None, MateLength::MAX));
        let reply = Stipulation::mate(Some(MateLength(3))).half_move(1);
        assert_eq!((reply.side, reply.will), (Side::Defender, Will::Resists));
    }

    #[test]
    fn the_question_after_the_key_is_one_move_shorter() {
        let after = Stipulation::mate(Some(MateLength(3))).after_first();
        assert_eq!(after, Some(Stipulation::mated(Some(MateLength(2)))));
        assert_eq!(after.map(Stipulation::before_first), Some(Stipulation::mate(Some(MateLength(3)))));
        assert_eq!(Stipulation::mated(None).after_first(), Some(Stipulation::mate(None)));
        assert_eq!(Stipulation::mated(Some(MateLength(0))).after_first(), None);
    }

    #[test]
    fn set_play_is_what_the_side_that_does_not_begin_can_do() {
        let set_play = |play, half_moves| Stipulation::helped(play, End::Mate, half_moves).set_play();
        for (play, half_moves, side, left) in [
            (Play::Help, 4, Side::Attacker, 3),
            (Play::Help, 5, Side::Defender, 4),
            (Play::HelpSelf, 4, Side::Defender, 3),
            (Play::Reciprocal, 4, Side::Attacker, 3),
            (Play::SeriesHelp, 5, Side::Attacker, 1),
            (Play::SeriesSelf, 3, Side::Defender, 1),
        ] {
            let set = set_play(play, half_moves).unwrap();
            assert_eq!((set.begins(), set.half_move(0).side, set.half_moves()), (side, side, Some(left)), "{play:?}");
            let will = if matches!(play, Play::SeriesSelf | Play::HelpSelf) { Will::Resists } else { Will::Helps };
            assert_eq!(set.half_move(left - 1).will, will, "{play:?}");
        }
        assert_eq!((set_play(Play::Series, 3), Stipulation::mate(Some(MateLength(2))).set_play()), (None, None));
        for (play, half_moves) in
            [(Play::Help, 1), (Play::SeriesHelp, 1), (Play::HelpSelf, 2), (Play::Reciprocal, 2), (Play::Reciprocal, 3)]
        {
            assert_eq!(set_play(play, half_moves), None, "{play:?}");
        }
    }

    fn parsed(text: &str) -> Stipulation {
        Stipulation::parse_any(text).unwrap()
    }

    #[test]
    fn numbers_count_what_is_left_out() {
        for (text, of_it, of_its_set_play) in
            [("h#2", 0, 1), ("h#2.5", 1, 2), ("hs#2", 0, 1), ("hs#2.5", 1, 2), ("ser-h#2", 0, 1), ("ser-s#2", 0, 1)]
        {
            let set = parsed(text).set_play().unwrap();
            assert_eq!((parsed(text).left_out(), set.left_out()), (of_it, of_its_set_play), "{text}");
        }
        assert_eq!((parsed("#2").left_out(), parsed("ser-#2").left_out()), (0, 0));
    }

    #[test]
    fn the_other_side_may_begin() {
        for (text, by_the_other, half_moves) in [
            ("h#2", "h#1.5", 3),
            ("h=1", "h=0.5", 1),
            ("hs#4", "hs#3.5", 7),
            ("reci-h#2", "reci-h#1.5", 3),
            ("ser-h#2", "ser-h#1", 2),
            ("ser-h#1", "ser-h#0", 1),
            ("ser-s#2", "ser-s#1", 2),
            ("ser-#2", "ser-#1", 1),
        ] {
            let question = parsed(text).begun_by_the_other().unwrap();
            assert_eq!((question.to_string().as_str(), question.half_moves()), (by_the_other, Some(half_moves)));
            assert_eq!((question.left_out(), question.goal()), (1, parsed(text).goal()), "{text}");
            let is_read = Stipulation::parse_any(by_the_other).is_ok_and(|read| read == question);
            assert_eq!(is_read, !question.is_series(), "{text}");
        }
        for text in ["h#2.5", "hs#2.5", "reci-h#1", "ser-#1", "~1", "#2", "s#2"] {
            assert_eq!(parsed(text).begun_by_the_other(), None, "{text}");
        }
    }

    #[test]
    fn shorter_questions_have_the_same_sides() {
        let lengths =
            |question: Stipulation| -> Vec<u16> { question.shorter().filter_map(Stipulation::half_moves).collect() };
        for (text, shorter, of_its_set_play, by_the_other) in [
            ("h#3", &[2, 4][..], &[1, 3][..], &[1, 3][..]),
            ("h#2.5", &[1, 3], &[2], &[]),
            ("hs#3", &[2, 4], &[1, 3], &[1, 3]),
            ("hs#1.5", &[1], &[], &[]),
            ("reci-h#3", &[2, 4], &[3], &[3]),
            ("ser-#3", &[1, 2], &[], &[1]),
            ("ser-h#3", &[2, 3], &[], &[1, 2]),
            ("ser-s#3", &[2, 3], &[], &[1, 2]),
            ("#3", &[], &[], &[]),
        ] {
            let question = parsed(text);
            let of = |other: Option<Stipulation>| other.map(lengths).unwrap_or_default();
            let found = (lengths(question), of(question.set_play()), of(question.begun_by_the_other()));
            assert_eq!(found, (shorter.to_vec(), of_its_set_play.to_vec(), by_the_other.to_vec()), "{text}");
            assert!(question.shorter().all(|it| it.begins() == question.begins() && it.goal() == question.goal()));
        }
        // Without a series the other side is to move at once.
        let empty = parsed("ser-h#3").begun_by_the_other().and_then(|question| question.shorter().next()).unwrap();
        assert_eq!((empty.begins(), Some(empty)), (Side::Attacker, parsed("ser-h#3").set_play()));
    }

    #[test]
    fn in_selfmates_the_defender_makes_the_last_half_move() {
        let three = Stipulation::forced(Goal::SELFMATE, Side::Attacker, Some(MateLength(3)));
        assert_eq!((three.half_moves(), three.moves()), (Some(6), Some(MateLength(3))));
        let after = three.after_first().unwrap();
        assert_eq!((after.half_moves(), after.moves(), after.begins()), (Some(5), Some(MateLength(2)), Side::Defender));
        assert_eq!(after.within(Some(MateLength(2))), after);
        let goals = Goal::ALL.map(|goal| Stipulation::forced(goal, Side::Attacker, None).salt(Color::White));
        assert!(goals.iter().enumerate().all(|(i, salt)| !goals[..i].contains(salt)));
    }

    #[test]
    fn colours_come_from_the_side_to_move() {
        assert_eq!(Stipulation::mate(None).attacker(Color::Black), Color::Black);
        assert_eq!(Stipulation::mated(None).attacker(Color::Black), Color::White);
        let salts = [Color::White, Color::Black].map(|attacker| Stipulation::default().salt(attacker));
        assert!(salts[0] == 0 && salts[1] != 0);
    }
}
