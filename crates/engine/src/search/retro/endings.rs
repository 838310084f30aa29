//! When the tables of a position itself are built, beside or after a search of it.
//!
//! A position of at most four men is searched for a short while, because a short mate is found faster than a table is
//! built. Then the tables are built and answer exactly. The tables of five men take far longer: they are built when the
//! search has long found no answer. All this holds only if the goal is mate, nobody may castle and the tables fit into
//! the memory. A search of a position with few men ([`MAX_MEN_WITH_LEAVES`]) also gets tables for its leaves
//! ([`Leaves`]).

use crate::chess::Position;
use crate::search::{Answer, Meter, Observer, Task};

use super::engine;
use super::layout::MAX_MEN;
use super::leaves::{Leaves, MAX_LEAF_MEN};
use super::material::Material;
use super::tables::Tables;

/// A position of at most this many men is solved with tables for its leaves. A larger one asks about more leaves, of
/// which hardly one has few men.
const MAX_MEN_WITH_LEAVES: usize = 8;

/// The tables of leaves get the memory of the prover divided by this. Halved, the prover loses more entries; doubled,
/// fewer tables fit.
const LEAF_MEMORY_DIVISOR: usize = 4;

/// The memory of the short search before the tables of the position are built, in bytes. Doubled, an easy position
/// clears more memory; halved, the search loses entries sooner.
const SHORT_SEARCH_MEMORY: usize = 4 << 20;

/// The nodes of a search before the tables of four men and fewer are built. Doubled, hard positions wait longer for
/// their tables; halved, easy ones build them without need.
const NODES_BEFORE_FEW_MEN: u64 = 20_000;

/// The nodes of a search before the tables of five men are built: a third of the time that building takes
/// (`benches/tuning/endings.md`). Doubled, hard positions wait longer; halved, more are solved twice, by search and by
/// table.
const NODES_BEFORE_FIVE_MEN: u64 = 20_000_000;

/// Returns the nodes after which the tables of the task's position are built, if it is not answered by then. `None`:
/// its tables do not fit into the memory, or it has too many men, or a side may castle.
pub fn nodes_before_tables(task: &Task) -> Option<u64> {
    let men = task.position.occupied().count();
    let fit = men <= MAX_MEN && task.stipulation.goal().is_mate() && engine::refusal(task).is_none();
    fit.then_some(if men <= MAX_LEAF_MEN { NODES_BEFORE_FEW_MEN } else { NODES_BEFORE_FIVE_MEN })
}

/// Returns the memory of the search before the tables of the task's position are built, in bytes, if that search is so
/// short that it needs little.
pub(crate) fn memory_of_short_search(task: &Task) -> Option<usize> {
    (nodes_before_tables(task) == Some(NODES_BEFORE_FEW_MEN)).then(|| SHORT_SEARCH_MEMORY.min(task.memory))
}

/// Returns the memory that the tables of the task's position leave, if they will be built, in bytes. What a search
/// takes from a region stays there while they are built.
pub(crate) fn memory_beside_tables(task: &Task) -> usize {
    let tables = nodes_before_tables(task).and_then(|_| engine::bytes_of_tables(&task.position, task.attacker()));
    task.memory.saturating_sub(tables.unwrap_or(0))
}

/// Returns tables for the leaves of a search of a position that has `bytes` bytes, and the bytes that they leave it;
/// `None` if the position has too many men.
pub(crate) fn leaves_for(position: &Position, bytes: usize) -> Option<(Leaves, usize)> {
    let leaves = bytes / LEAF_MEMORY_DIVISOR;
    (position.occupied().count() <= MAX_MEN_WITH_LEAVES).then(|| (Leaves::new(leaves), bytes - leaves))
}

/// The same for a search that puts many questions about the positions of one problem with these men. If the tables of
/// all of them fit, they may be built, too.
pub(crate) fn leaves_of_all(material: Material, bytes: usize) -> Option<(Leaves, usize)> {
    let most = bytes / LEAF_MEMORY_DIVISOR * (LEAF_MEMORY_DIVISOR - 1);
    let needed = Tables::bytes_needed(material).filter(|&needed| needed <= most)?;
    Some((Leaves::new(needed).up_to(material.men()), bytes - needed))
}

/// Completes the answer of a search that has paused so that the tables are built.
pub(crate) fn after_the_search(
    searched: Answer,
    threads: usize,
    task: &Task,
    meter: &mut Meter<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let read = engine::solve(task, threads, meter, observer);
    let proof = match (read.proof, searched.proof) {
        (Some(read), Some(found)) if found.length() < read.length() => Some(found),
        (read, found) => read.or(found),
    };
    Answer {
        proof,
        stopped: read.stopped,
        refuted: read.refuted.max(searched.refuted),
        refuted_at_any_length: read.refuted_at_any_length || searched.refuted_at_any_length,
        ..searched
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::chess::MateLength;
    use crate::chess::testing::position;
    use crate::search::{Control, Limits, Silent, StopReason};

    fn task(text: &str, memory: usize) -> Task {
        let position = position(text);
        Task { memory, ..Task::mate(position, position.turn(), MateLength::MAX) }
    }

    const FOUR: &str = "8/8/8/8/4k3/8/8/K2N1B2 w - -";
    const FIVE: &str = "8/8/8/3n4/4k3/8/8/K1B2B2 w - -";

    #[test]
    fn tables_that_fit_are_built_the_later_the_larger_they_are() {
        let nodes = |text, memory| nodes_before_tables(&task(text, memory));
        assert_eq!(nodes(FOUR, 256 << 20), Some(NODES_BEFORE_FEW_MEN));
        assert_eq!((nodes(FOUR, 1 << 20), nodes(FIVE, 256 << 20)), (None, None));
        assert_eq!(nodes(FIVE, 1 << 30), Some(NODES_BEFORE_FIVE_MEN));
        assert_eq!(nodes("8/8/7p/3n4/4k3/8/8/K1B2B2 w - -", 1 << 40), None);
        let left = |memory| memory_beside_tables(&task(FIVE, memory));
        assert!(left(1 << 30) < 1 << 30 && left(256 << 20) == 256 << 20);
        assert_eq!(nodes("4k3/8/8/8/8/8/8/4K2R w K -", 1 << 40), None);
    }

    #[test]
    fn tables_complete_what_a_search_has_found() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let task = task(FOUR, 256 << 20);
        let complete = |searched, memory| {
            let task = Task { memory, ..task };
            after_the_search(searched, 1, &task, &mut Meter::new(&control), &mut Silent)
        };
        let found = || Some(crate::search::testing::tree_of_length(40));
        let answer = complete(Answer { proof: found(), refuted: Some(MateLength(9)), ..Answer::default() }, 256 << 20);
        assert_eq!(
            (answer.proof.map(|tree| tree.length()), answer.refuted),
            (Some(MateLength(31)), Some(MateLength(30)))
        );
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let answer = complete(Answer { proof: found(), refuted: Some(MateLength(9)), ..Answer::default() }, 256 << 20);
        assert_eq!(
            (answer.proof.map(|tree| tree.length()), answer.refuted),
            (Some(MateLength(40)), Some(MateLength(9)))
        );
        assert_eq!(answer.stopped, Some(StopReason::Stopped));
    }
}
