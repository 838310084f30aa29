//! `engines`: counts the mates that each engine finds, and those that others miss.

use matesolve::search::Engine;
use matesolve::search::bstar::Bstar;
use matesolve::search::dfpn::Dfpn;
use matesolve::search::pn::Pn;
use matesolve::search::pvs::{Pvs, PvsOptions};
use matesolve::search::race::Race;
use matesolve::search::selective::Selective;

use super::bands::{Bands, cell, header};
use super::run::{Run, run};
use super::sample::Sample;

/// The results of one engine, in the order of the sample.
struct Column(Vec<Run>);

impl Column {
    fn new<E: Engine>(sample: &Sample, nodes: u64, engine: impl Fn() -> E) -> Result<Column, String> {
        sample.mates.iter().map(|stated| run(stated, &mut engine(), nodes)).collect::<Result<_, _>>().map(Column)
    }

    fn found(&self, i: usize) -> bool {
        self.0[i].mate.is_some()
    }
}

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    let pvs = Column::new(sample, nodes, Pvs::default)?;
    let lane = Column::new(sample, nodes, || Pvs::new(PvsOptions::LANE))?;
    let pn = Column::new(sample, nodes, Pn::default)?;
    let dfpn = Column::new(sample, nodes, || Dfpn)?;
    let bstar = Column::new(sample, nodes, Bstar::default)?;
    let selective = Column::new(sample, nodes, Selective::default)?;
    let race = Column::new(sample, nodes, Race::default)?;
    println!("{}{}", header(), ["key checks", "key quiet"].map(cell).concat());
    let mut positions = Bands::default();
    sample.mates.iter().for_each(|stated| positions.add(stated.length, 1));
    println!("{}", positions.row("positions"));
    let rows: [(&str, &[&Column], &[&Column]); 14] = [
        ("pvs", &[&pvs], &[]),
        ("pvs as PvsOptions::LANE", &[&lane], &[]),
        ("pn", &[&pn], &[]),
        ("dfpn", &[&dfpn], &[]),
        ("bstar", &[&bstar], &[]),
        ("selective", &[&selective], &[]),
        ("race", &[&race], &[]),
        ("pvs, not pn", &[&pvs], &[&pn]),
        ("the lane, not pn", &[&lane], &[&pn]),
        ("pvs, neither pn nor dfpn", &[&pvs], &[&pn, &dfpn]),
        ("the lane, neither pn nor dfpn", &[&lane], &[&pn, &dfpn]),
        ("pn or dfpn, not pvs", &[&pn, &dfpn], &[&pvs]),
        ("bstar, not race", &[&bstar], &[&race]),
        ("selective, not race", &[&selective], &[&race]),
    ];
    for (name, finders, missers) in rows {
        print_row(sample, name, finders, missers);
    }
    Ok(())
}

/// Prints a row for the positions that one of `finders` finds and none of `missers` finds. The key is that of the first
/// finder.
fn print_row(sample: &Sample, name: &str, finders: &[&Column], missers: &[&Column]) {
    let (mut counts, mut checks) = (Bands::default(), 0);
    for (i, stated) in sample.mates.iter().enumerate() {
        let finder = finders.iter().find(|column| column.found(i));
        let missed = !missers.iter().any(|column| column.found(i));
        if let Some(finder) = finder.filter(|_| missed) {
            counts.add(stated.length, 1);
            checks += u64::from(finder.0[i].checking_key);
        }
    }
    let keys = [checks, counts.total() - checks].map(|count| cell(&count.to_string())).concat();
    println!("{}{keys}", counts.row(name));
}
