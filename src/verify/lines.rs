//! The check of a result of help play: every line of its lists is legal, as long as claimed, and ends with the goal,
//! and no line stands twice in a list. That there are no other lines is not checked.

use std::collections::HashSet;

use serde::Deserialize;
use serde::de::IgnoredAny;
use shakmaty::{Chess, uci::UciMove};

use crate::chess::{MoveCode, Stipulation, passed};
use crate::proof::helped::Replayer;

use super::fault::{LineCheck, LineFault};

/// A list of lines in a result.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum ClaimedList {
    Lines(Vec<ClaimedLine>),
    /// The field of the same name in a result of another kind.
    Other(IgnoredAny),
}

#[derive(Deserialize)]
pub(super) struct ClaimedLine {
    moves: Vec<String>,
}

/// The lists of lines in a result of help play.
#[derive(Deserialize)]
pub(super) struct ClaimedLists {
    solutions: Option<ClaimedList>,
    short_solutions: Option<ClaimedList>,
    set_play: Option<ClaimedList>,
}

impl ClaimedLists {
    /// Checks the lists of a result with this status. In `start` the side that begins is to move.
    pub(super) fn check(&self, start: &Chess, asked: Stipulation, status: &str) -> Result<LineCheck, LineFault> {
        let solutions = lines(self.solutions.as_ref());
        match (status, solutions.is_empty()) {
            ("solved", true) => return Err(LineFault::Missing("solutions")),
            ("no_solution", false) => return Err(LineFault::NotNone),
            _ => {}
        }
        holds("solutions", solutions, start, Some(asked))?;
        let short = lines(self.short_solutions.as_ref());
        holds("short_solutions", short, start, short.first().and_then(|line| shorter(asked, line.moves.len())))?;
        let set_play = lines(self.set_play.as_ref());
        if !set_play.is_empty() {
            let fault = LineFault::HelpLine { list: "set_play", number: 1, twice: false };
            let left = asked.set_play().ok_or_else(|| fault.clone())?;
            let same = left.begins() == asked.begins();
            let start = if same { start.clone() } else { passed(start).ok_or(fault)? };
            holds("set_play", set_play, &start, Some(left))?;
        }
        let all = solutions.len() + short.len() + set_play.len();
        Ok(if all == 0 { LineCheck::NoMateClaimed } else { LineCheck::HelpLines(all) })
    }
}

fn lines(list: Option<&ClaimedList>) -> &[ClaimedLine] {
    match list {
        Some(ClaimedList::Lines(lines)) => lines,
        Some(ClaimedList::Other(_)) | None => &[],
    }
}

/// Returns the question of short solutions with this number of half-moves; `None` if there is none.
fn shorter(asked: Stipulation, half_moves: usize) -> Option<Stipulation> {
    let half_moves = u16::try_from(half_moves).ok().filter(|&count| Some(count) < asked.half_moves() && count > 0)?;
    let shorter = asked.of_half_moves(half_moves);
    (shorter.begins() == asked.begins()).then_some(shorter)
}

/// Replays the lines of the list `name`. Without a question, the list must be empty.
fn holds(
    name: &'static str,
    lines: &[ClaimedLine],
    start: &Chess,
    asked: Option<Stipulation>,
) -> Result<(), LineFault> {
    let mut replayer = asked.map(|asked| Replayer::new(start, asked, &[]));
    let mut seen = HashSet::new();
    for (number, line) in (1..).zip(lines) {
        let fault = |twice: bool| LineFault::HelpLine { list: name, number, twice };
        let codes: Option<Vec<MoveCode>> = line.moves.iter().map(|text| code(text)).collect();
        let codes = codes.ok_or(fault(false))?;
        if !replayer.as_mut().is_some_and(|replayer| replayer.holds(&codes)) {
            return Err(fault(false));
        }
        if !seen.insert(codes) {
            return Err(fault(true));
        }
    }
    Ok(())
}

fn code(text: &str) -> Option<MoveCode> {
    match text.parse().ok()? {
        UciMove::Normal { from, to, promotion } => Some(MoveCode::new(from, to, promotion)),
        _ => None,
    }
}
