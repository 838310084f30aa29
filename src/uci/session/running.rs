//! One `go`, from its start to the end of its thread. The thread may continue for a short time after the answer.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::base::guard::caught;
use crate::base::threads::STACK_SIZE;
use crate::uci::analysis::context::{Context, Job};
use crate::uci::analysis::schedule;
use crate::uci::analysis::stop_flags::StopFlags;
use crate::uci::answer::responder::Responder;
use crate::uci::protocol::game::Game;
use crate::uci::protocol::go::Ends;
use crate::uci::protocol::input::SessionEvent;

/// A `go` that was started. It may have been answered already. Dropping it stops its search.
pub(super) struct RunningSearch {
    pub(super) responder: Arc<Responder>,
    pub(super) flags: Arc<StopFlags>,
    /// The thread of the search; `None` if it could not be started or was taken to be joined.
    pub(super) thread: Option<JoinHandle<()>>,
    /// The game whose last position is searched.
    pub(super) game: Game,
    /// Whether the next search may use what this one has proved.
    pub(super) carries_over: bool,
    /// The time at which the session must answer; `None` without a time limit and while pondering.
    pub(super) deadline: Option<Instant>,
    /// Whether the search may answer only after `ponderhit` or `stop`; its time starts at `ponderhit`.
    pub(super) pondering: bool,
    /// The time for the move.
    pub(super) time: Option<Duration>,
    /// What ends the search, beside `stop`.
    pub(super) ends: Ends,
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.flags.stop_all();
    }
}

impl RunningSearch {
    /// Returns whether only a command of the GUI can end the search.
    pub(super) fn is_endless(&self) -> bool {
        self.ends == Ends::OnStop || self.pondering
    }

    /// Returns whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Ends pondering: starts the clock and allows the answer.
    pub(super) fn ponder_hit(&mut self) {
        self.pondering = false;
        self.set_deadline();
        self.allow_answer();
    }

    /// Allows the answer when the search ends, as far as `go` allows it.
    fn allow_answer(&self) {
        match self.ends {
            Ends::ByItself => self.responder.allow_answer(),
            Ends::WithMate => self.responder.allow_mate(),
            Ends::OnStop => {}
        }
    }

    fn set_deadline(&mut self) {
        self.deadline = self.time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Starts the search on its own thread, which first waits for the thread of the previous search to end.
    pub(super) fn start(&mut self, job: Job, previous: Option<RunningSearch>, events: Sender<SessionEvent>) {
        if !self.pondering {
            self.set_deadline();
        }
        if !self.pondering {
            self.allow_answer();
        }
        let (responder, flags) = (Arc::clone(&self.responder), Arc::clone(&self.flags));
        let work = move || {
            if let Some(thread) = previous.and_then(|mut previous| previous.thread.take()) {
                let _ = thread.join();
            }
            let context = Context::new(job, Arc::clone(&responder), flags);
            if caught(|| schedule::run(&context)).is_err() {
                responder.say("internal failure: the search of this position crashed; please report it");
            }
            responder.finish();
            let _ = events.send(SessionEvent::SearchFinished);
        };
        match thread::Builder::new().stack_size(STACK_SIZE).spawn(work) {
            Ok(thread) => self.thread = Some(thread),
            Err(error) => {
                self.responder.say(&format!("the search thread cannot be started: {error}"));
                self.responder.answer_within(Duration::ZERO);
            }
        }
    }
}
