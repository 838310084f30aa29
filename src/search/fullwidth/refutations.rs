//! Which defence to try first.
//!
//! Most attacker's moves are refuted, and most by the same few defences: the check, the capture, the flight that the
//! composer provided for. So a defence that refuted is tried first the next time, in this order: the one that refuted
//! the same move last, then the ones that refuted other moves with as many moves left. The rest goes by looks: captures,
//! then king moves, then everything else.
//!
//! CITE: the killer heuristic, Akl & Newborn 1977; the countermove heuristic, Uiterwijk 1992.

use shakmaty::Role;

use crate::chess::{Move, MoveCode, MoveList};

/// Lengths beyond this share their killers.
const LENGTHS: usize = 16;
/// Killers a length.
const KILLERS: usize = 3;

/// What refuted lately.
#[derive(Debug)]
pub(super) struct Refutations {
    killers: [[MoveCode; KILLERS]; LENGTHS],
    /// By moves left (1, 2, 3 and more) and the attacker's move, from and to.
    answers: Vec<MoveCode>,
}

impl Default for Refutations {
    fn default() -> Refutations {
        Refutations { killers: [[MoveCode::NONE; KILLERS]; LENGTHS], answers: vec![MoveCode::NONE; 3 << 12] }
    }
}

fn answer_index(n: u16, last: MoveCode) -> usize {
    usize::from(n.clamp(1, 3) - 1) << 12 | usize::from(last.0 & 0x0fff)
}

impl Refutations {
    /// A defence has refuted the attacker's move `last` with `n` moves left.
    #[inline]
    pub(super) fn remember(&mut self, n: u16, last: MoveCode, refuter: MoveCode) {
        self.answers[answer_index(n, last)] = refuter;
        let killers = &mut self.killers[usize::from(n).min(LENGTHS - 1)];
        if let Some(at) = killers.iter().position(|&killer| killer == refuter) {
            // Up by one: what refutes often gets to the front, what refuted once does not push it away.
            killers.swap(at, at.saturating_sub(1));
        } else {
            killers[KILLERS - 1] = refuter;
        }
    }

    /// Sorts the replies, the likeliest refutation first.
    #[inline]
    pub(super) fn order(&self, replies: &mut MoveList, n: u16, last: MoveCode) {
        let answer = self.answers[answer_index(n, last)];
        let killers = &self.killers[usize::from(n).min(LENGTHS - 1)];
        let rank = |m: &Move| {
            let code = m.code();
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
            // Only the first is worth finding: the others are tried in any order.
            if let Some(best) = (0..replies.len()).min_by_key(|&i| rank(&replies[i])) {
                replies.swap(0, best);
            }
        } else {
            replies.sort_by_cached_key(|m| (rank(m), *m));
        }
    }
}
