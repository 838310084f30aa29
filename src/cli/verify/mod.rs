//! `matesolve verify FILE`: checks a certificate or a file of results, and prints what the check shows and what it does
//! not show.

mod words;

use std::io::{self, BufRead, BufReader, Cursor, Read as _, Write as _};
use std::path::PathBuf;

use crate::base::printable;
use crate::proof::{CertificateError, CheckedCertificate};
use crate::verify::{CheckedResult, FileKind, LineCheck, check_results};
use clap::Args as ClapArgs;

use crate::cli::files::inputs;
use crate::cli::terminal::{CliError, Exit, print_message, progress};

/// The number of bytes from which the kind of a file is recognised.
const START: u64 = 4096;

#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyArgs {
    /// A certificate, or results in JSON or JSONL; - means standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, CliError> {
    let name = inputs::name(&args.file);
    let mut input = inputs::open(&args.file)?;
    let unreadable = |error: io::Error| CliError::Usage(format!("{name} cannot be read: {error}"));
    let mut start = Vec::new();
    input.by_ref().take(START).read_to_end(&mut start).map_err(unreadable)?;
    let kind = FileKind::of(&start);
    let input = BufReader::with_capacity(1 << 16, progress::counted(Cursor::new(start).chain(input)));
    match kind {
        Some(FileKind::Certificate) => verify_certificate(&name, input),
        Some(FileKind::Results) => verify_results(&name, input),
        Some(FileKind::Of(command)) => {
            let readers = format!("which merge and {command} --resume read");
            let checked = "verify checks certificates and the results of solve and batch";
            print_message(&format!("{name}: this is what {command} writes, {readers}; {checked}"));
            Ok(Exit::Invalid)
        }
        None => {
            print_message(&format!(
                "{name}: neither a certificate (its first line would be \"matesolve certificate 2\") nor results in \
                 JSON; write one with --certificate or --format jsonl"
            ));
            Ok(Exit::Invalid)
        }
    }
}

fn verify_certificate(name: &str, input: impl BufRead) -> Result<Exit, CliError> {
    match CheckedCertificate::read(input) {
        Ok(checked) => {
            print(&words::summary(&checked))?;
            Ok(Exit::Answered)
        }
        Err(CertificateError::Unreadable(error)) => {
            Err(CliError::Usage(format!("{name} cannot be read any further: {error}")))
        }
        Err(error) => {
            print_message(&format!("{name}: {error}"));
            // Without a header that can be read, the file claims nothing.
            Ok(match error {
                CertificateError::Title | CertificateError::Header { .. } | CertificateError::Position { .. } => {
                    Exit::Invalid
                }
                _ => Exit::Disagrees,
            })
        }
    }
}

fn verify_results(name: &str, input: impl BufRead) -> Result<Exit, CliError> {
    let (mut correct, mut without_mate, mut wrong) = (0, 0, 0);
    let (mut helped, mut lines) = (0, 0);
    let read = check_results(input, &mut |CheckedResult { line, id, outcome }| match outcome {
        Ok(LineCheck::Mates) => correct += 1,
        Ok(LineCheck::HelpLines(count)) => (helped, lines) = (helped + 1, lines + count),
        Ok(LineCheck::NoMateClaimed) => without_mate += 1,
        Err(fault) => {
            wrong += 1;
            let id = id.as_deref().map_or(String::new(), |id| format!(" ({})", printable::excerpt(id)));
            print_message(&format!("{name}: line {line}{id}: {fault}"));
        }
    });
    read.map_err(|error| CliError::Usage(format!("{name} cannot be read any further: {error}")))?;
    let all = correct + helped + without_mate + wrong;
    if all == 0 {
        print_message(&format!("{name}: the file holds no result"));
        return Ok(Exit::Invalid);
    }
    let (of_help, every, checked, others) = if helped > 0 {
        (
            format!(", help play {helped} (lines {lines})"),
            ", and every line of help play,",
            "; whether lengths, verdicts and soundness are what the lines of help play say",
            ", or that help play has no other lines",
        )
    } else {
        (String::new(), "", "", "")
    };
    print(&format!(
        "results {all}: main lines that mate as claimed {correct}, wrong {wrong}, no mate claimed {without_mate}{of_help}\n\
         checked: whether every main line{every} is legal, is as long as claimed and asked, and ends in checkmate or in \
         its own goal{checked}\n\
         not shown: that the mates are forced (a certificate shows that) or shortest, or that a mate is refuted{others}\n"
    ))?;
    Ok(if wrong > 0 { Exit::Disagrees } else { Exit::Answered })
}

/// Prints to standard output. A closed pipe is ignored, so that the exit code still gives the verdict.
fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(printable::lines(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
