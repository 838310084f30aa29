//! Evaluates a node without searching it: the proof numbers of new leaves.
//!
//! A leaf of a search for a direct mate gets these numbers if it is not decided. `cost` is 1 where a mate is looked
//! for; for a refutation it grows with the moves left ([`Attempt::cost`]).
//!
//! | leaf | pn | dn, looking for a mate | dn, refuting |
//! |---|---|---|---|
//! | OR after a reply with k others before it, not evaluated | 1 | 1 | (48 + 3k) cost |
//! | the same after a minor piece is taken; after a rook or queen is taken; after a check | 1 | 1 | 24 cost; 16 cost; 3 cost |
//! | OR, n checks and q other moves | 1 | 1 | (1 + q + 3n) cost |
//! | AND after a check with n evasions | n | 1 | cost |
//! | AND after a quiet move that threatens mate in one, n replies | n/4, at least 1 | 1 | cost |
//! | AND after another quiet move, n replies | n + 1 | 1 | cost |
//! | all the quiet moves of an OR node, q of them | 8 | q | q cost |
//! | the same where the defender, if he were to move, has at most four moves | 4 | q | |
//!
//! Where the attacker is to win by technique, `dfpn` multiplies the proof number by a factor (`technique`). Where a
//! mate of any length is looked for by all moves, the proof number of an AND leaf is multiplied by one more than its
//! flights above those at the root: in long mates the king mostly has few flights.
//!
//! Mobility at AND nodes follows Breuker, Allis & van den Herik. To refute an OR node, every attacking move must be
//! refuted, and a check takes more nodes than another move. So the best reply usually leaves the attacker few moves: it
//! gives check, or takes a rook or queen. The estimate for replies not yet evaluated is high, so that the first reply
//! that does well is followed before the others are evaluated.
//!
//! Rejected: OR leaves that count mobility where a mate is looked for, and other estimates and factors
//! (`benches/tuning/leaves.md`, `benches/tuning/quiet_moves.md`, `benches/tuning/refutation_costs.md`,
//! `benches/tuning/restriction.md`).

use shakmaty::Role;

use crate::chess::{ManList, MateLength, Move, NodeKind, Position};
use crate::search::horizon::Horizon;
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::attempt::{Aim, Attempt};

/// The work of refuting a check, in refutations of one other move. With 2 or 4 refutations take as many nodes
/// (`benches/tuning/refutation_costs.md`).
const CHECK_COST: u32 = 3;
/// The estimated work of refuting all attacking moves after an unevaluated reply, in refutations of one move. Captures
/// and checks leave the attacker fewer moves and have costs of their own. With 32 refutations take 3 % more nodes, with
/// 64 as many (`benches/tuning/refutation_costs.md`).
const REPLY_COST: u32 = 48;
/// The addition to [`REPLY_COST`] for each reply listed before it. Doubled, later replies wait longer; halved, they are
/// evaluated sooner.
const COST_PER_EARLIER_REPLY: u32 = 3;
/// The cost of a reply that takes a minor piece, in the place of [`REPLY_COST`]. With 32, and 20 for major pieces,
/// refutations take 1 % more nodes (`benches/tuning/refutation_costs.md`).
const MINOR_CAPTURE_COST: u32 = 24;
/// The cost of a reply that takes a rook or queen.
const MAJOR_CAPTURE_COST: u32 = 16;
/// The cost of a reply that gives check. With 6 refutations take 9 % more nodes, with 2 1 % fewer
/// (`benches/tuning/refutation_costs.md`).
const CHECKING_REPLY_COST: u32 = 3;

/// The proof number of the one child that stands for all quiet moves of an OR node. They are listed when every check
/// has a larger one. With 6 or 10, twelve or thirteen mates fewer of 768 are found (`benches/tuning/quiet_moves.md`).
const QUIET: u32 = 8;

/// A defender with at most this many moves has few. With three or six, eight or seven mates fewer of 768 are found
/// (`benches/tuning/child_bounds.md`).
const FEW_MOVES: usize = 4;

