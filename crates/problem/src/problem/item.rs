//! A piece of an input, as its reader cuts it out: its place, and a bounded number of its bytes.
//!
//! A piece that is too long has no text, because its beginning would be another problem. [`unmarked`] removes the mark
//! with which an input, or a part of it, may begin.

use crate::base::encoding::{Decoded, decoded};
use crate::base::lines::Line;

/// Returns bytes without the byte order mark at their beginning.
pub(super) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A piece of an input that should hold a problem.
#[derive(Debug, Clone, Default)]
pub struct Item {
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its bytes, or only the first of them.
    pub bytes: Vec<u8>,
    /// Whether it is too long.
    pub is_cut: bool,
    /// Why it cannot be read, whatever its bytes are.
    pub fault: Option<String>,
}

impl Item {
    /// Returns the text; `None` if it is too long.
    pub(super) fn decoded(self) -> Option<Decoded> {
        (!self.is_cut).then(|| decoded(self.bytes))
    }

    /// Makes a piece of a line, or of a part of it.
    pub(super) fn of_line(line: &Line<'_>, part: &[u8]) -> Item {
        Item { line: line.number, bytes: part.to_vec(), is_cut: line.is_cut, fault: None }
    }

    /// Makes the piece that stands for what cannot be read.
    pub(super) fn faulty(line: usize, why: &str) -> Item {
        Item { line, fault: Some(why.to_owned()), ..Item::default() }
    }

    /// Returns whether nothing has been read of it.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.is_cut
    }

    /// Adds bytes, as long as there are at most `longest`.
    pub(super) fn push(&mut self, bytes: &[u8], longest: usize) {
        self.is_cut |= self.bytes.len() + bytes.len() > longest;
        if !self.is_cut {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_is_too_long_has_no_text() {
        let mut item = Item { line: 3, ..Item::default() };
        item.push(b"ab", 3);
        assert_eq!(item.clone().decoded().map(|decoded| decoded.text).as_deref(), Some("ab"));
        item.push(b"cd", 3);
        assert!(item.is_cut && !item.is_empty() && item.decoded().is_none());
    }
}
