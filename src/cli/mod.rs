//! The command line. Each command has a file of its own.
//!
//! | file | content |
//! |---|---|
//! | `args`, `audit_args`, `check_args`, `compare_args`, `popeye_args`, `report_args`, `units` | the arguments, as clap parses them |
//! | `config` | checks the arguments against each other and builds requests for the library |
//! | `solve`, `batch`, `report`, `verify`, … | one command each; `collection` is `report` for `.olv` files |
//! | `position` | the position argument, in all its forms |
//! | `popeye_args` | the arguments of `popeye`, which are Popeye's |
//! | `moves` | `--moves` and `--lines` |
//! | `stipulation` | `-s`, in the commands that search |
//! | `help`, `manual` | the help texts and the manual pages |
//! | `resume`, `checkpoint`, `shard`, `shares` | continuing a batch, its shares, and their files |
//! | `rewriting` | collections written again |
//! | `inputs`, `output_file`, `messages`, `progress`, `batch_progress`, `summary`, `interrupt`, `exit` | used by the commands |
//!
//! Results go to standard output; progress, warnings and errors go to standard error. If the reader of standard output
//! closes the pipe, the command ends successfully.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod args;
mod audit;
mod audit_args;
mod batch;
mod batch_progress;
mod bench;
mod certificate;
mod check_args;
mod checkpoint;
mod collection;
mod compare;
mod compare_args;
mod config;
mod diagram;
mod exit;
mod generate;
mod help;
mod help_texts;
mod inputs;
mod interrupt;
mod manual;
mod merge;
mod merge_audits;
mod messages;
mod moves;
mod output_file;
mod popeye;
mod popeye_args;
mod position;
mod progress;
mod puzzles;
mod report;
mod report_args;
mod resume;
mod rewriting;
mod shard;
mod shares;
mod solve;
mod stipulation;
mod summary;
mod uci;
mod units;
mod verify;

use std::ffi::OsString;
use std::io;

use clap::Parser as _;

pub use exit::Exit;
use messages::{CliError, print_message};

/// Runs the command that `arguments` describe; the first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    messages::print_panics_as_messages();
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.first().is_some_and(popeye::is_name_of_popeye) {
        arguments.splice(..1, ["matesolve", "popeye"].map(OsString::from));
    }
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    if let Some(message) = first.and_then(position::mistyped_command) {
        print_message(&format!("matesolve: {message}"));
        return Exit::Usage;
    }
    let args = match args::Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            messages::print_usage(&error);
            return if error.use_stderr() { Exit::Usage } else { Exit::Answered };
        }
    };
    match dispatch(args) {
        Ok(exit) => exit,
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Answered,
        Err(error) => {
            print_message(&format!("matesolve: {error}"));
            Exit::Usage
        }
    }
}

fn dispatch(args: args::Args) -> Result<Exit, CliError> {
    match args.command {
        None => solve::run(&args.solve),
        Some(args::Command::Solve(args)) => solve::run(&args),
        Some(args::Command::Batch(args)) => batch::run(&args),
        Some(args::Command::Audit(args)) => audit::run(&args),
        Some(args::Command::Merge(args)) => merge::run(&args),
        Some(args::Command::Compare(args)) => compare::run(&args),
        Some(args::Command::Bench(args)) => bench::run(&args),
        Some(args::Command::Diagram(args)) => diagram::run(&args),
        Some(args::Command::Verify(args)) => verify::run(&args),
        Some(args::Command::Completions { shell }) => generate::completions(shell),
        Some(args::Command::Man { topic, dir: None }) => manual::print(topic.as_deref()),
        Some(args::Command::Man { dir: Some(dir), .. }) => manual::write_all(&dir),
        Some(args::Command::Help { topic }) => help::print(topic.as_deref()),
        Some(args::Command::Popeye { words }) => popeye::run(&words),
        Some(args::Command::Uci) => uci::run(),
        Some(args::Command::Puzzles(args)) => puzzles::run(&args),
        Some(args::Command::Report(args)) => report::run(&args),
        Some(args::Command::Schema { object }) => generate::schema(object),
    }
}
