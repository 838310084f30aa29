//! Entries of `.olv` collections with their solution filled in, and new entries for problems that had none.

use crate::problem::Problem;
use crate::problem::olv::{self, Entry, OlvError};
use crate::problem::report::Report;

use super::popeye;

/// The entry, with its line `---`, and the report's solution in place of its own. An entry whose report has nothing to
/// print, or not all of it, stays as it is: a published solution is not replaced by half a one. So does an entry with
/// twins, whose solution is not of the diagram alone.
pub fn solved(entry: &Entry, report: &Report) -> Result<String, OlvError> {
    let (text, complete) = popeye::solution(report);
    let solution = if complete && !entry.twins && !text.trim().is_empty() {
        entry.with_solution(&text)?
    } else {
        entry.source().to_owned()
    };
    Ok(format!("---\n{solution}"))
}

/// A new entry for a problem, with its line `---`.
pub fn new(problem: &Problem, report: &Report) -> String {
    olv::entry(problem, &popeye::solution(report).0)
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
    fn a_solution_is_filled_in() {
        let entry = Entry::read(ENTRY, 1).unwrap();
        let written = solved(&entry, &report()).unwrap();
        assert!(written.starts_with("---\nalgebraic: {") && written.contains("solution: |2\n"), "{written}");
        let again = Entry::read(&written[4..], 2).unwrap();
        assert!(again.solution.as_deref().is_some_and(|text| text.contains("1.Rh1-h6 ! zugzwang.\n")));
        assert_eq!(solved(&again, &report()).unwrap(), written);
    }

    #[test]
    fn half_a_solution_replaces_nothing() {
        let entry = Entry::read(ENTRY, 1).unwrap();
        let mut undecided = report();
        undecided.verdict.complete = false;
        assert_eq!(solved(&entry, &undecided).unwrap(), format!("---\n{ENTRY}"));
        let twins = Entry::read(&format!("{ENTRY}twins: {{b: Remove h7}}\n"), 1).unwrap();
        assert!(solved(&twins, &report()).unwrap().contains("by hand"));
    }

    #[test]
    fn a_position_becomes_an_entry() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").unwrap();
        let written = new(&problem, &report());
        let entry = Entry::read(written.strip_prefix("---\n").unwrap(), 2).unwrap();
        assert_eq!(entry.problem.fen, problem.fen);
    }
}
