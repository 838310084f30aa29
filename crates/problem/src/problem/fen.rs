//! Reads FENs, and decides which positions are accepted, accepted with a warning, or refused.
//!
//! Problems are not games. Nine pawns or four men that give check at once cannot occur in a game, but the question "is
//! there a mate?" has an answer, so such positions are solved with a warning. Positions that the rules of chess cannot
//! *play* are refused: a side without a king or with two, a pawn on the first or last rank, a king that could be taken
//! (for help play see `turn`). Rights that cannot be used (castling without the rook, en passant without the pawn) are
//! dropped, and a warning names them: one wrong letter can make a sound problem unsound.
//!
//! The text may have one field (the board) to six. Castling rights may be written as `KQkq`, as rook files (Shredder:
//! `HAha`) or mixed (X-FEN), also for Chess960.

use std::borrow::Cow;

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece, Position as _,
    PositionErrorKinds, Rank, Role, Setup, Square,
};

use super::ProblemError;
use super::twins::side_name;
use crate::base::printable::excerpt;
use crate::chess::tolerated;

/// The warning for a FEN that does not say who is to move. In help play the stipulation says it, and no warning is
/// needed.
pub const UNNAMED: &str = "the FEN does not say who is to move; White is";

/// A position that can be played, with warnings about it.
#[derive(Debug, Clone, Default)]
pub struct FenDiagram {
    /// The position. Its castling mode is Chess960 only if one of its castling rights needs that.
    pub chess: Chess,
    /// Sentences about what is unusual in the position, and about rights that were dropped.
    pub warnings: Vec<String>,
    /// Whether a right of the text was dropped.
    pub drops_rights: bool,
}

impl FenDiagram {
    /// Adds a sentence about a right that is dropped.
    fn dropped(&mut self, sentence: String) {
        self.warnings.push(sentence);
        self.drops_rights = true;
    }

    /// Returns the FEN of the position, with six fields and without the rights that were dropped.
    pub fn fen(&self) -> String {
        shakmaty::fen::Fen::from_position(&self.chess, EnPassantMode::Always).to_string()
    }
}

/// Lists squares for a sentence: `a1, b2 and c3`.
fn squares(set: Bitboard) -> String {
    let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Returns the name of a side, as a sentence begins with it.
pub(super) fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Words that may stand after the name of the side to move.
pub(super) const AFTER_A_SIDE: [&str; 8] = ["to", "move", "moves", "play", "plays", "begins", "am", "zug"];

/// Writes the fields of a FEN at the beginning of a text as the standard has them: a side that is named in words
/// (`white to move`, `White`, `W`) by its letter, and a long dash as a short one.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let mut fields = text.split_whitespace().skip(1);
    let is_plain = matches!(fields.next(), None | Some("w" | "b")) && fields.take(2).all(str::is_ascii);
    let (Some((board, rest)), false) = (text.trim_start().split_once(char::is_whitespace), is_plain) else {
        return Cow::Borrowed(text);
    };
    let (side, mut rest) = next_word(rest);
    let letter = match side {
        "w" | "W" => "w",
        "b" | "B" => "b",
        word => match side_name(word) {
            Some(color) => {
                while let (next, after) = next_word(rest)
                    && AFTER_A_SIDE.iter().any(|word| next.eq_ignore_ascii_case(word))
                {
                    rest = after;
                }
                color.fold_wb("w", "b")
            }
            None => return Cow::Borrowed(text),
        },
    };
    let mut plain = format!("{board} {letter}");
    for _ in 0..2 {
        let (dash, after) = next_word(rest);
        if matches!(dash, "–" | "—" | "−") {
            plain.push_str(" -");
            rest = after;
        } else if dash.len() <= 4 && dash.is_ascii() && !dash.is_empty() && !dash.ends_with(';') {
            plain.extend([" ", dash]);
            rest = after;
        }
    }
    Cow::Owned(format!("{plain} {}", rest.trim_start()).trim_end().to_owned())
}

/// Splits a text after its first word.
fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Reads a FEN of one to six fields. Missing fields count as `w`, `-`, `-`, `0` and `1`.
///
/// # Errors
/// A sentence that says what is wrong, where, and how to correct it.
pub fn read(text: &str) -> Result<FenDiagram, ProblemError> {
    match read_of_either_side(text)? {
        (diagram, None) => Ok(diagram),
        (_, Some(fault)) => Err(fault.into()),
    }
}

