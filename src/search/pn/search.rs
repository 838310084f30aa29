//! The loop of the paper: select the most-proving node, expand it, update its ancestors (the last in `update`).

use hashbrown::HashSet;
use shakmaty::Color;

use crate::chess::{MOVE_CAPACITY, MateLength, Move, NodeKind, Position};
use crate::proof::Facts;
use crate::search::arena::{Arena, MATE, Node, NodeIndex, REPETITION, Region};
use crate::search::descend::Finding;
use crate::search::numbers::ProofNumbers;
use crate::search::{Interrupted, Meter, StopReason, Task};

use super::{Graph, Init, PnOptions, proof};
use crate::search::horizon::Horizon;

/// A node on the path from the root to the most-proving node.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: NodeIndex,
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

/// Plies of the longest path that is followed, twice what the longest published mates need. Where every defence is
/// forced, proof numbers see no reason to stop wandering; a path given up counts as a repetition, taint included.
const LONGEST: usize = 512;

/// A collection that frees less than one node in so many does not pay for itself.
const WORTHWHILE: usize = 8;

/// One graph and everything that grows it.
pub(super) struct PnSearch<'r, 'c> {
    pub(super) arena: Arena<'r>,
    options: PnOptions,
    attacker: Color,
    pub(super) meter: &'r mut Meter<'c>,
    pub(super) facts: &'r Facts,
    pub(super) path: Vec<Step>,
    /// How many of the path's first steps are known to be what would be selected again.
    pub(super) sure: usize,
    /// The positions on the path; only kept in tree mode, where no node remembers that it is on it.
    keys_on_path: HashSet<u64>,
    pub(super) queue: Vec<NodeIndex>,
    staged: Vec<(Move, Child)>,
}

impl<'r, 'c> PnSearch<'r, 'c> {
    /// A search that takes its memory from `region`.
    pub(super) fn new(
        region: &'r Region,
        options: PnOptions,
        task: &Task,
        meter: &'r mut Meter<'c>,
        facts: &'r Facts,
    ) -> PnSearch<'r, 'c> {
        PnSearch {
            arena: Arena::new(region, task.memory, options.graph == Graph::Dag),
            options,
            attacker: task.attacker,
            meter,
            facts,
            path: Vec::new(),
            sure: 0,
            keys_on_path: HashSet::new(),
            queue: Vec::new(),
            staged: Vec::new(),
        }
    }

