//! The recursive search of OR and AND nodes.
//!
//! [`SelectiveSearch::or_node`] tries the candidates of the attacker, [`SelectiveSearch::and_node`] every reply of the
//! defender. A mate is therefore a proof at every width. A failure is a refutation only if nothing that it depends on
//! was left out ([`crate::search::window`]): no candidate, and no position that repeats.

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::proof::Bounds;
use crate::search::Facts;

use super::candidates::{self, Candidate, LEAST_QUIET_PRICE, Surroundings};
use super::denial::Denial;
use super::entry::FailedSearch;
use super::replies::ordered_replies;
use super::table::{Keep, LinkedTable};
use super::width::Width;
use crate::search::learned::LearnedOrder;
use crate::search::mate_in_two::MateInTwo;
use crate::search::principal::{Known, NodeResult, OrNode};
use crate::search::window::{Value, Window};
use crate::search::{Interrupted, Meter};

/// The parameters of a node's search.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeParameters {
    /// The mate lengths to look for.
    pub window: Window,
    /// The width left for the attacker's moves.
    pub width: Width,
    /// The distance from the root in plies.
    pub ply: usize,
    /// A move to try first: the one that mated against another reply.
    pub hint: Option<MoveCode>,
}

/// A search with its table.
#[derive(Debug)]
pub(super) struct SelectiveSearch<'s, 'c> {
    /// The bounds shared with other engines.
    pub facts: &'s Facts,
    /// The node counter.
    pub meter: &'s mut Meter<'c>,
    /// The engine's own table.
    pub table: &'s mut LinkedTable,
    /// The killers and the history.
    pub learned: &'s mut LearnedOrder,
    last_moves: MateInTwo,
    /// The keys of the OR nodes from the root to the current node.
    path: Vec<u64>,
}

impl<'s, 'c> SelectiveSearch<'s, 'c> {
    /// Creates a search that uses the contents of `table` and `learned`.
    pub fn new(
        facts: &'s Facts,
        meter: &'s mut Meter<'c>,
        table: &'s mut LinkedTable,
        learned: &'s mut LearnedOrder,
    ) -> SelectiveSearch<'s, 'c> {
        let (last_moves, path) = (MateInTwo::default(), Vec::new());
        SelectiveSearch { facts, meter, table, learned, last_moves, path }
    }

    /// Searches the root, a node of the given kind.
    pub fn search_root(
        &mut self,
        kind: NodeKind,
        position: &Position,
        window: Window,
        width: Width,
    ) -> Result<Value, Interrupted> {
        self.table.begin_iteration(position.key());
        // After an interruption the path is not empty.
        self.path.clear();
        let node = NodeParameters { window, width, ply: 0, hint: None };
        let outcome = match kind {
            NodeKind::Or => self.or_node(position, node)?,
            NodeKind::And => self.and_node(position, node)?,
        };
        Ok(outcome.value)
    }

    /// Looks a position up in the engine's table and in the shared facts.
    fn look_up(&mut self, key: u64, node: &NodeParameters) -> Known {
        let within = node.window.within;
        let fails = |failure: FailedSearch| failure.answers(within, node.width);
        let known = self.table.get(key).join(self.facts.get(key), within, fails);
        if known.answer.is_some() {
            self.table.count_answer(key);
        }
        known
    }

    /// Closes the node at the end of the line, stores its outcome and, if it is proved, shares it.
    fn close(&mut self, kind: NodeKind, key: u64, node: &NodeParameters, outcome: NodeResult, before: u64) {
        let (within, width) = (node.window.within, node.width);
        let decided = matches!((kind, outcome.value), (NodeKind::Or, Value::Mate(_)))
            || (kind == NodeKind::And && !matches!(outcome.value, Value::Mate(_)));
        let keep = if decided { Keep::Last } else { Keep::All };
        let work = self.meter.count() - before;
        self.table.close(work, keep, |entry| entry.record(outcome, within, FailedSearch { within, width }));
        outcome.share(self.facts, key, within);
        if decided && let Some(best) = outcome.best {
            self.learned.record_decisive(kind, node.ply, best, i32::from(within.0));
        }
    }

