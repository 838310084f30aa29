//! Writes the solution and the themes of a report into an `.olv` entry, or writes a new entry.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::base::printable;
use crate::chess::{MateLength, Side, Stipulation};
use crate::problem::olv::{self, OlvEntry, OlvOptions};
use crate::problem::twins::PhaseOptions;
use crate::problem::{Problem, ProblemError};
use crate::results::SidedStipulation;
use crate::results::report::Report;
use crate::results::solution::StoppedBy;

use super::popeye;

/// Returns the entry with the solution of the report and with the themes among its keywords, without the line `---`. If
/// the entry has several phases, each has its heading. Returns `None` if the entry stays as it is: the solution of the
/// report is empty or incomplete, or a phase cannot be solved.
pub fn with_solution(entry: &OlvEntry, report: &Report) -> Result<Option<String>, ProblemError> {
    let (text, complete) = popeye::solution(report);
    let is_written = complete && !text.trim().is_empty();
    let Some(written) = is_written.then(|| entry.with_solution(&text)).transpose()? else { return Ok(None) };
    let found = keywords(report);
    if found.is_empty() {
        return Ok(Some(written));
    }
    let again = OlvEntry::read(&written, 1)?;
    let printed = again.texts("keywords");
    let missing: Vec<String> = found.into_iter().filter(|name| !printed.contains(&name.as_str())).collect();
    again.with_keywords(&[], &missing).map(Some)
}

/// Returns the keywords that the themes of all phases are, each once. Empty if themes were not asked for.
fn keywords(report: &Report) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let themes = report.phases.iter().chain([report]).filter_map(|phase| phase.themes.as_ref()).flatten();
    for theme in themes.filter(|theme| theme.is_keyword()) {
        if !names.iter().any(|name| name == theme.name) {
            names.push(theme.name.to_owned());
        }
    }
    names
}

/// Returns a new entry for the position of a report, including the line `---`; `None` if the report has no position.
///
/// Of a problem with several phases, the entry has the diagram and the twins. It is read again: if it would not mean
/// the same phases, a comment in its place says why.
pub fn new(report: &Report) -> Option<String> {
    if report.phases.is_empty() {
        return of_diagram(report, &[], report);
    }
    let twins = twins(&report.phases);
    let written = report.phases.first().and_then(|diagram| of_diagram(diagram, &twins, report));
    let right = written.filter(|text| means(text, &report.phases));
    Some(right.unwrap_or_else(|| UNWRITABLE.to_owned()))
}

/// Returns a new entry as `new` does, with what a JSON problem says about its publication: authors, source and date.
pub fn with_publication(report: &Report, fields: &Map<String, Value>) -> Option<String> {
    let entry = new(report)?;
    let Some(rest) = entry.strip_prefix("---\n") else { return Some(entry) };
    let mut text = "---\n".to_owned();
    for name in ["authors", "source", "date"] {
        if let Some(value) = fields.get(name).filter(|value| !value.is_null()) {
            // JSON is also YAML.
            let _ = writeln!(text, "{name}: {}", printable::json(value.to_string()));
        }
    }
    Some(text + rest)
}

/// The comment in the place of an entry that cannot be written.
const UNWRITABLE: &str = "# The problem is not written: its phases are not changes of phase a) that an .olv entry can \
                          state, or phase a) cannot be solved; use another format, or begin with an .olv entry.\n";

/// Writes an entry for the position of `diagram`, with these twins and the solution of the report.
fn of_diagram(diagram: &Report, twins: &[(String, String)], report: &Report) -> Option<String> {
    let mut problem = Problem::read(&diagram.position.as_ref()?.fen).ok()?;
    problem.id.clone_from(&report.id);
    let begins = if is_post_key(diagram) { Side::Defender } else { Side::Attacker };
    let forced = Stipulation::forced(diagram.goal(), begins, length(diagram));
    problem = problem.stipulated(helped(diagram).map_or(forced, |question| question.stipulation));
    problem.question.intended = diagram.help.as_ref().and_then(|help| u16::try_from(help.intended).ok()).unwrap_or(1);
    let all = || report.phases.iter().chain([diagram]);
    let phase = PhaseOptions {
        set_play: all().any(has_set_play),
        stops_at_short: all().any(stops_at_short),
        duplex: report.phases.iter().any(|phase| phase.phase.as_ref().is_some_and(|name| name.attacker.is_some())),
        ..PhaseOptions::default()
    };
    let options = OlvOptions { tries: diagram.options.tries, phase, ..OlvOptions::default() };
    Some(olv::entry(&problem, twins, &options, &keywords(report), &popeye::solution(report).0))
}

/// Returns the question of a report on help play.
fn helped(report: &Report) -> Option<SidedStipulation> {
    report.stipulation.filter(|question| question.stipulation.is_helped())
}

