//! The defender's free pawns: which of them come off the board, and where they may stand next.

use std::cmp::Reverse;

use shakmaty::{Bitboard, Color, Rank, Role, Square};

use crate::chess::Position;

/// A pawn with fewer squares than this from its own to the last one before promotion is not free at first. A smaller
/// one takes pawns off that belong to the net; a larger one leaves fewer to take off.
const FEWEST_SQUARES: usize = 3;

/// A free pawn: its home in the root position, and where it stands now; `None` if it is off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pawn {
    home: Square,
    at: Option<Square>,
}

impl Pawn {
    /// Returns the number of steps from its home.
    fn steps(self) -> u32 {
        self.at.map_or(0, |at| self.home.distance(at))
    }
}

/// The places of the free pawns, those in front first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places(Vec<Pawn>);

impl Places {
    /// Returns all free pawns at home but for those of a core, which are off the board.
    pub fn without(core: Bitboard, all: Bitboard, defender: Color) -> Places {
        let mut homes: Vec<Square> = all.into_iter().collect();
        homes.sort_by_key(|&home| way(home, defender).len());
        let at = |home| (!core.contains(home)).then_some(home);
        Places(homes.into_iter().map(|home| Pawn { home, at: at(home) }).collect())
    }

    /// Returns the squares on which pawns stand.
    pub fn squares(&self) -> Bitboard {
        self.0.iter().filter_map(|pawn| pawn.at).collect()
    }

    /// Returns whether all pawns are at home.
    pub fn are_at_home(&self) -> bool {
        self.0.iter().all(|pawn| pawn.at == Some(pawn.home))
    }

    /// Takes the pawn with the most steps off the board. Returns it as it stood; `None` if no pawn has made a step.
    pub fn take_farthest(&mut self) -> Option<Pawn> {
        let pawn = self.0.iter_mut().filter(|pawn| pawn.steps() > 0).max_by_key(|pawn| pawn.steps())?;
        let advanced = *pawn;
        pawn.at = None;
        Some(advanced)
    }

    /// Returns the places to try next, the best first: a pawn comes back, or if all are there, one goes back. No pawn
    /// steps through the attacker's pawns, the walls.
    pub fn next(&self, defender: Color, walls: Bitboard, forbidden: &[Pawn]) -> Vec<Places> {
        let mut moved: Vec<(usize, Pawn)> = Vec::new();
        if self.0.iter().any(|pawn| pawn.at.is_none()) {
            for (i, pawn) in self.0.iter().enumerate().filter(|(_, pawn)| pawn.at.is_none()) {
                let back = way_to(walls, pawn.home, defender).into_iter().rev();
                moved.extend(back.map(|square| (i, Pawn { at: Some(square), ..*pawn })));
            }
        } else {
            let mut pawns: Vec<(usize, Pawn)> = self.0.iter().copied().enumerate().collect();
            pawns.sort_by_key(|(_, pawn)| Reverse(pawn.steps()));
            for steps in 1..=2 {
                for &(i, pawn) in &pawns {
                    let back = way_to(walls, pawn.home, defender).into_iter().rev();
                    let behind = back.skip_while(|&square| pawn.at != Some(square));
                    moved.extend(behind.skip(steps).take(1).map(|square| (i, Pawn { at: Some(square), ..pawn })));
                }
            }
        }
        let taken = self.squares();
        moved.retain(|(_, pawn)| !forbidden.contains(pawn) && !pawn.at.is_some_and(|at| taken.contains(at)));
        let places = |(i, pawn): (usize, Pawn)| {
            let mut places = self.clone();
            places.0[i] = pawn;
            places
        };
        moved.into_iter().map(places).collect()
    }
}

/// Returns the squares of a pawn, from this one to the last before promotion.
pub(super) fn way(home: Square, color: Color) -> Vec<Square> {
    let last = color.fold_wb(Rank::Eighth, Rank::First);
    let next = |&square: &Square| ahead(square, color).filter(|next| next.rank() != last);
    std::iter::successors(Some(home), next).collect()
}

/// Returns the squares of a pawn, from this one to the last before a wall or promotion.
fn way_to(walls: Bitboard, home: Square, color: Color) -> Vec<Square> {
    way(home, color).into_iter().take_while(|&square| !walls.contains(square)).collect()
}

fn ahead(square: Square, color: Color) -> Option<Square> {
    square.offset(color.fold_wb(8, -8))
}

