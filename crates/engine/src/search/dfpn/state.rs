//! The state of one depth-first proof-number search: its tables, its path, and the open children of the path.
//!
//! The search itself is in `search`. Other files add what it needs at a node, such as reading and writing the tables
//! (`lookup`) and sharing them with other threads (`parallel`).

use shakmaty::Color;

use crate::chess::{Goal, MateLength, Move, MoveList, Position};
use crate::search::learned::Killers;
use crate::search::{Facts, Interrupted, Meter};

use super::hints::Hints;
use super::node::{ChildMove, OpenChild, OpenNode, PositionStack};
use super::path::Path;
use super::table::DfpnTable;
use super::technique::FactorCache;
use crate::search::numbers::attempt::{Aim, Attempt};
use crate::search::numbers::few_men::FewMen;
use crate::search::numbers::leaf::{NodeValue, Taint};
use crate::search::numbers::order::ReplyOrder;

/// The state of one depth-first proof-number search.
pub(super) struct DfpnSearch<'s, 'c> {
    /// Whether to read the shared facts at every node.
    pub reads_facts: bool,
    /// The goal that the attacker wants to force.
    pub goal: Goal,
    /// The attacks and the replies that decided most recently with one move left, for other goals than a direct mate.
    pub last_attacks: Killers,
    pub last_replies: Killers,
    /// Whether other threads search with the same table.
    pub shared: bool,
    pub table: &'s mut DfpnTable,
    pub order: &'s mut ReplyOrder,
    pub meter: &'s mut Meter<'c>,
    pub facts: &'s Facts,
    pub path: Path,
    /// The open children of all nodes on the path, the deepest node's last.
    pub children: Vec<OpenChild>,
    /// The positions of those children that have been visited.
    pub positions: PositionStack,
    /// The keys of the positions after the moves that are being listed.
    pub keys: Vec<u64>,
    /// Factors of the lane `technique`.
    pub factors: FactorCache,
    /// The number of flights of the defender's king at the root.
    pub root_flights: u32,
    /// Tables and Syzygy files for positions with few men.
    pub few_men: &'s mut FewMen,
    /// The nodes that may still be spent on searching lost parts of a proof again.
    pub lost_nodes: u64,
    /// Moves to try first.
    pub hints: Option<&'s mut Hints>,
}

impl DfpnSearch<'_, '_> {
    /// Empties the path, which an interrupted search leaves as it was.
    pub fn clear_path(&mut self) {
        self.path.clear();
        self.children.clear();
        self.positions.truncate(0);
    }

    /// Adds the position with this key to the end of the path.
    #[inline]
    pub fn enter(&mut self, key: u64) -> OpenNode {
        self.path.push(key);
        OpenNode {
            first_child: self.children.len(),
            first_position: self.positions.len(),
            taint: Taint::None,
            has_allowed_move: false,
            longest: MateLength(0),
            nodes_before: self.meter.count(),
        }
    }

    /// Removes the last node of the path, with its children and their positions.
    #[inline]
    pub fn leave(&mut self, node: &OpenNode) {
        self.children.truncate(node.first_child);
        self.positions.truncate(node.first_position);
        self.path.pop();
    }

    /// Returns the factor of the proof number of a leaf with this position (`technique`); 1 for most attempts.
    #[inline]
    pub fn factor(&mut self, position: &Position, attacker: Color, attempt: Attempt) -> u32 {
        if attempt.aim == Aim::Technique { self.factors.factor(position, attacker) } else { 1 }
    }

    /// Returns the number of nodes made since the node was entered.
    #[inline]
    pub fn work(&self, node: &OpenNode) -> u64 {
        self.meter.count() - node.nodes_before
    }

    /// Adds a child, whose position has not been made, to the last node of the path.
    #[inline]
    pub fn push(&mut self, step: ChildMove, key: u64, value: NodeValue) {
        self.children.push(OpenChild { step, position: None, key, value });
    }

    /// Returns the position of a child. It is made at the first call.
    #[inline]
    pub fn position(&mut self, at: usize, parent: &Position, m: Move) -> Result<Position, Interrupted> {
        let child = &mut self.children[at];
        if let Some(index) = child.position {
            return Ok(*self.positions.get(index));
        }
        self.meter.node()?;
        let position = parent.play(m);
        debug_assert_eq!(position.key(), child.key);
        child.position = self.positions.push(position);
        Ok(position)
    }

    /// Computes the keys of the positions after the moves and fetches their table entries.
    #[inline]
    pub fn fetch(&mut self, position: &Position, moves: &MoveList) {
        self.keys.clear();
        self.keys.extend(moves.iter().map(|&m| position.key_after(m)));
        self.table.fetch(&self.keys);
    }
}
