//! The command-line arguments as clap parses them, with their help texts.
//!
//! `config` checks how the arguments fit together and turns them into requests.

use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::chess::Stipulation;
use crate::output::Format;
use crate::output::report::{Depth, Letters, ReportFormat};
use crate::solve::registry::ENGINES;

use super::audit_args::AuditArgs;
use super::check_args::CheckArgs;
use super::compare_args::CompareArgs;
use super::help_texts::{EXIT_CODES, POPEYE_FLAGS, REPORT_EXIT_CODES, SHORT_HELP};
use super::puzzles::PuzzlesArgs;
use super::report_args::{ContentArgs, RightsArgs};
use super::shard::Shard;
use super::stipulation::{self, StipulationArg};
use super::units;

/// Finds forced mates in chess positions and proves them
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    override_help = SHORT_HELP,
    after_help = EXIT_CODES,
    max_term_width = 100
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub solve: SolveArgs,
}

/// The pages of `help` and `man`: one for each command, and one for the engines with their options.
pub(super) const TOPICS: [&str; 17] = [
    "solve",
    "report",
    "batch",
    "audit",
    "merge",
    "compare",
    "popeye",
    "puzzles",
    "engines",
    "verify",
    "diagram",
    "uci",
    "bench",
    "completions",
    "man",
    "schema",
    "help",
];

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Solve one position and print the result; the command may be left out
    #[command(arg_required_else_help = true, after_help = EXIT_CODES)]
    Solve(Box<SolveArgs>),
    /// Solve files of problems and print one result per line, in input order
    Batch(BatchArgs),
    /// Solve published problems again and say whether their solutions are right: cooks, other keys, short mates, duals
    Audit(AuditArgs),
    /// Certify a puzzle database: lengths, only moves and the themes `mateInN`
    Puzzles(PuzzlesArgs),
    /// Put the results of several runs of `batch --shard` or `audit --shard` together, in input order, and name those
    /// that are missing
    Merge(MergeArgs),
    /// Set two runs over the same problems side by side: what each has found, where they differ, and contradictions
    #[command(after_help = EXIT_CODES)]
    Compare(CompareArgs),
    /// Solve a fixed set of problems on one thread and print the node count and the speed
    Bench(BenchArgs),
    /// Draw a position as an SVG picture
    Diagram(DiagramArgs),
    /// Print the whole solution of a problem and judge its soundness: keys, tries, set play, threats, variations, duals
    Report(ReportArgs),
    /// Check a certificate, or the main lines of a results file, by the rules of chess alone
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell to write the script for
        shell: Shell,
    },
    /// Print a manual page, or write all of them to a folder
    Man {
        /// The command, or `engines`; without it, the page of the program
        #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(TOPICS))]
        topic: Option<String>,
        /// Write all pages to this folder, as matesolve.1, matesolve-report.1 and so on
        #[arg(long, value_name = "DIR", conflicts_with = "topic")]
        dir: Option<std::path::PathBuf>,
    },
    /// Print help on a command, or on the engines and their options
    Help {
        /// The command, or `engines`
        #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(TOPICS))]
        topic: Option<String>,
    },
    /// Solve the problems of a file in Popeye's input language and print the solutions in Popeye's layout
    #[command(disable_help_flag = true, override_usage = "matesolve popeye [FLAGS] [FILE]", after_help = POPEYE_FLAGS)]
    Popeye {
        /// The flags and the file; without a file, or with -, standard input is read
        #[arg(value_name = "FILE", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<std::ffi::OsString>,
    },
    /// Run as a UCI engine for chess programs, on standard input and output
    Uci,
    /// Print the JSON Schema of a result, a report, an audit or a certified puzzle
    Schema {
        /// The object to describe
        #[arg(default_value = "result")]
        object: SchemaOf,
    },
}

