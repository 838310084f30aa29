//! Finds the lines of two runs that answer the same problem, and counts what each run has found, by length.
//!
//! The length of a problem is the smallest that is known: the stated length, or that of a solution of one of the runs.
//!
//! Lines with the same name belong together if the name stands once in each run and neither the positions nor the kinds
//! of the question differ ([`Record::kind`]). Of the others, lines with the same position and kind belong together, the
//! first with the first, the second with the second; a line without a question may answer a direct mate by either side.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::chess::Stipulation;
use crate::compare::judge::{Difference, difference};
use crate::compare::record::{Record, SaidQuestion};

/// The counts of one run over the lines of one length.
#[derive(Debug, Default, Clone, Copy, PartialEq, serde::Serialize)]
pub(super) struct RunCounts {
    /// The mates.
    pub found: usize,
    /// The mates that have the length of the row.
    pub best: usize,
    /// The mates that the run claims to be the shortest.
    pub proved: usize,
    /// The lines that the run has answered with "no mate".
    #[serde(rename = "no_mate")]
    pub none: usize,
    /// The nodes; `None` if no line says how many.
    pub nodes: Option<u64>,
    /// The time in milliseconds; `None` if no line has one.
    pub time_ms: Option<f64>,
}

/// The lines of one length: their number, and the counts of both runs.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct LengthRow {
    pub lines: usize,
    pub runs: [RunCounts; 2],
}

/// The counts by length, and the total. Length `None`: no length is known.
#[derive(Debug, Default)]
pub(super) struct LengthTable {
    pub rows: BTreeMap<Option<u16>, LengthRow>,
    pub total: LengthRow,
}

/// Returns the length of a problem; `None` if neither line states one or has a mate.
pub(super) fn length(a: &Record, b: &Record) -> Option<u16> {
    [a.stated(), b.stated(), a.claims.found(), b.claims.found()].into_iter().flatten().min()
}

impl LengthTable {
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a Record, &'a Record)>) -> LengthTable {
        let mut table = LengthTable::default();
        for (a, b) in pairs {
            let length = length(a, b);
            for row in [table.rows.entry(length).or_default(), &mut table.total] {
                row.lines += 1;
                for (counts, record) in row.runs.iter_mut().zip([a, b]) {
                    counts.add(record, length);
                }
            }
        }
        table
    }
}

impl RunCounts {
    fn add(&mut self, record: &Record, length: Option<u16>) {
        let found = record.claims.found();
        self.found += usize::from(found.is_some());
        self.best += usize::from(found.is_some() && found == length);
        self.proved += usize::from(record.claims.is_proved);
        self.none += usize::from(record.claims.is_no);
        if let Some(nodes) = record.nodes {
            self.nodes = Some(self.nodes.unwrap_or_default().saturating_add(nodes));
        }
        if let Some(time_ms) = record.time_ms {
            self.time_ms = Some(self.time_ms.unwrap_or_default() + time_ms);
        }
    }
}

/// The cost of the positions that both runs have solved.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Common {
    /// The number of positions that both have solved.
    pub both: usize,
    /// The number that neither has solved.
    pub neither: usize,
    pub nodes: Costs,
    /// In milliseconds. A time below one millisecond counts as one in the ratio.
    pub time_ms: Costs,
}

/// The cost of the positions that both runs have solved and of which both say the cost.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Costs {
    /// The number of these positions.
    pub count: usize,
    /// The sums of both runs.
    pub sums: [f64; 2],
    /// The sum of the logarithms of B / A.
    logarithms: f64,
}

impl Costs {
    fn add(&mut self, costs: [Option<f64>; 2]) {
        let [Some(a), Some(b)] = costs else { return };
        self.count += 1;
        self.sums[0] += a;
        self.sums[1] += b;
        self.logarithms += (b.max(1.0) / a.max(1.0)).ln();
    }

    /// Returns the geometric mean of B / A; `None` if there is no position.
    pub(super) fn ratio(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.logarithms / self.count as f64).exp())
    }
}

