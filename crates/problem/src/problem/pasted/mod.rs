//! Understands one position in the forms in which people paste it.
//!
//! People copy positions from chess programs, web pages, source code and engine logs. All of these become one line
//! that [`Problem::read`] reads:
//!
//! | text | example |
//! |---|---|
//! | FEN, EPD or JSON | `5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;` |
//! | in quotes, with `_` for spaces, after `fen` | `"5Kbk/6pp/6P1/8/8/8/8/7R_w_-_-"` |
//! | a UCI command | `position startpos moves e2e4`, `startpos` |
//! | a game | `[FEN "…"]`, `1. e4 e5 2. Nf3` (see `pgn`) |
//! | moves from the initial position | `e4 e5 Bc4` |
//! | a drawing, or a list of men | `White: Kf8 Rh1 g6 Black: Kh8 Bg8 g7 h7` (see `diagram`) |
//! | with signs around it, and words behind it | `[d]5Kbk/… mate in 2` (see `bare`) |
//! | an address | `https://lichess.org/analysis/…` (see `address`) |
//!
//! A game, and a list of moves, give their last position, or that after a number of half-moves; `pgn` has the
//! exceptions. A position with its name above and its solution below is a matter of `input`.
//!
//! To accept another form of a pasted position: a reader here, and a row in `docs/formats.md`.

mod address;
mod bare;
mod diagram;
mod movetext;
mod pgn;

pub(super) use address::read as address;
pub(super) use bare::{is_name, of_question, question_in_words, read as bare};
pub(super) use pgn::{beside as moves_beside, fen as fen_of_game, name as name_of_game};

use serde_json::Value;
use shakmaty::{Chess, EnPassantMode, Move, Position as _, fen::Fen, san::SanPlus};

use super::moves::find;
use super::{Asked, Problem, ProblemError};
use crate::base::printable::excerpt;
use movetext::Movetext;

/// A pasted text as one line of FEN, EPD or JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pasted {
    /// The line. A FEN has as many fields as the text has; that of a position after moves has six.
    pub line: String,
    /// Sentences about what is unusual in the text.
    pub warnings: Vec<String>,
    /// The moves of the solution that stands beside the position; empty without one.
    pub solution: String,
    /// Whether the position comes from playing moves.
    pub is_game: bool,
}

/// The error for a text without moves of which a half-move is asked for.
pub(super) const NO_MOVES: &str = "--ply chooses a position of a game, and there are no moves here; leave it out";

/// Returns the error of a move that is not legal: that of the half-move with this index.
fn illegal(index: usize, text: &str) -> ProblemError {
    let (number, text) = (index + 1, excerpt(text));
    ProblemError::Text(format!("half-move {number}, \"{text}\", is not legal there; correct the moves before it"))
}

/// Turns a pasted text into one line of FEN, EPD or JSON. `ply` is the number of half-moves to play of a game, from 0;
/// `None` plays all.
///
/// ```
/// use matesolve_problem::problem::pasted;
///
/// let line = |text| pasted::read(text, None).map(|pasted| pasted.line);
/// assert_eq!(line("fen: 5Kbk/6pp/6P1/8/8/8/8/7R_w_-_-").as_deref(), Ok("5Kbk/6pp/6P1/8/8/8/8/7R w - -"));
/// let game = line("1. e4 e5").unwrap();
/// assert_eq!(game, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
/// ```
pub fn read(text: &str, ply: Option<usize>) -> Result<Pasted, ProblemError> {
    let text = unquoted(text.trim_start_matches('\u{feff}').trim());
    if text.starts_with('{') && ["\"fen\"", "\"puzzle\""].iter().any(|field| text.contains(field)) {
        return plain(text.to_owned(), ply);
    }
    if let Some(line) = bare::with_board(text) {
        return plain(line.to_owned(), ply);
    }
    if pgn::is_game(text) {
        return pgn::read(text, ply);
    }
    if let Some(found) = address::read(text, ply) {
        return found;
    }
    if let Some(shown) = diagram::read(text) {
        let shown = shown?;
        return Ok(Pasted { line: plain(shown.line.clone(), ply)?.line, ..shown });
    }
    let text = with_spaces(text);
    let rest = &*with_spaces(without_prefix(&text));
    if let Some(moves) = rest.strip_prefix("startpos") {
        return after_moves(Problem::default(), moves, ply);
    }
    if let Some((fen, moves)) = rest.split_once(" moves") {
        return after_moves(Problem::read(fen)?, moves, ply);
    }
    let board = rest.split_whitespace().next().unwrap_or_default();
    if board.parse::<SanPlus>().is_ok_and(|first| first.san.to_move(&Chess::default()).is_ok()) {
        return pgn::read(rest, ply);
    }
    if !board.is_empty() && !board.contains('/') {
        return Err(ProblemError::Text(format!(
            "\"{}\" is not a position; a FEN is expected, eight ranks separated by / and the side to move, for example \
             \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"",
            excerpt(rest)
        )));
    }
    plain(rest.to_owned(), ply)
}

