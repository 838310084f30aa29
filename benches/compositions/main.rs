//! Compares the composer's report with the printed solutions of published problems.
//!
//! ```text
//! cargo bench --bench compositions -- FILE.jsonl [#2 #3 …]     or     MATESOLVE_COMPOSITIONS=FILE.jsonl cargo bench …
//! ```
//!
//! FILE holds compositions, one JSON object per line, with `id`, `fen`, `stipulation`, `solution`, `keys` and
//! `keywords`. Such sets are easy to make from public collections and are not part of this repository. One thread
//! reports on every mate in one, two or three without a time limit, and on every longer problem for at most a minute.
//! The output shows:
//!
//! - how the sets of keys compare, with an explanation of each difference (`matesolve::audit::keys`);
//! - how threats and variations of the two-movers compare, line by line, separately for solutions printed by Popeye and
//!   solutions in shorthand;
//! - how whole trees compare with Popeye's;
//! - the time of the reports.
//!
//! Solutions in collections are often shortened by hand, so not all lines can agree.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

mod lines;
mod record;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use matesolve::Solver;
use matesolve::audit::keys::{self, KeyPair, Moves};
use matesolve::problem::Problem;
use matesolve::published::{self, PrintedSolution};
use matesolve::results::audit::Keys;
use matesolve::results::report::{Report, ReportOptions, Soundness};
use matesolve::solve::Request;
use matesolve_engine::chess::{MateLength, Stipulation};
use shakmaty::Chess;

use lines::LineCounts;
use record::Record;

/// The time limit for a problem longer than #3.
const LONG: Duration = Duration::from_mins(1);

/// The node limit of the engine `exhaustive`, which confirms each differing key.
const EXHAUSTIVE_NODES: u64 = 300_000_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(path) = std::env::var("MATESOLVE_COMPOSITIONS").ok().or_else(|| arguments.next()) else {
        println!(
            "compositions: nothing measured, no file was given. Use `cargo bench --bench compositions -- FILE.jsonl`."
        );
        return ExitCode::SUCCESS;
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("compositions: cannot read {path}: {error}. Give the path of a file with JSON lines.");
            return ExitCode::from(2);
        }
    };
    let wanted: Vec<String> = arguments.collect();
    let mut totals = Totals::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str::<Record>(line) {
            Ok(record) if wanted.is_empty() || wanted.contains(&record.stipulation) => totals.add(&record),
            Ok(_) => {}
            Err(error) => eprintln!("compositions: skipped a line that is not a composition: {error}"),
        }
    }
    totals.print();
    ExitCode::SUCCESS
}

/// The results of all problems.
#[derive(Default)]
struct Totals {
    /// The number of problems by stipulation and by the result of comparing the keys.
    keys: BTreeMap<String, BTreeMap<Keys, usize>>,
    /// Among the problems that the collection marks as not sound: those that the report finds unsound, and all.
    marked: (usize, usize),
    /// Threats and variations of two-movers with solutions printed by Popeye.
    popeye: Tally,
    /// Threats and variations of two-movers with solutions in shorthand.
    shorthand: Tally,
    /// Moves of the whole trees printed by Popeye, by stipulation.
    trees: BTreeMap<String, Tally>,
    /// The times of the reports in milliseconds, by stipulation.
    times: BTreeMap<String, Vec<f64>>,
    /// The lines to print about single problems.
    listed: Vec<String>,
    /// The number of problems without a report.
    skipped: usize,
}

/// The number of lines that agree.
#[derive(Default)]
struct Tally {
    /// The number of problems.
    problems: usize,
    /// The problems in which all lines agree.
    whole: usize,
    /// The lines that agree.
    same: usize,
    /// All lines.
    lines: usize,
}

impl Tally {
    fn add(&mut self, lines: &LineCounts) {
        self.problems += 1;
        self.whole += usize::from(lines.different.is_empty());
        self.same += lines.same;
        self.lines += lines.same + lines.different.len();
    }

    fn print(&self, what: &str) {
        let Tally { problems, whole, same, lines } = *self;
        let share = 100.0 * same as f64 / lines.max(1) as f64;
        println!("{what}: {same} of {lines} agree ({share:.2} %); all of them in {whole} of {problems} problems");
    }
}

impl Totals {
    /// Reports on a problem and adds the result.
    fn add(&mut self, record: &Record) {
        let (Some(moves), Ok(problem)) = (record.moves(), Problem::read(&record.fen)) else {
            self.skipped += 1;
            self.listed.push(format!("Skipped: {} {} {}", record.id, record.stipulation, record.fen));
            return;
        };
        let limit = if moves > 3 { Some(LONG) } else { None };
        let started = Instant::now();
        let Some(report) = report(&record.fen, &record.stipulation, limit) else {
            self.skipped += 1;
            return;
        };
        let time = started.elapsed();
        // The report may have added the right to capture en passant.
        let position = report.position.as_ref().and_then(|position| Problem::read(&position.fen).ok());
        let chess = position.map_or(problem.chess, |problem| problem.chess);
        let solution = PrintedSolution::read(record.printed(), &chess);
        let class = self.compare_keys(record, &chess, moves, &report, &solution);
        *self.keys.entry(record.stipulation.clone()).or_default().entry(class).or_default() += 1;
        if class != Keys::Undecided {
            self.times.entry(record.stipulation.clone()).or_default().push(time.as_secs_f64() * 1e3);
        }
        if record.is_marked() {
            self.marked.1 += 1;
            if report.verdict.soundness == Soundness::Sound {
                self.listed.push(format!("Sound, but marked: {} {} {}", record.id, record.stipulation, record.fen));
            } else {
                self.marked.0 += 1;
            }
        }
        if class == Keys::Agree && record.is_popeyes() {
            let lines = lines::compare_trees(&report, record.printed());
            self.trees.entry(record.stipulation.clone()).or_default().add(&lines);
            if let Some(first) = lines.different.first() {
                let Record { id, stipulation, fen, .. } = record;
                let more = lines.different.len() - 1;
                self.listed.push(format!("Tree {id} {stipulation} {fen}: {first} and {more} more on one side only"));
            }
        }
        if moves == 2 && class == Keys::Agree {
            self.compare_lines(record, &report, &solution);
        }
    }

