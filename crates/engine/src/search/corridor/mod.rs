//! `corridor`: long mates by restrictions of the attacker that the program chooses itself.
//!
//! CITE: the idea is that of `matetb`, the tool of the matetrack project, whose restrictions are written by hand for
//! each problem; here they follow from a number.
//!
//! A long mate of a composed problem is often narrow: the defender mostly has few moves, or none but those of his
//! pawns. So the attacker is restricted to moves that leave him little (`family`), the positions that can then arise
//! are listed, and the list is solved backward (`levels`, `lengths`). If the restricted attacker mates, the mate is
//! proved. If he does not, nothing is refuted.
//!
//! Such a list is often short where a tree search would drown in quiet moves. No restriction fits all problems, so the
//! **families** are tried in turn, each with a small number of nodes first, with ten times as many in the next round,
//! and then with four times as many from round to round. The first family begins the first round and ends each later
//! one. `king` has four times as many nodes as the others. Replies that leave the corridor are answered by a small
//! search (`quick`), or by a mate that another search has proved (`shared`). If the shortest mate is wanted, or the
//! mate is longer than asked for, it is made shorter in its list (`shorten`), and other families look for a shorter
//! one.
//!
//! Many positions have no corridor. Most mates are found while the attacker gives up little, so a list that would have
//! to allow more is given up, and only tried with more when all families have come so far. In the race the lane ends
//! there, if it has no mate.
//!
//! A **node** is a position that the small search, the count of replies or the building of a proof makes, or an entry
//! of the list with the defender to move.
//!
//! | file | content |
//! |---|---|
//! | `family` | the families of restrictions: what a reply costs |
//! | `price` | the cost of a move |
//! | `context` | the count of nodes, and what other searches have found |
//! | `memory` | the replies that were tried |
//! | `quick` | the small search for mates off the corridor |
//! | `list` | the positions, with their edges in both directions |
//! | `levels` | one corridor: lists and solves |
//! | `rise` | the moves that are allowed next |
//! | `lengths` | the lengths of the mates in a list |
//! | `shared` | the mates that the list and other searches tell each other |
//! | `shorten` | shorter mates in a list |
//! | `proof` | the proof of a mate in a list |
//! | `options` | the options |
//!
//! What each family finds, and what was rejected, is in `benches/tuning/corridor.md`.

mod context;
mod family;
mod lengths;
mod levels;
mod list;
mod memory;
mod options;
mod price;
mod proof;
mod quick;
mod rise;
mod shared;
mod shorten;
#[cfg(test)]
mod tests;

use crate::chess::{MateLength, MoveCode, PackedPosition, Position};
use crate::proof::ProofTree;
use crate::search::Facts;

use super::dfpn::Hints;
use super::numbers::shared::KnownMate;
use super::saved::SavedSearch;
use super::{Answer, Engine, Event, Interrupted, Meter, Observer, Silent, StopReason, Task};

pub use family::Family;
pub use options::CorridorOptions;

use context::Context;
use levels::{CorridorList as Run, RunEnd};
use list::UNKNOWN;

/// The nodes of a family in the first round and in the second. With half of them 38 mates of the tuning list are found
/// instead of 40 (`benches/tuning/corridor.md`).
const FIRST_ROUND: u64 = 25_000;
const SECOND_ROUND: u64 = 250_000;
/// The factor by which the nodes grow from round to round after that, and what the first family has more than others.
/// With 2 one mate fewer is found. Doubled, a list that leads nowhere takes longer.
const GROWTH: u64 = 4;
/// The highest level of `king` at first: of 99 mates in single lists, 96 were found at this level or below. With 8,
/// mates come later (`benches/tuning/corridor.md`).
const FIRST_HIGHEST: u16 = 4;
/// Making a mate shorter in its list takes at most the nodes that finding it took, times this, or [`FIRST_ROUND`] if
/// that is more. Doubled, more mates become shorter, and fewer nodes are left for other families.
const SHORTENING: u64 = 2;

/// The parts of the memory for the list and for proofs, in percent. The rest, a fifth of the list's, is for the memory
/// of replies and costs. A larger list leaves too little for its proof, a smaller one ends before its mate.
const LIST_PERCENT: usize = 60;
const PROOF_PERCENT: usize = 28;

/// The engine `corridor`. If it is called again with the same position, it goes on where a limit stopped it.
#[derive(Debug, Default)]
pub struct Corridor {
    options: CorridorOptions,
    /// Whether the search ends when no family has a tight corridor.
    gives_up: bool,
    saved: Option<SavedSearch<Search>>,
}

impl Corridor {
    /// Returns an engine with these options.
    pub fn new(options: CorridorOptions) -> Corridor {
        Corridor { options, ..Corridor::default() }
    }

    /// Returns an engine for a race: it ends when no family has a tight corridor.
    pub fn lane() -> Corridor {
        Corridor { gives_up: true, ..Corridor::default() }
    }
}

