//! Collects the results of one `go` and answers it exactly once.
//!
//! Search threads add what they have proved. If that changes the lines that are shown, they are printed at once. The
//! answer, `bestmove`, is given in one of two ways:
//!
//! - when the search has finished and is allowed to answer (an infinite or pondering search is not allowed);
//! - by the session after `stop` or at the end of the time: it gives the search a few milliseconds to finish.
//!
//! Both answer from the results stored here, so `stop` is answered in time even if a thread is busy with a long step.
//!
//! The nodes of one `go` are counted over all its worker threads. An engine counts its nodes from zero in every slice
//! of work. So each worker slot has the count of its running slice, and one sum holds the nodes of all slices that have
//! ended.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::uci::answer::root_moves::{self, ProvedMove, RootMoves, Score};
use crate::uci::protocol::command::{GuiOutput, MayAnswer};

/// The longest time without a line to the GUI while a search runs.
const HEARTBEAT: Duration = Duration::from_secs(1);

impl State {
    /// Returns whether the search has finished and may answer.
    fn is_due(&self) -> bool {
        let may_answer = match self.may_answer {
            MayAnswer::Stopped => false,
            MayAnswer::WithMate => self.root_moves.score().is_some(),
            MayAnswer::Finished => true,
        };
        self.finished && may_answer
    }
}

/// The part of a responder that several threads change.
#[derive(Debug)]
struct State {
    root_moves: RootMoves,
    /// The lines printed last: the index of the move and its score.
    printed: Vec<(usize, Option<Score>)>,
    /// The time at which a line was last printed.
    printed_at: Instant,
    /// Whether the search has finished.
    finished: bool,
    /// When the search may answer.
    may_answer: MayAnswer,
    answered: bool,
}

/// The results of one `go` and its answer.
pub(crate) struct Responder {
    out: Arc<GuiOutput>,
    start: Instant,
    /// The number of lines to show (`MultiPV`).
    lines: usize,
    /// Whether the side to move is in check; without legal moves it is then checkmate.
    in_check: bool,
    /// The nodes searched so far.
    pub(crate) nodes: NodeCounter,
    /// The fill level of the tables of facts, in permille.
    hashfull: AtomicU64,
    state: Mutex<State>,
    /// Notified when the search has finished.
    search_ended: Condvar,
}

impl Responder {
    /// Makes a responder for a search with `slots` worker slots that shows `lines` lines.
    pub(crate) fn new(
        out: Arc<GuiOutput>,
        root_moves: RootMoves,
        in_check: bool,
        lines: usize,
        slots: usize,
    ) -> Responder {
        let start = Instant::now();
        let state = State {
            root_moves,
            printed: Vec::new(),
            printed_at: start,
            finished: false,
            may_answer: MayAnswer::Stopped,
            answered: false,
        };
        Responder {
            out,
            start,
            lines,
            in_check,
            nodes: NodeCounter::new(slots),
            hashfull: AtomicU64::new(0),
            state: Mutex::new(state),
            search_ended: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the table of first moves.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&RootMoves) -> T) -> T {
        read(&self.state().root_moves)
    }

    /// Changes the table of first moves without printing. For refuted lengths; mates go to [`Responder::record`].
    pub(crate) fn update(&self, change: impl FnOnce(&mut RootMoves)) {
        change(&mut self.state().root_moves);
    }

    /// Stores proved scores, and prints the lines if they have changed.
    pub(crate) fn record(&self, proofs: Vec<ProvedMove>) {
        let mut state = self.state();
        for proved in proofs {
            state.root_moves.record(proved);
        }
        self.print_lines(&mut state, false);
    }

    /// Prints the lines if none were printed before.
    pub(crate) fn print_first_lines(&self) {
        let mut state = self.state();
        if state.printed.is_empty() {
            self.print_lines(&mut state, true);
        }
    }

    /// Prints the best lines: always if `force` is set, else only if they have changed and one of them is a mate.
    fn print_lines(&self, state: &mut State, force: bool) {
        let shown: Vec<usize> = state.root_moves.order().into_iter().take(self.lines).collect();
        let content: Vec<(usize, Option<Score>)> =
            shown.iter().map(|&i| (i, state.root_moves.moves[i].score())).collect();
        let any_mate = content.iter().any(|(_, score)| score.is_some());
        if state.answered || (!force && (content == state.printed || !any_mate)) {
            return;
        }
        state.printed = content;
        state.printed_at = Instant::now();
        let cost = self.cost();
        if shown.is_empty() {
            self.out.line(&root_moves::game_over_line(self.in_check));
        }
        for (number, i) in (1..).zip(shown) {
            self.out.line(&root_moves::info_line(&state.root_moves, i, number, &cost));
        }
    }

    /// Prints nodes and time if nothing was printed for a second, so that the GUI sees that the search is alive.
    pub(crate) fn heartbeat(&self) {
        let mut state = self.state();
        if !state.answered && state.printed_at.elapsed() >= HEARTBEAT {
            state.printed_at = Instant::now();
            self.out.line(&root_moves::progress_line(&self.cost()));
        }
    }

    /// Prints a sentence about the search.
    pub(crate) fn say(&self, sentence: &str) {
        let state = self.state();
        if !state.answered {
            self.out.say(sentence);
        }
    }

