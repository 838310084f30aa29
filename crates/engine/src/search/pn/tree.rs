//! PROVER: best-first proof-number search on a tree, as in the paper.
//!
//! CITE: Breuker, Allis & van den Herik 1994, "Mate in 38: Applying Proof-Number Search to Chess".
//!
//! From the root the search goes to a child with the same proof number at OR nodes, and to one with the same disproof
//! number at AND nodes. The leaf that it reaches is the **most-proving node**: it belongs to a smallest set of leaves
//! that proves the root, and to a smallest set that disproves it. The leaf is expanded, its children are evaluated, the
//! path is updated, and the selection starts again. Every sequence of moves has its own node. The search uses no
//! knowledge beyond the rules of chess: the defender's mobility guides it.
//!
//! It repeats the paper's figures (docs/papers.md); `search` is the search that the program uses.

use shakmaty::Color;

use crate::chess::{MOVE_CAPACITY, Move, NodeKind, Position};
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::arena::{Arena, MATE, Node, NodeIndex, REPETITION, Region};
use crate::search::descend::{Finding, HorizonSearch};
use crate::search::horizon::Horizon;
use crate::search::numbers::ProofNumbers;
use crate::search::{Interrupted, Meter, StopReason, Task};

use super::options::Init;

/// The longest path that is followed, in plies. A leaf at its end counts as a repetition.
const LONGEST_PATH: usize = 512;

/// The tree of the question asked last, and its node counter.
pub(super) struct TreeSearch<'s, 'r, 'c> {
    arena: Arena<&'r Region, ProofNumbers>,
    init: Init,
    attacker: Color,
    meter: &'s mut Meter<'c>,
    /// The way from the root to the most-proving node.
    path: Vec<PathNode>,
}

/// A node on the path.
#[derive(Clone, Copy)]
struct PathNode {
    node: NodeIndex,
    horizon: Horizon,
    position: Position,
}

