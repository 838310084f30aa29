//! Help play: all solutions of helpmates, series movers and the other stipulations in which nobody resists before the
//! last half-move.
//!
//! There is no AND/OR tree and no proof: the search finds **all** lines of a given number of half-moves that reach the
//! goal, or as many as are wanted. If the last half-move is forced, one move stands for all. A list made from the
//! stipulation says who makes each half-move, so helpmates and series movers are one search.
//!
//! | file | idea |
//! |---|---|
//! | `search` | depth first; the moves of the last half-move come from the kernel |
//! | `pairs` | the last two half-moves of a mate together: which moves of the defender can a mate follow? |
//! | `dead` | the table of positions without a solution, whole positions and no keys |
//! | `living` | the solutions as a graph, in which positions share what follows them |
//! | `rules` | the rules that a test can switch off |
//! | `picture` | a square on which the king is to be mated or stalemated |
//! | `pictures` | the final pictures of a mate or a stalemate, listed before a longer search, if they are few |
//! | `possible` | the relaxation: on which squares can the king still be mated or stalemated? |
//! | `view` | a position as the relaxation sees it: the men, and how far they get together |
//! | `guards` | flights that are guarded, or blocked by distinct men |
//! | `checker` | what a check demands besides: the way of the checker, men that must go, double checks |
//! | `stalemate` | what a stalemate demands: men that can move must come to rest |
//! | `single` | a man who gives check alone: the men that refute it, and those that must go |
//! | `geometry` | distances on an empty board |
//! | `reach` | sets of squares that no man ever leaves, and whether a mate fits into them |
//! | `any` | helpmates of any length |
//!
//! The relaxation rules out only what cannot happen. Its rules can be switched off ([`Rules`]): the tests compare the
//! lines without them, too, with those of a plain search. The lines come in the order of the moves of the kernel.
//! Unless a limit ends the search, they do not depend on the number of threads.

mod any;
mod checker;
mod dead;
mod geometry;
mod guards;
mod living;
mod pairs;
mod picture;
mod pictures;
mod possible;
mod reach;
mod rules;
mod search;
mod single;
mod stalemate;
#[cfg(test)]
mod tests;
mod view;

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use shakmaty::Bitboard;

use crate::base::parallel::{Pool, prelude::*};
use crate::chess::{Duty, End, MoveCode, Play, Position, Side, Stipulation, Will};

use super::{Control, HelpCounts, Meter, StopReason};
pub use any::{AnyAnswer, AnyTask, any};
use dead::DeadTable;
use living::{Known, SolutionGraph, Solutions, walk};
pub use reach::is_out_of_reach;
pub use rules::Rules;
use search::{Ended, Entered, Shared, Worker};
use view::MovesLeft;

/// How a search goes on until it is done: the steps after which a listing of pictures is given up, and then the nodes
/// of each thread after which the search is given up for a longer listing; it does not forget the dead positions. A
/// node takes about as long as ten steps. So a short search lists nothing, a list that soon pays is made soon, and what
/// is listed in vain takes about a second at most. Unit tests ask about thousands of positions, and the list is what
/// they are to test.
const STAGES: &[(u64, Option<u64>)] = if cfg!(test) {
    &[(20_000, None)]
} else {
    &[(0, Some(1_000)), (50_000, Some(5_000)), (500_000, Some(50_000)), (4_000_000, Some(200_000)), (32_000_000, None)]
};

/// The same for mates. Their relaxation alone answers most problems sooner than a list is made.
const MATE_STAGES: &[(u64, Option<u64>)] =
    if cfg!(test) { STAGES } else { &[(0, Some(100_000)), (100_000, Some(300_000)), (1_000_000, None)] };

