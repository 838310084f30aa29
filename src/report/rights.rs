//! Castling and en passant rights of a diagram, by the conventions of the Codex for Chess Composition.
//!
//! A diagram shows the men, but not the moves that led to it. The Codex (article 16) says what may be assumed: castling
//! is allowed unless it can be proved that king or rook has moved; a capture en passant is allowed as the first move
//! only if it can be proved that the last move was the double step. A FEN states both rights and is believed by
//! default. `--castling assume` applies the convention, for diagrams whose FEN leaves out castling rights.

use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position as _, Role, Setup, Square};

use crate::problem::epd;
use crate::results::report::Source;

use super::retro::proved_en_passant;

/// The source of castling rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Castling {
    /// As the FEN says
    #[default]
    Fen,
    /// Wherever king and rook are on their original squares, unless the position shows that one of them has moved
    Assume,
    /// Never
    None,
}

impl Castling {
    /// Returns the convention for a line of FEN, EPD or JSON if nobody chooses one: the FEN decides if it has a
    /// castling field; else castling is assumed to be legal, as the Codex says.
    pub fn of_line(line: &str) -> Castling {
        let fields = epd::split(line).0.split_whitespace().count();
        if fields < 3 && !line.trim_start().starts_with('{') { Castling::Assume } else { Castling::Fen }
    }
}

/// A diagram after its castling and en passant rights were decided.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    pub chess: Chess,
    pub castling: Source,
    pub en_passant: Source,
    pub warnings: Vec<String>,
}

/// Decides the castling and en passant rights of a diagram. `proves_en_passant`: the position itself may prove the
/// right to an en passant capture.
pub(super) fn settle(stated: &Chess, castling: Castling, proves_en_passant: bool) -> Settled {
    let mut setup = stated.to_setup(EnPassantMode::Always);
    let mut warnings = Vec::new();
    let source = match castling {
        Castling::Fen => Source::Fen,
        Castling::None => {
            setup.castling_rights = Bitboard::EMPTY;
            Source::None
        }
        Castling::Assume => {
            let added = assumed(&setup) & !setup.castling_rights;
            for rook in added {
                warnings.push(format!("castling with the rook on {rook} is assumed to be possible"));
            }
            setup.castling_rights |= added;
            Source::Assumed
        }
    };
    let en_passant = if setup.ep_square.is_some() {
        Source::Fen
    } else if !proves_en_passant {
        Source::None
    } else {
        // A castling right that the FEN states is a fact: king and rook have not moved. An assumed right proves
        // nothing.
        let unmoved = if castling == Castling::Fen { unmoved(&setup) } else { Bitboard::EMPTY };
        setup.ep_square = proved_en_passant(&setup.board, setup.turn, unmoved);
        setup.ep_square.map_or(Source::None, |_| Source::Proved)
    };
    let chess = rebuilt(setup, stated);
    Settled { chess, castling: source, en_passant, warnings }
}

/// Returns the rooks that may castle, and their kings.
fn unmoved(setup: &Setup) -> Bitboard {
    let rights = setup.castling_rights;
    let kings = Color::ALL.into_iter().filter(|&color| (rights & setup.board.by_color(color)).any());
    kings.filter_map(|color| setup.board.king_of(color)).fold(rights, Bitboard::with)
}

/// Returns the position of `setup`, or the stated one if `setup` is not a position.
fn rebuilt(setup: Setup, stated: &Chess) -> Chess {
    let mode = stated.castles().mode();
    let mode = if setup.castling_rights.is_empty() { CastlingMode::Standard } else { mode };
    Chess::from_setup(setup, mode)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
        .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
        .unwrap_or_else(|_| stated.clone())
}

/// Returns the rooks that may castle by the convention.
fn assumed(setup: &Setup) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let king = color.fold_wb(Square::E1, Square::E8);
        if setup.board.king_of(color) != Some(king) {
            continue;
        }
        let at_home = color.fold_wb([Square::A1, Square::H1], [Square::A8, Square::H8]);
        let mine = at_home
            .into_iter()
            .filter(|&square| setup.board.piece_at(square) == Some(shakmaty::Piece { color, role: Role::Rook }));
        let mine: Bitboard = mine.collect();
        if color == setup.turn || !has_just_moved_king_or_rook(setup, color, mine) {
            rooks |= mine;
        }
    }
    rooks
}

/// Returns whether only the king or the one rook of this side can have made the last move: the side has no other men
/// than pawns on their original squares, which have not moved.
fn has_just_moved_king_or_rook(setup: &Setup, color: Color, rooks: Bitboard) -> bool {
    let home = Bitboard::from(color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh));
    let unmoved = setup.board.by_piece(shakmaty::Piece { color, role: Role::Pawn }) & home;
    let king = Bitboard::from(color.fold_wb(Square::E1, Square::E8));
    rooks.count() == 1 && setup.board.by_color(color) == unmoved | rooks | king
}
