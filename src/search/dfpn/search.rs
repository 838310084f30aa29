//! The recursion: an OR node, an AND node, and the thresholds between them.
//!
//! A call for a node searches below it until one of its numbers reaches the **threshold** it was given, which is when its
//! parent (or some ancestor) would rather look elsewhere. So the search stays at the most-proving node and keeps no more
//! than one path in memory; what it learned lies in the table.
//!
//! ```text
//! at an OR node with children c (pn minimal, pn₂ the second least):
//!     threshold pn of c = min(threshold pn, pn₂ + pn₂/4 + 1)          (1 + ε: Pawlewicz & Lew 2007, ε = ¼)
//!     threshold dn of c = threshold dn − Σ dn + dn of c               (and with the roles exchanged at AND nodes)
//! ```

use crate::chess::{Attack, Checks, ManList, Move, MoveCode, MoveList, Moves, NodeKind, Position};
use crate::proof::Facts;
use crate::search::numbers::{INFINITY, ProofNumbers};
use crate::search::{Interrupted, Meter};

use super::DfpnOptions;
use super::child_bounds::ChildBounds;
use super::leaf::{self, NodeValue};
use super::order::ReplyOrder;
use super::path::Path;
use super::question::{Aim, Question};
use super::table::DfpnTable;

/// Paths are cut here, in plies: what is longer counts as a repetition (disproved, tainted). Keeps the stack bounded.
const LONGEST_PATH: usize = 4_000;

/// One search: the tables it works on and the path it is on.
pub(super) struct DfpnSearch<'s, 'c> {
    pub options: DfpnOptions,
    /// Others search with the same table.
    pub company: bool,
    pub table: &'s mut DfpnTable,
    pub order: &'s mut ReplyOrder,
    pub meter: &'s mut Meter<'c>,
    pub facts: &'s Facts,
    path: Path,
    /// The open children of all nodes on the path, the deepest node's last.
    pub children: Vec<Child>,
    /// The positions that were made for them, in the order of their first visits.
    made: Vec<Position>,
    /// The keys of the moves that are being listed.
    keys: Vec<u64>,
}

/// A child of a node on the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub step: Step,
    /// The index of its position in `made`, or [`NOT_MADE`].
    made: u32,
    pub key: u64,
    pub value: NodeValue,
}

/// The child's position has not been needed yet.
const NOT_MADE: u32 = u32::MAX;

