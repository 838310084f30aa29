//! Makes positions of help play that have a solution by construction: an end is made, and half-moves are taken back.
//!
//! Random games end in few kinds of mates. Here the end comes first, and rare half-moves are often chosen to be taken
//! back: promotions to every man, captures by pawns and en passant, castling, men who come back to a square that they
//! have left, men who are pinned at the end, double checks, checks on the way. A half-move that was taken back is kept
//! only if it is legal and leads to the position from which it was taken back.
//!
//! Moves and positions are those of shakmaty here, not those of the kernel. White mates; [`Unplayed::flipped`]
//! exchanges the colours.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position as _, Rank, Role, Square, attacks};

use super::super::Random;
use super::ends::{MEN, Theme, end, legal, pick, played};
use super::unmoves::{Unmove, unmoves};
use crate::chess::{End, passed};

/// A line that reaches the goal.
#[derive(Debug, Clone)]
pub(super) struct Unplayed {
    /// The position before each half-move.
    pub positions: Vec<Chess>,
    pub moves: Vec<Move>,
    /// The position in which the goal is reached.
    pub end: Chess,
}

/// The question: the sides of the half-moves, and the end of the line.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The side of each half-move. White mates.
    pub sides: Vec<Color>,
    pub end: End,
}

impl Wanted {
    /// Returns whether the side that makes half-move `at` makes the next one too.
    fn goes_on(&self, at: usize) -> bool {
        self.sides.get(at + 1) == self.sides.get(at)
    }

    /// Makes an end and takes all half-moves back; `None` if it comes to a position where nothing can be taken back.
    /// `forced`: a position in which every move mates, and one of these moves, if the last half-move is compelled.
    pub(super) fn unplayed(
        &self,
        random: &mut Random,
        forced: Option<(Chess, Move)>,
        theme: Theme,
    ) -> Option<Unplayed> {
        let is_known = forced.is_some();
        let is_bare = theme != Theme::Any || random.below(3) == 0;
        let (end, known) = if let Some((before, m)) = forced {
            (played(&before, m), Some((before, m)))
        } else {
            (end(random, self.end, theme, is_bare)?, None)
        };
        let mut taken = Taken::new(random, &end, theme)?;
        taken.is_last = !is_known;
        let (mut positions, mut moves): (Vec<Chess>, Vec<Move>) = known.into_iter().unzip();
        let most = self.sides.len() - positions.len();
        for at in (0..most).rev() {
            let after = positions.last().unwrap_or(&end).clone();
            let (before, m) = (0..12).find_map(|_| taken.back(random, &after, self.sides[at], self.goes_on(at)))?;
            taken.note(m);
            positions.push(before);
            moves.push(m);
        }
        positions.reverse();
        moves.reverse();
        Some(Unplayed { positions, moves, end })
    }
}

impl Unplayed {
    /// Returns the line with the colours exchanged.
    pub(super) fn flipped(&self) -> Unplayed {
        let flip = |chess: &Chess| {
            let mut setup = chess.to_setup(EnPassantMode::Legal);
            setup.mirror();
            legal(setup).expect("a mirrored position is legal")
        };
        let positions: Vec<Chess> = self.positions.iter().map(flip).collect();
        let mirrored = |(chess, m): (&Chess, &Move)| {
            let is_it = |it: &Move| {
                it.from() == m.from().map(Square::flip_vertical)
                    && it.to() == m.to().flip_vertical()
                    && it.promotion() == m.promotion()
            };
            chess.legal_moves().into_iter().find(is_it).expect("a mirrored move is legal")
        };
        let moves = positions.iter().zip(&self.moves).map(mirrored).collect();
        Unplayed { moves, end: flip(&self.end), positions }
    }
}

/// The bookkeeping of taking back.
pub(super) struct Taken {
    theme: Theme,
    /// For the man who stands on a square now: the squares where he will stand later.
    later: [Bitboard; 64],
    /// The man of each side who is taken back most often, by his square.
    focus: [Option<Square>; 2],
    /// The side whose man in focus comes from a promotion, if possible of a pawn who left the square of the end.
    steered: Option<Color>,
    /// The squares between the checking men and the king of Black.
    lines: Bitboard,
    /// The squares of kings and rooks that wait for their castling.
    waiting: Bitboard,
    /// Whether the half-move that is taken back is the last one.
    is_last: bool,
}

/// Chooses half-moves by what is rare in them.
type Rarity = fn(Unmove, later: &[Bitboard; 64]) -> bool;

