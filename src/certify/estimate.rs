//! Estimates the number of lines of a refutation before it is made.
//!
//! CITE: Knuth 1975, "Estimating the efficiency of backtrack programs": the product of the branching along a random way
//! down, averaged over many ways. Each position of a refutation opens one position for each move of the attacker. The
//! random replies here are not those of the refutation, and positions that come again have one line only; so the
//! estimate gives the order of magnitude.

use crate::chess::{MateLength, NodeKind, Position};
use crate::proof::LeftOut;

/// The number of random ways.
const WAYS: u64 = 400;

/// About how many lines a refutation will have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Estimate {
    /// The number of lines.
    pub lines: u64,
}

impl Estimate {
    /// Estimates the section about this diagram.
    pub(super) fn of(root: &Position, kind: NodeKind, moves: MateLength, left_out: &LeftOut) -> Estimate {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let ways = (0..WAYS).map(|_| way_down(root, kind, moves.0, left_out, &mut random));
        let sum = ways.fold(0u64, u64::saturating_add);
        Estimate { lines: sum / WAYS }
    }
}

/// Returns the lines of the tree that has everywhere as many branches as one random way down has.
fn way_down(root: &Position, kind: NodeKind, moves: u16, left_out: &LeftOut, random: &mut Random) -> u64 {
    let (mut position, mut lines, mut branches) = (*root, 0u64, 1u64);
    if kind == NodeKind::And {
        let Some(next) = random.reply(&position) else { return 0 };
        (position, lines) = (next, 1);
    }
    for left in (2..=moves).rev() {
        lines = lines.saturating_add(branches);
        let mut attacks = position.legal_moves();
        if left == moves && kind == NodeKind::Or {
            attacks.retain(|m| !left_out.has(m.code()));
        }
        let Some(&attack) = attacks.get(random.below(attacks.len())) else { break };
        branches = branches.saturating_mul(attacks.len() as u64);
        let Some(next) = random.reply(&position.play(attack)) else { break };
        position = next;
    }
    lines
}

/// Pseudo-random numbers (xorshift64), always the same ones.
struct Random(u64);

impl Random {
    /// Returns a number below `n`; 0 if `n` is 0.
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * n as u128) >> 64) as usize
    }

    /// Returns the position after a random legal move.
    fn reply(&mut self, position: &Position) -> Option<Position> {
        let moves = position.legal_moves();
        moves.get(self.below(moves.len())).map(|&m| position.play(m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn a_king_alone_is_counted_well() {
        let root = position("k7/8/8/8/8/8/8/7K w - -");
        let of = |moves| Estimate::of(&root, NodeKind::Or, MateLength(moves), &LeftOut::Nothing).lines;
        assert_eq!([of(1), of(2)], [0, 1]);
        assert_eq!(of(3), 4, "the diagram, and one line after each of three moves");
        assert!((10..30).contains(&of(4)), "{}", of(4));
    }
}
