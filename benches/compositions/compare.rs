//! Compares a report with a printed solution and looks for the reason of each difference.
//!
//! A reason counts only if it can be shown: the collection itself marks the problem, another convention about castling
//! or en passant gives exactly the printed keys, the printed key is not a legal move, or the engine `exhaustive`, which
//! shares no code with the report's search, confirms move by move that the printed solution is wrong. All other
//! differences are left for a person to examine.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use matesolve::chess::{MateLength, Position};
use matesolve::output::popeye;
use matesolve::problem::Problem;
use matesolve::proof::Facts;
use matesolve::results::report::{Continuation, Next, Report};
use matesolve::search::exhaustive::Exhaustive;
use matesolve::search::{Control, Engine as _, Limits, Meter, Silent, Task};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use super::printed::{Printed, paths, uci};

/// The node limit of `exhaustive` for one move.
const EXHAUSTIVE_NODES: u64 = 300_000_000;

/// Moves in UCI notation.
pub type Moves = BTreeSet<String>;

/// The result of comparing the keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keys {
    /// The keys are the same.
    Agree,
    /// No key is printed, or it cannot be read.
    Unnamed,
    /// The report was not finished.
    Undecided,
    /// The keys differ, and the collection marks the problem as not sound.
    Marked,
    /// The keys agree under another castling convention.
    Castling,
    /// The keys agree if the first move may capture en passant.
    EnPassant,
    /// The printed key is not a legal move in the diagram.
    Misprint,
    /// `exhaustive` confirms the report's additional keys. The problem is cooked and not marked.
    Cooked,
    /// `exhaustive` confirms that the printed key does not solve.
    Fails,
    /// No reason was found.
    Unexplained,
}

/// Returns the report's keys.
pub fn keys(report: &Report) -> Moves {
    report.keys.iter().map(|key| uci(key.ply.mv)).collect()
}

/// Compares the report's keys with the printed ones. `read` reads the printed keys in a position. `keys_of` returns the
/// report's keys for the same diagram with other rights, given as FEN.
pub fn compare_keys(
    chess: &Chess,
    moves: u16,
    ours: &Moves,
    read: &dyn Fn(&Chess) -> Moves,
    marked: bool,
    keys_of: &mut dyn FnMut(&str) -> Option<Moves>,
) -> Keys {
    let printed = &read(chess);
    if ours == printed && !printed.is_empty() {
        return Keys::Agree;
    }
    if marked {
        return Keys::Marked;
    }
    for (fen, other, class) in conventions(chess) {
        if keys_of(&fen).is_some_and(|keys| keys == read(&other)) {
            return class;
        }
    }
    if printed.is_empty() {
        return Keys::Misprint;
    }
    let solves = |m: &String| mates(chess, m, moves);
    let extra_mate = ours.difference(printed).all(|m| solves(m) == Some(true));
    let missing_fail = printed.difference(ours).all(|m| solves(m) == Some(false));
    match (extra_mate, missing_fail) {
        (true, true) if ours.is_superset(printed) => Keys::Cooked,
        (true, true) => Keys::Fails,
        _ => Keys::Unexplained,
    }
}

/// Returns the same diagram with other rights: with other castling rights, and with each possible en passant capture.
fn conventions(chess: &Chess) -> Vec<(String, Chess, Keys)> {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, turn, castling, ..] = fields[..] else { return Vec::new() };
    let castlings = ["-", "KQkq", "KQ", "kq", "K", "Q", "k", "q"].into_iter().filter(|rights| *rights != castling);
    let castlings = castlings.map(|rights| (format!("{board} {turn} {rights} - 0 1"), Keys::Castling));
    let rank = if turn == "w" { '6' } else { '3' };
    let passing = ('a'..='h').map(|file| (format!("{board} {turn} {castling} {file}{rank} 0 1"), Keys::EnPassant));
    let all = castlings.chain(passing);
    let readable = all.filter_map(|(fen, class)| Some((position(&fen)?, fen, class)));
    readable.filter(|(other, ..)| other != chess).map(|(other, fen, class)| (fen, other, class)).collect()
}

/// Returns the position of a FEN, or `None` if one of its rights is impossible.
fn position(fen: &str) -> Option<Chess> {
    let problem = Problem::read(fen).ok()?;
    let dropped = problem.warnings.iter().any(|warning| warning.contains("dropped"));
    (!dropped).then_some(problem.chess)
}

/// Returns whether the move `first` mates within `moves` moves, itself included, or `None` if `exhaustive` reached its
/// limit.
fn mates(chess: &Chess, first: &str, moves: u16) -> Option<bool> {
    let m = chess.legal_moves().into_iter().find(|&m| uci(m) == first)?;
    let next = chess.clone().play(m).ok()?;
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(EXHAUSTIVE_NODES), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let task = Task {
        position: Position::from_chess(&next),
        attacker: chess.turn(),
        bound: MateLength(moves - 1),
        shortest: false,
        memory: 1 << 20,
    };
    let answer = Exhaustive.solve(&task, &mut meter, &Facts::with_bytes(1 << 16), &mut Silent);
    if answer.stopped.is_some() { None } else { Some(answer.proof.is_some()) }
}

/// The result of comparing the lines of one part of a solution.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// The number of lines that agree. All threats are one line; each defence with all its continuations is one.
    pub same: usize,
    /// Descriptions of the lines that differ.
    pub different: Vec<String>,
}

/// Compares the lines printed for the key of a two-mover with the report. Returns `None` if the report has no such key.
pub fn compare_lines(report: &Report, printed: &Printed) -> Option<Lines> {
    let key = report.keys.iter().find(|key| Some(uci(key.ply.mv)) == printed.first)?;
    let Next::Play(id) = key.next else { return None };
    let play = report.tree.play(id);
    let set = |continuations: &[Continuation]| -> Moves { continuations.iter().map(|c| uci(c.ply.mv)).collect() };
    let ours: BTreeMap<String, Moves> =
        play.variations.iter().map(|variation| (uci(variation.defence.mv), set(&variation.continuations))).collect();
    let mut lines = Lines::default();
    let mut line = |what: String, ours: Option<&Moves>, theirs: Option<&Moves>| {
        if ours == theirs {
            lines.same += 1;
        } else {
            lines.different.push(format!("{what}: {} here, {} printed", words(ours), words(theirs)));
        }
    };
    line("threats".to_owned(), Some(&set(play.threats())), Some(&printed.threats));
    let defences: BTreeSet<&String> = ours.keys().chain(printed.variations.keys()).collect();
    for defence in defences {
        line(format!("1...{defence}"), ours.get(defence), printed.variations.get(defence));
    }
    Some(lines)
}

/// Compares the whole tree printed by Popeye with the report's tree in the same layout.
pub fn compare_trees(report: &Report, text: &str) -> Lines {
    let (ours, theirs) = (paths(&popeye::solution(report).0), paths(text));
    let different = ours.symmetric_difference(&theirs).cloned().collect();
    Lines { same: ours.intersection(&theirs).count(), different }
}

/// Describes a set of moves.
fn words(moves: Option<&Moves>) -> String {
    match moves {
        None => "not shown".to_owned(),
        Some(moves) if moves.is_empty() => "none".to_owned(),
        Some(moves) => moves.iter().map(String::as_str).collect::<Vec<_>>().join(" "),
    }
}
