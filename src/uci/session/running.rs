//! One `go`, from its start to the end of its thread. The thread may continue for a short time after the answer.
//!
//! The proofs of one search are kept for the next one ([`CarryOver`]), as long as the game follows them. A mate in 9 that was proved before the last two moves is a mate in 8 afterwards, if both moves are in the proof.
//! Without this, a new search might not find its own mate again. The proof is verified again before use, because the
//! game and the options may have changed.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use shakmaty::{Chess, Color, Position as _};

use crate::base::guard::caught;
use crate::base::threads::STACK_SIZE;
use crate::chess::MoveCode;
use crate::proof::{ProofNode, ProofTree};
use crate::uci::analysis::context::{CarriedProof, Context, Job, StopFlags};
use crate::uci::analysis::schedule;
use crate::uci::answer::responder::Responder;
use crate::uci::answer::root_moves::{ProvedMove, RootMoves, Score};
use crate::uci::protocol::command::{Ends, SessionEvent};
use crate::uci::protocol::game::Game;

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

/// The proofs of the last search that found any.
#[derive(Debug, Clone)]
pub(super) struct CarryOver {
    /// The position that was searched.
    root: Chess,
    proofs: Vec<ProvedMove>,
}

impl CarryOver {
    /// Takes the proofs of a search of `root`; `None` if it proved nothing.
    pub(super) fn new(root: &Chess, root_moves: &RootMoves) -> Option<CarryOver> {
        let proofs: Vec<ProvedMove> = root_moves.moves.iter().filter_map(|m| m.proved.clone()).collect();
        (!proofs.is_empty()).then(|| CarryOver { root: root.clone(), proofs })
    }

    /// Returns the proofs about the position on the board of `game`; none if the game has left them.
    pub(super) fn proofs_for(&self, game: &Game) -> Vec<CarriedProof> {
        match game.moves_since(&self.root) {
            None => Vec::new(),
            Some([]) => {
                let unchanged = |proved: &ProvedMove| CarriedProof {
                    first: Some(proved.first),
                    attacker: self.attacker(proved),
                    tree: proved.proof.tree().subproof(proved.node),
                };
                self.proofs.iter().map(unchanged).collect()
            }
            Some([first, rest @ ..]) => {
                let proved = self.proofs.iter().find(|proved| proved.first == *first);
                let remaining = proved.and_then(|proved| {
                    let tree = follow(proved, rest)?;
                    Some(CarriedProof { first: None, attacker: self.attacker(proved), tree })
                });
                remaining.into_iter().collect()
            }
        }
    }

    /// Returns the side that mates.
    fn attacker(&self, proved: &ProvedMove) -> Color {
        match proved.score {
            Score::Mates(_) => self.root.turn(),
            Score::Mated(_) => !self.root.turn(),
        }
    }
}

/// Returns the rest of a proof after these moves, played after its first move; `None` if one is not in the proof.
fn follow(proved: &ProvedMove, moves: &[MoveCode]) -> Option<ProofTree> {
    let mut node = proved.node;
    for played in moves {
        node = match &proved.proof.tree().nodes()[node as usize] {
            ProofNode::Attack(code, child) => (code == played).then_some(*child)?,
            ProofNode::Defend(replies) => replies.iter().find(|(code, _)| code == played)?.1,
            ProofNode::End(_) => return None,
        };
    }
    Some(proved.proof.tree().subproof(node))
}
