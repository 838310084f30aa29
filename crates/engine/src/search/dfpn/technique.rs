//! Winning by technique: a search that keeps its material, and an estimate of how far an ending is from being won.
//!
//! Long endings are not won by a mating attack but by taking men, promoting a pawn and then mating. The number of
//! replies says little about that. So the lane `technique` has two rules of its own:
//!
//! 1. The attacker may not play a move that loses more than about a pawn by the count of [`Position::exchange`], unless
//!    his next move wins as much (`Aim::Technique`). Where every move loses more, he may play those that lose least.
//!    Moves that mate, or lead to a position in the table, are not examined.
//! 2. The proof number of a leaf is multiplied by a factor that doubles for every three pawns that the attacker is
//!    behind a winning **lead**, with a largest value. The lead counts such things as men, passed pawns, men that can
//!    be taken, and how far the defender's king has been driven to the edge.
//!
//! CITE: Winands & Schadd 2010, "Evaluation-function based proof-number search": leaves get proof numbers from an
//! evaluation. Without the first rule the lead is often that of a position where the attacker is about to lose a piece.
//! A wrong estimate costs nodes, never correctness.
//!
//! `benches/tuning/endings.md` has the measurements.

use shakmaty::{Color, Rank, Role, Square};

use crate::chess::exchange::{Value, value};
use crate::chess::{Move, Position};

/// A lead, in tenths of a pawn, with which the factor is 1. With 400 one ending more of 160 is found
/// (`benches/tuning/endings.md`).
const WINNING_LEAD: Value = 200;
/// The factor doubles for every lead less by this, in tenths of a pawn. An early form found 32 of 46 endings with 33,
/// 30 with 67 and 28 with 17 (`benches/tuning/endings.md`).
const DOUBLING: Value = 30;
/// The largest number of doublings. The product with a leaf's number stays far below the largest proof number. Halved,
/// hopeless leaves look alike; doubled, products may become too large.
const MAX_DOUBLINGS: Value = 16;

/// A move loses material if it loses more than this: a pawn, or a bishop for a knight, may be lost. If no pawn may be
/// lost, 27 of 56 endings are found instead of 32; if the exchange may, 31 (`benches/tuning/endings.md`).
const TOLERANCE: Value = 12;

/// The gain of a promotion to a queen.
const PROMOTION: Value = value(Role::Queen) - value(Role::Pawn);

/// Returns whether a move of the attacker, which leads to `after`, loses no material. What a capture wins counts only
/// if the attacker has no answer that wins as much.
pub(super) fn is_sound(m: Move, after: &Position) -> bool {
    let allowed = won(m) + TOLERANCE;
    gains(after).all(|gain| gain <= allowed) || {
        let captures = after.legal_moves().into_iter().filter(|r| won(*r) > allowed && r.capture().is_some());
        captures.into_iter().all(|r| won(r) - best_answer(&after.play(r)) <= allowed)
    }
}

/// Returns what the side to move wins by its best capture, or by a pawn that promotes and cannot be taken.
fn best_answer(position: &Position) -> Value {
    let turn = position.turn();
    let promotes = |pawn: Square| {
        let last = promotion_square(pawn, turn);
        let is_free = || !position.occupied().contains(last);
        distance(pawn, last) == 1 && is_free() && position.attackers(last, !turn, position.occupied()).is_empty()
    };
    let (capture, _) = best_two(position, turn);
    if position.men(turn, Role::Pawn).into_iter().any(promotes) { capture.max(PROMOTION) } else { capture }
}

/// Returns the material that a move of the attacker, which leads to `after`, loses; negative if it wins some.
fn loss(m: Move, after: &Position) -> Value {
    gains(after).max().unwrap_or(0) - won(m)
}

/// Returns what a move wins at once.
fn won(m: Move) -> Value {
    m.capture().map_or(0, value) + m.promotion().map_or(0, |role| value(role) - value(Role::Pawn))
}

/// Returns what the side to move gains by capturing on each square where it can.
fn gains(position: &Position) -> impl Iterator<Item = Value> {
    let turn = position.turn();
    let targets = if position.is_check() {
        position.legal_moves().iter().filter(|r| r.capture().is_some()).map(|r| r.to()).collect()
    } else {
        position.attacked_men(turn)
    };
    targets.into_iter().map(move |target| position.exchange(target, turn))
}

