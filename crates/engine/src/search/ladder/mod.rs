//! `ladder`: mates that wait for pawns. The defender's free pawns come off the board and come back step by step.
//!
//! In many long problems a manoeuvre is repeated, and each round costs the defender one pawn move. When his pawns have
//! no move left, something must give way. Such a position is easy without these pawns; with them, each constellation of
//! the other men can occur with each combination of pawn steps, and these are too many for a search.
//!
//! So the lane asks the prover (`dfpn`) about other positions first, each a little harder than the last:
//!
//! ```text
//! core        without the free pawns                    … the attacker mates?
//! insertion   + pawn on its farthest square             … still?     the next pawn, …
//! retraction  one pawn a step back                      … still?     until all pawns are at home: the root
//! ```
//!
//! 1. **Core.** The pawns that can step, or could if another of them did, come off, if they are far enough from
//!    promotion: others mostly belong to the net. If the core is not won, other sets are tried (`pawns`). If none is
//!    won, the lane ends.
//! 2. **Insertion.** Each pawn comes back, those in front first, on the square farthest from its home on which the
//!    position is won soon. It does not step through a pawn of the attacker.
//! 3. **Retraction.** One pawn goes back by a step, the one with the most steps behind it first; if no such position is
//!    won soon, by two.
//! 4. **Dead end.** If nothing is won, each position gets more nodes. After [`ROUNDS`] rounds the pawn with the most
//!    steps comes off again, and its square is not used any more. If no pawn has made a step, or [`MOST_FORBIDDEN`]
//!    squares are given up, the lane ends.
//!
//! A position that the prover does not decide soon, but for the first core in its first round, goes to the lists of
//! `corridor`. They list the move that won last with other pawns, whatever it costs. What they prove goes into the
//! prover's table.
//!
//! The positions on the way are legal, and their mates are mates by the rules. From a position of the retraction, a
//! pawn move leads to the pawns of a position that is won, so many lines end at mates that the prover has in its table.
//! What won with other pawns is also tried first (`dfpn::hints`). When all pawns are at home, the position is the root,
//! and its proof is like any other.
//!
//! The lane refutes nothing and does not look for the shortest mate.
//!
//! | file | content |
//! |---|---|
//! | `pawns` | which pawns come off, and where they may stand next |
//!
//! What it finds, and what was rejected, is in `benches/tuning/ladder.md`.

mod pawns;
#[cfg(test)]
mod tests;

use shakmaty::{Bitboard, Color, Role};

use crate::chess::{MateLength, Position};
use crate::proof::ProofTree;

use super::corridor::Corridor;
use super::descend::Finding;
use super::dfpn::{Attempt, Hints, Prover};
use super::horizon::Horizon;
use super::{Facts, Interrupted, Meter, StopReason, Task};

use pawns::{Pawn, Places};

/// The question to the prover.
const ANY_MATE: Attempt = Attempt::mate(Horizon::NONE);

/// The nodes for the first core. If they do not suffice, other cores are tried too. Halved, cores are missed that are
/// won; doubled, it takes longer to come to other cores.
const FIRST_CORE: u64 = 25_000;
/// The nodes for a position in the first round. In each further round it gets four times as many. Halved, more
/// positions need a second round; doubled, positions that are not won take twice as long.
const FIRST_ROUND: u64 = 50_000;
/// After the prover the lists get this part of its nodes, as a divisor. With 1 the lists get as many nodes as the
/// prover, with 4 a quarter.
const LISTS_SHARE: u64 = 2;
/// The rounds after which a dead end is given up. With one more, six lines that stay open stay so
/// (`benches/tuning/ladder.md`).
const ROUNDS: u32 = 3;
/// The most squares that are given up. Halved, the lane ends sooner; doubled, it tries more hopeless sets.
const MOST_FORBIDDEN: usize = 16;

/// A ladder from the core of a position to the position itself. It goes on where a limit stopped it.
#[derive(Debug)]
pub(crate) struct Ladder {
    defender: Color,
    /// The homes of the pawns that may come off, and the defender's other pawns.
    all: Bitboard,
    others: Bitboard,
    /// The attacker's pawns.
    walls: Bitboard,
    /// The sets of pawns that may come off, the most promising first.
    cores: Vec<Bitboard>,
    /// The places of the pawns in the position won last; `None` before a core is won.
    won: Option<Places>,
    /// The places that are tried next, the last one first.
    candidates: Vec<Places>,
    round: u32,
    /// The nodes left for the position that is being tried.
    left: u64,
    /// The squares that are not used any more, each with its pawn.
    forbidden: Vec<Pawn>,
    /// Lent to the prover while it searches.
    hints: Option<Hints>,
    /// The lists that are asked after the prover; `None` while the prover is asked.
    lists: Option<Corridor>,
    /// The proof that the lists have found.
    proof: Option<ProofTree>,
}

impl Ladder {
    /// Returns a ladder to the position of the task.
    pub fn new(task: &Task) -> Ladder {
        let defender = !task.attacker();
        let cores = pawns::cores(&task.position, defender);
        let all = cores.iter().fold(Bitboard::EMPTY, |all, &core| all | core);
        let others = task.position.men(defender, Role::Pawn) & !all;
        let squares = all.into_iter().flat_map(|home| pawns::way(home, defender)).collect();
        let mut ladder = Ladder {
            defender,
            all,
            others,
            walls: task.position.men(!defender, Role::Pawn),
            cores,
            won: None,
            candidates: Vec::new(),
            round: 0,
            left: 0,
            forbidden: Vec::new(),
            hints: Some(Hints::new(defender, squares)),
            lists: None,
            proof: None,
        };
        ladder.begin_round();
        ladder
    }

