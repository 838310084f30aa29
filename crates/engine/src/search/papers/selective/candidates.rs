//! Candidate lists: the attacker's moves, classed by what they do to the enemy king.
//!
//! | class | the move | surcharge |
//! |---|---|---|
//! | check | gives check | small |
//! | threat | threatens a mate in one, if the defender passes | a rebate: few replies parry it |
//! | flight | leaves the king fewer squares to step to | small |
//! | discovery | opens a line of its own side to the king or a square next to it | small |
//! | capture | takes a man | small |
//! | rest | does none of these | large |
//!
//! The first class that fits counts. The price of a move is that of the number of replies to it ([`Price::of_replies`])
//! plus the surcharge of its class. The rebate leaves at least [`LEAST_QUIET_PRICE`]. A list holds the moves whose
//! price the width affords; `deepen` widens it when the search fails. In the first two plies all checks and captures
//! are on the list, whatever they cost, as in AWIT.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::width::{Price, Width};
use crate::chess::{ManList, Move, MoveCode, MoveList, Moves, Position};
use crate::search::{Interrupted, Meter};

/// The reason why a move is a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Gives check.
    Check,
    /// Threatens a mate in one.
    Threat,
    /// Takes a square that the king could step to.
    Flight,
    /// Opens a line that hits the king or a square next to it.
    Discovery,
    /// Takes a man.
    Capture,
    /// Does none of these.
    Rest,
}

impl Class {
    /// Returns the price of a move of this class with this many replies.
    fn price(self, replies: usize) -> Price {
        let price = Price::of_replies(replies);
        match self {
            Class::Check => price.plus(CHECK_SURCHARGE),
            Class::Threat => price.minus(THREAT_REBATE, LEAST_QUIET_PRICE),
            Class::Flight | Class::Discovery | Class::Capture => price.plus(ACTIVE_SURCHARGE),
            Class::Rest => price.plus(REST_SURCHARGE),
        }
    }
}

/// A move of the attacker on a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub m: Move,
    pub class: Class,
    pub price: Price,
    /// The position after the move, if it has been made.
    pub child: Option<Position>,
}

impl Candidate {
    /// Returns whether the move is on the list of a node at this ply with this width.
    pub fn is_listed(&self, width: Width, ply: usize) -> bool {
        let studied = ply < STUDIED_PLIES && (self.class == Class::Check || self.m.capture().is_some());
        width.affords(self.price) || studied
    }
}

/// The surcharge of a check. It is not 0, so that no line of forced checks is endless. Doubled, long lines of checks
/// need a wider search; halved, narrow ones follow them further.
const CHECK_SURCHARGE: u16 = 2;
/// The rebate of a threat: about one reply in four parries it. Doubled, a threat counts as if one reply in sixteen
/// parried it; halved, one in two.
const THREAT_REBATE: u16 = 8;
/// The surcharge of the quiet moves that take flights, discover lines or capture. Doubled, such moves join the lists
/// later; halved, sooner.
const ACTIVE_SURCHARGE: u16 = 3;
/// The surcharge of all other moves. Doubled, they join the lists later; halved, sooner.
const REST_SURCHARGE: u16 = 8;

/// The smallest price of a quiet move. Doubled, quiet moves with few replies join the lists later; halved, sooner.
pub(super) const LEAST_QUIET_PRICE: Price = Price(4);

/// The plies at which all checks and captures are candidates. Doubled, lists are longer near the root; halved, forcing
/// first moves may wait for a wider search.
const STUDIED_PLIES: usize = 2;

/// A position with the facts about its enemy king that decide the classes of quiet moves.
pub(super) struct Surroundings<'p> {
    position: &'p Position,
    defender: Color,
    /// The squares that the enemy king could step to if it were its turn.
    flights: usize,
    /// The enemy king and the squares next to it.
    zone: Bitboard,
}

