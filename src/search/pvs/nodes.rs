//! The two kinds of nodes.
//!
//! [`PvsSearch::attack`] looks for one move that mates in time, [`PvsSearch::defend`] for one reply that does not lose. Both
//! answer within a [`Window`] and return a [`Value`]; between them they keep the rule of [`super::window`]: a failure
//! is a refutation only if everything it leans on is one.

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::proof::Facts;

use super::super::{Interrupted, Meter};
use super::PvsOptions;
use super::exact::Exact;
use super::extend::{Extension, Extensions};
use super::null_move::{FailHigh, NullMove};
use super::order::{Attack, MoveOrder, Reply};
use super::table::{Failure, PvsTable};
use super::window::{Depth, Value, Window};

/// The question asked of a node.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Which mates are looked for.
    pub window: Window,
    /// How deep.
    pub depth: Depth,
    /// Distance from the root in plies, passes included.
    pub ply: usize,
    /// Whether a null-move fail-high is verified here (the paper's flag).
    pub verify: bool,
    /// Whether the defender may pass: not at the root, not after a pass.
    pub may_pass: bool,
    /// The move that led here.
    pub last: Option<Move>,
}

impl Frame {
    /// The question at the root.
    pub fn root(window: Window, depth: Depth) -> Frame {
        Frame { window, depth, ply: 0, verify: true, may_pass: false, last: None }
    }
}

/// One engine's search: what it may do, and what it has learned.
#[derive(Debug)]
pub struct PvsSearch<'s, 'c> {
    /// The shared facts.
    pub facts: &'s Facts,
    /// Counts the nodes.
    pub meter: &'s mut Meter<'c>,
    /// The engine's own bounds.
    pub table: &'s mut PvsTable,
    /// Killers and history.
    pub order: &'s mut MoveOrder,
    /// What may be cut and stretched; nothing in an exact search.
    pub options: PvsOptions,
    exact: Exact,
    attacks: Vec<Attack>,
    replies: Vec<Reply>,
    /// Keys of the OR nodes above.
    path: Vec<u64>,
}

/// What is known of a position before it is searched.
struct Known {
    value: Option<Value>,
    best: MoveCode,
    /// No mate within fewer moves.
    none_below: u16,
}

/// The state of an OR node under search.
struct Hunt {
    window: Window,
    best: Option<(MateLength, MoveCode)>,
    tainted: bool,
}

/// With fewer plies left nothing is worth being called singular.
const SINGULAR_DEPTH: Depth = Depth::plies(4);

impl<'s, 'c> PvsSearch<'s, 'c> {
    /// A search that has learned what `table` and `order` hold.
    pub fn new(
        options: PvsOptions,
        facts: &'s Facts,
        meter: &'s mut Meter<'c>,
        table: &'s mut PvsTable,
        order: &'s mut MoveOrder,
    ) -> PvsSearch<'s, 'c> {
        let (attacks, replies, path) = (Vec::new(), Vec::new(), Vec::new());
        PvsSearch { facts, meter, table, order, options, exact: Exact::default(), attacks, replies, path }
    }

    /// Asks a question at the root of a search.
    pub fn ask(
        &mut self,
        kind: NodeKind,
        position: &Position,
        window: Window,
        depth: Depth,
    ) -> Result<Value, Interrupted> {
        // An interrupted search leaves its lists behind.
        self.attacks.clear();
        self.replies.clear();
        self.path.clear();
        match kind {
            NodeKind::Or => self.attack(position, Frame::root(window, depth)),
            NodeKind::And => self.defend(position, Frame::root(window, depth)),
        }
    }

    fn is_exact(&self) -> bool {
        self.options.is_exact()
    }

    fn extensions(&self) -> Extensions {
        self.options.extensions
    }

    fn look_up(&self, key: u64, at: &Frame) -> Known {
        let within = at.window.within;
        let entry = self.table.get(key);
        let fact = self.facts.get(key);
        let proved = [entry.proved, fact.bounds.proved()].into_iter().flatten().min();
        let none_below = entry.none_below.max(fact.bounds.shortest_open().0);
        let best = if entry.best == MoveCode::NONE { fact.best } else { entry.best };
        let failed = !self.is_exact() && entry.failure.is_some_and(|f| f.answers(within, at.depth, at.verify));
        let value = if let Some(proved) = proved.filter(|&proved| proved <= within) {
            Some(Value::Mate(proved))
        } else if within.0 < none_below {
            Some(Value::NoMate)
        } else {
            failed.then_some(Value::Unknown)
        };
        Known { value, best, none_below }
    }

