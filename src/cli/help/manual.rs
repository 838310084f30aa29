//! `matesolve man`: a manual page for the program and one for each command, with exit status and examples.
//!
//! Names, options and descriptions come from the definitions of the arguments, the examples from `examples`.

use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::command::{Args, TOPICS};
use crate::cli::help;
use crate::cli::help::examples;
use crate::cli::help::generate;
use crate::cli::terminal::exit::{Codes, Exit};
use crate::cli::terminal::messages::CliError;

/// Prints a page; without a topic, that of the program.
pub(crate) fn print(topic: Option<&str>) -> Result<Exit, CliError> {
    let bytes = match topic {
        Some(topic) => page(topic)?,
        None => program_page()?,
    };
    generate::print(&bytes)
}

/// Writes all pages to a folder, which is made if it is not there.
pub(crate) fn write_all(folder: &Path) -> Result<Exit, CliError> {
    let failed =
        |path: &Path, error: std::io::Error| CliError::Usage(format!("{} cannot be written: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let write = |name: &str, bytes: Vec<u8>| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| failed(&path, error))
    };
    write("matesolve.1", program_page()?)?;
    for topic in TOPICS {
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
    let unknown = || CliError::Usage(format!("there is no page {topic}; use one of {}", TOPICS.join(", ")));
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
