//! Judges one diagram: which first moves solve, as far as the question needs to know.
//!
//! Thousands of diagrams differ from one another by a man or two. A move that solves or refutes one diagram usually
//! does so in the next, so two memories order the work: for each first move the reply that refuted it last, and how
//! often it was a cook. They only say what is tried first, so they may change which cook is found, but not whether
//! there is one.

use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};

use crate::chess::{Duty, MateLength, Move, MoveCode, NodeKind, Position, rules};
use crate::search::Interrupted;
use crate::search::decider::Decider;

/// A question about a diagram.
#[derive(Debug, Clone, Default)]
pub(super) struct Question {
    /// The first moves that are wanted as key, as they are called in this diagram; any of them will do.
    pub keys: Vec<MoveCode>,
    /// The first moves that are known to cook the given diagram, as they are called in this diagram.
    pub cooks: Vec<MoveCode>,
    /// Whether a diagram with another key does not count.
    pub only_these: bool,
}

/// The verdict on a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Judged {
    /// One key, and no shorter solution.
    Sound(Move),
    /// A shorter solution, or the game is over.
    Short,
    /// No key, or not the one that is wanted.
    NoKey,
    /// A wanted key solves, and other first moves too: those of [`Question::cooks`], a bit for each, and whether there
    /// is a further one. If one of the known cooks solves, the others are not looked for.
    Cooked {
        /// The known cooks that solve.
        known: u64,
        /// Another first move that solves.
        other: Option<MoveCode>,
    },
}

/// The judge of all diagrams of a problem. Threads share it.
#[derive(Debug)]
pub(super) struct Judge {
    /// The length of the stipulation.
    moves: MateLength,
    /// The reply that refuted a first move last, by its code.
    refuters: Vec<AtomicU16>,
    /// The number of times that a first move was a cook, by its origin and target.
    cooks: Vec<AtomicU32>,
}

impl Judge {
    /// Returns the judge for solutions of this length, at least one move.
    pub(super) fn new(moves: MateLength) -> Judge {
        let refuters = std::iter::repeat_with(AtomicU16::default).take(1 << 16).collect();
        let cooks = std::iter::repeat_with(AtomicU32::default).take(1 << 12).collect();
        Judge { moves, refuters, cooks }
    }

    /// Judges a diagram with the attacker to move.
    pub(super) fn judge(
        &self,
        decider: &mut Decider<'_, '_>,
        position: &Position,
        question: &Question,
    ) -> Result<Judged, Interrupted> {
        if rules::over(decider.goal(), position, NodeKind::Or).is_some() || !position.has_move() {
            return Ok(Judged::Short);
        }
        let mut moves = position.legal_moves();
        let mut key = None;
        for &code in &question.keys {
            if let Some(at) = moves.iter().position(|m| m.code() == code) {
                let m = moves.remove(at);
                if self.solves(decider, position, m)? {
                    key = Some(m);
                    break;
                }
            }
        }
        if key.is_none() && question.only_these {
            return Ok(Judged::NoKey);
        }
        if let Some(known) = key.map(|_| self.known_cooks(decider, position, question, &moves)).transpose()?
            && known != 0
        {
            return Ok(Judged::Cooked { known, other: None });
        }
        // Other threads may count meanwhile, so each count is read once.
        moves.sort_by_cached_key(|m| std::cmp::Reverse(self.cooks[m.code().squares()].load(Relaxed)));
        // With a wanted key, the known cooks are tried already.
        if key.is_some() {
            moves.retain(|m| !question.cooks.contains(&m.code()));
        }
        for m in moves {
            if !self.solves(decider, position, m)? {
                continue;
            }
            if key.is_some() {
                self.cooks[m.code().squares()].fetch_add(1, Relaxed);
                return Ok(Judged::Cooked { known: 0, other: Some(m.code()) });
            }
            key = Some(m);
        }
        let Some(key) = key else { return Ok(Judged::NoKey) };
        let shorter = self.moves.shorter().filter(|length| *length > MateLength(0));
        let is_short = match shorter {
            Some(length) => decider.mates(position, length)?.is_some(),
            None => false,
        };
        Ok(if is_short { Judged::Short } else { Judged::Sound(key) })
    }

