//! The recursive search of OR and AND nodes.
//!
//! [`PvsSearch::or_node`] looks for a move that mates, [`PvsSearch::and_node`] for a reply that avoids mate. Both
//! search within a [`Window`] and return a [`Value`]. They keep the rule of [`crate::search::window`]: a failure to
//! mate is a refutation only if all failures that it depends on are refutations.

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::proof::Bounds;
use crate::search::Facts;

use super::super::learned::LearnedOrder;
use super::super::mate_in_two::MateInTwo;
use super::super::principal::{Known, NodeResult, OrNode};
use super::super::window::{Value, Window};
use super::super::{Interrupted, Meter};
use super::depth::Depth;
use super::extend::Extension;
use super::null_move::{FailHigh, NullMove};
use super::options::PvsOptions;
use super::order::{self, AttackerMove, Reply};
use super::table::{FailedSearch, PvsTable};

/// The parameters of a node's search.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeParameters {
    /// The mate lengths to look for.
    pub window: Window,
    /// The depth of the search.
    pub depth: Depth,
    /// The distance from the root in plies, passes included.
    pub ply: usize,
    /// Whether a null-move fail-high is verified at this node (the flag of the 2002 paper).
    pub verify: bool,
    /// Whether the defender may pass. He may not at the root or right after a pass.
    pub may_pass: bool,
    /// The move that led to the node.
    pub last: Option<Move>,
}

impl NodeParameters {
    /// Returns the parameters at the root.
    pub fn root(window: Window, depth: Depth) -> NodeParameters {
        NodeParameters { window, depth, ply: 0, verify: true, may_pass: false, last: None }
    }
}

/// A search with its tables.
#[derive(Debug)]
pub(super) struct PvsSearch<'s, 'c> {
    /// The bounds shared with other engines.
    pub facts: &'s Facts,
    /// The node counter.
    pub meter: &'s mut Meter<'c>,
    /// The engine's own table.
    pub table: &'s mut PvsTable,
    /// The killers and the history.
    pub learned: &'s mut LearnedOrder,
    /// The null moves and extensions of the current iteration. An exact iteration has none.
    pub options: PvsOptions,
    mate_in_two: MateInTwo,
    /// The attacker's moves at the nodes above, in one list; each node owns the end of it while it is searched.
    attacks: Vec<AttackerMove>,
    /// The defender's moves at the nodes above, in the same way.
    replies: Vec<Reply>,
    /// The keys of the OR nodes from the root to the current node.
    path: Vec<u64>,
}

/// The smallest depth at which singular replies are extended. Doubled, fewer replies are extended; halved, the tests
/// cost more than they find.
const SINGULAR_DEPTH: Depth = Depth::plies(4);

impl<'s, 'c> PvsSearch<'s, 'c> {
    /// Creates a search that uses the contents of `table` and `learned`.
    pub fn new(
        options: PvsOptions,
        facts: &'s Facts,
        meter: &'s mut Meter<'c>,
        table: &'s mut PvsTable,
        learned: &'s mut LearnedOrder,
    ) -> PvsSearch<'s, 'c> {
        let (attacks, replies, path) = (Vec::new(), Vec::new(), Vec::new());
        PvsSearch { facts, meter, table, learned, options, mate_in_two: MateInTwo::default(), attacks, replies, path }
    }

    /// Searches the root, a node of the given kind.
    pub fn search_root(
        &mut self,
        kind: NodeKind,
        position: &Position,
        window: Window,
        depth: Depth,
    ) -> Result<Value, Interrupted> {
        // After an interruption the lists are not empty.
        self.attacks.clear();
        self.replies.clear();
        self.path.clear();
        match kind {
            NodeKind::Or => self.or_node(position, NodeParameters::root(window, depth)),
            NodeKind::And => self.and_node(position, NodeParameters::root(window, depth)),
        }
    }

