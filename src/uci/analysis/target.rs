//! A question about the position or a first move, and one slice of work on it.

use shakmaty::Color;

use crate::chess::MateLength;

/// The factor by which slices grow from round to round.
pub(super) const SLICE_GROWTH: u64 = 3;

/// The question whether `attacker` mates, in the position on the board or after one of its first moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    /// The index of the first move; `None` for the position itself.
    pub first: Option<usize>,
    /// The side that is to mate.
    pub attacker: Color,
}

impl Target {
    /// Returns the question about the position on the board.
    pub(super) fn whole_position(attacker: Color) -> Target {
        Target { first: None, attacker }
    }

    /// Returns the question about the position after the first move with this index.
    pub(super) fn after_move(index: usize, attacker: Color) -> Target {
        Target { first: Some(index), attacker }
    }
}

/// One slice of work on a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    pub question: Target,
    /// The longest mate to look for, in moves, counted from the position of the question.
    pub longest: MateLength,
    /// Whether to look for the shortest mate; else the first mate found ends the slice.
    pub shortest: bool,
    /// The node limit of the slice; `None` for all nodes that are left.
    pub nodes: Option<u64>,
}

/// The outcome of a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SliceEnd {
    /// The question is answered.
    Answered,
    /// The engine cannot get any further with the memory of its slot. The sentence says why.
    Stuck(String),
    /// The question is closed as above, but the losing side could claim a draw in the last proof.
    Drawn,
    /// A limit was reached; another slice may continue the work.
    Unfinished,
}

/// The place of one worker among those that run at the same time, and its share of the resources.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorkerSlot {
    /// Its number, from 0.
    pub number: usize,
    /// The memory of its engine, in bytes.
    pub memory: usize,
    /// The threads of its engine.
    pub threads: usize,
}