/// Returns the attacker's moves that lose least, or hardly more, and the positions after them.
pub(super) fn least_losses(position: &Position) -> Vec<(Move, Position)> {
    let moves = position.legal_moves();
    let next = moves.iter().map(|&m| (m, position.play(m)));
    let all: Vec<_> = next.map(|(m, after)| (loss(m, &after), m, after)).collect();
    let least = all.iter().map(|(loss, ..)| *loss).min().unwrap_or_default();
    all.into_iter().filter(|(loss, ..)| *loss <= least + TOLERANCE).map(|(_, m, after)| (m, after)).collect()
}

/// The number of positions in a [`FactorCache`]. Halved, factors are computed again more often; doubled, the cache of
/// the processor holds less else.
const CACHED_FACTORS: usize = 1 << 14;

/// The factors of the latest positions, for one attacker. A position is a leaf first, and its factor is needed again
/// each time it is visited.
#[derive(Debug, Default)]
pub(super) struct FactorCache {
    /// Keys and factors; none until a factor is asked for.
    entries: Vec<(u64, u32)>,
}

impl FactorCache {
    /// Returns the factor of the proof number of a leaf with this position.
    pub fn factor(&mut self, position: &Position, attacker: Color) -> u32 {
        self.entries.resize(CACHED_FACTORS, (0, 0));
        let key = position.key();
        let entry = &mut self.entries[key as usize % CACHED_FACTORS];
        if entry.1 == 0 || entry.0 != key {
            *entry = (key, factor_of(lead(position, attacker)));
        }
        entry.1
    }
}

/// Returns the factor for a lead: 2^(missing / [`DOUBLING`]), with straight lines between the powers of two.
fn factor_of(lead: Value) -> u32 {
    let missing = (WINNING_LEAD - lead).clamp(0, MAX_DOUBLINGS * DOUBLING);
    let (doublings, rest) = (missing / DOUBLING, missing % DOUBLING);
    ((1 << doublings) * (DOUBLING + rest) / DOUBLING).cast_unsigned()
}

/// Returns how far the attacker is ahead, in tenths of a pawn.
fn lead(position: &Position, attacker: Color) -> Value {
    let (ours, theirs) = (material(position, attacker), material(position, !attacker));
    ours - theirs + passed_pawns(position, attacker) - passed_pawns(position, !attacker)
        + captures(position, attacker)
        + king_drive(position, attacker, theirs)
        - too_little(position, attacker, ours, theirs)
}

fn number(n: usize) -> Value {
    (n as u32).cast_signed()
}

/// Returns the king's moves from one square to the other on an empty board.
fn distance(from: Square, to: Square) -> Value {
    from.distance(to).cast_signed()
}

/// Returns the square on which a pawn of this colour promotes.
fn promotion_square(pawn: Square, color: Color) -> Square {
    Square::from_coords(pawn.file(), color.fold_wb(Rank::Eighth, Rank::First))
}

fn material(position: &Position, color: Color) -> Value {
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    roles.into_iter().map(|role| number(position.men(color, role).count()) * value(role)).sum()
}

/// Returns what captures are worth: the best one of the side to move counts in full. The other side will take what is
/// left after one rescue, so its second best counts, and a little of the best.
fn captures(position: &Position, attacker: Color) -> Value {
    let turn = position.turn();
    let (best, _) = best_two(position, turn);
    let (threat, second) = best_two(position, !turn);
    let balance = best - (8 * second + threat) / 10;
    if turn == attacker { balance } else { -balance }
}

/// Returns the two largest gains of captures by a side.
fn best_two(position: &Position, by: Color) -> (Value, Value) {
    let gains = position.exchanges(by).map(|(_, gain)| gain);
    gains.fold((0, 0), |(best, second), gain| (best.max(gain), second.max(gain.min(best))))
}

