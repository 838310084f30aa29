//! Makes the composer's report on a problem.
//!
//! ```text
//! Problem ── rights ──> diagram ── first_moves, tries ──> plays ──> unfold ──> duals, features ──> judge ──> Report
//! ```
//!
//! One prover ([`crate::search::decider`]) tells which first moves reach the goal in time and in how many moves, which
//! defences refute, and which moves reach it after each defence; before that, a race may find a long solution. Most
//! questions are put on all threads. The checker replays a proof of every key. A limit ends the work at any point.
//! Everything proved by then is reported, the rest is marked as cut, and the verdict is `undecided` unless it was
//! certain before.
//!
//! | file | idea |
//! |---|---|
//! | `request` | what a report is asked for, and its limits |
//! | `unanswered` | reports without an answer |
//! | `why` | one first move: which defences refute it |
//! | `rights` | castling and en passant by the conventions of the Codex; the last move, where it is certain |
//! | `first_moves` | the first moves that solve, each with a checked proof; those that fail to few defences |
//! | `plays` | the facts about every play of the solution |
//! | `post_key` | refutations of a diagram that stands after the key, if the key fails |
//! | `unfold` | the solution tree, from these facts; moves with notation, what judges look at in a key |
//! | `help` | help play: all solutions, and the verdict |
//! | `joined` | the report that results from elsewhere give |
//! | `judge` | the verdict |
//! | `phases` | twins and duplexes: a report for each phase |
//! | `progress` | the threads of a report, and events for an observer |

mod first_moves;
mod help;
#[cfg(feature = "cli")]
pub(crate) mod joined;
mod judge;
mod phases;
mod plays;
mod post_key;
mod progress;
pub(crate) mod request;
mod rights;
mod unanswered;
mod unfold;
mod why;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use shakmaty::{Chess, Position as _};

use crate::base::clock::Instant;
use crate::base::guard::guarded;
use crate::chess::{MateLength, Move, NodeKind, rules};
use crate::problem::Problem;
use crate::problem::input::Entry;
use crate::results::report::{
    Extent, FirstMoveCounts, Key, Next, PlayId, Report, ReportOptions, SetPlay, Soundness, Try, Verdict, Why,
};
use crate::results::solution::Status;
use crate::search::decider::Decider;
use crate::search::decider::engine::BYTES_PER_PROOF_NODE;
use crate::search::decider::pool::DeciderPool;
use crate::search::dfpn::Prover;
use crate::search::{Control, Facts, Meter, StopReason};
use crate::solve::{start as start_of, stats};
use crate::themes;

use first_moves::{Diagram, FirstMoves, FoundTry, find_keys, find_mate, find_tries};
pub(crate) use judge::named_keys;
use plays::{PlayKind, PlayRoot, Plays};
use post_key::Refuted;
pub(crate) use progress::ReportContext;
use progress::Workers;
pub use progress::{NoObserver, ReportEvent, ReportObserver};
pub use request::ReportRequest;
pub use rights::Castling;
pub use unanswered::invalid;
use unanswered::{blank, failed, open_report, rejected, untried};
pub(crate) use unfold::Scribe;
use unfold::{TreeBuilder, after_key, features, written};
pub use why::ask_why;

/// Returns the diagram with the rights that the conventions give it. `proves_en_passant`: the position itself may prove
/// the right to an en passant capture.
pub fn settled_diagram(chess: &Chess, castling: Castling, proves_en_passant: bool) -> Chess {
    rights::settle(chess, castling, proves_en_passant).chess
}

/// Makes the composer's report on one problem. The search runs on a thread of its own with a large stack, so any thread
/// may call this.
pub(crate) fn report(problem: &Problem, request: &ReportRequest, context: ReportContext<'_>) -> Report {
    let single = |problem: &Problem, request: &ReportRequest, memory: usize| {
        let request = &request.for_problem(problem);
        if problem.question.stipulation.is_helped() {
            return help::report(problem, request, context);
        }
        if context.stop.load(Ordering::Relaxed) {
            return untried(problem, request, StopReason::Stopped);
        }
        if request.limits.time == Some(Duration::ZERO) {
            return untried(problem, request, StopReason::Time);
        }
        unbroken(problem, request.options, || attempt(problem, request, memory, context))
    };
    if problem.phases.is_empty() {
        return single(problem, request, request.limits.hash);
    }
    phases::report_phases(problem, request, single)
}

