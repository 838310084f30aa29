//! The columns of the terminal that progress may fill. The last ones stay free for the `^C` that a terminal writes: it
//! would go to the next line, and the line with the progress would stay.

use std::io;

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

/// Returns the text, or as much of it as fits into `columns` beside `used` of them.
pub(crate) fn fitted(text: &str, columns: usize, used: usize) -> String {
    let most = columns.saturating_sub(used);
    match text.chars().count() {
        count if count <= most => text.to_owned(),
        _ => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}
