//! Compares the second moves of a report with the published ones: duals that a solution conceals, and in a two-mover
//! moves that do not reach the goal.

use shakmaty::{Chess, Position as _, san::SanPlus};

use crate::proof::played;
use crate::published::{Printed, uci};
use crate::results::report::{Next, Report, Severity};

use super::keys::Moves;

/// A second move of the attacker that was published, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SecondMove {
    /// The defence, in standard algebraic notation.
    pub defence: String,
    /// The published moves that are meant, in standard algebraic notation.
    pub published: Vec<String>,
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
            published: Vec::new(),
            right: dual.moves.iter().map(|ply| ply.san.clone()).collect(),
        })
    });
    faults.collect()
}

/// Returns the variations of a two-mover in which a published second move does not reach the goal.
pub(super) fn false_mates(report: &Report, start: &Chess, printed: &Printed) -> Vec<SecondMove> {
    let key = report.keys.iter().find(|key| Some(uci(key.ply.mv)) == printed.first && key.mate_in == 2);
    let Some((key, Next::Play(id))) = key.map(|key| (key, key.next)) else { return Vec::new() };
    let faults = report.tree.play(id).variations.iter().filter_map(|variation| {
        let published = printed.variations.get(&uci(variation.defence.mv))?;
        let right: Moves = variation.continuations.iter().map(|it| uci(it.ply.mv)).collect();
        (!published.is_subset(&right)).then(|| SecondMove {
            defence: variation.defence.san.clone(),
            published: sans(&played(&played(start, key.ply.mv, &[]), variation.defence.mv, &[]), &(published - &right)),
            right: variation.continuations.iter().map(|it| it.ply.san.clone()).collect(),
        })
    });
    faults.collect()
}

/// Writes legal moves in standard algebraic notation.
pub(super) fn sans(chess: &Chess, moves: &Moves) -> Vec<String> {
    let legal = chess.legal_moves().into_iter().filter(|&m| moves.contains(&uci(m)));
    let mut sans: Vec<String> = legal.map(|m| SanPlus::from_move(chess.clone(), m).to_string()).collect();
    sans.sort_unstable();
    sans
}
