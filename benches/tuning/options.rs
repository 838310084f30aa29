//! `options`: measures the engine `dfpn` with other options, and restricted searches for a first mate.

use matesolve::chess::MateLength;
use matesolve::search::descend::Finding;
use matesolve::search::dfpn::{Attempt, Dfpn, DfpnOptions, Prover, Restriction};
use matesolve::search::horizon::Horizon;

use super::bands::{Bands, cell, header};
use super::race::finds;
use super::run::{checked, facts, grouped, limited, task};
use super::sample::Sample;

const QUIET: [u32; 5] = [4, 6, 8, 10, 12];
const FLIGHTS: [u8; 4] = [1, 2, 3, 4];

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    let default = DfpnOptions::default();
    let variants = QUIET.map(|quiet| {
        let mark = if quiet == default.quiet { " (default)" } else { "" };
        (format!("dfpn, quiet moves count {quiet}{mark}"), DfpnOptions { quiet, ..default })
    });
    let without_threats =
        ("dfpn, threats count like other moves".to_owned(), DfpnOptions { threats: false, ..default });
    println!("{:<40}{}", "", ["found", "best", "proved", "nodes"].map(cell).concat());
    for (name, options) in variants.into_iter().chain([without_threats]) {
        let finds = finds(sample, nodes, || Dfpn::new(options))?;
        let counts = [finds.found.total(), finds.best.total(), finds.proved.total(), finds.nodes];
        println!("{name:<40}{}", counts.map(|count| cell(&grouped(count))).concat());
    }
    println!("\na first mate of any length, by some of the attacker's moves\n{}", header());
    println!("{}", first_mates(sample, nodes, Attempt::mate(Horizon::NONE))?.row("all moves"));
    for flights in FLIGHTS {
        let found = first_mates(sample, nodes, Attempt::restricted(Restriction::Flights(flights)))?;
        println!("{}", found.row(&format!("moves that leave at most {flights} flights")));
    }
    Ok(())
}

/// Counts the mates that one attempt finds.
fn first_mates(sample: &Sample, nodes: u64, attempt: Attempt) -> Result<Bands, String> {
    let mut found = Bands::default();
    for stated in &sample.mates {
        let task = task(stated, MateLength::MAX);
        let facts = facts();
        let mut prover = Prover::new(DfpnOptions::default(), task.memory);
        let (finding, _) = limited(nodes, |meter| prover.prove(&task, attempt, meter, &facts).ok());
        match finding {
            Some(Finding::Proved(tree)) => {
                checked(stated, &tree)?;
                found.add(stated.length, 1);
            }
            Some(Finding::Refuted) => {
                return Err(format!("{}: all mates are refuted, but a mate is stated. Check the line.", stated.name));
            }
            Some(Finding::Nothing) | None => {}
        }
    }
    Ok(found)
}
