//! `matesolve man`: a manual page for the program and one for each command, with exit status and examples.
//!
//! Names, options and descriptions come from the definitions of the arguments; the examples stand here. A test runs
//! every example.

use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::command::{Args, TOPICS};
use crate::cli::help;
use crate::cli::help::generate;
use crate::cli::terminal::exit::{Codes, Exit};
use crate::cli::terminal::messages::CliError;

/// An example: a command line, and what it does.
type Example = (&'static str, &'static str);

const SOLVE: &[Example] = &[
    ("matesolve \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"", "Find the shortest mate, and prove that it is the shortest."),
    ("matesolve game.pgn --ply 6 --mate 2", "Look for a mate in two after the sixth half-move of a game."),
    (
        "matesolve \"7k/8/5K2/6Q1/8/8/8/8 w - -\" --moves --max 3",
        "List all first moves with the lengths of their mates.",
    ),
];

/// Returns the examples of a page.
fn examples(topic: &str) -> &'static [Example] {
    match topic {
        "report" => &[
            ("matesolve report \"5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\" --tries", "Show the solution and the tries."),
            ("matesolve report problems.epd --soundness", "Say of every problem of a file whether it is sound."),
        ],
        "economy" => {
            &[("matesolve economy \"5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\"", "Say what each man of a problem is for.")]
        }
        "mend" => &[(
            "matesolve mend \"5Kbk/6pp/8/8/8/8/8/7R w - -\" -s '#2' --key Rh6 --changes 1",
            "Look for sound versions with this key.",
        )],
        "retract" => {
            &[("matesolve retract \"5Kbk/6pp/6PR/8/8/8/8/8 b - -\" -s '#2'", "Take the key of a problem back.")]
        }
        "twins" => &[(
            "matesolve twins \"5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\"",
            "Look for changes that make another problem.",
        )],
        "batch" => &[
            ("matesolve batch problems.epd --time 1s", "Solve a file, one second for each line."),
            ("matesolve batch problems.epd --format jsonl > results.jsonl", "Write the results as JSON lines."),
        ],
        "audit" => &[
            ("matesolve audit collection.olv --list differing", "List the entries whose solutions are not right."),
            (
                "matesolve audit collection.olv --format jsonl -o audit.jsonl --resume",
                "Write an audit that can be continued.",
            ),
        ],
        "merge" => &[(
            "matesolve batch problems.epd --shard 1/1 --format jsonl -o 1.jsonl && matesolve merge 1.jsonl --input \
             problems.epd",
            "Solve the first share of one, and put all shares together.",
        )],
        "split" => &[(
            "matesolve split \"5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 3;\" -o parts.epd",
            "Write the parts of a problem to a file.",
        )],
        "join" => &[(
            "matesolve split \"5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\" -o parts.epd && matesolve batch parts.epd --format \
             jsonl -o 1.jsonl; matesolve join parts.epd 1.jsonl",
            "Solve the parts of a problem, and print its verdict.",
        )],
        "compare" => &[(
            "matesolve batch problems.epd --nodes 1k --format jsonl -o a.jsonl && matesolve batch problems.epd --nodes 1M \
             --format jsonl -o b.jsonl && matesolve compare a.jsonl b.jsonl --html compared.html",
            "Compare what two node limits find, also as a page with plots.",
        )],
        "engines" => &[(
            "matesolve \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\" --engine pn --engine-option graph=tree",
            "Solve by proof-number search on a tree.",
        )],
        "popeye" => &[(
            "printf 'BeginProblem Forsyth 5Kbk/6pp/6P1/8/8/8/8/7R Stipulation #2 EndProblem' | matesolve popeye",
            "Solve a problem in Popeye's language.",
        )],
        "verify" => &[
            ("matesolve \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\" --certificate mate.txt", "Write the proof of a mate."),
            ("matesolve verify mate.txt", "Check it by the rules of chess alone."),
        ],
        "diagram" => {
            &[("matesolve diagram \"5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\" > mate.svg", "Draw a picture of a problem.")]
        }
        "uci" => &[("printf 'uci\\nquit\\n' | matesolve uci", "List the options of the engine.")],
        "bench" => &[("matesolve bench --nodes 1k", "Count the nodes of a short benchmark.")],
        "completions" => &[("matesolve completions bash > matesolve.bash", "Write the completions of bash.")],
        "man" => &[("matesolve man --dir .", "Write all manual pages to this folder.")],
        "schema" => &[("matesolve schema report", "Print the JSON Schema of a report.")],
        "help" => &[("matesolve help engines", "Describe the engines and their options.")],
        _ => SOLVE,
    }
}

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
    end(bytes, "", &Args::command())
}

fn page(topic: &str) -> Result<Vec<u8>, CliError> {
    let unknown = || CliError::Usage(format!("there is no page {topic}; use one of {}", TOPICS.join(", ")));
    let command = help::command(topic).ok_or_else(unknown)?;
    let name = format!("matesolve-{topic}");
    let man = Man::new(command.clone().display_name(name.clone())).title(name);
    end(start(&man)?, topic, &command)
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
fn end(mut bytes: Vec<u8>, topic: &str, command: &Command) -> Result<Vec<u8>, CliError> {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let codes = if help.contains("Exit codes:") { help } else { Codes::Plain.help() };
    for (code, meaning) in codes.lines().filter_map(|line| line.trim().split_once(' ')) {
        if code.chars().all(|c| c.is_ascii_digit()) {
            roff.control("TP", []).text([bold(code)]).text([roman(meaning.trim())]);
        }
    }
    roff.control("SH", ["EXAMPLES"]);
    for (line, meaning) in examples(topic) {
        roff.control("PP", []).text([roman(*meaning)]);
        roff.control("RS", ["4"]).control("nf", []).text([roman(*line)]).control("fi", []).control("RE", []);
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(
        "matesolve(1), matesolve-solve(1), matesolve-report(1), matesolve-batch(1), matesolve-engines(1)",
    )]);
    roff.to_writer(&mut bytes)?;
    bytes.push(b'\n');
    Ok(bytes)
}