#[derive(Debug, ClapArgs)]
pub(super) struct SolveArgs {
    /// The position: a FEN, an EPD line, which may state a length by `dm N`, `bm #N` or `bm #-N`, `position …` as in
    /// UCI, a game in PGN or a .pgn file, or the address of a lichess or chess.com analysis; - means standard input.
    /// Quotes are optional
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Write the proof of the mate to a file that `matesolve verify`, or any other program, can check
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<std::path::PathBuf>,
    /// List all first moves, each with the length of its mate, as they become known. Without a limit or a length, the
    /// time limit is 10s
    #[arg(long, help_heading = "Output", conflicts_with_all = ["certificate", "defend"])]
    pub moves: bool,
    /// List the K first moves that mate fastest, each with its main line; limits as for --moves
    #[arg(
        long,
        value_name = "K",
        help_heading = "Output",
        conflicts_with_all = ["moves", "certificate", "defend"],
        value_parser = clap::value_parser!(u16).range(1..=1000)
    )]
    pub lines: Option<u16>,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct GameArgs {
    /// Of a game, take the position after N half-moves [default: the last one]
    #[arg(long, value_name = "N")]
    pub ply: Option<u16>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub(super) struct BatchArgs {
    /// Files of FEN, EPD or JSONL lines, tables (CSV) with a column FEN, JSON arrays, games (PGN), or .olv collections,
    /// also compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::path::PathBuf>,
    /// Positions to solve at the same time; the threads are divided among them [default: the number of threads]
    #[arg(short, long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Memory limit for all positions that are solved at the same time together; each gets an equal share [default: as
    /// many times --hash as there are jobs, but not more than the machine has]
    #[arg(
        long,
        value_name = "SIZE",
        help_heading = "Search",
        conflicts_with = "hash",
        value_parser = units::bytes
    )]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub checking: CheckArgs,
    /// In EPD output, replace `dm`, `bm`, `pv`, `acn`, `acs` and `ce` of the input by those of the answer
    #[arg(long)]
    pub update: bool,
    /// Solve the K-th of N shares of the input: every N-th problem, beginning with the K-th. `matesolve merge` puts the
    /// results together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Continue the run that was writing to the output file, or begin it. Needs -o and --format jsonl
    #[arg(long, requires = "output")]
    pub resume: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub(super) struct MergeArgs {
    /// Files of results in JSON lines, one for each share; of an audit, in the order 1/N, 2/N, …, N/N
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::path::PathBuf>,
    /// The input of the batches, to find results that are missing or belong to other problems
    #[arg(long, value_name = "FILE")]
    pub input: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Write the results to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<std::path::PathBuf>,
}

// The options of both a single position and a batch.
#[derive(Debug, ClapArgs)]
pub(super) struct CommonArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// An option of the engine; `matesolve help engines` lists them
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct BenchArgs {
    /// The search engine to use
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name, value_parser = engine_names())]
    pub engine: String,
    /// Node limit for each problem, such as 500k or 1M
    #[arg(long, value_name = "N", default_value = "200k", value_parser = units::count)]
    pub nodes: u64,
    /// Memory limit for each problem, such as 64M or 2G; a number without unit is in MiB
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::bytes)]
    pub hash: usize,
}

/// The JSON objects that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaOf {
    /// The result of solving one problem
    Result,
    /// The audit of one published problem
    Audit,
    /// The certificate of one puzzle
    Puzzle,
    /// The report on one problem
    Report,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = REPORT_EXIT_CODES)]
pub(super) struct ReportArgs {
    /// The position, as for `matesolve solve`; an EPD line may state the length (`dm N`) and the intended key (`bm`).
    /// Or files of FEN, EPD or JSON lines or .olv collections, to report on every problem; - means standard input
    #[arg(value_name = "POSITION|FILE", required = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    /// The stipulation: #3, #-2 for a diagram after the key, or help play such as h#2.5 or ser-h#4 [default: the one in
    /// the input, or else the length of the shortest mate]
    #[arg(short, long, value_name = "#N", allow_hyphen_values = true, value_parser = stipulation::parse_any)]
    pub stipulation: Option<Stipulation>,
    /// The same as -s '#N'
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "stipulation",
        value_parser = clap::value_parser!(u16).range(1..=1000)
    )]
    pub mate: Option<u16>,
    #[command(flatten)]
    pub content: ContentArgs,
    #[command(flatten)]
    pub rights: RightsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: ReportFormat,
    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<std::path::PathBuf>,
    /// Show the play to the attacker's move N, the key being move 1, or all of it [default: all; in text, mates
    /// longer than 4 moves as deep as 500 lines allow]
    #[arg(long, value_name = "N|all", help_heading = "Output")]
    pub depth: Option<Depth>,
    /// The letters of the men [default: en; en-s in Popeye's layout]
    #[arg(long, value_name = "LANGUAGE", help_heading = "Output")]
    pub letters: Option<Letters>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Color,
    /// Print no progress and no warnings
    #[arg(short, long, help_heading = "Output", conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print each key and try to standard error as it is found
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Time limit for the report, such as 500ms, 30s, 5m or 1h; for each entry of a collection [default: none for one
    /// position; for a collection 10s, or none with --nodes]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Node limit for the report, such as 500k or 1M; for each entry of a collection [default: none]
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Memory limit for tables and proofs together, such as 64M or 2G; a number without unit is in MiB
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = units::bytes)]
    pub hash: usize,
    /// The total number of threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub(super) struct DiagramArgs {
    /// The position, as for `matesolve solve`; of an EPD line, `id` becomes the title and `dm N` or `bm #N` the
    /// stipulation
    #[arg(value_name = "POSITION", required = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    /// The stipulation below the board, such as #3
    #[arg(short, long, value_name = "#N")]
    pub stipulation: Option<String>,
    /// The title above the board, such as author and source
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Write letters and numbers around the board
    #[arg(long)]
    pub coordinates: bool,
    /// Draw only the board: no title, stipulation or number of pieces
    #[arg(long, conflicts_with_all = ["stipulation", "title", "coordinates"])]
    pub bare: bool,
    /// The width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 400, value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub width: u32,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub(super) struct VerifyArgs {
    /// A certificate, or results in JSON or JSONL; - means standard input
    #[arg(value_name = "FILE")]
    pub file: std::path::PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Question")]