impl Child {
    pub fn new(step: Step, key: u64, value: NodeValue) -> Child {
        Child { step, made: NOT_MADE, key, value }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// A move whose position was looked at before.
    Known(Move),
    /// A reply nobody has looked at.
    Fresh(Move),
    /// All the quiet moves of an OR node.
    QuietMoves,
}

/// A node on the path.
///
/// Children that can no longer matter are dropped: disproved ones of an OR node, proved ones of an AND node. What is to be
/// remembered of them is kept here.
pub(super) struct Frame {
    /// Where its children begin, and their positions.
    pub first: usize,
    made: usize,
    /// OR: a dropped child's disproof leaned on a repetition, or on a move left out.
    tainted: bool,
    /// AND: the longest mate among the dropped children.
    pub longest: u16,
    /// The nodes made before.
    start: u64,
}

impl<'s, 'c> DfpnSearch<'s, 'c> {
    pub fn new(
        options: DfpnOptions,
        company: bool,
        table: &'s mut DfpnTable,
        order: &'s mut ReplyOrder,
        meter: &'s mut Meter<'c>,
        facts: &'s Facts,
    ) -> DfpnSearch<'s, 'c> {
        DfpnSearch {
            options,
            company,
            table,
            order,
            meter,
            facts,
            path: Path::default(),
            children: Vec::new(),
            made: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Searches the position until it is proved or disproved.
    pub fn solve(&mut self, position: &Position, kind: NodeKind, question: Question) -> Result<NodeValue, Interrupted> {
        self.path.clear();
        self.children.clear();
        self.made.clear();
        let value = match kind {
            NodeKind::Or => leaf::or_node(position, question),
            NodeKind::And => leaf::and_node(position, question, self.options),
        };
        if value.numbers.is_solved() {
            return Ok(value);
        }
        match kind {
            NodeKind::Or => self.or_node(position, question, UNLIMITED),
            NodeKind::And => self.and_node(position, question, UNLIMITED),
        }
    }

    /// An OR node: the attacker needs one child.
    fn or_node(
        &mut self,
        position: &Position,
        question: Question,
        limit: ProofNumbers,
    ) -> Result<NodeValue, Interrupted> {
        let key = position.key();
        if let Some(value) = self.ask_the_others(key, question) {
            return Ok(value);
        }
        self.meter.look()?;
        let limit = question.patient(NodeKind::Or, limit);
        let mut frame = self.enter(key);
        let after = question.after_attack();
        self.add_attacks(&mut frame, position, after)?;
        let value = loop {
            let bounds = ChildBounds::of(&self.children, frame.first, NodeKind::Or, question);
            let Some(&child) = self.children.get(bounds.best) else {
                break self.record_disproof(key, question, frame.tainted, self.work(&frame));
            };
            let numbers = ProofNumbers { pn: bounds.least, dn: bounds.sum };
            match child.step {
                Step::Known(m) | Step::Fresh(m) if numbers.is_proved() => {
                    break self.record_proof(key, child.value.length + 1, m.code(), self.work(&frame));
                }
                _ if numbers.pn >= limit.pn || numbers.dn >= limit.dn => {
                    self.table.store(key, question, numbers, self.work(&frame));
                    break NodeValue::stored(numbers);
                }
                Step::QuietMoves => self.add_quiet_moves(&mut frame, position, bounds.best, after)?,
                Step::Known(_) | Step::Fresh(_) if self.hears(bounds.best, after) => {
                    self.drop_disproved(&mut frame, bounds.best);
                }
                Step::Known(m) | Step::Fresh(m) => {
                    let next = self.position(bounds.best, position, m)?;
                    let limit = ProofNumbers {
                        pn: limit.pn.min(bounds.widened()),
                        dn: (limit.dn - bounds.sum).saturating_add(child.value.numbers.dn),
                    };
                    self.announce(NodeKind::Or, &child, after, limit);
                    let result = self.and_node(&next, after, limit);
                    let value = self.or_resume_later(result, key, question, numbers, &frame)?;
                    self.children[bounds.best].value = value;
                    self.drop_disproved(&mut frame, bounds.best);
                }
            }
        };
        self.leave(&frame);
        Ok(value)
    }

    /// OR: a disproved child no longer matters.
    #[inline]
    fn drop_disproved(&mut self, frame: &mut Frame, at: usize) {
        let value = self.children[at].value;
        if value.numbers.is_disproved() {
            frame.tainted |= value.tainted;
            self.children.remove(at);
        }
    }

    /// Lists the checks, and one child for all the quiet moves.
    fn add_attacks(&mut self, frame: &mut Frame, position: &Position, after: Question) -> Result<(), Interrupted> {
        let mut checks = MoveList::new();
        let mut men = ManList::new();
        let attack = position.attack(&mut men);
        attack.checks(&mut checks);
        self.fetch(position, &checks);
        for (i, &m) in checks.iter().enumerate() {
            self.add_attack(frame, position, m, self.keys[i], after, Some(&attack))?;
        }
        let quiet = attack.count_moves() - checks.len();
        if quiet > 0 && after.admits(1) {
            self.push(Step::QuietMoves, 0, leaf::quiet_moves(position, quiet as u32, after, self.options));
        }
        Ok(())
    }

    #[cold]
    fn add_quiet_moves(
        &mut self,
        frame: &mut Frame,
        position: &Position,
        at: usize,
        after: Question,
    ) -> Result<(), Interrupted> {
        self.children.remove(at);
        let mut quiet = MoveList::new();
        position.generate(Moves::Quiet, &mut quiet);
        self.fetch(position, &quiet);
        for (i, &m) in quiet.iter().enumerate() {
            self.add_attack(frame, position, m, self.keys[i], after, None)?;
            let last = self.children[frame.first..].last();
            if last.is_some_and(|child| child.value.numbers.is_proved()) {
                break;
            }
        }
        Ok(())
    }

    /// Collects the keys of the positions after the moves, and has their entries ready.
    #[inline]
    fn fetch(&mut self, position: &Position, moves: &MoveList) {
        self.keys.clear();
        self.keys.extend(moves.iter().map(|&m| position.key_after(m)));
        self.table.fetch(&self.keys);
    }

    /// Checks are judged from this position's bitboards, quiet moves are made.
    #[inline]
    fn add_attack(
        &mut self,
        frame: &mut Frame,
        position: &Position,
        m: Move,
        key: u64,
        after: Question,
        check: Option<&Attack>,
    ) -> Result<(), Interrupted> {
        let mut made = NOT_MADE;
        let value = if self.repeats(key, after) {
            NodeValue::REPETITION
        } else if let Some(value) = self.look_up(key, after) {
            value
        } else if let Some(attack) = check {
            if after.restriction.allows_check(attack, m) {
                leaf::after_check(attack.evasions(m), after)
            } else {
                NodeValue::LEFT_OUT
            }
        } else {
            self.meter.node()?;
            let next = position.play(m);
            let value = if !after.restriction.allows_quiet(&next) {
                NodeValue::LEFT_OUT
            } else if after.moves() == Some(1) {
                self.last_replies(&next, after)?
            } else {
                leaf::and_node(&next, after, self.options)
            };
            if !value.numbers.is_solved() {
                made = self.made.len() as u32;
                self.made.push(next);
                // So that the move need not be made again only to be judged when this node is visited next. Refutations,
                // which stay longer where they are, gain nothing by it.
                if after.aim == Aim::Mate {
                    self.table.store(key, after, value.numbers, 0);
                }
            }
            value
        };
        if value.numbers.is_disproved() {
            frame.tainted |= value.tainted;
        } else {
            self.children.push(Child { step: Step::Known(m), made, key, value });
        }
        Ok(())
    }

    /// Whether the position stands on the path already, for who looks for a mate: it would be found from there, in fewer
    /// moves. A refutation must be exact; within its horizon the moves left tell the two visits apart.
    #[inline]
    fn repeats(&self, key: u64, question: Question) -> bool {
        question.aim == Aim::Mate && (self.path.contains(key) || self.path.len() > LONGEST_PATH)
    }

    /// An AND node: the attacker needs all children.
    fn and_node(
        &mut self,
        position: &Position,
        question: Question,
        limit: ProofNumbers,
    ) -> Result<NodeValue, Interrupted> {
        let key = position.key();
        if let Some(value) = self.ask_the_others(key, question) {
            return Ok(value);
        }
        self.meter.look()?;
        if question.moves() == Some(1) {
            return self.last_replies(position, question);
        }
        let limit = question.patient(NodeKind::And, limit);
        let mut frame = self.enter(key);
        self.add_replies(&mut frame, position, question);
        let value = loop {
            let bounds = ChildBounds::of(&self.children, frame.first, NodeKind::And, question);
            let Some(&child) = self.children.get(bounds.best) else {
                break self.record_proof(key, frame.longest, MoveCode::NONE, self.work(&frame));
            };
            let numbers = ProofNumbers { pn: bounds.sum, dn: bounds.least };
            let (Step::Known(m) | Step::Fresh(m)) = child.step else { unreachable!("replies are moves") };
            if numbers.is_disproved() {
                self.order.refuted(m);
                break self.record_disproof(key, question, child.value.tainted, self.work(&frame));
            }
            if numbers.pn >= limit.pn || numbers.dn >= limit.dn {
                self.order.held(m);
                self.table.store(key, question, numbers, self.work(&frame));
                break NodeValue::stored(numbers);
            }
            if self.hears(bounds.best, question) {
                self.drop_proved(&mut frame, bounds.best);
                continue;
            }
            let next = self.position(bounds.best, position, m)?;
            let result = if let Step::Fresh(_) = child.step {
                Ok(self.first_look(&next, question))
            } else {
                let limit = ProofNumbers {
                    pn: (limit.pn - bounds.sum).saturating_add(child.value.numbers.pn),
                    dn: limit.dn.min(bounds.widened()),
                };
                self.announce(NodeKind::And, &child, question, limit);
                self.or_node(&next, question, limit)
            };
            let value = self.or_resume_later(result, key, question, numbers, &frame)?;
            self.children[bounds.best].value = value;
            self.children[bounds.best].step = Step::Known(m);
            if self.drop_proved(&mut frame, bounds.best) && value.length > 1 {
                self.replay_in_siblings(&mut frame, position, &next, value.length, question)?;
            }
        };
        self.leave(&frame);
        Ok(value)
    }

    /// AND: a proved child no longer matters. Whether it was.
    #[inline]
    fn drop_proved(&mut self, frame: &mut Frame, at: usize) -> bool {
        let value = self.children[at].value;
        let proved = value.numbers.is_proved();
        if proved {
            frame.longest = frame.longest.max(value.length);
            self.children.remove(at);
        }
        proved
    }

    /// Lists the replies, the ones that have refuted most first. None is made.
    fn add_replies(&mut self, frame: &mut Frame, position: &Position, question: Question) {
        let mut replies = MoveList::new();
        position.generate(Moves::All, &mut replies);
        self.order.sort(&mut replies);
        self.fetch(position, &replies);
        // Who looks for a mate does not ask.
        let checks = (question.aim == Aim::Refutation).then(|| Checks::of(position));
        let gives_check = |m| checks.is_some_and(|checks| checks.contain(position, m));
        for (i, &m) in replies.iter().enumerate() {
            let key = self.keys[i];
            let (step, value) = if self.repeats(key, question) {
                (Step::Known(m), NodeValue::REPETITION)
            } else {
                match self.look_up(key, question) {
                    Some(value) => (Step::Known(m), value),
                    None => (Step::Fresh(m), leaf::reply(question, m, i, gives_check)),
                }
            };
            if value.numbers.is_proved() {
                frame.longest = frame.longest.max(value.length);
            } else {
                self.push(step, key, value);
            }
        }
    }

    /// The position of a child, made at its first visit.
    #[inline]
    pub fn position(&mut self, at: usize, parent: &Position, m: Move) -> Result<Position, Interrupted> {
        let child = &mut self.children[at];
        if child.made != NOT_MADE {
            return Ok(self.made[child.made as usize]);
        }
        self.meter.node()?;
        let position = parent.play(m);
        debug_assert_eq!(position.key(), child.key);
        child.made = self.made.len() as u32;
        self.made.push(position);
        Ok(position)
    }

    /// Leaves a node's numbers in the table when the search below it is interrupted, so that it can go on from there.
    #[inline]
    fn or_resume_later(
        &mut self,
        result: Result<NodeValue, Interrupted>,
        key: u64,
        question: Question,
        numbers: ProofNumbers,
        frame: &Frame,
    ) -> Result<NodeValue, Interrupted> {
        if result.is_err() {
            self.table.store(key, question, numbers, self.work(frame));
        }
        result
    }

    #[inline]
    fn push(&mut self, step: Step, key: u64, value: NodeValue) {
        self.children.push(Child::new(step, key, value));
    }

    /// Begins a node.
    #[inline]
    fn enter(&mut self, key: u64) -> Frame {
        self.path.push(key);
        let (first, made) = (self.children.len(), self.made.len());
        Frame { first, made, tainted: false, longest: 0, start: self.meter.count() }
    }

    /// Ends the node begun last.
    #[inline]
    fn leave(&mut self, frame: &Frame) {
        self.children.truncate(frame.first);
        self.made.truncate(frame.made);
        self.path.pop();
    }

    /// The nodes made since the node was begun.
    #[inline]
    fn work(&self, frame: &Frame) -> u64 {
        self.meter.count() - frame.start
    }
}

/// What a search is never asked to exceed.
pub(super) const UNLIMITED: ProofNumbers = ProofNumbers { pn: INFINITY, dn: INFINITY };