/// Reports on an entry. An entry that is no problem gives a report whose error says why.
pub(crate) fn report_entry(entry: &Entry, request: &ReportRequest, context: ReportContext<'_>) -> Report {
    let mut report = match &entry.problem {
        Ok(problem) => report(problem, &asked_by(entry, request), context),
        Err(error) => rejected(entry, error, request.options),
    };
    report.line = Some(entry.line).filter(|&line| line > 0);
    report
}

/// Adds what an entry's own options demand to a request.
fn asked_by(entry: &Entry, request: &ReportRequest) -> ReportRequest {
    let mut request = request.clone();
    if let Some(olv) = &entry.olv {
        request.options.add_asked(olv.options.phase.set_play, olv.options.tries);
    }
    request
}

/// Makes the report of `attempt`. A panic becomes a report that says so.
fn unbroken(problem: &Problem, options: ReportOptions, attempt: impl FnOnce() -> Report + Send) -> Report {
    guarded(attempt).unwrap_or_else(|broken| {
        let why = broken.sentence("the report", format_args!("the position {}", problem.fen));
        failed(Report { line: problem.line, id: problem.id.clone(), ..blank(options) }, why)
    })
}

/// The share of the memory that the prover's table gets; the proofs get the rest.
const TABLE_SHARE: (usize, usize) = (3, 4);

/// The table of facts that engines share; the prover has its own, so a report needs only a small one, in bytes.
const FACTS: usize = 64 << 10;

/// Makes a report. `memory` is that of its plays, in bytes.
fn attempt(problem: &Problem, request: &ReportRequest, memory: usize, context: ReportContext<'_>) -> Report {
    let ReportContext { stop, observer, threads } = context;
    let start = Instant::now();
    let asked = request::stipulation_of(problem, request);
    let attacker = asked.attacker(problem.chess.turn());
    let settled = rights::settle(&problem.chess, request.castling, request.proves_en_passant);
    let mut report = open_report(problem, request, asked, &settled);
    report.why = request.why.clone().map(|first| Why { first, lines: Vec::new() });
    let facts = Facts::with_bytes(FACTS).about(asked, attacker);
    let control = Control::new(request.limits.of_search(start), stop).watched(observer.node_counter());
    let table = request.limits.hash / TABLE_SHARE.1 * TABLE_SHARE.0;
    let root = start_of(&settled.chess, &request.exclusive, asked);
    let prover = Prover::for_report(request.limits.syzygy, &root, attacker, asked.goal(), table);
    let pool = DeciderPool::new(Decider::new(prover, &facts, Meter::new(&control)), request.limits.threads, threads);
    let mut workers = Workers { pool, observer };
    let diagram = Diagram {
        chess: &settled.chess,
        root,
        exclusive: &request.exclusive,
        attacker,
        asked,
        max_proof: (request.limits.hash - table) / BYTES_PER_PROOF_NODE,
        scribe: Scribe::of(&settled.chess),
    };
    let mut reporter = Reporter { problem, diagram, memory, report: &mut report };
    let found = reporter.search(&mut workers);
    let stopped = workers.stopped();
    let with_tables = workers.first().parts().0.has_used_syzygy();
    // The tree gets the memory of the table.
    drop(workers);
    let outcome = found.map(|found| {
        if let Some(found) = found {
            reporter.fill_in(found, stopped.is_none());
            reporter.report.verdict.with_tables = with_tables;
            compare_phases(reporter.report);
        }
    });
    report.stats = stats("decider", control.nodes(), start, &request.limits, stopped);
    match outcome {
        Ok(()) => report,
        Err(why) => failed(report, why),
    }
}

/// Sets the phases side by side, as far as the options of the report ask for it.
fn compare_phases(report: &mut Report) {
    if report.options.phases_table {
        report.phases_table = themes::table(report);
    }
    if report.options.themes {
        report.themes = Some(themes::themes(report));
    }
}

