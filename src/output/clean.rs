//! Replaces the unsafe characters in the texts that a result or a report takes from the input, before a format that has
//! no escapes for them is written. [`crate::base::printable`] says which they are.

use std::borrow::Cow;

use crate::base::printable::{is_unsafe, line};
use crate::problem::epd::Operation;
use crate::results::{Report, Solution};

/// Returns the result with texts that are safe to print.
pub(super) fn solution(solution: &Solution) -> Cow<'_, Solution> {
    let of_operations = solution.operations.iter().flat_map(texts_of);
    if !texts(solution.id.as_ref(), solution.error.as_ref(), &solution.warnings)
        .chain(of_operations)
        .any(|text| text.contains(is_unsafe))
    {
        return Cow::Borrowed(solution);
    }
    let mut clean = solution.clone();
    clean_texts(&mut clean.id, &mut clean.error, &mut clean.warnings);
    for operation in &mut clean.operations {
        operation.code = line(&operation.code).into_owned();
        for operand in &mut operation.operands {
            operand.text = line(&operand.text).into_owned();
        }
    }
    Cow::Owned(clean)
}

/// Returns the report with texts that are safe to print.
pub(super) fn report(report: Cow<'_, Report>) -> Cow<'_, Report> {
    if is_safe(&report) {
        return report;
    }
    let mut clean = report.into_owned();
    make_safe(&mut clean);
    Cow::Owned(clean)
}

fn is_safe(report: &Report) -> bool {
    let name = report.phase.iter().flat_map(|name| [&name.letter, &name.heading]).map(String::as_str);
    let mut texts = texts(report.id.as_ref(), report.error.as_ref(), &report.warnings).chain(name);
    !texts.any(|text| text.contains(is_unsafe)) && report.phases.iter().all(is_safe)
}

fn make_safe(report: &mut Report) {
    clean_texts(&mut report.id, &mut report.error, &mut report.warnings);
    for text in report.phase.iter_mut().flat_map(|name| [&mut name.letter, &mut name.heading]) {
        *text = line(text).into_owned();
    }
    report.phases.iter_mut().for_each(make_safe);
}

fn texts<'a>(
    id: Option<&'a String>,
    error: Option<&'a String>,
    warnings: &'a [String],
) -> impl Iterator<Item = &'a str> {
    id.into_iter().chain(error).chain(warnings).map(String::as_str)
}

fn texts_of(operation: &Operation) -> impl Iterator<Item = &str> {
    let operands = operation.operands.iter().map(|operand| operand.text.as_str());
    std::iter::once(operation.code.as_str()).chain(operands)
}

fn clean_texts(id: &mut Option<String>, error: &mut Option<String>, warnings: &mut [String]) {
    for text in id.iter_mut().chain(error).chain(warnings) {
        *text = line(text).into_owned();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::report::{ReportFormat, ReportStyle};
    use super::super::{Format, sample};
    use super::*;
    use crate::problem::{Problem, ProblemError};
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
                    let item = format.item(&solution, false);
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
