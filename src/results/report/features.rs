//! What judges look at before they look at the play: the key's features and the number of men.

use serde::Serialize;
use shakmaty::{Role, Square};

/// Features of a key. A key that checks, captures or takes flights is a coarse one; one that gives flights is a
/// generous one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Features {
    /// It gives check.
    pub check: bool,
    /// What it captures.
    pub capture: Option<Role>,
    /// What it promotes to.
    pub promotion: Option<Role>,
    /// The defender can take the man that moved.
    pub sacrifice: bool,
    /// Squares the defending king could not go to before the key, and can after it.
    pub flights_given: Vec<Square>,
    /// Squares he could go to before it, and cannot after it.
    pub flights_taken: Vec<Square>,
    /// Men of the defender that were pinned and no longer are.
    pub unpins: Vec<Square>,
    /// Men of the defender that are pinned now and were not.
    pub pins: Vec<Square>,
}

/// What the number of men makes of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// At most seven men.
    Miniature,
    /// Eight to twelve.
    Meredith,
    /// More.
    Full,
}

/// How many men there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MenCount {
    /// White's, the king included.
    pub white: usize,
    /// Black's, the king included.
    pub black: usize,
}

impl MenCount {
    /// What the number of men makes of the problem.
    pub fn size(self) -> Size {
        match self.white + self.black {
            0..=7 => Size::Miniature,
            8..=12 => Size::Meredith,
            _ => Size::Full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_by_size() {
        let size = |white, black| MenCount { white, black }.size();
        assert_eq!(
            [size(5, 2), size(5, 3), size(6, 6), size(7, 6)],
            [Size::Miniature, Size::Meredith, Size::Meredith, Size::Full]
        );
    }
}
