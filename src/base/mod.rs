//! What stands below everything else: the clock, memory, threads, lines of inputs, and text that is safe to print.
//!
//! | file | content |
//! |---|---|
//! | `checksum` | the checksum of certificates of version 1 and of the records of runs |
//! | `clock` | the clock of the system, or of the host of a WebAssembly module |
//! | `json_fault` | says what is wrong with a JSON text |
//! | `lines` | reads the lines of an input, of each a bounded number of bytes |
//! | `memory` | memory for large tables, and how much the machine has |
//! | `printable` | makes text from an input safe to print |
//! | `threads` | threads with a large stack, and crews that share work |

pub(crate) mod checksum;
pub mod clock;
pub(crate) mod json_fault;
pub(crate) mod lines;
pub(crate) mod memory;
pub(crate) mod printable;
pub mod threads;
