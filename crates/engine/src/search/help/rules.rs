//! The rules of the search that a test can switch off.

/// The rules that a test can switch off, to see what each cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct Rules {
    /// The table of dead positions.
    pub dead: bool,
    /// The relaxation as a whole.
    pub pictures: bool,
    /// The demands of a named checker, and of the only one in a picture.
    pub checker: bool,
    /// The men that must go because they would refute the check.
    pub must: bool,
    /// A man that would refute the check blocks no flight.
    pub blocks: bool,
    /// Distinct flights need distinct men.
    pub matching: bool,
    /// The last two half-moves of a mate are looked for together.
    pub pairs: bool,
    /// In a stalemate, the men that can still move have to come to rest.
    pub resting: bool,
    /// The final pictures are listed before the search.
    pub listed: bool,
    /// In a picture of a mate, no man attacks the king of the mating side.
    pub unattacked: bool,
    /// In a picture, men to be captured must come to where they can be.
    pub taken: bool,
    /// Pawns capture only as often as there are men to capture.
    pub captures: bool,
    /// The listing is limited by the needs of a picture.
    pub needs: bool,
}

impl Rules {
    /// All rules.
    pub const ALL: Rules = Rules {
        dead: true,
        pictures: true,
        checker: true,
        must: true,
        blocks: true,
        matching: true,
        pairs: true,
        resting: true,
        listed: true,
        unattacked: true,
        taken: true,
        captures: true,
        needs: true,
    };
}
