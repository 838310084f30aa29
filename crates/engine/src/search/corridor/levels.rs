//! One corridor: the positions that the allowed moves leave, listed and solved backward.
//!
//! Each position with the attacker to move has a **level**: it allows the moves whose cost is at most this number,
//! which begins at 0, and moves that are free (see `list_move`). The positions are listed in the order in which they
//! are reached. A position with the attacker to move is **solved** when a listed move leads to a solved one, and one
//! with the defender to move when every reply leads to a solved position or is mated by the small search. A mate that
//! another search has proved solves a position, too. A position is **dead** when all moves that its level allows are
//! listed and lead to dead positions; with the defender to move, when a reply leads to a dead one. Below dead positions
//! nothing is listed any more, unless a list is listed whole (`shorten`). When the list is exhausted, some levels rise
//! (`rise`).
//!
//! ```text
//! level 0:           root ── a ── …  dead          a: every listed move leads to a dead position
//!                         └─ b ── …  dead          b costs at most 0
//! level 2 at root:   root ── c ── …  solved        c costs 2: after it an officer has one move
//! ```
//!
//! **Repetition** is no difficulty: a position is solved by positions that were solved before it, so no cycle is ever
//! proved. **Dead** is not a refutation: it means "not by these moves" and is forgotten when levels rise. Only
//! stalemate is dead for good.

use std::collections::VecDeque;

use crate::chess::{MateLength, Move, MoveList, Moves, NodeKind, PackedPosition, Position};
use crate::search::Interrupted;

use super::context::Context;
use super::family::Family;
use super::list::{Full, List, NO_COST, Node, NodeIndex, ROOT};
use super::memory::Reply;
use super::price::{Cost, Pricer};
use super::rise::{NoRise, Rises};

/// The state of one corridor.
#[derive(Debug)]
pub(super) struct CorridorList {
    family: Family,
    /// The position of the task.
    pub root: Position,
    /// The moves of the small search.
    moves: u16,
    pub list: List,
    pricer: Pricer,
    rises: Rises,
    /// OR nodes that wait to be expanded.
    queue: VecDeque<NodeIndex>,
    /// Lines of more moves than this are not listed further.
    pub depth: u16,
    /// The list is given up instead of a higher level.
    highest: u16,
    /// Whether positions that are solved, dead or not needed are expanded too.
    pub whole: bool,
    /// Whether positions have been solved that other searches have not been told of.
    pub has_news: bool,
    /// Working memory: nodes that are still to be looked at.
    working: Vec<NodeIndex>,
}

/// The result of listing one move of a position.
enum Listed {
    /// The position after it is here in the list.
    At(NodeIndex),
    /// It costs this much, which is too much.
    Above(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// The root is solved.
    Solved,
    /// No move is left that could be allowed.
    Exhausted,
    /// The moves that are left cost more than the highest level.
    Loose,
    /// The list is full.
    Full,
    /// The nodes granted are used up.
    Unfinished,
}

/// A reason to stop listing.
#[derive(Clone, Copy)]
pub(super) enum Halt {
    Interrupted(Interrupted),
    Full,
}

impl From<Interrupted> for Halt {
    fn from(reason: Interrupted) -> Halt {
        Halt::Interrupted(reason)
    }
}

impl From<Full> for Halt {
    fn from(_: Full) -> Halt {
        Halt::Full
    }
}

/// A full list ends a run; a limit ends the search.
pub(super) fn end_of_run(run: Result<RunEnd, Halt>) -> Result<RunEnd, Interrupted> {
    match run {
        Ok(outcome) => Ok(outcome),
        Err(Halt::Full) => Ok(RunEnd::Full),
        Err(Halt::Interrupted(reason)) => Err(reason),
    }
}

impl CorridorList {
    /// Returns a corridor without positions, in a list of at most `bytes` bytes.
    pub fn new(root: Position, moves: u16, bytes: usize) -> CorridorList {
        CorridorList {
            family: Family::King,
            root,
            moves,
            list: List::with_bytes(bytes),
            pricer: Pricer::beside(bytes),
            rises: Rises::default(),
            queue: VecDeque::new(),
            depth: u16::MAX,
            highest: u16::MAX,
            whole: false,
            has_news: false,
            working: Vec::new(),
        }
    }

