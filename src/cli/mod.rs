//! The command line: raw arguments, the validated configuration, one file per command, exit codes.
//!
//! Results go to standard output; progress, warnings and errors to standard error. A reader who closes the pipe has
//! had enough: that is a success.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod args;
mod batch;
mod bench;
mod certificate;
mod collection;
mod config;
mod diagram;
mod exit;
mod generate;
mod interrupt;
mod progress;
mod report;
mod solve;
mod tuning;
mod uci;
mod units;
mod verify;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};

use clap::{CommandFactory as _, Parser as _};

pub use exit::Exit;

/// Why a command ended without doing what it was asked.
#[derive(Debug)]
enum Failure {
    /// The arguments do not fit together, or name something that cannot be used.
    Usage(String),
    /// Standard output cannot be written to.
    Output(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(why) => f.write_str(why),
            Failure::Output(error) => write!(f, "the results cannot be written to standard output: {error}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// Runs the command line `arguments`, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    report_panics_in_a_sentence();
    let args = match args::Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help goes to standard output; whether anybody reads it is not our concern.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Answered };
        }
    };
    match dispatch(args) {
        Ok(exit) => exit,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Answered,
        Err(failure) => {
            complain(&format!("matesolve: {failure}"));
            Exit::Usage
        }
    }
}

fn dispatch(args: args::Args) -> Result<Exit, Failure> {
    match args.command {
        None => solve::run(&args.solve),
        Some(args::Command::Batch(batch)) => batch::run(&batch),
        Some(args::Command::Bench(bench)) => bench::run(&bench),
        Some(args::Command::Diagram(diagram)) => diagram::run(&diagram),
        Some(args::Command::Verify(verify)) => verify::run(&verify),
        Some(args::Command::Completions { shell }) => generate::completions(shell),
        Some(args::Command::Man) => generate::man(),
        Some(args::Command::Uci) => uci::run(),
        Some(args::Command::Report(args)) => report::run(&args),
        Some(args::Command::Schema { object }) => generate::schema(object),
    }
}

/// The description of the whole command line, for completions and manual.
fn command() -> clap::Command {
    args::Args::command()
}

/// Writes a sentence to standard error. If nobody can read it, there is nobody to tell.
fn complain(sentence: &str) {
    let _ = writeln!(anstream::stderr(), "{sentence}");
}

/// A failure inside a search is caught and reported with its problem; the place is worth a line, a backtrace is not.
fn report_panics_in_a_sentence() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
        let what = info.payload_as_str().unwrap_or("no message");
        complain(&format!("matesolve: internal failure{place}: {what}"));
    }));
}
