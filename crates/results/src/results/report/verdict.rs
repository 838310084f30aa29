//! The verdict of a report: whether the problem is sound, and its duals; the features by which a key is judged, the
//! classes of problems by the number of men, and men that must be promoted.

use serde::Serialize;
use shakmaty::{Board, Color, Role, Square};

use crate::chess::construction::promotions;
use crate::proof::VerifiedFlag;
use crate::results::ply;
use crate::results::report::Ply;
use crate::results::solution::Status;

pub use crate::chess::Soundness;

/// The summary of a report. Statements about *all* keys or about *no* mate come from full-width searches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
    pub fn bare(status: Status) -> Verdict {
        Verdict { status, ..Verdict::default() }
    }
}

/// The kind of moves between which the attacker can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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

/// The features of a key. A key that gives check, captures or takes flights away is coarse; a key that gives flights is
/// generous.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Features {
    /// Whether the key gives check.
    pub check: bool,
    /// The kind of the captured man, if there is one.
    #[serde(serialize_with = "ply::role")]
    pub capture: Option<Role>,
    /// The kind of man to which the key promotes a pawn, if it does.
    #[serde(serialize_with = "ply::role")]
    pub promotion: Option<Role>,
    /// Whether the defender can capture the man that moved.
    pub sacrifice: bool,
    /// Squares to which the defender's king can go after the key, but could not before it.
    #[serde(serialize_with = "ply::texts")]
    pub flights_given: Vec<Square>,
    /// Squares to which the defender's king could go before the key, but cannot after it.
    #[serde(serialize_with = "ply::texts")]
    pub flights_taken: Vec<Square>,
    /// The squares of the defender's men that are pinned before the key, but not after it.
    #[serde(serialize_with = "ply::texts")]
    pub unpins: Vec<Square>,
    /// The squares of the defender's men that are pinned after the key, but not before it.
    #[serde(serialize_with = "ply::texts")]
    pub pins: Vec<Square>,
}

/// The class of a problem by the number of its men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// At most seven men.
    Miniature,
    /// Eight to twelve men.
    Meredith,
    /// Thirteen men or more.
    Full,
}

/// The number of men on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MenCount {
    /// White's men, including the king.
    pub white: usize,
    /// Black's men, including the king.
    pub black: usize,
    /// The class of the problem.
    pub size: Size,
}

impl MenCount {
    /// Returns these numbers with the class of the problem.
    pub fn of(white: usize, black: usize) -> MenCount {
        let size = match white + black {
            0..=7 => Size::Miniature,
            8..=12 => Size::Meredith,
            _ => Size::Full,
        };
        MenCount { white, black, size }
    }
}

/// Men of one kind of which some must be promoted, as counting shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromotedMen {
    /// Their side.
    #[serde(serialize_with = "ply::color")]
    pub side: Color,
    /// The number of them that must be promoted, at least 1.
    pub at_least: usize,
    /// The men, such as `Sb5`.
    pub of: Vec<String>,
}

impl PromotedMen {
    /// Returns those of a diagram. `men` are White's and Black's men, such as `Sb5`.
    pub fn of_board(board: &Board, men: [&[String]; 2]) -> Vec<PromotedMen> {
        let mut found = Vec::new();
        for (side, men) in [(Color::White, men[0]), (Color::Black, men[1])] {
            for (squares, at_least) in promotions(board, side).into_iter().filter(|&(_, least)| least > 0) {
                let name = |square: Square| men.iter().find(|man| man.ends_with(&square.to_string())).cloned();
                found.push(PromotedMen { side, at_least, of: squares.into_iter().filter_map(name).collect() });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miniature_has_seven_men_and_a_meredith_twelve() {
        let size = |white, black| MenCount::of(white, black).size;
        assert_eq!(
            [size(5, 2), size(5, 3), size(6, 6), size(7, 6)],
            [Size::Miniature, Size::Meredith, Size::Meredith, Size::Full]
        );
    }
}
