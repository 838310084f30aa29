//! A position as the relaxation sees it: the men, the moves left, and how far the men of each side get together.
//!
//! A half-move changes the men of one side, and a capture those of both. So one view looks at one position after the
//! other, and adds up again only for a side whose men are others, or whose pawns may capture more or less often.
//!
//! **Castling** moves two men with one half-move. A side that may still castle is therefore asked about once as it
//! stands, and once for each way to castle, as if it had castled already, with one move paid. In such a view king and
//! rook may stand on squares of other men. So the demands of a check and of rest are not asked there, and men who block
//! are not told apart.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::chess::{Position, castling_targets};

use super::geometry::{Geometry, KIND_COUNT, KING, Kind, LAST, ROOK, Steps, index, is_line_piece, kind, number};
use super::rules::Rules;

/// A man: what he is and where.
pub(super) type Man = (Kind, Square);

/// The men of a side without the king, by kind.
pub(super) type Sets = [Bitboard; KIND_COUNT];

/// Returns the men of a side without the king.
#[inline]
pub(super) fn sets(position: &Position, color: Color) -> Sets {
    let mut sets = [Bitboard::EMPTY; KIND_COUNT];
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
        sets[usize::from(kind(color, role))] = position.men(color, role);
    }
    sets
}

/// Returns the kinds that there are, with their men.
#[inline]
pub(super) fn kinds(sets: &Sets) -> impl Iterator<Item = (Kind, Bitboard)> {
    (0..).zip(*sets).filter(|(_, men)| men.any())
}

/// The largest number of men of a side.
pub(super) const MEN: usize = 64;

/// The moves that each side has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MovesLeft {
    /// The moves of the side that strives for the goal.
    pub attacker: u8,
    /// The moves of the other side.
    pub defender: u8,
}

/// The men of a position as the relaxation sees them.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// The men of the mating side, the king first.
    pub attackers: ArrayVec<Man, MEN>,
    /// The same without the king, by kind.
    men: Sets,
    /// The men of the other side without the king, by kind.
    pub defenders: Sets,
    /// The colour of the mating side.
    pub color: Color,
    /// The king that is to be mated.
    pub king: Square,
    pub left: MovesLeft,
    /// How far the men of each side get. Their pawns capture at most as often as there are men to capture, and moves.
    pub ours: &'static Geometry,
    pub others: &'static Geometry,
    /// Whether one of the sides is taken to have castled.
    pub castled: bool,
    /// Whether a side may still castle.
    pub can_castle: bool,
    /// The squares on which a pawn can be captured en passant.
    pub en_passant: Bitboard,
    /// The men of the defender without the king, and all men.
    pub theirs: Bitboard,
    pub occupied: Bitboard,
    /// By number of moves: the squares that a man of the mating side can attack.
    attacked: Steps,
    /// The same, by two men at least.
    attacked_twice: Steps,
    /// The squares that three men at least attack without a move.
    attacked_thrice: Bitboard,
    /// By number of moves: the squares where a defender can be, the king left out.
    defended: Steps,
}

/// The squares that one man, two men and three men at least attack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Still([Bitboard; 3]);

impl Still {
    /// Returns the squares that at least one man attacks.
    #[inline]
    pub(super) fn any(&self) -> Bitboard {
        self.0[0]
    }

    /// Returns the same without a man who attacks `reach`. When the third man is taken away, squares may stay that
    /// nobody attacks any more.
    #[inline]
    #[must_use]
    pub(super) fn without(&self, reach: Bitboard) -> Still {
        let [once, twice, thrice] = self.0;
        Still([(once & !reach) | twice, (twice & !reach) | thrice, thrice])
    }
}

/// Returns the squares that a man hits whatever stands elsewhere: those beside a line piece, all of the others.
#[inline]
pub(super) fn hits((kind, from): Man) -> Bitboard {
    let reach = Geometry::get().reach(kind, from);
    if is_line_piece(kind) { reach & attacks::king_attacks(from) } else { reach }
}

impl View {
    /// Makes a view of nothing. The side `color` is to mate.
    pub(super) fn new(color: Color) -> View {
        View {
            attackers: ArrayVec::new(),
            men: [Bitboard::EMPTY; KIND_COUNT],
            defenders: [Bitboard::EMPTY; KIND_COUNT],
            color,
            king: Square::A1,
            left: MovesLeft { attacker: 0, defender: 0 },
            ours: Geometry::get(),
            others: Geometry::get(),
            castled: false,
            can_castle: false,
            en_passant: Bitboard::EMPTY,
            theirs: Bitboard::EMPTY,
            occupied: Bitboard::EMPTY,
            attacked: [Bitboard::EMPTY; LAST + 1],
            attacked_twice: [Bitboard::EMPTY; LAST + 1],
            attacked_thrice: Bitboard::EMPTY,
            defended: [Bitboard::EMPTY; LAST + 1],
        }
    }

