//! The solutions of a problem of help play.

use serde::{Deserialize, Serialize};
use shakmaty::{Move, Role};

use super::ply::Ply;

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
    /// Whether it ends in a pure mate: around the king, each square is attacked once or blocked, not both, and one check
    /// would not do where there are two.
    #[serde(default)]
    pub pure: bool,
    /// Whether it ends in a model mate: a pure mate in which every piece of the mating side takes part, but for king and
    /// pawns.
    pub model: bool,
    /// Whether it ends in an ideal mate: a pure mate in which every man on the board takes part.
    #[serde(default)]
    pub ideal: bool,
    /// The moves, for writing them in other notations. Only the lines of a report have them. Not part of the JSON.
    #[serde(skip)]
    pub plies: Vec<Ply>,
}

impl HelpLine {
    /// Returns what is remarkable in the line, in words: the kind of its mate, and castling, promotions and captures en
    /// passant.
    pub fn remarks(&self) -> Vec<&'static str> {
        let kinds = [(self.ideal, "ideal mate"), (self.model, "model mate"), (self.pure, "pure mate")];
        let mut remarks: Vec<&str> =
            kinds.into_iter().find(|(is_set, _)| *is_set).map(|(_, word)| word).into_iter().collect();
        for ply in &self.plies {
            let word = match ply.mv {
                Move::Castle { .. } => "castling",
                Move::EnPassant { .. } => "en passant",
                Move::Normal { promotion: Some(role), .. } if role != Role::Queen => "underpromotion",
                Move::Normal { promotion: Some(_), .. } => "promotion",
                _ => continue,
            };
            if !remarks.contains(&word) {
                remarks.push(word);
            }
        }
        remarks
    }
}

impl HelpSolutions {
    /// Returns the lines in the order in which they are printed, each part with its heading: set play, shorter
    /// solutions, solutions.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &[HelpLine])> {
        let parts = [
            ("set play", self.set_play.as_deref()),
            ("shorter than stipulated", self.short_solutions.as_deref()),
            ("actual play", Some(self.solutions.as_slice())),
        ];
        parts.into_iter().filter_map(|(heading, lines)| Some((heading, lines?)))
    }

    /// Returns all lines, to change them.
    pub(crate) fn lines_mut(&mut self) -> impl Iterator<Item = &mut HelpLine> {
        let others = [self.set_play.as_mut(), self.short_solutions.as_mut()];
        others.into_iter().flatten().flatten().chain(&mut self.solutions)
    }
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
