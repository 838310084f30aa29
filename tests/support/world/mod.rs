//! Whole small worlds of help play: how many half-moves every position with few men is away from a mate or a stalemate
//! of Black, if both sides help. It rests on shakmaty alone and shares nothing with the search.
//!
//! A world holds some sets of men and every set that captures and promotions make of them, so no move leaves it.
//! shakmaty says which positions exist, and which of them are mates or stalemates; from these the walk goes back, one
//! half-move after the other. [`distances::Distances::check`] compares distances with the moves of shakmaty: if they
//! agree for every position, all are right, whatever the walk does.
//!
//! Positions that differ by a reflection have one place: a reflection of the files; without pawns, of the ranks and of
//! the diagonal too.

pub mod distances;
mod state;
mod walk;

use std::ops::Range;

use arrayvec::ArrayVec;
use shakmaty::{Color, Piece, Position as _, Role, Square};

use state::{MOST, State, number, reflected};

/// What a place holds: shakmaty's words on its position.
const NO_POSITION: u8 = 255;
const OPEN: u8 = 254;
const MATE: u8 = 253;
const STALEMATE: u8 = 252;

/// The men of a set besides the kings, sorted by their numbers, and the places of its positions.
#[derive(Debug, Clone)]
struct Set {
    men: ArrayVec<Piece, MOST>,
    /// The squares on which White's king stands in a place.
    kings: Vec<Square>,
    first: usize,
}

impl Set {
    fn has_pawns(men: &[Piece]) -> bool {
        men.iter().any(|piece| piece.role == Role::Pawn)
    }

    fn kings(men: &[Piece]) -> Vec<Square> {
        let is_left = |square: &Square| (*square as u32) % 8 < 4;
        let is_lower = |square: &Square| *square as u32 / 8 <= *square as u32 % 8;
        let left = Square::ALL.into_iter().filter(is_left);
        if Set::has_pawns(men) { left.collect() } else { left.filter(is_lower).collect() }
    }

    /// Returns the places with one side to move.
    fn half(&self) -> usize {
        (self.kings.len() * 64) << (6 * self.men.len())
    }

    fn places(&self, turn: Color) -> Range<usize> {
        let first = self.first + turn.fold_wb(0, self.half());
        first..first + self.half()
    }

    /// Returns the position of a place, or what stands there instead of one.
    fn state(&self, place: usize) -> State {
        let mut rest = place - self.first;
        let mut next = || {
            let square = Square::new((rest % 64) as u32);
            rest /= 64;
            square
        };
        let mut men: ArrayVec<_, MOST> = self.men.iter().rev().map(|&piece| (piece, next())).collect();
        men.reverse();
        let black = next();
        let white = self.kings[rest % self.kings.len()];
        let turn = if rest < self.kings.len() { Color::White } else { Color::Black };
        State { turn, kings: [white, black], men }
    }
}

/// The positions of some sets of men.
pub struct World {
    sets: Vec<Set>,
    /// The number of a set, from 1, by the numbers of its men.
    numbers: [[u8; 11]; 11],
    /// By square of White's king, without and with pawns: its number in a set and the reflection, one or two.
    kings: [[ArrayVec<(usize, u8), 2>; 64]; 2],
    /// By place.
    kinds: Vec<u8>,
}

/// Returns the men of a set such as `KPkp` besides the kings.
fn men_of(name: &str) -> ArrayVec<Piece, MOST> {
    let men = name.chars().map(|letter| Piece::from_char(letter).expect("the letter of a man"));
    sorted(men.filter(|piece| piece.role != Role::King).collect())
}

fn sorted(mut men: ArrayVec<Piece, MOST>) -> ArrayVec<Piece, MOST> {
    men.sort_by_key(|&piece| number(piece));
    men
}