/// The results of the search so far.
struct Searched {
    first_moves: FirstMoves,
    /// Whether all first moves are decided.
    decided: bool,
    refuted: Option<Refuted>,
    plays: Plays,
    tries: Option<Vec<FoundTry>>,
    set_play: Option<PlayRoot>,
}

/// Fills one report in.
struct Reporter<'r> {
    problem: &'r Problem,
    diagram: Diagram<'r>,
    /// The memory of the plays, in bytes.
    memory: usize,
    report: &'r mut Report,
}

impl Reporter<'_> {
    /// Searches. Returns what is found; `None` if the diagram needs no search. An error is a claim that did not pass
    /// its check.
    fn search(&mut self, workers: &mut Workers<'_, '_>) -> Result<Option<Searched>, String> {
        if let Some(verdict) = self.without_search()? {
            self.report.verdict = Verdict { complete: true, ..verdict };
            return Ok(None);
        }
        let first_moves = if self.diagram.asked.defender_begins() {
            let bound = self.diagram.asked.moves().unwrap_or(MateLength::MAX);
            find_mate(&self.diagram, bound, workers)?
        } else {
            find_keys(&self.diagram, self.diagram.asked.moves(), workers)?
        };
        // The verdict rests on the first moves alone: what stops the rest of the report does not change it.
        let decided = workers.stopped().is_none();
        let refuted = self.refuted_post_key(&first_moves, workers);
        let (plays, tries, set_play) = self.explore(&first_moves, refuted.as_ref().map(|found| found.root), workers);
        Ok(Some(Searched { first_moves, decided, refuted, plays, tries, set_play }))
    }

    /// Returns the verdict on a diagram that needs no search: the side to move has no legal move, or the attacker must
    /// mate or stalemate in it, which the report then states.
    fn without_search(&mut self) -> Result<Option<Verdict>, String> {
        let Diagram { chess, root, scribe, .. } = self.diagram;
        if !root.has_move() {
            return Ok(judge::game_over(chess, self.diagram.asked));
        }
        let kind = self.diagram.kind();
        if rules::over(self.diagram.goal(), &root, kind).is_none() {
            return Ok(None);
        }
        self.report.must_mate = written(scribe, &root, &judge::ends_in_one(chess, &root, self.diagram.goal().end)?);
        Ok(Some(Verdict { soundness: Soundness::NoSolution, ..Verdict::bare(Status::NoSolution) }))
    }

    /// Fills the report in. `complete`: no limit was reached.
    fn fill_in(&mut self, mut found: Searched, complete: bool) {
        self.write(&mut found);
        let Searched { first_moves, decided, plays, .. } = found;
        let solved = self.report.post_key.filter(|_| first_moves.shortest.is_some());
        self.report.duals = unfold::duals(&self.report.keys, solved, &self.report.tree);
        self.report.verdict = judge::verdict(self.report, &first_moves, decided, self.diagram.asked.moves());
        self.report.verdict.complete = complete;
        self.report.verdict.truncated = plays.truncated;
    }

    /// Looks for tries and set play as far as they are asked for, and explores all plays of the report.
    fn explore(
        &mut self,
        first_moves: &FirstMoves,
        refuted_post_key: Option<PlayRoot>,
        workers: &mut Workers<'_, '_>,
    ) -> (Plays, Option<Vec<FoundTry>>, Option<PlayRoot>) {
        let options = self.report.options;
        let mut plays = Plays::new(self.diagram.goal());
        if options.extent == Extent::Soundness {
            return (plays, None, None);
        }
        let whole = options.extent == Extent::WholeSolution;
        let mut roots: Vec<PlayRoot> = Vec::new();
        if whole {
            roots.extend(first_moves.keys().map(|(first, length)| after_key(&first.after, self.play_length(length))));
            roots.extend(self.post_key_root(first_moves).or(refuted_post_key));
        }
        // Tries fail within the stipulated length, or within that of the shortest mate if none is stipulated.
        let length =
            self.diagram.asked.moves().or(first_moves.shortest).filter(|_| !self.diagram.asked.defender_begins());
        let set_play = length.filter(|_| options.set_play).and_then(|length| self.set_play_root(length));
        roots.extend(set_play);
        let tries = match (length, options.tries) {
            (Some(length), Some(max)) if workers.stopped().is_none() => {
                find_tries(&self.diagram, first_moves, length, max, workers)
            }
            _ => None,
        };
        if whole {
            roots.extend(tries.iter().flatten().filter_map(|found| try_root(found, length)));
        }
        plays.explore(roots, options, self.memory, workers);
        // Where the defender must be forced to make the last move, set play does not count if it leaves him a choice.
        let is_set = |root: &PlayRoot| plays.get(root).is_none_or(|facts| facts.unanswered == 0);
        let set_play = set_play.filter(|root| !self.diagram.goal().is_self() || is_set(root));
        (plays, tries, set_play)
    }

    /// Finds the refutations of a diagram after the key that fails, and warns if the wrong side seems to be to move.
    fn refuted_post_key(&mut self, first_moves: &FirstMoves, workers: &mut Workers<'_, '_>) -> Option<Refuted> {
        let wanted =
            self.diagram.asked.defender_begins() && first_moves.shortest.is_none() && workers.stopped().is_none();
        let left = self.diagram.asked.moves().filter(|_| wanted)?;
        let control = workers.first().parts().1.control();
        if self.report.why.is_none() {
            self.report.warnings.extend(post_key::wrong_side(&self.diagram, left, control));
        }
        let options = self.report.options;
        // Popeye leaves out the defences that allow the threats.
        let kind = if options.full_length { PlayKind::Try } else { PlayKind::FailedKey };
        let refuted = post_key::refuted(&self.diagram, first_moves, self.diagram.asked.moves(), kind, workers)
            .filter(|_| options.extent == Extent::WholeSolution)?;
        let Diagram { root, scribe, .. } = self.diagram;
        if let Some(why) = &mut self.report.why {
            let lines = refuted.refutations.iter().map(|&m| {
                let after = root.play(m);
                let line = post_key::line(workers.first(), &after, left)?;
                let line = std::iter::once((root, m)).chain(line);
                Ok(line.map(|(position, m)| scribe.ply(&position, m)).collect())
            });
            match lines.collect::<Result<_, StopReason>>() {
                Ok(lines) => why.lines = lines,
                Err(reason) => workers.stop(reason),
            }
        }
        Some(refuted)
    }

    fn post_key_root(&self, first_moves: &FirstMoves) -> Option<PlayRoot> {
        let shortest = first_moves.shortest.filter(|_| self.diagram.asked.defender_begins())?;
        Some(PlayRoot { position: self.diagram.root, left: self.play_length(shortest), kind: PlayKind::Solution })
    }

    /// Returns the number of moves that the play has in which the attacker mates in exactly `length` moves.
    fn play_length(&self, length: MateLength) -> MateLength {
        self.diagram.asked.moves().filter(|_| self.report.options.full_length).unwrap_or(length)
    }

    /// The diagram with the defender to move, if there can be set play.
    fn set_play_root(&mut self, length: MateLength) -> Option<PlayRoot> {
        let Some(passed) = self.diagram.root.pass() else {
            let sentence = "there is no set play: the side to move is in check and cannot leave the move to the other";
            self.report.warnings.push(sentence.to_owned());
            return None;
        };
        let goal = self.diagram.goal();
        let has_moves = |left: &MateLength| *left > MateLength(0) || goal.is_self();
        let left =
            length.shorter().filter(|left| has_moves(left) && rules::over(goal, &passed, NodeKind::And).is_none())?;
        Some(PlayRoot { position: passed, left, kind: PlayKind::SetPlay })
    }

    /// Writes keys, tries and set play into the report, with their tree.
    fn write(&mut self, found: &mut Searched) {
        let Searched { first_moves, refuted, plays, tries, set_play, .. } = found;
        let Diagram { root, scribe, .. } = self.diagram;
        let named = judge::named_keys(self.problem, self.diagram.chess);
        let mut tree = TreeBuilder::new(plays, scribe);
        let mut keys: Vec<_> =
            first_moves.keys().map(|(first, length)| (length, scribe.ply(&root, first.m), first)).collect();
        keys.sort_by(|a, b| (a.0, &a.1.uci).cmp(&(b.0, &b.1.uci)));
        for (length, ply, first) in keys {
            self.report.keys.push(Key {
                ply,
                mate_in: length.0,
                exact: first.is_exact(),
                intended: named.as_ref().map(|named| named.contains(&first.m)),
                features: features(&root, first.m),
                next: tree.add(&after_key(&first.after, self.play_length(length))),
            });
        }
        let post_key = self.post_key_root(first_moves).or(refuted.as_ref().map(|found| found.root));
        self.report.post_key = post_key.and_then(|root| play_id(tree.add(&root)));
        self.report.post_key_refutations =
            refuted.as_ref().map_or_else(Vec::new, |found| written(scribe, &root, &found.refutations));
        self.report.set_play = set_play
            .and_then(|root| play_id(tree.add(&root)))
            .map(|play| SetPlay { complete: tree.tree.play(play).unshown == 0, play });
        let length = self.diagram.asked.moves().or(first_moves.shortest);
        let with_play = self.report.options.tries_with_play;
        self.report.tries = tries.take().map(|tries| {
            let mut written_tries: Vec<Try> = tries
                .into_iter()
                .map(|found| {
                    let ply = scribe.ply(&root, found.m);
                    let next = try_root(&found, length).map_or(Next::Cut, |root| tree.add(&root));
                    let refutations = written(scribe, &found.after, &found.refutations);
                    Try { trivial: ply.check, ply, refutations, next }
                })
                .collect();
            written_tries.retain(|it| !with_play || has_play(&tree.tree, it.next));
            written_tries.sort_by(|a, b| a.ply.uci.cmp(&b.ply.uci));
            written_tries
        });
        let open: Vec<Move> = first_moves.open().map(|first| first.m).collect();
        self.report.first_moves = FirstMoveCounts {
            total: first_moves.moves.len(),
            refuted: first_moves.refuted().count(),
            open: written(scribe, &root, &open),
        };
        self.report.tree = Arc::new(tree.tree);
    }
}