/// Reads the problem of a pasted text, as [`read`] understands it. Returns its line too.
///
/// # Errors
/// As [`read`] and [`Problem::read`].
pub fn problem(text: &str, ply: Option<usize>) -> Result<(Problem, String), ProblemError> {
    problem_asked(text, ply, &Asked::default())
}

/// Reads the problem of a pasted text like [`problem`], with what these parts ask beside it.
///
/// # Errors
/// As [`problem`]. A position in which the side to move could take the king is none if the question lets the other side
/// begin.
pub fn problem_asked(text: &str, ply: Option<usize>, told: &Asked) -> Result<(Problem, String), ProblemError> {
    let pasted = read(text, ply)?;
    let read = match pasted.solution.as_str() {
        "" => Problem::read(&pasted.line),
        moves => Problem::read_beside(&pasted.line, "", moves),
    };
    let mut problem = told.of(read)?;
    // The first position of a game may have the same warnings as the one that is solved.
    let new: Vec<String> = pasted.warnings.into_iter().filter(|text| !problem.warnings.contains(text)).collect();
    problem.warnings.splice(0..0, new);
    problem.is_game = pasted.is_game;
    Ok((problem, pasted.line))
}

/// Reads the position of the object with which lichess answers a question about a puzzle: the game up to the position
/// in which the solver is to move.
///
/// # Errors
/// A field is missing, or the game cannot be read.
pub fn of_lichess(game: &Value, puzzle: &Value) -> Result<Problem, ProblemError> {
    let missing = |what: &str| ProblemError::from(format!("the field {what}; add it"));
    let pgn = game.get("pgn").and_then(Value::as_str);
    let pgn = pgn.ok_or_else(|| missing("\"game.pgn\" is missing or not a text"))?;
    // The half-moves of the game are counted from 0, so this is the number of the last one.
    let last = puzzle.get("initialPly").and_then(Value::as_u64).and_then(|ply| usize::try_from(ply).ok());
    let last = last.filter(|&last| last < usize::MAX);
    let last = last.ok_or_else(|| missing("\"puzzle.initialPly\" is missing or no number"))?;
    let (problem, _) = self::problem(pgn, Some(last + 1))?;
    Ok(Problem { id: puzzle.get("id").and_then(Value::as_str).map(str::to_owned), ..problem })
}

/// Returns a line that states its position without moves.
fn plain(line: String, ply: Option<usize>) -> Result<Pasted, ProblemError> {
    match ply {
        Some(_) => Err(NO_MOVES.into()),
        None => Ok(Pasted { line, ..Pasted::default() }),
    }
}

/// Plays the moves of a line from a position, with or without their numbers. Returns the position after them, too.
pub fn line(text: &str, start: &Chess) -> Result<(Vec<Move>, Chess), ProblemError> {
    let is_separated = text.contains(';') && !text.contains(['.', '\n']);
    let text = if is_separated { text.replace(';', " ") } else { text.to_owned() };
    let moves = Movetext::read(&text, start.turn().is_black())?;
    if !moves.rest.trim().is_empty() {
        let rest = excerpt(moves.rest);
        return Err(format!("\"{rest}\" follows the end of the moves; remove it").into());
    }
    Ok(moves.play(start, usize::MAX)?.0)
}

/// Removes quotes around a text, and a comma or semicolon after them, as in source code.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('„', '“'), ('«', '»')] {
        if let Some(inside) = text.strip_prefix(open) {
            let inside = inside.trim_end_matches([',', ';']).trim_end();
            return inside.strip_suffix(close).unwrap_or(inside).trim();
        }
    }
    text
}

/// Replaces `_` by spaces in a text that is written without spaces.
fn with_spaces(text: &str) -> String {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    if first.contains('/') && first.contains('_') {
        return format!("{} {rest}", first.replace('_', " ")).trim_end().to_owned();
    }
    text.to_owned()
}