    /// Records a value in the table and, if it is a fact, for everybody.
    fn record(&mut self, key: u64, at: &Frame, value: Value, best: MoveCode) {
        let within = at.window.within;
        self.table.update(key, |entry| {
            if best != MoveCode::NONE && entry.proved.is_none() {
                entry.best = best;
            }
            match value {
                // Move and length belong together: the position may have been mated faster below itself, by another move.
                Value::Mate(length) if entry.proved.is_none_or(|old| length <= old) => {
                    (entry.proved, entry.best) = (Some(length), best);
                }
                Value::Mate(_) => {}
                Value::NoMate => entry.none_below = entry.none_below.max(within.0 + 1),
                Value::Unknown => {
                    entry.failure = Some(Failure { within, depth: at.depth, verify: at.verify });
                }
            }
        });
        match value {
            Value::Mate(length) => self.facts.prove(key, length, best),
            Value::NoMate => self.facts.refute(key, within),
            Value::Unknown => {}
        }
    }

    /// OR node: some move mates within the window, or none does.
    pub fn attack(&mut self, position: &Position, at: Frame) -> Result<Value, Interrupted> {
        let within = at.window.within;
        if within.0 == 0 {
            return Ok(Value::NoMate);
        }
        if within.0 == 1 && at.depth.moves() > 0 {
            let mate = position.mate_in_one();
            return Ok(mate.map_or(Value::NoMate, |_| Value::Mate(MateLength(1))));
        }
        let key = position.key();
        let known = self.look_up(key, &at);
        if let Some(value) = known.value {
            return Ok(value);
        }
        // A position that repeats offers the attacker nothing it did not offer with more moves left.
        if at.depth.moves() == 0 || (!self.is_exact() && self.path.contains(&key)) {
            return Ok(Value::Unknown);
        }
        Ok(self.search_attack(position, &at, &known)?.0)
    }

    /// Searches an OR node, whatever the tables say of it, and records what is found.
    fn search_attack(
        &mut self,
        position: &Position,
        at: &Frame,
        known: &Known,
    ) -> Result<(Value, MoveCode), Interrupted> {
        let (value, best) = match self.near(position, at, known.best)? {
            Some(found) => found,
            None => self.far(position, at, known)?,
        };
        self.record(position.key(), at, value, best);
        if let Value::Mate(_) = value {
            self.order.decided(NodeKind::Or, at.ply, best, at.depth.in_plies());
        }
        Ok((value, best))
    }

    /// Searches an OR node again for a mate that is known to exist, because its move was lost; `None` if this depth does
    /// not show it.
    pub fn find_again(
        &mut self,
        position: &Position,
        within: MateLength,
        depth: Depth,
    ) -> Result<Option<(MoveCode, MateLength)>, Interrupted> {
        let at = Frame::root(Window::scout(within), depth);
        let known = Known { value: None, best: self.look_up(position.key(), &at).best, none_below: 0 };
        Ok(match self.search_attack(position, &at, &known)? {
            (Value::Mate(length), best) => Some((best, length)),
            _ => None,
        })
    }

    /// Answers with the exact routines where bound or depth leave two moves or one; `None` if more is to be searched.
    fn near(
        &mut self,
        position: &Position,
        at: &Frame,
        hint: MoveCode,
    ) -> Result<Option<(Value, MoveCode)>, Interrupted> {
        let within = at.window.within.0;
        let moves = at.depth.moves().min(within);
        let checks_go_on = self.extensions().has(Extension::Check) && within > moves;
        if moves > 2 || (moves == 2 && checks_go_on) {
            return Ok(None);
        }
        if let Some(m) = position.mate_in_one() {
            return Ok(Some((Value::Mate(MateLength(1)), m.code())));
        }
        if moves == 2
            && let Some(m) = self.exact.mate_in_two(position, hint, self.meter)?
        {
            return Ok(Some((Value::Mate(MateLength(2)), m.code())));
        }
        Ok(match (within == moves, checks_go_on) {
            (true, _) => Some((Value::NoMate, MoveCode::NONE)),
            (false, true) => None,
            (false, false) => Some((Value::Unknown, MoveCode::NONE)),
        })
    }

