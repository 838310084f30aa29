//! The arithmetic of the paper: probabilities, target values and the stopping limit.
//!
//! A node's outcome is taken to be uniformly distributed between its RealVal (the best estimate) and its OptVal (the
//! optimistic estimate). **OptPrb** is the part of this range that lies beyond the target:
//!
//! ```text
//!   RealVal        TargetVal              OptVal
//!   ├──────────────────┼─────────────────────┤        OptPrb = (OptVal − TargetVal) / (OptVal − RealVal)
//!                      └───── OptPrb ────────┘
//! ```
//!
//! The side that tries to reach the target needs one of its own moves: the greatest OptPrb. It must answer every move
//! of the other side: the product of the OptPrbs. Products of many small numbers are kept as sums of logarithms, see
//! [`Cost`].
//!
//! # Values of mates
//!
//! A mate in k moves has the value M − k and an open question the value 0. M is twice the number of moves left to the
//! attacker, so that the target (a mate within the moves left) lies in the middle between "open" and "at once". Without
//! a horizon, [`NO_HORIZON_MOVES`] stands for that number.

use crate::search::horizon::Horizon;

/// Returns the probability that a value between `real` and `opt` reaches `target`. For the other side, which wants
/// small values, negate all three.
pub(super) fn opt_prb(opt: f64, real: f64, target: f64) -> f64 {
    if target <= real {
        1.0
    } else if target >= opt {
        0.0
    } else {
        (opt - target) / (opt - real)
    }
}

/// MinAct at the start of a search: a move whose share of the OptPrb is smaller is not worth an expansion. Doubled,
/// rivals are dropped sooner; halved, later.
const FIRST_MIN_ACT: f64 = 0.15;
/// The growth of MinAct each time the effort of the search doubles. Doubled, the search narrows faster; halved, more
/// slowly.
const MIN_ACT_GROWTH: f64 = 0.025;
/// The largest MinAct. A larger one narrows a long search further.
const LAST_MIN_ACT: f64 = 0.45;

/// Returns MinAct after this many phases: 0.15 at first, and more as effort is spent, up to 0.45.
pub(super) fn min_act(phases: u32) -> f64 {
    (FIRST_MIN_ACT + MIN_ACT_GROWTH * f64::from(phases.max(1)).log2()).min(LAST_MIN_ACT)
}

/// The number of cost units for a factor of one half.
const UNITS_PER_HALVING: f64 = 64.0;

/// A probability as a negative logarithm: 0 stands for certainty, [`Cost::NEVER`] for impossibility, and 64 for one
/// half. Products of probabilities are sums of costs, and the greatest probability is the smallest cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(u32);

impl Cost {
    /// The target is reached.
    pub const CERTAIN: Cost = Cost(0);
    /// The target cannot be reached.
    pub const NEVER: Cost = Cost(u32::MAX);
    /// The target cannot be reached on the present path, because a position repeats. On another path it may be.
    pub const CONDITIONAL: Cost = Cost(1 << 30);
    /// A probability of one half.
    pub const HALF: Cost = Cost(64);
    /// The largest cost of a sum of other costs.
    const LARGEST: Cost = Cost((1 << 30) - 1);

    /// Returns the cost of an open probability. It is neither certain nor impossible.
    pub fn of(probability: f64) -> Cost {
        let units = (-probability.log2() * UNITS_PER_HALVING).round();
        // The conversion saturates.
        #[allow(clippy::cast_sign_loss)]
        Cost(units.clamp(1.0, 1e6) as u32)
    }

    /// Returns the probability.
    #[cfg(test)]
    pub fn probability(self) -> f64 {
        if self.is_conditional() { 0.0 } else { (-f64::from(self.0) / UNITS_PER_HALVING).exp2() }
    }

    /// Returns the cost of reaching both targets, if they are independent of each other.
    #[inline]
    pub fn and(self, other: Cost) -> Cost {
        let larger = self.max(other);
        if larger >= Cost::CONDITIONAL { larger } else { Cost(self.0 + other.0).min(Cost::LARGEST) }
    }

    /// Returns the cost of reaching `n` targets of the same probability.
    #[inline]
    pub fn times(self, n: u32) -> Cost {
        Cost(self.0.saturating_mul(n).min(Cost::LARGEST.0))
    }

    /// Returns whether the target is out of reach on the present path, or on all.
    #[inline]
    pub fn is_conditional(self) -> bool {
        self >= Cost::CONDITIONAL
    }

    /// Returns the share of the alternative with cost `self` in the sum of its probability and that of `rival`.
    pub fn share_against(self, rival: Cost) -> f64 {
        let halvings = (f64::from(self.0) - f64::from(rival.0)) / UNITS_PER_HALVING;
        1.0 / (1.0 + halvings.exp2())
    }
}

