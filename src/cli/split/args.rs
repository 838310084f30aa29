//! The arguments of `matesolve split` and `matesolve join`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::options::args::Color;
use crate::cli::options::position::DiagramArgs;
use crate::cli::options::units;
use crate::cli::options::words::words;
use crate::output::report::ReportFormat;
use crate::report::Castling;

#[derive(Debug, ClapArgs)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub given: DiagramArgs,
    /// Where castling rights come from [default: fen; assume if the FEN has no castling field]
    #[arg(long, value_name = "WHAT", value_parser = words::<Castling>())]
    pub castling: Option<Castling>,
    /// The number of parts to aim at. There is at least one for each first move, and a move that is light is not
    /// divided
    #[arg(long, value_name = "N", default_value = "40", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub parts: u32,
    /// The nodes for estimating the cost of a part
    #[arg(long, value_name = "N", default_value = "20k", value_parser = units::count)]
    pub probe: u64,
    /// Write the parts to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print no progress, no warnings and no totals on standard error
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct JoinArgs {
    /// The parts, as `matesolve split` wrote them
    #[arg(value_name = "PARTS")]
    pub parts: PathBuf,
    /// Files of results in JSON lines, as `matesolve batch` wrote them, in any order
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,
    /// The number of solutions that the composer intends
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub intended: u16,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_parser = words::<ReportFormat>(), default_value = "text")]
    pub format: ReportFormat,
    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}
