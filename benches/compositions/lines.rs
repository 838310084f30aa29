//! Compares the play of a report with the printed one, line by line.

use std::collections::{BTreeMap, BTreeSet};

use matesolve::audit::keys::Moves;
use matesolve::output::popeye;
use matesolve::published::{Printed, paths, uci};
use matesolve::results::report::{Continuation, Next, Report};

/// The result of comparing the lines of one part of a solution.
#[derive(Debug, Clone, Default)]
pub struct LineCounts {
    /// The number of lines that agree. All threats are one line; each defence with all its continuations is one.
    pub same: usize,
    /// Descriptions of the lines that differ.
    pub different: Vec<String>,
}

/// Compares the lines printed for the key of a two-mover with the report. Returns `None` if the report has no such key.
pub fn compare_lines(report: &Report, printed: &Printed) -> Option<LineCounts> {
    let key = report.keys.iter().find(|key| Some(uci(key.ply.mv)) == printed.first)?;
    let Next::Play(id) = key.next else { return None };
    let play = report.tree.play(id);
    let set = |continuations: &[Continuation]| -> Moves { continuations.iter().map(|c| uci(c.ply.mv)).collect() };
    let ours: BTreeMap<String, Moves> =
        play.variations.iter().map(|variation| (uci(variation.defence.mv), set(&variation.continuations))).collect();
    let mut lines = LineCounts::default();
    let mut line = |what: String, ours: Option<&Moves>, theirs: Option<&Moves>| {
        if ours == theirs {
            lines.same += 1;
        } else {
            lines.different.push(format!("{what}: {} here, {} printed", words(ours), words(theirs)));
        }
    };
    line("threats".to_owned(), Some(&set(play.threats())), Some(&printed.threats));
    let defences: BTreeSet<&String> = ours.keys().chain(printed.variations.keys()).collect();
    for defence in defences {
        line(format!("1...{defence}"), ours.get(defence), printed.variations.get(defence));
    }
    Some(lines)
}

/// Compares the whole tree printed by Popeye with the report's tree in the same layout.
pub fn compare_trees(report: &Report, text: &str) -> LineCounts {
    let (ours, theirs) = (paths(&popeye::solution(report).0), paths(text));
    let different = ours.symmetric_difference(&theirs).cloned().collect();
    LineCounts { same: ours.intersection(&theirs).count(), different }
}

/// Describes a set of moves.
fn words(moves: Option<&Moves>) -> String {
    match moves {
        None => "not shown".to_owned(),
        Some(moves) if moves.is_empty() => "none".to_owned(),
        Some(moves) => moves.iter().map(String::as_str).collect::<Vec<_>>().join(" "),
    }
}
