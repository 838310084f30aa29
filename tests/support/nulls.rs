//! The null moves that `pvs` is tested with.

use matesolve_engine::search::pvs::NullMove;

/// No null move, the standard null move with R = 1 to 3, and the adaptive, verified and reducing ones of the papers.
pub const ALL: [NullMove; 7] = [
    NullMove::None,
    NullMove::Standard { r: 1 },
    NullMove::Standard { r: 2 },
    NullMove::Standard { r: 3 },
    NullMove::Adaptive { shallow: 2, deep: 3 },
    NullMove::VERIFIED,
    NullMove::NMR,
];