impl<'s, 'r, 'c> TreeSearch<'s, 'r, 'c> {
    /// Returns a search whose tree takes at most `memory` bytes from an unused region.
    pub fn new(region: &'r Region, init: Init, task: &Task, meter: &'s mut Meter<'c>) -> TreeSearch<'s, 'r, 'c> {
        let arena = Arena::new(region, task.memory, false);
        TreeSearch { arena, init, attacker: task.attacker(), meter, path: Vec::new() }
    }

    /// Follows the best children to the most-proving leaf, which is then the last node of the path.
    fn select(&mut self) {
        let mut depth = 1;
        while let Some(&PathNode { node, horizon, position }) = self.path.get(depth - 1) {
            if !self.arena.node(node).is_expanded() {
                break;
            }
            let edge = *self.arena.best_edge(node);
            if self.path.get(depth).is_none_or(|known| known.node != edge.child()) {
                let horizon = horizon_below(self.arena.node(node).kind(), horizon);
                self.path.truncate(depth);
                self.path.push(PathNode { node: edge.child(), horizon, position: position.play(edge.played) });
            }
            depth += 1;
        }
        self.path.truncate(depth);
    }

    /// Expands the leaf at the end of the path. An interrupted expansion leaves it a leaf.
    fn expand(&mut self) -> Result<(), Interrupted> {
        let Some(&PathNode { node: leaf, horizon, position }) = self.path.last() else { return Ok(()) };
        let kind = self.arena.node(leaf).kind();
        let (child_kind, horizon) =
            (if kind == NodeKind::Or { NodeKind::And } else { NodeKind::Or }, horizon_below(kind, horizon));
        if !self.arena.make_room(MOVE_CAPACITY) {
            return Err(StopReason::Memory);
        }
        let mut children: Vec<(Move, Option<NodeIndex>, ProofNumbers)> = Vec::new();
        let mut tainted = false;
        for &m in &position.legal_moves() {
            self.meter.node()?;
            let (reserved, numbers) = if self.path.len() >= LONGEST_PATH {
                (Some(REPETITION), ProofNumbers::DISPROVED)
            } else {
                self.evaluate(&position.play(m), child_kind, horizon)
            };
            let decides = if kind == NodeKind::Or { numbers.is_proved() } else { numbers.is_disproved() };
            if decides {
                tainted = reserved == Some(REPETITION);
                children = vec![(m, reserved, numbers)];
                break;
            }
            tainted |= reserved == Some(REPETITION);
            if !(kind == NodeKind::Or && numbers.is_disproved()) {
                children.push((m, reserved, numbers));
            }
        }
        self.arena.node_mut(leaf).set_marked(tainted);
        let edges: Vec<(Move, NodeIndex)> = children
            .into_iter()
            .map(|(m, reserved, numbers)| {
                (m, reserved.unwrap_or_else(|| self.arena.add(Node::new(child_kind, 0, numbers, horizon))))
            })
            .collect();
        self.arena.expand(leaf, edges);
        Ok(())
    }

    /// Returns the numbers of a position, and its node if that is not a new one.
    fn evaluate(&self, position: &Position, kind: NodeKind, horizon: Horizon) -> (Option<NodeIndex>, ProofNumbers) {
        let repeats = |known: &PathNode| known.position.key() == position.key();
        if horizon == Horizon::NONE && self.path.iter().any(repeats) {
            return (Some(REPETITION), ProofNumbers::DISPROVED);
        }
        let moves = match self.init {
            Init::Mobility => position.count_moves(),
            Init::Unit => usize::from(position.has_move()),
        };
        if moves == 0 && kind == NodeKind::And && position.is_check() {
            return (Some(MATE), ProofNumbers::PROVED);
        }
        let is_out_of_moves = horizon.moves().is_some_and(|left| left.0 == 0);
        if moves == 0 || is_out_of_moves || !position.by_color(self.attacker).more_than_one() {
            return (None, ProofNumbers::DISPROVED);
        }
        (None, ProofNumbers::leaf(kind, moves as u32))
    }

    /// Computes the numbers of the nodes on the path, from the last one up.
    fn update(&mut self) {
        for at in (0..self.path.len()).rev() {
            let id = self.path[at].node;
            let (kind, old) = (self.arena.node(id).kind(), self.arena.node(id).numbers);
            let (mut numbers, mut best) = (ProofNumbers::of_no_children(kind), 0);
            for (i, edge) in self.arena.edges(id).enumerate() {
                if numbers.absorb(kind, self.arena.node(edge.child()).numbers) {
                    best = i as u16;
                }
            }
            if numbers.is_disproved() && self.is_tainted_by_children(id, kind) {
                self.arena.node_mut(id).set_marked(true);
            }
            let node = self.arena.node_mut(id);
            (node.numbers, node.best) = (numbers, best);
            if numbers == old {
                break;
            }
        }
    }

    /// Returns whether a disproof depends on a repetition: at an OR node if that of a child does, at an AND node if that
    /// of every disproved child does.
    fn is_tainted_by_children(&self, id: NodeIndex, kind: NodeKind) -> bool {
        let mut children = self.arena.edges(id).map(|edge| self.arena.node(edge.child()));
        match kind {
            NodeKind::Or => children.any(Node::is_marked),
            NodeKind::And => children.all(|child| child.is_marked() || !child.numbers.is_disproved()),
        }
    }

    /// Writes the proof of a node.
    fn write(&self, id: NodeIndex, tree: &mut ProofTree) -> NodeId {
        let mut child =
            |child: NodeIndex| if child == MATE { tree.push(ProofNode::MATE) } else { self.write(child, tree) };
        let node = match self.arena.node(id).kind() {
            NodeKind::Or => {
                let edge = self.arena.best_edge(id);
                ProofNode::Attack(edge.played.code(), child(edge.child()))
            }
            NodeKind::And => {
                ProofNode::Defend(self.arena.edges(id).map(|edge| (edge.played.code(), child(edge.child()))).collect())
            }
        };
        tree.push(node)
    }
}

fn horizon_below(kind: NodeKind, horizon: Horizon) -> Horizon {
    if kind == NodeKind::Or { horizon.after_attack() } else { horizon }
}

impl HorizonSearch for TreeSearch<'_, '_, '_> {
    fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.arena.clear();
        self.path.clear();
        if !self.arena.make_room(MOVE_CAPACITY) {
            return Err(StopReason::Memory);
        }
        let (position, kind) = (task.position, task.root_kind());
        let (reserved, numbers) = self.evaluate(&position, kind, horizon);
        if reserved == Some(MATE) {
            let mut tree = ProofTree::new();
            tree.push(ProofNode::MATE);
            return Ok(Finding::Proved(tree));
        }
        let root = self.arena.add(Node::new(kind, 0, numbers, horizon));
        self.path.push(PathNode { node: root, horizon, position });
        while !self.arena.node(root).is_solved() {
            self.select();
            self.expand()?;
            self.update();
        }
        if self.arena.node(root).is_refuted() {
            return Ok(if self.arena.node(root).is_marked() { Finding::Nothing } else { Finding::Refuted });
        }
        let mut tree = ProofTree::new();
        self.write(root, &mut tree);
        Ok(Finding::Proved(tree))
    }

    fn meter(&self) -> &Meter<'_> {
        self.meter
    }
}
