//! The report on one entry of a file: its problem, with what the entry itself demands.

use std::sync::atomic::AtomicBool;

use crate::problem::input::Entry;
use crate::problem::{Asked, ProblemError};
use crate::results::report::Report;
use crate::search::pool::ThreadSource;

use super::blank::rejected;
use super::{NoObserver, ReportRequest, report_borrowing};

/// Reports on an entry, with threads that it may borrow beside those of the request. An entry that is no problem gives
/// a report whose error says why.
pub(crate) fn report_entry(
    entry: &Entry,
    request: &ReportRequest,
    stop: &AtomicBool,
    threads: &dyn ThreadSource,
) -> Report {
    let turned;
    let problem = match &entry.problem {
        Err(ProblemError::Turn(_)) => {
            let asked = Asked { stipulation: request.stipulation, begins: request.help.begins };
            turned = asked.of(entry.problem.clone());
            &turned
        }
        problem => problem,
    };
    let mut report = match problem {
        Ok(problem) => report_borrowing(problem, &asked(entry, request), stop, &NoObserver, threads),
        Err(error) => rejected(entry, error, request.options),
    };
    report.line = Some(entry.line).filter(|&line| line > 0);
    report
}

/// Adds what an entry's own options demand to a request.
fn asked(entry: &Entry, request: &ReportRequest) -> ReportRequest {
    let mut request = request.clone();
    if let Some(olv) = &entry.olv {
        request.options.add_asked(olv.options.set_play, olv.options.tries);
    }
    request
}
