//! From a problem to the composer's report.
//!
//! ```text
//! Problem ── rights ──> diagram ── keys ──> unfold ──> tries, set play ──> duals, features ──> judge ──> Report
//! ```
//!
//! Every answer comes from one full-width searcher ([`crate::search::fullwidth`]): which first moves mate in time and in
//! how many, which defences refute, which moves mate after each defence. Every key's proof is replayed by the checker
//! before it is called one. A limit ends the work wherever it stands: what is proved by then is reported, the rest is
//! marked as cut, and the verdict is `undecided` unless what is known already settles it.
//!
//! | file | idea |
//! |---|---|
//! | `rights` | castling and en passant by the conventions of the Codex |
//! | `retro` | the last move, where it is plain |
//! | `keys` | all first moves that mate in time, each with a checked proof; tries |
//! | `unfold` | the solution tree |
//! | `notation` | moves with notation |
//! | `features` | what judges look at in a key |
//! | `duals` | where the attacker can choose |
//! | `judge` | the verdict |

mod duals;
mod features;
mod judge;
mod keys;
mod notation;
mod retro;
mod rights;
mod unfold;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use shakmaty::{Chess, Color, Position as _, Square};

use crate::chess::{MateLength, Position};
use crate::problem::{Problem, ProblemError, Stipulation, olv};
use crate::proof::Facts;
use crate::results::report::{Diagrammed, MenCount, Report, ReportOptions, SetPlay, Tree, Verdict};
use crate::results::solution::{Goal, Stats};
use crate::search::fullwidth::{Exclusive, FullWidth};
use crate::search::{Control, Limits, Meter, StopReason};
use crate::solve::{stack::on_large_stack, stopped_by};

use keys::Keys;
use notation::Scribe;
pub use rights::Castling;
use unfold::Unfolder;

/// Returns the rooks that may castle in this diagram.
pub(crate) fn castling_rights(chess: &Chess, castling: Castling) -> shakmaty::Bitboard {
    rights::settle(chess, castling).chess.castles().castling_rights()
}

/// The parts of a report, the conventions it follows, and its limits.
#[derive(Debug, Clone)]
pub struct ReportRequest {
    /// The stipulation; `None`: the one that the problem states, or the shortest mate if it states none.
    pub stipulation: Option<Stipulation>,
    /// The parts and the size of the report.
    pub options: ReportOptions,
    /// The way in which castling rights are decided.
    pub castling: Castling,
    /// The squares of rooks whose castling rights exclude each other, in pairs.
    pub exclusive: Vec<(Square, Square)>,
    /// Time limit; `None`: no limit.
    pub time: Option<Duration>,
    /// Node limit; `None`: no limit.
    pub nodes: Option<u64>,
    /// Memory for the table and the proofs together, in bytes. Default: 256 MiB.
    pub hash: usize,
}

impl Default for ReportRequest {
    fn default() -> ReportRequest {
        ReportRequest {
            stipulation: None,
            options: ReportOptions::default(),
            castling: Castling::Fen,
            exclusive: Vec::new(),
            time: None,
            nodes: None,
            hash: 256 << 20,
        }
    }
}

/// Makes the composer's report on one problem. When `stop` becomes true, the search ends and the report contains what has
/// been proved by then.
///
/// The search runs on a thread of its own with a large stack, so any thread may call this. [`crate::Solver::report`] is the
/// simple way to call it.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use matesolve::problem::Problem;
/// use matesolve::results::report::Soundness;
/// use matesolve::report::{ReportRequest, report};
///
/// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").unwrap();
/// let report = report(&problem, &ReportRequest::default(), &AtomicBool::new(false));
/// assert_eq!(report.verdict.soundness, Soundness::Sound);
/// assert_eq!(report.keys[0].ply.san, "Rh6");
/// ```
pub fn report(problem: &Problem, request: &ReportRequest, stop: &AtomicBool) -> Report {
    let searched = on_large_stack(|| catch_unwind(AssertUnwindSafe(|| attempt(problem, request, stop))));
    let why = match searched {
        Ok(Ok(report)) => return report,
        Ok(Err(_)) => "the report broke down on this position; please report it".to_owned(),
        Err(error) => format!("the search could not be run: {error}"),
    };
    failed(Report { id: problem.id.clone(), ..blank(request.options) }, why)
}

