//! The last two half-moves of help play that ends in mate, if the defender makes the first of them: which of his moves
//! can a mate follow?
//!
//! With one move left for each side, the question is about the board itself, no longer an empty one. For each man of
//! the mating side and each square to which he could go and mate after **one** move of the defender, the mate makes a
//! **wish**: which men may have moved, and to which squares. A move of the defender that fulfils no wish is not played.
//! King moves and castling are always played, and all moves where there are too many wishes, the mating side may
//! castle, or a capture en passant may be possible.
//!
//! Why a wish loses nothing. The defender moves one man from one square to another, and the mating man then moves alone
//! (castling and captures en passant apart).
//!
//! * **Lines.** What stands on a line (of the way, of the check, of a guard) must be gone. A man of the mating side
//!   stays, unless it is the mating man: if he is captured, his captor stands there. Of the defenders one can leave. So
//!   a line is open in the end only if no other man of the mating side and at most one defender stand on it now; on the
//!   way, and on the line of the check if the last move opens no other line to the king, that defender must have moved.
//!   The king's own square does not count on the lines of guards, because he does not shelter what is behind him.
//! * **Squares.** If the mating man goes to a square where a man of his side stands, or a pawn captures on an empty
//!   square, the defender must have gone there.
//! * **Flights.** Neighbours of the king that are neither guarded nor occupied by a defender must be blocked: at most
//!   one, and the defender must have gone there. Nobody blocks the square of the mating man. A man who leaves a
//!   neighbour leaves it open, so it must be guarded.
//! * **Refutations.** If the last move opens no line to the king, knights, pawns, and line pieces directly beside the
//!   square could capture the mating man or step between, unless they are pinned: that needs a line piece behind them.
//!   So one of these at most, and he must have moved.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::chess::{Move, Position};

use super::geometry::{Geometry, KNIGHT, Kind, QUEEN, behind, is_pawn, kind, line_piece};
use super::single::refuters;
use super::view::{Man, Sets, sets};

/// The most wishes that are kept; with more, every move is tried. Halved, every move is tried more often; doubled, long
/// lists of wishes cost more than they leave out.
const MOST: usize = 24;

/// The demands of a mate on the defender's move.
struct Wish {
    /// The men of which one must have moved.
    from: Bitboard,
    /// The squares of which he must have gone to one.
    to: Bitboard,
    /// The neighbours of the king that are guarded.
    guarded: Bitboard,
}

/// The wishes of a position.
pub(super) struct Wishes {
    list: ArrayVec<Wish, MOST>,
    /// Whether there are too many, or things happen that wishes do not describe.
    any: bool,
    near: Bitboard,
}

impl Wishes {
    /// Returns whether a mate by this move of a defender can be thought of. King moves and castling are always allowed.
    #[inline]
    pub(super) fn allow(&self, m: Move) -> bool {
        self.any
            || m.role() == Role::King
            || self.list.iter().any(|wish| {
                wish.from.contains(m.from())
                    && wish.to.contains(m.to())
                    && (!self.near.contains(m.from()) || wish.guarded.contains(m.from()))
            })
    }

    /// Returns no wishes: only king moves and castling are allowed.
    pub(super) fn none() -> Wishes {
        Wishes { list: ArrayVec::new(), any: false, near: Bitboard::EMPTY }
    }

    /// Collects the wishes of a position in which the mated side is to move, and each side has one move left.
    pub(super) fn of(position: &Position) -> Wishes {
        let defender = position.turn();
        let king = position.king(defender);
        let near = attacks::king_attacks(king);
        let (start, beside) = defender.fold_wb((Rank::Second, Rank::Fourth), (Rank::Seventh, Rank::Fifth));
        let on = |color, rank| position.men(color, Role::Pawn) & Bitboard::from(rank);
        let any = position.en_passant().is_some()
            || on(defender, start).any() && on(!defender, beside).any()
            || (position.castling_rights() & position.by_color(!defender)).any();
        let mut wishes = Wishes { list: ArrayVec::new(), any, near };
        if !any {
            Last::of(position, &mut wishes).collect();
        }
        wishes
    }

    fn add(&mut self, wish: Wish) {
        self.any |= self.list.try_push(wish).is_err();
    }
}

/// A guard: a man of the mating side who stays, and what he attacks around the king.
struct Guard {
    man: Man,
    attacked: Bitboard,
    /// The squares that others attack besides as soon as he has left his square.
    opened: Bitboard,
}

/// A position before its last two half-moves.
struct Last<'a> {
    wishes: &'a mut Wishes,
    geometry: &'static Geometry,
    color: Color,
    king: Square,
    near: Bitboard,
    ours: Bitboard,
    /// The defenders without the king.
    theirs: Bitboard,
    defenders: Sets,
    guards: ArrayVec<Guard, 64>,
    once: Bitboard,
    twice: Bitboard,
}

/// A move of the mating man.
struct LastMove {
    /// His place in the list of guards.
    at: usize,
    kind: Kind,
    to: Square,
    /// The defenders on the way.
    way: Bitboard,
    /// Whether the defender must have gone to the square.
    lands: bool,
}

