//! Tests of the library on positions: the engines against slow and simple solvers, proofs and certificates, the suites
//! in `problems/`, reports, and readers of text that is damaged.
//!
//! `cargo test --test suite retro::` runs the tests of one file.
//!
//! | file | content |
//! |---|---|
//! | `agreement` | every engine against the reference, on generated positions |
//! | `certificates` | certificates of verdicts and refutations against the definition, and forgeries |
//! | `decider` | the decider of reports against the reference |
//! | `first_moves` | single first moves of every goal that one side forces, against its definition |
//! | `forced` | every goal that one side forces, against its definition |
//! | `exclusive` | castling rights that exclude each other, in help play and in solves |
//! | `forced_report` | whole reports on every goal that one side forces, against its definition |
//! | `help` | the search of help play against two plain methods |
//! | `hostile` | damaged and almost valid texts for every reader |
//! | `kernel` | moves, checks and mates against shakmaty |
//! | `pn`, `pvs` | these engines in all their modes |
//! | `problems` | the suites in `problems/`: lengths and keys |
//! | `proofs` | altered proofs and certificates, which must be rejected |
//! | `published` | the reader of published solutions |
//! | `report` | reports against the reference |
//! | `retro` | distance-to-mate tables, and Syzygy files |
//! | `themes` | the positions of `docs/themes.md` |
//! | `too_many_men` | positions with more men than a game can give, in every kind of play |
//! | `worlds` | the search of help play against the distances of all positions with few men |

mod agreement;
mod certificates;
mod decider;
mod exclusive;
mod first_moves;
mod forced;
mod forced_report;
mod help;
mod hostile;
mod kernel;
mod pn;
mod problems;
mod proofs;
mod published;
mod pvs;
mod report;
mod retro;
#[path = "../support/mod.rs"]
mod support;
mod themes;
mod too_many_men;
mod worlds;
