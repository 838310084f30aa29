//! Tests of the kernel and the searches on positions: the engines against slow and simple solvers, the proofs that they
//! give, and the suites in `problems/`.
//!
//! `cargo test --test suite kernel::` runs the tests of one file. The code that they share with the tests of the
//! program is the crate `matesolve-testkit`, in `tests/support` at the root.
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

mod agreement;
mod decider;
mod forced;
mod help;
mod kernel;
mod pn;
mod problems;
mod proofs;
mod pvs;
mod worlds;
