//! `matesolve verify FILE`: checks a certificate or a file of results, and prints what the check shows and what it does
//! not show.

use std::io::{self, Write as _};

use shakmaty::Color;

use crate::output::text::grouped;
use crate::printable;
use crate::proof::{Certificate, CertificateError, ProofNode, Verified};
use crate::verify::{CheckedResult, FileKind, LineCheck, check_results};

use super::args::VerifyArgs;
use super::exit::Exit;
use super::inputs;
use super::messages::{CliError, print_message};

pub(super) fn run(args: &VerifyArgs) -> Result<Exit, CliError> {
    let bytes = inputs::read(&args.file)?;
    let name = inputs::name(&args.file);
    match FileKind::of(&bytes) {
        Some(FileKind::Certificate) => verify_certificate(&name, bytes),
        Some(FileKind::Results) => verify_results(&name, &bytes),
        None => {
            print_message(&format!(
                "{name}: neither a certificate (its first line would be \"matesolve certificate 1\") nor results in \
                 JSON; write one with --certificate or --format jsonl"
            ));
            Ok(Exit::Invalid)
        }
    }
}

/// Checks a certificate. The text is freed as soon as the proof is read from it, because both may be large.
fn verify_certificate(name: &str, bytes: Vec<u8>) -> Result<Exit, CliError> {
    let read = Certificate::read(&bytes);
    drop(bytes);
    let verified = read.and_then(|certificate| {
        let fen = certificate.fen().to_owned();
        Ok((fen, certificate.into_verified()?))
    });
    match verified {
        Ok((fen, proof)) => {
            print(&certificate_summary(&fen, &proof))?;
            Ok(Exit::Answered)
        }
        Err(error) => {
            print_message(&format!("{name}: {error}"));
            let is_no_certificate = matches!(error, CertificateError::Title);
            Ok(if is_no_certificate { Exit::Invalid } else { Exit::Negative })
        }
    }
}

/// Returns the text printed for a certificate that passed its check.
fn certificate_summary(fen: &str, proof: &Verified) -> String {
    let (moves, attacker) = (proof.length(), proof.attacker());
    let to_move = if fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
    let side = attacker.fold_wb("White", "Black");
    let verdict = if to_move == attacker { "mate" } else { "mated" };
    let has_defences = |node: &&ProofNode| matches!(node, ProofNode::Defend(replies) if !replies.is_empty());
    let positions = grouped(proof.tree().nodes().iter().filter(has_defences).count() as u64);
    format!(
        "certificate: {verdict} in {moves} holds\n\
         {side} mates from {fen}\n\
         checked: all legal defences are answered (positions: {positions}), and every line ends in checkmate\n\
         not shown: that no shorter mate exists\n"
    )
}

fn verify_results(name: &str, bytes: &[u8]) -> Result<Exit, CliError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            print_message(&format!("{name}: byte {} is not UTF-8 text; the file is damaged", error.valid_up_to()));
            return Ok(Exit::Negative);
        }
    };
    let checked = check_results(text);
    if checked.is_empty() {
        print_message(&format!("{name}: the file holds no result"));
        return Ok(Exit::Invalid);
    }
    let (mut correct, mut without_mate, mut wrong) = (0, 0, 0);
    for CheckedResult { place, id, outcome } in &checked {
        match outcome {
            Ok(LineCheck::Mates) => correct += 1,
            Ok(LineCheck::NoMateClaimed) => without_mate += 1,
            Err(fault) => {
                wrong += 1;
                let id = id.as_deref().map_or(String::new(), |id| format!(" ({id})"));
                print_message(&format!("{name}: {place}{id}: {fault}"));
            }
        }
    }
    print(&format!(
        "results {}: main lines that mate as claimed {correct}, wrong {wrong}, no mate claimed {without_mate}\n\
         checked: whether every main line is legal, is as long as claimed, and ends in checkmate\n\
         not shown: that the mates are forced (a certificate shows that) or shortest, or that a mate is refuted\n",
        checked.len()
    ))?;
    Ok(if wrong > 0 { Exit::Negative } else { Exit::Answered })
}

/// Prints to standard output. A closed pipe is ignored, so that the exit code still gives the verdict.
fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(printable::lines(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
