//! Men in the notation of problemists: `Kh1`, `Sf3`, and the lists of a diagram.
//!
//! Knights are `S`. Problemists use `N` for the nightrider, a fairy piece, so `N` is not read here. Lists of men
//! contain no castling rights: following the Codex for Chess Composition, castling is allowed if king and rook stand on
//! their original squares, unless the problem says otherwise.

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

use super::twins::{Language, ROLES};

/// Reads one man, such as `Kh1`, with its letter in any case. The letter of a pawn may be missing.
pub(super) fn man(text: &str) -> Option<(Role, Square)> {
    let (letter, square) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let mut letters = letter.chars();
    let role = letters.next().map_or(Some(Role::Pawn), |letter| Language::English.role(letter))?;
    letters.next().is_none().then_some((role, square.parse().ok()?))
}

/// Reads squares that are written without anything between them, as far as there are any. Returns them and the rest.
pub(super) fn squares(text: &str) -> (Vec<Square>, &str) {
    let mut squares = Vec::new();
    let mut rest = text;
    while let Some((pair, after)) = rest.split_at_checked(2)
        && let Ok(square) = pair.to_ascii_lowercase().parse()
    {
        squares.push(square);
        rest = after;
    }
    (squares, rest)
}

/// Returns the squares of a word that consists of nothing else, such as `e5f6`.
pub(super) fn only_squares(text: &str) -> Option<Vec<Square>> {
    let (squares, rest) = squares(text);
    (rest.is_empty() && !squares.is_empty()).then_some(squares)
}

/// Returns the letter that problemists use for a role: `S` for the knight.
pub(super) fn letter(role: Role) -> char {
    if role == Role::Knight { 'S' } else { role.upper_char() }
}

/// Lists the men of a side, such as `Kh1 Qa1 Sf3`: king first, pawns last, each role from the first rank up.
pub fn list(board: &Board, color: Color) -> Vec<String> {
    let men =
        |role| board.by_piece(Piece { color, role }).into_iter().map(move |square| format!("{}{square}", letter(role)));
    ROLES.into_iter().flat_map(men).collect()
}

/// Returns the castling field of a FEN. A side may castle if its king and rook stand on their original squares and
/// neither square is in `barred`.
pub(super) fn castling(board: &Board, barred: &[Square]) -> String {
    let letters = rooks_at_home(board)
        .filter(|&rook| !barred.contains(&rook) && !barred.contains(&Square::from_coords(File::E, rook.rank())))
        .map(|rook| {
            let letter = if rook.file() == File::H { 'k' } else { 'q' };
            if rook.rank() == Rank::First { letter.to_ascii_uppercase() } else { letter }
        });
    let field: String = letters.collect();
    if field.is_empty() { "-".to_owned() } else { field }
}

/// Returns the rooks on a1, h1, a8 and h8 whose own king stands on its original square (e1 or e8).
pub fn rooks_at_home(board: &Board) -> impl Iterator<Item = Square> {
    [Square::H1, Square::A1, Square::H8, Square::A8].into_iter().filter(|rook| {
        let color = Color::from_white(rook.rank() == Rank::First);
        let king = Square::from_coords(File::E, rook.rank());
        board.piece_at(king) == Some(color.king()) && board.piece_at(*rook) == Some(color.rook())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_read_and_written() {
        assert_eq!(man("Sf3"), Some((Role::Knight, Square::F3)));
        assert_eq!((man("pa2"), man("a2")), (Some((Role::Pawn, Square::A2)), Some((Role::Pawn, Square::A2))));
        for text in ["", "K", "Ka9", "Na1", "Royal Ka1", "Gra1", "é1", "Käé"] {
            assert_eq!(man(text), None, "{text}");
        }
        let board = Board::from_ascii_board_fen(b"5Kbk/6pp/6P1/8/8/8/8/7R").unwrap();
        assert_eq!(list(&board, Color::White).join(" "), "Kf8 Rh1 Pg6");
        assert_eq!(list(&board, Color::Black).join(" "), "Kh8 Bg8 Pg7 Ph7");
    }

    #[test]
    fn castling_is_allowed_if_king_and_rook_stand_on_their_squares() {
        let board = Board::from_ascii_board_fen(b"r3k3/8/8/8/8/8/8/R3K2R").unwrap();
        assert_eq!(castling(&board, &[]), "KQq");
        assert_eq!(castling(&board, &[Square::H1, Square::E8]), "Q");
        assert_eq!(castling(&Board::empty(), &[]), "-");
    }
}