/// Reads a FEN like [`read`]. If the side to move could take the king, the diagram is that with the other side to move,
/// and the fault stands beside it: in help play the stipulation says who begins, and not the FEN.
pub(super) fn read_of_either_side(text: &str) -> Result<(FenDiagram, Option<String>), ProblemError> {
    let mut fields = text.split_whitespace();
    let nothing = "there is no position here; a FEN is expected, for example \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"";
    let board = board(fields.next().ok_or(nothing)?)?;
    let named = fields.next();
    let turn = match named {
        None | Some("w") => Color::White,
        Some("b") => Color::Black,
        Some(other) => {
            let other = excerpt(other);
            return Err(format!("the side to move is \"{other}\"; the second field of a FEN is w or b").into());
        }
    };
    check_men(&board)?;
    let fault = taken_king(&board, turn);
    let warnings = named.is_none().then(|| UNNAMED.to_owned()).into_iter().collect();
    let mut diagram = FenDiagram { warnings, ..FenDiagram::default() };
    let setup = Setup { board, turn: if fault.is_some() { !turn } else { turn }, ..Setup::empty() };
    match (set_up_with(setup, fields, &mut diagram), fault) {
        (Ok(()), fault) => Ok((diagram, fault)),
        (Err(why), fault) => Err(fault.unwrap_or(why).into()),
    }
}

/// Reads the fields after the side to move, and creates the position.
fn set_up_with<'a>(
    mut setup: Setup,
    mut fields: impl Iterator<Item = &'a str>,
    diagram: &mut FenDiagram,
) -> Result<(), String> {
    taken_king(&setup.board, setup.turn).map_or(Ok(()), Err)?;
    setup.castling_rights = castling(&setup.board, fields.next().unwrap_or("-"), diagram)?;
    setup.ep_square = match fields.next() {
        None | Some("-") => None,
        Some(field) => Some(field.parse().map_err(|_| {
            let field = excerpt(field);
            format!("the en passant field \"{field}\" is not a square; write one such as e6, or -")
        })?),
    };
    if let Some(field) = fields.next() {
        setup.halfmoves = counter("halfmove clock", field)?;
    }
    if let Some(field) = fields.next() {
        setup.fullmoves = counter("move number", field)?.try_into().unwrap_or(setup.fullmoves);
    }
    if let Some(field) = fields.next() {
        return Err(format!("\"{}\" follows the sixth field of the FEN; remove it", excerpt(field)));
    }
    diagram.chess = set_up(setup, diagram)?;
    Ok(())
}

/// Reads a move counter.
fn counter(name: &str, field: &str) -> Result<u32, String> {
    let why = |_| format!("the {name} \"{}\" is not a number; write one, or leave both counters out", excerpt(field));
    field.parse().map_err(why)
}

/// Reads the board field. An error is a sentence.
fn board(field: &str) -> Result<Board, String> {
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        let (count, s) = (ranks.len(), if ranks.len() == 1 { "" } else { "s" });
        return Err(format!(
            "\"{}\" has {count} rank{s} and not 8; a board is eight ranks separated by /, for example \
             5Kbk/6pp/6P1/8/8/8/8/7R",
            excerpt(field)
        ));
    }
    // Problemists write S for the knight. Where an N stands too, S may be any fairy man.
    let has_s = field.contains(['S', 's']) && !field.contains(['N', 'n']);
    let man = |c: char| match c {
        'S' | 's' if has_s => Role::Knight.of(Color::from_white(c == 'S')).into(),
        c => Piece::from_char(c),
    };
    let mut board = Board::empty();
    for (text, rank) in ranks.iter().zip(Rank::ALL.into_iter().rev()) {
        let wrong = |what: String| format!("rank {} of the board, \"{}\", {what}", rank.char(), excerpt(text));
        let mut file = 0;
        for c in text.chars() {
            match (c, man(c)) {
                ('1'..='8', _) => file += u32::from(c) - u32::from('0'),
                (_, Some(piece)) if file < 8 => {
                    board.set_piece_at(Square::from_coords(File::new(file), rank), piece);
                    file += 1;
                }
                (_, Some(_)) => file += 1,
                // Some programs mark promoted men with ~. The mark makes no difference to a mate.
                ('~', _) => {}
                _ => return Err(wrong(format!("contains \"{c}\"; men are KQRBNP and kqrbnp, empty squares 1 to 8"))),
            }
        }
        if file != 8 {
            return Err(wrong(format!("describes {file} squares and not 8; correct its men or its numbers")));
        }
    }
    Ok(board)
}

/// Refuses positions that the rules of chess cannot play, whatever their rights are.
fn check_men(board: &Board) -> Result<(), String> {
    for color in Color::ALL {
        let (kings, name) = (board.by_piece(Role::King.of(color)), name(color));
        match kings.count() {
            0 if color.is_black() => return Err(format!("{name} has no king; add k to the board")),
            0 => {
                let why = "composers do without White's king where the rules need none, but matesolve needs both kings";
                return Err(format!("{name} has no king; add K to the board ({why})"));
            }
            1 => {}
            count => return Err(format!("{name} has {count} kings, on {}; leave one", squares(kings))),
        }
    }
    let pawns = board.pawns() & Bitboard::BACKRANKS;
    if pawns.is_empty() {
        return Ok(());
    }
    let (are, them) = if pawns.count() == 1 { ("is a pawn", "it") } else { ("are pawns", "them") };
    Err(format!("there {are} on {}, where no pawn can stand; move or promote {them}", squares(pawns)))
}

