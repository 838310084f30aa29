//! The verdict of a report, the features of a key, duals and promoted men in words.

use std::fmt::Write as _;

use shakmaty::{Board, Color, Square, fen::Fen};

use crate::chess::End;
use crate::output::text::reason;
use crate::results::SidedStipulation;
use crate::results::ply::word;
use crate::results::report::{
    Dual, DualKind, Features, FirstMoveCounts, Ply, PromotedMen, Report, Severity, Soundness, Verdict,
};
use crate::results::solution::Status;

use super::depth::SHOWN_KEYS;
use super::help;

/// Returns the verdict in one line. The verdict on several phases is that of the worst.
pub(crate) fn verdict(report: &Report) -> String {
    let one = phase_verdict(report);
    let words = match &report.phase {
        Some(_) if report.phases.is_empty() => one,
        Some(_) if report.verdict.soundness == Soundness::Sound => format!("sound, {} phases", report.phases.len()),
        Some(name) if report.verdict.status == Status::Invalid => format!("phase {} is not solved", name.short()),
        Some(name) => format!("phase {}: {one}", name.short()),
        None => one,
    };
    words + with_tables(report)
}

/// Returns the words after a verdict that may rest on Syzygy files.
fn with_tables(report: &Report) -> &'static str {
    if report.verdict.with_tables { " (with tables)" } else { "" }
}

fn phase_verdict(report: &Report) -> String {
    let verdict = &report.verdict;
    let question = report.stipulation.as_ref().map_or_else(String::new, SidedStipulation::text);
    let stopped = reason(report.internal_failure, report.stats.stopped_by);
    if let Some(why) = &report.why {
        return format!("{question} {}", of_first_move(report, &why.first, &stopped));
    }
    let answer = match (verdict.soundness, verdict.status) {
        _ if report.internal_failure => "undecided (internal failure)".to_owned(),
        (_, Status::Invalid) => return "invalid".to_owned(),
        (_, Status::Stalemate) => "no solution: the side to move is stalemated".to_owned(),
        (_, Status::Mated | Status::Solved) if verdict.mate_in == Some(0) && report.goal().is_mate() => {
            "the side to move is checkmated".to_owned()
        }
        _ if report.help.is_some() => help::verdict(report),
        (Soundness::Sound, _) => "sound".to_owned(),
        (Soundness::Cooked, _) => cooked(report),
        (Soundness::ShortSolution, _) => short_solution(report),
        _ if !report.must_mate.is_empty() => {
            format!("no solution: {} {}s at once", sans_of(&report.must_mate), report.goal().end.noun())
        }
        (Soundness::NoSolution, Status::NoMate | Status::NoSolution) => "no solution".to_owned(),
        (Soundness::NoSolution | Soundness::Incomplete, _) => {
            format!("fewer keys than intended: {}", report.keys.len())
        }
        (Soundness::Undecided, _) => format!("undecided{}{stopped}", progress(report)),
    };
    let is_open = report.stipulation.is_some_and(|question| question.stipulation.moves().is_none());
    match verdict.mate_in.filter(|_| is_open && verdict.soundness != Soundness::Undecided) {
        Some(n) => format!("{question}{n} {answer}"),
        None if is_open => answer,
        None => format!("{question} {answer}"),
    }
}

/// Returns the verdict on the only first move that was asked about.
fn of_first_move(report: &Report, first: &Ply, stopped: &str) -> String {
    let (verdict, refutations) = (&report.verdict, &report.post_key_refutations);
    let words = match (verdict.status, verdict.mate_in) {
        (Status::Mated | Status::Solved, Some(n)) => format!("is a key: {} in {}", report.goal().noun(), n + 1),
        (Status::Stalemate, _) => "is no key: it stalemates".to_owned(),
        (Status::NoMate | Status::NoSolution, _) => format!(
            "is no key{}{}",
            if refutations.is_empty() { "" } else { ": refuted by 1... " },
            sans_of(refutations)
        ),
        _ => format!("is not decided{stopped}"),
    };
    format!("1. {} {words}", first.san)
}

