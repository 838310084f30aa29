//! Compares the play of a report with the published one.

use std::collections::{BTreeMap, BTreeSet};

use crate::output::popeye;
use crate::published::{Printed, paths, uci};
use crate::results::report::{Continuation, Next, Report, Severity};

use super::keys::Moves;

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

/// A second move of the attacker that was published, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SecondMove {
    /// The defence, in standard algebraic notation.
    pub defence: String,
    /// The published moves, in UCI notation.
    pub published: Moves,
    /// The right moves, in standard algebraic notation.
    pub right: Vec<String>,
}

/// Returns the duals on the second move that the published part conceals: it gives some of the moves, but not all.
/// Duals after a threat and in the promotion only do not count.
pub(super) fn concealed_duals(report: &Report, printed: &Printed) -> Vec<SecondMove> {
    let after_key = |dual: &&crate::results::report::Dual| {
        dual.at_move == 2 && dual.severity == Severity::Major && !dual.in_threat && dual.line.len() == 2
    };
    let duals = report.duals.iter().filter(after_key);
    let duals = duals.filter(|dual| Some(&uci(dual.line[0].mv)) == printed.first.as_ref());
    let faults = duals.filter_map(|dual| {
        let published = printed.variations.get(&uci(dual.line[1].mv))?;
        let all: Moves = dual.moves.iter().map(|ply| uci(ply.mv)).collect();
        let conceals = !published.is_empty() && published.is_subset(&all) && published.len() < all.len();
        conceals.then(|| SecondMove {
            defence: dual.line[1].san.clone(),
            published: published.clone(),
            right: dual.moves.iter().map(|ply| ply.san.clone()).collect(),
        })
    });
    faults.collect()
}

/// Returns the variations of a two-mover in which a published second move does not mate.
pub(super) fn false_mates(report: &Report, printed: &Printed) -> Vec<SecondMove> {
    let key = report.keys.iter().find(|key| Some(uci(key.ply.mv)) == printed.first && key.mate_in == 2);
    let Some(Next::Play(id)) = key.map(|key| key.next) else { return Vec::new() };
    let faults = report.tree.play(id).variations.iter().filter_map(|variation| {
        let published = printed.variations.get(&uci(variation.defence.mv))?;
        let right: Moves = variation.continuations.iter().map(|it| uci(it.ply.mv)).collect();
        (!published.is_subset(&right)).then(|| SecondMove {
            defence: variation.defence.san.clone(),
            published: published.difference(&right).cloned().collect(),
            right: variation.continuations.iter().map(|it| it.ply.san.clone()).collect(),
        })
    });
    faults.collect()
}
