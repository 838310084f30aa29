//! Limits the depth of the play in a report, so that a person can read it.
//!
//! Depth is counted in moves of the attacker; the key is move 1. Play after the last move that is shown is left out and
//! marked as cut. Without `--depth` the text format chooses the depth itself: it shows all play of a mate in at most
//! four moves, and that of longer mates to move 2, or as deep as a text of 500 lines allows. If an unsound problem has
//! more than three keys and none is intended, the keys are only named.

use std::str::FromStr;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::results::SidedStipulation;
use crate::results::report::{Continuation, Next, Pass, Play, PlayId, Report, SetPlay, Soundness, Tree, Variation};

/// The longest mate, in moves, whose play is shown whole, however long the text is.
const ALWAYS_WHOLE: u16 = 4;

/// The least depth that is shown of a longer mate: the key, and the attacker's answer to each defence.
const LEAST_DEPTH: u16 = 2;

/// The most keys of an unsound problem whose play is shown, unless one of them is intended.
pub(super) const SHOWN_KEYS: usize = 3;

/// The most lines of a text that is deeper than [`LEAST_DEPTH`].
const READABLE_LINES: usize = 500;

/// The depth of the play that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The play to this move of the attacker, at least 1.
    Moves(u16),
    /// All play.
    All,
}

impl FromStr for Depth {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Depth, &'static str> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Depth::All);
        }
        text.parse().ok().filter(|&moves| moves >= 1).map(Depth::Moves).ok_or("write a number of moves from 1, or all")
    }
}

/// Returns the report with its play to move `depth`, which `options.depth` of the result states; `None` if the report
/// has no deeper play.
pub(crate) fn limited(report: &Report, depth: u16) -> Option<Report> {
    let mut limited = Report { phases: Vec::new(), duals: Vec::new(), ..report.clone() };
    let mut pruner = Pruner { from: &report.tree, to: Tree::default(), done: HashMap::new(), depth, cut: false };
    for key in &mut limited.keys {
        key.next = pruner.next(key.next, 1);
    }
    for attempt in limited.tries.iter_mut().flatten() {
        attempt.next = pruner.next(attempt.next, 1);
    }
    let mut begun = |play: PlayId| match pruner.next(Next::Play(play), 1) {
        Next::Play(play) => Some(play),
        Next::End(_) | Next::Cut => None,
    };
    limited.set_play = report.set_play.and_then(|set| Some(SetPlay { play: begun(set.play)?, ..set }));
    limited.post_key = report.post_key.and_then(begun);
    if !pruner.cut {
        return None;
    }
    limited.options.depth = Some(depth);
    limited.duals.extend(report.duals.iter().filter(|dual| dual.at_move <= depth).cloned());
    limited.tree = Arc::new(pruner.to);
    Some(limited)
}

/// Returns the report with the play that fits a readable text; `None` if all its play does. `lines` counts the lines of
/// a report's text.
pub(crate) fn readable(report: &Report, lines: impl Fn(&Report) -> usize) -> Option<Report> {
    let is_unsound = matches!(report.verdict.soundness, Soundness::ShortSolution | Soundness::Cooked);
    let is_intended = report.keys.iter().any(|key| key.intended == Some(true));
    if is_unsound && !is_intended && report.keys.len() > SHOWN_KEYS {
        return limited(report, 1);
    }
    let stipulated = report.stipulation.as_ref().and_then(SidedStipulation::moves);
    if stipulated.or(report.verdict.mate_in).is_some_and(|moves| moves <= ALWAYS_WHOLE) {
        return None;
    }
    let mut shown = limited(report, LEAST_DEPTH)?;
    for depth in LEAST_DEPTH + 1.. {
        let deeper = limited(report, depth);
        if lines(deeper.as_ref().unwrap_or(report)) > READABLE_LINES {
            break;
        }
        shown = deeper?;
    }
    Some(shown)
}

/// Copies a tree to a depth. It does not read rows ([`Row`](crate::results::report::Row)), because it makes a play
/// after those below it, and a play twice at two depths.
struct Pruner<'t> {
    from: &'t Tree,
    to: Tree,
    /// The plays that are copied, by their index and the number of the defender's move. The same play may stand at two
    /// depths, after a short variation.
    done: HashMap<(PlayId, u16), PlayId>,
    depth: u16,
    /// Whether something was left out.
    cut: bool,
}

impl Pruner<'_> {
    /// Copies the play after the attacker's move with this number.
    fn next(&mut self, next: Next, number: u16) -> Next {
        let Next::Play(id) = next else { return next };
        if number >= self.depth && self.from.closing(next).is_none() {
            self.cut = true;
            return Next::Cut;
        }
        if let Some(&copied) = self.done.get(&(id, number)) {
            return Next::Play(copied);
        }
        let play = self.from.play(id);
        let pass = match &play.pass {
            Pass::Threats(threats) => Pass::Threats(self.continuations(threats, number)),
            pass => pass.clone(),
        };
        let variations = play
            .variations
            .iter()
            .map(|variation| Variation {
                continuations: self.continuations(&variation.continuations, number),
                ..variation.clone()
            })
            .collect();
        let mut copy = Play { pass, variations, ..play.clone() };
        copy.cut = copy.cut || copy.continuations().any(|continuation| self.to.is_cut(continuation.next));
        let copied = self.to.push(copy);
        self.done.insert((id, number), copied);
        Next::Play(copied)
    }

    fn continuations(&mut self, continuations: &[Continuation], number: u16) -> Vec<Continuation> {
        let copy = |continuation: &Continuation| Continuation {
            next: self.next(continuation.next, number + 1),
            ..continuation.clone()
        };
        continuations.iter().map(copy).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Stipulation;
    use crate::output::sample::report;

    #[test]
    fn depths_are_read() {
        assert_eq!(["3", "all", "ALL"].map(str::parse), [Ok(Depth::Moves(3)), Ok(Depth::All), Ok(Depth::All)]);
        for text in ["", "0", "-1", "x", "99999"] {
            assert!(text.parse::<Depth>().is_err(), "{text}");
        }
    }

    #[test]
    fn play_after_the_depth_is_cut() {
        let keys = limited(&report(), 1).unwrap();
        assert_eq!((keys.keys[0].next, keys.set_play, keys.tree.plays().len()), (Next::Cut, None, 0));
        let two = limited(&report(), 2).unwrap();
        let Some(Next::Play(attempt)) = two.tries.as_ref().map(|tries| tries[0].next) else {
            panic!("the try has play")
        };
        assert_eq!(two.tree.play(attempt).threats()[0].next, Next::Cut);
        assert_eq!(two.options.depth, Some(2));
        assert_eq!(limited(&report(), 3).map(|report| report.options.depth), None);
    }

    #[test]
    fn a_long_text_of_a_long_mate_is_limited() {
        let depth = |report: &Report, lines: usize| readable(report, |_| lines).and_then(|report| report.options.depth);
        assert_eq!(depth(&report(), usize::MAX), None, "the sample is a mate in two");
        let mut long = report();
        long.stipulation = Some(SidedStipulation::of(Stipulation::parse("#5").unwrap(), shakmaty::Color::White));
        assert_eq!(depth(&long, READABLE_LINES + 1), Some(LEAST_DEPTH));
        assert_eq!(depth(&long, READABLE_LINES), None);
    }
}