/// Returns `at least ` if more keys may exist than were found, because a limit was reached first.
fn at_least(report: &Report) -> &'static str {
    if report.first_moves.open.is_empty() { "" } else { "at least " }
}

fn sans_of(plies: &[Ply]) -> String {
    plies.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>().join(", ")
}

/// Names the first of many keys: `Ra7, Rb7, Rc7 and 24 more`.
fn some_of(keys: &[Ply]) -> String {
    match keys.split_at_checked(SHOWN_KEYS) {
        Some((shown, others)) if !others.is_empty() => format!("{} and {} more", sans_of(shown), others.len()),
        _ => sans_of(keys),
    }
}

/// Returns the verdict on a cooked problem: the cooks if the input names the key, else all keys.
fn cooked(report: &Report) -> String {
    let (cooks, at_least) = (&report.verdict.cooks, at_least(report));
    if report.keys.iter().any(|key| key.intended.is_some()) {
        return format!("cooked {at_least}by {}", some_of(cooks));
    }
    format!("cooked: {at_least}{} keys, {}", cooks.len(), some_of(cooks))
}

/// Returns the verdict on a problem that has a shorter solution than stipulated.
fn short_solution(report: &Report) -> String {
    let Verdict { mate_in, refuted_through, short_solutions, .. } = &report.verdict;
    let shortest = mate_in.unwrap_or_default();
    let is_exact = shortest == 0 || refuted_through.is_some_and(|refuted| refuted + 1 >= shortest);
    let most = if is_exact { "" } else { "≤ " };
    let by = match some_of(short_solutions) {
        by if by.is_empty() => by,
        by => format!(" {}by {by}", at_least(report)),
    };
    format!("short solution, {} in {most}{shortest}{by}", report.goal().noun())
}

/// Returns the words after "undecided": how many keys are proved and how many first moves are refuted, or else the
/// refuted length.
fn progress(report: &Report) -> String {
    let FirstMoveCounts { total, refuted, .. } = report.first_moves;
    let refuted_length = report.verdict.refuted_through.filter(|&n| n > 0);
    match (report.keys.len(), refuted_length) {
        (0, Some(n)) => format!(", no {} in {n}", report.goal().noun()),
        (0, None) => String::new(),
        (keys, _) => {
            let stipulated = report.stipulation.as_ref().and_then(SidedStipulation::moves);
            let proved = match (stipulated, report.verdict.mate_in) {
                (None, Some(n)) => format!("{} in {n} proved", report.goal().noun()),
                _ if keys == 1 => "key proved".to_owned(),
                _ => format!("{keys} keys proved"),
            };
            format!(": {proved}; {refuted} of {total} first moves refuted")
        }
    }
}

