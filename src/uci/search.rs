//! One `go`: who is asked what, in which order, with how much.
//!
//! A GUI gives a position and does not say who mates whom, so there are two questions, *does the side to move mate?* and
//! *is it mated?*. At most one is answered with yes, and nobody knows which. They take turns with slices that grow threefold,
//! so that neither costs the other more than a share of the effort; with two threads they run side by side. The first
//! proof ends the other question, and everything that is left goes into shortening the mate and refuting shorter ones.
//!
//! With `searchmoves` or several lines the questions are asked of every first move instead; see `each`.
//!
//! Nodes are those of the engines. The table of first moves, the replay of proofs and the writing of lines cost none, here as
//! everywhere in the program.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::chess::{MateLength, MoveCode, Position};
use crate::proof::ProofTree;
use crate::search::{Control, Engine, Event, Limits, Meter, Observer, StopReason, Task};
use crate::solve::{STACK_SIZE, registry};

use super::desk::Desk;
use super::fallback;
use super::flags::Flags;
use super::game::Game;
use super::options::Options;
use super::standing::Score;
use super::tables::Tables;
use super::truth::{Judge, Refusal};

/// How often a running task is looked at from outside.
const GLANCE: Duration = Duration::from_millis(200);
/// Nodes of the first slice; the next ones grow by the factor.
const FIRST_SLICE: u64 = 10_000;
pub(super) const GROWTH: u64 = 3;
/// Nodes that may be spent on moves that look good and allow a mate in two.
const LOOK_OUT: u64 = 20_000;

/// What a `go` asks for.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub game: Game,
    pub options: Options,
    pub mode: CastlingMode,
    /// The first moves are restricted to those on the desk.
    pub restricted: bool,
    /// The longest mate of the side to move that counts, and the longest against it.
    pub bounds: (MateLength, MateLength),
    /// Go on after the first mate.
    pub shortest: bool,
    pub nodes: Option<u64>,
    pub debug: bool,
    pub tables: Arc<Tables>,
    /// Proofs an earlier search has left: after which first move (or in the position itself), who mates, how.
    pub known: Vec<(Option<MoveCode>, Color, ProofTree)>,
}

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
}

/// A running `go`.
pub(super) struct Search {
    pub(super) job: Job,
    pub(super) desk: Arc<Desk>,
    pub(super) flags: Arc<Flags>,
    judge: Judge,
    pub(super) turn: Color,
}

impl Search {
    pub(super) fn new(job: Job, desk: Arc<Desk>, flags: Arc<Flags>) -> Search {
        let judge = Judge::new(&job.game, job.mode, job.options.rule50);
        let turn = job.game.chess().turn();
        Search { job, desk, flags, judge, turn }
    }

    /// Works until everything is decided or there is nothing left to spend.
    pub(super) fn run(&self) {
        if self.desk.standing(|standing| standing.moves.is_empty()) {
            return;
        }
        self.recall();
        self.glance();
        self.desk.show();
        if self.is_done() {
            return;
        }
        self.look_out();
        if self.job.restricted {
            self.each_move(true);
        } else {
            self.whole_position();
        }
    }

    /// Takes in what earlier searches have proved.
    fn recall(&self) {
        for (first, attacker, tree) in &self.job.known {
            let index = first.map(|code| self.desk.standing(|s| s.moves.iter().position(|m| m.code == code)));
            if index != Some(None) {
                // Refused is what the options no longer allow; then it is searched for.
                let _ = self.claim(Question { first: index.flatten(), attacker: *attacker }, tree);
            }
        }
    }

    /// Takes in what is to be seen without searching.
    fn glance(&self) {
        let moves = self.desk.standing(|standing| standing.moves.clone());
        for (index, m) in moves.iter().enumerate() {
            if let Some((attacker, tree)) = fallback::at_once(m) {
                let _ = self.claim(Question { first: Some(index), attacker }, &tree);
            }
            let quiet = !m.after.is_checkmate();
            self.desk.note(|standing| standing.moves[index].no_mate = MateLength(u16::from(quiet)));
        }
    }

    /// Steps down the list of sensible moves past those that allow a mate in two.
    fn look_out(&self) {
        let budget = self.left().map_or(LOOK_OUT, |left| (left / 20).min(LOOK_OUT));
        let start = self.desk.nodes.total();
        let mut last = None;
        while !self.flags.asked() {
            let best = self.desk.standing(|s| s.order().first().copied().filter(|&i| s.moves[i].score().is_none()));
            let left = budget.saturating_sub(self.desk.nodes.total() - start);
            let Some(index) = best.filter(|_| best != last && left > 0) else { return };
            last = best;
            let question = Question { first: Some(index), attacker: !self.turn };
            self.ask(question, (MateLength(2), false), &mut *self.engine(), self.lane(0, 1), Some(left.div_ceil(4)));
        }
    }

    /// Both questions, until one is answered with yes; then that one.
    fn whole_position(&self) {
        let mut open = [true; 2];
        if self.job.options.threads > 1 && self.score().is_none() {
            open = self.side_by_side();
        }
        let attackers = [self.turn, !self.turn];
        let mut engines = attackers.map(|_| self.engine());
        let lane = self.lane(0, 2);
        let mut slice = self.left().map_or(FIRST_SLICE, |left| (left / 32).clamp(100, FIRST_SLICE));
        while !self.is_done() && self.score().is_none() && open.contains(&true) {
            let share = match self.left() {
                _ if open.contains(&false) => None,
                Some(left) if left < 2 * (GROWTH + 1) * slice => Some(left.div_ceil(2)),
                _ => Some(slice),
            };
            for side in 0..2 {
                if open[side] && !self.is_done() && self.score().is_none() {
                    let question = Question { first: None, attacker: attackers[side] };
                    let task = (self.bound(question), self.job.shortest);
                    let end = self.ask(question, task, &mut *engines[side], lane, share);
                    open[side] = end == End::Limit;
                    if end == End::Drawn {
                        // Somebody mates by the rules of problems, so nobody else does; but not this way.
                        open = [false; 2];
                        if side == 0 {
                            drop(engines);
                            return self.each_move(false);
                        }
                    }
                }
            }
            slice *= GROWTH;
        }
        let Some(score) = self.score() else { return };
        if self.job.options.multi_pv > 1 && matches!(score, Score::Mates(_)) {
            drop(engines);
            return self.each_move(false);
        }
        let side = usize::from(matches!(score, Score::Mated(_)));
        self.shorten(attackers[side], &mut *engines[side], lane);
    }

