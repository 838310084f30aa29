//! Progress, for a person at a terminal, on standard error.

use std::borrow::Cow;
use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::text::grouped;
use crate::search::{Event, Observer};

use super::complain;
use super::config::Output;
use super::exit::Tally;

/// A line that says how far things are; invisible unless standard error is a terminal.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    verbose: bool,
}

impl Progress {
    pub(super) fn new(output: Output) -> Progress {
        let bar = if output.quiet || !stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        };
        Progress { bar, verbose: output.verbose }
    }

    /// Shows how a batch stands.
    pub(super) fn tally(&self, tally: Tally) {
        let Tally { lines, mates, proved, .. } = tally;
        self.show(format!("{lines} lines, {mates} mates, {proved} proved shortest"));
    }

    fn show(&self, message: impl Into<Cow<'static, str>>) {
        self.bar.set_message(message);
    }

    /// Does something to the terminal without the progress line in between.
    pub(super) fn aside<T>(&self, what: impl FnOnce() -> T) -> T {
        self.bar.suspend(what)
    }

    /// Removes the line.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        let news = match event {
            Event::Mate(tree) => format!("mate in ≤ {} claimed", tree.length()),
            Event::Refuted(n) => format!("no mate in {n}"),
        };
        let news = format!("{news} ({} nodes)", grouped(nodes));
        if self.verbose {
            self.aside(|| complain(&news));
        }
        self.show(news);
    }
}
