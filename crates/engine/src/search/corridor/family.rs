//! The families of restrictions: what each reply costs that a move leaves to the defender.
//!
//! People who restrict a search by hand often say: *after my move the defender has no capture and no move of an
//! officer* (a man that is neither king nor pawn). A family turns this into a number, the **cost** of a move. Steps of
//! the defender's pawns run out by themselves and are free, but for one rule of `checks`. A promotion counts as an
//! officer's move. A reply that is mated costs nothing, if it is tried (`price`).
//!
//! | family | a king move | an officer's move | a capture |
//! |---|---|---|---|
//! | `king` | 1 | 2 | 3 |
//! | `caged` | ½, after a check 0 | 1 | 3 |
//! | `rook`, `bishop` | as `king`, and moves of this man are free | | |
//! | `trek` | as `bishop`; a move of the attacker without check, and neither of king nor bishop, 2 more | | |
//! | `checks` | 1 | 1 | 1; a move of the attacker without check 4 more, and a pawn's step after it 1 |
//!
//! The sum is rounded down.

use shakmaty::Role;

/// A way to price the moves of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Few moves of king and officers, fewer captures.
    King,
    /// The officers are caged; the king may move.
    Caged,
    /// As [`Family::King`], and rooks may move as they like.
    Rook,
    /// The same for bishops.
    Bishop,
    /// The same for bishops, and the attacker's king and bishops do nearly all the work: long ways of one man.
    Trek,
    /// Checks that leave few replies.
    Checks,
}

/// What the replies cost. The cost of a move is the sum, rounded down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices {
    /// The price of two king moves.
    pub king_moves: u16,
    pub pawn: u16,
    pub officer: u16,
    pub capture: u16,
    /// The officers whose moves are free.
    pub free: Option<Role>,
}

impl Family {
    /// All families, in the order in which they are tried.
    pub const ALL: [Family; 6] =
        [Family::King, Family::Caged, Family::Rook, Family::Bishop, Family::Trek, Family::Checks];

    /// Returns the highest level to try, which is about as loose as this level of `king`: a quiet move of `checks`
    /// costs 4 by itself.
    pub(super) fn highest(self, level: u16) -> u16 {
        if self == Family::Checks { level.saturating_add(level / 2) } else { level }
    }

    /// Returns the price of the attacker's move itself, with a man of this role, which gives check or does not.
    pub(super) fn price_of(self, role: Role, check: bool) -> u16 {
        match self {
            Family::Checks if !check => 4,
            Family::Trek if !check && !matches!(role, Role::King | Role::Bishop) => 2,
            _ => 0,
        }
    }

    /// Returns the prices of the replies after a move that gives check or does not.
    pub(super) fn prices(self, check: bool) -> Prices {
        let king = Prices { king_moves: 2, pawn: 0, officer: 2, capture: 3, free: None };
        match self {
            Family::King => king,
            Family::Caged => Prices { king_moves: u16::from(!check), officer: 1, ..king },
            Family::Rook => Prices { free: Some(Role::Rook), ..king },
            Family::Bishop | Family::Trek => Prices { free: Some(Role::Bishop), ..king },
            Family::Checks => Prices { pawn: u16::from(!check), officer: 1, capture: 1, ..king },
        }
    }
}
