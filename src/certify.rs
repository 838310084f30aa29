//! Certificates of verdicts and of refutations: searches for what the claims need, and writes it.
//!
//! A certificate of a solution alone needs only its proof ([`crate::proof::Certificate`]). What is claimed to be
//! impossible is refuted here once more, position by position, because a search keeps its refutations in a table that
//! forgets. The lines go to the file as they come.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use shakmaty::{Chess, Color, Square};
use thiserror::Error;

use crate::chess::{Goal, MateLength, MoveCode, NodeKind, Position, Stipulation, notation};
use crate::proof::{
    CertificateError, CertificateWriter, Claims, Header, LeftOut, ProofTree, Refusal, Section, VerdictWord, Verified,
    check_exclusive, order, parse_position, played,
};
use crate::results::report::{Key, Report, Soundness};
use crate::search::decider::Decider;
use crate::search::decider::engine::BYTES_PER_PROOF_NODE;
use crate::search::dfpn::Prover;
use crate::search::refuter::{Refuter, RefuterError};
use crate::search::{Control, Facts, Limits, Meter, StopReason};
use crate::solve::start;

/// A certificate that is to be made.
#[derive(Debug, Clone)]
pub struct CertifyRequest {
    /// The diagram.
    pub fen: String,
    /// Pairs of rooks: castling with one ends the right to castle with the other.
    pub exclusive: Vec<(Square, Square)>,
    /// The question, with its length.
    pub stipulation: Stipulation,
    /// The number of keys that are intended.
    pub intended: u16,
    /// The claims.
    pub claims: Claims,
    /// The memory, in bytes.
    pub hash: usize,
}

/// Why there is no certificate. Its text is a sentence, or the end of one that names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The problem is not decided.
    #[error("the problem is not decided; give it more time or nodes")]
    Undecided,
    /// There is nothing that a certificate can claim, or too little memory to prove it: the reason.
    #[error("{0}")]
    NoClaim(&'static str),
    /// The work was stopped.
    #[error("it was stopped before it was complete")]
    Stopped,
    /// A line could not be written.
    #[error(transparent)]
    Unwritten(#[from] io::Error),
    /// A claim turned out to be false, or a proof did not pass the checker.
    #[error("{0}; please report this position")]
    Failed(String),
}

impl From<RefuterError> for CertifyError {
    fn from(error: RefuterError) -> CertifyError {
        match error {
            RefuterError::Interrupted(StopReason::Memory) => {
                CertifyError::NoClaim("the proof of a key does not fit the memory; give it more with --hash")
            }
            RefuterError::Interrupted(_) => CertifyError::Stopped,
            RefuterError::Unwritten(error) => CertifyError::Unwritten(error),
            RefuterError::Solvable => CertifyError::Failed("what the search refuted can be solved".to_owned()),
        }
    }
}

impl From<CertificateError> for CertifyError {
    fn from(error: CertificateError) -> CertifyError {
        CertifyError::Failed(error.to_string())
    }
}

/// The progress of a certificate.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Progress {
    /// The number of lines written.
    pub lines: usize,
    /// An estimate of the lines that the file would have if no position occurred twice.
    pub estimate: u64,
}

impl CertifyRequest {
    /// Returns the request for a certificate of a report's verdict. `exclusive` and `hash` are those of the report.
    ///
    /// # Errors
    /// If the report has no verdict, or none that a certificate can claim.
    pub fn of_report(
        report: &Report,
        exclusive: &[(Square, Square)],
        hash: usize,
    ) -> Result<CertifyRequest, CertifyError> {
        let (Some(diagram), Some(question)) = (&report.position, report.stipulation) else {
            return Err(CertifyError::NoClaim("there is no problem to certify"));
        };
        let stipulation = question.stipulation;
        if stipulation.is_helped() {
            return Err(CertifyError::NoClaim("certificates do not know help play"));
        }
        let verdict = &report.verdict;
        if verdict.soundness == Soundness::Undecided || !report.first_moves.open.is_empty() {
            return Err(CertifyError::Undecided);
        }
        let length = stipulation.moves().or(verdict.mate_in.map(MateLength)).ok_or(CertifyError::Undecided)?;
        let goal = stipulation.goal();
        if verdict.mate_in == Some(0) && goal.is_self() && !stipulation.defender_begins() {
            return Err(CertifyError::NoClaim("the goal stands in the diagram already, so there is no key to certify"));
        }
        let claims = if stipulation.defender_begins() {
            verdict.mate_in.map_or(Claims::Nothing(length), |n| Claims::Solved(MateLength(n)))
        } else {
            verdict_of(&report.keys, report.options.intended_solutions, length)?
        };
        Ok(CertifyRequest {
            fen: diagram.fen.clone(),
            exclusive: exclusive.to_vec(),
            stipulation: stipulation.within(Some(length)),
            intended: report.options.intended_solutions,
            claims,
            hash,
        })
    }

