//! `matesolve uci`: runs the UCI engine on standard input and output. Chess programs that cannot pass arguments start
//! `matesolve` alone and send `uci` as the first line, which means the same.

use std::io::{self, BufRead as _, BufReader};

use crate::cli::terminal::{CliError, Exit};

/// The first line for the engine.
const ASKING: &[u8] = b"uci";

/// Runs the engine until `quit` or the end of the input.
pub(crate) fn run() -> Result<Exit, CliError> {
    crate::uci::run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Exit::Answered)
}

/// Waits for the beginning of standard input, and returns whether its first line is `uci`, or the beginning of it, with
/// which no position begins. Nothing is taken from standard input.
pub(crate) fn is_asked() -> bool {
    // An input that cannot be read does not ask for the engine.
    io::stdin().lock().fill_buf().is_ok_and(|start| {
        let (line, is_whole) = match start.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&start[..end], true),
            None => (start, false),
        };
        let word = line.trim_ascii();
        word == ASKING || !is_whole && !word.is_empty() && ASKING.starts_with(word)
    })
}
