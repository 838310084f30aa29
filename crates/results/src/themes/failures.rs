//! Why a try fails: what its own move spoils for the attacker, so that a defence refutes it.
//!
//! ```text
//! try ──> refutation ──> no mate            the position that is changed
//!                        ├─ the man that made the try is taken off: a mate works    its arrival is the error
//!                        └─ it is put back where it came from: a mate works         its departure is the error
//! ```
//!
//! | motif | rule |
//! |---|---|
//! | obstruction | with the man taken off, another man mates on its square, or castles or advances over it |
//! | interference | with the man taken off, another man mates, over the square or by a move that was possible but did not mate |
//! | unguard | with the man put back, another man mates, because the man that tried guards a flight; or the refutation is a flight that it guards |
//! | line opening | with the man put back, another man mates, because a line of the defender is shut, or because the refutation gives no check over its square; or the refutation, which passes over its square, is not possible |
//! | unpin | with the man put back, another man mates, because a man of the defender is pinned; or the refutation is not possible for this reason |
//! | exposed king | the king made the try, and the refutation checks it; with the king put back there is no check, and another man mates |
//!
//! Only tries of two-movers are tested, and no castling. A king is not taken off. A refutation that captures the man,
//! and a flight to its square, are left out. Errors of departure are named only if there is none of arrival.

use shakmaty::{Chess, Move, Position as _, Role, Square, attacks};

use crate::chess::{notation::after, passed};
use crate::results::ply::word;
use crate::results::report::Ply;
use crate::results::themes::{Failure, FailureMotif, PhaseKind, Retest};

use super::phases::{Phase, PlayMove, Scene, of_legal};
use super::pins::pins;
use super::retest::{ask, man, ply, same_move, state, without};

/// Returns the reasons why a try of a two-mover fails, at most one of each kind for a refutation.
pub(super) fn failures(scene: &Scene<'_>, phase: &Phase<'_>) -> Vec<Failure> {
    let first = phase.first.map(|first| first.mv).filter(|first| !first.is_castle());
    let Some((first, from)) = first.and_then(|first| Some((first, first.from()?))) else { return Vec::new() };
    if phase.kind != PhaseKind::Try || !scene.is_two_mover() {
        return Vec::new();
    }
    let of_refutation = |&(refutation, id): &(&Ply, PlayMove)| {
        let known = answers(scene, id);
        let failed = after(&phase.position, refutation.mv);
        let attempt = RefutedTry { scene, first, from, refutation, failed, known };
        let arrival = attempt.arrival();
        if arrival.is_empty() { attempt.departure() } else { arrival }
    };
    phase.refutations.iter().flat_map(of_refutation).collect()
}

/// Returns the answers to a defence in all phases.
fn answers(scene: &Scene<'_>, defence: PlayMove) -> Vec<PlayMove> {
    let lines = scene.phases.iter().filter_map(|phase| phase.line(defence));
    lines.flat_map(|line| line.answers.iter().map(|answer| answer.id)).collect()
}

struct RefutedTry<'s, 'r> {
    scene: &'s Scene<'r>,
    first: Move,
    /// The square that the man left.
    from: Square,
    refutation: &'s Ply,
    /// The position after the refutation, in which no move mates.
    failed: Chess,
    /// The answers to the refutation in other phases. They are preferred to other mates.
    known: Vec<PlayMove>,
}

impl RefutedTry<'_, '_> {
    /// Returns the mates in a changed position by other men than the one on a square, the known ones first.
    fn mates(&self, position: &Chess, but: Square) -> Vec<Move> {
        let is_mate = |m: &Move| m.from() != Some(but) && after(position, *m).is_checkmate();
        let mut mates: Vec<Move> = position.legal_moves().into_iter().filter(is_mate).collect();
        mates.sort_by_key(|&m| !self.known.contains(&of_legal(m)));
        mates
    }

    fn failure(&self, motif: FailureMotif, square: Square, mate: Option<Ply>, evidence: Retest) -> Failure {
        Failure { refutation: self.refutation.clone(), motif, square, mate, evidence }
    }

