//! `refute`: refutes one move less than each stated mate, on one thread.

use matesolve_engine::chess::MateLength;
use matesolve_engine::search::descend::Finding;
use matesolve_engine::search::dfpn::{Attempt, Prover};
use matesolve_engine::search::horizon::Horizon;

use super::bands::{Bands, header};
use super::run::{checked, contradiction, facts, limited, task, timed};
use super::sample::{Sample, StatedMate};

/// The counts of a sample.
#[derive(Debug, Default)]
pub struct Refutations {
    /// The positions where one move less was refuted within the node limit.
    pub decided: Bands,
    /// The positions where a shorter mate than the stated one was found.
    pub improved: Bands,
    pub nodes: Bands,
    pub seconds: f64,
}

impl Refutations {
    /// Adds the result for a position. `finding` is `None` if a limit ended the search.
    pub fn add(&mut self, stated: &StatedMate, finding: Option<Finding>, nodes: u64) -> Result<(), String> {
        self.nodes.add(stated.length, nodes);
        match finding {
            Some(Finding::Refuted) => self.decided.add(stated.length, 1),
            Some(Finding::Proved(tree)) => {
                let length = checked(stated, &tree)?;
                if length >= stated.length {
                    return Err(contradiction(stated, length));
                }
                self.improved.add(stated.length, 1);
            }
            Some(Finding::Nothing) | None => {}
        }
        Ok(())
    }

    pub fn print(&self, positions: &Bands) {
        println!("{}", header());
        println!("{}", positions.row("positions"));
        println!("{}", self.decided.row("refuted"));
        println!("{}", self.improved.row("a shorter mate found instead"));
        println!("{}", self.nodes.row("nodes"));
        println!("{:.1} s in all", self.seconds);
    }
}

/// Returns each position whose mate takes more than one move, with the attempt that refutes one move less.
pub fn attempts(sample: &Sample) -> impl Iterator<Item = (&StatedMate, Attempt)> {
    sample.mates.iter().filter_map(|stated| {
        let shorter = stated.length.shorter().filter(|&length| length > MateLength(0))?;
        Some((stated, Attempt::refutation(Horizon::within(shorter))))
    })
}

/// Returns the number of positions in each band.
pub fn positions(sample: &Sample) -> Bands {
    let mut positions = Bands::default();
    attempts(sample).for_each(|(stated, _)| positions.add(stated.length, 1));
    positions
}

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    let mut refutations = Refutations::default();
    for (stated, attempt) in attempts(sample) {
        let task = task(stated, stated.length);
        let facts = facts();
        let mut prover = Prover::new(task.memory);
        let ((finding, nodes), seconds) =
            timed(|| limited(nodes, |meter| prover.prove(&task, attempt, meter, &facts).ok()));
        refutations.seconds += seconds;
        refutations.add(stated, finding, nodes)?;
    }
    refutations.print(&positions(sample));
    Ok(())
}