    /// Begins again with another family. Lines of more than `depth` moves are not listed further.
    /// While a cost is counted, the small search has `pricing` moves. Levels above `highest` are not tried.
    pub fn begin(&mut self, family: Family, depth: u16, pricing: u16, highest: u16) {
        self.highest = highest;
        (self.family, self.depth, self.whole) = (family, depth, false);
        self.list.clear();
        self.pricer.begin(pricing);
        self.queue.clear();
        self.rises = Rises::default();
    }

    /// Lists everything that the levels allow from now on, in lines of at most `depth` moves, and queues the positions
    /// where moves are missing.
    pub fn set_whole(&mut self, depth: u16) {
        (self.whole, self.depth) = (true, depth);
        for at in self.list.indices() {
            if self.list.node(at).kind == NodeKind::Or && !self.is_complete(at) {
                self.enqueue(at);
            }
        }
    }

    /// Lists and solves until the root is solved, or nothing is left, or the meter has counted `end` nodes.
    pub fn run(&mut self, kind: NodeKind, end: u64, context: &mut Context<'_, '_>) -> Result<RunEnd, Interrupted> {
        // If there is a mate of the root, only a shorter one is worth finding.
        if let Some(length) = context.known_mate(self.root.key(), self.depth) {
            self.depth = length.0.saturating_sub(1);
        }
        self.rises.begin_run(context.meter.count());
        let outcome = end_of_run(self.run_to(kind, end, context));
        self.rises.end_run(context.meter.count());
        outcome
    }

    fn run_to(&mut self, kind: NodeKind, end: u64, context: &mut Context<'_, '_>) -> Result<RunEnd, Halt> {
        if self.list.len() == 0 {
            self.add_root(kind, context)?;
        }
        loop {
            let root = self.list.node(ROOT);
            if root.solved && !self.whole {
                return Ok(RunEnd::Solved);
            }
            let Some(&next) = self.queue.front().filter(|_| !root.dead || self.whole) else {
                let end = if self.whole { Some(RunEnd::Exhausted) } else { self.rise(context.meter.count()) };
                match end {
                    Some(_) if self.list.node(ROOT).solved => return Ok(RunEnd::Solved),
                    Some(end) => return Ok(end),
                    None => continue,
                }
            };
            if context.meter.count() >= end {
                return Ok(RunEnd::Unfinished);
            }
            if self.is_needed(next) {
                context.meter.look()?;
                self.expand(next, self.list.node(next).bound, context)?;
            }
            self.queue.pop_front();
            self.list.node_mut(next).queued = false;
        }
    }

    fn add_root(&mut self, kind: NodeKind, context: &mut Context<'_, '_>) -> Result<(), Halt> {
        let root = self.root;
        let state = PackedPosition::of(&root).ok_or(Full)?;
        self.pricer.longest = self.depth;
        if kind == NodeKind::And {
            self.pricer.price(self.family, None, &root, NO_COST, context)?;
            let at = self.add_defence(&root, 0, 0, context)?;
            self.settle(at);
            return Ok(());
        }
        let at = self.list.add(root.key(), state, NodeKind::Or, 0)?;
        self.enqueue(at);
        Ok(())
    }

    /// Returns whether a position is worth expanding: it is open, and so is a position before it.
    fn is_needed(&self, at: NodeIndex) -> bool {
        let node = self.list.node(at);
        if node.depth >= self.depth {
            return false;
        }
        if self.whole {
            return true;
        }
        let is_open = |node: &Node| !node.solved && !node.dead;
        is_open(node) && (at == ROOT || self.list.parents(at).any(|parent| is_open(self.list.node(parent))))
    }

    fn enqueue(&mut self, at: NodeIndex) {
        let node = self.list.node_mut(at);
        if !node.queued {
            node.queued = true;
            self.queue.push_back(at);
        }
    }

    /// Returns the place in the list of the position after a move, which is listed if it costs at most `level`, or
    /// nothing because it is free: it is known to mate, or has won with other pawns.
    fn list_move(
        &mut self,
        m: Move,
        after: &Position,
        (level, depth, is_free): (u16, u16, bool),
        context: &mut Context<'_, '_>,
    ) -> Result<Listed, Halt> {
        let own = self.family.price_of(m.role(), after.is_check());
        let child = match self.list.find(after.key(), || PackedPosition::of(after)) {
            Some(child) => child,
            None if is_free => {
                self.pricer.price(self.family, None, after, NO_COST, context)?;
                self.add_defence(after, depth, 0, context)?
            }
            None if own > level => return Ok(Listed::Above(own)),
            None => match self.pricer.price(self.family, Some(m.code()), after, level - own, context)? {
                Cost::Above(cost) => return Ok(Listed::Above(cost + own)),
                Cost::Within(cost) => self.add_defence(after, depth, cost, context)?,
            },
        };
        let cost = self.list.node(child).cost.saturating_add(own);
        Ok(if cost > level && !is_free { Listed::Above(cost) } else { Listed::At(child) })
    }

