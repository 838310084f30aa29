//! Which moves are allowed next, when a list is exhausted.
//!
//! The level rises where it costs least: at the positions that still matter and have the cheapest moves left. Everywhere
//! else, and at all positions that come into the list later, it stays as it is. So a mate that needs one loose move, at
//! the first move or shortly before the end, is found in a list that is narrow elsewhere.
//!
//! ```text
//! root 0 ── a 0 ── …      the cheapest move left costs 2, at `a`
//! root 0 ── a 2 ── d 0    what it leads to begins at level 0, and rises before moves that cost 3 are allowed
//! ```
//!
//! Each time the whole list is gone through. So that this takes no more time than listing, the levels of at least a
//! sixty-fourth of the positions that matter rise.

use std::collections::VecDeque;

use crate::chess::NodeKind;

use super::levels::{Corridor, Outcome, ROOT};
use super::list::{NO_COST, NodeIndex};

/// One of so many positions that matter gets a higher level, at least.
const PART: usize = 64;

impl Corridor {
    /// Raises levels, and queues the positions where moves are now to be listed. Returns how the list ends if no move is
    /// left that could be allowed.
    pub fn rise(&mut self) -> Option<Outcome> {
        let reached = self.reached();
        let nodes = reached.iter().map(|&at| self.list.node(at));
        let mut costs: Vec<_> =
            nodes.filter(|node| node.is_listed() && node.cost < NO_COST).map(|node| node.cost).collect();
        if costs.is_empty() {
            return Some(Outcome::Exhausted);
        }
        let highest = self.highest;
        costs.retain(|&cost| cost <= highest);
        let last = costs.len().checked_sub(1);
        let Some(last) = last else { return Some(Outcome::Loose) };
        let (_, &mut level, _) = costs.select_nth_unstable(last.min(reached.len() / PART));
        for &at in &reached {
            let node = self.list.node_mut(at);
            if node.is_listed() && node.cost <= level {
                node.bound = level;
            }
        }
        self.revive();
        for at in reached {
            if !self.is_complete(at) {
                self.enqueue(at);
            }
        }
        for at in self.list.indices() {
            let node = self.list.node(at);
            if node.kind == NodeKind::Or && node.open == 0 && !node.solved && !node.dead && self.is_complete(at) {
                self.mark_dead(at);
            }
        }
        None
    }

    /// Empties the queue and forgets which nodes are dead, but for stalemates.
    fn revive(&mut self) {
        self.queue.clear();
        for at in self.list.indices() {
            let node = self.list.node_mut(at);
            (node.dead, node.queued) = (node.stalemate, false);
            if node.kind == NodeKind::Or {
                node.open = 0;
            }
        }
        for at in self.list.indices() {
            let node = self.list.node(at);
            if node.kind == NodeKind::And && !node.dead {
                let mut parent = self.list.first_parent(at);
                while let Some((from, next)) = parent {
                    self.list.node_mut(from).open += 1;
                    parent = self.list.next_parent(next);
                }
            }
        }
    }

    /// Returns the OR nodes that can be reached from the root through open nodes, in the order of their distance.
    fn reached(&self) -> Vec<NodeIndex> {
        let mut seen = vec![false; self.list.len()];
        let (mut reached, mut waiting) = (Vec::new(), VecDeque::from([ROOT]));
        seen[ROOT as usize] = true;
        while let Some(at) = waiting.pop_front() {
            let node = self.list.node(at);
            if node.solved || node.stalemate {
                continue;
            }
            if node.kind == NodeKind::Or {
                reached.push(at);
            }
            for child in self.list.children(at) {
                if !std::mem::replace(&mut seen[child as usize], true) {
                    waiting.push_back(child);
                }
            }
        }
        reached
    }
}
