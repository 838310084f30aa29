//! Certified puzzles: whether a puzzle is right, and what mates beside the published line.

use serde::{Deserialize, Serialize};

/// The judgement on a puzzle. (The names are those in JSON.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PuzzleVerdict {
    /// The line is the shortest mate, and no other move mates as fast.
    #[serde(rename = "right")]
    Right,
    /// Somewhere along the line there is a faster mate.
    #[serde(rename = "not shortest")]
    NotShortest,
    /// Somewhere along the line, before the last move, another move mates in the moves that are left.
    #[serde(rename = "another move mates")]
    AnotherMove,
    /// The line does not mate, or the position has no mate in as many moves.
    #[serde(rename = "no mate")]
    NoMate,
    /// The line ends without mate, and no theme promises one.
    #[serde(rename = "not a mate puzzle")]
    NotMatePuzzle,
    /// The record cannot be read, or its moves cannot be played.
    #[serde(rename = "invalid")]
    Invalid,
}

impl PuzzleVerdict {
    /// All verdicts.
    pub const ALL: [PuzzleVerdict; 6] = {
        use PuzzleVerdict::{AnotherMove, Invalid, NoMate, NotMatePuzzle, NotShortest, Right};
        [Right, NotShortest, AnotherMove, NoMate, NotMatePuzzle, Invalid]
    };
}

/// The moves beside the published one that mate in the moves that are left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternatives {
    /// The half-move of the line, from 1; the solver has the odd ones.
    pub ply: usize,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
}

/// The answer to a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Certified {
    /// The number of its input, from 0.
    #[serde(skip)]
    pub file: usize,
    /// The line of the input, from 1.
    pub line: usize,
    /// The name of the puzzle.
    pub id: Option<String>,
    /// The position in which the solver is to move.
    pub fen: Option<String>,
    /// The length of the shortest mate in the position; `None` if there is none in the moves of the line, or if it is
    /// not known.
    pub mate_in: Option<u16>,
    /// Whether `mate_in` is proved: the mate and that none is shorter; of `None`, that there is no mate in the moves of
    /// the line.
    pub proved: bool,
    /// The number of the solver's moves in the published line.
    pub length_of_line: Option<u16>,
    /// `None`: a limit was reached first.
    pub verdict: Option<PuzzleVerdict>,
    /// Whether the themes `mateInN` are right; `None` if there are none, or if that is not decided.
    pub theme_right: Option<bool>,
    /// The other moves that mate, in the order of the line.
    pub alternatives: Vec<Alternatives>,
    /// The fault, or what is not decided, as a sentence.
    pub reason: Option<String>,
    /// Whether the program failed on it.
    #[serde(skip)]
    pub failed: bool,
    /// Whether the user ended the search.
    #[serde(skip)]
    pub interrupted: bool,
}

impl Certified {
    /// Returns whether something that the puzzle claims is proved wrong.
    pub fn is_wrong(&self) -> bool {
        let wrong = [PuzzleVerdict::NotShortest, PuzzleVerdict::AnotherMove, PuzzleVerdict::NoMate];
        self.theme_right == Some(false) || self.verdict.is_some_and(|verdict| wrong.contains(&verdict))
    }

    /// Returns whether the puzzle could be read and every question about it is answered.
    pub fn is_decided(&self) -> bool {
        !self.failed && self.verdict.is_some_and(|verdict| verdict != PuzzleVerdict::Invalid)
    }
}
