//! What was published beside a position: its name, its solution, a game, the moves and the themes of a puzzle.
//!
//! The solution of a position begins with its side to move. A line that ends in mate states the length, if nothing else
//! does: `#2`, or `#-2` if it is the side to move that is mated. The first move is the key (`bm`), unless another is
//! stated.
//!
//! The moves of a puzzle need not begin with the solver's. The side that gives the final mate is the solver. So the
//! problem is the position of the FEN if that side makes the first of the moves, and else the position after it:
//! databases of games print the move before the puzzle, too. Without a final mate the moves are refused, but for a
//! puzzle of lichess, known by its themes or its columns: there the first move is the opponent's.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Move, Position as _};

use super::epd::Operation;
use super::moves::{in_line, is_move};
use super::parts::StatedParts;
use super::question::Said;
use super::{Asked, Draft, Problem, ProblemError, pasted};
use crate::base::printable::excerpt;
use crate::chess::{MateLength, Stipulation};

/// The fields of the moves, as results name them.
const BY: &str = "moves";
const BY_SOLUTION: &str = "solution";

/// Returns what the name of a problem says about its question: `White to move, mate in 3` is one.
///
/// # Errors
/// The name may belong to the question, and is not understood.
pub(super) fn of_name(name: &str) -> Result<Asked, ProblemError> {
    let mut stated = Asked::default();
    for part in name.split([',', ';', ':', '(', ')']) {
        match pasted::question_in_words(part)? {
            Some(asked) => stated = stated.and(asked)?,
            None if pasted::is_name(part) && !part.split_whitespace().any(is_printed) => {}
            None => return Err(pasted::of_question(part)),
        }
    }
    Ok(stated)
}

/// Returns whether a word can only be a move.
fn is_printed(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit()) && is_move(word)
}

/// Plays the game in PGN that begins with a position or leads to it.
///
/// # Errors
/// The game names another position.
pub(super) fn game(draft: &Draft, stated: &mut Problem, parts: &StatedParts) -> Result<(), ProblemError> {
    if let Some(game) = &parts.game {
        solution(draft, stated, &pasted::moves_beside(game, &draft.problem.chess)?);
    }
    Ok(())
}

/// Plays the solution that stands beside a position. What cannot be played is a fault of the solution only.
pub(super) fn solution(draft: &Draft, stated: &mut Problem, text: &str) {
    let chess = &draft.problem.chess;
    match pasted::line(text, chess) {
        Ok((moves, end)) => {
            let is_mated = end.turn() == chess.turn();
            let length = u16::try_from(if is_mated { moves.len() / 2 } else { moves.len().div_ceil(2) });
            let length = length.ok().filter(|_| end.is_checkmate() && !moves.is_empty()).map(MateLength);
            let mate = if is_mated { Stipulation::mated } else { Stipulation::mate };
            state(stated, length.map(|n| mate(Some(n))), BY_SOLUTION);
            print(chess, stated, moves);
        }
        Err(why) => stated.faulty_solution = Some(format!("the solution cannot be played: {why}")),
    }
}

/// Keeps the moves of a solution that begin in this position. The first of them is the key, if none is stated.
fn print(chess: &Chess, stated: &mut Problem, moves: Vec<Move>) {
    let has_key = stated.operations.iter().any(|it| it.code == "bm" && !it.first().starts_with('#'));
    if let Some(&key) = moves.first().filter(|_| !has_key) {
        let san = SanPlus::from_move(chess.clone(), key).to_string();
        stated.operations.push(Operation::plain("bm", [san]));
    }
    stated.printed = moves;
}

/// States a length, unless something else does.
fn state(stated: &mut Problem, length: Option<Stipulation>, by: &'static str) {
    let solution = length.map(|value| Said { value, by });
    stated.stated = stated.stated.over(Asked { stipulation: solution, ..Asked::default() });
}

