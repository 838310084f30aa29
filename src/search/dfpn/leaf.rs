//! What is known of a position without searching it.
//!
//! Leaves are where the search spends its time and where it learns what chess tells: a mate in one, how many replies the
//! defender has, and whether a quiet move threatens anything. `cost` is 1 where a mate is looked for, and grows with the
//! moves left where a refutation is ([`super::question`]).
//!
//! | leaf | pn | dn, looking for a mate | dn, refuting |
//! |---|---|---|---|
//! | OR, not looked at | 1 | 1 | 16 cost |
//! | OR, n checks | 1 | 1 | (16 + 4n) cost |
//! | AND after a check with n evasions | n | 1 | cost |
//! | AND after a quiet move that threatens mate in one, n replies | n/4 | 1 | cost |
//! | AND after another quiet move | n + 1 | 1 | cost |
//!
//! Mobility at AND nodes is Breuker, Allis & van den Herik's; the threat is the second reason for which a problemist
//! looks at a quiet move at all. OR leaves count the same whatever their mobility when a mate is looked for: a weight for
//! the attacker's moves found fewer mates (the table in [`super`]).

use crate::chess::{Men, Position};
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::DfpnOptions;
use super::question::{Aim, Question};

/// The refutation of a position is expected to be that of so many attacking moves ...
const MOVES: u32 = 16;
/// ... and of so many for each that gives check: they leave fewer replies to choose from.
const MOVES_A_CHECK: u32 = 4;

/// What a node is worth, and how its value came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub numbers: ProofNumbers,
    /// Of a proved node: the length of the mate, in moves.
    pub length: u16,
    /// Of a disproved node: the disproof leaned on a repetition, or on a move that a restriction leaves out.
    pub tainted: bool,
}

impl Value {
    /// No mate, whatever came before.
    pub const REFUTED: Value = Value { numbers: ProofNumbers::DISPROVED, length: 0, tainted: false };
    /// No mate this way: the position stands on the path already.
    pub const REPETITION: Value = Value { numbers: ProofNumbers::DISPROVED, length: 0, tainted: true };

    /// No mate by this move: it is not allowed.
    pub const LEFT_OUT: Value = Value::REPETITION;

    pub const fn proved(length: u16) -> Value {
        Value { numbers: ProofNumbers::PROVED, length, tainted: false }
    }

    /// What numbers without a fact say: if they disprove, it is by repetition.
    pub fn stored(numbers: ProofNumbers) -> Value {
        Value { numbers, length: 0, tainted: numbers.is_disproved() }
    }
}

/// The attacker is to move, with at least one move left.
pub(super) fn or_node(position: &Position, question: Question) -> Value {
    let (mate, checks) = position.attack(&mut Men::new()).mate_or_checks();
    if mate.is_some() {
        return Value::proved(1);
    }
    if !question.admits(2) || is_bare(position) || (checks == 0 && !position.has_move()) {
        return Value::REFUTED;
    }
    let dn = match question.aim {
        Aim::Mate => 1,
        Aim::Refutation => (MOVES + MOVES_A_CHECK * checks as u32) * question.after_attack().cost(),
    };
    Value::stored(ProofNumbers { pn: 1, dn })
}

/// Whether the side to move has nothing but its king.
#[inline]
fn is_bare(position: &Position) -> bool {
    !position.by_color(position.turn()).more_than_one()
}

/// A reply that nobody has looked at: the attacker is to move.
#[inline]
pub(super) fn reply(question: Question) -> Value {
    let dn = match question.aim {
        Aim::Mate => 1,
        Aim::Refutation => MOVES * question.after_attack().cost(),
    };
    Value::stored(ProofNumbers { pn: 1, dn })
}

/// The defender is to move.
pub(super) fn and_node(position: &Position, question: Question, options: DfpnOptions) -> Value {
    let replies = position.count_moves() as u32;
    if position.is_check() {
        return after_check(replies, question);
    }
    if replies == 0 || !question.admits(1) {
        return Value::REFUTED;
    }
    let pn = if options.threats && position.threatens_mate() { (replies / 4).max(1) } else { replies + 1 };
    Value::stored(ProofNumbers { pn, dn: question.cost() })
}

/// The defender is in check and has so many replies.
#[inline]
pub(super) fn after_check(evasions: u32, question: Question) -> Value {
    if evasions == 0 {
        Value::proved(0)
    } else if question.admits(1) {
        Value::stored(ProofNumbers { pn: evasions.min(INFINITY - 1), dn: question.cost() })
    } else {
        Value::REFUTED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::problem::fen;
    use crate::search::horizon::Horizon;

    fn position(text: &str) -> Position {
        Position::from_chess(&fen::read(text).unwrap().chess)
    }

    fn within(n: u16) -> Question {
        Question::mate(Horizon::within(MateLength(n)))
    }

    #[test]
    fn attackers_leaves_are_proved_by_mates_in_one_only() {
        let options = DfpnOptions::default();
        assert_eq!(or_node(&position("7k/5Q2/6K1/8/8/8/8/8 w - -"), within(1)), Value::proved(1));
        let two = position("7k/8/8/4K3/8/8/8/6Q1 w - -");
        assert_eq!(or_node(&two, within(1)), Value::REFUTED);
        assert!(!or_node(&two, within(2)).numbers.is_solved());
        assert_eq!(
            or_node(&position("7k/8/5K2/8/8/8/8/6q1 w - -"), Question::mate(Horizon::NONE)),
            Value::REFUTED,
            "a lone king"
        );
        assert_eq!(and_node(&position("7k/6Q1/6K1/8/8/8/8/8 b - -"), within(0), options), Value::proved(0));
        assert_eq!(and_node(&position("7k/5Q2/6K1/8/8/8/8/8 b - -"), within(3), options), Value::REFUTED, "stalemate");
    }

    #[test]
    fn who_refutes_expects_more_work_where_more_checks_are() {
        let dn = |text, question| or_node(&position(text), question).numbers.dn;
        let refute = |n| Question::refutation(Horizon::within(MateLength(n)));
        let (many, few) = ("7k/8/8/4K3/8/8/8/6Q1 w - -", "7k/8/8/4K3/8/8/8/6N1 w - -");
        assert!(dn(many, refute(3)) > dn(few, refute(3)));
        assert_eq!(dn(few, refute(3)), reply(refute(3)).numbers.dn);
        assert_eq!(dn(many, within(3)), 1);
    }

    #[test]
    fn a_threat_makes_a_quiet_move_promising() {
        let numbers =
            |text, threats| and_node(&position(text), within(3), DfpnOptions { threats, ..DfpnOptions::default() });
        // Qg7 mates unless Black does something about it: five replies.
        let threat = "6k1/5ppp/5P2/6Q1/8/8/8/6K1 b - -";
        let replies = position(threat).count_moves() as u32;
        assert_eq!(numbers(threat, true).numbers, ProofNumbers { pn: (replies / 4).max(1), dn: 1 });
        assert_eq!(numbers(threat, false).numbers, ProofNumbers { pn: replies + 1, dn: 1 });
    }
}
