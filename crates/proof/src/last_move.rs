//! The attacker's last move: whether the goal can be reached with it.
//!
//! Refutations ask this often, so only moves that may give check are tried as mates of the defender. The squares from
//! which men give check come from shakmaty's tables of attacks. A test compares the mates with those of a plain search.
//! For other goals every move is tried, until one reaches the goal.

use matesolve_terms::{End, Goal, MoveCode};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Role, Square, attacks};

use super::rules::{self, unsorted_moves};

/// Returns a legal move with which the attacker reaches the goal; he is to move. The goal stands after the move; or
/// after it the defender has a move, and after each that his duties allow the goal stands. Only moves that are not
/// left out are tried.
pub(super) fn solving_move(
    position: &Chess,
    attacker: Color,
    goal: Goal,
    exclusive: &[(Square, Square)],
    left_out: impl Fn(MoveCode) -> bool,
) -> Option<Move> {
    if goal.end == End::Mate && !goal.is_self() {
        return mating_move(position, left_out);
    }
    let stands = |position: &Chess| rules::end(position, attacker, goal, goal.end).is_ok();
    let solves = |m: Move| {
        let next = rules::play(position, m, exclusive);
        if !goal.is_self() {
            return stands(&next);
        }
        let replies = rules::unsorted_replies(&next, goal);
        !replies.is_empty() && replies.iter().all(|&(_, reply)| stands(&rules::play(&next, reply, exclusive)))
    };
    unsorted_moves(position).into_iter().find(|&(code, m)| !left_out(code) && solves(m)).map(|(_, m)| m)
}

/// Returns a legal move that mates.
fn mating_move(position: &Chess, left_out: impl Fn(MoveCode) -> bool) -> Option<Move> {
    let checks = Checks::of(position);
    if !checks.are_possible(position) {
        return None;
    }
    let legal = unsorted_moves(position);
    let mates = |code: MoveCode, m: Move| checks.may_be(m) && !left_out(code) && rules::brings(position, m, End::Mate);
    legal.into_iter().find(|&(code, m)| mates(code, m)).map(|(_, m)| m)
}

/// The squares from which the men of the side to move give check, and those whose moves open a line to the king.
struct Checks {
    /// By role, from pawns on: the squares on which a man of this role attacks the king.
    squares: [Bitboard; 6],
    /// The men that stand between the king and a man of their side that would attack him.
    discoverers: Bitboard,
}

impl Checks {
    fn of(position: &Chess) -> Checks {
        let (board, us) = (position.board(), position.turn());
        let king = board.king_of(!us).unwrap_or(Square::A1);
        let occupied = board.occupied();
        let (diagonals, lines) = (attacks::bishop_attacks(king, occupied), attacks::rook_attacks(king, occupied));
        let squares = [
            attacks::pawn_attacks(!us, king),
            attacks::knight_attacks(king),
            diagonals,
            lines,
            diagonals | lines,
            Bitboard::EMPTY,
        ];
        Checks { squares, discoverers: discoverers(board, us, king) }
    }

    /// Returns whether this legal move may give check. Promotions, captures en passant and castling always may.
    fn may_be(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion: None, .. } => {
                self.discoverers.contains(from) || self.squares[role as usize - 1].contains(to)
            }
            _ => true,
        }
    }

    /// Returns whether a move that gives check is possible. Pins are not looked at.
    fn are_possible(&self, position: &Chess) -> bool {
        let (board, us) = (position.board(), position.turn());
        let (ours, occupied) = (board.by_color(us), board.occupied());
        let pawns = board.pawns() & ours;
        if self.discoverers.any()
            || position.legal_ep_square().is_some()
            || (position.castles().castling_rights() & ours).any()
            || (pawns & us.fold_wb(Bitboard::from(shakmaty::Rank::Seventh), shakmaty::Rank::Second.into())).any()
        {
            return true;
        }
        let reaches = |role: Role, targets: fn(Square, Bitboard) -> Bitboard| {
            let squares = self.squares[role as usize - 1] & !ours;
            squares.any()
                && (board.by_role(role) & ours).into_iter().any(|from| (targets(from, occupied) & squares).any())
        };
        reaches(Role::Knight, |from, _| attacks::knight_attacks(from))
            || reaches(Role::Bishop, attacks::bishop_attacks)
            || reaches(Role::Rook, attacks::rook_attacks)
            || reaches(Role::Queen, attacks::queen_attacks)
            || self.pawns_reach(pawns, us, occupied)
    }

    /// Returns whether a pawn may move to a square on which it gives check. Captures of any square count.
    fn pawns_reach(&self, pawns: Bitboard, us: Color, occupied: Bitboard) -> bool {
        let squares = self.squares[Role::Pawn as usize - 1];
        let step = us.fold_wb(8, -8);
        let once = pawns.shift(step) & !occupied;
        let twice = once.shift(step) & !occupied;
        let captures = pawns.shift(step + 1) | pawns.shift(step - 1);
        (squares & (once | twice | captures)).any()
    }
}

