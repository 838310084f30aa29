//! The summary at the end of a batch, on standard error: what was solved, by length, and at which cost.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::output::text::grouped;
use crate::results::Solution;
use crate::results::solution::Check;

use crate::cli::terminal::Tally;

/// The lines of one length.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct SummaryRow {
    lines: usize,
    found: usize,
    /// The mates of the length that the line states.
    at_length: usize,
    proved: usize,
    time: Duration,
    nodes: u64,
}

/// Counts the results of a batch by length: the stated one, or else that of the mate or other goal.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    rows: BTreeMap<Option<u16>, SummaryRow>,
    checks: BTreeMap<Check, usize>,
    /// The nodes that this run has searched.
    nodes: u64,
}

impl Summary {
    /// Counts a result. `time` is the time that it took, as exactly as it is known; `is_new` is false if this run did
    /// not search for it.
    pub(crate) fn add(&mut self, solution: &Solution, time: Duration, is_new: bool) {
        let stats = &solution.stats;
        self.nodes += if is_new { stats.nodes } else { 0 };
        if let Some(check) = solution.check {
            *self.checks.entry(check).or_default() += 1;
        }
        let Some(goal) = &solution.stipulation else { return };
        let found = solution.result.length();
        let row = self.rows.entry(goal.moves().or(found)).or_default();
        row.lines += 1;
        row.found += usize::from(found.is_some());
        row.at_length += usize::from(found.is_some() && goal.moves().is_none_or(|n| Some(n) == found));
        row.proved += usize::from(solution.result.proved_shortest);
        row.time += time;
        row.nodes += stats.nodes;
    }

    /// Writes the summary: a table by length, the verdicts of `--check`, the totals if `with_totals` is set, and
    /// the speed.
    pub(crate) fn text(&self, tally: &Tally, with_totals: bool, elapsed: Duration) -> String {
        let mut text = format!(
            "{:>6} {:>8} {:>8} {:>8} {:>8} {:>10} {:>15}\n",
            "length", "lines", "found", "exact", "proved", "time", "nodes"
        );
        for (length, row) in &self.rows {
            let length = length.map_or("?".to_owned(), |n| n.to_string());
            let SummaryRow { lines, found, at_length, proved, time, nodes } = row;
            let seconds = format!("{:.2} s", time.as_secs_f64());
            let nodes = grouped(*nodes);
            let _ = writeln!(
                text,
                "{length:>6} {lines:>8} {found:>8} {at_length:>8} {proved:>8} {seconds:>10} {nodes:>15}"
            );
        }
        if !self.checks.is_empty() {
            let verdicts = Check::ALL.iter().filter_map(|(check, words)| Some((words, self.checks.get(check)?)));
            let verdicts: Vec<String> = verdicts.map(|(words, count)| format!("{words} {count}")).collect();
            let of = |is: fn(Check) -> bool| self.checks.iter().filter(|(check, _)| is(**check)).map(|(_, n)| n).sum();
            let (all, wrong): (usize, usize) = (of(|check| check != Check::Unclaimed), of(Check::disagrees));
            let _ = writeln!(text, "check: {}; {all} claimed, {wrong} contradicted", verdicts.join(", "));
        }
        if with_totals {
            let _ = writeln!(text, "{tally}");
        }
        let ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let speed = self.nodes.saturating_mul(1000) / ms.max(1);
        let (nodes, speed) = (grouped(self.nodes), grouped(speed));
        let _ = write!(text, "{nodes} nodes in {:.2} s, {speed} nodes/s", elapsed.as_secs_f64());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::solver::Solver;

    #[test]
    fn results_are_counted_by_the_length_that_the_line_states_or_that_was_found() {
        let mut summary = Summary::default();
        let mut tally = Tally::default();
        for operations in ["dm 2;", "dm 1;", "dm 3;", ""] {
            let line = format!("5Kbk/6pp/6P1/8/8/8/8/7R w - - {operations}");
            let mut solution = Solver::new().solve(&Problem::read(&line).unwrap());
            solution.stats.nodes = 1000;
            solution.check = (operations == "dm 3;").then_some(Check::Shorter);
            // Less than a millisecond each is still something together.
            summary.add(&solution, Duration::from_micros(1_232_600), true);
            tally.add(&solution);
        }
        let expected = "\
length    lines    found    exact   proved       time           nodes
     1        1        0        0        0     1.23 s           1,000
     2        2        2        2        2     2.47 s           2,000
     3        1        1        0        1     1.23 s           1,000
check: shorter 1; 1 claimed, 1 contradicted
lines 4: mates 3 (proved shortest 3), no mate 1, undecided 0, invalid 0, failed 0
4,000 nodes in 2.00 s, 2,000 nodes/s";
        assert_eq!(summary.text(&tally, true, Duration::from_secs(2)), expected);
    }
}
