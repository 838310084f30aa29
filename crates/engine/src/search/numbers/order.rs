//! The order of the defender's replies.
//!
//! Many replies start with equal or nearly equal numbers (`leaf`), so their order decides which is searched first. A
//! reply that refuted the attack in one position often refutes it in others (Schaeffer 1989, the history heuristic):
//! moves are scored by piece and target square. The order is a guess, and proves nothing.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::chess::{MOVE_CAPACITY, Move};

/// When a score exceeds this, all scores are halved, so that recent refutations count most. Doubled, old refutations
/// count longer; halved, recent ones count more.
const MAX_SCORE: u32 = 1 << 10;

/// The scores of the defender's moves.
#[derive(Debug)]
pub(crate) struct ReplyOrder {
    scores: [[u32; 64]; 8],
    /// The most recent reply that refuted with one move left.
    pub last_refutation: Option<Move>,
    /// The most recent king's move that refuted with two moves left.
    pub last_escape: Option<Move>,
}

impl ReplyOrder {
    pub fn new() -> ReplyOrder {
        ReplyOrder { scores: [[0; 64]; 8], last_refutation: None, last_escape: None }
    }

    /// Sorts the replies by score, the highest first; ties stay in the order of generation.
    pub fn sort(&self, replies: &mut [Move]) {
        let mut keyed: ArrayVec<(Reverse<u32>, u32, Move), MOVE_CAPACITY> = ArrayVec::new();
        keyed.extend(replies.iter().enumerate().map(|(i, &m)| (Reverse(self.score(m)), i as u32, m)));
        keyed.sort_unstable();
        for (reply, (.., m)) in replies.iter_mut().zip(&keyed) {
            *reply = *m;
        }
    }

    /// Moves the reply with the highest score to the front and returns it; there must be at least one reply. Cheaper
    /// than sorting when the first reply is likely to refute.
    pub fn select_best(&self, replies: &mut [Move]) -> Move {
        let mut best = 0;
        for (i, &m) in replies.iter().enumerate().skip(1) {
            if self.score(m) > self.score(replies[best]) {
                best = i;
            }
        }
        replies.swap(0, best);
        replies[0]
    }

    #[inline]
    fn score(&self, m: Move) -> u32 {
        self.scores[m.role() as usize & 7][m.to() as usize & 63]
    }

    /// Records that the reply disproved its parent.
    pub fn record_refutation(&mut self, reply: Move) {
        let score = &mut self.scores[reply.role() as usize][reply.to() as usize];
        *score += 1;
        if *score > MAX_SCORE {
            self.scores.iter_mut().flatten().for_each(|score| *score /= 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn replies_that_refuted_come_first() {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let mut replies = position.legal_moves();
        let (first, last) = (replies[0], replies[replies.len() - 1]);
        let mut order = ReplyOrder::new();
        order.record_refutation(last);
        order.sort(&mut replies);
        assert_eq!((replies[0], replies[1]), (last, first));
        replies.rotate_left(3);
        assert_eq!((order.select_best(&mut replies), replies[0]), (last, last));
        (0..5000).for_each(|_| order.record_refutation(first));
        order.sort(&mut replies);
        assert_eq!(replies[0], first);
    }
}
