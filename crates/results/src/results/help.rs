//! The solutions of a problem of help play.
//!
//! A problem can have millions of solutions, and more than any memory holds as a list. [`HelpLines`] is therefore
//! either a list or a source that makes the lines one after another, as often as they are read. What is short is a
//! list.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::{fmt, io};

use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Move, Role};

use super::ply::Ply;

/// All solutions, or as many as were found within the limits. `L` holds the lines of each part: a report has plain
/// lists, a [`Solution`](super::Solution) has [`HelpLines`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelpSolutions<L = Vec<HelpLine>> {
    /// The solutions, in a fixed order.
    pub solutions: L,
    /// The solutions that are shorter than the stipulation, the shortest first; `None` if there are none.
    /// Missing in the JSON if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_solutions: Option<L>,
    /// The solutions of the set play; `None` if it was not asked for, or the other side cannot begin.
    pub set_play: Option<L>,
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

/// The lines of a part, as a list or made when they are read.
pub trait PartLines {
    /// Returns whether there are none.
    fn has_none(&self) -> bool;
}

impl PartLines for Vec<HelpLine> {
    fn has_none(&self) -> bool {
        self.is_empty()
    }
}

impl PartLines for HelpLines {
    fn has_none(&self) -> bool {
        self.is_empty()
    }
}

impl<L: PartLines> HelpSolutions<L> {
    /// Returns the lines in the order in which they are printed, each part with its heading: set play, shorter
    /// solutions, solutions. Solutions that were not looked for to the end, so that none was found beside shorter ones,
    /// are no part.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &L)> {
        let is_open = !self.complete && self.short_solutions.is_some() && self.solutions.has_none();
        let parts = [
            ("set play", self.set_play.as_ref()),
            ("shorter than stipulated", self.short_solutions.as_ref()),
            ("actual play", Some(&self.solutions).filter(|_| !is_open)),
        ];
        parts.into_iter().filter_map(|(heading, lines)| Some((heading, lines?)))
    }
}

impl HelpSolutions {
    /// Returns all lines, to change them.
    pub fn lines_mut(&mut self) -> impl Iterator<Item = &mut HelpLine> {
        let others = [self.set_play.as_mut(), self.short_solutions.as_mut()];
        others.into_iter().flatten().flatten().chain(&mut self.solutions)
    }
}

impl HelpSolutions<HelpLines> {
    /// Returns the same solutions as plain lists.
    ///
    /// # Errors
    /// If the checker refuses a line.
    pub fn into_lists(self) -> Result<HelpSolutions, Refused> {
        let HelpSolutions { solutions, short_solutions, set_play, intended, complete } = self;
        Ok(HelpSolutions {
            solutions: solutions.into_list()?,
            short_solutions: short_solutions.map(HelpLines::into_list).transpose()?,
            set_play: set_play.map(HelpLines::into_list).transpose()?,
            intended,
            complete,
        })
    }
}

/// Lines of help play: lists, and sources that make them one after another.
#[derive(Debug, Clone, Default)]
pub struct HelpLines(Vec<Lines>);

#[derive(Debug, Clone)]
enum Lines {
    List(Vec<HelpLine>),
    Source(Arc<dyn LineSource>),
}

/// Makes lines one after another, always the same ones.
pub trait LineSource: fmt::Debug + Send + Sync {
    /// Returns the number of lines; `usize::MAX` if there are more.
    fn count(&self) -> usize;

    /// Visits the lines, each after the checker has replayed it, until `visit` breaks. `None` if the checker refuses a
    /// line, which is then not visited.
    fn each(&self, visit: &mut dyn FnMut(&HelpLine) -> ControlFlow<()>) -> Option<()>;
}

/// The checker refused a line: the search is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("help play failed: the checker refuses a line; please report it")
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for io::Error {
    /// Its kind is [`io::ErrorKind::InvalidData`], which no writer has for a reason of its own.
    fn from(refused: Refused) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, refused)
    }
}

impl HelpLines {
    /// Lines that are made when they are read.
    pub fn from_source(source: Arc<dyn LineSource>) -> HelpLines {
        HelpLines(vec![Lines::Source(source)])
    }

    /// Adds other lines behind these.
    pub fn append(&mut self, mut more: HelpLines) {
        self.0.append(&mut more.0);
    }

    /// Returns the number of lines; `usize::MAX` if there are more.
    pub fn len(&self) -> usize {
        let counts = self.0.iter().map(|part| match part {
            Lines::List(lines) => lines.len(),
            Lines::Source(source) => source.count(),
        });
        counts.fold(0, usize::saturating_add)
    }

    /// Returns whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits the lines in their order, until `visit` breaks; then returns with what it broke. The checker has replayed
    /// each line that is visited.
    ///
    /// # Errors
    /// If the checker refuses a line. The lines before it were visited.
    pub fn each<B>(&self, mut visit: impl FnMut(&HelpLine) -> ControlFlow<B>) -> Result<ControlFlow<B>, Refused> {
        let mut result = Continue(());
        for part in &self.0 {
            let mut until = |line: &HelpLine| {
                result = visit(line);
                if result.is_break() { Break(()) } else { Continue(()) }
            };
            match part {
                Lines::List(lines) => {
                    let _ = lines.iter().try_for_each(until);
                }
                Lines::Source(source) => source.each(&mut until).ok_or(Refused)?,
            }
            if result.is_break() {
                break;
            }
        }
        Ok(result)
    }

    /// Returns the first line; `None` if there are none.
    ///
    /// # Errors
    /// If the checker refuses it.
    pub fn first(&self) -> Result<Option<HelpLine>, Refused> {
        Ok(self.each(|line| Break(line.clone()))?.break_value())
    }

    /// Returns the lines as a list, which for millions of lines takes gigabytes.
    ///
    /// # Errors
    /// If the checker refuses a line.
    pub fn into_list(self) -> Result<Vec<HelpLine>, Refused> {
        let mut list = Vec::new();
        for part in self.0 {
            match part {
                Lines::List(mut lines) => list.append(&mut lines),
                Lines::Source(source) => source
                    .each(&mut |line| {
                        list.push(line.clone());
                        Continue(())
                    })
                    .ok_or(Refused)?,
            }
        }
        Ok(list)
    }
}

impl From<Vec<HelpLine>> for HelpLines {
    fn from(lines: Vec<HelpLine>) -> HelpLines {
        HelpLines(vec![Lines::List(lines)])
    }
}

impl Serialize for HelpLines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        let written = self.each(|line| list.serialize_element(line).map_or_else(Break, Continue));
        match written.map_err(S::Error::custom)? {
            Break(error) => Err(error),
            Continue(()) => list.end(),
        }
    }
}

impl<'de> Deserialize<'de> for HelpLines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HelpLines, D::Error> {
        Vec::deserialize(deserializer).map(HelpLines::from)
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
