//! The job of one `go`, and what its threads share while they work on it.

use std::sync::atomic::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::chess::{MateLength, MoveCode, Stipulation};
use crate::proof::{Draw, ProofTree};
use crate::search::{Event, Facts};
use crate::solve::registry::EngineEntry;
use crate::uci::analysis::verify::{Refusal, Verifier};
use crate::uci::answer::responder::Responder;
use crate::uci::answer::root_moves::{RootMoves, Score};
use crate::uci::protocol::command::LengthLimits;
use crate::uci::protocol::game::Game;
use crate::uci::protocol::options::UciOptions;

/// The settings of one `go`: position, options and limits.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The game; its last position is searched.
    pub game: Game,
    pub options: UciOptions,
    /// The way to write castling.
    pub castling_mode: CastlingMode,
    /// Whether `searchmoves` restricts the first moves.
    pub restricted: bool,
    /// The longest mates to look for, by and against the side to move.
    pub limits: LengthLimits,
    /// Whether to look for the shortest mate; else the first mate found ends the search.
    pub shortest: bool,
    /// The node limit of the whole search.
    pub nodes: Option<u64>,
    /// Whether `debug on` was set: refuted lengths and refused mates are reported.
    pub debug: bool,
    pub tables: Arc<FactTables>,
    /// The proofs that earlier searches have left.
    pub carried: Vec<CarriedProof>,
}

/// A proof of an earlier search. It must be verified again.
#[derive(Debug, Clone)]
pub(crate) struct CarriedProof {
    /// The first move it begins after; `None` if it begins in the position itself.
    pub first: Option<MoveCode>,
    /// The side that mates.
    pub attacker: Color,
    pub tree: ProofTree,
}

/// A running `go`: its job, its results so far, and its stop flags.
pub(crate) struct Context {
    pub(super) job: Job,
    pub(super) responder: Arc<Responder>,
    pub(super) flags: Arc<StopFlags>,
    /// The side to move.
    pub(super) turn: Color,
    verifier: Verifier,
    /// Why questions stay open that the search has given up, as sentences.
    reasons: Mutex<Vec<String>>,
}

impl Context {
    /// Makes the context of a job.
    pub(crate) fn new(job: Job, responder: Arc<Responder>, flags: Arc<StopFlags>) -> Context {
        let verifier = Verifier::new(&job.game, job.castling_mode, job.options.rule50);
        let turn = job.game.chess().turn();
        Context { job, responder, flags, turn, verifier, reasons: Mutex::default() }
    }

    /// Returns the proved score of the position.
    pub(super) fn score(&self) -> Option<Score> {
        self.responder.read(RootMoves::score)
    }

    /// Returns the position that a question is about.
    pub(super) fn position_of(&self, question: Target) -> Chess {
        match question.first {
            Some(index) => self.responder.read(|root_moves| root_moves.moves[index].after.clone()),
            None => self.job.game.chess().clone(),
        }
    }

    /// Returns the longest mate by `attacker` that counts, in moves.
    pub(super) fn length_limit(&self, attacker: Color) -> MateLength {
        if attacker == self.turn { self.job.limits.mating } else { self.job.limits.mated }
    }

    /// Returns the worker slot `number` when `engines` engines run at the same time.
    pub(super) fn slot(&self, number: usize, engines: usize) -> WorkerSlot {
        WorkerSlot { number, memory: self.memory() / engines, threads: self.threads(engines) }
    }

    /// Returns the slot of the engine for a question about the position, when `engines` engines run at the same time.
    /// Both questions keep their tables, so that of the likely question gets most of the memory.
    pub(super) fn position_slot(&self, number: usize, engines: usize, likely: bool) -> WorkerSlot {
        let quarters = if likely { 3 } else { 1 };
        WorkerSlot { number, memory: self.memory() / 4 * quarters, threads: self.threads(engines) }
    }

    /// Returns the memory for all engines, in bytes.
    fn memory(&self) -> usize {
        self.job.tables.remaining(self.job.options.hash_mib << 20)
    }

    /// Returns the threads of each of `engines` engines.
    fn threads(&self, engines: usize) -> usize {
        (self.job.options.threads / engines).max(1)
    }

    /// Notes why a question stays open that the search gives up.
    pub(super) fn give_up(&self, why: String) {
        let mut reasons = self.reasons.lock().unwrap_or_else(PoisonError::into_inner);
        if !reasons.contains(&why) {
            reasons.push(why);
        }
    }

