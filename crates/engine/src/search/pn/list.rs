//! Lists the moves of a node as edges, with the numbers of their leaves.
//!
//! The numbers are those of [`crate::search::numbers::leaf`], the attacker's with the depth weight. A check is
//! evaluated from the position before it, all quiet moves are one edge until they are needed, and replies are made when
//! they are visited.

use crate::chess::{Attack, Checks, ManList, MateLength, Move, MoveList, Moves, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::numbers::ProofNumbers;
use crate::search::numbers::attempt::{Aim, Attempt};
use crate::search::numbers::leaf::{self, NodeValue};
use crate::search::numbers::{last_move, two_moves};

use super::search::PnSearch;
use super::store::{Child, Edge, Node};

/// The plies from the root that count for the depth weight. With 12 or 32, 66 or 67 long mates are found instead of 69,
/// with 20 as many (`benches/tuning/lanes.md`).
const WEIGHTED_PLIES: usize = 16;

/// The nodes of a graph after which leaves get no depth weight: a first mate that takes more is long, or hard to find
/// (`benches/tuning/lanes.md`). Doubled, first mates are shorter and long ones come later; halved, the other way round.
const WEIGHTED_NODES: u32 = 60_000;

impl PnSearch<'_, '_, '_> {
    /// Gives an OR node its checks, and one edge for all its quiet moves. A mate ends the list.
    pub(super) fn list_attacks(&mut self, id: Child, position: &Position, after: Attempt) -> Result<(), Interrupted> {
        let mut checks = MoveList::new();
        let mut men = ManList::new();
        let attack = position.attack(&mut men);
        attack.checks(&mut checks);
        let mut edges = self.begin_list();
        for &m in &checks {
            let edge = match self.known_edge(position, m, after) {
                Some(edge) => edge,
                None => self.check(&attack, m, after),
            };
            self.add_attack(edge, &mut edges);
        }
        let quiet = attack.count_moves() - checks.len();
        if quiet > 0 && after.admits(MateLength(1)) {
            let value = leaf::quiet_moves(position, quiet as u32, after);
            edges.push(Edge::to_quiet_moves(self.weighted(value.numbers)));
        }
        self.end_list(id, edges)
    }

    /// Replaces the edge that stands for the quiet moves by the quiet moves themselves.
    #[cold]
    pub(super) fn list_quiet_moves(
        &mut self,
        id: Child,
        position: &Position,
        after: Attempt,
    ) -> Result<(), Interrupted> {
        let mut quiet = MoveList::new();
        position.generate(Moves::Quiet, &mut quiet);
        let mut edges = self.begin_list();
        let store = &self.graph.store;
        edges.extend(store.node(id).range().map(|at| *store.edge(at)).filter(|edge| edge.child != Child::QUIET));
        for &m in &quiet {
            let edge = match self.known_edge(position, m, after) {
                Some(edge) => edge,
                None => self.quiet_move(position, m, after)?,
            };
            self.add_attack(edge, &mut edges);
        }
        self.end_list(id, edges)
    }

    /// Gives an AND node its replies, those that have refuted most often first. No position is made.
    pub(super) fn list_replies(&mut self, id: Child, position: &Position, attempt: Attempt) -> Result<(), Interrupted> {
        let mut replies = position.legal_moves();
        self.graph.order.sort(&mut replies);
        let mut edges = self.begin_list();
        let checks = (attempt.aim == Aim::Refutation).then(|| Checks::of(position));
        let gives_check = |m| checks.is_some_and(|checks| checks.contain(position, m));
        for (i, &m) in replies.iter().enumerate() {
            let edge = self.known_edge(position, m, attempt).unwrap_or_else(|| {
                let numbers = leaf::unevaluated_reply(attempt, m, i, gives_check).numbers;
                Edge { child: Child::UNEVALUATED, numbers, played: m }
            });
            edges.push(edge);
        }
        // The proved ones go behind the open ones.
        edges.sort_by_key(|edge| edge.numbers.is_proved());
        let open = edges.iter().filter(|edge| !edge.numbers.is_proved()).count();
        self.end_list(id, edges)?;
        self.graph.store.node_mut(id).open = open as u16;
        Ok(())
    }

    /// Returns an empty list of edges.
    fn begin_list(&mut self) -> Vec<Edge> {
        let mut edges = std::mem::take(&mut self.graph.listed);
        edges.clear();
        edges
    }

    fn end_list(&mut self, id: Child, edges: Vec<Edge>) -> Result<(), Interrupted> {
        let result = self.graph.store.set_edges(id, &edges);
        self.graph.listed = edges;
        result
    }

    /// Returns the edge of a move if the position after it has a node.
    #[inline]
    fn known_edge(&self, position: &Position, m: Move, attempt: Attempt) -> Option<Edge> {
        let child = self.graph.known(position.key_after(m), attempt)?;
        let edge = Edge { child, numbers: ProofNumbers::PROVED, played: m };
        Some(Edge { numbers: self.graph.store.numbers(&edge), ..edge })
    }

    /// Adds an edge to the list of an OR node, unless its position is disproved on every path.
    #[inline]
    fn add_attack(&self, edge: Edge, edges: &mut Vec<Edge>) {
        if edge.numbers.is_disproved() {
            let store = &self.graph.store;
            if !edge.child.is_node() || store.node(edge.child).numbers.is_disproved() {
                return;
            }
        }
        edges.push(edge);
    }

    /// Returns the edge of a check, which is evaluated from the position before it.
    #[inline]
    fn check(&self, attack: &Attack, m: Move, after: Attempt) -> Edge {
        let value = leaf::after_check(attack.evasions(m), after);
        if value.numbers.is_proved() {
            return Edge { child: Child::MATE, numbers: value.numbers, played: m };
        }
        let value = value.times(|| leaf::flight_factor(after, self.graph.root_flights, || attack.flights_after(m)));
        Edge { child: Child::LEAF, numbers: self.weighted(value.numbers), played: m }
    }

    /// Returns the edge of a quiet move. The position after it is made.
    #[inline]
    fn quiet_move(&mut self, position: &Position, m: Move, after: Attempt) -> Result<Edge, Interrupted> {
        self.meter.node()?;
        let next = position.play(m);
        if after.moves() == Some(MateLength(1)) {
            return self.last_attack(&next, m, after);
        }
        if two_moves::king_escapes(&next, after, &mut self.graph.order, self.meter)? {
            return Ok(Edge { child: Child::LEAF, numbers: ProofNumbers::DISPROVED, played: m });
        }
        let flights = || next.flights().count() as u32;
        let value = leaf::and_node(&next, after).times(|| leaf::flight_factor(after, self.graph.root_flights, flights));
        Ok(Edge { child: Child::LEAF, numbers: self.weighted(value.numbers), played: m })
    }

    /// Decides an attacking move after which one move is left, given the position after it.
    pub(super) fn last_attack(&mut self, next: &Position, m: Move, after: Attempt) -> Result<Edge, Interrupted> {
        let value = last_move::last_replies(next, &mut self.graph.order, self.meter)?;
        let child = match value.numbers.is_proved() {
            true if value.length == MateLength(0) => Child::MATE,
            true => self.add_proved(NodeKind::And, next, value, after)?,
            false => Child::LEAF,
        };
        Ok(Edge { child, numbers: value.numbers, played: m })
    }

    /// Adds the node of a position whose mate is known without edges.
    fn add_proved(
        &mut self,
        kind: NodeKind,
        position: &Position,
        value: NodeValue,
        attempt: Attempt,
    ) -> Result<Child, Interrupted> {
        let mut node = Node::new(kind, position.key() ^ attempt.horizon.salt(), value.numbers);
        node.length = value.length;
        self.graph.store.add(node)
    }

    /// Evaluates the position after a reply.
    pub(super) fn evaluate_reply(&mut self, at: u32, position: &Position, attempt: Attempt) -> Result<(), Interrupted> {
        let known = self.graph.known(position.key(), attempt);
        if let Some(child) = known {
            let edge = self.graph.store.edge_mut(at);
            edge.child = child;
            let edge = *edge;
            self.graph.store.edge_mut(at).numbers = self.graph.store.numbers(&edge);
            return Ok(());
        }
        let (child, numbers) = match self.graph.few_men.value(position, attempt, self.meter.control()) {
            Some(value) if value.numbers.is_proved() => {
                (self.add_proved(NodeKind::Or, position, value, attempt)?, value.numbers)
            }
            Some(value) => (Child::LEAF, value.numbers),
            None if two_moves::refuted(position, attempt) => (Child::LEAF, ProofNumbers::DISPROVED),
            None => {
                let numbers = leaf::or_node(position, attempt).numbers;
                (if numbers.is_proved() { Child::MATE_IN_ONE } else { Child::LEAF }, numbers)
            }
        };
        let edge = self.graph.store.edge_mut(at);
        (edge.child, edge.numbers) = (child, numbers);
        Ok(())
    }

    /// Adds the depth weight to the proof number of an attacking move at the node being listed.
    #[inline]
    fn weighted(&self, numbers: ProofNumbers) -> ProofNumbers {
        if numbers.is_solved() || self.graph.store.nodes.len >= WEIGHTED_NODES {
            return numbers;
        }
        let weight = self.graph.options.depth_weight as usize * self.ply.min(WEIGHTED_PLIES) / 8;
        ProofNumbers { pn: numbers.pn.saturating_add(weight as u32).min(u32::MAX - 1), dn: numbers.dn }
    }
}