/// Makes the report for a line that is not a valid problem.
pub(crate) fn invalid(why: &ProblemError, options: ReportOptions) -> Report {
    Report {
        error: Some(why.to_string()),
        verdict: Verdict::bare(crate::results::solution::Status::Invalid),
        ..blank(options)
    }
}

fn blank(options: ReportOptions) -> Report {
    Report {
        id: None,
        position: None,
        stipulation: None,
        options,
        verdict: Verdict::bare(crate::results::solution::Status::Undecided),
        keys: Vec::new(),
        tries: None,
        set_play: None,
        post_key: None,
        duals: Vec::new(),
        tree: Tree::default(),
        stats: Stats::NONE,
        warnings: Vec::new(),
        error: None,
        internal_failure: false,
    }
}

/// The program failed on this problem: whatever was claimed is taken back.
fn failed(report: Report, why: String) -> Report {
    let Report { id, position, stipulation, stats, warnings, options, .. } = report;
    let error = Some(why);
    Report { id, position, stipulation, stats, warnings, error, internal_failure: true, ..blank(options) }
}

/// The question: how many moves the attacker has, and whether he is to move.
#[derive(Debug, Clone, Copy)]
struct ReportGoal {
    /// Stated moves of the attacker from the diagram; `None`: as few as possible.
    moves: Option<u16>,
    /// The diagram stands after the key.
    post_key: bool,
    attacker: Color,
}

impl ReportGoal {
    fn new(problem: &Problem, request: &ReportRequest) -> ReportGoal {
        let stipulation = request.stipulation.unwrap_or(problem.stipulation);
        let turn = problem.chess.turn();
        // `#3` after the key leaves two moves; `#-2` says the same.
        let post_key = request.options.post_key || stipulation.mated;
        let played = u16::from(request.options.post_key && !stipulation.mated);
        let moves = stipulation.moves.map(|n| n.0.saturating_sub(played));
        ReportGoal { moves, post_key, attacker: if post_key { !turn } else { turn } }
    }

    fn bound(self) -> u16 {
        self.moves.unwrap_or(MateLength::MAX.0)
    }
}

fn attempt(problem: &Problem, request: &ReportRequest, stop: &AtomicBool) -> Report {
    let start = Instant::now();
    let question = ReportGoal::new(problem, request);
    let settled = rights::settle(&problem.chess, request.castling);
    let mut report = blank(ReportOptions { post_key: question.post_key, ..request.options });
    report.id.clone_from(&problem.id);
    report.warnings.clone_from(&problem.warnings);
    report.warnings.extend(settled.warnings.iter().cloned());
    report.position = Some(diagrammed(&settled));
    report.stipulation = Some(asked(request.stipulation.unwrap_or(problem.stipulation), question));
    let facts = Facts::with_bytes(table_bytes(question.bound(), request.hash));
    let deadline = request.time.and_then(|time| start.checked_add(time));
    let control = Control::new(Limits { nodes: request.nodes, deadline }, stop);
    let mut meter = Meter::new(&control);
    let exclusive = Exclusive::pairs(request.exclusive.clone());
    let mut searcher = FullWidth::new(&facts, &mut meter, exclusive);
    searcher.set_proof_limit(request.hash / 4 / BYTES_A_PROOF_NODE);
    let outcome = Reporter { question, problem, chess: &settled.chess, report: &mut report }.run(&mut searcher);
    drop(meter);
    report.stats = Stats {
        engine: Some("fullwidth".to_owned()),
        nodes: control.nodes(),
        time_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        threads: 1,
        hash_mb: request.hash >> 20,
        stopped_by: None,
    };
    match outcome {
        Ok(stopped) => {
            report.stats.stopped_by = stopped.map(stopped_by);
            report
        }
        Err(why) => failed(report, why),
    }
}

/// What a node of a proof takes, with its replies, in the tree, while it is made and while it is checked.
const BYTES_A_PROOF_NODE: usize = 128;

