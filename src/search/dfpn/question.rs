//! What is asked of a node, and in which hope.
//!
//! To find a mate and to refute one are different errands. Who looks for a mate does well to compare many attempts that
//! look alike, and to begin with small numbers: every reply could be the last that holds. A refutation needs one reply to
//! every attempt, and one that is half finished is worth nothing. If a fresh leaf counts 1 whatever is below it, then a
//! node seems to become worse with everything that is searched, its siblings seem better, and all replies are taken as far
//! as each other before one refutes. So where a refutation is expected, leaves are given what their refutation is
//! likely to **cost** ([`Question::cost`]): the estimate falls while the work is done, and the search stays with what it has begun.
//!
//! The numbers of one aim mean nothing to the other; what they prove and refute holds for both.
//!
//! # What was tried
//!
//! Refuting one move less than 116 known mates in 5 to 7, drawn at random among those that took 30,000 to 1,500,000 nodes in
//! the beginning: nodes and seconds on one thread, all together, at most 3,000,000 nodes each. Each row changes the row
//! above it that was kept. The machine was shared: seconds within a tenth of one another are equal.
//!
//! | variant | nodes | s | kept |
//! |---|---|---|---|
//! | every leaf counts 1 | 45.9 M | 41 | yes |
//! | decided children are dropped | 45.9 M | 39 | yes |
//! | the last replies are decided on the spot | 37.1 M | 30 | yes |
//! | and those to checks as soon as they are listed | 79.1 M | 44 | no |
//! | quiet moves are made only until one mates | 36.7 M | 28 | yes |
//! | quiet moves ordered by what has mated | 36.4 M | 31 | no |
//! | replies: 4 and 8 with two and three moves left, then 1 + n with n checks | 36.6 M | 22 | yes |
//! | other leaves grow by 2 a move, 4 | 27.6 M, 23.9 M | 18, 17 | no |
//! | costs as they are: 8 a move, 16 moves and 4 a check | 21.9 M | 8.8 | yes |
//! | 6 a move | 21.9 M | 8.9 | no |
//! | 4 a move and 1 a check; 12 a move, 24 moves; 16 a move, 32 moves | 24.5 M, 24.3 M, 26.3 M | 9.6, 9.4, 10.7 | no |
//! | 12 moves instead of 16, 32 | 22.5 M, 23.9 M | 9.5, 9.2 | no |
//! | a check counts one move | 22.3 M | 9.3 | no |
//! | fresh replies count 12, 20, 24 instead of 16 | 29.4 M, 24.0 M, 28.5 M | 10.9, 9.7, 11.4 | no |
//! | quiet moves without a threat cost half, a quarter | 25.3 M, 26.0 M | 12.0, 11.3 | no |
//! | checks cost less the more evasions there are | 21.7 M | 9.0 | no |
//! | thresholds 1 + ⅛, 1 + ½, 1 + 1 instead of 1 + ¼ | 21.4 M, 27.4 M, 31.5 M | 9.1, 11.1, 16.0 | no |
//! | thresholds one more than the runner-up | 26.5 M | 13 | no |
//! | a looked-at reply costs 1 + q + 3n with n checks and q other moves | 17.2 M | | yes |
//! | 2 + ½q + 4n; q + 4n; 1½q + 4n | 21.0 M, 17.5 M, 17.3 M | | no |
//! | 6, 10, 12 a move instead of 8 | 18.1 M, 17.2 M, 17.1 M | | no |
//! | captures first among the replies | 17.1 M to 17.4 M | | no |
//! | fresh replies that check count 4 instead of 16 | 15.5 M | | yes |
//! | fresh replies count 24: 5 with a check, 12 and 18 with a capture | 14.3 M | | yes |
//! | fresh replies count 32: 6, 16, 24, and 3 more from one to the next | 12.7 M | | yes |
//! | fresh replies in proportion to the moves the attacker had before | 13.2 M to 14.2 M | | no |
//! | replies ordered by what refuted the same attack before | 12.9 M | | no |
//! | that, and thresholds 1 + ⅛, 1 + ½ | 13.3 M, 12.7 M | | no |
//! | checks cost two moves or three; threats two | 12.7 M; 12.8 M | | no |
//! | the last reply that refuted with one move left is tried before the others are listed | 12.4 M | | yes |
//! | refutations of quiet moves with one move left are not remembered | 15.3 M | | no |
//!
//! All these refutations are of six moves at most. Longer ones want costs that grow less: of 197 of eight, nine and eleven
//! moves, drawn from matetrack's longer mates and each decided within 700,000 nodes by one of several variants: nodes, and
//! how many are decided within 700,000; beside them the nodes of the refutations above, at most 700,000 or 3,000,000 each (a
//! difference of less than 0.1 M).
//!
//! | variant | nodes | decided | the shorter ones | kept |
//! |---|---|---|---|---|
//! | costs 1, 8, 64 … to eight moves | 75.4 M | 138 | 10.7 M | |
//! | the same to four moves, to three | 54.0 M, 50.7 M | 183, 189 | 10.7 M, 11.1 M | no |
//! | 1, 4, 16, 64 to four moves | 47.8 M | 195 | 11.4 M | yes |
//! | to three moves, to five; with 3, 5, 6 | 49.9 M, 53.3 M; 47.5 M, 49.1 M, 50.5 M | | 11.6 M, 11.4 M; 11.5 M, 11.2 M, 10.9 M | no |
//! | 1, 2, 4, 8; 1 whatever is left | 46.2 M, 48.3 M | | 11.9 M, 12.7 M | no |
//! | 1, 8, 64, then doubled from move to move; 1, 8, 16, 32 … | 53.7 M, 52.0 M | | 10.8 M, 11.9 M | no |
//! | fresh replies that check count 3 instead of 6 | 43.9 M | 193 | | yes |
//! | the others 48 instead of 32 | 42.8 M | 196 | 10.5 M | yes |
//! | fresh replies count 64; replies that check 2; captures 32 and 20 | 43.0 M, 42.4 M, 43.1 M | | 10.4 M, 10.6 M, 10.5 M | no |
//! | a check counts two moves or four; thresholds 1 + ⅛ | 42.9 M, 42.7 M, 42.6 M | | 10.5 M, 10.6 M, 10.5 M | no |
//! | (before the last two kept) thresholds 1 + ½; patience 2, 8; AND nodes with four moves left; OR nodes with three | 53.1 M; 47.6 M, 48.5 M; 59.7 M; 48.2 M | | | no |
//!
//! The best of five growths for each position would take 39.8 M where the best for all takes 46.2 M: little to gain from a
//! growth that is measured as the search goes.
//!
//! The lines without seconds were run two at a time. Alone, and on one day, the 21.9 M took 10.3 s and the 12.7 M 6.4 s; on
//! the same day, in turn, the 12.4 M took 4.5 to 6.1 s and the 15.3 M 4.9 to 5.3 s. How long a refutation stays at a
//! node is in [`super::patience`].
//!
//! With these costs fewer mates are found: of 59 mates in 6, 60 in 7, 60 in 8 and 60 in 10, asked for within their length and
//! 400,000 nodes, 55, 59, 49 and 46, where leaves that count 1 find 57, 60, 56 and 54. Hence two aims.
//!
//! Before there were two: of 82 mates in 5 to 8, one move less was refuted within 400,000 nodes 24 times; 16, 17, 24 and 25
//! times where the quiet child counts 2, 4, 16 and 32; 14 with its dn divided by four, 22 with it doubled; 23 if threats are
//! not told from other quiet moves; 21 with replies in no order, 24 with captures and 23 with killer moves first.

