//! Phases side by side, and themes with evidence: pure functions of a finished report.
//!
//! ```text
//! Report ──> Scene (phases, comparable moves) ──> table
//!                                            └──> detectors ──> themes, each with its moves and its re-tests
//! ```
//!
//! Nothing here searches. What a detector claims follows from the play that the report has proved, and motifs are tested
//! again on the board: a position is changed by one thing, and a move that mated must fail, or the other way round.
//!
//! | file | idea |
//! |---|---|
//! | `phases` | the phases of a report, with moves that can be compared |
//! | `table` | the table of phases |
//! | `retest` | changed positions, and what mates in them |

mod phases;
mod retest;
mod table;

pub(crate) use table::table;
