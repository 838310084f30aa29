//! What stands below everything else: the clock, memory and threads; and, from the crate `matesolve_terms`, lines of
//! inputs, and text that is safe to print.
//!
//! | file | content |
//! |---|---|
//! | `clock` | the clock of the system, or of the host of a WebAssembly module |
//! | `guard` | runs a search so that a panic costs one answer, which says so |
//! | `json_fault` | says what is wrong with a JSON text |
//! | `memory` | memory for large tables, and how much the machine has |
//! | `parallel` | pools of threads for work in independent parts; `alone` stands in for it where there are none |
//! | `threads` | threads with a large stack, and crews of such threads |

pub mod clock;
pub(crate) mod guard;
pub(crate) mod json_fault;
pub(crate) mod memory;
#[cfg(not(feature = "cli"))]
#[path = "alone.rs"]
pub(crate) mod parallel;
#[cfg(feature = "cli")]
pub(crate) mod parallel;
pub mod threads;

pub(crate) use matesolve_terms::{encoding, lines, printable};
