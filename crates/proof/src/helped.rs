//! The checker of lines of play, of help play above all: replays a line by shakmaty's rules alone.
//!
//! A line holds if it has as many half-moves as the stipulation, if each is a legal move of the side that the
//! stipulation names, and if the goal stands at the end. In a series a side that passes must not be in check. If the
//! defender resists with the last half-move of help play, every move that his duty allows must lead to the goal; where
//! the attacker has a duty, he must never be able to fulfil it. In reciprocal play the mated side has, before its last
//! half-move, moves with which it reaches the end itself: all of them belong to the line.
//!
//! That there are no other lines is not checked here: it rests on the search. In forced play a line is one of many: the
//! duties are checked, and not that the goal is forced.

use std::fmt::Write as _;

use matesolve_terms::{End, HalfMove, MoveCode, Play, Side, Stipulation, Will, passed};
use shakmaty::{Chess, Color, Move, Position as _, Square, san::SanPlus, uci::UciMove};

use super::picture::Picture;
use super::rules;

/// A line that was replayed. Only a [`Replayer`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive] // so that no other crate can make one
pub struct ReplayedLine {
    /// The numbered moves in standard algebraic notation, in the problemists' form: `1.Rc5 Bh1 2.Kd5 Rg6#`. After a
    /// stalemate stands `=`. In reciprocal play the other ends follow: `1.Rc5 Bh1 2.Kd5 Rg6# / 2.Rc6#`.
    pub san: String,
    /// The moves in UCI notation.
    pub uci: Vec<String>,
    /// The moves in UCI notation with which, in reciprocal play, the mated side reaches the end itself instead of its
    /// last half-move; none in other play.
    pub reciprocal: Vec<String>,
    /// Whether the final position is a pure, model or ideal mate.
    pub mate: Picture,
}

/// Replays lines of one problem. Moves that a line shares with the one before it are not played again.
pub struct Replayer {
    stipulation: Stipulation,
    attacker: Color,
    /// The squares of rooks whose castling rights exclude each other, in pairs.
    exclusive: Vec<(Square, Square)>,
    start: Chess,
    /// The half-moves of the last line.
    steps: Vec<Step>,
    /// The last line as it is written.
    san: String,
}

/// A half-move that was replayed.
struct Step {
    code: MoveCode,
    uci: String,
    /// The length of the text with this half-move, in bytes.
    written: usize,
    after: Chess,
}

impl Replayer {
    /// Replays lines from this diagram, in which the side that begins is to move.
    pub fn new(start: &Chess, stipulation: Stipulation, exclusive: &[(Square, Square)]) -> Replayer {
        let attacker = stipulation.attacker(start.turn());
        let exclusive = exclusive.to_vec();
        Replayer { stipulation, attacker, exclusive, start: start.clone(), steps: Vec::new(), san: String::new() }
    }

    /// Replays a line. `None` if it does not hold, which is a fault of the search.
    pub fn replay(&mut self, line: &[MoveCode]) -> Option<ReplayedLine> {
        let end = if self.stipulation.goal().end == End::Stalemate { "=" } else { "" };
        if !self.holds(line) {
            return None;
        }
        let mut san = format!("{}{end}", self.san);
        let mut reciprocal = Vec::new();
        if let Some(at) = line.len().checked_sub(2).filter(|&at| self.stipulation.is_reciprocal_at(at as u16)) {
            let before = self.before(at);
            let number = number(self.stipulation, at, Side::Defender);
            for (_, m) in self.own_ends(before) {
                let _ = write!(san, " / {number}{}{end}", SanPlus::from_move(before.clone(), m));
                reciprocal.push(m.to_uci(before.castles().mode()).to_string());
            }
        }
        Some(ReplayedLine {
            san,
            uci: self.steps.iter().map(|step| step.uci.clone()).collect(),
            reciprocal,
            mate: self.steps.last().map(|step| Picture::of(&step.after)).unwrap_or_default(),
        })
    }

    /// Returns the position before a half-move of the last line.
    fn before(&self, at: usize) -> &Chess {
        at.checked_sub(1).map_or(&self.start, |before| &self.steps[before].after)
    }

