//! Tests of the kernel and the searches on positions: the engines against slow and simple solvers, the proofs that they
//! give, and the suites in `problems/`.
//!
//! `cargo test --test suite kernel::` runs the tests of one file. The code that they share with the tests of the
//! program stands in `tests/support` at the root, and names the crates as that crate shows them.
//!
//! | file | content |
//! |---|---|
//! | `agreement` | every engine against the reference, on generated positions |
//! | `decider` | the decider of reports against the reference |
//! | `forced` | every goal that one side forces, against its definition |
//! | `help` | the search of help play against two plain methods |
//! | `kernel` | moves, checks and mates against shakmaty |
//! | `pn`, `pvs` | these engines in all their modes |
//! | `problems` | the suites in `problems/`: lengths and keys |
//! | `proofs` | altered proofs and certificates, which must be rejected |
//! | `worlds` | the search of help play against the distances of all positions with few men |

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

extern crate self as matesolve;

mod agreement;
mod decider;
mod forced;
mod help;
mod kernel;
mod pn;
mod problems;
mod proofs;
mod pvs;
#[allow(dead_code, reason = "the tests of the program use the rest of this module")]
#[path = "../../../../tests/support/mod.rs"]
mod support;
mod worlds;

pub use matesolve_engine::{chess, search};
pub use matesolve_proof as proof;
