//! The lines of a solution that end in mate: for motifs, which are read in the mating position.
//!
//! ```text
//! half-move   0      1        2        3        4
//!             key    defence  answer   defence  mate
//! ply                0        1        2        3       of a MateLine
//! ```
//!
//! In a two-mover a line is a defence and a mate. In a three-mover a line has two defences, and a motif may begin with
//! either: it counts if its man still stands where the defence put it when the mate comes. Every move of the attacker
//! before the mate is his only answer. Lines that begin with a threat do not count.
//!
//! Walks through the whole play of a phase, with the position after each move.
//!
//! A play that several lines share is visited once, on the first line that leads to it, and again if only a later line
//! is without duals. Threats come after the variations, so that this line is without a pass if there is one.

use hashbrown::HashSet;
use shakmaty::{CastlingSide, Chess, Color, Move, Position as _, Square};

use crate::chess::passed;
use crate::results::report::{Next, PlayId, Ply};
use crate::results::themes::{Retest, Theme};
use crate::themes::phases::{Phase, PlayMove, Scene, ThemeClaim, identity, moved_men};
use crate::themes::retest::after;

/// The longest problems whose lines are read, in moves of the attacker.
pub(super) const LONGEST: u16 = 3;

/// The least number of lines that show a motif, with different defences and different mates.
pub(super) const LINES: usize = 2;

/// A line that ends in mate.
#[derive(Debug, Clone)]
pub(super) struct MateLine<'r> {
    /// Defences and answers in turn. The last one mates.
    pub plies: Vec<&'r Ply>,
    /// The identity of each move.
    pub ids: Vec<PlayMove>,
    /// The position before each move, and the mate.
    positions: Vec<Chess>,
    /// Whether the mate is the only one after its defence.
    pub is_only: bool,
}

impl<'r> MateLine<'r> {
    /// Returns the mating move.
    pub(super) fn mate(&self) -> &'r Ply {
        self.plies[self.plies.len() - 1]
    }

    /// Returns the identity of the mating move.
    pub(super) fn mate_id(&self) -> PlayMove {
        self.ids[self.ids.len() - 1]
    }

    /// Returns the mating position.
    pub(super) fn mated(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the position before a move.
    pub(super) fn before(&self, at: usize) -> &Chess {
        &self.positions[at]
    }

    /// Returns the numbers of the defences.
    pub(super) fn defences(&self) -> impl Iterator<Item = usize> + use<'r> {
        (0..self.plies.len() - 1).step_by(2)
    }

    /// Returns the number of the last defence.
    pub(super) fn last_defence(&self) -> usize {
        self.plies.len() - 2
    }

    /// Returns whether the man that made a move stands on its square of arrival at the end.
    pub(super) fn stays(&self, at: usize) -> bool {
        !self.plies[at].mv.is_castle() && self.is_still(self.plies[at].mv.to(), at)
    }

    /// Returns whether nothing came to a square, and nothing left it, after a move.
    pub(super) fn is_still(&self, square: Square, at: usize) -> bool {
        self.plies[at + 1..].iter().all(|ply| !touches(ply.mv, square))
    }
}

/// Returns whether a move changes what stands on a square.
fn touches(m: Move, square: Square) -> bool {
    match m {
        Move::EnPassant { from, to } => [from, to, Square::from_coords(to.file(), from.rank())].contains(&square),
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            let color = Color::from_white(king.rank() == shakmaty::Rank::First);
            [king, rook, side.king_to(color), side.rook_to(color)].contains(&square)
        }
        _ => m.from() == Some(square) || m.to() == square,
    }
}

/// Returns the lines of a solution of at most [`LONGEST`] moves.
pub(super) fn mate_lines<'r>(scene: &Scene<'r>, key: &Phase<'r>) -> Vec<MateLine<'r>> {
    let mut found = Vec::new();
    let Some(play) = key.play.filter(|_| (2..=LONGEST).contains(&scene.length)) else { return found };
    let moved = key.first.map_or_else(Vec::new, |first| moved_men(first.mv));
    let mut reader = Reader { scene, plies: Vec::new(), ids: Vec::new(), positions: Vec::new(), found: &mut found };
    reader.play(play, &key.position, &moved);
    found
}

