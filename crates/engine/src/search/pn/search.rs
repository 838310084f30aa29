//! The visits: OR nodes, AND nodes and their thresholds.
//!
//! A visit searches below a node until it is solved, nothing but repetitions is left, or one of its numbers reaches the
//! **threshold** passed to it: then its parent, or an ancestor, has a more promising child. At its beginning a visit
//! reads the numbers of the open children once, because they may have changed on other paths. After that it compares
//! the edges and reads again only the child that it chooses.

use crate::chess::{MateLength, Move, NodeKind, Position};
use crate::search::Facts;
use crate::search::numbers::attempt::Attempt;
use crate::search::numbers::child_bounds::ChildBounds;
use crate::search::numbers::leaf;
use crate::search::numbers::shared::{MIN_SHARED_WORK, is_shared_proof};

use crate::search::numbers::{HOPELESS, INFINITY, LONGEST_PATH, ProofNumbers};
use crate::search::{Interrupted, Meter, StopReason};

use super::PnGraph;
use super::store::{Child, Node};

/// The largest disproof number of an OR node without a horizon. Where lines repeat, the numbers of the nodes on a cycle
/// add to each other. With nothing to bound them the search would walk among known nodes to exceed them; above the
/// bound the proof number alone decides. With 2^20 or 2^12 one or four mates fewer of 304 are found
/// (`benches/tuning/pn.md`).
const MOST_DN: u32 = 1 << 16;

/// A visit to the best child ends a sixteenth above the number of the second best. With 8 three mates fewer of 304 are
/// found, with 12 two more (`benches/tuning/pn.md`).
const EPSILON_PART: u32 = 16;

/// The visits that may follow one another without a new position. Then one node is counted, so that every limit ends
/// the search. Doubled, limits are noticed later; halved, more nodes are counted that make no position.
const IDLE_VISITS: u32 = 64;

/// A search on a graph, for as long as its meter is at hand. The graph outlives it.
pub(super) struct PnSearch<'s, 'r, 'c> {
    pub graph: &'s mut PnGraph<'r>,
    pub meter: &'s mut Meter<'c>,
    pub facts: &'s Facts,
    /// The number of nodes on the path.
    pub ply: usize,
    /// The visits without a new position, and the meter's count at the last one.
    idle: (u32, u64),
}

/// The end of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    /// The node is solved, or one of its numbers has reached the threshold.
    Ended,
    /// Nothing is left at the node but lines back to the path.
    Repeats,
}

