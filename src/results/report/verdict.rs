//! The judgement: is the problem sound, and where does the attacker have a choice he should not have?

use serde::Serialize;

use crate::proof::VerifiedFlag;
use crate::results::solution::Status;

use super::Ply;

/// Whether a problem is sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// As many keys as intended, each of the stipulated length.
    Sound,
    /// More keys than intended.
    Cooked,
    /// A mate in fewer moves than stipulated exists (there may be cooks as well).
    ShortSolution,
    /// No mate within the stipulation, or fewer keys than intended.
    NoSolution,
    /// A limit was reached before this was settled.
    Undecided,
}

/// What was found out, in short. "Every" and "none" come from full-width proofs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Which kind of answer there is: `Mate`, `NoMate`, `Undecided`, `Invalid`, `Stalemate`; `Mated` if the diagram
    /// stands after the key.
    pub status: Status,
    /// Whether the problem is sound.
    pub soundness: Soundness,
    /// The shortest mate, in moves from the side to move.
    pub mate_in: Option<u16>,
    /// No mate within so many moves is proved.
    pub refuted_through: Option<u16>,
    /// The checker has replayed a proof of every key reported.
    pub verified: VerifiedFlag,
    /// Keys that were not intended: those the input does not name, or all but as many as intended if it names none
    /// (then it is not known *which* are the cooks, and all keys of the full length are listed). Short solutions are
    /// not repeated here.
    pub cooks: Vec<Ply>,
    /// Keys that mate in fewer moves than stipulated.
    pub short_solutions: Vec<Ply>,
    /// Everything that was asked for has been examined; `false` if a limit was reached.
    pub complete: bool,
    /// Something was left out of the tree because it was full.
    pub truncated: bool,
}

impl Verdict {
    /// A verdict with nothing but its status.
    pub fn bare(status: Status) -> Verdict {
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
        }
    }
}

/// What the attacker can choose between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DualKind {
    /// Several ways to go on.
    Continuation,
    /// Several mating moves.
    MatingMove,
    /// The moves differ in the promotion only.
    Promotion,
}

/// How much a dual weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// On the attacker's second move, in a real variation.
    Major,
    /// Later, after a threat only, or in the promotion only.
    Minor,
}

/// Several continuations after one defence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dual {
    /// The moves from the key through the defence. Where a threat is played out, the defender's pass is left out, so
    /// that two moves of the attacker follow each other.
    pub line: Vec<Ply>,
    /// The attacker's move number, the key being 1.
    pub at_move: u16,
    /// The moves between which he can choose, at least two.
    pub moves: Vec<Ply>,
    /// What kind of choice it is.
    pub kind: DualKind,
    /// How much it weighs.
    pub severity: Severity,
    /// The line goes through a threat: the defender has made a move that does not count.
    pub in_threat: bool,
}
