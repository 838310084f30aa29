//! matesolve as an engine for chess programs: the Universal Chess Interface.
//!
//! | file | idea |
//! |---|---|
//! | `input`, `output` | lines from and to the GUI |
//! | `command`, `go`, `options` | the lines taken apart |
//! | `game` | the position and how the game came to it |
//! | `session`, `running` | what is set, what runs, and when it must answer |
//! | `desk` | where a search reports and the session answers from |
//! | `standing` | what is proved of every first move |
//! | `truth` | nothing is a mate that has not been replayed |
//! | `search`, `each` | who is asked what, of the position or of every first move |
//! | `ask` | one engine at work on one question |
//! | `leaning` | which side is the likelier to mate |
//! | `known` | a proof outlives its search by as long as the game follows it |
//! | `fallback` | a sensible move where no mate is known |
//! | `info` | what is written about a search |
//! | `flags`, `tables`, `notation` | stopping, remembering, writing moves |
//!
//! # What is promised
//!
//! - Every `score mate N` has a proof that the checker has replayed, and its line is complete: 2N − 1 plies, or 2N
//!   for a negative score, legal, ending in checkmate.
//! - With `Rule50` (the default), in no line of that proof, whatever the losing side plays, does the losing side get
//!   to claim a draw: not by fifty moves counted from the FEN, not by a third repetition counted from the first
//!   position given. A mate that does not meet this is not shown. The search does not know the draws, so it may miss
//!   a longer mate that avoids them; it looks for one with other first moves only.
//! - `stop` and the end of the time are answered at once with what is proved by then, and `bestmove` is always legal;
//!   `bestmove (none)` where there is no legal move.
//! - With one thread and a node limit, after `ucinewgame`, the same position is answered the same way.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod ask;
mod command;
mod desk;
mod each;
mod fallback;
mod flags;
mod game;
mod go;
mod info;
mod input;
mod known;
mod leaning;
mod notation;
mod options;
mod output;
mod running;
mod search;
mod session;
mod standing;
mod tables;
mod truth;

pub use session::run;
