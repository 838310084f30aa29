//! The progress of a batch on standard error, for a person at a terminal: how far it is, the counts so far, the speed,
//! and the nodes, which move also while a hard position is searched.
//!
//! Only numbers are shown, no texts of the input. The time that is left is estimated from the line numbers: a thread
//! counts the lines of the input files while the batch runs. Of standard input the number of lines is not known.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Read, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::batch::NodeCount;
use crate::output::text::grouped;

use crate::cli::files::inputs;
use crate::cli::terminal::exit::Tally;

const WITHOUT_BAR: &str = "{spinner} {elapsed_precise}  {counts}";
const WITH_BAR: &str = "{spinner} {elapsed_precise}  {bar:30} {percent:>3} %{left}\n  {counts}";

/// The progress of a batch. It is hidden if standard error is not a terminal.
#[derive(Debug)]
pub(crate) struct BatchProgress {
    bar: ProgressBar,
    shown: Arc<Mutex<Shown>>,
    /// The number of lines of each input, once they are counted.
    lines: Arc<OnceLock<Vec<u64>>>,
    /// Whether the bar has its length.
    has_length: bool,
}

/// The numbers that are shown.
#[derive(Debug, Clone, Copy)]
struct Shown {
    started: Instant,
    tally: Tally,
    /// The number of lines that this run has answered.
    new: usize,
    /// The place in the inputs where this run began to search, in lines; and the place now.
    places: Option<[u64; 2]>,
    /// The number of lines of all inputs.
    total: Option<u64>,
}

impl BatchProgress {
    /// Shows the progress of a batch over these files, unless `quiet` or standard error rules it out.
    pub(crate) fn new(quiet: bool, files: &[PathBuf], nodes: &NodeCount) -> BatchProgress {
        let lines = Arc::new(OnceLock::new());
        if quiet || !stderr().is_terminal() {
            return BatchProgress::on(ProgressDrawTarget::hidden(), nodes, lines);
        }
        let (files, counted) = (files.to_vec(), lines.clone());
        // The thread is not waited for: the program may end before it does.
        std::thread::spawn(move || {
            let counts: Option<Vec<u64>> = files.iter().map(|path| count_lines(path)).collect();
            counts.map(|counts| counted.set(counts))
        });
        let progress = BatchProgress::on(ProgressDrawTarget::stderr(), nodes, lines);
        progress.bar.enable_steady_tick(Duration::from_millis(200));
        progress
    }

    fn on(target: ProgressDrawTarget, nodes: &NodeCount, lines: Arc<OnceLock<Vec<u64>>>) -> BatchProgress {
        let shown = Shown { started: Instant::now(), tally: Tally::default(), new: 0, places: None, total: None };
        let shown = Arc::new(Mutex::new(shown));
        let bar = ProgressBar::with_draw_target(None, target).with_style(style(WITHOUT_BAR, &shown, nodes));
        BatchProgress { bar, shown, lines, has_length: false }
    }

