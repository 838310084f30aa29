//! Compares an answer with what its line claims: a length (`dm 3`, `bm #3`, a stipulation), first moves (`bm Kf7`) and
//! the printed solution, as an audit reads it.
//!
//! A claim is wrong only if that is proved: "longer" needs a refutation of the claimed length, "shorter" a checked
//! proof of a shorter solution, "wrong move" a refutation of the position after the move, or a move that is not legal.
//! A claim that a limit leaves open is "not found".

use std::sync::atomic::AtomicBool;

use shakmaty::{Move, Position as _};

use crate::audit::PublishedPhase;
use crate::audit::helped::holds;
use crate::chess::{MateLength, Side};
use crate::problem::input::Entry;
use crate::problem::{Problem, Question};
use crate::proof::played;
use crate::published::{PrintedLine, PrintedLines, PrintedSolution, Published, uci};
use crate::results::Solution;
use crate::results::report::Soundness;
use crate::results::solution::{Check, MoveOutcome, Outcome, Status};
use crate::solve::{Limits, MovesWanted, NodeCount, Request, solve, solve_both_sides, solve_moves};

/// The largest number of nodes of the question whether the other side mates.
const OTHER_SIDE_NODES: u64 = 50_000;

/// The things that a check of a line finds out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checking {
    /// Whether the claims of the line are right.
    Claims,
    /// Besides, which first moves mate as fast as possible.
    AllMoves,
}

/// A line of a batch whose claims are compared with the answers.
pub(super) struct Claims<'a> {
    pub entry: &'a Entry,
    pub problem: &'a Problem,
    pub request: &'a Request,
    pub stop: &'a AtomicBool,
    pub nodes: &'a NodeCount,
}

