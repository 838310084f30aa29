//! A `go` from its start to the end of its thread, which may be a while after its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::solve::STACK_SIZE;

use super::desk::Desk;
use super::flags::Flags;
use super::game::Game;
use super::input::Input;
use super::search::{Job, Search};

/// A `go` that was started; it may have been answered.
pub(super) struct Running {
    pub(super) desk: Arc<Desk>,
    pub(super) flags: Arc<Flags>,
    pub(super) thread: Option<JoinHandle<()>>,
    /// Where it was asked.
    pub(super) root: Game,
    /// What it has proved may be used by the next one.
    pub(super) remembered: bool,
    pub(super) deadline: Option<Instant>,
    /// Answers only after `ponderhit`, and then has this time.
    pub(super) pondering: bool,
    pub(super) time: Option<Duration>,
    /// Answers only after `stop`.
    pub(super) infinite: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.flags.stop_all();
    }
}

impl Running {
    /// Whether it ends by itself or at its deadline; else somebody must stop it.
    pub(super) fn is_endless(&self) -> bool {
        self.infinite || self.pondering
    }

    /// Whether its time is up.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Starts its clock and lets it answer.
    pub(super) fn ponder_hit(&mut self) {
        self.pondering = false;
        self.set_deadline();
        if !self.infinite {
            self.desk.permit();
        }
    }

    fn set_deadline(&mut self) {
        self.deadline = self.time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Starts the search on a thread of its own, after the one before it has wound down.
    pub(super) fn start(&mut self, job: Job, previous: Option<Running>, finished: Sender<Input>) {
        if !self.pondering {
            self.set_deadline();
        }
        if !self.is_endless() {
            self.desk.permit();
        }
        let (desk, flags) = (Arc::clone(&self.desk), Arc::clone(&self.flags));
        let work = move || {
            if let Some(thread) = previous.and_then(|mut previous| previous.thread.take()) {
                let _ = thread.join();
            }
            let search = Search::new(job, Arc::clone(&desk), flags);
            if catch_unwind(AssertUnwindSafe(|| search.run())).is_err() {
                desk.say("an internal failure: the search broke down on this position; please report it");
            }
            desk.finish();
            let _ = finished.send(Input::Finished);
        };
        match thread::Builder::new().stack_size(STACK_SIZE).spawn(work) {
            Ok(thread) => self.thread = Some(thread),
            Err(error) => {
                self.desk.say(&format!("the search cannot be started: {error}"));
                self.desk.demand(Duration::ZERO);
            }
        }
    }
}
