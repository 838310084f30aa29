//! The mates that the list and the other searches tell each other.
//!
//! A mate that another search has proved shortens the corridor: a position of the list is solved when it is looked at
//! and the facts hold a mate from it, and a reply that is mated so costs nothing. The mates of the list become facts in
//! turn, but for very short ones.
//!
//! ```text
//! root ── … ── a ── b, proved by another search        solved, without anything listed below b
//!               └─ c ── …, a corridor                  b may have a shorter mate in the list, too
//! ```
//!
//! A known mate counts only if the line to it and the mate together are not longer than the depth of the list. So a
//! list that looks for a shorter mate than the known one does not find the known one.

use crate::chess::{MateLength, MoveCode, NodeKind, Position};
use crate::search::Facts;

use super::lengths;
use super::levels::CorridorList;
use super::list::{NodeIndex, UNKNOWN};

/// The length of the shortest mates that become facts, in moves: others are found faster than they are looked up. A
/// smaller one writes more facts that nobody needs, a larger one makes others search for mates that are known.
const SHORTEST: u16 = 3;

impl CorridorList {
    /// Records a mate that another search has proved.
    pub fn learn(&mut self, at: NodeIndex, length: MateLength) {
        let node = self.list.node_mut(at);
        node.known = node.known.min(length.0);
        if !node.solved {
            self.mark_solved(at);
        }
    }

    /// Tells the other searches the mates of the list that they do not know, and shows them to `told`.
    pub fn tell(&mut self, facts: &Facts, told: &mut dyn FnMut(Position, MateLength, Option<MoveCode>)) {
        if !std::mem::take(&mut self.has_news) {
            return;
        }
        lengths::compute(&mut self.list);
        for at in self.list.indices() {
            let node = self.list.node(at);
            if node.length == UNKNOWN || node.length < SHORTEST || node.length >= node.known {
                continue;
            }
            let (position, length) = (node.state.unpack(&self.root), MateLength(node.length));
            let best = match node.kind {
                NodeKind::Or => lengths::best_move(&self.list, &position).map(|(m, _)| m),
                NodeKind::And => None,
            };
            facts.prove(position.key(), length, best);
            told(position, length, best);
            self.list.node_mut(at).known = length.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::context::Context;
    use super::super::family::Family;
    use super::super::levels::RunEnd;
    use super::super::list::ROOT;
    use super::super::proof;
    use super::super::tests::NARROW;
    use super::*;
    use crate::chess::testing::position;
    use crate::search::exhaustive::Exhaustive;
    use crate::search::{Answer, Control, Engine, Limits, Meter, Silent, Task};

    /// Lists the corridor of the kings and cages of a position. Returns it with the nodes that this took.
    fn solve(root: &Position, facts: &Facts) -> (CorridorList, u64) {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut meter = Meter::new(&control);
        let mut corridor = CorridorList::new(*root, 2, 4 << 20);
        corridor.begin(Family::King, u16::MAX, 2, u16::MAX);
        let outcome =
            corridor.run(NodeKind::Or, 20_000, &mut Context { meter: &mut meter, facts, hints: None }).unwrap();
        assert_eq!(outcome, RunEnd::Solved);
        lengths::compute(&mut corridor.list);
        (corridor, meter.count())
    }

    fn answer(engine: &mut impl Engine, task: &Task, facts: &Facts) -> Answer {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(20_000), deadline: None }, &stop);
        engine.solve(task, &mut Meter::new(&control), facts, &mut Silent)
    }

    /// Returns a position three moves into the solution.
    fn later(corridor: &CorridorList) -> Position {
        let solution = lengths::solution(&corridor.list, ROOT);
        let later = solution.into_iter().find(|&at| corridor.list.node(at).depth == 3).unwrap();
        corridor.list.node(later).state.unpack(&corridor.root)
    }

    #[test]
    fn a_list_ends_where_another_one_has_told_its_mates() {
        let (root, empty) = (position(NARROW), Facts::with_bytes(1 << 16));
        let (whole, nodes) = solve(&root, &empty);
        let facts = Facts::with_bytes(1 << 16);
        solve(&later(&whole), &empty).0.tell(&facts, &mut |_, _, _| {});
        let (short, fewer) = solve(&root, &facts);
        assert_eq!(short.list.node(ROOT).length, whole.list.node(ROOT).length);
        assert!(fewer < nodes && short.list.len() < whole.list.len(), "{fewer} of {nodes} nodes");
    }

    #[test]
    fn what_a_list_tells_is_true() {
        let facts = Facts::with_bytes(1 << 16);
        let mut corridor = solve(&position(NARROW), &facts).0;
        corridor.tell(&facts, &mut |_, _, _| {});
        let mut told = 0;
        for at in corridor.list.indices() {
            let node = corridor.list.node(at);
            let position = node.state.unpack(&corridor.root);
            let fact = facts.get(position.key());
            let Some(length) = fact.bounds.proved() else { continue };
            assert_eq!((length.0, fact.best.is_some()), (node.length, node.kind == NodeKind::Or));
            told += 1;
            if length <= MateLength(4) {
                let task = Task::mate(position, shakmaty::Color::White, length);
                assert!(answer(&mut Exhaustive, &task, &Facts::with_bytes(1 << 10)).proof.is_some());
            }
        }
        assert!(told > 20, "{told}");
    }

    #[test]
    fn a_list_tells_a_mate_whose_proof_it_cannot_complete() {
        let root = position(NARROW);
        let whole = solve(&root, &Facts::with_bytes(1 << 16)).0;
        let (end, length) = (later(&whole), MateLength(whole.list.node(ROOT).length));
        let facts = Facts::with_bytes(1 << 16);
        // The fact has no move, and the list does not come so far.
        facts.prove(end.key(), MateLength(length.0 - 3), None);
        let mut corridor = solve(&root, &facts).0;
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut context = Context { meter: &mut Meter::new(&control), facts: &facts, hints: None };
        let task = Task::mate(root, shakmaty::Color::White, MateLength::MAX);
        let built = proof::build(&corridor.list, 2, length, &task, 4 << 20, &mut context);
        assert!(matches!(built, Ok(None)), "{built:?}");
        corridor.tell(&facts, &mut |_, _, _| {});
        assert_eq!(facts.get(root.key()).bounds.proved(), Some(length));
    }
}
