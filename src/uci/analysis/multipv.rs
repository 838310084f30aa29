//! Works on the questions about every first move. Used for `searchmoves`, for several lines, and when the mate that was
//! found could be turned into a draw.
//!
//! After each first move there are the same two questions as in the position itself. The search of first moves that
//! `--moves` and reports use (`solve::first_moves`) answers them, by races. A question is closed when its answer can no
//! longer change the shown lines:
//!
//! - *does this move mate?* is closed when the shortest mate after it is known, when it cannot mate faster than the
//!   k-th fastest known mate, where k is the number of lines, or when the other side mates after it;
//! - *is the side to move mated after this move?* is closed when it is answered, when some move mates, or, with one
//!   line, when some move is known not to lose.
//!
//! With `go mate`, any mate closes the question about its move. With few men, tables answer what a short search leaves
//! open, for one side after the other: they get all the memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::Color;

use crate::base::threads;
use crate::chess::{Goal, MateLength, Position};
use crate::proof::ProofTree;
use crate::search::decider::Decider;
use crate::search::decider::pool::{DeciderPool, NoThreads};
use crate::search::dfpn::Prover;
use crate::search::race::RaceOptions;
use crate::search::{Control, Event, Limits, Meter, Task, retro};
use crate::solve::first_moves::{
    Caller, Closed, FirstMove, FirstMoveSearch, Method, Slices, Standing, Wanted, Watcher,
};
use crate::uci::answer::root_moves::{RootMove, RootMoves, Score};

use super::context::{Context, Target};
use super::verify::Refusal;
use super::worker::{VERIFY_ALLOWANCE, bytes_filled_by, no_memory, tell};

/// The nodes for each move, in rounds.
const SLICES: Slices = Slices { first: 2_000, growth: 3 };

/// Works on the questions about all first moves until all are closed or the search must end.
///
/// With `include_losses` this includes the questions whether the side to move is mated after each move.
pub(super) fn run(context: &Context, include_losses: bool) {
    let limits = Limits { nodes: context.nodes_left(), deadline: None };
    let control = Control::new(limits, context.flags.reset(0));
    let attackers = if include_losses { &[context.turn, !context.turn][..] } else { &[context.turn] };
    let memory = context.slot(0, attackers.len()).memory;
    let memory = limits.nodes.map_or(memory, |nodes| bytes_filled_by(nodes).min(memory));
    let root = Position::from_chess(context.job.game.chess());
    let all_memory = context.slot(0, 1).memory;
    let side = |&attacker| SideQuestions {
        context,
        control: &control,
        root,
        attacker,
        memory,
        all_memory,
        verified_nodes: 0.into(),
    };
    let sides: Vec<SideQuestions<'_>> = attackers.iter().map(side).collect();
    let searched = threads::ticking(|| tell(context, 0, &control), || search(context, &sides, &control));
    context.responder.nodes.end_slice(0, control.nodes());
    if let Err(why) = searched {
        context.responder.say(&format!("internal failure: {why}; please report it"));
    }
}

/// Searches in rounds, then reads tables if they fit.
fn search(context: &Context, sides: &[SideQuestions<'_>], control: &Control<'_>) -> Result<(), String> {
    let threads = context.job.options.threads;
    let mut moves: Vec<Vec<FirstMove>> = sides.iter().map(SideQuestions::moves).collect();
    let mut pools: Vec<DeciderPool<'_, '_>> = sides.iter().map(|side| side.pool(threads)).collect();
    let (mut slice, mut open) = (SLICES.first, true);
    while open {
        open = false;
        for ((side, moves), pool) in sides.iter().zip(&mut moves).zip(&mut pools) {
            side.refresh(moves);
            let standing = side.search().round(moves, pool, &mut Answers(side), slice)?;
            open |= standing == Standing::Open;
        }
        slice = slice.saturating_mul(SLICES.growth);
    }
    drop(pools);
    for (side, moves) in sides.iter().zip(&mut moves) {
        side.refresh(moves);
        if !side.is_answered(moves) && control.check().is_ok() {
            side.read_tables(moves, control)?;
        }
        if !side.is_answered(moves) {
            context.give_up(no_memory(context, &side.task(side.all_memory)));
        }
    }
    Ok(())
}

/// The questions whether one side mates after each first move.
struct SideQuestions<'c> {
    context: &'c Context,
    control: &'c Control<'c>,
    root: Position,
    attacker: Color,
    /// The memory for the search beside that of the other side, in bytes.
    memory: usize,
    /// The memory for tables, which are built when the search has ended, in bytes.
    all_memory: usize,
    /// The number of proof nodes that were verified during the search.
    verified_nodes: AtomicU64,
}

