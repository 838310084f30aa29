//! What stands below everything else: the clock, memory and threads; and, from the crate `matesolve_terms`, lines of
//! inputs, and text that is safe to print.
//!
//! | file | content |
//! |---|---|
//! | `clock` | the clock of the system, or of the host of a WebAssembly module |
//! | `json_fault` | says what is wrong with a JSON text |
//! | `memory` | memory for large tables, and how much the machine has |
//! | `threads` | threads with a large stack, and crews that share work |

pub mod clock;
pub(crate) mod json_fault;
pub(crate) mod memory;
pub mod threads;

pub(crate) use matesolve_terms::{lines, printable};
