//! The arguments of `matesolve merge`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::options::args::GameArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// Files of results in JSON lines, one for each share; of an audit, in the order 1/N, 2/N, …, N/N
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The input of the batches, to find results that are missing or belong to other problems
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Write the results to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
