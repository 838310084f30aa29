//! The job of one `go`, and everything its threads share while they work on it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::chess::{MateLength, MoveCode};
use crate::proof::Draw;
use crate::proof::ProofTree;
use crate::search::{Engine, Event};
use crate::uci::answer::responder::Responder;
use crate::uci::answer::root_moves::{RootMoves, Score};
use crate::uci::protocol::game::Game;
use crate::uci::protocol::go::LengthLimits;
use crate::uci::protocol::options::UciOptions;

use super::stop_flags::StopFlags;
use super::tables::FactTables;
use super::target::{Target, WorkerSlot};
use super::verify::{Refusal, Verifier};

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
    /// The engines that work on the position, by attacker (Black, White): each goes on where its last slice ended.
    engines: [Mutex<Option<Box<dyn Engine>>>; 2],
    verifier: Verifier,
    /// Why questions stay open that the search has given up, as sentences.
    reasons: Mutex<Vec<String>>,
}

impl Context {
    /// Makes the context of a job.
    pub(crate) fn new(job: Job, responder: Arc<Responder>, flags: Arc<StopFlags>) -> Context {
        let verifier = Verifier::new(&job.game, job.castling_mode, job.options.rule50);
        let turn = job.game.chess().turn();
        let engines = [Mutex::new(None), Mutex::new(None)];
        Context { job, responder, flags, turn, engines, verifier, reasons: Mutex::default() }
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

    /// Returns the place of the engine for a question about the position; `None` for one about a first move.
    pub(super) fn kept_engine(&self, question: Target) -> Option<MutexGuard<'_, Option<Box<dyn Engine>>>> {
        let place = &self.engines[usize::from(question.attacker == Color::White)];
        question.first.is_none().then(|| place.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Frees the tables of the engines that work on the position.
    pub(super) fn drop_engines(&self) {
        for attacker in Color::ALL {
            self.drop_engine(attacker);
        }
    }

    /// Frees the tables of the engine that looks for a mate by this side in the position.
    pub(super) fn drop_engine(&self, attacker: Color) {
        if let Some(mut engine) = self.kept_engine(Target::whole_position(attacker)) {
            *engine = None;
        }
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
