//! The command loop: executes the GUI's commands, starts searches and makes sure that each `go` is answered.
//!
//! ```text
//! stdin ── reader thread ──▶ session ── go ──▶ search thread ──▶ engines
//!                               │                    │
//!                               └─ stop, time ─▶ responder ◀── proofs
//! ```
//!
//! The session waits for the next line or the end of the time, whichever comes first; it does not wait for a search to
//! finish. Commands that would change a running search are queued until it is answered, so a script need not wait for
//! `bestmove`. When a search must answer, its threads are stopped and get a short time to end; then the session answers
//! from the responder.
//!
//! The thread of a `go` may continue for a short time after the answer.
//!
//! The proofs of one search are kept for the next one ([`CarryOver`]), as long as the game follows them; `ucinewgame`
//! and some options drop them. A mate in 9 that was proved before the last two moves is a mate in 8 afterwards, if both
//! moves are in the proof. Without this, a new search might not find its own mate again. The proof is verified again
//! before use, because the game and the options may have changed.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::iter;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::base::guard::caught;
use crate::base::memory;
use crate::base::threads::STACK_SIZE;
use crate::chess::MoveCode;
use crate::chess::notation::{code, of_uci};
use crate::proof::{ProofNode, ProofTree};
use crate::uci::analysis::context::{CarriedProof, Context, FactTables, Job, StopFlags};
use crate::uci::analysis::{fallback, schedule};
use crate::uci::answer::responder::Responder;
use crate::uci::answer::root_moves::{ProvedMove, RootMoves, Score};
use crate::uci::protocol::command::{self, Go, GuiOutput, MAX_LINE, MayAnswer, SessionEvent, UciCommand, read_lines};
use crate::uci::protocol::game::{self, Game};
use crate::uci::protocol::options::{Effect, UciOptions};

/// The time that a stopped search has to answer by itself.
const STOP_GRACE: Duration = Duration::from_millis(20);
/// The longest wait for an event. Then the session checks whether the output still works.
const IDLE_WAIT: Duration = Duration::from_secs(1);

/// Speaks UCI on `input` and `output` until `quit`, or until the input has ended and the last search is answered.
///
/// # Errors
/// When a line cannot be written, for instance because the GUI has closed the pipe.
pub(crate) fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let out = Arc::new(GuiOutput::new(Box::new(output)));
    let (sender, events) = mpsc::channel();
    let lines = sender.clone();
    thread::Builder::new().spawn(move || read_lines(input, &lines))?;
    Session::new(Arc::clone(&out), sender).serve(&events);
    out.take_failure().map_or(Ok(()), Err)
}

/// The state between commands.
struct Session {
    out: Arc<GuiOutput>,
    /// Search threads send [`SessionEvent::SearchFinished`] here.
    events: Sender<SessionEvent>,
    options: UciOptions,
    game: Game,
    /// Whether `debug on` was set.
    debug: bool,
    tables: Arc<FactTables>,
    /// The proofs of earlier searches.
    carry_over: Option<CarryOver>,
    /// The last `go`, answered or not.
    running: Option<RunningSearch>,
    /// Commands that wait until the running search is answered.
    queued: VecDeque<UciCommand>,
}

impl Session {
    fn new(out: Arc<GuiOutput>, events: Sender<SessionEvent>) -> Session {
        let options = UciOptions::default();
        Session {
            out,
            events,
            options,
            game: Game::default(),
            debug: false,
            tables: new_tables(&options),
            carry_over: None,
            running: None,
            queued: VecDeque::new(),
        }
    }