    /// Lists the moves of an OR node that cost at most `level`, which is its level from now on.
    pub fn expand(&mut self, at: NodeIndex, level: u16, context: &mut Context<'_, '_>) -> Result<(), Halt> {
        let node = self.list.node_mut(at);
        (node.expanded, node.bound) = (false, level);
        let (position, node_depth) = (node.state.unpack(&self.root), node.depth);
        let depth = node_depth.saturating_add(1);
        self.pricer.longest = self.depth.saturating_sub(depth);
        if let Some(length) = context.known_mate(position.key(), self.pricer.longest.saturating_add(1)) {
            self.learn(at, length);
            if !self.whole {
                return Ok(());
            }
        }
        let mut next = NO_COST;
        // The costs of rejected moves are looked up together, so that the memory is read for many at the same time.
        let hint = context.hints.and_then(|hints| hints.of(&position));
        let mut moves = MoveList::new();
        position.generate(Moves::All, &mut moves);
        let looked_up = moves.iter().map(|&m| {
            let key = position.key_after(m);
            (m, key, self.pricer.least_cost(key))
        });
        let linked: Vec<_> = self.list.children(at).map(|child| (self.list.node(child).key, child)).collect();
        for (m, key, least) in looked_up.collect::<Vec<_>>() {
            // Mates of other searches are looked up only after moves that are not rejected: each look waits for memory.
            if least > level && hint != Some(m) {
                next = next.min(least);
                continue;
            }
            let known = context.known_mate(key, self.pricer.longest);
            if let Some(&(_, child)) = linked.iter().find(|&&(other, _)| other == key) {
                if let Some(length) = known {
                    self.learn(child, length);
                    if self.list.node(at).solved && !self.whole {
                        return Ok(());
                    }
                }
                continue;
            }
            let is_free = known.is_some() || hint == Some(m);
            let child = match self.list_move(m, &position.play(m), (level, depth, is_free), context)? {
                Listed::At(child) => child,
                Listed::Above(cost) => {
                    next = next.min(cost);
                    continue;
                }
            };
            if let Some(length) = known {
                self.learn(child, length);
            }
            self.link_move(at, child)?;
            if self.list.node(at).solved && !self.whole {
                return Ok(());
            }
        }
        let node = self.list.node_mut(at);
        (node.cost, node.expanded) = (next, true);
        if node.open == 0 && !node.solved && !node.dead {
            self.mark_dead(at);
        }
        Ok(())
    }

    /// Adds a position with the defender to move, after the pricer has listed its replies. Nothing is added if a limit
    /// is reached.
    fn add_defence(
        &mut self,
        after: &Position,
        depth: u16,
        cost: u16,
        context: &mut Context<'_, '_>,
    ) -> Result<NodeIndex, Halt> {
        let mut floor = MateLength(0);
        for at in 0..self.pricer.defences.len() {
            self.pricer.recall(after, at, context);
        }
        for at in 0..self.pricer.defences.len() {
            let moves = if self.pricer.defences[at].is_free() { 1 } else { self.moves };
            if self.pricer.defences[at].known.is_some() {
                self.pricer.make(after, at, context.meter)?;
            } else if let Reply::Mated(length) = self.pricer.try_reply(after, at, moves, context.meter)? {
                floor = floor.max(length);
            } else if self.pricer.defences[at].node.is_none() {
                self.pricer.make(after, at, context.meter)?;
            }
        }
        if !self.list.has_room_for(self.pricer.defences.len() + 1) {
            return Err(Halt::Full);
        }
        context.meter.node()?;
        let state = PackedPosition::of(after).ok_or(Full)?;
        let at = self.list.add(after.key(), state, NodeKind::And, depth)?;
        let (mut open, mut dead) = (0, self.pricer.defences.is_empty() && !after.is_check());
        let stalemate = dead;
        let mut learned = Vec::new();
        for defence in self.pricer.defences.iter().filter(|defence| defence.is_listed()) {
            let position = self.pricer.position_after(defence).filter(|_| defence.node.is_none());
            let state = position.and_then(PackedPosition::of);
            let known = defence.node.or_else(|| self.list.find(defence.key, || state));
            let child = match (known, state) {
                (Some(child), _) => child,
                (None, Some(state)) => self.list.add(defence.key, state, NodeKind::Or, depth)?,
                (None, None) => continue,
            };
            self.pricer.memory.store_node(defence.key, child);
            learned.extend(defence.known.map(|length| (child, length)));
            self.list.link(at, child)?;
            open += u16::from(!self.list.node(child).solved);
            dead |= self.list.node(child).dead;
        }
        let node = self.list.node_mut(at);
        (node.open, node.cost, node.bound) = (open, cost, floor.0);
        (node.stalemate, node.dead) = (stalemate, dead);
        node.solved = open == 0 && !stalemate;
        for (child, length) in learned {
            self.learn(child, length);
        }
        Ok(at)
    }

