//! The command line: a folder or a file for each command, or for several that belong together.
//!
//! | file or folder | content |
//! |---|---|
//! | `command` | the list of commands |
//! | `solve`, `report`, `batch`, `audit`, `merge`, `compare`, `popeye`, `puzzles`, `verify`, `diagram`, `uci`, `bench` | one command each |
//! | `split` | `split` and `join` |
//! | `workbench` | `economy`, `mend`, `twins` and `retract` |
//! | `help` | `help`, `man`, `completions` and `schema` |
//! | `options` | the options that several commands have, the position argument, and the requests made from them |
//! | `runs` | what `batch`, `report`, `audit` and `puzzles` share: `--resume`, `--shard`, progress |
//! | `files` | inputs, output files, certificates, collections written again |
//! | `terminal` | the board, messages, progress, Ctrl-C, exit codes |
//!
//! Results go to standard output or to the file of `-o`; progress, warnings and errors go to standard error. If the
//! reader of standard output closes the pipe, the exit code is 0; but `verify` still returns its verdict.

mod audit;
mod batch;
mod bench;
mod command;
mod compare;
mod diagram;
mod files;
mod help;
mod merge;
mod options;
mod popeye;
mod puzzles;
mod report;
mod runs;
mod solve;
mod split;
mod terminal;
mod uci;
mod verify;
mod workbench;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use command::{Args, Command};
use help::manual;
use terminal::messages::{self, CliError, print_message};

pub use help::examples::{Example, examples};
pub use terminal::exit::Exit;

/// Runs the command that `arguments` describe; the first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    messages::print_panics_as_messages();
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.first().is_some_and(popeye::is_name_of_popeye) {
        arguments.splice(..1, ["matesolve", "popeye"].map(OsString::from));
    }
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    if let Some(message) = first.and_then(command::mistyped_command) {
        print_message(&format!("matesolve: {message}"));
        return Exit::Usage;
    }
    // Without arguments, a person at a terminal gets the help. A pipe is read: it holds UCI commands or a position.
    if arguments.len() == 1 && !io::stdin().is_terminal() {
        arguments.push(if uci::is_asked() { "uci".into() } else { "-".into() });
    }
    let ended = match command::parse(arguments) {
        Ok(args) => dispatch(args),
        Err(error) => {
            messages::print_usage(&error);
            return if error.use_stderr() { Exit::Usage } else { Exit::Answered };
        }
    };
    match ended {
        Ok(exit) => exit,
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Answered,
        Err(error) => {
            print_message(&format!("matesolve: {error}"));
            Exit::Usage
        }
    }
}

fn dispatch(args: Args) -> Result<Exit, CliError> {
    match args.command {
        None => solve::run(&args.solve),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Batch(args)) => batch::run(&args),
        Some(Command::Audit(args)) => audit::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Split(args)) => split::split(&args),
        Some(Command::Join(args)) => split::run_join(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Diagram(args)) => diagram::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { topic, dir: None }) => manual::print(topic.as_deref()),
        Some(Command::Man { dir: Some(dir), .. }) => manual::write_all(&dir),
        Some(Command::Help { topic }) => help::print(topic.as_deref()),
        Some(Command::Popeye { words }) => popeye::run(&words),
        Some(Command::Uci) => uci::run(),
        Some(Command::Puzzles(args)) => puzzles::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Economy(args)) => workbench::economy(&args),
        Some(Command::Mend(args)) => workbench::mend(&args),
        Some(Command::Twins(args)) => workbench::twins(&args),
        Some(Command::Retract(args)) => workbench::retract(&args),
        Some(Command::Schema { object }) => manual::schema(object),
    }
}
