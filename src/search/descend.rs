//! The questions that follow one another: a mate, shorter ones, and the proof that there is none.
//!
//! Proof-number search answers one question, "is there a mate within this [`Horizon`]?", and knows nothing of the
//! shortest. So it is asked again. A mate in L is followed by the question for L − 1; a refutation of the bound, or of
//! one move less than the mate that is known, ends the descent. Where a question has no answer, because without a horizon
//! the disproof leaned on a repetition, lengths are asked about from below, one after the other: there nothing repeats.
//!
//! `dfpn` and `pn` are asked in the same way; they differ in how near a bound must be to be a horizon from the start.

use crate::chess::MateLength;
use crate::proof::ProofTree;

use super::horizon::Horizon;
use super::{Answer, Event, Interrupted, Meter, Observer, StopReason, Task};

/// How a search ended.
#[derive(Debug, Clone)]
pub enum Finding {
    /// There is a mate within the horizon, and this proves it.
    Proved(ProofTree),
    /// There is none within the horizon.
    Refuted,
    /// Nothing was learned: the disproof leaned on a repetition, or the proof could not be rebuilt.
    Nothing,
}

/// Who is asked. It keeps what it learns from one question to the next.
pub trait HorizonSearch {
    /// Searches the task's position with this horizon.
    fn ask(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted>;

    /// The counter of its nodes.
    fn meter(&self) -> &Meter<'_>;
}

/// Asks until the task is answered or a limit is reached. A task with a bound of at most `near` moves is searched within
/// it; a distant horizon tells too many equal positions apart.
pub fn descend(task: &Task, near: MateLength, asked: &mut impl HorizonSearch, observer: &mut dyn Observer) -> Answer {
    let mut descent = Descent { task, observer, answer: Answer::default(), shorter: None };
    let first = if task.bound <= near { Horizon::within(task.bound) } else { Horizon::NONE };
    descent.answer.stopped = descent.run(first, asked).err();
    descent.answer
}

struct Descent<'d> {
    task: &'d Task,
    observer: &'d mut dyn Observer,
    answer: Answer,
    /// One move less than the mate that is known.
    shorter: Option<MateLength>,
}

