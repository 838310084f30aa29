//! Move order: which move is tried first, at either kind of node.
//!
//! | attacker's moves | because |
//! |---|---|
//! | the move the tables remember | it proved, or came nearest, before |
//! | checks, fewest replies first | the defender's freedom is what is left to prove (Popeye; Mate in 38, section 5.1.3) |
//! | threats: quiet moves after which the attacker could mate at once if the defender passed | they leave few defences |
//! | captures, killers, history | the usual evidence (Akl & Newborn 1977; Schaeffer 1983) |
//!
//! The defender's moves are tried in the order in which they are likely to refute: table, killers, checks (which cost
//! the attacker his turn), captures, and then by history. Order is never more than a guess: it may draw on anything,
//! tainted or not, and no result depends on it.

use crate::chess::{Move, MoveCode, MoveList, Moves, NodeKind, Position};

use super::super::{Interrupted, Meter};

/// A move of the attacker, already made.
#[derive(Debug, Clone, Copy)]
pub struct Attack {
    /// The position after it.
    pub child: Position,
    /// The move.
    pub m: Move,
    /// Whether it gives check.
    pub check: bool,
    rank: i32,
}

impl Attack {
    /// The move that is tried before all others.
    pub fn first(position: &Position, m: Move) -> Attack {
        let child = position.play(m);
        Attack { child, m, check: child.is_check(), rank: class::TABLE }
    }
}

/// A move of the defender, not yet made.
#[derive(Debug, Clone, Copy)]
pub struct Reply {
    /// The move.
    pub m: Move,
    rank: i32,
}

/// What the search has learned about moves.
#[derive(Debug)]
pub struct MoveOrder {
    history: [Vec<i32>; 2],
    killers: Vec<[MoveCode; 2]>,
}

/// Ranks of the classes, far enough apart that none reaches into the next.
mod class {
    pub const TABLE: i32 = 1 << 28;
    pub const THREAT: i32 = 1 << 26;
    pub const KILLER: i32 = 1 << 25;
    pub const SECOND_KILLER: i32 = 1 << 24;
    pub const CHECK: i32 = 1 << 23;
    pub const CAPTURE: i32 = 1 << 22;
    /// History counts are kept below this.
    pub const HISTORY: i32 = 1 << 20;
}

impl Default for MoveOrder {
    fn default() -> MoveOrder {
        MoveOrder { history: [vec![0; 1 << 12], vec![0; 1 << 12]], killers: Vec::new() }
    }
}

impl MoveOrder {
    /// Makes the attacker's checking moves and appends them, fewest replies first.
    pub fn checks(
        position: &Position,
        skip: MoveCode,
        list: &mut Vec<Attack>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Interrupted> {
        let start = list.len();
        let mut moves = MoveList::new();
        position.generate(Moves::Checks, &mut moves);
        for m in moves.into_iter().filter(|m| m.code() != skip) {
            meter.node()?;
            let child = position.play(m);
            list.push(Attack { child, m, check: true, rank: -freedom(&child) });
        }
        list[start..].sort_by_key(|attack| -attack.rank);
        Ok(())
    }

    /// Makes the attacker's quiet moves and appends them, best first; `threats` asks of each what a pass would allow.
    pub fn quiet(
        &self,
        position: &Position,
        (ply, skip, threats): (usize, MoveCode, bool),
        list: &mut Vec<Attack>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Interrupted> {
        let start = list.len();
        let mut moves = MoveList::new();
        position.generate(Moves::Quiet, &mut moves);
        for m in moves.into_iter().filter(|m| m.code() != skip) {
            meter.node()?;
            let child = position.play(m);
            let mut rank = self.learned(NodeKind::Or, ply, m) - freedom(&child);
            if m.capture().is_some() {
                rank += class::CAPTURE;
            }
            if threats && threatens(&child, meter)? {
                rank += class::THREAT;
            }
            list.push(Attack { child, m, check: false, rank });
        }
        list[start..].sort_by_key(|attack| -attack.rank);
        Ok(())
    }

    /// Appends the defender's replies, likely refutations first. Gives the number of replies.
    pub fn replies(&self, position: &Position, ply: usize, best: MoveCode, list: &mut Vec<Reply>) -> usize {
        let start = list.len();
        let mut moves = MoveList::new();
        position.generate(Moves::Checks, &mut moves);
        let checks = moves.len();
        position.generate(Moves::Quiet, &mut moves);
        for (i, &m) in moves.iter().enumerate() {
            let mut rank = self.learned(NodeKind::And, ply, m);
            if m.code() == best {
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

    /// Learns that a move of this kind of node decided it, with so many plies left.
    pub fn decided(&mut self, kind: NodeKind, ply: usize, m: MoveCode, depth: i32) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [MoveCode::NONE; 2]);
        }
        self.killer(ply, m);
        let count = &mut self.history[kind as usize][history_index(m)];
        *count += depth.clamp(1, 100).pow(2);
        if *count >= class::HISTORY {
            self.history[kind as usize].iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// Makes a move the first killer of a ply: a threat found by passing is tried first against every reply.
    pub fn killer(&mut self, ply: usize, m: MoveCode) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [MoveCode::NONE; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != m {
            *second = std::mem::replace(first, m);
        }
    }

    fn learned(&self, kind: NodeKind, ply: usize, m: Move) -> i32 {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let bonus = match killers.iter().position(|&killer| killer == m.code()) {
            Some(0) => class::KILLER,
            Some(_) => class::SECOND_KILLER,
            None => 0,
        };
        bonus + self.history[kind as usize][history_index(m.code())]
    }
}

/// How many moves the side to move has.
fn freedom(position: &Position) -> i32 {
    i32::try_from(position.count_moves()).unwrap_or(i32::MAX)
}

fn history_index(m: MoveCode) -> usize {
    usize::from(m.0) & 0xfff
}

/// Whether the attacker mates at once if the defender passes.
fn threatens(position: &Position, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
    let Some(passed) = position.pass() else { return Ok(false) };
    meter.node()?;
    Ok(passed.mate_in_one().is_some())
}
