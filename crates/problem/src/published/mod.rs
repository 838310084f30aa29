//! What was published about a problem: the text of its solution, and the remarks of the collection.
//!
//! | file | idea |
//! |---|---|
//! | `solution` | keys, tries, threats and variations of a printed solution |
//! | `helped` | the lines of a printed solution of help play |
//! | `words` | the numbered groups of moves in such a text, with their places |
//! | `paths` | all lines of play of a solution in Popeye's layout |
//! | `phases` | the parts of a solution that belong to the twins of a problem |
//! | `keywords` | the remarks of a collection about soundness, such as `Cooked` |
//! | `entry` | a published problem: diagram, solution text, keys, keywords, author and year |
//!
//! A published text is written by people, so nothing in it is believed: a move counts only if it is legal where it
//! stands. What cannot be read is returned with its place, never dropped in silence.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod entry;
mod helped;
mod keywords;
mod paths;
mod phases;
mod solution;
mod words;

pub use crate::problem::moves::{find, uci};
pub use entry::{Published, PublishedError};
pub use helped::{PrintedLine, PrintedLines};
pub use keywords::{Claim, keyword_for};
pub use paths::paths;
pub use phases::{PhaseText, phase_texts};
pub use solution::{Misprint, Printed, PrintedSolution};
pub use words::{Place, place};
