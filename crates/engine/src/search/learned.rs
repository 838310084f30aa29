//! Killers and history: the order of moves that a depth-first search learns.
//!
//! A move that decided one node often decides others: nearby, such as at the same ply (the **killers**, Akl & Newborn
//! 1977), or anywhere (the **history**, Schaeffer 1983). Both are guesses that may only order moves.

use crate::chess::{Move, MoveCode, NodeKind};

/// The last two moves that decided a node of some kind, the last one first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Killers([Option<MoveCode>; 2]);

impl Killers {
    /// Records that a move decided a node.
    pub fn record(&mut self, m: MoveCode) {
        let [first, second] = &mut self.0;
        if *first != Some(m) {
            *second = first.replace(m);
        }
    }

    /// Moves the killers to the front of a list, the last one first.
    pub fn to_front(self, list: &mut [Move]) {
        for killer in self.0.iter().rev() {
            if let Some(at) = list.iter().position(|m| Some(m.code()) == *killer) {
                list[..=at].rotate_right(1);
            }
        }
    }

    /// Returns whether the last killer (0) or the one before it (1) is this move; `None` if neither is.
    fn position(self, m: MoveCode) -> Option<usize> {
        self.0.iter().position(|&killer| killer == Some(m))
    }
}

/// The killer moves and history counts of a search.
#[derive(Debug)]
pub(crate) struct LearnedOrder {
    /// The history counts, by kind of node and by the move's from and to squares.
    history: [Vec<i32>; 2],
    /// The last two moves that decided a node, by ply.
    killers: Vec<Killers>,
}

/// The rank of the last killer at a ply.
const KILLER: i32 = 1 << 25;
/// The rank of the killer before it.
const SECOND_KILLER: i32 = 1 << 24;
/// History counts are kept below this. Doubled, old moves count longer; halved, recent ones count more.
pub(crate) const HISTORY: i32 = 1 << 20;

impl Default for LearnedOrder {
    fn default() -> LearnedOrder {
        LearnedOrder { history: [vec![0; 1 << 12], vec![0; 1 << 12]], killers: Vec::new() }
    }
}

impl LearnedOrder {
    /// Records that a move decided a node of this kind at `ply`, with a depth of `depth` plies: it mated at an OR node
    /// or refuted at an AND node.
    pub fn record_decisive(&mut self, kind: NodeKind, ply: usize, m: MoveCode, depth: i32) {
        self.add_killer(ply, m);
        let count = &mut self.history[kind as usize][m.squares()];
        *count += depth.clamp(1, 100).pow(2);
        if *count >= HISTORY {
            self.history[kind as usize].iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// Makes a move the first killer at a ply. A threat found after a pass becomes a killer against every reply.
    pub fn add_killer(&mut self, ply: usize, m: MoveCode) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, Killers::default());
        }
        self.killers[ply].record(m);
    }

    /// Returns whether the move is a killer at a ply.
    pub fn is_killer(&self, ply: usize, m: MoveCode) -> bool {
        self.killers.get(ply).is_some_and(|killers| killers.position(m).is_some())
    }

    /// Returns the rank of a move by killers and history.
    pub fn rank(&self, kind: NodeKind, ply: usize, m: MoveCode) -> i32 {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let bonus = match killers.position(m) {
            Some(0) => KILLER,
            Some(_) => SECOND_KILLER,
            None => 0,
        };
        bonus + self.history[kind as usize][m.squares()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    #[test]
    fn killers_rank_before_history_and_history_before_other_moves() {
        let code = |to| MoveCode::new(Square::A1, to, None);
        let mut order = LearnedOrder::default();
        let (old, last, elsewhere) = (code(Square::A2), code(Square::A3), code(Square::A4));
        order.record_decisive(NodeKind::Or, 2, old, 3);
        order.record_decisive(NodeKind::Or, 2, last, 3);
        order.record_decisive(NodeKind::Or, 4, elsewhere, 3);
        let ranks = [last, old, elsewhere, code(Square::A5)].map(|m| order.rank(NodeKind::Or, 2, m));
        assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
        assert_eq!(order.rank(NodeKind::And, 9, last), 0, "the other side's moves are counted apart");
    }
}