    /// Returns what the man spoils on its square of arrival.
    fn arrival(&self) -> Vec<Failure> {
        let (to, mut found) = (self.first.to(), Vec::<Failure>::new());
        let is_there = self.failed.us().contains(to) && self.first.role() != Role::King;
        let Some(off) = without(&self.failed, self.failed.turn(), to).filter(|_| is_there) else { return found };
        for m in self.mates(&off, to) {
            let passes = m.from().is_some_and(|from| attacks::between(from, m.to()).contains(to));
            let motif = match same_move(&self.failed, m) {
                _ if m.to() == to || m.is_castle() || (passes && m.role() == Role::Pawn) => FailureMotif::Obstruction,
                None if !passes => continue,
                _ => FailureMotif::Interference,
            };
            if found.iter().all(|known| known.motif != motif) {
                let change = format!("the {} is taken off {to}", man(&self.failed, to));
                found.push(self.failure(motif, to, Some(ply(&off, m)), ask(change, &off, m)));
            }
        }
        found
    }

    /// Returns what the man spoils by leaving its square.
    fn departure(&self) -> Vec<Failure> {
        let mut found = Vec::<Failure>::new();
        // If the refutation captures the man, its loss is the reason.
        let is_captured = !self.failed.us().contains(self.first.to());
        let Some(base) = passed(&self.scene.diagram).filter(|_| !is_captured) else { return found };
        let change = format!("the {} is put back on {}", word(self.first.role()), self.from);
        let Some(refutation) = same_move(&base, self.refutation.mv) else {
            let shown = |motif| self.failure(motif, self.from, None, state(change, &base, true));
            return self.prevents(&base).map(shown).into_iter().collect();
        };
        let back = after(&base, refutation);
        for m in self.mates(&back, self.from) {
            let Some(motif) = self.spoilt(&back, m) else { continue };
            if found.iter().all(|known| known.motif != motif) {
                found.push(self.failure(motif, self.from, Some(ply(&back, m)), ask(change.clone(), &back, m)));
            }
        }
        found
    }

    /// Returns how the man prevents the refutation from the square that it left. With the man taken off, it is
    /// possible.
    fn prevents(&self, base: &Chess) -> Option<FailureMotif> {
        let m = self.refutation.mv;
        let origin = m.from()?;
        // A king cannot be taken off.
        if self.first.role() != Role::King {
            same_move(&without(base, base.turn(), self.from)?, m)?;
        }
        let passes = attacks::between(origin, m.to()).contains(self.from);
        match m.role() {
            Role::King => self.guards(base, m.to()).then_some(FailureMotif::Unguard),
            Role::Bishop | Role::Rook | Role::Queen if passes => Some(FailureMotif::LineOpening),
            _ => pins(base, base.turn()).contains(&(origin, self.from)).then_some(FailureMotif::Unpin),
        }
    }

    /// Returns how the man helps a mate from the square that it left.
    fn spoilt(&self, back: &Chess, m: Move) -> Option<FailureMotif> {
        let Some(played) = same_move(&self.failed, m).map(|m| after(&self.failed, m)) else {
            return self.is_checked_by_try().filter(|_| !back.is_check());
        };
        if !played.is_check() {
            return None;
        }
        let mated = after(back, m);
        let pins = pins(&mated, mated.turn());
        played.legal_moves().into_iter().find_map(|parry| {
            let origin = parry.from()?;
            let passes = parry.to() == self.from || attacks::between(origin, parry.to()).contains(self.from);
            match parry.role() {
                // The king may capture the man itself, which is its loss.
                Role::King if parry.to() == self.first.to() => None,
                Role::King => self.guards(&mated, parry.to()).then_some(FailureMotif::Unguard),
                Role::Bishop | Role::Rook | Role::Queen if passes => Some(FailureMotif::LineOpening),
                _ => pins.contains(&(origin, self.from)).then_some(FailureMotif::Unpin),
            }
        })
    }

    /// Returns how the try lets the refutation give check.
    fn is_checked_by_try(&self) -> Option<FailureMotif> {
        let king = self.failed.board().king_of(self.failed.turn()).filter(|_| self.failed.is_check())?;
        let opened = |by: Square| attacks::between(by, king).contains(self.from);
        match self.first.role() {
            Role::King => Some(FailureMotif::ExposedKing),
            _ => self.failed.checkers().into_iter().any(opened).then_some(FailureMotif::LineOpening),
        }
    }

    /// Returns whether the man guards a square from the one that it left, also behind the defender's king.
    fn guards(&self, position: &Chess, square: Square) -> bool {
        let board = position.board();
        let free = board.occupied() & !(board.kings() & position.us());
        board.piece_at(self.from).is_some_and(|piece| attacks::attacks(self.from, piece, free).contains(square))
    }
}
