//! Iterative deepening: which questions are asked at the root, in which order.
//!
//! 1. **Openers.** Mates within two moves, exactly: they cost next to nothing and give a first refutation.
//! 2. **Selective iterations**, if anything is cut or stretched: the depth grows from iteration to iteration, the bound is
//!    the length looked for. Without extensions it is what the depth covers; with them it lies beyond, so that runs of
//!    checks may go on. They find mates; they refute nothing, unless nothing was cut after all.
//! 3. **Exact iterations**, full-width, on mate length: each refutes its length or finds the shortest mate.
//!
//! After a mate is claimed the bound drops below it and the iterations go on, until the length is proved shortest or a
//! limit is reached. The first mate is asked for by a scout (any mate will do); then the window is opened, because now
//! the length matters.
//!
//! [`Progress`] is what an interrupted search needs to go on where it stopped.

use crate::chess::{MateLength, NodeKind};
use crate::proof::ProofTree;

use super::super::rebuild::{RebuildError, rebuild};
use super::super::{Answer, Event, Interrupted, Observer, StopReason, Task};
use super::nodes::PvsSearch;
use super::rebuild::Found;
use super::window::{Depth, Value, Window};
use super::{Finish, PvsOptions};

/// How far the iterations have come on a task.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Mates within fewer moves are refuted.
    none_below: u16,
    /// The shortest mate claimed, and its proof.
    claimed: Option<ProofTree>,
    /// The next selective iteration.
    depth: Depth,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress { none_below: 0, claimed: None, depth: Depth::plies(1) }
    }
}

/// The openers go as far as the exact routines.
const OPENERS: u16 = 2;

/// A run of checks is followed over at most this many moves beyond what the depth covers.
const REACH: u16 = 24;

/// The longest mate looked for, in moves: the search recurses, a move takes up to 7 KB of stack, and a thread has 2 MB.
/// No full-width search gets near it but where almost nothing can move.
const LONGEST: MateLength = MateLength(150);

impl Progress {
    /// Works on the task, from where it was left.
    pub fn run(
        &mut self,
        search: &mut PvsSearch<'_, '_>,
        task: &Task,
        options: PvsOptions,
        observer: &mut dyn Observer,
    ) -> Answer {
        let mut driver = Driver { search, task, options, observer, progress: self };
        let stopped = driver.iterate().err();
        let refuted = MateLength(self.none_below.saturating_sub(1));
        Answer { proof: self.claimed.clone(), refuted, stopped }
    }
}

/// The iterations of one call.
struct Driver<'d, 's, 'c> {
    search: &'d mut PvsSearch<'s, 'c>,
    task: &'d Task,
    options: PvsOptions,
    observer: &'d mut dyn Observer,
    progress: &'d mut Progress,
}

impl Driver<'_, '_, '_> {
    fn iterate(&mut self) -> Result<(), Interrupted> {
        self.exact_through(OPENERS)?;
        if !self.options.is_exact() {
            self.selective()?;
        }
        if self.options.is_exact() || self.options.finish == Finish::Exact {
            self.exact_through(self.task.bound.0)?;
        }
        Ok(())
    }

    /// The longest mate still of interest; `None` if the task is answered.
    fn limit(&self) -> Option<MateLength> {
        let limit = match &self.progress.claimed {
            Some(_) if !self.task.shortest => return None,
            Some(proof) => proof.length().shorter()?.min(self.task.bound),
            None => self.task.bound,
        };
        Some(limit).filter(|limit| limit.0 >= self.progress.none_below)
    }

    fn exact_through(&mut self, last: u16) -> Result<(), Interrupted> {
        let kind = self.task.root_kind();
        if kind == NodeKind::Or {
            self.progress.none_below = self.progress.none_below.max(1);
        }
        self.search.options = self.options.exact();
        while let Some(n) = self.limit().map(|_| MateLength(self.progress.none_below)).filter(|n| n.0 <= last) {
            if n > LONGEST {
                return Err(StopReason::Memory);
            }
            let found = self.ask(Window::scout(n), Depth::full(kind, n))?;
            if !found && self.progress.none_below <= n.0 {
                break; // neither mate nor refutation: a table entry was false, and nothing more will come
            }
        }
        Ok(())
    }

    fn selective(&mut self) -> Result<(), Interrupted> {
        let kind = self.task.root_kind();
        while let Some(limit) = self.limit() {
            let depth = self.progress.depth;
            let last = match self.options.finish {
                Finish::AtDepth(depth) => depth,
                Finish::Selective | Finish::Exact => self.options.null.outwaited(Depth::iteration(kind, limit), limit),
            };
            if depth > last || depth > Depth::iteration(kind, LONGEST) {
                break;
            }
            self.search.options = self.options;
            let within = limit.min(self.bound(kind, depth));
            let window = match self.progress.claimed {
                None => Window::scout(within),
                Some(_) => Window::open(MateLength(self.progress.none_below), within),
            };
            let found = within.0 >= self.progress.none_below && self.ask(window, depth)?;
            // A mate found: what is shorter is asked at the same depth. Nothing: deeper.
            if !found {
                self.progress.depth = depth.plus(1);
            }
        }
        Ok(())
    }

    /// The length looked for at this depth.
    fn bound(&self, kind: NodeKind, depth: Depth) -> MateLength {
        let covered = match kind {
            NodeKind::Or => depth.moves(),
            NodeKind::And => depth.minus(1).moves(),
        };
        let reach = if self.options.extensions.is_empty() { 0 } else { REACH };
        MateLength(covered + reach).min(LONGEST)
    }

    /// Asks one question and draws the consequences. True if a mate was claimed.
    fn ask(&mut self, window: Window, depth: Depth) -> Result<bool, Interrupted> {
        let kind = self.task.root_kind();
        match self.search.ask(kind, &self.task.position, window, depth)? {
            Value::Mate(length) => {
                let mut found = Found { search: self.search, depth };
                let proof = match rebuild(&mut found, kind, &self.task.position, length) {
                    Ok(proof) => proof,
                    Err(RebuildError::Interrupted(reason)) => return Err(reason),
                    Err(RebuildError::NotFound) => return Ok(false),
                };
                self.observer.event(Event::Mate(&proof), self.search.meter.count());
                self.progress.claimed = Some(proof);
                Ok(true)
            }
            Value::NoMate => {
                self.progress.none_below = self.progress.none_below.max(window.within.0 + 1);
                self.observer.event(Event::Refuted(window.within), self.search.meter.count());
                Ok(false)
            }
            Value::Unknown => Ok(false),
        }
    }
}
