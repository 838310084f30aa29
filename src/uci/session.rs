//! The session: reads commands, keeps what is set, starts searches, and sees to it that they are answered.
//!
//! ```text
//! stdin ── reader thread ──▶ session ── go ──▶ search thread ──▶ engines
//!                               │                    │
//!                               └── stop, time ──▶ desk ◀── proofs
//! ```
//!
//! The session never waits for a search: it waits for the next line or the end of the time, whichever comes first.
//! Commands that would change what a running search is about wait until it is answered, so that a script need not.
//! When a search must answer, its threads are told to stop and get a moment to do so; then the session answers from
//! the desk.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::Position as _;

use super::command::{self, Command};
use super::desk::Desk;
use super::fallback;
use super::flags::Flags;
use super::game::Game;
use super::go::Go;
use super::input::{Input, LONGEST_LINE, read_lines};
use super::known::Known;
use super::notation;
use super::options::{Effect, Options};
use super::output::Output;
use super::running::Running;
use super::search::Job;
use super::standing::Standing;
use super::tables::Tables;

/// So long a search that was told to stop may take to answer itself.
const PATIENCE: Duration = Duration::from_millis(20);
/// How often the session looks up when nothing happens, in case nobody listens any more.
const IDLE: Duration = Duration::from_secs(1);

/// Speaks UCI on these two ends until `quit`, or until the input ends and the last search with it.
///
/// # Errors
/// When a line cannot be written. A pipe closed by the reader is such an error too.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let out = Arc::new(Output::new(Box::new(output)));
    let (sender, inputs) = mpsc::channel();
    let lines = sender.clone();
    thread::Builder::new().spawn(move || read_lines(input, &lines))?;
    Session::new(Arc::clone(&out), sender).serve(&inputs);
    out.failure().map_or(Ok(()), Err)
}

struct Session {
    out: Arc<Output>,
    /// For the searches to say that they have finished.
    finished: Sender<Input>,
    options: Options,
    game: Game,
    debug: bool,
    tables: Arc<Tables>,
    known: Option<Known>,
    running: Option<Running>,
    /// Commands that wait for the running search to be answered.
    waiting: VecDeque<Command>,
}

impl Session {
    fn new(out: Arc<Output>, finished: Sender<Input>) -> Session {
        let options = Options::default();
        let tables = Arc::new(Tables::new(options.hash << 20, options.engine));
        Session {
            out,
            finished,
            options,
            game: Game::default(),
            debug: false,
            tables,
            known: None,
            running: None,
            waiting: VecDeque::new(),
        }
    }