    /// Returns which of the known cooks solve, a bit for each of the first 64.
    fn known_cooks(
        &self,
        decider: &mut Decider<'_, '_>,
        position: &Position,
        question: &Question,
        moves: &[Move],
    ) -> Result<u64, Interrupted> {
        let mut known = 0;
        for (bit, code) in question.cooks.iter().take(64).enumerate() {
            if let Some(&m) = moves.iter().find(|m| m.code() == *code)
                && self.solves(decider, position, m)?
            {
                known |= 1 << bit;
            }
        }
        Ok(known)
    }

    /// Returns whether a first move solves within the length.
    pub(super) fn solves(
        &self,
        decider: &mut Decider<'_, '_>,
        position: &Position,
        m: Move,
    ) -> Result<bool, Interrupted> {
        let after = decider.play(position, m)?;
        let rest = self.moves.shorter().unwrap_or(MateLength(0));
        if rest == MateLength(0) || decider.goal().duty != Duty::None {
            return Ok(decider.mated(&after, rest)?.is_some());
        }
        let memory = &self.refuters[usize::from(MoveCode::pack(Some(m.code())))];
        let last = MoveCode::unpack(memory.load(Relaxed)).and_then(|code| after.find_move(code));
        if let Some(reply) = last {
            let child = decider.play(&after, reply)?;
            if decider.mates(&child, rest)?.is_none() {
                return Ok(false);
            }
        }
        if decider.mated(&after, rest)?.is_some() {
            return Ok(true);
        }
        for reply in after.legal_moves().into_iter().filter(|reply| Some(*reply) != last) {
            let child = decider.play(&after, reply)?;
            let refutes = if rest == MateLength(1) {
                decider.mates(&child, rest)?.is_none()
            } else {
                decider.is_refuted(&child, rest)
            };
            if refutes {
                memory.store(MoveCode::pack(Some(reply.code())), Relaxed);
                break;
            }
        }
        Ok(false)
    }

    /// Returns a reply that refutes a first move; `None` if it solves, or if no reply is legal.
    pub(super) fn refutation(
        &self,
        decider: &mut Decider<'_, '_>,
        after: &Position,
    ) -> Result<Option<Move>, Interrupted> {
        let rest = self.moves.shorter().unwrap_or(MateLength(0));
        for reply in rules::replies(decider.goal(), after) {
            let child = decider.play(after, reply)?;
            if decider.mates(&child, rest)?.is_none() {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::WorkbenchRequest;
    use super::super::change::{Diagram, singles};
    use super::super::trials::{confirm, is_sound, with_trials};
    use super::*;
    use crate::Problem;

    #[test]
    fn every_single_change_is_judged_as_a_report_judges_it() {
        for line in [
            "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;",
            "7r/pppk4/8/8/8/8/PP6/6K1 b - - dm 2;",
            "8/1R6/7N/4Q3/3B3k/8/4b2p/7K w - - stip \"s#2\";",
            "k7/8/1K6/8/8/8/7P/8 w - - stip \"=2\";",
        ] {
            let problem = Problem::read(line).unwrap();
            let asked = problem.question.stipulation;
            let given = Diagram::of(&problem.chess);
            let attacker = given.turn;
            let diagrams: Vec<_> = singles(&given, true)
                .iter()
                .step_by(3)
                .filter_map(|priced| given.after(&priced.change)?.chess())
                .collect();
            let request = WorkbenchRequest::default().with(|request| request.limits.hash = 1 << 20);
            let judged = with_trials(asked, attacker, &request, &AtomicBool::new(false), |trials| {
                Ok(trials.map(&diagrams, |decider, judge, chess| {
                    judge.judge(decider, &Position::from_chess(chess), &Question::default())
                }))
            });
            for (chess, judged) in diagrams.iter().zip(judged.unwrap()) {
                let report = confirm(chess, asked);
                let key = match judged.expect("decided") {
                    Judged::Sound(key) => Some(key.code()),
                    _ => None,
                };
                let expected = is_sound(&report).then(|| crate::chess::notation::code(report.keys[0].ply.mv));
                assert_eq!(key, expected, "{}", Problem::of_position(chess, asked).fen);
            }
            assert!(diagrams.len() > 100, "{line}: {}", diagrams.len());
        }
    }
}
