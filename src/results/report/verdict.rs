//! The verdict of a report: whether the problem is sound, and its duals.

use serde::Serialize;

use crate::proof::VerifiedFlag;
use crate::results::solution::Status;

use super::Ply;

pub use crate::chess::Soundness;

/// The summary of a report. Statements about *all* keys or about *no* mate come from full-width searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The kind of the answer: `Mate`, `NoMate`, `Undecided`, `Invalid`, `Stalemate`; `Mated` if the diagram
    /// stands after the key; of help play and of other goals than a direct mate `Solved` or `NoSolution`.
    pub status: Status,
    /// Whether the problem is sound.
    pub soundness: Soundness,
    /// The length of the shortest mate from the diagram, in moves; `None` if no mate is proved. Of another goal, the
    /// length of the shortest solution, which the JSON has in `solved_in`.
    pub mate_in: Option<u16>,
    /// The longest refuted length, in moves: there is no mate within it. `None` if nothing was searched.
    pub refuted_through: Option<u16>,
    /// Whether a mate is reported and the checker has replayed a proof of every reported key.
    pub verified: VerifiedFlag,
    /// Keys of the stipulated length that were not intended. If the input names keys, these are the other keys. If it
    /// names none and there are more keys than intended, all keys are listed, because it is not known *which* are the
    /// cooks. If first moves are not decided, there may be more.
    pub cooks: Vec<Ply>,
    /// Keys that mate in fewer moves than stipulated.
    pub short_solutions: Vec<Ply>,
    /// Whether the report is finished: no limit was reached. Of help play: whether all solutions are there.
    pub complete: bool,
    /// Whether plays are left out because the tree was full.
    pub truncated: bool,
    /// Whether what is refuted may rest on Syzygy files, which nobody replays. Missing in the JSON if it is false.
    pub with_tables: bool,
}

impl Verdict {
    /// Makes a verdict that has a status and nothing else.
    pub(crate) fn bare(status: Status) -> Verdict {
        Verdict {
            status,
            soundness: Soundness::Undecided,
            mate_in: None,
            refuted_through: None,
            verified: VerifiedFlag::NO,
            cooks: Vec::new(),
            short_solutions: Vec::new(),
            complete: false,
            truncated: false,
            with_tables: false,
        }
    }
}

/// The kind of moves between which the attacker can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DualKind {
    /// Several moves that do not mate at once.
    Continuation,
    /// Several moves that give checkmate.
    MatingMove,
    /// Moves that differ only in the promotion.
    Promotion,
}

/// The severity of a dual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Severity {
    /// The choice is on the attacker's second move and not after a threat.
    Major,
    /// The choice is later, after a threat, between threats only, or in the promotion only.
    Minor,
}

/// A dual: several continuations after one defence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dual {
    /// The moves from the key to the defence. Where the line goes through a threat, the defender's pass is left out, so
    /// two moves of the attacker follow each other.
    pub line: Vec<Ply>,
    /// The number of the attacker's move at which he has the choice; the key is 1.
    pub at_move: u16,
    /// The moves between which the attacker can choose, at least two.
    pub moves: Vec<Ply>,
    /// The kind of the choice.
    pub kind: DualKind,
    /// The severity of the dual.
    pub severity: Severity,
    /// Whether the line goes through a threat, that is, a pass of the defender.
    pub in_threat: bool,
}