    /// Looks at a position with these moves left. Most positions differ from the last one in the men of one side, so
    /// the results for the other side are kept.
    pub(super) fn look(&mut self, position: &Position, left: MovesLeft, rules: Rules) {
        let color = self.color;
        let geometry = |men: Bitboard, moves: u8| {
            let most = if rules.captures { (men.count() - 1).min(moves.into()) } else { usize::MAX };
            Geometry::with_captures(most)
        };
        self.left = left;
        self.king = position.king(!color);
        self.occupied = position.occupied();
        self.theirs = position.by_color(!color).without(self.king);
        self.can_castle = position.castling_rights().any();
        let (men, king) = (sets(position, color), (KING, position.king(color)));
        let ours = geometry(position.by_color(!color), left.attacker);
        if self.men != men || self.attackers.first() != Some(&king) || !std::ptr::eq(self.ours, ours) {
            (self.men, self.ours) = (men, ours);
            self.attackers.clear();
            self.attackers.push(king);
            for (kind, men) in kinds(&men) {
                self.attackers.extend(men.into_iter().map(|square| (kind, square)));
            }
            self.add_up_attackers();
        }
        let men = sets(position, !color);
        let others = geometry(position.by_color(color), left.defender);
        if self.defenders != men || !std::ptr::eq(self.others, others) {
            (self.defenders, self.others) = (men, others);
            self.add_up_defenders();
        }
        self.en_passant = self.captures_en_passant(position);
    }

    fn add_up_attackers(&mut self) {
        let [mut once, mut twice] = [[Bitboard::EMPTY; LAST + 1]; 2];
        self.attacked_thrice = Bitboard::EMPTY;
        for &(kind, from) in &self.attackers {
            let steps = self.ours.attacked(kind, from);
            self.attacked_thrice |= twice[0] & steps[0];
            (0..=LAST).for_each(|at| {
                twice[at] |= once[at] & steps[at];
                once[at] |= steps[at];
            });
        }
        (self.attacked, self.attacked_twice) = (once, twice);
    }

    fn add_up_defenders(&mut self) {
        let mut defended = [Bitboard::EMPTY; LAST + 1];
        for (kind, men) in kinds(&self.defenders) {
            for from in men {
                let steps = self.others.anywhere(kind, from);
                (0..=LAST).for_each(|at| defended[at] |= steps[at]);
            }
        }
        self.defended = defended;
    }

    /// Returns the squares that a man of the mating side can attack within `moves` of the moves left; the
    /// man `but`, a place in the list, is left out.
    #[inline]
    pub(super) fn attacked(&self, moves: i32, but: Option<usize>) -> Bitboard {
        let at = index(moves);
        let Some(but) = but else { return self.attacked[at] };
        let (kind, from) = self.attackers[but];
        self.attacked_twice[at] | (self.attacked[at] & !self.ours.attacked(kind, from)[at])
    }

    /// Returns the squares that the men of the mating side attack as long as they stay: at least one man, two, three.
    #[inline]
    pub(super) fn still(&self) -> Still {
        Still([self.attacked[0], self.attacked_twice[0], self.attacked_thrice])
    }

    /// Returns whether the nearest defenders could be on all these squares within `moves` moves in sum. A defender
    /// counts for each square that he is nearest to.
    #[inline]
    pub(super) fn nearly_defended(&self, squares: Bitboard, moves: i32) -> bool {
        squares.is_empty() || self.spare(squares, moves).is_some()
    }

    /// Returns the moves that are left of `moves` when the nearest defenders are on all these squares; `None` if they
    /// are too few.
    #[inline]
    pub(super) fn spare(&self, squares: Bitboard, moves: i32) -> Option<i32> {
        let last = index(moves);
        if (squares & !self.defended[last]).any() {
            return None;
        }
        let sum: i32 = self.defended[..last].iter().map(|defended| number(squares & !*defended)).sum();
        Some(moves - sum).filter(|&spare| spare >= 0)
    }

    /// Returns the one of these squares that a defender reaches first, and the moves that he needs.
    #[inline]
    pub(super) fn nearest(&self, squares: Bitboard) -> Option<(Square, i32)> {
        let near = |(moves, defended): (i32, &Bitboard)| Some(((squares & *defended).first()?, moves));
        (0..).zip(&self.defended).find_map(near)
    }

    /// Returns those of the squares that no defender reaches within `moves` moves.
    #[inline]
    pub(super) fn never_defended(&self, squares: Bitboard, moves: i32) -> Bitboard {
        squares & !self.defended[index(moves)]
    }

