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
//! | interference | with the man taken off, another man mates, and its line, or the line of a third one, passes over the square |
//! | unguard | with the man put back, another man mates, because the man that tried guards a flight; or the refutation is a flight that it guards |
//! | line opening | with the man put back, another man mates, because a line of the defender is shut; or the refutation, which passes over its square, is not possible |
//! | unpin | with the man put back, another man mates, because a man of the defender is pinned; or the refutation is not possible for this reason |
//! | exposed king | the king made the try, and the refutation checks it; with the king put back there is no check, and another man mates |
//!
//! A refutation that captures the man is no error of this kind. Only errors of arrival are named if there is one. Where
//! nothing of this is shown, nothing is said: the refutation may simply be a good move.

use shakmaty::{Chess, Move, Position as _, Role, Square, attacks};

use crate::chess::passed;
use crate::results::ply::word;
use crate::results::report::Ply;
use crate::results::themes::{Failure, FailureMotif, PhaseKind, Retest};

use super::phases::{Phase, PlayMove, Scene, of_legal};
use super::pins::pins;
use super::retest::{after, ask, man, ply, same_move, state, without};

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

/// A try with one of its refutations.
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
            let prevented = self.prevents(&base);
            return prevented
                .map(|motif| self.failure(motif, self.from, None, state(change, &base, true)))
                .into_iter()
                .collect();
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

#[cfg(test)]
mod tests {
    use crate::results::report::ReportOptions;
    use crate::{Problem, Solver};

    /// Returns the reasons of a try, as text.
    fn of(line: &str, first: &str) -> Vec<String> {
        let problem = Problem::read(line).unwrap();
        let options = ReportOptions::default().with(|options| options.phases_table = true);
        let table = Solver::new().report(&problem, options).phases_table.unwrap();
        let row = table.rows.iter().find(|row| row.phase.to_string() == first).expect("the try is in the table");
        row.failures.iter().map(crate::results::themes::Failure::text).collect()
    }

    #[test]
    fn a_try_that_only_looks_like_an_error_has_no_reason_of_this_kind() {
        let [loyd, benko] = ["8/8/8/8/1BB5/NN6/krQ5/7K w - -", "8/8/8/8/1Q2N3/6N1/3p4/4knK1 w - -"];
        for (motif, fen, first, refutation) in [
            // Another man mates on the square of the man, which is captured: E. E. H. Baird.
            ("obstruction", "8/8/2PKB3/3N4/3k4/3P4/2nPP3/8 w - -", "1.Ne3?", "Nxe3"),
            // Another man mates there after the key, but not from where it stands: E. E. H. Baird, S. Loyd, 1895.
            ("obstruction", "8/3p4/1Q2p3/3k4/8/N5N1/3K4/8 w - -", "1.Ke3?", "e5"),
            ("obstruction", "1BK5/8/2p5/3k4/4bR2/4R3/8/2Q5 w - -", "1.Rexe4?", "c5"),
            // The man stands on the line of a mate of the solution, which is no mate here: S. Loyd, 1892, 1877, 1876.
            ("interference", "7K/8/8/8/R4pNk/8/1Q6/2BB1N2 w - -", "1.Ne5?", "Kg5"),
            ("interference", "8/7K/8/5R2/3N2R1/5Q1p/2N3qp/7k w - -", "1.Nc6?", "Qxf3"),
            ("interference", "8/5Q1N/2R5/4p3/p2pk3/R1p4P/5B2/4K3 w - -", "1.Rb6?", "Kd3"),
            // The king captures the man; he goes where it guarded nothing; a man refutes: T. R. Dawson, P. Benko.
            ("unguard", "8/8/8/1RKR4/8/8/8/4k3 w - -", "1.Rd2?", "Kxd2"),
            ("unguard", "6k1/8/6K1/8/8/8/8/6R1 w - -", "1.Ra1?", "Kf8"),
            ("unguard", "5k2/8/4Kn2/8/7R/8/8/7Q w - -", "1.Qb7?", "Nd7"),
            // The king could capture the man where it arrived: E. E. H. Baird.
            ("unguard", "1Q6/N5n1/8/2Pk1bRB/3P4/4nP2/1B2K3/4N3 w - -", "1.Rxf5+?", "Ke6"),
            // The line man captures the man; another man refutes; the line was open: S. Loyd, P. Benko, E. E. H. Baird.
            ("line opening", loyd, "1.Qd2?", "Rxd2"),
            ("line opening", "4k2r/R6b/1K6/8/8/8/8/1Q6 w k -", "1.Qb4?", "Kd8"),
            ("line opening", "1k6/RNb5/K1R5/8/8/8/8/8 w - -", "1.Nd6?", "Bxd6"),
            // Another man than the pinned one refutes; the pinned one moves along its line: P. Benko, S. Loyd.
            ("unpin", "8/8/3R4/8/3nkpQ1/B7/5K2/8 w - -", "1.Qg6+?", "Ke5"),
            ("unpin", benko, "1.Qb5?", "Nxg3"),
            ("unpin", loyd, "1.Nb1?", "Rxc2"),
            // The check has no answer anyway; the king is not checked; another man made the try: S. Loyd and others.
            ("exposed king", "7k/7b/5Kp1/8/8/8/8/5Q2 w - -", "1.Kf7?", "Bg8+"),
            ("exposed king", "5N1k/5P1b/6R1/6K1/8/8/8/8 w - -", "1.Kf4?", "Bxg6"),
            ("exposed king", "8/3PK3/5R2/4k3/3n4/3Q4/8/8 w - -", "1.d8=Q?", "Nc6+"),
        ] {
            let line = format!("{fen} dm 2;");
            assert_eq!(refutations(&line, first), [refutation], "{fen} {first}");
            let reasons = of(&line, first);
            assert!(
                reasons.iter().all(|reason| !reason.contains(&format!("! {motif}:"))),
                "{fen} {first}: {reasons:?}"
            );
        }
    }

