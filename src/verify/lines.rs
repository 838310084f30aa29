//! The check of a result of help play: every line of its lists is legal, as long as claimed, and ends with the goal,
//! and no line stands twice in a list. That there are no other lines is not checked.

use std::collections::HashSet;
use std::ops::ControlFlow::{self, Break, Continue};

use shakmaty::Chess;
use shakmaty::uci::UciMove;

use crate::chess::{MoveCode, Stipulation, passed};
use crate::proof::helped::Replayer;
use crate::results::help::{HelpLines, HelpSolutions};
use crate::results::solution::Status;

use super::{LineCheck, LineFault};

/// Checks the lists of a result with this status. In `start` the side that begins is to move.
pub(super) fn check(
    help: Option<&HelpSolutions<HelpLines>>,
    start: &Chess,
    asked: Stipulation,
    status: Status,
) -> Result<LineCheck, LineFault> {
    let solutions = help.map_or(0, |help| help.solutions.len());
    match (status, solutions) {
        (Status::Solved, 0) => return Err(LineFault::Missing("solutions")),
        (Status::NoSolution, 1..) => return Err(LineFault::NotNone),
        _ => {}
    }
    let Some(help) = help else { return Ok(LineCheck::NoMateClaimed) };
    holds("solutions", &help.solutions, start, Some(asked))?;
    let mut all = solutions;
    if let Some(short) = &help.short_solutions {
        let first = short.first().ok().flatten();
        holds("short_solutions", short, start, first.and_then(|line| shorter(asked, line.moves.len())))?;
        all += short.len();
    }
    if let Some(set_play) = help.set_play.as_ref().filter(|set_play| !set_play.is_empty()) {
        let fault = LineFault::HelpLine { list: "set_play", number: 1, twice: false };
        let left = asked.set_play().ok_or_else(|| fault.clone())?;
        let same = left.begins() == asked.begins();
        let start = if same { start.clone() } else { passed(start).ok_or(fault)? };
        holds("set_play", set_play, &start, Some(left))?;
        all += set_play.len();
    }
    Ok(if all == 0 { LineCheck::NoMateClaimed } else { LineCheck::HelpLines(all) })
}

/// Returns the question of short solutions with this number of half-moves; `None` if there is none.
fn shorter(asked: Stipulation, half_moves: usize) -> Option<Stipulation> {
    let half_moves = u16::try_from(half_moves).ok().filter(|&count| Some(count) < asked.half_moves() && count > 0)?;
    let shorter = asked.of_half_moves(half_moves);
    (shorter.begins() == asked.begins()).then_some(shorter)
}

/// Replays the lines of the list `name`. Without a question, the list must be empty.
fn holds(name: &'static str, lines: &HelpLines, start: &Chess, asked: Option<Stipulation>) -> Result<(), LineFault> {
    let mut rules = asked.map(|asked| Replayer::new(start, asked, &[]));
    let (mut seen, mut number) = (HashSet::new(), 0);
    let walked = lines.each(|line| {
        number += 1;
        let codes: Option<Vec<MoveCode>> = line.moves.iter().map(|text| code(text)).collect();
        let codes = codes.filter(|codes| {
            let replayed = rules.as_mut().and_then(|rules| rules.replay(codes));
            replayed.is_some_and(|replayed| replayed.reciprocal == line.reciprocal)
        });
        let twice = codes.is_some();
        if codes.is_some_and(|codes| seen.insert(codes)) {
            Continue(())
        } else {
            Break(LineFault::HelpLine { list: name, number, twice })
        }
    });
    walked.ok().and_then(ControlFlow::break_value).map_or(Ok(()), Err)
}

fn code(text: &str) -> Option<MoveCode> {
    match text.parse().ok()? {
        UciMove::Normal { from, to, promotion } => Some(MoveCode::new(from, to, promotion)),
        _ => None,
    }
}
