//! `matesolve uci`: an engine for chess programs, on standard input and output.

use std::io::{self, BufReader};

use super::exit::Exit;
use super::messages::CliError;

pub(super) fn run() -> Result<Exit, CliError> {
    crate::uci::run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Exit::Answered)
}
