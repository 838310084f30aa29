//! Walks the search along lines that reach the goal by construction ([`unplay`]): no position of a line may be called
//! dead, with all rules, with single rules left out, and with few rules.

mod ends;
mod forced;
mod unmoves;
mod unplay;

use std::cell::Cell;
use std::sync::atomic::AtomicBool;

use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Position as _, Role, Square};

use super::super::living::Edge;
use super::super::reach::{MOST_STEPS, no_mate_fits};
use super::super::*;
use super::{RULES, Random};
use crate::chess::{End, Move, Play, Will};
use crate::search::Limits;
use ends::Theme;
use forced::ForcedEnds;
use unplay::{Unplayed, Wanted};

const NONE: Rules = Rules {
    dead: false,
    pictures: false,
    checker: false,
    must: false,
    blocks: false,
    matching: false,
    pairs: false,
    resting: false,
    listed: false,
    unattacked: false,
    taken: false,
    captures: false,
    needs: false,
};

/// Each rule with those that it stands on.
const ALONE: [(&str, Rules); 16] = [
    ("only the table", Rules { dead: true, ..NONE }),
    ("only pictures", Rules { pictures: true, ..NONE }),
    ("only the checker", Rules { pictures: true, checker: true, ..NONE }),
    ("only men that must go", Rules { pictures: true, checker: true, must: true, ..NONE }),
    ("only refuting blocks", Rules { pictures: true, checker: true, must: true, blocks: true, ..NONE }),
    ("only matching", Rules { pictures: true, matching: true, ..NONE }),
    ("only matching with the checker", Rules { pictures: true, checker: true, matching: true, ..NONE }),
    ("only resting", Rules { pictures: true, resting: true, ..NONE }),
    ("only pairs", Rules { pairs: true, ..NONE }),
    ("only the list", Rules { listed: true, ..NONE }),
    ("only the list with men that must go", Rules { listed: true, must: true, ..NONE }),
    ("only the list with refuting blocks", Rules { listed: true, must: true, blocks: true, ..NONE }),
    ("only a king that nobody attacks", Rules { listed: true, unattacked: true, ..NONE }),
    ("only squares of captures", Rules { listed: true, taken: true, ..NONE }),
    ("only limits of captures", Rules { listed: true, captures: true, ..NONE }),
    ("only needs", Rules { listed: true, needs: true, ..NONE }),
];

/// The questions, with the largest number of half-moves.
const QUESTIONS: [(Play, End, u16); 8] = [
    (Play::Help, End::Mate, 14),
    (Play::Help, End::Stalemate, 14),
    (Play::SeriesHelp, End::Mate, 11),
    (Play::SeriesHelp, End::Stalemate, 11),
    (Play::Series, End::Mate, 10),
    (Play::Series, End::Stalemate, 10),
    (Play::HelpSelf, End::Mate, 9),
    (Play::SeriesSelf, End::Mate, 9),
];

/// A question and a line that answers it.
struct Planted {
    task: HelpTask,
    line: Vec<MoveCode>,
    moves: Vec<Move>,
    /// The king's square in the end.
    king: Square,
}

/// Makes a line for a question, of a random length.
fn planted(random: &mut Random, ends: &mut ForcedEnds, (play, end, most): (Play, End, u16)) -> (Planted, Unplayed) {
    let theme = Theme::pick(random, play, end);
    // Few moves left are most often needed all.
    let most = if theme != Theme::Return && random.below(3) > 0 { most.min(5) } else { most };
    for attempt in 0.. {
        let theme = if attempt < 300 { theme } else { Theme::Any };
        let (least, most) = match (theme, play) {
            // A promotion and the way back take some moves.
            (Theme::Return, _) => (most / 2, most),
            // Nobody makes a double step before the first move of a series.
            (Theme::Passing, Play::Series) => (1, 1),
            (_, Play::Help | Play::Series) => (1, most),
            _ => (2, most),
        };
        let half_moves = least + random.below(usize::from(most - least + 1)) as u16;
        let stipulation = Stipulation::helped(play, end, half_moves);
        let mating = stipulation.goal().of.other();
        let color = |at| Color::from_white(stipulation.half_move(at).side == mating);
        let wanted = Wanted { sides: (0..half_moves).map(color).collect(), end };
        let is_forced = stipulation.half_move(half_moves - 1).will == Will::Resists;
        let forced = is_forced.then(|| ends.pick(random));
        let Some(line) = wanted.unplayed(random, forced, theme) else { continue };
        let line = if random.below(2) > 0 { line.flipped() } else { line };
        let code = |m: &shakmaty::Move| MoveCode::new(m.from().expect("on the board"), m.to(), m.promotion());
        let task = HelpTask {
            position: Position::from_chess(&line.positions[0]),
            stipulation,
            memory: 1 << 12,
            threads: 1,
            most: usize::MAX,
            rules: Rules::ALL,
        };
        let king = line.end.board().king_of(line.end.turn()).expect("a king");
        let codes: Vec<MoveCode> = line.moves.iter().map(code).collect();
        let found = |(chess, &code)| Position::from_chess(chess).find_move(code).expect("a legal move");
        let moves = line.positions.iter().zip(&codes).map(found).collect();
        return (Planted { task, line: codes, moves, king }, line);
    }
    unreachable!("attempts do not end")
}

