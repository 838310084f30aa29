//! The columns of the terminal. Long lines of text on a terminal break at spaces. Progress leaves the last columns
//! free: the `^C` that a terminal writes would otherwise go to the next line, and the line with the progress would
//! stay.

use std::io::{self, LineWriter, Write};

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};

/// The columns that stay free.
const FREE: u16 = 3;

/// The most drawings of the progress in a second.
const RATE: u8 = 20;

/// The terminal of standard error, without its last columns.
#[derive(Debug)]
struct Narrow(Term);

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(FREE).max(1)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, s: &str) -> io::Result<()> {
        self.0.write_line(s)
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        self.0.write_str(s)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns where progress is drawn.
pub(crate) fn target() -> ProgressDrawTarget {
    ProgressDrawTarget::term_like_with_hz(Box::new(Narrow(Term::buffered_stderr())), RATE)
}

/// Returns the number of columns that progress may fill.
pub(crate) fn columns() -> usize {
    Narrow(Term::stderr()).width().into()
}

/// Joins the parts that fit into `columns` beside `used` of them, the first ones before the others.
pub(crate) fn fitted(parts: &[String], between: &str, columns: usize, used: usize) -> String {
    let (most, mut line) = (columns.saturating_sub(used), String::new());
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let between = if line.is_empty() { "" } else { between };
        if line.is_empty() || [&line, between, part].iter().map(|text| text.chars().count()).sum::<usize>() <= most {
            line.extend([between, part]);
        }
    }
    line.chars().take(most).collect()
}

/// Returns an output that breaks long lines of text at spaces, if `is_text` and standard output is a terminal.
pub(crate) fn wrapping(out: Box<dyn Write + Send>, is_text: bool) -> Box<dyn Write + Send> {
    let term = Term::stdout();
    let columns = term.size().1.into();
    if is_text && term.is_term() { Box::new(LineWriter::with_capacity(1 << 16, Wrapping(out, columns))) } else { out }
}

/// Writes whole lines, broken at spaces to fit into this number of columns.
struct Wrapping(Box<dyn Write + Send>, usize);

impl Write for Wrapping {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(lines).split_inclusive('\n') {
            self.0.write_all(wrapped(line, self.1).as_bytes())?;
        }
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Breaks a line at spaces, so that it fits into the columns where it can. What follows has the indentation of the
/// line. A move stays beside its number. Codes of colours have no width.
fn wrapped(line: &str, columns: usize) -> String {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let indent = if indent < columns / 2 { indent } else { 0 };
    let (mut text, mut used, mut group) = (String::new(), 0, String::new());
    for word in line.split_inclusive(' ') {
        group.push_str(word);
        if word.ends_with(". ") && word.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let plain = anstream::adapter::strip_str(&group).to_string();
        if used > indent && used + plain.trim_end().chars().count() > columns {
            text.truncate(text.trim_end_matches(' ').len());
            text.extend(["\n", &" ".repeat(indent)]);
            used = indent;
        }
        used += plain.chars().count();
        text.push_str(&std::mem::take(&mut group));
    }
    text + &group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_moves_stay_beside_their_numbers() {
        let of = |line, columns| wrapped(line, columns);
        assert_eq!(of("1. Rh6 Ba2 2. Rxh7#\n", 12), "1. Rh6 Ba2\n2. Rxh7#\n");
        assert_eq!(of("1. Rh6 Ba2 2. Rxh7#", 11), "1. Rh6 Ba2\n2. Rxh7#");
        assert_eq!(of("  12... Kh7 13. Qg7#\n", 14), "  12... Kh7\n  13. Qg7#\n");
        assert_eq!(
            of("\u{1b}[32mmate in 2\u{1b}[0m and a-word-that-is-too-long x\n", 9),
            "\u{1b}[32mmate in 2\u{1b}[0m\nand\na-word-that-is-too-long\nx\n"
        );
        assert_eq!(of("short\n", 80), "short\n");
    }

    #[test]
    fn parts_that_do_not_fit_are_left_out() {
        let parts = ["no mate in 6", "mate in ≤ 11 by 1. Qg7", "5 nodes"].map(str::to_owned);
        let of = |columns| fitted(&parts, "; ", columns, 10);
        assert_eq!(of(80), "no mate in 6; mate in ≤ 11 by 1. Qg7; 5 nodes");
        assert_eq!(of(40), "no mate in 6; 5 nodes");
        assert_eq!([of(22), of(17), of(3)], ["no mate in 6", "no mate", ""]);
    }
}
