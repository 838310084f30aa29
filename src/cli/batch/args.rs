//! The arguments of `matesolve batch`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::batch::Checking;
use crate::cli::options::args::{CommonArgs, GameArgs};
use crate::cli::runs::run::RunArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct BatchArgs {
    /// Files of FEN, EPD or JSONL lines, lists with names and solutions, tables with a column FEN, JSON arrays, lists
    /// in scripts, games (PGN), Popeye's input, .olv collections, or databases of Scacchi Painter, also compressed by
    /// gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub checking: CheckArgs,
    /// Print each answer as soon as it is ready, not in the order of the input: its `id` and its line say which it is
    #[arg(long, help_heading = "Run", conflicts_with = "resume")]
    pub unordered: bool,
    #[command(flatten)]
    pub common: CommonArgs,
    /// In EPD output, replace the question and the answer of the input (`dm`, `bm`, `pv`, `acn`, `acs`, `ce` and
    /// others)
    #[arg(long, help_heading = "Output")]
    pub update: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Compare each answer with what its line claims: the length (`dm`, `bm #N`) and the first moves (`bm`)
    #[arg(long, help_heading = "Run", conflicts_with_all = ["stipulation", "defend", "mate", "first"])]
    check: bool,
    /// With --check, list all first moves of the shortest mate
    #[arg(long, help_heading = "Run", requires = "check")]
    all_moves: bool,
}

impl CheckArgs {
    /// Returns what to check; `None` without --check.
    pub(crate) fn checking(&self) -> Option<Checking> {
        self.check.then_some(if self.all_moves { Checking::AllMoves } else { Checking::Claims })
    }
}