    /// Searches the attacker's moves: the remembered one, checks, and, with depth left for more than one move, the rest.
    fn far(&mut self, position: &Position, at: &Frame, known: &Known) -> Result<(Value, MoveCode), Interrupted> {
        let (start, only_checks) = (self.attacks.len(), at.depth.moves() == 1);
        let window = Window::open(at.window.enough.max(MateLength(known.none_below)), at.window.within);
        let mut hunt = Hunt { window, best: None, tainted: only_checks };
        self.path.push(position.key());
        let mut done = false;
        if let Some(m) = position.find_move(known.best) {
            self.meter.node()?;
            done = self.try_attack(&Attack::first(position, m), at, &mut hunt)?;
        }
        if !done {
            MoveOrder::checks(position, known.best, &mut self.attacks, self.meter)?;
            done = self.try_attacks(start, at, &mut hunt)?;
        }
        if !done && !only_checks {
            self.attacks.truncate(start);
            let threats = self.options.threats && at.depth.moves() > NullMove::EXACT.0;
            self.order.quiet(position, (at.ply, known.best, threats), &mut self.attacks, self.meter)?;
            self.try_attacks(start, at, &mut hunt)?;
        }
        self.attacks.truncate(start);
        self.path.pop();
        Ok(match hunt.best {
            Some((length, best)) => (Value::Mate(length), best),
            None if hunt.tainted => (Value::Unknown, MoveCode::NONE),
            None => (Value::NoMate, MoveCode::NONE),
        })
    }

