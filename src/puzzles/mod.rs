//! Certifies puzzles: is the published line a mate, is it the shortest, and is every move of the solver but the last
//! the only one?
//!
//! ```text
//! text ── record ──> Puzzle ── judge ──> Certified
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `record` | reads a row of a table, an EPD line, a JSON object, or a problem with a solution beside it |
//! | `judge` | plays the published line, decides lengths and other moves, and gives the verdict |
//!
//! The mates come from the exact prover that `dfpn` and the race use, and the checker replays a proof of the mate of
//! the position, of a faster one in the line, and of every other move that mates in time.

mod judge;
mod record;

pub(crate) use judge::Judge;
pub(crate) use record::{Puzzle, PuzzleRecord, records};
