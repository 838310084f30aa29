//! Finds the shortest mate by repeated searches for any mate: for the proof-number searches and `bstar`.
//!
//! Such a search answers one question: "is there a mate within this [`Horizon`]?" The mate that it finds need not be
//! the shortest. If the task wants the shortest, `descend` repeats the search. After a mate in L it searches within L −
//! 1 moves, or within the bound of the task if that is less. It ends when no mate exists within the bound of the task,
//! or none within one move less than the shortest mate found.
//!
//! A search without a horizon may end without an answer, because its disproof depends on a repetition. Then the lengths
//! that are not refuted are searched one after the other, the shortest first. Within a horizon no node repeats, so
//! these searches have an answer, unless a limit is reached.
//!
//! The engines differ in the longest bound that they search with a horizon from the start.

use crate::chess::MateLength;
use crate::proof::ProofTree;

use super::horizon::Horizon;
use super::{Answer, Event, Interrupted, Meter, Observer, StopReason, Task};

/// The answer of one search for a mate within a horizon.
#[derive(Debug, Clone)]
pub enum Finding {
    /// A mate within the horizon, with its proof.
    Proved(ProofTree),
    /// There is no mate within the horizon.
    Refuted,
    /// No answer: the disproof depends on a repetition, or the proof could not be rebuilt.
    Nothing,
}

/// Searches until the task is answered or a limit is reached.
///
/// A bound of at most `near` moves is the first horizon. A larger bound is searched without a horizon first: with a
/// horizon, a position is a different node for every number of moves left, and a large one makes too many such nodes.
/// `search` looks for a mate in the task's position within a horizon, and keeps its table or graph from one call to the
/// next.
pub(crate) fn descend(
    task: &Task,
    near: MateLength,
    meter: &mut Meter<'_>,
    search: &mut dyn FnMut(&mut Meter<'_>, Horizon) -> Result<Finding, Interrupted>,
    observer: &mut dyn Observer,
) -> Answer {
    let mut descent = Descent { task, observer, answer: Answer::default(), shorter: None };
    let first = if task.bound() <= near { Horizon::within(task.bound()) } else { Horizon::NONE };
    descent.answer.stopped = descent.run(first, meter, search).err();
    descent.answer
}

/// The state of one call of [`descend`].
struct Descent<'d> {
    task: &'d Task,
    observer: &'d mut dyn Observer,
    answer: Answer,
    /// One move less than the shortest mate found.
    shorter: Option<MateLength>,
}