impl<'p> Surroundings<'p> {
    /// Looks at the position, with the attacker to move.
    pub fn of(position: &'p Position) -> Surroundings<'p> {
        let defender = !position.turn();
        let king = position.king(defender);
        let flights = position.flights_of(defender).count();
        Surroundings { position, defender, flights, zone: attacks::king_attacks(king).with(king) }
    }

    /// Makes a quiet move and returns it as a candidate.
    pub fn quiet(&self, m: Move, meter: &mut Meter<'_>) -> Result<Candidate, Interrupted> {
        meter.node()?;
        let child = self.position.play(m);
        let class = self.class(m, &child);
        Ok(Candidate { m, class, price: class.price(child.count_moves()), child: Some(child) })
    }

    /// Returns the class of a quiet move that leads to `child`.
    fn class(&self, m: Move, child: &Position) -> Class {
        if child.threatens_mate() {
            Class::Threat
        } else if child.flights_of(self.defender).count() < self.flights {
            Class::Flight
        } else if self.discovers(m) {
            Class::Discovery
        } else if m.capture().is_some() {
            Class::Capture
        } else {
            Class::Rest
        }
    }

    /// Returns whether a line piece of the attacker hits more of the king's zone when the man has left its square.
    fn discovers(&self, m: Move) -> bool {
        let position = self.position;
        let occupied = position.occupied();
        let ours = position.by_color(!self.defender).without(m.from());
        let after = occupied.without(m.from()).with(m.to());
        let queens = position.by_role(Role::Queen);
        let opens = |reach: fn(Square, Bitboard) -> Bitboard, men: Bitboard| {
            (reach(m.from(), occupied) & men & ours)
                .into_iter()
                .any(|from| ((reach(from, after) & !reach(from, occupied)) & self.zone).any())
        };
        opens(attacks::rook_attacks, position.by_role(Role::Rook) | queens)
            || opens(attacks::bishop_attacks, position.by_role(Role::Bishop) | queens)
    }
}

/// Returns the checks of a position, cheapest first. They are not made.
pub(super) fn checks(position: &Position) -> Vec<Candidate> {
    let (mut men, mut moves) = (ManList::new(), MoveList::new());
    let attack = position.attack(&mut men);
    attack.checks(&mut moves);
    let priced = |&m: &Move| {
        let price = Class::Check.price(attack.evasions(m) as usize);
        Candidate { m, class: Class::Check, price, child: None }
    };
    let mut list: Vec<Candidate> = moves.iter().map(priced).collect();
    list.sort_by_key(|candidate| candidate.price);
    list
}

/// Returns the quiet moves of a position that are on the list, but not `skip`, and whether others were discarded.
/// Every move that the width may afford is made, and counted.
pub(super) fn quiet(
    position: &Position,
    (width, ply): (Width, usize),
    skip: Option<MoveCode>,
    meter: &mut Meter<'_>,
) -> Result<(Vec<Candidate>, bool), Interrupted> {
    let mut moves = MoveList::new();
    position.generate(Moves::Quiet, &mut moves);
    let surroundings = Surroundings::of(position);
    let (mut list, mut discarded) = (Vec::new(), false);
    for &m in moves.iter().filter(|m| Some(m.code()) != skip) {
        let hopeless = !width.affords(LEAST_QUIET_PRICE) && (ply >= STUDIED_PLIES || m.capture().is_none());
        let candidate = if hopeless { None } else { Some(surroundings.quiet(m, meter)?) };
        match candidate.filter(|candidate| candidate.is_listed(width, ply)) {
            Some(candidate) => list.push(candidate),
            None => discarded = true,
        }
    }
    Ok((list, discarded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;
    use crate::search::{Control, Limits};
    use std::sync::atomic::AtomicBool;

    fn with_meter<T>(work: impl FnOnce(&mut Meter<'_>) -> T) -> T {
        let stop = AtomicBool::new(false);
        work(&mut Meter::new(&Control::new(Limits::default(), &stop)))
    }

    fn class(epd: &str, from: Square, to: Square) -> Class {
        let position = position(epd);
        let m = position.find_move(MoveCode::new(from, to, None)).unwrap();
        with_meter(|meter| Surroundings::of(&position).quiet(m, meter)).unwrap().class
    }

    #[test]
    fn quiet_moves_are_classed_by_what_they_do_to_the_king() {
        let back_rank = "6k1/5ppp/8/8/8/8/R7/4K3 w - -";
        assert_eq!(class(back_rank, Square::A2, Square::D2), Class::Threat, "it threatens mate on d8");
        let corner = "7k/8/8/8/8/8/R7/K7 w - -";
        assert_eq!(class(corner, Square::A2, Square::A7), Class::Flight, "it takes g7 and h7");
        assert_eq!(class(corner, Square::A1, Square::B1), Class::Rest);
        // The knight opens the diagonal to g7, which is no flight, because a pawn stands there.
        let battery = "8/6pk/8/8/3N4/8/8/B6K w - -";
        assert_eq!(class(battery, Square::D4, Square::B3), Class::Discovery);
        assert_eq!(class(battery, Square::H1, Square::H2), Class::Rest);
        assert_eq!(class("7k/8/8/8/8/8/1p6/K7 w - -", Square::A1, Square::B2), Class::Capture);
    }

    #[test]
    fn forcing_moves_are_cheaper_than_others_with_as_many_replies() {
        let price = |class: Class| class.price(20);
        assert!(price(Class::Threat) < price(Class::Check));
        assert!(price(Class::Check) < price(Class::Flight) && price(Class::Capture) < price(Class::Rest));
    }

    #[test]
    fn checks_are_listed_by_their_number_of_replies() {
        let list = checks(&position("6k1/5ppp/8/8/8/8/R7/Q3K3 w - -"));
        assert!(!list.is_empty() && list.is_sorted_by_key(|candidate| candidate.price));
    }

    #[test]
    fn lists_grow_with_the_width_until_they_hold_every_move() {
        let position = position("6k1/5ppp/8/8/8/3p4/R7/4K3 w - -");
        let listed = |width, ply| {
            let (list, discarded) = with_meter(|meter| quiet(&position, (width, ply), None, meter)).unwrap();
            (list.len(), discarded)
        };
        assert_eq!(listed(Width::quarters(0), 4), (0, true));
        let sizes = [4, 8, 12, 16, 20, 24, 28].map(|width| listed(Width::quarters(width), 4).0);
        assert!(sizes.is_sorted() && sizes[0] < sizes[6], "{sizes:?}");
        let mut all = MoveList::new();
        position.generate(Moves::Quiet, &mut all);
        assert_eq!(listed(Width::FULL, 4), (all.len(), false));
    }

    #[test]
    fn all_checks_and_captures_are_candidates_in_the_first_two_plies() {
        // The queen can take two pawns, and give checks.
        let position = position("6k1/5ppp/8/8/1p3p2/8/3Q4/4K3 w - -");
        let narrow = Width::quarters(0);
        for (ply, expected) in [(0, 2), (1, 2), (2, 0)] {
            let (list, discarded) = with_meter(|meter| quiet(&position, (narrow, ply), None, meter)).unwrap();
            assert!(discarded && list.iter().all(|candidate| candidate.m.capture().is_some()));
            assert_eq!(list.len(), expected, "ply {ply}");
            assert_eq!(checks(&position).iter().any(|candidate| candidate.is_listed(narrow, ply)), ply < 2);
        }
    }
}
