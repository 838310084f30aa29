//! Tries diagrams on all threads, with one table and one judge for all of them.
//!
//! A diagram that needs more than a slice of nodes stays undecided.

use std::sync::atomic::AtomicBool;

use shakmaty::{Chess, Color};

use super::judge::Judge;
use super::{Refused, WorkbenchRequest};
use crate::base::clock::Instant;
use crate::base::guard::{Broken, guarded};
use crate::chess::{MateLength, Stipulation};
use crate::problem::Problem;
use crate::report::{ReportContext, ReportRequest, report};
use crate::results::Report;
use crate::results::report::{Extent, ReportOptions, Soundness};
use crate::search::decider::Decider;
use crate::search::decider::pool::{DeciderPool, NoThreads};
use crate::search::dfpn::Prover;
use crate::search::{Control, Facts, Interrupted, Meter};
use crate::solve::Limits;

/// The table of facts that engines share; the prover has its own, so a small one is enough, in bytes.
const FACTS: usize = 64 << 10;

/// The diagrams that are tried before the caller looks at the results.
pub(super) const AT_ONCE: usize = 512;

/// The nodes for one diagram.
const SLICE: u64 = 300_000;

/// The nodes for the report on a diagram that is proposed.
const REPORT_NODES: u64 = 20_000_000;

/// The memory for such a report, in bytes.
const REPORT_MEMORY: usize = 32 << 20;

/// The threads, the table and the judge.
pub(super) struct Trials<'a, 'c> {
    pool: DeciderPool<'a, 'c>,
    judge: Judge,
}

/// Calls `work` on a large stack, with threads and tables for questions of this kind. The search ends at the limits of
/// the request and when `stop` becomes true. A panic becomes an error.
pub(super) fn with_trials<R: Send>(
    asked: Stipulation,
    attacker: Color,
    request: &WorkbenchRequest,
    stop: &AtomicBool,
    work: impl FnOnce(&mut Trials<'_, '_>) -> Result<R, Refused> + Send,
) -> Result<R, Refused> {
    let search = || {
        let control = Control::new(request.limits.of_search(Instant::now()), stop);
        let facts = Facts::with_bytes(FACTS).about(asked, attacker);
        let prover = Prover::new(request.limits.hash).for_goal(asked.goal());
        let decider = Decider::new(prover, &facts, Meter::new(&control));
        let pool = DeciderPool::new(decider, request.limits.threads, &NoThreads);
        let moves = asked.moves().unwrap_or(MateLength(0));
        work(&mut Trials { pool, judge: Judge::new(moves) })
    };
    guarded(search).unwrap_or_else(|broken| {
        Err(Refused::Failed(match broken {
            Broken::Panicked => "it broke down; please report the position".to_owned(),
            Broken::NotRun(error) => error.to_string(),
        }))
    })
}

impl<'a, 'c> Trials<'a, 'c> {
    /// Calls `work` with each item, on all threads. `None` for an item that needs more than a slice of nodes, or that a
    /// limit left open.
    pub(super) fn map<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        work: impl Fn(&mut Decider<'a, 'c>, &Judge, &T) -> Result<R, Interrupted> + Sync,
    ) -> Vec<Option<R>> {
        let judge = &self.judge;
        self.pool.map_slices(items, SLICE, |decider, item| work(decider, judge, item))
    }

    /// Calls `work` with the first decider, without a slice; `None` if a limit was reached.
    pub(super) fn ask<R>(&mut self, work: impl FnOnce(&mut Decider<'a, 'c>) -> Result<R, Interrupted>) -> Option<R> {
        work(self.pool.first()).ok()
    }

    /// Returns whether a limit has ended the work.
    pub(super) fn is_stopped(&self) -> bool {
        self.pool.stopped().is_some()
    }
}

/// Makes the report that confirms the verdict on a diagram, on its own memory. An interruption does not end it, because
/// what was found is to be kept.
pub(super) fn confirm(chess: &Chess, asked: Stipulation) -> Report {
    report_on(chess, asked, ReportOptions { extent: Extent::Soundness, ..ReportOptions::default() })
}

/// Makes a report on a diagram, on its own memory.
pub(super) fn report_on(chess: &Chess, asked: Stipulation, options: ReportOptions) -> Report {
    let problem = Problem::of_position(chess, asked);
    let limits = Limits { nodes: Some(REPORT_NODES), hash: REPORT_MEMORY, ..Limits::default() };
    let request = ReportRequest { options, proves_en_passant: false, limits, ..ReportRequest::default() };
    report(&problem, &request, ReportContext::new(&AtomicBool::new(false)))
}

/// Returns whether a report says that its diagram is sound.
pub(super) fn is_sound(report: &Report) -> bool {
    report.error.is_none() && report.verdict.soundness == Soundness::Sound && report.keys.len() == 1
}