    /// Looks for a mate from `position` within `horizon` until there is an answer. There is none if the graph is exhausted
    /// and a disproof leaned on a repetition.
    pub(super) fn prove(&mut self, position: &Position, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.leave_path(0);
        if self.options.graph == Graph::Tree {
            self.arena.clear();
        }
        let mut root = self.plant(position, horizon)?;
        loop {
            let node = self.arena.node(root);
            if node.numbers.is_proved() {
                return Ok(Finding::Proved(proof::extract(&mut self.arena, root)));
            }
            if node.numbers.is_disproved() {
                return Ok(if node.is_tainted() { Finding::Nothing } else { Finding::Refuted });
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
    pub(super) fn plant(&mut self, position: &Position, horizon: Horizon) -> Result<NodeIndex, Interrupted> {
        if !self.arena.make_room(MOVE_CAPACITY) {
            return Err(StopReason::Memory);
        }
        let kind = NodeKind::of(position.turn(), self.attacker);
        let child = self.evaluate(position, kind, horizon);
        Ok(self.admit(child, kind, horizon))
    }

    /// Frees solved subtrees; if that is not worth its while, untouched leaves too; or gives up.
    fn make_space(&mut self, mut root: NodeIndex) -> Result<NodeIndex, Interrupted> {
        self.leave_path(0);
        for free in [Arena::collect, Arena::trim] {
            let collected = free(&mut self.arena, root);
            root = collected.root;
            let freed = collected.before - collected.after;
            if freed * WORTHWHILE > collected.before && self.arena.make_room(MOVE_CAPACITY) {
                return Ok(root);
            }
        }
        Err(StopReason::Memory)
    }
}

// Selecting.
impl PnSearch<'_, '_> {
    /// Follows the most-proving children to a leaf, which is then the end of the path. `false` if the graph had to be
    /// corrected on the way; then the selection starts anew.
    pub(super) fn select_most_proving(&mut self) -> bool {
        let kept = self.unchanged_path();
        self.leave_path(kept);
        while let Some(&Step { node: id, horizon, position }) = self.path.last() {
            if !self.arena.node(id).is_expanded() {
                self.sure = self.path.len();
                return true;
            }
            let edge = *self.arena.best_edge(id);
            let child = *self.arena.node(edge.child);
            if child.is_stale() && !child.is_on_path() && self.settle_stale(edge.child) {
                self.update_queued();
                return false;
            }
            if child.is_on_path() || self.path.len() >= LONGEST {
                // The path bites its tail, or wanders.
                self.arena.cut_best_edge(id);
                self.enqueue(id);
                self.update_queued();
                return false;
            }
            let horizon = match self.arena.node(id).kind() {
                NodeKind::Or => horizon.after_attack(),
                NodeKind::And => horizon,
            };
            self.follow(edge.child, horizon, position.play(edge.played));
        }
        false
    }

    /// How many steps of the last path still are what would be selected from the root.
    fn unchanged_path(&self) -> usize {
        let mut kept = self.sure.clamp(1, self.path.len());
        while kept < self.path.len() {
            let (above, here) = (self.path[kept - 1].node, self.path[kept].node);
            if self.arena.best_edge(above).child != here || self.arena.node(here).numbers.is_solved() {
                break;
            }
            kept += 1;
        }
        kept
    }

    pub(super) fn follow(&mut self, node: NodeIndex, horizon: Horizon, position: Position) {
        self.arena.node_mut(node).set_on_path(true);
        if self.options.graph == Graph::Tree {
            self.keys_on_path.insert(position.key());
        }
        self.path.push(Step { node, horizon, position });
    }

    /// Leaves the path beyond its first `kept` steps.
    pub(super) fn leave_path(&mut self, kept: usize) {
        self.sure = self.sure.min(kept);
        while self.path.len() > kept {
            if let Some(step) = self.path.pop() {
                self.arena.node_mut(step.node).set_on_path(false);
                if self.options.graph == Graph::Tree {
                    self.keys_on_path.remove(&step.position.key());
                }
            }
        }
    }
}

// Expanding.
impl PnSearch<'_, '_> {
    /// Expands the leaf at the end of the path and updates its ancestors.
    pub(super) fn expand_and_update(&mut self) -> Result<(), Interrupted> {
        let Some(&Step { node: leaf, horizon, position }) = self.path.last() else { return Ok(()) };
        let kind = self.arena.node(leaf).kind();
        let (child_kind, child_horizon) = match kind {
            NodeKind::Or => (NodeKind::And, horizon.after_attack()),
            NodeKind::And => (NodeKind::Or, horizon),
        };
        self.staged.clear();
        for m in position.legal_moves() {
            self.meter.node()?;
            let child = self.evaluate(&position.play(m), child_kind, child_horizon);
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
    fn evaluate(&self, position: &Position, kind: NodeKind, horizon: Horizon) -> Child {
        if let Some(id) = self.known(position, horizon) {
            return Child::Known(id);
        }
        let fresh = |numbers, mate| Child::Fresh { key: position.key() ^ horizon.salt(), numbers, mate };
        let refuted = fresh(ProofNumbers::DISPROVED, None);
        let left = horizon.moves();
        if left.is_some_and(|n| self.facts.get(position.key()).bounds.refutes(MateLength(n))) || self.is_bare(position)
        {
            return refuted;
        }
        if kind == NodeKind::Or && (left == Some(1) || self.options.mate_in_one) {
            if let Some(m) = position.mate_in_one() {
                return fresh(ProofNumbers::PROVED, Some(m));
            }
            if left == Some(1) {
                return refuted;
            }
        }
        let moves = match self.options.init {
            Init::Mobility => position.count_moves(),
            Init::Unit => usize::from(position.has_move()),
        };
        if moves == 0 {
            let mated = kind == NodeKind::And && position.is_check();
            return if mated { Child::Known(MATE) } else { refuted };
        }
        if left == Some(0) {
            return refuted;
        }
        let level = self.path.len() as u32;
        let numbers = ProofNumbers::leaf(kind, moves as u32, self.options.depth_weight.saturating_mul(level));
        fresh(numbers, None)
    }

    /// The node that answers for a position: one that proves it soon enough, the one it has had all along, or the
    /// repetition if it is on the path.
    fn known(&self, position: &Position, horizon: Horizon) -> Option<NodeIndex> {
        if self.options.graph == Graph::Tree {
            let repeated = horizon == Horizon::NONE && self.keys_on_path.contains(&position.key());
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
}