    /// Looks for shorter mates than the one that is known, until it is the shortest.
    fn shorten(&self, attacker: Color, engine: &mut dyn Engine, lane: Lane) {
        let question = Question { first: None, attacker };
        while !self.is_done() {
            let before = self.desk.nodes.total();
            let Some(shorter) = self.score().and_then(|score| MateLength(score.moves()).shorter()) else { return };
            let task = (shorter.min(self.bound(question)), self.job.shortest);
            let end = self.ask(question, task, engine, lane, self.left());
            if end != End::Limit || self.desk.nodes.total() == before {
                return;
            }
        }
    }

    /// Both questions on two threads; a proof in one stops the other. Gives which are still open.
    fn side_by_side(&self) -> [bool; 2] {
        let share = self.left().map(|left| left.div_ceil(2));
        let ask = |attacker: Color, number: usize| {
            let question = Question { first: None, attacker };
            let task = (self.bound(question), self.job.shortest);
            self.ask(question, task, &mut *self.engine(), self.lane(number, 2), share) == End::Limit
        };
        thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(STACK_SIZE);
            match builder.spawn_scoped(scope, || ask(!self.turn, 1)) {
                Ok(other) => [ask(self.turn, 0), other.join().unwrap_or(false)],
                Err(_) => [true; 2],
            }
        })
    }

    /// The longest mate worth looking for in the position itself.
    fn bound(&self, question: Question) -> MateLength {
        if question.attacker == self.turn { self.job.bounds.0 } else { self.job.bounds.1 }
    }

    /// A new engine.
    pub(super) fn engine(&self) -> Box<dyn Engine> {
        (self.job.options.engine.make)(&registry::Options::default())
    }

    /// The place of a thread when so many engines are alive at once.
    pub(super) fn lane(&self, number: usize, engines: usize) -> Lane {
        Lane { number, memory: self.job.tables.left(self.job.options.hash << 20) / engines }
    }

    fn score(&self) -> Option<Score> {
        self.desk.standing(super::standing::Standing::score)
    }

    /// The nodes that may still be made; `None`: any number.
    pub(super) fn left(&self) -> Option<u64> {
        self.job.nodes.map(|nodes| nodes.saturating_sub(self.desk.nodes.total()))
    }

    /// Whether there is no more to do.
    pub(super) fn is_done(&self) -> bool {
        self.flags.asked() || self.left() == Some(0) || self.desk.standing(|standing| self.is_decided(standing))
    }

    /// Whether more search could not improve the answer.
    fn is_decided(&self, standing: &super::standing::Standing) -> bool {
        let lines = self.job.options.multi_pv.min(standing.moves.len());
        match standing.score() {
            Some(Score::Mates(_)) if !self.job.shortest => {
                standing.mate_number(lines).is_some_and(|n| n <= self.job.bounds.0.0)
            }
            Some(Score::Mated(n)) if !self.job.shortest => n <= self.job.bounds.1.0,
            Some(Score::Mates(_)) => lines == 1 && standing.is_exact(),
            Some(Score::Mated(_)) => standing.is_exact(),
            None => false,
        }
    }

    /// Has an engine work on a question, up to so many nodes: mates within `task.0` moves, the shortest if `task.1`.
    pub(super) fn ask(
        &self,
        question: Question,
        task: (MateLength, bool),
        engine: &mut dyn Engine,
        lane: Lane,
        nodes: Option<u64>,
    ) -> End {
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
            memory: lane.memory,
        };
        let facts = self.job.tables.facts(question.attacker);
        let mut listener =
            Listener { search: self, question, lane: lane.number, judged: None, drawn: false, replayed: 0 };
        let answer = thread::scope(|scope| {
            // When this end is dropped, also by a panic, the watch ends.
            let (_running, ended) = mpsc::channel::<()>();
            let watch = || self.watch(lane.number, &control, ended);
            // Without the watch the search is silent, no more.
            let _ = thread::Builder::new().spawn_scoped(scope, watch);
            let mut meter = Meter::new(&control);
            engine.solve(&task, &mut meter, facts, &mut listener)
        });
        self.desk.nodes.settle(lane.number, control.nodes());
        if let Some(tree) = &answer.proof {
            listener.judge(tree);
        }
        self.refuted(question, answer.refuted);
        let drawn = listener.drawn;
        match answer.stopped {
            Some(StopReason::Memory) | None if drawn => End::Drawn,
            Some(StopReason::Memory) | None => End::Answered,
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
    fn watch(&self, lane: usize, control: &Control<'_>, ended: mpsc::Receiver<()>) {
        while ended.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            self.desk.nodes.running(lane, control.nodes());
            self.desk.hashfull(self.job.tables.permille());
            self.desk.heartbeat();
        }
    }

    /// Has a claim judged, and lays down what passes.
    fn claim(&self, question: Question, tree: &ProofTree) -> Result<(), Refusal> {
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
            Event::Mate(tree) if self.replayed + tree.nodes().len() as u64 <= 50_000 + nodes => self.judge(tree),
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
