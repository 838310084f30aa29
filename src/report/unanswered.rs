//! Reports without an answer: those that only state their question, and those that say why there is none.

use shakmaty::{Color, Position as _};

use crate::chess::Stipulation;
use crate::problem::input::{Entry, Rejected};
use crate::problem::{Problem, ProblemError, olv};
use crate::results::SidedStipulation;
use crate::results::report::{MenCount, MenList, PromotedMen, Report, ReportDiagram, ReportOptions, Verdict};
use crate::results::solution::{Stats, Status};
use crate::search::StopReason;
use crate::solve::stopped_by;

use super::request::{ReportRequest, stipulation_of};
use super::rights::{self, Settled};

/// Makes the report for a line of an input that is not a valid problem.
pub(crate) fn rejected(entry: &Entry, why: &ProblemError, options: ReportOptions) -> Report {
    let Rejected { id, text, .. } = entry.rejected.clone();
    Report { line: Some(entry.line), id, text, ..invalid(why, options) }
}

/// Makes the report for a text that is not a valid problem.
pub fn invalid(why: &ProblemError, options: ReportOptions) -> Report {
    Report { error: Some(why.to_string()), verdict: Verdict::bare(Status::Invalid), ..blank(options) }
}

/// Makes a report without any content.
pub(super) fn blank(options: ReportOptions) -> Report {
    Report { options, ..Report::default() }
}

/// Makes the report on a problem on which the program failed: whatever was claimed is taken back.
pub(super) fn failed(report: Report, why: String) -> Report {
    let Report { line, id, position, stipulation, stats, warnings, options, .. } = report;
    let error = Some(why);
    Report { line, id, position, stipulation, stats, warnings, error, internal_failure: true, ..blank(options) }
}

/// Makes a report that states a problem and has no answer.
pub(super) fn stated(problem: &Problem, options: ReportOptions, settled: &Settled) -> Report {
    let mut warnings = problem.every_warning();
    warnings.extend(settled.warnings.iter().cloned());
    let (position, stipulation) = (Some(report_diagram(settled)), Some(SidedStipulation::of_problem(problem)));
    Report { id: problem.id.clone(), position, stipulation, warnings, ..blank(options) }
}

/// Makes the report on a problem in which one side resists, without an answer. `asked`: the question of the search.
pub(super) fn open_report(problem: &Problem, request: &ReportRequest, asked: Stipulation, settled: &Settled) -> Report {
    let attacker = asked.attacker(problem.chess.turn());
    let stipulation = Some(SidedStipulation { attacker, ..SidedStipulation::of_problem(problem) });
    let options = ReportOptions { post_key: asked.defender_begins(), ..request.options };
    Report { stipulation, ..stated(problem, options, settled) }
}

/// Makes the report on a problem whose limit was reached before its search began. Of a problem with thousands of
/// phases, the start of a search for each would take longer than the limit.
pub(super) fn untried(problem: &Problem, request: &ReportRequest, reason: StopReason) -> Report {
    let settled = rights::settle(&problem.chess, request.castling, request.proves_en_passant);
    let report = open_report(problem, request, stipulation_of(problem, request), &settled);
    Report { stats: Stats { stopped_by: Some(stopped_by(reason)), ..Stats::default() }, ..report }
}

fn report_diagram(settled: &Settled) -> ReportDiagram {
    let chess = &settled.chess;
    let board = chess.board();
    let algebraic = MenList { white: olv::list(board, Color::White), black: olv::list(board, Color::Black) };
    ReportDiagram {
        fen: shakmaty::fen::Fen::from_position(chess, shakmaty::EnPassantMode::Always).to_string(),
        turn: chess.turn(),
        castling: settled.castling,
        en_passant: settled.en_passant,
        men: MenCount::of(board.white().count(), board.black().count()),
        promoted: PromotedMen::of_board(board, [&algebraic.white, &algebraic.black]),
        algebraic,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::report::{ReportContext, report};
    use crate::solve::Limits;

    #[test]
    fn a_report_without_time_states_its_question_and_starts_no_search() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").expect("a problem");
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let request = ReportRequest { limits, ..ReportRequest::default() };
        let of = |stop: bool| report(&problem, &request, ReportContext::new(&AtomicBool::new(stop)));
        for (report, reason) in [(of(false), StopReason::Time), (of(true), StopReason::Stopped)] {
            // A search would state its threads and its engine.
            assert_eq!((report.stats.threads, report.stats.engine, report.stats.nodes), (0, None, 0));
            assert_eq!(report.stats.stopped_by, Some(stopped_by(reason)));
            assert_eq!(report.position.map(|position| position.fen), Some(problem.fen.clone()));
            assert_eq!((report.verdict.status, report.verdict.complete), (Status::Undecided, false));
        }
    }
}