/// The value of a passed pawn beside its own, by the ranks it has advanced.
const PASSED: [Value; 8] = [0, 1, 2, 5, 10, 20, 35, 0];
/// The value of a pawn that no king can catch, with no other men to stop it. Halved, the search does not hurry to such
/// a pawn; doubled, it gives up pieces for it.
const UNSTOPPABLE: Value = 40;

fn passed_pawns(position: &Position, color: Color) -> Value {
    let enemy_pawns = position.men(!color, Role::Pawn);
    let pieces = position.by_color(!color) & !position.by_role(Role::King) & !enemy_pawns;
    let advanced = |square: Square| match color {
        Color::White => square.rank() as usize,
        Color::Black => 7 - square.rank() as usize,
    };
    let stops =
        |pawn: Square, enemy: Square| pawn.file().distance(enemy.file()) <= 1 && advanced(enemy) > advanced(pawn);
    let value = |pawn: Square| {
        if enemy_pawns.into_iter().any(|enemy| stops(pawn, enemy)) {
            return number(advanced(pawn)) / 2;
        }
        passed_pawn(position, color, pawn, advanced(pawn), pieces.is_empty())
    };
    position.men(color, Role::Pawn).into_iter().map(value).sum()
}

/// Returns the value of one passed pawn. `alone` says that the enemy has no pieces.
fn passed_pawn(position: &Position, color: Color, pawn: Square, advanced: usize, alone: bool) -> Value {
    let last = promotion_square(pawn, color);
    let next = pawn.offset(color.fold_wb(8, -8)).unwrap_or(last);
    let (our_king, their_king) = (position.king(color), position.king(!color));
    let tenths = if position.occupied().contains(next) {
        6
    } else if position.attackers(next, !color, position.occupied()).any() {
        8
    } else {
        10
    };
    let to_move = Value::from(position.turn() != color);
    let escapes = alone && distance(their_king, last) - to_move > 7 - number(advanced);
    let kings = distance(their_king, next) - distance(our_king, next);
    PASSED[advanced] * tenths / 10 + if escapes { UNSTOPPABLE } else { 0 } + kings * 4 / 5
}

/// A defender with less than this has little left. Doubled, the place of his king counts while he still has pieces;
/// halved, only when he is nearly bare.
const LITTLE: Value = 60;

/// Returns what driving the defender's king is worth: to the edge, near the attacker's king, with few flights. Its
/// place counts more when the defender has little left.
fn king_drive(position: &Position, attacker: Color, theirs: Value) -> Value {
    let king = position.king(!attacker);
    let from_centre = |coordinate: usize| (2 * number(coordinate) - 7).abs();
    let (file, rank) = (from_centre(king.file() as usize), from_centre(king.rank() as usize));
    let distance = distance(king, position.king(attacker));
    let place = 50 * file.max(rank) + 15 * file.min(rank) - 60 * distance;
    let flights = number(position.flights_of(!attacker).count());
    (if theirs < LITTLE { 45 } else { 18 } * place / 100 - 21 * flights) / 10
}

