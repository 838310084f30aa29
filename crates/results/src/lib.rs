//! The results of matesolve as data, and the formats in which they are written. The crate `matesolve` re-exports
//! `results` and `output`.
//!
//! | module | content |
//! |---|---|
//! | [`results`] | the results as data, such as solution, report, audit, puzzle, new diagram |
//! | [`themes`] | compares the phases of a report and names its themes |
//! | [`output`] | turns results into text |
//!
//! This crate does not depend on the searches. It knows no files, terminals or clocks either, so a format is a function
//! of a result and its options.

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
