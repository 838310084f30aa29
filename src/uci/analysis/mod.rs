//! The search behind one `go`.
//!
//! | file | contents |
//! |---|---|
//! | `schedule` | the order of work: carried proofs, mates in one, blunders, then the questions |
//! | `multipv` | questions about every first move, in rounds |
//! | `worker` | one slice: an engine works on one question |
//! | `target` | the types of a question and of a slice of work on it |
//! | `context` | the job of a `go` and what its threads share |
//! | `verify` | checks a claimed mate and turns it into proved scores |
//! | `likely_attacker` | a guess which side mates |
//! | `fallback` | the table of first moves, ranked without search; mates in one |
//! | `tables` | tables of facts, kept from one `go` to the next |
//! | `stop_flags` | stops one worker, or all for good |

pub(super) mod context;
pub(super) mod fallback;
mod likely_attacker;
mod multipv;
pub(super) mod schedule;
pub(super) mod stop_flags;
pub(super) mod tables;
mod target;
mod verify;
mod worker;
