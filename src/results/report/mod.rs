//! The composer's report as data: the whole solution of a problem, and whether the problem is sound.
//!
//! ```text
//! Report ── position, stipulation, options: what was asked, as understood
//!        ── verdict: sound, cooked …, cooks, short solutions
//!        ── keys ──┐
//!        ── tries ─┼─> Play (node of the Tree): what the defender faces after a move of the attacker
//!        ── set play, post-key play
//!        ── duals: the choices the attacker should not have
//! ```
//!
//! Nothing here searches, prints or decides: `crate::report` fills a [`Report`] in, `crate::output` writes it. Whoever
//! writes it needs no chess either: every [`Ply`] carries its notation.
//!
//! | file | idea |
//! |---|---|
//! | `tree` | the arena of plays: threats, variations, continuations, each position once |
//! | `verdict` | soundness and duals |
//! | `features` | what judges look at: the key's features, the count of men |
//!
//! Lengths are in **moves of the attacker** throughout, and a length at a move counts that move: a continuation with
//! `mate_in` 1 is checkmate.

mod features;
mod tree;
mod verdict;

use shakmaty::Color;

use crate::results::solution::{Goal, Stats};

pub use features::{Features, MenCount, Size};
pub use tree::{Continuation, Next, Pass, Play, PlayId, Ply, Tree, Variation};
pub use verdict::{Dual, DualKind, Severity, Soundness, Verdict};

/// The version of the report object.
pub const REPORT_SCHEMA_VERSION: &str = "1";

/// The composer's report on one problem.
#[derive(Debug, Clone)]
pub struct Report {
    /// The problem's name.
    pub id: Option<String>,
    /// The diagram; `None` if the problem is invalid (then `error` says why).
    pub position: Option<Diagrammed>,
    /// The question, as asked; `None` if the problem is invalid.
    pub stipulation: Option<Goal>,
    /// What was to be reported.
    pub options: ReportOptions,
    /// The judgement.
    pub verdict: Verdict,
    /// Every first move that mates in time, the shortest mates first, then in the order of [`Ply::uci`]; empty if the
    /// diagram stands after the key.
    pub keys: Vec<Key>,
    /// First moves that fail to few defences, in the order of [`Ply::uci`]; `None`: not asked for, or not reached.
    pub tries: Option<Vec<Try>>,
    /// What would happen if the defender were to move in the diagram; `None`: not asked for, impossible (a warning
    /// says why), or not reached.
    pub set_play: Option<SetPlay>,
    /// The play after the key if the diagram stands after it; `None` otherwise, and if there is no mate.
    pub post_key: Option<PlayId>,
    /// Choices of the attacker where there should be none, in the order they are met in the solution.
    pub duals: Vec<Dual>,
    /// The plays all the above refer to.
    pub tree: Tree,
    /// What it cost.
    pub stats: Stats,
    /// Sentences about what is odd in the problem or was assumed of it.
    pub warnings: Vec<String>,
    /// Why there is no report: the problem is invalid, or matesolve failed.
    pub error: Option<String>,
    /// The program failed: a proof did not pass the checker, or a search broke down. Not part of the JSON.
    pub internal_failure: bool,
}

/// Where a right in the diagram comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The FEN states it.
    Fen,
    /// Assumed by the convention: castling with king and rook on their squares.
    Assumed,
    /// Ruled out by an option.
    None,
    /// Proved by the position: only one last move is possible.
    Proved,
}

/// The diagram, as understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagrammed {
    /// Six-field FEN of what was solved.
    pub fen: String,
    /// The side to move.
    pub turn: Color,
    /// Where the castling rights come from.
    pub castling: Source,
    /// Where the en passant right comes from.
    pub en_passant: Source,
    /// How many men, and what that makes of the problem.
    pub men: MenCount,
    /// The composer's list of White's men, king first, S for the knight: `Kh5`, `Sb3`.
    pub white: Vec<String>,
    /// The same for Black.
    pub black: Vec<String>,
}

/// What was to be reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOptions {
    /// Report first moves that at most so many defences refute.
    pub tries: Option<u16>,
    /// Report the set play.
    pub set_play: bool,
    /// The diagram stands after the key: the defender is to move, and the key counts as played.
    pub post_key: bool,
    /// Also show variations that end before the threat would, or before the stipulated move.
    pub short_variations: bool,
    /// How many plays the tree may have.
    pub max_tree_nodes: usize,
    /// How many solutions the composer intends.
    pub intended_solutions: u16,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions {
            tries: None,
            set_play: false,
            post_key: false,
            short_variations: false,
            max_tree_nodes: 20_000,
            intended_solutions: 1,
        }
    }
}

/// A first move that mates in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The move.
    pub ply: Ply,
    /// It mates in exactly so many moves, itself counted; fewer than stipulated makes it a short solution.
    pub mate_in: u16,
    /// Whether the input names it as the key (`bm` in EPD); `None`: the input names none.
    pub intended: Option<bool>,
    /// What judges look at.
    pub features: Features,
    /// What follows.
    pub next: Next,
}

/// A first move that fails, but to few defences only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    /// The move.
    pub ply: Ply,
    /// All defences that refute it, at least one.
    pub refutations: Vec<Ply>,
    /// It gives check: such tries deceive nobody.
    pub trivial: bool,
    /// What follows against the other defences. The refutations are not among its variations.
    pub next: Next,
}

/// The set play: replies that are ready in the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetPlay {
    /// Every legal move of the defender has its reply, as in a complete block.
    pub complete: bool,
    /// The play; its variations are the defender's moves that have a reply.
    pub play: PlayId,
}
