//! Builds the solution tree from the facts of its plays.
//!
//! Nothing is searched here. A play whose facts are missing, because a limit was reached or because the tree is full,
//! becomes [`Next::Cut`], and every play above it says that something below it is cut.
//!
//! This file also adds notation to moves, finds the features by which a key is judged (it compares the positions before
//! and after it), and finds the **duals**: variations in which the attacker has a choice between several continuations.
//! The play after every key is walked twice, first without the threats, and each play is judged where it first occurs.
//! Several *threats* are not a dual, because the defender decides which of them to stop. A dual is minor if it stands
//! below a threat, if all its moves were threatened, if it is at the third move or later, or if its moves differ only
//! in the promotion.

use hashbrown::HashMap;
use shakmaty::{Bitboard, CastlingMode, Chess, Position as _, Square};

use crate::chess::{MateLength, Move, Position};
use crate::report::plays::{AttackerMoves, PassFacts, PlayFacts, PlayKey, PlayKind, PlayRoot, Plays};
use crate::results::report::rows::{Kind, Row};
use crate::results::report::{
    Continuation, Dual, DualKind, Features, Key, Next, Pass, Play, PlayId, Ply, Severity, Tree, Variation,
};

#[derive(Debug)]
pub(super) struct TreeBuilder<'p> {
    plays: &'p Plays,
    scribe: Scribe,
    /// The tree so far.
    pub tree: Tree,
    done: HashMap<PlayKey, PlayId>,
}

