//! The readers of matesolve: from a text in any form to a problem, and from a printed solution to its moves. The crate
//! `matesolve` re-exports these modules.
//!
//! | module | content |
//! |---|---|
//! | [`problem`] | reads problems: FEN, EPD, JSON, tables, `.olv`, Popeye's input, games, whole files |
//! | [`published`] | reads published solutions and the remarks of collections |
//!
//! Nothing here searches, and nothing can: this crate does not depend on the searches.

#![deny(clippy::expect_used)]

pub mod problem;
pub mod published;

pub(crate) use matesolve_terms as chess;

/// Names of the lower crate.
mod base {
    pub(crate) use matesolve_terms::{encoding, lines, printable};
}
