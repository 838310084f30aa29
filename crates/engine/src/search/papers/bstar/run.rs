//! The search for one target: a mate of any length, or one within a horizon. Each round chooses the first move by the
//! phases, goes down to a leaf and expands it. It ends early if values on the way change.
//!
//! The sequence of targets is that of [`crate::search::descend`], not the paper's TargetVal.

use crate::chess::{MOVE_CAPACITY, MateLength, NodeKind};
use crate::search::descend::Finding;
use crate::search::horizon::Horizon;
use crate::search::{Interrupted, Task};

use super::backup::costs;
use super::graph::{NodeId, Update};
use super::phases::{Phases, RootMove};
use super::proof;
use super::search::{BstarSearch, PathNode};

/// A task whose bound is at most this many moves is searched within that bound from the start. Halved, longer stated
/// lengths are searched without a horizon first.
pub(super) const NEAR_BOUND: MateLength = MateLength(30);

impl BstarSearch<'_, '_, '_> {
    /// Searches the task's position with this horizon.
    pub(super) fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.clear_path();
        let mut root = None;
        loop {
            self.meter.look()?;
            // A child with a mate in one gets an edge of its own.
            self.state.graph.make_room(MOVE_CAPACITY, 2 * MOVE_CAPACITY)?;
            let id = match root {
                Some(id) => id,
                None => self.node_at(&task.position, horizon)?,
            };
            root = Some(id);
            if self.state.graph.node(id).update == Update::Stale {
                self.update_now(id);
            }
            let node = self.state.graph.node(id);
            if node.is_proved() {
                self.state.phases.shortening = true;
                return Ok(Finding::Proved(proof::extract(&self.state.graph, id)));
            }
            if node.is_refuted() {
                return Ok(Finding::Refuted);
            }
            if node.numbers.attack.is_conditional() {
                return Ok(Finding::Nothing);
            }
            let choose = node.is_expanded && node.kind == NodeKind::Or;
            self.clear_path();
            self.extend_path(id, horizon, task.position);
            let chosen = !choose || self.choose_first_move();
            if chosen && self.descend_to_leaf() {
                self.expand()?;
            }
        }
    }

    /// Chooses the first move and adds it to the path. The path holds the expanded root, an OR node. Returns `false` if
    /// values on the path have changed.
    fn choose_first_move(&mut self) -> bool {
        let Some(&PathNode { node: root, horizon, position }) = self.state.path.last() else { return false };
        debug_assert_eq!(self.state.graph.node(root).kind, NodeKind::Or);
        let moves = self.open_moves(root);
        let phases = &mut self.state.phases;
        let offset = match Phases::leaders(&moves) {
            None => moves.first().map_or(0, |only| only.offset),
            Some((best, rival)) => {
                // A phase that has just begun makes one expansion before it may end.
                if phases.spent > 0 && phases.ends(&moves, best, rival) {
                    let root = self.state.graph.node(root);
                    phases.turn(best, phases.shortening && root.numbers.defence < root.numbers.attack);
                }
                phases.spent += 1;
                phases.choose(&moves, best)
            }
        };
        let Some(edge) = self.state.graph.edges(root).nth(usize::from(offset)).copied() else { return false };
        self.follow(root, offset, edge.child, horizon, &position.play(edge.played))
    }

    /// Returns the first moves that are neither refuted nor conditional.
    fn open_moves(&self, root: NodeId) -> Vec<RootMove> {
        let graph = &self.state.graph;
        let moves = graph.edges(root).enumerate().map(|(i, edge)| {
            let (attack, defence) = costs(graph, edge);
            RootMove { offset: i as u16, attack, defence }
        });
        moves.filter(|m| !m.attack.is_conditional()).collect()
    }
}