    /// Serves line after line.
    fn serve(&mut self, inputs: &Receiver<Input>) {
        let mut ended = false;
        while !self.out.failed() {
            self.keep_time(ended);
            while let Some(command) = self.next_waiting() {
                self.obey(command);
                self.keep_time(ended);
            }
            if ended && self.active().is_none() {
                return;
            }
            match inputs.recv_timeout(self.patience()) {
                Ok(Input::Line(line)) if line.len() >= LONGEST_LINE => {
                    self.out.say(&format!("a line of more than {LONGEST_LINE} bytes is ignored"));
                }
                Ok(Input::Line(line)) => match command::read(&line) {
                    Ok(Command::Quit) => return,
                    Ok(command) if self.must_wait(&command) => self.waiting.push_back(command),
                    Ok(command) => self.obey(command),
                    Err(why) => self.out.say(&why),
                },
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => ended = true,
                Ok(Input::Finished) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How long to wait for the next thing to happen.
    fn patience(&self) -> Duration {
        let deadline = self.active().and_then(|running| running.deadline);
        deadline.map_or(IDLE, |deadline| deadline.saturating_duration_since(Instant::now()).min(IDLE))
    }

    /// The search that has not been answered.
    fn active(&self) -> Option<&Running> {
        self.running.as_ref().filter(|running| !running.desk.is_answered())
    }

    /// Ends the search whose time is up. After the end of the input nobody can stop one that does not end by itself.
    fn keep_time(&mut self, ended: bool) {
        let late = |running: &Running| ended && running.is_endless() || running.is_late();
        if self.active().is_some_and(late) {
            self.stop();
        }
    }

    /// Whether the command is for the time after the running search.
    fn must_wait(&self, command: &Command) -> bool {
        use Command::{Go, NewGame, Position, SetOption};
        let changes = matches!(command, Go(_) | NewGame | Position(_) | SetOption(..));
        changes && (self.active().is_some() || !self.waiting.is_empty())
    }

    /// The next command whose time has come.
    fn next_waiting(&mut self) -> Option<Command> {
        if self.active().is_some() { None } else { self.waiting.pop_front() }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.out.line("readyok"),
            Command::Debug(on) => self.debug = on,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit | Command::Nothing => {}
            Command::NewGame => {
                self.forget();
                self.game = Game::default();
            }
            Command::Position(words) => self.position(&words),
            Command::SetOption(name, value) => match self.options.set(&name, value.as_deref()) {
                Ok(Effect::None) => {}
                Ok(Effect::Forget) => self.forget(),
                Err(why) => self.out.say(&why),
            },
            Command::Go(go) => self.go(&go),
        }
    }

    fn introduce(&self) {
        self.out.line(concat!("id name matesolve ", env!("CARGO_PKG_VERSION")));
        self.out.line("id author the matesolve authors");
        for option in Options::list() {
            self.out.line(&option);
        }
        self.out.line("uciok");
    }

    fn forget(&mut self) {
        self.tables = Arc::new(Tables::new(self.options.hash << 20, self.options.engine));
        self.known = None;
        if let Some(running) = &mut self.running {
            running.remembered = false;
        }
    }

    fn position(&mut self, words: &[String]) {
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

    fn stop(&mut self) {
        if let Some(running) = self.active() {
            running.flags.stop_all();
            running.desk.demand(PATIENCE);
        }
    }

    /// The move pondered on was played: the search goes on as one with a clock.
    fn ponder_hit(&mut self) {
        match self.running.as_mut().filter(|running| running.pondering && !running.desk.is_answered()) {
            Some(running) => running.ponder_hit(),
            None => self.out.say("nothing is pondered on"),
        }
    }

    fn go(&mut self, go: &Go) {
        let previous = self.running.take();
        let chess = self.game.chess().clone();
        let mode = notation::mode(&chess, self.options.chess960);
        let wanted = self.wanted(go);
        let moves = fallback::moves(&chess, mode, &wanted);
        let forced = moves.len() == 1 && !self.options.analyse;
        let standing = Standing { moves, ..Standing::default() };
        if let Some(previous) = previous.as_ref().filter(|previous| previous.remembered) {
            let found = previous.desk.standing(|standing| Known::new(previous.root.chess(), standing));
            self.known = found.or(self.known.take());
        }
        let job = Job {
            game: self.game.clone(),
            options: self.options,
            mode,
            restricted: !wanted.is_empty(),
            bounds: go.bounds(),
            shortest: go.mate.is_none(),
            nodes: go.nodes,
            debug: self.debug,
            tables: Arc::clone(&self.tables),
            known: self.known.as_ref().map_or(Vec::new(), |known| known.recall(&self.game)),
        };
        let lanes = self.options.threads.max(2);
        let desk = Desk::new(Arc::clone(&self.out), standing, chess.is_check(), self.options.multi_pv, lanes);
        let (desk, flags) = (Arc::new(desk), Arc::new(Flags::new(lanes)));
        let time = go.time(chess.turn()).filter(|_| !go.infinite);
        // A forced move on the clock needs no thought; a tenth of the time may still find what it leads to.
        let time = if forced && go.clock(chess.turn()).is_some() { time.map(|time| time / 10) } else { time };
        let mut running = Running {
            deadline: None,
            pondering: go.ponder,
            time,
            infinite: go.is_endless(chess.turn()),
            root: self.game.clone(),
            remembered: true,
            thread: None,
            desk,
            flags,
        };
        running.start(job, previous, self.finished.clone());
        self.running = Some(running);
    }

    /// The codes of `searchmoves`; those that are illegal are named and left out.
    fn wanted(&self, go: &Go) -> Vec<crate::chess::MoveCode> {
        let chess = self.game.chess();
        let mut wanted = Vec::new();
        for text in &go.search_moves {
            match notation::read(chess, text) {
                Some(m) => wanted.push(crate::chess::notation::code(m)),
                None => self.out.say(&format!("searchmoves: {text} is not legal here")),
            }
        }
        wanted
    }
}