    /// Counts an answer to a line. `file` is the number of its input, from 0, and `line` its number there. `is_new` is
    /// false if an earlier run has given the answer.
    pub(crate) fn add(&mut self, tally: Tally, file: usize, line: Option<usize>, is_new: bool, nodes: &NodeCount) {
        if self.bar.is_hidden() {
            return;
        }
        let counts = self.lines.get();
        let total = counts.map(|counts| counts.iter().sum::<u64>());
        let before = counts.and_then(|counts| counts.get(..file)).map(|counts| counts.iter().sum::<u64>());
        let place = before.zip(line).map(|(before, line)| before + line as u64);
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).add(tally, place, total, is_new);
        // The bar locks the numbers when it draws, so they must not be locked here.
        if let (Some(total), false) = (total, self.has_length) {
            self.has_length = true;
            self.bar.set_length(total);
            self.bar.set_style(style(WITH_BAR, &self.shown, nodes));
        }
        if let Some(place) = place {
            self.bar.set_position(place.min(total.unwrap_or(place)));
        }
        self.bar.tick();
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

/// Returns the style with this template, whose words `counts` and `left` are computed each time it is drawn.
fn style(template: &str, shown: &Arc<Mutex<Shown>>, nodes: &NodeCount) -> ProgressStyle {
    let read = |shown: &Mutex<Shown>| *shown.lock().unwrap_or_else(PoisonError::into_inner);
    let (for_counts, for_left, nodes) = (shown.clone(), shown.clone(), nodes.clone());
    let counts = move |_: &ProgressState, text: &mut dyn std::fmt::Write| {
        let shown = read(&for_counts);
        let _ = text.write_str(&shown.counts(shown.started.elapsed(), nodes.0.load(Relaxed)));
    };
    let left = move |_: &ProgressState, text: &mut dyn std::fmt::Write| {
        let shown = read(&for_left);
        if let Some(left) = shown.left(shown.started.elapsed()) {
            let _ = write!(text, ", about {} left", duration(left));
        }
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    style.with_key("counts", counts).with_key("left", left)
}

impl Shown {
    /// Adds an answer. `place` is the place of its line in the inputs, and `total` the number of lines, if known.
    fn add(&mut self, tally: Tally, place: Option<u64>, total: Option<u64>, is_new: bool) {
        let before = self.places.filter(|_| self.new > 0);
        self.tally = tally;
        self.new += usize::from(is_new);
        self.total = total;
        if let Some(now) = place {
            // Answers of an earlier run say nothing about the speed of this one.
            let began = before.map_or(now, |[began, _]| began);
            self.places = Some([began, now]);
        }
    }

    /// Returns the counts in words, with the speed of this run.
    fn counts(&self, elapsed: Duration, nodes: u64) -> String {
        let Tally { lines, mates, refuted, undecided, invalid, failed, disagreeing, .. } = self.tally;
        let seconds = elapsed.as_secs_f64().max(0.001);
        let mut text = format!("{} lines", grouped(lines as u64));
        if self.new > 0 {
            let _ = write!(text, " ({:.1}/s)", self.new as f64 / seconds);
        }
        let _ = write!(text, ": solved {}, undecided {undecided}, invalid {invalid}", mates + refuted);
        for (count, word) in [(failed, "failed"), (disagreeing, "contradicted")] {
            if count > 0 {
                let _ = write!(text, ", {word} {count}");
            }
        }
        let ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let speed = nodes.saturating_mul(1000) / ms.max(1);
        let _ = write!(text, "; {} nodes ({}/s)", grouped(nodes), grouped(speed));
        text
    }

    /// Estimates the time that is left, as if the remaining lines took as long as those of this run; `None` if too
    /// little is known.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let ([began, now], total) = (self.places?, self.total?);
        let done = now.checked_sub(began).filter(|done| *done > 0)?;
        let rest = total.saturating_sub(now);
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
    if inputs::is_stdin(path) || !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
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
    use indicatif::InMemoryTerm;

    use super::*;

    fn shown(new: usize, places: [u64; 2]) -> Shown {
        let tally = Tally { lines: 1200, mates: 900, refuted: 100, undecided: 150, invalid: 50, ..Tally::default() };
        Shown { started: Instant::now(), tally, new, places: Some(places), total: Some(5000) }
    }

    #[test]
    fn counts_and_the_time_left_are_those_of_this_run() {
        let (shown, elapsed) = (shown(200, [1000, 1200]), Duration::from_secs(100));
        let expected = "1,200 lines (2.0/s): solved 1000, undecided 150, invalid 50; 3,000,000 nodes (30,000/s)";
        assert_eq!(shown.counts(elapsed, 3_000_000), expected);
        // 200 lines took 100 seconds, and 3800 are left.
        assert_eq!(shown.left(elapsed), Some(Duration::from_secs(1900)));
        assert_eq!(Shown { total: None, ..shown }.left(elapsed), None);
        assert_eq!(Shown { places: Some([7, 7]), ..shown }.left(elapsed), None);
    }

    #[test]
    fn answers_of_an_earlier_run_do_not_make_this_one_look_faster() {
        let mut shown = Shown { places: None, new: 0, ..shown(0, [0, 0]) };
        for (place, is_new) in [(100, false), (200, false), (300, true), (400, true), (401, false)] {
            shown.add(shown.tally, Some(place), Some(1000), is_new);
        }
        assert_eq!((shown.places, shown.new), (Some([300, 401]), 2));
    }

    #[test]
    fn durations_have_two_units() {
        let of = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([of(59), of(61), of(7260), of(90_000)], ["59s", "1m 1s", "2h 1m", "1d 1h"]);
    }

    #[test]
    fn the_nodes_on_the_screen_move_between_two_answers() {
        let terminal = InMemoryTerm::new(10, 120);
        let nodes = NodeCount::default();
        let lines = Arc::new(OnceLock::new());
        lines.set(vec![10, 30]).unwrap();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let mut progress = BatchProgress::on(target, &nodes, lines);
        progress.bar.force_draw();
        assert!(terminal.contents().contains("0 lines: solved 0"), "{}", terminal.contents());
        for (lines, line) in [(1, 1), (2, 10)] {
            let tally = Tally { lines, mates: lines, ..Tally::default() };
            progress.add(tally, 1, Some(line), true, &nodes);
        }
        nodes.0.store(1234, Relaxed);
        progress.bar.force_draw();
        let first = terminal.contents();
        assert!(first.contains(" 50 %, about 0s left") && first.contains("; 1,234 nodes"), "{first}");
        nodes.0.store(5678, Relaxed);
        progress.bar.force_draw();
        assert!(terminal.contents().contains("; 5,678 nodes"), "{}", terminal.contents());
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
