//! Searches for changed diagrams that are sound: versions of an unsound problem, and twins of a sound one.
//!
//! One change is tried first, in the order of the costs; then, for versions, two. A pair is tried only if the diagram
//! is cooked after each of its changes, and not by the same cook, because a cook that neither stops is rarely stopped
//! by both. The search for versions ends early when no change that is left can come before the worst proposal of a full
//! list.
//!
//! What must stay is in `requirements.rs`; which diagrams no game can lead to, in `chess::construction` and
//! `chess::last_moves`.

use shakmaty::Chess;

use super::Keep;
use super::change::{Change, Diagram, Priced, SquareMap, proposal, singles};
use super::judge::{Judged, Question};
use super::play::KeyPlay;
use super::requirements::{Changed, Sought};
use super::trials::{AT_ONCE, Trials, confirm, is_sound};
use crate::chess::construction::is_constructible;
use crate::chess::last_moves::{is_possible, taken_back};
use crate::chess::{Move, MoveCode, Position};
use crate::results::workbench::{Kept, LeftOut, Proposal, Proposals};
use crate::search::Interrupted;
use crate::search::decider::Decider;

/// The kind of proposal that the search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Sound versions; the more of the solution they keep, the better.
    Versions,
    /// Sound problems with another key; the more of the play is different, the better.
    Twins,
}

/// The order of proposals: the smaller comes first.
type Rank = (bool, u32);

/// The cost of losing all variations, in the unit of the costs in `change`.
const WHOLE_PLAY: usize = 200;

/// A diagram to try.
struct Trial {
    changes: Vec<Change>,
    cost: u32,
    /// The numbers of the single changes.
    of: Vec<usize>,
}

/// A diagram that was tried.
enum Tried {
    /// It cannot be played, or changes nothing.
    Out,
    /// It is left out for a reason that is counted.
    LeftOut(Reason),
    Judged(Judged),
    Sound(Box<Proposal>, Rank),
}

/// Why a diagram is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Promoted,
    Impossible,
    Unlike,
}

/// The search.
pub(super) struct Mend<'m, 'a, 'c> {
    sought: Sought<'m>,
    wanted: Wanted,
    trials: &'m mut Trials<'a, 'c>,
    found: Vec<(Rank, Proposal)>,
    result: Proposals,
}

/// The fault that one change leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RemainingFault {
    /// These of the known cooks still solve.
    Cooks(u64),
    /// A new first move solves.
    NewCook(MoveCode),
}

impl RemainingFault {
    /// Returns whether two changes together may leave nothing.
    fn is_mended_with(self, other: RemainingFault) -> bool {
        match (self, other) {
            (RemainingFault::Cooks(a), RemainingFault::Cooks(b)) => a & b == 0,
            (RemainingFault::NewCook(a), RemainingFault::NewCook(b)) => a != b,
            _ => true,
        }
    }
}

impl<'m, 'a, 'c> Mend<'m, 'a, 'c> {
    pub(super) fn new(sought: Sought<'m>, wanted: Wanted, trials: &'m mut Trials<'a, 'c>) -> Mend<'m, 'a, 'c> {
        Mend { sought, wanted, trials, found: Vec::new(), result: Proposals::default() }
    }

    /// Searches until everything is tried or a limit is reached.
    pub(super) fn run(mut self) -> Proposals {
        let singles = singles(&self.sought.given.diagram, self.wanted == Wanted::Twins);
        let first = (0..).zip(&singles).map(|(at, Priced { change, cost })| Trial {
            changes: vec![change.clone()],
            cost: *cost,
            of: vec![at],
        });
        let mut left: Vec<(usize, RemainingFault)> = Vec::new();
        let mut complete = self.try_all(&first.collect::<Vec<_>>(), &mut left);
        let enough = self.sought.request.changes == 1 || self.wanted == Wanted::Twins;
        if complete && !enough {
            complete = self.try_all(&pairs(&singles, &left), &mut Vec::new());
        }
        self.found.sort_by_key(|(rank, _)| *rank);
        let most = self.sought.request.proposals;
        self.result.proposals = self.found.into_iter().take(most).map(|(_, proposal)| proposal).collect();
        self.result.complete = complete;
        self.result
    }

    /// Tries diagrams. Returns whether all that could enter the list were tried.
    fn try_all(&mut self, trials: &[Trial], left: &mut Vec<(usize, RemainingFault)>) -> bool {
        for part in trials.chunks(AT_ONCE) {
            if part.first().is_some_and(|trial| self.is_full_for(trial.cost)) {
                return true;
            }
            let one = One { sought: self.sought, wanted: self.wanted, worst: self.worst() };
            let tried = self.trials.map(part, |decider, judge, trial| one.tried(decider, judge, trial));
            for (trial, tried) in part.iter().zip(tried) {
                self.take(trial, tried, left);
            }
            self.sought.observer.tried(self.result.tried, self.result.sound);
            if self.trials.is_stopped() {
                return false;
            }
        }
        true
    }

    fn take(&mut self, trial: &Trial, tried: Option<Tried>, left: &mut Vec<(usize, RemainingFault)>) {
        match tried {
            None if self.trials.is_stopped() => return,
            None => self.result.undecided += 1,
            Some(Tried::Out) => return,
            Some(Tried::LeftOut(reason)) => {
                let LeftOut { promoted, impossible, unlike } = &mut self.result.left_out;
                match reason {
                    Reason::Promoted => *promoted += 1,
                    Reason::Impossible => *impossible += 1,
                    Reason::Unlike => *unlike += 1,
                }
                return;
            }
            Some(Tried::Judged(Judged::Cooked { known, other })) => {
                let what = other.map_or(RemainingFault::Cooks(known), RemainingFault::NewCook);
                left.extend(trial.of.first().map(|&at| (at, what)));
            }
            Some(Tried::Judged(Judged::Sound(_))) => self.result.sound += 1,
            Some(Tried::Judged(_)) => {}
            Some(Tried::Sound(proposal, rank)) => {
                self.result.sound += 1;
                self.found.push((rank, *proposal));
            }
        }
        self.result.tried += 1;
    }

    /// Returns the rank that a proposal must be better than to enter the list; `None` if it is not full.
    fn worst(&self) -> Option<Rank> {
        let mut ranks: Vec<Rank> = self.found.iter().map(|(rank, _)| *rank).collect();
        ranks.sort_unstable();
        self.sought.request.proposals.checked_sub(1).and_then(|last| ranks.get(last).copied())
    }

    /// Returns whether the list is full of proposals that come before any of this cost.
    fn is_full_for(&self, cost: u32) -> bool {
        self.wanted == Wanted::Versions && self.worst().is_some_and(|worst| worst <= (false, cost))
    }
}