impl Common {
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a Record, &'a Record)>) -> Common {
        let mut common = Common::default();
        for (a, b) in pairs {
            let by_one = matches!(difference(&a.claims, &b.claims), Some(Difference::SolvedBy(_)));
            match (a.claims.is_solved(), b.claims.is_solved()) {
                _ if by_one => {}
                (true, true) => {
                    common.both += 1;
                    common.nodes.add([a, b].map(|record| record.nodes.map(|nodes| nodes as f64)));
                    common.time_ms.add([a, b].map(|record| record.time_ms));
                }
                (false, false) => common.neither += 1,
                _ => {}
            }
        }
        common
    }
}

/// The pairs of two runs, and the lines without a partner. All lists are in the order of the lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Matching {
    /// The indices of lines that answer the same problem.
    pub pairs: Vec<(usize, usize)>,
    /// The number of pairs found by their names.
    pub by_id: usize,
    /// The indices of the lines that only the first or only the second run has.
    pub only: [Vec<usize>; 2],
    /// The number of names that stand for different positions or kinds of questions.
    pub other_position: usize,
}

/// Finds the pairs of two runs.
pub(crate) fn matched(runs: [&[Record]; 2]) -> Matching {
    let mut matching = Matching::default();
    let names = runs.map(unique_names);
    let mut partners: Vec<Option<usize>> = vec![None; runs[0].len()];
    let mut is_taken = vec![false; runs[1].len()];
    for (index, record) in runs[0].iter().enumerate() {
        let Some(name) = record.id_key.filter(|name| names[0].get(name) == Some(&Some(index))) else { continue };
        let Some(&Some(other)) = names[1].get(&name) else { continue };
        let partner = &runs[1][other];
        if differs(record.position_key, partner.position_key) || differs(record.kind(), partner.kind()) {
            matching.other_position += 1;
            continue;
        }
        partners[index] = Some(other);
        is_taken[other] = true;
        matching.by_id += 1;
    }
    let mut waiting: HashMap<_, VecDeque<usize>> = HashMap::new();
    for (index, record) in runs[1].iter().enumerate().filter(|(index, _)| !is_taken[*index]) {
        if let Some(position) = record.position_key {
            waiting.entry((position, record.kind())).or_default().push_back(index);
        }
    }
    for (record, partner) in runs[0].iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
        let mut first = |kind| waiting.get_mut(&(record.position_key?, kind)).and_then(VecDeque::pop_front);
        *partner = kinds(record.kind()).into_iter().find_map(&mut first);
        if let Some(other) = *partner {
            is_taken[other] = true;
        }
    }
    for (index, partner) in partners.into_iter().enumerate() {
        match partner {
            Some(other) => matching.pairs.push((index, other)),
            None => matching.only[0].push(index),
        }
    }
    matching.only[1] = (0..runs[1].len()).filter(|&index| !is_taken[index]).collect();
    matching
}

/// Returns the kinds that a question of this kind can have in the other run, the likeliest first.
fn kinds(kind: SaidQuestion) -> Vec<SaidQuestion> {
    match kind {
        None => vec![None, Some(Stipulation::mate(None)), Some(Stipulation::mated(None))],
        Some(asked) if !asked.is_helped() && asked.goal().is_mate() => vec![kind, None],
        kind => vec![kind],
    }
}

/// Returns the index of each name; `None` if it stands more than once.
fn unique_names(run: &[Record]) -> HashMap<u64, Option<usize>> {
    let mut names = HashMap::new();
    for (index, record) in run.iter().enumerate() {
        if let Some(name) = record.id_key {
            names.entry(name).and_modify(|it| *it = None).or_insert(Some(index));
        }
    }
    names
}

