//! The results of matesolve as data, and every format they are written in. The crate `matesolve` re-exports these
//! modules.
//!
//! | module | content |
//! |---|---|
//! | [`results`] | the results as data: solution, report, audit, puzzle, new diagram |
//! | [`themes`] | compares the phases of a report and names its themes |
//! | [`output`] | turns results into text |
//!
//! Nothing here searches, and nothing can: this crate does not depend on the searches. It knows no files, terminals or
//! clocks either, so a format is a function of a result.

#![deny(clippy::expect_used)]

pub mod output;
pub mod results;
pub mod themes;

pub(crate) use matesolve_problem::problem;
pub(crate) use matesolve_proof as proof;
pub(crate) use matesolve_terms as chess;

/// Names of the lower crate.
mod base {
    pub(crate) use matesolve_terms::printable;
}
