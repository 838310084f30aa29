//! Reads and writes the UCI protocol: parses the GUI's lines and writes the engine's lines.
//!
//! | file | contents |
//! |---|---|
//! | `input` | reads lines on a thread of its own |
//! | `output` | writes lines, from any thread |
//! | `command` | one line of the GUI as a [`command::UciCommand`] |
//! | `go` | the words after `go`: limits and clocks |
//! | `options` | the engine's UCI options |
//! | `game` | the `position` command: a position and the moves that led to it |
//! | `notation` | moves in UCI notation |

pub(super) mod command;
pub(super) mod game;
pub(super) mod go;
pub(super) mod input;
pub(super) mod notation;
pub(super) mod options;
pub(super) mod output;
