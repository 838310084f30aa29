//! The arguments of `matesolve batch` that compare answers with what their lines claim.

use clap::Args as ClapArgs;

use crate::batch::Checking;

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// Compare each answer with what its line claims: the length (`dm`, `bm #N`) and the first moves (`bm`)
    #[arg(long, conflicts_with_all = ["stipulation", "defend", "mate"])]
    check: bool,
    /// With --check, list all first moves of the shortest mate
    #[arg(long, requires = "check")]
    all_moves: bool,
}

impl CheckArgs {
    /// Returns what to check; `None` without --check.
    pub(super) fn checking(&self) -> Option<Checking> {
        self.check.then_some(if self.all_moves { Checking::AllMoves } else { Checking::Claims })
    }
}
