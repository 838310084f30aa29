//! The loop of the paper: select the most-proving node, expand it, update its ancestors.

use shakmaty::Color;

use crate::chess::{MOVE_CAPACITY, MateLength, Move, MoveCode, MoveList, Moves, NodeKind, Position};
use crate::proof::{Facts, ProofTree};
use crate::search::arena::{Arena, Edge, MATE, Node, NodeIndex, REPETITION, Region};
use crate::search::numbers::ProofNumbers;
use crate::search::{Interrupted, Meter, StopReason, Task};

use super::horizon::Horizon;
use super::{Graph, Init, PnOptions, proof};

/// How a search without interruption ends.
#[derive(Debug)]
pub(super) enum Outcome {
    /// There is a mate within the horizon.
    Proved(ProofTree),
    /// There is none: every disproof is exact.
    Refuted,
    /// The graph is exhausted, but a disproof leaned on a repetition: nothing is known.
    Tainted,
}

/// A node on the path from the root to the most-proving node.
struct Step {
    node: NodeIndex,
    horizon: Horizon,
    position: Position,
}

/// What a move leads to, before it is known whether it is worth a node.
#[derive(Clone, Copy)]
enum Child {
    /// A node that exists.
    Known(NodeIndex),
    /// A node to be made. `mate` is the move that proves an OR node in one.
    Fresh { key: u64, numbers: ProofNumbers, mate: Option<Move> },
}

/// How often a node is recomputed in one update before it is left to a later one. In a graph without cycles nodes
/// hardly ever get there; around a cycle the sums would otherwise feed on themselves without end.
const REVISITS: u8 = 8;

/// A collection that frees less than one node in so many does not pay for itself.
const WORTHWHILE: usize = 8;

/// One graph and everything that grows it.
pub(super) struct Search<'r, 'c> {
    arena: Arena<'r>,
    options: PnOptions,
    attacker: Color,
    meter: &'r mut Meter<'c>,
    facts: &'r Facts,
    path: Vec<Step>,
    queue: Vec<NodeIndex>,
    staged: Vec<(Move, Child)>,
}

impl<'r, 'c> Search<'r, 'c> {
    /// A search that takes its memory from `region`.
    pub(super) fn new(
        region: &'r Region,
        options: PnOptions,
        task: &Task,
        meter: &'r mut Meter<'c>,
        facts: &'r Facts,
    ) -> Search<'r, 'c> {
        Search {
            arena: Arena::new(region, task.memory, options.graph == Graph::Dag),
            options,
            attacker: task.attacker,
            meter,
            facts,
            path: Vec::new(),
            queue: Vec::new(),
            staged: Vec::new(),
        }
    }

    /// The nodes made so far.
    pub(super) fn nodes(&self) -> u64 {
        self.meter.count()
    }

    /// Looks for a mate from `position` within `horizon` until there is an answer.
    pub(super) fn prove(&mut self, position: &Position, horizon: Horizon) -> Result<Outcome, Interrupted> {
        self.leave_path(0);
        if self.options.graph == Graph::Tree {
            self.arena.clear();
        }
        let mut root = self.plant(position, horizon)?;
        loop {
            let node = self.arena.node(root);
            if node.numbers.is_proved() {
                return Ok(Outcome::Proved(proof::extract(&mut self.arena, root)));
            }
            if node.numbers.is_disproved() {
                return Ok(if node.is_tainted() { Outcome::Tainted } else { Outcome::Refuted });
            }
            if !self.arena.make_room(MOVE_CAPACITY) {
                root = self.make_space(root)?;
            }
            if self.path.is_empty() {
                self.follow(root, horizon, *position);
            }
            if self.select_most_proving() {
                self.expand_and_update()?;
            }
        }
    }

    /// The root's node.
    fn plant(&mut self, position: &Position, horizon: Horizon) -> Result<NodeIndex, Interrupted> {
        if !self.arena.make_room(MOVE_CAPACITY) {
            return Err(StopReason::Memory);
        }
        let kind = NodeKind::of(position.turn(), self.attacker);
        let child = self.evaluate(position, kind, horizon)?;
        Ok(self.admit(child, kind, horizon))
    }

