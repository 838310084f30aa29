//! `matesolve bench`: how fast, and whether the search is the one it was.

use std::io::Write as _;

use crate::bench;
use crate::output::text::grouped;
use crate::solve::{Request, registry};

use super::args::BenchArgs;
use super::interrupt::Interrupt;
use super::{Exit, Failure, complain};

pub(super) fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let engine =
        registry::engine(&args.engine).ok_or_else(|| Failure::Usage(format!("there is no engine {}", args.engine)))?;
    let request = Request { engine, nodes: Some(args.nodes), hash: args.hash, ..Request::default() };
    let interrupt = Interrupt::listen();
    let outcome = bench::run(&request, interrupt.stop());
    if interrupt.asked() {
        complain("matesolve: interrupted; the benchmark counts only as a whole");
        return Ok(Exit::Interrupted);
    }
    let mut out = std::io::stdout().lock();
    let bench::BenchResult { problems, found, proved, nodes, .. } = outcome;
    writeln!(out, "problems {problems}: mates {found} (proved shortest {proved})")?;
    writeln!(out, "nodes {}", grouped(nodes))?;
    let (seconds, speed) = (outcome.time.as_secs_f64(), grouped(outcome.speed()));
    writeln!(out, "time {seconds:.1} s, {speed} nodes a second")?;
    out.flush()?;
    for wrong in &outcome.wrong {
        complain(&format!("matesolve: {wrong}"));
    }
    Ok(if outcome.wrong.is_empty() { Exit::Answered } else { Exit::Failed })
}
