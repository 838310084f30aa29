//! `engines`: counts the mates that each engine finds, and those that others miss.

use matesolve_engine::search::dfpn::Dfpn;
use matesolve_engine::search::papers::bstar::Bstar;
use matesolve_engine::search::papers::selective::Selective;
use matesolve_engine::search::pn::{Pn, PnOptions};
use matesolve_engine::search::pvs::{Pvs, PvsOptions};
use matesolve_engine::search::race::{Race, RaceOptions};
use matesolve_engine::search::{Engine, Region};

use super::bands::{Bands, cell, header};
use super::run::{Run, run};
use super::sample::Sample;

/// The results of one engine, in the order of the sample.
struct Column(Vec<Run>);

impl Column {
    fn new(
        sample: &Sample,
        nodes: u64,
        engine: impl for<'r> Fn(&'r Region) -> Box<dyn Engine + 'r>,
    ) -> Result<Column, String> {
        let mut region = Region::default();
        let run = |stated| {
            region.reset();
            run(stated, &mut *engine(&region), nodes)
        };
        sample.mates.iter().map(run).collect::<Result<_, _>>().map(Column)
    }

    fn found(&self, i: usize) -> bool {
        self.0[i].mate.is_some()
    }
}

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    let pvs = Column::new(sample, nodes, |_| Box::new(Pvs::default()))?;
    let lane = Column::new(sample, nodes, |_| Box::new(Pvs::new(PvsOptions::LANE)))?;
    let pn = Column::new(sample, nodes, |region| Box::new(Pn::new(PnOptions::default(), region)))?;
    let dfpn = Column::new(sample, nodes, |_| Box::new(Dfpn))?;
    let bstar = Column::new(sample, nodes, |region| Box::new(Bstar::new(region)))?;
    let selective = Column::new(sample, nodes, |_| Box::new(Selective::default()))?;
    let race = Column::new(sample, nodes, |region| Box::new(Race::new(RaceOptions::default(), region)))?;
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
