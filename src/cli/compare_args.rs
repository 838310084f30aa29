//! The arguments of `matesolve compare`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// The results of the first run in JSON lines, also compressed by gzip or zstd; - means standard input
    pub a: PathBuf,
    /// The results of the second run
    pub b: PathBuf,
    /// List all positions that differ, instead of 20 of each kind
    #[arg(long)]
    pub all: bool,
    /// The format of the comparison
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CompareFormat,
    /// Write the comparison to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write an HTML page with the table and with plots
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// The formats of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CompareFormat {
    /// Plain text, for reading
    Text,
    /// One JSON object
    Json,
}
