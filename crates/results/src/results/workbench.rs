//! The answers of the composer's workbench: proposals, and what each man of a problem is for.

use serde::Serialize;
use shakmaty::{Piece, Square};

use super::ply::Ply;
use crate::chess::End;

/// A diagram that the workbench proposes. Its verdict comes from a whole report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proposal {
    /// The diagram, as FEN.
    pub fen: String,
    /// The changes that lead to it, one after the other, as Popeye's twin commands: `Move a1 b2`, `Add black Pa3`.
    /// A castling right is written `Castling h1` or `No castling h1`, with the square of the rook.
    pub changes: Vec<String>,
    /// The same changes as the heading of a twin: `wRe2-->e3  +bPa3`.
    #[serde(skip)]
    pub heading: String,
    /// The keys; one, but before a key perhaps several.
    pub keys: Vec<Ply>,
    /// The part of the given solution that is kept.
    pub kept: Kept,
    /// The number of men in the diagram.
    pub men: usize,
    /// Of a diagram before a key, the first moves that one defence refutes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<Ply>,
}

/// The part of the solution of the given diagram that a proposal keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Kept {
    /// Whether the key is the same.
    pub key: bool,
    /// The variations, by the first defence, whose continuations are still the same, or some of them.
    pub variations: usize,
    /// The variations of the given diagram.
    pub of: usize,
    /// The variations whose defence is answered by other moves than in the given diagram.
    pub changed: usize,
}

/// The answer of a search for proposals.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Proposals {
    /// The proposals, the best first.
    pub proposals: Vec<Proposal>,
    /// The number of diagrams that were judged.
    pub tried: u64,
    /// The number of sound diagrams that were found. Not all of them may be in the list.
    pub sound: u64,
    /// The number of diagrams that were given up because they need too many nodes.
    pub undecided: u64,
    /// The diagrams that were left out, by the reason.
    pub left_out: LeftOut,
    /// Whether every change that could enter the list was tried.
    pub complete: bool,
}

/// The number of diagrams that a search for proposals has left out, by the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LeftOut {
    /// Those that were not judged, because they have more promoted men than the given diagram.
    pub promoted: u64,
    /// Sound ones to which no game leads.
    pub impossible: u64,
    /// Sound ones without what must stay, or with what must change.
    pub unlike: u64,
}

/// The use of a man of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManUse {
    /// The man.
    pub man: Piece,
    /// The square where it stands.
    pub square: Square,
    /// The fault that appears without it; `None` if it can go.
    pub needed: Option<Need>,
}

/// Why a change of an economical kind does not work: what appears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// The diagram is no position that can be played.
    Illegal,
    /// There is another key.
    Cook(Ply),
    /// A shorter solution.
    Short {
        /// Its length in moves.
        moves: u16,
        /// Its first move.
        first: Ply,
    },
    /// The key fails.
    KeyFails(KeyFault),
    /// The key alone solves, but after this defence the continuations are others.
    Variation(Altered),
    /// The key alone solves, but in the set play the continuations after this defence are others.
    SetPlay(Altered),
    /// The key alone solves, but this first move is no longer a try that one and the same defence refutes.
    Try {
        /// The first move.
        first: Ply,
        /// The defences that refute it now; none if it cannot be played.
        now: Vec<Ply>,
    },
    /// A limit was reached first.
    Undecided,
}

/// Why a key fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFault {
    /// It is no legal move.
    Illegal,
    /// It ends the game in another way than the goal is.
    Ends(End),
    /// The attacker must mate at once by this move, so the key is not played.
    MustMate(Ply),
    /// This defence refutes it.
    Refuted(Ply),
}

/// A defence that is answered by other moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Altered {
    /// The moves before the defence: none if it is a first one, else a first defence and its answer.
    pub line: Vec<Ply>,
    /// The defence.
    pub defence: Ply,
    /// The moves that solve after it now; none if it cannot be played, if the threat answers it, or if it ends the
    /// game.
    pub now: Vec<Ply>,
    /// Whether the defence reaches the goal now.
    pub ends: bool,
}

/// The answer to whether a problem is economical.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Economy {
    /// The key of the problem.
    pub key: Option<Ply>,
    /// Every man except the kings, in the order of the squares; those that can go first.
    pub men: Vec<ManUse>,
    /// The versions with fewer or weaker men, the most economical first.
    pub versions: Proposals,
}
