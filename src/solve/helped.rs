//! Solves help play: lists the solutions, replays each, and says whether these are all.
//!
//! Shorter solutions are looked for first; a problem that has some is not sound. `h#` without a length is in
//! `any_length`.
//!
//! The search returns the solutions as a graph, of which `lines` makes a list within the limits.

mod any_length;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shakmaty::Chess;

use crate::base::clock::Instant;
use crate::base::guard::{Broken, guarded};
use crate::chess::{End, Position, Stipulation};
use crate::problem::Problem;
use crate::proof::helped::Replayer;
use crate::results::Solution;
use crate::results::help::{HelpLine, HelpPhase, HelpSolutions};
use crate::results::solution::{Outcome, StoppedBy};
use crate::search::help::{self, HelpTask, Rules};
use crate::search::{Control, HelpCounts, Meter, Observer, StopReason};

pub(crate) use any_length::helpmate;

use super::lines::{Kept, Refused, bytes_of_a_line, kept};
use super::{Limits, Request, stats};

/// Solves a problem of help play.
pub(super) fn solve(problem: &Problem, request: &Request, stop: &AtomicBool, observer: &dyn Observer) -> Solution {
    let mut solution = Solution::of(problem);
    let counts = observer.help_counts().unwrap_or_default();
    let counter = observer.node_counter().unwrap_or_else(|| Arc::clone(&counts.nodes));
    let searched = guarded(|| {
        let start = Instant::now();
        let searches = HelpSearches {
            control: Control::new(request.limits.of_search(start), stop).watched(Some(counter)),
            request,
            problem,
            start,
            counts,
            taken: Cell::new(0),
            complete: Cell::new(true),
            stopped: Cell::new(None),
        };
        searches.all(&mut solution)
    });
    let why = match searched {
        Ok(Ok(())) => return solution,
        Ok(Err(Refused)) => "the checker refuses a line".to_owned(),
        Err(Broken::Panicked) => "the search broke down".to_owned(),
        Err(Broken::NotRun(error)) => error.to_string(),
    };
    solution.failed(format!("help play failed on the position {}: {why}; please report it", problem.fen))
}

/// The searches of one problem, which share the limits.
struct HelpSearches<'a> {
    control: Control<'a>,
    request: &'a Request,
    problem: &'a Problem,
    start: Instant,
    counts: Arc<HelpCounts>,
    /// The memory that the solutions found so far take, in bytes.
    taken: Cell<usize>,
    /// Whether the solutions found so far are all.
    complete: Cell<bool>,
    /// The first limit that was reached.
    stopped: Cell<Option<StopReason>>,
}