/// The same for mates in more than [`SHORT`] half-moves by at most [`FEW_MEN`] men, whose list is short. With the first
/// list after 10,000 nodes, helpmates in five take almost twice as many nodes, those in six a quarter more.
const FEW_MEN_STAGES: &[(u64, Option<u64>)] = if cfg!(test) {
    STAGES
} else {
    &[(0, Some(2_000)), (10_000, Some(5_000)), (50_000, Some(50_000)), (1_000_000, None)]
};
const FEW_MEN: usize = 3;
const SHORT: usize = 6; // half-moves

impl Shared {
    /// Returns the stages of the search.
    fn stages(&self) -> &'static [(u64, Option<u64>)] {
        let is_long = self.half_moves() > SHORT;
        match self.end {
            End::Mate if is_long && self.position.by_color(self.attacker).count() <= FEW_MEN => FEW_MEN_STAGES,
            End::Mate => MATE_STAGES,
            _ => STAGES,
        }
    }
}

/// A question of help play.
#[derive(Debug, Clone, Copy)]
pub struct HelpTask {
    /// The position. The side that makes the first half-move is to move.
    pub position: Position,
    /// The question. Nobody resists, and its length is stated.
    pub stipulation: Stipulation,
    /// The memory for the dead positions and the solutions, in bytes.
    pub memory: usize,
    /// The threads to use, at least 1.
    pub threads: usize,
    /// The number of solutions after which to stop.
    pub most: usize,
    /// The rules to use.
    pub rules: Rules,
}

/// The solutions of a question of help play.
#[derive(Debug, Clone, Default)]
pub struct HelpAnswer {
    graphs: Vec<SolutionGraph>,
    parts: Vec<PartSolutions>,
    most: usize,
    /// Whether these are all lines.
    pub complete: bool,
    /// The limit that ended the search; `None` if it is complete or as many solutions as asked for were found.
    pub stopped: Option<StopReason>,
}

/// The solutions of a part of the search, and the moves to it.
#[derive(Debug, Clone)]
struct PartSolutions {
    path: Vec<MoveCode>,
    solutions: Solutions,
}

impl HelpAnswer {
    /// Returns the number of lines; `usize::MAX` if there are more.
    pub fn count(&self) -> usize {
        let counts = self.parts.iter().map(|part| part.solutions.lines);
        counts.fold(0, usize::saturating_add).min(self.most)
    }

    /// Visits the lines in a fixed order, until `visit` breaks. Each is as long as the stipulation.
    pub fn each<B>(&self, mut visit: impl FnMut(&[MoveCode]) -> ControlFlow<B>) -> ControlFlow<Option<B>> {
        let mut left = self.most;
        let mut visit = |line: &[MoveCode]| {
            left = left.checked_sub(1).map_or(Break(None), Continue)?;
            visit(line).map_break(Some)
        };
        for PartSolutions { path, solutions } in &self.parts {
            walk(&self.graphs, solutions.node, &mut path.clone(), &mut visit)?;
        }
        Continue(())
    }
}

/// Finds all lines. Searches until it has them, a limit is reached, or as many as asked for were found.
///
/// Writes into `counts` how far it is.
///
/// # Panics
/// If the stipulation has no length, or more than 1000 half-moves.
pub fn solve(task: &HelpTask, control: &Control<'_>, counts: &HelpCounts) -> HelpAnswer {
    solve_in(task, None, control, counts)
}

/// Finds all lines in stages, each with its number of nodes for each thread. Ends with [`StopReason::Slice`] if that is
/// not enough.
fn solve_in(task: &HelpTask, most: Option<u64>, control: &Control<'_>, counts: &HelpCounts) -> HelpAnswer {
    let mut shared = shared(task);
    let mut before = HelpAnswer::default();
    for &(steps, nodes) in shared.stages() {
        shared.list(steps, &mut Meter::new(control), counts);
        let is_last = shared.pictures.is_some() || !shared.can_list() || nodes.is_none();
        let slice = nodes.filter(|_| !is_last).into_iter().chain(most).min();
        let answer = staged(task, &shared, slice, control, counts);
        if is_last || answer.stopped != Some(StopReason::Slice) {
            // A limit keeps what was found.
            let is_more = answer.complete || answer.stopped.is_none() || answer.count() >= before.count();
            return if is_more { answer } else { HelpAnswer { stopped: answer.stopped, ..before } };
        }
        shared.is_ended.store(false, Relaxed);
        before = answer;
    }
    unreachable!("the last stage is the last")
}

