//! Decides exactly whether a goal other than a direct mate is forced within a few moves.
//!
//! Most nodes of such a search lie at the last moves, where proof numbers do not help: the moves are tried depth first.
//! The refutation and the proof found last are tried first in the next position of the same depth. Above the last
//! move, a defender's replies are sorted by the number of answers that they leave the attacker.
//!
//! `n` counts the attacker's moves left, as everywhere. With none left, the defender of a selfmate must mate now.

use crate::chess::{End, Goal, MateLength, Move, MoveCode, MoveList, Moves, NodeKind, Position};
use crate::search::Interrupted;

use super::state::DfpnSearch;

/// The most moves left for which positions are decided depth first.
pub(super) const LAST_MOVES: u16 = 2;

/// The moves that decided most recently, by the number of moves left.
#[derive(Debug, Default)]
pub(super) struct LastDeciders {
    attacks: [[Option<MoveCode>; 2]; LAST_MOVES as usize + 1],
    replies: [[Option<MoveCode>; 2]; LAST_MOVES as usize + 1],
}

/// Moves the moves that decided most recently to the front.
fn try_first(list: &mut [Move], deciders: [Option<MoveCode>; 2]) {
    for decider in deciders.iter().rev() {
        if let Some(at) = list.iter().position(|m| Some(m.code()) == *decider) {
            list[..=at].rotate_right(1);
        }
    }
}

fn remember(deciders: &mut [Option<MoveCode>; 2], m: Move) {
    let code = Some(m.code());
    if deciders[0] != code {
        *deciders = [code, deciders[0]];
    }
}

impl DfpnSearch<'_, '_> {
    /// Decides whether the attacker, who is to move, reaches the goal within `n` moves, at most [`LAST_MOVES`].
    pub(super) fn attacks_in_time(&mut self, position: &Position, n: u16) -> Result<bool, Interrupted> {
        if n == 0 {
            return Ok(self.goal.over(position, NodeKind::Or) == Some(true));
        }
        if self.goal.must_mate(position, NodeKind::Or) {
            return Ok(false);
        }
        let key = position.key();
        if n > 1
            && let Some(known) = self.known_in_time(key, n)
        {
            return Ok(known);
        }
        let start = self.meter.count();
        let mut list = MoveList::new();
        self.list_attacks(position, n, &mut list);
        if list.is_empty() {
            return Ok(self.goal.over(position, NodeKind::Or) == Some(true));
        }
        try_first(&mut list, self.deciders.attacks[usize::from(n)]);
        for m in list {
            self.meter.node()?;
            if self.defended_in_time(&position.play(m), n - 1)? {
                remember(&mut self.deciders.attacks[usize::from(n)], m);
                self.table.prove(key, MateLength(n), Some(m.code()), self.meter.count() - start);
                return Ok(true);
            }
        }
        if n > 1 {
            self.table.refute(key, MateLength(n), self.meter.count() - start);
        }
        Ok(false)
    }

    /// Decides whether every reply of the defender, who is to move, is answered within `n` moves, at most
    /// [`LAST_MOVES`].
    pub(super) fn defended_in_time(&mut self, position: &Position, n: u16) -> Result<bool, Interrupted> {
        if n == 0 {
            return self.reached_by_every_reply(position);
        }
        let key = position.key();
        if let Some(known) = self.known_in_time(key, n) {
            return Ok(known);
        }
        let start = self.meter.count();
        let mut replies = self.goal.replies(position);
        if replies.is_empty() {
            return Ok(self.goal.over(position, NodeKind::And) == Some(true));
        }
        if n > 1 {
            replies.sort_by_cached_key(|&m| position.play(m).count_moves());
        }
        try_first(&mut replies, self.deciders.replies[usize::from(n)]);
        for m in replies {
            self.meter.node()?;
            if !self.attacks_in_time(&position.play(m), n)? {
                remember(&mut self.deciders.replies[usize::from(n)], m);
                self.table.refute(key, MateLength(n), self.meter.count() - start);
                return Ok(false);
            }
        }
        self.table.prove(key, MateLength(n), None, self.meter.count() - start);
        Ok(true)
    }

    /// Lists the attacker's moves; of his last moves, not those that the kernel knows to fail.
    #[inline]
    fn list_attacks(&self, position: &Position, n: u16, list: &mut MoveList) {
        match self.goal {
            Goal::SELFMATE if n == 1 => position.last_attacks(false, list),
            Goal::STALEMATE if n == 1 => position.last_attacks(true, list),
            _ => position.generate(Moves::All, list),
        }
    }

    /// Returns what the table knows about a position within `n` moves.
    #[inline]
    fn known_in_time(&self, key: u64, n: u16) -> Option<bool> {
        let bounds = self.table.bounds(key);
        if bounds.proves(MateLength(n)) {
            return Some(true);
        }
        bounds.refutes(MateLength(n)).then_some(false)
    }

    /// Decides whether the goal stands on the board, or every reply of the defender reaches it, with no move left to
    /// the attacker.
    fn reached_by_every_reply(&mut self, position: &Position) -> Result<bool, Interrupted> {
        match self.goal {
            Goal::SELFMATE => Ok(position.must_mate()),
            Goal::SEMI_REFLEX | Goal::REFLEX => Ok(position.mate_in_one().is_some()),
            goal if !goal.is_self() => Ok(End::of(position) == Some(goal.end)),
            goal => {
                let replies = position.legal_moves();
                for &m in &replies {
                    self.meter.node()?;
                    if End::of(&position.play(m)) != Some(goal.end) {
                        return Ok(false);
                    }
                }
                Ok(!replies.is_empty())
            }
        }
    }
}
