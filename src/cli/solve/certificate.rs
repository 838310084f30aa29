//! `--certificate FILE` of a single position: the proof of the solution; with `--shortest` also the refutation of
//! shorter ones, or, if there is no solution, the refutation alone.

use std::path::Path;

use shakmaty::Position as _;

use crate::certify::{CertifyError, CertifyRequest};
use crate::chess::{Goal, MateLength, Side, Stipulation};
use crate::proof::{Certificate, Claims};
use crate::solve::Solved;

use crate::cli::files::certificate;
use crate::cli::terminal::{CliError, Exit, print_message};

/// Writes the certificate of the mate that was found, if any. Returns an exit code if the program failed.
pub(crate) fn write(path: &Path, solved: &Solved) -> Result<Option<Exit>, CliError> {
    // Without a FEN the position is invalid, and its error has already been printed.
    let Some(fen) = &solved.solution.fen else { return Ok(None) };
    let Some(proof) = &solved.proof else {
        let question = solved.solution.stipulation;
        let what = question.map_or(Goal::MATE, |question| question.stipulation.goal()).noun();
        print_message(&format!("matesolve: {} is not written: there is no {what} to certify", path.display()));
        return Ok(None);
    };
    certificate::write(path, |mut out| {
        let made = Certificate::new(fen, proof)?;
        Ok(made.write(&mut out)?)
    })
}

/// Returns the request for a certificate of the mate that was found and of the refutation of shorter mates; if there is
/// no mate, of the refutation.
pub(crate) fn of_shortest(solved: &Solved, hash: usize) -> Result<CertifyRequest, CertifyError> {
    let (solution, undecided) = (&solved.solution, CertifyError::Undecided);
    let (Some(fen), Some(question)) = (&solution.fen, solution.stipulation) else { return Err(undecided) };
    let asked = question.stipulation;
    let refuted = solution.result.refuted_through.map(MateLength);
    let (stipulation, claims) = match &solved.proof {
        Some(proof) => {
            let moves = proof.length();
            // The stipulation may have been turned round: the other side mates.
            let begins = if proof.root().turn() == proof.attacker() { Side::Attacker } else { Side::Defender };
            let least = MateLength(u16::from(begins == Side::Attacker));
            let turned = Stipulation::forced(proof.goal(), begins, Some(moves));
            let nothing = moves.shorter().filter(|&nothing| nothing >= least && !proof.goal().exact);
            match nothing {
                Some(nothing) if refuted < Some(nothing) => return Err(CertifyError::Undecided),
                Some(nothing) => (turned, Claims::Shortest { moves, nothing }),
                None => (turned, Claims::Solved(moves)),
            }
        }
        None => match asked.moves() {
            Some(moves) if refuted >= Some(moves) => (asked, Claims::Nothing(moves)),
            _ => return Err(CertifyError::Undecided),
        },
    };
    Ok(CertifyRequest { fen: fen.clone(), exclusive: Vec::new(), stipulation, intended: 1, claims, hash })
}
