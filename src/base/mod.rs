//! What stands below everything else, from the lower crates: the clock, memory and threads, lines of inputs, and text
//! that is safe to print; and what is wrong with a JSON text.

pub(crate) mod json_fault;

pub(crate) use matesolve_engine::base::clock;
pub(crate) use matesolve_engine::base::{guard, memory, threads};
pub(crate) use matesolve_terms::{lines, printable};
