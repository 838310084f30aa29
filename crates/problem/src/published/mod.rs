//! What was published about a problem: the text of its solution, and the remarks of the collection.
//!
//! | file | idea |
//! |---|---|
//! | `solution` | keys, tries, threats and variations of a printed solution |
//! | `helped` | the lines of a printed solution of help play |
//! | `words` | the numbered groups of moves in such a text, with places; the lines after the keys in Popeye's layout |
//! | `phases` | the parts of a solution that belong to the phases of a problem |
//! | `entry` | a problem with what was published about it; what keywords claim |
//!
//! A published text is written by people: keys, answers and lines of help play count only if they are legal where they
//! stand. A misprint is returned with its place.

mod entry;
mod helped;
mod phases;
mod solution;
mod words;

pub use crate::problem::moves::{find, uci};
pub use entry::{Claim, Published, keyword_for};
pub use helped::{PrintedLine, PrintedLines};
pub use phases::{PhaseText, phase_texts};
pub use solution::{Misprint, Printed, PrintedSolution};
pub use words::{Place, paths, place};
