//! Solves, lists first moves, reports and mends, with the options of a request.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use matesolve::output::report::{Depth, Letters, ReportFormat, ReportStyle};
use matesolve::output::{self, Format, workbench};
use matesolve::problem::Asked;
use matesolve::problem::question::Said;
use matesolve::report::{Castling, ReportEvent, ReportObserver, ReportRequest, invalid};
use matesolve::results::report::Extent;
use matesolve::results::solution::MoveOutcome;
use matesolve::shakmaty::Square;
use matesolve::solve::{MovesObserver, MovesWanted, Request, registry};
use matesolve::workbench::{Refused, WorkbenchObserver, WorkbenchRequest};
use matesolve::{Event, Observer};
use matesolve::{Solution, Solver};
use serde_json::{Map, Value, json};

use crate::gave_up::GaveUp;
use crate::options::{Options, Refusal, attacker, moves_of, stipulation};
use crate::read::{self, Given, Reading};
use crate::watch::{FOREVER, Send, Watch};

/// The most memory that can be asked for, in MiB. A module of 32 bits has 4 GiB in all.
const MOST_MEMORY: u64 = 2048;

const CASTLING: [(Castling, &str); 3] =
    [(Castling::Fen, "fen"), (Castling::Assume, "assume"), (Castling::None, "none")];

/// The limits of a search: time, nodes and memory.
struct Limits {
    time: Duration,
    nodes: Option<u64>,
    hash: usize,
}

impl Limits {
    fn read(options: &mut Options) -> Result<Limits, Refusal> {
        let hash = options.number("hash", 1, MOST_MEMORY)?.unwrap_or(256);
        Ok(Limits {
            time: options.number("time", 1, u64::MAX)?.map_or(FOREVER, Duration::from_millis),
            nodes: options.number("nodes", 0, u64::MAX)?,
            hash: usize::try_from(hash << 20).unwrap_or(usize::MAX),
        })
    }

    /// Returns a solver for this request within these limits, and what watches its search.
    fn solver(&self, request: Request) -> (Solver, Watch) {
        let watch = Watch::start();
        let request = request.with(|request| {
            (request.limits.time, request.limits.nodes, request.limits.hash) = (Some(self.time), self.nodes, self.hash);
        });
        (Solver::with_request(request).stopped_by(watch.stop.clone()), watch)
    }

    /// Sets the limits so that no search takes place.
    fn without_search(self, gave_up: Option<&GaveUp>) -> Limits {
        if gave_up.is_some() { Limits { nodes: Some(0), hash: 1 << 16, ..self } } else { self }
    }
}

/// Returns what a request asks beside the problem.
fn question(options: &mut Options) -> Result<Asked, Refusal> {
    let (mate, any) = (moves_of(options, "mate")?, options.switch("anyLength")?);
    if mate.is_some() && any {
        return Err("mate and anyLength exclude one another; give one of them".to_owned());
    }
    let any = any.then_some(Said { value: None, by: "anyLength" });
    let asked = Asked {
        length: mate.map(|moves| Said { value: Some(moves), by: "mate" }).or(any),
        first: options.switch("first")?.then_some(Said { value: true, by: "first" }),
        ..stipulation(options)?
    };
    asked.of_request().map_err(|error| error.to_string())
}

/// Solves a problem and returns its result as JSON.
pub(crate) fn solve(
    text: &str,
    mut options: Options,
    gave_up: Option<&GaveUp>,
    send: Send<'_>,
) -> Result<String, Refusal> {
    let mut told = question(&mut options)?;
    let limits = Limits::read(&mut options)?;
    let name = options.text("engine")?.unwrap_or_else(|| registry::ENGINES[0].name.to_owned());
    let engine = registry::engine(&name).ok_or_else(|| format!("there is no engine {name}"))?;
    told.colors = attacker(&mut options)?;
    told.defend = options.switch("defend")?.then_some(Said { value: true, by: "defend" });
    let other_side = options.optional_switch("otherSide")?.unwrap_or(true);
    let reading = read::one(text, &told, &mut options)?;
    options.finish("solve")?;
    let request = Request::default().with(|request| request.engine = engine);
    let solution = match reading {
        Err(error) => Solution::invalid(None, &error),
        // Nothing is searched: there may be no memory left but that of the module itself.
        Ok(Given { problem, .. }) if let Some(why) = gave_up => why.solution(Solution::of(&problem), &name),
        Ok(Given { problem, .. }) => {
            let (solver, watch) = limits.solver(request);
            let mut events = SolveEvents { send, what: problem.question.stipulation.goal().noun(), watch };
            let answer = if other_side {
                solver.solve_both_sides(&problem, &mut events)
            } else {
                solver.solve_observed(&problem, &mut events)
            };
            answer.solution
        }
    };
    Ok(Format::Jsonl.single(&solution))
}

