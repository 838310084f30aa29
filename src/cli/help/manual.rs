//! `matesolve man`, `completions` and `schema`: print files that the program contains or makes from its own
//! definitions.
//!
//! There is a manual page for the program, one for each command and one for the engines, with exit status and examples.
//!
//! Each file is built in memory before it is printed: the generator of completions panics when a write fails, and a
//! closed pipe is not an error.

use std::io::{self, Write as _};
use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::command::{Args, SchemaOf, topics};
use crate::cli::files::output_file::unwritable;
use crate::cli::help::{self, examples};
use crate::cli::terminal::{CliError, Codes, Exit};
use crate::output::{audit, json, puzzles, report, workbench};

/// Prints a page; without a topic, that of the program.
pub(crate) fn print(topic: Option<&str>) -> Result<Exit, CliError> {
    let bytes = match topic {
        Some(topic) => page(topic)?,
        None => program_page()?,
    };
    print_bytes(&bytes)
}

/// Writes all pages to a folder, which is made if it is not there.
pub(crate) fn write_all(folder: &Path) -> Result<Exit, CliError> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error.to_string()))?;
    let write = |name: &str, bytes: Vec<u8>| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| unwritable(&path, &error.to_string()))
    };
    write("matesolve.1", program_page()?)?;
    for topic in topics() {
        write(&format!("matesolve-{topic}.1"), page(topic)?)?;
    }
    Ok(Exit::Answered)
}

fn program_page() -> Result<Vec<u8>, CliError> {
    let man = Man::new(Args::command());
    let mut bytes = start(&man)?;
    man.render_subcommands_section(&mut bytes)?;
    end(bytes, "solve")
}

fn page(topic: &str) -> Result<Vec<u8>, CliError> {
    let unknown =
        || CliError::Usage(format!("there is no page {topic}; use one of {}", topics().collect::<Vec<_>>().join(", ")));
    let command = help::command(topic).ok_or_else(unknown)?;
    let name = format!("matesolve-{topic}");
    let man = Man::new(command.clone().display_name(name.clone())).title(name);
    end(start(&man)?, topic)
}

/// Writes the sections that come from the definitions of the arguments.
fn start(man: &Man) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    man.render_synopsis_section(&mut bytes)?;
    man.render_description_section(&mut bytes)?;
    man.render_options_section(&mut bytes)?;
    Ok(bytes)
}

/// Adds exit status and examples.
fn end(mut bytes: Vec<u8>, topic: &str) -> Result<Vec<u8>, CliError> {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (exit, meaning) in Codes::of(topic).rows() {
        roff.control("TP", []).text([bold((exit as u8).to_string())]).text([roman(meaning)]);
    }
    roff.control("SH", ["EXAMPLES"]);
    for example in examples::of(topic) {
        roff.control("PP", []).text([roman(example.meaning)]);
        roff.control("RS", ["4"]).control("nf", []);
        for line in example.script.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []).control("RE", []);
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(
        "matesolve(1), matesolve-solve(1), matesolve-report(1), matesolve-batch(1), matesolve-engines(1)",
    )]);
    roff.to_writer(&mut bytes)?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub(crate) fn completions(shell: Shell) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completed(), "matesolve", &mut script);
    print_bytes(&script)
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
    print_bytes(schema.as_bytes())
}

pub(crate) fn print_bytes(bytes: &[u8]) -> Result<Exit, CliError> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Answered)
}
