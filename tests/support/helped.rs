//! Help play by its definition, on shakmaty alone, in two ways that share nothing with the search.
//!
//! [`Question::plain`] plays every line to its end. [`Layers`] stores the different positions after each half-move,
//! without leaving any out, and counts the lines backwards from the positions that reach the goal. Lines of questions
//! with a compelled last half-move are compared without it, because one move stands for all there.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow::{self, Continue};
use std::sync::atomic::AtomicBool;

use matesolve_engine::chess::{Duty, End, MoveCode, Play, Position, Stipulation};
use matesolve_engine::search::help::{AnyAnswer, AnyTask, HelpAnswer, HelpTask, Rules, any, solve};
use matesolve_engine::search::{Control, HelpCounts, Limits};
use shakmaty::{Chess, Move, MoveList, Position as _, PositionError, attacks};

/// The moves of a line.
pub type Line = Vec<MoveCode>;

/// A question of help play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// How both sides move.
    pub play: Play,
    /// How the play ends.
    pub end: End,
    /// The number of half-moves, at least 1.
    pub half_moves: usize,
    /// Whether who can bring the end about at once must.
    pub is_reflex: bool,
}

/// Returns the code of a move of shakmaty.
pub fn code(m: Move) -> MoveCode {
    MoveCode::new(m.from().expect("a move on the board"), m.to(), m.promotion())
}

/// Returns the position after `m`.
pub fn played(chess: &Chess, m: Move) -> Chess {
    let mut after = chess.clone();
    after.play_unchecked(m);
    after
}

/// Returns the position with the other side to move; `None` in check. Too many men of a kind are accepted.
#[expect(clippy::disallowed_methods, reason = "it is called once, with what it refuses")]
pub fn passed(chess: &Chess) -> Option<Chess> {
    if chess.is_check() {
        return None;
    }
    chess.clone().swap_turn().or_else(PositionError::ignore_too_much_material).ok()
}

impl Question {
    /// Returns the question without conditions.
    pub fn new(play: Play, end: End, half_moves: usize) -> Question {
        Question { play, end, half_moves, is_reflex: false }
    }

    /// Returns the question as the program knows it.
    pub fn stipulation(self) -> Stipulation {
        let duty = if self.is_reflex { Duty::Both } else { Duty::None };
        Stipulation::helped(self.play, self.end, self.half_moves as u16).with_duty(duty)
    }

    /// Returns whether every move that the duty allows must reach the goal at the end, so that one stands for all.
    pub fn is_compelled(self) -> bool {
        matches!(self.play, Play::SeriesSelf | Play::HelpSelf)
    }

    /// Returns whether every legal move must reach the goal at the end, duty or not.
    pub fn compels_all(self) -> bool {
        self.is_compelled() && !self.is_reflex
    }

    /// Returns whether the side that makes half-move `at` makes the next one too. Counted from 0.
    pub fn goes_on(self, at: usize) -> bool {
        match self.play {
            Play::Series => at + 1 < self.half_moves,
            Play::SeriesHelp | Play::SeriesSelf => at + 2 < self.half_moves,
            _ => false,
        }
    }

    /// Returns the position after half-move `at`; `None` if the move is not allowed in a series.
    pub fn after(self, chess: &Chess, m: Move, at: usize) -> Option<Chess> {
        let after = played(chess, m);
        if self.goes_on(at) { passed(&after) } else { Some(after) }
    }

    /// Returns whether the play has failed before half-move `at`: a side can bring the end about that must not happen
    /// yet, or, in reciprocal play, cannot where it must be able to.
    fn has_failed(self, chess: &Chess, at: usize) -> bool {
        let can_end = || chess.legal_moves().iter().any(|&m| self.reaches(chess, m));
        let must_be_able = self.play == Play::Reciprocal && at + 2 == self.half_moves;
        self.is_reflex && at + 1 < self.half_moves && can_end() || must_be_able && !can_end()
    }

    fn reaches(self, chess: &Chess, m: Move) -> bool {
        self.end == End::Any || self.end.is_on(&played(chess, m))
    }

