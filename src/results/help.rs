//! The solutions of a problem of help play.

use serde::{Deserialize, Serialize};

/// All solutions, or as many as were found within the limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelpSolutions {
    /// The solutions, in a fixed order.
    pub solutions: Vec<HelpLine>,
    /// The solutions that are shorter than the stipulation, of the shortest length there is; `None` if there are none.
    /// Missing in the JSON if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_solutions: Option<Vec<HelpLine>>,
    /// The solutions of the set play; `None` if it was not asked for, or the other side cannot begin.
    pub set_play: Option<Vec<HelpLine>>,
    /// The number of solutions that are intended.
    pub intended: usize,
    /// Whether the search was exhaustive, so that these are all solutions.
    pub complete: bool,
}

/// A solution of help play. The checker has replayed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelpLine {
    /// The part of the solution that it belongs to.
    pub phase: HelpPhase,
    /// The moves in standard algebraic notation: `1.Rc5 Bh1 2.Kd5 Rg6#`.
    pub san: String,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// Whether it ends in a model mate: around the king, each square is attacked once or blocked, and every piece of the
    /// mating side takes part, but for king and pawns.
    pub model: bool,
}

/// The part of a solution that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HelpPhase {
    /// The diagram as stipulated.
    Actual,
    /// The set play: the first half-move is left out.
    Set,
}

/// Whether a problem of help play is sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HelpSoundness {
    /// There are as many solutions as intended, and no shorter ones.
    Sound,
    /// There are more solutions than intended.
    Cooked,
    /// There are fewer solutions than intended, but some.
    Incomplete,
    /// There are shorter solutions.
    ShortSolution,
    /// There is no solution.
    NoSolution,
    /// A limit was reached first.
    Undecided,
}
