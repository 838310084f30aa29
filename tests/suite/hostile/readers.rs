//! Gives a text to the readers of the library, and follows what they accept through the program: a problem is solved,
//! its answer is written in every format, and the written answer is checked; an accepted certificate must be true.

use anstream::adapter::strip_str;
use matesolve::output::Format;
use matesolve::output::report::{ReportFormat, ReportStyle};
use matesolve::problem::input::{InputFormat, Reading, entries};
use matesolve::problem::olv::OlvEntry;
use matesolve::problem::{Problem, pasted, popeye};
use matesolve::proof::{Certificate, CheckedCertificate, Claims};
use matesolve::published::PrintedLines;
use matesolve::results::report::ReportOptions;
use matesolve::results::solution::Status;
use matesolve::verify::{CheckedResult, check_results};
use matesolve::{Solution, Solver};
use matesolve_engine::chess::{Position, Stipulation};
use shakmaty::Position as _;

use matesolve_testkit::helped::passed;
use matesolve_testkit::reference::Reference;

/// Gives a text to every reader. `nodes` is the limit for the problems that are accepted; 0: they are not solved.
pub fn read_by_all(bytes: &[u8], nodes: u64) {
    for (format, ply) in [(None, None), (Some(InputFormat::Collection), None), (None, Some(1))] {
        for line in entries(bytes, 0, Reading { format, ply, ..Reading::default() }) {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count() + 1;
            assert!(line.line <= lines, "an entry has a place: {} of {lines}", line.line);
            check_problem(line.problem.map_err(|error| error.to_string()), nodes);
        }
    }
    let verified = Certificate::read(bytes).and_then(|certificate| certificate.verify());
    let checked = CheckedCertificate::read(bytes).map_err(|error| assert_is_sentence(&error.to_string()));
    let checked = checked.ok().map(|checked| checked.header().claims.clone());
    assert_eq!(
        verified.ok().map(|proof| Claims::Solved(proof.length())),
        checked.filter(|claims| matches!(claims, Claims::Solved(_)))
    );
    if let Ok(certificate) = Certificate::read(bytes) {
        check_certificate(&certificate);
    }
    let text = String::from_utf8_lossy(bytes);
    check_problem(Problem::read(&text).map_err(|error| error.to_string()), nodes);
    if let Ok(pasted) = pasted::read(&text, None) {
        check_problem(Problem::read(&pasted.line).map_err(|error| error.to_string()), nodes);
    }
    if let Ok(entry) = OlvEntry::read(&text, 1) {
        let _ = entry.with_solution("1.Rh1-h6 !");
    }
    match popeye::read(&text) {
        Ok(problems) => problems.iter().for_each(|problem| check_popeye(problem, nodes)),
        Err(error) => assert_is_sentence(&error.to_string()),
    }
    check_printed_lines(&text);
    let mut emit = |checked: CheckedResult| {
        let _ = checked.outcome.map_err(|fault| assert_is_sentence(&fault.to_string()));
    };
    check_results(bytes, &mut emit).expect("bytes can be read");
}

/// The lines of help play that are read in a text are legal and whole; what cannot be read has its place.
fn check_printed_lines(text: &str) {
    for (fen, stipulation) in [
        ("4k2r/5N2/4B3/8/6K1/8/8/B7 b k -", "h#2"),
        ("8/8/8/8/8/1K6/7R/k7 w - -", "h#1.5"),
        ("k7/8/2K5/8/8/8/7R/8 b - -", "ser-h#2"),
        ("k7/P7/2K5/8/8/8/7R/8 w - -", "ser-#3"),
    ] {
        let start = Problem::read(fen).expect("a position").chess;
        let stipulation = Stipulation::parse_any(stipulation).expect("a stipulation");
        let half_moves = stipulation.half_moves().map_or(0, usize::from);
        let printed = PrintedLines::read(text, &start, stipulation);
        for line in &printed.lines {
            let set_moves = stipulation.set_play().and_then(Stipulation::half_moves).map_or(0, usize::from);
            let moves = if line.is_set { set_moves } else { half_moves };
            assert_eq!(line.moves.len(), moves, "{line:?}");
            assert!(line.words.split(' ').count() == line.moves.len() && line.at < text.len(), "{line:?}");
            let mut position = start.clone();
            for (at, uci) in (half_moves - moves..).zip(&line.moves) {
                let side = stipulation.half_move(at as u16).side.color(stipulation.attacker(start.turn()));
                if position.turn() != side {
                    position = passed(&position).expect("the side that does not move is not in check");
                }
                let uci: shakmaty::uci::UciMove = uci.parse().expect("a move");
                let mv = uci.to_move(&position).unwrap_or_else(|error| panic!("{error}: {line:?}"));
                position.play_unchecked(mv);
            }
        }
        assert!(printed.misprints.iter().all(|misprint| misprint.at < text.len()), "{:?}", printed.misprints);
    }
}

