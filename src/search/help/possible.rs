//! The relaxation: can the king still be mated (or stalemated) on a square, with the moves that each side has left?
//!
//! The answer "no" is always true; "yes" may be wrong. Each rule asks for less than a game does: men move on an empty
//! board ([`super::geometry`]), captures are free, and nobody is in anybody's way, except where a rule says otherwise.
//!
//! **Why counting moves is sound.** Each half-move moves one man, castling apart. So the moves that the men of a side
//! need, each a lower bound by itself, add up. Castling moves two men: a side that may still castle is asked for twice,
//! once as it stands and once as if it had castled already, with one move paid.
//!
//! **Guards and blocks** (`Picture::is_guarded`). In the final position each neighbour of the king's square is off the
//! board, attacked by the mating side, or occupied by a man of the king's own side. In a mate the square itself is
//! attacked. Where a man of the mating side stands, the king could take him: that neighbour must be attacked.
//!
//! The demands of a check are in [`super::checker`].

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::chess::{End, Position};

use super::blocks::Blockers;
use super::checker;
use super::geometry::{CENTRE, Cover, Geometry, Kind, NEIGHBOURS, is_line_piece, is_pawn, kind, reach};
use super::options::{Choice, Options};

/// A man: what he is and where.
pub(super) type Man = (Kind, Square);

/// The largest number of men of a side.
pub(super) const MEN: usize = 64;

/// The moves that each side has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    /// The moves of the side that mates.
    pub attacker: u8,
    /// The moves of the side that is mated.
    pub defender: u8,
}

/// Lengths from which on nothing is ruled out: longer than any distance of a man.
const LONG: u8 = 16;

/// The rules that a test can switch off, to see what each cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct Rules {
    /// The table of dead positions.
    pub dead: bool,
    /// The relaxation as a whole.
    pub pictures: bool,
    /// The demands of a named checker.
    pub checker: bool,
    /// The men that must go because they would refute the check.
    pub must: bool,
    /// A man that would refute the check blocks no flight.
    pub blocks: bool,
    /// Distinct flights need distinct men.
    pub matching: bool,
}

impl Rules {
    /// All rules.
    pub const ALL: Rules =
        Rules { dead: true, pictures: true, checker: true, must: true, blocks: true, matching: true };
}

/// The men of a position as the relaxation sees them.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// The men of the mating side, the king first.
    pub attackers: ArrayVec<Man, MEN>,
    /// The men of the other side without the king.
    pub defenders: ArrayVec<Man, MEN>,
    /// The colour of the mating side.
    pub color: Color,
    king: Square,
    left: Left,
    /// Whether one of the sides is taken to have castled.
    castled: bool,
    /// The squares on which a pawn can be captured en passant.
    pub en_passant: Bitboard,
    /// By defender: the squares that he hits whatever stands elsewhere; a pawn hits by capturing.
    pub hits: ArrayVec<Bitboard, MEN>,
}

/// Returns the squares that a man hits whatever stands elsewhere: those beside a line piece, all of a knight.
pub(super) fn hits((kind, from): Man) -> Bitboard {
    let reach = reach(kind, from);
    if is_line_piece(kind) { reach & attacks::king_attacks(from) } else { reach }
}

impl View {
    fn of(position: &Position, color: Color, left: Left) -> View {
        let men = |color: Color| {
            Role::ALL.into_iter().flat_map(move |role| {
                position.men(color, role).into_iter().map(move |square| (kind(color, role), square))
            })
        };
        let mut attackers: ArrayVec<Man, MEN> = ArrayVec::new();
        attackers.push((kind(color, Role::King), position.king(color)));
        attackers.extend(men(color).filter(|&(kind, _)| kind != super::geometry::KING));
        let defenders: ArrayVec<Man, MEN> = men(!color).filter(|&(kind, _)| kind != super::geometry::KING).collect();
        let mut view = View {
            attackers,
            hits: defenders.iter().map(|&man| hits(man)).collect(),
            defenders,
            color,
            king: position.king(!color),
            left,
            castled: false,
            en_passant: Bitboard::EMPTY,
        };
        view.en_passant = view.captures_en_passant(position);
        view
    }

