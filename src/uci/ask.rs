//! One task: an engine at work on a question.
//!
//! This is where the session's world (first moves, lines, a GUI that wants to hear something every second) meets the
//! engines' ([`Task`], [`Control`], [`Observer`]). A slice is a [`Control`] of its own with its own node limit, so
//! that an engine may use [`Meter::set_slice`] for itself. Claims are judged as they come, as long as judging stays
//! cheap beside searching.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use shakmaty::{Chess, Color};

use crate::chess::{MateLength, Position};
use crate::proof::ProofTree;
use crate::search::race::RaceOptions;
use crate::search::{Control, Event, Limits, Meter, Observer, StopReason, Task};
use crate::solve::{STACK_SIZE, registry};

use super::search::Search;
use super::truth::Refusal;

/// How often a running task is looked at from outside.
const GLANCE: Duration = Duration::from_millis(200);
/// Nodes of proofs that may be replayed on top of one for every node searched.
const REPLAYS: u64 = 50_000;

/// A question: does `attacker` mate, in the position or after one of the first moves (by its index)?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    pub first: Option<usize>,
    pub attacker: Color,
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The engine has no more to say.
    Answered,
    /// So too, but what it has proved the losing side could turn into a draw.
    Drawn,
    /// It could go on.
    Limit,
}

/// A thread's place: its number, and the memory its engine may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane {
    pub number: usize,
    pub memory: usize,
    /// The threads its engine may use.
    pub threads: usize,
}

impl Lane {
    /// How a race runs here: what the slices before it have proved lies in the facts.
    fn race(self) -> RaceOptions {
        RaceOptions { threads: self.threads, read_facts: true, stack_size: STACK_SIZE }
    }
}

impl Search {
    /// Has a new engine work on a question, up to so many nodes: mates within `task.0` moves, the shortest if `task.1`.
    pub(super) fn ask(&self, question: Question, task: (MateLength, bool), lane: Lane, nodes: Option<u64>) -> End {
        let nodes = match (nodes, self.left()) {
            (Some(nodes), Some(left)) => Some(nodes.min(left)),
            (nodes, left) => nodes.or(left),
        };
        let control = Control::new(Limits { nodes, deadline: None }, self.flags.lower(lane.number));
        let task = Task {
            position: Position::from_chess(&self.chess_of(question)),
            attacker: question.attacker,
            bound: task.0,
            shortest: task.1,
            memory: nodes.map_or(lane.memory, |nodes| lane.memory.min(memory_for(nodes))),
        };
        let facts = self.job.tables.facts(question.attacker);
        let mut listener =
            Listener { search: self, question, lane: lane.number, judged: None, drawn: false, replayed: 0 };
        let control = &control;
        let mut engine = (self.job.options.engine.make)(&registry::EngineOptions {
            race: lane.race(),
            ..registry::EngineOptions::default()
        });
        let answer = thread::scope(|scope| {
            // When this end is dropped, also by a panic, the watch ends.
            let (_running, ended) = mpsc::channel::<()>();
            let watch = move || self.watch(lane.number, control, &ended);
            // Without the watch the search is silent, no more.
            let _ = thread::Builder::new().spawn_scoped(scope, watch);
            let mut meter = Meter::new(control);
            engine.solve(&task, &mut meter, facts, &mut listener)
        });
        self.desk.nodes.settle(lane.number, control.nodes());
        self.desk.hashfull(self.job.tables.permille());
        if let Some(tree) = &answer.proof {
            listener.judge(tree);
        }
        self.refuted(question, answer.refuted);
        let drawn = listener.drawn;
        let full = answer.stopped == Some(StopReason::Memory) && task.memory == lane.memory;
        match answer.stopped.filter(|_| !full) {
            None if drawn => End::Drawn,
            None => End::Answered,
            // A stop without a single node made will not go better the next time.
            Some(_) if control.nodes() == 0 && !self.flags.asked() => End::Answered,
            Some(_) => End::Limit,
        }
    }

