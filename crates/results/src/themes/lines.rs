//! The lines of two-movers and three-movers that end in mate: most motifs are read in the mating position.
//!
//! ```text
//! half-move   0      1        2        3        4
//!             key    defence  answer   defence  mate
//! ply                0        1        2        3       of a MateLine
//! ```
//!
//! In a two-mover a line is a defence and a mate. In a three-mover a line has two defences (one if the mate comes
//! sooner), and a motif may begin with either: as a rule it counts if its man still stands where the defence put it
//! when the mate comes. After the key, every move of the attacker before the mate is his only answer; the mate may have
//! a dual. Threats are left out.
//!
//! [`walk`] visits the whole play of a phase, threats and duals included. It visits a play that several lines share
//! once, on the first line that leads to it, and again if only a later line is without duals. The threats of a play
//! come after its variations.

use hashbrown::HashSet;
use shakmaty::{Chess, Move, Position as _, Square};

use crate::chess::notation::{after, castled};
use crate::chess::passed;
use crate::results::report::rows::{Kind, Row};
use crate::results::report::{PlayId, Ply};
use crate::results::themes::{Retest, Theme};
use crate::themes::phases::{Phase, PlayMove, Scene, ThemeClaim, identity, moved_men};

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
    /// Reads the moves that lead to a mate.
    fn of(key: &Phase<'r>, mate: &Step<'_, 'r>) -> MateLine<'r> {
        let plies: Vec<&Ply> = mate.path.iter().map(|&(_, ply)| ply).collect();
        let (mut ids, mut positions) = (Vec::new(), vec![key.position.clone()]);
        // The men that are not on their squares of the diagram.
        let mut moved = key.first.map_or_else(Vec::new, |first| moved_men(first.mv));
        for ply in &plies {
            ids.push(identity(ply.mv, &moved));
            positions.push(after(&positions[positions.len() - 1], ply.mv));
            let home = |square: Square| moved.iter().find(|&&(now, _)| now == square).map_or(square, |&(_, home)| home);
            let arrived: Vec<(Square, Square)> =
                moved_men(ply.mv).into_iter().map(|(now, before)| (now, home(before))).collect();
            moved.retain(|&(now, _)| !touches(ply.mv, now));
            moved.extend(arrived);
        }
        MateLine { plies, ids, positions, is_only: mate.is_only }
    }

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
            [king, rook].contains(&square) || castled(m).is_some_and(|to| to.contains(&square))
        }
        _ => m.from() == Some(square) || m.to() == square,
    }
}

/// Returns the lines of a solution; none if the problem is too short or too long.
pub(super) fn mate_lines<'r>(scene: &Scene<'r>, key: &Phase<'r>) -> Vec<MateLine<'r>> {
    let mut found = Vec::new();
    let Some(play) = key.play.filter(|_| scene.length_of_answers().is_some()) else { return found };
    let visit = &mut |step: &Step<'_, 'r>| {
        let is_mate = step.before.turn() == scene.attacker && step.ply().is_some_and(|ply| ply.mate);
        found.extend(is_mate.then(|| MateLine::of(key, step)));
    };
    Walker::new(key, true, visit).walk(&Row::before(scene.tree, play));
    found
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
    let mut walker = Walker::new(phase, false, visit);
    if let Some(first) = phase.first {
        walker.path.push((0, first));
        walker.visit(&scene.diagram);
    }
    if let Some(play) = phase.play {
        walker.walk(&Row::before(scene.tree, play));
    }
}

struct Walker<'w, 'r> {
    /// Whether every path to a play is walked, but none through a threat or a dual, as lines need it.
    every_path: bool,
    /// The plays that were visited, and whether the path to them had no dual.
    seen: HashSet<(PlayId, bool)>,
    path: Vec<(usize, &'r Ply)>,
    /// The position after the first move and after each move of the path after that, and whether there was no dual
    /// before.
    places: Vec<(Chess, bool)>,
    visit: &'w mut dyn FnMut(&Step<'_, 'r>),
}

impl<'w, 'r> Walker<'w, 'r> {
    fn new(phase: &Phase<'r>, every_path: bool, visit: &'w mut dyn FnMut(&Step<'_, 'r>)) -> Walker<'w, 'r> {
        let (seen, path, places) = (HashSet::new(), Vec::new(), vec![(phase.position.clone(), true)]);
        Walker { every_path, seen, path, places, visit }
    }

    /// Returns the position here, and whether there was no dual on the path.
    fn here(&self) -> &(Chess, bool) {
        &self.places[self.places.len() - 1]
    }

    fn visit(&mut self, before: &Chess) {
        let (after, is_only) = &self.places[self.places.len() - 1];
        (self.visit)(&Step { path: &self.path, before, after, is_only: *is_only });
    }

    /// Visits a move from this position.
    fn step(&mut self, at: usize, ply: &'r Ply, before: &Chess, is_only: bool) {
        self.path.push((at, ply));
        self.places.push((after(before, ply.mv), is_only));
        self.visit(before);
    }

    /// Walks through what follows a row.
    fn walk(&mut self, above: &Row<'r>) {
        let is_only = self.here().1;
        if let Some((id, _)) = above.play()
            && !self.every_path
            && (self.seen.contains(&(id, true)) || !self.seen.insert((id, is_only)))
        {
            return;
        }
        let rows = above.below_by_defence();
        let choices = rows.iter().filter(|row| !row.is_defence()).count();
        for row in rows {
            let Some(ply) = row.ply else { continue };
            let (position, is_only) = self.here().clone();
            let before = match row.kind {
                Kind::Threat if self.every_path => continue,
                Kind::Threat => passed(&position),
                _ => Some(position),
            };
            let Some(before) = before else { continue };
            self.step(row.depth(), ply, &before, is_only && (row.is_defence() || choices == 1));
            if row.is_defence() || !self.every_path || self.here().1 {
                self.walk(&row);
            }
            self.path.pop();
            self.places.pop();
        }
    }
}
