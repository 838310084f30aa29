//! What stands below everything else: the clock, memory, threads, lines of inputs, and text that is safe to print.
//!
//! | file | content |
//! |---|---|
//! | `checksum` | the checksum of certificates of version 1 and of the records of runs |
//! | `clock` | the clock of the system, or of the host of a WebAssembly module |
//! | `encoding` | texts that are UTF-8 or Latin-1 |
//! | `guard` | runs a search so that a panic costs one answer, which says so |
//! | `lines` | reads the lines of an input, of each a bounded number of bytes |
//! | `memory` | memory for large tables, and how much the machine has |
//! | `parallel` | pools of threads for work in independent parts; `alone` stands in for it where there are none |
//! | `printable` | makes text from an input safe to print |
//! | `threads` | threads with a large stack, and crews of such threads |

pub(crate) mod checksum;
pub mod clock;
pub(crate) mod encoding;
pub(crate) mod guard;
pub(crate) mod lines;
pub(crate) mod memory;
#[cfg(not(feature = "cli"))]
#[path = "alone.rs"]
pub(crate) mod parallel;
#[cfg(feature = "cli")]
pub(crate) mod parallel;
pub(crate) mod printable;
pub mod threads;
