//! The composer's report as data: the whole solution of a problem, and whether the problem is sound.
//!
//! ```text
//! Report ── position, stipulation, options: the question
//!        ── verdict: sound, cooked …, cooks, short solutions
//!        ── keys ──┐
//!        ── tries ─┼─> Play (node of the Tree): a position with the defender to move, and its variations
//!        ── set play, post-key play ─┘
//!        ── duals: variations in which the attacker has a choice
//! ```
//!
//! The module `report` of the crate `matesolve` fills a [`Report`] in, and [`crate::output`] turns it into text.
//!
//! | file | idea |
//! |---|---|
//! | `options` | the parts and the size of a report |
//! | `tree` | the arena of plays: threats, variations, continuations, each position once |
//! | `verdict` | soundness and duals, the features of a key, the number of men, promoted men |
//! | `rows` | the play in rows, for all that shows it or looks at it |
//!
//! Lengths are in **moves of the attacker**. The length of a move of the attacker includes that move: a
//! continuation with `mate_in` 1 is checkmate. In a selfmate the defender mates after it.
//!
//! The words are those of direct mates. Where the goal is another ([`crate::chess::Goal`]), "to mate" stands for "to
//! reach the goal".

mod options;
pub mod rows;
mod tree;
mod verdict;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use shakmaty::{Board, Color};

use crate::chess::Goal;
use crate::problem::twins::PhaseName;
use crate::results::SidedStipulation;
use crate::results::help::HelpSolutions;
use crate::results::ply;
use crate::results::solution::Stats;
use crate::results::themes::{PhaseTable, Theme};

pub use options::{Extent, ReportOptions, Tries};
pub use tree::{Continuation, Next, Pass, Play, PlayId, Ply, Tree, Variation};
pub use verdict::{Dual, DualKind, Features, MenCount, PromotedMen, Severity, Size, Soundness, Verdict};

/// The version of the JSON object.
pub(crate) const REPORT_SCHEMA_VERSION: &str = "1";