    /// Returns the refutations of a try.
    fn refutations(line: &str, first: &str) -> Vec<String> {
        let options = ReportOptions::default().with(|options| options.tries = Some(1));
        let report = Solver::new().report(&Problem::read(line).unwrap(), options);
        let found = report.tries.unwrap_or_default().into_iter().find(|it| format!("1.{}?", it.ply.san) == first);
        found.expect("the try is in the report").refutations.into_iter().map(|ply| ply.san).collect()
    }

    #[test]
    fn the_error_of_a_try_is_its_arrival_or_its_departure() {
        // T. R. Dawson, 1918 and 1912; P. Benko; E. E. H. Baird, 1907.
        let [dawson, pinned] = ["4n3/7N/1p5Q/1Prpk1p1/p2N4/B4Pp1/8/3RK2R w K -", "4R3/2Q3pk/4R3/4P3/4K3/8/8/8 w - -"];
        let [benko, baird] = ["8/8/8/8/1Q2N3/6N1/3p4/4knK1 w - -", "4q1k1/4BNP1/4B1K1/8/8/8/8/8 w - -"];
        for (fen, first, reason) in [
            (dawson, "1.Rh2?", "1...g2! obstruction: the rook is taken off h2, then 2.Qh2#"),
            (dawson, "1.Rh3?", "1...g2! interference: the rook is taken off h3, then 2.Qh2#"),
            (dawson, "1.Ke2?", "1...Rc2+! exposed king: the king is put back on e1, then 2.Qxg5#"),
            (pinned, "1.Qc6?", "1...g6! unpin: the queen is put back on c7, then 1...g6 is not possible"),
            (
                "8/5BKP/6p1/6k1/6P1/6Q1/8/8 w - -",
                "1.Kg8?",
                "1...Kf6! unguard: the king is put back on g7, then 1...Kf6 is not possible",
            ),
            (benko, "1.Nxf1?", "1...Ke2! unguard: the knight is put back on g3, then 1...Ke2 is not possible"),
            (baird, "1.Bb4?", "1...Qxe6+! line opening: the bishop is put back on e7, then 1...Qxe6+ is not possible"),
            (baird, "1.Bc4?", "1...Qc6+! line opening: the bishop is put back on e6, then 2.Nh6#"),
        ] {
            assert_eq!(of(&format!("{fen} dm 2;"), first), [reason], "{fen} {first}");
        }
    }
}