fn differs<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;
    use crate::chess::Stipulation;

    #[test]
    fn lines_are_counted_by_the_shortest_known_length() {
        let a = r##"{"id":1,"stipulation":"#5","mate":7,"nodes":10,"time_ms":3}
            {"id":2,"mate":4,"proved":true,"nodes":100}
            {"id":3,"no_mate":true,"nodes":1000}"##;
        let b = r#"{"id":1,"mate":5}
            {"id":2,"mate":6,"nodes":400}
            {"id":3,"no_mate":true,"nodes":1000}"#;
        let comparison = of(a, b);
        let LengthRow { lines, runs: [first, second] } = comparison.table.total;
        assert_eq!((lines, first.found, first.best, first.proved, first.none), (3, 2, 1, 1, 1));
        assert_eq!((second.found, second.best, second.proved, second.none), (2, 1, 0, 1));
        assert_eq!((first.nodes, first.time_ms, second.time_ms), (Some(1110), Some(3.0), None));
        let lengths: Vec<Option<u16>> = comparison.table.rows.keys().copied().collect();
        assert_eq!(lengths, [None, Some(4), Some(5)]);
        let Common { both, neither, nodes, time_ms } = comparison.common;
        assert_eq!((both, neither, nodes.count, nodes.sums, time_ms.ratio()), (3, 0, 2, [1100.0, 1400.0], None));
        assert!(nodes.ratio().is_some_and(|ratio| (ratio - 2.0).abs() < 1e-9));
    }

    #[test]
    fn what_one_run_has_solved_is_not_counted_for_both() {
        let a = r##"{"fen":"x","stipulation":"#5","mate":5}"##;
        let b = r##"{"fen":"x","stipulation":"#3","status":"no_mate","refuted_through":3}"##;
        let comparison = of(a, b);
        let by_one = comparison.differences.iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>();
        assert_eq!((comparison.common.both, by_one), (0, vec!["solved_by_a"]));
    }

    fn run(lines: &[(Option<u64>, Option<u64>)]) -> Vec<Record> {
        lines.iter().map(|&(id_key, position_key)| Record { id_key, position_key, ..Record::default() }).collect()
    }

    #[test]
    fn unique_names_come_before_positions() {
        let a =
            run(&[(Some(1), Some(70)), (Some(2), Some(71)), (Some(2), Some(72)), (None, Some(72)), (Some(5), None)]);
        let b = run(&[(None, Some(72)), (Some(1), Some(70)), (Some(2), Some(71)), (Some(5), Some(9)), (None, None)]);
        let matching = matched([&a, &b]);
        assert_eq!(matching.pairs, [(0, 1), (1, 2), (2, 0), (4, 3)]);
        assert_eq!((matching.by_id, matching.only), (2, [vec![3], vec![4]]));
    }

    #[test]
    fn another_goal_is_another_problem() {
        let run = |lines: &[(u64, Option<&str>)]| -> Vec<Record> {
            let asked = |text: &str| Stipulation::parse_stated(text).unwrap();
            let record = |&(key, text): &(u64, Option<&str>)| Record {
                id_key: (key < 10).then_some(key),
                position_key: (key >= 10).then_some(key),
                asked: text.map(asked),
                ..Record::default()
            };
            lines.iter().map(record).collect()
        };
        let a = run(&[(70, Some("#3")), (70, Some("s#3")), (71, Some("h#2")), (72, None), (1, Some("r#2"))]);
        let b = run(&[(70, Some("s#4")), (70, Some("#-3")), (71, Some("h#3")), (72, Some("#")), (1, None)]);
        let matching = matched([&a, &b]);
        assert_eq!((matching.pairs, matching.only), (vec![(1, 0), (3, 3), (4, 4)], [vec![0, 2], vec![1, 2]]));
        // A line that does not say its question may be about either side.
        let (a, b) = (run(&[(70, Some("#-3")), (71, None)]), run(&[(70, None), (71, Some("#-2"))]));
        assert_eq!(matched([&a, &b]).pairs, [(0, 0), (1, 1)]);
        let (a, b) = (run(&[(1, Some("r#2"))]), run(&[(1, Some("s#2"))]));
        assert_eq!(matched([&a, &b]).other_position, 1);
    }

    #[test]
    fn a_name_of_two_positions_does_not_match_them() {
        let a = run(&[(Some(1), Some(70)), (Some(3), Some(8))]);
        let b = run(&[(Some(1), Some(71)), (Some(4), Some(70))]);
        let matching = matched([&a, &b]);
        assert_eq!((matching.pairs, matching.other_position), (vec![(0, 1)], 1));
        assert_eq!(matching.only, [vec![1], vec![0]]);
    }
}
