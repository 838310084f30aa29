//! Positions made lately, by key: a way down the graph that was walked a short while ago makes few positions again.

use crate::chess::{Move, Position};
use crate::search::{Interrupted, Meter};

/// The most positions kept: 8K, which take some 700 kB. More would not stay in the processor's cache. Half as many are
/// made again more often.
const MOST_KEPT: usize = 1 << 13;

/// The positions made last.
#[derive(Debug)]
pub(super) struct KeptPositions(Vec<Option<Position>>);

impl KeptPositions {
    /// Returns a place for positions that takes at most `bytes` bytes, or that of one position.
    pub fn new(bytes: usize) -> KeptPositions {
        KeptPositions(vec![None; (bytes / size_of::<Option<Position>>()).clamp(1, MOST_KEPT)])
    }

    /// Returns the position after a move, whose key is known. It is made, and counted, only if it is not kept.
    #[inline]
    pub fn play(
        &mut self,
        position: &Position,
        m: Move,
        key: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Position, Interrupted> {
        let kept = self.0.len();
        let slot = &mut self.0[key as usize % kept];
        if let Some(kept) = slot
            && kept.key() == key
        {
            return Ok(*kept);
        }
        meter.node()?;
        let next = position.play(m);
        debug_assert_eq!(next.key(), key);
        *slot = Some(next);
        Ok(next)
    }
}
