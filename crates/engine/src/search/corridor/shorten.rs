//! Shorter mates in a list: first everything that the levels allow, then a cost more along the solution.
//!
//! A corridor ends with the first mate that its levels allow, which need not be the shortest. So the levels are listed
//! whole: also below positions that are solved, in lines shorter than the mate. Then the attacker's positions of the
//! solution get the moves of the next cost, and what these leave is listed at level 0; the lengths are computed again,
//! and so on. Only few positions are on the solution, so each step adds little.

use crate::search::Interrupted;

use super::context::Context;
use super::lengths;
use super::levels::{CorridorList, Halt, RunEnd, end_of_run};
use super::list::{NO_COST, ROOT};

impl CorridorList {
    /// Returns the length of the mate at the root, after computing all lengths.
    pub fn compute_length(&mut self) -> u16 {
        lengths::compute(&mut self.list);
        self.list.node(ROOT).length
    }

    /// Lists the moves of the next cost at every position of the solution; `length` is that of its mate.
    pub fn widen(&mut self, length: u16, context: &mut Context<'_, '_>) -> Result<RunEnd, Interrupted> {
        end_of_run(self.widen_solution(length, context))
    }

    fn widen_solution(&mut self, length: u16, context: &mut Context<'_, '_>) -> Result<RunEnd, Halt> {
        self.depth = length.saturating_sub(1);
        let mut outcome = RunEnd::Exhausted;
        for at in lengths::solution(&self.list, ROOT) {
            let node = self.list.node(at);
            let next = if node.expanded { node.cost } else { node.bound };
            if next < NO_COST {
                self.expand(at, next, context)?;
                outcome = RunEnd::Solved;
            }
        }
        Ok(outcome)
    }
}