/// Says which men of a diagram must be promoted: `Black Bg8, White 1 of Sa1 Sb5 Sc3`; `None` if none must be.
pub fn must_be_promoted(found: &[PromotedMen]) -> Option<String> {
    let part = |PromotedMen { side, at_least, of }: &PromotedMen| {
        let some = if of.len() == *at_least { String::new() } else { format!("{at_least} of ") };
        format!("{} {some}{}", side.fold_wb("White", "Black"), of.join(" "))
    };
    let parts: Vec<String> = found.iter().map(part).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Says the same of the diagram of a report.
pub(crate) fn promoted_men(report: &Report) -> Option<String> {
    let men = must_be_promoted(&report.position.as_ref()?.promoted)?;
    Some(format!("must be promoted: {men}"))
}

/// Returns the verdict and the keys, as a page has them.
pub(crate) fn page_verdict(report: &Report) -> String {
    if report.help.is_some() {
        return capitalized(&help::verdict(report));
    }
    let word = match report.verdict.soundness {
        Soundness::Sound => "Sound".to_owned(),
        Soundness::Cooked => capitalized(&cooked(report)),
        Soundness::ShortSolution => capitalized(&short_solution(report)),
        Soundness::NoSolution | Soundness::Incomplete => "No solution".to_owned(),
        Soundness::Undecided => format!("Undecided{}", progress(report)),
    };
    let word = word + with_tables(report);
    let keys = report.keys.iter().map(|key| key.ply.san.as_str()).collect::<Vec<_>>().join(", ");
    if keys.is_empty() { word } else { format!("{word} · {keys}") }
}

/// Returns the sentence with a capital letter at its beginning.
pub(crate) fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Describes the features of a key, on a page or in a text; empty if it has none.
pub(crate) fn features(features: &Features, on_page: bool) -> String {
    let (gap, end) = if on_page { (", ", "; ") } else { (" ", ", ") };
    let say = |text: &str, page: &str| if on_page { page.to_owned() } else { text.to_owned() };
    let squares = |verb: &str, squares: &[Square]| {
        let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(gap)))
    };
    let flights = |verb: &str, flights: &[Square]| {
        squares(&format!("{verb} the flight{}", if flights.len() > 1 { "s" } else { "" }), flights)
    };
    let parts = [
        features.check.then(|| say("check", "gives check")),
        features.capture.map(|role| say(&format!("captures a {}", word(role)), "captures")),
        features.promotion.map(|role| say(&format!("promotes to a {}", word(role)), "promotes")),
        features.sacrifice.then(|| say("sacrifice", "offers a man")),
        flights("gives", &features.flights_given),
        flights("takes", &features.flights_taken),
        squares("unpins", &features.unpins),
        squares("pins", &features.pins),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(end)
}

/// Describes a dual: `1.Rh6 Ba2: 2.A or 2.B (mating move, minor)`. The line of a dual in a threat has no move numbers,
/// because it leaves out the defender's pass.
pub(crate) fn dual_line(dual: &Dual, report: &Report) -> String {
    let first = usize::from(report.post_key.is_some());
    let mut line = String::new();
    for (index, ply) in (first..).zip(&dual.line) {
        let number = match index {
            1 if first == 1 => "1...".to_owned(),
            _ if index % 2 == 1 || dual.in_threat => String::new(),
            _ => format!("{}.", index / 2 + 1),
        };
        let _ = write!(line, "{number}{} ", ply.san);
    }
    let moves: Vec<String> = dual.moves.iter().map(|ply| format!("{}.{}", dual.at_move, ply.san)).collect();
    let kind = match dual.kind {
        DualKind::Continuation => "continuation",
        DualKind::MatingMove => "mating move",
        DualKind::Promotion => "promotion",
    };
    let severity = if dual.severity == Severity::Major { "major" } else { "minor" };
    let threat = if dual.in_threat { ", in a threat" } else { "" };
    format!("{}: {} ({kind}, {severity}{threat})", line.trim_end(), moves.join(" or "))
}
/// Returns the board of the diagram.
pub(in crate::output) fn board(report: &Report) -> Option<Board> {
    let fen = report.position.as_ref()?.fen.parse::<Fen>().ok()?;
    Some(fen.as_setup().board.clone())
}

/// Returns the text below a diagram on the left, such as `#3`.
pub(in crate::output) fn stipulation(report: &Report) -> String {
    let text = report.stipulation.as_ref().map_or_else(String::new, SidedStipulation::text);
    let black = report.position.as_ref().is_some_and(|position| position.turn == Color::Black);
    let is_play = |SidedStipulation { stipulation, .. }| stipulation.is_helped() && stipulation.goal().end != End::Any;
    let note = match report.stipulation {
        // The stipulation says who begins; only that Black mates is unusual.
        Some(question) if is_play(question) && question.attacker.is_white() => "",
        Some(question) if is_play(question) => " Black mates",
        _ if black => " Black to move",
        _ => "",
    };
    format!("{text}{note}")
}
