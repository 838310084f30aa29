//! Runs one slice: an engine works on one question. The thread that searches owns the engine and the region in which
//! its graph lies; a question about the position keeps its engine from slice to slice while it works in a share of the
//! memory.
//!
//! A slice is a [`Task`] with a [`Control`] of its own, so the engine may use [`Meter::set_slice`] for itself. Claimed
//! mates are verified as they arrive, as long as verification stays cheap compared to the search. A second thread
//! keeps node count and GUI up to date in the meantime.

use shakmaty::Color;

use crate::base::threads;
use crate::chess::{Goal, MateLength, Position};
use crate::proof::ProofTree;
use crate::search::race::RaceOptions;
use crate::search::{Control, Engine, Event, Limits, Meter, Observer, Region, StopReason, Task, help, retro};
use crate::solve::registry;
use crate::uci::analysis::context::{Context, Slice, SliceEnd, Target, WorkerSlot};
use crate::uci::analysis::verify::Refusal;

/// The number of proof nodes that may be verified during a slice beyond the number of nodes searched.
pub(super) const VERIFY_ALLOWANCE: u64 = 50_000;

/// Works on a slice with a new engine, whose graph lies in this region. Results are recorded in the context.
pub(super) fn run_alone(context: &Context, slice: Slice, slot: WorkerSlot, region: &mut Region) -> SliceEnd {
    region.reset();
    run_slice(context, slice, slot, &mut *new_engine(context, region))
}

/// Works on a slice with this engine. Results are recorded in the context.
pub(super) fn run_slice(context: &Context, slice: Slice, slot: WorkerSlot, engine: &mut dyn Engine) -> SliceEnd {
    let nodes = match (slice.nodes, context.nodes_left()) {
        (Some(nodes), Some(left)) => Some(nodes.min(left)),
        (nodes, left) => nodes.or(left),
    };
    let question = slice.question;
    let control = Control::new(Limits { nodes, deadline: None }, context.flags.reset(slot.number));
    let task = Task {
        shortest: slice.shortest,
        memory: memory_limit(context, question, nodes).map_or(slot.memory, |limit| slot.memory.min(limit)),
        ..Task::mate(Position::from_chess(&context.position_of(question)), question.attacker, slice.longest)
    };
    if help::is_out_of_reach(Goal::MATE, &task.position, question.attacker) {
        context.record_refutation(question, MateLength::MAX);
        return SliceEnd::Answered;
    }
    let mut observer = SliceObserver::new(context, question, slot.number);
    engine.set_threads(slot.threads);
    if let Some(why) = engine.refusal(&task) {
        return SliceEnd::Stuck(format!("{} does not run: {why}", engine.name()));
    }
    let facts = context.job.tables.facts(task.attacker());
    let work = || engine.solve(&task, &mut Meter::new(&control), facts, &mut observer);
    let answer = threads::ticking(|| tell(context, slot.number, &control), work);
    context.responder.nodes.end_slice(slot.number, control.nodes());
    context.responder.set_hashfull(context.job.tables.permille());
    if let Some(tree) = answer.proof.as_ref().or(answer.longer.as_ref()) {
        observer.verify(tree);
    }
    if answer.with_tables {
        context.job.tables.set_with_tables();
    }
    if let Some(refuted) = answer.refuted {
        context.record_refutation(question, refuted);
    }
    // With all memory of the slot used, another slice would get no further.
    let memory_full = answer.stopped == Some(StopReason::Memory) && task.memory == slot.memory;
    match answer.stopped.filter(|_| !memory_full) {
        None if observer.last_was_drawn => SliceEnd::Drawn,
        None if memory_full => SliceEnd::Stuck(no_memory(context, &task)),
        None => SliceEnd::Answered,
        // It would give up again.
        Some(_) if control.nodes() == 0 && !context.flags.all_stopped() => {
            let (name, side) = (context.job.options.engine.name, name_of(question.attacker));
            SliceEnd::Stuck(format!("{name} gives up before its first node when it looks for a mate by {side}"))
        }
        Some(_) => SliceEnd::Unfinished,
    }
}

