//! Reads the lines of any input, one at a time, and of each line a bounded number of bytes.
//!
//! Problems, results, certificates and the commands of a GUI are among the texts that are read by these lines. An input
//! may be a line of a terabyte, a binary file, or text without a last line break. So a line is a piece of memory of
//! bounded size, what is too long is marked and skipped, and its bytes are not text before somebody has decoded them. A
//! line ends with `\n`; a `\r` before it belongs to the line break.

use std::io::{self, BufRead};

/// The longest result in JSON that is read, in bytes.
pub const LONGEST_RESULT: usize = 16 << 20;

/// Reads the lines of an input.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    /// The longest line that is kept as a whole, in bytes, without its line break.
    longest: usize,
    line: Vec<u8>,
    /// The number of lines read.
    number: usize,
    /// Whether reading has failed; then there are no more lines.
    failed: bool,
}

/// A line of an input.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// The bytes with the line break `\n`, which the last line may lack. Only the beginning of a line that is too long.
    pub bytes: &'a [u8],
    /// Whether it is too long, so that bytes are missing at its end.
    pub is_cut: bool,
    /// Whether a line break ends it.
    pub is_ended: bool,
}

impl<'a> Line<'a> {
    /// Returns the bytes without the line break.
    pub fn content(&self) -> &'a [u8] {
        let line = self.bytes.strip_suffix(b"\n").unwrap_or(self.bytes);
        if self.is_cut { line } else { line.strip_suffix(b"\r").unwrap_or(line) }
    }
}

impl<R: BufRead> Lines<R> {
    /// Reads `input`, and of each line at most `longest` bytes.
    pub fn new(input: R, longest: usize) -> Lines<R> {
        Lines { input, longest, line: Vec::new(), number: 0, failed: false }
    }

    /// Returns the number of lines read so far.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the next line; `None` at the end of the input and after an error.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.next_seen(|_| {})
    }

    /// Returns the next line like [`Lines::next_line`], and shows all its bytes to `see`, piece by piece, also those
    /// that are skipped.
    pub fn next_seen(&mut self, mut see: impl FnMut(&[u8])) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let (mut any, mut is_cut, mut is_ended, mut stops) = (false, false, false, self.failed);
        while !stops {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other.inspect_err(|_| self.failed = true)?,
            };
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = self.longest - self.line.len();
            is_cut |= part.len() > room;
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            see(&buffer[..used]);
            any |= used > 0;
            is_ended = end.is_some();
            stops = used == 0 || is_ended;
            self.input.consume(used);
        }
        if is_ended && !is_cut {
            // One byte more than `longest`, so that a line can be written again as it was.
            self.line.push(b'\n');
        }
        self.number += usize::from(any);
        Ok(any.then_some(Line { number: self.number, bytes: &self.line, is_cut, is_ended }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], longest: usize) -> Vec<(usize, Vec<u8>, bool)> {
        // A tiny buffer makes lines span several reads.
        let mut lines = Lines::new(io::BufReader::with_capacity(3, text), longest);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.number, line.content().to_vec(), line.is_cut));
        }
        assert_eq!(lines.number(), found.len());
        found
    }

    #[test]
    fn lines_have_numbers_and_no_line_breaks() {
        let expect =
            |lines: &[&[u8]]| -> Vec<_> { (1..).zip(lines).map(|(at, it)| (at, it.to_vec(), false)).collect() };
        assert_eq!(all(b"one\r\n\n\xff\0\nlast", 9), expect(&[b"one", b"", b"\xff\0", b"last"]));
        assert_eq!(all(b"a\n", 9), expect(&[b"a"]));
        assert!(all(b"", 9).is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let cut = |text: &str| (1, text.as_bytes().to_vec(), true);
        assert_eq!(all(b"12345\n1234\n", 4), [cut("1234"), (2, b"1234".to_vec(), false)]);
        assert_eq!(all(b"123456789", 4), [cut("1234")]);
        assert_eq!(all(b"123\r4\n", 4), [cut("123\r")]);
    }

    #[test]
    fn every_byte_is_seen_and_kept_lines_keep_their_line_breaks() {
        let text = b"\xef\xbb\xbf a \r\n123456789\nb";
        let mut lines = Lines::new(io::BufReader::with_capacity(2, &text[..]), 8);
        let mut seen = Vec::new();
        let first = lines.next_seen(|bytes| seen.extend_from_slice(bytes)).unwrap().unwrap();
        assert_eq!((first.bytes, first.content()), (&text[..8], &text[..6]));
        while lines.next_seen(|bytes| seen.extend_from_slice(bytes)).unwrap().is_some() {}
        assert_eq!(seen, text);
    }

    /// An input that cannot be read after its first line.
    struct Broken;

    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    #[test]
    fn an_error_is_returned_once() {
        let input = io::Read::chain(&b"a\nb"[..], Broken);
        let mut lines = Lines::new(io::BufReader::new(input), 9);
        assert!(
            lines.next_line().unwrap().is_some() && lines.next_line().is_err() && lines.next_line().unwrap().is_none()
        );
    }
}
