//! The session: reads commands, keeps settings, runs searches and makes sure that each `go` is answered.
//!
//! | file | contents |
//! |---|---|
//! | `command_loop` | the loop over the GUI's commands and the settings they change |
//! | `running` | one started `go`: its thread, its clock, its flags |
//! | `carry_over` | proofs that stay valid in the next positions of a game |

mod carry_over;
mod command_loop;
mod running;

pub(crate) use command_loop::run;