impl<'c> SideQuestions<'c> {
    fn search(&self) -> FirstMoveSearch<'_> {
        let job = &self.context.job;
        let lines = || self.context.responder.read(|root_moves| job.options.multi_pv.min(root_moves.moves.len()));
        FirstMoveSearch {
            attacker: self.attacker,
            goal: Goal::MATE,
            wanted: Wanted {
                bound: self.context.length_limit(self.attacker),
                shortest: job.shortest,
                best: self.is_the_mover().then(lines),
            },
            method: Method::Race(RaceOptions { read_facts: true, ..RaceOptions::default() }, self),
            slices: SLICES,
            pause: retro::nodes_before_tables(&self.task(self.all_memory)),
        }
    }

    /// Answers from tables what the search has left open, if they fit into the memory.
    fn read_tables(&self, moves: &mut [FirstMove], control: &Control<'_>) -> Result<(), String> {
        let task = self.task(self.all_memory);
        if retro::nodes_before_tables(&task).is_none() {
            return Ok(());
        }
        for first in moves.iter_mut().filter(|first| first.closed == Some(Closed::Memory)) {
            first.closed = None;
        }
        let mut meter = Meter::new(control);
        let mut observer = |event: Event<'_>, _: u64| self.context.say_building(&event);
        let threads = self.context.job.options.threads;
        let Ok(tables) = retro::build(&task, threads, &meter, &mut observer) else { return Ok(()) };
        self.search().read_tables(moves, &tables, task.memory, &mut meter, &mut Answers(self))?;
        self.record_refutations(moves);
        Ok(())
    }

    /// Returns whether all that is wanted is known.
    fn is_answered(&self, moves: &[FirstMove]) -> bool {
        let wanted = self.search().wanted;
        Answers(self).is_answered() || (0..moves.len()).all(|at| wanted.is_answered(moves, at))
    }

    /// Returns whether the mates are those by the side to move.
    fn is_the_mover(&self) -> bool {
        self.attacker == self.context.turn
    }

    /// Returns the question about the position itself, which stands for those after its moves.
    fn task(&self, memory: usize) -> Task {
        let bound = self.context.length_limit(self.attacker);
        Task { memory, ..Task::mate(self.root, self.attacker, bound) }
    }

    /// Makes the pool of a search.
    fn pool(&self, threads: usize) -> DeciderPool<'c, 'c> {
        let prover = Prover::for_task(self.context.job.options.syzygy, &self.task(self.memory), self.memory);
        let facts = self.context.job.tables.facts(self.attacker);
        DeciderPool::new(Decider::new(prover, facts, Meter::new(self.control)), threads, &NoThreads)
    }

    /// Returns the first moves in the order of the lines.
    fn moves(&self) -> Vec<FirstMove> {
        let all = FirstMove::all(&self.root, MateLength(0));
        self.context.responder.read(|root_moves| {
            let code = |index: usize| root_moves.moves[index].code;
            let first = |index| all.iter().find(|first| first.m.code() == code(index)).copied();
            root_moves.order().into_iter().filter_map(first).collect()
        })
    }

    /// Takes over the known scores and refuted lengths. A move after which the other side mates is closed.
    fn refresh(&self, moves: &mut [FirstMove]) {
        self.context.responder.read(|root_moves| {
            for first in moves {
                let Some(known) = root_moves.moves.iter().find(|m| m.code == first.m.code()) else { continue };
                first.refuted = first.refuted.max(if self.is_the_mover() { known.no_mate } else { known.not_mated });
                first.mate = self.mate_of(known);
                if known.score().is_some() && first.mate.is_none() {
                    first.closed = Some(Closed::NotWanted);
                }
            }
        });
    }

    /// Returns the proved mate by this side after a move, in moves as [`FirstMove`] counts them.
    fn mate_of(&self, m: &RootMove) -> Option<MateLength> {
        match m.score()? {
            Score::Mates(n) => self.is_the_mover().then_some(MateLength(n)),
            Score::Mated(n) => (!self.is_the_mover()).then_some(MateLength(n)),
        }
    }

    fn question(&self, root_moves: &RootMoves, first: &FirstMove) -> Option<Target> {
        let index = root_moves.moves.iter().position(|m| m.code == first.m.code())?;
        Some(Target { first: Some(index), attacker: self.attacker })
    }

    /// Verifies a mate after a first move, unless one as short is known. Returns its length; `None` if it does not
    /// count.
    fn verify(&self, first: &FirstMove, tree: &ProofTree) -> Option<MateLength> {
        let length = if self.is_the_mover() { tree.length().longer() } else { tree.length() };
        let (question, known) = self.context.responder.read(|root_moves| {
            let question = self.question(root_moves, first)?;
            Some((question, question.first.and_then(|index| self.mate_of(&root_moves.moves[index]))))
        })?;
        if known.is_some_and(|known| known <= length) {
            return known;
        }
        match self.context.verify_and_record(question, tree) {
            Ok(()) => Some(length),
            Err(Refusal::Drawn(_) | Refusal::Wrong(_)) => None,
        }
    }

    /// Stores the refuted lengths of all moves.
    fn record_refutations(&self, moves: &[FirstMove]) {
        for first in moves {
            if first.with_tables {
                self.context.job.tables.set_with_tables();
            }
            // Lengths are stored as they are counted after the move. Of a move that mates at once nothing is refuted.
            let after = if self.is_the_mover() { first.refuted.shorter() } else { Some(first.refuted) };
            let question = self.context.responder.read(|root_moves| self.question(root_moves, first));
            if let (Some(question), Some(after)) = (question, after) {
                self.context.record_refutation(question, after);
            }
        }
    }
}

