//! Reads the GUI's lines, on a thread of its own, so that `stop` arrives while a search is running.

use std::io::BufRead;
use std::sync::mpsc::Sender;

use crate::base::lines::Lines;

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
pub(crate) fn read_lines(input: impl BufRead, events: &Sender<SessionEvent>) {
    let mut lines = Lines::new(input, MAX_LINE);
    while let Ok(Some(line)) = lines.next_line() {
        if events.send(SessionEvent::Line(String::from_utf8_lossy(line.bytes).into_owned())).is_err() {
            return;
        }
    }
    let _ = events.send(SessionEvent::InputEnded);
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
