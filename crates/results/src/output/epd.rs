//! Writes a result as an EPD line: the position, the answer as operations, and the operations of the input line.
//!
//! `dm N`: the side to move mates in N moves; `bm` is its first move. `bm #-N`: the side to move is mated in N moves,
//! as many published collections write it. `stip "s#N"`: another stipulation; one that is no help play has the length
//! that was found. The first comment (`c0` … `c9`) that the input line does not use has the verdict, or only says that
//! the length is proved to be the shortest. No operation of the input line is changed: matesolve's of the same name is
//! left out, and so is its length where the line states another. [`update`] drops those that the answer replaces.

use crate::chess::{MateLength, Stipulation};
use crate::problem::epd::{self, Operation};
use crate::results::Solution;
use crate::results::solution::Status;

use super::text;

/// The opcodes that an answer replaces if the user asks for that.
const REPLACED: [&str; 9] = ["dm", "bm", "pv", "acn", "acs", "ce", epd::STIPULATION, "attacker", "intended"];

/// Drops the operations of the input line that the answer replaces. An undecided or invalid line keeps all.
pub fn update(solution: &mut Solution) {
    if !matches!(solution.result.status, Status::Undecided | Status::Invalid) {
        solution.operations.retain(|operation| !REPLACED.contains(&operation.code.as_str()));
    }
}

/// Writes the EPD line of a result. An invalid problem becomes a comment line, which other programs ignore.
pub(crate) fn line(solution: &Solution) -> String {
    let Some(fen) = &solution.fen else {
        let line = solution.line.map_or(String::new(), |line| format!(" line {line}:"));
        return format!("#{line} {}", solution.error.as_deref().unwrap_or("invalid"));
    };
    let mut words: Vec<String> = fen.split(' ').take(4).map(str::to_owned).collect();
    words.extend(operations(solution).iter().map(ToString::to_string));
    words.join(" ")
}

fn operations(solution: &Solution) -> Vec<Operation> {
    let result = &solution.result;
    let mut operations = Vec::new();
    let moves = bare_moves(result.pv_san.as_deref().unwrap_or_default());
    operations.extend(stipulation(solution).map(|text| Operation::string(epd::STIPULATION, &text)));
    operations.extend(sides(solution));
    // Two lengths would be two problems.
    let is_other = states_another_length(solution);
    match (result.status, result.length()) {
        (Status::Mate, Some(n)) => {
            operations.extend((!is_other).then(|| Operation::plain("dm", [n.to_string()])));
            operations.push(Operation::plain("bm", moves.first().cloned()));
        }
        (Status::Solved, Some(n)) if n > 0 && result.soundness.is_none() => {
            operations.push(Operation::plain("bm", moves.first().cloned()));
        }
        (Status::Mated, Some(n)) if n > 0 && !is_other => operations.push(Operation::plain("bm", [format!("#-{n}")])),
        _ => {}
    }
    if !moves.is_empty() {
        operations.push(Operation::plain("pv", moves));
    }
    if solution.stats.engine.is_some() {
        operations.push(Operation::plain("acn", [solution.stats.nodes.to_string()]));
        operations.push(Operation::plain("acs", [(solution.stats.time_ms / 1000).to_string()]));
    }
    operations.extend(solution.id.as_deref().map(|id| Operation::string("id", id)));
    let given = &solution.operations;
    operations.retain(|operation| given.iter().all(|it| it.code != operation.code));
    operations.extend(given.iter().cloned());
    let free = (0..10).map(|i| format!("c{i}")).find(|code| given.iter().all(|operation| operation.code != *code));
    operations.extend(free.map(|code| Operation::string(&code, &certainty(solution))));
    operations
}

/// Returns the stipulation of a question that is no direct mate, with the length that was found, if one was.
fn stipulation(solution: &Solution) -> Option<String> {
    let asked = solution.stipulation.map(|question| question.stipulation)?;
    if asked.is_helped() {
        return Some(asked.to_string());
    }
    let found = solution.result.length().map(MateLength);
    let stated = if found.is_some_and(|n| n.0 > 0) { asked.within(found) } else { asked };
    // `dm` and `bm` state the direct mates that are found, and those of the input line the ones that are asked.
    let is_stated =
        solution.operations.iter().any(|it| it.code == "dm" || it.code == "bm" && it.first().starts_with('#'));
    let is_told = found.is_none() && !is_stated && (asked.moves().is_some() || asked.defender_begins());
    (!asked.goal().is_mate() || is_told).then(|| stated.to_string())
}

/// Returns what help play has besides: the side that mates, if it is Black, and the number of intended solutions, if it
/// is not one.
fn sides(solution: &Solution) -> Vec<Operation> {
    let Some(question) = solution.stipulation.filter(|question| question.stipulation.is_helped()) else {
        return Vec::new();
    };
    let black = question.attacker.is_black().then(|| Operation::plain("attacker", ["black".to_owned()]));
    let intended = solution.help.as_ref().map(|help| help.intended).filter(|&intended| intended != 1);
    let intended = intended.map(|intended| Operation::plain("intended", [intended.to_string()]));
    black.into_iter().chain(intended).collect()
}

/// Returns the moves of a line without the move numbers.
fn bare_moves(numbered: &str) -> Vec<String> {
    numbered.split(' ').filter(|word| !word.is_empty() && !word.ends_with('.')).map(str::to_owned).collect()
}

