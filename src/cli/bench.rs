//! `matesolve bench`: prints the node count of fixed problems, which identifies the search, and its speed.

use std::io::Write as _;

use crate::bench;
use crate::output::text::grouped;
use crate::solve::{Request, registry};

use super::args::BenchArgs;
use super::config;
use super::exit::Exit;
use super::interrupt::Interrupt;
use super::messages::{CliError, print_message};

pub(super) fn run(args: &BenchArgs) -> Result<Exit, CliError> {
    let engine =
        registry::engine(&args.engine).ok_or_else(|| CliError::Usage(format!("there is no engine {}", args.engine)))?;
    let request = Request {
        engine,
        nodes: Some(args.nodes),
        hash: config::share_of_memory(args.hash, 1, false),
        ..Request::default()
    };
    let interrupt = Interrupt::install();
    let result = bench::run(&request, interrupt.stop_flag());
    if interrupt.is_requested() {
        print_message("matesolve: interrupted; the counts of an unfinished benchmark mean nothing");
        return Ok(Exit::Interrupted);
    }
    let mut out = std::io::stdout().lock();
    let bench::BenchResult { problems, found, proved, nodes, .. } = result;
    writeln!(out, "problems {problems}: mates {found} (proved shortest {proved})")?;
    writeln!(out, "nodes {}", grouped(nodes))?;
    let (seconds, speed) = (result.time.as_secs_f64(), grouped(result.speed()));
    writeln!(out, "time {seconds:.1} s, {speed} nodes a second")?;
    out.flush()?;
    for contradiction in &result.contradictions {
        print_message(&format!("matesolve: {contradiction}"));
    }
    Ok(if result.contradictions.is_empty() { Exit::Answered } else { Exit::Failed })
}
