//! The arguments of the workbench: `economy`, `mend`, `twins` and `retract`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use crate::chess::Stipulation;
use crate::cli::options::args::{Color, GameArgs};
use crate::cli::options::{question, units};
use crate::cli::terminal::exit::Codes;
use crate::output::workbench::WorkbenchFormat;
use crate::workbench::Keep;

#[derive(Debug, ClapArgs)]
#[command(after_help = Codes::Most.help())]
pub(crate) struct MendArgs {
    #[command(flatten)]
    pub common: BenchArgs,
    /// The intended key, in SAN or UCI notation [default: every first move that solves the diagram counts]
    #[arg(long, value_name = "MOVE")]
    pub key: Option<String>,
    /// The largest number of changes: 1 or 2. Two are tried if one has not filled the list
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub changes: u8,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = Codes::Most.help())]
pub(crate) struct EconomyArgs {
    #[command(flatten)]
    pub common: BenchArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = Codes::Most.help())]
pub(crate) struct TwinsArgs {
    #[command(flatten)]
    pub common: BenchArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = Codes::Most.help())]
pub(crate) struct RetractArgs {
    #[command(flatten)]
    pub common: BenchArgs,
}

/// The options of all of them.
#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// The position, as for `matesolve solve`; an EPD line may state the stipulation
    #[arg(value_name = "POSITION", required = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    /// The stipulation with its length, such as #2 or s#3 [default: the one in the input]
    #[arg(short, long, value_name = "#N", allow_hyphen_values = true, value_parser = question::parse_any)]
    pub stipulation: Option<Stipulation>,
    /// What a proposal must keep of the solution; may be given several times
    #[arg(long, value_name = "WHAT")]
    pub keep: Vec<Keep>,
    /// Also propose diagrams with more promoted men than the given one
    #[arg(long)]
    pub promoted: bool,
    /// The largest number of proposals
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub proposals: usize,
    /// Time limit, such as 30s or 5m [default: none]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Node limit, such as 500k or 1M [default: none]
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Memory limit for the table, such as 64M or 2G; a number without unit is in MiB
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = units::bytes)]
    pub hash: usize,
    /// The number of threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: WorkbenchFormat,
    /// Write the answer to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print no progress and no warnings
    #[arg(short, long)]
    pub quiet: bool,
}
