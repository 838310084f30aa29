//! What a mate problem shows: its shortest mate, its keys, and the themes the suites are named for.
#![allow(dead_code, reason = "the composer and the tests of the suites look at different themes")]

use matesolve::chess::{Move, MoveList, Moves, NodeKind, Position};
use shakmaty::{
    Bitboard, CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _, Role, fen::Epd, san::SanPlus,
};

use crate::reference::Reference;

/// A position with its shortest mate and all keys.
pub struct Study {
    pub chess: Chess,
    pub position: Position,
    pub n: u16,
    pub keys: Vec<Move>,
}

impl Study {
    /// `None` if there is no mate within `bound`, or it cannot be said within the budget.
    pub fn of(chess: &Chess, bound: u16, budget: u64) -> Option<Study> {
        let position = Position::from_chess(chess);
        let mut reference = Reference::new(budget);
        let n = reference.shortest(&position, NodeKind::Or, bound).ok()??;
        let keys = reference.keys(&position, n).ok()?;
        Some(Study { chess: chess.clone(), position, n, keys })
    }

    /// The only key.
    pub fn key(&self) -> Option<Move> {
        if let [key] = self.keys[..] { Some(key) } else { None }
    }

    pub fn is_quiet(&self, m: Move) -> bool {
        let mut quiet = MoveList::new();
        self.position.generate(Moves::Quiet, &mut quiet);
        quiet.contains(&m) && m.capture().is_none() && m.promotion().is_none() && !m.is_castle()
    }

    pub fn san(&self, m: Move) -> String {
        let legal = self.chess.legal_moves();
        let found = legal.iter().find(|l| {
            let to = if let shakmaty::Move::Castle { rook, .. } = l { *rook } else { l.to() };
            (l.from(), to, l.promotion()) == (Some(m.from()), m.to(), m.promotion())
        });
        SanPlus::from_move(self.chess.clone(), *found.expect("keys are legal")).to_string()
    }

    pub fn sans(&self) -> String {
        let mut sans: Vec<String> = self.keys.iter().map(|&m| self.san(m)).collect();
        sans.sort_unstable();
        sans.join(" ")
    }
}

pub fn fields(chess: &Chess) -> String {
    Epd::from_position(chess, EnPassantMode::Legal).to_string()
}

/// A quiet single key.
pub fn quiet_key(study: &Study) -> bool {
    study.n >= 2 && study.key().is_some_and(|key| study.is_quiet(key))
}

/// A quiet single key after which nothing is threatened: the defender is mated because he must move.
pub fn zugzwang(study: &Study) -> bool {
    let Some(key) = study.key().filter(|&key| study.is_quiet(key)) else { return false };
    let after = study.position.play(key);
    let threat = after.pass().map(|passed| Reference::new(400_000).mates(&passed, study.n - 1));
    study.n >= 2 && threat == Some(Ok(false)) && after.count_moves() >= 2
}

/// Castling is the key, or the defender's right to it alters the solution.
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

/// The key captures en passant, or allows it.
pub fn en_passant(study: &Study) -> bool {
    let Some(key) = study.key() else { return false };
    let allows = study.position.play(key).legal_moves().into_iter().any(Move::is_en_passant);
    study.n >= 2 && (key.is_en_passant() || allows)
}

pub fn underpromotion(study: &Study) -> bool {
    study.key().is_some_and(|key| key.promotion().is_some_and(|role| role != Role::Queen))
}

/// Who takes stalemate for mate finds something shorter.
pub fn stalemate_trap(study: &Study) -> bool {
    let fooled = Reference::fooled_by_stalemate(400_000).shortest(&study.position, NodeKind::Or, study.n - 1);
    study.key().is_some() && matches!(fooled, Ok(Some(_)))
}

/// Whether checks alone mate within `n`.
fn checks_mate(position: &Position, n: u16, left: &mut u32) -> bool {
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

pub fn long_checks(study: &Study) -> bool {
    study.n >= 5 && study.keys.len() <= 2 && checks_mate(&study.position, study.n, &mut 200_000)
}