impl<'a> Last<'a> {
    fn of(position: &Position, wishes: &'a mut Wishes) -> Last<'a> {
        let color = !position.turn();
        let mated = position.king(!color);
        let mut this = Last {
            near: wishes.near,
            wishes,
            geometry: Geometry::get(),
            color,
            king: mated,
            ours: position.by_color(color),
            theirs: position.by_color(!color).without(mated),
            defenders: sets(position, !color),
            guards: ArrayVec::new(),
            once: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
        };
        for role in Role::ALL {
            let kind = kind(color, role);
            for from in position.men(color, role) {
                this.guards.push(Guard { man: (kind, from), attacked: Bitboard::EMPTY, opened: Bitboard::EMPTY });
            }
        }
        this.guard();
        this
    }

    /// Finds what each man attacks around the king, and what he keeps others from attacking.
    fn guard(&mut self) {
        let goal = self.near.with(self.king);
        for at in 0..self.guards.len() {
            let (kind, from) = self.guards[at].man;
            let reach = self.geometry.reach(kind, from) & goal;
            let mut attacked = reach;
            for to in reach {
                let line = attacks::between(from, to);
                let own = line & self.ours;
                if (line & self.theirs).more_than_one() || own.more_than_one() {
                    attacked.discard(to);
                } else if let Some(shield) = own.first() {
                    attacked.discard(to);
                    if let Some(guard) = self.guards.iter_mut().find(|guard| guard.man.1 == shield) {
                        guard.opened.add(to);
                    }
                }
            }
            self.guards[at].attacked = attacked;
            self.twice |= self.once & attacked;
            self.once |= attacked;
        }
    }

    fn collect(&mut self) {
        let last = self.color.fold_wb(Rank::Eighth, Rank::First);
        for at in 0..self.guards.len() {
            let (kind, from) = self.guards[at].man;
            let is_pawn = is_pawn(kind);
            let discovers = self.guards[at].opened.contains(self.king);
            let reach = if is_pawn { self.geometry.anywhere(kind, from)[1] } else { self.geometry.reach(kind, from) };
            // A man who does not discover a check must give it himself.
            let targets = if discovers || is_pawn { reach } else { reach & self.geometry.sources(kind, self.king) };
            for to in targets.without(from).without(self.king) {
                let steps = is_pawn && from.file() == to.file();
                let line = attacks::between(from, to) | if steps { to.into() } else { Bitboard::EMPTY };
                let way = line & self.theirs;
                if (line & self.ours.with(self.king)).any() || way.more_than_one() {
                    continue;
                }
                let lands = if is_pawn { !steps && !self.theirs.contains(to) } else { self.ours.contains(to) };
                let own = [kind];
                let kinds: &[Kind] = if is_pawn && to.rank() == last { &[QUEEN, KNIGHT] } else { &own };
                for &kind in kinds {
                    self.wish(&LastMove { at, kind, to, way, lands });
                }
            }
        }
    }

    /// Adds what a mate by this move asks of the defender's move, unless there is no such mate.
    fn wish(&mut self, m: &LastMove) {
        let LastMove { at, kind, to, way, lands } = *m;
        let Guard { man: (_, from), attacked, opened } = self.guards[at];
        let reach = self.geometry.reach(kind, to);
        let is_open = |target: Square| {
            let line = attacks::between(to, target);
            (line & self.ours.without(from)).is_empty() && !(line & self.theirs).more_than_one()
        };
        let discovers = opened.contains(self.king);
        if !discovers && (!reach.contains(self.king) || !is_open(self.king)) {
            return;
        }
        let others = self.twice | (self.once & !attacked) | opened;
        let blocked = self.theirs.without(to);
        let open = self.near & !others & !blocked;
        let guarded: Bitboard = (reach & self.near).into_iter().filter(|&square| is_open(square)).collect();
        let open = open & !guarded;
        if open.more_than_one() || open.contains(to) {
            return;
        }
        let mut squares = open;
        if lands {
            squares.add(to);
        }
        let mut movers = way;
        if !discovers {
            let line = attacks::between(to, self.king);
            movers |= line & self.theirs;
            movers |= self.refuters(from, to, line);
        }
        if squares.more_than_one() || movers.more_than_one() {
            return;
        }
        let all = |set: Bitboard| if set.is_empty() { Bitboard::FULL } else { set };
        self.wishes.add(Wish { from: all(movers), to: all(squares), guarded: others | guarded });
    }

    /// Returns the defenders that would take the mating man on `to` or step between him and the king.
    fn refuters(&self, from: Square, to: Square, line: Bitboard) -> Bitboard {
        let refuters = refuters(&self.defenders, self.color, to, line).without(to);
        refuters.into_iter().filter(|&square| !self.can_be_pinned(square, from)).collect()
    }

    /// Returns whether a line piece other than the one on `but` stands behind a man, seen from the king.
    fn can_be_pinned(&self, square: Square, but: Square) -> bool {
        let (behind, line) = (behind(self.king, square), line_piece(self.king, square));
        self.guards.iter().any(|guard| {
            let (kind, from) = guard.man;
            (kind == line || kind == QUEEN) && from != but && behind.contains(from)
        })
    }
}