pub(super) struct QuestionArgs {
    /// Look for any mate in at most N moves, not necessarily the shortest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub mate: Option<u16>,
    /// Look for the shortest mate of at most N moves
    #[arg(long, value_name = "N", conflicts_with = "mate", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max: Option<u16>,
    /// Find in how many moves the side to move is mated
    #[arg(long)]
    pub defend: bool,
    /// The stipulation, instead of the one in the input: #3, #-3 if the side to move is mated, h#2.5, h=2, ser-#4,
    /// ser-=4, ser-h#4 or ser-h=4
    #[arg(
        short,
        long,
        value_name = "#N",
        allow_hyphen_values = true,
        conflicts_with_all = ["mate", "max", "any_length"],
        value_parser = stipulation::parse_or_use
    )]
    pub stipulation: Option<StipulationArg>,
    /// Look for mates of any length, even if the input states one; a negative length still means that the side to move
    /// is mated
    #[arg(long, conflicts_with_all = ["mate", "max"])]
    pub any_length: bool,
    /// Help play: the side that makes the first half-move [default: as the stipulation says when White mates]
    #[arg(long, value_name = "SIDE")]
    pub begins: Option<Begins>,
    /// Help play: the number of solutions that are intended
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub intended: u16,
    /// Help play: list the set play too, in which the first half-move is left out
    #[arg(long)]
    pub set_play: bool,
    /// Help play: stop after N solutions [default: as many as fit into --hash]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_solutions: Option<u32>,
}

/// The side that makes the first half-move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Begins {
    White,
    Black,
}

impl Begins {
    /// Returns the colour of the side.
    pub(super) fn color(self) -> shakmaty::Color {
        if self == Begins::White { shakmaty::Color::White } else { shakmaty::Color::Black }
    }
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// The search engine to use
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name, value_parser = engine_names())]
    pub engine: String,
    /// Time limit for each position, such as 500ms, 30s, 5m or 1h [default: none for one position; in a batch 10s, or
    /// none with --nodes]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Node limit for each position, such as 500k or 1M [default: none]
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Memory limit for each position, tables and trees together, such as 64M or 2G; a number without unit is in MiB
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = units::bytes)]
    pub hash: usize,
    /// The total number of threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Folders with Syzygy files, divided as in PATH; may be given several times. Positions that they do not show as
    /// won are refuted, and an answer that rests on this says "with tables"
    #[arg(long, value_name = "PATH")]
    pub syzygy: Vec<std::ffi::OsString>,
}

fn engine_names() -> PossibleValuesParser {
    ENGINES.iter().map(|entry| clap::builder::PossibleValue::new(entry.name).help(entry.about)).into()
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// The format of the results
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write the results to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<std::path::PathBuf>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print no progress and no warnings
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print every mate found and every length refuted to standard error during the search
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// When writing to a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::SHORT_HELP;

    #[test]
    fn clap_accepts_the_argument_definitions() {
        super::Args::command().debug_assert();
    }

    #[test]
    fn every_command_is_a_topic_and_in_the_short_help() {
        let command = super::Args::command();
        let mut names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        for name in &names {
            let is_named = SHORT_HELP.split([' ', ',', '\n']).any(|word| word == *name);
            assert!(is_named, "{name} is not in the short help");
        }
        names.push("engines");
        names.sort_unstable();
        let mut topics = super::TOPICS.to_vec();
        topics.sort_unstable();
        assert_eq!(names, topics);
    }
}
