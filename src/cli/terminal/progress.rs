//! The progress line on standard error, for a person at a terminal.

use std::fmt;
use std::io::{IsTerminal as _, Read, stderr};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle, WeakProgressBar};

use crate::chess::{Goal, MateLength};
use crate::output::text::grouped;
use crate::problem::Problem;
use crate::proof::{ProofTree, check_exclusive};
use crate::report::{ReportEvent, ReportObserver};
use crate::results::solution::MoveOutcome;
use crate::search::{Event, HelpCounts, Observer};
use crate::solve::MovesObserver;
use crate::workbench::WorkbenchObserver;

use crate::cli::terminal::columns::{columns, fitted, target};
use crate::cli::terminal::messages::print_message;

/// The line that shows how far a search is, redrawn several times a second: what is found, the nodes and the speed. It
/// is hidden if standard error is not a terminal. With `verbose`, what is found is printed on lines of its own.
#[derive(Debug, Clone)]
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    verbose: bool,
    counts: Arc<HelpCounts>,
    found: Arc<Mutex<Found>>,
    /// The problem, against which mates are checked.
    problem: Option<Problem>,
}

/// The results of a search so far, and its present work.
#[derive(Debug, Clone, Default)]
struct Found {
    /// The text before all other words.
    label: String,
    /// The noun for what is looked for: `mate`, `selfmate`.
    what: &'static str,
    /// The longest refuted length, in moves.
    refuted: Option<MateLength>,
    /// The shortest mate that the checker has replayed: its length in moves, and ` by` its first move where it is
    /// known.
    mate: Option<(MateLength, String)>,
    /// The present work, in words.
    work: String,
}

impl Found {
    fn learn(&mut self, length: MateLength, san: Option<&str>) {
        if self.mate.as_ref().is_none_or(|(known, _)| length < *known) {
            self.mate = Some((length, san.map_or(String::new(), |san| format!(" by 1. {san}"))));
        }
    }

    /// Returns the parts of the line, in the words of an answer: `no mate in 6`, `mate in ≤ 11`, the nodes, the rest.
    fn parts(&self, nodes: String) -> Vec<String> {
        let what = self.what;
        let refuted = self.refuted.map(|n| format!("no {what} in {n}"));
        let mate = self.mate.as_ref().map(|(length, by)| format!("{what} in ≤ {length}{by}"));
        let mut parts: Vec<String> = refuted.into_iter().chain(mate).chain([nodes, self.work.clone()]).collect();
        parts[0].insert_str(0, &self.label);
        parts
    }
}

/// The speed of a search, measured over short times.
#[derive(Debug)]
struct Speed {
    /// When the present time began, and the nodes that were made by then.
    since: Instant,
    before: u64,
    /// The nodes a second in the time before.
    rate: u64,
}

impl Speed {
    /// Returns the nodes and the speed in words; nothing without nodes. The speed is taken anew every half second.
    fn words(&mut self, nodes: u64) -> String {
        let passed = self.since.elapsed();
        if passed >= SPEED_TIME {
            let ms = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
            let rate = nodes.saturating_sub(self.before).saturating_mul(1000) / ms;
            *self = Speed { since: Instant::now(), before: nodes, rate };
        }
        let nodes = if nodes == 0 { return String::new() } else { grouped(nodes) };
        if self.rate == 0 { format!("{nodes} nodes") } else { format!("{nodes} nodes, {}/s", grouped(self.rate)) }
    }
}

/// The time over which the speed is measured.
const SPEED_TIME: Duration = Duration::from_millis(500);

/// The bars that were drawn, for Ctrl-C.
static DRAWN: Mutex<Vec<WeakProgressBar>> = Mutex::new(Vec::new());

/// Removes everything that is drawn, before the program ends at once.
pub(crate) fn remove_all() {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    drawn.iter().filter_map(WeakProgressBar::upgrade).for_each(|bar| bar.finish_and_clear());
}

/// The columns of the spinner and of the time before a message.
const BEFORE: usize = 10;

/// Returns the bar that draws a line; a hidden one if `quiet` is set or standard error is not a terminal.
pub(crate) fn bar(quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, target());
    bar.set_style(style("{spinner} {elapsed} {msg}"));
    bar.enable_steady_tick(Duration::from_millis(200));
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner).push(bar.downgrade());
    bar
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