/// Returns the sentence that the memory does not suffice for a question, and how much would if that is known.
pub(super) fn no_memory(context: &Context, task: &Task) -> String {
    let (attacker, options) = (task.attacker(), &context.job.options);
    let needed = retro::engine::bytes_of_tables(&task.position, attacker).filter(|&bytes| bytes > task.memory);
    let enough = match needed {
        Some(bytes) => {
            // The tables of facts get a share of it.
            let bytes = bytes / (100 - options.engine.facts_percent) * 100;
            format!("at least {}, so that tables decide it", (bytes >> 20) + 1)
        }
        None => format!("more than {}", options.hash_mib),
    };
    format!("the memory is used up before it is decided whether {} mates; set Hash to {enough}", name_of(attacker))
}

fn name_of(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}

/// Makes the engine of a question, whose graph lies in the region.
pub(super) fn new_engine<'r>(context: &Context, region: &'r Region) -> Box<dyn Engine + 'r> {
    // The race takes over what earlier searches have proved from the table of facts.
    let syzygy = context.job.options.syzygy;
    let race = RaceOptions { read_facts: true, syzygy, ..RaceOptions::default() };
    let options = registry::EngineOptions { race, ..registry::EngineOptions::default() };
    (context.job.options.engine.make)(&options, region)
}

/// Updates the node count and prints progress for the GUI.
pub(super) fn tell(context: &Context, slot: usize, control: &Control<'_>) {
    context.responder.nodes.set_running(slot, control.nodes());
    context.responder.set_hashfull(context.job.tables.permille());
    context.responder.heartbeat();
}

/// Returns an upper limit for the memory of an engine, in bytes; `None` if its nodes are not limited. An engine that
/// works on the position goes on in later slices, so the nodes of all slices count.
fn memory_limit(context: &Context, question: Target, slice_nodes: Option<u64>) -> Option<usize> {
    let nodes = if question.first.is_none() { context.job.nodes } else { slice_nodes };
    nodes.map(bytes_filled_by)
}

/// Returns the most memory that a search of this number of nodes fills, in bytes. No engine fills more than a KiB a
/// node. This keeps the tables of a short search small, because clearing a large table takes longer than the search.
pub(super) fn bytes_filled_by(nodes: u64) -> usize {
    usize::try_from(nodes.saturating_mul(1 << 10)).unwrap_or(usize::MAX).saturating_add(1 << 20)
}

/// Receives the events of the engine during a slice.
struct SliceObserver<'a> {
    context: &'a Context,
    question: Target,
    /// The number of the worker slot.
    slot: usize,
    /// The length of the shortest mate that was given to the verifier.
    shortest_verified: Option<MateLength>,
    /// Whether the last verified mate does not count, because the losing side could claim a draw.
    last_was_drawn: bool,
    /// The number of proof nodes verified so far.
    verified_nodes: u64,
}

impl<'a> SliceObserver<'a> {
    fn new(context: &'a Context, question: Target, slot: usize) -> SliceObserver<'a> {
        SliceObserver { context, question, slot, shortest_verified: None, last_was_drawn: false, verified_nodes: 0 }
    }

    /// Verifies a claimed mate, unless a mate of this length or a shorter one was verified before.
    fn verify(&mut self, tree: &ProofTree) {
        let length = tree.length();
        if self.shortest_verified.is_some_and(|shortest| shortest <= length) {
            return;
        }
        self.shortest_verified = Some(length);
        self.verified_nodes += tree.nodes().len() as u64;
        let verdict = self.context.verify_and_record(self.question, tree);
        self.last_was_drawn = matches!(verdict, Err(Refusal::Drawn(_)));
        // A mate by one side answers the question about the other side, which the other slot may be working on.
        if verdict.is_ok() && self.question.first.is_none() && self.context.job.options.threads > 1 {
            self.context.flags.stop_slot(1 - self.slot.min(1));
        }
    }
}

impl Observer for SliceObserver<'_> {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        self.context.responder.nodes.set_running(self.slot, nodes);
        match event {
            // Verification must not take most of the time. A mate that is skipped here is verified with the answer.
            Event::Mate(tree) if self.verified_nodes + tree.nodes().len() as u64 <= VERIFY_ALLOWANCE + nodes => {
                self.verify(tree);
            }
            Event::Mate(_) => {}
            Event::Building { .. } => self.context.say_building(&event),
            Event::Refuted(length) => {
                self.context.record_refutation(self.question, length);
                self.context.say_refuted(self.question, length);
            }
        }
    }
}
