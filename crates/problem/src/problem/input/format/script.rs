//! Problems in the source text of a script: the arrays and objects of JavaScript, TypeScript and Python.
//!
//! ```text
//! export default [ {fen: '5Kbk/…', dm: 2}, … ];        const p = ["5Kbk/…", …]        PUZZLES = [{"fen": …}]
//! ```
//!
//! A script becomes JSON as it is read, with the same lines, and the reader of JSON does the rest: names get quotes,
//! quotes of other kinds become double ones, comments and the last comma of a list go. What stands outside of the lists
//! is left out, but a text with a board is refused there. A variable in a list becomes its name as a text; a call is
//! refused where it stands.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use super::objects;
use crate::problem::input::{Entries, Input};

/// The most open brackets whose kinds are remembered.
const MOST_OPEN: usize = 1 << 12;

/// Turns a script into JSON.
struct Script<R> {
    input: R,
    /// JSON that has not been read yet.
    json: VecDeque<u8>,
    /// The brackets that are open around the place.
    open: Vec<u8>,
    /// The last word or sign outside of the lists.
    last: Vec<u8>,
    /// Whether a comma has been met that is not written yet.
    has_comma: bool,
}

impl<R: BufRead> Script<R> {
    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    fn take(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        self.input.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    /// Reads the next word, sign, string or comment. Returns whether there was one.
    fn step(&mut self) -> io::Result<bool> {
        let Some(byte) = self.take()? else { return Ok(false) };
        match byte {
            b'\n' => self.json.push_back(b'\n'),
            b'#' => self.skip(b"\n", true)?,
            b'/' if self.peek()? == Some(b'/') => self.skip(b"\n", true)?,
            b'/' if self.peek()? == Some(b'*') => self.skip(b"*/", false)?,
            b'"' | b'\'' | b'`' => self.string(byte)?,
            b'_' | b'$' | b'-' | 0x80.. => self.word(byte)?,
            byte if byte.is_ascii_alphanumeric() => self.word(byte)?,
            byte if byte.is_ascii_whitespace() => self.json.extend((!self.open.is_empty()).then_some(b' ')),
            byte => self.sign(byte),
        }
        Ok(true)
    }

    /// Leaves out a comment up to its end. Its line breaks stay.
    fn skip(&mut self, end: &[u8], is_line: bool) -> io::Result<()> {
        let mut last = Vec::new();
        while !last.ends_with(end) {
            let Some(byte) = self.take()? else { return Ok(()) };
            last.push(byte);
            self.json.extend((byte == b'\n').then_some(byte));
            if !is_line && last.len() > end.len() {
                last.remove(0);
            }
        }
        Ok(())
    }

    /// Writes a part of a value.
    fn write(&mut self, text: &[u8]) {
        let is_last = matches!(text, [b']' | b'}']);
        self.json.extend((std::mem::take(&mut self.has_comma) && !is_last).then_some(b','));
        self.json.extend(text);
    }

    /// Reads a string. One of a single line that has no end before the line ends is written so that it is refused.
    fn string(&mut self, quote: u8) -> io::Result<()> {
        let (mut text, mut breaks) = (vec![b'"'], 0);
        while let Some(byte) = self.take()?.filter(|&byte| byte != quote) {
            match byte {
                b'\\' => match self.take()? {
                    Some(byte @ (b'\'' | b'`')) => text.push(byte),
                    Some(b'\n') => breaks += 1,
                    other => text.extend([Some(b'\\'), other].into_iter().flatten()),
                },
                b'\n' if quote == b'`' => {
                    text.extend(b"\\n");
                    breaks += 1;
                }
                b'\n' => {
                    text.extend(b"\\?");
                    breaks += 1;
                    break;
                }
                b'"' => text.extend(b"\\\""),
                byte => text.push(byte),
            }
        }
        text.push(b'"');
        // A board outside of the lists is no problem, because what stands beside it is not read. It is refused.
        if !self.open.is_empty() {
            self.write(&text);
        } else if text.split(|&byte| byte == b'/').count() > 7 {
            self.write(&[b"{\"outside\": ", &text[..], b", \"list\": null} "].concat());
        }
        self.last = vec![quote];
        self.json.extend(std::iter::repeat_n(b'\n', breaks));
        Ok(())
    }

    /// Reads a name, a number or a constant.
    fn word(&mut self, first: u8) -> io::Result<()> {
        let mut word = vec![first];
        while let Some(byte) =
            self.peek()?.filter(|&it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'$' | b'.' | 0x80..))
        {
            word.push(byte);
            self.input.consume(1);
        }
        if !self.open.is_empty() {
            let is_number = first == b'-' || first.is_ascii_digit();
            let value: Vec<u8> = match &word[..] {
                b"true" | b"True" => b"true".to_vec(),
                b"false" | b"False" => b"false".to_vec(),
                b"null" | b"None" | b"undefined" => b"null".to_vec(),
                name if is_number => name.to_vec(),
                name => [b"\"", name, b"\""].concat(),
            };
            self.write(&value);
        }
        self.last = word;
        Ok(())
    }

