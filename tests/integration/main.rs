//! The program as its users meet it: the real binary, its output and its exit codes.
//!
//! | file | what |
//! |---|---|
//! | `cli` | one position; options, messages, exit codes, interruption |
//! | `batch` | files of problems: order, formats, limits |
//! | `olv` | collections of entries |
//! | `diagram` | pictures |
//! | `json` | the result object against its published schema |
//! | `formats` | reports in the formats of others: Popeye's layout, collections, the page |
//! | `report` | the composer's report and its schema |
//! | `garbage` | input that is no problem at all |
//! | `uci`, `gui` | the engine for chess programs, and one of them |
//! | `verify` | certificates and results, checked and tampered with |
//! | `readme` | every example of the README |

mod batch;
mod cli;
mod diagram;
mod formats;
mod garbage;
mod gui;
mod json;
mod olv;
mod readme;
mod report;
mod uci;
mod util;
mod verify;
