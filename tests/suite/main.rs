//! Tests of the library on positions: certificates, reports, and readers of text that is damaged. Those of the searches
//! stand in `crates/engine/tests/suite`.
//!
//! `cargo test --test suite report::` runs the tests of one file.
//!
//! | file | content |
//! |---|---|
//! | `certificates` | certificates of verdicts and refutations against the definition, and forgeries |
//! | `first_moves` | single first moves of every goal that one side forces, against its definition |
//! | `exclusive` | castling rights that exclude each other, in help play and in solves |
//! | `forced_report` | whole reports on every goal that one side forces, against its definition |
//! | `hostile` | damaged and almost valid texts for every reader |
//! | `published` | the reader of published solutions |
//! | `questions` | questions that are written and read again; a batch against its lines alone |
//! | `report` | reports against the reference |
//! | `retro` | distance-to-mate tables, and Syzygy files |
//! | `themes` | the positions of `themes.tsv`, and the examples of `docs/themes.md` |
//! | `theme_reasons` | why themes, flights and errors of tries are named |
//! | `too_many_men` | positions with more men than a game can give, in every kind of play |
//! | `written` | what is written of solved problems |

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

mod certificates;
mod exclusive;
mod first_moves;
mod forced_report;
mod hostile;
mod published;
mod questions;
mod report;
mod retro;
mod theme_reasons;
mod themes;
mod too_many_men;
mod written;
