//! Helpmates of any length: a shortest one, or any, or the proof that none exists.
//!
//! | step | what it answers |
//! |---|---|
//! | material and [`super::reach`] | that no mate ever comes, without a search |
//! | `guided` | some mate, where many ways lead to one |
//! | `closed` | a shortest mate, or that no mate exists, where few positions can arise |
//! | `novel` | some mate, where few ways lead to one |
//! | lengths, one after the other (`solve_in`) | a shortest mate, or that none is so short |
//!
//! The guided search is short. The others take turns, each with three times the nodes of its last turn; `novel` only
//! until a mate is known. A mate that `guided` or `novel` finds need not be a shortest one: the closed set and the
//! lengths decide that, because they leave no mate out. If any mate will do, the lengths are asked only where the
//! closed set has no memory.

mod closed;
mod guided;
mod novel;

use shakmaty::Color;

use crate::chess::{End, MoveCode, Play, Position, Stipulation};
use crate::search::{Control, HelpCounts, Meter, StopReason};

use super::reach::never_mates;
use super::{HelpTask, Rules, solve_in};
use closed::{Closed, Found};
use guided::Guided;
use novel::Novel;

/// A question about a helpmate of any length.
#[derive(Debug, Clone, Copy)]
pub struct AnyTask {
    /// The position. Either side may be to move.
    pub position: Position,
    /// The side that mates.
    pub mating: Color,
    /// The memory to use, in bytes.
    pub memory: usize,
    /// The threads to use, at least 1.
    pub threads: usize,
    /// Whether any mate will do.
    pub first: bool,
}

/// The bounds of a helpmate of any length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnyAnswer {
    /// A line that mates; empty if the king is mated already.
    pub line: Option<Vec<MoveCode>>,
    /// Whether it is proved that there is no mate of any length.
    pub never: bool,
    /// The number of half-moves within which it is proved that no mate exists.
    pub refuted: u16,
    /// The limit that ended the search; `None` if it is done.
    pub stopped: Option<StopReason>,
}

impl AnyAnswer {
    /// Returns whether the line is proved to be a shortest one.
    pub fn is_shortest(&self) -> bool {
        self.line.as_ref().is_some_and(|line| line.len() <= usize::from(self.refuted) + 1)
    }
}

/// The nodes of the first turn of each step.
const FIRST_NODES: u64 = if cfg!(test) { 1_000 } else { 20_000 };

/// The nodes of a length, as a multiple of those of the closed set. Doubled, shorter lengths are decided sooner and the
/// closed set grows more slowly; halved, the other way round.
const LENGTHS_SHARE: u64 = 3;

/// How many times as many nodes the search for new pairs gets as the closed set if any mate will do: it finds most of
/// those that are hard to find. Doubled, hard mates are found sooner, and the proof that none exists comes later;
/// halved, the other way round.
const NOVEL_SHARE: u64 = 4;

/// The longest length that is asked for by itself, in half-moves.
const LONGEST: u16 = 1000;

/// Looks for a mate of any length, until it is answered or a limit is reached.
pub fn any(task: &AnyTask, control: &Control<'_>, counts: &HelpCounts) -> AnyAnswer {
    let position = &task.position;
    if !position.has_move() {
        let is_mate = position.is_check() && position.turn() != task.mating;
        return AnyAnswer { line: is_mate.then(Vec::new), never: !is_mate, ..AnyAnswer::default() };
    }
    if never_mates(position, task.mating) {
        return AnyAnswer { never: true, ..AnyAnswer::default() };
    }
    let mut search = Search {
        task,
        control,
        counts,
        novel: Novel::new(position, task.mating, task.memory / 4),
        closed: Some(Closed::new(position, task.mating, task.memory / 4)),
        answer: AnyAnswer::default(),
    };
    let stopped = search.run().err();
    AnyAnswer { stopped, ..search.answer }
}

