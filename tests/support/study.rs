//! A problem with its shortest mate and its keys, and the themes of the suites in `problems/`.

use matesolve_engine::chess::{Move, MoveList, Moves, NodeKind, Position};
use shakmaty::{
    Bitboard, CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _, Role, Square, san::SanPlus,
};

use super::generator;
use super::random::Random;
use super::reference::Reference;

/// A position with its shortest mate and all keys.
pub struct Study {
    /// The position.
    pub chess: Chess,
    /// The same as the engines take it.
    pub position: Position,
    /// The length of the shortest mate, in moves.
    pub n: u16,
    /// The first moves that mate in `n`.
    pub keys: Vec<Move>,
}

impl Study {
    /// Solves a position. Returns `None` if there is no mate within `bound` moves, or if the node budget is too small.
    pub fn of(chess: &Chess, bound: u16, budget: u64) -> Option<Study> {
        let position = Position::from_chess(chess);
        let mut reference = Reference::new(budget);
        let n = reference.shortest(&position, NodeKind::Or, bound).ok()??;
        let keys = reference.keys(&position, n).ok()?;
        Some(Study { chess: chess.clone(), position, n, keys })
    }

    /// Returns the key if it is the only one.
    pub fn key(&self) -> Option<Move> {
        if let [key] = self.keys[..] { Some(key) } else { None }
    }

    /// Returns whether a move is neither check, capture, promotion nor castling.
    pub fn is_quiet(&self, m: Move) -> bool {
        let mut quiet = MoveList::new();
        self.position.generate(Moves::Quiet, &mut quiet);
        quiet.contains(&m) && m.capture().is_none() && m.promotion().is_none() && !m.is_castle()
    }

    /// Returns a legal move in standard algebraic notation.
    pub fn san(&self, m: Move) -> String {
        let legal = self.chess.legal_moves();
        let found = legal.iter().find(|l| {
            let to = if let shakmaty::Move::Castle { rook, .. } = l { *rook } else { l.to() };
            (l.from(), to, l.promotion()) == (Some(m.from()), m.to(), m.promotion())
        });
        SanPlus::from_move(self.chess.clone(), *found.expect("keys are legal")).to_string()
    }

    /// Returns the keys in standard algebraic notation, sorted.
    pub fn sans(&self) -> String {
        let mut sans: Vec<String> = self.keys.iter().map(|&m| self.san(m)).collect();
        sans.sort_unstable();
        sans.join(" ")
    }
}

/// Returns whether the problem has one key, and the key is quiet.
pub fn quiet_key(study: &Study) -> bool {
    study.n >= 2 && study.key().is_some_and(|key| study.is_quiet(key))
}

/// Returns whether the problem has one key, which is quiet and threatens nothing: the defender is mated because it must
/// move.
pub fn zugzwang(study: &Study) -> bool {
    let Some(key) = study.key().filter(|&key| study.is_quiet(key)) else { return false };
    let after = study.position.play(key);
    let threat = after.pass().map(|passed| Reference::new(400_000).mates(&passed, study.n - 1));
    study.n >= 2 && threat == Some(Ok(false)) && after.count_moves() >= 2
}

/// Returns whether the only key is castling, or the defender's right to castle changes the solution.
pub fn castling(study: &Study) -> bool {
    if study.n < 2 || study.key().is_none() {
        return false;
    }
    let mut setup = study.chess.to_setup(EnPassantMode::Legal);
    setup.castling_rights = Bitboard::EMPTY;
    let stripped =
        Chess::from_setup(setup, CastlingMode::Chess960).ok().and_then(|chess| Study::of(&chess, study.n, 400_000));
    study.keys[0].is_castle()
        || (study.position.castling_rights() & study.position.by_color(!study.position.turn())).any()
            && stripped.is_none_or(|other| other.n != study.n || other.keys != study.keys)
}

/// Returns whether the only key captures en passant, or allows a capture en passant.
pub fn en_passant(study: &Study) -> bool {
    let Some(key) = study.key() else { return false };
    let allows = study.position.play(key).legal_moves().into_iter().any(Move::is_en_passant);
    study.n >= 2 && (key.is_en_passant() || allows)
}

/// Returns whether the only key promotes to a piece other than a queen.
pub fn underpromotion(study: &Study) -> bool {
    study.key().is_some_and(|key| key.promotion().is_some_and(|role| role != Role::Queen))
}

/// Returns whether there is one key, and a solver that takes stalemate for mate finds a shorter mate.
pub fn stalemate_trap(study: &Study) -> bool {
    let fooled = Reference::fooled_by_stalemate(400_000).shortest(&study.position, NodeKind::Or, study.n - 1);
    study.key().is_some() && matches!(fooled, Ok(Some(_)))
}

/// Returns whether the side to move mates within `n` moves with checks only. `left` is a budget of nodes.
pub fn checks_mate(position: &Position, n: u16, left: &mut u32) -> bool {
    let mut checks = MoveList::new();
    position.generate(Moves::Checks, &mut checks);
    checks.into_iter().any(|check| {
        let after = position.play(check);
        *left = left.saturating_sub(1);
        let replies = after.legal_moves();
        *left > 0
            && (replies.is_empty() || n > 1 && replies.into_iter().all(|m| checks_mate(&after.play(m), n - 1, left)))
    })
}

/// Returns whether the mate takes at least five moves and works with checks only.
pub fn long_checks(study: &Study) -> bool {
    study.n >= 5 && study.keys.len() <= 2 && checks_mate(&study.position, study.n, &mut 200_000)
}

/// Removes men as long as the position keeps its length and shows its theme.
pub fn without_idle_men(random: &mut Random, study: Study, budget: u64, shows: &dyn Fn(&Study) -> bool) -> Study {
    let mut best = study;
    let mut squares: Vec<Square> = best.position.occupied().into_iter().collect();
    while !squares.is_empty() {
        let square = squares.swap_remove(random.below(squares.len()));
        let mut setup = best.chess.to_setup(EnPassantMode::Legal);
        if setup.board.role_at(square) == Some(Role::King) || setup.castling_rights.contains(square) {
            continue;
        }
        setup.board.discard_piece_at(square);
        let lighter = generator::playable(setup).and_then(|chess| Study::of(&chess, best.n, budget));
        if let Some(lighter) = lighter.filter(|lighter| lighter.n == best.n && shows(lighter)) {
            best = lighter;
        }
    }
    best
}

/// Writes length and keys as operations.
pub fn sound(study: &Study) -> String {
    format!("dm {}; bm {}", study.n, study.sans())
}

#[test]
fn only_idle_men_are_removed() {
    // The first problem solved by a computer (Prinz 1951), with an idle white pawn on a2.
    let chess = super::chess("5Kbk/6pp/6P1/8/8/8/P7/7R w - - 0 1");
    let study = Study::of(&chess, 2, 100_000).unwrap();
    assert!(quiet_key(&study) && zugzwang(&study) && !underpromotion(&study) && !en_passant(&study));
    let light = without_idle_men(&mut Random(1), study, 100_000, &quiet_key);
    assert_eq!(super::four_fields(&light.chess), "5Kbk/6pp/6P1/8/8/8/8/7R w - -");
    assert_eq!(sound(&light), "dm 2; bm Rh6");
}
