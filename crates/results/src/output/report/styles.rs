//! The styles of a report in text: colours and weights of a terminal.

use anstyle::{AnsiColor, Style};

/// A sound problem.
pub(super) const SOUND: Style = AnsiColor::Green.on_default().bold();
/// An undecided problem, or an incomplete report.
pub(super) const OPEN: Style = AnsiColor::Yellow.on_default();
/// An unsound problem, or an internal failure.
pub(super) const WRONG: Style = AnsiColor::Red.on_default().bold();
/// Headings.
pub(super) const STRONG: Style = Style::new().bold();
/// Less important text.
pub(super) const FAINT: Style = Style::new().dimmed();
