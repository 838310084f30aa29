//! The recursive search: OR nodes, AND nodes and their thresholds.
//!
//! A call for a node searches below it until it is decided, or one of its numbers reaches the **threshold** passed to
//! it: then its parent, or an ancestor, has a more promising child. Only one path is in memory; what the search learns
//! is mostly in the table.
//!
//! ```text
//! at an OR node with children c (pn the smallest proof number, pn₂ the second smallest):
//!     threshold pn of c = min(threshold pn, pn₂ + pn₂/4 + 1)          (1 + ε: Pawlewicz & Lew 2007, ε = ¼)
//!     threshold dn of c = threshold dn − Σ dn + dn of c               (and with the roles exchanged at AND nodes)
//! ```
//!
//! For a direct mate, checks are listed one by one. All quiet moves of an OR node are one child until the proof number
//! of every check exceeds that child's: in most positions on the way to a mate they are never needed. The proof of a
//! reply is tried against its siblings (`replay`). For every goal, replies are made when they are visited, and decided
//! children are removed from their node.

use crate::chess::{Attack, Checks, ManList, MateLength, Move, MoveList, Moves, NodeKind, Position, rules};
use crate::search::Interrupted;
use crate::search::numbers::two_moves;
use crate::search::numbers::{LONGEST_PATH, ProofNumbers};

use super::node::{ChildMove, OpenChild, OpenNode};
use super::state::DfpnSearch;
use super::technique;
use crate::search::numbers::attempt::{Aim, Attempt};
use crate::search::numbers::child_bounds::ChildBounds;
use crate::search::numbers::leaf::{self, NodeValue, Taint};
use crate::search::numbers::threshold::NO_THRESHOLD;

/// A visit to the best child ends a quarter above the number of the second best. With a half or an eighth above it,
/// five or three mates fewer of 327 are found (`benches/tuning/leaves.md`).
const EPSILON_PART: u32 = 4;

impl DfpnSearch<'_, '_> {
    /// Searches the position until it is proved or disproved.
    pub fn solve(&mut self, position: &Position, kind: NodeKind, attempt: Attempt) -> Result<NodeValue, Interrupted> {
        self.clear_path();
        let value = match kind {
            _ if !self.goal.is_mate() => self.evaluate_for_goal(position, kind, attempt)?,
            NodeKind::Or => leaf::or_node(position, attempt),
            NodeKind::And => leaf::and_node(position, attempt),
        };
        if value.numbers.is_solved() {
            return Ok(value);
        }
        self.root_flights = leaf::flights(position, kind);
        match kind {
            NodeKind::Or => self.or_node(position, attempt, NO_THRESHOLD),
            NodeKind::And => self.and_node(position, attempt, NO_THRESHOLD),
        }
    }

    /// Searches an OR node: the attacker needs one proved child.
    fn or_node(
        &mut self,
        position: &Position,
        attempt: Attempt,
        threshold: ProofNumbers,
    ) -> Result<NodeValue, Interrupted> {
        let key = position.key();
        let known = self.look_up_shared_fact(key, attempt);
        if let Some(value) = known.or_else(|| self.look_up_leaf(position, attempt)) {
            return Ok(value);
        }
        self.meter.look()?;
        let threshold = attempt.raise_threshold(NodeKind::Or, threshold);
        let mut node = self.enter(key);
        let after = attempt.after_attack();
        let hint = self.hints.as_ref().and_then(|hints| hints.of(position));
        self.add_attacks(&mut node, position, after)?;
        if let Some(m) = hint {
            self.add_hint(&mut node, position, m, after)?;
        }
        let value = loop {
            let Some(bounds) = self.bounds(&node, NodeKind::Or, attempt) else {
                if self.add_least_losses(&mut node, position, after)? {
                    continue;
                }
                break self.record_disproof(key, attempt, node.taint, self.work(&node));
            };
            let child = self.children[bounds.best];
            let numbers = ProofNumbers { pn: bounds.least, dn: bounds.sum };
            match child.step {
                ChildMove::Evaluated(m) | ChildMove::Unevaluated(m) if numbers.is_proved() => {
                    if let Some(hints) = self.hints.as_mut() {
                        hints.learn(position, m);
                    }
                    break self.record_proof(key, child.value.length.longer(), Some(m.code()), self.work(&node));
                }
                _ if numbers.pn >= threshold.pn || numbers.dn >= threshold.dn => {
                    self.table.store(key, attempt, numbers, self.work(&node));
                    break NodeValue::from_numbers(numbers);
                }
                ChildMove::QuietMoves => self.add_quiet_moves(&mut node, position, bounds.best, after)?,
                ChildMove::Evaluated(_) | ChildMove::Unevaluated(_) if self.refresh_child(bounds.best, after) => {
                    self.remove_if_disproved(&mut node, bounds.best);
                }
                ChildMove::Evaluated(m) | ChildMove::Unevaluated(m) => {
                    let next = self.position(bounds.best, position, m)?;
                    let threshold = ProofNumbers {
                        pn: threshold.pn.min(bounds.best_child_threshold(EPSILON_PART)),
                        dn: (threshold.dn - bounds.sum).saturating_add(child.value.numbers.dn),
                    };
                    self.store_virtual_number(NodeKind::Or, &child, after, threshold);
                    let result = self.and_node(&next, after, threshold);
                    let value = self.store_if_interrupted(result, key, attempt, numbers, &node)?;
                    self.children[bounds.best].value = value;
                    self.remove_if_disproved(&mut node, bounds.best);
                }
            }
        };
        self.leave(&node);
        Ok(value)
    }

