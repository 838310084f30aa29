//! Test cases for engines: a position, the longest mate to look for, and the shortest mate within that length.

use std::fmt::Debug;

use matesolve_engine::chess::{Goal, MateLength, NodeKind, Position};
use matesolve_engine::search::{Answer, Task};
use matesolve_proof::check;
use shakmaty::{Chess, Color, Position as _};

use super::reference::Reference;

/// A position with its shortest mate.
#[derive(Debug, Clone)]
pub struct Case {
    /// The seed or the id of the position, for messages.
    pub name: String,
    /// The position.
    pub chess: Chess,
    /// The side that mates.
    pub attacker: Color,
    /// The longest mate to look for, in moves.
    pub bound: u16,
    /// The length of the shortest mate within the bound, if there is one.
    pub shortest: Option<u16>,
}

impl Case {
    /// Creates a case from a generated position. The reference computes the answer; `None` if it needs more than
    /// `nodes` nodes.
    pub fn generated(seed: u64, chess: Chess, attacker: Color, bound: u16, nodes: u64) -> Option<Case> {
        let kind = NodeKind::of(chess.turn(), attacker);
        let shortest = Reference::new(nodes).shortest(&Position::from_chess(&chess), kind, bound).ok()?;
        Some(Case { name: format!("seed {seed}"), chess, attacker, bound, shortest })
    }

    /// Creates a case from a problem in which the side to move mates in exactly `n` moves.
    pub fn mate_in(name: &str, chess: Chess, n: u16) -> Case {
        Case { name: name.to_owned(), attacker: chess.turn(), chess, bound: n, shortest: Some(n) }
    }

    /// Returns the position as the engines take it.
    pub fn position(&self) -> Position {
        Position::from_chess(&self.chess)
    }

    /// Returns the position and its name, for messages.
    pub fn describe(&self) -> String {
        format!("{}: {} #{}", self.name, self.position().fen(), self.bound)
    }

    /// Returns the task for an engine with this much memory, in bytes.
    pub fn task(&self, memory: usize) -> Task {
        Task { memory, ..Task::mate(self.position(), self.attacker, MateLength(self.bound)) }
    }

    /// Checks the proof of an answer, if it has one, and returns the length of the mate. `engine` is for messages.
    pub fn checked(&self, answer: &Answer, engine: &dyn Debug) -> Option<u16> {
        let tree = answer.proof.as_ref()?;
        let proof = check(&self.chess, self.attacker, Goal::MATE, tree.clone())
            .unwrap_or_else(|fault| panic!("{engine:?}, {}: {fault}", self.describe()));
        Some(proof.length().0)
    }
}
