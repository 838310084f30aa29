#![doc = include_str!("../README.md")]
//!
//! # Module map
//!
//! Dependencies point up this table: a module uses only what stands above it.
//!
//! | module | what |
//! |---|---|
//! | [`chess`] | the mating kernel: positions, moves, lengths, attacker and defender |
//! | [`proof`] | what may be claimed: bounds, proof trees, the table of facts |
//! | [`search`] | the engines behind one trait, and their limits |
//! | [`problem`] | from text to problem: FEN, EPD, JSONL, `.olv` |
//! | [`results`] | the answers as data: solution, report |
//! | [`output`] | from result to text: pure functions |
//! | [`solve`] | problem → task → engine → checker → solution |
//! | [`uci`] | a UCI engine for chess programs |
//! | [`report`] | problem → the composer's report |
//! | [`verify`] | files that claim mates: what they prove and what they do not |
//! | [`mod@bench`] | fixed problems: the search's checksum and speed |
//! | [`batch`] | many problems at once, answered in order |
//! | [`cli`] | the command line |
pub mod batch;
pub mod bench;
pub mod chess;
pub mod cli;
pub mod output;
pub mod problem;
pub mod proof;
pub mod report;
pub mod results;
pub mod search;
pub mod solve;
pub mod uci;
pub mod verify;
