//! The rise of levels: which moves are allowed next when a list is exhausted.
//!
//! The level rises where it costs least: at the positions that still matter and have the cheapest moves left.
//! Everywhere else it stays as it is, and positions that come into the list later begin at 0. So a mate that needs one
//! loose move, at the first move or shortly before the end, is found in a list that is narrow elsewhere.
//!
//! ```text
//! root 0 ── a 0 ── …      the cheapest move left costs 2, at `a`
//! root 0 ── a 2 ── d 0    what it leads to begins at level 0, and rises before moves that cost 3 are allowed
//! ```
//!
//! Each time the whole list is gone through. So that this takes little time beside listing, more levels rise together
//! while too few nodes are made from one rise to the next.

use std::collections::VecDeque;

use crate::chess::NodeKind;

use super::list::{List, NO_COST, NodeIndex, ROOT};

/// From one rise to the next there should be at least this part of the list in new nodes, as a divisor. With 8 and with
/// 32 one mate more of the tuning list is found; a much larger one makes rises slow (`benches/tuning/corridor.md`).
const LEAST_PART: u64 = 16;

/// The number of levels that rise together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rises {
    /// The least number of positions whose level rises; all that can rise, if these are fewer.
    together: usize,
    /// The nodes from the last rise to the end of the last run.
    nodes: u64,
    /// The node count at the beginning of this run, or at the last rise in it.
    from: u64,
}

impl Default for Rises {
    fn default() -> Rises {
        Rises { together: 1, nodes: 0, from: 0 }
    }
}

impl Rises {
    /// A run begins at this node count, which may be less than that at the end of the last one.
    pub fn begin_run(&mut self, count: u64) {
        self.from = count;
    }

    /// A run ends at this node count.
    pub fn end_run(&mut self, count: u64) {
        self.nodes += count - self.from;
    }

    /// Chooses how many levels rise together now, at this node count and with a list of this length.
    fn next(&mut self, count: u64, length: usize) -> usize {
        self.end_run(count);
        let are_few = self.nodes < length as u64 / LEAST_PART;
        self.together = if are_few { self.together.saturating_mul(2) } else { (self.together / 2).max(1) };
        (self.nodes, self.from) = (0, count);
        self.together
    }

    /// Raises levels to `highest` at most; `count` is the node count. Returns the OR nodes that matter.
    pub fn raise(&mut self, list: &mut List, highest: u16, count: u64) -> Result<Vec<NodeIndex>, NoRise> {
        let together = self.next(count, list.len());
        let reached = reached(list);
        let listed = reached.iter().map(|&at| list.node(at)).filter(|node| node.is_listed());
        let mut costs: Vec<u16> = listed.map(|node| node.cost).filter(|&cost| cost < NO_COST).collect();
        if costs.is_empty() {
            return Err(NoRise::Exhausted);
        }
        costs.retain(|&cost| cost <= highest);
        let dearest = costs.len().checked_sub(1).ok_or(NoRise::Loose)?;
        let (_, &mut level, _) = costs.select_nth_unstable(dearest.min(together - 1));
        for &at in &reached {
            let node = list.node_mut(at);
            if node.is_listed() && node.cost <= level {
                node.bound = level;
            }
        }
        Ok(reached)
    }
}

/// Returns the OR nodes that can be reached from the root through open nodes, in the order of their distance.
fn reached(list: &List) -> Vec<NodeIndex> {
    let mut seen = vec![false; list.len()];
    let (mut reached, mut waiting) = (Vec::new(), VecDeque::from([ROOT]));
    seen[ROOT as usize] = true;
    while let Some(at) = waiting.pop_front() {
        let node = list.node(at);
        if node.solved || node.stalemate {
            continue;
        }
        if node.kind == NodeKind::Or {
            reached.push(at);
        }
        for child in list.children(at) {
            if !std::mem::replace(&mut seen[child as usize], true) {
                waiting.push_back(child);
            }
        }
    }
    reached
}

/// A reason why no level rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRise {
    /// No move is left that could be allowed.
    Exhausted,
    /// The moves that are left cost more than the highest level.
    Loose,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_levels_rise_together_while_few_positions_come() {
        let mut rises = Rises::default();
        rises.begin_run(500);
        assert_eq!([508, 516, 524].map(|count| rises.next(count, 160)), [2, 4, 8], "eight nodes each");
        assert_eq!([534, 544, 554, 564].map(|count| rises.next(count, 160)), [4, 2, 1, 1], "ten nodes each");
        rises.end_run(570);
        rises.begin_run(3);
        assert_eq!(rises.next(7, 160), 1, "six and four nodes in two runs");
    }
}
