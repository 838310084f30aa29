//! Writes JSON piece by piece, so that a large object needs no memory of its own, and text into a writer.
//!
//! What JSON leaves as it is and a terminal or a page would act on is escaped on the way (`base::printable`).

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

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
    let is_in_page = form == JsonForm::InPage;
    let written = match form {
        JsonForm::Indented => {
            let formatter = Escaping { layout: PrettyFormatter::new(), is_in_page };
            value.serialize(&mut Serializer::with_formatter(out, formatter))
        }
        JsonForm::Line | JsonForm::InPage => {
            let formatter = Escaping { layout: CompactFormatter, is_in_page };
            value.serialize(&mut Serializer::with_formatter(out, formatter))
        }
    };
    written.map_err(io::Error::from)
}

/// Returns what `write` writes.
pub(super) fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Lays JSON out like another formatter, and escapes in strings what is not safe to print. In a page it also escapes
/// `<`, the only character that could end the script element early.
struct Escaping<F> {
    layout: F,
    is_in_page: bool,
}

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let is_escaped = |c: char| printable::is_unsafe(c) || (self.is_in_page && c == '<');
        let mut rest = fragment;
        while let Some(at) = rest.find(is_escaped) {
            let (plain, escaped) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            let mut letters = escaped.chars();
            if let Some(c) = letters.next() {
                write!(out, "\\u{:04x}", u32::from(c))?;
            }
            rest = letters.as_str();
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.layout.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.layout.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.layout.end_object_value(out)
    }
}

/// Passes text on to a writer of bytes, and keeps its first error.
pub(super) struct TextSink<'w> {
    out: &'w mut dyn Write,
    result: io::Result<()>,
}

impl<'w> TextSink<'w> {
    /// Returns a sink that writes to `out`.
    pub(super) fn new(out: &'w mut dyn Write) -> TextSink<'w> {
        TextSink { out, result: Ok(()) }
    }

    /// Returns the first error.
    pub(super) fn finish(self) -> io::Result<()> {
        self.result
    }
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
    out: &'w mut dyn Write,
    /// The line breaks that are held back until something follows.
    held: usize,
}

impl<'w> WithoutEnd<'w> {
    /// Returns a writer that writes to `out`.
    pub(super) fn new(out: &'w mut dyn Write) -> WithoutEnd<'w> {
        WithoutEnd { out, held: 0 }
    }
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
                let mut out = WithoutEnd::new(out);
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
