//! Which results a proof-number search writes for other searches.

use crate::chess::{MateLength, MoveCode};

/// The key of a position with a proved mate, its length, and the attacker's move if he is to move.
pub(crate) type KnownMate = (u64, MateLength, Option<MoveCode>);

/// The smallest subtree whose result is written to the shared facts, in nodes: that of a refutation, and that of a
/// proof. Proofs are fewer, and the lists of `corridor` end at them. Proofs of 16 nodes and more bring one mate fewer
/// of 116 to its best length; those of 1 lose three mates (`benches/tuning/corridor.md`).
pub(crate) const MIN_SHARED_WORK: u64 = 16;
const MIN_SHARED_PROOF: u64 = 4;
/// A longer mate than this, in moves, is shared even if its proof took no work. Then it rests on proofs that were
/// known, and who does not know them may search for it in vain. Doubled, others search again for mates of this length;
/// halved, short mates fill the facts.
const LONGEST_UNSHARED: MateLength = MateLength(4);

/// Returns whether the proof of a mate of this length is written for other searches; `work` is in nodes.
#[inline]
pub(crate) fn is_shared_proof(length: MateLength, work: u64) -> bool {
    work >= MIN_SHARED_PROOF || length > LONGEST_UNSHARED
}
