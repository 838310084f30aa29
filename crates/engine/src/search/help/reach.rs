//! Sets of squares that no man ever leaves, and whether a mate fits into them.
//!
//! The sets grow from where the men stand until nothing is added any more. A man goes to a square that his move leads
//! to from one of his squares, unless a **fixed** man is in the way: one who, as far as the sets have grown, can
//! neither move nor be captured. A pawn captures on squares that a man of the other side can reach, or passes; a king
//! does not step on a square that a fixed man of the other side attacks whatever stands elsewhere. A pawn does not pass
//! another one if, as far as the sets have grown, neither leaves the file nor promotes, and the other is never
//! captured; a pawn of the other side only if he himself is never captured either.
//!
//! **Why nothing is lost.** Look at the first half-move of a play that leaves the final sets. All before it stayed in
//! them, so the men who are fixed in the end still stand where they stood, and the sets follow the half-move: a
//! contradiction. Castling and a capture en passant that is at hand are not followed, so such positions are not asked
//! about.
//!
//! Then [`super::pictures`] lists the mates in these sets, where no man needs a move to his squares. If there is none,
//! the side never mates. A mate is taken to be possible after too many steps, and where a pawn is free to promote or
//! there is none (`is_open`). In 1,026 questions about 513 positions of games and tests this changed no answer.

use std::ops::ControlFlow::{Break, Continue};

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::chess::{End, Goal, Position};

use super::geometry::{BISHOP, Geometry, KIND_COUNT, KING, Kind, QUEEN, ROOK, Row, ahead, is_pawn};
use super::pictures::mates::{self, Places};
use super::pictures::{Blocks, DEFENDER_KING, MOST_MEN, Men, cheapest, numbers, pins};
use super::rules::Rules;
use super::view::hits;

/// The steps after which a mate is taken to be possible. Halved, fewer positions are proved dead without a search;
/// doubled, hopeless questions take longer.
pub(super) const MOST_STEPS: u32 = 50_000;

/// With fewer pawns that stop each other, a queen, a rook or a knight nearly always gets through. Doubled, fewer dead
/// positions are answered without a search; halved, more problems pay for the question.
const RAMS_OF_A_WALL: usize = 3;

/// Distances of men who need no moves.
const NEAR: Row = [0; 64];

/// Returns whether it is proved that the side `color` never mates, whatever both sides play.
pub(super) fn never_mates(position: &Position, color: Color) -> bool {
    never_mates_within(position, color, MOST_STEPS)
}

/// Returns whether it is proved that a goal which `attacker` strives for is a mate that nobody ever gives, whatever
/// both sides play. It is not asked where the answer is nearly always no, so that short problems do not pay for it.
pub fn is_out_of_reach(goal: Goal, position: &Position, attacker: Color) -> bool {
    let mating = goal.of.other().color(attacker);
    let is_walled_in = || may_be_walled_in(position, mating) && never_mates(position, mating);
    goal.end == End::Mate && (position.cannot_mate(mating) || is_walled_in())
}

/// Returns whether the men of a side may be behind a wall: only bishops and pawns stand beside the king, or many pawns
/// stop each other.
fn may_be_walled_in(position: &Position, color: Color) -> bool {
    let gets_through = [Role::Queen, Role::Rook, Role::Knight].into_iter().any(|role| position.men(color, role).any());
    let [white, black] = [Color::White, Color::Black].map(|color| position.men(color, Role::Pawn));
    let rams = white.into_iter().filter(|&pawn| (ahead(Color::Black, pawn) & black).any()).count();
    !gets_through || rams >= RAMS_OF_A_WALL
}

/// The same as [`never_mates`], with fewer steps.
pub(super) fn never_mates_within(position: &Position, color: Color, steps: u32) -> bool {
    position.cannot_mate(color) || !is_open(position) && no_mate_fits(position, color, steps)
}

/// Returns whether no mate fits into the sets, which are made for any position.
pub(super) fn no_mate_fits(position: &Position, color: Color, steps: u32) -> bool {
    if position.castling_rights().any() || position.en_passant().is_some() {
        return false;
    }
    let Some(men) = Men::of(position, color) else { return false };
    !Reaches::of(men).hold_a_mate(steps)
}

/// Returns whether it is most unlikely that a wall of pawns keeps a side from mating for ever: there is no pawn, or one
/// has a free square before him and no pawn on the rest of his file.
fn is_open(position: &Position) -> bool {
    let (pawns, occupied) = (position.by_role(Role::Pawn), position.occupied());
    let is_free = |(color, pawn): (Color, Square)| {
        let is_before = |other: Square| other.file() == pawn.file() && rank_for(color, other) > rank_for(color, pawn);
        (ahead(!color, pawn) & occupied).is_empty() && !pawns.into_iter().any(is_before)
    };
    let of = |color: Color| position.men(color, Role::Pawn).into_iter().map(move |pawn| (color, pawn));
    pawns.is_empty() || Color::ALL.into_iter().flat_map(of).any(is_free)
}

