//! Reads and writes the UCI protocol: parses the GUI's lines and writes the engine's lines.
//!
//! | file | contents |
//! |---|---|
//! | `command` | the lines of the GUI, each as a [`command::UciCommand`], and the words after `go`; the stream to the GUI |
//! | `options` | the engine's UCI options |
//! | `game` | the `position` command: a position and the moves that led to it |

pub(super) mod command;
pub(super) mod game;
pub(super) mod options;
