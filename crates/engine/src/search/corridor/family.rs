//! The families of restrictions: what each reply costs that a move leaves to the defender.
//!
//! Composers of long mates, and people who restrict a search by hand, nearly always say one thing: *after my move the
//! defender has no capture and no move of an officer* (a man that is neither king nor pawn). A family turns this into a
//! number, the **cost** of a move. Moves of the defender's pawns run out by themselves and are free.
//!
//! | family | a king move | an officer's move | a capture |
//! |---|---|---|---|
//! | `king` | 1 | 2 | 3 |
//! | `caged` | ½, after a check 0 | 1 | 3 |
//! | `men` | 1 | 2 for each officer that can move | 3 |
//! | `queen`, `rook`, `bishop`, `knight` | as `king`, and moves of this man are free | | |
//! | `checks` | 1 | 1 | 1; a pawn's move 1 and a quiet move of the attacker 5 more |

use shakmaty::Role;

/// A way to price the moves of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Few moves of king and officers, fewer captures.
    King,
    /// The officers are caged; the king may move.
    Caged,
    /// Few officers can move, however many moves each has.
    Men,
    /// As [`Family::King`], and queens, rooks, bishops or knights may move as they like.
    Free(Role),
    /// Checks that leave few replies.
    Checks,
}

/// What the replies cost. The cost of a move is the sum, rounded down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices {
    /// The price of the attacker's move itself.
    pub own: u16,
    /// The price of two king moves.
    pub king_moves: u16,
    pub pawn: u16,
    pub officer: u16,
    /// Whether an officer with several moves counts once.
    pub once: bool,
    pub capture: u16,
    /// The officers whose moves are free.
    pub free: Option<Role>,
}

impl Family {
    /// All families, in the order in which they are tried.
    pub const ALL: [Family; 8] = [
        Family::King,
        Family::Caged,
        Family::Free(Role::Rook),
        Family::Free(Role::Bishop),
        Family::Men,
        Family::Checks,
        Family::Free(Role::Knight),
        Family::Free(Role::Queen),
    ];

    /// Returns the name, as in the option `families`.
    pub fn name(self) -> &'static str {
        match self {
            Family::King => "king",
            Family::Caged => "caged",
            Family::Men => "men",
            Family::Free(Role::Queen) => "queen",
            Family::Free(Role::Rook) => "rook",
            Family::Free(Role::Bishop) => "bishop",
            Family::Free(_) => "knight",
            Family::Checks => "checks",
        }
    }

    /// Returns the highest level to try, which is about as loose as this level of `king`: a quiet move of `checks`
    /// costs 4 by itself.
    pub(super) fn highest(self, level: u16) -> u16 {
        if self == Family::Checks { level.saturating_add(level / 2) } else { level }
    }

    /// Returns the prices of the replies after a move that gives check or does not.
    pub(super) fn prices(self, check: bool) -> Prices {
        let king = Prices { own: 0, king_moves: 2, pawn: 0, officer: 2, once: false, capture: 3, free: None };
        match self {
            Family::King => king,
            Family::Caged => Prices { king_moves: u16::from(!check), officer: 1, ..king },
            Family::Men => Prices { once: true, ..king },
            Family::Free(role) => Prices { free: Some(role), ..king },
            Family::Checks => {
                let (own, pawn) = if check { (0, 0) } else { (4, 1) };
                Prices { own, pawn, officer: 1, capture: 1, ..king }
            }
        }
    }
}
