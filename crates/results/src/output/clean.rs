//! Replaces the unsafe characters in the texts that a result takes from the input, before a format that has no escapes
//! for them is written. [`crate::base::printable`] says which they are; `report::letters` does the same to reports.

use std::borrow::Cow;
use std::iter::once;

use crate::base::printable::line;
use crate::results::Solution;

/// Returns the result with texts that are safe to print. What is safe, as nearly all is, is not copied: the solutions
/// of help play can take all memory that there is.
pub(super) fn solution(solution: &Solution) -> Cow<'_, Solution> {
    let operations =
        solution.operations.iter().flat_map(|it| once(&it.code).chain(it.operands.iter().map(|it| &it.text)));
    let mut texts = solution.id.iter().chain(&solution.error).chain(&solution.warnings).chain(operations);
    if texts.all(|text| matches!(line(text), Cow::Borrowed(_))) {
        return Cow::Borrowed(solution);
    }
    let mut clean = solution.clone();
    let operations = clean.operations.iter_mut().flat_map(|operation| {
        once(&mut operation.code).chain(operation.operands.iter_mut().map(|operand| &mut operand.text))
    });
    for text in clean.id.iter_mut().chain(&mut clean.error).chain(&mut clean.warnings).chain(operations) {
        *text = line(text).into_owned();
    }
    Cow::Owned(clean)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::report::{ReportFormat, ReportStyle};
    use super::super::{Format, sample, stream};
    use super::*;
    use crate::base::printable::is_unsafe;
    use crate::problem::epd::Operation;
    use crate::problem::{Problem, ProblemError};
    use crate::results::Report;
    use crate::results::solution::{Outcome, Status};

    /// Texts with many of the characters that must not be printed.
    fn hostile() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            any::<char>().prop_map(String::from),
            "[\u{0}-\u{1f}\u{7f}-\u{9f}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}]",
            Just("\n2 b mate in 1 (proved shortest)".to_owned()),
            Just("\u{1b}]0;title\u{7}".to_owned()),
        ];
        prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
    }

    /// Removes the styles that the text formats write on purpose.
    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    /// Returns whether a text has only `lines` line feeds and no other unsafe character.
    fn has_lines(text: &str, lines: usize) -> bool {
        !text.contains(|c| c != '\n' && is_unsafe(c)) && text.matches('\n').count() == lines
    }

    fn solutions(id: &str, error: &str) -> [Solution; 2] {
        let mut solved = Solution::of(&Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap());
        solved.id = Some(id.to_owned());
        solved.operations = vec![Operation::string("c0", error), Operation::plain(error, [id.to_owned()])];
        solved.warnings = vec![error.to_owned()];
        solved.result = Outcome { mate_in: Some(2), ..Outcome::bare(Status::Mate) };
        [solved, Solution::invalid(Some(3), &ProblemError::Text(error.to_owned()))]
    }

    proptest! {
        #[test]
        fn no_text_of_the_input_adds_a_line_or_a_control_character_to_a_result(id in hostile(), error in hostile()) {
            for solution in solutions(&id, &error) {
                for format in [Format::Text, Format::Epd, Format::Jsonl, Format::Csv] {
                    // Unstyled text is compared: `strip_str` would also remove control characters of the input.
                    let item = stream::text(|out| format.write_item(&solution, false, out));
                    let styles = item.matches("\u{1b}[").count();
                    prop_assert!(item.matches('\u{1b}').count() == styles && has_lines(&plain(&item), 0), "{item:?}");
                }
                let json = Format::Json.single(&solution);
                let lines = Format::Json.single(&solutions("a", "b")[usize::from(solution.fen.is_none())]);
                prop_assert!(has_lines(&json, lines.matches('\n').count()), "{json:?}");
            }
        }

        #[test]
        fn no_text_of_the_input_adds_a_line_or_a_control_character_to_a_report(id in hostile(), error in hostile()) {
            let report = |id: &str, error: &str| Report {
                id: Some(id.to_owned()),
                error: Some(error.to_owned()),
                warnings: vec![error.to_owned()],
                ..sample::report()
            };
            for format in [
                ReportFormat::Text,
                ReportFormat::Json,
                ReportFormat::Jsonl,
                ReportFormat::Popeye,
                ReportFormat::Html,
                ReportFormat::Latex,
                ReportFormat::Olv,
            ] {
                let of = |id, error| plain(&format.write(&report(id, error), ReportStyle::default()));
                let (written, expected) = (of(&id, &error), of("a", "b"));
                prop_assert!(has_lines(&written, expected.matches('\n').count()), "{format:?} {written:?}");
            }
        }
    }
}
