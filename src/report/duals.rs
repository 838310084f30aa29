//! Finds the duals of a report: variations in which the attacker has a choice between several continuations.
//!
//! The play after every key is walked, and each position is judged where it first occurs. Several *threats* are not a
//! dual, because the defender decides which of them to stop. For the same reason a dual is only minor if it is below a
//! threat or after a defence that leaves several threats possible.

use shakmaty::Move;

use crate::results::report::{Continuation, Dual, DualKind, Key, Next, Play, PlayId, Ply, Severity, Tree, Variation};

/// Returns the duals after these keys; or those of `post_key`, if the diagram shows the position after the key.
pub(super) fn duals(keys: &[Key], post_key: Option<PlayId>, tree: &Tree) -> Vec<Dual> {
    let size = tree.plays().len();
    let (judged, line, duals) = (vec![false; size], Vec::new(), Vec::new());
    let mut search = DualSearch { tree, judged, visited: Vec::new(), through_threats: false, line, duals };
    // The second walk also follows threats. A play that both walks reach is judged on the first.
    for through_threats in [false, true] {
        search.through_threats = through_threats;
        search.visited = vec![false; size];
        if let Some(play) = post_key {
            search.play(play, 2, false);
        }
        for key in keys {
            search.line.push(key.ply.clone());
            search.next(key.next, 2, false);
            search.line.pop();
        }
    }
    search.duals
}

/// Two walks through the tree that collect duals.
struct DualSearch<'a> {
    tree: &'a Tree,
    /// By play: whether its variations have been judged.
    judged: Vec<bool>,
    /// By play: whether this walk has met it.
    visited: Vec<bool>,
    /// Whether this walk also follows threats.
    through_threats: bool,
    /// The moves from the key to the present play.
    line: Vec<Ply>,
    duals: Vec<Dual>,
}

impl DualSearch<'_> {
    fn next(&mut self, next: Next, at_move: u16, in_threat: bool) {
        if let Next::Play(id) = next {
            self.play(id, at_move, in_threat);
        }
    }

    /// Walks a play. The attacker's next move has the number `at_move`.
    fn play(&mut self, id: PlayId, at_move: u16, in_threat: bool) {
        if std::mem::replace(&mut self.visited[id.0 as usize], true) {
            return;
        }
        let new = !std::mem::replace(&mut self.judged[id.0 as usize], true);
        let play = self.tree.play(id);
        for variation in &play.variations {
            self.line.push(variation.defence.clone());
            if new {
                self.judge(play, variation, at_move, in_threat);
            }
            self.follow(&variation.continuations, at_move, in_threat);
            self.line.pop();
        }
        if self.through_threats {
            self.follow(play.threats(), at_move, true);
        }
    }

    fn follow(&mut self, continuations: &[Continuation], at_move: u16, in_threat: bool) {
        for continuation in continuations {
            self.line.push(continuation.ply.clone());
            self.next(continuation.next, at_move + 1, in_threat);
            self.line.pop();
        }
    }

    /// Adds a dual if the variation has several continuations.
    fn judge(&mut self, play: &Play, variation: &Variation, at_move: u16, in_threat: bool) {
        let moves: Vec<Ply> = variation.continuations.iter().map(|continuation| continuation.ply.clone()).collect();
        if moves.len() < 2 {
            return;
        }
        let kind = kind(&moves);
        let threatened = |ply: &Ply| play.threats().iter().any(|threat| threat.ply.uci == ply.uci);
        let minor = in_threat || at_move > 2 || kind == DualKind::Promotion || moves.iter().all(threatened);
        let severity = if minor { Severity::Minor } else { Severity::Major };
        self.duals.push(Dual { line: self.line.clone(), at_move, moves, kind, severity, in_threat });
    }
}

/// Returns the kind of a choice between these moves.
fn kind(moves: &[Ply]) -> DualKind {
    let promotion = |ply: &Ply| match ply.mv {
        Move::Normal { from, to, promotion: Some(_), .. } => Some((from, to)),
        _ => None,
    };
    let first = moves.first().and_then(promotion);
    if first.is_some() && moves.iter().all(|ply| promotion(ply) == first) {
        DualKind::Promotion
    } else if moves.iter().all(|ply| ply.mate) {
        DualKind::MatingMove
    } else {
        DualKind::Continuation
    }
}