    /// Makes the certificate, and writes it to `out` while it is made. `proof` is the checked proof of the claimed
    /// solution, if there is one already. Returns `out` when the last line is written.
    ///
    /// # Errors
    /// If the work is stopped, or a line cannot be written, or a claim does not hold. Then what was written has no last
    /// line, and every checker refuses it.
    pub fn write<W: Write>(
        &self,
        proof: Option<&Verified>,
        out: W,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<W, CertifyError> {
        let chess = parse_position(&self.fen).map_err(CertifyError::Failed)?;
        let root = start(&chess, &self.exclusive, self.stipulation);
        let attacker = self.stipulation.attacker(root.turn());
        let moves = self.stipulation.moves().ok_or(CertifyError::Undecided)?;
        let header = Header {
            fen: self.fen.clone(),
            exclusive: self.exclusive.clone(),
            attacker,
            goal: self.stipulation.goal(),
            moves,
            intended: self.intended,
            claims: self.claims.clone(),
        };
        let control = Control::new(Limits::default(), stop);
        let facts = Facts::with_bytes(FACTS).about(self.stipulation, attacker);
        let written = self.hash / WRITTEN_SHARE;
        let prover = Prover::for_report(None, &root, attacker, header.goal, self.hash - written);
        let refuter = Refuter::new(Decider::new(prover, &facts, Meter::new(&control)), written);
        let mut maker = Maker { request: self, chess, root, attacker, refuter, proof, progress };
        let mut writer = CertificateWriter::begin(&header, out)?;
        for section in self.claims.sections(moves, header.goal.exact) {
            maker.section(&section, &mut writer)?;
        }
        Ok(writer.end()?)
    }
}

/// The divisor of the memory that gives the part for the remembered lines.
const WRITTEN_SHARE: usize = 4;

/// The table of facts, in bytes. The prover has its own.
const FACTS: usize = 64 << 10;

/// The lines between two reports of progress.
const LINES_BETWEEN: usize = 1 << 12;

/// Returns the claim about these keys.
fn verdict_of(keys: &[Key], intended: u16, moves: MateLength) -> Result<Claims, CertifyError> {
    let short = keys.iter().any(|key| key.mate_in < moves.0);
    let word = if short { Some(VerdictWord::Short) } else { VerdictWord::of(keys.len(), intended) };
    let fewer = "there are fewer keys than intended, and certificates have no word for that; leave out --intended";
    let word = word.ok_or(CertifyError::NoClaim(fewer))?;
    let mut keys: Vec<MoveCode> = keys.iter().map(|key| notation::code(key.ply.mv)).collect();
    keys.sort_unstable_by_key(|&key| order(key));
    Ok(Claims::Verdict { word, keys })
}

/// Makes the sections of one certificate.
struct Maker<'m, 'a, 'c> {
    request: &'m CertifyRequest,
    chess: Chess,
    root: Position,
    attacker: Color,
    refuter: Refuter<'a, 'c>,
    proof: Option<&'m Verified>,
    progress: &'m mut dyn FnMut(Progress),
}

