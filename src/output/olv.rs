//! Writes the solution of a report into an `.olv` entry, or writes a new entry.

use crate::chess::MateLength;
use crate::problem::olv::{self, OlvEntry, OlvError, OlvOptions};
use crate::problem::{Problem, Stipulation};
use crate::results::report::Report;

use super::popeye;

/// Returns the entry, including the line `---`, with the solution of the report. If the entry has several phases, each has
/// its heading. The entry is returned unchanged if the solution of the report is empty or incomplete, or if a phase
/// cannot be solved.
pub(crate) fn solved(entry: &OlvEntry, report: &Report) -> Result<String, OlvError> {
    let solution = with_solution(entry, report)?;
    Ok(format!("---\n{}", solution.as_deref().unwrap_or(entry.source())))
}

/// Returns the entry with the solution of the report, without the line `---`; `None` if the entry stays as it is.
pub(crate) fn with_solution(entry: &OlvEntry, report: &Report) -> Result<Option<String>, OlvError> {
    let (text, complete) = popeye::solution(report);
    let is_written = complete && !text.trim().is_empty();
    is_written.then(|| entry.with_solution(&text)).transpose()
}

/// Returns a new entry for the position of a report, including the line `---`; `None` if the report has no position.
pub(crate) fn new(report: &Report) -> Option<String> {
    let mut problem = Problem::read(&report.position.as_ref()?.fen).ok()?;
    problem.id.clone_from(&report.id);
    let goal = report.stipulation.as_ref()?;
    let mated = report.post_key.is_some() || report.options.post_key;
    let moves = goal.moves.map(|moves| moves - u16::from(mated && !goal.text.starts_with("#-")));
    problem.stipulation = Stipulation { moves: moves.or(report.verdict.mate_in).map(MateLength), mated };
    let options =
        OlvOptions { set_play: report.set_play.is_some(), tries: report.options.tries, ..OlvOptions::default() };
    Some(olv::entry(&problem, &options, &popeye::solution(report).0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::report;

    const ENTRY: &str = "\
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}
stipulation: \"#2\"
solution: 1.Rh1-h6 # by hand
";

    #[test]
    fn a_complete_solution_is_written_into_the_entry() {
        let entry = OlvEntry::read(ENTRY, 1).unwrap();
        let written = solved(&entry, &report()).unwrap();
        assert!(written.starts_with("---\nalgebraic: {") && written.contains("solution: |2\n"), "{written}");
        let again = OlvEntry::read(&written[4..], 2).unwrap();
        assert!(again.solution.as_deref().is_some_and(|text| text.contains("1.Rh1-h6 ! zugzwang.\n")));
        assert_eq!(solved(&again, &report()).unwrap(), written);
    }

    #[test]
    fn an_incomplete_solution_leaves_the_entry_unchanged() {
        let entry = OlvEntry::read(ENTRY, 1).unwrap();
        let mut undecided = report();
        undecided.verdict.complete = false;
        assert_eq!(solved(&entry, &undecided).unwrap(), format!("---\n{ENTRY}"));
        let phases = vec![report(), undecided];
        assert!(solved(&entry, &Report { phases, ..report() }).unwrap().contains("by hand"));
    }

    #[test]
    fn a_new_entry_is_written_for_a_position() {
        let written = new(&report()).unwrap();
        let entry = OlvEntry::read(written.strip_prefix("---\n").unwrap(), 2).unwrap();
        assert_eq!(Some(entry.problem.fen), report().position.map(|position| position.fen));
        assert_eq!((entry.options.tries, entry.options.set_play), (Some(1), true));
        assert!(entry.solution.is_some_and(|text| text.contains("1.Rh1-h6 ! zugzwang.")));
    }
}
