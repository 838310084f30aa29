//! Builds the solution tree from the facts of its plays.
//!
//! Nothing is searched here. A play whose facts are missing, because a limit was reached or because the tree is full,
//! becomes [`Next::Cut`], and every play above it says that something below it is cut. What is shown follows the rule
//! that [`crate::results::report::Tree`] describes.

use hashbrown::HashMap;

use crate::chess::{MateLength, Move, Position};
use crate::results::report::{Continuation, Next, Pass, Play, PlayId, Tree, Variation};

use super::notation::Scribe;
use super::plays::{AttackerMoves, PassFacts, PlayFacts, PlayKey, PlayKind, PlayRoot, Plays};

/// Builds one tree.
#[derive(Debug)]
pub(super) struct TreeBuilder<'p> {
    plays: &'p Plays,
    scribe: Scribe,
    tree: Tree,
    done: HashMap<PlayKey, PlayId>,
}

impl<'p> TreeBuilder<'p> {
    /// Starts an empty tree.
    pub(super) fn new(plays: &'p Plays, scribe: Scribe) -> TreeBuilder<'p> {
        TreeBuilder { plays, scribe, tree: Tree::default(), done: HashMap::new() }
    }

    /// Returns the finished tree.
    pub(super) fn finish(self) -> Tree {
        self.tree
    }

    /// Returns the tree so far.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Adds a play with everything below it, and returns the reference to it.
    pub(super) fn add(&mut self, root: &PlayRoot) -> Next {
        if let Some(end) = self.plays.end(root) {
            return Next::End(end);
        }
        if let Some(&id) = self.done.get(&root.key()) {
            return Next::Play(id);
        }
        let Some(facts) = self.plays.get(root) else { return Next::Cut };
        let play = self.play(root.kind, facts);
        let id = self.push(play);
        self.done.insert(root.key(), id);
        Next::Play(id)
    }

    fn play(&mut self, kind: PlayKind, facts: &PlayFacts) -> Play {
        assert!(kind != PlayKind::Solution || facts.unanswered == 0, "a defence in a solution has no answer");
        let mut play = Play::empty(facts.left.0, self.pass(facts));
        for defence in &facts.defences {
            if defence.shown {
                let after = facts.position.play(defence.m);
                let continuations = self.continuations(&after, &defence.answer);
                let written = self.scribe.ply(&facts.position, defence.m);
                let mate_in = defence.answer.mate_in.0;
                let end = (mate_in == 0).then_some(self.plays.goal().end);
                play.variations.push(Variation { defence: written, mate_in, continuations, end });
            } else {
                play.unshown += 1;
            }
        }
        if kind == PlayKind::SetPlay {
            play.unshown = facts.unanswered;
        }
        if kind == PlayKind::Solution && facts.complete {
            play.mate_in = facts.defences.iter().map(|defence| defence.answer.mate_in.0).max();
        }
        play.cut = !facts.complete;
        play
    }

    fn pass(&mut self, facts: &PlayFacts) -> Pass {
        match (&facts.pass, facts.position.pass()) {
            (PassFacts::Threats(threats), Some(passed)) => Pass::Threats(self.continuations(&passed, threats)),
            (PassFacts::Zugzwang, _) => Pass::Zugzwang,
            _ => Pass::Impossible,
        }
    }

    /// Writes the attacker's moves, each with the play after it.
    fn continuations(&mut self, position: &Position, answer: &AttackerMoves) -> Vec<Continuation> {
        let left = MateLength(answer.mate_in.0.saturating_sub(1));
        let written = self.scribe.plies(position, &answer.moves);
        let mut continuations = Vec::with_capacity(written.len());
        for (m, ply) in written {
            let next = self.add(&PlayRoot { position: position.play(m), left, kind: PlayKind::Solution });
            continuations.push(Continuation { ply, mate_in: answer.mate_in.0, next });
        }
        continuations
    }

    /// Adds a play to the tree: sorts its variations, and marks it as cut if something below it is.
    fn push(&mut self, mut play: Play) -> PlayId {
        play.variations.sort_by(|a, b| a.defence.uci.cmp(&b.defence.uci));
        let cut_below = play.continuations().any(|continuation| self.tree.is_cut(continuation.next));
        play.cut |= cut_below;
        self.tree.push(play)
    }
}

/// Returns the play after a first move that mates in `length` moves.
pub(super) fn after_key(after: &Position, length: MateLength) -> PlayRoot {
    PlayRoot { position: *after, left: MateLength(length.0.saturating_sub(1)), kind: PlayKind::Solution }
}

/// Returns the notation of these moves, which are legal in `position`.
pub(super) fn written(scribe: Scribe, position: &Position, moves: &[Move]) -> Vec<crate::results::report::Ply> {
    scribe.plies(position, moves).into_iter().map(|(_, ply)| ply).collect()
}