/// Says how far a search of help play is; `None` if there is none.
fn help_words(counts: &HelpCounts) -> Option<String> {
    let [parts, done, solutions] = [&counts.parts, &counts.done, &counts.solutions].map(|count| count.load(Relaxed));
    let pictures = counts.pictures.load(Relaxed);
    if pictures > 0 {
        return Some(format!("listing: {} pictures", grouped(pictures as u64)));
    }
    let solutions = grouped(solutions as u64);
    (parts > 0).then(|| format!("{done} of {parts} beginnings done, solutions so far: {solutions}"))
}

impl ProgressLine {
    /// Shows the line, unless `quiet` is set or standard error is not a terminal.
    pub(crate) fn new(quiet: bool, verbose: bool) -> ProgressLine {
        let (bar, counts) = (bar(quiet), Arc::<HelpCounts>::default());
        let found = Arc::new(Mutex::new(Found { what: Goal::MATE.noun(), ..Found::default() }));
        if !bar.is_hidden() {
            let (of_help, found) = (Arc::clone(&counts), Arc::clone(&found));
            let speed = Arc::new(Mutex::new(Speed { since: Instant::now(), before: 0, rate: 0 }));
            let words = move |_: &ProgressState, out: &mut dyn fmt::Write| {
                let nodes = speed.lock().unwrap_or_else(PoisonError::into_inner).words(of_help.nodes.load(Relaxed));
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(work) = help_words(&of_help) {
                    found.work = work;
                }
                let _ = out.write_str(&fitted(&found.parts(nodes), "; ", columns(), BEFORE));
            };
            bar.set_style(style("{spinner} {elapsed} {words}").with_key("words", words));
        }
        ProgressLine { bar, verbose, counts, found, problem: None }
    }

    /// Names what is looked for as this problem does, and checks mates against it.
    pub(crate) fn about(self, problem: &Problem) -> ProgressLine {
        self.change(|found| found.what = problem.question.stipulation.goal().noun());
        ProgressLine { problem: Some(problem.clone()), ..self }
    }

    /// Puts a label before the words of the line.
    pub(crate) fn labelled(self, label: &str) -> ProgressLine {
        self.change(|found| label.clone_into(&mut found.label));
        self
    }

    /// Shows what is being done.
    pub(crate) fn show(&self, work: String) {
        self.change(|found| found.work = work);
    }

    fn change(&self, change: impl FnOnce(&mut Found)) {
        change(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Prints a message on a line of its own, if the line is verbose.
    fn tell(&self, message: &str, nodes: u64) {
        if self.verbose {
            self.bar.suspend(|| print_message(&format!("{message} ({} nodes)", grouped(nodes))));
        }
    }

    /// Returns whether the checker accepts the proof of a mate in the problem. If nobody would see the mate, the
    /// checker is not called, and the answer is no.
    fn accepts(&self, tree: &ProofTree) -> bool {
        let Some(Problem { chess, question, exclusive, .. }) = &self.problem else { return false };
        (self.verbose || !self.bar.is_hidden())
            && check_exclusive(chess, question.attacker, question.stipulation.goal(), tree.clone(), exclusive).is_ok()
    }

    /// Prints a message above the line, if a person sees the line.
    pub(crate) fn say(&self, message: &str) {
        if !self.bar.is_hidden() {
            self.bar.suspend(|| print_message(message));
        }
    }

    /// Removes the line.
    pub(crate) fn remove(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for ProgressLine {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        match event {
            Event::Mate(tree) if !self.accepts(tree) => {}
            Event::Mate(tree) => ReportObserver::event(self, ReportEvent::Mate(tree.length()), nodes),
            Event::Refuted(n) => ReportObserver::event(self, ReportEvent::Refuted(n), nodes),
            Event::Building { class, known } => {
                let work = format!("building the table of {class}: mates in at most {known} moves are known");
                self.tell(&work, nodes);
                self.show(work);
            }
        }
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.counts.nodes))
    }

    fn help_counts(&self) -> Option<Arc<HelpCounts>> {
        Some(Arc::clone(&self.counts))
    }
}

impl MovesObserver for ProgressLine {
    fn answered(&mut self, first: &MoveOutcome) {
        if let Some(length) = first.outcome.length() {
            self.change(|found| found.learn(MateLength(length), Some(&first.san)));
        }
        self.tell(&format!("1. {} decided", first.san), self.counts.nodes.load(Relaxed));
    }

