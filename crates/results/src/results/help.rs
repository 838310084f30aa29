//! The solutions of a problem of help play.
//!
//! A problem can have millions of solutions, and more than any memory holds. The lists have as many as the limits allow
//! and as are asked for, and `complete` says whether nothing is left out.

use serde::{Deserialize, Serialize};
use shakmaty::{Move, Role};

use super::ply::Ply;

/// All solutions, or as many as were found within the limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelpSolutions {
    /// The solutions, in a fixed order.
    pub solutions: Vec<HelpLine>,
    /// The solutions that are shorter than the stipulation, the shortest first; `None` if there are none.
    /// Missing in the JSON if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_solutions: Option<Vec<HelpLine>>,
    /// The solutions of the set play; `None` if it was not asked for, or the other side cannot begin.
    pub set_play: Option<Vec<HelpLine>>,
    /// The number of solutions that are intended.
    #[serde(default)]
    pub intended: usize,
    /// Whether the search was exhaustive, so that these are all solutions.
    #[serde(default)]
    pub complete: bool,
}

/// A solution of help play. The checker has replayed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelpLine {
    /// The part of the solution that it belongs to.
    #[serde(default)]
    pub phase: HelpPhase,
    /// The moves in standard algebraic notation: `1.Rc5 Bh1 2.Kd5 Rg6#`.
    #[serde(default)]
    pub san: String,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// The moves in UCI notation with which the mated side reaches the end itself instead of its last half-move, of
    /// reciprocal play. In `san` they stand behind the line, each after ` / `.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reciprocal: Vec<String>,
    /// Whether it ends in a pure mate: around the king, each square is attacked once or blocked, not both, and one
    /// check would not do where there are two.
    #[serde(default)]
    pub pure: bool,
    /// Whether it ends in a model mate: a pure mate in which every piece of the mating side takes part, but for king
    /// and pawns.
    #[serde(default)]
    pub model: bool,
    /// Whether it ends in an ideal mate: a pure mate in which every man on the board takes part.
    #[serde(default)]
    pub ideal: bool,
    /// The moves, for writing them in other notations. Only the lines of a report have them. Not part of the JSON.
    #[serde(skip)]
    pub plies: Vec<Ply>,
    /// The moves of `reciprocal`, as `plies`.
    #[serde(skip)]
    pub reciprocal_plies: Vec<Ply>,
}

impl HelpLine {
    /// Returns the moves for other notations, to change them.
    pub(crate) fn all_plies(&mut self) -> impl Iterator<Item = &mut Ply> {
        self.plies.iter_mut().chain(&mut self.reciprocal_plies)
    }

    /// Returns the moves as `san` has them, each with its number, and then the other ends.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        // The number of the first move can be "1... ... 2.".
        let dots = self.san.rfind("... ").map_or(0, |at| at + 4);
        let end = self.san[dots..].find(' ').map_or(self.san.len(), |at| dots + at);
        let (first, others) = self.san.split_at(end);
        std::iter::once(first).chain(others.split(' ').skip(1))
    }

    /// Returns what stands before each of these moves: its number with the dots, or nothing.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &str> {
        self.words().map(|word| word.rfind('.').map_or("", |end| &word[..=end]))
    }

    /// Returns the other ends of a line of reciprocal play, as the short notation has them: `2.Rc6#`.
    pub fn other_ends(&self) -> impl Iterator<Item = &str> {
        self.san.split(" / ").skip(1)
    }

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
    /// solutions, solutions. Solutions that were not looked for to the end, so that none was found beside shorter ones,
    /// are no part.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &[HelpLine])> {
        let is_open = !self.complete && self.short_solutions.is_some() && self.solutions.is_empty();
        let parts = [
            ("set play", self.set_play.as_deref()),
            ("shorter than stipulated", self.short_solutions.as_deref()),
            ("actual play", Some(&*self.solutions).filter(|_| !is_open)),
        ];
        parts.into_iter().filter_map(|(heading, lines)| Some((heading, lines?)))
    }

    /// Returns all lines, to change them.
    pub fn lines_mut(&mut self) -> impl Iterator<Item = &mut HelpLine> {
        let others = [self.set_play.as_mut(), self.short_solutions.as_mut()];
        others.into_iter().flatten().flatten().chain(&mut self.solutions)
    }
}

/// The part of a solution that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HelpPhase {
    /// The diagram as stipulated.
    #[default]
    Actual,
    /// The set play: the side that begins makes none of its first moves.
    Set,
}