    /// Frees solved subtrees, or gives up if that frees too little.
    fn make_space(&mut self, root: NodeIndex) -> Result<NodeIndex, Interrupted> {
        self.leave_path(0);
        let collected = self.arena.collect(root);
        let freed = collected.before - collected.after;
        if freed * WORTHWHILE < collected.before || !self.arena.make_room(MOVE_CAPACITY) {
            return Err(StopReason::Memory);
        }
        Ok(collected.root)
    }
}

// Selecting.
impl Search<'_, '_> {
    /// Follows the most-proving children to a leaf, which is then the end of the path. `false` if the graph had to be
    /// corrected on the way; then the selection starts anew.
    fn select_most_proving(&mut self) -> bool {
        self.leave_path(self.unchanged_path());
        while let Some(step) = self.path.last() {
            let id = step.node;
            if !self.arena.node(id).is_expanded() {
                return true;
            }
            let edge = *self.arena.best_edge(id);
            let child = *self.arena.node(edge.child);
            if child.numbers.is_solved() || child.is_on_path() {
                // Either the update left this node alone once too often, or the path bites its tail.
                if child.is_on_path() {
                    self.arena.cut_best_edge(id);
                }
                self.enqueue(id);
                self.update_queued();
                return false;
            }
            let horizon = match self.arena.node(id).kind() {
                NodeKind::Or => step.horizon.after_attack(),
                NodeKind::And => step.horizon,
            };
            let position = step.position.play(edge.played);
            self.follow(edge.child, horizon, position);
        }
        false
    }

    /// How many steps of the last path still are what would be selected from the root.
    fn unchanged_path(&self) -> usize {
        let mut kept = 1;
        while kept < self.path.len() {
            let (above, here) = (self.path[kept - 1].node, self.path[kept].node);
            if self.arena.best_edge(above).child != here || self.arena.node(here).numbers.is_solved() {
                break;
            }
            kept += 1;
        }
        kept
    }

    fn follow(&mut self, node: NodeIndex, horizon: Horizon, position: Position) {
        self.arena.node_mut(node).set_on_path(true);
        self.path.push(Step { node, horizon, position });
    }

    /// Leaves the path beyond its first `kept` steps.
    fn leave_path(&mut self, kept: usize) {
        while self.path.len() > kept {
            if let Some(step) = self.path.pop() {
                self.arena.node_mut(step.node).set_on_path(false);
            }
        }
    }
}

// Expanding.
impl Search<'_, '_> {
    /// Expands the leaf at the end of the path and updates its ancestors.
    fn expand_and_update(&mut self) -> Result<(), Interrupted> {
        let Some(&Step { node: leaf, horizon, position }) = self.path.last() else { return Ok(()) };
        let kind = self.arena.node(leaf).kind();
        let (child_kind, child_horizon) = match kind {
            NodeKind::Or => (NodeKind::And, horizon.after_attack()),
            NodeKind::And => (NodeKind::Or, horizon),
        };
        self.staged.clear();
        for m in position.legal_moves() {
            self.meter.node()?;
            let child = self.evaluate(&position.play(m), child_kind, child_horizon)?;
            let numbers = self.numbers(child);
            match kind {
                NodeKind::Or if numbers.is_proved() => {
                    self.staged.clear();
                    self.staged.push((m, child));
                    break;
                }
                NodeKind::Or if numbers.is_disproved() => self.inherit_taint(leaf, child),
                NodeKind::And if numbers.is_disproved() => {
                    self.inherit_taint(leaf, child);
                    self.refute(leaf);
                    self.enqueue_parents(leaf);
                    self.update_queued();
                    return Ok(());
                }
                _ => self.staged.push((m, child)),
            }
        }
        self.grow(leaf, child_kind, child_horizon);
        self.enqueue(leaf);
        self.update_queued();
        Ok(())
    }

