//! Lines from the GUI, on a thread of their own, so that `stop` is heard while everything else is busy.

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;

/// Longer lines are not read: ten thousand moves fit.
pub(super) const LONGEST_LINE: usize = 1 << 16;

/// What the session waits for.
pub(super) enum Input {
    /// A line from the GUI.
    Line(String),
    /// There will be no more lines.
    End,
    /// A search has finished.
    Finished,
}

/// Sends line after line, until the input ends or nobody listens.
pub(super) fn read_lines(mut input: impl BufRead, to: &Sender<Input>) {
    loop {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut input, LONGEST_LINE as u64);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        // The rest of a line that is too long is no line of its own.
        if line.len() == LONGEST_LINE && line.last() != Some(&b'\n') && skip_line(&mut input).is_err() {
            break;
        }
        if to.send(Input::Line(String::from_utf8_lossy(&line).into_owned())).is_err() {
            return;
        }
    }
    let _ = to.send(Input::End);
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        let over = end.is_some() || buffer.is_empty();
        input.consume(used);
        if over {
            return Ok(());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn lines_of_any_length_and_any_bytes_are_read() {
        let mut text = b"uci\n\xff\xfe\n".to_vec();
        text.extend(vec![b'x'; 3 * LONGEST_LINE]);
        text.extend(b"\nquit");
        let (sender, inputs) = mpsc::channel();
        read_lines(&text[..], &sender);
        drop(sender);
        let lines: Vec<usize> =
            inputs.iter().map(|input| if let Input::Line(line) = input { line.trim_end().len() } else { 0 }).collect();
        // Two bytes that are no text become two signs of three bytes; the end comes last.
        assert_eq!(lines, [3, 6, LONGEST_LINE, 4, 0]);
    }
}