/// Finds all lines, or those found before each thread has made its number of nodes.
fn staged(
    task: &HelpTask,
    shared: &Shared,
    nodes: Option<u64>,
    control: &Control<'_>,
    counts: &HelpCounts,
) -> HelpAnswer {
    let known = Known::new();
    let worker = |number: usize| {
        let mut meter = Meter::new(control);
        meter.set_slice(nodes);
        Worker::new(shared, &known, meter, number as u16)
    };
    let mut first = worker(0);
    let tasks = match split(&mut first, &task.position) {
        Ok(tasks) => tasks,
        Err(ended) => return HelpAnswer { stopped: reason(ended), ..HelpAnswer::default() },
    };
    counts.begin(tasks.len());
    // A thread costs more than a short problem.
    let threads = if shared.half_moves() <= 4 { 1 } else { task.threads.min(tasks.len()).min(u16::MAX.into()) };
    let pool = Pool::of(threads);
    let mut workers = vec![first];
    workers.extend((1..pool.as_ref().map_or(1, Pool::threads)).map(worker));
    let done = Done { counts: vec![None; tasks.len()], ready: 0, lines: 0 };
    let search = PartSearch { shared, counts, workers: Mutex::new(workers), done: Mutex::new(done) };
    let numbered = tasks.iter().enumerate();
    let mut parts: Vec<(usize, PartSolutions)> = match pool {
        None => numbered.filter_map(|(at, part)| search.part(at, part)).collect(),
        // In their order, each part to the thread that is free next, so that those of the first lines are done early.
        Some(pool) => pool.run(|| numbered.par_bridge().filter_map(|(at, part)| search.part(at, part)).collect()),
    };
    parts.sort_unstable_by_key(|&(at, _)| at);
    let mut workers = search.workers.into_inner().unwrap_or_else(PoisonError::into_inner);
    workers.sort_unstable_by_key(|worker| worker.graph.number);
    let stopped = workers.iter().find_map(|worker| worker.ended);
    let mut answer = HelpAnswer {
        parts: parts.into_iter().map(|(_, part)| part).collect(),
        graphs: workers.into_iter().map(|worker| worker.graph).collect(),
        most: usize::MAX,
        complete: false,
        stopped: stopped.and_then(reason),
    };
    answer.complete = stopped.is_none() && answer.count() <= task.most;
    HelpAnswer { most: task.most, ..answer }
}

/// The search of the parts, each by a worker that is free.
struct PartSearch<'a, 'c> {
    shared: &'a Shared,
    counts: &'a HelpCounts,
    /// The workers that are free. There is one for each thread. A thread never waits while it searches a part, so it
    /// takes up no other part meanwhile, and each part finds a free worker.
    workers: Mutex<Vec<Worker<'a, 'c>>>,
    done: Mutex<Done>,
}

impl PartSearch<'_, '_> {
    /// Searches a part, unless all threads have to stop. Returns its number and its solutions; `None` if it has none.
    fn part(&self, at: usize, part: &SearchPart) -> Option<(usize, PartSolutions)> {
        if self.shared.is_ended.load(Relaxed) {
            return None;
        }
        let free = self.workers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = free.expect("a worker for each thread");
        worker.found = 0;
        let depth = part.path.len();
        worker.begun = depth;
        worker.go_to(&part.path);
        let squares = worker.possible(&part.position, depth, part.squares, None);
        let solutions = worker.search(&part.position, depth, squares);
        // A part that has more lines than are wanted is not searched to its end.
        worker.ended = worker.ended.filter(|&why| why != Ended::Full);
        let found = solutions.map_or(0, |solutions| solutions.lines);
        self.counts.add(found);
        let is_enough = self.done.lock().unwrap_or_else(PoisonError::into_inner).add(at, found, self.shared.most);
        if worker.ended.is_some() || is_enough {
            self.shared.is_ended.store(true, Relaxed);
        }
        self.workers.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        Some((at, PartSolutions { path: part.path.clone(), solutions: solutions? }))
    }
}

