//! Makes text that comes from an input safe to print.
//!
//! A name, a comment or a file name may hold any character. A line break in it could forge a line of the output, a
//! control character could change the terminal, and a character that reverses the direction of writing could hide what
//! stands beside it. So those who write such text call this module, which replaces or escapes these characters: the
//! formats of `output`, `cli` for its messages, and `uci` for the lines to the GUI.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The longest quotation in a message, in characters.
const LONGEST_QUOTE: usize = 60;

/// The mark in the place of a character that is not printed.
const REPLACEMENT: char = '\u{fffd}';

/// Returns whether a character does something other than to show a sign or a space: the control characters, the line
/// and paragraph separators of Unicode, and the characters that change the direction of writing.
#[inline]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character is what Unicode calls a noncharacter, such as U+FFFE and U+FFFF. XML forbids
/// these two, HTML all of them.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// Returns a text of several lines that may stand in XML and HTML: [`lines`] without noncharacters.
/// The signs of markup are not escaped.
pub fn markup(text: &str) -> String {
    lines(text).replace(is_noncharacter, "\u{fffd}")
}

/// Returns the text as a part of one line: a tab or a line break (`\n`, `\r\n`) becomes a space, every other unsafe
/// character `�`.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let replace = |c| match c {
        '\t' | '\n' => ' ',
        c if is_unsafe(c) => REPLACEMENT,
        c => c,
    };
    Cow::Owned(text.replace("\r\n", "\n").chars().map(replace).collect())
}

/// Returns a text of several lines: every unsafe character becomes `�` except tabs and the line breaks, which are
/// `\n` or `\r\n`.
pub fn lines(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| c != '\n' && is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_break = c == '\n' || c == '\r' && rest.peek() == Some(&'\n');
        safe.push(if is_break || c == '\t' || !is_unsafe(c) { c } else { REPLACEMENT });
    }
    Cow::Owned(safe)
}

/// Makes bytes of several lines safe as [`lines`] does. Bytes that are not UTF-8 stay.
pub fn bytes(text: &[u8]) -> Cow<'_, [u8]> {
    if let Ok(text) = std::str::from_utf8(text) {
        return match lines(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
    }
    let parts = text.utf8_chunks().map(|chunk| [lines(chunk.valid()).as_bytes(), chunk.invalid()].concat());
    Cow::Owned(parts.collect::<Vec<_>>().concat())
}

/// Shortens a text from the input to at most 60 characters of one line, so that a message that quotes it stays
/// readable.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", line(&text[..end])),
        None => line(text).into_owned(),
    }
}

/// Shortens the message of a parser, which may quote any length of the input, to about 200 characters of one line. Its
/// end, which names the place, stays.
pub fn shortened(message: &str) -> String {
    const START: usize = 140;
    const END: usize = 60;
    let count = message.chars().count();
    if count <= START + END {
        return line(message).into_owned();
    }
    let start: String = message.chars().take(START).collect();
    let end: String = message.chars().skip(count - END).collect();
    format!("{}…{}", line(&start), line(&end))
}

/// Escapes the unsafe characters of a JSON text, of which JSON itself escapes only some, and those that stand for
/// nothing: JSON may be part of a page. Its line feeds are between the values and stay. The values do not change:
/// outside of strings, JSON has no such characters.
pub fn json(text: String) -> String {
    let escaped = |c: char| c != '\n' && (is_unsafe(c) || is_noncharacter(c));
    if !text.contains(escaped) {
        return text;
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_could_forge_a_line_or_change_a_terminal_is_replaced() {
        assert_eq!(line("a\n2 b\tc\u{1b}]0;x\u{7}\u{9b}31m\u{202e}d"), "a 2 b c�]0;x��31m�d");
        assert_eq!(line("one\r\ntwo\n\nthree\rfour\u{2028}"), "one two  three�four�");
        assert_eq!(lines("a\r\nb\u{7f}\r\tc\n"), "a\r\nb��\tc\n");
        assert_eq!(bytes(b"a\x1b\xff\r\nb").as_ref(), [&b"a"[..], "\u{fffd}".as_bytes(), b"\xff\r\nb"].concat());
        assert!(matches!(line("Günter Ле́вин ≤ ½"), Cow::Borrowed(_)));
    }

    #[test]
    fn markup_has_only_characters_that_xml_and_html_allow() {
        let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
        let all: String = ('\0'..=char::MAX).collect();
        assert!(markup(&all).chars().all(|c| allowed(c) && !is_noncharacter(c)));
        assert_eq!(markup("a\u{fffe}\u{ffff}\u{fdd0}\u{1fffe}\u{10ffff}\u{fffd}\u{10000}b"), "a������\u{10000}b");
    }

    #[test]
    fn a_long_quotation_is_cut() {
        assert_eq!(excerpt("a\u{1b}b"), "a�b");
        assert_eq!(excerpt(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
        assert_eq!(excerpt(&"é".repeat(60)), "é".repeat(60));
        let message = shortened(&format!("invalid type: \"{}\u{1b}\" at line 1 column 7", "é".repeat(1_000_000)));
        assert!(message.starts_with("invalid type: \"éé") && message.ends_with("é�\" at line 1 column 7"), "{message}");
        assert_eq!((message.chars().count(), shortened(&"é".repeat(200))), (201, "é".repeat(200)));
    }

    proptest! {
        #[test]
        fn json_keeps_its_values(text in any::<String>(), extra in "[\u{7f}-\u{9f}\u{200e}\u{202e}\u{fffe}\u{1ffff}\n\u{1b}]{0,4}") {
            let value = serde_json::json!({ "id": format!("{text}{extra}") });
            let safe = json(serde_json::to_string_pretty(&value).unwrap());
            prop_assert!(!safe.contains(|c| c != '\n' && (is_unsafe(c) || is_noncharacter(c))));
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
        }
    }
}