    /// Searches an OR node for a move that mates, unless the tables answer.
    pub fn or_node(&mut self, position: &Position, node: NodeParameters) -> Result<NodeResult, Interrupted> {
        let within = node.window.within;
        if within.0 == 0 {
            return Ok(NodeResult::NO_MATE);
        }
        if let Some(mate) = position.mate_in_one() {
            return Ok(NodeResult::mate(MateLength(1), Some(mate.code())));
        }
        if within.0 == 1 || !position.by_color(position.turn()).more_than_one() {
            return Ok(NodeResult::NO_MATE);
        }
        let key = position.key();
        let Known { answer, best, bounds } = self.look_up(key, &node);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        // If the position repeats, the attacker had the same moves before, with more moves left.
        if !node.width.is_full() && self.path.contains(&key) {
            return Ok(NodeResult::UNKNOWN);
        }
        self.search_or_node(position, &node, best, bounds)
    }

    /// Searches an OR node whose outcome the tables do not hold, and stores it. There must be no mate in one.
    fn search_or_node(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        best: Option<MoveCode>,
        bounds: Bounds,
    ) -> Result<NodeResult, Interrupted> {
        let (key, before) = (position.key(), self.meter.count());
        self.table.open(key);
        self.path.push(key);
        let outcome = if node.window.within.0 == 2 && node.width.is_full() {
            let mate = self.last_moves.find(position, best.or(node.hint), self.meter)?;
            mate.map_or(NodeResult::NO_MATE, |m| NodeResult::mate(MateLength(2), Some(m.code())))
        } else {
            let mut state = OrNode::new(node.window, bounds);
            self.try_stages(position, node, best, &mut state)?;
            state.outcome()
        };
        self.path.pop();
        self.close(NodeKind::Or, key, node, outcome, before);
        Ok(outcome)
    }

    /// Looks for the move of a mate that is known to exist but whose move the tables have lost. Returns the move and
    /// its length, or `None` if this width is too small.
    pub fn find_mating_move(
        &mut self,
        position: &Position,
        within: MateLength,
        width: Width,
    ) -> Result<Option<(MoveCode, MateLength)>, Interrupted> {
        let node = NodeParameters { window: Window::scout(within), width, ply: 0, hint: None };
        let Known { best, .. } = self.look_up(position.key(), &node);
        self.path.clear();
        let outcome = self.search_or_node(position, &node, best, Bounds::UNKNOWN)?;
        Ok(match (outcome.value, outcome.best) {
            (Value::Mate(length), Some(best)) => Some((best, length)),
            _ => None,
        })
    }

    /// Tries the attacker's candidates: the move from the tables or the hint, the other checks, and the other quiet
    /// moves. Returns whether a mate was found that is short enough to end the search.
    fn try_stages(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        best: Option<MoveCode>,
        state: &mut OrNode,
    ) -> Result<bool, Interrupted> {
        let mut checks = candidates::checks(position);
        let first = best.or(node.hint);
        let mut tried = None;
        if let Some(at) = checks.iter().position(|candidate| Some(candidate.m.code()) == first) {
            checks[..=at].rotate_right(1);
        } else if let Some(m) = first.and_then(|first| position.find_move(first))
            && node.width.affords(LEAST_QUIET_PRICE)
        {
            let candidate = Surroundings::of(position).quiet(m, self.meter)?;
            if candidate.is_listed(node.width, node.ply) {
                tried = first;
                if self.try_candidate(position, &candidate, node, state)? {
                    return Ok(true);
                }
            }
        }
        let all = checks.len();
        checks.retain(|candidate| candidate.is_listed(node.width, node.ply));
        state.tainted |= checks.len() < all;
        if self.try_list(position, checks, node, state)? {
            return Ok(true);
        }
        let (mut quiet, discarded) = candidates::quiet(position, (node.width, node.ply), tried, self.meter)?;
        state.tainted |= discarded;
        quiet.sort_by_cached_key(|candidate| {
            let rank = self.learned.rank(NodeKind::Or, node.ply, candidate.m.code());
            (candidate.class, -rank, candidate.price)
        });
        self.try_list(position, quiet, node, state)
    }