/// The composer's report on one problem.
///
/// ```
/// use matesolve::results::report::{Next, Pass, ReportOptions};
/// use matesolve::{Problem, Solver};
///
/// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;")?;
/// let report = Solver::new().report(&problem, ReportOptions::default());
///
/// // From the key to the play after it, and to its variations.
/// let key = &report.keys[0];
/// assert_eq!((key.ply.san.as_str(), key.mate_in), ("Rh6", 2));
/// let Next::Play(play) = key.next else { panic!("the key does not mate at once") };
/// let play = report.tree.play(play);
/// assert_eq!(play.pass, Pass::Zugzwang);
/// let text: Vec<String> = play
///     .variations
///     .iter()
///     .map(|variation| format!("1...{} 2.{}", variation.defence.san, variation.continuations[0].ply.san))
///     .collect();
/// assert_eq!(text[0], "1...gxh6 2.g7#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The number of the problem's line in its file, from 1; `None` if it did not come from a file.
    pub line: Option<usize>,
    /// The name of the problem; `None` if the input gives none.
    pub id: Option<String>,
    /// The phase that the report is on; `None` if the problem has only one.
    pub phase: Option<PhaseName>,
    /// The reports on all phases of a problem with twins or of a duplex, in order; else empty. The verdict and the
    /// other fields of the whole report are those of the worst phase, the first of several.
    pub phases: Vec<Report>,
    /// The men of the diagram above the twins; `None` without phases. Of a zero position no phase has them. Not part of
    /// the JSON.
    pub twin_diagram: Option<Board>,
    /// The diagram; `None` if the problem is invalid (then `error` says why).
    pub position: Option<ReportDiagram>,
    /// The question that the report answers; `None` if the problem is invalid.
    pub stipulation: Option<SidedStipulation>,
    /// The options of this report.
    pub options: ReportOptions,
    /// Whether the problem is sound, with its cooks and short solutions.
    pub verdict: Verdict,
    /// All first moves that mate within the stipulated length: the shortest mates first, then in the order of
    /// [`Ply::uci`]. If first moves are not decided, there may be more. Empty if the diagram stands after the key.
    pub keys: Vec<Key>,
    /// First moves that only a few defences refute, in the order of [`Ply::uci`]. `None` if tries were not requested,
    /// or if a limit was reached first.
    pub tries: Option<Vec<Try>>,
    /// The play if the defender were to move in the diagram. `None` if set play was not requested, if the problem has
    /// none, or if a limit was reached first.
    pub set_play: Option<SetPlay>,
    /// The play after the key, if the diagram stands after the key. If `post_key_refutations` is not empty, it is the
    /// play after the other defences.
    pub post_key: Option<PlayId>,
    /// The defences that refute the key, if the diagram stands after the key and there is no mate in time.
    pub post_key_refutations: Vec<Ply>,
    /// The mates that the attacker would have to give at once in the diagram (reflex play). Then the problem has no
    /// solution, and the report holds nothing else. Missing in the JSON if it is empty.
    pub must_mate: Vec<Ply>,
    /// The first move that the report is about, if only one was asked about: the diagram stands after it. Missing in
    /// the JSON if it is `None`.
    pub why: Option<Why>,
    /// The number of refuted first moves, and the first moves that are not decided.
    pub first_moves: FirstMoveCounts,
    /// The variations in which the attacker has a choice, in the order of the solution.
    pub duals: Vec<Dual>,
    /// The plays to which the [`PlayId`]s of this report refer; copies of the report share them.
    pub tree: Arc<Tree>,
    /// The solutions of help play; `None` for other problems. Then there are no keys, tries, plays and duals.
    pub help: Option<HelpSolutions>,
    /// The phases side by side. `None` if they were not requested or there is nothing to compare; then they are missing
    /// in the JSON.
    pub phases_table: Option<PhaseTable>,
    /// The themes, in the order of `docs/themes.md`. `None` if they were not requested; then they are missing in the
    /// JSON.
    pub themes: Option<Vec<Theme>>,
    /// The cost of the report.
    pub stats: Stats,
    /// Sentences about what is unusual in the problem, was ignored, or was assumed.
    pub warnings: Vec<String>,
    /// The reason why there is no report: the problem is invalid, or matesolve failed. `None` if there is a report.
    pub error: Option<String>,
    /// The text of a line that is not a valid problem, at most its first 1000 characters. Missing in the JSON if it is
    /// `None`.
    pub text: Option<String>,
    /// Whether the program failed: a proof did not pass the checker, or a search panicked. Not part of the JSON.
    pub internal_failure: bool,
}

impl Report {
    /// Returns what the attacker strives for.
    pub fn goal(&self) -> Goal {
        self.stipulation.map_or(Goal::MATE, |question| question.stipulation.goal())
    }

    /// Calls `change` with every move of the report.
    pub(crate) fn for_each_ply(&mut self, mut change: impl FnMut(&mut Ply)) {
        let verdict = &mut self.verdict;
        verdict.cooks.iter_mut().chain(&mut verdict.short_solutions).for_each(&mut change);
        self.keys.iter_mut().for_each(|key| change(&mut key.ply));
        for attempt in self.tries.iter_mut().flatten() {
            change(&mut attempt.ply);
            attempt.refutations.iter_mut().for_each(&mut change);
        }
        self.post_key_refutations.iter_mut().chain(&mut self.must_mate).for_each(&mut change);
        if let Some(why) = &mut self.why {
            change(&mut why.first);
            why.lines.iter_mut().flatten().for_each(&mut change);
        }
        self.first_moves.open.iter_mut().for_each(&mut change);
        for dual in &mut self.duals {
            dual.line.iter_mut().chain(&mut dual.moves).for_each(&mut change);
        }
        Arc::make_mut(&mut self.tree).for_each_ply(&mut change);
        self.phases_table.iter_mut().for_each(|table| table.for_each_ply(&mut change));
        self.themes.iter_mut().flatten().for_each(|theme| theme.for_each_ply(&mut change));
        self.help
            .iter_mut()
            .flat_map(HelpSolutions::lines_mut)
            .flat_map(super::help::HelpLine::all_plies)
            .for_each(&mut change);
    }
}