/// Returns the rank of a square, seen from this side and counted from 0.
fn rank_for(color: Color, square: Square) -> i32 {
    color.fold_wb(square.rank() as i32, 7 - square.rank() as i32)
}

/// The squares that each man can reach, by number and by what he is there.
struct Reaches {
    men: Men,
    squares: [[Bitboard; KIND_COUNT]; MOST_MEN],
    /// The men who can be captured.
    taken: u32,
}

/// The facts that follow from the sets so far.
struct Facts {
    /// By number: the squares of a man, whatever he is.
    all: [Bitboard; MOST_MEN],
    /// The men who can neither move nor be captured, of the mating side and of the other one.
    fixed: [u32; 2],
    /// Their squares.
    shut: [Bitboard; 2],
    /// The squares that they attack whatever stands elsewhere.
    hit: [Bitboard; 2],
    /// The squares on which a pawn of the other side captures the men of a side.
    prey: [Bitboard; 2],
}

impl Reaches {
    fn of(men: Men) -> Reaches {
        let mut this = Reaches { men, squares: [[Bitboard::EMPTY; KIND_COUNT]; MOST_MEN], taken: 0 };
        for number in 0..men.len() {
            let (kind, square) = men.man(number);
            this.squares[number][usize::from(kind)].add(square);
        }
        while this.grow() {}
        this
    }

    /// Returns the side of a man: 0 for the mating one.
    fn side(&self, number: usize) -> usize {
        usize::from(self.men.attackers >> number & 1 == 0)
    }

    fn color(&self, side: usize) -> Color {
        if side == 0 { self.men.color } else { !self.men.color }
    }

    fn facts(&self) -> Facts {
        let none = [Bitboard::EMPTY; 2];
        let mut facts = Facts { all: [Bitboard::EMPTY; MOST_MEN], fixed: [0; 2], shut: none, hit: none, prey: none };
        for number in 0..self.men.len() {
            let (man, side) = (self.men.man(number), self.side(number));
            let all = self.squares[number].iter().fold(Bitboard::EMPTY, |all, &squares| all | squares);
            facts.all[number] = all;
            if !all.more_than_one() && self.taken >> number & 1 == 0 {
                facts.fixed[side] |= 1 << number;
                facts.shut[side].add(man.1);
                facts.hit[side] |= hits(man);
            }
            if man.0 != KING {
                facts.prey[side] |= all | self.passed(number);
            }
        }
        facts
    }

    /// Returns the square on which a pawn who makes a double step can be captured.
    fn passed(&self, number: usize) -> Bitboard {
        let (kind, from) = self.men.man(number);
        let forward = self.color(self.side(number)).fold_wb(8, -8);
        let steps = from.offset(forward).zip(from.offset(2 * forward));
        let is_double = |&(_, to): &(Square, Square)| {
            is_pawn(kind) && self.starts(number) && self.squares[number][usize::from(kind)].contains(to)
        };
        steps.filter(is_double).map_or(Bitboard::EMPTY, |(passed, _)| passed.into())
    }

    /// Adds what one more half-move of each man gives. Returns whether that is anything.
    fn grow(&mut self) -> bool {
        let facts = self.facts();
        let mut is_more = false;
        for number in 0..self.men.len() {
            let mut captures = Bitboard::EMPTY;
            for kind in 0..KIND_COUNT as Kind {
                for from in self.squares[number][usize::from(kind)] {
                    let (moves, takes) = self.moves(&facts, number, kind, from);
                    captures |= takes;
                    is_more |= self.add(number, kind, moves);
                }
            }
            let is_prey = |&prey: &usize| self.side(prey) != self.side(number);
            for prey in numbers(self.men.alive & !self.taken).filter(is_prey).collect::<Vec<_>>() {
                let is_king = self.men.man(prey).0 == KING;
                let passed = if is_pawn(self.men.man(number).0) { self.passed(prey) } else { Bitboard::EMPTY };
                if !is_king && (captures & (facts.all[prey] | passed)).any() {
                    self.taken |= 1 << prey;
                    is_more = true;
                }
            }
        }
        is_more
    }

    /// Adds squares of a man. A pawn on the last rank is any officer.
    fn add(&mut self, number: usize, kind: Kind, squares: Bitboard) -> bool {
        let last = if is_pawn(kind) { squares & Bitboard::BACKRANKS } else { Bitboard::EMPTY };
        let mut is_more = false;
        let officers = (QUEEN..=super::geometry::KNIGHT).map(|officer| (officer, last));
        for (kind, squares) in officers.chain([(kind, squares & !last)]) {
            let known = &mut self.squares[number][usize::from(kind)];
            is_more |= (squares & !*known).any();
            *known |= squares;
        }
        is_more
    }

