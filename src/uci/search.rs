//! One `go`: who is asked what, in which order, with how much.
//!
//! A GUI gives a position and does not say who mates whom, so there are two questions, *does the side to move mate?*
//! and *is it mated?*. At most one is answered with yes, and nobody knows which; `leaning` has a guess. They take
//! turns, so that neither costs the other more than a share of the effort; with two threads they run side by side.
//! The first proof ends the other question, and everything that is left goes into shortening the mate and refuting
//! shorter ones.
//!
//! With `searchmoves` or several lines the questions are asked of every first move instead; see `each`.
//!
//! Nodes are those of the engines. The table of first moves, the replay of proofs and the writing of lines cost none,
//! here as everywhere in the program.

use std::sync::Arc;
use std::thread;

use shakmaty::{CastlingMode, Color, Position as _};

use crate::chess::{MateLength, MoveCode, Position};
use crate::proof::ProofTree;
use crate::solve::STACK_SIZE;

use super::ask::{End, Lane, Question};
use super::desk::Desk;
use super::fallback;
use super::flags::Flags;
use super::game::Game;
use super::leaning::Leaning;
use super::options::Options;
use super::standing::{Score, Standing};
use super::tables::Tables;
use super::truth::Judge;

/// Nodes of the first slice; the next ones grow by the factor.
const FIRST_SLICE: u64 = 10_000;
pub(super) const GROWTH: u64 = 3;
/// Nodes that may be spent on moves that look good and allow a mate in two.
const LOOK_OUT: u64 = 20_000;

/// What a `go` asks for.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub game: Game,
    pub options: Options,
    pub mode: CastlingMode,
    /// The first moves are restricted to those on the desk.
    pub restricted: bool,
    /// The longest mate of the side to move that counts, and the longest against it.
    pub bounds: (MateLength, MateLength),
    /// Go on after the first mate.
    pub shortest: bool,
    pub nodes: Option<u64>,
    pub debug: bool,
    pub tables: Arc<Tables>,
    /// Proofs an earlier search has left: after which first move (or in the position itself), who mates, how.
    pub known: Vec<(Option<MoveCode>, Color, ProofTree)>,
}

/// A running `go`.
pub(super) struct Search {
    pub(super) job: Job,
    pub(super) desk: Arc<Desk>,
    pub(super) flags: Arc<Flags>,
    pub(super) judge: Judge,
    pub(super) turn: Color,
}

impl Search {
    pub(super) fn new(job: Job, desk: Arc<Desk>, flags: Arc<Flags>) -> Search {
        let judge = Judge::new(&job.game, job.mode, job.options.rule50);
        let turn = job.game.chess().turn();
        Search { job, desk, flags, judge, turn }
    }

    /// Works until everything is decided or there is nothing left to spend.
    pub(super) fn run(&self) {
        if self.desk.standing(|standing| standing.moves.is_empty()) {
            return;
        }
        self.recall();
        self.glance();
        self.desk.show();
        if self.is_done() {
            return;
        }
        self.look_out();
        if self.job.restricted {
            self.each_move(true);
        } else {
            self.whole_position();
        }
    }

    /// Takes in what earlier searches have proved.
    fn recall(&self) {
        for (first, attacker, tree) in &self.job.known {
            let index = first.map(|code| self.desk.standing(|s| s.moves.iter().position(|m| m.code == code)));
            if index != Some(None) {
                // Refused is what the options no longer allow; then it is searched for.
                let _ = self.claim(Question { first: index.flatten(), attacker: *attacker }, tree);
            }
        }
    }

    /// Takes in what is to be seen without searching.
    fn glance(&self) {
        let moves = self.desk.standing(|standing| standing.moves.clone());
        for (index, m) in moves.iter().enumerate() {
            if let Some((attacker, tree)) = fallback::at_once(m) {
                let _ = self.claim(Question { first: Some(index), attacker }, &tree);
            }
            let quiet = !m.after.is_checkmate();
            self.desk.note(|standing| standing.moves[index].no_mate = MateLength(u16::from(quiet)));
        }
    }

    /// Steps down the list of sensible moves past those that allow a mate in two.
    fn look_out(&self) {
        let budget = self.left().map_or(LOOK_OUT, |left| (left / 40).min(LOOK_OUT));
        let start = self.desk.nodes.total();
        let mut last = None;
        while !self.flags.asked() {
            let best = self.desk.standing(|s| s.order().first().copied().filter(|&i| s.moves[i].score().is_none()));
            let left = budget.saturating_sub(self.desk.nodes.total() - start);
            let Some(index) = best.filter(|_| best != last && left > 0) else { return };
            last = best;
            let question = Question { first: Some(index), attacker: !self.turn };
            self.ask(question, (MateLength(2), false), self.lane(0, 1), Some(left.div_ceil(4)));
        }
    }