    /// Looks a position up in the engine's table and in the shared facts.
    fn look_up(&self, key: u64, node: &NodeParameters) -> Known {
        let within = node.window.within;
        let fails =
            |failure: FailedSearch| !self.options.is_exact() && failure.answers(within, node.depth, node.verify);
        self.table.get(key).join(self.facts.get(key), within, fails)
    }

    /// Stores an outcome in the table and, if it is proved, in the shared facts.
    fn record(&mut self, key: u64, node: &NodeParameters, outcome: NodeResult) {
        let within = node.window.within;
        let failure = FailedSearch { within, depth: node.depth, verify: node.verify };
        self.table.update(key, |entry| entry.record(outcome, within, failure));
        outcome.share(self.facts, key, within);
    }

    /// Searches an OR node for a move that mates, unless the tables answer.
    pub fn or_node(&mut self, position: &Position, node: NodeParameters) -> Result<Value, Interrupted> {
        let within = node.window.within;
        if within.0 == 0 {
            return Ok(Value::NoMate);
        }
        if within.0 == 1 && node.depth.moves() > 0 {
            let mate = position.mate_in_one();
            return Ok(mate.map_or(Value::NoMate, |_| Value::Mate(MateLength(1))));
        }
        let key = position.key();
        let known = self.look_up(key, &node);
        if let Some(answer) = known.answer {
            return Ok(answer.value);
        }
        // If the position repeats, the attacker had the same moves before, with more moves left.
        if node.depth.moves() == 0 || (!self.options.is_exact() && self.path.contains(&key)) {
            return Ok(Value::Unknown);
        }
        Ok(self.search_or_node(position, &node, &known)?.value)
    }

    /// Searches an OR node whose value the tables do not hold, and stores the result.
    fn search_or_node(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        known: &Known,
    ) -> Result<NodeResult, Interrupted> {
        let outcome = match self.search_last_two_moves(position, node, known.best)? {
            Some(found) => found,
            None => self.search_attacks(position, node, known)?,
        };
        self.record(position.key(), node, outcome);
        if let NodeResult { value: Value::Mate(_), best: Some(best) } = outcome {
            self.learned.record_decisive(NodeKind::Or, node.ply, best, node.depth.in_plies());
        }
        Ok(outcome)
    }

    /// Looks for the move of a mate that is known to exist but whose move the tables have lost. Returns the move and
    /// its length, or `None` if this depth is too small.
    pub fn find_mating_move(
        &mut self,
        position: &Position,
        within: MateLength,
        depth: Depth,
    ) -> Result<Option<(MoveCode, MateLength)>, Interrupted> {
        let node = NodeParameters::root(Window::scout(within), depth);
        let best = self.look_up(position.key(), &node).best;
        let known = Known { answer: None, best, bounds: Bounds::UNKNOWN };
        Ok(match self.search_or_node(position, &node, &known)? {
            NodeResult { value: Value::Mate(length), best: Some(best) } => Some((best, length)),
            _ => None,
        })
    }

    /// Searches a node with at most two moves of the attacker left, by bound or by depth, for a mate in one or two.
    /// Returns `None` if that does not decide the node.
    fn search_last_two_moves(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        hint: Option<MoveCode>,
    ) -> Result<Option<NodeResult>, Interrupted> {
        let within = node.window.within.0;
        let moves = node.depth.moves().min(within);
        let checks_go_on = self.options.extensions.has(Extension::Check) && within > moves;
        if moves > 2 || (moves == 2 && checks_go_on) {
            return Ok(None);
        }
        if let Some(m) = position.mate_in_one() {
            return Ok(Some(NodeResult::mate(MateLength(1), Some(m.code()))));
        }
        if moves == 2
            && let Some(m) = self.mate_in_two.find(position, hint, self.meter)?
        {
            return Ok(Some(NodeResult::mate(MateLength(2), Some(m.code()))));
        }
        Ok(match (within == moves, checks_go_on) {
            (true, _) => Some(NodeResult::NO_MATE),
            (false, true) => None,
            (false, false) => Some(NodeResult::UNKNOWN),
        })
    }