/// Returns the men of `us` that alone stand between the king on `king` and a rook, bishop or queen of their side.
fn discoverers(board: &Board, us: Color, king: Square) -> Bitboard {
    let ours = board.by_color(us);
    let sliders = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
        | attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut discoverers = Bitboard::EMPTY;
    for slider in sliders & ours {
        let between = attacks::between(king, slider) & board.occupied();
        if let Some(square) = between.single_square().filter(|&square| ours.contains(square)) {
            discoverers.add(square);
        }
    }
    discoverers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;
    use crate::rules::legal_moves;
    use matesolve_terms::notation::code;

    #[test]
    fn a_mate_is_found_where_a_plain_search_finds_one() {
        let (mut mates, mut none) = (0, 0);
        for position in played_at_random() {
            let plain: Vec<Move> = legal_moves(&position)
                .into_iter()
                .map(|(_, m)| m)
                .filter(|&m| rules::brings(&position, m, End::Mate))
                .collect();
            let found = mating_move(&position, |_| false);
            assert_eq!(found.is_some(), !plain.is_empty(), "{position:?}");
            assert!(found.is_none_or(|m| plain.contains(&m)), "{position:?}");
            if let [only] = plain[..] {
                assert_eq!(mating_move(&position, |left_out| left_out == code(only)), None, "{position:?}");
            }
            *if plain.is_empty() { &mut none } else { &mut mates } += 1;
        }
        assert!(mates > 300 && none > 300, "{mates} {none}");
    }

    /// Returns the positions of games of random moves.
    fn played_at_random() -> Vec<Chess> {
        let starts = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/2P1P1P1/8/3k4/8/8/1p1p1p2/4K3 w - - 0 1",
            "3k4/8/8/8/8/1Q4n1/8/R3K2R w KQ - 0 1",
            "4k3/pppp4/8/8/8/2R5/3PPPP1/1B1NK3 w - - 0 1",
        ];
        let (mut seed, mut positions) = (1u64, Vec::new());
        for game in 0..300 {
            let mut position = parse_position(starts[game % starts.len()]).unwrap();
            for _ in 0..80 {
                let legal = legal_moves(&position);
                positions.push(position.clone());
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let Some(&(_, m)) = legal.get((seed >> 33) as usize % legal.len().max(1)) else { break };
                position.play_unchecked(m);
            }
        }
        positions
    }

    #[test]
    fn special_moves_may_mate() {
        for (fen, mates) in [
            // Castling, a capture en passant, a promotion, a discovered check, a pinned rook that cannot mate.
            ("8/8/8/8/8/8/2R1PPP1/R3K1qk w Q - 0 1", false),
            ("5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1", true),
            ("4rkr1/R7/8/8/8/8/6P1/5KR1 w Kk - 0 1", true),
            ("7R/7p/5P1k/4PKpP/8/8/8/8 w - g6 0 1", false),
            ("3k4/1P1P4/3K4/8/8/8/8/8 w - - 0 1", true),
            ("k7/P7/K7/8/8/8/8/1N1B4 w - - 0 1", true),
            ("3rkr2/3p1p2/8/8/1b6/8/3R4/4K3 w - - 0 1", false),
        ] {
            let position = parse_position(fen).unwrap();
            let plain = legal_moves(&position).into_iter().any(|(_, m)| rules::brings(&position, m, End::Mate));
            assert_eq!((plain, mating_move(&position, |_| false).is_some()), (mates, mates), "{fen}");
        }
    }

    #[test]
    fn other_goals_are_tried_move_by_move() {
        let solving = |fen: &str, attacker, goal| {
            let position = parse_position(fen).unwrap();
            solving_move(&position, attacker, goal, &[], |_| false).map(|m| rules::san(&position, m))
        };
        let white = Color::White;
        assert_eq!(solving("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", white, Goal::STALEMATE).as_deref(), Some("Qf4"));
        assert_eq!(solving("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", white, Goal::SELFMATE), None);
        let selfmate = "8/8/8/8/8/1pk5/pr6/K7 w - - 0 1";
        assert_eq!(solving(selfmate, white, Goal::SELFMATE), None);
    }
}
