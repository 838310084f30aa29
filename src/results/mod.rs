//! The answers: what a solve or a report has established about one problem.
//!
//! These are plain data. [`crate::solve`] and [`crate::report`] fill them in, [`crate::output`] writes them. Nothing here searches
//! or prints.
//!
//! | file | idea |
//! |---|---|
//! | `solution` | the result object of one solve: mate, no mate or undecided, with its main line |
//! | `report` | the composer's report: keys, tries, set play, the solution tree and the verdict |

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod report;
pub mod solution;

pub use report::Report;
pub use solution::Solution;
