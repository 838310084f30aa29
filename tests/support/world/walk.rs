//! The walk backwards: the places from which a move leads to a position.
//!
//! A move is taken back without a look at checks. What is no position then has no place with one.

use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

use super::World;
use super::state::{State, ahead, rank, stands};

const OFFICERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A man that has moved, `None` for the king; the same man on the square from which he came; the square to which.
type Retreat = (Option<usize>, (Piece, Square), Square);

/// Returns the moves without captures, taken back, of the men that are no pawns.
fn retreats(state: &State) -> impl Iterator<Item = Retreat> {
    let mover = !state.turn;
    let occupied = state.occupied();
    let officers = state.men.iter().enumerate().map(|(at, &(piece, to))| (Some(at), piece, to));
    let officers = officers.filter(move |(_, piece, _)| piece.color == mover && piece.role != Role::Pawn);
    let movers = std::iter::once((None, mover.king(), state.king(mover))).chain(officers);
    movers.flat_map(move |(man, piece, to)| {
        let from = attacks::attacks(to, piece, occupied) & !occupied;
        from.into_iter().map(move |from| (man, (piece, from), to))
    })
}

impl World {
    /// Visits the places from which a move leads to this position. Some of them hold no position.
    pub fn before(&self, state: &State, visit: &mut impl FnMut(usize)) {
        if let Some(at) = state.men.iter().position(|&(piece, at)| stands(piece, at).1) {
            // The last move is known.
            let (pawn, at_first) = state.men[at];
            let start = ahead(pawn.color, at_first, 1).expect("a square of the second rank");
            self.take_back(state, Some(at), (pawn, start), None, visit);
            return;
        }
        self.same_before(state, visit);
        if state.men.iter().any(|(piece, _)| piece.role == Role::Pawn) {
            self.pawn_before(state, visit);
        } else {
            // The board has eight reflections, but a pawn leaves only that of the files.
            for reflection in [0, 2, 4, 5] {
                self.pawn_before(&state.reflected(reflection), visit);
            }
        }
    }

    /// Takes back the moves of men other than pawns, without a capture or with that of such a man.
    fn same_before(&self, state: &State, visit: &mut impl FnMut(usize)) {
        for (man, before, to) in retreats(state) {
            self.take_back(state, man, before, None, visit);
            self.take_back_captures(state, man, before, to, visit);
        }
    }

    fn take_back_captures(
        &self,
        state: &State,
        man: Option<usize>,
        before: (Piece, Square),
        to: Square,
        visit: &mut impl FnMut(usize),
    ) {
        for role in OFFICERS.into_iter().filter(|_| !state.men.is_full()) {
            self.take_back(state, man, before, Some((Piece { role, color: state.turn }, to)), visit);
        }
    }

    fn take_back_pawn(
        &self,
        state: &State,
        man: Option<usize>,
        before: (Piece, Square),
        to: Square,
        visit: &mut impl FnMut(usize),
    ) {
        if !state.men.is_full() && ![Rank::First, Rank::Eighth].contains(&to.rank()) {
            self.take_back(state, man, before, Some((state.turn.pawn(), to)), visit);
        }
    }

    /// Takes back the moves of pawns, promotions and the captures of pawns.
    fn pawn_before(&self, state: &State, visit: &mut impl FnMut(usize)) {
        for (man, before, to) in retreats(state) {
            self.take_back_pawn(state, man, before, to, visit);
        }
        let mover = !state.turn;
        for (at, &(piece, to)) in state.men.iter().enumerate().filter(|(_, (piece, _))| piece.color == mover) {
            if piece.role == Role::Pawn {
                self.steps_before(state, at, to, visit);
                self.two_steps_before(state, at, to, visit);
                self.en_passant_before(state, at, to, visit);
            } else if to.rank() == rank(mover, 8) {
                self.steps_before(state, at, to, visit);
            }
        }
    }

    /// Takes back the single steps and captures with which a pawn came to `to`, or became the man who stands there.
    fn steps_before(&self, state: &State, at: usize, to: Square, visit: &mut impl FnMut(usize)) {
        let mover = !state.turn;
        let free = !state.occupied() & !Bitboard::from(rank(mover, 1));
        if let Some(from) = ahead(mover, to, -1).filter(|&from| free.contains(from)) {
            self.take_back(state, Some(at), (mover.pawn(), from), None, visit);
        }
        for from in attacks::pawn_attacks(!mover, to) & free {
            self.take_back_captures(state, Some(at), (mover.pawn(), from), to, visit);
            self.take_back_pawn(state, Some(at), (mover.pawn(), from), to, visit);
        }
    }

    /// Takes back two steps of a pawn after which it cannot be captured en passant.
    fn two_steps_before(&self, state: &State, at: usize, to: Square, visit: &mut impl FnMut(usize)) {
        let mover = !state.turn;
        if to.rank() != rank(mover, 4) {
            return;
        }
        let way = [-1, -2].map(|steps| ahead(mover, to, steps).expect("a square"));
        let is_free = way.into_iter().all(|square| !state.occupied().contains(square));
        let mut with_right = state.clone();
        with_right.men[at].1 = ahead(mover, to, -3).expect("a square of the first rank");
        if is_free && !self.is_position(&with_right) {
            self.take_back(state, Some(at), (mover.pawn(), way[1]), None, visit);
        }
    }

    /// Takes back the captures en passant of a pawn.
    fn en_passant_before(&self, state: &State, at: usize, to: Square, visit: &mut impl FnMut(usize)) {
        let mover = !state.turn;
        if to.rank() != rank(mover, 6) || state.men.is_full() {
            return;
        }
        let captured = ahead(mover, to, 2).expect("a square of the last rank");
        for from in attacks::pawn_attacks(!mover, to) & !state.occupied() {
            self.take_back(state, Some(at), (mover.pawn(), from), Some((state.turn.pawn(), captured)), visit);
        }
    }

    /// Visits the position before a move of the man with this number, or of the king. Visits it with a right en passant
    /// too, if there can be one: the move did not use it.
    fn take_back(
        &self,
        state: &State,
        man: Option<usize>,
        before: (Piece, Square),
        captured: Option<(Piece, Square)>,
        visit: &mut impl FnMut(usize),
    ) {
        let mut state = State { turn: !state.turn, ..state.clone() };
        match man {
            Some(at) => state.men[at] = before,
            None => state.kings[state.turn.fold_wb(0, 1)] = before.1,
        }
        state.men.extend(captured);
        let Some(place) = self.place(&state) else { return };
        visit(place);
        let is_pawn = |color: Color| move |(piece, _): &(Piece, Square)| *piece == color.pawn();
        let other = state.men.iter().position(is_pawn(!state.turn));
        let Some(at) = other.filter(|_| state.men.iter().any(is_pawn(state.turn))) else { return };
        if state.men[at].1.rank() == rank(!state.turn, 4) {
            state.men[at].1 = ahead(!state.turn, state.men[at].1, -3).expect("a square of the first rank");
            self.place(&state).into_iter().for_each(visit);
        }
    }
}