impl Planted {
    /// Asks of all positions of a line by turns that ends in mate whether the mate can ever come.
    fn can_mate(&self, line: &Unplayed) {
        let stipulation = self.task.stipulation;
        if stipulation.goal().end == End::Mate && !stipulation.is_series() {
            for position in line.positions.iter().map(Position::from_chess) {
                assert!(!no_mate_fits(&position, !line.end.turn(), MOST_STEPS), "{} {:?}", position.fen(), self.line);
            }
        }
    }

    /// Follows the line with these rules. Returns the half-move after which the search would have gone back. `pictures`
    /// counts those that fit on the way and that the line does not reach.
    fn lost_at(&self, rules: Rules, pictures: &Cell<usize>) -> Option<usize> {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut shared = shared(&HelpTask { rules, ..self.task });
        shared.list(STAGES[0].0, &mut Meter::new(&control), &HelpCounts::default());
        let known = Known::new();
        let mut worker = Worker::new(&shared, &known, Meter::new(&control), 0);
        worker.begun = 0;
        let mut position = self.task.position;
        let mut squares = worker.possible(&position, 0, Bitboard::FULL, None);
        for (at, &code) in self.line.iter().enumerate() {
            // Not only the square of the king must be kept, but a picture that the line reaches.
            let (fits, reached) = worker.lists.as_ref().map_or((1, 1), |lists| lists.reached(at, &self.moves));
            pictures.set(pictures.get() + fits - reached);
            if !squares.contains(self.king) || reached == 0 {
                return Some(at);
            }
            if at + 1 == self.line.len() {
                return (!worker.reaches_goal(&position, code)).then_some(at);
            }
            let m = self.moves[at];
            if !shared.candidates(&position, at, squares).contains(&m) {
                return Some(at);
            }
            match worker.enter(&position, m, at, squares, true) {
                Ok(Entered::Open(next, left)) => (position, squares) = (next, left),
                _ => return Some(at),
            }
        }
        None
    }
}

impl Worker<'_, '_> {
    /// Returns whether the last half-move of a line is one of those that are found; if it is forced, whether there is
    /// one.
    fn reaches_goal(&mut self, position: &Position, code: MoveCode) -> bool {
        let first = self.edges.len();
        self.last(position).expect("no limit");
        let mut found = self.edges.drain(first..);
        if self.shared.is_forced { found.next().is_some() } else { found.any(|edge| edge == Edge::new(code, None)) }
    }
}

/// The numbers of lines with rare moves and ends.
#[derive(Debug, Default)]
struct Rare {
    lines: usize,
    positions: usize,
    promotions: [usize; 4],
    en_passant: usize,
    castling: usize,
    returns: usize,
    /// Men who promoted and came back to a square where they had stood as pawns, to stand beside the mated king.
    promoted_returns: usize,
    checks: usize,
    double_checks: usize,
    pinned: usize,
    too_many: usize,
    /// Mates by a man who did not move last.
    opened: usize,
    opened_by_king: usize,
    opened_en_passant: usize,
    castling_last: usize,
    king_captures: usize,
    /// Walks along which several pictures fit.
    listed: usize,
}

impl Rare {
    fn add(&mut self, line: &Unplayed) {
        self.lines += 1;
        self.positions += line.positions.len();
        for (at, role) in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter().enumerate() {
            self.promotions[at] += usize::from(line.moves.iter().any(|m| m.promotion() == Some(role)));
        }
        self.en_passant += usize::from(line.moves.iter().any(|m| m.is_en_passant()));
        self.castling += usize::from(line.moves.iter().any(|m| m.is_castle()));
        self.checks += usize::from(line.positions.iter().any(Chess::is_check));
        self.double_checks += usize::from(line.end.checkers().more_than_one());
        self.pinned += usize::from(has_pinned(&line.end));
        let is_standard = |chess: &Chess| {
            let setup = chess.to_setup(EnPassantMode::Legal);
            Chess::from_setup(setup, CastlingMode::Standard).is_ok()
        };
        self.too_many += usize::from(!is_standard(&line.positions[0]));
        let (mut returns, mut as_another) = (false, false);
        for (first, m) in line.moves.iter().enumerate().filter(|(_, m)| !m.is_castle()) {
            // Follows the man who moves from here to the end.
            let (mut square, mut promotes) = (m.from(), false);
            for then in &line.moves[first..] {
                if then.from() == square && !then.is_castle() {
                    (square, promotes) = (Some(then.to()), promotes || then.is_promotion());
                    returns |= square == m.from();
                }
            }
            as_another |= square == m.from() && promotes && is_beside_king(&line.end, m.from());
        }
        self.returns += usize::from(returns);
        let last = line.moves.last().expect("a half-move");
        let opens = (line.end.checkers() & !Bitboard::from(last.to())).any() && !last.is_castle();
        self.opened += usize::from(opens);
        self.opened_by_king += usize::from(opens && last.role() == Role::King);
        self.opened_en_passant += usize::from(opens && last.is_en_passant());
        self.castling_last += usize::from(last.is_castle());
        let is_king = |m: &shakmaty::Move| m.role() == Role::King && m.is_capture();
        self.king_captures += usize::from(line.moves.iter().any(is_king));
        self.promoted_returns += usize::from(as_another);
    }
}