    /// Sets the fill level of the tables of facts, in permille.
    pub(crate) fn set_hashfull(&self, permille: usize) {
        self.hashfull.store(permille as u64, Relaxed);
    }

    fn cost(&self) -> root_moves::Cost {
        root_moves::Cost {
            nodes: self.nodes.total(),
            time: self.start.elapsed(),
            hashfull: self.hashfull.load(Relaxed),
        }
    }

    /// Marks the search as finished, and answers if that is allowed.
    pub(crate) fn finish(&self) {
        let mut state = self.state();
        state.finished = true;
        if state.is_due() {
            self.answer(&mut state);
        }
        self.search_ended.notify_all();
    }

    /// Says when the search may answer; answers at once if it may now.
    pub(crate) fn allow(&self, may_answer: MayAnswer) {
        let mut state = self.state();
        state.may_answer = may_answer;
        if state.is_due() {
            self.answer(&mut state);
        }
    }

    /// Waits at most `grace` for the search to finish and answer, then answers without it.
    pub(crate) fn answer_within(&self, grace: Duration) {
        self.allow(MayAnswer::Finished);
        let waiting = self.search_ended.wait_timeout_while(self.state(), grace, |state| !state.answered);
        self.answer(&mut waiting.unwrap_or_else(PoisonError::into_inner).0);
    }

    /// Returns whether the `go` has its answer.
    pub(crate) fn is_answered(&self) -> bool {
        self.state().answered
    }

    /// Prints the last lines, the sentence about their certainty and `bestmove`, unless this was done before.
    fn answer(&self, state: &mut State) {
        if state.answered {
            return;
        }
        self.print_lines(state, true);
        state.answered = true;
        if let Some(sentence) = root_moves::certainty(&state.root_moves) {
            self.out.say(&sentence);
        }
        self.out.line(&root_moves::best_move_line(&state.root_moves));
    }
}

/// The nodes of one `go`.
#[derive(Debug)]
pub(crate) struct NodeCounter {
    /// The nodes of all slices that have ended.
    ended: AtomicU64,
    /// The nodes of the running slice, by worker slot.
    running: Vec<AtomicU64>,
}

impl NodeCounter {
    /// Makes a counter for this number of worker slots.
    pub(crate) fn new(slots: usize) -> NodeCounter {
        NodeCounter { ended: AtomicU64::new(0), running: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns the nodes counted so far.
    pub(crate) fn total(&self) -> u64 {
        self.ended.load(Relaxed) + self.running.iter().map(|slot| slot.load(Relaxed)).sum::<u64>()
    }

    /// Sets the nodes of the running slice of a slot.
    pub(crate) fn set_running(&self, slot: usize, nodes: u64) {
        self.running[slot].store(nodes, Relaxed);
    }

    /// Ends the running slice of a slot with its final count.
    pub(crate) fn end_slice(&self, slot: usize, nodes: u64) {
        self.running[slot].store(0, Relaxed);
        self.ended.fetch_add(nodes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::fen;
    use crate::uci::analysis::fallback;
    use std::io::{self, Write};

    /// A stand-in for the GUI: keeps everything that is written.
    #[derive(Clone, Default)]
    struct Transcript(Arc<Mutex<Vec<u8>>>);

    impl Write for Transcript {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Transcript {
        fn answers(&self) -> usize {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap().matches("bestmove").count()
        }
    }

    fn responder(transcript: &Transcript) -> Responder {
        let chess = fen::read("k7/8/1K6/8/8/8/8/1R6 w - -").unwrap().chess;
        let moves = fallback::root_moves(&chess, shakmaty::CastlingMode::Standard, &[]);
        let out = Arc::new(GuiOutput::new(Box::new(transcript.clone())));
        Responder::new(out, RootMoves::new(moves), false, 1, 1)
    }

    #[test]
    fn a_search_that_does_not_end_gets_an_answer_and_then_prints_nothing() {
        let transcript = Transcript::default();
        let responder = responder(&transcript);
        responder.answer_within(Duration::from_millis(1));
        assert_eq!((responder.is_answered(), transcript.answers()), (true, 1));
        let length = transcript.0.lock().unwrap().len();
        responder.print_first_lines();
        responder.say("late");
        responder.heartbeat();
        responder.finish();
        assert_eq!(transcript.0.lock().unwrap().len(), length);
    }

    #[test]
    fn an_infinite_search_answers_only_when_it_is_allowed_to() {
        let transcript = Transcript::default();
        let responder = responder(&transcript);
        responder.finish();
        assert_eq!(transcript.answers(), 0);
        responder.allow(MayAnswer::WithMate);
        assert_eq!(transcript.answers(), 0, "there is no mate");
        responder.allow(MayAnswer::Finished);
        responder.allow(MayAnswer::Finished);
        assert_eq!(transcript.answers(), 1);
    }

    #[test]
    fn nodes_of_all_threads_are_counted_once() {
        let nodes = NodeCounter::new(2);
        nodes.set_running(0, 5);
        nodes.set_running(1, 7);
        nodes.end_slice(1, 9);
        assert_eq!(nodes.total(), 14);
    }
}
