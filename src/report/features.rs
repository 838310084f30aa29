//! Finds the features by which a key is judged: compares the positions before and after it.

use shakmaty::{Bitboard, Square};

use crate::chess::{Move, Position};
use crate::results::report::Features;

/// Returns the features of a legal move of the attacker.
pub(super) fn features(before: &Position, m: Move) -> Features {
    let after = before.play(m);
    let defender = !before.turn();
    let (flights_before, flights_after) = (before.flights_of(defender), after.flights_of(defender));
    let (pinned_before, pinned_after) = (before.pinned(defender), after.pinned(defender));
    let list = |set: Bitboard| set.into_iter().collect::<Vec<Square>>();
    Features {
        check: after.is_check(),
        capture: m.capture(),
        promotion: m.promotion(),
        sacrifice: !m.is_castle() && after.legal_moves().iter().any(|reply| reply.to() == m.to() && !reply.is_castle()),
        flights_given: list(flights_after & !flights_before),
        flights_taken: list(flights_before & !flights_after),
        unpins: list(pinned_before & !pinned_after & after.by_color(defender)),
        pins: list(pinned_after & !pinned_before),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::fen;
    use shakmaty::Role;

    fn of(fen: &str, from: Square, to: Square) -> Features {
        let position = Position::from_chess(&fen::read(fen).unwrap().chess);
        let m = position.legal_moves().into_iter().find(|m| m.from() == from && m.to() == to).unwrap();
        features(&position, m)
    }

    #[test]
    fn flights_pins_and_sacrifices() {
        // The queen goes from h7 to h8: a7 and b7 become flights of the king on a8, and b8 is taken away.
        let moved = of("k7/7Q/8/8/8/8/8/K7 w - - 0 1", Square::H7, Square::H8);
        assert_eq!(
            (moved.check, moved.flights_given, moved.flights_taken),
            (true, vec![Square::A7, Square::B7], vec![Square::B8])
        );
        // On b7 the queen stands unguarded next to the king: a sacrifice.
        let offered = of("k7/7Q/8/8/8/8/8/K7 w - - 0 1", Square::H7, Square::B7);
        assert!(offered.sacrifice && offered.check);
        // The bishop captures on e4 and pins the bishop on c6. The rook on h8 still pins the knight.
        let turned = of("k2n3R/8/2b5/8/4p3/5B2/8/K7 w - - 0 1", Square::F3, Square::E4);
        assert_eq!((turned.capture, turned.pins, turned.unpins), (Some(Role::Pawn), vec![Square::C6], vec![]));
        // The rook leaves the eighth rank: the knight is no longer pinned.
        let freed = of("k2n3R/8/8/8/8/8/8/K7 w - - 0 1", Square::H8, Square::H1);
        assert_eq!((freed.unpins, freed.check), (vec![Square::D8], false));
    }
}
