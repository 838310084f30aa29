//! Checks the arguments about engine, limits and output, and builds the requests that the library understands.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::base::memory;
use crate::search::syzygy::SyzygyFiles;
use crate::solve::{Limits, Request, engine_options};

use crate::cli::options::args::{Color, CommonArgs, LimitArgs, SearchArgs};
use crate::cli::terminal::{CliError, print_message};

/// The time limit for each problem of a batch or collection if no limit is given.
const BATCH_TIME: Duration = Duration::from_secs(10);

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> anstream::ColorChoice {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

/// Returns the limits for one problem, which gets all threads.
pub(crate) fn of_one(args: &LimitArgs, quiet: bool) -> Limits {
    let LimitArgs { time, nodes, hash, threads } = *args;
    Limits { time, nodes, hash: share_of_memory(hash, 1, quiet), threads: total_threads(threads), syzygy: None }
}

/// Returns the limits for each problem of files, and the number of problems to work on at the same time, which share
/// the threads.
pub(crate) fn of_each(args: &LimitArgs, jobs: Option<u16>, quiet: bool) -> Result<(Limits, usize), CliError> {
    let LimitArgs { time, nodes, hash, threads } = *args;
    let jobs = jobs.map(usize::from);
    let threads = match (threads, jobs) {
        (Some(threads), Some(jobs)) if jobs > usize::from(threads) => {
            return Err(CliError::Usage(format!(
                "--jobs {jobs} needs at least as many threads, and --threads is {threads}; use --threads {jobs}"
            )));
        }
        (None, Some(jobs)) => jobs.max(total_threads(threads)),
        _ => total_threads(threads),
    };
    let jobs = jobs.unwrap_or(threads);
    let hash = share_of_memory(hash.saturating_mul(jobs), jobs, quiet);
    let threads = (threads / jobs).max(1);
    Ok((Limits { time: batch_time(time, nodes), nodes, hash, threads, syzygy: None }, jobs))
}

/// Returns the memory for each of `jobs` problems that are solved at the same time and ask for `asked` bytes together.
/// That is never more than the machine has; a warning says so unless `quiet`.
pub(crate) fn share_of_memory(asked: usize, jobs: usize, quiet: bool) -> usize {
    let used = asked.min(memory::most());
    if let (true, Some(warning)) = (!quiet, memory::warning(asked)) {
        print_message(&format!("matesolve: warning: {warning}"));
    }
    used / jobs.max(1)
}

/// Returns the time limit for each problem of a batch or collection, given `--time` and `--nodes`.
///
/// With a node limit there is no default time limit, so that two runs print the same.
pub(crate) fn batch_time(time: Option<Duration>, nodes: Option<u64>) -> Option<Duration> {
    time.or(if nodes.is_some() { None } else { Some(BATCH_TIME) })
}

/// Returns the request of these arguments, with limits that come from them.
pub(crate) fn request(args: &CommonArgs, limits: Limits) -> Result<Request, CliError> {
    let CommonArgs { search, engine_options, .. } = args;
    let options = engine_options::read(search.engine, engine_options).map_err(CliError::Usage)?;
    let limits = Limits { syzygy: syzygy(search)?, ..limits };
    Ok(Request { engine: search.engine, options, limits, ..Request::default() })
}

/// Finds the Syzygy files of the search arguments; `None` if none are given.
fn syzygy(search: &SearchArgs) -> Result<Option<&'static SyzygyFiles>, CliError> {
    if !search.syzygy.is_empty() && !search.engine.is_default() {
        let name = search.engine.name;
        return Err(CliError::Usage(format!(
            "the engine {name} does not read Syzygy files; leave --syzygy out, or use --engine race"
        )));
    }
    syzygy_files(&search.syzygy)
}

/// Finds the Syzygy files in lists of folders; `None` if there is no list.
pub(crate) fn syzygy_files(lists: &[OsString]) -> Result<Option<&'static SyzygyFiles>, CliError> {
    if lists.is_empty() {
        return Ok(None);
    }
    let folders: Vec<PathBuf> = lists.iter().flat_map(std::env::split_paths).collect();
    SyzygyFiles::open(&folders).map(Some).map_err(|error| CliError::Usage(error.to_string()))
}

/// Returns the number of threads for a value of `--threads`: without one, the number of cores.
pub fn total_threads(threads: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    threads.map_or_else(cores, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command::{Args, Command};
    use clap::Parser as _;

    fn batch_of(line: &str) -> Result<(Request, usize), CliError> {
        let words = ["matesolve", "batch", "-"].into_iter().chain(line.split_whitespace());
        match Args::try_parse_from(words).unwrap().command {
            Some(Command::Batch(args)) => {
                let (limits, jobs) = of_each(&args.common.search.limits, args.run.jobs, args.common.output.quiet)?;
                Ok((request(&args.common, limits)?, jobs))
            }
            _ => unreachable!("the command is batch"),
        }
    }

    #[test]
    fn threads_are_shared_among_jobs() {
        let shares = |line| batch_of(line).map(|(request, jobs)| (request.limits.threads, jobs)).unwrap();
        assert_eq!(shares("--threads 4"), (1, 4));
        assert_eq!(shares("--threads 4 --jobs 2"), (2, 2));
        assert_eq!(shares("--threads 5 -j 2"), (2, 2));
        assert_eq!(shares("--threads 1"), (1, 1));
        assert!(batch_of("--threads 2 --jobs 4").is_err_and(|error| error.to_string().contains("use --threads 4")));
    }

    #[test]
    fn every_job_has_the_memory_of_a_position() {
        let hash = |line| batch_of(line).map(|(request, _)| request.limits.hash).unwrap();
        assert_eq!(hash("--jobs 2 --hash 4M"), 4 << 20);
        assert!(hash("--jobs 4 --hash 1T -q") <= memory::most() / 4);
    }

    #[test]
    fn syzygy_files_must_exist_and_have_a_reader() {
        let error = |line| batch_of(line).unwrap_err().to_string();
        assert!(error("--syzygy /no/such/folder").contains("cannot read the Syzygy files in /no/such/folder"));
        assert!(error("--syzygy . --engine pn").contains("the engine pn does not read Syzygy files"));
    }

    #[test]
    fn a_batch_has_a_time_limit_unless_it_has_another() {
        let time = |line| batch_of(line).unwrap().0.limits.time;
        assert_eq!(time(""), Some(BATCH_TIME));
        assert_eq!(time("--time 3s"), Some(Duration::from_secs(3)));
        assert_eq!(time("--nodes 1M"), None);
    }
}
