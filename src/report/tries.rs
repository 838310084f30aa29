//! Finds the tries: first moves that only a few defences refute.
//!
//! All first moves are decided before, so the table already contains one refutation of each. The count for a first move
//! stops when it has one refutation more than a try may have.

use crate::chess::{MateLength, Move, NodeKind, Position, rules};

use super::first_moves::{Diagram, FirstMoves};
use super::progress::ReportEvent;
use super::workers::Workers;

/// A first move that fails, and all defences that refute it.
#[derive(Debug, Clone)]
pub(super) struct FoundTry {
    pub m: Move,
    /// The position after it.
    pub after: Position,
    pub refutations: Vec<Move>,
}

/// Finds the first moves that at most `max` defences refute within `moves` moves. `None` if a limit was reached.
pub(super) fn find_tries(
    diagram: &Diagram<'_>,
    first_moves: &FirstMoves,
    moves: MateLength,
    max: u16,
    workers: &mut Workers<'_, '_>,
) -> Option<Vec<FoundTry>> {
    let rest = moves.shorter().filter(|rest| *rest > MateLength(0) || diagram.goal().is_self());
    let Some(rest) = rest else { return Some(Vec::new()) };
    let failed: Vec<_> = first_moves
        .refuted()
        .filter(|first| rules::over(diagram.goal(), &first.after, NodeKind::And).is_none())
        .collect();
    let found = workers.map(&failed, |decider, first| decider.refutations(&first.after, rest, usize::from(max)));
    let mut tries = Vec::new();
    for (first, refutations) in failed.iter().zip(found) {
        if let Some(refutations) = refutations? {
            let san = diagram.scribe.ply(&diagram.root, first.m).san;
            let event = ReportEvent::Try { san, refutations: refutations.len() };
            workers.send(event);
            tries.push(FoundTry { m: first.m, after: first.after, refutations });
        }
    }
    Some(tries)
}