    /// Returns the moves with which the side to move brings the end about at once, sorted by code.
    fn own_ends(&self, position: &Chess) -> Vec<(MoveCode, Move)> {
        let mut moves = rules::legal_moves(position);
        moves.retain(|&(_, m)| rules::brings(position, m, self.stipulation.goal().end));
        moves
    }

    /// Returns whether a line holds.
    pub fn holds(&mut self, line: &[MoveCode]) -> bool {
        let least = match self.stipulation.play() {
            Play::Forced => 0,
            Play::Reciprocal => 2,
            _ => 1,
        };
        let is_long_enough = line.len() >= least && self.stipulation.half_moves().map(usize::from) == Some(line.len());
        is_long_enough && self.follow(line).is_some() && self.is_goal(self.before(line.len()))
    }

    /// Replays the beginning of a line and returns the position after it. `None` if a move may not be made.
    pub fn follow(&mut self, moves: &[MoveCode]) -> Option<&Chess> {
        let shared = self.steps.iter().zip(moves).take_while(|(step, code)| step.code == **code).count();
        self.steps.truncate(shared);
        self.san.truncate(self.steps.last().map_or(0, |step| step.written));
        moves[shared..].iter().try_for_each(|&code| self.step(code))?;
        Some(self.before(self.steps.len()))
    }

    /// Returns whether the goal stands on the board.
    fn is_goal(&self, position: &Chess) -> bool {
        let goal = self.stipulation.goal();
        let is_end = match goal.end {
            End::Mate => position.is_checkmate(),
            End::Stalemate => position.is_stalemate(),
            End::Any => true,
        };
        is_end && position.turn() == goal.of.color(self.attacker)
    }

    /// Returns whether the side that resists may play a move: with the last half-move of help play, if every move that
    /// the duty allows leads to the goal, else if the duty allows it.
    fn is_reply(&self, position: &Chess, played: Move) -> bool {
        let mut replies = rules::unsorted_replies(position, self.stipulation.goal()).into_iter();
        if !self.stipulation.is_helped() {
            return replies.any(|(_, m)| m == played);
        }
        replies.all(|(_, m)| position.clone().play(m).is_ok_and(|after| self.is_goal(&after)))
    }

    /// Plays one half-move more. `None` if it may not be made.
    fn step(&mut self, code: MoveCode) -> Option<()> {
        let at = self.steps.len();
        let HalfMove { side, will } = self.stipulation.half_move(at as u16);
        let mut position = self.before(at).clone();
        if position.turn() != side.color(self.attacker) {
            // A series: the other side does not move, and must not be in check.
            position = passed(&position)?;
        }
        let m = find(&position, code)?;
        let goal = self.stipulation.goal();
        if will == Will::Resists && !self.is_reply(&position, m)
            || side == Side::Attacker && rules::bound_to(&position, goal).is_some()
            || self.stipulation.is_reciprocal_at(at as u16) && self.own_ends(&position).is_empty()
        {
            return None;
        }
        let uci = m.to_uci(position.castles().mode()).to_string();
        let number = number(self.stipulation, at, side);
        let excludes = m.is_castle() && !self.exclusive.is_empty();
        let without_rights = excludes.then(|| rules::play(&position, m, &self.exclusive));
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        let _ = write!(self.san, "{}{number}{san}", if at > 0 { " " } else { "" });
        self.steps.push(Step { code, uci, written: self.san.len(), after: without_rights.unwrap_or(position) });
        Some(())
    }
}

/// Returns the legal move of this code; `None` if there is none.
fn find(position: &Chess, code: MoveCode) -> Option<Move> {
    UciMove::Normal { from: code.from(), to: code.to(), promotion: code.promotion() }.to_move(position).ok()
}

