//! The features by which a key is judged, and the classes of problems by the number of men.

use serde::Serialize;
use shakmaty::{Role, Square};

use crate::results::wire;

/// The features of a key. A key that gives check, captures or takes flights away is coarse; a key that gives flights is
/// generous.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Features {
    /// Whether the key gives check.
    pub check: bool,
    /// The kind of the captured man, if there is one.
    #[serde(serialize_with = "wire::role")]
    pub capture: Option<Role>,
    /// The kind of man to which the key promotes a pawn, if it does.
    #[serde(serialize_with = "wire::role")]
    pub promotion: Option<Role>,
    /// Whether the defender can capture the man that moved.
    pub sacrifice: bool,
    /// Squares to which the defender's king can go after the key, but could not before it.
    #[serde(serialize_with = "wire::texts")]
    pub flights_given: Vec<Square>,
    /// Squares to which the defender's king could go before the key, but cannot after it.
    #[serde(serialize_with = "wire::texts")]
    pub flights_taken: Vec<Square>,
    /// The squares of the defender's men that are pinned before the key, but not after it.
    #[serde(serialize_with = "wire::texts")]
    pub unpins: Vec<Square>,
    /// The squares of the defender's men that are pinned after the key, but not before it.
    #[serde(serialize_with = "wire::texts")]
    pub pins: Vec<Square>,
}

/// The class of a problem by the number of its men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// At most seven men.
    Miniature,
    /// Eight to twelve men.
    Meredith,
    /// Thirteen men or more.
    Full,
}

/// The number of men on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MenCount {
    /// White's men, including the king.
    pub white: usize,
    /// Black's men, including the king.
    pub black: usize,
    /// The class of the problem.
    pub size: Size,
}

impl MenCount {
    /// Returns these numbers with the class of the problem.
    pub fn of(white: usize, black: usize) -> MenCount {
        let size = match white + black {
            0..=7 => Size::Miniature,
            8..=12 => Size::Meredith,
            _ => Size::Full,
        };
        MenCount { white, black, size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miniature_has_seven_men_and_a_meredith_twelve() {
        let size = |white, black| MenCount::of(white, black).size;
        assert_eq!(
            [size(5, 2), size(5, 3), size(6, 6), size(7, 6)],
            [Size::Miniature, Size::Meredith, Size::Meredith, Size::Full]
        );
    }
}
