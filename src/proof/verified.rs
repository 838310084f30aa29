//! The type of a proof that the checker has replayed.
//!
//! Only the checker ([`check`](super::check), [`check_exclusive`](super::check_exclusive)) makes a [`Verified`] proof:
//! its fields are private and no other function calls its constructor. Everything that tells a user about a mate (main
//! lines, certificates, keys of a report, UCI scores, the field `verified` in JSON) takes a `Verified`, so a search
//! cannot claim a mate on its own word.

use shakmaty::{Chess, Color, Position as _};

use crate::chess::notation::{self, WrittenLine};
use crate::chess::{Goal, MateLength, MoveCode, NodeKind, Side, Stipulation};

use super::ProofTree;
use super::helped::ReplayedLine;

/// A proof tree that the checker has replayed from its root position.
///
/// ```
/// use matesolve::{Problem, Solver};
///
/// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap();
/// let proof = Solver::new().solve_with_proof(&problem).proof.unwrap();
/// assert_eq!(proof.length().0, 2);
/// assert_eq!(proof.main_line_san(), "1. Rh6 Ba2 2. Rxh7#");
/// ```
#[derive(Debug, Clone)]
pub struct Verified {
    root: Chess,
    attacker: Color,
    goal: Goal,
    length: MateLength,
    tree: ProofTree,
}

impl Verified {
    /// Makes a verified proof. Only the checker calls this, after the replay.
    pub(super) fn new(root: Chess, attacker: Color, goal: Goal, length: MateLength, tree: ProofTree) -> Verified {
        Verified { root, attacker, goal, length, tree }
    }

    /// Returns the position in which the proof starts.
    pub fn root(&self) -> &Chess {
        &self.root
    }

    /// Returns the side that mates.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// Returns what stands on the board at the end of every line.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Returns what the proof shows, as a stipulation: the side to move, the goal, and the length.
    pub fn stipulation(&self) -> Stipulation {
        let begins = if self.kind() == NodeKind::Or { Side::Attacker } else { Side::Defender };
        Stipulation::forced(self.goal, begins, Some(self.length))
    }

    /// Returns the length of the mate against the longest defence, in moves of the attacker; 0 if the root is
    /// checkmate.
    pub fn length(&self) -> MateLength {
        self.length
    }

    /// Returns the proof: one move of the attacker in each position where he moves, all legal replies where the
    /// defender moves.
    pub fn tree(&self) -> &ProofTree {
        &self.tree
    }

    /// Returns the proof and consumes the rest.
    pub fn into_tree(self) -> ProofTree {
        self.tree
    }

    /// Returns whether the attacker or the defender is to move in the root position.
    pub(crate) fn kind(&self) -> NodeKind {
        NodeKind::of(self.root.turn(), self.attacker)
    }

    /// Returns the main line: the moves of the proof against the longest defence, up to checkmate.
    pub fn main_line(&self) -> Vec<MoveCode> {
        self.tree.longest_line()
    }

    /// Returns the main line in numbered standard algebraic notation, such as `1. Rh6 Ba2 2. Rxh7#`.
    pub fn main_line_san(&self) -> String {
        self.written_line().map_or_else(String::new, |line| line.san)
    }

    /// Returns the main line in UCI notation, such as `["h1h6", "g8a2", "h6h7"]`.
    pub fn main_line_uci(&self) -> Vec<String> {
        self.written_line().map_or_else(Vec::new, |line| line.uci)
    }

    /// Returns the main line in both notations; `None` if it does not end in checkmate after as many plies as the
    /// length says, which would be a fault of the checker.
    pub(crate) fn written_line(&self) -> Option<WrittenLine> {
        let line = notation::line(&self.root, &self.main_line())?;
        (line.end == Some(self.goal.end) && line.uci.len() == self.goal.plies(self.length, self.kind())).then_some(line)
    }
}

#[cfg(test)]
impl Verified {
    /// Returns the proof of a checkmate on the board, for tests that need some proof.
    pub(crate) fn of_a_checkmate() -> Verified {
        let mut tree = ProofTree::new();
        tree.push(super::ProofNode::MATE);
        let root = super::parse_position("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").expect("a legal position");
        super::check(&root, Color::White, Goal::MATE, tree).expect("checkmate")
    }
}

/// Whether a published answer rests on a [`Verified`] proof. A flag that is set can be made from such a proof only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VerifiedFlag(bool);

impl VerifiedFlag {
    /// The flag of an answer without a mate: not set.
    pub(crate) const NO: VerifiedFlag = VerifiedFlag(false);

    /// Returns the flag for an answer that is made from this proof.
    pub(crate) fn by(_: &Verified) -> VerifiedFlag {
        VerifiedFlag(true)
    }

    /// Returns the flag for lines of help play of which this is one. All are replayed before one of them is written.
    pub(crate) fn by_line(_: &ReplayedLine) -> VerifiedFlag {
        VerifiedFlag(true)
    }

    /// Returns whether the checker has replayed a proof of the answer, or its lines.
    pub fn is_set(self) -> bool {
        self.0
    }

    /// A set flag without a proof, for tests of the output formats.
    #[cfg(test)]
    pub(crate) const UNCHECKED: VerifiedFlag = VerifiedFlag(true);
}

impl serde::Serialize for VerifiedFlag {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.0)
    }
}
