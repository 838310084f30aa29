//! `threads`: refutes one move less than each stated mate with one and with two threads that share a table.

use std::thread;

use matesolve_engine::search::descend::Finding;
use matesolve_engine::search::dfpn::{Attempt, Prover};
use matesolve_engine::search::{Facts, Meter, Task};

use super::STACK_SIZE;
use super::refute::{Refutations, attempts, positions};
use super::run::{facts, limited, task, timed};
use super::sample::Sample;

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    for threads in [1, 2] {
        let mut refutations = Refutations::default();
        for (stated, attempt) in attempts(sample) {
            let task = task(stated, stated.length);
            let facts = facts();
            let search = |meter: &mut Meter<'_>| prove(threads, &task, attempt, meter, &facts);
            let ((finding, nodes), seconds) = timed(|| limited(nodes, search));
            refutations.seconds += seconds;
            refutations.add(stated, finding, nodes)?;
        }
        println!("{threads} thread{}", if threads == 1 { "" } else { "s" });
        refutations.print(&positions(sample));
        println!();
    }
    Ok(())
}

/// Returns the first answer of any thread, or `None` if a limit ended the search.
fn prove(threads: usize, task: &Task, attempt: Attempt, meter: &mut Meter<'_>, facts: &Facts) -> Option<Finding> {
    let control = meter.control();
    let mut first = Prover::new(task.memory);
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let mut prover = first.sharing_table();
                let work = move || {
                    let finding = prover.prove(task, attempt, &mut Meter::new(control), facts).ok();
                    if finding.is_some() {
                        control.stop();
                    }
                    finding
                };
                thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)
            })
            .collect();
        let finding = first.prove(task, attempt, meter, facts).ok();
        if finding.is_some() {
            control.stop();
        }
        let found = others.into_iter().filter_map(|other| other.ok()?.join().ok()?);
        finding.into_iter().chain(found).next()
    })
}
