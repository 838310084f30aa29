//! Systems of papers that no other search uses: a test of the architecture reads the imports. They can be chosen by
//! name; `docs/papers.md` compares them with the papers.
//!
//! | file | engine | from |
//! |---|---|---|
//! | `prover` | proof-number search on a tree, best first | Breuker, Allis & van den Herik 1994 |
//! | `bstar` | best-first search by the probability of reaching a target, by turns for the best move and against it | Berliner et al. 1996 |
//! | `selective` | principal-variation search over candidate lists that are widened step by step | AWIT: Marsland |
//!
//! They use what the other engines share.

pub mod bstar;
pub mod prover;
pub mod selective;
