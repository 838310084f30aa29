//! The probes: the estimates of a node that has not been expanded.
//!
//! The paper computes RealVal by a shallow search and OptVal by the same search after a free move of the forcing side.
//! For mates the probes are: at OR nodes a mate in one (RealVal); at AND nodes without check a mate in one after the
//! defender passes (OptVal). A leaf without legal moves, an OR leaf with fewer than two moves left to the attacker and
//! an AND leaf with none are decided. Others are discounted: a leaf has the OptPrb that its expansion into the replies
//! that count, of the same OptPrb each, would have.
//!
//! | leaf | OptVal: mate in | replies that count | the defender's OptPrb |
//! |---|---|---|---|
//! | AND after a check with n evasions | 1 | n | 1/2 |
//! | AND after a quiet move that threatens mate, n replies | 1 | n/4, rounded up | 1/2 |
//! | AND after another quiet move, n replies | 2, less a discount | n | 1/2 |
//! | OR with m moves | 2 | 1 | (1/2)ᵐ |
//!
//! A quiet threat is met by few of the replies; to the others the attacker replies with the mate that he threatened.
//! The pass of the defender counts as a node.

use crate::chess::{ManList, MateLength, Move, NodeKind, Position};
use crate::search::horizon::Horizon;
use crate::search::{Interrupted, Meter};

use super::graph::Leaf;
use super::value::{Cost, MateScale, opt_prb};

/// The number of replies to a quiet threat for which one is expected to meet it. Doubled, threats look better; halved,
/// they look like other quiet moves.
const REPLIES_PER_DEFENCE: u32 = 4;
/// The part of the OptVal that is left of a quiet move without a threat. A larger one makes quiet moves look better, a
/// smaller one worse.
const QUIET_CREDIT: f64 = 0.85;
/// The smallest OptPrb of a single reply. Doubled, unlikely replies get more of the search; halved, less.
const LEAST: f64 = 1.0 / 16.0;

/// The result of the probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// The side to move is checkmated.
    Checkmate,
    /// A mate in one.
    Mate(Move),
    /// An open or a refuted leaf.
    Leaf(Leaf),
}

/// Probes a position in which the attacker may still make the moves of `horizon`.
pub(super) fn probe(
    position: &Position,
    kind: NodeKind,
    horizon: Horizon,
    meter: &mut Meter<'_>,
) -> Result<Probe, Interrupted> {
    match kind {
        NodeKind::Or => Ok(probe_attack(position, horizon)),
        NodeKind::And => probe_defence(position, horizon, meter),
    }
}

fn probe_attack(position: &Position, horizon: Horizon) -> Probe {
    let mut men = ManList::new();
    let attack = position.attack(&mut men);
    if let Some(m) = attack.mate() {
        return Probe::Mate(m);
    }
    let moves = attack.count_moves() as u32;
    if moves == 0 || !horizon.admits(MateLength(2)) {
        return Probe::Leaf(Leaf::REFUTED);
    }
    let attack = reply_cost(horizon, 2.0, 1.0);
    Probe::Leaf(Leaf { attack, defence: Cost::HALF.times(moves), optimum: 2 })
}

fn probe_defence(position: &Position, horizon: Horizon, meter: &mut Meter<'_>) -> Result<Probe, Interrupted> {
    let replies = position.count_moves() as u32;
    let check = position.is_check();
    if replies == 0 {
        return Ok(if check { Probe::Checkmate } else { Probe::Leaf(Leaf::REFUTED) });
    }
    if !horizon.admits(MateLength(1)) {
        return Ok(Probe::Leaf(Leaf::REFUTED));
    }
    let threat = !check && {
        meter.node()?;
        position.threatens_mate()
    };
    let (optimum, credit, counted) = match (check, threat) {
        (true, _) => (1, 1.0, replies),
        (false, true) => (1, 1.0, replies.div_ceil(REPLIES_PER_DEFENCE)),
        (false, false) => (2, QUIET_CREDIT, replies),
    };
    let attack = reply_cost(horizon, f64::from(optimum), credit).times(counted);
    Ok(Probe::Leaf(Leaf { attack, defence: Cost::HALF, optimum }))
}

/// Returns the OptPrb of a single reply: the probability of a mate within the moves left, if the attacker may hope for
/// a mate in `optimum` moves, with the part `credit` of its value.
fn reply_cost(horizon: Horizon, optimum: f64, credit: f64) -> Cost {
    let scale = MateScale::of(horizon);
    Cost::of(opt_prb(scale.mate(optimum) * credit, MateScale::OPEN, scale.target()).max(LEAST))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::chess::testing::position;
    use crate::search::{Control, Limits};
    use shakmaty::Color;

    /// Probes a position in which White mates. Returns the result and the nodes that it cost.
    fn probed(text: &str, horizon: Horizon) -> (Probe, u64) {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut meter = Meter::new(&control);
        let position = position(text);
        let kind = NodeKind::of(position.turn(), Color::White);
        (probe(&position, kind, horizon, &mut meter).unwrap(), meter.count())
    }

    fn leaf(text: &str) -> (Leaf, u64) {
        match probed(text, Horizon::NONE) {
            (Probe::Leaf(leaf), nodes) => (leaf, nodes),
            (other, _) => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn solved_positions_are_recognized() {
        let probe = |text, left| probed(text, Horizon::within(MateLength(left))).0;
        let refuted = Probe::Leaf(Leaf::REFUTED);
        assert_eq!(probe("7k/6Q1/6K1/8/8/8/8/8 b - -", 0), Probe::Checkmate);
        assert_eq!(probe("7k/5Q2/6K1/8/8/8/8/8 b - -", 3), refuted, "stalemate");
        assert!(matches!(probe("7k/5Q2/6K1/8/8/8/8/8 w - -", 1), Probe::Mate(_)));
        assert_eq!(probe("7k/8/8/8/8/8/8/K5R1 w - -", 1), refuted, "no mate in one and no other move left");
        assert_ne!(probe("7k/8/8/8/8/8/8/K5R1 w - -", 2), refuted);
        assert_eq!(probe("7k/8/8/8/8/8/8/K5R1 b - -", 0), refuted, "no move left");
    }

    #[test]
    fn opt_prb_falls_with_the_replies_and_rises_with_a_threat() {
        let half = Cost::of(opt_prb(999.0, 0.0, 500.0));
        // White threatens Re8 mate. A quarter of Black's five replies is expected to meet it.
        let (threat, nodes) = leaf("7k/6pp/8/8/8/8/8/K3R2R b - -");
        assert_eq!((threat.attack, threat.optimum, nodes), (half.times(2), 1, 1));
        let (quiet, nodes) = leaf("7k/6pp/8/8/8/8/8/K6R b - -");
        assert_eq!((quiet.optimum, nodes), (2, 1));
        assert!(quiet.attack > threat.attack);
        // A check with two evasions.
        let (evasion, nodes) = leaf("4R1k1/6p1/8/8/8/8/8/K7 b - -");
        assert_eq!((evasion.attack, evasion.optimum, nodes), (half.times(2), 1, 0));
        // With the attacker to move, the defender must answer each of his moves.
        let (attack, _) = leaf("7k/8/8/8/8/8/8/K5R1 w - -");
        assert_eq!((attack.attack, attack.defence, attack.optimum), (Cost::of(498.0 / 998.0), Cost::HALF.times(16), 2));
    }
}
