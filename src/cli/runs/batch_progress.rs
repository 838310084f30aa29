//! The progress of a run over files on standard error, for a person at a terminal: how far it is, the counts so far,
//! the nodes and the speed.
//!
//! Only numbers are shown, no texts of the input. The time that is left is estimated from the line numbers: a thread
//! counts the lines of the input files while the run goes on. If an input is no file, there is no estimate.
//!
//! Everything stands on one line of the terminal, the most important numbers first. A number that does not fit is left
//! out.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::output::text::grouped;
use crate::solve::NodeCount;

use crate::cli::files::inputs;
use crate::cli::terminal::columns::{columns, fitted};
use crate::cli::terminal::{Tally, progress};

/// The columns of the spinner and of the time before the numbers.
const BEFORE: usize = 11;

/// The progress of a batch. It is hidden if standard error is not a terminal.
#[derive(Debug, Clone)]
pub(crate) struct BatchProgress {
    bar: ProgressBar,
    shown: Arc<Mutex<Shown>>,
}

/// The numbers that are shown.
#[derive(Debug, Clone)]
struct Shown {
    started: Instant,
    tally: Tally,
    /// The number of lines that this run has answered.
    new: usize,
    /// The line where this run began to search, and the line of the last answer.
    places: Option<[Place; 2]>,
    /// The number of lines of each input, once they are counted.
    lines: Option<Arc<[u64]>>,
}

/// A line of the inputs: the number of its input, from 0, and its number there, from 1.
type Place = (usize, usize);

impl BatchProgress {
    /// Shows the progress of a batch over these files, unless `quiet` is set or standard error is not a terminal.
    pub(crate) fn new(quiet: bool, files: &[PathBuf], nodes: &NodeCount) -> BatchProgress {
        let progress = BatchProgress::on(progress::bar(quiet), nodes, columns);
        if progress.bar.is_hidden() {
            return progress;
        }
        let (files, counting) = (files.to_vec(), progress.clone());
        // The thread is not waited for: the program may end before it does.
        std::thread::spawn(move || {
            let lines: Option<Vec<u64>> = files.iter().map(|path| count_lines(path)).collect();
            lines.map(|lines| counting.change(|shown| shown.lines = Some(lines.into())))
        });
        progress
    }

    fn on(bar: ProgressBar, nodes: &NodeCount, columns: fn() -> usize) -> BatchProgress {
        let shown = Shown { started: Instant::now(), tally: Tally::default(), new: 0, places: None, lines: None };
        let shown = Arc::new(Mutex::new(shown));
        BatchProgress { bar: bar.with_style(style(&shown, nodes, columns)), shown }
    }

    /// Counts an answer to the line at `place`. `is_new` is false if an earlier run has given the answer.
    pub(crate) fn add(&self, tally: Tally, place: Place, is_new: bool) {
        if !self.bar.is_hidden() {
            self.change(|shown| shown.add(tally, place, is_new));
            self.bar.tick();
        }
    }

