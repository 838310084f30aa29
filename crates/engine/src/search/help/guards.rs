//! Guards and blocks: can every flight of a picture be shut, with the moves that are left?
//!
//! In the final position each neighbour of the king's square is off the board, attacked by the mating side, or occupied
//! by a man of the king's own side. In a mate the square itself is attacked. Where a man of the mating side stands, the
//! king could take him: that neighbour must be attacked by another.
//!
//! The men of the mating side stay where they are, or move at a cost. As long as something is open, one open flight is
//! chosen: a man who has not moved yet goes where he attacks it, or it is left to a blocker. A man who moves no longer
//! guards what he guarded. No way of shutting the flights is missed, because a man who moves without attacking an open
//! flight shuts nothing. A search that is too long answers "possible".
//!
//! **Blocks.** Each man stops on one flight only, and each move moves one man. So the cheapest **assignment** of
//! distinct men to the flights that are left open is a lower bound of the moves that the defender needs. A pawn may
//! promote on the way, so his distance is the least over all that he can become. The nearest man of each flight gives a
//! first bound; the moves that are left besides are **spare**. Another man may block if he needs no more than these
//! besides. A man who must go and blocks nothing takes one of them. After castling, men are not assigned.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square};

use crate::chess::End;

use super::geometry::{KING, first, forms, index, is_pawn, number};
use super::picture::Picture;
use super::single::Single;
use super::view::{MEN, Man, Still, hits, kinds};

/// The number of placements after which the answer is "possible". Longer searches cost more than they cut. Halved, more
/// squares stay possible that are not.
const MOST_STEPS: u32 = 300;

/// A search for guards and blocks.
pub(super) struct Guards<'a> {
    picture: &'a Picture<'a>,
    /// The man who gives check, if one is named, and whether nobody else does.
    checker: Option<&'a Single<'a>>,
    is_alone: bool,
    /// The moves that the other men of the mating side have together.
    moves: i32,
    /// The defenders that must go.
    must: Bitboard,
    /// Those who would refute the check where they stand.
    refuting: Bitboard,
    steps: u32,
}

/// The decisions at a point of the search.
#[derive(Clone, Copy)]
struct State {
    /// The men that have moved, as bits of their places in the list.
    moved: u64,
    /// The squares that they attack.
    attacked: Bitboard,
    /// The squares that the others attack.
    still: Still,
    /// The squares on which they stand.
    own: Bitboard,
    /// The flights that are left to blockers.
    blocked: Bitboard,
    moves: i32,
}

