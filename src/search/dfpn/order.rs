//! Which reply is looked at first.
//!
//! Replies start with equal numbers or nearly so (`leaf`), so their order decides. A reply that refuted the attack in one
//! position refutes it in many (Schaeffer 1989, the history heuristic): moves are remembered by piece and target square,
//! refutations count for more than being the best defence so far. The order changes what is searched first and never
//! what is true.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::chess::{MOVE_CAPACITY, Move};

/// Merits above this are halved, all of them, so that what worked lately counts most.
const HIGHEST: u32 = 1 << 14;

/// The merits of the defender's moves.
#[derive(Debug)]
pub(super) struct ReplyOrder {
    merits: [[u32; 64]; 8],
    /// What refuted last with one move left.
    last: Option<Move>,
}

impl ReplyOrder {
    pub fn new() -> ReplyOrder {
        ReplyOrder { merits: [[0; 64]; 8], last: None }
    }

    /// The best first; equals stay in the order of generation.
    pub fn sort(&self, replies: &mut [Move]) {
        let mut keyed: ArrayVec<(Reverse<u32>, u32, Move), MOVE_CAPACITY> = ArrayVec::new();
        keyed.extend(replies.iter().enumerate().map(|(i, &m)| (Reverse(self.merit(m)), i as u32, m)));
        keyed.sort_unstable();
        for (reply, (.., m)) in replies.iter_mut().zip(&keyed) {
            *reply = *m;
        }
    }

    /// Brings the best of the replies (at least one) to the front, and gives it. Cheaper than to sort them when the first
    /// is likely to do.
    pub fn select(&self, replies: &mut [Move]) -> Move {
        let mut best = 0;
        for (i, &m) in replies.iter().enumerate().skip(1) {
            if self.merit(m) > self.merit(replies[best]) {
                best = i;
            }
        }
        replies.swap(0, best);
        replies[0]
    }

    #[inline]
    fn merit(&self, m: Move) -> u32 {
        self.merits[m.role() as usize & 7][m.to() as usize & 63]
    }

    /// The reply disproved its parent.
    pub fn refuted(&mut self, reply: Move) {
        self.add(reply, 16);
    }

    /// The same where one move was left.
    pub fn refuted_at_last(&mut self, reply: Move) {
        self.refuted(reply);
        self.last = Some(reply);
    }

    /// The reply that refuted last with one move left.
    #[inline]
    pub fn last(&self) -> Option<Move> {
        self.last
    }

    /// The reply was the hardest to meet when the search went elsewhere.
    pub fn held(&mut self, reply: Move) {
        self.add(reply, 1);
    }

    fn add(&mut self, reply: Move, merit: u32) {
        let merits = &mut self.merits[reply.role() as usize][reply.to() as usize];
        *merits += merit;
        if *merits > HIGHEST {
            self.merits.iter_mut().flatten().for_each(|merits| *merits /= 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn what_refuted_comes_first() {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let mut replies = position.legal_moves();
        let (first, last) = (replies[0], replies[replies.len() - 1]);
        let mut order = ReplyOrder::new();
        order.held(last);
        order.sort(&mut replies);
        assert_eq!((replies[0], replies[1]), (last, first));
        replies.rotate_left(3);
        assert_eq!((order.select(&mut replies), replies[0]), (last, last));
        (0..5000).for_each(|_| order.refuted(first));
        order.sort(&mut replies);
        assert_eq!(replies[0], first);
    }
}