impl Descent<'_> {
    fn run(&mut self, first: Horizon, asked: &mut impl HorizonSearch) -> Result<(), Interrupted> {
        let mut question = Some(first);
        while let Some(horizon) = question {
            let before = asked.meter().count();
            let outcome = asked.ask(self.task, horizon)?;
            let nodes = asked.meter().count();
            question = match outcome {
                Finding::Proved(tree) => self.mate(tree, nodes),
                Finding::Refuted => self.refutation(horizon, nodes),
                Finding::Nothing => Some(self.lowest_open()),
            };
            if question == Some(horizon) && nodes == before {
                // The table cannot hold the proof, and the next search would not be any different.
                return Err(StopReason::Memory);
            }
            if question.is_some() {
                // A question may be answered without a node, and then nobody has looked.
                asked.meter().control().check()?;
            }
        }
        Ok(())
    }

    /// Takes in a mate and says what to ask next.
    fn mate(&mut self, tree: ProofTree, nodes: u64) -> Option<Horizon> {
        let length = tree.length();
        let shorter = length.shorter();
        if length <= self.task.bound {
            self.observer.event(Event::Mate(&tree), nodes);
            self.answer.proof = Some(tree);
            self.shorter = shorter;
            if !self.task.shortest {
                return None;
            }
        }
        let open = shorter.filter(|shorter| *shorter > self.answer.refuted)?;
        Some(Horizon::within(open.min(self.task.bound)))
    }

    /// Takes in a refutation and says what to ask next.
    fn refutation(&mut self, horizon: Horizon, nodes: u64) -> Option<Horizon> {
        let refuted = horizon.moves().map_or(self.task.bound, MateLength);
        self.answer.refuted = refuted;
        self.observer.event(Event::Refuted(refuted), nodes);
        let over = refuted >= self.task.bound || self.shorter == Some(refuted);
        (!over).then(|| self.lowest_open())
    }

    /// The shortest length that is neither refuted nor proved.
    fn lowest_open(&self) -> Horizon {
        Horizon::within(MateLength(self.answer.refuted.0 + 1))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;
    use crate::chess::{MoveCode, Position};
    use crate::proof::ProofNode;
    use crate::search::{Control, Limits, Silent};

    /// Answers what is written down, and remembers the questions.
    struct Script<'c> {
        outcomes: VecDeque<Finding>,
        questions: Vec<Option<u16>>,
        /// Nodes that each question costs.
        cost: u64,
        meter: Meter<'c>,
    }

    impl HorizonSearch for Script<'_> {
        fn ask(&mut self, _: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
            self.questions.push(horizon.moves());
            for _ in 0..self.cost {
                self.meter.node()?;
            }
            Ok(self.outcomes.pop_front().unwrap_or(Finding::Nothing))
        }

        fn meter(&self) -> &Meter<'_> {
            &self.meter
        }
    }

    /// The questions that these outcomes lead to, and the answer, where bounds up to 12 are near. When the outcomes are used
    /// up nothing more is learned.
    fn limited(
        bound: u16,
        outcomes: impl IntoIterator<Item = Finding>,
        cost: u64,
        control: &Control<'_>,
    ) -> (Vec<Option<u16>>, Answer) {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let attacker = position.turn();
        let task = Task { position, attacker, bound: MateLength(bound), shortest: true, memory: 0 };
        let outcomes = outcomes.into_iter().collect();
        let mut script = Script { outcomes, questions: Vec::new(), cost, meter: Meter::new(control) };
        let answer = descend(&task, MateLength(12), &mut script, &mut Silent);
        (script.questions, answer)
    }

    fn descent(bound: u16, outcomes: impl IntoIterator<Item = Finding>) -> (Vec<Option<u16>>, Answer) {
        let stop = AtomicBool::new(false);
        limited(bound, outcomes, 0, &Control::new(Limits::default(), &stop))
    }

    /// A mate of this length; the moves do not matter.
    fn mate(length: u16) -> Finding {
        let mut tree = ProofTree::new();
        let mut last = tree.push(ProofNode::Defend(Vec::new()));
        for n in 0..length {
            if n > 0 {
                last = tree.push(ProofNode::Defend(vec![(MoveCode(1), last)]));
            }
            last = tree.push(ProofNode::Attack(MoveCode(1), last));
        }
        Finding::Proved(tree)
    }

    fn length(answer: &Answer) -> Option<u16> {
        answer.proof.as_ref().map(|tree| tree.length().0)
    }

    #[test]
    fn a_mate_is_followed_by_shorter_ones_until_one_is_refuted() {
        let (questions, answer) = descent(1000, [mate(9), mate(6), Finding::Refuted]);
        assert_eq!(questions, [None, Some(8), Some(5)]);
        assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(6), MateLength(5), None));
    }

    #[test]
    fn a_near_bound_is_asked_about_at_once() {
        let (questions, answer) = descent(12, [Finding::Refuted]);
        assert_eq!(questions, [Some(12)]);
        assert_eq!((answer.refuted, answer.stopped), (MateLength(12), None));
        assert_eq!(descent(5, [mate(1)]).0, [Some(5)], "nothing is shorter than one move");
    }

    #[test]
    fn a_mate_beyond_the_bound_is_none() {
        let (questions, answer) = descent(20, [mate(25), Finding::Refuted]);
        assert_eq!(questions, [None, Some(20)]);
        assert_eq!((length(&answer), answer.refuted), (None, MateLength(20)));
    }

    #[test]
    fn without_an_answer_lengths_are_asked_about_from_below() {
        let (questions, answer) = descent(1000, [Finding::Nothing, Finding::Refuted, Finding::Refuted, mate(3)]);
        assert_eq!(questions, [None, Some(1), Some(2), Some(3)]);
        assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(3), MateLength(2), None));
        let lost = [mate(5), Finding::Nothing, Finding::Refuted, Finding::Refuted, Finding::Refuted, Finding::Refuted];
        let (questions, answer) = descent(1000, lost);
        assert_eq!(questions, [None, Some(4), Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(5), MateLength(4), None));
    }

    #[test]
    fn a_stop_or_a_deadline_ends_questions_that_cost_nothing() {
        let stop = AtomicBool::new(true);
        let (questions, answer) = limited(1000, [mate(9), mate(7)], 0, &Control::new(Limits::default(), &stop));
        assert_eq!((questions.len(), length(&answer), answer.stopped), (1, Some(9), Some(StopReason::Stopped)));
        let go = AtomicBool::new(false);
        let late = Limits { nodes: None, deadline: Some(Instant::now()) };
        let (questions, answer) = limited(1000, [mate(9), mate(7)], 0, &Control::new(late, &go));
        assert_eq!((questions.len(), answer.stopped), (1, Some(StopReason::Time)));
        let (_, answer) = limited(1000, [mate(1)], 0, &Control::new(Limits::default(), &stop));
        assert_eq!((length(&answer), answer.stopped), (Some(1), None), "what is answered is answered");
    }

    #[test]
    fn a_proof_that_is_never_rebuilt_does_not_go_on_for_ever() {
        let (questions, answer) = descent(1000, [mate(9)]);
        assert_eq!(questions, [None, Some(8), Some(1)]);
        assert_eq!((length(&answer), answer.stopped), (Some(9), Some(StopReason::Memory)));
        // As long as something is searched, something may change.
        let go = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(100), deadline: None }, &go);
        let (questions, answer) = limited(1000, [], 10, &control);
        assert_eq!((questions.len(), answer.stopped), (11, Some(StopReason::Nodes)));
    }
}