    /// Asks question after question until the position of the task is proved, the ladder ends, or a limit is reached.
    /// The task's memory is that of the lists.
    pub fn climb(
        &mut self,
        prover: &mut Prover,
        task: &Task,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Finding, Interrupted> {
        let end = meter.slice_left().map_or(u64::MAX, |nodes| meter.count().saturating_add(nodes));
        loop {
            let Some(places) = self.candidates.last() else {
                if !self.next_round() {
                    return Ok(Finding::Nothing);
                }
                continue;
            };
            let is_root = places.are_at_home();
            let Some(position) = self.position(task, places) else {
                self.candidates.pop();
                continue;
            };
            let before = meter.count();
            meter.set_slice(Some(self.left.min(end - before)));
            let question = Task { position, shortest: false, ..*task }.within(MateLength::MAX);
            let answer = match self.lists.take() {
                Some(lists) => self.ask_lists(lists, prover, &question, meter, facts),
                None => self.ask_prover(prover, &question, meter, facts),
            };
            self.left = self.left.saturating_sub(meter.count() - before);
            match answer {
                Ok(true) if is_root => {
                    let finding = match self.proof.take() {
                        Some(proof) => Finding::Proved(proof),
                        None => prover.prove(task, ANY_MATE, meter, facts)?,
                    };
                    // With its mate the ladder has done its work.
                    (self.candidates, self.cores) = (Vec::new(), Vec::new());
                    return Ok(finding);
                }
                Ok(true) => self.step(),
                Ok(false) => self.skip(),
                Err(StopReason::Slice) if self.left == 0 => self.try_otherwise(),
                Err(reason) => return Err(reason),
            }
            if meter.count() >= end {
                return Err(StopReason::Slice);
            }
        }
    }

    /// Asks the prover whether there is a mate.
    fn ask_prover(
        &mut self,
        prover: &mut Prover,
        question: &Task,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<bool, Interrupted> {
        std::mem::swap(&mut prover.hints, &mut self.hints);
        let answer = prover.finds_mate(&question.position, question.root_kind(), ANY_MATE, meter, facts);
        std::mem::swap(&mut prover.hints, &mut self.hints);
        answer
    }

    /// Asks the lists whether there is a mate, and tells the prover what they prove.
    fn ask_lists(
        &mut self,
        mut lists: Corridor,
        prover: &mut Prover,
        question: &Task,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<bool, Interrupted> {
        let Some(hints) = self.hints.as_mut() else { return Ok(false) };
        let (answer, mates) = lists.solve_beside(question, meter, facts, hints);
        prover.learn(mates.into_iter());
        self.proof = answer.proof;
        self.lists = Some(lists);
        match answer.stopped {
            _ if self.proof.is_some() => Ok(true),
            None | Some(StopReason::Memory) => Ok(false),
            Some(reason) => Err(reason),
        }
    }

    /// Returns the position with the pawns on these places; `None` if it is not legal.
    fn position(&self, task: &Task, places: &Places) -> Option<Position> {
        if places.are_at_home() {
            return Some(task.position);
        }
        task.position.with_pawns(self.defender, self.others | places.squares())
    }

    /// Goes on from the position that has just been won.
    fn step(&mut self) {
        (self.lists, self.proof) = (None, None);
        self.won = self.candidates.pop();
        self.round = 0;
        self.begin_round();
    }

    /// Asks the lists after the prover, and gives up the position after them.
    fn try_otherwise(&mut self) {
        if self.lists.is_some() || self.won.is_none() && self.round == 0 {
            return self.skip();
        }
        (self.lists, self.left) = (Some(Corridor::lane()), self.nodes() / LISTS_SHARE);
    }

    /// Gives up the position that is being tried in this round.
    fn skip(&mut self) {
        self.lists = None;
        self.candidates.pop();
        self.left = self.nodes();
    }

    /// Begins the next round, or leaves a dead end. Returns whether there is more to try.
    fn next_round(&mut self) -> bool {
        self.round += 1;
        if self.round >= ROUNDS {
            let won = self.won.as_mut().filter(|_| self.forbidden.len() < MOST_FORBIDDEN);
            let Some(advanced) = won.and_then(Places::take_farthest) else { return false };
            self.forbidden.push(advanced);
            self.round = 0;
        }
        self.begin_round();
        !self.cores.is_empty()
    }

    /// Returns the nodes for a position in this round.
    fn nodes(&self) -> u64 {
        match (&self.won, self.round) {
            (None, 0) => FIRST_CORE,
            (None, round) => FIRST_ROUND << (2 * (round - 1)),
            (Some(_), round) => FIRST_ROUND << (2 * round),
        }
    }

    /// Chooses what is tried in this round.
    fn begin_round(&mut self) {
        self.left = self.nodes();
        self.candidates = match &self.won {
            None => {
                let cores = self.cores.iter().take(if self.round == 0 { 1 } else { usize::MAX });
                cores.map(|&core| Places::without(core, self.all, self.defender)).collect()
            }
            Some(won) => won.next(self.defender, self.walls, &self.forbidden),
        };
        self.candidates.reverse();
    }
}