fn has_set_play(report: &Report) -> bool {
    report.set_play.is_some() || report.help.as_ref().is_some_and(|help| help.set_play.is_some())
}

fn stops_at_short(report: &Report) -> bool {
    report.stats.stopped_by == Some(StoppedBy::ShortSolutions)
}

/// Returns whether the diagram of a report stands after the key.
fn is_post_key(report: &Report) -> bool {
    report.post_key.is_some() || report.options.post_key
}

/// Returns the moves that are left in the diagram by the stipulation, or those of the shortest mate.
fn length(report: &Report) -> Option<MateLength> {
    let stated = report.stipulation.as_ref().and_then(|goal| {
        let played = u16::from(is_post_key(report) && !goal.stipulation.defender_begins());
        goal.stipulation.moves().map(|moves| MateLength(moves.0.saturating_sub(played)))
    });
    stated.or(report.verdict.mate_in.map(MateLength))
}

/// Returns the letters and texts of the twins. If no length is stated, a phase with another shortest mate states it.
fn twins(phases: &[Report]) -> Vec<(String, String)> {
    let mut twins: Vec<(String, String)> = Vec::new();
    let first = phases.first().and_then(|diagram| diagram.phase.as_ref());
    for phase in phases {
        let Some(name) = phase.phase.as_ref().filter(|name| Some(&name.letter) != first.map(|first| &first.letter))
        else {
            continue;
        };
        if twins.last().is_some_and(|(letter, _)| *letter == name.letter) {
            // The other side of a duplex.
            continue;
        }
        let mut text = if name.continued { "Continued ".to_owned() } else { String::new() };
        text.push_str(&name.heading);
        let is_stated = phase.stipulation.as_ref().is_none_or(|goal| goal.moves().is_some());
        if let Some(length) = length(phase).filter(|_| !is_stated && length(phase) != length(&phases[0])) {
            let length = MateLength(length.0 + u16::from(is_post_key(phase)));
            let _ = write!(text, " Stipulation {}", Stipulation::forced(phase.goal(), Side::Attacker, Some(length)));
        }
        twins.push((name.letter.clone(), text));
    }
    twins
}

/// Returns whether an entry has the phases of these reports.
fn means(entry: &str, reports: &[Report]) -> bool {
    let Ok(read) = OlvEntry::read(entry.trim_start_matches("---\n"), 1) else { return false };
    let phases = &read.problem.phases;
    // The number of moves since the last capture does not belong to a problem.
    let position = |fen: &str| fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    phases.len() == reports.len()
        && phases.iter().zip(reports).all(|(phase, report)| {
            let named = report.phase.as_ref();
            let is_same = |problem: &Problem| match helped(report) {
                Some(question) => {
                    problem.question.stipulation == question.stipulation && problem.attacker() == question.attacker
                }
                None => problem.question.stipulation.moves() == length(report),
            };
            let same_name = named.is_some_and(|name| {
                (&name.letter, name.continued, name.attacker)
                    == (&phase.name.letter, phase.name.continued, phase.name.attacker)
            });
            same_name
                && match (&phase.problem, &report.position) {
                    (Ok(problem), Some(diagram)) => {
                        position(&problem.fen) == position(&diagram.fen) && is_same(problem)
                    }
                    // A phase that is not solved has only its name.
                    (Err(_), None) => named.is_some_and(|name| name.heading == phase.name.heading),
                    _ => false,
                }
        })
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
        let written = with_solution(&entry, &report()).unwrap().unwrap();
        assert!(written.starts_with("algebraic: {") && written.contains("solution: |2\n"), "{written}");
        let again = OlvEntry::read(&written, 2).unwrap();
        assert!(again.problem.solution.as_deref().is_some_and(|text| text.contains("1.Rh1-h6 ! zugzwang.\n")));
        assert_eq!(with_solution(&again, &report()).unwrap(), Some(written));
    }

    #[test]
    fn an_incomplete_solution_leaves_the_entry_unchanged() {
        let entry = OlvEntry::read(ENTRY, 1).unwrap();
        let mut undecided = report();
        undecided.verdict.complete = false;
        assert_eq!(with_solution(&entry, &undecided).unwrap(), None);
        let phases = vec![report(), undecided];
        assert_eq!(with_solution(&entry, &Report { phases, ..report() }).unwrap(), None);
    }

    #[test]
    fn a_new_entry_is_written_for_a_position() {
        let written = new(&report()).unwrap();
        let entry = OlvEntry::read(written.strip_prefix("---\n").unwrap(), 2).unwrap();
        assert_eq!(Some(entry.problem.fen), report().position.map(|position| position.fen));
        assert_eq!((entry.options.tries, entry.options.phase.set_play), (Some(1), true));
        assert!(entry.problem.solution.is_some_and(|text| text.contains("1.Rh1-h6 ! zugzwang.")));
    }
}
