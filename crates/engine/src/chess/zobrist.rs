//! Random numbers for the incremental position key (Zobrist 1970).
//!
//! They are computed at compile time from a fixed seed, so a position has the same key in every run.

use shakmaty::{Color, Role, Square};

const fn splitmix(state: u64) -> u64 {
    let z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number of keys for men: two colours, six roles, 64 squares. The keys for rights follow them.
const MEN_KEYS: usize = 2 * 6 * 64;

/// The keys for men, by colour, role (from 1) and square.
static MEN: [[[u64; 64]; 8]; 2] = {
    let mut table = [[[0; 64]; 8]; 2];
    let mut i = 0;
    while i < MEN_KEYS {
        table[i / (6 * 64)][i / 64 % 6 + 1][i % 64] = splitmix(i as u64 + 1);
        i += 1;
    }
    table
};

/// The keys for castling rights, by the rook's square, and then those for en passant squares.
static RIGHTS: [[u64; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut i = 0;
    while i < 2 * 64 {
        table[i / 64][i % 64] = splitmix((MEN_KEYS + i) as u64 + 1);
        i += 1;
    }
    table
};

/// The key for the side to move: part of a position's key if White is to move.
pub(crate) const TURN: u64 = splitmix(5000);

/// Returns the key for a man on a square.
#[inline]
pub(crate) fn piece(color: Color, role: Role, square: Square) -> u64 {
    MEN[color as usize][role as usize][square as usize]
}

/// Returns the key for the right to castle with the rook on this square.
#[inline]
pub(crate) fn castling(rook: Square) -> u64 {
    RIGHTS[0][rook as usize]
}

/// Returns the key for a possible capture en passant on this square.
#[inline]
pub(crate) fn en_passant(square: Square) -> u64 {
    RIGHTS[1][square as usize]
}

/// Returns the key for a number of half-moves that are left.
pub(crate) const fn countdown(half_moves: u16) -> u64 {
    splitmix(6000 + half_moves as u64)
}
