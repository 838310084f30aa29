//! What the children of a node say about it: the one to go on with, and the node's own numbers.
//!
//! An OR node's pn is the least of its children's and its dn their sum; an AND node the other way round. Sums presume that
//! what the children need has nothing in common. In chess it mostly has: a piece that is in the way of one reply's mate is in
//! the way of the others', one mating net answers five king moves, and lines transpose. So where a mate of any length is
//! looked for, an AND node's pn is its hardest reply's and **half** of the others': the full sum calls nodes with many replies
//! hopeless long before they are. Between the sum and the maximum lie the weak proof numbers of Ueda, Hashimoto, Hashimoto &
//! Iida 2008 (the maximum, and one for each other child); those lose mates.
//!
//! A leaf still counts all its replies ([`super::leaf`]), which is more than the node counts once they are seen: as
//! with the costs of refutations, what has been begun looks better than what has not. The threshold of a reply is what it would
//! be if all of it counted: the search comes back to the node before its share is used up, and compares again.
//!
//! # What was tried
//!
//! The 304 lines of the sample of [`super::restriction`], and 464 other mates of the same list in 6 moves and more (177 of them
//! in 13 and more), the length not told, one thread, 200,000 nodes in a race: found, found at the best known length,
//! proved shortest, of 768. Each row changes the row above it that was kept.
//!
//! | variant | found | best | proved | kept |
//! |---|---|---|---|---|
//! | sums; the quiet moves count 8 | 566 | 441 | 73 | |
//! | the quiet moves count less where the defender has few: n/2 + 1 with n moves, 2 to 8 | 574 | 451 | 77 | |
//! | n + 1, 2 to 8; n/2 + 2, 3 to 16; n + 3, 4 to 8 | 570, 579, 564 | 441, 450, 445 | 71, 75, 73 | |
//! | 4 with at most four moves | 575 | 446 | 75 | yes |
//! | the largest and half of the others | 594 | 465 | 76 | yes |
//! | the same with n/2 + 1, n/2 + 2 for the quiet moves | 582, 582 | 453, 468 | 76, 76 | no |
//! | the quiet moves count 8 in refutations | 597 | 462 | 78 | yes |
//! | 4 up to three moves, up to six; 3 up to four | 589, 590, 591 | 454, 453, 463 | 76, 75, 76 | no |
//! | five eighths of the others | 587 | 454 | 76 | no |
//! | leaves count five quarters, three halves of their replies | 583, 572 | 449, 449 | 76, 76 | no |
//! | interposing and capturing count half, twice as much as king moves | 585, 592 | 449, 452 | 79, 75 | no |
//! | AND leaves count one more for every 8, 32 plies of the path | 584, 590 | 469, 461 | 75, 77 | no |
//! | fresh replies count dn 2, 4, 8 | 583, 576, 574 | 450, 452, 444 | 77, 79, 74 | no |
//! | checks count dn 2, 4 | 587, 594 | 460, 456 | 77, 72 | no |
//! | after a mate, a lane for a shorter one by few moves: two parts, eight | 597, 597 | 453, 440 | 71, 65 | no |
//! | half also within a horizon | 597 | 452 | 76 | no |
//! | that, and three eighths of the others | 562 | 413 | 75 | no |
//! | that, and the dn of OR nodes likewise | 597 | 452 | 75 | no |
//! | that, and leaves count half, three quarters of the other replies | 549, 564 | 413, 420 | 72, 76 | no |
//! | also within a horizon, the largest and 1 for each other | 520 | 383 | 70 | no |
//! | the same, the others divided by the root of how many | 561 | 441 | 74 | no |
//!
//! With more nodes the gain is smaller: with 1,000,000, the 304 give 271, 243, 89 as in the first row and 276, 245, 88 as in the
//! last that was kept, the 464 give 401, 336, 99 and 403, 325, 99 (405, 329, 96 with half of the others alone, 399, 328, 97
//! with the quiet moves alone). Once repetitions are given up (the table in [`super`]), the 306 mates in 11 and more with
//! 400,000 nodes give 203 found and 164 at the best known length as in the first row, 211 and 168 with half of the others
//! alone, 213 and 174 with both.
//!
//! With the search as it is now (611, 498, 74 with 200,000 nodes), a threshold that lets a reply use up its share gives 602,
//! 494, 74.
//! On the 87 that are not found with 1,000,000 nodes, 1,500,000 find 17; with a quarter or an eighth of the others instead
//! of half 15 and 9, with 1 for each other reply 11, with half of the others in the dn of OR nodes too 14.
//!
//! The 304 and 464 others drawn anew, the boundless search alone, until it finds any mate: 635 with 500,000 nodes, 663 with
//! 1,000,000, 686 with 2,000,000. Two that differ (of equals the last instead of the first; a quarter of the others; all of
//! the others; 16 for the quiet moves), half of the nodes each, find between them 649 to 662 with 1,000,000 and 666 to 686
//! with 2,000,000; three and four find no more. So more of the same is as good as something else.
//!
//! OR leaves that count one more for every pawn's worth that the attacker has lost since the root find 639 and 672 with
//! 500,000 and 1,000,000, one more for every three pawns' 639 and 666, two for every pawn's 637 and 665. In a race, though,
//! one for every pawn's gives 630, 535, 153 with 400,000 nodes instead of 627, 531, 152, and 671, 611, 228 with 1,000,000
//! instead of 672, 606, 228: not kept.