    /// Combines the numbers of a node's open children; `None` if there are none.
    #[inline]
    fn bounds(&self, node: &OpenNode, kind: NodeKind, attempt: Attempt) -> Option<ChildBounds> {
        let children = self.children[node.first_child..].iter().map(|child| child.value.numbers);
        let bounds = ChildBounds::of(children, kind, attempt)?;
        Some(ChildBounds { best: node.first_child + bounds.best, ..bounds })
    }

    /// Removes a child of an OR node if it is disproved.
    #[inline]
    fn remove_if_disproved(&mut self, node: &mut OpenNode, at: usize) {
        let value = self.children[at].value;
        if value.numbers.is_disproved() {
            node.add_taint(value.taint);
            self.children.remove(at);
        }
    }

    /// Adds the checks, and one child for all the quiet moves.
    fn add_attacks(&mut self, node: &mut OpenNode, position: &Position, after: Attempt) -> Result<(), Interrupted> {
        if !self.goal.is_mate() {
            return self.add_made_attacks(node, position, &position.legal_moves(), after);
        }
        let mut checks = MoveList::new();
        let mut men = ManList::new();
        let attack = position.attack(&mut men);
        attack.checks(&mut checks);
        self.fetch(position, &checks);
        for (i, &m) in checks.iter().enumerate() {
            self.add_attack(node, position, m, self.keys[i], after, Some(&attack))?;
        }
        let quiet = attack.count_moves() - checks.len();
        if quiet > 0 && after.admits(MateLength(1)) {
            let value = leaf::quiet_moves(position, quiet as u32, after);
            let value = value.times(|| self.factor(position, position.turn(), after));
            self.push(ChildMove::QuietMoves, 0, value);
        }
        Ok(())
    }

    /// Gives a move that has won in a similar position a small proof number, unless it has been searched.
    #[cold]
    fn add_hint(
        &mut self,
        node: &mut OpenNode,
        position: &Position,
        m: Move,
        after: Attempt,
    ) -> Result<(), Interrupted> {
        let key = position.key_after(m);
        let known = self.look_up(key, after);
        let first = node.first_child;
        let is_hint = |child: &OpenChild| matches!(child.step, ChildMove::Evaluated(other) if other == m);
        if !self.children[first..].iter().any(is_hint) {
            self.add_attack(node, position, m, key, after, None)?;
        }
        if known.is_none()
            && let Some(child) = self.children[first..].iter_mut().find(|child| is_hint(child))
            && !child.value.numbers.is_solved()
        {
            child.value.numbers.pn = 1;
            self.table.store(key, after, child.value.numbers, 0);
        }
        Ok(())
    }

    /// Replaces the child that stands for the quiet moves by the quiet moves themselves.
    #[cold]
    fn add_quiet_moves(
        &mut self,
        node: &mut OpenNode,
        position: &Position,
        at: usize,
        after: Attempt,
    ) -> Result<(), Interrupted> {
        self.children.remove(at);
        let mut quiet = MoveList::new();
        position.generate(Moves::Quiet, &mut quiet);
        self.add_made_attacks(node, position, &quiet, after)
    }

    /// Adds attacking moves that have to be made, but for one that a hint has added. Stops at one that is proved.
    fn add_made_attacks(
        &mut self,
        node: &mut OpenNode,
        position: &Position,
        attacks: &MoveList,
        after: Attempt,
    ) -> Result<(), Interrupted> {
        self.fetch(position, attacks);
        for (i, &m) in attacks.iter().enumerate() {
            if self.hints.is_some() && self.children[node.first_child..].iter().any(|child| child.key == self.keys[i]) {
                continue;
            }
            self.add_attack(node, position, m, self.keys[i], after, None)?;
            let last = self.children[node.first_child..].last();
            if last.is_some_and(|child| child.value.numbers.is_proved()) {
                break;
            }
        }
        Ok(())
    }