impl Watcher for SideQuestions<'_> {
    fn event(&self, first: &FirstMove, event: Event<'_>) {
        let nodes = self.control.nodes();
        self.context.responder.nodes.set_running(0, nodes);
        match event {
            Event::Mate(tree) => {
                let size = tree.nodes().len() as u64;
                // Verification must not take most of the time. A mate that is skipped here is verified with the answer.
                if self.verified_nodes.load(Relaxed) + size <= VERIFY_ALLOWANCE + nodes {
                    self.verified_nodes.fetch_add(size, Relaxed);
                    self.verify(first, tree);
                }
                if self.context.is_done() {
                    self.context.flags.stop_slot(0);
                }
            }
            Event::Refuted(length) => {
                if let Some(question) = self.context.responder.read(|root_moves| self.question(root_moves, first)) {
                    self.context.record_refutation(question, length);
                    self.context.say_refuted(question, length);
                }
            }
            Event::Building { .. } => self.context.say_building(&event),
        }
    }
}

/// Takes the answers about one side.
struct Answers<'s>(&'s SideQuestions<'s>);

impl Caller for Answers<'_> {
    fn check(&mut self, first: &FirstMove, tree: ProofTree, _: u64) -> Result<Option<MateLength>, String> {
        Ok(self.0.verify(first, &tree))
    }

    fn is_answered(&self) -> bool {
        let SideQuestions { context, .. } = self.0;
        let options = &context.job.options;
        context.is_done()
            || !self.0.is_the_mover()
                && context.responder.read(|root_moves| {
                    // One move that does not lose is enough: the position is then not lost.
                    let holds = options.multi_pv == 1 && root_moves.not_mated() >= context.job.limits.mated;
                    holds || matches!(root_moves.score(), Some(Score::Mates(_)))
                })
    }

    fn round(&mut self, moves: &[FirstMove], _: &[usize], _: u64) -> Result<(), String> {
        self.0.record_refutations(moves);
        Ok(())
    }
}
