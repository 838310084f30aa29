//! Runs the search of one composer's report, for a single position and for the entries of a collection.

use std::io;
use std::thread;

use crate::problem::Problem;
use crate::report::{ReportRequest, report};
use crate::results::report::Report;
use crate::solve::STACK_SIZE;

use super::interrupt::Interrupt;
use super::messages::CliError;

/// Searches a report on a thread with a large stack; the search recurses once per ply.
pub(super) fn search(problem: &Problem, request: &ReportRequest, interrupt: &Interrupt) -> Result<Report, CliError> {
    let searched = thread::scope(|scope| {
        let search = || report(problem, request, interrupt.stop_flag());
        let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, search)?;
        thread.join().map_err(|_| io::Error::other("the search ended without an answer"))
    });
    searched.map_err(|error| CliError::Usage(format!("the search could not be run: {error}")))
}
