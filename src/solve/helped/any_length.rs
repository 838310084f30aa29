//! Solves `h#`, the helpmate without a length: the shortest one, or the proof that none exists.
//!
//! | answer | status | what it rests on |
//! |---|---|---|
//! | helpmate in n (proved shortest) | `solved` | a replayed line, and a search of all shorter lengths or the set of all positions |
//! | helpmate in ≤ n | `solved` | a line that the checker replays |
//! | no helpmate of any length | `no_solution` | the material, the squares that the men ever reach, or the set of all positions |
//! | undecided | `undecided` | |
//!
//! A line is replayed as one of the helpmate of its own length. If the king of the diagram is mated already, the
//! checker confirms that. If the length is proved shortest, a report asks for all solutions of it, too.

use shakmaty::Position as _;

use crate::chess::{End, Play, Position, Stipulation};
use crate::problem::Problem;
use crate::proof::VerifiedFlag;
use crate::proof::helped::Replayer;
use crate::results::help::{HelpPhase, HelpSolutions};
use crate::results::solution::{Outcome, Status, StoppedBy};
use crate::results::{SidedStipulation, Solution};
use crate::search::StopReason;
use crate::search::help::{self, AnyAnswer, AnyTask};

use super::super::judge;
use super::{HelpSearches, Refused, stats};

impl HelpSearches<'_> {
    /// Answers `h#`. Fails if the checker refuses a line.
    pub(super) fn any_length(&self, solution: &mut Solution) -> Result<(), Refused> {
        let Problem { chess: start, question, exclusive, .. } = self.problem;
        let limits = &self.request.limits;
        let position = Position::from_chess(start).with_exclusive_castling(exclusive);
        let task = AnyTask {
            position,
            mating: question.attacker,
            memory: limits.hash / 4 * 3,
            threads: limits.threads,
            first: question.first,
        };
        let answer = help::any(&task, &self.control, &self.counts);
        self.note(true, answer.stopped);
        // Several threads share the nodes of a turn as their timing has it.
        let is_alike = limits.threads <= 1 && !matches!(answer.stopped, Some(StopReason::Time | StopReason::Stopped));
        let outcome = self.outcome(&answer)?;
        let pv_repeatable = outcome.pv.as_ref().map(|line| is_alike || line.is_empty());
        solution.result = Outcome { pv_repeatable, ..outcome };
        let length = answer.line.as_ref().filter(|line| !line.is_empty() && answer.is_shortest()).map(Vec::len);
        if let Some(length) = length.filter(|_| self.request.lists_shortest) {
            let stipulation = helpmate(length);
            let solutions = self.lines(start, stipulation, 0, HelpPhase::Actual)?.list;
            let set_play = stipulation.set_play().filter(|_| question.set_play).map(|left| {
                let lengths = left.shorter().chain([left]);
                self.lines_of(lengths, HelpPhase::Set, false)
            });
            let (intended, set_play) = (question.intended.into(), set_play.transpose()?);
            let complete = self.complete.get();
            let help = HelpSolutions { solutions, short_solutions: None, set_play, intended, complete };
            solution.result.soundness = Outcome::of_help(stipulation, &help).soundness;
            solution.help = Some(help);
        }
        solution.stats = stats("help", self.control.nodes(), self.start, limits, self.stopped.get());
        if !self.complete.get() {
            solution.stats.stopped_by.get_or_insert(StoppedBy::Solutions);
        }
        Ok(())
    }

    /// Returns what an answer says, after a replay of its line.
    fn outcome(&self, answer: &AnyAnswer) -> Result<Outcome, Refused> {
        let Problem { chess: start, question, exclusive, .. } = self.problem;
        // The length of every mate is a whole number of moves, or each has half a move more. So no mate within three
        // half-moves means none within two moves where the mating side begins.
        let begins_half = u16::from(!question.stipulation.defender_begins());
        let refuted = u16::midpoint(answer.refuted, begins_half);
        let refuted_through = Some(refuted).filter(|&refuted| refuted > 0);
        let Some(line) = &answer.line else {
            let status = if answer.never { Status::NoSolution } else { Status::Undecided };
            let refuted_through = refuted_through.filter(|_| !answer.never);
            return Ok(Outcome { refuted_through, no_mate_at_all: answer.never, ..Outcome::bare(status) });
        };
        if line.is_empty() {
            let verified = judge::mated(self.problem).filter(|_| start.turn() != question.attacker).ok_or(Refused)?;
            let (pv, pv_san) = (Some(Vec::new()), Some(String::new()));
            let proved = Outcome { proved_shortest: true, verified, pv, pv_san, ..Outcome::bare(Status::Solved) };
            return Ok(Outcome { solved_in: Some(0.into()), ..proved });
        }
        let stipulation = helpmate(line.len());
        let replayed = Replayer::new(start, stipulation, exclusive).replay(line).ok_or(Refused)?;
        let is_consistent = usize::from(answer.refuted) < line.len() && !answer.never;
        if !is_consistent || stipulation.attacker(start.turn()) != question.attacker {
            return Err(Refused);
        }
        Ok(Outcome {
            solved_in: SidedStipulation::of(stipulation, start.turn()).length(),
            refuted_through,
            proved_shortest: answer.is_shortest(),
            verified: VerifiedFlag::by_line(&replayed),
            pv: Some(replayed.uci),
            pv_san: Some(replayed.san),
            ..Outcome::bare(Status::Solved)
        })
    }
}

/// Returns the helpmate of this number of half-moves.
pub(crate) fn helpmate(half_moves: usize) -> Stipulation {
    Stipulation::helped(Play::Help, End::Mate, u16::try_from(half_moves).unwrap_or(u16::MAX))
}
