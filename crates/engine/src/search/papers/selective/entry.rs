//! The content of a table entry: what the principal-variation searches share, and the length and width of the last
//! search that failed without a refutation.

use crate::chess::MateLength;

use super::width::Width;
use crate::search::principal;

/// A search that found no mate, but left moves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FailedSearch {
    /// The longest mate that was looked for, in moves.
    pub within: MateLength,
    /// The width of the search.
    pub width: Width,
}

impl FailedSearch {
    /// Returns whether a search for a mate within `within` moves at this width would fail too.
    pub fn answers(self, within: MateLength, width: Width) -> bool {
        within <= self.within && width <= self.width
    }
}

/// The knowledge about one position.
pub(super) type Entry = principal::Entry<FailedSearch>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_answers_questions_that_are_not_larger() {
        let failure = FailedSearch { within: MateLength(5), width: Width::quarters(20) };
        assert!(failure.answers(MateLength(5), Width::quarters(20)));
        assert!(failure.answers(MateLength(3), Width::quarters(8)));
        assert!(!failure.answers(MateLength(6), Width::quarters(8)));
        assert!(!failure.answers(MateLength(5), Width::quarters(21)));
        assert!(!failure.answers(MateLength(5), Width::FULL));
    }
}
