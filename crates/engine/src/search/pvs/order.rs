//! Move ordering: the order in which moves are tried, at OR and at AND nodes.
//!
//! | attacker's moves | reason |
//! |---|---|
//! | the move from the tables | it proved the position before, or came nearest |
//! | checks, fewest replies first | they leave the defender the least freedom (Popeye; "Mate in 38", section 5.1.3) |
//! | threats: quiet moves after which a pass of the defender would allow a mate in one (an option) | few defences meet them |
//! | killers, captures, and the rest by history and number of replies | the usual order (Akl & Newborn 1977; Schaeffer 1983) |
//!
//! The defender's moves are tried in this order: the move from the tables, killers, checks (the attacker must answer
//! them), captures, and the rest by history. The order is only a guess. It may use tainted results, because no proof
//! depends on it.

use crate::chess::{Move, MoveCode, MoveList, Moves, NodeKind, Position};

use super::super::learned::LearnedOrder;
use super::super::{Interrupted, Meter};

/// A move of the attacker, with the position after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttackerMove {
    /// The position after the move.
    pub child: Position,
    /// The move.
    pub m: Move,
    /// Whether the move gives check.
    pub check: bool,
    rank: i32,
}

impl AttackerMove {
    /// Plays the move that is tried before all others.
    pub fn first(position: &Position, m: Move) -> AttackerMove {
        let child = position.play(m);
        AttackerMove { child, m, check: child.is_check(), rank: class::TABLE }
    }
}

/// A move of the defender. The position after it is not made yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reply {
    /// The move.
    pub m: Move,
    rank: i32,
}

/// The rank added for each class of moves. The classes are far enough apart not to overlap.
mod class {
    pub const TABLE: i32 = 1 << 28;
    pub const THREAT: i32 = 1 << 26;
    pub const CHECK: i32 = 1 << 23;
    pub const CAPTURE: i32 = 1 << 22;
}

/// Makes the attacker's checking moves but `skip` and appends them, fewest replies first.
pub(super) fn checks(
    position: &Position,
    skip: Option<MoveCode>,
    list: &mut Vec<AttackerMove>,
    meter: &mut Meter<'_>,
) -> Result<(), Interrupted> {
    attacks(position, (Moves::Checks, skip), list, meter, |_, child, _| Ok(-mobility(child)))
}

/// Makes the attacker's quiet moves but `skip` and appends them, best first. If `threats`, each is tested for a threat
/// of mate in one.
pub(super) fn quiet(
    position: &Position,
    learned: &LearnedOrder,
    (ply, skip, threats): (usize, Option<MoveCode>, bool),
    list: &mut Vec<AttackerMove>,
    meter: &mut Meter<'_>,
) -> Result<(), Interrupted> {
    attacks(position, (Moves::Quiet, skip), list, meter, |m, child, meter| {
        let mut rank = learned.rank(NodeKind::Or, ply, m.code()) - mobility(child);
        if m.capture().is_some() {
            rank += class::CAPTURE;
        }
        if threats && threatens_mate(child, meter)? {
            rank += class::THREAT;
        }
        Ok(rank)
    })
}

/// Makes the attacker's moves of a kind but `skip`, each of which is a node, and appends them, highest rank first.
#[inline]
fn attacks(
    position: &Position,
    (kind, skip): (Moves, Option<MoveCode>),
    list: &mut Vec<AttackerMove>,
    meter: &mut Meter<'_>,
    rank: impl Fn(Move, &Position, &mut Meter<'_>) -> Result<i32, Interrupted>,
) -> Result<(), Interrupted> {
    let start = list.len();
    let mut moves = MoveList::new();
    position.generate(kind, &mut moves);
    for &m in moves.iter().filter(|m| Some(m.code()) != skip) {
        meter.node()?;
        let child = position.play(m);
        let rank = rank(m, &child, meter)?;
        list.push(AttackerMove { child, m, check: kind == Moves::Checks, rank });
    }
    list[start..].sort_by_key(|attack| -attack.rank);
    Ok(())
}

/// Appends the defender's replies, likely refutations first. Returns the number of replies.
pub(super) fn replies(
    position: &Position,
    learned: &LearnedOrder,
    ply: usize,
    best: Option<MoveCode>,
    list: &mut Vec<Reply>,
) -> usize {
    let start = list.len();
    let mut moves = MoveList::new();
    position.generate(Moves::Checks, &mut moves);
    let checks = moves.len();
    position.generate(Moves::Quiet, &mut moves);
    for (i, &m) in moves.iter().enumerate() {
        let mut rank = learned.rank(NodeKind::And, ply, m.code());
        if Some(m.code()) == best {
            rank += class::TABLE;
        }
        if i < checks {
            rank += class::CHECK;
        }
        if let Some(role) = m.capture() {
            rank += class::CAPTURE + role as i32;
        }
        list.push(Reply { m, rank });
    }
    list[start..].sort_by_key(|reply| -reply.rank);
    moves.len()
}

/// Returns the number of legal moves of the side to move.
fn mobility(position: &Position) -> i32 {
    i32::try_from(position.count_moves()).unwrap_or(i32::MAX)
}

/// Returns whether the attacker has a mate in one if the defender passes. The pass counts as a node.
fn threatens_mate(position: &Position, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
    let Some(passed) = position.pass() else { return Ok(false) };
    meter.node()?;
    Ok(passed.mate_in_one().is_some())
}
