//! The small search for mates off the corridor: by checks that leave few replies.
//!
//! ```text
//! quick(1): a mate in one
//! quick(n): a mate in one, or a check with at most two replies each of which quick(n − 1) mates
//! ```
//!
//! Each call makes at most 20 positions. The result depends on the position and on n only, so the moves of a mate need
//! not be stored: new calls find them again.

use arrayvec::ArrayVec;

use crate::chess::{ManList, MateLength, Move, MoveList, Position};
use crate::search::{Interrupted, Meter};

/// The most replies to a check that is tried. With 1 the family `king` finds 24 mates of the tuning list instead of 26,
/// with 3 it finds 22 (`benches/tuning/corridor.md`).
const MOST_REPLIES: u32 = 2;
/// The most checks that are tried at a node. Halved, mates by later checks are missed; few positions have more.
const MOST_CHECKS: usize = 24;
/// The most positions that one call makes. With 12 or 60 as many mates are found (`benches/tuning/corridor.md`).
const MOST_NODES: u32 = 20;

/// Returns a move that mates by checks in at most `moves` moves, and the length of the mate found.
pub(super) fn mate(
    position: &Position,
    moves: u16,
    meter: &mut Meter<'_>,
) -> Result<Option<(Move, MateLength)>, Interrupted> {
    Quick { meter, left: MOST_NODES }.attack(position, moves)
}

struct Quick<'q, 'c> {
    meter: &'q mut Meter<'c>,
    /// The positions that may still be made.
    left: u32,
}

impl Quick<'_, '_> {
    fn attack(&mut self, position: &Position, moves: u16) -> Result<Option<(Move, MateLength)>, Interrupted> {
        let mut men = ManList::new();
        let attack = position.attack(&mut men);
        if moves < 2 {
            return Ok(attack.mate().map(|m| (m, MateLength(1))));
        }
        let (mate, checks) = attack.mate_or_checks();
        if mate.is_some() || checks == 0 {
            return Ok(mate.map(|m| (m, MateLength(1))));
        }
        let mut list = MoveList::new();
        attack.checks(&mut list);
        let mut few = ArrayVec::<(u32, Move), MOST_CHECKS>::new();
        for &m in &list {
            let replies = attack.evasions(m);
            if replies <= MOST_REPLIES && !few.is_full() {
                few.push((replies, m));
            }
        }
        few.sort_by_key(|&(replies, _)| replies);
        for (replies, m) in few {
            if self.left <= replies {
                break;
            }
            if let Some(rest) = self.defend(position, m, moves)? {
                return Ok(Some((m, rest.longer())));
            }
        }
        Ok(None)
    }

    /// Returns the longest mate after the replies to a check, if all of them are mated.
    fn defend(&mut self, position: &Position, check: Move, moves: u16) -> Result<Option<MateLength>, Interrupted> {
        self.node()?;
        let after = position.play(check);
        let mut longest = MateLength(0);
        for &reply in &after.legal_moves() {
            if self.left == 0 {
                return Ok(None);
            }
            self.node()?;
            match self.attack(&after.play(reply), moves - 1)? {
                Some((_, length)) => longest = longest.max(length),
                None => return Ok(None),
            }
        }
        Ok(Some(longest))
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.left = self.left.saturating_sub(1);
        self.meter.node()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::chess::testing::position;
    use crate::search::{Control, Limits};

    fn length(text: &str, moves: u16) -> (Option<u16>, u64) {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut meter = Meter::new(&control);
        let found = mate(&position(text), moves, &mut meter).unwrap();
        (found.map(|(_, length)| length.0), meter.count())
    }

    #[test]
    fn mates_by_checks_are_found_and_quiet_ones_are_not() {
        let ladder = "8/7k/R7/8/8/8/8/1R5K w - -";
        assert_eq!([1, 2, 3].map(|moves| length(ladder, moves).0), [None, Some(2), Some(2)]);
        assert_eq!(length("7k/5Q2/6K1/8/8/8/8/8 w - -", 3), (Some(1), 0), "a mate in one makes no position");
        // 1. Kc7 is quiet.
        assert_eq!(length("k7/8/2K5/8/8/8/8/1R6 w - -", 3).0, None);
    }

    #[test]
    fn a_call_makes_few_positions() {
        let many = "k7/8/8/8/QQQ5/QQQ5/8/7K b - -";
        let root = position(many);
        for &m in &root.legal_moves() {
            let (_, nodes) = length(&root.play(m).fen(), 8);
            assert!(nodes <= u64::from(MOST_NODES), "{nodes}");
        }
        let open = "4k3/8/8/8/8/8/8/QQQ1K2Q w - -";
        assert!(length(open, 9).1 <= u64::from(MOST_NODES));
    }
}
