//! The type of a proof that the checker has replayed.
//!
//! Only the checker ([`check`](super::check), [`check_exclusive`](super::check_exclusive)) makes a [`Verified`] proof:
//! its fields are private and no other function calls its constructor. What tells a user of forced play that the goal
//! is reached, such as main lines and keys of a report, is made from a `Verified`, so a search cannot claim it on its
//! own word. [`VerifiedFlag`] can also come from a line of help play that was replayed.

use matesolve_terms::notation::{self, WrittenLine};
use matesolve_terms::{Goal, MateLength, MoveCode, NodeKind, Side, Stipulation};
use shakmaty::{Chess, Color, Position as _};

use super::ProofTree;
use super::helped::ReplayedLine;

/// A proof tree that the checker has replayed from its root position.
///
/// ```
/// use matesolve_proof::{ProofNode, ProofTree, check};
/// use matesolve_terms::{Goal, MoveCode};
/// use shakmaty::{Color, Square};
///
/// let root = matesolve_proof::parse_position("7k/8/6K1/8/8/8/8/R7 w - -")?;
/// let mut tree = ProofTree::new();
/// let checkmate = tree.push(ProofNode::MATE);
/// tree.push(ProofNode::Attack(MoveCode::new(Square::A1, Square::A8, None), checkmate));
/// let proof = check(&root, Color::White, Goal::MATE, tree)?;
/// assert_eq!(proof.length().0, 1);
/// assert_eq!(proof.main_line_san(), "1. Ra8#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
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

    /// Returns the side that reaches the goal.
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
    pub fn kind(&self) -> NodeKind {
        NodeKind::of(self.root.turn(), self.attacker)
    }

    /// Returns the main line: the moves of the proof against the longest defence, up to the goal.
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

    /// Returns the main line in both notations; `None` if it does not end with the goal after as many plies as the
    /// length says, which would be a fault of the checker.
    pub fn written_line(&self) -> Option<WrittenLine> {
        let line = notation::line(&self.root, &self.main_line())?;
        (line.end == Some(self.goal.end) && line.uci.len() == self.goal.plies(self.length, self.kind())).then_some(line)
    }
}

/// Whether a published answer rests on a replay. A flag that is set can be made from a [`Verified`] proof or a replayed
/// line of help play only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VerifiedFlag(bool);

impl VerifiedFlag {
    /// Returns the flag for an answer that is made from this proof.
    pub fn by(_: &Verified) -> VerifiedFlag {
        VerifiedFlag(true)
    }

    /// Returns the flag for lines of help play of which this is one. All are replayed before one of them is written.
    pub fn by_line(_: &ReplayedLine) -> VerifiedFlag {
        VerifiedFlag(true)
    }

    /// Returns whether the checker has replayed a proof of the answer, or its lines.
    pub fn is_set(self) -> bool {
        self.0
    }
}

impl serde::Serialize for VerifiedFlag {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.0)
    }
}