impl<'a> Guards<'a> {
    /// Asks about a picture without a named checker.
    pub(super) fn of(picture: &'a Picture<'a>) -> Guards<'a> {
        Guards {
            picture,
            checker: None,
            is_alone: false,
            moves: picture.attacker_moves,
            must: Bitboard::EMPTY,
            refuting: Bitboard::EMPTY,
            steps: 0,
        }
    }

    /// Asks about a picture with a named checker.
    pub(super) fn with(checker: &'a Single<'a>, is_alone: bool) -> Guards<'a> {
        let (must, refuting) = if is_alone { checker.must_go() } else { Default::default() };
        let moves = checker.moves;
        Guards { checker: Some(checker), is_alone, moves, must, refuting, ..Guards::of(checker.picture) }
    }

    /// Returns whether all flights can perhaps be shut.
    pub(super) fn can_shut(mut self) -> bool {
        let picture = self.picture;
        if number(self.must) > picture.defender_moves {
            return false;
        }
        let mut still = picture.view.still();
        if picture.king_is_near() {
            // A king that stands beside the square has to leave.
            still = still.without(self.reach(0));
        }
        let (moved, attacked, own) = match self.checker {
            Some(&Single { at, from, reach, .. }) => {
                still = still.without(self.reach(at));
                (1 << at, reach, Bitboard::from(from))
            }
            None => (0, Bitboard::EMPTY, Bitboard::EMPTY),
        };
        self.place(State { moved, attacked, still, own, blocked: Bitboard::EMPTY, moves: self.moves })
    }

    /// Returns the squares that a man attacks from where he stands.
    fn reach(&self, at: usize) -> Bitboard {
        let (kind, from) = self.picture.view.attackers[at];
        self.picture.geometry.reach(kind, from)
    }

    /// Returns the squares that have to be attacked or blocked.
    fn goal(&self) -> Bitboard {
        let picture = self.picture;
        let is_attacked = picture.end == End::Mate && self.checker.is_none();
        if is_attacked { picture.near.with(picture.king) } else { picture.near }
    }

    fn place(&mut self, state: State) -> bool {
        let view = self.picture.view;
        let open = self.goal() & !(state.attacked | state.still.any());
        let blocked = state.blocked & open;
        if self.can_block(open | blocked, state.own) {
            return true;
        }
        let rest = open & !blocked;
        if state.moves <= 0 || rest.is_empty() {
            return false;
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return true;
        }
        let never = rest & !view.attacked(state.moves, self.checker.map(|checker| checker.at));
        if never.contains(self.picture.king) || !view.nearly_defended(never | blocked, self.picture.defender_moves) {
            return false;
        }
        let guarded = rest & !never;
        let Some(flight) = (guarded & Bitboard::from(self.picture.king)).first().or(guarded.first()) else {
            return false;
        };
        if self.guard(flight, state) {
            return true;
        }
        let state = State { blocked: blocked.with(flight), ..state };
        flight != self.picture.king
            && view.nearly_defended(state.blocked, self.picture.defender_moves)
            && self.place(state)
    }

    /// Tries every man who can attack the flight.
    fn guard(&mut self, flight: Square, state: State) -> bool {
        let (view, geometry, king) = (self.picture.view, self.picture.geometry, self.picture.king);
        let checker = self.checker.map(|checker| checker.at);
        for (at, &(kind, from)) in view.attackers.iter().enumerate() {
            let attacks = geometry.attacked(kind, from)[index(state.moves)].contains(flight);
            if state.moved >> at & 1 == 1 || !attacks {
                continue;
            }
            // A king that stands beside the square has been left out already.
            let is_out = at == 0 && self.picture.king_is_near();
            let still = if is_out { state.still } else { state.still.without(geometry.reach(kind, from)) };
            let open = self.goal() & !(state.attacked | still.any());
            // What was tried and what it guards. Later places cost as much or more, and are no better if they guard no
            // more. A place on a flight is not remembered: nobody can block there.
            let mut tried: ArrayVec<Bitboard, 24> = ArrayVec::new();
            for moves in 1..=state.moves.min(8) {
                // What the men can still attack when he has moved; without more moves, nothing else.
                let left = state.moves - moves;
                let later = if left > 0 { view.attacked(left, checker) } else { Bitboard::EMPTY };
                let never = open & (!later | state.blocked);
                for &(form, is) in forms(kind) {
                    let steps = geometry.within(form, from);
                    let mut squares = steps[index(moves)] & !steps[index(moves - 1)] & geometry.sources(is, flight);
                    squares.discard(king);
                    if kind == KING {
                        // A king never stands beside the other king.
                        squares &= !self.picture.near;
                    }
                    for square in squares {
                        let reach = geometry.reach(is, square);
                        let helps = reach & self.picture.near.with(king);
                        if tried.iter().any(|&better| (helps & !better).is_empty()) {
                            continue;
                        }
                        if !self.picture.near.contains(square) {
                            let _ = tried.try_push(helps);
                        }
                        let never = never & !reach;
                        if never.contains(king) || !view.nearly_defended(never, self.picture.defender_moves) {
                            continue;
                        }
                        let next = State {
                            moved: state.moved | 1 << at,
                            attacked: state.attacked | reach,
                            still,
                            own: state.own.with(square),
                            moves: left,
                            ..state
                        };
                        if self.place(next) {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// Returns whether distinct defenders can be on these flights in time. No man of the mating side may stand there.
    fn can_block(&self, flights: Bitboard, own: Bitboard) -> bool {
        let Picture { view, rules, king, defender_moves, .. } = *self.picture;
        let line = self.checker.map_or(Bitboard::EMPTY, |checker| checker.line);
        let is_matched = rules.matching && !view.castled;
        !flights.contains(king)
            && (flights & (own | line)).is_empty()
            && view
                .spare(flights, defender_moves)
                .is_some_and(|spare| !is_matched || self.assign(flights, Bitboard::EMPTY, spare))
    }

    /// Assigns men that are not in `used` to the flights. Beyond what the nearest man of each flight needs, the others
    /// and the men who must go and block nothing have `spare` moves.
    fn assign(&self, mut flights: Bitboard, mut used: Bitboard, spare: i32) -> bool {
        let view = self.picture.view;
        let mut never = number(self.refuting & flights) > spare;
        if spare == 0 {
            // Who stands on a flight stays there.
            let stay = flights & view.theirs;
            never |= (stay & used).any();
            (flights, used) = (flights & !stay, used | stay);
        }
        if never || number(self.must & !used) > spare + number(flights) {
            return false;
        }
        let Some((flight, nearest)) = view.nearest(flights) else { return true };
        flights.discard(flight);
        let most = nearest + spare;
        kinds(&view.defenders).any(|(kind, men)| {
            let men = men & !used & view.others.origins(kind, flight, most);
            men.any()
                && self.stays((kind, flight))
                && men.into_iter().any(|from| {
                    self.way((kind, from), flight)
                        .is_some_and(|way| way <= most && self.assign(flights, used.with(from), most - way))
                })
        })
    }

    /// Returns whether a man can block this flight. A man who would refute the check from there does not block it; if
    /// he is pinned there in the end, the man who pins him attacks the flight on an empty board, and guards it.
    fn stays(&self, (kind, flight): Man) -> bool {
        let is_asked = self.is_alone && self.picture.rules.blocks && !is_pawn(kind);
        let check = self.checker.filter(|_| is_asked);
        check.is_none_or(|check| (hits((kind, flight)) & check.line.with(check.from)).is_empty())
    }

    /// Returns the moves that a defender needs to block a flight. A man who must go comes back to his own square only
    /// as another man, because he himself would refute the check again: a pawn who promotes, which takes two moves.
    fn way(&self, (kind, from): Man, flight: Square) -> Option<i32> {
        if flight == from && self.must.contains(from) {
            return is_pawn(kind).then_some(2);
        }
        first(self.picture.view.others.anywhere(kind, from), flight)
    }
}

const _: () = assert!(MEN <= 64, "places in the lists are bits of a word");