impl Claims<'_> {
    /// Solves a problem and compares the answer with the line. The nodes and the time of the further questions count.
    pub(super) fn answer(&self, checking: Checking) -> Solution {
        // A published solution that cannot be read or played is not compared.
        let published = Published::of(self.entry).map_err(|error| error.to_string());
        let phases = published.as_ref().map_err(Clone::clone).and_then(PublishedPhase::all);
        // The problem is the first phase that can be solved.
        let phase = match phases {
            // The diagram of a zero position is no phase, and the printed solutions are of others.
            Ok(phases) => phases
                .into_iter()
                .filter_map(|(_, phase)| phase.ok())
                .find(|phase| phase.problem.chess.board() == self.problem.chess.board()),
            Err(why) => {
                let result = Outcome::bare(Status::Invalid);
                return Solution { result, error: Some(why), ..Solution::of(self.problem) };
            }
        };
        let mut solution = solve_both_sides(self.problem, self.request, self.stop, &mut self.nodes.clone()).solution;
        solution.check = self.verdict(&mut solution, phase.as_ref());
        if checking == Checking::AllMoves {
            self.add_first_moves(&mut solution);
        }
        solution
    }

    /// Adds the answers for all first moves to the solution of a shortest mate: a move either mates in as many moves or
    /// not at all in time. Each has the limits of the request.
    fn add_first_moves(&self, solution: &mut Solution) {
        let (Status::Mate | Status::Solved, true, Some(n)) =
            (solution.result.status, solution.result.proved_shortest, solution.result.length())
        else {
            return;
        };
        let stipulation = self.problem.question.stipulation;
        if stipulation.is_helped() || stipulation.defender_begins() {
            return;
        }
        let within = self.problem.clone().stipulated(stipulation.within(Some(MateLength(n))));
        let within = Problem { question: Question { first: true, ..within.question }, ..within };
        let answer = solve_moves(&within, self.request, MovesWanted::All, self.stop, &mut |_: &MoveOutcome| ());
        add_cost(solution, &answer);
        if !answer.internal_failure {
            solution.moves = answer.moves;
        }
    }

    /// Returns `None` if there is no answer to compare with.
    fn verdict(&self, solution: &mut Solution, phase: Option<&PublishedPhase<'_>>) -> Option<Check> {
        let (chess, question) = (&self.problem.chess, &self.problem.question);
        if let Some(soundness) = solution.result.soundness {
            let text = phase.map_or("", |phase| phase.part.text);
            return Some(help_play(soundness, &PrintedLines::read(text, chess, question.stipulation), self.problem));
        }
        if solution.internal_failure {
            return None;
        }
        // The first move of the side that is mated is no key.
        let phase = phase.filter(|_| !question.stipulation.defender_begins());
        let printed = phase.map_or_else(PrintedSolution::default, |phase| phase.read(chess));
        let claimed = claimed_length(self.problem);
        if !printed.names_key() && phase.is_some_and(PublishedPhase::has_claims) {
            solution.warnings.push("the printed solution names no key, so it is not compared".to_owned());
        }
        if claimed.is_none() && !printed.names_key() {
            return Some(Check::Unclaimed);
        }
        let found = match (solution.result.status, solution.result.length()) {
            (Status::Solved, Some(n)) => n,
            (Status::Mate, Some(n)) if !self.problem.question.stipulation.defender_begins() => n,
            (Status::Mated, Some(n)) if self.problem.question.stipulation.defender_begins() => n,
            (Status::Mate | Status::Mated, _) => return Some(Check::WrongSide),
            _ if self.other_side_mates(solution) => return Some(Check::WrongSide),
            _ => u16::MAX,
        };
        let refuted = solution.result.refuted_through;
        match claimed {
            Some(claimed) if found < claimed => return Some(Check::Shorter),
            Some(claimed) if refuted >= Some(claimed) => return Some(Check::Longer),
            Some(claimed) if found > claimed => return Some(Check::NotFound),
            None if solution.result.no_mate_at_all => return Some(Check::WrongMove),
            None if !solution.result.proved_shortest => return Some(Check::NotFound),
            _ => {}
        }
        let keys = printed.keys();
        let moves = chess.legal_moves().into_iter().filter(|&m| keys.contains(&uci(m)));
        // A wrong move decides, whatever the others are.
        let checks: Vec<Check> = moves.map(|m| self.first_move(m, found, solution)).collect();
        let faulty = printed.has_faulty_key().then_some(Check::WrongMove);
        let worst = faulty.or([Check::WrongMove, Check::NotFound].into_iter().find(|check| checks.contains(check)));
        Some(worst.unwrap_or(Check::Ok))
    }

    /// Asks whether the side mates that should be mated, within the claimed length.
    fn other_side_mates(&self, solution: &mut Solution) -> bool {
        if !self.problem.question.stipulation.goal().is_mate() {
            return false;
        }
        if !self.problem.question.stipulation.defender_begins() {
            return solution.other_side.as_ref().is_some_and(|other| other.status == Status::Mated);
        }
        let other = self.problem.clone().stipulated(self.problem.question.stipulation.begun_by(Side::Attacker));
        let limit = self.request.limits.nodes.unwrap_or(u64::MAX).min(OTHER_SIDE_NODES);
        let request = Request { limits: Limits { nodes: Some(limit), ..self.request.limits }, ..*self.request };
        let other = self.further(solution, &other, &request);
        other.result.status == Status::Mate
    }

    /// Asks whether a first move mates in `length` moves.
    fn first_move(&self, m: Move, length: u16, solution: &mut Solution) -> Check {
        let Problem { chess, exclusive, .. } = self.problem;
        let (after, uci) = (played(chess, m, exclusive), m.to_uci(chess.castles().mode()).to_string());
        let is_mate = self.problem.question.stipulation.goal().is_mate();
        if (is_mate && after.is_checkmate()) || solution.result.pv.as_ref().is_some_and(|pv| pv.first() == Some(&uci)) {
            return Check::Ok;
        }
        let rest = self.problem.question.stipulation.within(Some(MateLength(length))).after_first();
        let Some(rest) = rest.filter(|rest| rest.half_moves() > Some(0) || !is_mate) else { return Check::WrongMove };
        let position = Problem { exclusive: exclusive.clone(), ..Problem::of_position(&after, rest) };
        let answer = self.further(solution, &position, self.request);
        match answer.result.status {
            Status::Mated | Status::Solved => Check::Ok,
            Status::NoMate | Status::Stalemate | Status::NoSolution => Check::WrongMove,
            _ => Check::NotFound,
        }
    }

    /// Asks a further question, whose cost counts.
    fn further(&self, solution: &mut Solution, problem: &Problem, request: &Request) -> Solution {
        let answer = solve(problem, request, self.stop, &mut self.nodes.clone());
        add_cost(solution, &answer);
        answer
    }
}