/// Returns the sets of pawns that may come off, the most promising first.
///
/// A pawn is **free** if it can step, or could if a free pawn did. First come the free pawns that are not near
/// promotion; then these and pawns that are blocked by pawns of the attacker, all together and one by one; then all
/// free pawns; then the first set without one of its pawns.
pub(super) fn cores(position: &Position, defender: Color) -> Vec<Bitboard> {
    let mut squares: Vec<Square> = position.men(defender, Role::Pawn).into_iter().collect();
    squares.sort_by_key(|&square| way(square, defender).len());
    let (mut free, mut late, mut blocked) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    for square in squares {
        let Some(front) = ahead(square, defender) else { continue };
        let is_late = way(square, defender).len() < FEWEST_SQUARES;
        let can_step = !position.occupied().contains(front) || (free | late).contains(front);
        let is_blocked = (position.men(!defender, Role::Pawn) | blocked).contains(front);
        match (can_step, is_late) {
            (true, true) => late.add(square),
            (true, false) => free.add(square),
            (false, false) if is_blocked => blocked.add(square),
            _ => {}
        }
    }
    let one_more = blocked.into_iter().map(|square| free.with(square));
    let one_less = free.into_iter().map(|square| free.without(square));
    let sets = [free, free | blocked].into_iter().chain(one_more).chain([free | late]).chain(one_less);
    let mut cores = Vec::new();
    for core in sets {
        if core.any() && !cores.contains(&core) {
            cores.push(core);
        }
    }
    cores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    fn names(squares: Bitboard) -> String {
        squares.into_iter().map(|square| square.to_string()).collect()
    }

    #[test]
    fn the_pawns_that_can_step_far_come_off_first() {
        // b6 is behind b5; d4 is blocked by a pawn, f5 by an officer; h3 is near promotion.
        let root = position("7k/8/1p6/1p3p2/3p1N2/3P3p/8/K7 w - -");
        let cores: Vec<String> = cores(&root, Color::Black).into_iter().map(names).collect();
        assert_eq!(cores, ["b5b6", "d4b5b6", "h3b5b6", "b6", "b5"]);
        let white = position("7K/8/8/8/1P1n4/1p3P2/P7/k7 b - -");
        assert_eq!(names(super::cores(&white, Color::White)[0]), "a2f3b4");
    }

    #[test]
    fn pawns_come_back_far_from_home_and_go_back_step_by_step() {
        let all = Bitboard::from(Square::A5) | Bitboard::from(Square::A6);
        let places = Places::without(all, all, Color::Black);
        let squares = |list: &[Places]| list.iter().map(|places| names(places.squares())).collect::<Vec<_>>();
        let inserted = places.next(Color::Black, Bitboard::EMPTY, &[]);
        assert_eq!(squares(&inserted), ["a2", "a3", "a4", "a5", "a2", "a3", "a4", "a5", "a6"]);
        let both = &inserted[0].next(Color::Black, Bitboard::EMPTY, &[])[0];
        assert_eq!(names(both.squares()), "a2a3", "the first pawn is in front");
        let back = both.next(Color::Black, Bitboard::EMPTY, &[]);
        assert_eq!(squares(&back), ["a2a4", "a3a4", "a2a5"], "by one step, then by two; no two pawns on a square");
        let walls = Bitboard::from(Square::A3);
        assert_eq!(squares(&places.next(Color::Black, walls, &[])), ["a4", "a5", "a4", "a5", "a6"], "not through a3");
        let mut dead = both.clone();
        let farthest = dead.take_farthest().unwrap();
        assert!(!squares(&dead.next(Color::Black, Bitboard::EMPTY, &[farthest])).contains(&names(both.squares())));
    }

    #[test]
    fn pawns_are_placed_on_legal_positions_only() {
        let root = position("7k/p7/8/3pP3/8/8/8/K7 w - d6");
        let with = |squares: &[Square]| root.with_pawns(Color::Black, squares.iter().copied().collect());
        assert_eq!(with(&[Square::A6, Square::D4]).unwrap(), position("7k/8/p7/4P3/3p4/8/8/K7 w - -"));
        assert_eq!(with(&[Square::E5]), None, "on another man");
        let closed = position("7k/7p/8/8/8/8/8/K6R w - -");
        assert_eq!(closed.with_pawns(Color::Black, Bitboard::EMPTY), None, "the king could be taken");
    }
}
