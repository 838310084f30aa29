//! The core of the principal-variation searches, `pvs` and `selective`: what a node knows, how the moves of an OR node
//! are tried, and what is stored of a node.
//!
//! Besides the window of mate lengths, a limit ends the search of a node: in `pvs` the depth in plies, in `selective`
//! the width of the candidate lists. This limit is a part of what is stored of a failed search, the type `F` of
//! [`Entry`].

use crate::chess::{MateLength, MoveCode, Position};
use crate::proof::Bounds;
use crate::search::{Fact, Facts};

use super::Interrupted;
use super::rebuild::stored_move;
use super::window::{Value, Window};

/// The result of a node: its value, and the move that decides it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeResult {
    pub value: Value,
    /// The move that mates at an OR node, or the reply that avoids mate at an AND node.
    pub best: Option<MoveCode>,
}

impl NodeResult {
    /// There is no mate.
    pub const NO_MATE: NodeResult = NodeResult { value: Value::NoMate, best: None };
    /// No mate was found, which proves nothing.
    pub const UNKNOWN: NodeResult = NodeResult { value: Value::Unknown, best: None };

    /// Returns a mate of this length, at an OR node with its move.
    pub fn mate(length: MateLength, best: Option<MoveCode>) -> NodeResult {
        NodeResult { value: Value::Mate(length), best }
    }

    /// Shares what is proved with other engines. `within` is the longest mate that was looked for.
    pub fn share(self, facts: &Facts, key: u64, within: MateLength) {
        match self.value {
            Value::Mate(length) => facts.prove(key, length, self.best),
            Value::NoMate => facts.refute(key, within),
            Value::Unknown => {}
        }
    }
}

/// An entry of a transposition table: the knowledge about one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry<F> {
    /// The move that decided the position, or came nearest.
    pub best: Option<MoveCode>,
    /// The lengths that are proved and refuted, in moves.
    pub bounds: Bounds,
    /// The last search that failed and proved nothing.
    pub failure: Option<F>,
}

impl<F> Default for Entry<F> {
    fn default() -> Entry<F> {
        Entry { best: None, bounds: Bounds::UNKNOWN, failure: None }
    }
}

/// The knowledge about one position, from the engine's own table and from the shared facts.
pub(crate) struct Known {
    /// The outcome, if it is known.
    pub answer: Option<NodeResult>,
    /// The move to try first.
    pub best: Option<MoveCode>,
    /// The lengths that are proved and refuted, in moves.
    pub bounds: Bounds,
}

impl<F: Copy> Entry<F> {
    /// Joins the entry with the shared fact. The question is whether there is a mate within `within` moves; `fails`
    /// says whether a search that failed answers it.
    pub fn join(self, fact: Fact, within: MateLength, fails: impl FnOnce(F) -> bool) -> Known {
        let bounds = self.bounds.merge(fact.bounds);
        let best = self.best.or(fact.best);
        let value = if let Some(proved) = bounds.proved().filter(|&proved| proved <= within) {
            Some(Value::Mate(proved))
        } else if bounds.refutes(within) {
            Some(Value::NoMate)
        } else {
            self.failure.is_some_and(fails).then_some(Value::Unknown)
        };
        Known { answer: value.map(|value| NodeResult { value, best }), best, bounds }
    }

    /// Records the outcome of a search for a mate within `within` moves; `failure` describes it if it failed.
    pub fn record(&mut self, outcome: NodeResult, within: MateLength, failure: F) {
        if outcome.best.is_some() && self.bounds.proved().is_none() {
            self.best = outcome.best;
        }
        match outcome.value {
            // Move and length belong together: a repetition of the position may have stored a shorter mate already.
            Value::Mate(length) if self.bounds.proved().is_none_or(|old| length <= old) => {
                self.bounds.prove(length);
                self.best = outcome.best;
            }
            Value::Mate(_) => {}
            Value::NoMate => self.bounds.refute(within),
            Value::Unknown => self.failure = Some(failure),
        }
    }

    /// Returns the move of a mate within `length` moves, and the mate's length, if the entry or the shared fact has it.
    pub fn mating_move(self, fact: Fact, position: &Position, length: MateLength) -> Option<(MoveCode, MateLength)> {
        stored_move(position, length, [(self.best, self.bounds), (fact.best, fact.bounds)])
    }
}

/// The state of an OR node while its moves are tried.
pub(crate) struct OrNode {
    /// The mate lengths still looked for.
    window: Window,
    /// The shortest mate found, with its move.
    best: Option<(MateLength, MoveCode)>,
    /// Whether a move was left out or failed without being refuted.
    pub tainted: bool,
    /// The reply that refuted the last move.
    pub refutation: Option<MoveCode>,
}

impl OrNode {
    /// Returns the state before the first move: `bounds` are known.
    pub fn new(window: Window, bounds: Bounds) -> OrNode {
        let window = Window::open(window.enough.max(bounds.shortest_open()), window.within);
        OrNode { window, best: None, tainted: false, refutation: None }
    }

    /// Tries one move: `search` searches the position after it. Returns whether it mates fast enough to end the search
    /// of the node. After a first mate, a move is searched with a scout window, and again with an open one if the scout
    /// finds a shorter mate.
    pub fn try_move(
        &mut self,
        played: MoveCode,
        mut search: impl FnMut(Window) -> Result<NodeResult, Interrupted>,
    ) -> Result<bool, Interrupted> {
        loop {
            let scouting = self.best.is_some() && self.window.enough < self.window.within;
            let window = if scouting { Window::scout(self.window.within) } else { self.window };
            let outcome = search(window.after_attack())?;
            let length = match outcome.value {
                Value::Mate(length) => length.longer(),
                failure => {
                    self.tainted |= failure == Value::Unknown;
                    self.refutation = outcome.best;
                    return Ok(false);
                }
            };
            self.best = Some((length, played));
            let Some(shorter) = self.window.shorter_than(length) else { return Ok(true) };
            self.window.within = shorter.within;
            if !scouting {
                return Ok(false);
            }
        }
    }

    /// Returns the outcome, after all moves or the one that ended the search.
    pub fn outcome(&self) -> NodeResult {
        match self.best {
            Some((length, best)) => NodeResult::mate(length, Some(best)),
            None if self.tainted => NodeResult::UNKNOWN,
            None => NodeResult::NO_MATE,
        }
    }
}
