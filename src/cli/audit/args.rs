//! The arguments of `matesolve audit`.

use clap::{Args as ClapArgs, ValueEnum};

use crate::output::audit::AuditFormat;

use crate::cli::options::args::{Color, LimitArgs};
use crate::cli::options::units;
use crate::cli::runs::run::RunArgs;

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
// Each option that is a word alone is a bool.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct AuditArgs {
    /// Collections with solutions: .olv files, JSON lines or arrays, the JSON of the YACPDB's query gateway, databases
    /// of Scacchi Painter, or EPD lines with `bm` and `dm`, also compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::path::PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
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
    /// The format of the audit
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: AuditFormat,
    /// The entries to list
    #[arg(long, value_name = "WHICH", default_value = "all", help_heading = "Output")]
    pub list: Listed,
    /// Compare the keywords that name themes with the themes that the play shows, by the definitions in docs/themes.md
    #[arg(long, help_heading = "Output")]
    pub themes: bool,
    /// With --format olv, put the keywords about soundness right, too
    #[arg(long, help_heading = "Output")]
    pub mark: bool,
    /// With --mark, change nothing but keywords, and leave the solutions as they are
    #[arg(long, requires = "mark", help_heading = "Output")]
    pub keywords_only: bool,
    /// Write the audit to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<std::path::PathBuf>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output", hide = true)]
    pub color: Color,
    /// Print no progress, no warnings and no totals on standard error
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}