/// Adds a set of men, and all that captures and promotions make of it.
fn close(men: &ArrayVec<Piece, MOST>, all: &mut Vec<ArrayVec<Piece, MOST>>) {
    if all.contains(men) {
        return;
    }
    all.push(men.clone());
    for at in 0..men.len() {
        let mut rest = men.clone();
        let man = rest.remove(at);
        close(&rest, all);
        if man.role == Role::Pawn {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                rest.push(Piece { role, ..man });
                close(&sorted(rest.clone()), all);
                rest.pop();
            }
        }
    }
}

impl World {
    /// Makes the world of these sets, each a word such as `KPkp`.
    pub fn new(names: &[&str]) -> World {
        let mut all = Vec::new();
        for name in names {
            close(&men_of(name), &mut all);
        }
        let (mut sets, mut first, mut numbers) = (Vec::new(), 0, [[0; 11]; 11]);
        for men in all {
            let key = |at: usize| men.get(at).map_or(0, |&piece| number(piece));
            numbers[key(0)][key(1)] = sets.len() as u8 + 1;
            let set = Set { kings: Set::kings(&men), men, first };
            first += 2 * set.half();
            sets.push(set);
        }
        let kings = [&[][..], &[Color::White.pawn()]].map(|men| {
            let kings = Set::kings(men);
            let reflections = if Set::has_pawns(men) { 2 } else { 8 };
            let images = |square: Square| {
                let number = |image| kings.iter().position(|&king| king == reflected(square, image));
                (0..reflections).filter_map(|image| Some((number(image)?, image))).collect()
            };
            Square::ALL.map(images)
        });
        let mut world = World { sets, numbers, kings, kinds: vec![NO_POSITION; first] };
        for set in world.sets.clone() {
            for place in set.places(Color::White).chain(set.places(Color::Black)) {
                world.kinds[place] = world.kind(&set, place);
            }
        }
        world
    }

    /// Returns the names of the sets.
    pub fn names(&self) -> Vec<String> {
        let side = |set: &Set, color| {
            let men = set.men.iter().rev().filter(|piece| piece.color == color).map(|piece| piece.char());
            std::iter::once(Color::king(color).char()).chain(men).collect::<String>()
        };
        self.sets.iter().map(|set| side(set, Color::White) + &side(set, Color::Black)).collect()
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.kinds.iter().filter(|&&kind| kind != NO_POSITION).count()
    }

    /// Asks shakmaty what stands in a place.
    fn kind(&self, set: &Set, place: usize) -> u8 {
        let state = set.state(place);
        if self.place(&state) != Some(place) {
            return NO_POSITION;
        }
        let Some(chess) = state.chess() else { return NO_POSITION };
        match chess.turn() {
            Color::Black if chess.is_checkmate() => MATE,
            Color::Black if chess.is_stalemate() => STALEMATE,
            _ => OPEN,
        }
    }

    /// Returns the place of a position; `None` if it has other men than this world.
    fn place(&self, state: &State) -> Option<usize> {
        let mut men = state.men.clone();
        if men.len() == 2 && number(men[0].0) > number(men[1].0) {
            men.swap(0, 1);
        }
        let key = |at: usize| men.get(at).map_or(0, |&(piece, _)| number(piece));
        let set = &self.sets[usize::from(self.numbers[key(0)][key(1)].checked_sub(1)?)];
        let has_pawns = men.iter().any(|(piece, _)| piece.role == Role::Pawn);
        let images = &self.kings[usize::from(has_pawns)][state.kings[0] as usize];
        let image = |&(king, reflection): &(usize, u8)| {
            let mut squares: ArrayVec<usize, MOST> =
                men.iter().map(|&(_, at)| reflected(at, reflection) as usize).collect();
            if men.len() == 2 && men[0].0 == men[1].0 {
                squares.sort_unstable();
            }
            let first = king * 64 + reflected(state.kings[1], reflection) as usize;
            squares.iter().fold(first, |place, square| place * 64 + square)
        };
        Some(set.places(state.turn).start + images.iter().map(image).min()?)
    }

    fn is_position(&self, state: &State) -> bool {
        self.place(state).is_some_and(|place| self.kinds[place] != NO_POSITION)
    }
}
