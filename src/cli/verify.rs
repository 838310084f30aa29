//! `matesolve verify FILE`: what a certificate or a file of results proves, and what it does not.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use shakmaty::Color;

use crate::output::text::grouped;
use crate::proof::{Certificate, CertificateError, ProofNode};
use crate::verify::{Checked, Kind, results};

use super::args::VerifyArgs;
use super::{Exit, Failure, complain};

pub(super) fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    let bytes = read(&args.file)?;
    let name = name(&args.file);
    match Kind::of(&bytes) {
        Some(Kind::Certificate) => certificate(&name, &bytes),
        Some(Kind::Results) => lines(&name, &bytes),
        None => {
            complain(&format!(
                "{name}: neither a certificate (its first line would be \"matesolve certificate 1\") nor results in JSON; \
                 write one with --certificate or --format jsonl"
            ));
            Ok(Exit::Invalid)
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |why: &str| Failure::Usage(format!("{} cannot be read: {why}", path.display()));
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map_err(|error| unreadable(&error.to_string()))?;
    } else if path.is_dir() {
        return Err(unreadable("it is a directory; name a file in it"));
    } else {
        bytes = std::fs::read(path).map_err(|error| unreadable(&error.to_string()))?;
    }
    Ok(bytes)
}

fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}

fn certificate(name: &str, bytes: &[u8]) -> Result<Exit, Failure> {
    let verified = Certificate::read(bytes).and_then(|certificate| {
        certificate.verify()?;
        Ok(certificate)
    });
    match verified {
        Ok(certificate) => {
            print(&proved(&certificate))?;
            Ok(Exit::Answered)
        }
        Err(error) => {
            complain(&format!("{name}: {error}"));
            let nothing_there = matches!(error, CertificateError::Title);
            Ok(if nothing_there { Exit::Invalid } else { Exit::Negative })
        }
    }
}

fn proved(certificate: &Certificate) -> String {
    let (fen, moves) = (certificate.fen(), certificate.length());
    let attacker = certificate.attacker();
    let to_move = if fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
    let side = attacker.fold_wb("White", "Black");
    let verdict = if to_move == attacker { "mate" } else { "mated" };
    let defended = |node: &&ProofNode| matches!(node, ProofNode::Defend(replies) if !replies.is_empty());
    let positions = grouped(certificate.tree().nodes().iter().filter(defended).count() as u64);
    format!(
        "certificate: {verdict} in {moves} holds\n\
         {side} mates from {fen}\n\
         checked: all legal defences are answered (positions: {positions}), and every line ends in checkmate\n\
         not shown: that no shorter mate exists\n"
    )
}

fn lines(name: &str, bytes: &[u8]) -> Result<Exit, Failure> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            complain(&format!("{name}: byte {} is not text: the file was damaged", error.valid_up_to()));
            return Ok(Exit::Negative);
        }
    };
    let checked = results(text);
    if checked.is_empty() {
        complain(&format!("{name}: there is no result in it"));
        return Ok(Exit::Invalid);
    }
    let (mut good, mut without, mut wrong) = (0, 0, 0);
    for Checked { place, id, holds } in &checked {
        match holds {
            Ok(true) => good += 1,
            Ok(false) => without += 1,
            Err(fault) => {
                wrong += 1;
                let id = id.as_deref().map_or(String::new(), |id| format!(" ({id})"));
                complain(&format!("{name}: {place}{id}: {fault}"));
            }
        }
    }
    print(&format!(
        "results {}: main lines that mate as claimed {good}, wrong {wrong}, no mate claimed {without}\n\
         checked: whether every main line is legal, is as long as claimed, and ends in checkmate\n\
         not shown: that the mates are forced (a certificate shows that) or shortest, and what is refuted\n",
        checked.len()
    ))?;
    Ok(if wrong > 0 { Exit::Negative } else { Exit::Answered })
}

/// A reader who leaves early does not change what was found, nor the exit code that tells it.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
