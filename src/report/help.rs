//! Reports on help play: the solutions, the set play if it is asked for, and whether the solutions are as many as
//! intended.
//!
//! The solutions come from [`crate::solve`], where each was replayed by the checker. A report adds the conventions
//! about castling and en passant, and, as far as the memory allows, the moves themselves, for layouts that need them.
//! For the verdict alone, the search stops at the first solution that is one too many.

use shakmaty::fen::Fen;
use shakmaty::{Chess, Position as _};

use crate::chess::{Stipulation, notation::of_uci, passed};
use crate::problem::{Problem, ProblemError, Question};
use crate::results::help::HelpSolutions;
use crate::results::report::{Extent, Ply, Report, Soundness, Verdict};
use crate::results::solution::{Outcome, Status, StoppedBy};
use crate::results::{SidedStipulation, Solution};
use crate::solve::{NodeCount, Request, helpmate, solve_with_proof};

use super::progress::ReportContext;
use super::request::ReportRequest;
use super::rights;
use super::unanswered::{failed, invalid, stated};
use super::unfold::Scribe;

/// Makes the report on a problem of help play.
pub(super) fn report(problem: &Problem, request: &ReportRequest, context: ReportContext<'_>) -> Report {
    let ReportContext { stop, observer, .. } = context;
    let options = request.options;
    let stipulation = problem.question.stipulation;
    let settled = rights::settle(&problem.chess, request.castling, request.proves_en_passant);
    let exclusive = request.exclusive.clone();
    let question = Question { set_play: options.set_play, most: most(problem, request), ..problem.question.clone() };
    let mut asked = Problem { question, exclusive, chess: settled.chess.clone(), ..problem.clone() };
    asked.fen = Fen::from_position(&asked.chess, shakmaty::EnPassantMode::Legal).to_string();
    let mut nodes = NodeCount(observer.node_counter().unwrap_or_default());
    let searched = Request { limits: request.limits, lists_shortest: true, ..Request::default() };
    let solution = solve_with_proof(&asked, &searched, stop, &mut nodes).solution;
    let stats = solution.stats.clone();
    let report = Report { line: problem.line, stats, ..stated(problem, options, &settled) };
    let Solution { help, result, error, internal_failure, .. } = solution;
    let Some(mut help) = help else {
        let why = error.unwrap_or_default();
        return match () {
            () if internal_failure => failed(report, why),
            () if why.is_empty() => Report { verdict: of_any_length(&result), ..report },
            () => Report { id: report.id, line: report.line, ..invalid(&ProblemError::Text(why), options) },
        };
    };
    // The report on the shortest helpmate is that on a helpmate of its length.
    let stipulation = match help.solutions.first() {
        Some(line) if stipulation.is_helped_at_any_length() => helpmate(line.moves.len()),
        _ => stipulation,
    };
    let sided = report.stipulation.map(|question| SidedStipulation { stipulation, ..question });
    let mut report = Report { stipulation: sided, ..report };
    // For the verdict, nobody asks for the other solutions.
    let is_asked = most(problem, request) == problem.question.most;
    report.stats.stopped_by = report.stats.stopped_by.filter(|&why| is_asked || why != StoppedBy::Solutions);
    if options.extent != Extent::Soundness {
        add_plies(&mut help, &settled.chess, stipulation, request.limits.hash / 4);
    }
    let verdict = Verdict {
        soundness: result.soundness.unwrap_or(Soundness::Undecided),
        complete: help.complete,
        verified: result.verified,
        ..Verdict::bare(result.status)
    };
    Report { verdict, help: Some(help), ..report }
}

/// Returns the verdict on an `h#` whose shortest solutions are not listed: there is none, its length is not proved, or
/// the diagram shows it.
fn of_any_length(result: &Outcome) -> Verdict {
    let is_mated = result.solved_in.as_ref().is_some_and(|n| n.as_u64() == Some(0));
    let soundness = match result.status {
        Status::NoSolution => Soundness::NoSolution,
        _ if is_mated => Soundness::Sound,
        _ => Soundness::Undecided,
    };
    let Outcome { refuted_through, verified, .. } = *result;
    let (mate_in, complete) = (is_mated.then_some(0), soundness != Soundness::Undecided);
    Verdict { soundness, mate_in, refuted_through, verified, complete, ..Verdict::bare(result.status) }
}

/// Returns the number of solutions after which to stop, if there is one.
fn most(problem: &Problem, request: &ReportRequest) -> Option<usize> {
    let (options, question) = (request.options, &problem.question);
    let for_verdict = usize::from(question.intended) + 1;
    question.most.into_iter().chain((options.extent == Extent::Soundness).then_some(for_verdict)).min()
}

/// The bytes that a move of a line takes, with its notation.
const BYTES_OF_A_PLY: usize = 192;

/// Adds to each line its moves, as far as the memory allows, in bytes. Of hundreds of thousands of lines the last ones
/// have only their notation.
fn add_plies(help: &mut HelpSolutions, start: &Chess, stipulation: Stipulation, memory: usize) {
    let half_moves = stipulation.half_moves().map_or(0, usize::from);
    let room = memory / BYTES_OF_A_PLY / half_moves.max(1);
    for line in help.lines_mut().take(room) {
        let first = half_moves.saturating_sub(line.moves.len());
        line.plies = plies(&line.moves, start, stipulation, first);
        let before = &line.moves[..line.moves.len().saturating_sub(2)];
        let ends = line.reciprocal.iter().map(|last| [before, std::slice::from_ref(last)].concat());
        line.reciprocal_plies = ends.filter_map(|moves| plies(&moves, start, stipulation, first).pop()).collect();
    }
}

/// Returns the moves of a line. `first` is the half-move of the stipulation with which it begins: set play and shorter
/// solutions leave the first ones out.
fn plies(moves: &[String], start: &Chess, stipulation: Stipulation, first: usize) -> Vec<Ply> {
    let (scribe, attacker) = (Scribe::of(start), stipulation.attacker(start.turn()));
    let mut position = start.clone();
    let mut plies = Vec::with_capacity(moves.len());
    for (at, uci) in (first..).zip(moves) {
        let side = u16::try_from(at).map_or(position.turn(), |at| stipulation.half_move(at).side.color(attacker));
        let turned = if position.turn() == side { Some(position) } else { passed(&position) };
        let Some(before) = turned else { return Vec::new() };
        let Some(mv) = of_uci(&before, uci) else { return Vec::new() };
        plies.push(scribe.written(&before, mv));
        position = before;
        position.play_unchecked(mv);
    }
    plies
}