    /// Returns the moves with which the last half-move reaches the goal. If it is compelled, these are all or none;
    /// a duty compels him who has one.
    pub fn last(self, chess: &Chess) -> Vec<Move> {
        let reaches = |m: &Move| self.reaches(chess, *m);
        let moves = chess.legal_moves();
        if self.compels_all() {
            return if moves.iter().all(reaches) { moves.to_vec() } else { Vec::new() };
        }
        moves.into_iter().filter(reaches).collect()
    }

    /// Returns the question of the set play, and the diagram with the side to move that begins it; `None` if there is
    /// none. In a series it is the other side's move at once.
    pub fn set_play(self, chess: &Chess) -> Option<(Question, Chess)> {
        let half_moves = match self.play {
            Play::Help => self.half_moves - 1,
            // Somebody helps in it, before the moves that must or can end the play.
            Play::HelpSelf if self.half_moves > 2 => self.half_moves - 1,
            Play::Reciprocal if self.half_moves > 3 => self.half_moves - 1,
            Play::SeriesHelp | Play::SeriesSelf => 1,
            _ => 0,
        };
        Some((Question { half_moves, ..self }, passed(chess)?)).filter(|_| half_moves > 0)
    }

    /// Returns the ends of lines from a position before the last half-move.
    fn ends(self, chess: &Chess) -> Vec<Line> {
        let last = self.last(chess);
        if self.is_compelled() { last.first().map(|_| Line::new()).into_iter().collect() } else { ends_of(&last) }
    }

    /// Plays all lines. Returns those that reach the goal, sorted; `None` if they take more than `most` moves.
    pub fn plain(self, chess: &Chess, most: usize) -> Option<Vec<Line>> {
        let (mut all, mut left) = (Vec::new(), most);
        self.play_all(chess, &mut Line::new(), &mut left, &mut all)?;
        all.sort_unstable();
        Some(all)
    }

    fn play_all(self, chess: &Chess, path: &mut Line, left: &mut usize, all: &mut Vec<Line>) -> Option<()> {
        let at = path.len();
        if self.has_failed(chess, at) {
            return Some(());
        }
        let moves = chess.legal_moves();
        *left = left.checked_sub(moves.len())?;
        if at + 1 == self.half_moves {
            all.extend(self.ends(chess).into_iter().map(|end| [path.as_slice(), &end].concat()));
            return Some(());
        }
        for m in moves {
            if let Some(after) = self.after(chess, m, at) {
                path.push(code(m));
                self.play_all(&after, path, left, all)?;
                path.pop();
            }
        }
        Some(())
    }

    /// Returns the answer of the search, which ends after `limit` nodes if it is given, and its nodes.
    pub fn answer(self, chess: &Chess, threads: usize, limit: Option<u64>) -> (HelpAnswer, u64) {
        self.ask(chess, threads, limit, usize::MAX)
    }