/// The origin of castling rights or of an en passant right in the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The FEN states it.
    Fen,
    /// The convention assumes it: king and rook are on their home squares, so castling is allowed.
    Assumed,
    /// There is no such right: neither the FEN states it nor the position proves it, or an option excludes it.
    None,
    /// The position proves it: the double step is the only possible last move.
    Proved,
}

/// The diagram of a report, after the conventions were applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportDiagram {
    /// The six-field FEN of the position that was solved.
    pub fen: String,
    /// The side to move.
    #[serde(rename = "side_to_move", serialize_with = "ply::color")]
    pub turn: Color,
    /// The origin of the castling rights.
    #[serde(rename = "castling_source")]
    pub castling: Source,
    /// The origin of the en passant right.
    #[serde(rename = "en_passant_source")]
    pub en_passant: Source,
    /// The men of each side.
    pub algebraic: MenList,
    /// The number of men of each side.
    pub men: MenCount,
    /// The men of which some must be promoted, as counting shows it.
    pub promoted: Vec<PromotedMen>,
}

/// The men of a diagram as problemists list them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MenList {
    /// White's men in the notation of problemists, king first, S for the knight: `Kh5`, `Sb3`.
    pub white: Vec<String>,
    /// Black's men in the same notation.
    pub black: Vec<String>,
}

impl fmt::Display for MenList {
    /// Writes the men of both sides: `White Kf8 Rh1; Black Kh8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "White {}; Black {}", self.white.join(" "), self.black.join(" "))
    }
}

/// A first move that mates within the stipulated length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// The first move.
    #[serde(flatten)]
    pub ply: Ply,
    /// The exact length of the mate, in moves, including this move. A key with a shorter length than stipulated is a
    /// short solution.
    pub mate_in: u16,
    /// Whether `mate_in` is known to be exact; `false` if a limit was reached before every shorter mate by this move
    /// was refuted.
    pub exact: bool,
    /// Whether the input names this move as the key (`bm` in EPD); `None` if the input names no key.
    pub intended: Option<bool>,
    /// The properties by which the key is judged.
    pub features: Features,
    /// The play after the key.
    #[serde(skip)]
    pub next: Next,
}

/// A first move that only a few defences refute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Try {
    /// The first move.
    #[serde(flatten)]
    pub ply: Ply,
    /// Whether the try gives check. Such a try is not worth listing.
    pub trivial: bool,
    /// All defences that refute it, at least one.
    pub refutations: Vec<Ply>,
    /// The play after the other defences. The refutations are not among its variations.
    #[serde(skip)]
    pub next: Next,
}

/// A first move that was asked about, and how its refutations work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The first move.
    #[serde(flatten)]
    pub first: Ply,
    /// A line for each refutation, in their order: the refutation, then the attacker's most dangerous moves, each with
    /// a defence. Empty if a limit was reached first.
    pub lines: Vec<Vec<Ply>>,
}

/// The set play: the attacker's replies if the defender were to move in the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetPlay {
    /// Whether every legal move of the defender has a reply, as in a complete block.
    pub complete: bool,
    /// The play. Its variations are the moves of the defender that have a reply.
    pub play: PlayId,
}

/// Counts the first moves. Empty if the diagram stands after the key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FirstMoveCounts {
    /// The number of legal first moves.
    pub total: usize,
    /// The number of first moves that are proved not to mate in time.
    pub refuted: usize,
    /// The first moves that are not decided, in the order of [`Ply::uci`]: a limit was reached first.
    pub open: Vec<Ply>,
}