    /// Queues the replies of an AND node that are still to be expanded.
    fn settle(&mut self, at: NodeIndex) {
        let node = self.list.node(at);
        if (node.solved || node.dead) && !self.whole {
            return;
        }
        let mut open = std::mem::take(&mut self.working);
        open.extend(self.list.children(at).filter(|&child| !self.is_complete(child)));
        for child in open.drain(..).rev() {
            self.enqueue(child);
        }
        self.working = open;
    }

    /// Returns whether an OR node is solved, or all its allowed moves are listed.
    fn is_complete(&self, at: NodeIndex) -> bool {
        let node = self.list.node(at);
        node.is_listed() || node.solved && !self.whole
    }

    /// Adds the edge of a move, and passes on what it changes.
    fn link_move(&mut self, at: NodeIndex, child: NodeIndex) -> Result<(), Halt> {
        self.list.link(at, child)?;
        self.settle(child);
        let (solved, dead) = (self.list.node(child).solved, self.list.node(child).dead);
        self.list.node_mut(at).open += u16::from(!dead);
        if solved && !self.list.node(at).solved {
            self.mark_solved(at);
        }
        Ok(())
    }

    /// Marks a node as solved, and all nodes that are solved by it.
    pub fn mark_solved(&mut self, at: NodeIndex) {
        self.has_news = true;
        let solves = |parent: &mut Node| {
            parent.open -= u16::from(parent.kind == NodeKind::And);
            !parent.solved && (parent.kind == NodeKind::Or || parent.open == 0)
        };
        self.mark(at, |node| node.solved = true, solves);
    }

    /// Marks a node as dead, and all nodes that are dead by it.
    fn mark_dead(&mut self, at: NodeIndex) {
        let kills = |parent: &mut Node| {
            parent.open -= u16::from(parent.kind == NodeKind::Or);
            let is_last = parent.kind == NodeKind::And || parent.open == 0 && parent.is_listed();
            is_last && !parent.dead && !parent.solved
        };
        self.mark(at, |node| node.dead = true, kills);
    }

    /// Marks a node, and all nodes above it that get the mark by it: `gets` tells a parent that a child was marked, and
    /// returns whether the parent is marked by that.
    fn mark(&mut self, at: NodeIndex, mark: impl Fn(&mut Node), gets: impl Fn(&mut Node) -> bool) {
        let mut changed = std::mem::take(&mut self.working);
        mark(self.list.node_mut(at));
        changed.push(at);
        while let Some(at) = changed.pop() {
            let mut parent = self.list.first_parent(at);
            while let Some((from, next)) = parent {
                let node = self.list.node_mut(from);
                if gets(node) {
                    mark(node);
                    changed.push(from);
                }
                parent = self.list.next_parent(next);
            }
        }
        self.working = changed;
    }

    /// Raises levels, and queues the positions where moves are now to be listed; `count` is the node count. Returns how
    /// the list ends if no move is left that could be allowed.
    fn rise(&mut self, count: u64) -> Option<RunEnd> {
        let reached = match self.rises.raise(&mut self.list, self.highest, count) {
            Ok(reached) => reached,
            Err(NoRise::Exhausted) => return Some(RunEnd::Exhausted),
            Err(NoRise::Loose) => return Some(RunEnd::Loose),
        };
        self.queue.clear();
        self.list.revive();
        for at in reached {
            if !self.is_complete(at) {
                self.enqueue(at);
            }
        }
        for at in self.list.indices() {
            let node = self.list.node(at);
            if node.kind == NodeKind::Or && node.open == 0 && !node.solved && !node.dead && self.is_complete(at) {
                self.mark_dead(at);
            }
        }
        None
    }
}