/// Returns whether play has a threat, a defence that loses, or something that a limit left out.
fn has_play(tree: &crate::results::report::Tree, next: Next) -> bool {
    let Next::Play(id) = next else { return next == Next::Cut };
    let play = tree.play(id);
    play.cut || play.unshown > 0 || play.continuations().next().is_some()
}

fn try_root(found: &FoundTry, length: Option<MateLength>) -> Option<PlayRoot> {
    let left = length?.shorter()?;
    Some(PlayRoot { position: found.after, left, kind: PlayKind::Try })
}

fn play_id(next: Next) -> Option<PlayId> {
    if let Next::Play(id) = next { Some(id) } else { None }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn plays_that_do_not_fit_the_memory_are_left_out() {
        let problem = Problem::read("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - dm 3;").expect("a problem");
        let of = |memory| {
            let (request, stop) = (ReportRequest::default(), AtomicBool::new(false));
            guarded(|| attempt(&problem, &request, memory, ReportContext::new(&stop))).expect("a report")
        };
        let whole = of(1 << 20);
        assert!(whole.verdict.complete && plays::bytes_of(&whole) < 1 << 20);
        for (memory, plays) in [(0, 0), (500, 1)] {
            let cut = of(memory);
            assert_eq!(cut.stats.stopped_by, Some(crate::results::solution::StoppedBy::Memory), "{memory}");
            assert_eq!((cut.verdict.soundness, cut.keys.len()), (whole.verdict.soundness, 1));
            assert!(!cut.verdict.complete && cut.tree.is_cut(cut.keys[0].next));
            assert!(cut.tree.plays().len() == plays && whole.tree.plays().len() > plays);
        }
    }

    #[test]
    fn a_panic_becomes_a_report_that_names_the_position() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - id \"Prinz\";").expect("a problem");
        let report = unbroken(&problem, ReportOptions::default(), || panic!("on purpose"));
        assert!(report.internal_failure && report.keys.is_empty() && report.id.as_deref() == Some("Prinz"));
        let error = report.error.unwrap_or_default();
        assert_eq!(error, "the report broke down on the position 5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1; please report it");
    }
}
