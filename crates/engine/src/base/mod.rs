//! What the searches need of the machine: the clock, memory and threads.
//!
//! | file | content |
//! |---|---|
//! | `clock` | the clock of the system, or of the host of a WebAssembly module |
//! | `guard` | runs a search so that a panic costs one answer, which says so |
//! | `memory` | memory for large tables, and how much the machine has |
//! | `parallel` | pools of threads for work in independent parts; `alone` stands in for it where there are none |
//! | `threads` | threads with a large stack, and crews of such threads |

pub mod clock;
pub mod guard;
pub mod memory;
#[cfg(not(feature = "threads"))]
#[path = "alone.rs"]
pub mod parallel;
#[cfg(feature = "threads")]
pub mod parallel;
pub mod threads;
