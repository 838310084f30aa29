//! A man who gives check, perhaps alone: who can refute the check, and who can be pinned or captured.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::geometry::{Kind, index, is_pawn};
use super::picture::Picture;
use super::view::{Man, Sets};

/// A man who gives check, perhaps alone.
#[derive(Clone, Copy)]
pub(super) struct Single<'a> {
    pub picture: &'a Picture<'a>,
    /// His place in the list of attackers.
    pub at: usize,
    /// The kind of man that he is when he gives check, and the square from which he gives it.
    pub kind: Kind,
    pub from: Square,
    /// The squares that he attacks from there.
    pub reach: Bitboard,
    /// The squares between him and the king.
    pub line: Bitboard,
    /// The moves that he needs.
    pub cost: i32,
    /// The moves that are left for the other men.
    pub moves: i32,
}

impl Single<'_> {
    /// Returns whether another man gets between within `moves` moves. `first` is 1 if the king does not count.
    pub(super) fn is_opened(&self, moves: i32, first: usize) -> bool {
        let (at, line) = (index(moves), self.line);
        line.any()
            && self.others(first).any(|(kind, from)| (self.picture.geometry.anywhere(kind, from)[at] & line).any())
    }

    /// Returns the men of the mating side but the checker, from this place in the list on.
    pub(super) fn others(&self, first: usize) -> impl Iterator<Item = Man> {
        let men = self.picture.view.attackers.iter().enumerate().skip(first);
        men.filter(|&(other, _)| other != self.at).map(|(_, &man)| man)
    }

    /// Returns the defenders that must go, and all who would refute the check where they stand.
    pub(super) fn must_go(&self) -> (Bitboard, Bitboard) {
        let Single { from, line, .. } = *self;
        let view = self.picture.view;
        let between = view.theirs & line;
        let refuting = refuters(&view.defenders, view.color, from, line) & !line.with(from);
        if (between | refuting).is_empty() {
            return (between, between);
        }
        let taken = self.captures();
        let can_be_pinned = |&man: &Square| self.picture.can_be_pinned(man, self.moves, self.others(1));
        let free = (refuting & !taken).into_iter().filter(|man| !can_be_pinned(man));
        (free.collect::<Bitboard>() | (between & !taken), between | refuting)
    }

    /// Returns the squares on which a man can be captured: by the checker on his way, by another man, or en passant.
    fn captures(&self) -> Bitboard {
        let (geometry, picture) = (self.picture.geometry, self.picture);
        let at = index(self.moves);
        let mut squares =
            self.others(0).fold(Bitboard::EMPTY, |all, (kind, from)| all | geometry.anywhere(kind, from)[at]);
        let (kind, from) = picture.view.attackers[self.at];
        let (there, then) = (geometry.anywhere(kind, from), geometry.anywhere(kind, self.from));
        if is_pawn(kind) {
            squares |= there[index(picture.attacker_moves)];
        } else {
            for (moves, there) in (0..=picture.attacker_moves).zip(there) {
                squares |= *there & then[index(picture.attacker_moves - moves)];
            }
        }
        picture.view.en_passant.into_iter().fold(squares, |all, pawn| all | Bitboard::from(pawn.file()))
    }
}

/// Returns those of the men who take the checker or step between him and the king, whatever stands elsewhere: knights,
/// pawns, and line pieces directly beside the square. `color` is the checker's.
#[inline]
pub(super) fn refuters(men: &Sets, color: Color, checker: Square, line: Bitboard) -> Bitboard {
    let [_, queens, rooks, bishops, knights, blacks, whites] = *men;
    // A pawn takes from where a pawn of the other side on the square would, and steps in his own direction.
    let (pawns, behind) = color.fold_wb((blacks, line.0 << 8), (whites, line.0 >> 8));
    let pawns = pawns & (attacks::pawn_attacks(color, checker) | Bitboard(behind));
    line.with(checker).into_iter().fold(pawns, |all, square| {
        let beside = attacks::king_attacks(square);
        let diagonal = beside & if square.is_dark() { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
        let officers = (queens & beside) | (rooks & beside & !diagonal) | (bishops & diagonal);
        all | officers | (knights & attacks::knight_attacks(square))
    })
}
