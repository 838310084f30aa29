//! Code that many tests share: it generates positions, solves them with a reference solver, reads the suites
//! in `problems/`, and runs engines.
//!
//! | file | content |
//! |---|---|
//! | `random` | a random generator with a fixed seed |
//! | `forced` | goals that one side forces, by their definition, on shakmaty alone |
//! | `generator` | random positions of many kinds |
//! | `helped` | help play by its definition, on shakmaty alone |
//! | `planted` | positions for help play, most of which have solutions |
//! | `case` | a position with its shortest mate, to compare engines with |
//! | `reference` | a simple full-width solver with a table |
//! | `study` | a problem with its keys, and the themes of the suites |
//! | `suites` | the problems in `problems/` |
//! | `world` | the distances of all positions with few men in help play, on shakmaty alone |
//! | `nulls` | the null moves that `pvs` is tested with |

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where something is wrong")]

pub mod case;
pub mod forced;
pub mod generator;
pub mod helped;
pub mod nulls;
pub mod planted;
pub mod random;
pub mod reference;
pub mod study;
pub mod suites;
pub mod world;

use std::sync::atomic::AtomicBool;

use matesolve_engine::search::{Answer, Control, Engine, Facts, Limits, Meter, Observer, Silent, Task};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, PositionError,
    fen::{Epd, Fen},
};

/// Reads a position with shakmaty alone. Too many men of a kind and impossible checks are accepted.
pub fn chess(fen: &str) -> Chess {
    let parsed: Fen = fen.parse().unwrap_or_else(|error| panic!("{error}: {fen}"));
    let mode = CastlingMode::detect(parsed.as_setup());
    parsed
        .into_position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{error}: {fen}"))
}

/// Returns the first four fields of the FEN.
pub fn four_fields(chess: &Chess) -> String {
    Epd::from_position(chess, EnPassantMode::Legal).to_string()
}

/// Runs an engine, with a limit of nodes if one is given.
pub fn solve(engine: &mut dyn Engine, task: &Task, nodes: Option<u64>, facts: &Facts) -> Answer {
    solve_observed(engine, task, nodes, facts, &mut Silent).0
}

/// Runs an engine with an observer. Returns the answer and the number of nodes.
pub fn solve_observed(
    engine: &mut dyn Engine,
    task: &Task,
    nodes: Option<u64>,
    facts: &Facts,
    observer: &mut dyn Observer,
) -> (Answer, u64) {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes, deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let answer = engine.solve(task, &mut meter, facts, observer);
    (answer, meter.count())
}