/// A table for this length: a short mate needs little, and making a large one takes longer than solving it.
fn table_bytes(moves: u16, hash: usize) -> usize {
    let wanted = match moves {
        0..=3 => 1 << 20,
        4 => 8 << 20,
        5 => 32 << 20,
        _ => usize::MAX,
    };
    wanted.min(hash / 4 * 3)
}

fn asked(stipulation: Stipulation, question: ReportGoal) -> Goal {
    Goal { text: stipulation.to_string(), moves: stipulation.moves.map(|n| n.0), attacker: question.attacker }
}

fn diagrammed(settled: &rights::Settled) -> Diagrammed {
    let chess = &settled.chess;
    let board = chess.board();
    Diagrammed {
        fen: shakmaty::fen::Fen::from_position(chess, shakmaty::EnPassantMode::Always).to_string(),
        turn: chess.turn(),
        castling: settled.castling,
        en_passant: settled.en_passant,
        men: MenCount { white: board.white().count(), black: board.black().count() },
        white: olv::list(board, Color::White),
        black: olv::list(board, Color::Black),
    }
}

/// Fills one report in.
struct Reporter<'r> {
    question: ReportGoal,
    problem: &'r Problem,
    chess: &'r Chess,
    report: &'r mut Report,
}

impl Reporter<'_> {
    /// The limit that was reached, if one was; an error is a claim that did not pass its check.
    fn run(&mut self, searcher: &mut FullWidth) -> Result<Option<StopReason>, String> {
        let root = Position::from_chess(self.chess);
        if !root.has_move() {
            self.report.verdict = judge::game_over(self.chess, self.question.post_key);
            return Ok(None);
        }
        let keys = if self.question.post_key {
            keys::post_key(searcher, self.chess, &root, self.question.bound())?
        } else {
            keys::find(searcher, self.chess, &root, self.question.moves)?
        };
        let scribe = Scribe::of(self.chess);
        let mut unfolder = Unfolder::new(searcher, scribe, self.report.options);
        if self.question.post_key {
            self.post_key(&mut unfolder, &root, &keys);
        } else {
            self.actual_play(&mut unfolder, &root, &keys, scribe);
        }
        let stopped = keys.stopped.or(unfolder.stopped());
        let (tree, truncated) = unfolder.finish();
        self.report.tree = tree;
        self.report.duals = duals::duals(&self.report.keys, self.report.post_key, &self.report.tree);
        self.report.verdict = judge::verdict(self.report, &keys, self.question.moves);
        self.report.verdict.complete = stopped.is_none();
        self.report.verdict.truncated = truncated;
        Ok(stopped)
    }

    fn post_key(&mut self, unfolder: &mut Unfolder, root: &Position, keys: &Keys) {
        if let Some(length) = keys.shortest {
            self.report.post_key = match unfolder.solution(root, length) {
                crate::results::report::Next::Play(id) => Some(id),
                _ => None,
            };
        }
    }

    fn actual_play(&mut self, unfolder: &mut Unfolder, root: &Position, keys: &Keys, scribe: Scribe) {
        let named = judge::named_keys(self.problem, self.chess);
        self.report.keys = keys::unfolded(keys, unfolder, root, scribe, named.as_deref());
        // Tries fail within the stipulated length, or within that of the shortest mate if none is stipulated.
        let Some(moves) = self.question.moves.or(keys.shortest) else { return };
        if keys.stopped.is_some() {
            return;
        }
        if self.report.options.set_play {
            self.report.set_play = self.set_play(unfolder, root, moves);
        }
        if let Some(refutations) = self.report.options.tries {
            self.report.tries = keys::tries(keys, unfolder, root, scribe, moves, refutations);
        }
    }

    fn set_play(&mut self, unfolder: &mut Unfolder, root: &Position, moves: u16) -> Option<SetPlay> {
        let Some(passed) = root.pass() else {
            let sentence = "there is no set play: the side to move is in check and cannot leave the move to the other";
            self.report.warnings.push(sentence.to_owned());
            return None;
        };
        if moves < 2 || !passed.has_move() {
            return None;
        }
        let play = unfolder.set_play(&passed, moves - 1)?;
        let complete = unfolder.is_complete(play);
        Some(SetPlay { complete, play })
    }
}