    fn ask(self, chess: &Chess, threads: usize, limit: Option<u64>, most: usize) -> (HelpAnswer, u64) {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: limit, deadline: None }, &stop);
        let (position, stipulation) = (Position::from_chess(chess), self.stipulation());
        let task = HelpTask { position, stipulation, memory: 1 << 27, threads, most, rules: Rules::ALL };
        (solve(&task, &control, &HelpCounts::default()), control.nodes())
    }

    /// Asks for a helpmate of any length by the side that makes the last half-move: for a shortest one, or if `first`
    /// for any. The search ends after a million nodes.
    pub fn of_any_length(self, chess: &Chess, first: bool) -> AnyAnswer {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(1_000_000), deadline: None }, &stop);
        let position = Position::from_chess(chess);
        let mating = if self.half_moves.is_multiple_of(2) { !position.turn() } else { position.turn() };
        any(&AnyTask { position, mating, memory: 1 << 26, threads: 1, first }, &control, &HelpCounts::default())
    }

    /// Returns the number of solutions that the search finds, which ends when it has more than `most`; then `most`.
    pub fn count(self, chess: &Chess, most: usize) -> usize {
        let (answer, _) = self.ask(chess, 1, None, most);
        assert!(answer.stopped.is_none(), "{chess:?}");
        answer.count()
    }

    /// Returns all lines as the search finds them, sorted.
    pub fn searched(self, chess: &Chess, threads: usize) -> Vec<Line> {
        let (answer, _) = self.answer(chess, threads, None);
        assert!(answer.complete, "{chess:?}");
        let mut lines = Vec::new();
        let ended: ControlFlow<Option<()>> = answer.each(|line| {
            lines.push(self.without_compelled(chess, line));
            Continue(())
        });
        assert!(ended.is_continue() && lines.len() == answer.count(), "{chess:?}");
        lines.sort_unstable();
        lines
    }

    /// Returns the line without a compelled move at its end, which must be one of those that reach the goal.
    fn without_compelled(self, chess: &Chess, line: &[MoveCode]) -> Line {
        assert_eq!(line.len(), self.half_moves);
        if !self.is_compelled() {
            return line.to_vec();
        }
        let (&last, line) = line.split_last().expect("a line has moves");
        let before = self.replayed(chess, line, |_, _| ());
        assert!(self.last(&before).into_iter().any(|m| code(m) == last), "{chess:?} {line:?} {last:?}");
        line.to_vec()
    }

    /// Plays the line, which must be legal. Shows each position with the move made there. Returns the position at the
    /// end.
    pub fn replayed(self, chess: &Chess, line: &[MoveCode], mut show: impl FnMut(&Chess, Move)) -> Chess {
        let mut chess = chess.clone();
        for (at, &m) in line.iter().enumerate() {
            let m = chess.legal_moves().into_iter().find(|&it| code(it) == m).expect("a legal move");
            show(&chess, m);
            chess = self.after(&chess, m, at).expect("a move that the series allows");
        }
        chess
    }
}

fn ends_of(moves: &[Move]) -> Vec<Line> {
    moves.iter().map(|&m| vec![code(m)]).collect()
}

/// The different positions after each half-move, and the lines through them.
pub struct Layers {
    /// For each layer and position: the moves, each with the number of the position in the next layer.
    moves: Vec<Vec<Vec<(MoveCode, usize)>>>,
    /// The ends of lines from each position of the last layer.
    ends: Vec<Vec<Line>>,
    /// For each layer and position: the number of lines that reach the goal.
    counts: Vec<Vec<usize>>,
}

impl Layers {
    /// Makes the layers; `None` if they have more than `most` positions together.
    pub fn new(question: Question, chess: &Chess, most: usize) -> Option<Layers> {
        let mut moves = Vec::new();
        let (mut layer, mut left) = (vec![chess.clone()], most);
        for at in 0..question.half_moves - 1 {
            let (next, edges) = next_layer(question, &layer, at);
            left = left.checked_sub(next.len())?;
            moves.push(edges);
            layer = next;
        }
        let ends: Vec<Vec<Line>> = layer.iter().map(|chess| question.ends(chess)).collect();
        let mut counts = vec![ends.iter().map(Vec::len).collect::<Vec<usize>>()];
        for edges in moves.iter().rev() {
            let below = &counts[counts.len() - 1];
            let count = |edges: &Vec<(MoveCode, usize)>| edges.iter().map(|&(_, to)| below[to]).sum();
            counts.push(edges.iter().map(count).collect());
        }
        counts.reverse();
        Some(Layers { moves, ends, counts })
    }

    /// Returns the number of lines.
    pub fn count(&self) -> usize {
        self.counts[0][0]
    }

    /// Returns the lines, sorted.
    pub fn lines(&self) -> Vec<Line> {
        let mut all = Vec::new();
        self.list(0, 0, &mut Line::new(), &mut all);
        all.sort_unstable();
        all
    }

