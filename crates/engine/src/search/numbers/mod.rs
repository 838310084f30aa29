//! Proof and disproof numbers.
//!
//! The **proof number** (pn) of a node is the smallest number of leaves that must be proved to prove the node. Its
//! **disproof number** (dn) is the smallest number of leaves that must be disproved to disprove it (Allis 1994). Both
//! are always seen from the attacker. At an OR node the attacker needs one child: pn is the minimum and dn the sum over
//! the children. At an AND node the attacker needs all children: pn is the sum and dn the minimum.
//!
//! ```text
//!              OR            pn = min,  dn = sum            AND           pn = sum,  dn = min
//!           (2, 4)                                        (5, 1)
//!          /   |   \                                     /   |   \
//!      (3,1) (2,2) (7,1)                             (3,1) (2,2) (0,∞)
//! ```
//!
//! `pn` and `dfpn` estimate more: a leaf may count more than 1 (`leaf`), and without a horizon an AND node takes only a
//! part of the sum (`child_bounds`). In a graph with shared nodes, a sum counts a shared leaf once for every path to
//! it.
//!
//! A solved node has the numbers 0 and ∞, an open one has neither: a sum that is too large stops one below
//! [`INFINITY`]. A proof holds on every path. A disproof may hold for one path or one attempt only (`leaf::Taint`).
//!
//! The files of this folder are what `pn` and `dfpn` share:
//!
//! | file | content |
//! |---|---|
//! | `attempt` | horizon and aim of a search |
//! | `leaf` | the numbers of new leaves |
//! | `child_bounds` | the numbers of a node from those of its children |
//! | `threshold` | how long a refutation with few moves left stays at a node |
//! | `order` | the order of the defender's replies |
//! | `last_move`, `two_moves` | nodes with one or two moves left |
//! | `few_men` | what tables and Syzygy files know |
//! | `shared` | which results are written for other searches |

pub(crate) mod attempt;
pub(crate) mod child_bounds;
pub(crate) mod few_men;
pub(crate) mod last_move;
pub(crate) mod leaf;
pub(crate) mod order;
pub(crate) mod shared;
pub(crate) mod threshold;
pub(crate) mod two_moves;

use crate::chess::NodeKind;

/// The longest path, in plies. A child of a longer path counts as a repetition, which bounds the stack. Doubled,
/// threads need a larger stack; halved, very long lines count as repetitions.
pub(crate) const LONGEST_PATH: usize = 4_000;

/// The proof number of a disproved node, and the disproof number of a proved node.
pub(crate) const INFINITY: u32 = u32::MAX;

/// A node with at least this proof number has been given up so often, because all its lines led back to the path, that
/// a search ends without an answer. The number doubles with each visit, so half of it ends the search one visit
/// earlier.
pub(crate) const HOPELESS: u32 = 1 << 30;

/// A proof number and a disproof number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProofNumbers {
    /// The proof number: 0 for a proved node, [`INFINITY`] for a disproved one.
    pub pn: u32,
    /// The disproof number: 0 for a disproved node, [`INFINITY`] for a proved one.
    pub dn: u32,
}

impl ProofNumbers {
    /// The numbers of a proved node: the attacker mates.
    pub const PROVED: ProofNumbers = ProofNumbers { pn: 0, dn: INFINITY };
    /// The numbers of a disproved node: there is no mate.
    pub const DISPROVED: ProofNumbers = ProofNumbers { pn: INFINITY, dn: 0 };

    /// Returns the numbers of a leaf with `moves` (at least 1) legal moves: (1, `moves`) at an OR node and (`moves`, 1)
    /// at an AND node.
    #[inline]
    pub fn leaf(kind: NodeKind, moves: u32) -> ProofNumbers {
        match kind {
            NodeKind::Or => ProofNumbers { pn: 1, dn: moves },
            NodeKind::And => ProofNumbers { pn: moves, dn: 1 },
        }
    }

    /// Returns the numbers of a node without children: disproved at an OR node, proved at an AND node. This is the
    /// starting value for adding children with [`ProofNumbers::absorb`].
    #[inline]
    pub fn of_no_children(kind: NodeKind) -> ProofNumbers {
        match kind {
            NodeKind::Or => ProofNumbers::DISPROVED,
            NodeKind::And => ProofNumbers::PROVED,
        }
    }

    /// Adds a child's numbers to those of its parent, which is of the given kind. Returns whether the child is more
    /// proving than all children before it: whether its pn (at an OR node) or dn (at an AND node) is smaller than
    /// theirs.
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

    /// Returns the numbers of an open node whose lines all lead back to the path. On another path they may not, so it
    /// stays open, but counts as twice as hard to prove.
    #[inline]
    pub fn after_repetition(self) -> ProofNumbers {
        ProofNumbers { pn: self.pn.saturating_mul(2).min(INFINITY - 1), ..self }
    }

    /// Returns whether the node is proved.
    #[inline]
    pub fn is_proved(self) -> bool {
        self.pn == 0
    }

    /// Returns whether the node is disproved.
    #[inline]
    pub fn is_disproved(self) -> bool {
        self.dn == 0
    }

    /// Returns whether the node is proved or disproved.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// Adds two numbers. The sum is [`INFINITY`] if one of them is; otherwise it is at most one less.
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
    fn or_nodes_take_the_minimum_of_pn_and_and_nodes_that_of_dn() {
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
    fn a_sum_that_is_too_large_stays_finite() {
        let huge = (INFINITY - 1, INFINITY - 1);
        assert_eq!(back_up(NodeKind::Or, &[huge, huge]), (INFINITY - 1, INFINITY - 1, Some(0)));
    }
}