    /// Tries the attacker's moves: the move from the tables, then checks and, if the depth allows more than one move,
    /// the quiet moves.
    fn search_attacks(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        known: &Known,
    ) -> Result<NodeResult, Interrupted> {
        let (start, only_checks) = (self.attacks.len(), node.depth.moves() == 1);
        let mut state = OrNode::new(node.window, known.bounds);
        state.tainted = only_checks;
        self.path.push(position.key());
        let mut done = false;
        if let Some(m) = known.best.and_then(|best| position.find_move(best)) {
            self.meter.node()?;
            done = self.try_attack(&AttackerMove::first(position, m), node, &mut state)?;
        }
        if !done {
            order::checks(position, known.best, &mut self.attacks, self.meter)?;
            done = self.try_attacks(start, node, &mut state)?;
        }
        if !done && !only_checks {
            self.attacks.truncate(start);
            let threats = self.options.threats && node.depth.moves() > NullMove::EXACT.0;
            order::quiet(position, self.learned, (node.ply, known.best, threats), &mut self.attacks, self.meter)?;
            self.try_attacks(start, node, &mut state)?;
        }
        self.attacks.truncate(start);
        self.path.pop();
        Ok(state.outcome())
    }

    /// Tries the moves listed from `start` on. Returns whether a mate was found that is short enough to end the search.
    fn try_attacks(&mut self, start: usize, node: &NodeParameters, state: &mut OrNode) -> Result<bool, Interrupted> {
        for i in start..self.attacks.len() {
            let attack = self.attacks[i];
            if self.try_attack(&attack, node, state)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries one move. Returns whether it mates fast enough to end the search of the node.
    fn try_attack(
        &mut self,
        attack: &AttackerMove,
        node: &NodeParameters,
        state: &mut OrNode,
    ) -> Result<bool, Interrupted> {
        state.try_move(attack.m.code(), |window| {
            let extensions = self.options.extensions;
            let depth = extensions.after_attack(node.depth, window.within, attack.check, attack.m, node.last);
            let child =
                NodeParameters { window, depth, ply: node.ply + 1, may_pass: true, last: Some(attack.m), ..*node };
            Ok(NodeResult { value: self.and_node(&attack.child, child)?, best: None })
        })
    }

    /// Searches an AND node for a reply that avoids mate, unless the tables answer.
    pub fn and_node(&mut self, position: &Position, node: NodeParameters) -> Result<Value, Interrupted> {
        let in_check = position.is_check();
        if node.window.within.0 == 0 || !position.has_move() {
            let mated = in_check && !position.has_move();
            return Ok(if mated { Value::Mate(MateLength(0)) } else { Value::NoMate });
        }
        let key = position.key();
        let known = self.look_up(key, &node);
        if let Some(answer) = known.answer {
            return Ok(answer.value);
        }
        let outcome = self.pass_or_reply(position, &node, &known, in_check)?;
        self.record(key, &node, outcome);
        if let Some(best) = outcome.best {
            self.learned.record_decisive(NodeKind::And, node.ply, best, node.depth.in_plies());
        }
        Ok(outcome.value)
    }

    /// Searches the null move, if it is allowed, and then the replies.
    fn pass_or_reply(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        known: &Known,
        in_check: bool,
    ) -> Result<NodeResult, Interrupted> {
        let mut reduced = *node;
        let may_pass = node.may_pass && !in_check && node.window.within > NullMove::EXACT;
        let fails_high = may_pass && self.pass(position, node)?;
        if fails_high {
            match self.options.null.fail_high(node.depth, node.verify) {
                FailHigh::Cut => return Ok(NodeResult::UNKNOWN),
                FailHigh::Continue { depth, verify } => (reduced.depth, reduced.verify) = (depth, verify),
            }
        }
        let found = self.try_replies(position, &reduced, known.best)?;
        // Every reply is mated, but a pass is not: zugzwang. The mate lies within the window, but the full depth may
        // show a shorter one.
        if let (true, Value::Mate(length)) = (fails_high, found.value)
            && let Some(shorter) = node.window.shorter_than(length)
        {
            let again = NodeParameters { window: Window::open(node.window.enough, shorter.within), ..*node };
            let shorter = self.try_replies(position, &again, known.best)?;
            if matches!(shorter.value, Value::Mate(_)) {
                return Ok(shorter);
            }
        }
        Ok(found)
    }

    /// Lets the defender pass. Returns whether he avoids mate then: a fail-high. If not, the threat becomes a killer.
    fn pass(&mut self, position: &Position, node: &NodeParameters) -> Result<bool, Interrupted> {
        let Some(depth) = self.options.null.depth_after(node.depth, node.verify) else { return Ok(false) };
        let Some(passed) = position.pass() else { return Ok(false) };
        self.meter.node()?;
        let window = Window::scout(node.window.within);
        let child = NodeParameters { window, depth, ply: node.ply + 1, may_pass: false, last: None, ..*node };
        let value = self.or_node(&passed, child)?;
        let threat = self.table.get(passed.key()).best;
        if let (Value::Mate(_), Some(threat)) = (value, threat) {
            self.learned.add_killer(node.ply + 1, threat);
        }
        Ok(!matches!(value, Value::Mate(_)))
    }

    /// Searches the replies. Returns the node's value and, if it is a failure, the reply that avoids mate.
    fn try_replies(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        best: Option<MoveCode>,
    ) -> Result<NodeResult, Interrupted> {
        let start = self.replies.len();
        let count = order::replies(position, self.learned, node.ply, best, &mut self.replies);
        let mut longest = MateLength(0);
        let mut failed = None;
        for i in start..start + count {
            let m = self.replies[i].m;
            let window = node.window.at_least(longest);
            let depth = self.options.extensions.after_reply(node.depth, window.within, count, m, node.last);
            let mut value = self.reply(position, m, node, window, depth)?;
            if value == Value::Unknown && self.is_singular(position, node, start, count, i)? {
                value = self.reply(position, m, node, window, depth.plus(1))?;
            }
            match value {
                Value::Mate(length) => longest = longest.max(length),
                failure => {
                    failed = Some(NodeResult { value: failure, best: Some(m.code()) });
                    break;
                }
            }
        }
        self.replies.truncate(start);
        Ok(failed.unwrap_or(NodeResult::mate(longest, None)))
    }

    /// Searches the position after one reply.
    fn reply(
        &mut self,
        position: &Position,
        m: Move,
        node: &NodeParameters,
        window: Window,
        depth: Depth,
    ) -> Result<Value, Interrupted> {
        self.meter.node()?;
        let child = NodeParameters { window, depth, ply: node.ply + 1, may_pass: true, last: Some(m), ..*node };
        self.or_node(&position.play(m), child)
    }

    /// Returns whether the reply at `place` is singular: every other reply is mated. The replies before it have been
    /// searched; those after it are searched at reduced depth. Always false where singular replies are not extended.
    fn is_singular(
        &mut self,
        position: &Position,
        node: &NodeParameters,
        start: usize,
        count: usize,
        place: usize,
    ) -> Result<bool, Interrupted> {
        let extends = self.options.extensions.has(Extension::Singular)
            && node.depth >= SINGULAR_DEPTH
            && !node.depth.covers(NodeKind::And, node.window.within)
            && count > 1;
        if !extends {
            return Ok(false);
        }
        for i in place + 1..start + count {
            let m = self.replies[i].m;
            let window = Window::scout(node.window.within);
            if !matches!(self.reply(position, m, node, window, node.depth.minus(3))?, Value::Mate(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