/// The parts that are done. Enough lines are found when the parts from the first one on, without a gap, have them: so
/// the lines do not depend on the threads.
struct Done {
    counts: Vec<Option<usize>>,
    /// The parts from the first one on that are done, and their lines.
    ready: usize,
    lines: usize,
}

impl Done {
    /// Notes that a part is done. Returns whether there are more than `most` lines.
    fn add(&mut self, part: usize, lines: usize, most: usize) -> bool {
        self.counts[part] = Some(lines);
        while let Some(&Some(lines)) = self.counts.get(self.ready) {
            self.lines = self.lines.saturating_add(lines);
            self.ready += 1;
        }
        self.lines > most
    }
}

fn reason(ended: Ended) -> Option<StopReason> {
    if let Ended::Limit(reason) = ended { Some(reason) } else { None }
}

/// Makes what all threads share.
fn shared(task: &HelpTask) -> Shared {
    let half_moves = task.stipulation.half_moves().filter(|&n| n <= 1000).expect("help play has a length");
    // To the search, the attacker is the side that mates in the end.
    let mating = task.stipulation.goal().of.other();
    let side = |at| if task.stipulation.half_move(at).side == mating { Side::Attacker } else { Side::Defender };
    let sides: Vec<Side> = (0..half_moves).map(side).collect();
    let left = |from: usize| {
        let count = |side| sides[from..].iter().filter(|&&mover| mover == side).count().min(255) as u8;
        MovesLeft { attacker: count(Side::Attacker), defender: count(Side::Defender) }
    };
    let left = (0..=sides.len()).map(left).collect();
    Shared {
        position: task.position,
        pictures: None,
        left,
        attacker: mating.color(task.stipulation.attacker(task.position.turn())),
        is_forced: half_moves > 0 && task.stipulation.half_move(half_moves - 1).will == Will::Resists,
        is_reflex: task.stipulation.goal().duty == Duty::Both,
        is_reciprocal: task.stipulation.play() == Play::Reciprocal,
        end: task.stipulation.goal().end,
        rules: task.rules,
        dead: DeadTable::new(task.memory / 2),
        most: task.most,
        room: task.memory / 2,
        threads: task.threads.max(1),
        is_ended: AtomicBool::new(false),
        sides,
    }
}

/// A part of the search: a position, the way to it, and the squares on which the king can still be mated.
struct SearchPart {
    position: Position,
    path: Vec<MoveCode>,
    squares: Bitboard,
}

/// Divides the search by its first two half-moves, fewer if there are fewer.
fn split(worker: &mut Worker<'_, '_>, position: &Position) -> Result<Vec<SearchPart>, Ended> {
    let squares = worker.possible(position, 0, Bitboard::FULL, None);
    let mut parts = vec![SearchPart { position: *position, path: Vec::new(), squares }];
    if squares.is_empty() {
        return Ok(Vec::new());
    }
    for depth in 0..2.min(worker.shared.half_moves() - 1) {
        let mut deeper = Vec::new();
        for part in parts {
            worker.go_to(&part.path);
            for m in part.position.legal_moves() {
                let entered = worker.enter(&part.position, m, depth, part.squares, false)?;
                if let Entered::Open(position, squares) = entered {
                    let mut path = part.path.clone();
                    path.push(m.code());
                    deeper.push(SearchPart { position, path, squares });
                }
            }
        }
        parts = deeper;
    }
    Ok(parts)
}
