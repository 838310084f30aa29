//! The arguments of `matesolve report`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::files::inputs;
use crate::cli::options::args::{Color, GameArgs, LimitArgs};
use crate::cli::options::position;
use crate::cli::options::question::{self, Begins, StipulationArg};
use crate::cli::options::words::words;
use crate::cli::runs::run::RunArgs;
use crate::output::report::{Depth, Letters, ReportFormat, ReportStyle};
use crate::report::Castling;
use crate::results::report::Tries;

#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    /// The position, as for `matesolve solve`; an EPD line may state the length (`dm N`) and the intended key (`bm`).
    /// Or files, as for `matesolve batch`, to report on every problem; - means standard input
    #[arg(value_name = "POSITION|FILE", required = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    /// The stipulation: #3, #-2 for a diagram after the key, s#3, h#2.5 and others (`matesolve help stipulations`); s#
    /// without a number: the shortest; h#2* with its set play [default: the one in the input, or else the length of
    /// the shortest mate]
    #[arg(short, long, value_name = "#N", help_heading = "Question", allow_hyphen_values = true, value_parser = question::parse_starred)]
    pub stipulation: Option<StipulationArg>,
    /// Look for mates of at most N moves (-s '#N' means the same)
    #[arg(long, value_name = "N", help_heading = "Question", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub mate: Option<u16>,
    /// A twin, in any spelling of collections: 'b) Ka1-b1', 'Remove g7', 'c) +bPa5 #3'; may be given several times
    #[arg(long, value_name = "TWIN", help_heading = "Question", allow_hyphen_values = true)]
    pub twin: Vec<String>,
    /// Say why this first move is no key, or that it is one: the defences that refute it, each with a line. In SAN or
    /// UCI notation; needs a stipulation
    #[arg(long, value_name = "MOVE", help_heading = "Question", conflicts_with_all = ["soundness", "post_key", "full", "tries", "set_play", "phases", "themes", "twin"])]
    pub why: Option<String>,
    #[command(flatten)]
    pub content: ContentArgs,
    #[command(flatten)]
    pub rights: RightsArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Folders with Syzygy files, divided as in PATH; may be given several times. Positions that they do not show as
    /// won are refuted, and a verdict that may rest on this says "with tables"
    #[arg(long, value_name = "PATH", help_heading = "Limits")]
    pub syzygy: Vec<OsString>,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_parser = words::<ReportFormat>(), default_value = "text", help_heading = "Output")]
    pub format: ReportFormat,
    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write a certificate of the verdict to a file that `matesolve verify`, or any other program, can check: the proof
    /// of every key, and the refutation of every other first move. Of a problem with twins, one for each phase, with a
    /// number in the name
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "why")]
    pub certificate: Option<PathBuf>,
    /// The title above the diagram, or of a page or document of several, with --format html or latex [default: the name
    /// of the problem, or of the files]
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub title: Option<String>,
    /// Show the play to the attacker's move N, the key being move 1, or all of it [default: all; in text, mates
    /// longer than 4 moves as deep as 500 lines allow]
    #[arg(long, value_name = "N|all", help_heading = "Output")]
    pub depth: Option<Depth>,
    /// The letters of the men [default: en; en-s in Popeye's layout]
    #[arg(long, value_name = "LANGUAGE", help_heading = "Output", value_parser = words::<Letters>())]
    pub letters: Option<Letters>,
    /// When to colour text output
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Color,
    /// Print no progress, no warnings and no totals on standard error
    #[arg(short, long, help_heading = "Output", conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print each key and try to standard error as it is found
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
}

impl ReportArgs {
    /// Returns the input files if every word of the position argument is an existing file, names a collection, or is
    /// `-` (standard input). A single `.pgn` file is one position.
    pub(crate) fn files(&self) -> Option<Vec<PathBuf>> {
        let files: Vec<PathBuf> = self.position.iter().map(PathBuf::from).collect();
        let is_input = |path: &PathBuf| inputs::is_stdin(path) || inputs::is_collection(path) || path.is_file();
        let is_game = matches!(&self.position[..], [word] if position::is_game_file(word));
        (!files.is_empty() && !is_game && files.iter().all(is_input)).then_some(files)
    }

    /// Returns the letters and the depth in which reports are written.
    pub(crate) fn style(&self) -> ReportStyle {
        ReportStyle { letters: self.letters, depth: self.depth }
    }
}

// Each flag of the command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Content")]
pub(crate) struct ContentArgs {
    /// Show all that a composer looks for: set play, tries, phases side by side and themes
    #[arg(long)]
    pub full: bool,
    /// Show the set play: the attacker's replies if the defender were to move in the diagram
    #[arg(long)]
    pub set_play: bool,
    /// Show tries with one refutation; =2: with at most two; =play: only those on which some defence loses; =2,play
    #[arg(long, value_name = "R|play", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub tries: Option<Tries>,
    /// Set the phases that are shown side by side: set play, tries and solution, with the answers to each defence
    #[arg(long)]
    pub phases: bool,
    /// Name the themes of the phases that are shown, each with its moves: changed mates, flights, interferences and
    /// others (`matesolve help themes`)
    #[arg(long)]
    pub themes: bool,
    /// Print the verdict and the keys only, without the solution tree
    #[arg(long, conflicts_with_all = ["full", "tries", "set_play", "short_variations", "phases", "themes"])]
    pub soundness: bool,
    /// The diagram shows the position after the key; the key counts as the first move
    #[arg(long)]
    pub post_key: bool,
    /// Also show variations in which the mate comes sooner than by the threat
    #[arg(long)]
    pub short_variations: bool,
    /// The number of solutions that the composer intends [default: that of the input, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub intended: Option<u16>,
    /// Help play: the side that makes the first half-move [default: as the stipulation says when White mates]
    #[arg(long, value_name = "SIDE")]
    pub begins: Option<Begins>,
    /// The side that mates in the end, or reaches another goal [default: as the stipulation says; in help play, white]
    #[arg(long, value_name = "SIDE", conflicts_with = "begins")]
    pub attacker: Option<Begins>,
    /// Help play: stop after N solutions [default: as many as half of --hash holds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_solutions: Option<u32>,
    /// The largest number of positions in the solution tree; omitted parts are marked
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tree_nodes: u32,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Conventions")]
pub(crate) struct RightsArgs {
    /// Where castling rights come from [default: fen; assume if the FEN has no castling field]
    #[arg(long, value_name = "WHAT", value_parser = words::<Castling>())]
    pub castling: Option<Castling>,
    /// Two rooks whose castling rights exclude each other, such as a1h8: once one has castled, the other may not. May
    /// be repeated
    #[arg(long, value_name = "SQUARES")]
    pub castling_exclusive: Vec<String>,
}
