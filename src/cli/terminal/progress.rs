//! The progress line on standard error, for a person at a terminal.

use std::borrow::Cow;
use std::fmt;
use std::io::{IsTerminal as _, Read, stderr};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle, WeakProgressBar};

use crate::certify::Progress;
use crate::chess::{Goal, Stipulation};
use crate::output::text::grouped;
use crate::report::{ReportEvent, ReportObserver};
use crate::search::{Event, HelpCounts, Observer};

use crate::cli::options::config::OutputSettings;
use crate::cli::terminal::columns::{columns, fitted, target};
use crate::cli::terminal::messages::print_message;

/// A line that shows the latest progress. It is hidden if standard error is not a terminal.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    verbose: bool,
    counts: Arc<HelpCounts>,
    /// The noun for what is looked for: `mate`, `selfmate`.
    what: &'static str,
}

/// The bars that were drawn, for Ctrl-C.
static DRAWN: Mutex<Vec<WeakProgressBar>> = Mutex::new(Vec::new());

/// Remembers a bar that is drawn.
pub(crate) fn drawn(bar: ProgressBar) -> ProgressBar {
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner).push(bar.downgrade());
    bar
}

/// Removes everything that is drawn, before the program ends at once.
pub(crate) fn remove_all() {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    drawn.iter().filter_map(WeakProgressBar::upgrade).for_each(|bar| bar.finish_and_clear());
}

/// The columns of the spinner and of the time before a message.
const BEFORE: usize = 10;

/// Returns the bar that draws a line; a hidden one if `quiet` is set or standard error is not a terminal.
fn bar(quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, target());
    bar.set_style(style("{spinner} {elapsed} {msg}"));
    bar.enable_steady_tick(Duration::from_millis(200));
    drawn(bar)
}

/// Reads the input, and shows how much of it is read.
pub(crate) fn counted<R: Read>(input: R) -> impl Read {
    let bar = bar(false);
    bar.set_style(style("{spinner} {elapsed} {bytes} read"));
    bar.wrap_read(input)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// Says how far a search of help play is; nothing if there is none.
fn help_words(counts: &HelpCounts) -> String {
    let [parts, done, solutions] = [&counts.parts, &counts.done, &counts.solutions].map(|count| count.load(Relaxed));
    let pictures = counts.pictures.load(Relaxed);
    if pictures > 0 {
        return format!("listing: {} pictures", grouped(pictures as u64));
    }
    if parts == 0 {
        return String::new();
    }
    let (solutions, nodes) = (grouped(solutions as u64), grouped(counts.nodes.load(Relaxed)));
    format!("{done} of {parts} beginnings done, solutions so far: {solutions} ({nodes} nodes)")
}

impl ProgressLine {
    /// Shows the line, unless `settings` or standard error rule it out.
    pub(crate) fn new(settings: OutputSettings) -> ProgressLine {
        let (bar, counts) = (bar(settings.quiet), Arc::<HelpCounts>::default());
        if !bar.is_hidden() {
            let shown = Arc::clone(&counts);
            let help = move |_: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&fitted(&help_words(&shown), columns(), BEFORE));
            };
            bar.set_style(style("{spinner} {elapsed} {msg}{help}").with_key("help", help));
        }
        ProgressLine { bar, verbose: settings.verbose, counts, what: Goal::MATE.noun() }
    }

    /// Names what is looked for as this stipulation does.
    pub(crate) fn about(self, stipulation: Stipulation) -> ProgressLine {
        ProgressLine { what: stipulation.goal().noun(), ..self }
    }

    pub(crate) fn show(&self, message: impl Into<Cow<'static, str>>) {
        self.bar.set_message(fitted(&message.into(), columns(), BEFORE));
    }

    /// Hides the line while `print` writes to the terminal.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the line.
    pub(crate) fn remove(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for ProgressLine {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        let what = self.what;
        let message = match event {
            Event::Mate(tree) => format!("{what} in ≤ {} claimed", tree.length()),
            Event::Refuted(n) => format!("no {what} in {n}"),
            Event::Building { class, known } => {
                format!("building the table of {class}: mates in at most {known} moves are known")
            }
        };
        let message = format!("{message} ({} nodes)", grouped(nodes));
        if self.verbose {
            self.suspend(|| print_message(&message));
        }
        self.show(message);
    }

    fn help_counts(&self) -> Option<Arc<HelpCounts>> {
        Some(Arc::clone(&self.counts))
    }
}

/// The progress line of a report: how many first moves are decided, and what is being worked on. With `verbose`, keys,
/// tries and refuted lengths are printed on lines of their own.
#[derive(Debug)]
pub(crate) struct ReportProgress {
    bar: ProgressBar,
    verbose: bool,
    /// The text before each message.
    label: String,
    /// The last event, without node counts.
    last: Mutex<String>,
}

impl ReportProgress {
    /// Shows the line, unless `quiet` or standard error rules it out.
    pub(crate) fn new(quiet: bool, verbose: bool) -> ReportProgress {
        let last = Mutex::new(ReportEvent::Nodes.to_string());
        ReportProgress { bar: bar(quiet), verbose, label: String::new(), last }
    }

    /// Puts a label before each message of the line.
    pub(crate) fn labelled(mut self, label: &str) -> ReportProgress {
        label.clone_into(&mut self.label);
        self
    }

    /// Removes the line.
    pub(crate) fn remove(&self) {
        self.bar.finish_and_clear();
    }
}

impl ReportObserver for ReportProgress {
    fn event(&self, event: ReportEvent, nodes: u64) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if event != ReportEvent::Nodes {
            *last = event.to_string();
        }
        let message = format!("{last} ({} nodes)", grouped(nodes));
        let lasting = matches!(event, ReportEvent::Refuted(_) | ReportEvent::Key { .. } | ReportEvent::Try { .. });
        if self.verbose && lasting {
            self.bar.suspend(|| print_message(&message));
        }
        self.bar.set_message(fitted(&format!("{}{message}", self.label), columns(), BEFORE));
    }

    fn wants_node_counts(&self) -> bool {
        !self.bar.is_hidden()
    }
}

/// The progress line of a certificate: the lines written, and about how many there will be.
pub(crate) struct CertificateProgress {
    bar: ProgressBar,
}

impl CertificateProgress {
    /// Shows the line, unless `quiet` or standard error rules it out.
    pub(crate) fn new(quiet: bool) -> CertificateProgress {
        CertificateProgress { bar: bar(quiet) }
    }

    pub(crate) fn show(&self, progress: Progress) {
        let (lines, estimate) = (grouped(progress.lines as u64), grouped(progress.estimate));
        let message = format!("certificate: {lines} lines, at most about {estimate}");
        self.bar.set_message(fitted(&message, columns(), BEFORE));
    }

    /// Removes the line.
    pub(crate) fn remove(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_of_help_play_has_its_solutions_and_nodes() {
        let counts = HelpCounts::default();
        assert_eq!(help_words(&counts), "");
        counts.pictures.store(2130, Relaxed);
        assert_eq!(help_words(&counts), "listing: 2,130 pictures");
        counts.pictures.store(0, Relaxed);
        counts.parts.store(340, Relaxed);
        counts.done.store(12, Relaxed);
        counts.solutions.store(1234, Relaxed);
        counts.nodes.store(56_789, Relaxed);
        assert_eq!(help_words(&counts), "12 of 340 beginnings done, solutions so far: 1,234 (56,789 nodes)");
    }
}