impl<'p> TreeBuilder<'p> {
    /// Starts an empty tree.
    pub(super) fn new(plays: &'p Plays, scribe: Scribe) -> TreeBuilder<'p> {
        TreeBuilder { plays, scribe, tree: Tree::default(), done: HashMap::new() }
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
                let end = (mate_in == 0).then_some(self.plays.goal.end);
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

/// Adds standard and UCI notation to moves. The castling rights of the diagram decide how UCI writes castling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scribe {
    /// Standard or Chess960.
    mode: CastlingMode,
}

impl Scribe {
    /// Makes a writer for moves in the play from this diagram.
    pub(crate) fn of(diagram: &Chess) -> Scribe {
        Scribe { mode: diagram.castles().mode() }
    }

    /// Returns these moves with their notation, in the order of their UCI notation. All must be legal in the position.
    pub(crate) fn plies(self, position: &Position, moves: &[Move]) -> Vec<(Move, Ply)> {
        let chess = position.to_chess();
        let mut plies: Vec<(Move, Ply)> =
            moves.iter().map(|&m| (m, self.written(&chess, m.to_shakmaty(&chess)))).collect();
        plies.sort_by(|(_, a), (_, b)| a.uci.cmp(&b.uci));
        plies
    }

    /// Returns a legal move with its notation.
    pub(crate) fn ply(self, position: &Position, m: Move) -> Ply {
        let chess = position.to_chess();
        self.written(&chess, m.to_shakmaty(&chess))
    }

    /// Returns a legal move of shakmaty's with its notation.
    pub(super) fn written(self, chess: &Chess, mv: shakmaty::Move) -> Ply {
        Ply::of(chess, mv, self.mode)
    }
}

/// Returns the features of a legal move of the attacker.
pub(super) fn features(before: &Position, m: Move) -> Features {
    let after = before.play(m);
    let defender = !before.turn();
    let (flights_before, flights_after) = (before.flights_of(defender), after.flights_of(defender));
    let (pinned_before, pinned_after) = (before.pinned(defender), after.pinned(defender));
    let list = |set: Bitboard| set.into_iter().collect::<Vec<Square>>();
    Features {
        check: after.is_check(),
        capture: m.capture(),
        promotion: m.promotion(),
        sacrifice: !m.is_castle() && after.legal_moves().iter().any(|reply| reply.to() == m.to() && !reply.is_castle()),
        flights_given: list(flights_after & !flights_before),
        flights_taken: list(flights_before & !flights_after),
        unpins: list(pinned_before & !pinned_after & after.by_color(defender)),
        pins: list(pinned_after & !pinned_before),
    }
}

/// Returns the duals after these keys; or those of `post_key`, if the diagram shows the position after the key.
pub(super) fn duals(keys: &[Key], post_key: Option<PlayId>, tree: &Tree) -> Vec<Dual> {
    let size = tree.plays().len();
    let (judged, line, duals) = (vec![false; size], Vec::new(), Vec::new());
    let mut search = DualSearch { judged, visited: Vec::new(), through_threats: false, line, duals };
    // The second walk also follows threats. A play that both walks reach is judged on the first.
    for through_threats in [false, true] {
        search.through_threats = through_threats;
        search.visited = vec![false; size];
        if let Some(play) = post_key {
            search.walk(&Row::before(tree, play));
        }
        for key in keys {
            search.line.push((&key.ply, false));
            search.walk(&Row::of_key(tree, key));
            search.line.pop();
        }
    }
    search.duals
}

/// Two walks through the tree that collect duals: first all that no threat leads to. A dual is judged only where the
/// first of the two meets it.
struct DualSearch<'a> {
    /// By play: whether its variations have been judged.
    judged: Vec<bool>,
    /// By play: whether this walk has met it.
    visited: Vec<bool>,
    /// Whether this walk also follows threats.
    through_threats: bool,
    /// The moves from the key to this place, each with whether it is a threat or follows one.
    line: Vec<(&'a Ply, bool)>,
    duals: Vec<Dual>,
}

impl<'a> DualSearch<'a> {
    /// Walks through what follows a row, but not through a play that was walked before.
    fn walk(&mut self, above: &Row<'a>) {
        let play = above.play();
        if play.is_some_and(|(PlayId(id), _)| std::mem::replace(&mut self.visited[id as usize], true)) {
            return;
        }
        for row in above.below_by_defence() {
            let is_threat = matches!(row.kind, Kind::Threat);
            let Some(moved) = row.ply.filter(|_| self.through_threats || !is_threat) else { continue };
            self.line.push((moved, is_threat || self.in_threat()));
            if let (Kind::Defence(variation), Some((PlayId(id), play))) = (row.kind, play)
                && !self.judged[id as usize]
            {
                self.judge(play, variation, row.number + 1);
            }
            self.walk(&row);
            self.line.pop();
        }
        if let Some((PlayId(id), _)) = play {
            self.judged[id as usize] = true;
        }
    }

    fn in_threat(&self) -> bool {
        self.line.last().is_some_and(|&(_, in_threat)| in_threat)
    }

    /// Adds a dual if the variation has several continuations.
    fn judge(&mut self, play: &Play, variation: &Variation, at_move: u16) {
        let moves: Vec<Ply> = variation.continuations.iter().map(|continuation| continuation.ply.clone()).collect();
        if moves.len() < 2 {
            return;
        }
        let (kind, in_threat) = (kind(&moves), self.in_threat());
        let threatened = |ply: &Ply| play.threats().iter().any(|threat| threat.ply.uci == ply.uci);
        let minor = in_threat || at_move > 2 || kind == DualKind::Promotion || moves.iter().all(threatened);
        let severity = if minor { Severity::Minor } else { Severity::Major };
        let line = self.line.iter().map(|&(ply, _)| ply.clone()).collect();
        self.duals.push(Dual { line, at_move, moves, kind, severity, in_threat });
    }
}

/// Returns the kind of a choice between these moves.
fn kind(moves: &[Ply]) -> DualKind {
    let promotion = |ply: &Ply| match ply.mv {
        shakmaty::Move::Normal { from, to, promotion: Some(_), .. } => Some((from, to)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::fen;
    use shakmaty::Role;

    fn of(fen: &str, from: Square, to: Square) -> Features {
        let position = Position::from_chess(&fen::read(fen).unwrap().chess);
        let m = position.legal_moves().into_iter().find(|m| m.from() == from && m.to() == to).unwrap();
        features(&position, m)
    }

    #[test]
    fn flights_pins_and_sacrifices() {
        // The queen goes from h7 to h8: a7 and b7 become flights of the king on a8, and b8 is taken away.
        let moved = of("k7/7Q/8/8/8/8/8/K7 w - - 0 1", Square::H7, Square::H8);
        assert_eq!(
            (moved.check, moved.flights_given, moved.flights_taken),
            (true, vec![Square::A7, Square::B7], vec![Square::B8])
        );
        // On b7 the queen stands unguarded next to the king: a sacrifice.
        let offered = of("k7/7Q/8/8/8/8/8/K7 w - - 0 1", Square::H7, Square::B7);
        assert!(offered.sacrifice && offered.check);
        // The bishop captures on e4 and pins the bishop on c6. The rook on h8 still pins the knight.
        let turned = of("k2n3R/8/2b5/8/4p3/5B2/8/K7 w - - 0 1", Square::F3, Square::E4);
        assert_eq!((turned.capture, turned.pins, turned.unpins), (Some(Role::Pawn), vec![Square::C6], vec![]));
        // The rook leaves the eighth rank: the knight is no longer pinned.
        let freed = of("k2n3R/8/8/8/8/8/8/K7 w - - 0 1", Square::H8, Square::H1);
        assert_eq!((freed.unpins, freed.check), (vec![Square::D8], false));
    }
}
