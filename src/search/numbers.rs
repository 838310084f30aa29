//! Proof and disproof numbers.
//!
//! The **proof number** of a node is the least number of leaves that must be proved to prove the node, its
//! **disproof number** the least number that must be disproved to disprove it (Allis 1994). Both are seen from the
//! attacker: at an OR node the attacker needs one child, so pn is the minimum and dn the sum over the children; at an
//! AND node the attacker needs all, so the roles are exchanged.
//!
//! ```text
//!              OR            pn = min,  dn = sum            AND           pn = sum,  dn = min
//!           (2, 4)                                        (5, 1)
//!          /   |   \                                     /   |   \
//!      (3,1) (2,2) (7,1)                             (3,1) (2,2) (0,∞)
//! ```
//!
//! Only a solved node has an infinite number: sums saturate one below [`INFINITY`], because a number too large to count
//! is not a proof of anything. In a graph where nodes are shared, sums count a shared leaf once per path; the numbers
//! are then upper estimates and steer the search, but 0 and ∞ still mean what they say.

use crate::chess::NodeKind;

/// The number of a node that can no longer be proved (as pn) or disproved (as dn).
pub const INFINITY: u32 = u32::MAX;

/// A proof number and a disproof number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofNumbers {
    /// Leaves to prove; 0 is proved, [`INFINITY`] disproved.
    pub pn: u32,
    /// Leaves to disprove; 0 is disproved, [`INFINITY`] proved.
    pub dn: u32,
}

impl ProofNumbers {
    /// A proved node: the defender is mated.
    pub const PROVED: ProofNumbers = ProofNumbers { pn: 0, dn: INFINITY };
    /// A disproved node: there is no mate.
    pub const DISPROVED: ProofNumbers = ProofNumbers { pn: INFINITY, dn: 0 };

    /// A leaf that is expected to need `moves` (at least 1) of its children: all of them for a proof at an AND node,
    /// for a disproof at an OR node; one for the opposite. `surcharge` is added to the proof number.
    #[inline]
    pub fn leaf(kind: NodeKind, moves: u32, surcharge: u32) -> ProofNumbers {
        match kind {
            NodeKind::Or => ProofNumbers { pn: add(1, surcharge), dn: moves },
            NodeKind::And => ProofNumbers { pn: add(moves, surcharge), dn: 1 },
        }
    }

    /// The numbers of a node without children: nothing to play is a failure at an OR node, nothing left to refute a
    /// success at an AND node. Children are then taken in with [`ProofNumbers::absorb`].
    #[inline]
    pub fn of_no_children(kind: NodeKind) -> ProofNumbers {
        match kind {
            NodeKind::Or => ProofNumbers::DISPROVED,
            NodeKind::And => ProofNumbers::PROVED,
        }
    }

    /// Takes a child's numbers into those of its parent of the given kind. Says whether the child is more proving than
    /// all before it: has the smallest pn at an OR node, the smallest dn at an AND node.
    #[inline]
    pub fn absorb(&mut self, kind: NodeKind, child: ProofNumbers) -> bool {
        let (least, sum, childs_least, childs_sum) = match kind {
            NodeKind::Or => (&mut self.pn, &mut self.dn, child.pn, child.dn),
            NodeKind::And => (&mut self.dn, &mut self.pn, child.dn, child.pn),
        };
        *sum = add(*sum, childs_sum);
        let better = childs_least < *least;
        if better {
            *least = childs_least;
        }
        better
    }

    /// Whether the node is proved.
    #[inline]
    pub fn is_proved(self) -> bool {
        self.pn == 0
    }

    /// Whether the node is disproved.
    #[inline]
    pub fn is_disproved(self) -> bool {
        self.dn == 0
    }

    /// Whether the node is proved or disproved.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// The sum of two numbers: infinite if one of them is, otherwise finite whatever its size.
#[inline]
fn add(a: u32, b: u32) -> u32 {
    if a == INFINITY || b == INFINITY { INFINITY } else { a.saturating_add(b).min(INFINITY - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back_up(kind: NodeKind, children: &[(u32, u32)]) -> (u32, u32, Option<usize>) {
        let mut numbers = ProofNumbers::of_no_children(kind);
        let mut best = None;
        for (i, &(pn, dn)) in children.iter().enumerate() {
            if numbers.absorb(kind, ProofNumbers { pn, dn }) {
                best = Some(i);
            }
        }
        (numbers.pn, numbers.dn, best)
    }

    #[test]
    fn minimum_and_sum_change_places_with_the_side_to_move() {
        let children = [(3, 1), (2, 2), (7, 1)];
        assert_eq!(back_up(NodeKind::Or, &children), (2, 4, Some(1)));
        assert_eq!(back_up(NodeKind::And, &children), (12, 1, Some(0)));
    }

    #[test]
    fn solved_children_solve_their_parents() {
        assert_eq!(back_up(NodeKind::Or, &[(INFINITY, 0), (0, INFINITY)]), (0, INFINITY, Some(1)));
        assert_eq!(back_up(NodeKind::And, &[(0, INFINITY), (INFINITY, 0)]), (INFINITY, 0, Some(1)));
        assert_eq!(back_up(NodeKind::Or, &[]), (INFINITY, 0, None));
        assert_eq!(back_up(NodeKind::And, &[(0, INFINITY)]), (0, INFINITY, None));
    }

    #[test]
    fn a_number_too_large_to_count_is_not_infinite() {
        let huge = (INFINITY - 1, INFINITY - 1);
        assert_eq!(back_up(NodeKind::Or, &[huge, huge]), (INFINITY - 1, INFINITY - 1, Some(0)));
        assert_eq!(ProofNumbers::leaf(NodeKind::Or, 5, INFINITY - 1).pn, INFINITY - 1);
    }
}
