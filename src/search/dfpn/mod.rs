//! Depth-first proof-number search.
//!
//! CITE: Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications"; Kishimoto & Müller 2005, "A
//! solution to the GHI problem for depth-first proof-number search"; Pawlewicz & Lew 2007, "Improving depth-first
//! PN-search: 1+ε trick".
//!
//! It visits the same most-proving nodes as `pn`, but keeps one path and a replacing table instead of the whole graph,
//! so that it is faster and its memory does not grow with the search. Two questions can be asked of it
//! ([`Horizon`]):
//!
//! - **without a horizon**: is there a mate at all? It finds long mates quickly, and seldom the shortest;
//! - **within n moves**: every node is a position with the attacker's moves left. So a mate in n − 1 is found, or
//!   refuted: the disproofs of who refutes are exact.
//!
//! The first can also be asked of some of the attacker's moves only ([`Restriction`]). Several threads share one table and
//! divide a question between them (`company`).
//!
//! # What chess adds
//!
//! Checks are made one by one; all the quiet moves of an OR node are one child until the checks' proof numbers exceed its
//! own ([`DfpnOptions::quiet`]), for in most positions on the way to a mate they are never needed. The evasions from a
//! check, mates in one and threats of mate are read off the board without making a position (`leaf`). Replies are made
//! when they are visited. A reply's proof is tried against its siblings (`replay`).
//!
//! With one move left after it, an attacking move is decided on the spot: replies are tried until one leaves no mate in
//! one. Children that are decided are dropped from their node, so that most nodes have few.
//!
//! A search is told what it is expected to end with ([`Question`]): the numbers that find mates well refute them badly.
//!
//! # Where depth-first proof-number search goes wrong, and what is done
//!
//! *Repetition.* A move back to the path is disproved here and perhaps not on another path. Such disproofs are
//! **tainted**, like those that leave out moves: they steer this search through the table, are never a fact, and never
//! reach an answer. A search that ends with a tainted disproof of its root has learned nothing. A stored tainted
//! disproof may hide a mate from this search on another path. Who looks for a mate within a horizon gives up repetitions
//! as well, though there the moves left tell the two visits apart: a mate by way of a repetition can be had sooner, and
//! not to wander in circles with ever fewer moves left is worth much more than the exact disproof (the table below).
//! It cannot hide a mate from who refutes: that search looks at everything. To ask again after a disproof by repetition,
//! with what was proved and without what was disproved, for as long as a search proves something new, helped with one of
//! the three positions of 768 where a boundless search ended so (a mate in 121, found in 155 after some millions of
//! nodes), and in a race with none within 20,000,000 nodes.
//!
//! *Proof by cycle* cannot happen: a node is proved by proved children only, from checkmate upward.
//!
//! *Overcounting.* Where lines transpose, sums count a leaf once a path. The numbers are then too large, which costs
//! nodes but not truth; where a mate of any length is looked for, only a part of the sum is taken (`balance`).
//!
//! *Starvation.* With equal children each would be visited in turn for one more node. The threshold is therefore a quarter
//! above the runner-up.
//!
//! # What was tried
//!
//! The 327 positions of every tenth line of matetrack's list of mates (half of them longer than eight moves), the length
//! not told, one thread, 200,000 nodes: found, found at the best known length, proved shortest. Each row changes the row
//! above it that was kept. All of it was measured before refutations had numbers of their own.
//!
//! | variant | found | best | proved | kept |
//! |---|---|---|---|---|
//! | one child for the quiet moves (8), 1 + ¼, leaves (n, 1) and (1, n/4) | 230 | 162 | 21 | yes |
//! | quiet moves that threaten mate count n/4 | 235 | 169 | 22 | yes |
//! | OR leaves (1, n/8) | 240 | 178 | 22 | yes |
//! | checks judged without making them | 244 | 188 | 22 | yes |
//! | numbers kept when a slice of nodes ends | 246 | 187 | 21 | yes |
//! | proofs replayed in siblings | 250 | 191 | 22 | yes |
//! | replies ordered by what refuted before | 254 | 194 | 23 | yes |
//! | the same, captures first | 255 | 188 | 22 | no |
//! | 1 + ½, 1 + ⅛ | 249, 251 | 190, 195 | 23, 22 | no |
//! | fresh replies start at dn 4 | 255 | 201 | 24 | no |
//! | OR leaves (1, 1) | 259 | 211 | 23 | yes |
//! | the quiet child counts 6, 12 | 263, 262 | 208, 208 | 27, 24 | no |
//! | the quiet child's dn is a quarter of its moves, 1 | 256, 259 | 206, 204 | 21, 15 | no |
//! | a search within 8 or 12 moves beside it from the start, a third or a half of the nodes | 238, 229 | 187, 183 | 22, 22 | no |
//! | after a mate in L, L − 1 and the middle in turn instead of L − 1 | 246 | 180 | 21 | no |
//!
//! (The last two rows are compared with the fifth.)
//!
//! Quiet moves that have been made keep their numbers in the table: on the 768 of `balance`, with 200,000 nodes, 611, 498 and 74
//! instead of 599, 489 and 76, with 1,000,000 nodes 680, 614 and 182 instead of 681, 601 and 181. To make them one by one,
//! in the order of generation or that of what has mated before, gives 595, 481, 73 and 602, 500, 78; to count them 6 or 10
//! instead of 8 gives 599, 496, 77 and 598, 485, 77. What a quiet move costs until it is proved grows less with the replies
//! than its number does, measured over all that were proved; but 3 + n/2 and 1 + n/2 for n replies give 597, 496, 76 and
//! 594, 487, 77, and with a threat 3n/16, 1 + n/8 and 1 + 3n/16 give 609, 495, 74, then 605, 496, 75 and 608, 497, 77.
//! To know more does not help either: OR leaves that count the fewest evasions of a check, or half of them, give 596, 482, 75
//! and 598, 490, 77; quiet moves with a threat that count the replies that meet it, at no cost, 606, 494, 75, half of them
//! 602, 493, 74; replies that allow a mate in one proved at no cost 601, 500, 74.
//!
//! Shortening was measured anew on the 306 mates in 11 and more of the sample of `balance`: one thread, 400,000 nodes in a
//! race, of which 211 to 213 are found.
//!
//! | variant | best | kept |
//! |---|---|---|
//! | within a horizon nothing counts as repeated | 148 | no |
//! | repetitions are given up there as well | 174 | yes |
//! | the same beyond 4 moves only | 173 | no |
//! | without giving up: a lane for the lower third, the middle, the upper third of what is open | 143, 145, 143 | no |
//! | without giving up: the narrow lane to the end | 147 | no |
//! | without giving up: beyond 6, 8, 12 moves horizons share their numbers (all, in fours, all) | 133, 153, 149 | no |
//! | giving up, and beyond 8, 16 moves horizons share their numbers (in twos, all) | 172, 172 | no |
//!
//! On all 768 with 300,000 nodes giving up shortens 523 instead of 496, and proves 93 shortest instead of 97; beyond 8
//! moves only, 516 and 96. What was tried for refutations is in `question`.

