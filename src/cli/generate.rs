//! `completions` and `schema`: prints files that are generated from the program itself.
//!
//! Each file is built in memory before it is printed: the generators panic when a write fails, and a closed pipe is
//! not an error.

use std::io::{self, Write as _};

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::output::{json, report};

use super::args::{Args, SchemaOf};
use super::exit::Exit;
use super::messages::CliError;

pub(super) fn completions(shell: Shell) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "matesolve", &mut script);
    print(&script)
}

pub(super) fn schema(object: SchemaOf) -> Result<Exit, CliError> {
    let schema = match object {
        SchemaOf::Result => json::SCHEMA,
        SchemaOf::Report => report::json::SCHEMA,
    };
    print(schema.as_bytes())
}

pub(super) fn print(bytes: &[u8]) -> Result<Exit, CliError> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Answered)
}