/// Says that this side, which is to move, could take the king; `None` if it could not.
fn taken_king(board: &Board, turn: Color) -> Option<String> {
    let king = board.king_of(!turn)?;
    let attackers = board.attacks_to(king, turn, board.occupied());
    let (turn, by, other, letter) = (name(turn), squares(attackers), name(!turn), (!turn).char());
    let advice = format!("give the move to {other} ({letter}) or shield the king");
    attackers.any().then(|| format!("{turn} is to move and could take the king on {king} (from {by}); {advice}"))
}

/// Reads the castling field and returns the squares of the rooks with a right. A right without king and rook on their
/// squares is dropped with a warning.
fn castling(board: &Board, field: &str, remarks: &mut FenDiagram) -> Result<Bitboard, String> {
    let mut rights = Bitboard::EMPTY;
    if field == "-" {
        return Ok(rights);
    }
    for letter in field.chars() {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let lower = letter.to_ascii_lowercase();
        if !matches!(lower, 'k' | 'q' | 'a'..='h') {
            return Err(format!(
                "the castling field \"{}\" contains \"{letter}\"; write any of KQkq, the rooks' files (HAha), or - for \
                 none",
                excerpt(field)
            ));
        }
        match castling_rook(board, color, lower) {
            Some(rook) if !rights.contains(rook) => rights.add(rook),
            Some(_) => {}
            None => remarks.dropped(format!(
                "the castling right {letter} is dropped: {}'s king and the rook for it are not on their squares",
                name(color)
            )),
        }
    }
    Ok(rights)
}

/// Returns the rook that a castling letter names: for `k` and `q` the outermost rook on that side of the king, for
/// another letter the rook on that file.
fn castling_rook(board: &Board, color: Color, letter: char) -> Option<Square> {
    let king = board.king_of(color).filter(|king| king.rank() == color.backrank())?;
    let rooks = board.by_piece(color.rook()) & color.backrank();
    match letter {
        'k' => rooks.last().filter(|rook| rook.file() > king.file()),
        'q' => rooks.first().filter(|rook| rook.file() < king.file()),
        file => File::from_char(file).map(|file| Square::from_coords(file, color.backrank())),
    }
    .filter(|&rook| rooks.contains(rook))
}

