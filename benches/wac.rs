//! Repeats the table of "Mate in 38" (Breuker, Allis & van den Herik 1994, section 4.1.1) on Win at Chess, by the
//! engines `prover` and `pn` with several options.
//!
//! ```text
//! cargo bench --bench wac -- FILE.epd [CONFIGURATION…]      or      MATESOLVE_WAC=FILE.epd cargo bench --bench wac
//! ```
//!
//! FILE holds the 300 positions of Reinfeld's *Win at Chess* as EPD lines with `id "WAC.001"` and so on. The set is
//! easy to find and is not part of this repository. The paper names 80 of the positions as mates: 66 that its two
//! programs both solved within 1,000,000 nodes, 13 that only PROVER (proof-number search) solved and one that only DUCK
//! (alpha-beta) solved.
//!
//! Each of the 80 is searched for a first mate with that node limit in every configuration, or in those given by name.
//! The checker replays every mate found. A node is a position made by playing a move. `benches/tuning/pn.md` has the
//! results.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

#[path = "papers/win_at_chess.rs"]
mod win_at_chess;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use matesolve::proof;
use matesolve_engine::chess::{Goal, MateLength, Position};
use matesolve_engine::search::papers::prover::{Init, TreeProver};
use matesolve_engine::search::pn::{Pn, PnOptions};
use matesolve_engine::search::{Control, Engine, Facts, Limits, Meter, Region, Silent, Task};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Epd};
use win_at_chess::{BOTH, DUCK, PROVER};

/// The node limit for a position, in the paper and here.
const NODES: u64 = 1_000_000;
/// The memory for a position, in bytes. A tree of a million nodes takes 48 MB.
const MEMORY: usize = 256 << 20;

/// The engine of a configuration: on a tree with the numbers of a leaf, or on a graph with the depth weight in eighths.
#[derive(Clone, Copy)]
enum Configuration {
    Tree(Init),
    Graph(u32),
}

const CONFIGURATIONS: [(&str, Configuration); 6] = [
    ("tree-unit", Configuration::Tree(Init::Unit)),
    ("tree", Configuration::Tree(Init::Mobility)),
    ("dag", Configuration::Graph(0)),
    ("dag-w1", Configuration::Graph(1)),
    ("dag-w8", Configuration::Graph(8)),
    ("dag-w16", Configuration::Graph(16)),
];

/// The result of one position in one configuration.
struct Run {
    nodes: u64,
    /// The length of the mate found.
    mate: Option<MateLength>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(path) = std::env::var("MATESOLVE_WAC").ok().or_else(|| arguments.next()) else {
        println!("wac: nothing measured, because no file was given. Use `cargo bench --bench wac -- FILE.epd`.");
        return ExitCode::SUCCESS;
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("wac: cannot read {path}: {error}. Give the path of an EPD file with Win at Chess.");
            return ExitCode::from(2);
        }
    };
    let wanted: Vec<String> = arguments.collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|want| want == name);
    let configurations: Vec<_> = CONFIGURATIONS.into_iter().filter(|(name, _)| chosen(name)).collect();
    measure(&text, &configurations)
}

fn measure(text: &str, configurations: &[(&str, Configuration)]) -> ExitCode {
    print!("WAC ");
    for (name, _) in configurations {
        print!("{name:>15}");
    }
    println!("\n     nodes to a first mate and its length, or - for no mate within {NODES} nodes");
    let mut columns: Vec<Vec<Run>> = configurations.iter().map(|_| Vec::new()).collect();
    let started = Instant::now();
    for number in BOTH.into_iter().chain(PROVER).chain(DUCK) {
        let Some(game) = position(text, number) else {
            eprintln!("wac: the file has no line with id \"WAC.{number:03}\" and a valid position. Add it.");
            return ExitCode::from(2);
        };
        print!("{number:>3} ");
        for ((_, configuration), column) in configurations.iter().zip(&mut columns) {
            let run = run(&game, *configuration);
            let length = run.mate.map_or_else(|| "-".to_owned(), |length| format!("#{length}"));
            print!("{:>10} {length:>4}", run.nodes);
            column.push(run);
        }
        println!();
    }
    let seconds = started.elapsed().as_secs_f64();
    totals("solved of 80 (PROVER 79, DUCK 67)", &columns, solved);
    totals("nodes on the 66 that both programs solved (PROVER 696109, DUCK 4461174)", &columns, |runs| {
        nodes(&runs[..BOTH.len()])
    });
    totals("solved of these 66", &columns, |runs| solved(&runs[..BOTH.len()]));
    totals("nodes on the 13 that only PROVER solved (PROVER 3976776)", &columns, |runs| nodes(&runs[BOTH.len()..79]));
    totals("nodes on all 80", &columns, nodes);
    let all: u64 = columns.iter().map(|runs| nodes(runs)).sum();
    println!("{:.2} million nodes a second", all as f64 / seconds / 1e6);
    ExitCode::SUCCESS
}

/// Prints one total for every configuration.
fn totals(what: &str, columns: &[Vec<Run>], total: impl Fn(&[Run]) -> u64) {
    println!("{what}:");
    print!("    ");
    for runs in columns {
        print!("{:>10}     ", total(runs));
    }
    println!();
}

fn solved(runs: &[Run]) -> u64 {
    runs.iter().filter(|run| run.mate.is_some()).count() as u64
}

fn nodes(runs: &[Run]) -> u64 {
    runs.iter().map(|run| run.nodes).sum()
}

/// Reads the position with this number: the four FEN fields at the start of its line.
fn position(text: &str, number: u16) -> Option<Chess> {
    let id = format!("id \"WAC.{number:03}\"");
    let line = text.lines().find(|line| line.contains(&id))?;
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    let epd: Epd = fields.join(" ").parse().ok()?;
    epd.into_position(CastlingMode::Standard).ok()
}

/// Searches for a first mate and checks its proof.
fn run(game: &Chess, configuration: Configuration) -> Run {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(NODES), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let facts = Facts::with_bytes(1 << 20);
    let position = Position::from_chess(game);
    let task = Task { shortest: false, memory: MEMORY, ..Task::mate(position, game.turn(), MateLength::MAX) };
    let region = Region::default();
    let mut engine: Box<dyn Engine> = match configuration {
        Configuration::Tree(init) => Box::new(TreeProver { init }),
        Configuration::Graph(depth_weight) => Box::new(Pn::new(PnOptions { depth_weight }, &region)),
    };
    let answer = engine.solve(&task, &mut meter, &facts, &mut Silent);
    let mate = answer.proof.map(|tree| {
        let epd = Epd::from_position(game, EnPassantMode::Legal);
        proof::check(game, game.turn(), Goal::MATE, tree).unwrap_or_else(|fault| panic!("{epd}: {fault}")).length()
    });
    Run { nodes: meter.count(), mate }
}
