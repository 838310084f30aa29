//! Writes a result as plain text for people.
//!
//! The strings contain ANSI styles, which the caller must remove when writing to a file or a pipe.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use indicatif::HumanCount;

use crate::results::Solution;
use crate::results::solution::{Status, StoppedBy};

/// A mate that is proved to be the shortest.
const PROVED: Style = AnsiColor::Green.on_default().bold();
/// A mate; a shorter one may exist.
const FOUND: Style = AnsiColor::Green.on_default();
/// No mate, or no answer.
const OPEN: Style = AnsiColor::Yellow.on_default();
/// An invalid problem or an internal failure.
const WRONG: Style = AnsiColor::Red.on_default().bold();
/// Less important text.
const FAINT: Style = Style::new().dimmed();

/// Writes the result of one problem: the verdict, the main line, nodes and time.
pub(crate) fn full(solution: &Solution) -> String {
    let mut text = styled_verdict(solution);
    if let Some(line) = solution.result.pv_san.as_deref().filter(|line| !line.is_empty()) {
        let _ = write!(text, "\n{line}");
    }
    if let Some(engine) = &solution.stats.engine {
        let (nodes, time) = (grouped(solution.stats.nodes), seconds(solution.stats.time_ms));
        let _ = write!(text, "\n{FAINT}{engine}: {nodes} nodes, {time}{FAINT:#}");
    }
    text
}

/// Writes the result of one problem of a batch on one line: line number, name, verdict, main line.
pub(crate) fn row(solution: &Solution) -> String {
    let mut text = String::new();
    if let Some(line) = solution.line {
        let _ = write!(text, "{FAINT}{line}{FAINT:#} ");
    }
    if let Some(id) = &solution.id {
        let _ = write!(text, "{id} ");
    }
    text.push_str(&styled_verdict(solution));
    if let Some(line) = solution.result.pv_san.as_deref().filter(|line| !line.is_empty()) {
        let _ = write!(text, "  {line}");
    }
    text
}

fn styled_verdict(solution: &Solution) -> String {
    let style = match solution.result.status {
        _ if solution.internal_failure => WRONG,
        Status::Mate | Status::Mated if solution.result.proved_shortest => PROVED,
        Status::Mate | Status::Mated => FOUND,
        Status::NoMate | Status::Stalemate | Status::Undecided => OPEN,
        Status::Invalid => WRONG,
    };
    format!("{style}{}{style:#}", verdict(solution))
}

/// Returns the verdict in words. The four main answers are: mate in n (proved shortest), mate in ≤ n, no mate in n,
/// undecided.
pub(crate) fn verdict(solution: &Solution) -> String {
    let result = &solution.result;
    let refuted = result.refuted_through.filter(|&n| n > 0);
    match (result.status, result.mate_in) {
        (Status::Mated, Some(0)) => "mated in 0: the side to move is checkmated".to_owned(),
        (Status::Mate | Status::Mated, Some(n)) => {
            let word = if result.status == Status::Mate { "mate" } else { "mated" };
            match refuted {
                _ if result.proved_shortest => format!("{word} in {n} (proved shortest)"),
                Some(refuted) => format!("{word} in ≤ {n} (not in {refuted})"),
                None => format!("{word} in ≤ {n}"),
            }
        }
        (Status::NoMate, _) if result.no_mate_at_all => "no mate".to_owned(),
        (Status::NoMate, _) => format!("no mate in {}", result.refuted_through.unwrap_or_default()),
        (Status::Stalemate, _) => "stalemate: the side to move has no move and is not in check".to_owned(),
        (Status::Invalid, _) => "invalid".to_owned(),
        _ => {
            let known = refuted.map_or(String::new(), |n| format!(", no mate in {n}"));
            let reason = reason(solution.internal_failure, solution.stats.stopped_by);
            format!("undecided{known}{reason}")
        }
    }
}

/// Returns the reason why a search ended without an answer, to be written after the verdict.
pub(super) fn reason(internal_failure: bool, stopped_by: Option<StoppedBy>) -> &'static str {
    match stopped_by {
        _ if internal_failure => " (internal failure)",
        Some(StoppedBy::Nodes) => " (node limit reached)",
        Some(StoppedBy::Time) => " (time limit reached)",
        Some(StoppedBy::Memory) => " (memory limit reached)",
        Some(StoppedBy::Interrupt) => " (interrupted)",
        None => "",
    }
}

/// Writes a number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Writes a time in milliseconds or seconds.
pub(super) fn seconds(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Problem, ProblemError};
    use crate::results::solution::Outcome;

    fn solution(result: Outcome) -> Solution {
        Solution { result, ..Solution::of(&Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap()) }
    }

    #[test]
    fn every_kind_of_result_has_its_own_verdict() {
        let mate = Outcome { mate_in: Some(5), refuted_through: Some(4), ..Outcome::bare(Status::Mate) };
        let proved = Outcome { proved_shortest: true, ..mate.clone() };
        assert_eq!(verdict(&solution(proved)), "mate in 5 (proved shortest)");
        let loose = Outcome { refuted_through: Some(3), ..mate.clone() };
        assert_eq!(verdict(&solution(loose)), "mate in ≤ 5 (not in 3)");
        let mated = Outcome { status: Status::Mated, refuted_through: Some(0), ..mate };
        assert_eq!(verdict(&solution(mated)), "mated in ≤ 5");
        let none = Outcome { refuted_through: Some(3), ..Outcome::bare(Status::NoMate) };
        assert_eq!(verdict(&solution(none.clone())), "no mate in 3");
        assert_eq!(verdict(&solution(Outcome { no_mate_at_all: true, ..none })), "no mate");
        let open = Outcome { refuted_through: Some(2), ..Outcome::bare(Status::Undecided) };
        let mut open = solution(open);
        open.stats.stopped_by = Some(StoppedBy::Time);
        assert_eq!(verdict(&open), "undecided, no mate in 2 (time limit reached)");
        let invalid = Solution::invalid(Some(3), &ProblemError::Text("x".to_owned()));
        assert_eq!(verdict(&invalid), "invalid");
    }

    #[test]
    fn numbers_and_times_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([7, 999, 1000, 61_250].map(seconds), ["7 ms", "999 ms", "1.0 s", "61.2 s"]);
    }
}
