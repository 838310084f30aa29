//! `selective`: a principal-variation search over short candidate lists, after the program AWIT.
//!
//! A search that looks at every move of the attacker reaches only short mates. This engine begins with short lists of
//! candidates, chosen by knowledge of mating, and widens them when they fail (Marsland, "AWIT: a selective search chess
//! program"). Its ideas, translated from playing chess to solving mates:
//!
//! | AWIT | here | file |
//! |---|---|---|
//! | candidate moves, selected by knowledge; all checks and captures in the first two plies | classes of moves with prices; a list holds what the width affords | `candidates`, `width` |
//! | discarded moves are not lost | the lists are widened until they hold every move; the defender's moves are never discarded, so any of them can refute an apparent mate | `deepen`, `nodes` |
//! | the principal variation search | scout windows over mate lengths | `nodes`, `search/window` |
//! | after a refutation, moves that deny it are tried next | the same, on both sides | `denial`, `replies` |
//! | a table of linked and available entries | the same | `table`, `entry` |
//!
//! `rebuild` finds the moves of a proof tree in the table. A mate found by narrow lists is a proof, because every reply
//! was answered. "No mate in n" is claimed only when no list that it depends on left out a move.
//!
//! Measurements: `benches/tuning/selective.md`.

mod candidates;
mod deepen;
mod denial;
mod entry;
mod nodes;
mod options;
mod rebuild;
mod replies;
mod table;
#[cfg(test)]
mod tests;
mod width;

pub use options::SelectiveOptions;
pub use table::TableUse;

use crate::search::Facts;
use crate::search::learned::LearnedOrder;
use crate::search::saved::SavedSearch;
use crate::search::{Answer, Engine, Meter, Observer, Task};
use deepen::DeepeningState;
use nodes::SelectiveSearch;
use table::LinkedTable;

/// The engine `selective`. If it is called again with the same task, it continues where it was interrupted.
#[derive(Debug, Default)]
pub struct Selective {
    options: SelectiveOptions,
    saved: Option<SavedSearch<SelectiveState>>,
}

/// The state that is kept from one call to the next.
#[derive(Debug)]
struct SelectiveState {
    table: LinkedTable,
    learned: LearnedOrder,
    deepening: DeepeningState,
}

impl Selective {
    /// Creates an engine with these options.
    pub fn new(options: SelectiveOptions) -> Selective {
        Selective { options, saved: None }
    }

    /// Returns how the last search has used its table; all counters are 0 before the first.
    pub fn table_use(&self) -> TableUse {
        self.saved.as_ref().map_or(TableUse::default(), |saved| saved.state.table.counters)
    }
}

impl SelectiveState {
    fn new(task: &Task, meter: &Meter<'_>, options: SelectiveOptions) -> SelectiveState {
        // A search makes at most one entry per node. With a node limit a smaller table is enough, and faster.
        let nodes = meter.control().node_limit().map_or(usize::MAX, |nodes| nodes as usize);
        let entries = (options.entries as usize).min(nodes);
        let bytes = task.memory.min(entries.saturating_mul(LinkedTable::BYTES_PER_ENTRY));
        SelectiveState {
            table: LinkedTable::with_bytes(bytes),
            learned: LearnedOrder::default(),
            deepening: DeepeningState::default(),
        }
    }
}

impl Engine for Selective {
    fn name(&self) -> &'static str {
        "selective"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let new = |_| SelectiveState::new(task, meter, self.options);
        let saved = SavedSearch::resume(self.saved.take(), task, new);
        let SelectiveState { table, learned, deepening } = &mut self.saved.insert(saved).state;
        let mut search = SelectiveSearch::new(facts, meter, table, learned);
        deepening.run(&mut search, task, observer)
    }
}
