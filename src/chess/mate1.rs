//! Mate in one.
//!
//! Every line of every proof ends here, so the question "can the side to move mate at once?" is asked more often than
//! any other. Only checking moves are generated, and each is given up at the first evasion.

use super::movegen::Moves;
use super::{Move, MoveList, Position};

impl Position {
    /// A move that checkmates at once, if there is one.
    #[inline]
    pub fn mate_in_one(&self) -> Option<Move> {
        let mut checks = MoveList::new();
        self.generate(Moves::Checks, &mut checks);
        checks.into_iter().find(|&m| !self.play(m).has_move())
    }
}
