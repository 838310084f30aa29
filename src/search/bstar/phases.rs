//! The phases at the root: which first move is searched, towards which target, and when a phase ends.
//!
//! **SELECT** looks for the best first move, with the attacker's optimism: each expansion goes to the move with the
//! greatest OptPrb. It ends when no rival's share of the OptPrb reaches MinAct, or after [`SELECT_EFFORT`] expansions.
//!
//! **VERIFY** lets the defender attack the best move: all expansions go to it, until it is refuted (its share has
//! fallen below MinAct) or has stood [`VERIFY_EFFORT`] expansions. Then SELECT begins again.
//!
//! Once a mate is known, the horizon is one move less, and the question is whether a shorter mate exists. SELECT then is
//! **ProveBest**: it tries to shorten the mate of the best move. VERIFY is **DisproveRest**: it refutes the rivals, that
//! with the defender's greatest OptPrb first. When every first move is refuted, the known mate is the shortest.

use crate::chess::NodeKind;
use crate::search::horizon::Horizon;

use super::backup::costs;
use super::graph::NodeId;
use super::search::{BstarSearch, PathNode};
use super::value::{Cost, min_act};

/// The largest number of expansions in a SELECT phase.
const SELECT_EFFORT: u32 = 50;
/// The largest number of expansions in a VERIFY phase.
const VERIFY_EFFORT: u32 = 50;

/// The two phases of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Looks for the best move.
    Select,
    /// Lets the other side attack the best move.
    Verify,
}

/// The state of the phases.
#[derive(Debug, Clone)]
pub(super) struct Phases {
    phase: Phase,
    /// The expansions in this phase.
    spent: u32,
    /// The phases so far.
    count: u32,
    /// The edge of the best move, counted from the root's first. Set in the VERIFY phase.
    best: u16,
}

impl Default for Phases {
    fn default() -> Phases {
        Phases { phase: Phase::Select, spent: 0, count: 0, best: 0 }
    }
}

/// A first move that is not decided.
#[derive(Debug, Clone, Copy)]
struct RootMove {
    offset: u16,
    attack: Cost,
    defence: Cost,
}

impl Phases {
    fn enter(&mut self, phase: Phase) {
        (self.phase, self.spent) = (phase, 0);
        self.count = self.count.saturating_add(1);
    }

    /// Returns the first move for the next expansion. `moves` are the open first moves; there is at least one.
    /// `shortening` says that a mate is known.
    fn choose(&mut self, moves: &[RootMove], shortening: bool) -> u16 {
        let Some(&best) = moves.iter().min_by_key(|m| (m.attack, m.offset)) else { return 0 };
        let rival = moves.iter().filter(|m| m.offset != best.offset).min_by_key(|m| (m.attack, m.offset));
        let Some(&rival) = rival else { return best.offset };
        let min_act = min_act(self.count);
        self.spent += 1;
        if self.phase == Phase::Select {
            let decided = rival.attack.share_against(best.attack) < min_act;
            if !decided && self.spent <= SELECT_EFFORT {
                return best.offset;
            }
            self.enter(Phase::Verify);
            self.best = best.offset;
        }
        let verified = moves.iter().find(|m| m.offset == self.best);
        let refuted = verified.is_none_or(|verified| verified.attack.share_against(best.attack) < min_act);
        if refuted || self.spent > VERIFY_EFFORT {
            self.enter(Phase::Select);
            return best.offset;
        }
        let rest = moves.iter().filter(|m| m.offset != self.best);
        match rest.min_by_key(|m| (m.defence, m.offset)) {
            Some(easiest) if shortening => easiest.offset,
            _ => self.best,
        }
    }
}

impl BstarSearch<'_, '_> {
    /// Chooses the first move and adds it to the path. The path holds the expanded root, an OR node. Returns `false` if
    /// values on the path have changed.
    pub(super) fn choose_first_move(&mut self, phases: &mut Phases, shortening: bool) -> bool {
        let Some(&PathNode { node: root, horizon, position }) = self.state.path.last() else { return false };
        debug_assert_eq!(self.state.graph.node(root).kind(), NodeKind::Or);
        let moves: Vec<RootMove> = self.open_moves(root);
        let offset = phases.choose(&moves, shortening);
        let Some(edge) = self.state.graph.edges(root).nth(usize::from(offset)).copied() else { return false };
        self.follow(root, offset, edge.child(), horizon, &position.play(edge.played))
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

    /// Starts a path at the root.
    pub(super) fn start_path(&mut self, root: NodeId, horizon: Horizon, position: &crate::chess::Position) {
        self.clear_path();
        self.extend_path(root, horizon, *position);
    }
}
