//! Makes positions in which every legal move mates, for help play that ends with a compelled move.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position as _, Square, attacks};

use super::super::Random;
use super::ends::{MEN, Theme, end, legal, man, near, pick, played, put};
use super::unplay::Taken;
use crate::chess::End;

/// Positions in which every legal move mates. They are rare, so each serves for some lines.
#[derive(Debug, Default)]
pub(super) struct ForcedEnds {
    kept: Vec<(Chess, Move)>,
    picked: usize,
}

impl ForcedEnds {
    /// Returns one of the positions kept, with a move that mates. Every forty times one is made and replaces another.
    pub(super) fn pick(&mut self, random: &mut Random) -> (Chess, Move) {
        if self.kept.len() < 8 || self.picked.is_multiple_of(40) {
            let made = loop {
                if let Some(made) = forced_end(random) {
                    break made;
                }
            };
            if self.kept.len() >= 64 {
                self.kept.swap_remove(random.below(64));
            }
            self.kept.push(made);
        }
        self.picked += 1;
        self.kept[random.below(self.kept.len())].clone()
    }
}

/// Makes a position in which every legal move of White mates, and one of these moves. Men who are not needed for a mate
/// are taken off, the mating move is taken back, White is mostly put in check, and men are added as long as White gets
/// no more moves that do not mate.
fn forced_end(random: &mut Random) -> Option<(Chess, Move)> {
    let mate = end(random, End::Mate, Theme::Any, true)?;
    let taken = Taken::new(random, &mate, Theme::Any)?;
    let (mut chess, mating) = (0..20).find_map(|_| taken.back(random, &mate, Color::White, false))?;
    let king = chess.board().king_of(Color::White)?;
    let is_answered = |chess: &Chess| chess.is_legal(mating) && played(chess, mating).is_checkmate();
    let others = |chess: &Chess| chess.legal_moves().iter().filter(|&&m| !played(chess, m).is_checkmate()).count();
    let with = |chess: &Chess, square, piece| {
        let mut setup = chess.to_setup(EnPassantMode::Legal);
        if put(&mut setup.board, square, piece) { legal(setup).filter(is_answered) } else { None }
    };
    if random.below(8) > 0 {
        let lines: Vec<Square> =
            (attacks::queen_attacks(king, Bitboard::EMPTY) | attacks::knight_attacks(king)).into_iter().collect();
        let checked = |random: &mut Random| {
            let square = if random.below(3) > 0 { mating.to() } else { pick(random, &lines)? };
            with(&chess, square, man(Color::Black, MEN[random.below(7)])).filter(Chess::is_check)
        };
        chess = (0..20).find_map(|_| checked(random))?;
    }
    let mut left = others(&chess);
    for _ in 0..40 {
        if left == 0 {
            return Some((chess, mating));
        }
        let square = if random.below(4) > 0 { near(random, king) } else { Square::new(random.below(64) as u32) };
        let color = if random.below(3) > 0 { Color::Black } else { Color::White };
        let Some(next) = with(&chess, square, man(color, MEN[random.below(7)])) else { continue };
        let count = others(&next);
        if count <= left {
            (chess, left) = (next, count);
        }
    }
    None
}
