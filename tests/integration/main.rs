//! The program as its users meet it: the real binary, its output and its exit codes.
//!
//! | file | what |
//! |---|---|
//! | `cli` | one position; options, messages, exit codes, interruption |
//! | `batch` | files of problems: order, formats, limits |
//! | `json` | the result object against its published schema |
//! | `garbage` | input that is no problem at all |
//! | `verify` | certificates and results, checked and tampered with |
//! | `readme` | every example of the README |

mod batch;
mod cli;
mod garbage;
mod json;
mod readme;
mod util;
mod verify;
