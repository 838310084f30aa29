//! `completions` and `schema`: prints files that are generated from the program itself.
//!
//! Each file is built in memory before it is printed: the generators panic when a write fails, and a closed pipe is
//! not an error.

use std::io::{self, Write as _};

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use crate::output::{audit, json, puzzles, report, workbench};

use crate::cli::command::{Args, SchemaOf};
use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::messages::CliError;

pub(crate) fn completions(shell: Shell) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completed(), "matesolve", &mut script);
    print(&script)
}

/// Returns the program for completion: without its position argument, which in zsh would hide the options of the
/// commands.
fn completed() -> Command {
    let program = Args::command();
    let options = program.get_arguments().filter(|argument| !argument.is_positional());
    let short = Command::new("matesolve").version(env!("CARGO_PKG_VERSION")).disable_help_subcommand(true);
    short.args(options.cloned()).subcommands(program.get_subcommands().cloned())
}

pub(crate) fn schema(object: SchemaOf) -> Result<Exit, CliError> {
    let schema = match object {
        SchemaOf::Result => json::SCHEMA,
        SchemaOf::Audit => audit::json::SCHEMA,
        SchemaOf::Puzzle => puzzles::SCHEMA,
        SchemaOf::Proposal => workbench::json::SCHEMA,
        SchemaOf::Report => report::json::SCHEMA,
    };
    print(schema.as_bytes())
}

pub(crate) fn print(bytes: &[u8]) -> Result<Exit, CliError> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Answered)
}
