//! One walk through the play of a solution tree, for all that shows it or looks at it move by move.
//!
//! A [`Walk`] says what happens at each place: which threats and variations are followed and in which order, what a
//! move means, whether the play after it is entered. What a walk knows of the way to a place, it keeps itself: for each
//! move that it meets, [`Walk::back`] takes it back.
//!
//! Two walks are not of this kind, and say why: one makes plays from those below them (`output::report::letters`), the
//! other has every object open until what is below it is written (`output::report::json`).

use super::{Continuation, Next, Play, PlayId, Tree, Variation};

/// The play where a walk is.
#[derive(Debug, Clone, Copy)]
pub struct At<'t> {
    /// The number of the play.
    pub id: PlayId,
    /// The play itself.
    pub play: &'t Play,
    /// The number of the defender's move, from 1; the attacker's answer has the next number.
    pub number: u16,
}

/// The work of a walk at each place.
pub trait Walk<'t>: Sized {
    /// Whether the threats of a play come before its variations.
    const THREATS_FIRST: bool;

    /// Returns the tree.
    fn tree(&self) -> &'t Tree;

    /// Comes to a play. Returns whether it is entered.
    fn enter(&mut self, _: &At<'t>) -> bool {
        true
    }

    /// Returns the threats that are followed.
    fn threats(&self, at: &At<'t>) -> Vec<&'t Continuation> {
        at.play.threats().iter().collect()
    }

    /// Returns the variations, in groups with the same answers.
    fn groups(&self, at: &At<'t>) -> Vec<Vec<&'t Variation>> {
        at.play.variations.iter().map(|variation| vec![variation]).collect()
    }

    /// Meets the defences of a group. Returns the answers that are followed.
    fn defences(&mut self, at: &At<'t>, group: &[&'t Variation]) -> Vec<&'t Continuation>;

    /// Meets a move of the attacker: the answer to a defence, or a threat. Returns whether the play after it is
    /// entered.
    fn attack(&mut self, at: &At<'t>, continuation: &'t Continuation, answered: Option<&'t Variation>) -> bool;

    /// Takes back the last defences or the last move of the attacker.
    fn back(&mut self) {}

    /// Leaves a play.
    fn leave(&mut self, _: &At<'t>) {}

    /// Walks through a play, whose defences have this number.
    fn play(&mut self, id: PlayId, number: u16) {
        let at = At { id, play: self.tree().play(id), number };
        if !self.enter(&at) {
            return;
        }
        if Self::THREATS_FIRST {
            self.follow_threats(&at);
        }
        for group in self.groups(&at) {
            self.follow_group(&at, &group);
        }
        if !Self::THREATS_FIRST {
            self.follow_threats(&at);
        }
        self.leave(&at);
    }

    /// Walks through the threats of a play.
    fn follow_threats(&mut self, at: &At<'t>) {
        for threat in self.threats(at) {
            self.follow(at, threat, None);
        }
    }

    /// Walks through a group of variations.
    fn follow_group(&mut self, at: &At<'t>, group: &[&'t Variation]) {
        for continuation in self.defences(at, group) {
            self.follow(at, continuation, group.first().copied());
        }
        self.back();
    }

    /// Walks through a move of the attacker and the play after it.
    fn follow(&mut self, at: &At<'t>, continuation: &'t Continuation, answered: Option<&'t Variation>) {
        let is_entered = self.attack(at, continuation, answered);
        if let (true, Next::Play(id)) = (is_entered, continuation.next) {
            self.play(id, at.number + 1);
        }
        self.back();
    }
}