    /// Returns the squares on which the mating side can capture a pawn en passant, in a single way or another.
    fn captures_en_passant(&self, position: &Position) -> Bitboard {
        let geometry = Geometry::get();
        let (second, fifth) =
            if self.color.is_white() { (Rank::Seventh, Rank::Fifth) } else { (Rank::Second, Rank::Fourth) };
        let mut squares = Bitboard::EMPTY;
        if let Some(behind) = position.en_passant().filter(|_| position.turn() == self.color) {
            squares.add(Square::from_coords(behind.file(), fifth));
        }
        if self.left.defender > 0 {
            for pawn in position.men(!self.color, Role::Pawn) & Bitboard::from(second) {
                let square = Square::from_coords(pawn.file(), fifth);
                let beside = attacks::king_attacks(square) & Bitboard::from(fifth);
                let can_capture = self.attackers.iter().any(|&(kind, from)| {
                    is_pawn(kind)
                        && beside.into_iter().any(|to| geometry.moves_as(kind, from, kind, to) < self.left.attacker)
                });
                squares.set(square, squares.contains(square) || can_capture);
            }
        }
        squares
    }

    /// Returns the views in which one side or both have castled, one for each way.
    fn castled(&self, position: &Position, color: Color) -> Vec<View> {
        let mut views = vec![self.clone()];
        for side in [color, !color] {
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
        let (king_to, rook_to) = crate::chess::castling_targets(king, rook);
        let mut view = self.clone();
        let (men, left) = if side == self.color {
            (&mut view.attackers, &mut view.left.attacker)
        } else {
            (&mut view.defenders, &mut view.left.defender)
        };
        *left = left.checked_sub(1)?;
        // A king that is no longer on his square has castled in this view already.
        let of_king = if side == self.color { men.first()?.1 } else { view.king };
        let at = men.iter().position(|&man| man == (kind(side, Role::Rook), rook)).filter(|_| of_king == king)?;
        men[at].1 = rook_to;
        if side == self.color {
            men[0].1 = king_to;
        } else {
            view.king = king_to;
        }
        view.castled = true;
        Some(view)
    }
}

/// A position with the questions about it.
pub(super) struct Outlook {
    views: ArrayVec<View, 1>,
    castled: Vec<View>,
    end: End,
    rules: Rules,
}

impl Outlook {
    /// Looks at a position in which the side `color` is to mate, with these moves left.
    pub(super) fn new(position: &Position, color: Color, left: Left, end: End, rules: Rules) -> Outlook {
        let view = View::of(position, color, left);
        let rights = position.castling_rights();
        let castled = if rights.any() { view.castled(position, color) } else { Vec::new() };
        Outlook { views: ArrayVec::from([view]), castled, end, rules }
    }

    /// Returns whether the king can perhaps be mated (or stalemated) on `square`.
    pub(super) fn is_possible(&self, square: Square, options: &mut Options) -> bool {
        !self.rules.pictures
            || self.views.iter().chain(&self.castled).any(|view| Picture::new(view, square).is_possible(self, options))
    }
}

/// A view and the square on which the king is to be mated.
pub(super) struct Picture<'a> {
    pub view: &'a View,
    pub king: Square,
    pub geometry: &'static Geometry,
    pub attacker_moves: u8,
    /// The moves of the defender that are left when the king has gone to his square; negative: he cannot.
    pub defender_moves: i32,
}

