//! The check of a result of help play of a stated length: every line of its lists is legal, as long as claimed, and
//! ends with the goal, its notation is that of its moves, no line stands twice in a list, and the status is what the
//! lists say, as are the main line, the length and the verdict, if they are stated. That there are no other lines is
//! not checked.

use std::collections::HashSet;

use shakmaty::Chess;

use crate::chess::{MoveCode, Stipulation};
use crate::proof::helped::Replayer;
use crate::results::help::{HelpLine, HelpSolutions};
use crate::results::solution::{Outcome, Status};
use crate::results::{SidedStipulation, Solution};

use super::{LineCheck, LineFault};

/// Checks the lists of a result. In `start` the side that begins is to move.
pub(super) fn check(solution: &Solution, question: SidedStipulation, start: &Chess) -> Result<LineCheck, LineFault> {
    let (result, asked) = (&solution.result, question.stipulation);
    let Some(help) = &solution.help else {
        let is_empty = result.status != Status::Solved && result.pv.is_none();
        return if is_empty { Ok(LineCheck::NoMateClaimed) } else { Err(LineFault::Missing("solutions")) };
    };
    let of = |part: Stipulation| asked.begun_as(part, start).map(|start| (start, part));
    holds("solutions", &help.solutions, of(asked))?;
    let mut all = help.solutions.len();
    if let Some(short) = &help.short_solutions {
        // A result does not say that the other side was to move, before whose only move a series can be empty.
        let empty = asked.set_play().filter(|_| asked.is_series());
        holds("short_solutions", short, asked.shorter().chain(empty).filter_map(of))?;
        all += short.len();
    }
    if let Some(set_play) = &help.set_play {
        let parts = asked.set_play().into_iter().flat_map(|left| left.shorter().chain([left]));
        holds("set_play", set_play, parts.filter_map(of))?;
        all += set_play.len();
    }
    says_the_same(result, help, question)?;
    Ok(if all == 0 { LineCheck::NoMateClaimed } else { LineCheck::HelpLines(all) })
}

/// Compares the answer with what the lists say.
fn says_the_same(result: &Outcome, help: &HelpSolutions, question: SidedStipulation) -> Result<(), LineFault> {
    let said = Outcome::of_help(question.stipulation, help);
    let differing = [
        ("status", said.status != result.status),
        ("soundness", result.soundness.is_some() && result.soundness != said.soundness),
        ("solved_in", result.solved_in.is_some() && result.solved_in != said.solved_in),
        ("pv", result.pv.is_some() && result.pv != said.pv),
    ];
    differing.into_iter().find(|(_, differs)| *differs).map_or(Ok(()), |(field, _)| Err(LineFault::OtherClaim(field)))
}

/// Replays the lines of the list `name`, each by the question of its length.
fn holds(
    name: &'static str,
    lines: &[HelpLine],
    questions: impl IntoIterator<Item = (Chess, Stipulation)>,
) -> Result<(), LineFault> {
    let rules =
        |(start, asked): (Chess, Stipulation)| (asked.half_moves().map(usize::from), Replayer::new(&start, asked, &[]));
    let mut rules: Vec<_> = questions.into_iter().map(rules).collect();
    let mut seen = HashSet::new();
    for (line, number) in lines.iter().zip(1..) {
        let codes: Option<Vec<MoveCode>> = line.moves.iter().map(|text| MoveCode::of_uci(text)).collect();
        let codes = codes.filter(|codes| {
            let rules = rules.iter_mut().find(|(half_moves, _)| *half_moves == Some(codes.len()));
            let replayed = rules.and_then(|(_, rules)| rules.replay(codes));
            let is_written = |san: &str| line.san.is_empty() || line.san == san;
            replayed.is_some_and(|replayed| replayed.reciprocal == line.reciprocal && is_written(&replayed.san))
        });
        let twice = codes.is_some();
        if !codes.is_some_and(|codes| seen.insert(codes)) {
            return Err(LineFault::HelpLine { list: name, number, twice });
        }
    }
    Ok(())
}
