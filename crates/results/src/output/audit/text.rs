//! Writes an audit as text: a line with the verdict, and below it lines with findings and themes; and the line of a
//! problem in the list of unsound ones.

use std::fmt::Write as _;

use crate::base::printable;
use crate::results::audit::{Audit, AuditVerdict, Finding};

/// The number of findings of a problem that are written out, and of the moves or lines of each.
const SHOWN: usize = 8;

/// Writes the lines of one problem, with line breaks.
pub fn entry(audit: &Audit) -> String {
    let mut text = format!("{}{}: {}", audit.line.unwrap_or_default(), name(audit), audit.verdict.words());
    if audit.marked && audit.verdict.disagrees() {
        text.push_str(", as the collection says");
    }
    text.push('\n');
    if let Some(error) = &audit.error {
        let _ = writeln!(text, "    {}", printable::line(error));
    }
    for sentence in sentences(audit).take(SHOWN) {
        let _ = writeln!(text, "    {sentence}");
    }
    if let Some(themes) = &audit.themes {
        for (words, list) in [
            ("themes printed and found", &themes.confirmed),
            ("themes printed, not found", &themes.not_found),
            ("themes found, not printed", &themes.not_printed),
        ] {
            if !list.is_empty() {
                let _ = writeln!(text, "    {words}: {}", printable::line(&list.join(", ")));
            }
        }
    }
    let more = audit.findings().count().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(text, "    and {more} more");
    }
    text
}

/// Writes the line of a problem in the list of unsound ones: year, author, source, verdict and moves.
pub fn unsound(audit: &Audit, file: &str) -> String {
    let year = audit.year.map_or("????".to_owned(), |year| year.to_string());
    let stipulations = audit.phases.iter().filter_map(|phase| phase.stipulation.as_deref());
    let stipulation = stipulations.max().unwrap_or("#");
    let authors = if audit.authors.is_empty() { "unknown".to_owned() } else { audit.authors.join(" & ") };
    let source = audit.source.as_deref().map_or(String::new(), |source| format!(", {source}"));
    let bad = audit.phases.iter().filter(|phase| phase.verdict.disagrees());
    let findings: Vec<String> = bad.filter_map(|phase| phase.findings.first()).map(sentence).collect();
    let has_solution = audit.phases.iter().any(|phase| phase.keys.is_some());
    let unsolved = if has_solution { "" } else { " (no solution is given)" };
    let line = format!(
        "{year} {authors}{source} ({file}:{}{}), {stipulation} {}{unsolved}: {}",
        audit.line.unwrap_or_default(),
        name(audit),
        audit.verdict.words(),
        findings.join("; ")
    );
    printable::line(&line).into_owned()
}

/// Returns the findings as sentences, each with the letter of its phase.
pub(super) fn sentences(audit: &Audit) -> impl Iterator<Item = String> {
    audit.findings().map(|(letter, finding)| {
        let letter = letter.map_or(String::new(), |letter| format!("{letter}) "));
        format!("{letter}{}", sentence(finding))
    })
}

/// Returns what stands beside an audit in a booklet: the verdict and the findings.
pub fn note(audit: &Audit) -> String {
    let words = std::iter::once(audit.verdict.words().to_owned()).chain(sentences(audit));
    words.collect::<Vec<_>>().join("; ")
}

fn name(audit: &Audit) -> String {
    audit.id.as_deref().map_or(String::new(), |id| format!(" {}", printable::line(id)))
}

/// Writes a finding as a sentence with its place and moves.
fn sentence(finding: &Finding) -> String {
    let place = finding.place.as_ref().map_or(String::new(), |place| match place.in_file {
        Some((line, column)) => format!("line {line}, column {column}, \"{}\": ", place.word),
        None => format!("line {} of the solution, column {}, \"{}\": ", place.line, place.column, place.word),
    });
    let shown = &finding.moves[..SHOWN.min(finding.moves.len())];
    let moves = if shown.is_empty() { String::new() } else { format!(": {}", shown.join(" ")) };
    let more = finding.moves.len() - shown.len();
    let moves = if more > 0 { format!("{moves} and {more} more") } else { moves };
    printable::line(&format!("{place}{}{moves}", finding.text)).into_owned()
}

/// Returns whether a problem belongs in a list of differences.
pub fn is_notable(audit: &Audit) -> bool {
    audit.verdict > AuditVerdict::Agrees || audit.findings().next().is_some()
}