/// What a disproof depends on. One that depends on anything is **tainted** and must never become a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Taint {
    /// On nothing: there is no mate, on any path.
    None,
    /// On the attempt: it excludes moves that lose material, or the table has it for this attempt.
    Attempt,
    /// On the path, because a position on it repeats.
    Path,
}

/// The value of a node: its proof numbers, the length of its mate, and what its disproof depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeValue {
    pub numbers: ProofNumbers,
    /// The length of the mate in moves, if the node is proved; otherwise 0.
    pub length: MateLength,
    /// What the disproof depends on, if the node is disproved; otherwise nothing.
    pub taint: Taint,
}

impl NodeValue {
    /// There is no mate, on any path.
    pub const DISPROVED: NodeValue = NodeValue::disproved(Taint::None);

    /// Returns the value of a disproved node.
    pub const fn disproved(taint: Taint) -> NodeValue {
        NodeValue { numbers: ProofNumbers::DISPROVED, length: MateLength(0), taint }
    }

    /// Returns the value of a node with a mate in `length` moves.
    pub const fn proved(length: MateLength) -> NodeValue {
        NodeValue { numbers: ProofNumbers::PROVED, length, taint: Taint::None }
    }

    /// Returns the value of a leaf with its proof number multiplied. The factor of a solved leaf is not computed.
    #[inline]
    #[must_use]
    pub fn times(mut self, factor: impl FnOnce() -> u32) -> NodeValue {
        if !self.numbers.is_solved() {
            self.numbers.pn *= factor();
        }
        self
    }

    /// Returns the value for numbers that are not a proof or an exact disproof: disproved numbers are tainted.
    pub fn from_numbers(numbers: ProofNumbers) -> NodeValue {
        let taint = if numbers.is_disproved() { Taint::Attempt } else { Taint::None };
        NodeValue { numbers, length: MateLength(0), taint }
    }
}

/// Evaluates a position with the attacker to move and at least one move left.
pub(crate) fn or_node(position: &Position, attempt: Attempt) -> NodeValue {
    let mut men = ManList::new();
    let attack = position.attack(&mut men);
    let (mate, checks) = attack.mate_or_checks();
    if mate.is_some() {
        return NodeValue::proved(MateLength(1));
    }
    if !attempt.admits(MateLength(2)) || position.cannot_mate(position.turn()) || (checks == 0 && !position.has_move())
    {
        return NodeValue::DISPROVED;
    }
    let dn = match attempt.aim {
        Aim::Mate | Aim::Technique => 1,
        Aim::Refutation => {
            let quiet = attack.count_moves() - checks;
            (1 + quiet as u32 + CHECK_COST * checks as u32) * attempt.after_attack().cost()
        }
    };
    NodeValue::from_numbers(ProofNumbers { pn: 1, dn })
}

/// Estimates the position after a reply from the move alone. `k` is the number of replies listed before it.
#[inline]
pub(crate) fn unevaluated_reply(
    attempt: Attempt,
    m: Move,
    k: usize,
    gives_check: impl FnOnce(Move) -> bool,
) -> NodeValue {
    let dn = match attempt.aim {
        Aim::Mate | Aim::Technique => 1,
        Aim::Refutation => {
            let moves = match m.capture() {
                _ if gives_check(m) => CHECKING_REPLY_COST,
                Some(Role::Rook | Role::Queen) => MAJOR_CAPTURE_COST,
                Some(Role::Knight | Role::Bishop) => MINOR_CAPTURE_COST,
                _ => REPLY_COST + COST_PER_EARLIER_REPLY * k as u32,
            };
            moves * attempt.after_attack().cost()
        }
    };
    NodeValue::from_numbers(ProofNumbers { pn: 1, dn })
}

