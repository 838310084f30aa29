//! The engines, behind one trait.
//!
//! An engine gets a [`Task`] (who mates whom, from where, within how many moves), counts its nodes on a
//! [`Meter`], reads and writes [`Facts`], reports progress to an [`Observer`], and returns an [`Answer`]. It does not
//! print, read clocks or exit, and it knows no other engine.
//!
//! | file | engine | from |
//! |---|---|---|
//! | `exhaustive` | full width, no table, no pruning: the oracle | |
//! | `fullwidth` | full width with a table, for questions about single moves; not an engine to choose | |
//! | `pvs` | principal-variation mate search, null moves, extensions | DUCK; David-Tabibi & Netanyahu 2002, 2008 |
//! | `pn` | best-first proof-number search on a tree or DAG | Breuker, Allis & van den Herik 1994 |
//! | `dfpn` | depth-first proof-number search over a table | Nagai 2002; Kishimoto & Müller 2005; Pawlewicz & Lew 2007 |
//! | `race` | the default: proof-number searches and `pvs`, in turn or in parallel; the only one that uses others | |
//!
//! They share `numbers` (proof and disproof numbers), `horizon` (the attacker's moves left), `descend` (from a mate to the
//! shortest), `rebuild` (from a table to a proof) and `arena` (a graph's memory).

pub mod arena;
pub mod control;
pub mod descend;
pub mod dfpn;
pub mod exhaustive;
pub mod fullwidth;
pub mod horizon;
pub mod numbers;
pub mod pn;
pub mod pvs;
pub mod race;
pub mod rebuild;

use shakmaty::Color;

use crate::chess::{MateLength, NodeKind, Position};
use crate::proof::{Facts, ProofTree};

pub use control::{Control, Interrupted, Limits, Meter, StopReason};

/// The question an engine is asked.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// Where the search starts.
    pub position: Position,
    /// The side that mates; if it is not to move, the root is an AND node.
    pub attacker: Color,
    /// Mates longer than this do not count, in moves.
    pub bound: MateLength,
    /// Once a mate within the bound is proved, go on to shorter ones and to the proof that none is shorter.
    pub shortest: bool,
    /// Memory for the engine's own structures, in bytes ([`Facts`] not included).
    pub memory: usize,
}

impl Task {
    /// The kind of the root node.
    pub fn root_kind(&self) -> NodeKind {
        NodeKind::of(self.position.turn(), self.attacker)
    }
}

/// What an engine brings back. Both halves may be filled, none, or one.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// A claimed mate; its length is the tree's. Not to be believed before the checker has replayed it.
    pub proof: Option<ProofTree>,
    /// No mate within so many moves, by full-width search (0: nothing refuted).
    pub refuted: MateLength,
    /// Why the engine stopped before the task was answered; `None` if it is answered.
    pub stopped: Option<StopReason>,
}

/// News from a running search.
#[derive(Debug, Clone)]
pub enum Event<'a> {
    /// A mate is claimed, shorter than any before.
    Mate(&'a ProofTree),
    /// No mate within so many moves.
    Refuted(MateLength),
}

/// Who listens to a search. Called seldom; may be slow.
pub trait Observer {
    /// Something new is known. `nodes` is the solve's count so far.
    fn event(&mut self, event: Event<'_>, nodes: u64);
}

/// Listens to nothing.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Event<'_>, _: u64) {}
}

/// A closure that takes the event and the number of nodes.
impl<F: FnMut(Event<'_>, u64)> Observer for F {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        self(event, nodes);
    }
}

/// A mate searcher.
pub trait Engine {
    /// The name it is selected by.
    fn name(&self) -> &'static str;

    /// Works on the task until it is answered or a limit is reached. Searches recurse once a ply over lines of thousands of
    /// plies: the calling thread needs a stack of [`crate::solve::STACK_SIZE`].
    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer;
}