/// What is said about an input of Popeye are sentences, and its phases are problems.
fn check_popeye(problem: &popeye::PopeyeProblem, nodes: u64) {
    problem.notes.iter().chain(&problem.refused).for_each(|fault| assert_is_sentence(&fault.to_string()));
    for phase in problem.phases() {
        check_problem(phase.problem.map_err(|error| error.to_string()), nodes);
    }
}

/// A problem that was accepted is written as a FEN that gives the same position, and is solved; a refusal is a short
/// sentence.
fn check_problem(problem: Result<Problem, String>, nodes: u64) {
    let problem = match problem {
        Ok(problem) => problem,
        Err(error) => return assert_is_sentence(&error),
    };
    let again = Problem::read(&problem.fen).expect("the FEN of a problem can be read");
    assert_eq!(again.chess, problem.chess, "{}", problem.fen);
    if nodes > 0 {
        let solver = Solver::new().hash(1 << 20).nodes(nodes);
        check_solution(&solver.solve(&problem), &problem);
        if problem.question.stipulation.is_helped() {
            check_report(&solver, &problem);
        }
    }
}

/// A report on help play is written in every format, and its entry is the same problem.
fn check_report(solver: &Solver, problem: &Problem) {
    let options = ReportOptions::default().with(|options| options.set_play = true);
    let report = solver.report(problem, options);
    assert!(!report.internal_failure, "{:?}", report.error);
    let style = ReportStyle::default();
    for format in [ReportFormat::Text, ReportFormat::Json, ReportFormat::Popeye, ReportFormat::Html, ReportFormat::Olv]
    {
        let text = strip_str(&format.write(&report, style)).to_string();
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{format:?}: {text:?}");
    }
    if report.phases.is_empty() && report.position.is_some() {
        let entry = ReportFormat::Olv.write(&report, style);
        let again =
            OlvEntry::read(entry.trim_start_matches("---\n"), 1).expect("an entry that was written can be read");
        let asked = report.stipulation.expect("a report has a question");
        assert_eq!(
            (again.problem.question.stipulation, again.problem.attacker()),
            (asked.stipulation, asked.attacker),
            "{entry}"
        );
    }
}

/// A solution is one line in the line formats, has no control characters, can be verified, and is true.
fn check_solution(solution: &Solution, problem: &Problem) {
    assert!(!solution.internal_failure, "{:?}", solution.error);
    for format in [Format::Text, Format::Json, Format::Jsonl, Format::Epd] {
        let styled = format.single(solution);
        let text = if format == Format::Text { strip_str(&styled).to_string() } else { styled };
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{format:?}: {text:?}");
        assert!(!matches!(format, Format::Jsonl | Format::Epd) || !text.contains('\n'), "{format:?}: {text:?}");
    }
    if solution.result.status == Status::Invalid {
        // Such as help play in which the side that begins cannot be to move.
        return assert_is_sentence(solution.error.as_deref().unwrap_or_default());
    }
    let epd = Format::Epd.single(solution);
    let written = Problem::read(&epd).unwrap_or_else(|error| panic!("{error}: {epd}"));
    if problem.question.stipulation.is_helped() {
        // The side that begins is to move.
        assert_eq!(written.chess.board(), problem.chess.board(), "{epd}");
    } else {
        assert_eq!(written.chess, problem.chess, "{epd}");
    }
    let line = Format::Jsonl.single(solution);
    let mut emit = |checked: CheckedResult| assert!(checked.outcome.is_ok(), "{:?}: {line}", checked.outcome);
    check_results(line.as_bytes(), &mut emit).expect("a text can be read");
    if let Some(moves @ 1..=2) = solution.result.mate_in {
        let position = Position::from_chess(&problem.chess);
        let kind = matesolve_engine::chess::NodeKind::of(position.turn(), problem.attacker());
        if let Ok(shortest) = Reference::new(20_000).shortest(&position, kind, moves) {
            let is_true = if solution.result.proved_shortest { shortest == Some(moves) } else { shortest.is_some() };
            assert!(is_true, "mate in {moves}, but {shortest:?}: {}", problem.fen);
        }
    }
}

/// A certificate that is accepted proves a mate that there is.
fn check_certificate(certificate: &Certificate) {
    if let Err(error) = certificate.verify() {
        return assert_is_sentence(&error.to_string());
    }
    // The counters of moves do not matter to a proof, and a problem does not accept all of them.
    let fields: Vec<&str> = certificate.fen().split(' ').take(4).collect();
    let Ok(problem) = Problem::read(&fields.join(" ")) else { return };
    let position = Position::from_chess(&problem.chess);
    let kind = matesolve_engine::chess::NodeKind::of(position.turn(), certificate.attacker());
    let moves = certificate.length().0;
    if moves <= 3
        && let Ok(shortest) = Reference::new(20_000).shortest(&position, kind, moves)
    {
        assert!(shortest.is_some(), "the certificate for {} proves what is not so", certificate.fen());
    }
}

fn assert_is_sentence(error: &str) {
    assert!(!error.is_empty() && error.chars().count() < 1000, "{error}");
}
