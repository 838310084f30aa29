//! Finds the legal move that a printed text means, in notations such as `Sg1-f3`, `Nf3`, `♘f3`, `exd6`, `b7-b8=S`,
//! `b8S`, `K:f6`, `Dd1-d8`, `0-0`, and pawn captures by their files: `hg`, `e:d`.
//!
//! A text means a move only if it fits exactly one legal move, so most misprints are noticed.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, File, Move, Position as _, Rank, Role, Square};

use crate::base::printable::excerpt;

/// Writes a move in UCI notation. Castling is the king's move by two squares; from the squares of Chess960, where that
/// may be another move, it is king takes rook.
pub fn uci(m: Move) -> String {
    let is_standard = |king: Square, rook: Square| king.file() == File::E && "ah".contains(rook.file().char());
    let is_other = matches!(m, Move::Castle { king, rook } if !is_standard(king, rook));
    m.to_uci(CastlingMode::from_chess960(is_other)).to_string()
}

/// Returns the legal move of a word in the line of a puzzle, which has this index there: in UCI notation, with the
/// signs of a long notation (`h1-h6`), or in any other.
///
/// # Errors
/// A sentence that says why it is none.
pub fn in_line(chess: &Chess, (index, word): (usize, &str)) -> Result<Move, String> {
    let (number, text) = (index + 1, excerpt(word));
    if !is_move(word) {
        return Err(format!("move {number}, \"{text}\", is not a move in UCI notation; write it like e2e4 or e7e8q"));
    }
    find(chess, word).ok_or_else(|| match () {
        () if chess.is_checkmate() => format!("move {number}, \"{text}\", follows a checkmate; end the line there"),
        () => format!("move {number}, \"{text}\", is not legal where it stands; correct it, or the FEN"),
    })
}

/// Reads a move that is written as two squares: `e2e4`, `h1-h6`, `g7xh6`, `e7-e8=Q`.
fn squares(text: &str) -> Option<UciMove> {
    let squares: String = trimmed(text).chars().filter(|c| !"-–x×:*=()".contains(*c)).collect();
    let promotion = squares.len() == 5 && squares.is_ascii();
    if promotion { squares.to_ascii_lowercase().parse().ok() } else { squares.parse().ok() }
}

/// Returns the legal move that this text means, if it is the only one.
pub fn find(chess: &Chess, text: &str) -> Option<Move> {
    match find_all(chess, text)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns all legal moves that this text fits. With several, the text is ambiguous.
pub(crate) fn find_all(chess: &Chess, text: &str) -> Vec<Move> {
    let numbered = text.split_once('.').filter(|(number, _)| number.chars().all(|c| c.is_ascii_digit()));
    let text = numbered.map_or(text, |(_, rest)| rest.trim_start_matches(['.', ' ']));
    if let Some(m) = squares(text).and_then(|m| m.to_move(chess).ok()) {
        return vec![m];
    }
    let text = trimmed(trimmed(text).trim_end_matches("ep.").trim_end_matches("ep"));
    chess.legal_moves().into_iter().filter(|&m| means(text, m)).collect()
}

/// Returns whether a text has the form of a move, in the letters that [`find`] knows.
pub(crate) fn is_move(text: &str) -> bool {
    let text = trimmed(text);
    squares(text).is_some() || castles(text).is_some() || short_capture(text).is_some() || Wanted::read(text).is_some()
}

/// Returns whether a castling is short; `None` if the text is none.
fn castles(text: &str) -> Option<bool> {
    let zeros = text.replace(['O', 'o'], "0").replace(['-', '–'], "");
    ["000", "00"].iter().position(|known| *known == zeros).map(|at| at == 1)
}

/// Splits a text before the man that a pawn becomes.
fn promoted(text: &str) -> (&str, Option<Role>) {
    let role = text.chars().last().and_then(|last| Some((piece(last)?, last.len_utf8())));
    role.map_or((text, None), |(role, length)| (text[..text.len() - length].trim_end_matches('='), Some(role)))
}

/// Removes the marks after a move.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(|c: char| "!?+#‡×:= ".contains(c))
}

