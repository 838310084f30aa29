//! `pvs`: a principal-variation search for mates, with extensions and null moves.
//!
//! This is the kind of program that the papers compare proof-number search with: an iterative-deepening alpha-beta
//! searcher like DUCK in "Mate in 38" (Breuker, Allis & van den Herik 1994), but without an evaluation of material and
//! position. The null moves of "Verified null-move pruning" (David-Tabibi & Netanyahu 2002) and "Extended null-move
//! reductions" (2008) are options, so that their comparisons can be repeated (`benches/papers/`).
//!
//! | file | content |
//! |---|---|
//! | `depth` | the search depth |
//! | `null_move` | the null moves of the papers |
//! | `extend` | moves that cost less than a ply of depth |
//! | `order` | the order in which moves are tried |
//! | `table` | the engine's transposition table |
//! | `nodes` | the search of OR and AND nodes |
//! | `options` | the options, and the settings for the race |
//! | `deepen` | iterative deepening, until the task is answered |
//! | `rebuild` | finds the moves of a proof tree |
//!
//! With [`NullMove::None`] and [`Extensions::NONE`] every iteration is full-width: the first mate found is a shortest
//! one, and all smaller lengths are refuted. With other options mates are mostly found sooner, but an iteration that
//! finds none mostly proves nothing. After these selective iterations come exact ones ([`Finish::Exact`]), so the
//! answer is as certain as without the options, if the limits allow it. A mate is claimed only with its whole proof
//! tree.
//!
//! `benches/tuning/engines.md` compares this engine with `pn` and `dfpn`.

mod deepen;
mod depth;
mod extend;
mod nodes;
mod null_move;
mod options;
mod order;
mod rebuild;
mod table;

pub use depth::Depth;
pub use extend::{Extension, Extensions};
pub use null_move::NullMove;
pub use options::{Finish, PvsOptions};

use super::learned::LearnedOrder;
use super::saved::SavedSearch;
use super::{Answer, Engine, Meter, Observer, Task};
use crate::search::Facts;
use deepen::DeepeningState;
use nodes::PvsSearch;
use table::PvsTable;

/// The engine `pvs`. If it is called again with the same task, it continues where it was interrupted.
#[derive(Debug, Default)]
pub struct Pvs {
    options: PvsOptions,
    saved: Option<SavedSearch<PvsState>>,
}

/// The state that is kept from one call to the next.
#[derive(Debug)]
struct PvsState {
    table: PvsTable,
    learned: LearnedOrder,
    deepening: DeepeningState,
}

impl Pvs {
    /// Creates an engine with these options.
    pub fn new(options: PvsOptions) -> Pvs {
        Pvs { options, saved: None }
    }
}

impl PvsState {
    fn new(task: &Task, meter: &Meter<'_>) -> PvsState {
        // A search fills at most 16 bytes of the table per node. With a node limit a smaller table is enough, and a
        // small table is faster.
        let limit = meter.control().node_limit();
        let bytes = limit.map_or(task.memory, |nodes| task.memory.min((nodes as usize).saturating_mul(16)));
        let table = PvsTable::with_bytes(bytes);
        PvsState { table, learned: LearnedOrder::default(), deepening: DeepeningState::default() }
    }
}

impl Engine for Pvs {
    fn name(&self) -> &'static str {
        "pvs"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let saved = SavedSearch::resume(self.saved.take(), task, |_| PvsState::new(task, meter));
        let PvsState { table, learned, deepening } = &mut self.saved.insert(saved).state;
        let mut search = PvsSearch::new(self.options, facts, meter, table, learned);
        deepening.run(&mut search, task, self.options, observer)
    }
}