/// Compares help play with what its stipulation claims: as many solutions as intended, and none that is shorter; and
/// with what is printed: lines that can be played and reach the goal.
fn help_play(soundness: Soundness, printed: &PrintedLines, problem: &Problem) -> Check {
    let is_wrong = |line: &PrintedLine| !line.is_set && !holds(problem, &problem.chess, line);
    match soundness {
        _ if !printed.misprints.is_empty() || printed.lines.iter().any(is_wrong) => Check::WrongMove,
        Soundness::Sound => Check::Ok,
        Soundness::ShortSolution => Check::Shorter,
        Soundness::NoSolution => Check::Longer,
        Soundness::Cooked | Soundness::Incomplete => Check::WrongNumber,
        Soundness::Undecided => Check::NotFound,
    }
}

/// Returns the length that the line states, in moves, if it is one of this question.
fn claimed_length(problem: &Problem) -> Option<u16> {
    let stated = problem.claim.or(problem.stated.stipulation.map(|said| said.value))?;
    let is_of_question = stated.within(None) == problem.question.stipulation.within(None);
    stated.moves().filter(|_| is_of_question).map(|moves| moves.0)
}

/// Adds the cost of a further question.
fn add_cost(solution: &mut Solution, further: &Solution) {
    solution.stats.nodes += further.stats.nodes;
    solution.stats.time_ms += further.stats.time_ms;
    if further.stats.stopped_by == Some(crate::results::solution::StoppedBy::Interrupt) {
        solution.stats.stopped_by = further.stats.stopped_by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::input::{Reading, entries};

    fn entry(line: &str) -> Entry {
        entries(line.as_bytes(), 0, Reading::default()).next().unwrap()
    }

    fn check(line: &str) -> Option<Check> {
        let request = Request { limits: Limits { nodes: Some(200_000), ..Limits::default() }, ..Request::default() };
        let (stop, nodes) = (AtomicBool::new(false), NodeCount::default());
        let entry = &entry(line);
        let problem = entry.problem.as_ref().unwrap();
        Claims { entry, problem, request: &request, stop: &stop, nodes: &nodes }.answer(Checking::Claims).check
    }

    #[test]
    fn every_claim_gets_its_verdict() {
        let (two, three) = ("5Kbk/6pp/6P1/8/8/8/8/7R w - -", "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -");
        let mated = "5Kbk/6pp/6PR/8/8/8/8/8 b - -";
        for (line, expected) in [
            (format!("{two} dm 2; bm Rh6;"), Some(Check::Ok)),
            (format!("{two} bm #2;"), Some(Check::Ok)),
            (format!("{two} bm h1h6;"), Some(Check::Ok)),
            (format!("{two} dm 1;"), Some(Check::Longer)),
            (format!("{three} dm 2; bm Qf1;"), Some(Check::Longer)),
            (format!("{two} dm 3;"), Some(Check::Shorter)),
            (format!("{two} dm 2; bm Rh5;"), Some(Check::WrongMove)),
            (format!("{two} dm 2; bm Rh6 Rh5;"), Some(Check::WrongMove)),
            (format!("{two} bm Ke4;"), Some(Check::WrongMove)),
            (format!("{mated} dm 3;"), Some(Check::WrongSide)),
            (format!("{two} bm #-2;"), Some(Check::WrongSide)),
            (format!("{mated} bm #-1;"), Some(Check::Ok)),
            (format!("{two} dm 2; bm Rh6#;"), Some(Check::WrongMove)),
            (two.to_owned(), Some(Check::Unclaimed)),
        ] {
            assert_eq!(check(&line), expected, "{line}");
        }
        // Every one of several keys is right, also one that is not in the main line.
        let two_keys = "7k/8/5K2/6Q1/8/8/8/8 w - -";
        assert_eq!(check(&format!("{two_keys} dm 1; bm Qg7#;")), Some(Check::Ok));
        assert_eq!(check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;"), Some(Check::NotFound));
        let castles = "nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K - dm 2; bm";
        assert_eq!(check(&format!("{castles} Rf1 O-O;")), Some(Check::Ok));
        assert_eq!(check(&format!("{castles} Kf2;")), Some(Check::WrongMove));
    }

    #[test]
    fn a_printed_solution_is_compared_wherever_it_stands() {
        let two = |fields: &str| format!(r##"{{"fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -","stipulation":"#2",{fields}}}"##);
        let men = r##""algebraic":{"white":["Kf8","Rh1","Pg6"],"black":["Kh8","Bg8","Ph7","Pg7"]},"stipulation":"#2""##;
        let helped =
            |text: &str| format!(r#"{{"fen":"8/8/8/8/8/1K6/7R/k7 b - -","stipulation":"h#1","solution":"{text}"}}"#);
        for (line, expected) in [
            (two(r#""solution":"1.Rh6! gxh6 2.g7#""#), Check::Ok),
            (two(r#""solution":["1.Rh5!","1...Ba2 2.R:h7#"]"#), Check::WrongMove),
            (two(r#""Solution":"1.Th5!""#), Check::WrongMove),
            (two(r#""solution":"1.Qd1!""#), Check::WrongMove),
            (two(r#""solution":"see below""#), Check::Ok),
            (two(r#""keys":["Rh6"]"#), Check::Ok),
            (two(r#""keys":"Rh6, Rh5""#), Check::WrongMove),
            (two(r#""moves":"h1h6 g7h6 g6g7""#), Check::Ok),
            (format!(r#"{{{men},"solution":"1.Rh5!"}}"#), Check::WrongMove),
            (format!(r#"{{{men},"keys":"Rh5"}}"#), Check::WrongMove),
            ("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; solution \"1.Rh5!\";".to_owned(), Check::WrongMove),
            (two(r#""twins":{"a":"Move h1 g2"},"solution":"1.Rg2-h2!""#), Check::Ok),
            (two(r#""twins":{"b":"Move h1 h2"},"solution":"a)\n1.Rh5!\nb)\n1.Rh2-h6!""#), Check::WrongMove),
            (helped("1.Kb1 Rh1#"), Check::Ok),
            (helped("1...Rh1#  1.Kb1 Rh1#"), Check::Ok),
            (helped("1.Kb1 Rh8"), Check::WrongMove),
            (helped("1.Kb2 Rh1#"), Check::WrongMove),
        ] {
            assert_eq!(check(&line), Some(expected), "{line}");
        }
    }

    #[test]
    fn the_claims_of_a_selfmate_are_checked_as_those_of_a_mate() {
        // A selfmate in one: whatever White's last move is, Black has one reply, which mates or not.
        let one = "8/8/8/8/8/1p6/rq6/k1K5 w - -";
        assert_eq!(check(&format!("{one} stip \"s#1\";")), Some(Check::Longer));
        let two = "8/8/8/8/8/2k5/7q/K7 w - -";
        for (operations, expected) in
            [("stip \"s#1\"; bm Kb1;", Some(Check::Longer)), ("stip \"s#\";", Some(Check::Unclaimed))]
        {
            assert_eq!(check(&format!("{two} {operations}")), expected, "{operations}");
        }
    }

    #[test]
    fn all_first_moves_of_the_shortest_mate_are_found() {
        let mates = |line: &str, nodes| {
            let request = Request { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Request::default() };
            let entry = &entry(line);
            let problem = entry.problem.as_ref().unwrap();
            let (stop, nodes) = (AtomicBool::new(false), NodeCount::default());
            let claims = Claims { entry, problem, request: &request, stop: &stop, nodes: &nodes };
            let solution = claims.answer(Checking::AllMoves);
            let moves = solution.moves.as_ref()?.iter().filter(|m| m.outcome.mate_in.is_some());
            let mut mates: Vec<_> = moves.map(|m| format!("{} {:?}", m.san, m.outcome.mate_in)).collect();
            mates.sort();
            Some(mates.join(", "))
        };
        let queen = "7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7;";
        assert_eq!(mates(queen, 200_000).as_deref(), Some("Qg7# Some(1)"));
        let castles = "nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K - dm 2;";
        assert_eq!(mates(castles, 200_000).as_deref(), Some("O-O Some(2), Rf1 Some(2)"));
        // A mate that is not proved to be the shortest, no mate, and the play of the side that is mated have none.
        for line in
            ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;", "5Kbk/6pp/6PR/8/8/8/8/8 b - - dm 3;"]
        {
            assert_eq!(mates(line, 2_000), None, "{line}");
        }
    }
}
