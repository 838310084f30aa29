//! Where a search reports, and where the session answers from.
//!
//! One desk belongs to one `go`. The searching threads lay down what they have proved, and improvements go to the GUI
//! at once. The answer is given once: by the search when it has finished and may answer (not while `infinite` or
//! pondering), or by the session when it will not wait any longer. Either way it is what lies on the desk at that
//! moment, so `stop` is answered in time even when a search is in the middle of something long; what such a search
//! says later is not heard.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::info;
use super::output::Output;
use super::standing::{Proved, Standing};

/// The longest silence while a search runs.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Nodes made so far, by thread.
#[derive(Debug)]
pub(super) struct Nodes {
    settled: AtomicU64,
    lanes: Vec<AtomicU64>,
}

impl Nodes {
    fn new(lanes: usize) -> Nodes {
        Nodes { settled: AtomicU64::new(0), lanes: (0..lanes).map(|_| AtomicU64::new(0)).collect() }
    }

    pub(super) fn total(&self) -> u64 {
        self.settled.load(Relaxed) + self.lanes.iter().map(|lane| lane.load(Relaxed)).sum::<u64>()
    }

    /// What the running task of a lane has made so far.
    pub(super) fn running(&self, lane: usize, nodes: u64) {
        self.lanes[lane].store(nodes, Relaxed);
    }

    /// The task of a lane is done.
    pub(super) fn settle(&self, lane: usize, nodes: u64) {
        self.lanes[lane].store(0, Relaxed);
        self.settled.fetch_add(nodes, Relaxed);
    }
}

#[derive(Debug)]
struct State {
    standing: Standing,
    /// What the lines printed last said.
    printed: Vec<(usize, u16)>,
    /// When something was printed last.
    spoken: Instant,
    finished: bool,
    may_answer: bool,
    answered: bool,
}

/// See the module.
pub(super) struct Desk {
    out: Arc<Output>,
    start: Instant,
    lines: usize,
    in_check: bool,
    pub(super) nodes: Nodes,
    hashfull: AtomicU64,
    state: Mutex<State>,
    changed: Condvar,
}

