//! The arguments of `matesolve batch`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::batch::Checking;
use crate::cli::options::args::{CommonArgs, GameArgs};
use crate::cli::options::units;
use crate::cli::runs::shard::Shard;

#[derive(Debug, ClapArgs)]
pub(crate) struct BatchArgs {
    /// Files of FEN, EPD or JSONL lines, tables (CSV) with a column FEN, JSON arrays, games (PGN), or .olv collections,
    /// also compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
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
pub(crate) struct CheckArgs {
    /// Compare each answer with what its line claims: the length (`dm`, `bm #N`) and the first moves (`bm`)
    #[arg(long, conflicts_with_all = ["stipulation", "defend", "mate"])]
    check: bool,
    /// With --check, list all first moves of the shortest mate
    #[arg(long, requires = "check")]
    all_moves: bool,
}

impl CheckArgs {
    /// Returns what to check; `None` without --check.
    pub(crate) fn checking(&self) -> Option<Checking> {
        self.check.then_some(if self.all_moves { Checking::AllMoves } else { Checking::Claims })
    }
}
