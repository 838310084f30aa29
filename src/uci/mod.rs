//! The `uci` command: matesolve as an engine for chess programs, by the Universal Chess Interface.
//!
//! | folder or file | contents |
//! |---|---|
//! | `protocol` | reads the lines of the GUI: commands, options, games and moves; writes lines to it |
//! | `answer` | the table of proved first moves, its `info` lines and the one `bestmove` |
//! | `analysis` | the search behind one `go`: schedule, worker threads, verification of claimed mates |
//! | `session` | the command loop: settings, the running search, clocks, proofs kept for the next `go` |
//!
//! Each imports only those above it in this table.
//!
//! # Guarantees
//!
//! - Every `score mate N` has a proof that the checker has replayed, except `mate 0`, where the game is over. Its line
//!   is complete: 2N − 1 plies, or 2N for a negative score, legal, ending in checkmate.
//! - With `Rule50` (the default) the losing side cannot claim a draw in any line of that proof, whatever it plays:
//!   neither by fifty moves, counted from the FEN, nor by a third repetition, counted from the first position of the
//!   `position` command. A mate that fails this test is not shown. The search itself ignores these draws, so it may
//!   miss a longer mate that avoids them; it looks for one only with other first moves.
//! - `stop` and the end of the time are answered within a fraction of a second with what is proved by then. `bestmove`
//!   is always legal, or `bestmove (none)` if there is no legal move.
//! - With one thread, a node limit and no time limit, the same position and options get the same answer after every
//!   `ucinewgame`.

mod analysis;
mod answer;
mod protocol;
mod session;

pub(crate) use session::run;