impl Engine for Corridor {
    fn name(&self) -> &'static str {
        "corridor"
    }

    fn refusal(&self, task: &Task) -> Option<String> {
        let fits = PackedPosition::of(&task.position).is_some();
        (!fits).then(|| "lists hold positions of at most 32 men; use another engine".to_owned())
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        self.run(task, &mut Context { meter, facts, hints: None }, observer, &mut |_, _, _| {})
    }
}

impl Corridor {
    /// Solves a task beside searches of positions that differ by pawns of the defender: moves that have won there cost
    /// nothing, and those that win here are remembered. Returns the mates that are proved, too.
    pub(crate) fn solve_beside(
        &mut self,
        task: &Task,
        meter: &mut Meter<'_>,
        facts: &Facts,
        hints: &mut Hints,
    ) -> (Answer, Vec<KnownMate>) {
        let (mut moves, mut mates) = (Vec::new(), Vec::new());
        let mut told = |position: Position, length, best: Option<MoveCode>| {
            moves.extend(best.and_then(|code| position.find_move(code)).map(|m| (position, m)));
            mates.push((position.key(), length, best));
        };
        let answer = self.run(task, &mut Context { meter, facts, hints: Some(hints) }, &mut Silent, &mut told);
        for (position, m) in &moves {
            hints.learn(position, *m);
        }
        (answer, mates)
    }