    /// Changes the numbers. The bar locks them when it draws, so they are not locked then.
    fn change(&self, change: impl FnOnce(&mut Shown)) {
        change(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Hides the progress while `print` writes to the terminal.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the progress.
    pub(crate) fn remove(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the style, whose numbers are computed each time it is drawn. `columns` returns how many may be filled.
fn style(shown: &Arc<Mutex<Shown>>, nodes: &NodeCount, columns: fn() -> usize) -> ProgressStyle {
    let (shown, nodes) = (shown.clone(), nodes.clone());
    let numbers = move |_: &ProgressState, text: &mut dyn std::fmt::Write| {
        let shown = shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let parts = shown.parts(shown.started.elapsed(), nodes.0.load(Relaxed));
        let _ = text.write_str(&fitted(&parts, ", ", columns(), BEFORE));
    };
    let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {numbers}");
    style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key("numbers", numbers)
}

impl Shown {
    /// Adds an answer to the line here.
    fn add(&mut self, tally: Tally, now: Place, is_new: bool) {
        let before = self.places.filter(|_| self.new > 0);
        self.tally = tally;
        self.new += usize::from(is_new);
        // Answers of an earlier run say nothing about the speed of this one.
        let began = before.map_or(now, |[began, _]| began);
        self.places = Some([began, now]);
    }

    /// Returns the number of lines of all inputs; `None` if they are not counted.
    fn total(&self) -> Option<u64> {
        Some(self.lines.as_ref()?.iter().sum())
    }

    /// Returns how many lines the inputs have up to each of the two places; `None` if the lines are not counted.
    fn lines_up_to_places(&self) -> Option<[u64; 2]> {
        let (places, lines, total) = (self.places?, self.lines.as_ref()?, self.total()?);
        Some(places.map(|(file, line)| {
            let before: u64 = lines.iter().take(file).sum();
            total.min(before + line as u64)
        }))
    }

    /// Returns the numbers in words, the most important first, with the speed of this run.
    fn parts(&self, elapsed: Duration, nodes: u64) -> Vec<String> {
        let Tally { lines, mates, refuted, undecided, invalid, failed, disagreeing, .. } = self.tally;
        let place = self.lines_up_to_places().zip(self.total());
        let percent = place.map(|([_, now], total)| format!("{} %", now * 100 / total.max(1)));
        let left = self.left(elapsed).map(|left| format!("about {} left", duration(left)));
        let seconds = elapsed.as_secs_f64().max(0.001);
        let speed = if self.new > 0 { format!(" ({:.1}/s)", self.new as f64 / seconds) } else { String::new() };
        let count = |count: usize, word: &str| (count > 0).then(|| format!("{word} {}", grouped(count as u64)));
        let ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let parts = [
            percent,
            left,
            Some(format!("{} lines{speed}", grouped(lines as u64))),
            count(failed, "failed"),
            count(disagreeing, "contradicted"),
            Some(format!("solved {}", grouped((mates + refuted) as u64))),
            count(undecided, "undecided"),
            count(invalid, "invalid"),
            Some(format!("{} nodes/s", grouped(nodes.saturating_mul(1000) / ms.max(1)))),
            Some(format!("{} nodes", grouped(nodes))),
        ];
        parts.into_iter().flatten().collect()
    }

    /// Estimates the time that is left, as if the remaining lines took as long as those of this run; `None` if too
    /// little is known.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let ([began, now], total) = (self.lines_up_to_places()?, self.total()?);
        let done = now.checked_sub(began).filter(|done| *done > 0)?;
        let rest = total - now;
        Duration::try_from_secs_f64(elapsed.as_secs_f64() / done as f64 * rest as f64).ok()
    }
}

/// Writes a duration with two units: `3h 12m`.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3600..86400 => format!("{}h {}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d {}h", seconds / 86400, seconds % 86400 / 3600),
    }
}

/// Counts the lines of a file, also of a compressed one; `None` if it can be read only once.
fn count_lines(path: &Path) -> Option<u64> {
    if !inputs::is_whole(path) {
        return None;
    }
    let mut input = inputs::open(path).ok()?;
    let mut buffer = vec![0; 1 << 16];
    let mut lines = 1;
    loop {
        match input.read(&mut buffer).ok()? {
            0 => return Some(lines),
            read => lines += buffer[..read].split(|&byte| byte == b'\n').count() as u64 - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use indicatif::{InMemoryTerm, ProgressDrawTarget};

    use super::*;

    fn shown(new: usize, places: [Place; 2]) -> Shown {
        let tally = Tally { lines: 1200, mates: 900, refuted: 100, undecided: 150, invalid: 50, ..Tally::default() };
        Shown { started: Instant::now(), tally, new, places: Some(places), lines: Some([900, 4100].into()) }
    }

    #[test]
    fn counts_and_the_time_left_are_those_of_this_run() {
        let (shown, elapsed) = (shown(200, [(1, 100), (1, 300)]), Duration::from_secs(100));
        let expected = "24 %, about 31m 40s left, 1,200 lines (2.0/s), solved 1,000, undecided 150, invalid 50, \
                        30,000 nodes/s, 3,000,000 nodes";
        assert_eq!(shown.parts(elapsed, 3_000_000).join(", "), expected);
        // 200 lines took 100 seconds, and 3800 are left.
        assert_eq!(shown.left(elapsed), Some(Duration::from_secs(1900)));
        assert_eq!(Shown { lines: None, ..shown.clone() }.left(elapsed), None);
        assert_eq!(Shown { places: Some([(0, 7); 2]), ..shown }.left(elapsed), None);
    }

    #[test]
    fn answers_of_an_earlier_run_do_not_make_this_one_look_faster() {
        let mut shown = Shown { places: None, ..shown(0, [(0, 0); 2]) };
        for (line, is_new) in [(100, false), (200, false), (300, true), (400, true), (401, false)] {
            shown.add(shown.tally, (1, line), is_new);
        }
        assert_eq!((shown.lines_up_to_places(), shown.new), (Some([1200, 1301]), 2));
    }

    #[test]
    fn durations_have_two_units() {
        let of = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([of(59), of(61), of(7260), of(90_000)], ["59s", "1m 1s", "2h 1m", "1d 1h"]);
    }

    #[test]
    fn the_time_left_appears_and_the_nodes_move_between_two_answers() {
        let terminal = InMemoryTerm::new(10, 120);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let nodes = NodeCount::default();
        let progress = BatchProgress::on(ProgressBar::with_draw_target(None, target), &nodes, || 200);
        progress.bar.force_draw();
        assert!(terminal.contents().contains("0 lines, solved 0"), "{}", terminal.contents());
        for (lines, line) in [(1, 1), (2, 10)] {
            let tally = Tally { lines, mates: lines, ..Tally::default() };
            progress.add(tally, (1, line), true);
        }
        nodes.0.store(1234, Relaxed);
        progress.bar.force_draw();
        let first = terminal.contents();
        assert!(!first.contains(" left") && first.contains(", 1,234 nodes"), "{first}");
        nodes.0.store(5678, Relaxed);
        progress.change(|shown| shown.lines = Some([10, 30].into()));
        progress.bar.force_draw();
        let second = terminal.contents();
        assert!(second.contains(" 50 %, about 0s left") && second.contains(", 5,678 nodes"), "{second}");
        progress.remove();
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn lines_are_counted_where_the_file_can_be_read_again() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "a\n\nb").unwrap();
        assert_eq!(count_lines(file.path()), Some(3));
        assert_eq!((count_lines(Path::new("-")), count_lines(Path::new("/"))), (None, None));
    }
}
