//! `matesolve help`: the list of commands, the whole help of a command, that of the engines, and other pages.

pub(crate) mod examples;
pub(crate) mod manual;
pub(crate) mod pages;
pub(crate) mod wrap;

use clap::Command;

use crate::solve::engine_options::OPTIONS;
use crate::solve::registry::ENGINES;

use crate::cli::command::{self, SHORT_HELP};
use crate::cli::help::wrap::{columns, wrapped};
use crate::cli::terminal::{CliError, Exit};

/// Prints the help on a command or on the engines; without a topic, the list of commands.
pub(crate) fn print(topic: Option<&str>) -> Result<Exit, CliError> {
    let page = pages::PAGES.iter().find(|(name, _)| Some(*name) == topic);
    let text = match (page, topic.and_then(command)) {
        (Some((_, page)), _) => page(),
        (None, Some(mut command)) => command.render_long_help().to_string(),
        (None, None) => SHORT_HELP.to_owned(),
    };
    manual::print_bytes(wrapped(&text, columns()).as_bytes())
}

/// Returns a command by its name, as it is called; `None` if there is none. The topic `engines` is a command of
/// its own.
pub(crate) fn command(topic: &str) -> Option<Command> {
    if topic == "engines" {
        return Some(engines());
    }
    let mut program = command::program();
    program.build();
    program.find_subcommand(topic).cloned()
}

fn engines() -> Command {
    let width = ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let names: Vec<String> = ENGINES.iter().map(|entry| format!("  {:<width$}  {}", entry.name, entry.about)).collect();
    let about = format!(
        "Search engines, for --engine NAME of `solve`, `batch` and `bench`:\n\n{}",
        wrapped(&names.join("\n"), columns())
    );
    let options: Vec<String> = OPTIONS.iter().map(|option| format!("  {option}")).collect();
    let options = format!(
        "Options, for --engine-option NAME=VALUE (once for each):\n\n{}",
        wrapped(&options.join("\n"), columns())
    );
    let engines = Command::new("engines")
        .about(about)
        .override_usage("matesolve POSITION --engine NAME --engine-option NAME=VALUE [OPTIONS]")
        .after_help(options)
        .disable_help_flag(true)
        .term_width(columns());
    command::with_examples(engines)
}
