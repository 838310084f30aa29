//! Makes refutations: names replies to the moves of the attacker after which he does not reach the goal in the moves
//! that are left. Moves that end the play, and the last move, need none.
//!
//! The prover decides; this file only chooses between replies and writes the lines that a checker replays
//! (`docs/certificates.md`). A reply is good if it makes the proof short:
//!
//! - a position that has a line already needs only a reference to it;
//! - a reply that the prover has refuted already needs no new search;
//! - the fewer moves a reply leaves to the attacker, the fewer positions are opened later;
//! - before the attacker's last move, the reply that is named for his other moves costs nothing, so it is tried first.
//!
//! A line is written before those that it opens. Only its number is kept, as long as there is room (`written`).
//!
//! | file | idea |
//! |---|---|
//! | `written` | a table of the positions that have lines |
//! | `estimate` | the number of lines, before they are made |

mod estimate;
mod written;

use std::io;

use crate::chess::{Duty, Goal, MateLength, Move, MoveCode, MoveList, NodeKind, Position, rules};
use crate::proof::{LeftOut, Refusal, Reply, order};

use super::decider::Decider;
use super::{Interrupted, StopReason};

use written::WrittenLines;

/// The reason why a refutation is not finished.
#[derive(Debug)]
pub enum RefuterError {
    /// A limit was reached.
    Interrupted(StopReason),
    /// A line cannot be written.
    Unwritten(io::Error),
    /// The goal can be reached: there is nothing to refute.
    Solvable,
}

impl From<Interrupted> for RefuterError {
    fn from(reason: Interrupted) -> RefuterError {
        RefuterError::Interrupted(reason)
    }
}

/// Writes a line and returns its number in the file.
pub(crate) type WriteLine<'w> = dyn FnMut(Refusal<'_>) -> io::Result<usize> + 'w;

/// Makes refutations about one question.
pub struct Refuter<'a, 'c> {
    decider: Decider<'a, 'c>,
    written: WrittenLines,
    /// By moves left: the replies that were named last for whole positions.
    habits: Vec<Vec<MoveCode>>,
}

/// The line of a position, and the positions that it opens.
struct Plan {
    replies: Vec<Reply>,
    opened: Vec<Position>,
}

/// A reply, and the position that it opens.
type Chosen = (MoveCode, Option<Position>);

/// The state of the position after a reply.
enum Reached {
    /// The goal is reached, so it is no refutation.
    Fails,
    /// The checker sees by itself that the goal is not reached.
    Closed,
    /// The position needs a line.
    Open,
}

/// The number of replies that are remembered for each number of moves left. Doubled, more replies are tried before the
/// others; halved, fewer.
const HABITS: usize = 6;

impl<'a, 'c> Refuter<'a, 'c> {
    /// Returns a refuter that asks this decider and remembers its lines in `bytes` bytes.
    pub fn new(decider: Decider<'a, 'c>, bytes: usize) -> Refuter<'a, 'c> {
        Refuter { decider, written: WrittenLines::new(bytes), habits: Vec::new() }
    }

    /// Returns the decider.
    pub fn decider(&mut self) -> &mut Decider<'a, 'c> {
        &mut self.decider
    }

    fn goal(&self) -> Goal {
        self.decider.goal()
    }

    /// Writes the lines of a section: the goal is not reached from `root`, of this kind, within `moves`.
    pub fn section(
        &mut self,
        root: &Position,
        kind: NodeKind,
        moves: MateLength,
        left_out: &LeftOut,
        write: &mut WriteLine<'_>,
    ) -> Result<(), RefuterError> {
        match rules::over(self.goal(), root, kind) {
            Some(true) => return Err(RefuterError::Solvable),
            Some(false) => return Ok(()),
            None => {}
        }
        if kind == NodeKind::And {
            return self.after_the_reply(root, moves.0, write);
        }
        let plan = self.plan(root, moves.0, left_out)?.ok_or(RefuterError::Solvable)?;
        // With one move left the checker needs no line.
        if moves.0 == 1 {
            return Ok(());
        }
        write_line(Refusal::Replies(&plan.replies), write)?;
        self.open(plan.opened, moves.0 - 1, write)
    }

