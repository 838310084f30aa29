//! Tables for the leaves of a search: built when a class of endings has been met often enough.
//!
//! A search that meets positions of few men looks them up here. As long as their class has no table, the search goes on
//! as if there were none, and the question is counted. When there have been about as many questions about a class as
//! its tables take work, and these fit into the memory, they are built. From then on its positions are decided at once.
//! So a class that is met rarely gets no table.
//!
//! Questions are counted by each thread on its own: with one thread, two runs build the same tables at the same nodes.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use shakmaty::Color;

use crate::chess::{MateLength, MoveCode, Position};
use crate::search::Control;

use super::layout::{Layout, MAX_MEN};
use super::material::Material;
use super::table::Distance;
use super::tables::Tables;

/// Positions with more men are not looked up, unless a caller allows it (`Leaves::up_to`). With 5 a leaf may wait for a
/// table that takes seconds.
pub(super) const MAX_LEAF_MEN: usize = 4;

/// The work of building a word of a table, in questions: with five men, a word takes about ten times as long, because
/// many more sweeps pass over it and nothing fits into a cache. Halved, tables are built sooner and more of them: a
/// divisor of 4 found two mates more of 139 and proved two fewer (`benches/tuning/endings.md`).
const QUESTIONS_PER_WORD: [usize; 2] = [1, 10];

/// The tables that one thread of a search looks positions up in.
#[derive(Debug, Clone)]
pub struct Leaves {
    /// The tables that this thread knows.
    tables: Tables,
    /// The tables that any thread has built.
    shared: Arc<Mutex<Tables>>,
    /// By class without a table: the questions so far.
    questions: HashMap<Material, usize>,
    /// The largest size of all tables together, in bytes.
    memory: usize,
    /// Positions with more men are not looked up.
    max_men: usize,
}

impl Leaves {
    /// Returns a set of no tables, which may grow to this number of bytes.
    pub fn new(memory: usize) -> Leaves {
        let (tables, questions) = (Tables::default(), HashMap::new());
        Leaves { tables, shared: Arc::default(), questions, memory, max_men: MAX_LEAF_MEN }
    }

    /// Returns the same set for positions of at most `men` men; [`MAX_LEAF_MEN`] is the least, [`MAX_MEN`] the most.
    #[must_use]
    pub(crate) fn up_to(self, men: usize) -> Leaves {
        Leaves { max_men: men.clamp(MAX_LEAF_MEN, MAX_MEN), ..self }
    }

    /// Returns the value of a position; `None` if it is not known. May build tables.
    #[inline]
    pub(crate) fn distance(&mut self, position: &Position, attacker: Color, control: &Control<'_>) -> Option<Distance> {
        if position.occupied().count() > self.max_men || position.castling_rights().any() {
            return None;
        }
        self.known_or_built(position, attacker, control)
    }

    fn known_or_built(&mut self, position: &Position, attacker: Color, control: &Control<'_>) -> Option<Distance> {
        let known = self.tables.distance(position, attacker);
        if known.is_some() {
            return known;
        }
        let class = Material::of(position, attacker);
        let questions = self.questions.entry(class).or_default();
        *questions += 1;
        // The size of a class is computed at powers of two only.
        if !questions.is_power_of_two() || *questions < self.work(class)? {
            return None;
        }
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.bytes_to_build(class).is_some_and(|bytes| bytes <= self.memory) {
            // If a limit is reached meanwhile, the search notices it at its next node.
            let _ = shared.build(class, 1, control);
        }
        self.tables = shared.clone();
        self.tables.distance(position, attacker)
    }

    /// Returns the work of building the tables that a class still needs, in questions.
    fn work(&self, class: Material) -> Option<usize> {
        (class.men() <= self.max_men).then(|| {
            let missing = class.closure().into_iter().filter(|&class| !self.tables.has(class));
            let work = |class: Material| {
                QUESTIONS_PER_WORD[usize::from(class.men() > MAX_LEAF_MEN)] * Layout::new(class).words()
            };
            missing.map(work).sum()
        })
    }

    /// Returns a move that leads to the shortest mate, and the length of that mate, with `attacker` to move. `None` if
    /// the tables of no thread tell.
    pub(crate) fn best_move(&mut self, position: &Position, attacker: Color) -> Option<(MoveCode, MateLength)> {
        if position.occupied().count() > self.max_men {
            return None;
        }
        if !self.tables.has(Material::of(position, attacker)) {
            self.tables = self.shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
        }
        self.tables.best_move(position, attacker)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::chess::testing::position;
    use crate::search::Limits;

    #[test]
    fn a_table_is_built_after_enough_questions_if_it_fits() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let position = position("8/8/8/8/8/1k6/8/1K3Q2 w - -");
        let asked = |memory| {
            let mut leaves = Leaves::new(memory);
            (1..5_000).find(|_| leaves.distance(&position, Color::White, &control).is_some())
        };
        // KQK has 640 words and turns into two kings.
        assert_eq!((asked(1 << 20), asked(1 << 10)), (Some(1024), None));
    }
}