impl Descent<'_> {
    fn run(
        &mut self,
        first: Horizon,
        meter: &mut Meter<'_>,
        search: &mut dyn FnMut(&mut Meter<'_>, Horizon) -> Result<Finding, Interrupted>,
    ) -> Result<(), Interrupted> {
        let mut next = Some(first);
        while let Some(horizon) = next {
            let before = meter.count();
            let finding = search(meter, horizon)?;
            let nodes = meter.count();
            next = match finding {
                Finding::Proved(tree) => self.record_mate(tree, nodes),
                Finding::Refuted => self.record_refutation(horizon, nodes),
                Finding::Nothing => Some(self.lowest_open()),
            };
            if next == Some(horizon) && nodes == before {
                // The table is too small for the proof. The same search again would end in the same way.
                return Err(StopReason::Memory);
            }
            if next.is_some() {
                // A search that makes no node does not check the limits.
                meter.control().check()?;
            }
        }
        Ok(())
    }

    /// Records a mate. Returns the next horizon to search, or `None` if the task is answered.
    fn record_mate(&mut self, tree: ProofTree, nodes: u64) -> Option<Horizon> {
        let length = tree.length();
        let shorter = length.shorter();
        if length <= self.task.bound() {
            self.observer.event(Event::Mate(&tree), nodes);
            self.answer.proof = Some(tree);
            self.shorter = shorter;
            if !self.task.shortest {
                return None;
            }
        }
        let open = shorter.filter(|shorter| *shorter >= self.shortest_open())?;
        Some(Horizon::within(open.min(self.task.bound())))
    }

    /// Records that no mate exists within `horizon`. Returns the next horizon to search, or `None` if the task is
    /// answered.
    fn record_refutation(&mut self, horizon: Horizon, nodes: u64) -> Option<Horizon> {
        let refuted = horizon.moves().unwrap_or(self.task.bound());
        self.answer.refuted = Some(refuted);
        self.answer.refuted_at_any_length |= horizon == Horizon::NONE;
        self.observer.event(Event::Refuted(refuted), nodes);
        let answered = refuted >= self.task.bound() || self.shorter == Some(refuted);
        (!answered).then(|| self.lowest_open())
    }

    /// Returns the shortest length that is not refuted.
    fn shortest_open(&self) -> MateLength {
        self.answer.refuted.map_or(self.task.stipulation.least(), MateLength::longer)
    }

    /// Returns the horizon that admits the shortest length that is not refuted, and no other one.
    fn lowest_open(&self) -> Horizon {
        Horizon::within(self.shortest_open())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::base::clock::Instant;
    use crate::chess::Position;
    use crate::search::{Control, Limits, Silent};

    /// Runs [`descend`] on prepared findings, with `near` set to 12 moves. Returns the horizons searched and the
    /// answer. Each search costs `cost` nodes. After the last prepared finding every search ends with
    /// [`Finding::Nothing`].
    fn descent_with_limits(
        bound: u16,
        findings: impl IntoIterator<Item = Finding>,
        cost: u64,
        control: &Control<'_>,
    ) -> (Vec<Option<u16>>, Answer) {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let attacker = position.turn();
        let task = Task::mate(position, attacker, MateLength(bound));
        let (mut findings, mut horizons) = (findings.into_iter(), Vec::new());
        let mut script = |meter: &mut Meter<'_>, horizon: Horizon| {
            horizons.push(horizon.moves().map(|n| n.0));
            for _ in 0..cost {
                meter.node()?;
            }
            Ok(findings.next().unwrap_or(Finding::Nothing))
        };
        let answer = descend(&task, MateLength(12), &mut Meter::new(control), &mut script, &mut Silent);
        (horizons, answer)
    }

    fn descent(bound: u16, findings: impl IntoIterator<Item = Finding>) -> (Vec<Option<u16>>, Answer) {
        let stop = AtomicBool::new(false);
        descent_with_limits(bound, findings, 0, &Control::new(Limits::default(), &stop))
    }

    fn mate(length: u16) -> Finding {
        Finding::Proved(crate::search::testing::tree_of_length(length))
    }

    fn length(answer: &Answer) -> Option<u16> {
        answer.proof.as_ref().map(|tree| tree.length().0)
    }

    #[test]
    fn shorter_mates_are_searched_until_a_length_is_refuted() {
        let (horizons, answer) = descent(1000, [mate(9), mate(6), Finding::Refuted]);
        assert_eq!(horizons, [None, Some(8), Some(5)]);
        assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(6), Some(MateLength(5)), None));
    }

    #[test]
    fn a_small_bound_is_the_first_horizon() {
        let (horizons, answer) = descent(12, [Finding::Refuted]);
        assert_eq!((horizons, answer.refuted_at_any_length), (vec![Some(12)], false));
        assert_eq!((answer.refuted, answer.stopped), (Some(MateLength(12)), None));
        assert_eq!(descent(5, [mate(1)]).0, [Some(5)], "nothing is shorter than one move");
    }

    #[test]
    fn a_refutation_without_a_horizon_holds_for_every_length() {
        let (horizons, answer) = descent(1000, [Finding::Refuted]);
        assert_eq!(
            (horizons, answer.refuted, answer.refuted_at_any_length),
            (vec![None], Some(MateLength(1000)), true)
        );
        // A tainted disproof is no answer, and a length that is refuted later holds for itself only.
        let (_, answer) = descent(1000, [Finding::Nothing, Finding::Refuted, mate(2)]);
        assert!(!answer.refuted_at_any_length);
    }

    #[test]
    fn a_mate_longer_than_the_bound_does_not_count() {
        let (horizons, answer) = descent(20, [mate(25), Finding::Refuted]);
        assert_eq!(horizons, [None, Some(20)]);
        assert_eq!((length(&answer), answer.refuted), (None, Some(MateLength(20))));
    }

    #[test]
    fn after_a_search_without_an_answer_lengths_are_searched_upwards() {
        let (horizons, answer) = descent(1000, [Finding::Nothing, Finding::Refuted, Finding::Refuted, mate(3)]);
        assert_eq!(horizons, [None, Some(1), Some(2), Some(3)]);
        assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(3), Some(MateLength(2)), None));
        let lost = [mate(5), Finding::Nothing, Finding::Refuted, Finding::Refuted, Finding::Refuted, Finding::Refuted];
        let (horizons, answer) = descent(1000, lost);
        assert_eq!(horizons, [None, Some(4), Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(5), Some(MateLength(4)), None));
    }

    #[test]
    fn a_stop_or_a_deadline_ends_searches_that_make_no_nodes() {
        let stop = AtomicBool::new(true);
        let (horizons, answer) =
            descent_with_limits(1000, [mate(9), mate(7)], 0, &Control::new(Limits::default(), &stop));
        assert_eq!((horizons.len(), length(&answer), answer.stopped), (1, Some(9), Some(StopReason::Stopped)));
        let go = AtomicBool::new(false);
        let late = Limits { nodes: None, deadline: Some(Instant::now()) };
        let (horizons, answer) = descent_with_limits(1000, [mate(9), mate(7)], 0, &Control::new(late, &go));
        assert_eq!((horizons.len(), answer.stopped), (1, Some(StopReason::Time)));
        let (_, answer) = descent_with_limits(1000, [mate(1)], 0, &Control::new(Limits::default(), &stop));
        assert_eq!((length(&answer), answer.stopped), (Some(1), None), "an answered task is not stopped");
    }

    #[test]
    fn searches_that_never_rebuild_the_proof_come_to_an_end() {
        let (horizons, answer) = descent(1000, [mate(9)]);
        assert_eq!(horizons, [None, Some(8), Some(1)]);
        assert_eq!((length(&answer), answer.stopped), (Some(9), Some(StopReason::Memory)));
        // A search that makes nodes may have a different result when it is repeated.
        let go = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(100), deadline: None }, &go);
        let (horizons, answer) = descent_with_limits(1000, [], 10, &control);
        assert_eq!((horizons.len(), answer.stopped), (11, Some(StopReason::Nodes)));
    }
}
