//! What the race does with few men: tables for the position itself, or for the positions that the search reaches.
//!
//! A position of at most four men is searched for a short while, because a short mate is found faster than a table is
//! built. Then the tables are built and answer exactly. The tables of five men take a minute or two, and more than the
//! default memory: where they fit, they are built when the search has long found no answer. A position of a few men
//! more gets tables for its leaves ([`Leaves`]). With still more men nothing changes.

use shakmaty::Color;

use crate::chess::{Goal, MateLength, Position};
use crate::search::dfpn::Prover;
use crate::search::retro::{self, Leaves, MAX_LEAF_MEN, MAX_MEN, Material, Tables};
use crate::search::syzygy::SyzygyFiles;
use crate::search::{Answer, Event, Facts, Meter, Observer, Silent, StopReason, Task};

use super::Race;
use super::lanes::LaneSet;
use super::state::RaceState;
use super::worker::{Searches, SharedRace, Worker};

/// A position of at most this many men is solved with tables for its leaves.
const MAX_MEN_WITH_LEAVES: usize = 8;

/// The tables of leaves get the memory of the prover divided by this.
const LEAF_MEMORY_DIVISOR: usize = 4;

/// The memory of the short search before the tables of the position are built, in bytes.
const SHORT_SEARCH_MEMORY: usize = 4 << 20;

/// The nodes of a search before the tables of four men and fewer are built.
const NODES_BEFORE_FEW_MEN: u64 = 20_000;

/// The nodes of a search before the tables of five men are built: a third of the time that building takes
/// (`benches/tuning/endings.md`).
const NODES_BEFORE_FIVE_MEN: u64 = 20_000_000;

/// Returns the nodes after which the tables of the task's position are built, if it is not answered by then. `None`:
/// its tables do not fit into the memory, or it has too many men, or a side may castle.
pub fn nodes_before_tables(task: &Task) -> Option<u64> {
    let men = task.position.occupied().count();
    let fit = men <= MAX_MEN && task.stipulation.goal().is_mate() && retro::refusal(task).is_none();
    fit.then_some(if men <= MAX_LEAF_MEN { NODES_BEFORE_FEW_MEN } else { NODES_BEFORE_FIVE_MEN })
}

/// Returns the prover with which the first moves of the task's position are searched, until its tables are built if
/// they fit into the memory.
pub fn prover_of_moves(syzygy: Option<&'static SyzygyFiles>, task: &Task) -> Prover {
    if nodes_before_tables(task) == Some(NODES_BEFORE_FEW_MEN) {
        return Prover::new(SHORT_SEARCH_MEMORY.min(task.memory));
    }
    prover_of(syzygy, task, task.memory)
}

/// Returns a prover for the task's question that takes at most `bytes` bytes. Tables and Syzygy files know mates only.
pub(crate) fn prover_of(syzygy: Option<&'static SyzygyFiles>, task: &Task, bytes: usize) -> Prover {
    let goal = task.stipulation.goal();
    if goal.is_mate() { prover(syzygy, &task.position, bytes) } else { Prover::new(bytes).for_goal(goal) }
}

/// Returns a prover for a position that takes at most `bytes` bytes, with Syzygy files if there are any, and with
/// tables for its leaves if the position has few men.
pub(crate) fn prover(syzygy: Option<&'static SyzygyFiles>, position: &Position, bytes: usize) -> Prover {
    if position.occupied().count() > MAX_MEN_WITH_LEAVES {
        return Prover::new(bytes).with_syzygy(syzygy);
    }
    let leaves = bytes / LEAF_MEMORY_DIVISOR;
    Prover::new(bytes - leaves).with_leaves(Leaves::new(leaves)).with_syzygy(syzygy)
}

/// Returns a prover like `prover` for a search that puts many questions about the positions of one problem, of at most
/// `bytes` bytes. If the tables of all its men fit, they may be built, too.
pub fn prover_of_report(
    syzygy: Option<&'static SyzygyFiles>,
    position: &Position,
    attacker: Color,
    goal: Goal,
    bytes: usize,
) -> Prover {
    if !goal.is_mate() {
        return Prover::new(bytes).for_goal(goal);
    }
    let most = bytes / LEAF_MEMORY_DIVISOR * (LEAF_MEMORY_DIVISOR - 1);
    let material = Material::of(position, attacker);
    match Tables::bytes_needed(material).filter(|&needed| needed <= most) {
        Some(needed) => {
            let leaves = Leaves::new(needed).up_to(material.men());
            Prover::new(bytes - needed).with_leaves(leaves).with_syzygy(syzygy)
        }
        None => prover(syzygy, position, bytes),
    }
}

/// Solves a task of at most four men by a short search and then by tables. `None` if it has more men, if a side may
/// castle, or if the tables do not fit into the memory.
pub(super) fn by_tables(
    race: &Race,
    task: &Task,
    meter: &mut Meter<'_>,
    facts: &Facts,
    observer: &mut dyn Observer,
) -> Option<Answer> {
    if nodes_before_tables(task) != Some(NODES_BEFORE_FEW_MEN) {
        return None;
    }
    let searched = short_search(task, meter, facts);
    if searched.stopped.is_some_and(|reason| reason != StopReason::Slice) {
        return Some(searched);
    }
    if searched.stopped.is_none() {
        if let Some(refuted) = searched.refuted.filter(|&n| n > MateLength(0)) {
            observer.event(Event::Refuted(refuted), meter.count());
        }
        if let Some(tree) = &searched.proof {
            observer.event(Event::Mate(tree), meter.count());
        }
        return Some(searched);
    }
    Some(retro::solve(task, race.options.threads, meter, observer))
}

/// Completes the answer of a search that has paused so that the tables are built.
pub(super) fn after_the_search(
    searched: Answer,
    threads: usize,
    task: &Task,
    meter: &mut Meter<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let read = retro::solve(task, threads, meter, observer);
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

/// Searches the task with one worker for a limited number of nodes. The answer is stopped by
/// [`StopReason::Slice`] if that is not enough.
fn short_search(task: &Task, meter: &mut Meter<'_>, facts: &Facts) -> Answer {
    let mut prover = Prover::new(SHORT_SEARCH_MEMORY.min(task.memory));
    let task = Task { memory: SHORT_SEARCH_MEMORY.min(task.memory), ..*task };
    let race = SharedRace::new(
        &task,
        facts,
        RaceState::new(&task, LaneSet::default().of_the_prover(), 1),
        Searches::default(),
    );
    let mut worker = Worker::new(0, &mut prover, meter);
    race.run(&mut worker, NODES_BEFORE_FEW_MEN, u64::MAX, &mut Silent);
    drop(worker);
    let (mut state, _) = race.into_parts();
    let (over, answer) = (state.is_over(), state.answer());
    if over { answer } else { Answer { stopped: Some(StopReason::Slice), ..answer } }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::chess::testing::position;
    use crate::search::{Control, Limits};

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