impl HelpSearches<'_> {
    /// Notes whether these are all solutions, and the limit that was reached.
    fn note(&self, are_all: bool, stopped: Option<StopReason>) {
        self.complete.set(self.complete.get() && are_all);
        self.stopped.set(self.stopped.get().or(stopped));
    }

    /// Finds everything that is asked and writes it into the solution. Fails if the checker refuses a line.
    fn all(&self, solution: &mut Solution) -> Result<(), Refused> {
        let Problem { chess: start, question, .. } = self.problem;
        let stipulation = question.stipulation;
        if stipulation.half_moves().is_none() {
            return self.any_length(solution);
        }
        let short = self.lines_of(stipulation.shorter(), HelpPhase::Actual, question.stops_at_short)?;
        let short = Some(short).filter(|short| !short.is_empty());
        let stops = question.stops_at_short && short.is_some();
        let Kept { list: solutions, verified, .. } =
            if stops { Kept::default() } else { self.lines(start, stipulation, 0, HelpPhase::Actual)? };
        self.note(!stops, None);
        let set_play =
            stipulation.set_play().filter(|&left| question.set_play && stipulation.begun_as(left, start).is_some());
        let set_play =
            set_play.map(|left| self.lines_of(left.shorter().chain([left]), HelpPhase::Set, false)).transpose()?;
        // Of a list of moves all are wanted.
        let is_list = stipulation.goal().end == End::Any;
        let intended = if is_list { solutions.len().max(1) } else { question.intended.into() };
        let complete = self.complete.get();
        let help = HelpSolutions { solutions, short_solutions: short, set_play, intended, complete };
        solution.result = Outcome { verified, ..Outcome::of_help(stipulation, &help) };
        solution.help = Some(help);
        solution.stats = stats("help", self.control.nodes(), self.start, &self.request.limits, self.stopped.get());
        if !self.complete.get() {
            let why = if stops { StoppedBy::ShortSolutions } else { StoppedBy::Solutions };
            solution.stats.stopped_by.get_or_insert(why);
        }
        Ok(())
    }

    /// Returns the lines of several lengths. If it `stops`, those of the first length that has some.
    fn lines_of(
        &self,
        lengths: impl Iterator<Item = Stipulation>,
        phase: HelpPhase,
        stops: bool,
    ) -> Result<Vec<HelpLine>, Refused> {
        let Problem { chess, question, .. } = self.problem;
        let mut all = Vec::new();
        for length in lengths {
            let Some(start) = question.stipulation.begun_as(length, chess) else { continue };
            all.append(&mut self.lines(&start, length, all.len(), phase)?.list);
            if stops && !all.is_empty() {
                break;
            }
        }
        Ok(all)
    }

    /// Searches a question, of whose list `found` lines are known, and returns its lines, as far as the limits allow.
    fn lines(&self, start: &Chess, stipulation: Stipulation, found: usize, phase: HelpPhase) -> Result<Kept, Refused> {
        let exclusive = &self.problem.exclusive;
        let Limits { hash, threads, .. } = self.request.limits;
        let asked = self.problem.question.most.unwrap_or(usize::MAX).saturating_sub(found);
        let room = (hash / 2).saturating_sub(self.taken.get()) / bytes_of_a_line(stipulation);
        let task = HelpTask {
            position: Position::from_chess(start).with_exclusive_castling(exclusive),
            stipulation,
            // The list is made when the table is gone. A vector that grows needs some memory more.
            memory: hash.saturating_sub(self.taken.get()) / 4 * 3,
            threads,
            most: asked.min(room.max(1)),
            rules: Rules::ALL,
        };
        let answer = help::solve(&task, &self.control, &self.counts);
        let is_full = !answer.complete && answer.stopped.is_none() && task.most < asked;
        let mut meter = Meter::new(&self.control);
        let kept = kept(&answer, Replayer::new(start, stipulation, exclusive), phase, &mut meter)?;
        self.note(answer.complete && kept.cut.is_none(), answer.stopped.or(kept.cut));
        self.note(true, is_full.then_some(StopReason::Memory));
        self.taken.set(self.taken.get() + kept.list.len() * bytes_of_a_line(stipulation));
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    use crate::chess::Soundness;
    use crate::problem::{Asked, Colors};
    use crate::results::solution::Status;
    use crate::search::Silent;

    fn asked(fen: &str, text: &str, told: Asked) -> Problem {
        let stipulation = Stipulation::parse_any(text).unwrap();
        Problem::read(fen).unwrap().asked(&told.stipulation(stipulation, "-s").unwrap()).unwrap()
    }

    fn solved(fen: &str, text: &str, told: Asked) -> Solution {
        let problem = asked(fen, text, told);
        super::super::solve(&problem, &Request::default(), &AtomicBool::new(false), &mut Silent)
    }

    fn lists(solution: &Solution) -> HelpSolutions {
        solution.help.clone().unwrap()
    }

    fn san(lines: &[HelpLine]) -> Vec<&str> {
        lines.iter().map(|line| line.san.as_str()).collect()
    }

    #[test]
    fn black_begins_whatever_the_diagram_says() {
        for turn in ["w", "b"] {
            let solution = solved(&format!("8/8/8/8/8/1K6/7R/k7 {turn} - -"), "h#1", Asked::default());
            let help = lists(&solution);
            assert_eq!(san(&help.solutions), ["1.Kb1 Rh1#"]);
            assert!(help.complete && help.solutions[0].model);
            assert_eq!(solution.result.soundness, Some(Soundness::Sound));
            assert_eq!(solution.warnings.len(), usize::from(turn == "w"), "{:?}", solution.warnings);
            assert_eq!(solution.fen.as_deref(), Some("8/8/8/8/8/1K6/7R/k7 b - - 0 1"));
        }
        let white = Asked::default().colors(Colors::First(Color::White), "--begins").unwrap();
        let exchanged = solved("7r/8/8/8/8/1k6/8/K7 w - -", "h#1", white);
        assert_eq!(san(&lists(&exchanged).solutions), ["1.Kb1 Rh1#"]);
        assert_eq!(exchanged.stipulation.unwrap().attacker, Color::Black);
    }

    #[test]
    fn short_solutions_set_play_and_cooks_are_told_apart() {
        let asks = Asked::default().set_play(true, "--set-play").unwrap();
        let solution = solved("8/8/8/8/8/1K6/7R/k7 b - -", "h#2", asks);
        let help = lists(&solution);
        assert_eq!(solution.result.soundness, Some(Soundness::ShortSolution));
        assert_eq!(san(help.short_solutions.as_deref().unwrap()), ["1.Kb1 Rh1#"]);
        let set = help.set_play.unwrap();
        assert_eq!(set[0].san, "1...Rh1#", "the shorter ones come first");
        assert!(set.iter().all(|line| line.phase == HelpPhase::Set && line.san.starts_with("1...")), "{set:?}");
        let cooked = solved("8/8/8/8/8/2K5/7R/k7 b - -", "h#2", Asked::default());
        assert_eq!(cooked.result.soundness, Some(Soundness::Cooked));
        let count = cooked.help.unwrap().solutions.len();
        let told = Asked::default().intended(u16::try_from(count).unwrap(), "--intended").unwrap();
        let intended = solved("8/8/8/8/8/2K5/7R/k7 b - -", "h#2", told);
        assert_eq!((intended.result.soundness, intended.result.status), (Some(Soundness::Sound), Status::Solved));
    }

    #[test]
    fn a_list_takes_half_of_the_memory_at_most_and_says_what_is_missing() {
        let told = Asked::default().set_play(true, "--set-play").unwrap();
        let problem = asked("8/8/8/8/8/1k1K4/8/6RR b - -", "h#3", told);
        let of = |hash| {
            let request = Request { limits: Limits { hash, ..Limits::default() }, ..Request::default() };
            super::super::solve(&problem, &request, &AtomicBool::new(false), &mut Silent)
        };
        let (whole, cut) = (of(64 << 20), of(512 << 10));
        assert_eq!((lists(&whole).complete, lists(&whole).solutions.len()), (true, 2154));
        assert_eq!((cut.result.status, cut.stats.stopped_by), (Status::Undecided, Some(StoppedBy::Memory)));
        let bytes = |line: &HelpLine| bytes_of_a_line(helpmate(line.moves.len()));
        let help = lists(&cut);
        let taken: usize = help.parts().flat_map(|(_, lines)| lines).map(bytes).sum();
        // A list that found no room has one line.
        assert!((200 << 10..258 << 10).contains(&taken), "{taken} bytes");
        let json: serde_json::Value = serde_json::from_str(&crate::output::Format::Jsonl.single(&cut)).unwrap();
        assert_eq!((&json["complete"], &json["stats"]["stopped_by"]), (&false.into(), &"memory".into()));
    }

    #[test]
    fn the_limits_hold_for_the_lines_too() {
        let of = |fen: &str, asked: &str, nodes, hash| {
            let problem = self::asked(fen, asked, Asked::default());
            let request = Request { limits: Limits { nodes, hash, ..Limits::default() }, ..Request::default() };
            let solution = super::super::solve(&problem, &request, &AtomicBool::new(false), &mut Silent);
            let Solution { help, result, stats, .. } = solution;
            let help = help.unwrap();
            let count = help.parts().map(|(_, lines)| lines.len()).sum::<usize>();
            (count, help.complete, result.status, stats.stopped_by, stats.nodes)
        };
        // More lines than anybody can write are found at once: a page of them is kept, if there is memory for it.
        let series = "8/B7/RQ6/7k/8/8/6PP/3n2RK w - -";
        for (hash, least, limit) in [(64 << 20, 1000, StoppedBy::Nodes), (2 << 20, 400, StoppedBy::Memory)] {
            let (kept, complete, status, stopped, _) = of(series, "ser-h=30", Some(20_000), hash);
            assert!((least..20_000).contains(&kept), "{kept}");
            assert_eq!((complete, status, stopped), (false, Status::Undecided, Some(limit)));
        }
        // Beyond the first thousand each costs a node. 14 of them have two moves.
        let many = |nodes| of("8/8/8/8/8/1k1K4/8/6RR b - -", "h#3", nodes, 1 << 24);
        let (all, complete, .., nodes) = many(None);
        assert_eq!((all, complete), (2154 + 14, true));
        let cut = (2100 + 14, false, Status::Undecided, Some(StoppedBy::Nodes), nodes - 54);
        assert_eq!(many(Some(nodes - 54)), cut);
        assert_eq!(many(Some(nodes)), (2154 + 14, true, Status::Solved, None, nodes));
    }

    #[test]
    fn what_was_found_when_the_memory_is_full_is_kept() {
        let problem = asked("8/8/8/8/8/1k1K4/8/6RR b - -", "h#3", Asked::default());
        let request = Request { limits: Limits { hash: 1 << 14, ..Limits::default() }, ..Request::default() };
        let solution = super::super::solve(&problem, &request, &AtomicBool::new(false), &mut Silent);
        let help = lists(&solution);
        assert!(!help.complete && (1..2154).contains(&help.solutions.len()), "{} lines", help.solutions.len());
        assert_eq!((solution.stats.stopped_by, solution.result.status), (Some(StoppedBy::Memory), Status::Undecided));
    }

    #[test]
    fn a_line_that_the_checker_refuses_is_a_fault() {
        let start = Problem::read("8/8/8/8/8/2K5/7R/k7 b - -").unwrap();
        let [two, three] = ["h#2", "h#3"].map(|text| Stipulation::parse_any(text).unwrap());
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default().of_search(Instant::now()), &stop);
        let position = Position::from_chess(&start.chess);
        let (memory, threads, most, rules) = (1 << 20, 1, usize::MAX, Rules::ALL);
        let task = HelpTask { position, stipulation: two, memory, threads, most, rules };
        let answer = help::solve(&task, &control, &HelpCounts::default());
        let of = |stipulation| {
            let replayer = Replayer::new(&start.chess, stipulation, &[]);
            kept(&answer, replayer, HelpPhase::Actual, &mut Meter::new(&control))
        };
        assert_eq!(of(two).map(|kept| kept.list.len()), Ok(answer.count()));
        assert_eq!(of(three).map(|kept| kept.list.len()), Err(Refused), "its lines are too short for this question");
    }
}
