//! The readers of matesolve: from a text to a problem, and from a printed solution to its moves. The crate `matesolve`
//! re-exports these modules.
//!
//! | module | content |
//! |---|---|
//! | [`problem`] | reads problems in many forms, such as FEN, EPD, JSON, tables and games, and whole files of them |
//! | [`published`] | reads published solutions and the remarks of collections |
//!
//! Nothing here searches: this crate does not depend on the searches.

#![deny(clippy::expect_used)]

pub mod problem;
pub mod published;

pub(crate) use matesolve_terms as chess;

/// Names of the lower crate.
mod base {
    pub(crate) use matesolve_terms::{encoding, lines, printable};
}
