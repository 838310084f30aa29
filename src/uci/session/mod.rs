//! The session: reads commands, keeps settings, runs searches and makes sure that each `go` is answered.
//!
//! | file | contents |
//! |---|---|
//! | `command_loop` | the loop over the GUI's commands and the settings they change |
//! | `running` | one started `go`: its thread, its clock, its flags; the proofs kept for the next one |

mod command_loop;
mod running;

pub(crate) use command_loop::run;