/// Answers the question for each first move and returns the result as JSON.
pub(crate) fn moves(
    text: &str,
    mut options: Options,
    gave_up: Option<&GaveUp>,
    send: Send<'_>,
) -> Result<String, Refusal> {
    let told = question(&mut options)?;
    let lines = options.small("lines", 255)?;
    let limits = Limits::read(&mut options)?.without_search(gave_up);
    let reading = read::one(text, &told, &mut options)?;
    options.finish("moves")?;
    let problem = match reading {
        Err(error) => return Ok(Format::Jsonl.single(&Solution::invalid(None, &error))),
        Ok(given) => given.problem,
    };
    if problem.question.stipulation.is_helped() || problem.question.stipulation.defender_begins() {
        return Err("moves lists the moves of a side that strives for the goal while the other resists; \
                    solve answers this stipulation"
            .to_owned());
    }
    let wanted = lines.map_or(MovesWanted::All, |count| MovesWanted::Best(count.into()));
    let (solver, watch) = limits.solver(Request::default());
    let solution = solver.first_moves(&problem, wanted, &mut MovesEvents { send, watch });
    let solution = gave_up.map_or(solution.clone(), |why| why.solution(solution, registry::ENGINES[0].name));
    Ok(Format::Jsonl.single(&solution))
}

/// Sends the events of a search to the host. `what` is the noun for a solution: `mate`, `selfmate`.
struct SolveEvents<'a> {
    send: Send<'a>,
    what: &'static str,
    watch: Watch,
}

impl Observer for SolveEvents<'_> {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        let (kind, n, text) = match event {
            Event::Mate(tree) => ("mate", tree.length(), format!("{} in ≤ {} claimed", self.what, tree.length())),
            Event::Refuted(n) => ("refuted", n, format!("no {} in {n}", self.what)),
            Event::Building { .. } => return,
        };
        (self.send)(&json!({ "kind": kind, "moves": n.0, "text": text, "nodes": nodes }).to_string());
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.watch.nodes))
    }
}

/// Sends the answers for first moves to the host.
struct MovesEvents<'a> {
    send: Send<'a>,
    watch: Watch,
}

impl MovesObserver for MovesEvents<'_> {
    fn answered(&mut self, first: &MoveOutcome) {
        let nodes = self.watch.nodes.load(Relaxed);
        let text = format!("1. {} decided", first.san);
        let event = json!({ "kind": "move", "san": first.san, "move": first, "text": text, "nodes": nodes });
        (self.send)(&event.to_string());
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.watch.nodes))
    }
}

/// Makes a report. Returns it as JSON, or in the formats that are asked for.
pub(crate) fn report(
    text: &str,
    mut options: Options,
    gave_up: Option<&GaveUp>,
    send: Send<'_>,
) -> Result<String, Refusal> {
    let formats = formats(&mut options)?;
    let style = ReportStyle {
        letters: options.choice("letters", &Letters::NAMES.map(|(letters, name)| (letters, name)))?,
        depth: options.parsed::<Depth>("depth")?,
    };
    let length = moves_of(&mut options, "mate")?.map(|moves| Said { value: Some(moves), by: "mate" });
    let told = Asked { length, colors: attacker(&mut options)?, ..stipulation(&mut options)? };
    let mut told = told.of_request().map_err(|error| error.to_string())?;
    told.intended = options.small("intended", 1000)?.map(|value| Said { value, by: "intended" });
    let reading = read::one(text, &told, &mut options)?;
    let request = report_request(&mut options, &reading)?;
    let (solver, watch) = Limits::read(&mut options)?.without_search(gave_up).solver(Request::default());
    options.finish("report")?;
    let report = match reading {
        Err(error) => invalid(&error, request.options),
        Ok(Given { problem, .. }) => {
            let report = solver.report_observed(&problem, request, &ReportEvents { send, watch });
            match gave_up {
                Some(why) => why.report(report),
                None => report,
            }
        }
    };
    if formats.is_empty() {
        return Ok(ReportFormat::Jsonl.write(&report, style));
    }
    let write = |format: ReportFormat| output::plain(&format.write(&report, style));
    let written = formats.into_iter().map(|(format, name)| (name.to_owned(), Value::from(write(format))));
    Ok(Value::from(written.collect::<Map<_, _>>()).to_string())
}

