//! Writes a comparison as text.

use std::fmt::Write as _;

use crate::base::printable;
use crate::output::text::grouped;

use super::axes::whole;
use super::judge::Run;
use super::table::{Common, Costs, LengthRow, RunCounts};
use super::{Answers, Comparison, Difference, List};

/// Writes a comparison. Of each kind of difference at most `most` positions are listed.
pub(crate) fn text(comparison: &Comparison, most: usize) -> String {
    let mut text = String::new();
    for (letter, run) in ["A", "B"].into_iter().zip(&comparison.runs) {
        let _ =
            writeln!(text, "{letter}: {}, results {}", printable::line(&run.name), grouped(run.records.len() as u64));
    }
    for (sentence, _) in sentences(comparison) {
        let _ = writeln!(text, "{sentence}");
    }
    if comparison.compared() > 0 {
        text.push('\n');
        write_table(&mut text, comparison);
    }
    for List { heading, count, items, .. } in comparison.lists(most) {
        let _ = writeln!(text, "\n{heading}: {count}");
        for (label, answers) in items {
            let label = printable::line(&label);
            let _ = match answers {
                Answers::Both([a, b]) => writeln!(text, "  {label}: A {a}, B {b}"),
                Answers::One(line, answer) => writeln!(text, "  {label} (line {line}): {answer}"),
            };
        }
        if count > most {
            let _ = writeln!(text, "  … and {} more; --all lists them", count - most);
        }
    }
    text
}

/// Says what was compared, and what was found, in sentences. With each stands whether it tells of contradictions.
pub(super) fn sentences(comparison: &Comparison) -> Vec<(String, bool)> {
    let matching = &comparison.matching;
    let (compared, by_id) = (comparison.compared(), matching.by_id);
    let mut sentences = Vec::new();
    let mut say = |sentence, is_bad| sentences.push((sentence, is_bad));
    say(
        format!(
            "compared {compared} (by name {by_id}, by position {}), only in A {}, only in B {}",
            compared - by_id,
            matching.only[0].len(),
            matching.only[1].len()
        ),
        false,
    );
    if matching.other_position > 0 {
        let count = matching.other_position;
        say(format!("names that stand for different problems in A and B: {count}"), false);
    }
    let count = |kind| comparison.count(kind);
    let of_both = |kind: fn(Run) -> Difference| [Run::A, Run::B].map(|run| count(kind(run)));
    let [a, b] = of_both(Difference::SolvedBy);
    let Common { both, neither, nodes, time_ms } = &comparison.common;
    say(format!("solved by both {both}, by A only {a}, by B only {b}, by neither {neither}"), false);
    let ([a, b], [c, d]) = (of_both(Difference::ShorterBy), of_both(Difference::ProvedBy));
    say(format!("shorter mate by A {a}, by B {b}; proved shortest by A only {c}, by B only {d}"), false);
    let contradictions = count(Difference::Contradiction);
    say(format!("contradictions {contradictions}"), contradictions > 0);
    let costs = [cost("nodes", nodes, |sum| grouped(whole(sum))), cost("time", time_ms, seconds)];
    costs.into_iter().flatten().for_each(|sentence| say(sentence, false));
    sentences
}

/// Compares the cost of the positions that both have solved; `None` if there are none.
fn cost(what: &str, costs: &Costs, show: fn(f64) -> String) -> Option<String> {
    let ratio = costs.ratio()?;
    let [a, b] = costs.sums.map(show);
    Some(format!(
        "{what} where both solved ({}): A {a}, B {b}; B takes {ratio:.2} times as much as A (geometric mean)",
        costs.count
    ))
}

/// Writes milliseconds as seconds.
pub(super) fn seconds(ms: f64) -> String {
    format!("{:.2} s", ms / 1000.0)
}

/// Writes a cost; a dash if it is not known.
pub(super) fn costs(counts: &RunCounts) -> [String; 2] {
    let dash = || "–".to_owned();
    [counts.time_ms.map_or_else(dash, seconds), counts.nodes.map_or_else(dash, grouped)]
}

/// Writes the length of a row.
pub(super) fn length(length: Option<u16>) -> String {
    length.map_or("?".to_owned(), |n| n.to_string())
}

fn write_table(text: &mut String, comparison: &Comparison) {
    let _ = writeln!(
        text,
        "{:>6} {:>8}    {:>8} {:>8} {:>8} {:>8} {:>12} {:>18}",
        "length", "lines", "found", "best", "proved", "no mate", "time", "nodes"
    );
    let rows = comparison.table.rows.iter().map(|(&n, row)| (length(n), row));
    for (name, row) in rows.chain([("all".to_owned(), &comparison.table.total)]) {
        let LengthRow { lines, runs } = row;
        let (mut name, mut lines) = (name, lines.to_string());
        for (letter, counts) in ["A", "B"].into_iter().zip(runs) {
            let RunCounts { found, best, proved, none, .. } = counts;
            let [time, nodes] = costs(counts);
            let _ = writeln!(
                text,
                "{name:>6} {lines:>8}  {letter} {found:>8} {best:>8} {proved:>8} {none:>8} {time:>12} {nodes:>18}"
            );
            name.clear();
            lines.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;

    #[test]
    fn a_comparison_is_written_with_its_differences() {
        let a = "{\"id\":\"x\",\"mate\":2,\"nodes\":1000,\"time_ms\":5}\n{\"id\":\"y\",\"mate\":3}\n{\"id\":\"z\"}";
        let b = "{\"id\":\"x\",\"mate\":2,\"nodes\":4000}\n{\"id\":\"y\"}\n{\"id\":\"v\",\"mate\":-1}";
        let expected = "\
A: a.jsonl, results 3
B: b.jsonl, results 3
compared 2 (by name 2, by position 0), only in A 1, only in B 1
solved by both 1, by A only 1, by B only 0, by neither 0
shorter mate by A 0, by B 0; proved shortest by A only 0, by B only 0
contradictions 0
nodes where both solved (1): A 1,000, B 4,000; B takes 4.00 times as much as A (geometric mean)

length    lines       found     best   proved  no mate         time              nodes
     2        1  A        1        1        0        0       0.01 s              1,000
                 B        1        1        0        0            –              4,000
     3        1  A        1        1        0        0            –                  –
                 B        0        0        0        0            –                  –
   all        2  A        2        2        0        0       0.01 s              1,000
                 B        1        1        0        0            –              4,000

solved by A only: 1
  y: A mate in 3, B undecided

only in A: 1
  z (line 3): undecided

only in B: 1
  v (line 3): mated in 1
";
        let written = text(&of(a, b), 20);
        assert_eq!(written, expected);
    }

    #[test]
    fn long_lists_are_cut_and_say_so() {
        let line = |id: usize, mate: u16| format!("{{\"id\":{id},\"mate\":{mate}}}\n");
        let lines = |mate: u16| (0..5).map(|id| line(id, mate)).collect::<Vec<_>>().concat();
        let written = text(&of(&lines(3), &lines(2)), 2);
        assert!(written.ends_with("  1: A mate in 3, B mate in 2\n  … and 3 more; --all lists them\n"), "{written}");
    }
}
