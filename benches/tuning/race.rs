//! `race`: counts the mates that the default engine finds on one thread: found, best and proved, by length band.

use matesolve_engine::search::Region;
use matesolve_engine::search::race::{Race, RaceOptions};

use super::bands::{Bands, header};
use super::run::{grouped, run};
use super::sample::Sample;

/// The mates that an engine finds on a sample.
#[derive(Debug, Default)]
pub struct Finds {
    pub found: Bands,
    /// The positions with a mate of at most the stated length.
    pub best: Bands,
    /// The positions with a mate that is proved shortest.
    pub proved: Bands,
    pub nodes: u64,
}

/// Runs a new race on every position.
fn finds(sample: &Sample, nodes: u64) -> Result<Finds, String> {
    let (mut finds, mut region) = (Finds::default(), Region::default());
    for stated in &sample.mates {
        region.reset();
        let run = run(stated, &mut Race::new(RaceOptions::default(), &region), nodes)?;
        finds.nodes += run.nodes;
        finds.found.add(stated.length, u64::from(run.mate.is_some()));
        finds.best.add(stated.length, u64::from(run.mate.is_some_and(|length| length <= stated.length)));
        finds.proved.add(stated.length, u64::from(run.proved));
    }
    Ok(finds)
}

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    let mut positions = Bands::default();
    sample.mates.iter().for_each(|stated| positions.add(stated.length, 1));
    let finds = finds(sample, nodes)?;
    println!("{}", header());
    for (name, counts) in [
        ("positions", positions),
        ("found", finds.found),
        ("found at the stated length (best)", finds.best),
        ("proved shortest", finds.proved),
    ] {
        println!("{}", counts.row(name));
    }
    println!("{} nodes in all", grouped(finds.nodes));
    Ok(())
}
