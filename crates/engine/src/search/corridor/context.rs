//! What the parts of the engine share: the count of nodes, and the mates and moves that other searches have found.

use crate::chess::MateLength;
use crate::search::dfpn::Hints;
use crate::search::{Facts, Meter};

/// The meter, the facts and the hints of a search.
pub(super) struct Context<'m, 'c> {
    pub meter: &'m mut Meter<'c>,
    pub facts: &'m Facts,
    /// Moves that have won with other pawns of the defender.
    pub hints: Option<&'m Hints>,
}

impl Context<'_, '_> {
    /// Returns the length of a mate of at most `longest` moves that is proved from the position with this key.
    pub fn known_mate(&self, key: u64, longest: u16) -> Option<MateLength> {
        self.facts.proved(key).filter(|length| length.0 <= longest)
    }
}