/// Returns the pairs of changes that may leave nothing to be mended, the cheapest first.
fn pairs(singles: &[Priced], left: &[(usize, RemainingFault)]) -> Vec<Trial> {
    let mut numbers: Vec<(u32, usize, usize)> = Vec::new();
    for (at, &(one, left_one)) in left.iter().enumerate() {
        for &(two, left_two) in &left[at + 1..] {
            if left_one.is_mended_with(left_two) {
                numbers.push((singles[one].cost + singles[two].cost, one, two));
            }
        }
    }
    numbers.sort_unstable();
    let trial = |(cost, one, two): (u32, usize, usize)| Trial {
        changes: [one, two].map(|at| singles[at].change.clone()).to_vec(),
        cost,
        of: vec![one, two],
    };
    numbers.into_iter().map(trial).collect()
}

/// The data for trying one diagram.
struct One<'o> {
    sought: Sought<'o>,
    wanted: Wanted,
    worst: Option<Rank>,
}

impl One<'_> {
    fn tried(
        &self,
        decider: &mut Decider<'_, '_>,
        judge: &super::judge::Judge,
        trial: &Trial,
    ) -> Result<Tried, Interrupted> {
        let given = &self.sought.given.diagram;
        let Some(diagram) = given.after_all(&trial.changes).filter(|diagram| diagram != given) else {
            return Ok(Tried::Out);
        };
        let Some(chess) = diagram.chess() else { return Ok(Tried::Out) };
        // Composers allow promoted men only where the request or the given diagram has them.
        if !self.sought.request.promoted && diagram.promotes_more_than(given) {
            return Ok(Tried::LeftOut(Reason::Promoted));
        }
        let map = SquareMap::of(&trial.changes);
        let codes = |moves: &[Move]| moves.iter().map(|&m| map.code(m)).collect::<Vec<_>>();
        let only_these = [Keep::Key, Keep::Variations].iter().any(|keep| self.sought.request.keep.contains(keep));
        let question = match self.wanted {
            Wanted::Versions => {
                Question { keys: codes(&self.sought.given.keys), cooks: codes(&self.sought.given.cooks), only_these }
            }
            Wanted::Twins => Question::default(),
        };
        let position = Position::from_chess(&chess);
        let judged = judge.judge(decider, &position, &question)?;
        let Judged::Sound(key) = judged else { return Ok(Tried::Judged(judged)) };
        let keeps_key = codes(&self.sought.given.keys).contains(&key.code());
        if self.wanted == Wanted::Twins && keeps_key {
            return Ok(Tried::LeftOut(Reason::Unlike));
        }
        if !can_stand(&diagram) {
            return Ok(Tried::LeftOut(Reason::Impossible));
        }
        let after = decider.play(&position, key)?;
        let play = KeyPlay::find(decider, &after, self.sought.given.rest())?;
        let changed = Changed { chess: &chess, map: &map, after, play };
        if self.sought.requirements.lost(self.sought.given, decider, &changed)?.is_some() {
            return Ok(Tried::LeftOut(Reason::Unlike));
        }
        let kept = self.sought.given.play.kept(&changed.play, &map, keeps_key);
        Ok(self.proposed(trial, &chess, key, kept))
    }

    /// Returns the proposal, if it may enter the list and a report confirms it.
    fn proposed(&self, trial: &Trial, chess: &Chess, key: Move, kept: Kept) -> Tried {
        let rank = self.rank(trial.cost, kept);
        if self.worst.is_some_and(|worst| worst <= rank) {
            return Tried::Judged(Judged::Sound(key));
        }
        let report = confirm(chess, self.sought.given.asked);
        if !is_sound(&report) {
            return Tried::Out;
        }
        Tried::Sound(Box::new(proposal(&self.sought.given.diagram, &trial.changes, chess, report, kept)), rank)
    }

    fn rank(&self, cost: u32, kept: Kept) -> Rank {
        let share = |of: usize| u32::try_from(WHOLE_PLAY * of / kept.of.max(1)).unwrap_or(u32::MAX);
        match self.wanted {
            Wanted::Versions => (!kept.key, cost + share(kept.of - kept.variations)),
            // A changed mate counts most, then play that is new.
            Wanted::Twins => (kept.changed == 0, (cost + share(kept.of - kept.changed)).saturating_sub(share(1))),
        }
    }
}

/// Returns whether a game may lead to a diagram, as far as counting and looking one move back show it.
pub(super) fn can_stand(diagram: &Diagram) -> bool {
    let Diagram { board, turn, .. } = diagram;
    is_constructible(board)
        && is_possible(board, *turn)
        && taken_back(board, !*turn, diagram.castling).any(|before| is_possible(&before.board, !*turn))
}