struct Search<'a, 'c> {
    task: &'a AnyTask,
    control: &'a Control<'c>,
    counts: &'a HelpCounts,
    novel: Novel,
    /// The closed set; `None` when there is no memory for it.
    closed: Option<Closed>,
    answer: AnyAnswer,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<(), StopReason> {
        let AnyTask { position, mating, memory, .. } = self.task;
        self.answer.line =
            Guided::new(position, *mating, memory / 8).search(FIRST_NODES, &mut Meter::new(self.control))?;
        let mut nodes = FIRST_NODES;
        while !self.is_done() {
            self.close(nodes)?;
            if !self.task.first || self.closed.is_none() {
                self.try_lengths(LENGTHS_SHARE * nodes)?;
            }
            if !self.is_done() && self.answer.line.is_none() {
                self.find(if self.task.first { NOVEL_SHARE * nodes } else { nodes })?;
            }
            if self.closed.is_none() && self.answer.refuted >= LONGEST && !self.is_done() {
                return Err(StopReason::Memory);
            }
            nodes *= 3;
        }
        Ok(())
    }

    /// Looks for some mate with at most `nodes` nodes.
    fn find(&mut self, nodes: u64) -> Result<(), StopReason> {
        let mut meter = Meter::new(self.control);
        meter.set_slice(Some(nodes));
        match self.novel.search(&mut meter) {
            Ok(line) => self.answer.line = line,
            Err(StopReason::Slice) => {}
            Err(why) => return Err(why),
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.answer.never || self.answer.is_shortest() || self.task.first && self.answer.line.is_some()
    }

    /// Adds to the closed set with at most `nodes` nodes.
    fn close(&mut self, nodes: u64) -> Result<(), StopReason> {
        let Some(closed) = &mut self.closed else { return Ok(()) };
        let mut meter = Meter::new(self.control);
        meter.set_slice(Some(nodes));
        let found = closed.grow(&mut meter);
        self.answer.refuted = self.answer.refuted.max(closed.refuted());
        match found {
            Ok(Found::Mate(line)) => self.answer.line = Some(line),
            Ok(Found::Never) => self.answer.never = true,
            Ok(Found::Full) => self.closed = None,
            Err(StopReason::Slice) => {}
            Err(why) => return Err(why),
        }
        Ok(())
    }

    /// Asks for one length after the other, as long as each takes at most `nodes` nodes.
    fn try_lengths(&mut self, nodes: u64) -> Result<(), StopReason> {
        let AnyTask { position, mating, memory, threads, .. } = *self.task;
        while !self.is_done() && self.answer.refuted < LONGEST {
            let mut half_moves = self.answer.refuted + 1;
            if half_moves.is_multiple_of(2) == (position.turn() == mating) {
                half_moves += 1;
            }
            let stipulation = Stipulation::helped(Play::Help, End::Mate, half_moves);
            let (memory, most) = (memory / 2, 1);
            let task = HelpTask { position, stipulation, memory, threads, most, rules: Rules::ALL };
            let answer = solve_in(&task, Some(nodes), self.control, self.counts);
            if answer.count() > 0 {
                let _ = answer.each(|line| {
                    self.answer.line = Some(line.to_vec());
                    std::ops::ControlFlow::Break(())
                });
                self.answer.refuted = half_moves - 1;
            } else if answer.complete {
                self.answer.refuted = half_moves;
            } else {
                return answer.stopped.filter(|&why| why != StopReason::Slice).map_or(Ok(()), Err);
            }
        }
        Ok(())
    }
}

/// Returns the moves to a position of a search, and a last one. `arises` gives the position before it, or `u32::MAX`
/// for the first one, and the move between.
fn line_to(mut at: u32, last: MoveCode, arises: impl Fn(u32) -> (u32, u16)) -> Vec<MoveCode> {
    let mut line = vec![last];
    loop {
        let (parent, code) = arises(at);
        if parent == u32::MAX {
            break;
        }
        line.push(MoveCode::from_bits(code));
        at = parent;
    }
    line.reverse();
    line
}
