//! JSON that is written piece by piece, so that a large object needs no memory of its own; and writers for text.
//!
//! What JSON leaves as it is and a terminal or a page would act on is escaped on the way (`base::printable`).

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use crate::base::printable;

/// The form of a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonForm {
    /// On one line.
    Line,
    /// With indentation.
    Indented,
    /// On one line, inside a script element of a page.
    InPage,
}

/// Writes a value as JSON.
pub(super) fn json(value: &impl Serialize, form: JsonForm, out: &mut dyn Write) -> io::Result<()> {
    let out = Escaping { out, is_in_page: form == JsonForm::InPage };
    let written = match form {
        JsonForm::Indented => serde_json::to_writer_pretty(out, value),
        JsonForm::Line | JsonForm::InPage => serde_json::to_writer(out, value),
    };
    written.map_err(io::Error::from)
}

/// Returns a value as JSON.
pub(super) fn json_text(value: &impl Serialize, form: JsonForm) -> String {
    text(|out| json(value, form, out))
}

/// Returns what `write` writes.
pub(super) fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Passes JSON on, and escapes what is not safe to print; in a page also `<`, the only character that could end the
/// script element early. Outside of strings, JSON has none of them but line feeds, which stay.
struct Escaping<'w> {
    out: &'w mut dyn Write,
    is_in_page: bool,
}

impl Write for Escaping<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Without a way out of the loop, the compiler looks at many bytes at once.
        let is_unsafe = |byte: u8| byte >= 0x7f || (self.is_in_page && byte == b'<');
        if bytes.iter().fold(false, |found, &byte| found | is_unsafe(byte)) {
            // A string comes in pieces of whole characters.
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let safe = printable::json(text.to_owned());
            let safe = if self.is_in_page { safe.replace('<', "\\u003c") } else { safe };
            self.out.write_all(safe.as_bytes())?;
        } else {
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Passes text on to a writer of bytes, and keeps its first error.
pub(super) struct TextSink<'w> {
    pub out: &'w mut dyn Write,
    /// The first error.
    pub result: io::Result<()>,
}

impl fmt::Write for TextSink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.result.is_ok() {
            self.result = self.out.write_all(text.as_bytes());
        }
        self.result.as_ref().map_or(Err(fmt::Error), |()| Ok(()))
    }
}

/// Passes bytes on, except line breaks at the end.
pub(super) struct WithoutEnd<'w> {
    pub out: &'w mut dyn Write,
    /// The line breaks that are held back until something follows.
    pub held: usize,
}

impl Write for WithoutEnd<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = bytes.iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
        if end > 0 {
            for _ in 0..std::mem::take(&mut self.held) {
                self.out.write_all(b"\n")?;
            }
            self.out.write_all(&bytes[..end])?;
        }
        self.held += bytes.len() - end;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn line_breaks_at_the_end_are_left_out() {
        for parts in [&["a\n", "\n", "b", "\n\n"][..], &["a", "\n\nb\n"], &["\n", "", "\n"], &["a\n\nb"]] {
            let together = super::text(|out| {
                let mut out = WithoutEnd { out, held: 0 };
                parts.iter().try_for_each(|part| out.write_all(part.as_bytes()))
            });
            assert_eq!(together, parts.concat().trim_end_matches('\n'), "{parts:?}");
        }
    }

    proptest! {
        #[test]
        fn json_is_safe_to_print_and_keeps_its_values(text in any::<String>(), extra in "[\u{7f}-\u{9f}\u{202e}\n<]{0,4}") {
            let value = json!({ "id": format!("{text}{extra}"), "list": [1, [], {}, {"a": null}] });
            for form in [JsonForm::Line, JsonForm::Indented, JsonForm::InPage] {
                let written = super::text(|out| super::json(&value, form, out));
                prop_assert!(!written.contains(|c| c != '\n' && printable::is_unsafe(c)));
                prop_assert!(form != JsonForm::InPage || !written.contains('<'));
                prop_assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value.clone());
            }
            let indented = super::text(|out| super::json(&value, JsonForm::Indented, out));
            prop_assert_eq!(indented, printable::json(format!("{value:#}")));
        }
    }
}