    fn run(
        &mut self,
        task: &Task,
        context: &mut Context<'_, '_>,
        observer: &mut dyn Observer,
        told: &mut dyn FnMut(Position, MateLength, Option<MoveCode>),
    ) -> Answer {
        if self.refusal(task).is_some() {
            return Answer::default();
        }
        // The list keeps the memory with which it began.
        let mut saved = SavedSearch::resume(self.saved.take(), task, |old| {
            drop(old); // Its memory is that of the new search.
            Search::new(self.options, self.gives_up, task)
        });
        let search = &mut saved.state;
        let slice = context.meter.slice_left();
        // An expansion is not broken off by the end of a slice: it would have to be done again.
        context.meter.set_slice(None);
        let end = slice.map_or(u64::MAX, |nodes| context.meter.count().saturating_add(nodes));
        let stopped = search.run(task, end, context, observer).err();
        search.run.tell(context.facts, told);
        let answer = search.answer(task, stopped);
        self.saved = Some(saved);
        answer
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StagePart {
    /// The family begins.
    Begin,
    /// Positions are listed until there is a mate.
    List,
    /// A mate is made shorter (`shorten`).
    Shorten,
}

/// The search: families and rounds in turn.
#[derive(Debug)]
struct Search {
    options: CorridorOptions,
    /// Whether the search ends when no family has a tight corridor.
    gives_up: bool,
    run: Run,
    memory: usize,
    round: u32,
    /// The place of the family in the options.
    family: usize,
    part: StagePart,
    /// The nodes that the part may still take, and those that listing has taken.
    left: u64,
    taken: u64,
    /// The families that have found a mate, have nothing more to list, or do not fit into the memory, as bits.
    exhausted: u16,
    /// Those of them that could go on at a higher level.
    loose: u16,
    /// The highest level of `king` that is tried.
    highest: u16,
    /// The shortest mate found, and its proof until it is in an answer.
    length: Option<MateLength>,
    proof: Option<ProofTree>,
    /// Whether a list was given up because the memory was full.
    full: bool,
}

impl Search {
    fn new(options: CorridorOptions, gives_up: bool, task: &Task) -> Search {
        let run = Run::new(task.position, options.side_moves, task.memory / 100 * LIST_PERCENT);
        Search {
            options,
            gives_up,
            run,
            round: 0,
            memory: task.memory / 100 * PROOF_PERCENT,
            family: 0,
            part: StagePart::Begin,
            left: 0,
            taken: 0,
            exhausted: 0,
            loose: 0,
            highest: FIRST_HIGHEST,
            length: None,
            proof: None,
            full: false,
        }
    }

    fn answer(&mut self, task: &Task, stopped: Option<StopReason>) -> Answer {
        let proof = self.proof.take();
        let is_longer = self.length.is_some_and(|length| length > task.bound());
        let stopped = stopped.or(self.full.then_some(StopReason::Memory));
        let (proof, longer) = if is_longer { (None, proof) } else { (proof, None) };
        Answer { proof, longer, stopped, ..Answer::default() }
    }

    /// Returns whether nothing more is asked.
    fn is_answered(&self, task: &Task) -> bool {
        self.length.is_some_and(|length| length <= task.bound() && (!task.shortest || length <= MateLength(1)))
    }

    /// Runs part by part until the task is answered, nothing is left, or a limit is reached. `end` is the node count
    /// at which the slice ends.
    fn run(
        &mut self,
        task: &Task,
        end: u64,
        context: &mut Context<'_, '_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Interrupted> {
        let families: Vec<Family> = self.options.families().collect();
        while !self.is_answered(task) && self.has_more(families.len()) {
            if context.meter.count() >= end {
                return Err(StopReason::Slice);
            }
            context.meter.control().check()?;
            let before = context.meter.count();
            let part = self.part;
            let done = self.step(task, families[self.family], end, context);
            let nodes = context.meter.count() - before;
            self.left = self.left.saturating_sub(nodes);
            if part == StagePart::List {
                self.taken += nodes;
            }
            self.next(done?, task, families.len(), context, observer)?;
        }
        Ok(())
    }

    /// Works on the present part.
    fn step(
        &mut self,
        task: &Task,
        family: Family,
        end: u64,
        context: &mut Context<'_, '_>,
    ) -> Result<RunEnd, Interrupted> {
        let end = end.min(context.meter.count().saturating_add(self.left));
        match self.part {
            StagePart::Begin => {
                let depth = self.length.map_or(u16::MAX, |length| length.0.saturating_sub(1));
                // What costs little to list comes first; what it misses, the next round may find.
                let pricing = if self.round.is_multiple_of(2) { 1 } else { self.options.side_moves };
                self.run.begin(family, depth, pricing, family.highest(self.highest));
                let ahead = u32::from(family == Family::ALL[0]);
                let (nodes, grown) = self.round.checked_sub(1).map_or((FIRST_ROUND, 0), |later| (SECOND_ROUND, later));
                self.left = nodes.saturating_mul(GROWTH.saturating_pow(grown + ahead));
                self.taken = 0;
                Ok(RunEnd::Unfinished)
            }
            StagePart::List | StagePart::Shorten => self.run.run(task.root_kind(), end, context),
        }
    }

    /// Chooses the next part.
    fn next(
        &mut self,
        outcome: RunEnd,
        task: &Task,
        families: usize,
        context: &mut Context<'_, '_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Interrupted> {
        match (self.part, outcome) {
            (StagePart::Begin, _) => self.part = StagePart::List,
            (_, RunEnd::Unfinished) if self.left > 0 => {}
            (StagePart::List, RunEnd::Solved) => {
                self.exhausted |= 1 << self.family;
                let length = self.record(task, context, observer)?;
                if self.options.shorten {
                    self.run.set_whole(length.saturating_sub(1));
                    self.left = (self.taken * SHORTENING).max(FIRST_ROUND);
                    self.part = StagePart::Shorten;
                } else {
                    self.next_family(families);
                }
            }
            (StagePart::List, _) => {
                // A list that was too long for the memory would be so again.
                self.full |= outcome == RunEnd::Full;
                if outcome != RunEnd::Unfinished {
                    self.exhausted |= 1 << self.family;
                }
                if outcome == RunEnd::Loose {
                    self.loose |= 1 << self.family;
                }
                self.next_family(families);
            }
            (StagePart::Shorten, _) => {
                let length = self.record(task, context, observer)?;
                let more = self.left > 0 && outcome != RunEnd::Full;
                if more && self.run.widen(length, context)? == RunEnd::Solved {
                    self.part = StagePart::Shorten;
                } else {
                    self.next_family(families);
                }
            }
        }
        Ok(())
    }

    /// Returns whether a family can go on. If all are exhausted, those come back that could go on at a higher level.
    fn has_more(&mut self, families: usize) -> bool {
        let is_open = |search: &Search| search.exhausted.count_ones() < families as u32;
        if !is_open(self) && self.loose != 0 && !(self.gives_up && self.length.is_none()) {
            self.exhausted &= !std::mem::take(&mut self.loose);
            self.highest = self.highest.saturating_mul(2);
            if self.exhausted >> self.family & 1 == 1 {
                self.next_family(families);
            }
        }
        is_open(self)
    }

    /// Goes on to the next family that is not exhausted. The first one begins the first round, and ends the others.
    fn next_family(&mut self, families: usize) {
        self.part = StagePart::Begin;
        for _ in 0..families {
            self.family = (self.family + 1) % families;
            let last_of_first = self.round == 0 && self.family == 0;
            if last_of_first {
                self.family = 1 % families;
            }
            if last_of_first || self.family == 1 % families && self.round > 0 {
                self.round += 1;
            }
            if self.exhausted >> self.family & 1 == 0 {
                break;
            }
        }
    }

    /// Computes the length of the mate in the list, and keeps its proof if it is shorter than the known one. Returns
    /// the length.
    fn record(
        &mut self,
        task: &Task,
        context: &mut Context<'_, '_>,
        observer: &mut dyn Observer,
    ) -> Result<u16, Interrupted> {
        let length = self.run.compute_length();
        if length == UNKNOWN || self.length.is_some_and(|known| known.0 <= length) {
            return Ok(length);
        }
        let before = context.meter.count();
        let length = MateLength(length);
        let built = proof::build(&self.run.list, self.options.side_moves, length, task, self.memory, context);
        self.left = self.left.saturating_sub(context.meter.count() - before);
        match built {
            Ok(Some(tree)) => {
                if tree.length() <= task.bound() {
                    observer.event(Event::Mate(&tree), context.meter.count());
                }
                self.length = Some(tree.length());
                self.proof = Some(tree);
            }
            // Another search has proved a part of this mate. It can complete the proof, because the list's mates become
            // facts.
            Ok(None) => {}
            Err(StopReason::Memory) => self.full = true,
            Err(reason) => return Err(reason),
        }
        Ok(length.0)
    }
}
