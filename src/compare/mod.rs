//! Sets two runs over the same problems side by side: `matesolve compare`.
//!
//! | file | content |
//! |---|---|
//! | `record` | a line of a results file, in a small form |
//! | `judge` | how two answers differ, and whether they contradict each other |
//! | `table` | the lines of the two runs that answer the same problem; the counts of each run, by length |
//! | `text`, `json` | the comparison as text and as JSON |
//! | `page` | the comparison as an HTML page, and one of its pictures as a file of its own |
//! | `plots`, `axes` | its pictures, and their axes |
//!
//! The two runs are called A and B. All lengths are in moves.

mod axes;
mod json;
mod judge;
mod page;
mod plots;
mod record;
mod table;
mod text;

use std::io::BufRead;

pub(crate) use json::json;
pub(crate) use judge::Difference;
pub(crate) use page::{page, picture};
pub(crate) use record::{Record, SaidQuestion};
pub(crate) use text::text;

use crate::base::lines::LONGEST_RESULT;
use crate::problem::input::objects::Item;
use crate::problem::input::objects_of;
use table::{Common, LengthTable, Matching};

/// The results of one run.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// The name of the file.
    pub name: String,
    /// Its lines.
    pub records: Vec<Record>,
}

/// Two runs side by side.
#[derive(Debug)]
pub(crate) struct Comparison {
    runs: [Results; 2],
    matching: Matching,
    table: LengthTable,
    common: Common,
    /// The pairs that differ, as indices into the pairs, the weightiest difference first.
    differences: Vec<(Difference, usize)>,
}

/// Reads the results of a run: JSON objects, one a line or in any other form that is read.
///
/// # Errors
/// A sentence that names the file and the line.
pub(crate) fn read(name: &str, input: impl BufRead) -> Result<Results, String> {
    let mut results = Results { name: name.to_owned(), records: Vec::new() };
    for object in objects_of(input, LONGEST_RESULT) {
        let Item { line, bytes, is_cut, fault } = object.map_err(|error| format!("{name} cannot be read: {error}"))?;
        let at = |why: String| format!("{name}:{line}: {why}");
        fault.map_or(Ok(()), |why| Err(at(why)))?;
        if is_cut {
            return Err(at(format!("the result is longer than {LONGEST_RESULT} bytes")));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| at("not UTF-8 text".to_owned()))?;
        results.records.push(record::read(text, line).map_err(at)?);
    }
    results.records.shrink_to_fit();
    Ok(results)
}

/// Positions that differ in one way, with their names.
struct List {
    heading: String,
    /// Whether it is to be seen at once.
    is_open: bool,
    /// The number of all, of which `items` may be the first ones only.
    count: usize,
    items: Vec<(String, Answers)>,
}

/// The answers of the runs to a position, in words.
enum Answers {
    Both([String; 2]),
    /// The line of the only run that has it, and its answer.
    One(usize, String),
}

impl Comparison {
    /// Compares two runs.
    pub(crate) fn new(a: Results, b: Results) -> Comparison {
        let runs = [a, b];
        let matching = table::matched([&runs[0].records, &runs[1].records]);
        let pairs = || matching.pairs.iter().map(|&(a, b)| (&runs[0].records[a], &runs[1].records[b]));
        let mut differences: Vec<(Difference, usize)> = pairs()
            .enumerate()
            .filter_map(|(index, (a, b))| Some((judge::difference(&a.claims, &b.claims)?, index)))
            .collect();
        differences.sort_unstable();
        let (table, common) = (LengthTable::of(pairs()), Common::of(pairs()));
        Comparison { runs, matching, table, common, differences }
    }

    /// Returns the number of positions that both runs have answered in some way.
    pub(crate) fn compared(&self) -> usize {
        self.matching.pairs.len()
    }

    /// Returns the number of contradictions, and of names that stand for different problems.
    pub(crate) fn disagreements(&self) -> usize {
        self.count(Difference::Contradiction) + self.matching.other_position
    }

    fn pairs(&self) -> impl Iterator<Item = (&Record, &Record)> {
        (0..self.compared()).map(|index| self.pair(index))
    }

    fn pair(&self, index: usize) -> (&Record, &Record) {
        let (a, b) = self.matching.pairs[index];
        (&self.runs[0].records[a], &self.runs[1].records[b])
    }

    fn count(&self, kind: Difference) -> usize {
        self.differences.iter().filter(|(it, _)| *it == kind).count()
    }

    /// Returns the first `most` pairs with this difference.
    fn with(&self, kind: Difference, most: usize) -> impl Iterator<Item = (&Record, &Record)> {
        let those = self.differences.iter().filter(move |(it, _)| *it == kind);
        those.take(most).map(|&(_, index)| self.pair(index))
    }

    /// Returns the lines that only one run has.
    fn only(&self, run: usize) -> impl Iterator<Item = &Record> {
        self.matching.only[run].iter().map(move |&index| &self.runs[run].records[index])
    }

