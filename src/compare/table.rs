//! Counts what each run has found, by length.
//!
//! The length of a problem is the shortest mate that is known of it: the stated length, or a mate of one of the runs.

use std::collections::BTreeMap;

use super::record::Record;

/// The counts of one run over the lines of one length.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct RunCounts {
    /// The mates.
    pub found: usize,
    /// The mates that have the length of the row.
    pub best: usize,
    /// The mates that the run claims to be the shortest.
    pub proved: usize,
    /// The lines that the run has answered with "no mate".
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
            match (a.claims.is_solved(), b.claims.is_solved()) {
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

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;

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
}
