//! The raw arguments, as clap reads them. What they mean together is decided in `config`.

use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::output::Format;
use crate::output::report::ReportFormat;
use crate::report::Castling;
use crate::solve::registry::ENGINES;

use super::tuning::TuningArgs;
use super::units;

const EXIT_CODES: &str = "\
Exit codes:
    0  answered as asked
    1  answered in the negative: no mate within the length asked for, or a check that failed
    2  wrong usage, or a file that cannot be read or written
    3  invalid position, or an input without any; nothing that can be checked
    4  undecided within the limits
    5  batch finished, but not every line is a mate that was found
   70  internal failure: a claim did not pass its check
  130  interrupted";

const REPORT_EXIT_CODES: &str = "\
Exit codes:
    0  sound
    1  unsound: cooked, a short solution, or no solution
    2  wrong usage, or a file that cannot be read
    3  invalid position, or a collection without any
    4  undecided within the limits
    5  collection finished, but not every entry is sound
   70  internal failure: a claim did not pass its check
  130  interrupted";

/// Finds forced mates in chess positions, and proves them.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = EXIT_CODES,
    max_term_width = 100
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub solve: SolveArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Solve a file of problems, one result a line, in input order
    Batch(BatchArgs),
    /// Solve fixed problems on one thread: a node count, which is the search's checksum, and nodes per second
    Bench(BenchArgs),
    /// Draw a position as an SVG picture
    Diagram(DiagramArgs),
    /// The composer's report: keys, tries, set play, threats, variations, duals, and whether the problem is sound
    Report(ReportArgs),
    /// Check a certificate, or the main lines of a file of results, with nothing but the rules of chess
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
    /// Speak UCI on standard input and output, as an engine for chess programs
    Uci,
    /// Print the JSON Schema of the result object, or of another
    Schema {
        /// Which object
        #[arg(default_value = "result")]
        object: SchemaOf,
    },
}

#[derive(Debug, ClapArgs)]
pub(super) struct SolveArgs {
    /// The position: FEN with four or six fields, EPD with `dm N`, `bm #N` or `bm #-N`; quotes may be left out
    #[arg(value_name = "FEN|EPD", allow_hyphen_values = false)]
    pub position: Vec<String>,
    /// Write the proof of the mate to a file, for `matesolve verify` or anybody else to check
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub(super) struct BatchArgs {
    /// Files of FEN, EPD or JSONL lines, or .olv collections; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::path::PathBuf>,
    /// Positions solved at once [default: as many as threads]; each gets its share of the threads
    #[arg(short, long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub common: CommonArgs,
}

// What one position and a batch have in common.
#[derive(Debug, ClapArgs)]
pub(super) struct CommonArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub tuning: TuningArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct BenchArgs {
    /// Who searches
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name, value_parser = engine_names())]
    pub engine: String,
    /// Nodes for each problem, such as 500k or 1M
    #[arg(long, value_name = "N", default_value = "200k", value_parser = units::count)]
    pub nodes: u64,
    /// Memory for each problem, such as 64M or 2G; a bare number is in MiB
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::bytes)]
    pub hash: usize,
}

/// The objects that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaOf {
    /// The answer to one problem
    Result,
    /// The composer's report
    Report,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = REPORT_EXIT_CODES)]
pub(super) struct ReportArgs {
    /// The position: FEN or EPD with `dm N`, and `bm` for the intended key; quotes may be left out. Or .olv collections,
    /// of which every entry is reported on; - is one on standard input
    #[arg(value_name = "FEN|EPD|FILE.olv", required = true)]
    pub position: Vec<String>,
    /// What the problem demands: #3, or #-2 for a diagram after the key [default: what the line says, else the shortest
    /// mate]
    #[arg(short, long, value_name = "#N", allow_hyphen_values = true)]
    pub stipulation: Option<String>,
    #[command(flatten)]
    pub content: ContentArgs,
    #[command(flatten)]
    pub rights: RightsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: ReportFormat,
    /// Colours in text
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Color,
    /// No warnings
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Content")]
pub(super) struct ContentArgs {
    /// Report tries that at most R defences refute; without R, one
    #[arg(
        long,
        value_name = "R",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=100)
    )]
    pub tries: Option<u16>,
    /// Report what would happen if the defender were to move in the diagram
    #[arg(long)]
    pub set_play: bool,
    /// The diagram stands after the key, which counts as the first move
    #[arg(long)]
    pub post_key: bool,
    /// Also show variations that are mated faster than by the threat
    #[arg(long)]
    pub short_variations: bool,
    /// How many solutions the composer intends
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub intended: u16,
    /// How many positions the solution tree may have; what is left out is marked
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tree_nodes: u32,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Conventions")]
pub(super) struct RightsArgs {
    /// Where castling rights come from [default: fen, or assume if the FEN has no castling field]
    #[arg(long, value_name = "WHAT")]
    pub castling: Option<Castling>,
    /// Castling with the one rook proves that the other may not castle, such as a1h8; may be repeated
    #[arg(long, value_name = "SQUARES")]
    pub castling_exclusive: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Time for the report, such as 500ms, 30s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Nodes for the report, such as 500k or 1M
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Memory for table and proofs together, such as 64M or 2G; a bare number is in MiB
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = units::bytes)]
    pub hash: usize,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub(super) struct DiagramArgs {
    /// The position: FEN, or EPD, whose `id` becomes the title and whose `dm N` or `bm #N` the stipulation
    #[arg(value_name = "FEN|EPD", required = true)]
    pub position: Vec<String>,
    /// What is asked, such as #3: below the board
    #[arg(short, long, value_name = "#N")]
    pub stipulation: Option<String>,
    /// Author and source: above the board
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Letters and numbers around the board
    #[arg(long)]
    pub coordinates: bool,
    /// Nothing but the board: no title, no stipulation, no count of men
    #[arg(long, conflicts_with_all = ["stipulation", "title", "coordinates"])]
    pub bare: bool,
    /// The picture's width in pixels; it scales to any other
    #[arg(long, value_name = "PX", default_value_t = 400, value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub width: u32,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub(super) struct VerifyArgs {
    /// A certificate, or results as JSON or JSONL; - is standard input
    #[arg(value_name = "FILE")]
    pub file: std::path::PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Question")]
pub(super) struct QuestionArgs {
    /// Is there a mate in at most N moves? Any will do
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub mate: Option<u16>,
    /// Look for the shortest mate up to N moves
    #[arg(long, value_name = "N", conflicts_with = "mate", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max: Option<u16>,
    /// Ask in how many moves the side to move is mated
    #[arg(long)]
    pub defend: bool,
    /// What to do with the length an EPD or JSONL line states; a negative one always means that the side to move is
    /// mated
    #[arg(long, value_name = "WHAT", default_value = "use")]
    pub stipulation: StipulationUse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum StipulationUse {
    /// Longer mates do not count
    Use,
    /// Solve without being told
    Ignore,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// Who searches
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name, value_parser = engine_names())]
    pub engine: String,
    /// Time for a position, such as 500ms, 30s, 5m, 1h [default: none for one position, 10s in a batch]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Nodes for a position, such as 500k or 1M
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Memory for a position's tables and trees together, such as 64M or 2G; a bare number is in MiB
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = units::bytes)]
    pub hash: usize,
    /// Threads altogether [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

fn engine_names() -> PossibleValuesParser {
    ENGINES.iter().map(|entry| clap::builder::PossibleValue::new(entry.name).help(entry.about)).into()
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// How results are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Colours in text
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// No progress and no warnings
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Report on standard error what a search learns as it learns it
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// At a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Args::command().debug_assert();
    }
}