    /// Writes the section of a diagram in which the defender is to move: his reply, and what follows it.
    fn after_the_reply(&mut self, root: &Position, left: u16, write: &mut WriteLine<'_>) -> Result<(), RefuterError> {
        for reply in rules::replies(self.goal(), root) {
            let next = self.decider.play(root, reply)?;
            let opened = match self.reached(&next, left)? {
                Reached::Fails => continue,
                Reached::Closed => Vec::new(),
                Reached::Open => vec![next],
            };
            write_line(Refusal::Replies(&[Reply { code: reply.code(), to: Vec::new() }]), write)?;
            return self.open(opened, left, write);
        }
        Err(RefuterError::Solvable)
    }

    /// Writes the lines of opened positions, each with what it opens itself.
    fn open(&mut self, opened: Vec<Position>, left: u16, write: &mut WriteLine<'_>) -> Result<(), RefuterError> {
        for position in opened {
            if let Some(line) = self.written.get(position.key(), left) {
                write_line(Refusal::Same(line), write)?;
                continue;
            }
            let plan = self.plan(&position, left, &LeftOut::Nothing)?.ok_or(RefuterError::Solvable)?;
            let line = write_line(Refusal::Replies(&plan.replies), write)?;
            self.open(plan.opened, left - 1, write)?;
            self.written.insert(position.key(), left, line);
        }
        Ok(())
    }

    /// Plans the line of a position with the attacker to move; `None` if he reaches the goal within `left` moves.
    fn plan(&mut self, position: &Position, left: u16, left_out: &LeftOut) -> Result<Option<Plan>, Interrupted> {
        let mut attacks = position.legal_moves();
        attacks.sort_unstable_by_key(|m| order(m.code()));
        let mut plan = Plan { replies: Vec::new(), opened: Vec::new() };
        let mut named: Vec<Reply> = Vec::new();
        let mut first: Option<Move> = None;
        for (at, &attack) in (0..).zip(&attacks) {
            if left_out.has(attack.code()) {
                continue;
            }
            let attacked = self.decider.play(position, attack)?;
            // Mostly the first reply is good again. Then no other move needs to be generated.
            if let Some(first) = first.filter(|&first| left == 2 && attacked.allows(first))
                && let Some((_, opened)) = self.answers(&attacked, first, 1)?
            {
                plan.opened.extend(opened);
                continue;
            }
            let replies = rules::replies(self.goal(), &attacked);
            if replies.is_empty() {
                match rules::over(self.goal(), &attacked, NodeKind::And) {
                    Some(true) => return Ok(None),
                    _ => continue,
                }
            }
            let common = plan.replies.iter().map(|reply| reply.code).find(|&code| of_code(&replies, code).is_some());
            let chosen = if left > 2 {
                self.choose_rarest(&attacked, &replies, left - 1)?
            } else {
                self.choose_usual(&attacked, &replies, common, &named, left - 1)?
            };
            let Some((reply, opened)) = chosen else { return Ok(None) };
            plan.opened.extend(opened);
            match (common, named.iter_mut().find(|named| named.code == reply)) {
                (Some(common), _) if common == reply => {}
                (None, _) => {
                    // Where the defender may have to mate, another reply may be the only one.
                    let is_first = plan.replies.is_empty() && self.goal().duty == Duty::None;
                    first = first.or(of_code(&replies, reply).filter(|_| is_first));
                    plan.replies.push(Reply { code: reply, to: Vec::new() });
                    self.remember(reply, left);
                }
                (Some(_), Some(named)) => named.to.push(at),
                (Some(_), None) => named.push(Reply { code: reply, to: vec![at] }),
            }
        }
        plan.replies.append(&mut named);
        Ok(Some(plan))
    }