impl Desk {
    /// A desk for a search on so many threads that shows so many lines.
    pub(super) fn new(out: Arc<Output>, standing: Standing, in_check: bool, lines: usize, threads: usize) -> Desk {
        let start = Instant::now();
        let state =
            State { standing, printed: Vec::new(), spoken: start, finished: false, may_answer: false, answered: false };
        Desk {
            out,
            start,
            lines,
            in_check,
            nodes: Nodes::new(threads),
            hashfull: AtomicU64::new(0),
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what is known.
    pub(super) fn standing<T>(&self, read: impl FnOnce(&Standing) -> T) -> T {
        read(&self.state().standing)
    }

    /// Adds what was learned without proving a mate.
    pub(super) fn note(&self, change: impl FnOnce(&mut Standing)) {
        change(&mut self.state().standing);
    }

    /// Lays down what the checker has let pass, and prints the lines if they have changed.
    pub(super) fn proved(&self, proved: Vec<Proved>) {
        let mut state = self.state();
        for news in proved {
            state.standing.learn(news);
        }
        self.print(&mut state, false);
    }

    /// Prints the lines as they stand, if none were printed yet.
    pub(super) fn show(&self) {
        let mut state = self.state();
        if state.printed.is_empty() {
            self.print(&mut state, true);
        }
    }

    fn print(&self, state: &mut State, always: bool) {
        let shown: Vec<usize> = state.standing.order().into_iter().take(self.lines).collect();
        let moves = |&i: &usize| state.standing.moves[i].score().map_or(0, super::standing::Score::moves);
        let content: Vec<(usize, u16)> = shown.iter().map(|i| (*i, moves(i))).collect();
        let any_mate = content.iter().any(|&(_, moves)| moves > 0);
        if state.answered || (!always && (content == state.printed || !any_mate)) {
            return;
        }
        state.printed = content;
        state.spoken = Instant::now();
        let cost = self.cost();
        if shown.is_empty() {
            self.out.line(&info::over(self.in_check));
        }
        for (number, i) in (1..).zip(shown) {
            self.out.line(&info::line(&state.standing, i, number, &cost));
        }
    }

    /// Tells the GUI that the search is alive, if it has not heard anything for a while.
    pub(super) fn heartbeat(&self) {
        let mut state = self.state();
        if !state.answered && state.spoken.elapsed() >= HEARTBEAT {
            state.spoken = Instant::now();
            self.out.line(&info::progress(&self.cost()));
        }
    }

    /// A remark on the search.
    pub(super) fn say(&self, sentence: &str) {
        if !self.state().answered {
            self.out.say(sentence);
        }
    }

    pub(super) fn hashfull(&self, permille: usize) {
        self.hashfull.store(permille as u64, Relaxed);
    }

    fn cost(&self) -> info::Cost {
        info::Cost { nodes: self.nodes.total(), time: self.start.elapsed(), hashfull: self.hashfull.load(Relaxed) }
    }

    /// The search has done all it can.
    pub(super) fn finish(&self) {
        let mut state = self.state();
        state.finished = true;
        if state.may_answer {
            self.answer(&mut state);
        }
        self.changed.notify_all();
    }

    /// From now on the search may answer when it has finished, and does at once if it has.
    pub(super) fn permit(&self) {
        let mut state = self.state();
        state.may_answer = true;
        if state.finished {
            self.answer(&mut state);
        }
    }

    /// Waits so long for the search to answer, and answers in its place if it does not.
    pub(super) fn demand(&self, patience: Duration) {
        self.permit();
        if !self.wait(patience) {
            self.answer(&mut self.state());
        }
    }

    /// Waits for the answer; false if there is none in time.
    pub(super) fn wait(&self, patience: Duration) -> bool {
        let waiting = self.changed.wait_timeout_while(self.state(), patience, |state| !state.answered);
        waiting.unwrap_or_else(PoisonError::into_inner).0.answered
    }

    pub(super) fn is_answered(&self) -> bool {
        self.state().answered
    }

    fn answer(&self, state: &mut State) {
        if state.answered {
            return;
        }
        self.print(state, true);
        state.answered = true;
        for sentence in info::certainty(&state.standing) {
            self.out.say(&sentence);
        }
        self.out.line(&info::best_move(&state.standing));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::problem::fen;
    use crate::uci::fallback;
    use std::io::{self, Write};

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Paper {
        fn answers(&self) -> usize {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap().matches("bestmove").count()
        }
    }

    fn desk(paper: &Paper) -> Desk {
        let chess = fen::read("k7/8/1K6/8/8/8/8/1R6 w - -").unwrap().chess;
        let moves = fallback::moves(&chess, shakmaty::CastlingMode::Standard, &[]);
        let out = Arc::new(Output::new(Box::new(paper.clone())));
        Desk::new(out, Standing { moves, ..Standing::default() }, false, 1, 1)
    }

    #[test]
    fn a_search_that_does_not_end_is_answered_for_and_not_heard_again() {
        let paper = Paper::default();
        let desk = desk(&paper);
        desk.demand(Duration::from_millis(1));
        assert_eq!((desk.is_answered(), paper.answers()), (true, 1));
        let length = paper.0.lock().unwrap().len();
        desk.show();
        desk.say("late");
        desk.heartbeat();
        desk.finish();
        assert_eq!(paper.0.lock().unwrap().len(), length);
    }

    #[test]
    fn an_infinite_search_waits_for_leave_to_answer() {
        let paper = Paper::default();
        let desk = desk(&paper);
        desk.finish();
        assert_eq!(paper.answers(), 0);
        desk.permit();
        desk.permit();
        assert_eq!(paper.answers(), 1);
    }

    #[test]
    fn nodes_of_all_threads_are_counted_once() {
        let nodes = Nodes::new(2);
        nodes.running(0, 5);
        nodes.running(1, 7);
        nodes.settle(1, 9);
        assert_eq!(nodes.total(), 14);
    }
}