fn means(text: &str, m: Move) -> bool {
    // Some write the letter of a pawn, too: "Pb4-b5".
    let pawn = text.strip_prefix('P').filter(|rest| rest.starts_with(|c| matches!(c, 'a'..='h')));
    let text = pawn.unwrap_or(text);
    if let Move::Castle { king, rook } = m {
        return castles(text) == Some(rook.file() > king.file());
    }
    if let Some((from, to, promotion)) = short_capture(text) {
        let files = (m.from().map(Square::file), m.to().file());
        return m.role() == Role::Pawn && files == (Some(from), to) && m.promotion() == promotion;
    }
    let Some(wanted) = Wanted::read(text) else { return false };
    let from = m.from();
    wanted.role == m.role()
        && wanted.to == m.to()
        && wanted.promotion == m.promotion()
        && wanted.file.is_none_or(|file| from.is_some_and(|from| from.file() == file))
        && wanted.rank.is_none_or(|rank| from.is_some_and(|from| from.rank() == rank))
}

/// Reads a pawn's capture that names only the files: `hg`, `e:d`, `gxh=S`.
pub(crate) fn short_capture(text: &str) -> Option<(File, File, Option<Role>)> {
    let (files, promotion) = promoted(text);
    let mut chars = files.chars().filter(|c| !matches!(c, 'x' | ':' | '*' | '×'));
    let (from, to) = (File::from_char(chars.next()?)?, File::from_char(chars.next()?)?);
    let is_short = chars.next().is_none() && files.chars().count() <= 3;
    let is_short = is_short && files.starts_with(from.char()) && files.ends_with(to.char());
    (is_short && from.distance(to) == 1).then_some((from, to, promotion))
}

/// The parts of a move's text.
struct Wanted {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Wanted {
    fn read(text: &str) -> Option<Wanted> {
        let (text, promotion) = promoted(text);
        let (from, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        // The man usually comes first, but if two men can make the move, some write "dRb4" or "5Sf6".
        let role = from.chars().find_map(piece).unwrap_or(Role::Pawn);
        let (mut file, mut rank) = (None, None);
        for c in from.chars().filter(|&c| piece(c).is_none()) {
            match (File::from_char(c), Rank::from_char(c)) {
                (Some(found), _) => file = Some(found),
                (_, Some(found)) => rank = Some(found),
                // A pawn may have a figurine, too.
                _ if matches!(c, '-' | '–' | '*' | 'x' | '×' | ':' | '♙' | '♟' | '\u{fe0e}') => {}
                _ => return None,
            }
        }
        Some(Wanted { role, file, rank, to: to.parse().ok()?, promotion })
    }
}

fn piece(c: char) -> Option<Role> {
    match c {
        'K' | '♔' | '♚' => Some(Role::King),
        // D, T and L are German: Dame, Turm, Läufer.
        'Q' | 'D' | '♕' | '♛' => Some(Role::Queen),
        'R' | 'T' | '♖' | '♜' => Some(Role::Rook),
        'B' | 'L' | '♗' | '♝' => Some(Role::Bishop),
        'S' | 'N' | '♘' | '♞' => Some(Role::Knight),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_notation() {
        let fen: shakmaty::fen::Fen = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1".parse().unwrap();
        let castling: Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
        for (text, expected) in [
            ("0-0-0", "e1c1"),
            ("O-O", "e1g1"),
            ("OO", "e1g1"),
            ("000", "e1c1"),
            ("e5*d6 ep.", "e5d6"),
            ("exd6", "e5d6"),
            ("ed", "e5d6"),
            ("e:d!", "e5d6"),
            ("ba=S", "b7a8n"),
            ("Ke2=", "e1e2"),
            ("♙e5×d6", "e5d6"),
            ("b7*a8=S", "b7a8n"),
            ("b7*a8♞", "b7a8n"),
            ("bxa8Q", "b7a8q"),
            ("b8=R+", "b7b8r"),
            ("Ra1:a8", "a1a8"),
            ("♖a1–a8+", "a1a8"),
            ("Ta8:", "a1a8"),
            ("Ke1-e2!", "e1e2"),
            ("aRd1", "a1d1"),
            ("Th1xh8", "h1h8"),
            ("Pb7-b8=S", "b7b8n"),
            ("Pe5*d6", "e5d6"),
            ("Pe6", "e5e6"),
            ("1.Ra1xa8:", "a1a8"),
            ("12... 0-0", "e1g1"),
            ("h1-h8", "h1h8"),
            ("e1g1", "e1g1"),
        ] {
            assert_eq!(find(&castling, text).map(uci).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "", "ba", "bc", "ee", "edx", "xed", "Qd4", "Rd8", "b7b8", "e9", "Pe7", "PRd1", "P", "é", "♖", "0-0-0-0",
            "Rab1c",
        ] {
            assert_eq!(find(&castling, text), None, "{text}");
        }
    }
}