    /// Chooses a reply in a position with the defender to move: one of those after which the position has a line
    /// already, or else of those that leave the attacker the fewest moves. Returns it with the position that it opens;
    /// `None` if the goal is reached after all of them.
    fn choose_rarest(
        &mut self,
        attacked: &Position,
        replies: &MoveList,
        left: u16,
    ) -> Result<Option<Chosen>, Interrupted> {
        // The prover decides which replies are good in the order that suits it, and remembers them.
        if self.decider.mated(attacked, MateLength(left))?.is_some() {
            return Ok(None);
        }
        let mut sorted: Vec<(u8, usize, Move)> = Vec::with_capacity(replies.len());
        for &reply in replies {
            let next = attacked.play(reply);
            let cost = match self.written.get(next.key(), left) {
                Some(_) => 0,
                None if self.decider.is_refuted(&next, MateLength(left)) => 1,
                None => 2,
            };
            sorted.push((cost, next.count_moves(), reply));
        }
        sorted.sort_by_key(|&(cost, attacks, _)| (cost, attacks));
        for (_, _, reply) in sorted {
            if let Some(chosen) = self.answers(attacked, reply, left)? {
                return Ok(Some(chosen));
            }
        }
        Ok(None)
    }

    /// Chooses a reply like [`Refuter::choose_rarest`], one that is named anyway if that will do. `common` costs
    /// nothing.
    fn choose_usual(
        &mut self,
        attacked: &Position,
        replies: &MoveList,
        common: Option<MoveCode>,
        named: &[Reply],
        left: u16,
    ) -> Result<Option<Chosen>, Interrupted> {
        let habits = self.habits.get(usize::from(left) + 1).cloned().unwrap_or_default();
        let usual = common.into_iter().chain(habits).chain(named.iter().map(|reply| reply.code));
        let mut tried = MoveList::new();
        for reply in usual.filter_map(|code| of_code(replies, code)).chain(replies.iter().copied()) {
            if tried.contains(&reply) {
                continue;
            }
            if let Some(chosen) = self.answers(attacked, reply, left)? {
                return Ok(Some(chosen));
            }
            tried.push(reply);
        }
        Ok(None)
    }

    /// Returns a reply with the position that it opens, unless the goal is reached after it.
    fn answers(&mut self, attacked: &Position, reply: Move, left: u16) -> Result<Option<Chosen>, Interrupted> {
        let next = self.decider.play(attacked, reply)?;
        Ok(match self.reached(&next, left)? {
            Reached::Fails => None,
            Reached::Closed => Some((reply.code(), None)),
            Reached::Open => Some((reply.code(), Some(next))),
        })
    }

    /// Decides the position after a reply, in which the attacker has `left` moves.
    fn reached(&mut self, position: &Position, left: u16) -> Result<Reached, Interrupted> {
        // A side that has no move does not mate with its last one.
        if left != 1 || !self.goal().is_mate() {
            match rules::over(self.goal(), position, NodeKind::Or) {
                Some(true) => return Ok(Reached::Fails),
                Some(false) => return Ok(Reached::Closed),
                None if left == 0 => return Ok(Reached::Closed),
                None => {}
            }
        }
        let is_written = self.written.get(position.key(), left).is_some();
        if !is_written && self.decider.mates(position, MateLength(left))?.is_some() {
            return Ok(Reached::Fails);
        }
        // With one move left the checker needs no line.
        Ok(if left == 1 { Reached::Closed } else { Reached::Open })
    }

    /// Remembers a reply that is named for a whole position.
    fn remember(&mut self, reply: MoveCode, left: u16) {
        let left = usize::from(left);
        if self.habits.len() <= left {
            self.habits.resize(left + 1, Vec::new());
        }
        let habits = &mut self.habits[left];
        if let Some(at) = habits.iter().position(|&known| known == reply) {
            habits[..=at].rotate_right(1);
        } else {
            habits.truncate(HABITS - 1);
            habits.insert(0, reply);
        }
    }
}

fn write_line(line: Refusal<'_>, write: &mut WriteLine<'_>) -> Result<usize, RefuterError> {
    write(line).map_err(RefuterError::Unwritten)
}

fn of_code(moves: &MoveList, code: MoveCode) -> Option<Move> {
    moves.iter().find(|m| m.code() == code).copied()
}