    /// Compares the keys of the report with the printed ones.
    fn compare_keys(
        &mut self,
        record: &Record,
        chess: &Chess,
        moves: u16,
        report: &Report,
        solution: &PrintedSolution,
    ) -> Keys {
        let read = |chess: &Chess| -> Moves {
            let named: Moves =
                record.keys.iter().filter_map(|text| published::find(chess, text)).map(published::uci).collect();
            if named.is_empty() { PrintedSolution::read(record.printed(), chess).keys() } else { named }
        };
        let ours = keys::keys(report);
        if report.verdict.soundness == Soundness::Undecided {
            return Keys::Undecided;
        }
        if record.keys.is_empty() && !solution.names_key() {
            return Keys::Unnamed;
        }
        let limit = if moves > 3 { Some(LONG) } else { None };
        let mut keys_of = |fen: &str| report_keys(fen, &record.stipulation, limit);
        let confirm = Some(EXHAUSTIVE_NODES);
        let stipulation = Stipulation::mate(Some(MateLength(moves)));
        let pair = KeyPair {
            chess,
            exclusive: &[],
            stipulation,
            ours: &ours,
            read: &read,
            marked: record.is_marked(),
            turned: false,
            confirm,
        };
        let (class, _) = pair.compare(&mut keys_of);
        if class != Keys::Agree {
            self.listed.push(format!(
                "{class:?} {} {} {}: {} here, {} printed",
                record.id,
                record.stipulation,
                record.fen,
                list(&ours),
                list(&read(chess)),
            ));
        }
        class
    }

    /// Compares the threats and variations of the report with the printed ones.
    fn compare_lines(&mut self, record: &Record, report: &Report, solution: &PrintedSolution) {
        for part in solution.parts.iter().filter(|part| part.key) {
            let Some(lines) = lines::compare_lines(report, part) else { continue };
            let tally = if record.is_popeyes() { &mut self.popeye } else { &mut self.shorthand };
            tally.add(&lines);
            let style = if record.is_popeyes() { "Popeye" } else { "shorthand" };
            for line in &lines.different {
                self.listed.push(format!("Line ({style}) {} {}: {line}", record.id, record.fen));
            }
        }
    }

    fn print(&self) {
        for line in &self.listed {
            println!("{line}");
        }
        println!();
        for (stipulation, classes) in &self.keys {
            let all: usize = classes.values().sum();
            let counts: Vec<String> = classes.iter().map(|(class, count)| format!("{class:?} {count}")).collect();
            println!("keys {stipulation} ({all}): {}", counts.join(", "));
        }
        println!("marked as not sound by the collection: {} of {} found unsound", self.marked.0, self.marked.1);
        self.popeye.print("lines of #2 in Popeye's solutions");
        self.shorthand.print("lines of #2 in shorthand solutions");
        for (stipulation, tally) in &self.trees {
            tally.print(&format!("moves in Popeye's trees of {stipulation}"));
        }
        for (stipulation, times) in &self.times {
            let mut times = times.clone();
            times.sort_by(f64::total_cmp);
            let at = |percent: usize| times[(times.len() - 1) * percent / 100];
            println!(
                "time {stipulation} ({}): median {:.1} ms, 90 % within {:.1} ms, longest {:.1} ms",
                times.len(),
                at(50),
                at(90),
                at(100)
            );
        }
        if self.skipped > 0 {
            println!("skipped (no direct mate, or an illegal diagram): {}", self.skipped);
        }
    }
}

fn list(moves: &Moves) -> String {
    if moves.is_empty() { "none".to_owned() } else { moves.iter().map(String::as_str).collect::<Vec<_>>().join(" ") }
}

/// Returns the keys of the report on another position, or `None` if there is no such position.
fn report_keys(fen: &str, stipulation: &str, limit: Option<Duration>) -> Option<Moves> {
    report(fen, stipulation, limit).map(|report| keys::keys(&report))
}

/// Reports on one problem, on one thread. Returns `None` if there is no such position.
fn report(fen: &str, stipulation: &str, limit: Option<Duration>) -> Option<Report> {
    let problem = Problem::read(fen).ok()?;
    let stipulation = Stipulation::parse(stipulation).ok()?;
    let solver = Solver::with_request(Request::default().with(|request| request.limits.time = limit));
    Some(solver.report(&problem.stipulated(stipulation), ReportOptions::default()))
}