/// Looks for sound versions of a problem. Returns the answer of the workbench as JSON; null if the problem is sound.
pub(crate) fn mend(
    text: &str,
    mut options: Options,
    gave_up: Option<&GaveUp>,
    send: Send<'_>,
) -> Result<String, Refusal> {
    let told = stipulation(&mut options)?;
    let (key, promoted) = (options.text("key")?, options.switch("promoted")?);
    let (changes, proposals) = (options.small("changes", 2)?, options.small("proposals", 1000)?);
    let limits = Limits::read(&mut options)?;
    let reading = read::one(text, &told, &mut options)?;
    options.finish("mend")?;
    if let Some(warning) = gave_up.map(|why| why.warning()) {
        return Err(warning.unwrap_or_else(|| "the workbench broke down; please report the position".to_owned()));
    }
    let problem = reading.map_err(|error| error.to_string())?.problem;
    let request = WorkbenchRequest::default().with(|request| {
        (request.key, request.promoted) = (key, promoted);
        request.changes = changes.map_or(request.changes, |most| if most == 1 { 1 } else { 2 });
        request.proposals = proposals.map_or(request.proposals, usize::from);
    });
    let (solver, _) = limits.solver(Request::default());
    match solver.mend(&problem, &request, &MendEvents(send)) {
        Ok(found) => Ok(workbench::json::of_proposals(&problem.fen, problem.question.stipulation, &found)),
        Err(Refused::Sound) => Ok("null".to_owned()),
        Err(refused) => Err(refused.to_string()),
    }
}

/// Sends the progress of the workbench to the host.
struct MendEvents<'a>(Send<'a>);

impl WorkbenchObserver for MendEvents<'_> {
    fn tried(&self, tried: u64, sound: u64) {
        let text = format!("{tried} diagrams tried, {sound} sound");
        (self.0)(&json!({ "kind": "tried", "tried": tried, "sound": sound, "text": text, "nodes": 0 }).to_string());
    }
}

/// Returns the formats that are asked for; `json` stands for both forms of JSON.
fn formats(options: &mut Options) -> Result<Vec<(ReportFormat, &'static str)>, Refusal> {
    let known = || ReportFormat::WORDS.into_iter().filter(|&(format, ..)| format != ReportFormat::Jsonl);
    let find = |name: String| {
        let names = || known().map(|(_, name, _)| name).collect::<Vec<_>>().join(", ");
        let found = known().find(|&(_, known, _)| known == name).map(|(format, name, _)| (format, name));
        found.ok_or_else(|| format!("there is no format \"{name}\"; the formats are {}", names()))
    };
    options.texts("formats")?.into_iter().map(find).collect()
}

/// Reads the request of a report. What the text of the problem asks for is added to it.
fn report_request(options: &mut Options, reading: &Reading) -> Result<ReportRequest, Refusal> {
    let soundness = options.switch("soundness")?;
    let most_nodes = options.number("maxTreeNodes", 1, u64::from(u32::MAX))?;
    let mut request = ReportRequest::default();
    let parts = &mut request.options;
    parts.show(options.tries()?);
    parts.set_play = options.switch("setPlay")?;
    parts.phases_table = options.switch("phases")?;
    parts.themes = options.switch("themes")?;
    parts.extent = if soundness { Extent::Soundness } else { Extent::WholeSolution };
    parts.post_key = options.switch("postKey")?;
    parts.short_variations = options.switch("shortVariations")?;
    if options.switch("full")? {
        parts.add_full();
    }
    if let Some(most) = most_nodes {
        parts.max_tree_nodes = usize::try_from(most).unwrap_or(usize::MAX);
    }
    let castling = options.choice("castling", &CASTLING)?;
    let pairs = options.texts("castlingExclusive")?;
    request.exclusive = pairs.iter().map(|text| rook_pair(text)).collect::<Result<Vec<_>, _>>()?;
    if let Ok(given) = reading {
        parts.add_asked(given.set_play, given.tries);
        parts.post_key |= given.post_key;
        request.castling = castling.unwrap_or(given.castling);
        request.proves_en_passant = given.proves_en_passant;
    }
    Ok(request)
}

/// Reads the squares of two rooks, such as `a1h8`.
fn rook_pair(text: &str) -> Result<(Square, Square), Refusal> {
    let square = |part: Option<&str>| part.and_then(|part| part.parse::<Square>().ok());
    match (square(text.get(..2)), square(text.get(2..))) {
        (Some(a), Some(b)) if a != b => Ok((a, b)),
        _ => Err(format!("castlingExclusive \"{text}\" does not name two rooks; write their squares, such as a1h8")),
    }
}

/// Sends the events of a report to the host.
struct ReportEvents<'a> {
    send: Send<'a>,
    watch: Watch,
}

impl ReportObserver for ReportEvents<'_> {
    fn event(&self, event: ReportEvent, nodes: u64) {
        let text = event.to_string();
        let mut event = match event {
            ReportEvent::Refuted(n) => json!({ "kind": "refuted", "moves": n.0 }),
            ReportEvent::Key { san, moves } => json!({ "kind": "key", "san": san, "moves": moves.0 }),
            ReportEvent::FirstMoves { decided, total, .. } => {
                json!({ "kind": "firstMoves", "decided": decided, "total": total })
            }
            ReportEvent::Try { san, refutations } => json!({ "kind": "try", "san": san, "refutations": refutations }),
            ReportEvent::Tree { plays } => json!({ "kind": "tree", "plays": plays }),
            _ => return,
        };
        event["text"] = text.into();
        event["nodes"] = nodes.into();
        (self.send)(&event.to_string());
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.watch.nodes))
    }
}