    fn round(&mut self, refuted: MateLength, open: usize) {
        self.change(|found| found.refuted = Some(refuted).filter(|n| n.0 > 0));
        self.show(format!("{open} first moves open"));
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.counts.nodes))
    }
}

impl ReportObserver for ProgressLine {
    fn event(&self, event: ReportEvent, nodes: u64) {
        let what = self.found.lock().unwrap_or_else(PoisonError::into_inner).what;
        let words = event.to_string().replacen(Goal::MATE.noun(), what, 1);
        match event {
            ReportEvent::Refuted(n) => self.change(|found| found.refuted = found.refuted.max(Some(n))),
            ReportEvent::Mate(length) => self.change(|found| found.learn(length, None)),
            ReportEvent::Key { san, moves } => self.change(|found| found.learn(moves, Some(&san))),
            ReportEvent::Try { .. } => {}
            _ => return self.show(words),
        }
        self.tell(&words, nodes);
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.counts.nodes))
    }
}

impl WorkbenchObserver for ProgressLine {
    fn tried(&self, tried: u64, sound: u64) {
        self.show(format!("{tried} diagrams tried, {sound} sound"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MoveCode;
    use crate::proof::ProofNode;

    #[test]
    fn the_progress_of_help_play_has_its_solutions() {
        let counts = HelpCounts::default();
        assert_eq!(help_words(&counts), None);
        counts.pictures.store(2130, Relaxed);
        assert_eq!(help_words(&counts).as_deref(), Some("listing: 2,130 pictures"));
        counts.pictures.store(0, Relaxed);
        counts.parts.store(340, Relaxed);
        counts.done.store(12, Relaxed);
        counts.solutions.store(1234, Relaxed);
        let words = "12 of 340 beginnings done, solutions so far: 1,234";
        assert_eq!(help_words(&counts).as_deref(), Some(words));
    }

    #[test]
    fn the_line_has_the_words_of_the_answer() {
        let line = ProgressLine::new(true, false);
        let words = || fitted(&line.found.lock().unwrap().parts("5 nodes".to_owned()), "; ", 200, 0);
        assert_eq!(words(), "5 nodes");
        ReportObserver::event(&line, ReportEvent::Refuted(MateLength(6)), 0);
        ReportObserver::event(&line, ReportEvent::Mate(MateLength(11)), 0);
        assert_eq!(words(), "no mate in 6; mate in ≤ 11; 5 nodes");
        for (san, moves) in [("Qa1", 7), ("Qa2", 9)] {
            ReportObserver::event(&line, ReportEvent::Key { san: san.to_owned(), moves: MateLength(moves) }, 0);
        }
        let current = "Kf8".to_owned();
        ReportObserver::event(&line, ReportEvent::FirstMoves { decided: 3, total: 40, current }, 0);
        assert_eq!(words(), "no mate in 6; mate in ≤ 7 by 1. Qa1; 5 nodes; 3 of 40 first moves decided, next 1. Kf8");
    }

    #[test]
    fn only_a_mate_that_the_checker_accepts_is_shown() {
        let problem = Problem::read("7k/5Q2/6K1/8/8/8/8/8 w - -").unwrap();
        let mut line = ProgressLine::new(true, true).about(&problem);
        let mut show = |m: &str| {
            let mut tree = ProofTree::new();
            let leaf = tree.push(ProofNode::MATE);
            let [from, to] = [&m[..2], &m[2..]].map(|square| square.parse().unwrap());
            tree.push(ProofNode::Attack(MoveCode::new(from, to, None), leaf));
            Observer::event(&mut line, Event::Mate(&tree), 1);
            line.found.lock().unwrap().mate.clone()
        };
        assert_eq!([show("f7f6"), show("f7g7")], [None, Some((MateLength(1), String::new()))]);
    }

    #[test]
    fn the_speed_is_that_of_now() {
        let at = Instant::now().checked_sub(Duration::from_secs(2)).unwrap();
        let mut speed = Speed { since: at, before: 1_000, rate: 0 };
        assert!(speed.words(5_001_000).starts_with("5,001,000 nodes, 2,") && speed.rate <= 2_500_000, "{speed:?}");
        // Until half a second has passed, the speed stays.
        speed.since = Instant::now() + Duration::from_secs(9);
        let before = speed.rate;
        assert!(speed.words(6_000_000).starts_with("6,000,000 nodes, ") && speed.rate == before);
    }
}