    fn chess_of(&self, question: Question) -> Chess {
        match question.first {
            Some(index) => self.desk.standing(|standing| standing.moves[index].after.clone()),
            None => self.job.game.chess().clone(),
        }
    }

    /// Keeps the count of nodes up to date while a task runs, and the GUI informed.
    fn watch(&self, lane: usize, control: &Control<'_>, ended: &mpsc::Receiver<()>) {
        while ended.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            self.desk.nodes.running(lane, control.nodes());
            self.desk.hashfull(self.job.tables.permille());
            self.desk.heartbeat();
        }
    }

    /// Has a claim judged, and lays down what passes.
    pub(super) fn claim(&self, question: Question, tree: &ProofTree) -> Result<(), Refusal> {
        let first = question.first.map(|index| self.desk.standing(|standing| standing.moves[index].clone()));
        let judged = self.judge.judge(first.as_ref(), question.attacker, tree);
        match &judged {
            Err(Refusal::Wrong(why)) => {
                self.desk.say(&format!("an internal failure: a claimed mate does not hold ({why}); please report it"));
            }
            Err(Refusal::Drawn(draw)) if self.job.debug => {
                self.desk.say(&format!("a mate in {} is left out: {draw:?} could be claimed", tree.length()));
            }
            _ => {}
        }
        judged.map(|proved| self.desk.proved(proved))
    }

    /// Notes that there is no mate within so many moves.
    fn refuted(&self, question: Question, moves: MateLength) {
        let mates = question.attacker == self.turn;
        self.desk.note(|standing| {
            let (known, moves) = match question.first {
                None if mates => (&mut standing.no_mate, moves),
                None => (&mut standing.not_mated, moves),
                // The first move is one of the mate's.
                Some(index) if mates => (&mut standing.moves[index].no_mate, MateLength(moves.0 + 1)),
                Some(index) => (&mut standing.moves[index].not_mated, moves),
            };
            *known = moves.max(*known);
        });
    }
}

/// More bytes than any engine fills with so many nodes. A short slice must not begin with clearing a large table.
fn memory_for(nodes: u64) -> usize {
    usize::try_from(nodes.saturating_mul(1 << 10)).unwrap_or(usize::MAX).saturating_add(1 << 20)
}

/// Hears what an engine has to say while it works on a question.
struct Listener<'a> {
    search: &'a Search,
    question: Question,
    lane: usize,
    /// The shortest claim that has been judged.
    judged: Option<MateLength>,
    /// The last one judged was a draw.
    drawn: bool,
    /// Nodes of proofs that have been replayed.
    replayed: u64,
}

impl Listener<'_> {
    fn judge(&mut self, tree: &ProofTree) {
        let length = tree.length();
        if self.judged.is_some_and(|judged| judged <= length) {
            return;
        }
        self.judged = Some(length);
        self.replayed += tree.nodes().len() as u64;
        let verdict = self.search.claim(self.question, tree);
        self.drawn = matches!(verdict, Err(Refusal::Drawn(_)));
        if verdict.is_ok() && self.question.first.is_none() && self.search.job.options.threads > 1 {
            self.search.flags.stop_lane(1 - self.lane.min(1));
        }
    }
}

impl Observer for Listener<'_> {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        self.search.desk.nodes.running(self.lane, nodes);
        match event {
            // Replaying must not become the main occupation: what is passed over here is judged with the answer.
            Event::Mate(tree) if self.replayed + tree.nodes().len() as u64 <= REPLAYS + nodes => self.judge(tree),
            Event::Mate(_) => {}
            Event::Refuted(moves) => {
                self.search.refuted(self.question, moves);
                if self.search.job.debug {
                    let Question { first, attacker } = self.question;
                    let place = first.map_or(String::new(), |i| format!(" after first move {}", i + 1));
                    let side = attacker.fold_wb("White", "Black");
                    self.search.desk.say(&format!("{side} has no mate in {moves}{place}"));
                }
            }
        }
    }
}
