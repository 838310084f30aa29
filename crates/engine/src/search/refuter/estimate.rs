//! Estimates the number of lines of a refutation before it is made.
//!
//! CITE: Knuth 1975, "Estimating the efficiency of backtrack programs": the product of the branching along a random way
//! down, averaged over several ways. Each position is taken to open one position for each move of the attacker. The
//! replies are those that the refutation would choose. Positions that come again have one line only, so the file mostly
//! has fewer lines than the estimate.

use crate::chess::{MateLength, MoveList, NodeKind, Position, rules};
use crate::proof::LeftOut;
use crate::search::Interrupted;

use super::Refuter;

/// The number of random ways. Doubled, the estimate is steadier and takes twice as long; halved, it scatters more.
const WAYS: u64 = 40;

impl Refuter<'_, '_> {
    /// Estimates the lines of a section, without positions that come again.
    pub fn estimate(
        &mut self,
        root: &Position,
        kind: NodeKind,
        moves: MateLength,
        left_out: &LeftOut,
    ) -> Result<u64, Interrupted> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut sum = 0u64;
        for _ in 0..WAYS {
            sum = sum.saturating_add(self.way_down(root, kind, moves.0, left_out, &mut random)?);
        }
        Ok(sum / WAYS)
    }

    /// Returns the lines of the tree that has everywhere as many branches as one random way down has.
    fn way_down(
        &mut self,
        root: &Position,
        kind: NodeKind,
        moves: u16,
        left_out: &LeftOut,
        random: &mut Random,
    ) -> Result<u64, Interrupted> {
        let (mut position, mut left_out, mut lines, mut branches) = (*root, left_out, 0u64, 1u64);
        if kind == NodeKind::And {
            let Some(next) = self.opened_by(&position, moves)? else { return Ok(1) };
            (position, lines) = (next, 1);
        }
        for left in (2..=moves).rev() {
            lines = lines.saturating_add(branches);
            let mut attacks = position.legal_moves();
            attacks.retain(|m| !left_out.has(m.code()));
            left_out = &LeftOut::Nothing;
            let Some(attack) = random.pick(&attacks) else { break };
            branches = branches.saturating_mul(attacks.len() as u64);
            let Some(next) = self.opened_by(&position.play(attack), left - 1)? else { break };
            position = next;
        }
        Ok(lines)
    }

    /// Returns the position after the reply that would be chosen, if it would be opened.
    fn opened_by(&mut self, attacked: &Position, left: u16) -> Result<Option<Position>, Interrupted> {
        if left < 2 {
            return Ok(None);
        }
        let replies = rules::replies(self.goal(), attacked);
        let chosen = self.choose_rarest(attacked, &replies, left)?;
        Ok(chosen.and_then(|(_, opened)| opened))
    }
}

/// Pseudo-random numbers (xorshift64), always the same ones.
struct Random(u64);

impl Random {
    fn pick(&mut self, moves: &MoveList) -> Option<crate::chess::Move> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        moves.get(((u128::from(self.0) * moves.len() as u128) >> 64) as usize).copied()
    }
}
