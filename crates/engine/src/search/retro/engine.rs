//! The engine `retro`: builds the tables of the men on the board and reads the answer from them.

use hashbrown::HashMap;
use shakmaty::Color;

use crate::chess::{MateLength, MoveCode, Position};
use crate::search::rebuild::{ProofSource, RebuildError, bytes_of_map, rebuild};
use crate::search::{Answer, Engine, Event, Facts, Interrupted, Meter, Observer, StopReason, Task};

use super::layout::MAX_MEN;
use super::material::Material;
use super::table::Distance;
use super::tables::Tables;

/// The engine `retro`. It answers exactly, or refuses ([`Engine::refusal`]).
#[derive(Debug, Clone, Copy)]
pub struct Retro {
    threads: usize,
}

impl Retro {
    /// Returns the engine. It builds tables on this number of threads, at least 1.
    pub fn new(threads: usize) -> Retro {
        Retro { threads }
    }
}

impl Engine for Retro {
    fn name(&self) -> &'static str {
        "retro"
    }

    fn refusal(&self, task: &Task) -> Option<String> {
        refusal(task)
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, _: &Facts, observer: &mut dyn Observer) -> Answer {
        if refusal(task).is_some() {
            return Answer { stopped: Some(StopReason::Memory), ..Answer::default() };
        }
        solve(task, self.threads, meter, observer)
    }
}

/// Builds the tables of a task that is not refused ([`refusal`]), and reads the answer from them.
pub fn solve(task: &Task, threads: usize, meter: &mut Meter<'_>, observer: &mut dyn Observer) -> Answer {
    match build(task, threads, meter, observer) {
        Ok(tables) => answer(&tables, task, meter, observer),
        Err(reason) => Answer { stopped: Some(reason), ..Answer::default() },
    }
}

/// Builds the tables of a task that is not refused ([`refusal`]). They hold every position that can follow, too.
///
/// # Errors
/// A limit was reached.
pub fn build(
    task: &Task,
    threads: usize,
    meter: &Meter<'_>,
    observer: &mut dyn Observer,
) -> Result<Tables, Interrupted> {
    let mut tables = Tables::default();
    let class = Material::of(&task.position, task.attacker());
    let nodes = meter.count();
    tables.build_observed(class, threads, meter.control(), &mut |class, known| {
        observer.event(Event::Building { class: &class.to_string(), known }, nodes);
    })?;
    Ok(tables)
}

/// Returns why no tables can be built for a task, as a sentence; `None` if they can.
pub fn refusal(task: &Task) -> Option<String> {
    let position = &task.position;
    if position.castling_rights().any() {
        return Some("tables hold no positions in which a side may still castle; use another engine".to_owned());
    }
    let material = Material::of(position, task.attacker());
    let Some(bytes) = Tables::bytes_needed(material) else {
        let men = material.men();
        return Some(format!("tables hold at most {MAX_MEN} men, and {men} are on the board; use another engine"));
    };
    let needed = mebibytes(bytes);
    (bytes > task.memory).then(|| {
        format!(
            "the tables of {material} and of what it can turn into take {needed} MiB; give at least --hash {needed}M"
        )
    })
}

/// Returns a sentence that says how to decide a position by tables that do not fit into `memory` bytes; `None` if they
/// fit, or if there are none of its men.
pub fn hint(position: &Position, attacker: Color, memory: usize) -> Option<String> {
    let bytes = bytes_of_tables(position, attacker).filter(|&bytes| bytes > memory)?;
    let (material, needed) = (Material::of(position, attacker), mebibytes(bytes));
    Some(format!("the tables of {material} decide this position; --engine retro --hash {needed}M builds them"))
}

/// Returns the memory that the tables of a position's men and of what they can turn into take while they are built, in
/// bytes. `None` if no tables hold the position.
pub fn bytes_of_tables(position: &Position, attacker: Color) -> Option<usize> {
    if position.castling_rights().any() || position.occupied().count() > MAX_MEN {
        return None;
    }
    Tables::bytes_needed(Material::of(position, attacker))
}

fn mebibytes(bytes: usize) -> usize {
    bytes.div_ceil(1 << 20)
}

/// Reads the answer to a task from tables that hold its position, and collects the proof of the mate.
pub fn answer(tables: &Tables, task: &Task, meter: &mut Meter<'_>, observer: &mut dyn Observer) -> Answer {
    let (refuted, length) = match tables.distance(&task.position, task.attacker()) {
        None => return Answer { stopped: Some(StopReason::Memory), ..Answer::default() },
        Some(Distance::NoMate) => (Some(MateLength::MAX), None),
        Some(Distance::Mate(length)) => (length.shorter(), Some(length)),
    };
    if let Some(refuted) = refuted.filter(|&n| n > MateLength(0)) {
        observer.event(Event::Refuted(refuted), meter.count());
    }
    let mut answer = Answer { refuted, refuted_at_any_length: length.is_none(), ..Answer::default() };
    if let Some(length) = length.filter(|&length| length <= task.bound()) {
        let memory = task.memory.saturating_sub(tables.bytes());
        let mut source = TableSource { tables, task, meter, completed: HashMap::new(), memory };
        match rebuild(&mut source, task.root_kind(), &task.position, length, None) {
            Ok(proof) => answer.proof = proof,
            Err(reason) => answer.stopped = Some(reason),
        }
    }
    if let Some(tree) = &answer.proof {
        observer.event(Event::Mate(tree), meter.count());
    }
    answer
}

/// The moves of a proof, from tables.
struct TableSource<'s, 'c> {
    tables: &'s Tables,
    task: &'s Task,
    meter: &'s mut Meter<'c>,
    /// By key: the positions with the defender to move from which the proof is complete, and the lengths of their
    /// mates.
    completed: HashMap<u64, MateLength>,
    /// The memory for the proof and for `completed`, in bytes.
    memory: usize,
}

impl ProofSource for TableSource<'_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        // A proof is small if its lines meet. So a side line may take longer than it must, if it leads to a position
        // from which the proof is complete.
        for &m in &position.legal_moves() {
            let known = self.completed.get(&position.key_after(m)).map(|known| known.longer());
            if let Some(known) = known.filter(|&known| known <= length) {
                return Ok((m.code(), known));
            }
        }
        self.tables.best_move(position, self.task.attacker()).ok_or(RebuildError::NotFound)
    }

    fn completed(&mut self, key: u64, length: MateLength) -> bool {
        self.completed.insert(key, length);
        true
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }

    fn has_room_for(&self, bytes: usize) -> bool {
        bytes + bytes_of_map(&self.completed) <= self.memory
    }
}