/// The rare features, the rarest first.
const RARE: [Rarity; 7] = [
    |it, later| it.promotion && later[it.to as usize].contains(it.from),
    |it, _| it.promotion,
    |it, later| later[it.to as usize].contains(it.from),
    |it, _| it.en_passant || it.castling,
    |it, _| it.role != Role::King && Bitboard::BACKRANKS.contains(it.from),
    |it, _| it.role == Role::Pawn && it.captures == Some(true),
    |_, _| true,
];

/// What leads a man back to a pawn who promotes, best to one who left the square on which the man stands later.
const STEERED: [Rarity; 6] = [
    RARE[0],
    |it, later| !it.promotion && leads_to_last_rank(it) && (attacks::king_attacks(it.from) & later_of(it, later)).any(),
    RARE[1],
    |it, later| it.role == Role::Pawn && later[it.to as usize].contains(it.from),
    |it, _| leads_to_last_rank(it),
    RARE[6],
];

fn leads_to_last_rank(it: Unmove) -> bool {
    !matches!(it.role, Role::King | Role::Pawn) && Bitboard::BACKRANKS.contains(it.from)
}

/// The squares on which the man stands after the move that is taken back.
fn later_of(it: Unmove, later: &[Bitboard; 64]) -> Bitboard {
    later[it.to as usize].with(it.to)
}

impl Taken {
    /// Returns `None` if the end does not have what the theme needs.
    pub(super) fn new(random: &mut Random, end: &Chess, theme: Theme) -> Option<Taken> {
        let board = end.board();
        let focus = Color::ALL.map(|color| {
            let men: Vec<Square> = board.by_color(color).into_iter().collect();
            pick(random, &men).filter(|_| random.below(4) > 0)
        });
        let king = board.king_of(Color::Black)?;
        let lines = end.checkers().into_iter().fold(Bitboard::EMPTY, |all, from| all | attacks::between(king, from));
        let waiting = if theme == Theme::Castling { castled(end) } else { Bitboard::EMPTY };
        let later = [Bitboard::EMPTY; 64];
        let mut taken = Taken { theme, later, focus, steered: None, lines, waiting, is_last: true };
        let steered = match theme {
            Theme::Return => Some((Color::Black, taken.who_returns(random, end, king)?)),
            Theme::Pinning => Some((Color::White, pick(random, &pinning(end, king))?)),
            _ => None,
        };
        if let Some((color, square)) = steered {
            (taken.focus[color as usize], taken.steered) = (Some(square), Some(color));
        }
        if theme == Theme::KingCaptures {
            taken.focus[Color::White as usize] = board.king_of(Color::White);
        }
        Some(taken)
    }

    /// Returns a man of Black beside his king that can be a promoted pawn. In a mate it would refute the check as a
    /// pawn: so it has to leave, if it begins there.
    fn who_returns(&self, random: &mut Random, end: &Chess, king: Square) -> Option<Square> {
        let board = end.board();
        let checks = end.checkers() | self.lines;
        let hits = |square: Square| {
            let ahead = square.offset(-8).map_or(Bitboard::EMPTY, Bitboard::from) & !end.checkers();
            (attacks::pawn_attacks(Color::Black, square) & end.checkers() | ahead & checks).any()
        };
        let men = board.black() & attacks::king_attacks(king) & !board.pawns() & !Bitboard::BACKRANKS;
        let highest = if random.below(3) > 0 { Rank::Second } else { Rank::Fourth };
        let is_low = |square: &Square| square.rank() <= highest;
        let men: Vec<Square> = men.into_iter().filter(is_low).filter(|&it| checks.is_empty() || hits(it)).collect();
        pick(random, &men)
    }

    /// Notes a move that was taken back.
    fn note(&mut self, m: Move) {
        let is_last = std::mem::replace(&mut self.is_last, false);
        let (Some(from), to) = (m.from(), m.to()) else { return };
        if m.is_castle() {
            self.focus = self.focus.map(|focus| focus.filter(|&square| square != to));
            self.waiting &= !Bitboard::from(to.rank());
            return;
        }
        self.later[from as usize] = self.later[to as usize].with(to);
        self.later[to as usize] = Bitboard::EMPTY;
        for focus in self.focus.iter_mut().flatten().filter(|square| **square == to) {
            *focus = from;
        }
        if is_last && matches!(self.theme, Theme::Opening | Theme::Passing) {
            self.focus[Color::White as usize] = Some(from);
        }
    }