    /// Adds an attacking move, unless it is disproved. A check is evaluated from this position's bitboards (`check`);
    /// the position after a quiet move is made.
    #[inline]
    fn add_attack(
        &mut self,
        node: &mut OpenNode,
        position: &Position,
        m: Move,
        key: u64,
        after: Attempt,
        check: Option<&Attack>,
    ) -> Result<(), Interrupted> {
        let mut made = None;
        let value = if self.repeats(key, after) {
            NodeValue::disproved(Taint::Path)
        } else if let Some(value) = self.look_up(key, after) {
            value
        } else if let Some(attack) = check {
            let Some(value) = self.evaluate_check(position, m, after, attack)? else {
                node.add_taint(Taint::Attempt);
                return Ok(());
            };
            value
        } else {
            self.meter.node()?;
            let next = position.play(m);
            if after.aim == Aim::Technique && !technique::is_sound(m, &next) {
                node.add_taint(Taint::Attempt);
                return Ok(());
            }
            let value = self.evaluate_move(key, &next, after)?;
            if !value.numbers.is_solved() {
                made = self.positions.push(next);
            }
            value
        };
        node.has_allowed_move = true;
        if value.numbers.is_disproved() {
            node.add_taint(value.taint);
        } else {
            self.children.push(OpenChild { step: ChildMove::Evaluated(m), position: made, key, value });
        }
        Ok(())
    }

    /// Evaluates a move that is not in the table, given the position after it.
    #[inline]
    fn evaluate_move(&mut self, key: u64, next: &Position, after: Attempt) -> Result<NodeValue, Interrupted> {
        let value = if !self.goal.is_mate() {
            return self.evaluate_for_goal(next, NodeKind::And, after);
        } else if after.moves() == Some(MateLength(1)) {
            self.last_replies(next, after)?
        } else if two_moves::king_escapes(next, after, self.order, self.meter)? {
            self.record_disproof(key, after, Taint::None, 1)
        } else {
            let flights = || next.flights().count() as u32;
            leaf::and_node(next, after).times(|| {
                self.factor(next, !next.turn(), after) * leaf::flight_factor(after, self.root_flights, flights)
            })
        };
        // With the numbers in the table the position need not be made again when this node is visited next. Refutations
        // stay longer at a node and gain nothing by it.
        if !value.numbers.is_solved() && after.aim != Aim::Refutation {
            self.table.store(key, after, value.numbers, 0);
        }
        Ok(value)
    }

    /// Where no move is sound, because some loss cannot be avoided, adds the moves that lose least. Returns whether it
    /// did.
    #[inline]
    fn add_least_losses(
        &mut self,
        node: &mut OpenNode,
        position: &Position,
        after: Attempt,
    ) -> Result<bool, Interrupted> {
        if node.has_allowed_move || after.aim != Aim::Technique {
            return Ok(false);
        }
        node.has_allowed_move = true;
        for (m, next) in technique::least_losses(position) {
            self.meter.node()?;
            let key = next.key();
            if self.repeats(key, after) {
                node.add_taint(Taint::Path);
                continue;
            }
            let value = self.evaluate_move(key, &next, after)?;
            if !value.numbers.is_disproved() {
                let made = self.positions.push(next);
                self.children.push(OpenChild { step: ChildMove::Evaluated(m), position: made, key, value });
            }
        }
        Ok(self.children.len() > node.first_child)
    }

    /// Evaluates a check that is not in the table; `None` if it loses material and may not. Only then is the position
    /// after it needed.
    #[inline]
    fn evaluate_check(
        &mut self,
        position: &Position,
        m: Move,
        after: Attempt,
        attack: &Attack,
    ) -> Result<Option<NodeValue>, Interrupted> {
        let value = leaf::after_check(attack.evasions(m), after);
        if after.aim != Aim::Technique || value.numbers.is_proved() {
            let flights = || attack.flights_after(m);
            return Ok(Some(value.times(|| leaf::flight_factor(after, self.root_flights, flights))));
        }
        self.meter.node()?;
        let next = position.play(m);
        let sound = technique::is_sound(m, &next);
        Ok(sound.then(|| value.times(|| self.factor(&next, position.turn(), after))))
    }

    /// Returns whether a search for a mate gives the position up because it is already on the path: a mate would be
    /// found from its first occurrence, in fewer moves. A refutation must be exact; within its horizon the number of
    /// moves left distinguishes the two visits.
    #[inline]
    fn repeats(&self, key: u64, attempt: Attempt) -> bool {
        attempt.aim != Aim::Refutation && (self.path.contains(key) || self.path.len() > LONGEST_PATH)
    }

