//! The English words of re-tests for men.

use shakmaty::{Chess, Position as _, Role, Square};

/// Returns the English word for a man.
pub(super) fn word(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// Returns the English word for the man on a square.
pub(super) fn man(position: &Chess, square: Square) -> &'static str {
    position.board().role_at(square).map_or("man", word)
}