/// A walk of its own: lines need every path to a play, but no threats, which [`Walker`] passes once.
struct Reader<'s, 'r> {
    scene: &'s Scene<'r>,
    plies: Vec<&'r Ply>,
    ids: Vec<PlayMove>,
    positions: Vec<Chess>,
    found: &'s mut Vec<MateLine<'r>>,
}

impl<'r> Reader<'_, 'r> {
    fn play(&mut self, id: PlayId, position: &Chess, moved: &[(Square, Square)]) {
        for variation in &self.scene.tree.play(id).variations {
            let (defended, moved) = self.push(&variation.defence, position, moved);
            let is_only = variation.continuations.len() == 1;
            for continuation in &variation.continuations {
                let (answered, moved) = self.push(&continuation.ply, &defended, &moved);
                match continuation.next {
                    _ if continuation.ply.mate => self.end(&answered, is_only),
                    Next::Play(next) if is_only => self.play(next, &answered, &moved),
                    _ => {}
                }
                self.pop();
            }
            self.pop();
        }
    }

    /// Adds a move. Returns the position after it, and the men that are not on their squares of the diagram then.
    fn push(&mut self, ply: &'r Ply, position: &Chess, moved: &[(Square, Square)]) -> (Chess, Vec<(Square, Square)>) {
        self.plies.push(ply);
        self.ids.push(identity(ply, moved));
        self.positions.push(position.clone());
        let home = |square: Square| moved.iter().find(|&&(now, _)| now == square).map_or(square, |&(_, home)| home);
        let arrived: Vec<(Square, Square)> =
            moved_men(ply.mv).into_iter().map(|(now, before)| (now, home(before))).collect();
        let stays = |&&(now, _): &&(Square, Square)| !touches(ply.mv, now);
        let others = moved.iter().filter(stays).copied().collect::<Vec<_>>();
        (after(position, ply.mv), [others, arrived].concat())
    }

    fn pop(&mut self) {
        self.plies.pop();
        self.ids.pop();
        self.positions.pop();
    }

    fn end(&mut self, mated: &Chess, is_only: bool) {
        let mut positions = self.positions.clone();
        positions.push(mated.clone());
        let (plies, ids) = (self.plies.clone(), self.ids.clone());
        self.found.push(MateLine { plies, ids, positions, is_only });
    }
}

/// A line that shows a motif.
#[derive(Debug, Clone)]
pub(super) struct Shown<'l, 'r> {
    pub line: &'l MateLine<'r>,
    /// The number of the defence to which the motif belongs.
    pub at: usize,
    /// The move that must differ from those of the other lines: the mate, as a rule.
    pub answer: PlayMove,
    pub retest: Option<Retest>,
}

impl<'l, 'r> Shown<'l, 'r> {
    /// Shows a motif of a mate.
    pub(super) fn by_mate(line: &'l MateLine<'r>, at: usize, retest: Retest) -> Shown<'l, 'r> {
        Shown { line, at, answer: line.mate_id(), retest: Some(retest) }
    }
}

/// Ends a claim that at least [`LINES`] lines show, with different defences and different answers.
pub(super) fn several<'l, 'r: 'l>(
    claim: ThemeClaim,
    key: &Phase<'_>,
    found: impl Iterator<Item = Shown<'l, 'r>>,
) -> Option<Theme> {
    let (mut answers, mut defences) = (HashSet::new(), HashSet::new());
    let mut different: Vec<Shown<'_, '_>> = Vec::new();
    for shown in found {
        let defence = shown.line.ids[shown.at];
        if !answers.contains(&shown.answer) && !defences.contains(&defence) {
            answers.insert(shown.answer);
            defences.insert(defence);
            different.push(shown);
        }
    }
    (different.len() >= LINES).then(|| different.iter().fold(claim, |claim, it| show(claim, key, it)).done())
}

/// Adds a line and its re-test to a claim.
pub(super) fn show(claim: ThemeClaim, key: &Phase<'_>, shown: &Shown<'_, '_>) -> ThemeClaim {
    let claim = claim.moves(key, 1, shown.line.plies.iter().copied());
    shown.retest.iter().fold(claim, |claim, retest| claim.shown_by(retest.clone()))
}

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