    /// Returns the positions that differ, and those that one run alone has. Of each list `most` are named.
    fn lists(&self, most: usize) -> impl Iterator<Item = List> {
        let answer = |record: &Record| judge::words(&record.claims);
        let differing = Difference::ALL.into_iter().map(move |kind| List {
            heading: kind.words(),
            is_open: kind == Difference::Contradiction,
            count: self.count(kind),
            items: self.with(kind, most).map(|(a, b)| (label(a, b), Answers::Both([a, b].map(answer)))).collect(),
        });
        let only = [0, 1].into_iter().map(move |run| List {
            heading: format!("only in {}", ["A", "B"][run]),
            is_open: false,
            count: self.matching.only[run].len(),
            items: self.only(run).take(most).map(|it| (label(it, it), Answers::One(it.line, answer(it)))).collect(),
        });
        differing.chain(only).filter(|list| list.count > 0)
    }
}

/// Returns the name of a problem, its position and its question if that is no direct mate, as far as they are known.
fn label(a: &Record, b: &Record) -> String {
    let id = a.id.as_deref().or(b.id.as_deref());
    let fen = a.fen.as_deref().or(b.fen.as_deref());
    let asked = other_goal(a, b).map(|asked| asked.to_string());
    let parts: Vec<&str> = [id, fen, asked.as_deref()].into_iter().flatten().collect();
    if parts.is_empty() { "no position".to_owned() } else { parts.join("  ") }
}

/// Returns the question of a problem; `None` if it is a direct mate, or not known.
fn other_goal(a: &Record, b: &Record) -> SaidQuestion {
    a.asked.or(b.asked).filter(|_| a.claims.is_other_goal || b.claims.is_other_goal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares two runs of this text.
    pub(super) fn of(a: &str, b: &str) -> Comparison {
        let of = |name, text: &str| read(name, text.as_bytes()).unwrap();
        Comparison::new(of("a.jsonl", a), of("b.jsonl", b))
    }

    #[test]
    fn the_weightiest_difference_comes_first() {
        let a = r#"{"id":1,"mate":3}
            {"id":2,"mate":4}
            {"id":3,"mate":5,"proved":true}
            {"id":4,"mate":2}"#;
        let b = r#"{"id":1}

            {"id":3,"mate":4}
            {"id":2,"mate":4,"proved":true}
            {"id":5}"#;
        let comparison = of(a, b);
        let kinds: Vec<&str> = comparison.differences.iter().map(|(kind, _)| kind.name()).collect();
        assert_eq!(kinds, ["contradiction", "solved_by_a", "proved_by_b"]);
        assert_eq!((comparison.compared(), comparison.disagreements()), (3, 1));
        assert_eq!(comparison.only(0).chain(comparison.only(1)).count(), 2);
    }

    #[test]
    fn answers_about_other_goals_are_compared_by_their_own_words() {
        let line = |asked: &str, more: &str| {
            format!("{{\"fen\":\"7k/8/8/8/8/8/5K2/6Q1 w - -\",\"stipulation\":\"{asked}\",{more}}}\n")
        };
        let help = |count: usize, complete: bool| {
            let (list, status) = (vec!["{}"; count].join(","), if complete { "solved" } else { "undecided" });
            line(
                "h#2.5",
                &format!("\"solutions\":[{list}],\"complete\":{complete},\"status\":\"{status}\",\"solved_in\":2.5"),
            )
        };
        let a =
            [line("#3", "\"mate\":3"), line("s#3", "\"status\":\"solved\",\"solved_in\":3"), help(2, true)].concat();
        let b = [line("s#3", "\"status\":\"no_solution\",\"refuted_through\":3"), help(3, false)].concat();
        let comparison = of(&a, &b);
        assert_eq!((comparison.compared(), comparison.disagreements()), (2, 2));
        let text = text(&comparison, 20);
        for expected in [
            "5K2/6Q1 w - -  s#3: A solved in 3, B no solution in 3\n",
            "5K2/6Q1 w - -  h#2.5: A 2 solutions, these are all, B 3 solutions so far\n",
            "only in A: 1\n  7k/8/8/8/8/8/5K2/6Q1 w - - (line 1): mate in 3\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        let json: serde_json::Value = serde_json::from_str(&json(&comparison, 20)).unwrap();
        assert_eq!(json["differences"][0]["stipulation"], "s#3");
        // A list that is cut may be part of the other.
        assert_eq!(of(&help(2, true), &help(1, false)).disagreements(), 0);
        assert_eq!(of(&help(2, true), &help(1, false)).count(Difference::ProvedBy(judge::Run::A)), 1);
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let error = |text: &[u8]| read("x.jsonl", text).unwrap_err();
        assert!(error(b"{\"id\":1}\n\n{\"id\":").starts_with("x.jsonl:3: not a result"));
        assert_eq!(error(b"\xff"), "x.jsonl:1: not UTF-8 text");
        assert_eq!(read("x.json", b"{\n\"id\": 1}\n{\n\"id\": 2}\n".as_slice()).unwrap().records.len(), 2);
    }
}