    /// If the search ends although more of it could improve the answer, says why.
    pub(super) fn say_why_open(&self) {
        if !self.is_done() {
            for why in self.reasons.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
                self.responder.say(&why);
            }
        }
    }

    /// Returns how many nodes may still be searched; `None` without a node limit.
    pub(super) fn nodes_left(&self) -> Option<u64> {
        self.job.nodes.map(|nodes| nodes.saturating_sub(self.responder.nodes.total()))
    }

    /// Returns whether the search must end: it was stopped, has no nodes left, or cannot improve its answer.
    pub(super) fn is_done(&self) -> bool {
        self.flags.all_stopped()
            || self.nodes_left() == Some(0)
            || self.responder.read(|root_moves| self.is_decided(root_moves))
    }

    /// Returns whether more search could not improve the answer.
    fn is_decided(&self, root_moves: &RootMoves) -> bool {
        let Job { limits, shortest, options, .. } = &self.job;
        let lines = options.multi_pv.min(root_moves.moves.len());
        match root_moves.score() {
            Some(Score::Mates(_)) if !shortest => {
                root_moves.kth_mate_length(lines).is_some_and(|n| n <= limits.mating.0)
            }
            Some(Score::Mated(n)) if !shortest => n <= limits.mated.0,
            Some(Score::Mates(_)) => lines == 1 && root_moves.is_exact(),
            Some(Score::Mated(_)) => root_moves.is_exact(),
            None => root_moves.no_mate() >= limits.mating && root_moves.not_mated() >= limits.mated,
        }
    }

    /// Verifies a claimed mate, and stores and prints its scores if it passes.
    pub(super) fn verify_and_record(&self, question: Target, tree: &ProofTree) -> Result<(), Refusal> {
        let first = question.first.map(|index| self.responder.read(|root_moves| root_moves.moves[index].clone()));
        let verified = self.verifier.verify(first.as_ref(), question.attacker, tree);
        match &verified {
            Err(Refusal::Wrong(why)) => {
                let claim = "internal failure: the engine claimed a mate that does not pass the checker";
                self.responder.say(&format!("{claim} ({why}); please report it"));
            }
            Err(Refusal::Drawn(draw)) if self.job.debug => {
                let claim = match draw {
                    Draw::FiftyMoves => "by the fifty-move rule",
                    Draw::Repetition => "by threefold repetition",
                };
                let length = tree.length();
                self.responder.say(&format!("a mate in {length} does not count: the loser could claim a draw {claim}"));
            }
            _ => {}
        }
        verified.map(|proofs| self.responder.record(proofs))
    }

    /// Stores that the attacker of `question` has no mate within `length` moves of the question's position.
    pub(super) fn record_refutation(&self, question: Target, length: MateLength) {
        let mates = question.attacker == self.turn;
        self.responder.update(|root_moves| {
            let (refuted, length) = match question.first {
                None if mates => (&mut root_moves.no_mate, length),
                None => (&mut root_moves.not_mated, length),
                // The first move is itself a move of the mating side.
                Some(index) if mates => (&mut root_moves.moves[index].no_mate, MateLength(length.0 + 1)),
                Some(index) => (&mut root_moves.moves[index].not_mated, length),
            };
            *refuted = length.max(*refuted);
            root_moves.with_tables |= length > MateLength(0) && self.job.tables.with_tables();
        });
    }

    /// With `debug on`, says in a sentence that a length was refuted.
    pub(super) fn say_refuted(&self, question: Target, length: MateLength) {
        if !self.job.debug {
            return;
        }
        let Target { first, attacker } = question;
        let side = attacker.fold_wb("White", "Black");
        let text = |index: usize| self.responder.read(|root_moves| root_moves.moves[index].text.clone());
        let after = first.map_or(String::new(), |index| format!(" after {}", text(index)));
        self.responder.say(&format!("{side} has no mate in {length}{after}"));
    }

    /// Says how far a table is, if the event is about one.
    pub(super) fn say_building(&self, event: &Event<'_>) {
        if let Event::Building { class, known } = event {
            let text = format!("building the table of {class}: mates in at most {known} moves are known");
            self.responder.say(&text);
        }
    }
}

/// The stop flags of one `go`: one for each worker slot, and one for the whole search.
///
/// One slot can be stopped alone, for instance when the other has answered its question; its flag is reset for the next
/// slice. The flag of the whole search is never reset. It must be a separate flag, because an engine may set the flag
/// of its slot for reasons of its own, through [`crate::search::Control::stop`].
#[derive(Debug)]
pub(crate) struct StopFlags {
    /// Whether everything must stop, for good.
    all: AtomicBool,
    /// The flag of each slot; an engine stops when its flag is set.
    slots: Vec<AtomicBool>,
}