/// Plays the printed moves of a puzzle: the problem becomes the position of its solver. Of a mate, the first move of
/// the solver becomes the operation `bm`, and the number of his moves the length, if nothing else states one. `themes`
/// are those of the database of lichess, if the puzzle has its columns.
///
/// # Errors
/// The first move is not legal, or the moves do not say who solves.
pub(super) fn play(
    draft: Draft,
    stated: &mut Problem,
    parts: &StatedParts,
    themes: Option<&str>,
) -> Result<Draft, ProblemError> {
    let Some(moves) = &parts.moves else { return Ok(draft) };
    let mut draft = draft.with_named_side()?;
    let (mut chess, mut played, mut fault) = (draft.problem.chess.clone(), Vec::new(), None);
    for word in moves.split_whitespace().enumerate() {
        match in_line(&chess, word) {
            Ok(m) => {
                played.push(m);
                chess.play_unchecked(m);
            }
            Err(why) => {
                fault = Some(why);
                break;
            }
        }
    }
    let ends_in_mate = fault.is_none() && chess.is_checkmate();
    let first = match (ends_in_mate, themes) {
        (true, _) => (played.len() + 1) % 2,
        (false, Some(_)) => 1,
        (false, None) => {
            let why = fault.unwrap_or_else(|| "they do not end in mate".to_owned());
            return Err(
                format!("the moves do not show who solves: {why}; state the position alone, or all moves").into()
            );
        }
    };
    if first == 1 {
        let Some(&before) = played.first() else {
            let word = excerpt(moves.split_whitespace().next().unwrap_or_default());
            return Err(format!("the first move, \"{word}\", is not legal in the position of the line").into());
        };
        draft.problem.chess.play_unchecked(before);
        draft.problem.fen = Fen::from_position(&draft.problem.chess, EnPassantMode::Legal).to_string();
    }
    let is_mate = ends_in_mate || themes.is_some_and(is_mate);
    if is_mate && played.len() == first {
        let word = excerpt(moves.split_whitespace().nth(first).unwrap_or_default());
        let note = "is not legal after the first one; it is not taken as the solution";
        stated.warnings.push(format!("the second move, \"{word}\", {note}"));
    } else if is_mate {
        print(&draft.problem.chess, stated, played.split_off(first));
    }
    stated.faulty_solution = fault;
    let length = u16::try_from(stated.printed.len().div_ceil(2)).ok().filter(|n| ends_in_mate && *n > 0);
    state(stated, length.map(|n| Stipulation::mate(Some(MateLength(n)))), BY);
    Ok(draft)
}

/// Returns whether the themes of a puzzle say that its solution is a mate.
fn is_mate(themes: &str) -> bool {
    themes.split_whitespace().any(|theme| theme == "mate" || theme.starts_with("mateIn"))
}

/// Returns what the themes of a puzzle state: `mateIn3` is a mate in three. (`mateIn5` means five moves or more.)
///
/// # Errors
/// The number after `mateIn` is not a length.
pub(super) fn of_themes(parts: &StatedParts) -> Result<Asked, ProblemError> {
    let themes = parts.themes.as_deref().unwrap_or_default();
    let exact = themes.split_whitespace().filter_map(|theme| theme.strip_prefix("mateIn")).find(|n| *n != "5");
    let exact = exact.map(Stipulation::parse).transpose()?;
    exact.map_or(Ok(Asked::default()), |exact| Asked::default().stipulation(exact, "themes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &str) -> Result<(String, String), String> {
        let problem = Problem::read(&format!("{{{fields}}}")).map_err(|error| error.to_string())?;
        Ok((problem.fen, problem.question.stipulation.to_string()))
    }

    #[test]
    fn the_side_that_mates_is_the_solver() {
        let (before, after) = ("5K1k/6pp/6P1/3b4/8/8/8/7R b - - 0 1", "5Kbk/6pp/6P1/8/8/8/8/7R w - - 1 2");
        let is = |fen: &str, text: &str| Ok((fen.to_owned(), text.to_owned()));
        let with_first = format!(r#""fen":"{before}","moves":"d5g8 h1h6 g7h6 g6g7""#);
        assert_eq!(read(&with_first), is(after, "#2"));
        assert_eq!(read(&format!(r#""fen":"{after}","moves":["h1h6","g7h6","g6g7"]"#)), is(after, "#2"));
        let open = format!(r#""fen":"{before}","moves":"d5g8 h1h6""#);
        assert!(read(&open).is_err_and(|why| why.contains("do not show who solves")));
        assert_eq!(read(&format!(r#"{open},"themes":"mateIn2""#)), is(after, "#2"));
        assert_eq!(read(&format!(r##"{with_first},"stipulation":"#3""##)), is(after, "#3"));
    }
}