use crate::chess::MateLength;
use crate::search::horizon::Horizon;

use super::restriction::Restriction;

/// What a search is expected to end with. It does whatever comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// A mate. What comes back to a position of the path is given up, so that it may end without an answer.
    Mate,
    /// The proof that there is none.
    Refutation,
}

/// What is asked of a position: is there a mate within the horizon, of moves that the restriction allows?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    pub(super) horizon: Horizon,
    pub(super) aim: Aim,
    pub(super) restriction: Restriction,
}

/// How many times more a refutation costs with one move more to go.
const GROWTH: u32 = 4;

/// Costs are not told apart beyond so many moves: with many moves left the choice of the reply decides, and costs that grow
/// on keep the search with the first reply that does well.
const FARTHEST: u16 = 4;

impl Question {
    /// Is there a mate within the horizon? One is hoped for, and that there is none may remain open.
    pub const fn mate(horizon: Horizon) -> Question {
        Question { horizon, aim: Aim::Mate, restriction: Restriction::None }
    }

    /// Is there none within the horizon? Without a horizon only mates can be looked for.
    pub fn refutation(horizon: Horizon) -> Question {
        let aim = if horizon == Horizon::NONE { Aim::Mate } else { Aim::Refutation };
        Question { aim, ..Question::mate(horizon) }
    }

