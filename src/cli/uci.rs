//! `matesolve uci`: runs the UCI engine on standard input and output. Chess programs that cannot pass arguments start
//! `matesolve` alone and send `uci` as the first line, which means the same.

use std::io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read as _};

use crate::cli::terminal::{CliError, Exit};

/// More bytes than the line `uci` has, with spaces around it.
const FIRST_LINE: u64 = 64;

/// Runs the engine until `quit` or the end of the input.
pub(crate) fn run() -> Result<Exit, CliError> {
    run_on(BufReader::new(io::stdin()))
}

/// Runs the engine if the first line of standard input is `uci`; a person at a terminal is not asked for it. Returns
/// `None` otherwise.
pub(crate) fn run_if_asked() -> Option<Result<Exit, CliError>> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return None;
    }
    let mut input = BufReader::new(stdin);
    let mut first = Vec::new();
    // An input that cannot be read does not ask for the engine.
    let read = input.by_ref().take(FIRST_LINE).read_until(b'\n', &mut first);
    let is_asked = read.is_ok() && first.trim_ascii() == b"uci";
    is_asked.then(|| run_on(Cursor::new(first).chain(input)))
}

fn run_on(input: impl BufRead + Send + 'static) -> Result<Exit, CliError> {
    crate::uci::run(input, io::stdout())?;
    Ok(Exit::Answered)
}
