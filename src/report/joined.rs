//! The report that results from elsewhere give: the verdict and the keys, without a search.
//!
//! A problem that was divided ([`crate::split`]) has its answers in files. Here they become what a report with
//! `--soundness` would say. Nothing is proved here, so the report does not claim to be verified.

use shakmaty::Position as _;

use crate::chess::{MateLength, Position};
use crate::problem::Problem;
use crate::proof::Bounds;
use crate::results::report::Report;
use crate::results::solution::Stats;
use crate::solve::first_moves::FirstMove;

use super::first_moves::{Diagram, FirstMoves};
use super::plays::Plays;
use super::unfold::Scribe;
use super::{ReportRequest, Reporter, Searched, request, rights, unanswered};

/// The bounds of a diagram, found elsewhere.
#[derive(Debug)]
pub(crate) struct Joined {
    /// The bounds of the diagram.
    pub whole: Bounds,
    /// The bounds of the positions after the first moves, in the order of [`Position::legal_moves`]; empty if the
    /// defender begins.
    pub after: Vec<Bounds>,
    /// The cost of the searches.
    pub stats: Stats,
}

/// Makes the report. The diagram must have a legal move, and a question with a length in which one side resists.
pub(crate) fn joined(problem: &Problem, request: &ReportRequest, known: Joined) -> Report {
    let asked = request::stipulation_of(problem, request);
    let settled = rights::settle(&problem.chess, request.castling, request.proves_en_passant);
    let mut report = unanswered::open_report(problem, request, asked, &settled);
    let root = Position::from_chess(&settled.chess);
    let first_moves = first_moves(&root, asked.bound(), &known);
    // A solution whose length is not known to be exact leaves the question open.
    let open = if asked.defender_begins() {
        !known.whole.is_exact() && !known.whole.refutes(asked.bound())
    } else {
        first_moves.open().next().is_some() || first_moves.keys().any(|(first, _)| !first.is_exact())
    };
    report.stats = known.stats;
    let diagram = Diagram {
        chess: &settled.chess,
        root,
        exclusive: &[],
        attacker: asked.attacker(problem.chess.turn()),
        asked,
        max_proof: 0,
        scribe: Scribe::of(&settled.chess),
    };
    let plays = Plays::new(asked.goal());
    let found = Searched { first_moves, decided: !open, refuted: None, plays, tries: None, set_play: None };
    Reporter { problem, diagram, memory: 0, report: &mut report }.fill_in(found, !open);
    report
}

fn first_moves(root: &Position, bound: MateLength, known: &Joined) -> FirstMoves {
    let mut moves = FirstMove::all(root, MateLength(0));
    for (first, after) in moves.iter_mut().zip(&known.after) {
        first.refuted = after.refuted().map_or(MateLength(0), MateLength::longer).min(bound);
        first.mate = after.proved().map(MateLength::longer).filter(|&n| n <= bound);
    }
    moves.truncate(known.after.len());
    let refuted = known.whole.refuted().map(|n| n.min(bound));
    let shortest = known.whole.proved().filter(|&n| n <= bound);
    let mut found = FirstMoves::within(bound);
    (found.moves, found.shortest, found.refuted_through) = (moves, shortest, refuted);
    found
}