/// Returns whether a man of the side to move stands beside his king.
fn is_beside_king(end: &Chess, square: Option<Square>) -> bool {
    let (board, us) = (end.board(), end.turn());
    let men =
        board.king_of(us).map_or(Bitboard::EMPTY, |king| shakmaty::attacks::king_attacks(king) & board.by_color(us));
    square.is_some_and(|square| men.contains(square))
}

fn has_pinned(end: &Chess) -> bool {
    let position = Position::from_chess(end);
    position.pinned(position.turn()).any()
}

/// Plants lines of all questions, and follows each of them with the rules that `rules` returns for its number.
fn plant(count: usize, seed: u64, rules: impl Fn(usize) -> Vec<(&'static str, Rules)>) -> Rare {
    let mut random = Random(seed);
    let (mut ends, mut rare) = (ForcedEnds::default(), Rare::default());
    for number in 0..count {
        let (planted, line) = planted(&mut random, &mut ends, QUESTIONS[number % QUESTIONS.len()]);
        rare.add(&line);
        planted.can_mate(&line);
        for (name, rules) in rules(number / QUESTIONS.len()) {
            let pictures = Cell::new(0);
            let lost = planted.lost_at(rules, &pictures);
            rare.listed += usize::from(pictures.get() > 0);
            let HelpTask { position, stipulation, .. } = planted.task;
            assert_eq!(lost, None, "{name}: {stipulation} {} loses {:?}", position.fen(), planted.line);
        }
    }
    rare
}

/// All choices of rules; all rules come first.
fn choices() -> impl Iterator<Item = (&'static str, Rules)> {
    RULES.into_iter().chain(ALONE)
}

#[test]
fn no_position_of_an_unplayed_line_is_called_dead() {
    let some = |number: usize| vec![RULES[0], RULES[1], choices().nth(number % 30).expect("30 choices")];
    let rare = plant(1_200, 0x756e_706c_6179, some);
    let Rare { promotions, .. } = rare;
    let counts = [rare.en_passant, rare.castling, rare.returns, rare.promoted_returns, rare.checks];
    let more = [rare.double_checks, rare.pinned, rare.too_many, rare.opened, rare.opened_by_king];
    let last = [rare.opened_en_passant, rare.castling_last, rare.king_captures, rare.listed];
    assert!(promotions.into_iter().chain(counts).chain(more).chain(last).all(|count| count > 2), "{rare:?}");
}

#[test]
#[ignore = "some minutes: cargo test --release --lib unplayed -- --ignored --nocapture"]
fn no_position_of_a_million_unplayed_lines_is_called_dead() {
    println!("{:?}", plant(1_000_000, 0x006d_696c_6c69_6f6e, |_| vec![RULES[0]]));
}

#[test]
#[ignore = "some minutes: cargo test --release --lib unplayed -- --ignored --nocapture"]
fn no_position_of_many_unplayed_lines_is_called_dead_by_any_choice_of_rules() {
    println!("{:?}", plant(100_000, 0x0063_686f_6963_6573, |_| choices().collect()));
}

#[test]
fn the_search_finds_unplayed_lines() {
    find(100, 0x7365_6172_6368);
}

#[test]
#[ignore = "some minutes: cargo test --release --lib unplayed -- --ignored --nocapture"]
fn the_search_finds_many_unplayed_lines() {
    find(20_000, 0x006d_616e_796c_696e);
}

/// Plants lines, and searches whole problems for them: what the search remembers of other moves must not hide them.
fn find(count: usize, seed: u64) {
    let (mut random, mut ends) = (Random(seed), ForcedEnds::default());
    let (mut done, mut asked) = (0, 0);
    while done < count {
        let (planted, _) = planted(&mut random, &mut ends, QUESTIONS[asked % QUESTIONS.len()]);
        asked += 1;
        let Planted { task, line, .. } = planted;
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(20_000), deadline: None }, &stop);
        let task = HelpTask { memory: 1 << 22, ..task };
        let answer = solve(&task, &control, &HelpCounts::default());
        if !answer.complete || answer.count() > 20_000 {
            continue;
        }
        let is_forced = matches!(task.stipulation.play(), Play::HelpSelf | Play::SeriesSelf);
        let is_it = |found: &[MoveCode]| {
            let known = line.len() - usize::from(is_forced);
            found[..known] == line[..known]
        };
        let found = answer.each(|found| if is_it(found) { Break(()) } else { Continue(()) });
        assert!(found.is_break(), "{} {} {line:?}", task.stipulation, task.position.fen());
        done += 1;
    }
}