    /// Chooses the half-moves of `us` that fit the theme.
    fn of_theme(&self, random: &mut Random, mut list: Vec<Unmove>, us: Color) -> Vec<Unmove> {
        let or = |fit: Vec<Unmove>, list: Vec<Unmove>| if fit.is_empty() { list } else { fit };
        let those = |list: &[Unmove], is_one: &dyn Fn(&Unmove) -> bool| list.iter().copied().filter(is_one).collect();
        match self.theme {
            Theme::Opening if self.is_last => {
                list.retain(|it| self.lines.contains(it.from) && !self.lines.contains(it.to));
                let of_king = those(&list, &|it| it.role == Role::King);
                if random.below(3) == 0 { or(of_king, list) } else { list }
            }
            Theme::Passing if self.is_last => those(&list, &|it| it.en_passant),
            Theme::Castling => {
                let castling: Vec<Unmove> = those(&list, &|it| it.castling);
                if !castling.is_empty() && random.below(3) > 0 {
                    return castling;
                }
                list.retain(|it| !self.waiting.contains(it.to));
                list
            }
            Theme::KingCaptures if us.is_white() && random.below(2) > 0 => {
                let captures = |it: Unmove| {
                    (it.role == Role::King && !it.castling).then_some(Unmove { captures: Some(true), ..it })
                };
                let fit = list.iter().copied().filter_map(captures).collect();
                or(fit, list)
            }
            _ => list,
        }
    }

    /// Takes a half-move of `us` back, if the one that is chosen is legal.
    pub(super) fn back(&self, random: &mut Random, after: &Chess, us: Color, goes_on: bool) -> Option<(Chess, Move)> {
        let list = self.of_theme(random, unmoves(after, us, goes_on), us);
        let is_steered = self.steered == Some(us);
        let focus = self.focus[us as usize].filter(|_| random.below(if is_steered { 9 } else { 3 }) > 0);
        let of_focus: Vec<Unmove> = list.iter().copied().filter(|it| Some(it.to) == focus).collect();
        let list = if of_focus.is_empty() { list } else { of_focus };
        let kinds: &[Rarity] = if is_steered { &STEERED } else { &RARE };
        let is_plain = random.below(if is_steered { 9 } else { 2 }) == 0;
        let start = if is_plain {
            kinds.len() - 1
        } else if is_steered {
            0
        } else {
            random.below(kinds.len())
        };
        let of_kind = |rarity: &Rarity| list.iter().copied().filter(|&it| rarity(it, &self.later)).collect::<Vec<_>>();
        let chosen = kinds[start..].iter().map(of_kind).find(|list| !list.is_empty())?;
        let unmove = pick(random, &chosen)?;
        let captures = unmove.captures.unwrap_or_else(|| random.below(5) == 0);
        let man_taken = captures.then(|| MEN[random.below(7)]);
        let before = legal(unmove.before(after, us, man_taken)?)?;
        if !before.is_check() && random.below(6) == 0 {
            // Looks for a move out of check instead.
            return None;
        }
        let is_it = |m: &Move| {
            let to = if unmove.castling { m.to() } else { unmove.to };
            m.from() == Some(unmove.from)
                && m.to() == to
                && m.is_castle() == unmove.castling
                && m.promotion().is_some() == unmove.promotion
                && (!m.is_promotion() || m.promotion() == after.board().role_at(unmove.to))
        };
        let leads_there = |&m: &Move| {
            let mut then = played(&before, m);
            if goes_on {
                let Some(passed) = passed(&then) else { return false };
                then = passed;
            }
            is_same(&then, after)
        };
        let m = before.legal_moves().into_iter().filter(is_it).find(leads_there)?;
        Some((before, m))
    }
}

/// Returns the squares of kings and rooks that may have castled.
fn castled(end: &Chess) -> Bitboard {
    let board = end.board();
    let stands = |square, color, role| board.by_color(color).contains(square) && board.role_at(square) == Some(role);
    let mut waiting = Bitboard::EMPTY;
    for color in Color::ALL {
        for (king, rook) in [(Square::G1, Square::F1), (Square::C1, Square::D1)] {
            let [king, rook] = [king, rook].map(|square| color.fold_wb(square, square.flip_vertical()));
            if stands(king, color, Role::King) && stands(rook, color, Role::Rook) {
                waiting |= Bitboard::from(king).with(rook);
            }
        }
    }
    waiting
}

/// Returns the line pieces of White that pin a man of Black.
fn pinning(end: &Chess, king: Square) -> Vec<Square> {
    let board = end.board();
    let lines = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
        | attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let pins = |&far: &Square| {
        let between = attacks::between(king, far) & board.occupied();
        between.count() == 1 && (between & board.black()).any()
    };
    (lines & board.white()).into_iter().filter(pins).collect()
}

/// Returns whether two positions are the same.
fn is_same(one: &Chess, other: &Chess) -> bool {
    one.board() == other.board()
        && one.turn() == other.turn()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && one.legal_ep_square() == other.legal_ep_square()
}
