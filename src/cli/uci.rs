//! `matesolve uci`: runs the UCI engine on standard input and output.

use std::io::{self, BufReader};

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::messages::CliError;

/// Runs the engine until `quit` or the end of the input.
pub(crate) fn run() -> Result<Exit, CliError> {
    crate::uci::run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Exit::Answered)
}
