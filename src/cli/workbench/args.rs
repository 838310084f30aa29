//! The arguments of the workbench: `economy`, `mend`, `twins` and `retract`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::options::args::{Color, LimitArgs};
use crate::cli::options::position::DiagramArgs;
use crate::cli::options::words::words;
use crate::output::workbench::WorkbenchFormat;
use crate::workbench::{Keep, WorkbenchRequest};

/// The arguments of a command: those of all of them, and its own.
#[derive(Debug, ClapArgs)]
pub(crate) struct WorkbenchArgs<Own: ClapArgs> {
    #[command(flatten)]
    pub common: BenchArgs,
    #[command(flatten)]
    pub own: Own,
}

/// The arguments that belong to some of the commands, and what they ask for.
pub(crate) trait Asks: ClapArgs {
    /// Adds what they ask for to a request.
    fn of(&self, request: WorkbenchRequest) -> WorkbenchRequest;
}

/// The arguments of `mend`.
#[derive(Debug, ClapArgs)]
pub(crate) struct MendArgs {
    #[command(flatten)]
    pub keep: KeepArgs,
    #[command(flatten)]
    pub list: ListArgs,
    /// The intended key, in SAN or UCI notation [default: that of an EPD line (`bm`), or else every first move that
    /// solves the diagram]
    #[arg(long, value_name = "MOVE")]
    pub key: Option<String>,
    /// The largest number of changes: 1 or 2. Two are tried if one has not filled the list
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub changes: u8,
}

impl Asks for MendArgs {
    fn of(&self, request: WorkbenchRequest) -> WorkbenchRequest {
        let request = self.keep.of(self.list.of(request));
        WorkbenchRequest { key: self.key.clone(), changes: self.changes, ..request }
    }
}

/// The parts of the solution that must stay.
#[derive(Debug, ClapArgs)]
pub(crate) struct KeepArgs {
    /// What a proposal must keep of the solution; may be given several times
    #[arg(long, value_name = "WHAT", value_parser = words::<Keep>())]
    pub keep: Vec<Keep>,
    /// A try that must stay, in SAN or UCI notation; may be given several times [default: none, and with --keep try
    /// all]
    #[arg(long = "try", value_name = "MOVE")]
    pub tries: Vec<String>,
}

impl Asks for KeepArgs {
    fn of(&self, request: WorkbenchRequest) -> WorkbenchRequest {
        WorkbenchRequest { keep: self.keep.clone(), tries: self.tries.clone(), ..request }
    }
}

/// The size of the list, and which diagrams may be in it.
#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    /// Also propose diagrams with more promoted men than the given one
    #[arg(long)]
    pub promoted: bool,
    /// The largest number of proposals
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub proposals: usize,
}

impl Asks for ListArgs {
    fn of(&self, request: WorkbenchRequest) -> WorkbenchRequest {
        WorkbenchRequest { promoted: self.promoted, proposals: self.proposals, ..request }
    }
}

/// The options of all of them.
#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub given: DiagramArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", value_parser = words::<WorkbenchFormat>(), default_value = "text")]
    pub format: WorkbenchFormat,
    /// Write the answer to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print no progress, no warnings and no totals on standard error
    #[arg(short, long)]
    pub quiet: bool,
}
