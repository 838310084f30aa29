//! What a picture of a mate asks of the men of the mated side, and of the only checker: distinct men block, and others
//! must go.
//!
//! * **Blocks.** Each block needs a man of its own, who gets there in time. The cheapest assignment counts.
//! * **Empty squares**, those between a man of the mating side and what he attacks: who stands there must go.
//! * **The king of the mating side**, if he is placed: a man who attacks him, whatever stands elsewhere, must go and
//!   blocks nothing there. A pin is no excuse.
//! * **Refuters** of a single check: who takes the checker or steps between, whatever stands elsewhere, must go and
//!   blocks nothing there, unless he can be pinned: by a man who is placed behind him, or one of whom nothing is asked
//!   and who gets there within the moves left over.
//! * **The only checker**: the last move gives check. So if he stands on his square before it, he goes away and comes
//!   back, two moves, unless another man can open his line with the last move.
//!
//! Who must go needs a move, unless he can be captured where he stands. Distinct men need distinct moves, and a man who
//! blocks has paid with his way.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::super::geometry::{
    BISHOP, Geometry, KING, KNIGHT, Kind, QUEEN, ROOK, ahead, behind, form, is_pawn, line_piece,
};
use super::super::rules::Rules;
use super::super::view::Man;
use super::mates::{Mate, sure_attacks};
use super::men::{DEFENDER_KING, MOST_MEN, Step, numbers, within};
use super::{FREE, Fit, Goal, Situation};

/// The kinds of the men who can stand somewhere in a mate, pawns last, whatever their colour.
const KINDS: usize = 5;

fn place(kind: Kind) -> usize {
    usize::from(kind - QUEEN).min(KINDS - 1)
}

/// The demands of a picture of a mate on the men of the mated side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) struct Blocks {
    pub squares: Bitboard,
    /// By kind: where a man must not stand, and where he must not stand unless he is pinned.
    never: [Bitboard; KINDS],
    refutes: [Bitboard; KINDS],
    /// The number of the only man who gives check, and the squares between him and the king.
    checker: Option<(u8, Bitboard)>,
}

impl Blocks {
    /// Returns what a mate asks. `color` is that of the mating side.
    pub(in super::super) fn of(mate: &Mate, color: Color, rules: Rules) -> Blocks {
        let find = |checker| mate.men.iter().find(|(_, (_, square))| *square == checker).map(|man| man.0 as u8);
        let checker = mate.checker.filter(|_| rules.checker);
        let checker = checker.and_then(|square| Some((find(square)?, attacks::between(square, mate.king))));
        let mut blocks =
            Blocks { squares: mate.blocks, never: [mate.empty; KINDS], refutes: [Bitboard::EMPTY; KINDS], checker };
        let king = mate.men.iter().find(|(_, (kind, _))| *kind == KING).filter(|_| rules.unattacked);
        if let Some(&(_, (_, king))) = king {
            add_takers(&mut blocks.never, king, color, mate.empty);
        }
        if let Some(checker) = mate.checker.filter(|_| rules.must) {
            add_takers(&mut blocks.refutes, checker, color, mate.empty);
            for square in attacks::between(checker, mate.king) {
                let mut takers = [Bitboard::EMPTY; KINDS];
                add_takers(&mut takers, square, color, mate.empty);
                takers[KINDS - 1] = ahead(!color, square);
                blocks.refutes.iter_mut().zip(takers).for_each(|(all, takers)| *all |= takers);
            }
        }
        blocks
    }

    /// Returns whether a man may stand there. `is_pinned`: whether he can be pinned on the square.
    pub(in super::super) fn allow(&self, (kind, square): Man, is_pinned: impl FnOnce() -> bool) -> bool {
        let at = place(kind);
        !self.never[at].contains(square) && (!self.refutes[at].contains(square) || is_pinned())
    }
}

/// Adds, by kind, from where a man of the side that is mated takes on a square, whatever stands on squares that are not
/// `empty`.
fn add_takers(takers: &mut [Bitboard; KINDS], square: Square, color: Color, empty: Bitboard) {
    for kind in [QUEEN, ROOK, BISHOP, KNIGHT] {
        takers[place(kind)] |= sure_attacks((kind, square), empty);
    }
    takers[KINDS - 1] |= attacks::pawn_attacks(color, square);
}

/// Returns the least that it costs to fill the blocks with distinct ones of these men, if it is at most `most`. `cost`
/// says what a man costs on a block.
#[inline]
pub(in super::super) fn cheapest(
    blocks: Bitboard,
    men: u32,
    most: u8,
    cost: impl Fn(usize, Square) -> u8,
) -> Option<u8> {
    let mut costs = [[u8::MAX; MOST_MEN]; 8];
    // The least cost of the blocks from each one on, by any men.
    let mut least = [0_u8; 9];
    let count = blocks.count();
    for (at, square) in blocks.into_iter().enumerate() {
        for number in numbers(men) {
            costs[at][number] = cost(number, square);
        }
        let nearest = numbers(men).map(|number| costs[at][number]).min().unwrap_or(u8::MAX);
        least[..=at].iter_mut().for_each(|least| *least = least.saturating_add(nearest));
        if least[0] > most {
            return None;
        }
    }
    let mut best = most + 1;
    fill(&costs[..count], &least, (men, 0), &mut best);
    (best <= most).then_some(best)
}

