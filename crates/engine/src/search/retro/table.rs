//! The values of all positions of one class: one byte for each position and each side to move.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::chess::{MateLength, NodeKind};

use super::layout::{Layout, Squares};
use super::material::Material;

/// The value of a position: the length of the attacker's shortest mate in moves, or no mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// The attacker mates in this many moves.
    Mate(MateLength),
    /// The attacker cannot force mate.
    NoMate,
}

/// The byte of a position in which the attacker does not mate.
pub(super) const NO_MATE: u8 = u8::MAX;
/// The byte of squares that are no position: two men on one square, or the side not to move is in check.
pub(super) const ILLEGAL: u8 = u8::MAX - 1;
/// The longest mate that a byte can hold, in moves. The longest mate with five men takes 127.
pub(super) const LONGEST: u8 = u8::MAX - 2;

/// The table of one class. While it is built, several threads write to different bytes.
#[derive(Debug)]
pub(super) struct ClassTable {
    pub layout: Layout,
    /// By position with the attacker to move: the moves to mate, from 1.
    attacker_to_move: Vec<AtomicU8>,
    /// By position with the defender to move: the moves to mate, from 0.
    defender_to_move: Vec<AtomicU8>,
}

impl ClassTable {
    /// Returns the table of a class before it is built: no position is a mate.
    pub fn new(material: Material) -> ClassTable {
        let layout = Layout::new(material);
        let bytes = |value| {
            let mut bytes = Vec::new();
            bytes.resize_with(64 * layout.words(), || AtomicU8::new(value));
            bytes
        };
        ClassTable { attacker_to_move: bytes(NO_MATE), defender_to_move: bytes(NO_MATE), layout }
    }

    /// Returns the bytes of the 64 positions of a word.
    #[inline]
    pub fn word(&self, to_move: NodeKind, word: usize) -> &[AtomicU8] {
        &self.bytes(to_move)[64 * word..64 * word + 64]
    }

    #[inline]
    fn bytes(&self, to_move: NodeKind) -> &[AtomicU8] {
        match to_move {
            NodeKind::Or => &self.attacker_to_move,
            NodeKind::And => &self.defender_to_move,
        }
    }

    /// Returns the byte of a position.
    #[inline]
    pub fn byte(&self, to_move: NodeKind, squares: Squares) -> u8 {
        self.bytes(to_move)[self.layout.number(squares)].load(Relaxed)
    }

    /// Returns the byte of the position with this number.
    #[inline]
    pub fn byte_at(&self, to_move: NodeKind, number: usize) -> u8 {
        self.bytes(to_move)[number].load(Relaxed)
    }

    /// Returns the value of a position. Squares that are no position count as no mate.
    #[inline]
    pub fn distance(&self, to_move: NodeKind, squares: Squares) -> Distance {
        match self.byte(to_move, squares) {
            NO_MATE | ILLEGAL => Distance::NoMate,
            moves => Distance::Mate(MateLength(u16::from(moves))),
        }
    }

    /// Returns the length of the longest mate in the table, in moves; 0 if there is none.
    pub fn longest(&self, to_move: NodeKind) -> u8 {
        let lengths = self.bytes(to_move).iter().map(|byte| byte.load(Relaxed));
        lengths.filter(|&byte| byte <= LONGEST).max().unwrap_or(0)
    }
}
