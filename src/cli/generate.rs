//! `completions`, `man` and `schema`: files made from the program itself. They are made in memory first: the
//! generators stop the program when a write fails, and a closed pipe is no reason to.

use std::io::{self, Write as _};

use clap_complete::Shell;

use crate::output::{json, report};

use super::args::SchemaOf;
use super::{Exit, Failure, command};

pub(super) fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "matesolve", &mut script);
    print(&script)
}

pub(super) fn man() -> Result<Exit, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command()).render(&mut page)?;
    print(&page)
}

pub(super) fn schema(object: SchemaOf) -> Result<Exit, Failure> {
    let schema = match object {
        SchemaOf::Result => json::SCHEMA,
        SchemaOf::Report => report::json::SCHEMA,
    };
    print(schema.as_bytes())
}

fn print(bytes: &[u8]) -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Answered)
}