mod child_bounds;
mod last_move;
mod leaf;
mod lookup;
mod order;
mod parallel;
mod path;
mod question;
mod rebuild;
mod replay;
mod restriction;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod threshold;

use crate::chess::MateLength;
use crate::proof::Facts;

use super::descend::{Finding, HorizonSearch, descend};
use super::horizon::Horizon;
use super::rebuild::{RebuildError, rebuild};
use super::{Answer, Engine, Interrupted, Meter, Observer, Task};

pub use question::Question;
pub use restriction::Restriction;

use order::ReplyOrder;
use search::DfpnSearch;
use table::DfpnTable;

/// What can be varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DfpnOptions {
    /// The proof number at which an OR node looks at its quiet moves. At least 1; default 8.
    pub quiet: u32,
    /// Tell quiet moves that threaten mate in one from others. Default: true.
    pub threats: bool,
    /// Look up what others have proved in the shared facts: worth its cache misses only if somebody else is searching.
    /// Default: false. What this search proves is shared in any case.
    pub listen: bool,
}

impl Default for DfpnOptions {
    fn default() -> DfpnOptions {
        DfpnOptions { quiet: 8, threats: true, listen: false }
    }
}

/// A depth-first proof-number searcher with its table, for one position after another question about it.
///
/// What it learned is kept between calls; a search that was interrupted goes on where it was when it is asked the same
/// question again. One prover serves one attacker only.
#[derive(Debug)]
pub struct Prover {
    options: DfpnOptions,
    table: DfpnTable,
    order: ReplyOrder,
    /// Others may be searching with the same table.
    company: bool,
}

impl Prover {
    /// A prover whose table takes at most so many bytes.
    pub fn new(options: DfpnOptions, bytes: usize) -> Prover {
        Prover { options, table: DfpnTable::with_bytes(bytes), order: ReplyOrder::new(), company: false }
    }

    /// A prover for another thread, with the same table. Asked the same question, the two share the work (`company`).
    #[must_use]
    pub fn companion(&mut self) -> Prover {
        self.company = true;
        Prover { options: self.options, table: self.table.clone(), order: ReplyOrder::new(), company: true }
    }

    /// Answers the question for the task's position (the task's own bound is not looked at). A slice of the meter ends when a
    /// proof is found: to rebuild the tree it is lifted.
    pub fn prove(
        &mut self,
        task: &Task,
        question: Question,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Finding, Interrupted> {
        let kind = task.root_kind();
        self.table.refresh();
        let mut search = DfpnSearch::new(self.options, self.company, &mut self.table, &mut self.order, meter, facts);
        let value = search.solve(&task.position, kind, question)?;
        if value.numbers.is_disproved() {
            return Ok(if value.tainted { Finding::Nothing } else { Finding::Refuted });
        }
        search.meter.set_slice(None);
        match rebuild(&mut search, kind, &task.position, MateLength(value.length)) {
            Ok(tree) => Ok(Finding::Proved(tree)),
            Err(RebuildError::Interrupted(reason)) => Err(reason),
            Err(RebuildError::NotFound) => Ok(Finding::Nothing),
        }
    }
}

/// The engine: the first mate without a horizon, then shorter ones, then the proof that there is none.
#[derive(Debug, Default)]
pub struct Dfpn {
    options: DfpnOptions,
}

impl Dfpn {
    /// An engine with these options.
    pub fn new(options: DfpnOptions) -> Dfpn {
        Dfpn { options }
    }
}

impl Engine for Dfpn {
    fn name(&self) -> &'static str {
        "dfpn"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let prover = Prover::new(self.options, task.memory);
        descend(task, NEAR, &mut Inquiry { prover, meter, facts }, observer)
    }
}

/// The prover, and what it needs to answer questions.
struct Inquiry<'i, 'c> {
    prover: Prover,
    meter: &'i mut Meter<'c>,
    facts: &'i Facts,
}

impl HorizonSearch for Inquiry<'_, '_> {
    fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        // Within a horizon a mate takes little of the time, even with the wrong numbers, and a refutation all the rest.
        self.prover.prove(task, Question::refutation(horizon), self.meter, self.facts)
    }

    fn meter(&self) -> &Meter<'_> {
        self.meter
    }
}

/// A task bounded by at most so many moves is searched with that horizon from the start.
pub const NEAR: MateLength = MateLength(12);
