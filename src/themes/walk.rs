//! Walks through the whole play of a phase, with the position after each move.
//!
//! A play that several lines share is visited once, on the first line that leads to it, and again if only a later line
//! is without duals. Threats come after the variations, so that this line is without a pass if there is one.

use hashbrown::HashSet;
use shakmaty::{Chess, Position as _};

use crate::chess::passed;
use crate::results::report::{Next, PlayId, Ply};

use super::phases::{Phase, Scene};

/// A move of the play.
pub(super) struct Step<'w, 'r> {
    /// The moves that lead to it, each with the number of its half-move, from 0; the last one is the move itself. A
    /// pass of the defender, before a threat, is left out.
    pub path: &'w [(usize, &'r Ply)],
    /// The position before the move.
    pub before: &'w Chess,
    /// The position after the move.
    pub after: &'w Chess,
    /// Whether every move of the attacker on the path, after his first, is his only answer.
    pub is_only: bool,
}

impl<'r> Step<'_, 'r> {
    /// Returns the move itself.
    pub(super) fn ply(&self) -> Option<&'r Ply> {
        self.path.last().map(|&(_, ply)| ply)
    }

    /// Returns the moves of the path without the attacker's first move, which the phase names: each part between two
    /// passes, with the half-move at which it begins. If there is no other move, returns the first one.
    pub(super) fn parts(&self) -> Vec<(usize, Vec<&'r Ply>)> {
        let after_first = self.path.get(1..).filter(|rest| !rest.is_empty() && self.path[0].0 == 0);
        let mut parts: Vec<(usize, Vec<&'r Ply>)> = Vec::new();
        for &(at, ply) in after_first.unwrap_or(self.path) {
            match parts.last_mut() {
                Some((begins, plies)) if *begins + plies.len() == at => plies.push(ply),
                _ => parts.push((at, vec![ply])),
            }
        }
        parts
    }

    /// Returns the last of the parts.
    pub(super) fn unbroken(&self) -> (usize, Vec<&'r Ply>) {
        self.parts().pop().unwrap_or_default()
    }
}

/// Calls `visit` with every move of a phase after its first move, and with that.
pub(super) fn walk<'r>(scene: &Scene<'r>, phase: &Phase<'r>, visit: &mut dyn FnMut(&Step<'_, 'r>)) {
    let mut walker = Walker { scene, seen: HashSet::new(), path: Vec::new(), visit };
    if let Some(first) = phase.first {
        walker.path.push((0, first));
        walker.visit(&scene.diagram, &phase.position, true);
    }
    if let Some(play) = phase.play {
        walker.play(play, &phase.position, 1, true);
    }
}

struct Walker<'w, 'r> {
    scene: &'w Scene<'r>,
    /// The plays that were visited, and whether the path to them had no dual.
    seen: HashSet<(PlayId, bool)>,
    path: Vec<(usize, &'r Ply)>,
    visit: &'w mut dyn FnMut(&Step<'_, 'r>),
}

impl<'r> Walker<'_, 'r> {
    fn visit(&mut self, before: &Chess, after: &Chess, is_only: bool) {
        (self.visit)(&Step { path: &self.path, before, after, is_only });
    }

    /// Walks through a play; its defences are half-move `at`. `is_only`: there was no dual on the path.
    fn play(&mut self, id: PlayId, position: &Chess, at: usize, is_only: bool) {
        if self.seen.contains(&(id, true)) || !self.seen.insert((id, is_only)) {
            return;
        }
        let play = self.scene.tree.play(id);
        for variation in &play.variations {
            let mut after = position.clone();
            after.play_unchecked(variation.defence.mv);
            self.path.push((at, &variation.defence));
            self.visit(position, &after, is_only);
            let is_single = is_only && variation.continuations.len() == 1;
            for continuation in &variation.continuations {
                self.step(&continuation.ply, &after, at + 1, is_single, continuation.next);
            }
            self.path.pop();
        }
        if let Some(passed) = passed(position).filter(|_| !play.threats().is_empty()) {
            let is_single = is_only && play.threats().len() == 1;
            for threat in play.threats() {
                self.step(&threat.ply, &passed, at + 1, is_single, threat.next);
            }
        }
    }

    /// Visits a move of the attacker and the play after it.
    fn step(&mut self, ply: &'r Ply, position: &Chess, at: usize, is_only: bool, next: Next) {
        let mut after = position.clone();
        after.play_unchecked(ply.mv);
        self.path.push((at, ply));
        self.visit(position, &after, is_only);
        if let Next::Play(id) = next {
            self.play(id, &after, at + 1, is_only);
        }
        self.path.pop();
    }
}
