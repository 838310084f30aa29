//! The styles of results and reports in text: colours and weights of a terminal.

use anstyle::{AnsiColor, Style};

/// A mate that is proved to be the shortest; a sound problem.
pub(super) const PROVED: Style = AnsiColor::Green.on_default().bold();
/// A mate; a shorter one may exist.
pub(super) const FOUND: Style = AnsiColor::Green.on_default();
/// No mate, or no answer; an undecided problem, or an incomplete report.
pub(super) const OPEN: Style = AnsiColor::Yellow.on_default();
/// An invalid or unsound problem, or an internal failure.
pub(super) const WRONG: Style = AnsiColor::Red.on_default().bold();
/// Headings.
pub(super) const STRONG: Style = Style::new().bold();
/// Less important text.
pub(super) const FAINT: Style = Style::new().dimmed();
