//! `pvs`: a check-extended principal-variation search for mates, with null moves that know about zugzwang.
//!
//! Proof-number search asks which line leaves the defender the least freedom, and is weak where the mating move is quiet
//! and every reply has to be met. This engine is what the papers set against it: an iterative-deepening alpha-beta searcher
//! like DUCK in "Mate in 38: applying proof-number search to chess" (Breuker, Allis & van den Herik), without material or
//! position in its values, with the null moves of "Verified null-move pruning" (David-Tabibi & Netanyahu 2002) and
//! "Extended null-move reductions" (2008) made selectable so that their comparisons can be rerun.
//!
//! | file | idea |
//! |---|---|
//! | `window` | mate distances, the window at the mate bound, depth; what a failure may claim |
//! | `null_move` | what passing means, and three ways to act on it |
//! | `extend` | which moves cost less than a ply |
//! | `exact` | the last two moves without search |
//! | `order` | which move first |
//! | `table` | bounds and failures, private to the engine |
//! | `nodes` | OR and AND nodes |
//! | `deepen` | the iterations, and when the task is answered |
//! | `rebuild` | from a length to a proof tree |
//!
//! # What it promises
//!
//! With [`NullMove::None`] and [`Extensions::NONE`] every iteration is full-width: the first mate found is a shortest one and
//! every length below it is refuted. In all other modes mates are found sooner and failures prove nothing; after the
//! selective iterations the exact ones follow ([`Finish::Exact`]), so the answer is as certain as in the exact mode, if
//! the limits let it get there. A mate is claimed only with its whole proof tree.
//!
//! # What it finds that others miss
//!
//! Next to nothing. The 304 positions of a sample of matetrack, mates in 2 to 74, with 200,000 nodes each:
//!
//! ```text
//! matesolve batch FILE --stipulation ignore --nodes 200000 --threads 1 --jobs 1 --format jsonl --engine ENGINE
//! ```
//!
//! | mates found | #1–4 | #5–6 | #7–8 | #9–12 | #13+ | all | key checks | key quiet |
//! |---|---|---|---|---|---|---|---|---|
//! | positions | 5 | 26 | 125 | 93 | 55 | 304 | | |
//! | `pvs` | 5 | 14 | 36 | 17 | 8 | 80 | 43 | 37 |
//! | `pvs` as [`PvsOptions::LANE`] | 5 | 17 | 45 | 28 | 8 | 103 | 45 | 58 |
//! | `pn` | 5 | 20 | 91 | 61 | 29 | 206 | 64 | 142 |
//! | `dfpn` | 5 | 26 | 111 | 72 | 32 | 246 | 76 | 170 |
//! | `pvs`, not `pn` | 0 | 1 | 4 | 1 | 1 | 7 | 3 | 4 |
//! | the lane, not `pn` | 0 | 1 | 3 | 2 | 1 | 7 | 2 | 5 |
//! | `pvs`, neither | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |
//! | the lane, neither | 0 | 0 | 0 | 1 | 0 | 1 | 0 | 1 |
//! | `pn` or `dfpn`, not `pvs` | 0 | 12 | 75 | 57 | 26 | 170 | 32 | 138 |
//!
//! Bands are the lengths the sample states, keys the first move of the attacker in the mate found. (The lane is `--null none
//! --pvs-extensions check,evasion,singular --pvs-threats off`.) Nor is it the quiet keys that this engine
//! is stronger at: it does best with checks, and `dfpn` finds four times as many quiet keys.

mod deepen;
mod exact;
mod extend;
mod nodes;
mod null_move;
mod order;
mod rebuild;
mod table;
mod window;

use shakmaty::Color;

pub use extend::{Extension, Extensions};
pub use null_move::NullMove;
pub use window::Depth;

use super::{Answer, Engine, Meter, Observer, Task};
use crate::proof::Facts;
use deepen::Progress;
use nodes::PvsSearch;
use order::MoveOrder;
use table::PvsTable;

/// What the engine may cut and stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PvsOptions {
    /// What the defender's pass is used for.
    pub null: NullMove,
    /// Which moves are searched at less than a ply's cost.
    pub extensions: Extensions,
    /// Whether quiet moves of the attacker are ordered by what they threaten, which costs a pass and a mate test each.
    pub threats: bool,
    /// What follows the selective iterations.
    pub finish: Finish,
}

/// What follows the selective iterations when they have found no mate, or one that may not be shortest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Exact iterations up to the bound or the mate found: the task is answered.
    Exact,
    /// Nothing: an answer without a proof then says only that this mode misses the mate, if there is one. For
    /// experiments.
    Selective,
    /// Nothing, and the selective iterations end with this depth, as in the papers' tables.
    AtDepth(Depth),
}

impl Default for PvsOptions {
    /// The papers' system: verified null move, R = 3, DUCK's extensions.
    fn default() -> PvsOptions {
        PvsOptions { null: NullMove::VERIFIED, extensions: Extensions::DUCK, threats: true, finish: Finish::Exact }
    }
}

impl PvsOptions {
    /// What found most mates with a node limit: no null move, and every extension but the recapture, which spends on
    /// exchanges what the checks need. Where every reply of the defender is weighed, a pass is one more reply to answer.
    pub const LANE: PvsOptions = PvsOptions {
        null: NullMove::None,
        extensions: Extensions::DUCK.without(Extension::Recapture),
        threats: false,
        finish: Finish::Exact,
    };

    /// The same without anything that taints a failure.
    #[must_use]
    pub fn exact(self) -> PvsOptions {
        PvsOptions { null: NullMove::None, extensions: Extensions::NONE, threats: true, ..self }
    }

    /// Whether the search is full-width.
    pub fn is_exact(self) -> bool {
        self.null == NullMove::None && self.extensions.is_empty()
    }
}

/// The engine. Called again with the same task it goes on where it was interrupted.
#[derive(Debug, Default)]
pub struct Pvs {
    options: PvsOptions,
    session: Option<SavedSearch>,
}

/// What is kept between two calls.
#[derive(Debug)]
struct SavedSearch {
    key: u64,
    attacker: Color,
    table: PvsTable,
    order: MoveOrder,
    progress: Progress,
}

impl Pvs {
    /// An engine with these options.
    pub fn new(options: PvsOptions) -> Pvs {
        Pvs { options, session: None }
    }
}

impl SavedSearch {
    fn new(task: &Task, meter: &Meter<'_>) -> SavedSearch {
        // A search of so many nodes cannot fill more, and a small table is a fast one.
        let useful = meter.control().node_limit().map_or(usize::MAX, |nodes| nodes as usize).saturating_mul(16);
        SavedSearch {
            key: task.position.key(),
            attacker: task.attacker,
            table: PvsTable::with_bytes(task.memory.min(useful)),
            order: MoveOrder::default(),
            progress: Progress::default(),
        }
    }

    fn fits(&self, task: &Task) -> bool {
        self.key == task.position.key() && self.attacker == task.attacker
    }
}

impl Engine for Pvs {
    fn name(&self) -> &'static str {
        "pvs"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let mut session =
            self.session.take().filter(|session| session.fits(task)).unwrap_or_else(|| SavedSearch::new(task, meter));
        let SavedSearch { table, order, progress, .. } = &mut session;
        let mut search = PvsSearch::new(self.options, facts, meter, table, order);
        let answer = progress.run(&mut search, task, self.options, observer);
        self.session = Some(session);
        answer
    }
}
