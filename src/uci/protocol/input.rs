//! Reads the GUI's lines, on a thread of its own, so that `stop` arrives while a search is running.

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;

/// The longest line that is read, in bytes. A game of ten thousand moves fits.
pub(crate) const MAX_LINE: usize = 1 << 16;

/// An event that the session's command loop waits for.
pub(crate) enum SessionEvent {
    /// A line from the GUI.
    Line(String),
    /// The GUI will send no more lines.
    InputEnded,
    /// A search has finished.
    SearchFinished,
}

/// Sends every line of `input` as an event, then [`SessionEvent::InputEnded`]. Returns early if the receiver is gone.
///
/// A line that is too long is sent in part: its first [`MAX_LINE`] bytes. The session reports and ignores it.
pub(crate) fn read_lines(mut input: impl BufRead, events: &Sender<SessionEvent>) {
    loop {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut input, MAX_LINE as u64);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        // The rest of a line that is too long must not be taken for another line.
        if line.len() == MAX_LINE && line.last() != Some(&b'\n') && skip_line(&mut input).is_err() {
            break;
        }
        if events.send(SessionEvent::Line(String::from_utf8_lossy(&line).into_owned())).is_err() {
            return;
        }
    }
    let _ = events.send(SessionEvent::InputEnded);
}

/// Reads and drops everything up to the end of the line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        let is_done = end.is_some() || buffer.is_empty();
        input.consume(used);
        if is_done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn lines_of_any_length_and_any_bytes_are_read() {
        let mut text = b"uci\n\xff\xfe\n".to_vec();
        text.extend(vec![b'x'; 3 * MAX_LINE]);
        text.extend(b"\nquit");
        let (sender, events) = mpsc::channel();
        read_lines(&text[..], &sender);
        drop(sender);
        let lines: Vec<usize> = events
            .iter()
            .map(|event| if let SessionEvent::Line(line) = event { line.trim_end().len() } else { 0 })
            .collect();
        // Two bytes that are not UTF-8 become two replacement characters of three bytes each; the last 0 is the end.
        assert_eq!(lines, [3, 6, MAX_LINE, 4, 0]);
    }
}
