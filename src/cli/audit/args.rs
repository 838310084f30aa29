//! The arguments of `matesolve audit`.

use clap::{Args as ClapArgs, ValueEnum};

use crate::output::audit::AuditFormat;

use crate::cli::options::args::{Color, LimitArgs};
use crate::cli::options::units;
use crate::cli::runs::shard::Shard;

const AUDIT_EXIT_CODES: &str = "\
Exit codes:
    0  every published solution agrees
    2  wrong usage, or a file that cannot be read or written
    3  an entry cannot be read, or an input without entries
    4  undecided: a limit was reached first on at least one entry
    5  no solution is proved wrong, but an entry is unreadable or has a wrong move, an unmarked dual or an unsolved twin
    6  a published solution or a keyword is proved wrong
   70  internal failure: a result did not pass its check
  130  interrupted";

/// The entries that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listed {
    /// Every entry
    All,
    /// Entries with a finding
    Differing,
    /// Problems that were published as sound and are proved not to be, by year and author
    Unsound,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = AUDIT_EXIT_CODES)]
pub(crate) struct AuditArgs {
    /// Collections with solutions: .olv files, JSON lines or arrays, the JSON of the YACPDB's query gateway, or EPD
    /// lines with `bm` and `dm`, also compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::path::PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Search each differing key again with the engine exhaustive, which shares no code with the audit's search, for at
    /// most N nodes [default of N: 300M]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Limits",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "300M",
        value_parser = units::count
    )]
    pub confirm: Option<u64>,
    /// Audit the K-th of N shares of the input: every N-th entry, beginning with the K-th. `matesolve merge` puts audits
    /// in JSON lines together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Continue the run that was writing to the output file, or begin it. Needs -o and --format jsonl
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// The format of the audit
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: AuditFormat,
    /// The entries to list
    #[arg(long, value_name = "WHICH", default_value = "all", help_heading = "Output")]
    pub list: Listed,
    /// With --format olv, put the keywords about soundness right, too
    #[arg(long, help_heading = "Output")]
    pub mark: bool,
    /// Write the audit to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<std::path::PathBuf>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output", hide = true)]
    pub color: Color,
    /// Print no progress and no totals on standard error
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}
