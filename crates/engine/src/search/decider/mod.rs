//! Answers exact questions about single positions, such as those of a composer's report.
//!
//! A report needs to know of a position: does this side mate within k moves, which replies refute, which moves mate?
//! Here, to mate means to reach the prover's goal. A wrong "no" would hide a cook, a wrong "yes" would invent a dual,
//! and not each answer has a proof that is checked. So the prover is asked in a way that is exact ([`Prover::decide`]);
//! several deciders on several threads share its table. `tests/suite/decider.rs` compares them with the reference on
//! every first move of generated positions.
//!
//! | file | content |
//! |---|---|
//! | `pool` | lists of questions, worked on by the deciders of several threads |
//! | `engine` | the prover as an engine, for many questions of one divided problem |

pub mod engine;
pub mod pool;

use crate::chess::{End, Goal, MateLength, Move, NodeKind, Position, rules};
use crate::proof::ProofTree;
use crate::search::Facts;

use super::dfpn::Prover;
use super::{Interrupted, Meter};

/// Answers exact questions about mates by one side. One decider belongs to one thread.
#[derive(Debug)]
pub struct Decider<'a, 'c> {
    prover: Prover,
    facts: &'a Facts,
    meter: Meter<'c>,
}

impl<'a, 'c> Decider<'a, 'c> {
    /// Returns a decider that searches with this prover. The prover's table and the facts may hold results from before,
    /// if they are about the same attacker and the same exclusive castling rights.
    pub fn new(prover: Prover, facts: &'a Facts, meter: Meter<'c>) -> Decider<'a, 'c> {
        Decider { prover, facts, meter }
    }

    /// Returns a decider for another thread, with the same table and a node counter of its own.
    #[must_use]
    pub fn for_another_thread(&mut self) -> Decider<'a, 'c> {
        let meter = Meter::new(self.meter.control());
        Decider { prover: self.prover.sharing_table(), facts: self.facts, meter }
    }

    /// Returns the prover, the node counter and the facts, for other searches.
    pub fn parts(&mut self) -> (&mut Prover, &mut Meter<'c>, &'a Facts) {
        (&mut self.prover, &mut self.meter, self.facts)
    }

    /// Returns what the attacker strives for.
    pub fn goal(&self) -> Goal {
        self.prover.goal()
    }

    /// Returns the number of nodes that this decider has made.
    pub fn nodes(&self) -> u64 {
        self.meter.count()
    }

    /// Plays a legal move. The new position counts as a node.
    #[inline]
    pub fn play(&mut self, position: &Position, m: Move) -> Result<Position, Interrupted> {
        self.meter.node()?;
        Ok(position.play(m))
    }

    /// Returns the length of a mate by the side to move within `n` moves, not always the shortest; `None` if there is
    /// none.
    pub fn mates(&mut self, position: &Position, n: MateLength) -> Result<Option<MateLength>, Interrupted> {
        self.prover.decide(position, NodeKind::Or, n, &mut self.meter, self.facts)
    }

    /// Returns the length of a mate against the side to move within `n` moves, not always the shortest; `None` if there
    /// is none. Within 0 moves means checkmate; where the defender makes the last move, that each of his moves reaches
    /// the goal.
    pub fn mated(&mut self, position: &Position, n: MateLength) -> Result<Option<MateLength>, Interrupted> {
        self.prover.decide(position, NodeKind::And, n, &mut self.meter, self.facts)
    }

    /// Returns whether it is known already that the side to move does not mate within `n` moves.
    pub fn is_refuted(&mut self, position: &Position, n: MateLength) -> bool {
        self.prover.is_refuted(position, n, &mut self.meter, self.facts)
    }

    /// Returns the length of the shortest mate by the side to move, at most `max`; `None` if there is none.
    pub fn shortest_mate(&mut self, position: &Position, max: MateLength) -> Result<Option<MateLength>, Interrupted> {
        let Some(mut shortest) = self.mates(position, max)? else { return Ok(None) };
        while let Some(shorter) = shortest.shorter() {
            match self.mates(position, shorter)? {
                Some(length) => shortest = length,
                None => break,
            }
        }
        Ok(Some(shortest))
    }

    /// Returns the replies that the rules allow and after which there is no mate within `n` moves; `None` if there are
    /// more than `max`.
    pub fn refutations(
        &mut self,
        position: &Position,
        n: MateLength,
        max: usize,
    ) -> Result<Option<Vec<Move>>, Interrupted> {
        let mut refuting = Vec::new();
        for m in rules::replies(self.goal(), position) {
            let child = self.play(position, m)?;
            if self.mates(&child, n)?.is_none() {
                if refuting.len() == max {
                    return Ok(None);
                }
                refuting.push(m);
            }
        }
        Ok(Some(refuting))
    }

