//! PROVER: best-first proof-number search on a tree, as in the paper.
//!
//! CITE: Breuker, Allis & van den Herik 1994, "Mate in 38: Applying Proof-Number Search to Chess".
//!
//! From the root the search goes to a child with the same proof number at OR nodes, and to one with the same disproof
//! number at AND nodes. The leaf that it reaches is the **most-proving node**: it belongs to a smallest set of leaves
//! that proves the root, and to a smallest set that disproves it. The leaf is expanded, the path is updated, and the
//! selection starts again. Every sequence of moves has its own node, and the children of a node lie side by side. Moves
//! of the attacker that are disproved at once get none, and a move that decides its node is the only child. The numbers
//! of a leaf come from the number of its legal moves ([`Init`]).
//!
//! `docs/papers.md` compares it with the paper. For longer mates the program has `pn`, which searches a graph by
//! thresholds.

use shakmaty::Color;

use crate::chess::{Move, NodeKind, Position};
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::descend::{Finding, descend};
use crate::search::horizon::{Horizon, NEAR_BOUND};
use crate::search::numbers::ProofNumbers;
use crate::search::{Answer, Engine, Facts, Interrupted, Meter, Observer, StopReason, Task};

/// The longest path that is followed, in plies. A leaf at its end counts as a repetition: it is disproved on this path.
/// Halved, longer mates are missed; doubled, a path takes more memory.
const LONGEST_PATH: usize = 512;

/// The numbers of a new leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Init {
    /// With n legal moves: (1, n) at OR nodes and (n, 1) at AND nodes.
    #[default]
    Mobility,
    /// (1, 1), as in games where counting the moves costs more than it helps.
    Unit,
}

/// The engine `prover`. Each call begins a new tree.
#[derive(Debug, Clone, Copy, Default)]
pub struct TreeProver {
    /// The numbers of a new leaf.
    pub init: Init,
}

impl Engine for TreeProver {
    fn name(&self) -> &'static str {
        "prover"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, _: &Facts, observer: &mut dyn Observer) -> Answer {
        let init = self.init;
        let mut search = |meter: &mut Meter<'_>, horizon| TreeSearch::new(init, task, meter).search(task, horizon);
        descend(task, NEAR_BOUND, meter, &mut search, observer)
    }
}

/// The tree of one question, and its node counter.
struct TreeSearch<'s, 'c> {
    /// The root and, after it, the children of each expanded node together.
    nodes: Vec<TreeNode>,
    most_nodes: usize,
    init: Init,
    attacker: Color,
    meter: &'s mut Meter<'c>,
    /// The keys of the positions on the way to the most-proving node.
    path: Vec<u64>,
    /// Whether a leaf of the tree repeats a position. Then a disproof of the root proves nothing.
    repeats: bool,
}

/// A sequence of moves: its last one, and the numbers of the position after it.
#[derive(Clone, Copy)]
struct TreeNode {
    played: Option<Move>,
    numbers: ProofNumbers,
    /// The first of its children; 0 if it has not been expanded.
    first: u32,
    count: u16,
    /// The child to search next, or the one that proves or disproves the node.
    best: u16,
}

impl TreeNode {
    fn best_child(&self) -> usize {
        self.first as usize + usize::from(self.best)
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}

impl<'s, 'c> TreeSearch<'s, 'c> {
    /// Returns a search whose tree takes at most `memory` bytes.
    fn new(init: Init, task: &Task, meter: &'s mut Meter<'c>) -> TreeSearch<'s, 'c> {
        // A list that grew would exist twice for a moment.
        let (mut nodes, wanted) = (Vec::new(), (task.memory / size_of::<TreeNode>()).min(u32::MAX as usize));
        let most_nodes = if nodes.try_reserve_exact(wanted).is_ok() { wanted } else { 0 };
        TreeSearch { nodes, most_nodes, init, attacker: task.attacker(), meter, path: Vec::new(), repeats: false }
    }