impl<'s, 'r, 'c> PnSearch<'s, 'r, 'c> {
    pub fn new(graph: &'s mut PnGraph<'r>, meter: &'s mut Meter<'c>, facts: &'s Facts) -> PnSearch<'s, 'r, 'c> {
        PnSearch { graph, meter, facts, ply: 0, idle: (0, 0) }
    }

    /// Searches the position until it is proved or disproved, or until nothing is left but repetitions. Returns its
    /// node.
    pub fn solve(&mut self, position: &Position, attempt: Attempt) -> Result<Child, Interrupted> {
        let mut root = self.root(position, attempt)?;
        let pn = if attempt.moves().is_none() { HOPELESS } else { INFINITY };
        let threshold = ProofNumbers { pn, dn: INFINITY };
        while !self.graph.store.node(root).numbers.is_solved() {
            match self.visit(root, position, attempt, threshold) {
                Err(StopReason::Memory) => {
                    root = self.graph.store.fold(root)?;
                    // A graph that was full is large, however few nodes its memory holds.
                    self.graph.options.depth_weight = 0;
                }
                visit => {
                    visit?;
                    break;
                }
            }
        }
        Ok(root)
    }

    /// Returns the node of the root position, which is made if it does not exist.
    fn root(&mut self, position: &Position, attempt: Attempt) -> Result<Child, Interrupted> {
        let kind = NodeKind::of(position.turn(), self.graph.attacker);
        self.graph.root_flights = leaf::flights(position, kind);
        let key = position.key() ^ attempt.horizon.salt();
        if let Some(id) = self.graph.store.find(key) {
            return Ok(id);
        }
        let value = match kind {
            NodeKind::Or => leaf::or_node(position, attempt),
            NodeKind::And => leaf::and_node(position, attempt),
        };
        let mut node = Node::new(kind, key, value.numbers);
        node.length = value.length;
        self.graph.store.add(node)
    }

    /// Searches below a node until it is solved or one of its numbers reaches the threshold.
    fn visit(
        &mut self,
        id: Child,
        position: &Position,
        attempt: Attempt,
        threshold: ProofNumbers,
    ) -> Result<Visit, Interrupted> {
        self.look()?;
        let before = self.meter.count();
        self.graph.store.node_mut(id).set_on_path(true);
        self.ply += 1;
        let kind = self.graph.store.node(id).kind();
        let threshold = attempt.raise_threshold(kind, threshold);
        let result = match kind {
            NodeKind::Or => self.or_node(id, position, attempt, threshold),
            NodeKind::And => self.and_node(id, position, attempt, threshold),
        };
        self.ply -= 1;
        let work = self.meter.count() - before;
        let node = self.graph.store.node_mut(id);
        node.set_on_path(false);
        node.add_work(work);
        result
    }

    /// Checks the limits, also where the search makes no node for a long time.
    #[inline]
    fn look(&mut self) -> Result<(), Interrupted> {
        self.meter.look()?;
        let count = self.meter.count();
        if self.idle.1 != count {
            self.idle = (0, count);
        }
        self.idle.0 += 1;
        if self.idle.0 > IDLE_VISITS { self.meter.node() } else { Ok(()) }
    }

    /// Searches an OR node: the attacker needs one proved child.
    fn or_node(
        &mut self,
        id: Child,
        position: &Position,
        attempt: Attempt,
        threshold: ProofNumbers,
    ) -> Result<Visit, Interrupted> {
        let (start, after) = (self.meter.count(), attempt.after_attack());
        let most_dn = if attempt.moves().is_none() { MOST_DN } else { INFINITY };
        if self.graph.store.node(id).is_expanded() {
            self.read_children(id);
        } else if !self.is_fact(id, attempt) {
            self.list_attacks(id, position, after)?;
        }
        loop {
            let node = *self.graph.store.node(id);
            if node.numbers.is_solved() {
                return Ok(Visit::Ended);
            }
            // All edges may be disproved, on this path at least.
            let Some(bounds) = self.bounds(&node, node.count, attempt).filter(|bounds| bounds.least < INFINITY) else {
                return Ok(self.record_disproof(id, node.count == 0, attempt, start));
            };
            let at = node.edges + bounds.best as u32;
            let numbers = ProofNumbers { pn: bounds.least, dn: bounds.sum.min(most_dn) };
            let edge = *self.graph.store.edge(at);
            if numbers.is_proved() {
                let length = self.graph.store.length(&edge).longer();
                self.graph.store.node_mut(id).best = bounds.best as u16;
                self.record_proof(id, length, Some(edge.played), attempt, start)?;
                return Ok(Visit::Ended);
            }
            self.graph.store.node_mut(id).numbers = numbers;
            if numbers.pn >= threshold.pn || numbers.dn >= threshold.dn {
                return Ok(Visit::Ended);
            }
            if edge.child == Child::QUIET {
                self.list_quiet_moves(id, position, after)?;
                continue;
            }
            if after.moves() == Some(MateLength(1)) {
                self.decide_last_attack(id, at, position, after)?;
                continue;
            }
            let (child, next) = self.child(at, position, after)?;
            if self.reread(at) && !self.gives_up(at) {
                let threshold = ProofNumbers {
                    pn: threshold.pn.min(bounds.best_child_threshold(EPSILON_PART)),
                    dn: (threshold.dn - numbers.dn).saturating_add(edge.numbers.dn),
                };
                let visit = self.visit(child, &next, after, threshold)?;
                self.take_numbers(at, visit);
            }
            self.remove_if_disproved(id, at);
        }
    }

    /// Returns whether another search has proved a mate from a node, which is proved then.
    fn is_fact(&mut self, id: Child, attempt: Attempt) -> bool {
        if !self.graph.reads_facts {
            return false;
        }
        let node = self.graph.store.node_mut(id);
        let known = self.facts.proved(node.key ^ attempt.horizon.salt());
        let Some(length) = known.filter(|&length| attempt.admits(length)) else { return false };
        (node.numbers, node.length) = (ProofNumbers::PROVED, length);
        true
    }

    /// Decides a check after which one move is left.
    fn decide_last_attack(
        &mut self,
        id: Child,
        at: u32,
        position: &Position,
        after: Attempt,
    ) -> Result<(), Interrupted> {
        let next = self.position(at, position)?;
        let edge = self.last_attack(&next, self.graph.store.edge(at).played, after)?;
        *self.graph.store.edge_mut(at) = edge;
        if edge.numbers.is_disproved() {
            self.graph.store.remove_edge(id, at);
        }
        Ok(())
    }

    /// Removes an edge of an OR node if it leads to a disproved node. An edge to a node on the path stays.
    fn remove_if_disproved(&mut self, id: Child, at: u32) {
        let store = &mut self.graph.store;
        if store.node(id).numbers.is_solved() {
            return;
        }
        let edge = *store.edge(at);
        if !edge.numbers.is_disproved() || !edge.child.is_node() {
            return;
        }
        if store.node(edge.child).numbers.is_disproved() {
            store.remove_edge(id, at);
        }
    }

    /// Searches an AND node: the attacker needs all children proved.
    fn and_node(
        &mut self,
        id: Child,
        position: &Position,
        attempt: Attempt,
        threshold: ProofNumbers,
    ) -> Result<Visit, Interrupted> {
        let start = self.meter.count();
        if self.graph.store.node(id).is_expanded() {
            self.read_children(id);
        } else if !self.is_fact(id, attempt) {
            self.list_replies(id, position, attempt)?;
        }
        loop {
            let node = *self.graph.store.node(id);
            if node.numbers.is_solved() {
                return Ok(Visit::Ended);
            }
            let Some(bounds) = self.bounds(&node, node.open, attempt) else {
                let store = &self.graph.store;
                let longest = node.range().map(|at| store.length(store.edge(at))).max().unwrap_or(MateLength(0));
                self.record_proof(id, longest, None, attempt, start)?;
                return Ok(Visit::Ended);
            };
            let at = node.edges + bounds.best as u32;
            let numbers = ProofNumbers { pn: bounds.sum, dn: bounds.least };
            let edge = *self.graph.store.edge(at);
            if numbers.is_disproved() {
                self.graph.order.record_refutation(edge.played);
                return Ok(self.record_disproof(id, self.is_refuted(id), attempt, start));
            }
            self.graph.store.node_mut(id).numbers = numbers;
            if numbers.pn >= threshold.pn || numbers.dn >= threshold.dn {
                return Ok(Visit::Ended);
            }
            if edge.child == Child::UNEVALUATED {
                let next = self.position(at, position)?;
                self.evaluate_reply(at, &next, attempt)?;
            } else {
                let (child, next) = self.child(at, position, attempt)?;
                if self.reread(at) && !self.gives_up(at) {
                    let threshold = ProofNumbers {
                        pn: (threshold.pn - numbers.pn).saturating_add(edge.numbers.pn),
                        dn: threshold.dn.min(bounds.best_child_threshold(EPSILON_PART)),
                    };
                    let visit = self.visit(child, &next, attempt, threshold)?;
                    self.take_numbers(at, visit);
                }
            }
            if !self.graph.store.node(id).numbers.is_solved() && self.graph.store.edge(at).numbers.is_proved() {
                self.graph.store.close_edge(id, at);
            }
        }
    }

    /// Returns whether a reply refutes an AND node on every path: it leads to a disproved node, and not only back to
    /// the path.
    fn is_refuted(&self, id: Child) -> bool {
        let store = &self.graph.store;
        let mut edges = store.node(id).range().map(|at| store.edge(at));
        edges.any(|edge| {
            let is_exact = !edge.child.is_node() || store.node(edge.child).numbers.is_disproved();
            edge.numbers.is_disproved() && is_exact
        })
    }

    /// Combines the numbers of the first edges of a node, as many as `count`; `None` if there are none.
    #[inline]
    fn bounds(&self, node: &Node, count: u16, attempt: Attempt) -> Option<ChildBounds> {
        let edges = node.edges..node.edges + u32::from(count);
        ChildBounds::of(edges.map(|at| self.graph.store.edge(at).numbers), node.kind(), attempt)
    }

    /// Copies the numbers of all children into the edges. Disproved attacks are removed, proved replies closed.
    fn read_children(&mut self, id: Child) {
        let node = *self.graph.store.node(id);
        if node.kind() == NodeKind::Or {
            for at in node.range().rev() {
                self.reread(at);
                self.remove_if_disproved(id, at);
            }
            return;
        }
        for at in (node.edges..node.edges + u32::from(node.open)).rev() {
            self.reread(at);
            if self.graph.store.edge(at).numbers.is_proved() {
                self.graph.store.close_edge(id, at);
            }
        }
    }

    /// Copies the numbers of a child into its edge. Returns whether they were the same and the child is open.
    #[inline]
    fn reread(&mut self, at: u32) -> bool {
        let edge = *self.graph.store.edge(at);
        let numbers = self.graph.store.numbers(&edge);
        self.graph.store.edge_mut(at).numbers = numbers;
        numbers == edge.numbers && !numbers.is_solved()
    }

    /// Copies the numbers of a visited child into its edge. A child with nothing but repetitions counts as disproved
    /// for this visit.
    fn take_numbers(&mut self, at: u32, visit: Visit) {
        if visit == Visit::Repeats {
            self.graph.store.edge_mut(at).numbers = ProofNumbers::DISPROVED;
        } else {
            self.reread(at);
        }
    }

    /// Returns the node and the position that an edge leads to. They are made if they do not exist.
    fn child(&mut self, at: u32, position: &Position, attempt: Attempt) -> Result<(Child, Position), Interrupted> {
        let next = self.position(at, position)?;
        let edge = *self.graph.store.edge(at);
        if edge.child.is_node() {
            return Ok((edge.child, next));
        }
        let key = next.key() ^ attempt.horizon.salt();
        let child = if let Some(child) = self.graph.known(next.key(), attempt) {
            child
        } else {
            let kind = NodeKind::of(next.turn(), self.graph.attacker);
            self.graph.store.add(Node::new(kind, key, edge.numbers))?
        };
        self.graph.store.edge_mut(at).child = child;
        Ok((child, next))
    }

    /// Returns the position that an edge leads to.
    fn position(&mut self, at: u32, position: &Position) -> Result<Position, Interrupted> {
        let m = self.graph.store.edge(at).played;
        self.graph.kept.play(position, m, position.key_after(m), self.meter)
    }

    /// Gives up a child for this visit if the path is too long.
    #[inline]
    fn gives_up(&mut self, at: u32) -> bool {
        let is_too_long = self.ply > LONGEST_PATH;
        if is_too_long {
            self.graph.store.edge_mut(at).numbers = ProofNumbers::DISPROVED;
        }
        is_too_long
    }

    /// Records the proof of a mate, which is a fact. A node with a horizon gets the key without one, so that searches
    /// with any horizon find it.
    pub fn record_proof(
        &mut self,
        id: Child,
        length: MateLength,
        best: Option<Move>,
        attempt: Attempt,
        start: u64,
    ) -> Result<(), Interrupted> {
        let salt = attempt.horizon.salt();
        let store = &mut self.graph.store;
        let node = store.node_mut(id);
        (node.numbers, node.length) = (ProofNumbers::PROVED, length);
        let key = node.key ^ salt;
        if is_shared_proof(length, self.meter.count() - start) && length <= MateLength::MAX {
            let mate = (key, length, best.map(Move::code));
            self.facts.prove(mate.0, mate.1, mate.2);
            if self.graph.mates.len() < self.graph.most_mates {
                self.graph.mates.push(mate);
            }
        }
        let shorter = |other: Child| {
            let node = store.node(other);
            node.numbers.is_proved() && node.length <= length
        };
        if salt != 0 && !store.find(key).is_some_and(shorter) {
            store.rekey(id, key)?;
        }
        Ok(())
    }

    /// Records that every line below a node is disproved on this path. If the disproof holds on every path, the node is
    /// disproved; within a horizon that is a fact. Otherwise the node stays open.
    fn record_disproof(&mut self, id: Child, is_exact: bool, attempt: Attempt, start: u64) -> Visit {
        let node = self.graph.store.node_mut(id);
        if !is_exact {
            node.numbers = node.numbers.after_repetition();
            return Visit::Repeats;
        }
        node.numbers = ProofNumbers::DISPROVED;
        let key = node.key ^ attempt.horizon.salt();
        if let Some(left) = attempt.moves()
            && self.meter.count() - start >= MIN_SHARED_WORK
        {
            self.facts.refute(key, left);
        }
        Visit::Ended
    }
}