/// The number of moves that stands for "no horizon" on the scale of values.
const NO_HORIZON_MOVES: u16 = 500;

/// The scale of mate values at a node: M is twice the number of moves left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MateScale {
    left: f64,
}

impl MateScale {
    /// Returns the scale for a number of moves left.
    pub fn of(horizon: Horizon) -> MateScale {
        let left = horizon.moves().map_or(NO_HORIZON_MOVES, |left| left.0.clamp(1, NO_HORIZON_MOVES));
        MateScale { left: f64::from(left) }
    }

    /// Returns the value of a mate in `length` moves.
    pub fn mate(self, length: f64) -> f64 {
        2.0 * self.left - length
    }

    /// The value of an open question.
    pub const OPEN: f64 = 0.0;

    /// Returns the value of a mate with the last of the moves left.
    pub fn target(self) -> f64 {
        self.mate(self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.0006, "{value} is not {expected}");
    }

    #[test]
    fn opt_prb_of_the_papers_figures() {
        // Figure 4: A, B and C with TargetVal 30. Figure 16: TargetVal 100.
        near(opt_prb(100.0, 20.0, 30.0), 0.875);
        near(opt_prb(40.0, 18.0, 30.0), 0.4545);
        near(opt_prb(25.0, 10.0, 30.0), 0.0);
        near(opt_prb(250.0, 20.0, 100.0), 0.652);
        // Figure 7: A and B with TargetVal 37.
        near(opt_prb(76.0, 34.0, 37.0), 0.929);
        near(opt_prb(40.0, 18.0, 37.0), 0.136);
        near(opt_prb(40.0, 35.0, 30.0), 1.0);
    }

    #[test]
    fn products_of_the_papers_verify_phase() {
        // Figure 10: the opponent wants to bring each node down to 17. After F the player has three answers.
        let opponent = |opt: f64, real: f64| opt_prb(-opt, -real, -17.0);
        let answers = [opponent(-80.0, 80.0), opponent(-80.0, 60.0), opponent(-80.0, 50.0)];
        for (found, expected) in answers.iter().zip([0.606, 0.693, 0.746]) {
            near(*found, expected);
        }
        near(answers.iter().product(), 0.3134);
        let cost = answers.iter().fold(Cost::CERTAIN, |cost, answer| cost.and(Cost::of(*answer)));
        assert!((cost.probability() - 0.3134).abs() < 0.005, "{}", cost.probability());
        // Figure 12: the greatest of the opponent's replies M, N and P.
        near(opponent(10.0, 20.0).max(opponent(15.0, 30.0)).max(opponent(20.0, 34.0)), 0.7);
        // Figure 13: the product over the three answers to M.
        let answers = [opponent(10.0, 55.0), opponent(10.0, 32.0), opponent(10.0, 20.0)];
        for (found, expected) in answers.iter().zip([0.1556, 0.3182, 0.7]) {
            near(*found, expected);
        }
        near(answers.iter().product(), 0.0347);
    }

    #[test]
    fn costs_never_become_solved_by_adding() {
        let huge = Cost::HALF.times(u32::MAX);
        assert_eq!(huge.and(huge), Cost::LARGEST);
        assert!(!huge.and(huge).is_conditional());
        assert_eq!(huge.and(Cost::CONDITIONAL), Cost::CONDITIONAL);
        assert_eq!(Cost::CONDITIONAL.and(Cost::NEVER), Cost::NEVER);
        assert_eq!(Cost::HALF.and(Cost::HALF), Cost::of(0.25));
        assert_eq!(Cost::of(1.0), Cost(1), "an open node is not certain");
        near(Cost::HALF.share_against(Cost::HALF), 0.5);
        near(Cost::of(0.125).share_against(Cost::of(0.875)), 0.125);
    }

    #[test]
    fn min_act_rises_with_the_effort_to_a_limit() {
        near(min_act(0), 0.15);
        near(min_act(1), 0.15);
        near(min_act(4), 0.2);
        near(min_act(u32::MAX), 0.45);
    }

    #[test]
    fn the_target_lies_in_the_middle_of_the_scale() {
        let scale = MateScale::of(Horizon::within(MateLength(6)));
        near(scale.target(), 6.0);
        near(scale.target(), f64::midpoint(scale.mate(0.0), MateScale::OPEN));
        near(opt_prb(scale.mate(1.0), MateScale::OPEN, scale.target()), 5.0 / 11.0);
        let open = MateScale::of(Horizon::NONE);
        near(opt_prb(open.mate(0.0), MateScale::OPEN, open.target()), 0.5);
    }
}