    /// Expands the most-proving leaf below a node, and computes the numbers of the nodes on the way to it.
    fn visit(&mut self, id: usize, position: &Position, kind: NodeKind, horizon: Horizon) -> Result<(), Interrupted> {
        self.path.push(position.key());
        let below = horizon.below(kind);
        let node = self.nodes[id];
        if node.first == 0 {
            self.expand(id, position, kind, below)?;
        } else if let Some(m) = self.nodes[node.best_child()].played {
            self.visit(node.best_child(), &position.play(m), kind.other(), below)?;
        }
        self.path.pop();
        self.update(id, kind);
        Ok(())
    }

    /// Gives a leaf its children. An interrupted expansion leaves it a leaf.
    fn expand(&mut self, leaf: usize, position: &Position, kind: NodeKind, below: Horizon) -> Result<(), Interrupted> {
        let mut children = Vec::new();
        for &m in &position.legal_moves() {
            self.meter.node()?;
            let child = self.evaluate(Some(m), &position.play(m), kind.other(), below);
            let decides = if kind == NodeKind::Or { child.numbers.is_proved() } else { child.numbers.is_disproved() };
            if decides {
                children = vec![child];
                break;
            }
            if !(kind == NodeKind::Or && child.numbers.is_disproved()) {
                children.push(child);
            }
        }
        if self.nodes.len() + children.len() > self.most_nodes {
            return Err(StopReason::Memory);
        }
        let (first, count) = (self.nodes.len() as u32, children.len() as u16);
        self.nodes[leaf] = TreeNode { first, count, ..self.nodes[leaf] };
        self.nodes.extend(children);
        Ok(())
    }

    /// Returns the leaf of a position.
    fn evaluate(&mut self, played: Option<Move>, position: &Position, kind: NodeKind, horizon: Horizon) -> TreeNode {
        let is_too_long = self.path.len() >= LONGEST_PATH;
        let repeats = is_too_long || (horizon == Horizon::NONE && self.path.contains(&position.key()));
        self.repeats |= repeats;
        let moves = || match self.init {
            Init::Mobility => position.count_moves(),
            Init::Unit => usize::from(position.has_move()),
        };
        let is_out_of_moves = horizon.moves().is_some_and(|left| left.0 == 0);
        let numbers = match if repeats { 0 } else { moves() } {
            0 if !repeats && kind == NodeKind::And && position.is_check() => ProofNumbers::PROVED,
            0 => ProofNumbers::DISPROVED,
            _ if is_out_of_moves || !position.by_color(self.attacker).more_than_one() => ProofNumbers::DISPROVED,
            moves => ProofNumbers::leaf(kind, moves as u32),
        };
        TreeNode { played, numbers, first: 0, count: 0, best: 0 }
    }

    /// Computes the numbers of a node from those of its children.
    fn update(&mut self, id: usize, kind: NodeKind) {
        let children = &self.nodes[self.nodes[id].children()];
        let (mut numbers, mut best) = (ProofNumbers::of_no_children(kind), 0);
        for (i, child) in (0..).zip(children) {
            if numbers.absorb(kind, child.numbers) {
                best = i;
            }
        }
        (self.nodes[id].numbers, self.nodes[id].best) = (numbers, best);
    }

    /// Writes the proof of a node.
    fn write(&self, id: usize, kind: NodeKind, tree: &mut ProofTree) -> NodeId {
        let node = &self.nodes[id];
        let mut child = |at: usize| {
            let below = self.write(at, kind.other(), tree);
            self.nodes[at].played.map(|m| (m.code(), below))
        };
        let proof = match kind {
            _ if node.first == 0 => ProofNode::MATE,
            NodeKind::Or => child(node.best_child()).map_or(ProofNode::MATE, |(m, below)| ProofNode::Attack(m, below)),
            NodeKind::And => ProofNode::Defend(node.children().filter_map(child).collect()),
        };
        tree.push(proof)
    }

    fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        let (position, kind) = (task.position, task.root_kind());
        let root = self.evaluate(None, &position, kind, horizon);
        self.nodes.push(root);
        while !self.nodes[0].numbers.is_solved() {
            self.visit(0, &position, kind, horizon)?;
        }
        if self.nodes[0].numbers.is_disproved() {
            return Ok(if self.repeats { Finding::Nothing } else { Finding::Refuted });
        }
        let mut tree = ProofTree::new();
        self.write(0, kind, &mut tree);
        Ok(Finding::Proved(tree))
    }
}
