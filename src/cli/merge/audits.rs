//! Puts the shares of an audit together, in the order of the input.
//!
//! An audit may be of several files, and a page of the YACPDB has all its entries on one line, so the number of a line
//! does not order the entries. But `audit --shard K/N` takes every N-th entry, so entry by entry is taken from the
//! shares in turn. That needs all shares in the order 1/N, 2/N, …, N/N. Two checks find most mistakes: in the result
//! the lines of a file never decrease and its audits stand together, and no share is longer than the one before it, or
//! shorter than the first by more than one entry.

use std::io::Write as _;

use crate::output::audit::json::WrittenAudit;

use crate::cli::files::inputs::Share;
use crate::cli::files::output_file;
use crate::cli::merge::MergeArgs;
use crate::cli::terminal::{CliError, Exit, print_message};

/// Returns whether a text is an audit in JSON.
pub(crate) fn is_audit(text: &str) -> bool {
    serde_json::from_str::<WrittenAudit>(text).is_ok()
}

/// The audits of one share.
struct AuditShare {
    share: Share,
    /// The number of audits.
    audits: usize,
}

impl AuditShare {
    /// Reads the next audit: its fields and its text.
    fn next(&mut self) -> Result<Option<(WrittenAudit, String)>, CliError> {
        let next = self.share.next("an audit in JSON lines, as the first file has them")?;
        self.audits += usize::from(next.is_some());
        Ok(next)
    }
}

pub(crate) fn run(args: &MergeArgs, shares: Vec<Share>) -> Result<Exit, CliError> {
    if args.input.is_some() {
        let why = "--input compares results of batch with their problems; audits have no such results: leave it out";
        return Err(CliError::Usage(why.to_owned()));
    }
    let mut shares: Vec<AuditShare> = shares.into_iter().map(|share| AuditShare { share, audits: 0 }).collect();
    let mut out = output_file::open(args.output.as_deref(), anstream::ColorChoice::Never)?;
    // The files of the input, each with the line of its last audit.
    let mut files: Vec<(String, usize)> = Vec::new();
    let mut audits = 0;
    loop {
        let before = audits;
        for share in &mut shares {
            let Some((audit, text)) = share.next()? else { continue };
            check_order(&mut files, audit, share)?;
            writeln!(out, "{text}")?;
            audits += 1;
        }
        if audits == before {
            break;
        }
    }
    out.flush()?;
    let faults: Vec<String> = shares.windows(2).filter_map(|pair| uneven(&pair[0], &pair[1])).collect();
    let across = shares.first().zip(shares.last()).filter(|(first, last)| first.audits > last.audits + 1);
    let across = across.filter(|_| faults.is_empty()).map(|(first, last)| too_short(first, last));
    let faults: Vec<String> = faults.into_iter().chain(across).collect();
    for fault in &faults {
        print_message(fault);
    }
    print_message(&format!("audits {audits}: shares {}, uneven {}", shares.len(), faults.len()));
    Ok(if faults.is_empty() { Exit::Answered } else { Exit::Disagrees })
}

/// Refuses an audit that would stand after one that follows it in the input, and notes its place.
fn check_order(files: &mut Vec<(String, usize)>, audit: WrittenAudit, share: &AuditShare) -> Result<(), CliError> {
    let line = audit.audit.line.unwrap_or(0);
    let known = files.iter().position(|(file, _)| *file == audit.file);
    let Some(at) = known else {
        files.push((audit.file, line));
        return Ok(());
    };
    let (last, (_, before)) = (files.len() - 1, &mut files[at]);
    if at == last && line >= *before {
        *before = line;
        return Ok(());
    }
    Err(CliError::Usage(format!(
        "{}:{}: the audit of line {line} of {} would stand after one that follows it in the input; give all shares, \
         each once, in the order 1/N, 2/N, …, N/N",
        share.share.name, share.share.read, audit.file
    )))
}

/// Returns a sentence if two shares that follow one another cannot be of one audit.
fn uneven(first: &AuditShare, second: &AuditShare) -> Option<String> {
    if second.audits > first.audits {
        return Some(too_short(second, first));
    }
    (first.audits > second.audits + 1).then(|| too_short(first, second))
}

/// Says that a share lacks audits.
fn too_short(long: &AuditShare, short: &AuditShare) -> String {
    format!(
        "{} has {} audits and {} has {}: a share is not finished, or the shares are not in the order 1/N, 2/N, …, N/N",
        long.share.name, long.audits, short.share.name, short.audits
    )
}
