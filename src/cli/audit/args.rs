//! The arguments of `matesolve audit`.

use clap::{Args as ClapArgs, ValueEnum};

use crate::cli::options::words::words;
use crate::output::audit::{AuditFormat, text};
use crate::results::audit::Audit;

use crate::cli::files::inputs;
use crate::cli::options::args::{Color, LimitArgs};
use crate::cli::options::units;
use crate::cli::runs::run::RunArgs;
use crate::cli::terminal::CliError;

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
    /// of Scacchi Painter, EPD lines with `bm` and `dm`, tables, games, or lists of positions with their moves, also
    /// compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::path::PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Search each differing key again with another engine, exhaustive, for at most N nodes [default of N: 300M]
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
    #[arg(long, value_name = "FORMAT", value_parser = words::<AuditFormat>(), default_value = "text", help_heading = "Output")]
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

impl AuditArgs {
    /// Refuses options that do not fit together.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        let is_olv = self.format == AuditFormat::Olv;
        let other = self.files.iter().find(|path| !inputs::is_collection(path) && !inputs::is_stdin(path));
        let why = if self.list != Listed::All && (self.run.resume || is_olv) {
            "--list cannot leave out entries with --resume or --format olv, which need all of them; leave it out"
                .to_owned()
        } else if self.mark && !is_olv {
            "--mark changes the keywords of a collection that is written anew; add --format olv".to_owned()
        } else if let (true, Some(path)) = (is_olv, other) {
            format!("--format olv writes a collection again, and {} is none; give .olv files", inputs::name(path))
        } else {
            return Ok(());
        };
        Err(CliError::Usage(why))
    }

    /// Returns whether an entry is listed as it comes. A text has the list of unsound problems at its end.
    pub(crate) fn lists(&self, audit: &Audit) -> bool {
        match self.list {
            Listed::All => true,
            Listed::Differing => text::is_notable(audit),
            Listed::Unsound => self.format != AuditFormat::Text && audit.unsound_unmarked,
        }
    }
}