fn fill(costs: &[[u8; MOST_MEN]], least: &[u8], (men, spent): (u32, u8), best: &mut u8) {
    let Some((first, others)) = costs.split_first() else {
        *best = (*best).min(spent);
        return;
    };
    for number in numbers(men) {
        if spent.saturating_add(first[number]).saturating_add(least[1]) < *best {
            fill(others, &least[1..], (men & !(1 << number), spent + first[number]), best);
        }
    }
}

impl Situation<'_> {
    /// Returns the moves that the men of the mated side need besides its king, and the squares of those who must go;
    /// `None` if they are more than are left.
    pub(super) fn need(&self, goals: &[Goal], blocks: &Blocks, fit: &Fit) -> Option<(u8, Bitboard)> {
        let (ours, theirs) = self.ways(fit);
        let king = goals[DEFENDER_KING].1;
        let pins = |square| self.can_pin(goals, ours, fit.attacker.into(), (king, square));
        let men = self.men.alive & !self.men.attackers & !(1 << DEFENDER_KING);
        let must_go = |&number: &usize| {
            let man = self.men.man(number);
            !blocks.allow(man, || pins(man.1))
        };
        let mut goes = numbers(men).filter(must_go).fold(0_u32, |all, number| all | 1 << number);
        if goes != 0 {
            let taken = self.reach(ours, goals, fit.attacker.into());
            let stays = |&number: &usize| {
                let way = super::comes_to(theirs, self.men.man(number), self.men.color, taken);
                way == Some(0)
            };
            goes &= !numbers(goes).filter(stays).fold(0, |all, number| all | 1 << number);
        }
        let least = goes.count_ones() as u8;
        let most = fit.defender.checked_sub(least)?;
        let squares = numbers(goes).map(|number| self.men.man(number).1).collect();
        if blocks.squares.is_empty() {
            return Some((least, squares));
        }
        let allows = |kind, square| !self.rules.blocks || blocks.allow((kind, square), || pins(square));
        let cost = |number: usize, square| {
            let man = self.men.man(number);
            let forms = if is_pawn(man.0) { [QUEEN, ROOK, BISHOP, KNIGHT, man.0] } else { [man.0; 5] };
            let forms = forms[if is_pawn(man.0) { 0 } else { 4 }..].iter();
            let way = |&is: &Kind| theirs.distance(man, (is, square));
            let ways = forms.filter(|&&is| way(&is) <= most + 1 && allows(is, square)).map(way);
            // Who must go has paid his first move.
            ways.min().map_or(u8::MAX, |way| way.saturating_sub((goes >> number & 1) as u8))
        };
        Some((least + cheapest(blocks.squares, men, most, cost)?, squares))
    }

    /// Returns whether a half-move of a man of the mated side may lessen what the others need: he must go, or he comes
    /// nearer to a block.
    pub(super) fn may_lessen(blocks: &Blocks, fit: &Fit, step: &Step) -> bool {
        let (kind, from) = step.before;
        let row = |from| Geometry::get().row(kind.into(), from);
        let comes_nearer = |square: Square| row(step.after.1)[square as usize] < row(from)[square as usize];
        fit.squares.contains(from) || is_pawn(kind) || blocks.squares.into_iter().any(comes_nearer)
    }

    /// Returns whether the only man who gives check comes too early: the last move gives it, so a man who stands on his
    /// square already goes away and comes back, unless another man opens his line with the last move.
    pub(super) fn checks_early(&self, goals: &[Goal], blocks: &Blocks, fit: &Fit) -> bool {
        let Some((checker, line)) = blocks.checker.filter(|_| fit.attacker < 2 && self.left.attacker > 0) else {
            return false;
        };
        let number = usize::from(checker);
        if self.men.man(number) != goals[number] {
            return false;
        }
        let (ours, _) = self.ways(fit);
        let slack = i32::from(fit.attacker);
        let opens = |other: usize| {
            let (kind, from) = self.men.man(other);
            // A pawn opens a line en passant as well.
            is_pawn(kind) || (self.arrivals(ours, goals, other, slack).with(from) & line).any()
        };
        line.is_empty() || !numbers(self.men.attackers & self.men.alive & !(1 << number)).any(opens)
    }

    /// Returns whether a man on a square can be pinned to his king.
    fn can_pin(&self, goals: &[Goal], ours: &Geometry, slack: i32, (king, square): (Square, Square)) -> bool {
        pins(king, square, |kind, behind| {
            numbers(self.men.attackers & self.men.alive).any(|number| {
                let (goal, to) = goals[number];
                if goal != FREE {
                    return goal == kind && behind.contains(to);
                }
                let (is, from) = self.men.man(number);
                form(is, kind).is_some_and(|form| (within(ours.within(form, from), slack) & behind).any())
            })
        })
    }
}

/// Returns whether a man on a square can be pinned to his king. `stands` says whether a man of a kind can stand on one
/// of some squares.
pub(in super::super) fn pins(king: Square, square: Square, stands: impl Fn(Kind, Bitboard) -> bool) -> bool {
    let behind = behind(king, square);
    behind.any() && [line_piece(king, square), QUEEN].into_iter().any(|kind| stands(kind, behind))
}