use crate::chess::NodeKind;
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::question::Question;
use super::search::Child;

/// The numbers of a node's open children, put together.
#[derive(Debug)]
pub(super) struct ChildBounds {
    /// The index of the most-proving child; of equals the first. `usize::MAX` if there is none.
    pub best: usize,
    /// The number that is minimal over the children, and the one that is summed.
    pub least: u32,
    pub sum: u32,
    /// The runner-up of the least.
    second: u32,
}

impl ChildBounds {
    /// Puts together the children from `first` on.
    #[inline]
    pub fn of(children: &[Child], first: usize, kind: NodeKind, question: Question) -> ChildBounds {
        let (mut best, mut least, mut second) = (usize::MAX, INFINITY, INFINITY);
        let (mut total, mut most) = (0, 0);
        for (i, child) in children.iter().enumerate().skip(first) {
            let ProofNumbers { pn, dn } = child.value.numbers;
            let (number, summed) = if kind == NodeKind::Or { (pn, dn) } else { (dn, pn) };
            second = second.min(number.max(least));
            best = if number < least || best == usize::MAX { i } else { best };
            least = least.min(number);
            most = most.max(summed);
            total += u64::from(summed);
        }
        if kind == NodeKind::And && question.moves().is_none() {
            total = u64::from(most) + (total - u64::from(most)) / 2;
        }
        // A child whose summed number is infinite has the other one 0, and decides the node by that.
        ChildBounds { best, least, sum: total.min(u64::from(INFINITY - 1)) as u32, second }
    }

    /// The runner-up's number and a quarter more: without the margin two equal children would be visited in turn, and each
    /// visit begins with going down to the leaves.
    #[inline]
    pub fn widened(&self) -> u32 {
        self.second.saturating_add(self.second / 4 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::search::dfpn::leaf::NodeValue;
    use crate::search::dfpn::search::Step;
    use crate::search::horizon::Horizon;

    fn children(numbers: &[(u32, u32)]) -> Vec<Child> {
        let value = |&(pn, dn)| NodeValue::stored(ProofNumbers { pn, dn });
        numbers.iter().map(|numbers| Child::new(Step::QuietMoves, 0, value(numbers))).collect()
    }

    #[test]
    fn the_first_of_the_least_is_the_best_and_the_others_are_summed() {
        let children = children(&[(1, 1), (5, 7), (2, 9), (2, 3)]);
        let question = Question::mate(Horizon::within(MateLength(4)));
        let or = ChildBounds::of(&children, 1, NodeKind::Or, question);
        assert_eq!((or.best, or.least, or.sum, or.widened()), (2, 2, 19, 3));
        let and = ChildBounds::of(&children, 1, NodeKind::And, question);
        assert_eq!((and.best, and.least, and.sum, and.widened()), (3, 3, 9, 9));
        assert_eq!(ChildBounds::of(&children, 4, NodeKind::Or, question).best, usize::MAX, "no child");
    }

    #[test]
    fn without_a_horizon_the_hardest_reply_counts_twice_as_much_as_the_others() {
        let children = children(&[(4, 1), (10, 1), (5, 1)]);
        let sum = |kind, question| ChildBounds::of(&children, 0, kind, question).sum;
        let boundless = Question::mate(Horizon::NONE);
        assert_eq!(sum(NodeKind::And, boundless), 10 + 9 / 2);
        assert_eq!(sum(NodeKind::And, Question::refutation(Horizon::within(MateLength(4)))), 19);
        assert_eq!(sum(NodeKind::Or, boundless), 3);
    }

    #[test]
    fn a_sum_proves_nothing() {
        let numbers = [(INFINITY - 1, 1), (INFINITY - 1, 1)];
        let question = Question::refutation(Horizon::within(MateLength(4)));
        assert_eq!(ChildBounds::of(&children(&numbers), 0, NodeKind::And, question).sum, INFINITY - 1);
    }
}