/// Evaluates the child that stands for all quiet moves of an OR node; `moves` is their number. A search for a mate
/// lists them earlier where the defender has few moves: a quiet move then leaves few replies too, and zugzwang is more
/// likely.
pub(crate) fn quiet_moves(position: &Position, moves: u32, attempt: Attempt) -> NodeValue {
    let few = || position.pass().is_some_and(|passed| passed.count_moves() <= FEW_MOVES);
    let early = attempt.aim != Aim::Refutation && few();
    let pn = if early { QUIET / 2 } else { QUIET };
    NodeValue::from_numbers(ProofNumbers { pn, dn: moves * attempt.cost() })
}

/// Evaluates a position with the defender to move.
pub(crate) fn and_node(position: &Position, attempt: Attempt) -> NodeValue {
    let replies = position.count_moves() as u32;
    if position.is_check() {
        return after_check(replies, attempt);
    }
    if replies == 0 || !attempt.admits(MateLength(1)) {
        return NodeValue::DISPROVED;
    }
    let pn = if position.threatens_mate() { (replies / 4).max(1) } else { replies + 1 };
    NodeValue::from_numbers(ProofNumbers { pn, dn: attempt.cost() })
}

/// Evaluates a position where the defender is in check and has this many evasions.
#[inline]
pub(crate) fn after_check(evasions: u32, attempt: Attempt) -> NodeValue {
    if evasions == 0 {
        NodeValue::proved(MateLength(0))
    } else if attempt.admits(MateLength(1)) {
        NodeValue::from_numbers(ProofNumbers { pn: evasions.min(INFINITY - 1), dn: attempt.cost() })
    } else {
        NodeValue::DISPROVED
    }
}

/// Returns the factor of the proof number of a leaf after an attacking move: one more for each flight above the number
/// at the root. It is 1 within a horizon, in refutations and in `technique`; then the flights are not counted.
#[inline]
pub(crate) fn flight_factor(attempt: Attempt, at_root: u32, flights: impl FnOnce() -> u32) -> u32 {
    let counts = attempt == Attempt::mate(Horizon::NONE);
    if counts { 1 + flights().saturating_sub(at_root) } else { 1 }
}

