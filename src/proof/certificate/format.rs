//! The parts of the certificate format that its reader and its writer share: title, size of the header, checksum.

use std::fmt;

/// The first line of every certificate. The number is the version of the format.
pub(super) const TITLE: &str = "matesolve certificate 1";

/// The number of lines in the header, which stands before the first line of the proof.
pub(super) const HEADER_LINES: usize = 6;

/// The checksum of a text: FNV-1a (Fowler, Noll, Vo), 64 bits, written in hexadecimal. `\r\n` counts as `\n`.
///
/// It changes whenever a single byte changes, because every step of the hash is a bijection of its state.
#[derive(Debug, Clone)]
pub(super) struct Checksum {
    hash: u64,
    /// Whether the last byte was a carriage return, which counts unless a line feed follows.
    after_return: bool,
}

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum { hash: 0xcbf2_9ce4_8422_2325, after_return: false }
    }
}

impl Checksum {
    /// Adds a piece of the text.
    pub(super) fn add(&mut self, text: &[u8]) {
        for &byte in text {
            if self.after_return && byte != b'\n' {
                self.add_byte(b'\r');
            }
            self.after_return = byte == b'\r';
            if !self.after_return {
                self.add_byte(byte);
            }
        }
    }

    fn add_byte(&mut self, byte: u8) {
        self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checksum(pieces: &[&str]) -> String {
        let mut checksum = Checksum::default();
        for piece in pieces {
            checksum.add(piece.as_bytes());
        }
        checksum.to_string()
    }

    #[test]
    fn the_checksum_is_fnv_1a() {
        // The second value is the offset basis that the authors of the algorithm publish.
        assert_eq!(checksum(&["a\n"]), "089bdc07b544e7b2");
        assert_eq!(checksum(&[]), "cbf29ce484222325");
    }

    #[test]
    fn one_altered_byte_alters_the_checksum_and_the_kind_of_line_break_does_not() {
        assert_ne!(checksum(&["a8a7:b1a1\n"]), checksum(&["a8a7:b1a2\n"]));
        assert_eq!(checksum(&["a\r", "\nb\r\n"]), checksum(&["a\nb\n"]));
        assert_ne!(checksum(&["a\rb\n"]), checksum(&["ab\n"]));
    }
}
