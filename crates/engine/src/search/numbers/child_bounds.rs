//! The numbers of a node computed from its open children, and the child to search next.
//!
//! An OR node's pn is the minimum of its children's and its dn their sum; at AND nodes the roles are exchanged. A sum
//! assumes that the children's proofs have nothing in common. In chess they mostly have: a piece that prevents one mate
//! prevents others, one mating net answers five king moves, and lines transpose. Full sums make nodes with many replies
//! look hopeless long before they are. So where a mate of any length is looked for,
//!
//! ```text
//! pn(AND) = max pn(child) + (Σ pn(child) − max pn(child)) / 2
//! ```
//!
//! The weak proof numbers of Ueda, Hashimoto, Hashimoto & Iida 2008 are similar: the maximum, and one for each other
//! child. The searches compute a reply's threshold as if its whole pn counted. So they return to the node before a
//! reply whose pn is not the maximum has used up its share, and compare the replies again. Within a horizon the full
//! sum is taken.
//!
//! Rejected: other shares of the sum, weak proof numbers, halves within a horizon (`benches/tuning/child_bounds.md`).

use crate::chess::NodeKind;
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::attempt::Attempt;

/// The numbers of a node's open children, combined.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChildBounds {
    /// The index of the most-proving child; of ties the first.
    pub best: usize,
    /// The minimum over the children: of their pn at an OR node, of their dn at an AND node.
    pub least: u32,
    /// The combination of the other number.
    pub sum: u32,
    /// The second smallest of the numbers that `least` is the minimum of; [`INFINITY`] for a single child.
    pub second: u32,
}

impl ChildBounds {
    /// Combines the numbers of children. Returns `None` if there are none.
    #[inline]
    pub fn of(children: impl Iterator<Item = ProofNumbers>, kind: NodeKind, attempt: Attempt) -> Option<ChildBounds> {
        let (mut best, mut least, mut second) = (0, INFINITY, INFINITY);
        let (mut total, mut most, mut count) = (0, 0, 0);
        for (i, ProofNumbers { pn, dn }) in children.enumerate() {
            let (number, summed) = if kind == NodeKind::Or { (pn, dn) } else { (dn, pn) };
            second = second.min(number.max(least));
            best = if number < least { i } else { best };
            least = least.min(number);
            most = most.max(summed);
            total += u64::from(summed);
            count = i + 1;
        }
        if kind == NodeKind::And && attempt.moves().is_none() {
            total = u64::from(most) + (total - u64::from(most)) / 2;
        }
        // If a summed number is infinite, that child's other number is 0. The minimum is then 0, which decides the
        // node.
        let sum = total.min(u64::from(INFINITY - 1)) as u32;
        (count > 0).then_some(ChildBounds { best, least, sum, second })
    }

    /// Returns the threshold of the best child: 1 + ε times the second smallest number, with ε = 1/`part`. Without the
    /// margin two equal children would be visited in turn, and each visit begins by going down to the leaves.
    #[inline]
    pub fn best_child_threshold(&self, part: u32) -> u32 {
        self.second.saturating_add(self.second / part + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::search::horizon::Horizon;

    fn bounds(numbers: &[(u32, u32)], kind: NodeKind, attempt: Attempt) -> Option<ChildBounds> {
        ChildBounds::of(numbers.iter().map(|&(pn, dn)| ProofNumbers { pn, dn }), kind, attempt)
    }

    #[test]
    fn the_first_minimum_is_the_best_child_and_the_other_numbers_are_summed() {
        let attempt = Attempt::mate(Horizon::within(MateLength(4)));
        let of = |kind| bounds(&[(5, 7), (2, 9), (2, 3)], kind, attempt).unwrap();
        let or = of(NodeKind::Or);
        assert_eq!((or.best, or.least, or.sum, or.best_child_threshold(4)), (1, 2, 19, 3));
        let and = of(NodeKind::And);
        assert_eq!((and.best, and.least, and.sum, and.best_child_threshold(4)), (2, 3, 9, 9));
        assert_eq!(and.best_child_threshold(2), 11);
        assert_eq!(bounds(&[], NodeKind::Or, attempt), None, "no child");
    }

    #[test]
    fn without_a_horizon_the_hardest_reply_counts_twice_as_much_as_the_others() {
        let sum = |kind, attempt| bounds(&[(4, 1), (10, 1), (5, 1)], kind, attempt).unwrap().sum;
        let boundless = Attempt::mate(Horizon::NONE);
        assert_eq!(sum(NodeKind::And, boundless), 10 + 9 / 2);
        assert_eq!(sum(NodeKind::And, Attempt::refutation(Horizon::within(MateLength(4)))), 19);
        assert_eq!(sum(NodeKind::Or, boundless), 3);
    }

    #[test]
    fn a_sum_is_never_infinite() {
        let numbers = [(INFINITY - 1, 1), (INFINITY - 1, 1)];
        let attempt = Attempt::refutation(Horizon::within(MateLength(4)));
        assert_eq!(bounds(&numbers, NodeKind::And, attempt).unwrap().sum, INFINITY - 1);
    }
}
