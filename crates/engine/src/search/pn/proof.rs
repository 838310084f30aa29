//! Writes the proof of a mate from the graph.
//!
//! The search stops at the first proof, which may be longer than necessary. Before the proof is written, every proved
//! node gets the shortest one that the graph holds for it:
//!
//! ```text
//!   length(AND) = max over all children      length(OR) = 1 + min over the proved children
//! ```
//!
//! From an OR node to its chosen child the length falls, and from an AND node to its children it never rises: so it is
//! when a node is proved, and lengths only fall later. So no proof contains itself.

use hashbrown::HashSet;

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::arena::SlabSource;
use crate::search::rebuild::{ProofSource, RebuildError, stored_move};

use super::search::PnSearch;
use super::store::{Child, Node, Store};

/// Shortens the proof of a proved node as far as the graph allows.
pub(super) fn shorten<S: SlabSource>(store: &mut Store<S>, root: Child) {
    let proved = proved_below(store, root);
    let mut changed = true;
    while changed {
        changed = false;
        for &id in proved.iter().rev() {
            let (best, length) = shortest(store, id);
            let node = store.node_mut(id);
            if length < node.length {
                (node.best, node.length) = (best, length);
                changed = true;
            }
        }
    }
}

/// Returns the best edge of a proved node and the length of its proof, from the lengths of its children. A node without
/// edges keeps its own.
fn shortest<S: SlabSource>(store: &Store<S>, id: Child) -> (u16, MateLength) {
    let node = store.node(id);
    if node.count == 0 {
        return (0, node.length);
    }
    let lengths = node.range().map(|at| store.edge(at)).enumerate();
    let proved = lengths.filter(|(_, edge)| store.numbers(edge).is_proved());
    let lengths = proved.map(|(i, edge)| (i as u16, store.length(edge)));
    let shortest = match node.kind() {
        NodeKind::Or => lengths.min_by_key(|&(_, length)| length).map(|(i, length)| (i, length.longer())),
        NodeKind::And => lengths.max_by_key(|&(_, length)| length),
    };
    shortest.unwrap_or((node.best, node.length))
}

/// Returns the proved nodes that can be reached from `root` through proved nodes, in breadth-first order.
fn proved_below<S: SlabSource>(store: &Store<S>, root: Child) -> Vec<Child> {
    let mut seen: HashSet<Child> = HashSet::from_iter([root]);
    let mut found = vec![root];
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        at += 1;
        for edge in store.node(id).range().map(|at| store.edge(at)) {
            if edge.child.is_node() && store.node(edge.child).numbers.is_proved() && seen.insert(edge.child) {
                found.push(edge.child);
            }
        }
    }
    found
}

impl<S: SlabSource> ProofSource for PnSearch<'_, '_, S> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let leaf = self.graph.few_men.best_move(position);
        if let Some(found) = leaf.filter(|(_, known)| *known <= length) {
            return Ok(found);
        }
        let store = &self.graph.store;
        let is_known = |node: &&Node| node.numbers.is_proved() && node.length <= length && node.count > 0;
        if let Some(node) = store.find(position.key()).map(|id| store.node(id)).filter(is_known) {
            return Ok((store.edge(node.edges + u32::from(node.best)).played.code(), node.length));
        }
        let fact = self.facts.get(position.key());
        stored_move(position, length, [(fact.best, fact.bounds); 2]).ok_or(RebuildError::NotFound)
    }

    fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
        position.mate_in_one().map(Move::code)
    }

    fn completed(&mut self, _: u64, _: MateLength) -> bool {
        true
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }
}
