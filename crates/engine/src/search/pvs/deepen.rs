//! Iterative deepening: the sequence of searches from the root.
//!
//! 1. **Opening.** Exact searches for mates within two moves. They cost little and decide the shortest lengths.
//! 2. **Selective iterations**, if there are null moves or extensions. Each has a depth, which grows, and a length to
//!    look for: at most what the depth covers, or with extensions more, so that long runs of checks are followed. These
//!    iterations find mates, but refute a length only if nothing was cut off.
//! 3. **Exact iterations**, full-width, unless the options end the search before ([`Finish`]). Each decides one length.
//!
//! After a mate is found, only shorter ones are looked for, if the task asks for the shortest. The first mate is looked
//! for with a scout window, because any mate will do. After it, selective iterations open the window, because then the
//! length matters.
//!
//! Besides the tables, [`DeepeningState`] holds what an interrupted search needs to continue.

use crate::chess::{MateLength, NodeKind};

use super::super::claims::RootClaims;
use super::super::rebuild::rebuild;
use super::super::window::Window;
use super::super::{Answer, Interrupted, Observer, StopReason, Task};
use super::depth::Depth;
use super::nodes::PvsSearch;
use super::options::{Finish, PvsOptions};
use super::rebuild::PvsProofSource;

/// The state of the iterations on a task.
#[derive(Debug, Clone)]
pub(super) struct DeepeningState {
    claims: RootClaims,
    /// The depth of the next selective iteration.
    depth: Depth,
}

impl Default for DeepeningState {
    fn default() -> DeepeningState {
        DeepeningState { claims: RootClaims::default(), depth: Depth::plies(1) }
    }
}

/// The longest mate that the opening looks for: the length that `mate_in_two` handles.
const OPENING_LENGTH: MateLength = MateLength(2);

/// The moves beyond the depth over which a run of checks is followed. Halved, long runs of checks are missed; doubled,
/// hopeless ones cost more.
const CHECK_REACH: u16 = 24;

/// The longest mate to look for, in moves. The search recurses and takes up to 7 KB of stack a move, about 1 MB in all;
/// threads that search have `crate::base::threads::STACK_SIZE`. A full-width search comes this far only if almost no
/// man can move. Doubled, threads need more stack.
const LONGEST_MATE: MateLength = MateLength(150);

impl DeepeningState {
    /// Searches the task, starting where the last call stopped.
    pub fn run(
        &mut self,
        search: &mut PvsSearch<'_, '_>,
        task: &Task,
        options: PvsOptions,
        observer: &mut dyn Observer,
    ) -> Answer {
        let mut deepening = Deepening { search, task, options, observer, state: self };
        let stopped = deepening.iterate().err();
        self.claims.answer(stopped)
    }
}

/// The iterations of one call.
struct Deepening<'d, 's, 'c> {
    search: &'d mut PvsSearch<'s, 'c>,
    task: &'d Task,
    options: PvsOptions,
    observer: &'d mut dyn Observer,
    state: &'d mut DeepeningState,
}

impl Deepening<'_, '_, '_> {
    fn iterate(&mut self) -> Result<(), Interrupted> {
        self.exact_iterations(OPENING_LENGTH)?;
        if !self.options.is_exact() {
            self.selective_iterations()?;
        }
        if self.options.is_exact() || self.options.finish == Finish::Exact {
            self.exact_iterations(self.task.bound())?;
        }
        Ok(())
    }

    /// Runs the exact iterations for lengths up to `last`.
    fn exact_iterations(&mut self, last: MateLength) -> Result<(), Interrupted> {
        let kind = self.task.root_kind();
        if kind == NodeKind::Or {
            self.state.claims.bounds.refute(MateLength(0));
        }
        self.search.options = self.options.exact();
        while let Some(n) =
            self.state.claims.limit(self.task).map(|_| self.state.claims.bounds.shortest_open()).filter(|&n| n <= last)
        {
            if n > LONGEST_MATE {
                return Err(StopReason::Memory);
            }
            let found = self.search_root(Window::scout(n), Depth::full(kind, n))?;
            if !found && !self.state.claims.bounds.refutes(n) {
                break; // Neither a mate nor a refutation: a table entry was wrong, and a repetition would not help.
            }
        }
        Ok(())
    }

    /// Runs the selective iterations.
    fn selective_iterations(&mut self) -> Result<(), Interrupted> {
        let kind = self.task.root_kind();
        while let Some(limit) = self.state.claims.limit(self.task) {
            let depth = self.state.depth;
            let last = match self.options.finish {
                Finish::AtDepth(depth) => depth,
                Finish::Selective | Finish::Exact => {
                    self.options.null.last_useful_depth(Depth::iteration(kind, limit), limit)
                }
            };
            if depth > last || depth > Depth::iteration(kind, LONGEST_MATE) {
                break;
            }
            self.search.options = self.options;
            let within = limit.min(self.length_at(kind, depth));
            let window = self.state.claims.window(within);
            let found = !self.state.claims.bounds.refutes(within) && self.search_root(window, depth)?;
            // After a mate, shorter ones are looked for at the same depth.
            if !found {
                self.state.depth = depth.plus(1);
            }
        }
        Ok(())
    }

    /// Returns the longest mate to look for at this depth.
    fn length_at(&self, kind: NodeKind, depth: Depth) -> MateLength {
        let covered = match kind {
            NodeKind::Or => depth.moves(),
            NodeKind::And => depth.minus(1).moves(),
        };
        let reach = if self.options.extensions.is_empty() { 0 } else { CHECK_REACH };
        MateLength(covered + reach).min(LONGEST_MATE)
    }

    /// Searches from the root and records the result. Returns whether a mate was found.
    fn search_root(&mut self, window: Window, depth: Depth) -> Result<bool, Interrupted> {
        let kind = self.task.root_kind();
        let value = self.search.search_root(kind, &self.task.position, window, depth)?;
        let mut source = PvsProofSource { search: self.search, depth };
        let rebuilt = value.length().map(|length| rebuild(&mut source, kind, &self.task.position, length, None));
        let (proof, nodes) = (rebuilt.transpose()?.flatten(), self.search.meter.count());
        Ok(self.state.claims.record(value, window.within, proof, nodes, self.observer))
    }
}
