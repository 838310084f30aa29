//! Help play: all solutions of helpmates, helpstalemates and series movers.
//!
//! Nobody resists here, so there is no AND/OR tree and no proof: the question is **all** lines of a given number of
//! half-moves that end in mate or stalemate. Who makes each half-move is a list made from the stipulation, so
//! helpmates and series movers are one search.
//!
//! | file | idea |
//! |---|---|
//! | `search` | depth first, all moves; the mates of the last half-move from the kernel |
//! | `dead` | the table of positions without a solution, whole positions and no keys |
//! | `possible` | the relaxation: on which squares can the king still be mated? guards and blocks |
//! | `checker` | what a check demands besides: the way of the checker, men that must go, double checks |
//! | `blocks` | flights blocked by distinct men |
//! | `options` | what one man can contribute to a picture, and at which cost |
//! | `geometry` | distances and covers on an empty board |
//!
//! Everything is exact. The relaxation rules out only what cannot happen, and each rule can be switched off ([`Rules`]):
//! the tests compare the lists with and without, and with a plain search. The lines come in the order of the moves of
//! the kernel, whatever the number of threads.

mod checker;
mod dead;
mod geometry;
mod guards;
mod pairs;
mod possible;
mod search;
#[cfg(test)]
mod tests;
mod view;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use shakmaty::Bitboard;

use crate::chess::{MoveCode, Position, Side, Stipulation};
use crate::threads;

use super::{Control, Meter, StopReason};
use dead::DeadTable;
pub use possible::Rules;
use search::{Ended, Shared, Worker};
use view::Left;

/// A question of help play.
#[derive(Debug, Clone, Copy)]
pub struct HelpTask {
    /// The position. The side that makes the first half-move is to move.
    pub position: Position,
    /// The question. Nobody resists, and its length is stated.
    pub stipulation: Stipulation,
    /// The memory for the table, in bytes.
    pub memory: usize,
    /// The threads to use, at least 1.
    pub threads: usize,
    /// The number of solutions after which to stop.
    pub most: usize,
    /// The rules to use.
    pub rules: Rules,
}

/// The solutions of a question of help play.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HelpAnswer {
    /// The lines, one after the other, `length` half-moves each.
    moves: Vec<MoveCode>,
    length: usize,
    /// Whether these are all lines.
    pub complete: bool,
    /// The limit that ended the search; `None` if it is complete or as many solutions as asked for were found.
    pub stopped: Option<StopReason>,
}

impl HelpAnswer {
    /// Returns the lines, in a fixed order.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &[MoveCode]> {
        self.moves.chunks_exact(self.length.max(1))
    }
}

/// Finds all lines. Searches until it has them, a limit is reached, or as many as asked for were found.
///
/// # Panics
/// If the stipulation has no length, or more than 1000 half-moves.
pub fn solve(task: &HelpTask, control: &Control<'_>) -> HelpAnswer {
    let shared = shared(task);
    let length = shared.half_moves();
    let mut first = Worker::new(&shared, Meter::new(control));
    let tasks = match split(&mut first, &task.position) {
        Ok(tasks) => tasks,
        Err(ended) => return HelpAnswer { length, stopped: reason(ended), ..HelpAnswer::default() },
    };
    let is_ended = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let others = task.threads.min(tasks.len()).saturating_sub(1);
    let mut workers = vec![first];
    workers.extend((0..others).map(|_| Worker::new(&shared, Meter::new(control))));
    threads::crew(&mut workers, |worker| {
        while !is_ended.load(Relaxed)
            && let Some((at, part)) = { Some(next.fetch_add(1, Relaxed)) }.and_then(|at| Some((at, tasks.get(at)?)))
        {
            worker.path.clone_from(&part.path);
            let squares = worker.possible(&part.position, part.path.len(), part.squares, None);
            let result = worker.search(&part.position, part.path.len(), squares);
            let lines = std::mem::take(&mut worker.lines);
            worker.parts.push((at, lines));
            if let Err(why) = result {
                worker.ended = Some(why);
                is_ended.store(true, Relaxed);
            }
        }
    });
    let stopped = workers.iter().find_map(|worker| worker.ended);
    let mut parts: Vec<(usize, Vec<MoveCode>)> = workers.into_iter().flat_map(|worker| worker.parts).collect();
    parts.sort_unstable_by_key(|&(at, _)| at);
    let moves = parts.into_iter().flat_map(|(_, lines)| lines).collect();
    HelpAnswer { moves, length, complete: stopped.is_none(), stopped: stopped.and_then(reason) }
}

fn reason(ended: Ended) -> Option<StopReason> {
    match ended {
        Ended::Limit(reason) => Some(reason),
        Ended::Full => None,
    }
}

/// Makes what all threads share.
fn shared(task: &HelpTask) -> Shared {
    let half_moves = task.stipulation.half_moves().filter(|&n| n <= 1000).expect("help play has a length");
    let sides: Vec<Side> = (0..half_moves).map(|at| task.stipulation.half_move(at).side).collect();
    let left = |from: usize| {
        let count = |side| sides[from..].iter().filter(|&&mover| mover == side).count().min(255) as u8;
        Left { attacker: count(Side::Attacker), defender: count(Side::Defender) }
    };
    let left = (0..=sides.len()).map(left).collect();
    Shared {
        left,
        attacker: task.stipulation.attacker(task.position.turn()),
        end: task.stipulation.goal().end,
        rules: task.rules,
        dead: DeadTable::new(task.memory),
        found: AtomicUsize::new(0),
        most: task.most,
        sides,
    }
}

/// A part of the search: a position, the way to it, and the squares on which the king can still be mated.
struct Part {
    position: Position,
    path: Vec<MoveCode>,
    squares: Bitboard,
}

/// Divides the search by its first two half-moves, fewer if there are fewer.
fn split(worker: &mut Worker<'_, '_>, position: &Position) -> Result<Vec<Part>, Ended> {
    let squares = worker.possible(position, 0, Bitboard::FULL, None);
    let mut parts = vec![Part { position: *position, path: Vec::new(), squares }];
    if squares.is_empty() {
        return Ok(Vec::new());
    }
    for depth in 0..2.min(worker.shared.half_moves() - 1) {
        let mut deeper = Vec::new();
        for part in parts {
            for m in part.position.legal_moves() {
                if let Some((position, squares)) = worker.enter(&part.position, m, depth, part.squares, false)? {
                    let mut path = part.path.clone();
                    path.push(m.code());
                    deeper.push(Part { position, path, squares });
                }
            }
        }
        parts = deeper;
    }
    Ok(parts)
}
