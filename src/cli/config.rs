//! The validated configuration: what the arguments mean together.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::chess::MateLength;
use crate::output::Format;
use crate::solve::{Length, Request, registry};

use super::Failure;
use super::args::{Color, CommonArgs, OutputArgs, SearchArgs, StipulationUse};

/// How much a line of a batch gets if nothing is said.
pub(super) const BATCH_TIME: Duration = Duration::from_secs(10);

/// How results and messages are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub format: Format,
    pub color: anstream::ColorChoice,
    pub quiet: bool,
    pub verbose: bool,
}

impl Output {
    pub(super) fn new(args: &OutputArgs) -> Output {
        Output { format: args.format, color: args.color.into(), quiet: args.quiet, verbose: args.verbose }
    }

    /// Standard output; ANSI styles are removed where they are not wanted.
    pub(super) fn stdout(self) -> anstream::AutoStream<std::io::StdoutLock<'static>> {
        anstream::AutoStream::new(std::io::stdout().lock(), self.color)
    }
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> anstream::ColorChoice {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

/// The request for a single position.
pub(super) fn single(args: &CommonArgs) -> Result<Request, Failure> {
    request(args, threads(&args.search), args.search.time)
}

/// The request for each line of a batch, and how many lines are solved at once.
pub(super) fn batch(args: &CommonArgs, jobs: Option<u16>) -> Result<(Request, usize), Failure> {
    let search = &args.search;
    let jobs = jobs.map(usize::from);
    let threads = match (search.threads, jobs) {
        (Some(threads), Some(jobs)) if jobs > usize::from(threads) => {
            return Err(Failure::Usage(format!(
                "--jobs {jobs} needs at least as many threads, and --threads is {threads}; use --threads {jobs}"
            )));
        }
        (None, Some(jobs)) => jobs.max(threads(search)),
        _ => threads(search),
    };
    let jobs = jobs.unwrap_or(threads);
    // A node limit alone is a limit: then the clock stays out of it, and two runs print the same.
    let time = search.time.or(if search.nodes.is_some() { None } else { Some(BATCH_TIME) });
    Ok((request(args, (threads / jobs).max(1), time)?, jobs))
}

fn request(args: &CommonArgs, threads: usize, time: Option<Duration>) -> Result<Request, Failure> {
    let CommonArgs { question, search, tuning, .. } = args;
    let engine = registry::engine(&search.engine)
        .ok_or_else(|| Failure::Usage(format!("there is no engine {}", search.engine)))?;
    let length = match (question.mate, question.max, question.stipulation) {
        (Some(n), _, _) => Length::Within(MateLength(n)),
        (None, Some(n), _) => Length::AtMost(MateLength(n)),
        (None, None, StipulationUse::Use) => Length::Stipulated,
        (None, None, StipulationUse::Ignore) => Length::Shortest,
    };
    Ok(Request {
        engine,
        options: tuning.options(engine)?,
        length,
        defend: question.defend,
        time,
        nodes: search.nodes,
        hash: search.hash,
        threads,
    })
}

fn threads(search: &SearchArgs) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    search.threads.map_or_else(cores, usize::from)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::cli::args::{Args, Command};
    use clap::Parser as _;

    fn batch_of(line: &str) -> Result<(Request, usize), Failure> {
        let words = ["matesolve", "batch", "-"].into_iter().chain(line.split_whitespace());
        match Args::try_parse_from(words).unwrap().command {
            Some(Command::Batch(args)) => batch(&args.common, args.jobs),
            _ => unreachable!("the command is batch"),
        }
    }

    #[test]
    fn threads_are_shared_among_jobs() {
        let shares = |line| batch_of(line).map(|(request, jobs)| (request.threads, jobs)).unwrap();
        assert_eq!(shares("--threads 4"), (1, 4));
        assert_eq!(shares("--threads 4 --jobs 2"), (2, 2));
        assert_eq!(shares("--threads 5 -j 2"), (2, 2));
        assert_eq!(shares("--threads 1"), (1, 1));
        assert!(batch_of("--threads 2 --jobs 4").is_err_and(|error| error.to_string().contains("use --threads 4")));
    }

    #[test]
    fn a_batch_has_a_time_limit_unless_it_has_another() {
        let time = |line| batch_of(line).unwrap().0.time;
        assert_eq!(time(""), Some(BATCH_TIME));
        assert_eq!(time("--time 3s"), Some(Duration::from_secs(3)));
        assert_eq!(time("--nodes 1M"), None);
    }
}