    fn list(&self, layer: usize, at: usize, path: &mut Line, all: &mut Vec<Line>) {
        let Some(edges) = self.moves.get(layer) else {
            all.extend(self.ends[at].iter().map(|end| [path.as_slice(), end].concat()));
            return;
        };
        for &(m, to) in edges[at].iter().filter(|(_, to)| self.counts[layer + 1][*to] > 0) {
            path.push(m);
            self.list(layer + 1, to, path, all);
            path.pop();
        }
    }
}

/// Returns the different positions after half-move `at`, and for each position of `layer` the moves that lead there.
fn next_layer(question: Question, layer: &[Chess], at: usize) -> (Vec<Chess>, Vec<Vec<(MoveCode, usize)>>) {
    let (mut next, mut numbers) = (Vec::new(), HashMap::new());
    let mut edges = Vec::new();
    for chess in layer {
        let mut from_here = Vec::new();
        let moves = if question.has_failed(chess, at) { MoveList::new() } else { chess.legal_moves() };
        for m in moves {
            let Some(after) = question.after(chess, m, at) else { continue };
            let number = match numbers.entry(after) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    next.push(entry.key().clone());
                    *entry.insert(next.len() - 1)
                }
            };
            from_here.push((code(m), number));
        }
        edges.push(from_here);
    }
    (next, edges)
}

/// Counts positions by what their solutions contain.
#[derive(Debug, Default, Clone, Copy)]
pub struct Shares {
    /// All positions.
    pub positions: usize,
    /// Those that have solutions.
    pub solved: usize,
    /// Those with castling in a solution.
    pub castling: usize,
    /// Those with a capture en passant in a solution.
    pub en_passant: usize,
    /// Those with a promotion in a solution.
    pub promotions: usize,
    /// Those with a double check in a solution.
    pub double_checks: usize,
    /// Those with a mate in which a pinned man could otherwise capture the checking man or stand between.
    pub pinned_guards: usize,
}

impl Shares {
    /// Adds a position with its sorted lines, of which the first hundred are looked at.
    pub fn add(&mut self, question: Question, chess: &Chess, lines: &[Line]) {
        let mut has = [false; 5];
        for line in lines.iter().take(100) {
            let note = |m: Move| [m.is_castle(), m.is_en_passant(), m.promotion().is_some()];
            let mut seen = [false; 3];
            let mut end = question.replayed(chess, line, |_, m| {
                seen.iter_mut().zip(note(m)).for_each(|(seen, is)| *seen |= is);
            });
            if question.is_compelled() {
                end = played(&end, question.last(&end)[0]);
            }
            let marks = [seen[0], seen[1], seen[2], end.checkers().more_than_one(), has_pinned_guard(&end)];
            has.iter_mut().zip(marks).for_each(|(has, is)| *has |= is);
        }
        self.positions += 1;
        self.solved += usize::from(!lines.is_empty());
        let counts = [
            &mut self.castling,
            &mut self.en_passant,
            &mut self.promotions,
            &mut self.double_checks,
            &mut self.pinned_guards,
        ];
        counts.into_iter().zip(has).for_each(|(count, has)| *count += usize::from(has));
    }

    /// Returns the sums of both.
    #[must_use]
    pub fn plus(self, other: Shares) -> Shares {
        Shares {
            positions: self.positions + other.positions,
            solved: self.solved + other.solved,
            castling: self.castling + other.castling,
            en_passant: self.en_passant + other.en_passant,
            promotions: self.promotions + other.promotions,
            double_checks: self.double_checks + other.double_checks,
            pinned_guards: self.pinned_guards + other.pinned_guards,
        }
    }
}

/// Returns whether, in a mate, a man reaches the one checking man or the line of the check. He must be pinned.
pub fn has_pinned_guard(mate: &Chess) -> bool {
    let (board, us) = (mate.board(), mate.turn());
    let (Some(checker), Some(king)) = (mate.checkers().single_square(), board.king_of(us)) else { return false };
    let guards = |man| {
        let is_pawn = board.pawns().contains(man);
        let line = if is_pawn { checker.into() } else { attacks::between(king, checker).with(checker) };
        (board.attacks_from(man) & line).any()
    };
    board.by_color(us).without(king).into_iter().any(guards)
}