    /// Takes any other sign.
    fn sign(&mut self, byte: u8) {
        let opens = matches!(byte, b'[' | b'{');
        let is_value = [&b"="[..], b"(", b"default", b"return"].contains(&&self.last[..]);
        if self.open.is_empty() && !(opens && is_value) {
            self.last = vec![byte];
        } else if byte == b',' && !self.has_comma {
            self.has_comma = true;
        } else {
            self.write(&[byte]);
            let closes = matches!(byte, b']' | b'}');
            // A bracket that closes another kind is a fault of the item, and closes nothing here.
            if opens && self.open.len() < MOST_OPEN {
                self.open.push(byte);
            } else if closes {
                self.open.pop_if(|open| *open + 2 == byte);
            }
            self.json.extend(self.open.is_empty().then_some(b' '));
            self.last = vec![byte];
        }
    }
}

impl<R: BufRead> Read for Script<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.json.is_empty() && self.step()? {}
        self.json.read(buffer)
    }
}

/// Returns the first line of code, and all that follows it; `None` if the text has only blank lines and comments.
pub(super) fn first_code(start: &[u8]) -> Option<&[u8]> {
    let mut rest = objects::text(start);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [] => return None,
            [b'/', b'/', ..] | [b'#', ..] => b"\n",
            [b'/', b'*', ..] => b"*/",
            _ => return Some(rest),
        };
        rest = &rest[rest.windows(end.len()).position(|part| part == end)? + end.len()..];
    }
}

/// Returns whether a text begins like a script: with a statement, or with a list that is given a name.
pub(super) fn is_script(start: &[u8]) -> bool {
    let Some(code) = first_code(start) else { return false };
    let line = String::from_utf8_lossy(code.split(|&byte| byte == b'\n').next().unwrap_or_default());
    let (first, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    match first {
        "export" => ["default", "const", "let", "var", "type", "interface"].iter().any(|word| rest.starts_with(word)),
        "const" | "let" | "var" => rest.contains('=') || rest.trim().is_empty(),
        "import" => rest.contains(['\'', '"']),
        "'use" | "\"use" => rest.starts_with("strict"),
        _ => {
            let Some((name, value)) = line.split_once('=') else { return false };
            let is_name = name.trim().chars().all(|c| c.is_alphanumeric() || "_$.".contains(c));
            is_name && !name.trim().is_empty() && matches!(value.trim().chars().next(), None | Some('[' | '{'))
        }
    }
}

/// Returns the entries of a script.
pub(super) fn entries(input: Input<'_>) -> Entries<'_> {
    let script = Script { input, json: VecDeque::new(), open: Vec::new(), last: Vec::new(), has_comma: false };
    let mut json = BufReader::new(script);
    let start = super::beginning(&mut json);
    objects::entries(Box::new(Cursor::new(start.clone()).chain(json)), &start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";

    fn read(text: &str) -> Vec<(usize, Option<String>)> {
        assert!(is_script(text.as_bytes()), "{text}");
        let asked = |entry: crate::problem::input::Entry| {
            let problem = entry.problem.ok().filter(|problem| problem.fen == TWO);
            (entry.line, problem.map(|problem| problem.question.stipulation.to_string()))
        };
        entries(Box::new(BufReader::with_capacity(3, text.as_bytes()))).map(asked).collect()
    }

    #[test]
    fn lists_in_scripts_are_read_like_json() {
        let is = |line, text: &str| (line, Some(text.to_owned()));
        for (text, expected) in [
            (format!("export default [\n{{\"fen\": \"{TWO}\", \"dm\": 2}},\n];\n"), vec![is(2, "#2")]),
            (
                format!("// puzzles [\nconst p = [\n{{fen: '{TWO}', dm: 2,}}, // x {{\n{{fen: `{TWO}`}}]"),
                vec![is(3, "#2"), is(4, "#")],
            ),
            (format!("/* x\n*/\nlet a = ['{TWO}'],\nb = [\"{TWO}\",\n];"), vec![is(3, "#"), is(4, "#")]),
            (format!("module.exports = {{x: [{{fen: '{TWO}', id: 'it\\'s \"'}}]}}"), vec![is(1, "#")]),
            (format!("P = [\n  # x\n  {{'fen': '{TWO}', 'dm': 2, 'x': None, 'y': True}},\n]\n"), vec![is(3, "#2")]),
            (
                format!("import x from 'y';\nconst f = \"{TWO}\";\nexport default Object.freeze([\"{TWO}\"]);"),
                vec![(2, None), (3, None)],
            ),
            (
                format!("const p: T[] = [{{fen: '{TWO}', dm: two}},\n'{TWO}\n,{{fen: f()}}]"),
                vec![(1, None), (2, None), (3, None)],
            ),
        ] {
            let found = read(&text);
            if expected.iter().all(|it| it.1.is_none()) {
                assert!(found.len() >= expected.len() && found.iter().all(|it| it.1.is_none()), "{text}: {found:?}");
            } else {
                assert_eq!(found, expected, "{text}");
            }
        }
        for text in ["A = B, London 1900\n", "Let it be\n", "variant\n", "5Kbk/6pp w - - c0 = [", "[Event \"x\"]", ""] {
            assert!(!is_script(text.as_bytes()), "{text}");
        }
    }
}