    /// Returns the squares on which the mating side can capture a pawn en passant, in a single way or another.
    fn captures_en_passant(&self, position: &Position) -> Bitboard {
        let (second, fifth) =
            if self.color.is_white() { (Rank::Seventh, Rank::Fifth) } else { (Rank::Second, Rank::Fourth) };
        let to = |pawn: Square| Square::from_coords(pawn.file(), fifth);
        let now = position.en_passant().filter(|_| position.turn() == self.color);
        let squares = now.map_or(Bitboard::EMPTY, |behind| to(behind).into());
        let starts = position.men(!self.color, Role::Pawn) & Bitboard::from(second);
        if starts.is_empty() || self.left.defender == 0 || self.left.attacker == 0 {
            return squares;
        }
        let own = usize::from(kind(self.color, Role::Pawn));
        let moves = index(i32::from(self.left.attacker) - 1);
        // A pawn stays one below the last rank, so what it reaches there, it reaches as a pawn.
        let reach =
            self.men[own].into_iter().fold(Bitboard::EMPTY, |all, from| all | self.ours.within(own, from)[moves]);
        let is_passed = |square: &Square| (attacks::king_attacks(*square) & reach & Bitboard::from(fifth)).any();
        squares | starts.into_iter().map(to).filter(is_passed).collect::<Bitboard>()
    }

    /// Returns the views in which one side or both have castled, one for each way.
    pub(super) fn castled(&self, position: &Position) -> Vec<View> {
        let mut views = vec![self.clone()];
        for side in [self.color, !self.color] {
            for rook in position.castling_rights() & position.by_color(side) {
                let more: Vec<View> =
                    views.iter().filter_map(|view| view.after_castling(position, side, rook)).collect();
                views.extend(more);
            }
        }
        views.remove(0);
        views
    }

    fn after_castling(&self, position: &Position, side: Color, rook: Square) -> Option<View> {
        let king = position.king(side);
        let (king_to, rook_to) = castling_targets(king, rook);
        let mut view = self.clone();
        let is_ours = side == self.color;
        let left = if is_ours { &mut view.left.attacker } else { &mut view.left.defender };
        *left = left.checked_sub(1)?;
        // A king that is no longer on his square has castled in this view already.
        let of_king = if is_ours { view.attackers.first()?.1 } else { view.king };
        if of_king != king {
            return None;
        }
        if is_ours {
            let at = view.attackers.iter().position(|&man| man == (ROOK, rook))?;
            view.attackers[at].1 = rook_to;
            view.attackers[0].1 = king_to;
        } else {
            let rooks = &mut view.defenders[usize::from(ROOK)];
            rooks.discard(rook);
            rooks.add(rook_to);
            view.king = king_to;
        }
        view.castled = true;
        view.add_up_attackers();
        view.add_up_defenders();
        Some(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn a_view_of_many_positions_is_that_of_the_last_one() {
        let mut view = View::new(Color::White);
        for (fen, attacker, defender) in [
            ("4k3/1p6/8/8/8/P1n5/R6R/4K3 w - -", 3, 3),
            ("4k3/1p6/8/8/8/P1R5/R7/4K3 b - -", 2, 3),
            ("4k3/8/1p6/8/8/P1R5/R7/4K3 w - -", 2, 2),
            ("4k3/8/1p6/8/8/P1R5/R7/3K4 b - -", 1, 2),
            ("8/3k4/1p6/8/8/P1R5/R7/3K4 w - -", 1, 1),
            ("4k3/8/8/8/8/P1R5/R7/3K4 b - -", 5, 5),
            ("4k3/1p6/8/8/8/P1n5/R6R/4K3 w - -", 3, 1),
        ] {
            let (position, left) = (position(fen), MovesLeft { attacker, defender });
            let mut alone = View::new(Color::White);
            for view in [&mut view, &mut alone] {
                view.look(&position, left, Rules::ALL);
            }
            let parts = |view: &View| (view.attackers.clone(), view.defenders, view.king, view.theirs);
            assert_eq!(parts(&view), parts(&alone), "{fen}");
            let sums = |view: &View| [view.attacked, view.attacked_twice, view.defended];
            assert_eq!(sums(&view), sums(&alone), "{fen}");
            assert!(std::ptr::eq(view.ours, alone.ours) && std::ptr::eq(view.others, alone.others), "{fen}");
        }
    }

    #[test]
    fn what_two_men_attack_stays_attacked_without_one() {
        let position = position("4k3/8/8/8/8/8/R6R/4K3 w - -");
        let mut view = View::new(Color::White);
        view.look(&position, MovesLeft { attacker: 1, defender: 1 }, Rules::ALL);
        let [king, one, other] = [view.attackers[0], view.attackers[1], view.attackers[2]]
            .map(|(kind, from)| Geometry::get().reach(kind, from));
        let still = view.still();
        assert_eq!(still.any(), king | one | other);
        assert_eq!(still.without(one).any(), king | other);
        assert_eq!(still.without(king).any(), one | other);
        assert_eq!(still.without(one).without(other).any(), king);
    }
}