/// Creates the position with shakmaty. Errors that do not prevent play become warnings.
fn set_up(setup: Setup, remarks: &mut FenDiagram) -> Result<Chess, String> {
    let mode = CastlingMode::detect(&setup);
    let (stated_ep, stated_rights) = (setup.ep_square, setup.castling_rights);
    let error = match Chess::from_setup(setup, mode) {
        Ok(chess) => return Ok(chess),
        Err(error) => error,
    };
    let kinds = error.kinds();
    let chess = tolerated(Err(error)).map_err(|why| format!("the position cannot be played: {why}"))?;
    if kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL) {
        remarks.warnings.push("a side has more men than a game can give it; solved as it stands".to_owned());
    }
    if kinds.contains(PositionErrorKinds::IMPOSSIBLE_CHECK) {
        remarks
            .warnings
            .push(format!("no game can lead to this check (from {}); solved as it stands", squares(chess.checkers())));
    }
    if let (true, Some(square)) = (kinds.contains(PositionErrorKinds::INVALID_EP_SQUARE), stated_ep) {
        remarks.dropped(format!("the en passant square {square} is dropped: no pawn has just passed over it"));
    }
    if kinds.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
        let lost = stated_rights & !chess.castles().castling_rights();
        remarks.dropped(format!("castling with the rook on {} is dropped: another rook has the right", squares(lost)));
    }
    Ok(chess)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(fen: &str) -> String {
        read(fen).unwrap_err().to_string()
    }

    #[test]
    fn four_and_six_fields_are_read_and_kept() {
        for fen in
            ["8/3k4/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/5pP1/8/8/4K3 b - g3 0 17", "8/8/8/8/8/5k2/8/7K w - - 3 9"]
        {
            let diagram = read(fen).unwrap();
            assert_eq!((diagram.fen().as_str(), diagram.warnings.len()), (fen, 0));
        }
        assert_eq!(read("8/3k4/8/8/8/8/8/R3K2R w KQ -").unwrap().fen(), "8/3k4/8/8/8/8/8/R3K2R w KQ - 0 1");
    }

    #[test]
    fn castling_rights_are_read_in_every_notation() {
        for rights in ["HA", "KQ", "HQ"] {
            let diagram = read(&format!("8/3k4/8/8/8/8/8/R3K2R w {rights} - 0 1")).unwrap();
            assert!(diagram.chess.castles().mode().is_standard(), "{rights}");
            assert_eq!(diagram.chess.castles().castling_rights().count(), 2, "{rights}");
        }
        let inner = read("7k/8/8/8/8/8/8/1R1K1RR1 w F - 0 1").unwrap();
        assert!(inner.chess.castles().mode().is_chess960());
        assert_eq!(inner.chess.castles().castling_rights(), Bitboard::from(Square::F1));
        assert_eq!(inner.fen(), "7k/8/8/8/8/8/8/1R1K1RR1 w F - 0 1");
    }

    #[test]
    fn rights_that_cannot_be_used_are_dropped_with_a_warning() {
        let diagram = read("8/3k4/8/8/8/8/8/4K2R w KQk e6 0 1").unwrap();
        assert_eq!(diagram.fen(), "8/3k4/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(diagram.warnings.len(), 3, "{:?}", diagram.warnings);
        assert!(diagram.warnings[0].contains("right Q") && diagram.warnings[1].contains("right k"));
        assert!(diagram.warnings[2].contains("e6"));
        let two_on_a_side = read("k7/8/8/8/8/8/8/1K3R1R w HF - 0 1").unwrap();
        assert_eq!(two_on_a_side.warnings, ["castling with the rook on f1 is dropped: another rook has the right"]);
    }

    #[test]
    fn positions_that_no_game_can_reach_are_accepted_with_a_warning() {
        assert!(read("k6Q/8/8/8/QQQQQQQQ/QQQ5/8/7K b - - 0 1").is_ok_and(|d| d.warnings.len() >= 2));
        assert_eq!(read("8/PPPPPPPP/P7/8/8/8/8/K6k w - - 0 1").unwrap().warnings.len(), 1);
    }

    #[test]
    fn unplayable_positions_are_refused_with_the_square_and_the_correction() {
        let cases = [
            ("", "there is no position"),
            ("hello", "\"hello\" has 1 rank and not 8"),
            ("8/8/8/8/8/8/8 w - -", "7 ranks and not 8"),
            ("8/8/8/9/8/8/8/8 w - -", "rank 5 of the board, \"9\", contains \"9\""),
            ("8/8/8/7/8/8/8/8 w - -", "describes 7 squares"),
            ("8/8/8/pppppppppp/8/8/8/8 w - -", "describes 10 squares"),
            ("8/8/8/8/8/8/8/K6k x - -", "the side to move is \"x\""),
            ("8/8/8/8/8/8/8/K6k w Z -", "contains \"Z\""),
            ("8/8/8/8/8/8/8/K6k w - e9", "the en passant field \"e9\""),
            ("8/8/8/8/8/8/8/K6k w - - a 1", "halfmove clock \"a\""),
            ("8/8/8/8/8/8/8/K6k w - - 1 b", "move number \"b\""),
            ("8/8/8/8/8/8/8/K6k w - - 1 1 1", "follows the sixth field"),
            ("8/8/8/8/8/8/8/7k w - -", "White has no king; add K to the board (composers do without White's king"),
            ("8/8/8/8/8/8/8/7K w - -", "Black has no king; add k"),
            ("8/8/8/8/8/8/8/KK5k w - -", "White has 2 kings, on a1 and b1; leave one"),
            ("kkkkkkkk/kkkkkkkk/kkkkkkkk/kkkkkk2/8/8/8/K7 w - -", "Black has 30 kings"),
            ("P6p/8/8/8/8/8/8/K6k w - -", "there are pawns on a8 and h8"),
            (
                "8/8/8/8/8/8/8/K5Rk w - -",
                "White is to move and could take the king on h1 (from g1); give the move to Black (b)",
            ),
        ];
        for (fen, expected) in cases {
            let message = error(fen);
            assert!(message.contains(expected), "{fen}: {message}");
        }
    }

    #[test]
    fn the_side_to_move_may_be_named_in_words_and_dashes_may_be_long() {
        let board = "5Kbk/6pp/6P1/8/8/8/8/7R";
        for (text, expected) in [
            ("w - - 0 1", "w - - 0 1"),
            ("white to move", "w"),
            ("White", "w"),
            ("W – –", "w - -"),
            ("b — e3 dm 2;", "b - e3 dm 2;"),
            ("Black to play - - dm  2; id \"a  b\";", "b - - dm  2; id \"a  b\";"),
            ("weiß am Zug", "w"),
            ("x - -", "x - -"),
            ("dm 2;", "dm 2;"),
        ] {
            assert_eq!(plain(&format!("{board} {text}")), format!("{board} {expected}"), "{text}");
        }
        assert_eq!(plain(board), board);
    }
}