impl StopFlags {
    /// Makes the flags for this number of worker slots.
    pub(crate) fn new(slots: usize) -> StopFlags {
        StopFlags { all: AtomicBool::new(false), slots: (0..slots).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Stops everything, for good.
    pub(crate) fn stop_all(&self) {
        self.all.store(true, SeqCst);
        for slot in &self.slots {
            slot.store(true, SeqCst);
        }
    }

    /// Stops the slice that runs in one slot.
    pub(crate) fn stop_slot(&self, slot: usize) {
        self.slots[slot].store(true, SeqCst);
    }

    /// Returns whether everything must stop.
    pub(crate) fn all_stopped(&self) -> bool {
        self.all.load(SeqCst)
    }

    /// Resets and returns the flag of a slot for a new slice. The flag stays set if everything must stop.
    pub(crate) fn reset(&self, slot: usize) -> &AtomicBool {
        let flag = &self.slots[slot];
        flag.store(false, SeqCst);
        // `stop_all` sets `all` first. If it runs meanwhile, it is seen here, or it sets this flag after the reset.
        if self.all_stopped() {
            flag.store(true, SeqCst);
        }
        flag
    }
}

/// The tables of facts that are kept from one `go` to the next, one for each attacker. Each allocates its memory when
/// it is first used.
///
/// A fact is stored under its position without the attacker, so the questions about White and Black must not share a
/// table. Facts stay true in every game. `ucinewgame` and `Clear Hash` drop them only to make a search repeatable.
#[derive(Debug)]
pub(crate) struct FactTables {
    /// The size of each table, in bytes.
    bytes_each: usize,
    /// The tables for mates by Black and by White.
    facts: [OnceLock<Facts>; 2],
    /// Whether a search has refuted positions by Syzygy files, so that its facts may rest on them.
    with_tables: AtomicBool,
}

impl FactTables {
    /// Makes the tables for an engine that may use `total` bytes for everything.
    pub(crate) fn new(total: usize, engine: &EngineEntry) -> FactTables {
        FactTables {
            bytes_each: total / 200 * engine.facts_percent,
            facts: Default::default(),
            with_tables: AtomicBool::new(false),
        }
    }

    /// Returns the table for mates by this side.
    pub(crate) fn facts(&self, attacker: Color) -> &Facts {
        self.facts[usize::from(attacker == Color::White)]
            .get_or_init(|| Facts::with_bytes(self.bytes_each).about(Stipulation::default(), attacker))
    }

    /// Remembers that facts may rest on Syzygy files.
    pub(crate) fn set_with_tables(&self) {
        self.with_tables.store(true, Relaxed);
    }

    /// Returns whether facts may rest on Syzygy files.
    pub(crate) fn with_tables(&self) -> bool {
        self.with_tables.load(Relaxed)
    }

    /// Returns how many of `total` bytes remain beside both tables.
    pub(crate) fn remaining(&self, total: usize) -> usize {
        total.saturating_sub(2 * self.bytes_each)
    }

    /// Returns the fill level of both tables together, in permille.
    pub(crate) fn permille(&self) -> usize {
        self.facts.iter().filter_map(OnceLock::get).map(Facts::permille).sum::<usize>() / 2
    }
}

/// The factor by which slices grow from round to round.
pub(super) const SLICE_GROWTH: u64 = 3;

/// The question whether `attacker` mates, in the position on the board or after one of its first moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    /// The index of the first move; `None` for the position itself.
    pub first: Option<usize>,
    /// The side that is to mate.
    pub attacker: Color,
}

/// One slice of work on a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    pub question: Target,
    /// The longest mate to look for, in moves, counted from the position of the question.
    pub longest: MateLength,
    /// Whether to look for the shortest mate; else the first mate found ends the slice.
    pub shortest: bool,
    /// The node limit of the slice; `None` for all nodes that are left.
    pub nodes: Option<u64>,
}

/// The outcome of a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SliceEnd {
    /// The question is answered.
    Answered,
    /// The engine cannot get any further with the memory of its slot. The sentence says why.
    Stuck(String),
    /// The search has ended, but its last proof does not count: the losing side could claim a draw in it.
    Drawn,
    /// A limit was reached; another slice may continue the work.
    Unfinished,
}

/// The place of one worker among those that run at the same time, and its share of the resources.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorkerSlot {
    /// Its number, from 0.
    pub number: usize,
    /// The memory of its engine, in bytes.
    pub memory: usize,
    /// The threads of its engine.
    pub threads: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_all_survives_the_reset_of_a_slot() {
        let flags = StopFlags::new(2);
        flags.stop_slot(0);
        assert!(!flags.reset(0).load(SeqCst) && !flags.all_stopped());
        flags.stop_all();
        assert!(flags.reset(1).load(SeqCst) && flags.all_stopped());
    }
}