    /// Tries the moves of a list in order; after a refutation, those that deny it next, before the others of their
    /// class and about their price. Returns whether a mate was found that is short enough to end the search.
    fn try_list(
        &mut self,
        position: &Position,
        mut list: Vec<Candidate>,
        node: &NodeParameters,
        state: &mut OrNode,
    ) -> Result<bool, Interrupted> {
        for i in 0..list.len() {
            if let Some(denial) = state.refutation.take().map(Denial::of) {
                list[i..].sort_by_key(|candidate| {
                    (candidate.class, candidate.price.in_bits(), !denial.contains(position, candidate.m))
                });
            }
            let candidate = list[i];
            if self.try_candidate(position, &candidate, node, state)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries one move. Returns whether it mates fast enough to end the search of the node.
    fn try_candidate(
        &mut self,
        position: &Position,
        candidate: &Candidate,
        node: &NodeParameters,
        state: &mut OrNode,
    ) -> Result<bool, Interrupted> {
        let child = if let Some(child) = candidate.child {
            child
        } else {
            self.meter.node()?;
            position.play(candidate.m)
        };
        let width = node.width.after(candidate.price).unwrap_or(Width::quarters(0));
        state.try_move(candidate.m.code(), |window| {
            self.and_node(&child, NodeParameters { window, width, ply: node.ply + 1, hint: None })
        })
    }

    /// Searches an AND node for a reply that avoids mate, unless the tables answer.
    pub fn and_node(&mut self, position: &Position, node: NodeParameters) -> Result<NodeResult, Interrupted> {
        if !position.has_move() {
            return Ok(if position.is_check() { NodeResult::mate(MateLength(0), None) } else { NodeResult::NO_MATE });
        }
        if node.window.within.0 == 0 {
            return Ok(NodeResult::NO_MATE);
        }
        // The pass is not counted, like that of `Position::threatens_mate`.
        let threat = position.pass().and_then(|passed| passed.mate_in_one()).map(Move::code);
        if node.window.within.0 == 1 {
            return self.last_replies(position, threat);
        }
        let key = position.key();
        let Known { answer, best, .. } = self.look_up(key, &node);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let before = self.meter.count();
        self.table.open(key);
        let outcome = self.try_replies(position, &node, best, threat)?;
        self.close(NodeKind::And, key, &node, outcome, before);
        Ok(outcome)
    }

    /// Decides an AND node with one move left to the attacker. `threat` is his mate after a pass.
    fn last_replies(&mut self, position: &Position, threat: Option<MoveCode>) -> Result<NodeResult, Interrupted> {
        let mut replies = position.legal_moves();
        if let Some(denial) = threat.map(Denial::of) {
            replies.sort_by_key(|&m| !denial.contains(position, m));
        }
        let refutation = self.last_moves.refutation(position, &mut replies, self.meter)?;
        Ok(match refutation {
            Some(reply) => NodeResult { value: Value::NoMate, best: Some(reply.code()) },
            None => NodeResult::mate(MateLength(1), None),
        })
    }

    /// Searches the replies: after a mated reply, those that deny its mating move next. Returns the longest mate, or
    /// the reply that avoids mate. `threat` is the attacker's mate in one after a pass.
    fn try_replies(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        best: Option<MoveCode>,
        threat: Option<MoveCode>,
    ) -> Result<NodeResult, Interrupted> {
        let mut replies = ordered_replies(position, node.ply, best, threat, self.learned);
        let mut longest = MateLength(0);
        let (mut denied, mut mating_move) = (threat, threat);
        for i in 0..replies.len() {
            if mating_move != denied {
                denied = mating_move;
                if let Some(denial) = denied.map(Denial::of) {
                    replies[i..].sort_by_key(|&m| !denial.contains(position, m));
                }
            }
            self.meter.node()?;
            let window = node.window.at_least(longest);
            let child = NodeParameters { window, width: node.width, ply: node.ply + 1, hint: mating_move };
            let outcome = self.or_node(&position.play(replies[i]), child)?;
            match outcome.value {
                Value::Mate(length) => {
                    longest = longest.max(length);
                    mating_move = outcome.best.or(mating_move);
                }
                value => return Ok(NodeResult { value, best: Some(replies[i].code()) }),
            }
        }
        Ok(NodeResult::mate(longest, None))
    }
}
