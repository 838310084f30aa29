//! What is known of a position without searching it.
//!
//! Leaves are where the search spends its time and where it learns what chess tells: a mate in one, how many replies the
//! defender has, and whether a quiet move threatens anything. `cost` is 1 where a mate is looked for, and grows with the
//! moves left where a refutation is ([`super::question`]).
//!
//! | leaf | pn | dn, looking for a mate | dn, refuting |
//! |---|---|---|---|
//! | OR after the k-th reply, not looked at | 1 | 1 | (48 + 3k) cost |
//! | the same after the capture of a minor piece; of a larger one; after a check | 1 | 1 | 24 cost; 16 cost; 3 cost |
//! | OR, n checks and q other moves | 1 | 1 | (1 + q + 3n) cost |
//! | AND after a check with n evasions | n | 1 | cost |
//! | AND after a quiet move that threatens mate in one, n replies | n/4 | 1 | cost |
//! | AND after another quiet move | n + 1 | 1 | cost |
//! | all the quiet moves, q of them | 8 | q | q cost |
//! | the same where the defender has at most four moves | 4 | q | |
//!
//! Mobility at AND nodes is Breuker, Allis & van den Herik's; the threat is the second reason for which a problemist
//! looks at a quiet move at all. OR leaves count the same whatever their mobility when a mate is looked for: a weight for
//! the attacker's moves found fewer mates (the table in [`super`]).
//!
//! To refute an OR node is to refute all the attacker's moves, and the work it takes grows with their number: over the
//! refutations of [`super::question`], with two moves left, from 6 nodes where there are fewer than six quiet moves to 75
//! where there are more than 35, and about twice as much for a check as for another move. So the best reply is likely
//! to be one that leaves few: it gives check itself, or takes a large piece. What a reply that nobody has looked at is
//! said to cost is high enough for the first that does well to be followed at once, without a look at all the others.

use shakmaty::Role;

use crate::chess::{ManList, Move, Position};
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::DfpnOptions;
use super::question::{Aim, Question};

/// What the refutation of an OR node takes, in refutations of single moves: this many for each check ...
const CHECK: u32 = 3;
/// ... and for a reply that has not been looked at so many, ...
const PLAIN: u32 = 48;
/// ... with this many more for each reply that is tried before it, ...
const LATER: u32 = 3;
/// ... and fewer for captures and checks, wherever they stand: they leave the attacker fewer moves.
const TAKES_MINOR: u32 = 24;
const TAKES_MAJOR: u32 = 16;
const GIVES_CHECK: u32 = 3;

/// So many moves are few for a defender.
const FEW: usize = 4;

/// What a node is worth, and how its value came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeValue {
    pub numbers: ProofNumbers,
    /// Of a proved node: the length of the mate, in moves.
    pub length: u16,
    /// Of a disproved node: the disproof leaned on a repetition, or on a move that a restriction leaves out.
    pub tainted: bool,
}

impl NodeValue {
    /// No mate, whatever came before.
    pub const REFUTED: NodeValue = NodeValue { numbers: ProofNumbers::DISPROVED, length: 0, tainted: false };
    /// No mate this way: the position stands on the path already.
    pub const REPETITION: NodeValue = NodeValue { numbers: ProofNumbers::DISPROVED, length: 0, tainted: true };

    /// No mate by this move: it is not allowed.
    pub const LEFT_OUT: NodeValue = NodeValue::REPETITION;

    pub const fn proved(length: u16) -> NodeValue {
        NodeValue { numbers: ProofNumbers::PROVED, length, tainted: false }
    }

    /// What numbers without a fact say: if they disprove, it is by repetition.
    pub fn stored(numbers: ProofNumbers) -> NodeValue {
        NodeValue { numbers, length: 0, tainted: numbers.is_disproved() }
    }
}

/// The attacker is to move, with at least one move left.
pub(super) fn or_node(position: &Position, question: Question) -> NodeValue {
    let mut men = ManList::new();
    let attack = position.attack(&mut men);
    let (mate, checks) = attack.mate_or_checks();
    if mate.is_some() {
        return NodeValue::proved(1);
    }
    if !question.admits(2) || is_bare(position) || (checks == 0 && !position.has_move()) {
        return NodeValue::REFUTED;
    }
    let dn = match question.aim {
        Aim::Mate => 1,
        Aim::Refutation => {
            let quiet = attack.count_moves() - checks;
            (1 + quiet as u32 + CHECK * checks as u32) * question.after_attack().cost()
        }
    };
    NodeValue::stored(ProofNumbers { pn: 1, dn })
}

/// Whether the side to move has nothing but its king.
#[inline]
fn is_bare(position: &Position) -> bool {
    !position.by_color(position.turn()).more_than_one()
}

/// The `k`-th reply of a node, that nobody has looked at: the attacker is to move.
#[inline]
pub(super) fn reply(question: Question, m: Move, k: usize, gives_check: impl FnOnce(Move) -> bool) -> NodeValue {
    let dn = match question.aim {
        Aim::Mate => 1,
        Aim::Refutation => {
            let moves = match m.capture() {
                _ if gives_check(m) => GIVES_CHECK,
                Some(Role::Rook | Role::Queen) => TAKES_MAJOR,
                Some(Role::Knight | Role::Bishop) => TAKES_MINOR,
                _ => PLAIN + LATER * k as u32,
            };
            moves * question.after_attack().cost()
        }
    };
    NodeValue::stored(ProofNumbers { pn: 1, dn })
}