    /// Returns the squares to which a man moves from one of his squares, and those of them on which he may capture.
    fn moves(&self, facts: &Facts, number: usize, kind: Kind, from: Square) -> (Bitboard, Bitboard) {
        let (us, them) = (self.side(number), 1 - self.side(number));
        let shut = facts.shut[us] | facts.shut[them];
        // A king who is fixed is never captured.
        let their_king = Bitboard::from(self.men.man(them).1) & facts.shut[them];
        let all = match kind {
            KING => Geometry::get().reach(KING, from) & !facts.hit[them],
            QUEEN => attacks::queen_attacks(from, shut),
            ROOK => attacks::rook_attacks(from, shut),
            BISHOP => attacks::bishop_attacks(from, shut),
            _ => Geometry::get().reach(kind, from),
        };
        let all = all & !(facts.shut[us] | their_king);
        if !is_pawn(kind) {
            return (all, all);
        }
        let takes = all & facts.prey[them];
        let step = ahead(self.color(them), from) & !shut & self.file_limit(facts, number);
        let double = step.first().filter(|_| from == self.men.man(number).1 && self.starts(number));
        let double = double.map_or(Bitboard::EMPTY, |step| ahead(self.color(them), step));
        (takes | step | (double & !shut & self.file_limit(facts, number)), takes)
    }

    /// Returns whether a pawn stands on the second rank of his side.
    fn starts(&self, number: usize) -> bool {
        self.men.man(number).1.rank() == self.color(self.side(number)).fold_wb(Rank::Second, Rank::Seventh)
    }

    /// Returns the squares of a pawn's file to which he can go past no other pawn who stays on it.
    fn file_limit(&self, facts: &Facts, number: usize) -> Bitboard {
        let stays = |number: usize| {
            let (kind, square) = self.men.man(number);
            is_pawn(kind)
                && facts.all[number].is_subset(Bitboard::from(square.file()))
                && facts.all[number] == self.squares[number][usize::from(kind)]
        };
        if !stays(number) {
            return Bitboard::FULL;
        }
        let (square, side) = (self.men.man(number).1, self.side(number));
        let rank = |square: Square| rank_for(self.color(side), square);
        let others = numbers(self.men.alive & !self.taken & !(1 << number)).filter(|&other| {
            let place = self.men.man(other).1;
            stays(other) && place.file() == square.file() && rank(place) > rank(square)
        });
        let limit = others.filter_map(|other| {
            if self.side(other) == side {
                facts.all[other].into_iter().map(rank).max()
            } else {
                // He may be captured before the other comes.
                (self.taken >> number & 1 == 0).then(|| rank(self.men.man(other).1))
            }
        });
        let limit = limit.min().unwrap_or(8);
        Square::ALL.into_iter().filter(|&square| rank(square) < limit).collect()
    }

    /// Returns whether a mate fits into the sets; or perhaps does, if that would take long to find out.
    fn hold_a_mate(&self, most_steps: u32) -> bool {
        let facts = self.facts();
        let men = &self.men;
        let ways = |number: usize| {
            let sets = (0..).zip(self.squares[number]).filter(|(_, squares)| squares.any());
            sets.map(|(kind, squares)| (kind, squares, &NEAR)).take(5).collect()
        };
        let blockers = men.alive & !men.attackers & !(1 << DEFENDER_KING);
        let mut nearest = [u8::MAX; 64];
        for square in numbers(blockers).flat_map(|number| facts.all[number]) {
            nearest[square as usize] = 0;
        }
        let places = Places {
            ways: (0..men.len()).map(ways).collect(),
            ours: numbers(men.attackers).collect(),
            nearest,
            men: blockers.count_ones() as usize,
            solid: facts.shut[0] | facts.shut[1],
            our_solid: facts.shut[0],
            attacker: 0,
            defender: 0,
        };
        let mut steps = 0;
        mates::each(&places, &mut |mate, is_whole| {
            steps += 1;
            if steps > most_steps || is_whole && self.holds(&facts, mate, blockers) { Break(()) } else { Continue(()) }
        })
        .is_break()
    }

    /// Returns whether the men can be where this mate asks for them.
    fn holds(&self, facts: &Facts, mate: &mates::Mate, blockers: u32) -> bool {
        let placed = mate.men.iter().fold(0_u32, |all, &(number, _)| all | 1 << number);
        let blocks = Blocks::of(mate, self.men.color, Rules::ALL);
        let can_pin = |square| {
            pins(mate.king, square, |kind, behind| {
                mate.men.iter().any(|&(_, (is, from))| is == kind && behind.contains(from))
                    || numbers(self.men.attackers & !placed)
                        .any(|number| (self.squares[number][usize::from(kind)] & behind).any())
            })
        };
        let is_allowed = |number: usize| {
            let man = self.men.man(number);
            number == DEFENDER_KING || blocks.allow(man, || can_pin(man.1))
        };
        let cost = |number: usize, square| {
            let mut kinds = (0..).zip(self.squares[number]).filter(|(_, squares)| squares.contains(square));
            u8::from(!kinds.any(|(kind, _)| blocks.allow((kind, square), || can_pin(square))))
        };
        numbers(facts.fixed[1]).all(is_allowed) && cheapest(mate.blocks, blockers, 0, cost).is_some()
    }
}
