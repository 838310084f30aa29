//! Parts of the format that several files use, such as numbers and moves as text, their order, and the checksum.

use std::fmt;

use matesolve_terms::MoveCode;
use shakmaty::{Role, Square};

/// The first line of every certificate that is written. The number is the version of the format.
pub(super) const TITLE: &str = "matesolve certificate 2";

/// The beginning of the last line.
pub(super) const END: &str = "end ";

/// The beginning of the first line of a section.
pub(super) const PROOF: &str = "proof ";

/// Reads a number in the only way it is written: decimal, without a sign and without zeros before it.
pub(super) fn number<N: std::str::FromStr + fmt::Display>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// Reads a move in coordinates, such as `e2e4` or `e7e8q`.
pub(super) fn parse_move(text: &str) -> Option<MoveCode> {
    let bytes = text.as_bytes();
    let promotion = match bytes.get(4) {
        None => None,
        Some(b'n') => Some(Role::Knight),
        Some(b'b') => Some(Role::Bishop),
        Some(b'r') => Some(Role::Rook),
        Some(b'q') => Some(Role::Queen),
        Some(_) => return None,
    };
    let squares = bytes.get(..4).filter(|_| bytes.len() <= 5)?;
    let square = |text| Square::from_ascii(text).ok();
    Some(MoveCode::new(square(&squares[..2])?, square(&squares[2..])?, promotion))
}

/// The order of the defences in a line: by the square where the move begins, the square where it ends, and the role of
/// a promotion. The squares are in the order a1, b1, …, h1, a2, …, h8, the roles in the order n, b, r, q.
pub fn order(code: MoveCode) -> (Square, Square, Option<Role>) {
    (code.from(), code.to(), code.promotion())
}

/// Returns moves, separated by spaces.
pub(super) fn moves_text(moves: &[MoveCode]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Reads moves that are separated by single spaces, at least one.
pub(super) fn parse_moves(text: &str) -> Option<Vec<MoveCode>> {
    text.split(' ').map(parse_move).collect()
}

/// The CRC-32 of gzip (ISO 3309), written in eight hexadecimal digits.
#[derive(Debug, Clone)]
pub(super) struct Crc(u32);

impl Default for Crc {
    fn default() -> Crc {
        Crc(u32::MAX)
    }
}

impl Crc {
    /// What a byte does to the sum. The polynomial is written from its lowest bit, so it is shifted to the right.
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut sum = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
                bit += 1;
            }
            table[byte] = sum;
            byte += 1;
        }
        table
    };

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = Crc::TABLE[usize::from(self.0 as u8 ^ byte)] ^ self.0 >> 8;
        }
    }
}

impl fmt::Display for Crc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", !self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_gzip() {
        // The value that descriptions of this checksum give as their example.
        let mut crc = Crc::default();
        crc.add(b"1234");
        crc.add(b"56789");
        assert_eq!((crc.to_string(), Crc::default().to_string()), ("cbf43926".to_owned(), "00000000".to_owned()));
    }

    #[test]
    fn moves_are_written_as_they_are_read() {
        for text in ["e2e4", "a7a8q", "e1h1 g7g8n"] {
            assert_eq!(moves_text(&parse_moves(text).unwrap()), text);
        }
        for wrong in ["", "e2", "e2e9", "e7e8k", "e2e4  d2d4", "e2e4 "] {
            assert_eq!(parse_moves(wrong), None, "{wrong}");
        }
    }
}