/// All the quiet moves of an OR node, so many. Looking for a mate, they are worth a look earlier where the defender has few
/// moves: then a quiet move leaves few as well, and often the defender may not move at all without harm.
pub(super) fn quiet_moves(position: &Position, moves: u32, question: Question, options: DfpnOptions) -> NodeValue {
    let few = || position.pass().is_some_and(|passed| passed.count_moves() <= FEW);
    let early = question.aim == Aim::Mate && few();
    let pn = if early { options.quiet.div_ceil(2) } else { options.quiet };
    NodeValue::stored(ProofNumbers { pn, dn: moves * question.cost() })
}

/// The defender is to move.
pub(super) fn and_node(position: &Position, question: Question, options: DfpnOptions) -> NodeValue {
    let replies = position.count_moves() as u32;
    if position.is_check() {
        return after_check(replies, question);
    }
    if replies == 0 || !question.admits(1) {
        return NodeValue::REFUTED;
    }
    let pn = if options.threats && position.threatens_mate() { (replies / 4).max(1) } else { replies + 1 };
    NodeValue::stored(ProofNumbers { pn, dn: question.cost() })
}

/// The defender is in check and has so many replies.
#[inline]
pub(super) fn after_check(evasions: u32, question: Question) -> NodeValue {
    if evasions == 0 {
        NodeValue::proved(0)
    } else if question.admits(1) {
        NodeValue::stored(ProofNumbers { pn: evasions.min(INFINITY - 1), dn: question.cost() })
    } else {
        NodeValue::REFUTED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Checks, MateLength};
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
        assert_eq!(or_node(&position("7k/5Q2/6K1/8/8/8/8/8 w - -"), within(1)), NodeValue::proved(1));
        let two = position("7k/8/8/4K3/8/8/8/6Q1 w - -");
        assert_eq!(or_node(&two, within(1)), NodeValue::REFUTED);
        assert!(!or_node(&two, within(2)).numbers.is_solved());
        assert_eq!(
            or_node(&position("7k/8/5K2/8/8/8/8/6q1 w - -"), Question::mate(Horizon::NONE)),
            NodeValue::REFUTED,
            "a lone king"
        );
        assert_eq!(and_node(&position("7k/6Q1/6K1/8/8/8/8/8 b - -"), within(0), options), NodeValue::proved(0));
        assert_eq!(
            and_node(&position("7k/5Q2/6K1/8/8/8/8/8 b - -"), within(3), options),
            NodeValue::REFUTED,
            "stalemate"
        );
    }

    #[test]
    fn who_refutes_expects_more_work_where_more_checks_and_other_moves_are() {
        let dn = |text, question| or_node(&position(text), question).numbers.dn;
        let refute = |n| Question::refutation(Horizon::within(MateLength(n)));
        let (queen, knight, pawn) =
            ("7k/8/8/4K3/8/8/8/6Q1 w - -", "7k/8/8/4K3/8/8/8/6N1 w - -", "7k/8/8/4K3/8/8/6P1/8 w - -");
        assert!(dn(queen, refute(3)) > dn(knight, refute(3)));
        assert!(dn(knight, refute(3)) > dn(pawn, refute(3)));
        assert_eq!(dn(queen, within(3)), 1);
    }

    #[test]
    fn who_refutes_tries_checks_first_then_captures() {
        let position = position("k7/8/8/3q1n2/8/4B1p1/3R4/1K6 b - -");
        let checks = Checks::of(&position);
        let dn = |code: &str, k: usize, question| {
            let m = position.legal_moves().into_iter().find(|m| format!("{}{}", m.from(), m.to()) == code).unwrap();
            reply(question, m, k, |m| checks.contain(&position, m)).numbers.dn
        };
        let refute = Question::refutation(Horizon::within(MateLength(3)));
        let order = [("d5b5", 9), ("d5d2", 8), ("f5e3", 7), ("d5d4", 0), ("a8b8", 1)];
        assert!(order.map(|(m, k)| dn(m, k, refute)).is_sorted_by(|a, b| a < b));
        assert_eq!(dn("d5d4", 1, within(3)), 1);
    }

    #[test]
    fn quiet_moves_are_looked_at_earlier_where_the_defender_has_few() {
        let options = DfpnOptions::default();
        let pn = |text, question| quiet_moves(&position(text), 9, question, options).numbers;
        // Black has three moves, or eight.
        let (few, many) = ("7k/8/8/8/8/8/8/K7 w - -", "8/8/4k3/8/8/8/8/K7 w - -");
        assert_eq!(pn(few, within(3)), ProofNumbers { pn: options.quiet / 2, dn: 9 });
        assert_eq!(pn(many, within(3)), ProofNumbers { pn: options.quiet, dn: 9 });
        let refute = Question::refutation(Horizon::within(MateLength(2)));
        assert_eq!(pn(few, refute), ProofNumbers { pn: options.quiet, dn: 9 * refute.cost() });
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