    /// Gives the leaf its staged children.
    fn grow(&mut self, leaf: NodeIndex, kind: NodeKind, horizon: Horizon) {
        let mut staged = std::mem::take(&mut self.staged);
        for (_, child) in &mut staged {
            *child = Child::Known(self.admit(*child, kind, horizon));
        }
        let edges = staged.iter().filter_map(|&(m, child)| match child {
            Child::Known(id) => Some((m, id)),
            Child::Fresh { .. } => None,
        });
        self.arena.expand(leaf, edges);
        self.staged = staged;
    }

    fn inherit_taint(&mut self, leaf: NodeIndex, child: Child) {
        if let Child::Known(id) = child
            && self.arena.node(id).is_tainted()
        {
            self.arena.node_mut(leaf).taint();
        }
    }

    fn numbers(&self, child: Child) -> ProofNumbers {
        match child {
            Child::Known(id) => self.arena.node(id).numbers,
            Child::Fresh { numbers, .. } => numbers,
        }
    }

    /// The node of an evaluated position, made if it does not exist.
    fn admit(&mut self, child: Child, kind: NodeKind, horizon: Horizon) -> NodeIndex {
        let Child::Fresh { key, numbers, mate } = child else {
            let Child::Known(id) = child else { return REPETITION };
            return id;
        };
        let id = self.arena.add(Node::new(kind, key, numbers, horizon.to_bits()));
        if let Some(m) = mate {
            self.arena.expand(id, std::iter::once((m, MATE)));
            self.publish_proof(id, 1, m.code());
        }
        id
    }

    /// What is known of a position without searching it: solved, met before, or a leaf with its first numbers.
    fn evaluate(&mut self, position: &Position, kind: NodeKind, horizon: Horizon) -> Result<Child, Interrupted> {
        if let Some(id) = self.known(position, horizon) {
            return Ok(Child::Known(id));
        }
        let fresh = |numbers, mate| Child::Fresh { key: position.key() ^ horizon.salt(), numbers, mate };
        let refuted = fresh(ProofNumbers::DISPROVED, None);
        let left = horizon.moves();
        if left.is_some_and(|n| self.facts.get(position.key()).refutes(n)) || self.is_bare(position) {
            return Ok(refuted);
        }
        if kind == NodeKind::Or && (left == Some(1) || self.options.mate_in_one) {
            if let Some(m) = self.mate_in_one(position)? {
                return Ok(fresh(ProofNumbers::PROVED, Some(m)));
            }
            if left == Some(1) {
                return Ok(refuted);
            }
        }
        let moves = match self.options.init {
            Init::Mobility => position.count_moves(),
            Init::Unit => usize::from(position.has_move()),
        };
        if moves == 0 {
            let mated = kind == NodeKind::And && position.is_check();
            return Ok(if mated { Child::Known(MATE) } else { refuted });
        }
        if left == Some(0) {
            return Ok(refuted);
        }
        let level = self.path.len() as u32;
        let numbers = ProofNumbers::leaf(kind, moves as u32, self.options.depth_weight.saturating_mul(level));
        Ok(fresh(numbers, None))
    }

    /// The node that answers for a position: one that proves it soon enough, the one it has had all along, or the
    /// repetition if it is on the path.
    fn known(&self, position: &Position, horizon: Horizon) -> Option<NodeIndex> {
        if self.options.graph == Graph::Tree {
            let on_path = |step: &Step| step.position.key() == position.key();
            let repeated = horizon == Horizon::NONE && self.path.iter().any(on_path);
            return repeated.then_some(REPETITION);
        }
        if let Some(left) = horizon.moves()
            && let Some(id) = self.arena.find(position.key())
        {
            let node = self.arena.node(id);
            if node.numbers.is_proved() && node.span <= left {
                return Some(id);
            }
        }
        let id = self.arena.find(position.key() ^ horizon.salt())?;
        Some(if self.arena.node(id).is_on_path() { REPETITION } else { id })
    }

    /// A lone king mates nobody.
    fn is_bare(&self, position: &Position) -> bool {
        position.by_color(self.attacker).count() == 1
    }

