//! The results of the program's work on problems, as plain data. [`crate::output`] turns them into text. Nothing here
//! searches or prints.
//!
//! | file | idea |
//! |---|---|
//! | `audit` | whether a published solution is right, and what is wrong with it |
//! | `help` | the solutions of help play |
//! | `ply` | a move with its notation, and how men and some fields are written |
//! | `puzzles` | whether a puzzle is right, and what else mates |
//! | `stipulation` | the question that a result answers |
//! | `solution` | the result of one solve: the kind of the answer, with its main line |
//! | `stamp` | the stamp at the end of a report |
//! | `themes` | the phases of a problem side by side, and its themes with their evidence |
//! | `workbench` | proposals of changed diagrams, and what each man is for |
//! | `report` | the composer's report: keys, tries, set play, the solution tree and the verdict |

pub mod audit;
pub mod help;
pub(crate) mod ply;
pub mod puzzles;
pub mod report;
pub mod solution;
pub mod stamp;
pub mod stipulation;
#[cfg(test)]
pub(crate) mod testing;
pub mod themes;
pub mod workbench;

pub use audit::Audit;
pub use report::Report;
pub use solution::Solution;
pub use stamp::Stamp;
pub use stipulation::SidedStipulation;