impl<'a> Picture<'a> {
    fn new(view: &'a View, king: Square) -> Picture<'a> {
        let geometry = Geometry::get();
        let way = geometry.moves(super::geometry::KING, view.king, king);
        let defender_moves = i32::from(view.left.defender) - i32::from(way);
        Picture { view, king, geometry, attacker_moves: view.left.attacker, defender_moves }
    }

    fn is_possible(&self, asked: &Outlook, options: &mut Options) -> bool {
        if self.defender_moves < 0 {
            return false;
        }
        if self.view.left.attacker >= LONG || self.view.left.defender >= LONG {
            return true;
        }
        for &(kind, from) in &self.view.attackers {
            options.prepare(kind, from, self.king);
        }
        let blockers = Blockers::of(self, asked.rules);
        let goal = if asked.end == End::Mate { CENTRE } else { 0 };
        let guards = Guards { picture: self, options, without: None, budget: self.attacker_moves };
        if !guards.can_shut(self.geometry.off_board(self.king), 0, goal, &blockers) {
            return false;
        }
        if asked.end == End::Stalemate || self.view.castled || !asked.rules.checker {
            return true;
        }
        checker::exists(self, options, asked.rules, &blockers)
    }
}

/// The search for guards: which man goes where, so that every flight is attacked or blocked.
pub(super) struct Guards<'a> {
    pub picture: &'a Picture<'a>,
    pub options: &'a Options,
    /// The man who gives check, whose part is fixed: his place in the list of attackers.
    pub without: Option<usize>,
    /// The moves that the men have together.
    pub budget: u8,
}

/// The most that the men which are still to be placed could cover.
struct Rest<'a> {
    lists: ArrayVec<&'a [Choice], MEN>,
    /// By index: the union of all covers of this man and those after him.
    covers: [Cover; MEN + 1],
}

impl Guards<'_> {
    /// Returns whether all of `goal` and every flight can be covered or blocked; `covered` is covered already, and men
    /// of the mating side stand on `own`.
    pub(super) fn can_shut(&self, covered: Cover, own: Cover, goal: Cover, blockers: &Blockers) -> bool {
        let mut covered = covered;
        let mut own = own;
        let mut lists: ArrayVec<&[Choice], MEN> = ArrayVec::new();
        for (at, &(kind, from)) in self.picture.view.attackers.iter().enumerate() {
            if Some(at) == self.without {
                continue;
            }
            let list = self.options.within(kind, from, self.picture.king, self.budget);
            match list {
                // A king that stands beside the square cannot get away in time.
                [] => return false,
                [only] if only.cost == 0 => {
                    covered |= only.cover;
                    own |= only.own;
                }
                list => lists.push(list),
            }
        }
        let mut rest = Rest { lists, covers: [0; MEN + 1] };
        for at in (0..rest.lists.len()).rev() {
            rest.covers[at] = rest.covers[at + 1] | rest.lists[at].last().map_or(0, |choice| choice.up_to);
        }
        let state = (covered, own, self.budget);
        place(&rest, 0, state, goal, blockers)
    }
}

/// Places the men from the given one on. The state: what is covered, where own men stand, and the moves left.
fn place(rest: &Rest<'_>, at: usize, state: (Cover, Cover, u8), goal: Cover, blockers: &Blockers) -> bool {
    let (covered, own, budget) = state;
    let most = covered | rest.covers[at];
    if goal & !most != 0 || !blockers.may_shut(NEIGHBOURS & !most, own) {
        return false;
    }
    let Some(list) = rest.lists.get(at) else { return blockers.can_shut(NEIGHBOURS & !covered, own) };
    if goal & !covered == 0 && own == 0 && rest.frees(at) && blockers.can_shut(NEIGHBOURS & !covered, own) {
        return true;
    }
    list.iter().take_while(|choice| choice.cost <= budget).any(|choice| {
        place(rest, at + 1, (covered | choice.cover, own | choice.own, budget - choice.cost), goal, blockers)
    })
}

impl Rest<'_> {
    /// Returns whether every man from the given one on can be left out at no cost.
    fn frees(&self, at: usize) -> bool {
        self.lists[at..].iter().all(|list| list.iter().any(|choice| choice.cost == 0 && choice.own == 0))
    }
}