/// Returns a deduction where the attacker has no pawns left: he may have too little to mate, or too little more than
/// the defender.
fn too_little(position: &Position, attacker: Color, ours: Value, theirs: Value) -> Value {
    if position.men(attacker, Role::Pawn).any() {
        return 0;
    }
    let few = if ours < value(Role::Rook) { 120 } else { 0 };
    few + if ours - theirs < 40 { 30 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MoveCode;
    use crate::chess::testing::position;

    #[test]
    fn the_factor_doubles_for_every_three_pawns_missing() {
        assert_eq!([300, 200, 170, 140, 155].map(factor_of), [1, 1, 2, 4, 3]);
        assert_eq!(factor_of(Value::MIN / 2), 1 << MAX_DOUBLINGS);
    }

    #[test]
    fn a_remembered_factor_is_that_of_the_position() {
        let mut cache = FactorCache::default();
        for text in
            ["4k3/8/8/8/8/3K4/3R4/8 w - -", "4k3/8/8/8/8/3K4/3R4/6n1 w - -", "7k/8/8/P7/8/8/8/K7 w - -"].repeat(2)
        {
            let position = position(text);
            assert_eq!(cache.factor(&position, Color::White), factor_of(lead(&position, Color::White)));
        }
    }

    #[test]
    fn a_sound_move_leaves_nothing_to_be_taken() {
        let position = position("4k3/8/2p5/3p4/8/8/1P4P1/3RK3 w - -");
        let sound = |from, to| {
            let m = position.find_move(MoveCode::new(from, to, None)).unwrap();
            is_sound(m, &position.play(m))
        };
        assert!(!sound(Square::D1, Square::D5), "a rook for a pawn");
        assert!(sound(Square::D1, Square::D3) && sound(Square::B2, Square::B4));
        assert!(sound(Square::G2, Square::G4));
    }

    #[test]
    fn replies_to_a_check_are_looked_at_one_by_one() {
        // The queen gives check beside the king, once protected and once not.
        let check = |text: &str| {
            let position = position(text);
            let m = position.find_move(MoveCode::new(Square::H5, Square::E8, None)).unwrap();
            is_sound(m, &position.play(m))
        };
        assert!(check("3k4/8/8/7Q/B7/8/8/4K3 w - -"));
        assert!(!check("3k4/8/8/7Q/8/8/8/4K3 w - -"));
    }

    #[test]
    fn a_loss_is_made_good_by_the_next_move() {
        let sound = |text: &str, from, to| {
            let position = position(text);
            let m = position.find_move(MoveCode::new(from, to, None)).unwrap();
            is_sound(m, &position.play(m))
        };
        // The king takes the rook, and the pawn promotes on the square that it has left.
        assert!(sound("7R/2k4P/8/8/8/8/8/2K5 w - -", Square::H8, Square::C8));
        assert!(!sound("7R/2k3bP/8/8/8/8/8/2K5 w - -", Square::H8, Square::C8), "the bishop guards that square");
        assert!(!sound("7R/2k5/7P/8/8/8/8/2K5 w - -", Square::H8, Square::C8));
        // If the pawn takes the bishop, the rook takes the queen.
        assert!(sound("q3k3/8/8/4p3/8/8/3B4/RK6 w - -", Square::D2, Square::F4));
        assert!(!sound("q3k3/8/8/4p3/8/8/3B4/1R2K3 w - -", Square::D2, Square::F4), "nothing attacks the queen");
        assert!(!sound("4k3/8/8/8/8/8/1q2B3/R3K3 w - -", Square::E2, Square::D1), "the queen takes the rook");
    }

    #[test]
    fn where_every_move_loses_something_the_smallest_losses_are_listed() {
        // The bishop attacks the king and the rook, which nothing protects.
        let position = position("4r3/1P2R3/2P1n1k1/2bB4/P7/K7/3B4/7R w - -");
        let moves = least_losses(&position);
        let losses: Vec<_> = moves.iter().map(|(m, after)| loss(*m, after)).collect();
        assert!(position.legal_moves().iter().all(|&m| !is_sound(m, &position.play(m))));
        assert_eq!(losses.iter().max(), Some(&value(Role::Rook)), "{losses:?}");
    }

    #[test]
    fn the_lead_follows_what_wins_an_ending() {
        let of = |text: &str| lead(&position(text), Color::White);
        let base = of("4k3/8/8/8/8/3K4/3R4/8 w - -");
        assert!(base > of("4k3/8/8/8/8/3K4/3R4/6n1 w - -"), "the defender has a knight");
        assert!(base > of("8/8/8/4k3/8/3K4/3R4/8 w - -"), "the king in the centre");
        assert!(base > of("4k3/8/8/8/8/3K4/3N4/8 w - -") + 100, "a knight cannot mate");
        let pawn = of("7k/8/8/P7/8/8/8/K7 w - -");
        assert!(pawn > of("7k/8/8/8/P7/8/8/K7 w - -"), "further advanced");
        assert!(pawn > of("1k6/8/8/P7/8/8/8/K7 w - -") + UNSTOPPABLE / 2, "the king is in its way");
        let unprotected = of("4k3/8/8/3p4/8/8/8/3RK3 w - -");
        assert!(unprotected > of("4k3/8/4p3/3p4/8/8/8/3RK3 w - -") + value(Role::Pawn), "a pawn can be taken");
    }
}