    /// Handles events until the session ends.
    fn serve(&mut self, events: &Receiver<SessionEvent>) {
        let mut input_ended = false;
        while !self.out.failed() {
            self.stop_overdue_search(input_ended);
            while let Some(command) = self.next_queued() {
                self.execute(command);
                self.stop_overdue_search(input_ended);
            }
            if input_ended && self.unanswered().is_none() {
                return;
            }
            match events.recv_timeout(self.wait_time()) {
                Ok(SessionEvent::Line(line)) if line.len() >= MAX_LINE => {
                    self.out.say(&format!("a line of more than {MAX_LINE} bytes is ignored"));
                }
                Ok(SessionEvent::Line(line)) => match command::read(&line) {
                    Ok(UciCommand::Quit) => return,
                    Ok(command) if self.must_queue(&command) => self.queued.push_back(command),
                    Ok(command) => {
                        if command == UciCommand::Stop {
                            self.stop_queued();
                        }
                        self.execute(command);
                    }
                    Err(why) => self.out.say(&why),
                },
                Ok(SessionEvent::InputEnded) | Err(RecvTimeoutError::Disconnected) => input_ended = true,
                Ok(SessionEvent::SearchFinished) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns how long to wait for the next event.
    fn wait_time(&self) -> Duration {
        let deadline = self.unanswered().and_then(|running| running.deadline);
        deadline.map_or(IDLE_WAIT, |deadline| deadline.saturating_duration_since(Instant::now()).min(IDLE_WAIT))
    }

    /// Returns the search that has not been answered, if any.
    fn unanswered(&self) -> Option<&RunningSearch> {
        self.running.as_ref().filter(|running| !running.responder.is_answered())
    }

    /// Stops the search if its time is up, or if it is endless and the input, which alone could stop it, has ended.
    fn stop_overdue_search(&mut self, input_ended: bool) {
        let is_overdue = |running: &RunningSearch| input_ended && running.is_endless() || running.is_late();
        if self.unanswered().is_some_and(is_overdue) {
            self.stop();
        }
        // A search for any mate still answers by itself, as one for a mate in N does.
        if let Some(running) = self.unanswered().filter(|_| input_ended) {
            running.responder.allow(MayAnswer::Finished);
        }
    }

    /// Returns whether a command must wait until the running search is answered.
    fn must_queue(&self, command: &UciCommand) -> bool {
        use UciCommand::{Go, NewGame, Position, SetOption};
        let changes_search = matches!(command, Go(_) | NewGame | Position(_) | SetOption(..));
        changes_search && (self.unanswered().is_some() || !self.queued.is_empty())
    }

    /// Takes the next queued command. While a search is unanswered, this can only be a `stop` for it.
    fn next_queued(&mut self) -> Option<UciCommand> {
        let may_run = self.unanswered().is_none() || self.queued.front() == Some(&UciCommand::Stop);
        if may_run { self.queued.pop_front() } else { None }
    }

    /// Adds a `stop` after every queued `go`: the GUI's `stop` is meant for all searches that it has started.
    fn stop_queued(&mut self) {
        let stop_after = |command| {
            let stop = matches!(command, UciCommand::Go(_)).then_some(UciCommand::Stop);
            iter::once(command).chain(stop)
        };
        self.queued = self.queued.drain(..).flat_map(stop_after).collect();
    }

    fn execute(&mut self, command: UciCommand) {
        match command {
            UciCommand::Uci => self.introduce(),
            UciCommand::IsReady => self.out.line("readyok"),
            UciCommand::Debug(on) => self.debug = on,
            UciCommand::Stop => self.stop(),
            UciCommand::PonderHit => self.ponder_hit(),
            UciCommand::Quit | UciCommand::Nothing => {}
            UciCommand::NewGame => {
                self.forget();
                self.game = Game::default();
            }
            UciCommand::Position(words) => self.set_position(&words),
            UciCommand::SetOption(name, value) => match self.options.set(&name, value.as_deref()) {
                Ok(Effect::None) => {}
                Ok(Effect::Forget) => {
                    self.limit_hash();
                    self.forget();
                }
                Err(why) => self.out.say(&why),
            },
            UciCommand::Go(go) => self.go(&go),
        }
    }

    /// Reduces `Hash` to what the machine has, and says so.
    fn limit_hash(&mut self) {
        if let Some(warning) = memory::warning(self.options.hash_mib << 20) {
            self.out.say(&warning);
            self.options.hash_mib = memory::most() >> 20;
        }
    }

    /// Answers `uci`: name, author and options.
    fn introduce(&self) {
        self.out.line(concat!("id name matesolve ", env!("CARGO_PKG_VERSION")));
        self.out.line("id author the matesolve authors");
        for option in UciOptions::list() {
            self.out.line(&option);
        }
        self.out.line("uciok");
    }

    /// Forgets what earlier searches have learned and proved.
    fn forget(&mut self) {
        self.tables = new_tables(&self.options);
        self.carry_over = None;
        if let Some(running) = &mut self.running {
            running.carries_over = false;
        }
    }

    /// Executes `position`. After an error the old position remains.
    fn set_position(&mut self, words: &[String]) {
        match Game::read(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
            Ok((game, warnings)) => {
                for warning in warnings {
                    self.out.say(&warning);
                }
                self.game = game;
            }
            Err(why) => self.out.say(&format!("{why}; the position stays as it was")),
        }
    }

    /// Stops the running search and makes sure that it is answered.
    fn stop(&mut self) {
        if let Some(running) = self.unanswered() {
            running.flags.stop_all();
            running.responder.answer_within(STOP_GRACE);
        }
    }

    /// Executes `ponderhit`: the opponent has played the expected move, so the search goes on with a clock.
    fn ponder_hit(&mut self) {
        match self.running.as_mut().filter(|running| running.pondering && !running.responder.is_answered()) {
            Some(running) => running.ponder_hit(),
            None => self.out.say("ponderhit is ignored, because no search is pondering"),
        }
    }

    /// Executes `go`: starts a search of the current position.
    fn go(&mut self, go: &Go) {
        let previous = self.running.take();
        self.keep_proofs(previous.as_ref());
        let chess = self.game.chess();
        let turn = chess.turn();
        let castling_mode = game::castling_mode(chess, self.options.chess960);
        let wanted = self.search_moves(go);
        let moves = fallback::root_moves(chess, castling_mode, &wanted);
        let forced = moves.len() == 1 && !self.options.analyse_mode;
        let root_moves = RootMoves::new(moves);
        let slots = self.options.threads.max(2);
        let out = Arc::clone(&self.out);
        let responder = Responder::new(out, root_moves, chess.is_check(), self.options.multi_pv, slots);
        let time = go.time(turn).filter(|_| !go.infinite);
        // A forced move needs no thought. A tenth of the time may still find the mate it leads to.
        let time = if forced && go.clock(turn).is_some() { time.map(|time| time / 10) } else { time };
        let mut running = RunningSearch {
            responder: Arc::new(responder),
            flags: Arc::new(StopFlags::new(slots)),
            thread: None,
            game: self.game.clone(),
            carries_over: true,
            deadline: None,
            pondering: go.ponder,
            time,
            may_answer: go.may_answer(turn),
        };
        let job = self.job(go, castling_mode, !wanted.is_empty());
        running.start(job, previous, self.events.clone());
        self.running = Some(running);
    }

    /// Takes over the proofs of the previous search, if it has found any and they were not to be forgotten.
    fn keep_proofs(&mut self, previous: Option<&RunningSearch>) {
        if let Some(previous) = previous.filter(|previous| previous.carries_over) {
            let root = previous.game.chess();
            let found = previous.responder.read(|root_moves| CarryOver::new(root, root_moves));
            self.carry_over = found.or(self.carry_over.take());
        }
    }

    /// Returns the job of a `go`.
    fn job(&self, go: &Go, castling_mode: CastlingMode, restricted: bool) -> Job {
        Job {
            game: self.game.clone(),
            options: self.options,
            castling_mode,
            restricted,
            limits: go.length_limits(),
            shortest: !go.any_mate,
            nodes: go.nodes,
            debug: self.debug,
            tables: Arc::clone(&self.tables),
            carried: self.carry_over.as_ref().map_or(Vec::new(), |proofs| proofs.proofs_for(&self.game)),
        }
    }

    /// Returns the legal moves of `searchmoves`; reports the illegal ones.
    fn search_moves(&self, go: &Go) -> Vec<MoveCode> {
        let chess = self.game.chess();
        let mut legal = Vec::new();
        for text in &go.search_moves {
            match of_uci(chess, text) {
                Some(m) => legal.push(code(m)),
                None => self.out.say(&format!("searchmoves: {text} is not legal in this position and is ignored")),
            }
        }
        legal
    }
}

/// Makes empty tables of facts for these options.
fn new_tables(options: &UciOptions) -> Arc<FactTables> {
    Arc::new(FactTables::new(options.hash_mib << 20, options.engine))
}

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
    /// When the search may answer, once it does not ponder.
    pub(super) may_answer: MayAnswer,
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.flags.stop_all();
    }
}

impl RunningSearch {
    /// Returns whether only a command of the GUI can end the search.
    pub(super) fn is_endless(&self) -> bool {
        self.may_answer == MayAnswer::Stopped || self.pondering
    }

    /// Returns whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Ends pondering: starts the clock and allows the answer.
    pub(super) fn ponder_hit(&mut self) {
        self.pondering = false;
        self.start_clock();
    }

    /// Starts the clock, and allows the answer as far as `go` allows it.
    fn start_clock(&mut self) {
        self.deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        self.responder.allow(self.may_answer);
    }

    /// Starts the search on its own thread, which first waits for the thread of the previous search to end.
    pub(super) fn start(&mut self, job: Job, previous: Option<RunningSearch>, events: Sender<SessionEvent>) {
        if !self.pondering {
            self.start_clock();
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
