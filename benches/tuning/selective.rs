//! `selective`: measures the engine `selective` and its table, also with small tables.

use matesolve_engine::search::Facts;
use matesolve_engine::search::papers::selective::{Selective, SelectiveOptions, TableUse};

use super::bands::cell;
use super::run::{facts, grouped, run_with};
use super::sample::Sample;

/// The sizes of small tables, in entries: AWIT's for quick games and for tournaments, and a larger one.
const SMALL: [u32; 3] = [100, 600, 4000];

/// The shared facts beside a small table, in bytes: as good as none, so that the engine's own table is measured.
const NO_FACTS: usize = 64;

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    let columns = ["found", "best", "proved", "nodes", "used %", "relinked %", "salvaged %"];
    println!("{:<40}{}", "", columns.map(cell).concat());
    row(sample, nodes, "default", SelectiveOptions::default(), facts)?;
    let no_facts = || Facts::with_bytes(NO_FACTS);
    for entries in SMALL {
        row(sample, nodes, &format!("{entries} entries"), SelectiveOptions { entries }, no_facts)?;
    }
    Ok(())
}

/// Runs the engine with these options on every position and prints the totals.
fn row(
    sample: &Sample,
    nodes: u64,
    name: &str,
    options: SelectiveOptions,
    facts: impl Fn() -> Facts,
) -> Result<(), String> {
    let (mut found, mut best, mut proved, mut spent) = (0, 0, 0, 0);
    let mut total = TableUse::default();
    for stated in &sample.mates {
        let mut engine = Selective::new(options);
        let run = run_with(stated, &mut engine, nodes, &facts())?;
        add(&mut total, engine.table_use());
        found += u64::from(run.mate.is_some());
        best += u64::from(run.mate.is_some_and(|length| length <= stated.length));
        proved += u64::from(run.proved);
        spent += run.nodes;
    }
    let percent = |part: u64, whole: u64| (100 * part).checked_div(whole).unwrap_or(0);
    let shares = [
        percent(total.used, total.entries),
        percent(total.relinked, total.answers),
        percent(total.salvaged, total.active),
    ];
    let cells: String = [found, best, proved, spent].iter().chain(&shares).map(|&n| cell(&grouped(n))).collect();
    println!("{name:<40}{cells}");
    Ok(())
}

/// Adds the counters of a search that the percentages need.
fn add(total: &mut TableUse, of_search: TableUse) {
    total.entries += of_search.entries;
    total.used += of_search.used;
    total.answers += of_search.answers;
    total.relinked += of_search.relinked;
    total.active += of_search.active;
    total.salvaged += of_search.salvaged;
}
