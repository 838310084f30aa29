//! `matesolve uci`: an engine for chess programs, on standard input and output.

use std::io::{self, BufReader};

use super::{Exit, Failure};

pub(super) fn run() -> Result<Exit, Failure> {
    crate::uci::run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Exit::Answered)
}
