//! Duals: where the attacker can choose.
//!
//! The play of every key is walked once, each position at its first occurrence; a variation with several continuations
//! is a dual. Several *threats* are none: the defender decides which he stops. But below a threat, and below a defence
//! that leaves several threats standing, a choice is only a minor blemish.

use shakmaty::Move;

use crate::results::report::{Continuation, Dual, DualKind, Key, Next, Play, PlayId, Ply, Severity, Tree, Variation};

/// The duals after these keys, and in the play after the diagram.
pub(super) fn duals(keys: &[Key], post_key: Option<PlayId>, tree: &Tree) -> Vec<Dual> {
    let size = tree.plays().len();
    let (judged, line, duals) = (vec![false; size], Vec::new(), Vec::new());
    let mut walk = Walk { tree, judged, walked: Vec::new(), through_threats: false, line, duals };
    // What is reached in earnest is judged before what only follows a threat.
    for through_threats in [false, true] {
        walk.through_threats = through_threats;
        walk.walked = vec![false; size];
        if let Some(play) = post_key {
            walk.play(play, 2, false);
        }
        for key in keys {
            walk.line.push(key.ply.clone());
            walk.next(key.next, 2, false);
            walk.line.pop();
        }
    }
    walk.duals
}

struct Walk<'a> {
    tree: &'a Tree,
    /// Plays whose variations have been looked at.
    judged: Vec<bool>,
    /// Plays met on this walk.
    walked: Vec<bool>,
    /// This walk also follows threats.
    through_threats: bool,
    line: Vec<Ply>,
    duals: Vec<Dual>,
}

impl Walk<'_> {
    fn next(&mut self, next: Next, at_move: u16, in_threat: bool) {
        if let Next::Play(id) = next {
            self.play(id, at_move, in_threat);
        }
    }

    fn play(&mut self, id: PlayId, at_move: u16, in_threat: bool) {
        if std::mem::replace(&mut self.walked[id.0 as usize], true) {
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

    fn judge(&mut self, play: &Play, variation: &Variation, at_move: u16, in_threat: bool) {
        let moves: Vec<Ply> = variation.continuations.iter().map(|continuation| continuation.ply.clone()).collect();
        if moves.len() < 2 {
            return;
        }
        let kind = kind(&moves, variation.mate_in);
        let threatened = |ply: &Ply| play.threats().iter().any(|threat| threat.ply.uci == ply.uci);
        let minor = in_threat || at_move > 2 || kind == DualKind::Promotion || moves.iter().all(threatened);
        let severity = if minor { Severity::Minor } else { Severity::Major };
        self.duals.push(Dual { line: self.line.clone(), at_move, moves, kind, severity, in_threat });
    }
}

fn kind(moves: &[Ply], mate_in: u16) -> DualKind {
    let route = |ply: &Ply| match ply.mv {
        Move::Normal { from, to, promotion: Some(_), .. } => Some((from, to)),
        _ => None,
    };
    let first = moves.first().and_then(route);
    if first.is_some() && moves.iter().all(|ply| route(ply) == first) {
        DualKind::Promotion
    } else if mate_in == 1 {
        DualKind::MatingMove
    } else {
        DualKind::Continuation
    }
}
