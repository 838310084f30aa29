//! The encoding of texts of inputs: UTF-8, or else Latin-1 (ISO 8859-1).
//!
//! Many old files, and the standard of PGN, are Latin-1. A text that is not UTF-8 is read as Latin-1 as a whole, in
//! which every byte is a character, so nothing is lost.

use std::borrow::Cow;

/// A text with the encoding in which it stands in its input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Whether it is Latin-1, because it is not UTF-8.
    pub is_latin1: bool,
}

/// Reads a text.
pub fn decoded(bytes: Vec<u8>) -> Decoded {
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, is_latin1: false },
        Err(error) => Decoded { text: error.as_bytes().iter().copied().map(char::from).collect(), is_latin1: true },
    }
}

/// Returns the bytes of a text that belongs into an input with this encoding. A text that Latin-1 cannot express is
/// UTF-8.
pub fn encoded(text: &str, is_latin1: bool) -> Cow<'_, [u8]> {
    let latin1 = || text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<Vec<u8>>>();
    let bytes = if is_latin1 { latin1() } else { None };
    bytes.map_or(Cow::Borrowed(text.as_bytes()), Cow::Owned)
}

/// Says that an input is read as Latin-1.
pub fn latin1_warning(name: &str) -> String {
    format!("{name} is not UTF-8 text; it is read as Latin-1 (ISO 8859-1)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf8_is_latin1() {
        let read = |bytes: &[u8]| decoded(bytes.to_vec());
        assert_eq!(read("é".as_bytes()), Decoded { text: "é".to_owned(), is_latin1: false });
        let latin1 = read(b"R\xe9ti, \xc9 \x80");
        assert_eq!(latin1, Decoded { text: "Réti, É \u{80}".to_owned(), is_latin1: true });
        assert_eq!(*encoded(&latin1.text, true), *b"R\xe9ti, \xc9 \x80");
        assert_eq!((&*encoded("é", false), &*encoded("é–", true)), ("é".as_bytes(), "é–".as_bytes()));
    }
}
