//! The options that several commands have, as clap parses them.
//!
//! `config` checks how the arguments fit together and turns them into requests.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueEnum};

use super::words::words;
use crate::cli::options::question::QuestionArgs;
use crate::cli::options::units;
use crate::output::Format;
use crate::solve::registry::{self, ENGINES, EngineEntry};

#[derive(Debug, ClapArgs)]
pub(crate) struct GameArgs {
    /// Of a game, take the position after N half-moves [default: the last one]
    #[arg(long, value_name = "N")]
    pub ply: Option<u16>,
}

// The options of both a single position and a batch.
#[derive(Debug, ClapArgs)]
pub(crate) struct CommonArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// An option of the engine; `matesolve help engines` lists them
    #[arg(long = "engine-option", value_name = "NAME=VALUE", help_heading = "Search")]
    pub engine_options: Vec<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// The search engine to use; `matesolve help engines` lists them
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name, value_parser = engines(), hide_possible_values = true)]
    pub engine: &'static EngineEntry,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Folders with Syzygy files, divided as in PATH; may be given several times. Positions that they do not show as
    /// won are refuted, and an answer that rests on this says "with tables"
    #[arg(long, value_name = "PATH", help_heading = "Limits")]
    pub syzygy: Vec<OsString>,
}

/// Returns the parser of an option that names an engine.
pub(crate) fn engines() -> impl TypedValueParser<Value = &'static EngineEntry> {
    let names = ENGINES.iter().map(|entry| PossibleValue::new(entry.name).help(entry.about));
    PossibleValuesParser::from(names).try_map(|name| registry::engine(&name).ok_or("there is no such engine"))
}

/// The time, the nodes, the memory and the threads that each problem may use.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Time limit for each problem, such as 500ms, 30s, 5m or 1h [default: none for one problem; for those of files
    /// 10s, or none with --nodes]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Node limit for each problem, such as 500k or 1M [default: none]
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Memory limit for each problem, for tables, trees and proofs together, such as 64M or 2G; a number without unit
    /// is in MiB
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = units::bytes)]
    pub hash: usize,
    /// The total number of threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// The format of the results
    #[arg(long, value_name = "FORMAT", value_parser = words::<Format>(), default_value = "text")]
    pub format: Format,
    /// Write the results to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print no progress, no warnings and no totals on standard error
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print every mate found and every length refuted to standard error during the search
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// When writing to a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
