//! The lines of an answer of help play, each replayed by the checker, within the limits.
//!
//! The search returns the solutions as a graph, which may stand for more lines than anybody can write. Their list takes
//! about half of the memory at most: the search ends with as many as have room there. Beyond the first thousand a line
//! costs a node, and needs the time that is left. So the answer says what a limit cut off.

use std::ops::ControlFlow::{Break, Continue};

use crate::chess::Stipulation;
use crate::proof::VerifiedFlag;
use crate::proof::helped::{ReplayedLine, Replayer};
use crate::proof::picture::Picture;
use crate::results::help::{HelpLine, HelpPhase};
use crate::search::help::HelpAnswer;
use crate::search::{Meter, StopReason};

/// The number of lines that no limit but the memory cuts off.
pub(crate) const PAGE: usize = 1000;

/// Returns the memory that a line takes in a list, approximately, in bytes.
pub(super) fn bytes_of_a_line(stipulation: Stipulation) -> usize {
    128 + 64 * stipulation.half_moves().map_or(0, usize::from)
}

/// The checker refused a line: the search is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused;

/// The lines that are kept of an answer.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub list: Vec<HelpLine>,
    /// The limit that cut the others off, if there are others.
    pub cut: Option<StopReason>,
    /// Whether there are lines.
    pub verified: VerifiedFlag,
}

/// Replays the lines of an answer, as far as the limits of `meter` allow.
pub(super) fn kept(
    answer: &HelpAnswer,
    mut replayer: Replayer,
    phase: HelpPhase,
    meter: &mut Meter<'_>,
) -> Result<Kept, Refused> {
    let mut lines = Kept::default();
    let ended = answer.each(|line| {
        if lines.list.len() >= PAGE
            && let Err(why) = meter.node().and_then(|()| meter.looks(line.len()))
        {
            return Break(Ok(why));
        }
        let Some(found) = replayer.replay(line) else { return Break(Err(Refused)) };
        if lines.list.is_empty() {
            lines.verified = VerifiedFlag::by_line(&found);
        }
        let ReplayedLine { san, uci: moves, reciprocal, mate: Picture { pure, model, ideal }, .. } = found;
        let (plies, reciprocal_plies) = (Vec::new(), Vec::new());
        lines.list.push(HelpLine { phase, san, moves, reciprocal, pure, model, ideal, plies, reciprocal_plies });
        Continue(())
    });
    // It ends early when as many lines as wanted are visited.
    lines.cut = ended.break_value().flatten().transpose()?;
    Ok(lines)
}
