//! The play of a solution as far as two diagrams are compared by it: the continuations after each first defence.

use super::change::SquareMap;
use crate::chess::{Duty, MateLength, Move, MoveCode, Position};
use crate::results::workbench::Kept;
use crate::search::Interrupted;
use crate::search::decider::Decider;

/// A defence, and the moves that then reach the goal in the shortest time. They do not include a threat.
#[derive(Debug, Clone)]
pub(super) struct Variation {
    pub defence: Move,
    pub continuations: Vec<Move>,
}

/// The variations after a key.
#[derive(Debug, Clone, Default)]
pub(super) struct Play {
    pub variations: Vec<Variation>,
    /// Defences that a threat answers.
    pub threatened: Vec<Move>,
}

impl Play {
    /// Finds the variations. `after` is the position after the key, `rest` the moves that are left to the attacker.
    pub(super) fn find(decider: &mut Decider<'_, '_>, after: &Position, rest: MateLength) -> Result<Play, Interrupted> {
        let threats = threats(decider, after, rest)?;
        let mut play = Play::default();
        for defence in decider.goal().replies(after) {
            let child = decider.play(after, defence)?;
            let Some(length) = decider.shortest_mate(&child, rest)? else { continue };
            let continuations = decider.mating_moves(&child, length)?;
            if threats.iter().any(|threat| continuations.iter().any(|m| m.code() == *threat)) {
                play.threatened.push(defence);
            } else {
                play.variations.push(Variation { defence, continuations });
            }
        }
        Ok(play)
    }

    /// Compares the play of a changed diagram with this one. `map` says where its squares went; `key` says whether the
    /// key is the same.
    pub(super) fn kept(&self, other: &Play, map: &SquareMap, key: bool) -> Kept {
        let mut kept = Kept { key, of: self.variations.len(), ..Kept::default() };
        for variation in &self.variations {
            let defence = map.code(variation.defence);
            let found = other.variations.iter().find(|other| other.defence.code() == defence);
            let Some(found) = found else { continue };
            let before: Vec<MoveCode> = variation.continuations.iter().map(|&m| map.code(m)).collect();
            let same = found.continuations.iter().all(|m| before.contains(&m.code()));
            if same && !found.continuations.is_empty() {
                kept.variations += 1;
            } else if !found.continuations.iter().any(|m| before.contains(&m.code())) {
                kept.changed += 1;
            }
        }
        kept
    }

    /// Returns a defence after which the continuations of `other` are not those of this play.
    pub(super) fn difference<'p>(&self, other: &'p Play, map: &SquareMap) -> Option<&'p Variation> {
        other.variations.iter().find(|new| {
            let old = self.variations.iter().find(|old| map.code(old.defence) == new.defence.code());
            old.is_none_or(|old| {
                let codes: Vec<MoveCode> = old.continuations.iter().map(|&m| map.code(m)).collect();
                codes.len() != new.continuations.len() || !new.continuations.iter().all(|m| codes.contains(&m.code()))
            })
        })
    }
}

/// Returns the moves that would solve if the defender passed.
fn threats(decider: &mut Decider<'_, '_>, after: &Position, rest: MateLength) -> Result<Vec<MoveCode>, Interrupted> {
    if rest == MateLength(0) || decider.goal().duty != Duty::None {
        return Ok(Vec::new());
    }
    let Some(passed) = after.pass() else { return Ok(Vec::new()) };
    let Some(length) = decider.shortest_mate(&passed, rest)? else { return Ok(Vec::new()) };
    Ok(decider.mating_moves(&passed, length)?.into_iter().map(Move::code).collect())
}