impl Maker<'_, '_, '_> {
    fn section<W: Write>(&mut self, section: &Section, writer: &mut CertificateWriter<W>) -> Result<(), CertifyError> {
        match section {
            &Section::Solved { moves, or_fewer, first } => {
                let given = self.proof.filter(|proof| first.is_none() && proof.length() == moves);
                if let Some(proof) = given {
                    return Ok(writer.solution(&self.check(self.compacted(&self.chess, proof.tree())?)?)?);
                }
                // A key that is too short must be shown to be so.
                let shorter = moves.shorter().filter(|_| or_fewer);
                let shorter = shorter.map_or(Ok(None), |shorter| self.prove(shorter, first))?;
                let proof = shorter.map_or_else(|| self.prove(moves, first), |proof| Ok(Some(proof)))?;
                let proof = proof.ok_or_else(|| CertifyError::Failed("a solution was not found again".to_owned()))?;
                Ok(writer.solution(&proof)?)
            }
            Section::Nothing { moves, left_out } => {
                writer.section(section)?;
                self.refute(*moves, left_out, writer)
            }
        }
    }

    fn goal(&self) -> Goal {
        self.request.stipulation.goal()
    }

    /// Returns a proof that the goal is reached within `moves`, by this first move if one is given; `None` if it is
    /// not.
    fn prove(&mut self, moves: MateLength, first: Option<MoveCode>) -> Result<Option<Verified>, CertifyError> {
        let max = self.request.hash / 4 / BYTES_PER_PROOF_NODE;
        let lost = || CertifyError::Failed("a key is no legal move".to_owned());
        let legal = |code| self.root.find_move(code).zip(notation::legal_move(&self.chess, code)).ok_or_else(lost);
        let first = first.map(legal).transpose()?;
        let (root, kind, moves) = match first {
            Some((m, _)) => (self.root.play(m), NodeKind::And, moves.shorter().ok_or_else(lost)?),
            None => (self.root, self.request.stipulation.begins().into(), moves),
        };
        let tree = self.refuter.decider().prove(&root, kind, moves, max);
        let Some(tree) = tree.map_err(RefuterError::Interrupted)? else { return Ok(None) };
        // What follows the key is compacted alone: the diagram may have a shorter solution by another key.
        let tree = match first {
            None => self.compacted(&self.chess, &tree)?,
            Some((_, key)) => {
                let after = played(&self.chess, key, &self.request.exclusive);
                self.compacted(&after, &tree)?.after(notation::code(key))
            }
        };
        self.check(tree).map(Some)
    }

    /// Returns the same proof with one node for each position.
    fn compacted(&self, root: &Chess, tree: &ProofTree) -> Result<ProofTree, CertifyError> {
        let compact = tree.compact(root, self.attacker, self.goal(), &self.request.exclusive);
        compact.map_err(|fault| CertifyError::Failed(fault.to_string()))
    }

    fn check(&self, tree: ProofTree) -> Result<Verified, CertifyError> {
        check_exclusive(&self.chess, self.attacker, self.goal(), tree, &self.request.exclusive)
            .map_err(|fault| CertifyError::Failed(format!("a proof does not hold ({fault})")))
    }

    /// Writes the lines of a refutation.
    fn refute<W: Write>(
        &mut self,
        moves: MateLength,
        left_out: &LeftOut,
        writer: &mut CertificateWriter<W>,
    ) -> Result<(), CertifyError> {
        let kind: NodeKind = self.request.stipulation.begins().into();
        let estimate = self.refuter.estimate(&self.root, kind, moves, left_out).map_err(RefuterError::Interrupted)?;
        let progress = &mut *self.progress;
        progress(Progress { lines: writer.lines(), estimate });
        let mut write = |line: Refusal<'_>| {
            let number = writer.refusal(line)?;
            if number % LINES_BETWEEN == 0 {
                progress(Progress { lines: number, estimate });
            }
            Ok(number)
        };
        Ok(self.refuter.section(&self.root, kind, moves, left_out, &mut write)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the estimate for the refutation of a length, and the number of its lines.
    fn lines(fen: &str, moves: u16) -> (u64, usize) {
        let request = CertifyRequest {
            fen: fen.to_owned(),
            exclusive: Vec::new(),
            stipulation: Stipulation::mate(Some(MateLength(moves))),
            intended: 1,
            claims: Claims::Nothing(MateLength(moves)),
            hash: 4 << 20,
        };
        let mut estimate = 0;
        let file =
            request.write(None, Vec::new(), &AtomicBool::new(false), &mut |now| estimate = now.estimate).unwrap();
        // The title, position, stipulation, claim, the title of the section and the last line are no lines of the
        // proof.
        (estimate, String::from_utf8(file).unwrap().lines().count() - 6)
    }

    #[test]
    fn the_estimate_has_the_order_of_magnitude() {
        assert_eq!(lines("k7/8/8/8/8/8/8/6RK w - -", 1), (0, 0));
        assert_eq!(lines("k7/8/8/8/8/8/8/6RK w - -", 2), (1, 1));
        for (fen, moves) in [
            ("k7/8/8/8/8/8/8/6RK w - -", 4),
            ("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -", 2),
            ("7k/2K1RRp1/8/8/8/8/8/8 w - -", 3),
        ] {
            let (estimate, lines) = lines(fen, moves);
            assert!(lines as u64 <= 2 * estimate && estimate <= 50 * lines as u64, "{estimate} {lines}: {fen}");
        }
    }

    #[test]
    fn a_claim_that_is_false_makes_no_certificate() {
        let request = CertifyRequest {
            fen: "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1".to_owned(),
            exclusive: Vec::new(),
            stipulation: Stipulation::mate(Some(MateLength(2))),
            intended: 1,
            claims: Claims::Nothing(MateLength(2)),
            hash: 1 << 20,
        };
        let made = request.write(None, Vec::new(), &AtomicBool::new(false), &mut |_| ());
        assert!(matches!(made, Err(CertifyError::Failed(_))), "{made:?}");
        let stopped = CertifyRequest { claims: Claims::Nothing(MateLength(1)), ..request };
        assert!(stopped.write(None, Vec::new(), &AtomicBool::new(false), &mut |_| ()).is_ok());
        let long = CertifyRequest {
            stipulation: Stipulation::mate(Some(MateLength(9))),
            claims: Claims::Nothing(MateLength(9)),
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            ..stopped
        };
        assert!(matches!(
            long.write(None, Vec::new(), &AtomicBool::new(true), &mut |_| ()),
            Err(CertifyError::Stopped)
        ));
    }
}
