//! The lines of an answer of help play, each replayed by the checker, within the limits.
//!
//! The search returns the solutions as a graph, which is small even if there are more than anybody can write. As a
//! list, they take half of the memory at most; what needs more stays a graph, whose lines are replayed when they are
//! written.
//!
//! The limits hold for the lines too. What a limit cuts off is known before the first line is written, so that the
//! answer can say so: the lines are replayed before, in the time and with the nodes that the search has left, a node
//! for each. Neither cuts off one of the first thousand.

use std::collections::HashSet;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

use shakmaty::{Chess, Square};

use crate::base::clock::Instant;
use crate::chess::Stipulation;
use crate::proof::PackedPosition;
use crate::proof::helped::{ReplayedLine, Replayer};
use crate::proof::picture::Picture;
use crate::results::help::{HelpLine, HelpLines, HelpPhase, LineSource, Refused};
use crate::search::help::{HelpAnswer, Node};
use crate::search::{Control, Meter, StopReason};

use super::Limits;

/// The number of lines that no limit but the memory cuts off.
const PAGE: usize = 1000;

/// Returns the memory that a line takes in a list, approximately, in bytes.
pub(crate) fn bytes_of_a_line(stipulation: Stipulation) -> usize {
    128 + 64 * stipulation.half_moves().map_or(0, usize::from)
}

/// The lines of an answer, which are replayed when they are read.
#[derive(Debug)]
pub(super) struct Replayed {
    /// The diagram; the side that begins is to move.
    pub start: Chess,
    pub stipulation: Stipulation,
    /// The castling rights that exclude each other.
    pub exclusive: Vec<(Square, Square)>,
    pub answer: HelpAnswer,
    pub phase: HelpPhase,
}

/// The lines that are kept of an answer, the limit that cut the others off, if there are others, and the memory that
/// they take, in bytes.
pub(super) type Kept = (HelpLines, Option<StopReason>, usize);

impl Replayed {
    /// Returns the lines as far as the limits of the work that began at `start` allow: a list if they fit into `room`
    /// bytes or if a limit has ended the search, else what replays them once more when they are read.
    pub(super) fn within(
        self,
        limits: &Limits,
        room: usize,
        start: Instant,
        control: &Control<'_>,
    ) -> Result<Kept, Refused> {
        let mut meter = Meter::new(control);
        let most = (room / bytes_of_a_line(self.stipulation)).max(1);
        let is_list = self.answer.count() <= most || self.answer.stopped.is_some();
        let is_limited = limits.time.is_some() || limits.nodes.is_some();
        // Without limits the lines need not be replayed one by one: only the user ends the writing.
        if !is_list && !is_limited && self.holds(limits.hash / 2, &mut meter)?.is_none() {
            return Ok(self.made_when_read(None));
        }
        // Lines that are replayed once more may take half of the time only.
        let until = limits.time.and_then(|time| Instant::now().checked_add(time.saturating_sub(start.elapsed()) / 2));
        let is_late = || !is_list && until.is_some_and(|until| Instant::now() >= until);
        let (mut list, mut kept, mut cut) = (Vec::new(), 0, None);
        let walked = self.each(&mut |line| {
            let limit = match kept {
                _ if is_list && kept == most => Err(StopReason::Memory),
                ..PAGE => Ok(()),
                _ if is_late() => Err(StopReason::Time),
                _ => meter.node().and_then(|()| meter.looks(line.moves.len())),
            };
            cut = limit.err();
            if cut.is_some() {
                return Break(());
            }
            kept += 1;
            list.extend(is_list.then(|| line.clone()));
            Continue(())
        });
        walked.ok_or(Refused)?;
        if is_list {
            return Ok((list.into(), cut, kept * bytes_of_a_line(self.stipulation)));
        }
        Ok(Replayed { answer: self.answer.first(kept), ..self }.made_when_read(cut))
    }

    fn made_when_read(self, cut: Option<StopReason>) -> Kept {
        let bytes = self.answer.bytes();
        (HelpLines::from_source(Arc::new(self)), cut, bytes)
    }

    /// Replays every move of the graph, so that all lines hold even if nobody reads them. What follows a node is
    /// replayed once for each position with which the node is reached. Those seen before take at most `memory` bytes,
    /// approximately; if there are more, all are forgotten. Returns the limit that ended this.
    pub(super) fn holds(&self, memory: usize, meter: &mut Meter<'_>) -> Result<Option<StopReason>, Refused> {
        let mut replayer = Replayer::new(&self.start, self.stipulation, &self.exclusive);
        let last = self.stipulation.half_moves().map_or(0, usize::from).saturating_sub(1);
        let mut seen: HashSet<(usize, Node, PackedPosition)> = HashSet::new();
        // A set that grows is larger for a while.
        let most = memory / 3 / size_of::<(usize, Node, PackedPosition)>();
        let walked = self.answer.walk(|path, node| {
            meter.look().map_or_else(|why| Break(Ok(Some(why))), Continue)?;
            let Some(node) = node else {
                return if replayer.holds(path) { Continue(false) } else { Break(Err(Refused)) };
            };
            let Some(position) = replayer.follow(path) else { return Break(Err(Refused)) };
            if seen.len() > most {
                seen.clear();
            }
            // Before the last half-move nothing follows that was worth remembering.
            Continue(path.len() >= last || seen.insert((path.len(), node, PackedPosition::of(position))))
        });
        walked.break_value().unwrap_or(Ok(None))
    }
}

impl LineSource for Replayed {
    fn count(&self) -> usize {
        self.answer.count()
    }

    fn each(&self, visit: &mut dyn FnMut(&HelpLine) -> ControlFlow<()>) -> Option<()> {
        let mut replayer = Replayer::new(&self.start, self.stipulation, &self.exclusive);
        let ended = self.answer.each(|line| {
            let Some(ReplayedLine { san, uci, reciprocal, mate, .. }) = replayer.replay(line) else {
                return Break(None);
            };
            let Picture { pure, model, ideal } = mate;
            let (plies, reciprocal_plies) = (Vec::new(), Vec::new());
            let phase = self.phase;
            let line = HelpLine { phase, san, moves: uci, reciprocal, pure, model, ideal, plies, reciprocal_plies };
            visit(&line).map_break(Some)
        });
        // It ends early when as many lines as wanted are visited.
        (!matches!(ended, Break(Some(None)))).then_some(())
    }
}
