//! Null moves: what passing means when the question is mate.
//!
//! In game play a null move asks whether a side is so well off that it may skip its turn. In a mate search the two
//! sides pass for different reasons:
//!
//! * **The defender passes** at an AND node: *is there a threat?* If the attacker mates even so, that mate is a fact about
//!   the position after the pass and its first move is the threat, a good guess against every real reply. If he does
//!   not, his last move seems to achieve nothing, and the defender "fails high". The inference is wrong exactly in
//!   **zugzwang**, where every real move is worse than none; problems are full of it.
//! * **The attacker passes** at an OR node: *does he mate even if he wastes a move?* Then a waiting move very likely
//!   mates, but a legal one need not exist, so the fail-high is not a proof, and a mate search cuts at OR nodes on
//!   proofs only. This engine therefore never passes for the attacker.
//!
//! A pass is searched `R` plies shallower than a real reply would be. What a fail-high then leads to is the difference
//! between the papers:
//!
//! | mode | on a fail-high | loses at every depth |
//! |---|---|---|
//! | [`NullMove::Standard`] (Beal 1989; Donninger 1993) | cut | every zugzwang |
//! | [`NullMove::Adaptive`] (Heinz 1999) | cut | every zugzwang |
//! | [`NullMove::Verified`] (David-Tabibi & Netanyahu 2002, fig. 3) | one ply less and no verification below; cut only at a second fail-high below a first | zugzwangs below zugzwangs |
//! | [`NullMove::Nmr`] (David-Tabibi & Netanyahu 2008, fig. 2) | `DR` plies less, never a cut | nothing |
//!
//! At a given depth all of them lose more: threats deeper than the reduced search sees. Deeper iterations find those.
//!
//! The 2002 paper re-searches at full depth when the reduced search contradicts the fail-high. Here the contradiction is
//! "every real reply is mated", a proof that needs no second look to be believed: the zugzwang is found where the paper
//! would begin to doubt. The re-search remains for open windows, where it may find the mate to be shorter than the
//! reduced depth could see.
//!
//! Every failure a fail-high had a part in is tainted ([`super::window::Value::Unknown`]). Null moves end where the exact
//! routines begin, at two moves to go.

use super::window::Depth;
use crate::chess::MateLength;

/// What the search does with the defender's pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NullMove {
    /// Nobody passes.
    #[default]
    None,
    /// A fail-high cuts.
    Standard {
        /// Plies the search after the pass is reduced by; the papers try 1 to 4.
        r: u8,
    },
    /// As standard, with an R that depends on the depth (Heinz 1999).
    Adaptive {
        /// R near the leaves (up to six plies).
        shallow: u8,
        /// R above them.
        deep: u8,
    },
    /// A fail-high reduces by a ply and switches to the standard null move below.
    Verified {
        /// As above; the paper's choice is 3.
        r: u8,
    },
    /// A fail-high only reduces.
    Nmr {
        /// R near the leaves (up to six plies); the paper's choice is 3.
        shallow: u8,
        /// R above them; the paper's choice is 4.
        deep: u8,
        /// The plies a fail-high takes off, DR; the paper's choice is 4.
        dr: u8,
    },
}

/// What is to be done after a fail-high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailHigh {
    /// Believe it: the node fails.
    Cut,
    /// Search the replies at this depth; with `verify` off, a second fail-high below will cut.
    Continue {
        /// The reduced depth.
        depth: Depth,
        /// Whether fail-highs below are verified.
        verify: bool,
    },
}

/// The last depth at which an R that depends on the depth is the shallow one.
const SHALLOW: Depth = Depth::plies(6);

impl NullMove {
    /// The 2002 paper's setting.
    pub const VERIFIED: NullMove = NullMove::Verified { r: 3 };
    /// The 2008 paper's setting, R = 3 ~ 4 and DR = 4.
    pub const NMR: NullMove = NullMove::Nmr { shallow: 3, deep: 4, dr: 4 };
    /// With this many moves or fewer to go the exact routines are cheaper than a pass.
    pub const EXACT: MateLength = MateLength(2);

    /// The depth at which a pass at this depth is answered; `None` if nobody passes. A mate in one is always looked for.
    pub fn depth_after(self, depth: Depth, verify: bool) -> Option<Depth> {
        let r = match self {
            NullMove::None => return None,
            // With verification on and one ply left there is nothing to verify with.
            NullMove::Verified { .. } if verify && depth <= Depth::plies(1) => return None,
            NullMove::Standard { r } | NullMove::Verified { r } => r,
            NullMove::Adaptive { shallow, deep } | NullMove::Nmr { shallow, deep, .. } => {
                if depth > SHALLOW {
                    deep
                } else {
                    shallow
                }
            }
        };
        Some(depth.minus(1 + i32::from(r)).max(Depth::plies(1)))
    }

    /// The consequence of a fail-high at this depth.
    pub fn fail_high(self, depth: Depth, verify: bool) -> FailHigh {
        match self {
            NullMove::Verified { .. } if verify => FailHigh::Continue { depth: depth.minus(1), verify: false },
            NullMove::Nmr { dr, .. } if depth > Depth::plies(i32::from(dr)) => {
                FailHigh::Continue { depth: depth.minus(i32::from(dr)), verify }
            }
            _ => FailHigh::Cut,
        }
    }

    /// The depth beyond which deeper iterations find nothing new within `n` moves, given the depth that would do without
    /// null moves. A reduction can be outwaited, be it of the search after the pass or of the node: it may strike once
    /// before every move of the attacker. A cut that stands on zugzwang is made at every depth.
    pub fn outwaited(self, depth: Depth, n: MateLength) -> Depth {
        let plies = match self {
            NullMove::None => 0,
            NullMove::Standard { r } => r,
            NullMove::Verified { r } => r.saturating_add(1),
            NullMove::Adaptive { shallow, deep } => shallow.max(deep),
            NullMove::Nmr { shallow, deep, dr } => shallow.max(deep).max(dr),
        };
        depth.plus(i32::from(plies) * i32::from(n.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verified_cuts_at_the_second_fail_high_only() {
        let null = NullMove::VERIFIED;
        assert_eq!(null.fail_high(Depth::plies(7), true), FailHigh::Continue { depth: Depth::plies(6), verify: false });
        assert_eq!(null.fail_high(Depth::plies(6), false), FailHigh::Cut);
        assert_eq!(null.depth_after(Depth::plies(1), true), None);
    }

    #[test]
    fn nmr_reduces_by_depth_and_never_cuts_while_there_is_depth_to_reduce() {
        assert_eq!(NullMove::NMR.depth_after(Depth::plies(9), true), Some(Depth::plies(4)));
        assert_eq!(NullMove::NMR.depth_after(Depth::plies(6), true), Some(Depth::plies(2)));
        assert_eq!(
            NullMove::NMR.fail_high(Depth::plies(9), true),
            FailHigh::Continue { depth: Depth::plies(5), verify: true }
        );
        assert_eq!(NullMove::NMR.fail_high(Depth::plies(4), true), FailHigh::Cut);
    }
}
