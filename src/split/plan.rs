//! Chooses the parts of a problem: first moves, and replies to the heavy ones.
//!
//! A short **probe** decides each move as far as its nodes allow, length by length. Where it does not come to the end,
//! the cost of the rest is estimated: the lengths that are left are expected to grow as the last two did, within
//! limits. The heaviest first move that the probe left open is then divided into its replies, until there are enough
//! parts or none such is heavier than a fair share. A move with too many open replies stays whole ([`MOST_OPEN`]).
//!
//! Only positions with the defender to move are divided. A solution needs an answer to each reply anyway, and of a move
//! that fails one reply is enough: the others are left out as soon as a run knows it (`tables`).
//!
//! The parts stand in the order of their weight, the heaviest first, so that shares of every N-th part weigh about the
//! same.

use std::sync::atomic::AtomicBool;

use crate::chess::{MateLength, MoveCode, NodeKind, Position, rules};
use crate::search::dfpn::Prover;
use crate::search::{Control, Facts, Limits, Meter};

use super::Whole;

/// The memory for the table of the probe, in bytes.
const PROBE_MEMORY: usize = 64 << 20;

/// The table of facts is not read here.
const FACTS: usize = 1 << 10;

/// From one length to the next the nodes are expected to grow at least and at most by these factors.
const GROWTH: (f64, f64) = (2.0, 10.0);

/// A first move is divided if at most one in three of its replies is open after the probe. Where more are, the move
/// probably fails, and one reply is enough to show it.
const MOST_OPEN: usize = 3;

/// A part of the plan.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// The moves to it.
    pub path: Vec<MoveCode>,
    /// The nodes that it is expected to take.
    weight: f64,
    found: ProbeResult,
}

impl Part {
    /// Returns whether it can be divided, and is worth it: it stands after a first move, and the probe has not decided
    /// it.
    fn is_divisible(&self) -> bool {
        self.path.len() == 1 && self.found == ProbeResult::Open
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProbeResult {
    Goal,
    NoGoal,
    Open,
}

/// Returns the parts of a problem, about `wanted` of them. A probe makes at most `nodes` nodes for each.
pub(crate) fn plan(whole: &Whole, wanted: usize, nodes: u64) -> Vec<Part> {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let facts = Facts::with_bytes(FACTS);
    let (root, goal) = (whole.root(), whole.asked.goal());
    let prover = Prover::for_report(None, &root, whole.asked.attacker(root.turn()), goal, PROBE_MEMORY);
    let mut probe = Probe { whole, prover, facts: &facts, meter: Meter::new(&control), nodes };
    let mut parts = probe.parts_below(&[]);
    // The moves that are not to be divided.
    let mut whole_moves = Vec::new();
    // The replies to a first move. If the defender begins, the replies are the first moves.
    while whole.kind() == NodeKind::Or && parts.len() < wanted {
        let share = parts.iter().map(|part| part.weight).sum::<f64>() / wanted as f64;
        let heavy = parts.iter().enumerate().filter(|(_, part)| part.is_divisible() && part.weight > share);
        let Some((at, _)) = heavy.max_by(|(_, a), (_, b)| a.weight.total_cmp(&b.weight)) else { break };
        let part = parts.swap_remove(at);
        match probe.divided(&part) {
            Some(replies) => parts.extend(replies),
            None => whole_moves.push(part),
        }
    }
    parts.extend(whole_moves);
    parts.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.path.cmp(&b.path)));
    parts
}

/// Estimates the cost of parts.
struct Probe<'p, 'c> {
    whole: &'p Whole,
    prover: Prover,
    facts: &'p Facts,
    meter: Meter<'c>,
    /// The nodes for a part.
    nodes: u64,
}

impl Probe<'_, '_> {
    /// Returns the parts after each move from the position that `path` leads to. Moves that end the play need none.
    fn parts_below(&mut self, path: &[MoveCode]) -> Vec<Part> {
        let Some((position, asked)) = self.whole.after(path) else { return Vec::new() };
        let Some(rest) = asked.after_first() else { return Vec::new() };
        let (kind, next) = (NodeKind::from(asked.begins()), NodeKind::from(rest.begins()));
        let mut parts = Vec::new();
        for m in self.whole.moves(&position, kind) {
            let after = position.play(m);
            if rules::over(asked.goal(), &after, next).is_none() {
                let path = [path, &[m.code()]].concat();
                let (weight, found) = self.probe(&after, next, rest.bound());
                parts.push(Part { path, weight, found });
            }
        }
        parts
    }

    /// Returns the parts after the replies to a first move; `None` if they would cost more than the move.
    fn divided(&mut self, part: &Part) -> Option<Vec<Part>> {
        let replies = self.parts_below(&part.path);
        if let Some(refutation) = replies.iter().find(|reply| reply.found == ProbeResult::NoGoal) {
            return Some(vec![refutation.clone()]);
        }
        let open = replies.iter().filter(|reply| reply.found == ProbeResult::Open).count();
        (open * MOST_OPEN <= replies.len()).then_some(replies)
    }

    /// Decides a position within `bound` moves as far as the nodes allow. Returns the nodes that this takes or will
    /// take, and the result.
    fn probe(&mut self, position: &Position, kind: NodeKind, bound: MateLength) -> (f64, ProbeResult) {
        self.meter.set_slice(Some(self.nodes));
        let start = self.meter.count();
        let (mut before, mut found) = (1, ProbeResult::NoGoal);
        for n in (1..=bound.0).map(MateLength) {
            let begin = self.meter.count();
            let decided = self.prover.decide(position, kind, n, &mut self.meter, self.facts);
            let last = (self.meter.count() - begin).max(1);
            match decided {
                Ok(None) => before = last,
                Ok(Some(_)) => {
                    found = ProbeResult::Goal;
                    break;
                }
                Err(_) => {
                    let growth = (last as f64 / before as f64).clamp(GROWTH.0, GROWTH.1);
                    return (last as f64 * growth.powi(i32::from(bound.0 - n.0) + 1), ProbeResult::Open);
                }
            }
        }
        ((self.meter.count() - start).max(1) as f64, found)
    }
}