    /// Both questions, until one is answered with yes; then that one.
    fn whole_position(&self) {
        let leaning = Leaning::of(&Position::from_chess(self.job.game.chess()));
        let mut open = [true; 2];
        if self.job.options.threads > 1 && self.score().is_none() {
            open = self.side_by_side(leaning);
        }
        let attackers = [leaning.attacker, !leaning.attacker];
        for round in 0.. {
            for place in 0..2 {
                if self.is_done() || self.score().is_some() || !open[place] {
                    continue;
                }
                let share = if open[1 - place] { self.share(leaning, round, place) } else { None };
                let question = Question { first: None, attacker: attackers[place] };
                let task = (self.bound(question), self.job.shortest);
                let end = self.ask(question, task, self.lane(0, 1), share);
                open[place] = end == End::Limit;
                if end == End::Drawn {
                    // Somebody mates by the rules of problems, so nobody else does; but not this way.
                    if attackers[place] == self.turn {
                        self.each_move(false);
                    }
                    return;
                }
            }
            if self.is_done() || self.score().is_some() || open == [false; 2] {
                break;
            }
        }
        let Some(score) = self.score() else { return };
        let mates = matches!(score, Score::Mates(_));
        if mates && self.job.options.multi_pv > 1 {
            return self.each_move(false);
        }
        self.shorten(if mates { self.turn } else { !self.turn });
    }

    /// What a question gets while the other is open too; the favoured one has place 0. `None`: whatever is left.
    ///
    /// Engines may start anew with every slice, so of a given number of nodes as few slices are made as can be: a
    /// short one for the likelier question, the whole share of the other, and the rest. Without such a number they
    /// alternate.
    fn share(&self, leaning: Leaning, round: u32, place: usize) -> Option<u64> {
        match (self.left(), round, place) {
            (Some(left), 0, 0) => Some(left.div_ceil(16)),
            (Some(left), 0, _) => Some(left.div_ceil(leaning.favour + 1)),
            (Some(_), ..) => None,
            (None, _, 0) => {
                Some(FIRST_SLICE.saturating_mul(leaning.favour).saturating_mul(GROWTH.saturating_pow(round)))
            }
            (None, ..) => Some(FIRST_SLICE.saturating_mul(GROWTH.saturating_pow(round))),
        }
    }

    /// Looks for shorter mates than the one that is known, until it is the shortest.
    fn shorten(&self, attacker: Color) {
        let question = Question { first: None, attacker };
        while !self.is_done() {
            let before = self.desk.nodes.total();
            let Some(shorter) = self.score().and_then(|score| MateLength(score.moves()).shorter()) else { return };
            let task = (shorter.min(self.bound(question)), self.job.shortest);
            let end = self.ask(question, task, self.lane(0, 1), self.left());
            if end != End::Limit || self.desk.nodes.total() == before {
                return;
            }
        }
    }

    /// Both questions on two threads; a proof in one stops the other. Gives which are still open.
    fn side_by_side(&self, leaning: Leaning) -> [bool; 2] {
        let left = self.left();
        let ask = |attacker: Color, number: usize| {
            let parts = if attacker == leaning.attacker { leaning.favour } else { 1 };
            let share = left.map(|left| (left / (leaning.favour + 1)).saturating_mul(parts).max(1));
            let question = Question { first: None, attacker };
            let task = (self.bound(question), self.job.shortest);
            self.ask(question, task, self.lane(number, 2), share) == End::Limit
        };
        thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(STACK_SIZE);
            match builder.spawn_scoped(scope, || ask(!leaning.attacker, 1)) {
                Ok(other) => [ask(leaning.attacker, 0), other.join().unwrap_or(false)],
                Err(_) => [true; 2],
            }
        })
    }

    /// The longest mate worth looking for in the position itself.
    fn bound(&self, question: Question) -> MateLength {
        if question.attacker == self.turn { self.job.bounds.0 } else { self.job.bounds.1 }
    }

    /// The place of a thread when so many engines are alive at once.
    pub(super) fn lane(&self, number: usize, engines: usize) -> Lane {
        let threads = (self.job.options.threads / engines).max(1);
        Lane { number, memory: self.job.tables.left(self.job.options.hash << 20) / engines, threads }
    }

    fn score(&self) -> Option<Score> {
        self.desk.standing(Standing::score)
    }

    /// The nodes that may still be made; `None`: any number.
    pub(super) fn left(&self) -> Option<u64> {
        self.job.nodes.map(|nodes| nodes.saturating_sub(self.desk.nodes.total()))
    }

    /// Whether there is no more to do.
    pub(super) fn is_done(&self) -> bool {
        self.flags.asked() || self.left() == Some(0) || self.desk.standing(|standing| self.is_decided(standing))
    }

    /// Whether more search could not improve the answer.
    fn is_decided(&self, standing: &Standing) -> bool {
        let lines = self.job.options.multi_pv.min(standing.moves.len());
        match standing.score() {
            Some(Score::Mates(_)) if !self.job.shortest => {
                standing.mate_number(lines).is_some_and(|n| n <= self.job.bounds.0.0)
            }
            Some(Score::Mated(n)) if !self.job.shortest => n <= self.job.bounds.1.0,
            Some(Score::Mates(_)) => lines == 1 && standing.is_exact(),
            Some(Score::Mated(_)) => standing.is_exact(),
            None => false,
        }
    }
}