/// Returns the number of flights of the defender's king.
pub(crate) fn flights(position: &Position, kind: NodeKind) -> u32 {
    let defending = if kind == NodeKind::Or { position.pass() } else { Some(*position) };
    defending.map_or(0, |position| position.flights().count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Checks;
    use crate::chess::testing::position;

    fn within(n: u16) -> Attempt {
        Attempt::mate(Horizon::within(MateLength(n)))
    }

    #[test]
    fn only_a_mate_in_one_proves_an_or_leaf() {
        assert_eq!(or_node(&position("7k/5Q2/6K1/8/8/8/8/8 w - -"), within(1)), NodeValue::proved(MateLength(1)));
        let two = position("7k/8/8/4K3/8/8/8/6Q1 w - -");
        assert_eq!(or_node(&two, within(1)), NodeValue::DISPROVED);
        assert!(!or_node(&two, within(2)).numbers.is_solved());
        assert_eq!(
            or_node(&position("7k/8/5K2/8/8/8/8/6q1 w - -"), Attempt::mate(Horizon::NONE)),
            NodeValue::DISPROVED,
            "a lone king"
        );
        assert_eq!(and_node(&position("7k/6Q1/6K1/8/8/8/8/8 b - -"), within(0)), NodeValue::proved(MateLength(0)));
        assert_eq!(and_node(&position("7k/5Q2/6K1/8/8/8/8/8 b - -"), within(3)), NodeValue::DISPROVED, "stalemate");
    }

    #[test]
    fn a_refutation_is_expected_to_cost_more_where_the_attacker_has_more_moves() {
        let dn = |text, attempt| or_node(&position(text), attempt).numbers.dn;
        let refute = |n| Attempt::refutation(Horizon::within(MateLength(n)));
        let (queen, knight, pawn) =
            ("7k/p7/8/4K3/8/8/8/6Q1 w - -", "7k/p7/8/4K3/8/8/8/6N1 w - -", "7k/p7/8/4K3/8/8/6P1/8 w - -");
        assert!(dn(queen, refute(3)) > dn(knight, refute(3)));
        assert!(dn(knight, refute(3)) > dn(pawn, refute(3)));
        assert_eq!(dn(queen, within(3)), 1);
    }

    #[test]
    fn a_refutation_search_prefers_checks_then_captures() {
        let position = position("k7/8/8/3q1n2/8/4B1p1/3R4/1K6 b - -");
        let checks = Checks::of(&position);
        let dn = |code: &str, k: usize, attempt| {
            let m = position.legal_moves().into_iter().find(|m| format!("{}{}", m.from(), m.to()) == code).unwrap();
            unevaluated_reply(attempt, m, k, |m| checks.contain(&position, m)).numbers.dn
        };
        let refute = Attempt::refutation(Horizon::within(MateLength(3)));
        let order = [("d5b5", 9), ("d5d2", 8), ("f5e3", 7), ("d5d4", 0), ("a8b8", 1)];
        assert!(order.map(|(m, k)| dn(m, k, refute)).is_sorted_by(|a, b| a < b));
        assert_eq!(dn("d5d4", 1, within(3)), 1);
    }

    #[test]
    fn quiet_moves_are_listed_earlier_where_the_defender_has_few_moves() {
        let pn = |text, attempt| quiet_moves(&position(text), 9, attempt).numbers;
        // Black has three moves, or eight.
        let (few, many) = ("7k/8/8/8/8/8/8/K7 w - -", "8/8/4k3/8/8/8/8/K7 w - -");
        assert_eq!(pn(few, within(3)), ProofNumbers { pn: QUIET / 2, dn: 9 });
        assert_eq!(pn(many, within(3)), ProofNumbers { pn: QUIET, dn: 9 });
        let refute = Attempt::refutation(Horizon::within(MateLength(2)));
        assert_eq!(pn(few, refute), ProofNumbers { pn: QUIET, dn: 9 * refute.cost() });
    }

    #[test]
    fn the_flights_are_the_defenders_whoever_is_to_move() {
        // A rook on g1 leaves the king on h8 one flight, h7; one on b1 leaves him three.
        for (text, kind, at_root) in [
            ("7k/8/8/8/8/8/8/K5R1 b - -", NodeKind::And, 1),
            ("7k/8/8/8/8/8/8/K5R1 w - -", NodeKind::Or, 1),
            ("7k/8/8/8/8/8/8/KR6 w - -", NodeKind::Or, 3),
        ] {
            assert_eq!(flights(&position(text), kind), at_root, "{text}");
        }
    }

    #[test]
    fn flights_above_those_at_the_root_count_in_a_search_for_a_mate_of_any_length_only() {
        let any = Attempt::mate(Horizon::NONE);
        assert_eq!([0, 2, 3, 8].map(|flights| flight_factor(any, 2, || flights)), [1, 1, 2, 7]);
        for other in [within(5), Attempt::refutation(Horizon::within(MateLength(5))), Attempt::TECHNIQUE] {
            assert_eq!(flight_factor(other, 2, || unreachable!("not counted")), 1, "{other:?}");
        }
    }

    #[test]
    fn a_threat_gives_a_quiet_move_a_smaller_proof_number() {
        let numbers = |text| and_node(&position(text), within(3)).numbers;
        // White threatens Qg7 mate.
        let threat = "6k1/5ppp/5P2/6Q1/8/8/8/6K1 b - -";
        let replies = position(threat).count_moves() as u32;
        assert_eq!(numbers(threat), ProofNumbers { pn: (replies / 4).max(1), dn: 1 });
        // After a check on c8 the king goes to h7.
        let none = "6k1/5pp1/7p/8/6Q1/8/8/6K1 b - -";
        assert_eq!(numbers(none), ProofNumbers { pn: position(none).count_moves() as u32 + 1, dn: 1 });
    }
}
