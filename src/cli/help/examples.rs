//! The examples of the commands. The first screen of a command's help and its manual page show them, and a test runs
//! every one.
//!
//! They stand in `examples.txt`. Files that an example reads without writing them first are `problems.epd`, `game.pgn`,
//! `collection.olv`, `puzzles.csv` and `problem.popeye`.

use crate::cli::help::wrap::{script, wrapped};

/// An example of a command.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The page on which the example stands: the name of a command, or `engines`.
    pub topic: &'static str,
    /// The task of the example, as one sentence.
    pub meaning: &'static str,
    /// The lines for a shell. The last one ends with exit code 0.
    pub script: &'static str,
    /// A part of what the example prints or writes.
    pub shows: &'static str,
}

/// Returns all examples.
pub fn examples() -> impl Iterator<Item = Example> {
    include_str!("examples.txt").split("\n\n").filter_map(|text| {
        let (topic, text) = text.split_once(": ")?;
        let (meaning, text) = text.split_once('\n')?;
        let (script, shows) = text.trim_end().rsplit_once("\nshows: ")?;
        Some(Example { topic, meaning, script, shows })
    })
}

/// Returns the examples of a page, in their order.
pub(crate) fn of(topic: &str) -> impl Iterator<Item = Example> {
    examples().filter(move |example| example.topic == topic)
}

/// Returns the examples of a page as they stand in its help of this width: each line of a script below what it does.
pub(crate) fn text(topic: &str, columns: usize) -> String {
    let one = |example: Example| {
        let script: Vec<String> = example.script.lines().map(|line| script(line, columns)).collect();
        format!("{}\n{}\n", wrapped(&format!("  {}", example.meaning), columns), script.join("\n"))
    };
    let examples: Vec<String> = of(topic).map(one).collect();
    let heading = if examples.len() == 1 { "Example:" } else { "Examples:" };
    format!("{heading}\n{}", examples.concat())
}