    /// A move that mates at once. Every check tried is a node.
    fn mate_in_one(&mut self, position: &Position) -> Result<Option<Move>, Interrupted> {
        let mut checks = MoveList::new();
        position.generate(Moves::Checks, &mut checks);
        for m in checks {
            self.meter.node()?;
            if !position.play(m).has_move() {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}

// Updating.
impl Search<'_, '_> {
    fn enqueue(&mut self, id: NodeIndex) {
        let node = self.arena.node_mut(id);
        if !node.is_queued() && !node.numbers.is_solved() {
            node.set_queued(true);
            self.queue.push(id);
        }
    }

    fn enqueue_parents(&mut self, id: NodeIndex) {
        let mut edge = self.arena.first_parent(id).copied();
        while let Some(Edge { parent, .. }) = edge {
            self.enqueue(parent);
            edge = edge.and_then(|edge| self.arena.next_parent(&edge).copied());
        }
    }

    /// Recomputes what waits in the queue and, where something changed, all parents, until nothing changes.
    fn update_queued(&mut self) {
        let mut at = 0;
        while let Some(&id) = self.queue.get(at) {
            at += 1;
            self.arena.node_mut(id).set_queued(false);
            if self.recompute(id) {
                self.enqueue_parents(id);
            }
        }
        for &id in &self.queue {
            self.arena.node_mut(id).visits = 0;
        }
        self.queue.clear();
    }

    /// Backs a node's numbers up from its children; says whether they changed.
    fn recompute(&mut self, id: NodeIndex) -> bool {
        let node = self.arena.node(id);
        if node.numbers.is_solved() || node.visits == REVISITS {
            return false;
        }
        let (kind, old) = (node.kind(), node.numbers);
        let mut numbers = ProofNumbers::of_no_children(kind);
        let mut best = 0;
        for (i, edge) in self.arena.edges(id).enumerate() {
            if numbers.absorb(kind, self.arena.node(edge.child).numbers) {
                best = i as u16;
            }
        }
        let node = self.arena.node_mut(id);
        node.visits += 1;
        node.best = best;
        if numbers.is_proved() {
            self.prove_node(id, kind);
        } else if numbers.is_disproved() {
            self.disprove_node(id, kind);
        } else {
            node.numbers = numbers;
        }
        numbers != old
    }

    /// Settles a node whose children prove it.
    fn prove_node(&mut self, id: NodeIndex, kind: NodeKind) {
        let (best, length) = proof::shortest(&self.arena, id);
        let node = self.arena.node_mut(id);
        node.numbers = ProofNumbers::PROVED;
        node.best = best;
        let code = match kind {
            NodeKind::Or => self.arena.best_edge(id).played.code(),
            NodeKind::And => MoveCode::NONE,
        };
        self.publish_proof(id, length, code);
    }

    /// Settles a node whose children disprove it. An OR node needs all of them, so one tainted child taints it; an AND
    /// node needs one, so one clean child keeps it clean.
    fn disprove_node(&mut self, id: NodeIndex, kind: NodeKind) {
        let tainted = {
            let mut children = self.arena.edges(id).map(|edge| self.arena.node(edge.child));
            match kind {
                NodeKind::Or => children.any(Node::is_tainted),
                NodeKind::And => children.all(|child| child.is_tainted() || !child.numbers.is_disproved()),
            }
        };
        if tainted {
            self.arena.node_mut(id).taint();
        }
        self.refute(id);
    }

    /// Records a disproof, which is a fact if the node has a horizon.
    fn refute(&mut self, id: NodeIndex) {
        let node = self.arena.node_mut(id);
        node.numbers = ProofNumbers::DISPROVED;
        let horizon = Horizon::from_bits(node.span);
        if let Some(left) = horizon.moves()
            && !node.is_tainted()
        {
            self.facts.refute(node.key ^ horizon.salt(), left);
        }
    }

    /// Records a proof of so many moves, which is a fact in any case, and lets it be found with any horizon.
    fn publish_proof(&mut self, id: NodeIndex, length: u16, code: MoveCode) {
        let node = self.arena.node_mut(id);
        let horizon = Horizon::from_bits(node.span);
        let key = node.key ^ horizon.salt();
        node.span = length;
        if length <= MateLength::MAX.0 {
            self.facts.prove(key, length, code);
        }
        if horizon != Horizon::NONE {
            self.arena.rekey(id, key);
        }
    }
}