    /// Returns every move of the side to move that mates within `n` moves, itself counted.
    pub fn mating_moves(&mut self, position: &Position, n: MateLength) -> Result<Vec<Move>, Interrupted> {
        let Some(rest) = n.shorter() else { return Ok(Vec::new()) };
        if rest == MateLength(0) && self.goal().is_mate() {
            return Ok(rules::ends(position, End::Mate).into_iter().collect());
        }
        let mut mating = Vec::new();
        for &m in &position.legal_moves() {
            let child = self.play(position, m)?;
            if self.mated(&child, rest)?.is_some() {
                mating.push(m);
            }
        }
        Ok(mating)
    }

    /// Returns a proof that the attacker mates within `n` moves from a node of this kind; `None` if he does not.
    ///
    /// # Errors
    /// A limit was reached, or the proof would have more than `max_nodes` nodes.
    pub fn prove(
        &mut self,
        position: &Position,
        kind: NodeKind,
        n: MateLength,
        max_nodes: usize,
    ) -> Result<Option<ProofTree>, Interrupted> {
        match self.prover.decide(position, kind, n, &mut self.meter, self.facts)? {
            Some(length) => self.prover.proof(position, kind, length, max_nodes, &mut self.meter, self.facts),
            None => Ok(None),
        }
    }

    /// From now on stops with [`super::StopReason::Slice`] after this number of nodes; `None` removes the slice.
    pub fn set_slice(&mut self, nodes: Option<u64>) {
        self.meter.set_slice(nodes);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::chess::Position;
    use crate::chess::testing::position;
    use crate::search::retro::Leaves;
    use crate::search::{Control, Limits};

    /// Decides by the definition whether the side to move mates within `n` moves.
    fn mates(position: &Position, n: u16) -> bool {
        n > 0 && position.legal_moves().into_iter().any(|m| mated(&position.play(m), n - 1))
    }

    fn mated(position: &Position, n: u16) -> bool {
        position.is_checkmate()
            || n > 0 && position.has_move() && position.legal_moves().into_iter().all(|m| mates(&position.play(m), n))
    }

    /// Returns tables of the men of this position.
    fn tables_of(text: &str, control: &Control<'_>) -> Leaves {
        let (position, mut leaves) = (position(text), Leaves::new(16 << 20));
        let asked = (0..1 << 17).find(|_| leaves.distance(&position, position.turn(), control).is_some());
        assert!(asked.is_some(), "{text}");
        leaves
    }

    #[test]
    fn a_decider_with_tables_agrees_with_the_definition() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        for (built, roots) in [
            ("8/8/8/8/8/1k6/8/1K3Q2 w - -", &["7k/8/5K2/6Q1/8/8/8/8 w - -", "5k2/8/5KP1/8/8/8/6q1/8 w - -"][..]),
            ("8/8/8/8/8/1k6/8/1K3R2 w - -", &["k7/8/1K6/8/8/8/p7/7R w - -", "k7/3r4/K7/8/8/8/8/3R3R w - -"]),
            ("8/8/8/8/8/1k6/5P2/1K6 w - -", &["7k/5P2/6K1/8/8/8/8/8 w - -", "k7/2P5/K7/8/8/8/7p/8 w - -"]),
        ] {
            let leaves = tables_of(built, &control);
            for &root in roots {
                let prover = Prover::for_men(None, Some((leaves.clone(), 1 << 16)), 1 << 16);
                let facts = Facts::with_bytes(1 << 10);
                let mut decider = Decider::new(prover, &facts, Meter::new(&control));
                let root = position(root);
                for n in 1..=3 {
                    let found = decider.mates(&root, MateLength(n)).unwrap();
                    assert_eq!(found.is_some(), mates(&root, n), "{} in {n}", root.fen());
                    for &m in &root.legal_moves() {
                        let after = root.play(m);
                        let found = decider.mated(&after, MateLength(n - 1)).unwrap();
                        assert_eq!(found.is_some(), mated(&after, n - 1), "{} in {}", after.fen(), n - 1);
                    }
                    let proof = decider.prove(&root, NodeKind::Or, MateLength(n), 10_000).unwrap();
                    assert_eq!(proof.is_some_and(|tree| tree.length() <= MateLength(n)), found.is_some());
                }
            }
        }
    }
}
