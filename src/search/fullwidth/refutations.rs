//! The order in which the defender's replies are tried.
//!
//! Most attacking moves are refuted, and most of them by the same few replies: the check, the capture or the flight
//! that the composer provided for. A reply that refuted a move is therefore tried first the next time: first the one
//! that last refuted the same move, then those that refuted other moves with as many moves left. The other replies
//! follow in this order: captures, king moves, all others.
//!
//! CITE: the killer heuristic, Akl & Newborn 1977; the countermove heuristic, Uiterwijk 1992.

use shakmaty::Role;

use crate::chess::{Move, MoveCode, MoveList};

/// The number of lengths with killers of their own. Longer ones share the last.
const LENGTHS: usize = 16;
/// The number of killers for each length.
const KILLERS: usize = 3;

/// The replies that refuted a move recently.
#[derive(Debug)]
pub(super) struct Refutations {
    /// By the number of moves left.
    killers: [[Option<MoveCode>; KILLERS]; LENGTHS],
    /// By the number of moves left (1, 2, 3 and more) and by the from and to squares of the attacker's move.
    answers: Vec<Option<MoveCode>>,
}

impl Default for Refutations {
    fn default() -> Refutations {
        Refutations { killers: [[None; KILLERS]; LENGTHS], answers: vec![None; 3 << 12] }
    }
}

/// Returns the index into `answers` for `n` moves left after the attacker's move `last`.
fn answer_index(n: u16, last: Option<MoveCode>) -> usize {
    usize::from(n.clamp(1, 3) - 1) << 12 | last.map_or(0, MoveCode::squares)
}

impl Refutations {
    /// Records that a reply has refuted the attacker's move `last` with `n` moves left.
    #[inline]
    pub(super) fn remember(&mut self, n: u16, last: Option<MoveCode>, refuter: MoveCode) {
        self.answers[answer_index(n, last)] = Some(refuter);
        let killers = &mut self.killers[usize::from(n).min(LENGTHS - 1)];
        if let Some(at) = killers.iter().position(|&killer| killer == Some(refuter)) {
            // One place up: a killer must refute several times to reach the front.
            killers.swap(at, at.saturating_sub(1));
        } else {
            killers[KILLERS - 1] = Some(refuter);
        }
    }

    /// Sorts the replies, the likeliest refutation first. With one move left it only moves that reply to the front.
    #[inline]
    pub(super) fn order(&self, replies: &mut MoveList, n: u16, last: Option<MoveCode>) {
        let answer = self.answers[answer_index(n, last)];
        let killers = &self.killers[usize::from(n).min(LENGTHS - 1)];
        let rank = |m: &Move| {
            let code = Some(m.code());
            if code == answer {
                return 0;
            }
            match killers.iter().position(|&killer| killer == code) {
                Some(at) => 1 + at,
                None if m.capture().is_some() => 4,
                None if m.role() == Role::King => 5,
                None => 6,
            }
        };
        if n == 1 {
            // Sorting all replies would cost more than it saves.
            if let Some(best) = (0..replies.len()).min_by_key(|&i| rank(&replies[i])) {
                replies.swap(0, best);
            }
        } else {
            replies.sort_by_cached_key(|m| (rank(m), *m));
        }
    }
}
