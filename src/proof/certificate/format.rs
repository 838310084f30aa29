//! The parts of the certificate format that its reader and its writer share: title, size of the header, checksum.

use std::fmt;

use crate::checksum::Checksum;

/// The first line of every certificate. The number is the version of the format.
pub(super) const TITLE: &str = "matesolve certificate 1";

/// The number of lines in the header, which stands before the first line of the proof.
pub(super) const HEADER_LINES: usize = 6;

/// The checksum of a text, written in hexadecimal. `\r\n` counts as `\n`.
#[derive(Debug, Clone, Default)]
pub(super) struct TextChecksum {
    checksum: Checksum,
    /// Whether the last byte was a carriage return, which counts unless a line feed follows.
    after_return: bool,
}

impl TextChecksum {
    /// Adds a piece of the text.
    pub(super) fn add(&mut self, text: &[u8]) {
        for &byte in text {
            if self.after_return && byte != b'\n' {
                self.checksum.add(b"\r");
            }
            self.after_return = byte == b'\r';
            if !self.after_return {
                self.checksum.add(&[byte]);
            }
        }
    }
}

impl fmt::Display for TextChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.checksum.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checksum(pieces: &[&str]) -> String {
        let mut checksum = TextChecksum::default();
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
