//! `matesolve uci`: runs the UCI engine on standard input and output. Chess programs that cannot pass arguments start
//! `matesolve` alone, with a pipe as its input, and send `uci` as the first line, which means the same.

use std::io::{self, BufRead as _, BufReader};

use crate::cli::terminal::{CliError, Exit};

/// The first line for the engine.
const ASKING: &[u8] = b"uci";

/// Runs the engine until `quit` or the end of the input.
pub(crate) fn run() -> Result<Exit, CliError> {
    crate::uci::run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Exit::Answered)
}

/// Waits for the beginning of standard input, and returns whether its first line is `uci`, or as much of it as has
/// come; no position begins like this. Nothing is taken from standard input.
pub(crate) fn is_asked() -> bool {
    let asks = |start: &[u8]| {
        let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
        !line.is_empty() && ASKING.starts_with(line)
    };
    // An input that cannot be read does not ask for the engine.
    io::stdin().lock().fill_buf().is_ok_and(asks)
}
