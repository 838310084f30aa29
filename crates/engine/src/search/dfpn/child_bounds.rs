//! The numbers of a node computed from its children, and the child to search next.
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
//! which lies between the sum and the weak proof numbers of Ueda, Hashimoto, Hashimoto & Iida 2008 (the maximum, and
//! one for each other child). Within a horizon the full sum is taken. A reply's threshold is computed as if its whole
//! pn counted, so the search returns to the node before the reply has used up its share, and compares the replies
//! again.
//!
//! Rejected: other shares of the sum, weak proof numbers, halves within a horizon (`benches/tuning/child_bounds.md`).

use crate::chess::NodeKind;
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::attempt::Attempt;
use super::node::OpenChild;

/// The numbers of a node's open children, combined.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChildBounds {
    /// The index of the most-proving child; of ties the first.
    pub best: usize,
    /// The minimum over the children: of their pn at an OR node, of their dn at an AND node.
    pub least: u32,
    /// The combination of the other number.
    pub sum: u32,
    /// The second smallest of the numbers that `least` is the minimum of; [`INFINITY`] for a single child.
    second: u32,
}

impl ChildBounds {
    /// Combines the numbers of the children from index `first` on. Returns `None` if there are none.
    #[inline]
    pub fn of(children: &[OpenChild], first: usize, kind: NodeKind, attempt: Attempt) -> Option<ChildBounds> {
        if first >= children.len() {
            return None;
        }
        let (mut best, mut least, mut second) = (first, INFINITY, INFINITY);
        let (mut total, mut most) = (0, 0);
        for (i, child) in children.iter().enumerate().skip(first) {
            let ProofNumbers { pn, dn } = child.value.numbers;
            let (number, summed) = if kind == NodeKind::Or { (pn, dn) } else { (dn, pn) };
            second = second.min(number.max(least));
            best = if number < least { i } else { best };
            least = least.min(number);
            most = most.max(summed);
            total += u64::from(summed);
        }
        if kind == NodeKind::And && attempt.moves().is_none() {
            total = u64::from(most) + (total - u64::from(most)) / 2;
        }
        // If a summed number is infinite, that child's other number is 0. The minimum is then 0, which decides the
        // node.
        Some(ChildBounds { best, least, sum: total.min(u64::from(INFINITY - 1)) as u32, second })
    }

    /// Returns the threshold of the best child: the second smallest number and a quarter more (1 + ε with ε = ¼).
    /// Without the margin two equal children would be visited in turn, and each visit begins by going down to the
    /// leaves.
    #[inline]
    pub fn best_child_threshold(&self) -> u32 {
        self.second.saturating_add(self.second / 4 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::search::dfpn::leaf::NodeValue;
    use crate::search::dfpn::node::ChildMove;
    use crate::search::horizon::Horizon;

    fn children(numbers: &[(u32, u32)]) -> Vec<OpenChild> {
        let value = |&(pn, dn)| NodeValue::from_numbers(ProofNumbers { pn, dn });
        numbers.iter().map(|numbers| OpenChild::new(ChildMove::QuietMoves, 0, value(numbers))).collect()
    }

    #[test]
    fn the_first_minimum_is_the_best_child_and_the_other_numbers_are_summed() {
        let children = children(&[(1, 1), (5, 7), (2, 9), (2, 3)]);
        let attempt = Attempt::mate(Horizon::within(MateLength(4)));
        let bounds = |kind| ChildBounds::of(&children, 1, kind, attempt).unwrap();
        let or = bounds(NodeKind::Or);
        assert_eq!((or.best, or.least, or.sum, or.best_child_threshold()), (2, 2, 19, 3));
        let and = bounds(NodeKind::And);
        assert_eq!((and.best, and.least, and.sum, and.best_child_threshold()), (3, 3, 9, 9));
        assert_eq!(ChildBounds::of(&children, 4, NodeKind::Or, attempt), None, "no child");
    }

    #[test]
    fn without_a_horizon_the_hardest_reply_counts_twice_as_much_as_the_others() {
        let children = children(&[(4, 1), (10, 1), (5, 1)]);
        let sum = |kind, attempt| ChildBounds::of(&children, 0, kind, attempt).unwrap().sum;
        let boundless = Attempt::mate(Horizon::NONE);
        assert_eq!(sum(NodeKind::And, boundless), 10 + 9 / 2);
        assert_eq!(sum(NodeKind::And, Attempt::refutation(Horizon::within(MateLength(4)))), 19);
        assert_eq!(sum(NodeKind::Or, boundless), 3);
    }

    #[test]
    fn a_sum_is_never_infinite() {
        let numbers = [(INFINITY - 1, 1), (INFINITY - 1, 1)];
        let attempt = Attempt::refutation(Horizon::within(MateLength(4)));
        let bounds = ChildBounds::of(&children(&numbers), 0, NodeKind::And, attempt).unwrap();
        assert_eq!(bounds.sum, INFINITY - 1);
    }
}
