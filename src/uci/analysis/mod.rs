//! The search behind one `go`.
//!
//! | file | contents |
//! |---|---|
//! | `schedule` | the order of work: carried proofs, mates in one, blunders, then the questions |
//! | `likely` | the guess which side mates |
//! | `multipv` | questions about every first move, in rounds |
//! | `worker` | one slice: an engine works on one question |
//! | `context` | the job of a `go` and what its threads share; the types of a question and of a slice of work on it |
//! | `verify` | checks a claimed mate and turns it into proved scores |
//! | `fallback` | the table of first moves, ranked without search; mates in one |

pub(super) mod context;
pub(super) mod fallback;
mod likely;
mod multipv;
pub(super) mod schedule;
mod verify;
mod worker;
