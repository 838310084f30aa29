//! Messages to the user: the error type of the commands, and printing to standard error.

use std::borrow::Cow;
use std::io::{self, Write as _};

use thiserror::Error;

use crate::base::printable;

/// An error that prevents a command from doing its work.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    /// The arguments do not fit together, or a named file cannot be used. The text is shown to the user.
    #[error("{0}")]
    Usage(String),
    /// Writing the results failed.
    #[error("the results cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// Prints a line to standard error. Control characters in it, which a name or a text of the input may hold, are
/// replaced. A failure to print it is ignored.
pub(crate) fn print_message(line: &str) {
    let _ = writeln!(anstream::stderr(), "{}", printable::line(line));
}

/// Prints a text of several lines to standard error, each as [`print_message`] does.
pub(crate) fn print_lines(text: &str) {
    text.lines().for_each(print_message);
}

/// Prints warnings about what was given, unless `quiet`.
pub(crate) fn print_warnings<'w>(warnings: impl IntoIterator<Item = &'w String>, quiet: bool) {
    for warning in warnings.into_iter().filter(|_| !quiet) {
        print_message(&format!("matesolve: warning: {warning}"));
    }
}

/// Prints a usage error or the text of `--help`. A failure to print it is ignored.
pub(crate) fn print_usage(error: &clap::Error) {
    let plain = error.render().to_string();
    match printable::lines(&plain) {
        Cow::Borrowed(_) => {
            let _ = error.print();
        }
        // An argument that is quoted holds control characters. They could also be hidden in the styled text.
        Cow::Owned(clean) => {
            let _ = write!(anstream::stderr(), "{clean}");
        }
    }
}

/// Says why a run over a collection does not end with exit code 0 although every diagram is solved.
pub(crate) fn print_unsolved_twins(entries: usize) {
    let entries = match entries {
        0 => return,
        1 => "1 entry has".to_owned(),
        _ => format!("{entries} entries have"),
    };
    print_message(&format!("matesolve: {entries} twins that were not solved, so the exit code is not 0"));
}

/// Makes every panic print one line with its place and message, without a backtrace.
///
/// A panic inside a search is caught elsewhere, and reported together with the problem.
pub(crate) fn print_panics_as_messages() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
        let message = info.payload_as_str().unwrap_or("no message");
        print_message(&format!("matesolve: internal failure{place}: {message}"));
    }));
}