/// Returns what is written before a move: its number at the beginning of a move, `1...` if the line begins in the
/// middle of one, `1... ... 2.` if it begins in the second move.
fn number(stipulation: Stipulation, at: usize, side: Side) -> String {
    let (left_out, is_series) = (usize::from(stipulation.left_out()), stipulation.is_series());
    let is_first = side == stipulation.half_move(0).side;
    let number = match (at, left_out) {
        (0, 1) => return "1...".to_owned(),
        (0, 2) => return "1... ... 2.".to_owned(),
        // In a series each move has a number, the other side's answer has none; if that side was to move, it has.
        (_, 0) if is_series => is_first.then_some(at + 1),
        _ if is_series => (!is_first).then_some(2),
        // The side to which the goal happens makes the first half of each move.
        _ => (at + left_out).is_multiple_of(2).then_some(usize::midpoint(at, left_out) + 1),
    };
    number.map_or_else(String::new, |number| format!("{number}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;

    fn replay(start: &Chess, stipulation: Stipulation, line: &[MoveCode]) -> Option<ReplayedLine> {
        Replayer::new(start, stipulation, &[]).replay(line)
    }

    fn code(text: &str) -> MoveCode {
        let square = |at: usize| text[at..at + 2].parse().unwrap();
        MoveCode::new(square(0), square(2), None)
    }

    #[test]
    fn a_line_must_be_legal_of_the_right_length_and_end_in_the_goal() {
        let start = parse_position("8/8/8/8/8/1k1K4/8/7R b - - 0 1").unwrap();
        let two = Stipulation::helped(Play::Help, End::Mate, 4);
        let line = ["b3b2", "d3d2", "b2a1", "h1h1"].map(code);
        assert_eq!(replay(&start, two, &line), None, "no legal move");
        let line = ["b3a2", "d3c2", "a2a1", "h1a1"].map(code);
        assert_eq!(replay(&start, two, &line), None, "the last move is not legal or no mate");
        let line = ["b3a2", "d3c2", "a2a3", "h1h3"].map(code);
        assert_eq!(replay(&start, two, &line), None, "a check, but no mate");
        let start = parse_position("8/8/8/8/8/k1K5/8/7R b - - 0 1").unwrap();
        let found = replay(&start, Stipulation::helped(Play::Help, End::Mate, 2), &["a3a2", "h1a1"].map(code));
        assert_eq!(found, None);
        let start = parse_position("8/8/8/8/8/1K6/7R/k7 w - - 0 1").unwrap();
        let found = replay(&start, Stipulation::helped(Play::Help, End::Mate, 1), &["h2h1"].map(code)).unwrap();
        assert_eq!((found.san.as_str(), found.uci.as_slice()), ("1...Rh1#", ["h2h1".to_owned()].as_slice()));
        assert_eq!(replay(&start, Stipulation::helped(Play::Help, End::Stalemate, 1), &["h2h1"].map(code)), None);
    }

    #[test]
    fn a_stalemate_is_marked_and_so_is_the_set_play_of_a_series() {
        let start = parse_position("8/8/8/8/8/6p1/5prb/3K1Nkb w - - 0 1").unwrap();
        let set = Stipulation::helped(Play::SeriesHelp, End::Stalemate, 6).set_play().unwrap();
        assert_eq!(replay(&start, set, &[code("d1e2")]).unwrap().san, "1...Ke2=");
        let start = parse_position("8/8/8/1p6/bPp5/kpP5/Np6/bK6 b - - 0 1").unwrap();
        let set = Stipulation::helped(Play::SeriesSelf, End::Mate, 3).set_play().unwrap();
        assert_eq!(replay(&start, set, &[code("b3a2")]).unwrap().san, "1...bxa2#");
    }

    #[test]
    fn numbers_tell_what_is_left_out() {
        let asked = |text: &str| Stipulation::parse_any(text).unwrap();
        let san = |fen: &str, stipulation: Option<Stipulation>, line: &[&str]| {
            let line: Vec<MoveCode> = line.iter().map(|text| code(text)).collect();
            replay(&parse_position(fen).unwrap(), stipulation.unwrap(), &line).unwrap().san
        };
        let help = "8/8/8/8/8/1K6/7R/k7 b - - 0 1";
        assert_eq!(san(help, asked("h#1.5").set_play(), &["a1b1", "h2h1"]), "1... ... 2.Kb1 Rh1#");
        let four = &["a1b1", "h2g2", "b1a1", "g2g1"];
        assert_eq!(san(help, asked("h#2.5").set_play(), four), "1... ... 2.Kb1 Rg2 3.Ka1 Rg1#");
        let series = "8/8/8/8/8/6K1/R7/7k b - - 0 1";
        assert_eq!(san(series, asked("ser-h#2").begun_by_the_other(), &["h1g1", "a2a1"]), "1...Kg1 2.Ra1#");
        let three = &["h1g1", "g1h1", "a2a1"];
        assert_eq!(san(series, asked("ser-h#3").begun_by_the_other(), three), "1...Kg1 Kh1 2.Ra1#");
        let alone = asked("ser-#3").begun_by_the_other();
        assert_eq!(san("k7/8/2K5/8/8/8/7R/8 w - - 0 1", alone, &["c6b6", "h2h8"]), "1...Kb6 Rh8#");
    }

    #[test]
    fn who_resists_has_only_moves_to_the_goal() {
        let series = Stipulation::helped(Play::SeriesSelf, End::Mate, 3);
        let line = ["d4d2", "d2h2", "g3h2"].map(code);
        let forced = parse_position("8/6P1/3P4/8/3R2p1/6qk/8/7K w - - 0 1").unwrap();
        assert_eq!(replay(&forced, series, &line).unwrap().san, "1.Rd2 2.Rh2+ Qxh2#");
        let with_a_choice = parse_position("8/6P1/3P4/8/3R2p1/6qk/8/5n1K w - - 0 1").unwrap();
        assert_eq!(replay(&with_a_choice, series, &line), None, "the knight can take too");
        let help = Stipulation::helped(Play::HelpSelf, End::Mate, 4);
        let start = parse_position("k7/8/K3R3/1P6/1P6/6q1/2p5/8 w - - 0 1").unwrap();
        let found = replay(&start, help, &["e6e7", "g3b8", "e7a7", "b8a7"].map(code)).unwrap();
        assert_eq!(found.san, "1.Re7 Qb8 2.Ra7+ Qxa7#");
    }

    #[test]
    fn a_line_of_play_with_resistance_keeps_the_duties_and_ends_in_the_goal() {
        let holds = |fen: &str, asked: &str, moves: &[&str]| {
            let asked = Stipulation::parse_any(asked).unwrap();
            let line: Vec<MoveCode> = moves.iter().map(|text| code(text)).collect();
            Replayer::new(&parse_position(fen).unwrap(), asked, &[]).holds(&line)
        };
        let corner = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1";
        assert!(holds(corner, "#2", &["c6c7", "a8a7", "b1a1"]) && !holds(corner, "#2", &["c6c7", "a8a7", "b1b7"]));
        assert!(!holds(corner, "#1", &["c6c7", "a8a7", "b1a1"]) && !holds(corner, "s#2", &["c6c7", "a8a7", "b1a1"]));
        // White mates with Nf7, Black with Qa1.
        let both = "6rk/6pp/8/6N1/8/q7/6PP/7K w - - 0 1";
        let (one, two) = (["g5e4", "a3a1"], ["g5e4", "a3a2", "e4g5", "a2a1"]);
        assert_eq!(["s#1", "semi-r#1", "r#1"].map(|asked| holds(both, asked, &one)), [true, true, false]);
        assert_eq!(["s#2", "semi-r#2", "r#2"].map(|asked| holds(both, asked, &two)), [true, false, false]);
    }

    #[test]
    fn a_series_gives_check_only_with_its_last_move() {
        let start = parse_position("k7/8/2K5/8/8/8/7R/8 w - - 0 1").unwrap();
        let series = Stipulation::helped(Play::Series, End::Mate, 2);
        let found = replay(&start, series, &["c6b6", "h2h8"].map(code)).unwrap();
        assert_eq!((found.san.as_str(), found.mate.model), ("1.Kb6 2.Rh8#", true));
        let three = Stipulation::helped(Play::Series, End::Mate, 3);
        assert_eq!(replay(&start, three, &["h2h8", "c6b6", "h8h8"].map(code)), None);
    }
}