/// Returns the text of the comment: whether the length is proved to be the shortest, or the verdict.
fn certainty(solution: &Solution) -> String {
    // The operations of `h#` do not say the length.
    let is_any_length = solution.stipulation.is_some_and(|question| question.stipulation.is_helped_at_any_length());
    let mut words = match &solution.result {
        result if result.proved_shortest && !is_any_length && !states_another_length(solution) => {
            let tables = if result.with_tables { ", with tables" } else { "" };
            format!("proved shortest{tables}")
        }
        _ => text::verdict(solution).replace('≤', "at most"),
    };
    if let Some(check) = solution.check {
        words.push_str("; check: ");
        words.push_str(check.words());
    }
    words
}

/// Returns whether the input line states a length that is not that of the mate.
fn states_another_length(solution: &Solution) -> bool {
    let is_mated = solution.result.status == Status::Mated;
    solution.operations.iter().any(|operation| {
        let first = operation.first();
        let is_own = operation.code == epd::STIPULATION;
        let states = is_own || operation.code == "dm" || (operation.code == "bm" && first.starts_with('#'));
        let length = if is_own { Stipulation::parse_stated(first) } else { Stipulation::parse(first) }.ok();
        let is_found = length.is_some_and(|it| {
            (is_own || it.defender_begins() == is_mated) && it.moves().map(|n| n.0) == solution.result.length()
        });
        states && !is_found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Problem, ProblemError};
    use crate::results::solution::Outcome;

    const LINE: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 9; id \"Prinz\"; c0 \"1951; first\"; pv e4;";

    #[test]
    fn a_result_keeps_the_other_operations_and_can_be_read_again() {
        let mut solution = Solution::of(&Problem::read(LINE).unwrap());
        solution.result = Outcome {
            mate_in: Some(2),
            refuted_through: Some(1),
            proved_shortest: true,
            verified: crate::results::testing::verified(),
            pv_san: Some("1. Rh6 gxh6 2. g7#".to_owned()),
            pv_repeatable: Some(true),
            ..Outcome::bare(Status::Mate)
        };
        assert_eq!(
            line(&solution),
            "5Kbk/6pp/6P1/8/8/8/8/7R w - - bm Rh6; dm 9; id \"Prinz\"; c0 \"1951; first\"; pv e4; c1 \"mate in 2 (proved \
             shortest)\";"
        );
        update(&mut solution);
        let written = line(&solution);
        assert_eq!(
            written,
            "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; bm Rh6; pv Rh6 gxh6 g7#; id \"Prinz\"; c0 \"1951; first\"; \
             c1 \"proved shortest\";"
        );
        let again = Problem::read(&written).unwrap();
        assert_eq!((again.question.stipulation.to_string(), again.id), ("#2".to_owned(), Some("Prinz".to_owned())));
    }

    #[test]
    fn no_line_states_two_lengths() {
        for stated in ["stip \"#\";", "stip \"#3\";", "bm #3;", "dm 3;"] {
            let problem = Problem::read(&format!("5Kbk/6pp/6P1/8/8/8/8/7R w - - {stated}")).unwrap();
            let mut solution = Solution::of(&problem);
            solution.result = Outcome { mate_in: Some(2), ..Outcome::bare(Status::Mate) };
            let written = line(&solution);
            assert_eq!(
                Problem::read(&written).unwrap().question.stipulation,
                problem.question.stipulation,
                "{written}"
            );
            assert!(written.contains("mate in at most 2"), "{written}");
        }
    }

    #[test]
    fn another_stipulation_is_written_with_the_length_that_was_found() {
        let line = "5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"s#9\"; id \"x\";";
        let mut solution = Solution::of(&Problem::read(line).unwrap());
        let asked = Problem::read(line).unwrap().question.stipulation;
        solution.stipulation = Some(crate::results::SidedStipulation::of(asked, shakmaty::Color::White));
        solution.result = Outcome {
            solved_in: Some(2.into()),
            refuted_through: Some(1),
            proved_shortest: true,
            pv_san: Some("1. Rh6 gxh6 2. g7+ Bxg7#".to_owned()),
            ..Outcome::bare(Status::Solved)
        };
        let kept = super::line(&solution);
        assert!(kept.contains("stip \"s#9\";") && kept.contains("c0 \"selfmate in 2 (proved shortest)\";"), "{kept}");
        update(&mut solution);
        let written = super::line(&solution);
        assert_eq!(
            written,
            "5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"s#2\"; bm Rh6; pv Rh6 gxh6 g7+ Bxg7#; id \"x\"; c0 \"proved shortest\";"
        );
        assert_eq!(Problem::read(&written).unwrap().question.stipulation.to_string(), "s#2");
        // Without a solution, the question stays on the line.
        solution.result = Outcome { refuted_through: Some(9), ..Outcome::bare(Status::NoSolution) };
        assert!(super::line(&solution).contains("stip \"s#9\";"));
    }

    #[test]
    fn an_undecided_result_keeps_the_operations_of_the_input() {
        let mut solution = Solution::of(&Problem::read(LINE).unwrap());
        update(&mut solution);
        assert_eq!(line(&solution), format!("{LINE} c1 \"no mate found\";"));
        let invalid = Solution::invalid(Some(3), &ProblemError::Text("no text".to_owned()));
        assert_eq!(line(&invalid), "# line 3: no text");
    }
}
