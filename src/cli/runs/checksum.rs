//! The checksum of the records of runs: FNV-1a (Fowler, Noll, Vo), 64 bits.
//!
//! It changes whenever a single byte changes, because every step of the hash is a bijection of its state.

use serde::{Deserialize, Serialize};

/// The checksum of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Checksum(pub u64);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Adds bytes that follow.
    #[inline]
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
