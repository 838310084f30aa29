//! `matesolve bench`: solves fixed problems, and prints their number of nodes and the speed.

use std::io::Write as _;

use clap::Args as ClapArgs;

use crate::bench;
use crate::cli::options::args::engines;
use crate::cli::options::units;
use crate::output::text::grouped;
use crate::solve::registry::{ENGINES, EngineEntry};
use crate::solve::{Limits, Request};

use crate::cli::options::config;
use crate::cli::terminal::{CliError, Exit, Interrupt, print_message};

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// The search engine to use; `matesolve help engines` lists them
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name, value_parser = engines(), hide_possible_values = true)]
    pub engine: &'static EngineEntry,
    /// Node limit for each problem, such as 500k or 1M
    #[arg(long, value_name = "N", default_value = "200k", value_parser = units::count)]
    pub nodes: u64,
    /// Memory limit for each problem, such as 64M or 2G; a number without unit is in MiB
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = units::bytes)]
    pub hash: usize,
}

pub(crate) fn run(args: &BenchArgs) -> Result<Exit, CliError> {
    let hash = config::share_of_memory(args.hash, 1, false);
    let limits = Limits { nodes: Some(args.nodes), hash, ..Limits::default() };
    let request = Request { engine: args.engine, limits, ..Request::default() };
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
