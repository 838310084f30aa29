//! Many problems: [`Solver::batch`] and [`Solver::batch_entries`]. They need threads, so they exist with the feature
//! `cli` only.

use std::io::{self, BufRead};

use crate::batch::{Batch, Order, SpareThreads, each};
use crate::problem::input::{Entry, Reading, entries};
use crate::results::Solution;
use crate::search::Region;
use crate::solve::NodeCount;

use super::Solver;

impl Solver {
    /// Solves a text with one problem on each line (FEN, EPD or JSON), `jobs` problems at a time, and calls `emit` with
    /// each solution in the order of the lines. A line that is not a valid problem gives a solution whose `error` says
    /// why.
    ///
    /// # Errors
    /// The first error of `emit`, which ends the batch; or an error if the threads cannot be started.
    ///
    /// ```
    /// use matesolve::Solver;
    ///
    /// let lines = "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\n7k/5Q2/6K1/8/8/8/8/8 w - -\n";
    /// let mut lengths = Vec::new();
    /// Solver::new().nodes(100_000).batch(lines.as_bytes(), 2, |solution| {
    ///     lengths.push(solution.result.mate_in);
    ///     Ok(())
    /// }).unwrap();
    /// assert_eq!(lengths, [Some(2), Some(1)]);
    /// ```
    pub fn batch(
        &self,
        lines: impl BufRead + Send,
        jobs: usize,
        emit: impl FnMut(Solution) -> io::Result<()>,
    ) -> io::Result<()> {
        self.batch_entries(entries(lines, 0, Reading::default()), jobs, emit)
    }

    /// Solves entries as [`Solver::batch`] solves the lines of a text. They are read as they are needed.
    ///
    /// # Errors
    /// As [`Solver::batch`].
    pub fn batch_entries(
        &self,
        entries: impl Iterator<Item = Entry> + Send,
        jobs: usize,
        mut emit: impl FnMut(Solution) -> io::Result<()>,
    ) -> io::Result<()> {
        let (jobs, stop, nodes) = (jobs.max(1), self.stop.flag(), NodeCount::default());
        let batch = Batch::new(&self.request, None, jobs);
        let entries = entries.map(|entry| entry.asked(&self.told));
        let answer = |entry, _: &SpareThreads, region: &mut Region| batch.answer(&entry, region, stop, &nodes).solution;
        each(entries, jobs, Order::Input, stop, answer, &mut emit)
    }
}