    /// Is there a mate, however long, by moves that the restriction allows?
    pub const fn restricted(restriction: Restriction) -> Question {
        Question { restriction, ..Question::mate(Horizon::NONE) }
    }

    /// The attacker's moves left; `None` without a horizon.
    #[inline]
    pub fn moves(self) -> Option<u16> {
        self.horizon.moves()
    }

    /// Whether a mate within `n` moves counts.
    #[inline]
    pub(super) fn admits(self, n: u16) -> bool {
        self.horizon.admits(n)
    }

    /// The longest mate that would count.
    #[inline]
    pub(super) fn longest(self) -> u16 {
        self.horizon.moves().unwrap_or(MateLength::MAX.0)
    }

    /// What is asked once the attacker has moved.
    #[inline]
    #[must_use]
    pub(super) fn after_attack(self) -> Question {
        Question { horizon: self.horizon.after_attack(), ..self }
    }

    /// What the refutation of one attacking move is expected to cost, with so much left after it.
    #[inline]
    pub(super) fn cost(self) -> u32 {
        match (self.aim, self.horizon.moves()) {
            (Aim::Refutation, Some(n)) => GROWTH.pow(u32::from(n.min(FARTHEST)).saturating_sub(1)),
            _ => 1,
        }
    }

    /// Thirty-two bits to keep in an entry; never 0.
    #[inline]
    pub(super) fn to_bits(self) -> u32 {
        let aim = 1 + u32::from(self.aim == Aim::Refutation);
        u32::from(self.horizon.to_bits()) | aim << 16 | u32::from(self.restriction.to_bits()) << 18
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(n: u16) -> Horizon {
        Horizon::within(MateLength(n))
    }

    #[test]
    fn every_question_has_bits_of_its_own() {
        let mut bits: Vec<u32> = (0..=MateLength::MAX.0)
            .flat_map(|n| [Question::mate(within(n)), Question::refutation(within(n))])
            .chain((0..9).map(|n| Question::restricted(Restriction::Flights(n))))
            .chain([Question::refutation(Horizon::NONE)])
            .map(Question::to_bits)
            .collect();
        let count = bits.len();
        bits.sort_unstable();
        bits.dedup();
        assert_eq!((bits.len(), bits.contains(&0)), (count, false));
    }

    #[test]
    fn a_refutation_costs_more_the_more_moves_are_left() {
        let costs = [1, 2, 3, FARTHEST, FARTHEST + 1].map(|n| Question::refutation(within(n)).cost());
        assert_eq!(costs, [1, 4, 16, 64, 64]);
        assert_eq!(Question::mate(within(5)).cost(), 1);
    }
}
