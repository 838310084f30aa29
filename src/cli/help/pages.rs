//! The pages of `matesolve help` besides those of commands and engines: tables of the program and of the manual.

use std::fmt::Write as _;

use clap::{Args as _, Command};

use crate::chess::{MateLength, Stipulation};
use crate::cli::batch::args::BatchArgs;
use crate::cli::options::words::{DiagramFormat, Words};
use crate::cli::terminal::Codes;
use crate::output::Format;
use crate::output::audit::AuditFormat;
use crate::output::puzzles::PuzzleFormat;
use crate::output::report::ReportFormat;
use crate::output::workbench::WorkbenchFormat;

/// A topic, and what writes its page.
type Page = (&'static str, fn() -> String);

/// The pages, by their topics.
pub(crate) const PAGES: [Page; 4] =
    [("stipulations", stipulations), ("formats", formats), ("themes", themes), ("exit", exit)];

/// Lists the stipulations that are solved: direct mates, and the others from `docs/goals.md`.
fn stipulations() -> String {
    let most = MateLength::MAX;
    let mut text = format!(
        "Stipulations, for -s and in files. n is a number of moves, from 1 to {most}; in help play, to 100; in a series, to 199.\n\n"
    );
    let direct = [
        ("#n", "White mates with his n-th move or earlier, against every defence; # alone: the shortest mate"),
        ("#-n", "the same after the key: the side to move is mated"),
    ];
    for (stipulation, meaning) in direct {
        entry(&mut text, stipulation, meaning);
    }
    for line in include_str!("../../../docs/goals.md").lines() {
        // A link of the page has no place here.
        let word = |cell: &str| cell.split(": [").next().unwrap_or_default().trim().replace('`', "");
        let cells: Vec<String> = line.split('|').map(word).collect();
        if let [_, stipulation, who, what, _] = &cells[..]
            && stipulation.contains(['#', '=', '~'])
        {
            let parts: Vec<&str> =
                [who, what].into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
            entry(&mut text, stipulation, &parts.join("; "));
        }
    }
    let all: Vec<String> = Stipulation::solved().collect();
    text + &format!("\nAll in one line: {}. docs/goals.md has an example of each.\n", all.join(", "))
}

/// Lists the themes that reports name, each with what it means, from `docs/themes.md`.
fn themes() -> String {
    let mut text = "Themes, for `matesolve report --full` or --themes.\n\n".to_owned();
    let page = include_str!("../../../docs/themes.md");
    for section in page.split("\n### ").skip(1) {
        let (name, rest) = section.split_once('\n').unwrap_or((section, ""));
        let meaning = rest.trim_start().split("\n\n").next().unwrap_or_default();
        entry(&mut text, name, &meaning.split_whitespace().collect::<Vec<_>>().join(" ").replace(['*', '`'], ""));
    }
    text + "\ndocs/themes.md has the rule of each, and a problem that shows it.\n"
}

/// Lists what is read, and the formats in which the commands write.
fn formats() -> String {
    let batch = BatchArgs::augment_args(Command::new("batch"));
    let files = batch.get_positionals().next().and_then(|files| files.get_help().map(ToString::to_string));
    let mut text = format!("Input of `batch`, `report` and others\n  {}\n", files.unwrap_or_default());
    list::<Format>(&mut text, "solve, batch");
    list::<ReportFormat>(&mut text, "report, join");
    list::<AuditFormat>(&mut text, "audit");
    list::<PuzzleFormat>(&mut text, "puzzles");
    list::<WorkbenchFormat>(&mut text, "economy, mend, twins, retract");
    list::<DiagramFormat>(&mut text, "diagram");
    text + "\n`matesolve schema` prints the JSON Schemas; docs/formats.md says more.\n"
}

/// Adds the formats of some commands.
fn list<T: Words>(text: &mut String, commands: &str) {
    let _ = writeln!(text, "\n--format of {commands}");
    for (_, word, meaning) in T::WORDS {
        let _ = writeln!(text, "  {word:<8} {meaning}");
    }
}

/// Lists the exit codes of the commands.
fn exit() -> String {
    let names = ["Most commands", "report, join", "audit", "puzzles", "popeye"];
    let codes = [Codes::Most, Codes::Report, Codes::Audit, Codes::Puzzles, Codes::Popeye];
    let of = |(name, codes): (&str, Codes)| codes.help().replacen("Exit codes", name, 1);
    names.into_iter().zip(codes).map(of).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// Writes a word and its meaning.
fn entry(text: &mut String, word: &str, meaning: &str) {
    let _ = writeln!(text, "  {word}\n      {meaning}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_stipulation_and_no_other() {
        let page = stipulations();
        let words = page.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        let words: Vec<String> =
            words.flat_map(|line| line.trim().split(", ")).map(|word| word.replace('n', "2")).collect();
        for word in &words {
            assert!(Stipulation::parse_stated(word).is_ok(), "{word}");
        }
        for solved in Stipulation::solved() {
            let solved = solved.replace('N', "2");
            assert!(words.contains(&solved), "{solved} is missing: {page}");
        }
        assert!(themes().contains("  Grimshaw\n      "), "{}", themes());
    }

    #[test]
    fn formats_and_exit_codes_are_those_of_the_program() {
        let page = formats();
        for word in ["jsonl", "epd", "latex", "olv", "svg", "popeye", "gzip"] {
            assert!(page.contains(word), "{word} is missing: {page}");
        }
        assert!(exit().contains("\n  130  interrupted") && exit().contains("puzzles:\n"), "{}", exit());
    }
}
