//! The play of a solution as far as two diagrams are compared by it: the continuations after each first defence that no
//! threat answers and, after an only continuation, those after each second defence.

use super::change::SquareMap;
use crate::chess::{Duty, MateLength, Move, MoveCode, Position, rules};
use crate::results::workbench::Kept;
use crate::search::Interrupted;
use crate::search::decider::Decider;

/// A defence, and the moves that then reach the goal in the shortest time. They do not include a threat.
#[derive(Debug, Clone)]
pub(super) struct Variation {
    pub defence: Move,
    /// None if the defence itself reaches the goal.
    pub continuations: Vec<Move>,
    /// The play after the continuation, if there is one and it does not reach the goal at once.
    pub second: Option<KeyPlay>,
}

/// The variations after a key.
#[derive(Debug, Clone, Default)]
pub(super) struct KeyPlay {
    pub variations: Vec<Variation>,
    /// Defences that a threat answers.
    pub threatened: Vec<Move>,
}

/// A variation that does not stay, and what there is instead.
pub(super) type Lost<'p> = (&'p Variation, Option<&'p Variation>);

static NO_PLAY: KeyPlay = KeyPlay { variations: Vec::new(), threatened: Vec::new() };

/// The defences of a line that are compared.
const DEFENCES: u8 = 2;

impl KeyPlay {
    /// Finds the variations. `after` is the position after the key, `rest` the moves that are left to the attacker.
    pub(super) fn find(
        decider: &mut Decider<'_, '_>,
        after: &Position,
        rest: MateLength,
    ) -> Result<KeyPlay, Interrupted> {
        KeyPlay::find_defences(decider, after, rest, DEFENCES)
    }

    /// Finds the variations with this number of defences one after the other.
    fn find_defences(
        decider: &mut Decider<'_, '_>,
        after: &Position,
        rest: MateLength,
        defences: u8,
    ) -> Result<KeyPlay, Interrupted> {
        let threats = threats(decider, after, rest)?;
        let mut play = KeyPlay::default();
        for defence in rules::replies(decider.goal(), after) {
            let child = decider.play(after, defence)?;
            let Some(length) = decider.shortest_mate(&child, rest)? else { continue };
            let continuations = decider.mating_moves(&child, length)?;
            if threats.iter().any(|threat| continuations.iter().any(|m| m.code() == *threat)) {
                play.threatened.push(defence);
                continue;
            }
            let mut second = None;
            if let ([only], Some(rest), 2..) = (&continuations[..], length.shorter(), defences)
                && rest > MateLength(0)
            {
                let next = decider.play(&child, *only)?;
                second = Some(KeyPlay::find_defences(decider, &next, rest, defences - 1)?);
            }
            play.variations.push(Variation { defence, continuations, second });
        }
        Ok(play)
    }

    /// Compares the play of a changed diagram with this one. `map` says where its squares went; `key` says whether the
    /// key is the same.
    pub(super) fn kept(&self, other: &KeyPlay, map: &SquareMap, key: bool) -> Kept {
        let mut kept = Kept { key, of: self.variations.len(), ..Kept::default() };
        for (old, new) in self.beside(other, map) {
            kept.variations += usize::from(new.is_some_and(|new| old.stays(new, map)));
            kept.changed += usize::from(new.is_some_and(|new| old.changes(new, map)));
        }
        kept
    }

    /// Returns a variation that does not stay in `other`, and what answers its defence there; `None` if the defence
    /// cannot be played, or if the threat answers it.
    pub(super) fn lost<'p>(&'p self, other: &'p KeyPlay, map: &SquareMap) -> Option<Lost<'p>> {
        self.beside(other, map).find(|(old, new)| new.is_none_or(|new| !old.stays(new, map)))
    }

    /// Returns a variation of `other` whose defence has none here.
    pub(super) fn added<'p>(&self, other: &'p KeyPlay, map: &SquareMap) -> Option<&'p Variation> {
        let here: Vec<MoveCode> = self.variations.iter().map(|old| map.code(old.defence)).collect();
        other.variations.iter().find(|new| !here.contains(&new.defence.code()))
    }

    /// Returns each variation with that of `other` after the same defence.
    fn beside<'p>(
        &'p self,
        other: &'p KeyPlay,
        map: &SquareMap,
    ) -> impl Iterator<Item = (&'p Variation, Option<&'p Variation>)> {
        self.variations.iter().map(|old| {
            let defence = map.code(old.defence);
            (old, other.variations.iter().find(|new| new.defence.code() == defence))
        })
    }
}

impl Variation {
    /// Returns whether the defence reaches the goal, so that there is nothing to answer.
    pub(super) fn ends(&self) -> bool {
        self.continuations.is_empty()
    }

    /// Returns how many continuations of `new` are continuations here.
    fn common(&self, new: &Variation, map: &SquareMap) -> usize {
        let here: Vec<MoveCode> = self.continuations.iter().map(|&m| map.code(m)).collect();
        new.continuations.iter().filter(|m| here.contains(&m.code())).count()
    }

    /// Returns whether all continuations of `new` are others, or the defence reaches the goal in one of the two
    /// diagrams only.
    fn changes(&self, new: &Variation, map: &SquareMap) -> bool {
        !(self.ends() && new.ends()) && self.common(new, map) == 0
    }

    /// Returns whether `new` has the same continuations, or some of them, and no other; and the same play after the
    /// only one. A defence that reaches the goal must reach it there too.
    fn stays(&self, new: &Variation, map: &SquareMap) -> bool {
        self.answers_stay(new, map) && self.lost_second(new, map).is_none()
    }

    fn answers_stay(&self, new: &Variation, map: &SquareMap) -> bool {
        self.ends() == new.ends() && self.common(new, map) == new.continuations.len()
    }

    /// Returns the variation after the only continuation that does not stay, as [`KeyPlay::lost`] does.
    pub(super) fn lost_second<'p>(&'p self, new: &'p Variation, map: &SquareMap) -> Option<Lost<'p>> {
        let second = self.second.as_ref().filter(|_| self.answers_stay(new, map))?;
        second.lost(new.second.as_ref().unwrap_or(&NO_PLAY), map)
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
