//! What is known of every first move, and which is best.
//!
//! A mate of the side to move is a mate after one of its moves; it is mated if it is mated after each. So everything
//! a search proves about the position is kept by first moves, and the score of the position, the order of the lines
//! and the move to play all come from the same table:
//!
//! 1. moves that mate, the fastest first;
//! 2. moves of which nothing is proved, the most sensible first;
//! 3. moves after which one is mated, the slowest first.

use std::sync::Arc;

use shakmaty::Chess;

use crate::chess::{MateLength, MoveCode};
use crate::proof::{NodeId, ProofTree};

/// A proved score, seen from the side to move, in moves of whoever mates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Score {
    /// The side to move mates in at most so many.
    Mates(u16),
    /// It is mated in at most so many.
    Mated(u16),
}

impl Score {
    /// Plies to the checkmate.
    pub(super) fn plies(self) -> u32 {
        match self {
            Score::Mates(n) => (2 * u32::from(n)).saturating_sub(1),
            Score::Mated(n) => 2 * u32::from(n),
        }
    }

    pub(super) fn moves(self) -> u16 {
        match self {
            Score::Mates(n) | Score::Mated(n) => n,
        }
    }
}

/// What the checker has let pass about a first move.
#[derive(Debug, Clone)]
pub(super) struct Proved {
    pub first: MoveCode,
    pub score: Score,
    /// The main line, the first move included, to checkmate.
    pub pv: Vec<String>,
    /// The proof, and its node after the first move.
    pub proof: (Arc<ProofTree>, NodeId),
}

/// A first move.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub code: MoveCode,
    /// In UCI notation.
    pub text: String,
    /// The position after it.
    pub after: Chess,
    /// How sensible it looks; see `fallback`.
    pub rank: i32,
    pub proved: Option<Proved>,
    /// The move does not mate within so many moves.
    pub no_mate: MateLength,
    /// After the move one is not mated within so many moves.
    pub not_mated: MateLength,
}

impl RootMove {
    pub(super) fn score(&self) -> Option<Score> {
        self.proved.as_ref().map(|proved| proved.score)
    }

    /// Greater is better.
    fn worth(&self) -> (i32, i32, i32) {
        match self.score() {
            Some(Score::Mates(n)) => (2, -i32::from(n), self.rank),
            None => (1, 0, self.rank),
            Some(Score::Mated(n)) => (0, i32::from(n), self.rank),
        }
    }
}

/// All first moves that may be played.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    pub moves: Vec<RootMove>,
    /// Asked of the position as a whole: no mate within so many moves, and not mated within so many.
    pub no_mate: MateLength,
    pub not_mated: MateLength,
}

impl Standing {
    /// The moves, best first.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.moves[i].worth()));
        order
    }

    /// The best move.
    pub(super) fn best(&self) -> Option<&RootMove> {
        self.order().first().map(|&i| &self.moves[i])
    }

    /// The score of the position.
    pub(super) fn score(&self) -> Option<Score> {
        self.best().and_then(RootMove::score)
    }

    /// The length of the `k`-th fastest mate, if there are so many.
    pub(super) fn mate_number(&self, k: usize) -> Option<u16> {
        let &nth = self.order().get(k - 1)?;
        match self.moves[nth].score() {
            Some(Score::Mates(n)) => Some(n),
            _ => None,
        }
    }

    /// Takes a proof in if it is news.
    pub(super) fn learn(&mut self, proved: Proved) {
        if let Some(m) = self.moves.iter_mut().find(|m| m.code == proved.first)
            && m.score().is_none_or(|known| proved.score.moves() < known.moves())
        {
            m.proved = Some(proved);
        }
    }

    /// No mate within so many moves, whatever is played.
    pub(super) fn no_mate(&self) -> MateLength {
        // A move that loses does not mate, however long one looks.
        let of_move =
            |m: &RootMove| if matches!(m.score(), Some(Score::Mated(_))) { MateLength::MAX } else { m.no_mate };
        let of_moves = self.moves.iter().map(of_move).min();
        self.no_mate.max(of_moves.unwrap_or_default())
    }

    /// Not mated within so many moves, if one plays well.
    pub(super) fn not_mated(&self) -> MateLength {
        let of_moves = self.moves.iter().map(|m| m.not_mated).max();
        self.not_mated.max(of_moves.unwrap_or_default())
    }

    /// Whether the score cannot become any better or worse.
    pub(super) fn is_exact(&self) -> bool {
        match self.score() {
            Some(Score::Mates(n)) => self.no_mate().0 + 1 == n,
            Some(Score::Mated(n)) => self.not_mated().0 + 1 == n,
            None => false,
        }
    }

    /// A proved length that was also refuted: one of the two is wrong, and it is not the one that was checked.
    pub(super) fn is_contradictory(&self) -> bool {
        match self.score() {
            Some(Score::Mates(n)) => self.no_mate().0 >= n,
            Some(Score::Mated(n)) => self.not_mated().0 >= n,
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(scores: &[Option<Score>]) -> Standing {
        let mut standing = Standing::default();
        for (i, &score) in (1..).zip(scores) {
            let code = MoveCode(i);
            standing.moves.push(RootMove {
                code,
                text: String::new(),
                after: Chess::default(),
                rank: i32::from(i),
                proved: None,
                no_mate: MateLength(0),
                not_mated: MateLength(0),
            });
            if let Some(score) = score {
                standing.learn(Proved { first: code, score, pv: Vec::new(), proof: Default::default() });
            }
        }
        standing
    }

    #[test]
    fn fast_mates_come_first_and_slow_ends_last() {
        use Score::{Mated, Mates};
        let standing = table(&[Some(Mated(1)), None, Some(Mates(4)), Some(Mated(3)), None, Some(Mates(2))]);
        assert_eq!(standing.order(), [5, 2, 4, 1, 3, 0]);
        assert_eq!(
            (standing.score(), standing.mate_number(2), standing.mate_number(3)),
            (Some(Mates(2)), Some(4), None)
        );
        assert_eq!(table(&[Some(Mated(1)), None]).score(), None);
        assert_eq!(table(&[Some(Mated(1)), Some(Mated(7))]).score(), Some(Mated(7)));
        assert_eq!(Standing::default().score(), None);
    }

    #[test]
    fn only_shorter_proofs_are_news() {
        let mut standing = table(&[Some(Score::Mates(4))]);
        let mut learn = |n| {
            let score = Score::Mates(n);
            standing.learn(Proved { first: MoveCode(1), score, pv: Vec::new(), proof: Default::default() });
            standing.score()
        };
        assert_eq!((learn(5), learn(3)), (Some(Score::Mates(4)), Some(Score::Mates(3))));
    }

    #[test]
    fn a_score_is_exact_when_the_length_below_is_refuted() {
        let mut standing = table(&[Some(Score::Mates(4)), None]);
        standing.moves[0].no_mate = MateLength(3);
        assert!(!standing.is_exact(), "the other move may mate in 3");
        standing.moves[1].no_mate = MateLength(3);
        assert!(standing.is_exact() && !standing.is_contradictory());
        standing.no_mate = MateLength(4);
        assert!(standing.is_contradictory());
        let mut rest = table(&[Some(Score::Mates(4)), Some(Score::Mated(1))]);
        rest.moves[0].no_mate = MateLength(3);
        assert!(rest.is_exact(), "a move that loses does not mate in 3");
        let mut lost = table(&[Some(Score::Mated(4)), Some(Score::Mated(2))]);
        lost.moves[0].not_mated = MateLength(3);
        assert!(lost.is_exact());
    }
}
