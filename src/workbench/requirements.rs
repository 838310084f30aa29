//! What must stay of the given solution: the variations, the set play, the tries.
//!
//! A move of a changed diagram is the same if the man that makes it, the square where it arrives and the promotion are.
//! (If the whole board is moved, the squares move too.) A variation, of the actual play or of the set play, stays if
//! the same defence is answered by the same moves, or by some of them; if there was only one, the answers to the next
//! defences must stay too. A defence that reaches the goal itself must still do so. A try stays if the same defence
//! refutes it, and no other.

use shakmaty::Chess;

use super::change::SquareMap;
use super::given::{GivenDiagram, named};
use super::play::{KeyPlay, Variation};
use super::trials::{Trials, report_on};
use super::{Keep, Refused, WorkbenchObserver, WorkbenchRequest};
use crate::chess::notation::code;
use crate::chess::{MateLength, Move, Position};
use crate::report::Scribe;
use crate::results::report::{Extent, ReportOptions};
use crate::results::workbench::{Altered, Need};
use crate::search::Interrupted;
use crate::search::decider::Decider;

/// The part of the given solution that must stay.
#[derive(Debug, Default)]
pub(super) struct Requirements {
    variations: bool,
    set_play: Option<KeyPlay>,
    tries: Vec<Try>,
}

/// A first move that one defence refutes.
#[derive(Debug)]
struct Try {
    first: Move,
    refutation: Move,
}

/// A changed diagram in which the key alone solves.
pub(super) struct Changed<'c> {
    pub chess: &'c Chess,
    pub map: &'c SquareMap,
    /// The position after the key.
    pub after: Position,
    /// The play after the key.
    pub play: KeyPlay,
}

/// The parts of a proposal, and what it must keep.
#[derive(Clone, Copy)]
pub(super) struct Sought<'s> {
    pub given: &'s GivenDiagram,
    pub requirements: &'s Requirements,
    pub request: &'s WorkbenchRequest,
    pub observer: &'s dyn WorkbenchObserver,
}

impl Requirements {
    /// Finds what must stay in the solution of the given diagram, which is this position.
    pub(super) fn find(
        given: &GivenDiagram,
        chess: &Chess,
        request: &WorkbenchRequest,
        trials: &mut Trials<'_, '_>,
    ) -> Result<Requirements, Refused> {
        let mut requirements = Self { variations: request.keep.contains(&Keep::Variations), ..Self::default() };
        if request.keep.contains(&Keep::SetPlay) {
            let found = trials.ask(|decider| set_play(decider, &given.position, given.rest()));
            let play = found.ok_or(Refused::Undecided)?.filter(|play| !play.variations.is_empty());
            requirements.set_play = Some(play.ok_or(Refused::NoSetPlay)?);
        }
        if request.keep.contains(&Keep::Try) || !request.tries.is_empty() {
            requirements.tries = tries(given, chess, &request.tries)?;
        }
        Ok(requirements)
    }

    /// Returns the first thing that must stay and does not.
    pub(super) fn lost(
        &self,
        given: &GivenDiagram,
        decider: &mut Decider<'_, '_>,
        changed: &Changed<'_>,
    ) -> Result<Option<Need>, Interrupted> {
        let rest = given.rest();
        if self.variations
            && let Some((old, new)) = given.play.lost(&changed.play, changed.map)
        {
            let before = given.after_key();
            return Ok(before.map(|before| Need::Variation(altered(changed, &before, old, &changed.after, new))));
        }
        let position = Position::from_chess(changed.chess);
        if let Some(play) = &self.set_play {
            let now = set_play(decider, &position, rest)?.unwrap_or_default();
            if let (Some((old, new)), Some(before)) = (play.lost(&now, changed.map), given.position.pass()) {
                let after = position.pass().unwrap_or(before);
                return Ok(Some(Need::SetPlay(altered(changed, &before, old, &after, new))));
            }
        }
        for kept in &self.tries {
            let scribe = Scribe::of(changed.chess);
            let Some(m) = position.find_move(changed.map.code(kept.first)) else {
                return Ok(Some(Need::Try { first: scribe.ply(&given.position, kept.first), now: Vec::new() }));
            };
            let after = decider.play(&position, m)?;
            let refuting = decider.refutations(&after, rest, usize::MAX)?.unwrap_or_default();
            if !matches!(refuting[..], [only] if only.code() == changed.map.code(kept.refutation)) {
                let now = scribe.plies(&after, &refuting).into_iter().map(|(_, ply)| ply).collect();
                return Ok(Some(Need::Try { first: scribe.ply(&position, m), now }));
            }
        }
        Ok(None)
    }
}

/// Writes a defence that is answered by other moves: as a move of the diagram where it is one.
fn altered(
    changed: &Changed<'_>,
    before: &Position,
    old: &Variation,
    after: &Position,
    new: Option<&Variation>,
) -> Altered {
    let scribe = Scribe::of(changed.chess);
    let Some(new) = new else {
        let defence = scribe.ply(before, old.defence);
        return Altered { line: Vec::new(), defence, now: Vec::new(), ends: false };
    };
    let (Some((old_second, new_second)), [old_answer], [answer]) =
        (old.lost_second(new, changed.map), &old.continuations[..], &new.continuations[..])
    else {
        return new_answer(changed, after, new);
    };
    let defended = after.play(new.defence);
    let before = before.play(old.defence).play(*old_answer);
    let line = vec![scribe.ply(after, new.defence), scribe.ply(&defended, *answer)];
    Altered { line, ..altered(changed, &before, old_second, &defended.play(*answer), new_second) }
}

/// Writes a variation of the changed diagram. `after` is the position with the defender to move.
pub(super) fn new_answer(changed: &Changed<'_>, after: &Position, new: &Variation) -> Altered {
    let scribe = Scribe::of(changed.chess);
    let now = scribe.plies(&after.play(new.defence), &new.continuations).into_iter().map(|(_, ply)| ply).collect();
    Altered { line: Vec::new(), defence: scribe.ply(after, new.defence), now, ends: new.ends() }
}

/// Returns the play if the defender were to move; `None` if he may not pass the move on.
fn set_play(
    decider: &mut Decider<'_, '_>,
    position: &Position,
    rest: MateLength,
) -> Result<Option<KeyPlay>, Interrupted> {
    position.pass().map(|passed| KeyPlay::find(decider, &passed, rest)).transpose()
}

/// Returns the tries of a diagram that one defence refutes: those that are named, or all.
fn tries(given: &GivenDiagram, chess: &Chess, names: &[String]) -> Result<Vec<Try>, Refused> {
    let options = ReportOptions { extent: Extent::FirstMoves, tries: Some(1), ..ReportOptions::default() };
    let report = report_on(chess, given.asked, options);
    let position = &given.position;
    let all = report.tries.ok_or(Refused::Undecided)?.into_iter().filter_map(|found| {
        let first = position.find_move(code(found.ply.mv))?;
        let [refutation] = &found.refutations[..] else { return None };
        let refutation = position.play(first).find_move(code(refutation.mv))?;
        Some(Try { first, refutation })
    });
    let mut all: Vec<Try> = all.collect();
    if all.is_empty() {
        return Err(Refused::NoTry);
    }
    if names.is_empty() {
        return Ok(all);
    }
    let mut named_ones = Vec::new();
    for text in names {
        let first = named(chess, position, text).ok();
        let at = all.iter().position(|found| Some(found.first) == first);
        named_ones.push(all.swap_remove(at.ok_or_else(|| Refused::NotATry(text.clone()))?));
    }
    Ok(named_ones)
}