    /// Tries the moves listed from `start` on. True if a mate that is good enough was found.
    fn try_attacks(&mut self, start: usize, at: &Frame, hunt: &mut Hunt) -> Result<bool, Interrupted> {
        let end = self.attacks.len();
        for i in start..end {
            let attack = self.attacks[i];
            if self.try_attack(&attack, at, hunt)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries one move: the first with the node's window, later ones by a scout, and again with the window open if the
    /// scout says that it is shorter.
    fn try_attack(&mut self, attack: &Attack, at: &Frame, hunt: &mut Hunt) -> Result<bool, Interrupted> {
        loop {
            let scouting = hunt.best.is_some() && hunt.window.enough < hunt.window.within;
            let asked = if scouting { Window::scout(hunt.window.within) } else { hunt.window };
            let window = asked.after_attack();
            let depth = self.extensions().after_attack(at.depth, window.within, attack.check, attack.m, at.last);
            let child =
                Frame { window, depth, ply: at.ply + 1, verify: at.verify, may_pass: true, last: Some(attack.m) };
            let length = match self.defend(&attack.child, child)? {
                Value::Mate(length) => MateLength(length.0 + 1),
                Value::NoMate => return Ok(false),
                Value::Unknown => {
                    hunt.tainted = true;
                    return Ok(false);
                }
            };
            hunt.best = Some((length, attack.m.code()));
            let Some(shorter) = hunt.window.shorter_than(length) else { return Ok(true) };
            hunt.window.within = shorter.within;
            if !scouting {
                return Ok(false);
            }
        }
    }

    /// AND node: every reply is mated within the window, or one is not.
    pub fn defend(&mut self, position: &Position, at: Frame) -> Result<Value, Interrupted> {
        let in_check = position.is_check();
        if at.window.within.0 == 0 || !position.has_move() {
            let mated = in_check && !position.has_move();
            return Ok(if mated { Value::Mate(MateLength(0)) } else { Value::NoMate });
        }
        let key = position.key();
        let known = self.look_up(key, &at);
        if let Some(value) = known.value {
            return Ok(value);
        }
        let (value, best) = self.pass_or_reply(position, &at, &known, in_check)?;
        self.record(key, &at, value, best);
        if best != MoveCode::NONE {
            self.order.decided(NodeKind::And, at.ply, best, at.depth.in_plies());
        }
        Ok(value)
    }

    /// The null move and what its mode makes of it, then the replies.
    fn pass_or_reply(
        &mut self,
        position: &Position,
        at: &Frame,
        known: &Known,
        in_check: bool,
    ) -> Result<(Value, MoveCode), Interrupted> {
        let mut reduced = *at;
        let may_pass = at.may_pass && !in_check && at.window.within > NullMove::EXACT;
        let fails_high = may_pass && self.pass(position, at)?;
        if fails_high {
            match self.options.null.fail_high(at.depth, at.verify) {
                FailHigh::Cut => return Ok((Value::Unknown, MoveCode::NONE)),
                FailHigh::Continue { depth, verify } => (reduced.depth, reduced.verify) = (depth, verify),
            }
        }
        let found = self.try_replies(position, &reduced, known.best)?;
        // Every reply is mated although passing saves the defender: zugzwang. The length seen at reduced depth is no
        // longer than asked for, but the full depth may see a shorter one.
        if let (true, Value::Mate(length)) = (fails_high, found.0)
            && let Some(shorter) = at.window.shorter_than(length)
        {
            let again = Frame { window: Window::open(at.window.enough, shorter.within), ..*at };
            if let (Value::Mate(length), best) = self.try_replies(position, &again, known.best)? {
                return Ok((Value::Mate(length), best));
            }
        }
        Ok(found)
    }

    /// Lets the defender pass. True if he then survives: a fail-high; otherwise the threat becomes a killer.
    fn pass(&mut self, position: &Position, at: &Frame) -> Result<bool, Interrupted> {
        let Some(depth) = self.options.null.depth_after(at.depth, at.verify) else { return Ok(false) };
        let Some(passed) = position.pass() else { return Ok(false) };
        self.meter.node()?;
        let window = Window::scout(at.window.within);
        let child = Frame { window, depth, ply: at.ply + 1, may_pass: false, last: None, ..*at };
        let value = self.attack(&passed, child)?;
        let threat = self.table.get(passed.key()).best;
        if matches!(value, Value::Mate(_)) && threat != MoveCode::NONE {
            self.order.killer(at.ply + 1, threat);
        }
        Ok(!matches!(value, Value::Mate(_)))
    }

    /// Searches the replies. The move given back is the one that refutes.
    fn try_replies(
        &mut self,
        position: &Position,
        at: &Frame,
        best: MoveCode,
    ) -> Result<(Value, MoveCode), Interrupted> {
        let start = self.replies.len();
        let count = self.order.replies(position, at.ply, best, &mut self.replies);
        let mut longest = MateLength(0);
        let mut failed = None;
        for i in start..start + count {
            let m = self.replies[i].m;
            let window = at.window.at_least(longest);
            let depth = self.extensions().after_reply(at.depth, window.within, count, m, at.last);
            let mut value = self.reply(position, m, at, window, depth)?;
            if value == Value::Unknown && self.is_singular(position, at, start, count, i)? {
                value = self.reply(position, m, at, window, depth.plus(1))?;
            }
            match value {
                Value::Mate(length) => longest = longest.max(length),
                failure => {
                    failed = Some((failure, m.code()));
                    break;
                }
            }
        }
        self.replies.truncate(start);
        Ok(failed.unwrap_or((Value::Mate(longest), MoveCode::NONE)))
    }

    fn reply(
        &mut self,
        position: &Position,
        m: Move,
        at: &Frame,
        window: Window,
        depth: Depth,
    ) -> Result<Value, Interrupted> {
        self.meter.node()?;
        let child = Frame { window, depth, ply: at.ply + 1, last: Some(m), may_pass: true, verify: at.verify };
        self.attack(&position.play(m), child)
    }

    /// Whether every reply but the one at `place` is mated, those not yet tried at reduced depth.
    fn is_singular(
        &mut self,
        position: &Position,
        at: &Frame,
        start: usize,
        count: usize,
        place: usize,
    ) -> Result<bool, Interrupted> {
        let stretches = self.extensions().has(Extension::Singular)
            && at.depth >= SINGULAR_DEPTH
            && !at.depth.covers(NodeKind::And, at.window.within)
            && count > 1;
        if !stretches {
            return Ok(false);
        }
        for i in place + 1..start + count {
            let m = self.replies[i].m;
            let window = Window::scout(at.window.within);
            if !matches!(self.reply(position, m, at, window, at.depth.minus(3))?, Value::Mate(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