/// Removes the words before a position, such as `position fen` or `FEN:`.
fn without_prefix(text: &str) -> &str {
    let mut rest = text;
    for word in ["position", "fen", "epd"] {
        let after =
            rest.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)).map(|_| &rest[word.len()..]);
        let marks = |c: char| c.is_whitespace() || c == ':' || c == '=';
        if let Some(after) = after.filter(|after| after.starts_with(marks)) {
            rest = unquoted(after.trim_start_matches(marks));
        }
    }
    rest
}

/// Returns the line of a position after moves.
fn after(position: Problem) -> Pasted {
    let line = Fen::from_position(&position.chess, EnPassantMode::Legal).to_string();
    Pasted { line, warnings: position.warnings, is_game: true, ..Pasted::default() }
}

/// Plays moves in UCI notation, with or without the word `moves` before them.
fn after_moves(mut start: Problem, moves: &str, ply: Option<usize>) -> Result<Pasted, ProblemError> {
    let moves: Vec<&str> = moves.split_whitespace().skip_while(|word| *word == "moves").collect();
    check_ply(ply, moves.len())?;
    for (index, text) in moves.iter().take(ply.unwrap_or(usize::MAX)).enumerate() {
        start.chess.play_unchecked(find(&start.chess, text).ok_or_else(|| illegal(index, text))?);
    }
    Ok(after(start))
}

/// Checks that a game of `moves` half-moves has a position after `ply` of them.
fn check_ply(ply: Option<usize>, moves: usize) -> Result<(), ProblemError> {
    let s = if moves == 1 { "" } else { "s" };
    match ply {
        Some(ply) if ply > moves => {
            Err(format!("the game has {moves} half-move{s}; --ply {ply} is after its end").into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";

    fn line(text: &str) -> String {
        read(text, None).unwrap_or_else(|error| panic!("{text}: {error}")).line
    }

    fn error(text: &str) -> String {
        read(text, None).expect_err(text).to_string()
    }

    #[test]
    fn positions_are_read_in_quotes_with_underscores_and_after_words() {
        for text in [
            FEN.to_owned(),
            format!("\"{FEN}\""),
            format!("  '{FEN}',\n"),
            format!("“{FEN}”"),
            FEN.replace(' ', "_"),
            format!("\"{}\";", FEN.replace(' ', "_")),
            format!("position fen {FEN}"),
            format!("fen {FEN}"),
            format!("FEN: {FEN}"),
            format!("fen = \"{FEN}\""),
            format!("EPD:{FEN}"),
        ] {
            assert_eq!(line(&text), FEN, "{text}");
        }
        assert_eq!(line(&format!("\"{FEN} dm 2; id \"a_b\";\"")), format!("{FEN} dm 2; id \"a_b\";"));
        let json = format!("{{\"fen\": \"{FEN}\"}}");
        assert_eq!(line(&json), json);
    }

    #[test]
    fn uci_commands_give_the_position_after_their_moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(line("startpos"), start);
        assert_eq!(line("position startpos moves"), start);
        let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(line("position startpos moves e2e4 e7e5"), open);
        assert_eq!(read("startpos moves e2e4 e7e5 g1f3", Some(2)).unwrap().line, open);
        assert_eq!(line(&format!("position fen {FEN} moves h1h6")), "5Kbk/6pp/6PR/8/8/8/8/8 b - - 1 1");
        assert!(error("startpos moves e2e5").contains("half-move 1, \"e2e5\", is not legal"));
        let short = read("startpos moves e2e4", Some(2)).unwrap_err().to_string();
        assert_eq!(short, "the game has 1 half-move; --ply 2 is after its end");
        assert!(read(FEN, Some(1)).unwrap_err().to_string().contains("there are no moves here"));
    }

    #[test]
    fn moves_need_no_numbers() {
        let game = read("e4 e5 Bc4", None).unwrap();
        assert_eq!(game.line, "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2");
        assert!(game.is_game);
        assert!(error("e4 e5 Bc9").contains("half-move 3, \"Bc9\""));
    }

    #[test]
    fn texts_that_are_no_position_are_named() {
        assert!(error("hello world").starts_with("\"hello world\" is not a position; a FEN is expected"));
        assert!(error("position fen x").starts_with("\"x\" is not a position"));
        assert_eq!(line(""), "");
    }
}