    /// Searches an AND node: the attacker needs all children proved.
    fn and_node(
        &mut self,
        position: &Position,
        attempt: Attempt,
        threshold: ProofNumbers,
    ) -> Result<NodeValue, Interrupted> {
        let key = position.key();
        if let Some(value) = self.look_up_shared_fact(key, attempt) {
            return Ok(value);
        }
        self.meter.look()?;
        if attempt.moves() == Some(MateLength(1)) && self.goal.is_mate() {
            return self.last_replies(position, attempt);
        }
        let threshold = attempt.raise_threshold(NodeKind::And, threshold);
        let mut node = self.enter(key);
        self.add_replies(&mut node, position, attempt);
        let value = loop {
            let Some(bounds) = self.bounds(&node, NodeKind::And, attempt) else {
                break self.record_proof(key, node.longest, None, self.work(&node));
            };
            let child = self.children[bounds.best];
            let numbers = ProofNumbers { pn: bounds.sum, dn: bounds.least };
            let (ChildMove::Evaluated(m) | ChildMove::Unevaluated(m)) = child.step else {
                unreachable!("replies are moves")
            };
            if numbers.is_disproved() {
                self.order.record_refutation(m);
                break self.record_disproof(key, attempt, child.value.taint, self.work(&node));
            }
            if numbers.pn >= threshold.pn || numbers.dn >= threshold.dn {
                self.table.store(key, attempt, numbers, self.work(&node));
                break NodeValue::from_numbers(numbers);
            }
            if self.refresh_child(bounds.best, attempt) {
                self.remove_if_proved(&mut node, bounds.best);
                continue;
            }
            let next = self.position(bounds.best, position, m)?;
            let result = if let ChildMove::Unevaluated(_) = child.step {
                self.evaluate_reply(&next, attempt)
            } else {
                let threshold = ProofNumbers {
                    pn: (threshold.pn - bounds.sum).saturating_add(child.value.numbers.pn),
                    dn: threshold.dn.min(bounds.best_child_threshold(EPSILON_PART)),
                };
                self.store_virtual_number(NodeKind::And, &child, attempt, threshold);
                self.or_node(&next, attempt, threshold)
            };
            let value = self.store_if_interrupted(result, key, attempt, numbers, &node)?;
            self.children[bounds.best].value = value;
            self.children[bounds.best].step = ChildMove::Evaluated(m);
            if self.remove_if_proved(&mut node, bounds.best) && value.length > MateLength(1) && self.goal.is_mate() {
                self.replay_in_siblings(&mut node, position, &next, value.length, attempt)?;
            }
        };
        self.leave(&node);
        Ok(value)
    }

    /// Removes a child of an AND node if it is proved. Returns whether it was.
    #[inline]
    fn remove_if_proved(&mut self, node: &mut OpenNode, at: usize) -> bool {
        let value = self.children[at].value;
        let proved = value.numbers.is_proved();
        if proved {
            node.longest = node.longest.max(value.length);
            self.children.remove(at);
        }
        proved
    }

    /// Adds the replies, those that have refuted most often first. No position is made.
    fn add_replies(&mut self, node: &mut OpenNode, position: &Position, attempt: Attempt) {
        let mut replies = rules::replies(self.goal, position);
        self.order.sort(&mut replies);
        self.fetch(position, &replies);
        // Only the estimates of a refutation depend on whether a reply gives check.
        let checks = (attempt.aim == Aim::Refutation).then(|| Checks::of(position));
        let gives_check = |m| checks.is_some_and(|checks| checks.contain(position, m));
        let factor = self.factor(position, !position.turn(), attempt);
        for (i, &m) in replies.iter().enumerate() {
            let key = self.keys[i];
            let (step, value) = if self.repeats(key, attempt) {
                (ChildMove::Evaluated(m), NodeValue::disproved(Taint::Path))
            } else if let Some(value) = self.look_up(key, attempt) {
                (ChildMove::Evaluated(m), value)
            } else {
                let value = leaf::unevaluated_reply(attempt, m, i, gives_check);
                (ChildMove::Unevaluated(m), value.times(|| factor))
            };
            if value.numbers.is_proved() {
                node.longest = node.longest.max(value.length);
            } else {
                self.push(step, key, value);
            }
        }
    }

    /// Stores a node's numbers in the table if the search below it was interrupted, so that it can continue from there.
    #[inline]
    fn store_if_interrupted(
        &mut self,
        result: Result<NodeValue, Interrupted>,
        key: u64,
        attempt: Attempt,
        numbers: ProofNumbers,
        node: &OpenNode,
    ) -> Result<NodeValue, Interrupted> {
        if result.is_err() {
            self.table.store(key, attempt, numbers, self.work(node));
        }
        result
    }
}
