//! The position of a game in PGN (Portable Game Notation): its last one, or that after a number of half-moves.
//!
//! A game may start from any position (the tag `FEN`); a text may consist of that tag alone. With that tag, the first
//! position is the problem and the game its solution, if the game ends in mate or a comment before the moves begins
//! with a stipulation (`{h#2 sound}`), and no half-move is chosen. Of several games the first is read, and a warning
//! says so. `movetext` reads the moves.

use shakmaty::{Chess, Move, Position as _};

use crate::base::printable::excerpt;
use crate::chess::{Letters, Stipulation};
use crate::problem::{Problem, ProblemError, names};

use super::movetext::Movetext;
use super::{Pasted, after, check_ply};

/// Returns whether a text is a game: a tag in brackets, or moves after `1.`.
pub(super) fn is_game(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with('[') || (digits.len() < text.len() && digits.starts_with('.'))
}

/// Reads the first game of a text, up to its half-move `ply`.
pub(super) fn read(text: &str, ply: Option<usize>) -> Result<Pasted, ProblemError> {
    let tags = Tags::read(text)?;
    let mut start = tags.fen.as_deref().map_or_else(|| Ok(Problem::default()), Problem::read)?;
    let neither = "there is neither a move nor a tag of a game here; a game begins with [FEN \"…\"] or with 1. e4";
    if !tags.any && tags.rest.starts_with('[') {
        return Err(neither.into());
    }
    let game = Movetext::read(tags.rest, start.chess.turn().is_black())?;
    if let (None, Some(number @ 2..)) = (&tags.fen, game.first) {
        let why =
            format!("the moves begin with number {number}, and the position before them is missing; give it, too");
        return Err(why.into());
    }
    // Without a tag and without a move, the text is something else in brackets.
    if game.words.is_empty() && !tags.any {
        return Err(neither.into());
    }
    check_ply(ply, game.words.len())?;
    let ((moves, chess), letters) = game.play(&start.chess, ply.unwrap_or(usize::MAX))?;
    let is_mate = !moves.is_empty() && chess.is_checkmate() && ply.is_none();
    let begins = std::mem::replace(&mut start.chess, chess);
    if let Some(letters) = letters {
        let name = Letters::NAMES.iter().find(|(known, _)| *known == letters).map_or("", |(_, name)| name);
        start.warnings.push(format!("the moves are read with the letters of another language ({name})"));
    }
    if let Some((number, expected)) = game.gap {
        start
            .warnings
            .push(format!("the move number {number} stands where {expected} is expected; is a move missing?"));
    }
    if !game.rest.is_empty() {
        start.warnings.push("the text has several games; only the first is read".to_owned());
    }
    let stated = tags.stipulation().filter(|_| ply.is_none());
    if let (Some(fen), true) = (&tags.fen, game.words.is_empty() || is_mate || stated.is_some()) {
        // The FEN is kept as it is written: whether it has a castling field makes a difference to a report.
        let question = stated.map_or_else(String::new, |question| asked(question, &begins));
        let (line, solution) = (format!("{fen}{question}"), written(&moves, &begins));
        return Ok(Pasted { line, solution, warnings: start.warnings, is_game: false });
    }
    Ok(after(start))
}

/// Returns the words behind a FEN that ask this question. In help play the side to move begins.
fn asked(question: Stipulation, chess: &Chess) -> String {
    let side = if question.is_helped() { chess.turn().fold_wb(" White to move", " Black to move") } else { "" };
    format!(" {question}{side}")
}

/// Writes moves that begin in this position.
fn written(moves: &[Move], chess: &Chess) -> String {
    let mode = chess.castles().mode();
    moves.iter().map(|m| m.to_uci(mode).to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns the position that a game names in its tags.
pub(in crate::problem) fn fen(text: &str) -> Option<String> {
    Tags::read(text).ok()?.fen
}

/// Returns the moves of a game that stands beside a position: from the position on, also if the game begins before it.
///
/// # Errors
/// The game names another position.
pub(in crate::problem) fn beside(text: &str, chess: &Chess) -> Result<String, ProblemError> {
    let tags = Tags::read(text)?;
    let is_same = |other: &Chess| (other.board(), other.turn()) == (chess.board(), chess.turn());
    if let Some(fen) = &tags.fen {
        let other = Problem::read(fen)?.chess;
        let why = "the tag FEN of \"pgn\" and \"fen\" state different positions; remove one";
        return if is_same(&other) { Ok(tags.rest.to_owned()) } else { Err(why.into()) };
    }
    let mut before = Chess::default();
    if let (Err(_), Ok((moves, _))) = (super::line(tags.rest, chess), super::line(tags.rest, &before)) {
        let mut moves = moves.into_iter();
        while !is_same(&before)
            && let Some(m) = moves.next()
        {
            before.play_unchecked(m);
        }
        return Ok(written(moves.as_slice(), &before));
    }
    Ok(tags.rest.to_owned())
}

/// Returns the name that the tags of the first game give: `Event`, `Site`, `Date` and `Round`, then `White - Black`,
/// separated by commas. Unknown ones are left out; of the players one may be unknown.
pub(in crate::problem) fn name(text: &str) -> Option<String> {
    let tag = |name: &str| {
        let line = text.lines().map_while(|line| line.trim().strip_prefix('[')).find(|line| {
            let rest = line.get(name.len()..).unwrap_or_default();
            line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) && rest.starts_with(' ')
        })?;
        let value = line.split_once('"')?.1.rsplit_once('"')?.0.replace("\\\"", "\"");
        let is_known = value.chars().any(|c| !matches!(c, '?' | '.' | '-' | ' '));
        is_known.then_some(value)
    };
    let mut parts: Vec<String> = ["Event", "Site", "Date", "Round"].into_iter().filter_map(tag).collect();
    let players = (tag("White"), tag("Black"));
    if players != (None, None) {
        let known = |player: Option<String>| player.unwrap_or_else(|| "?".to_owned());
        parts.push(format!("{} - {}", known(players.0), known(players.1)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The tags of a game that are read, and the text after them.
#[derive(Default)]
struct Tags<'a> {
    /// Whether there is any tag.
    any: bool,
    /// The first position.
    fen: Option<String>,
    /// The text after the tags.
    rest: &'a str,
}

impl Tags<'_> {
    /// Returns the stipulation with which a comment before the moves begins.
    fn stipulation(&self) -> Option<Stipulation> {
        let word = self.rest.strip_prefix('{')?.split(|c: char| c.is_whitespace() || "}.,;:".contains(c)).next()?;
        Stipulation::parse_any(word).ok().filter(|_| word.contains(['#', '=']))
    }

    /// Reads the tags at the beginning of a text, such as `[FEN "…"]`.
    fn read(text: &str) -> Result<Tags<'_>, ProblemError> {
        let mut tags = Tags { rest: text.trim_start(), ..Tags::default() };
        let mut needs_fen = false;
        while let Some((name, value, rest)) = tag(tags.rest) {
            (tags.any, tags.rest) = (true, rest);
            if name.eq_ignore_ascii_case("FEN") {
                if tags.fen.replace(value.trim().to_owned()).is_some() {
                    return Err("the tag FEN stands twice in a game; remove one, or end the first game with *".into());
                }
            } else if name.eq_ignore_ascii_case("Variant") {
                refuse_variant(&value)?;
            } else if name.eq_ignore_ascii_case("SetUp") && value.trim() == "1" {
                needs_fen = true;
            } else if names::is_asked(name) && value.chars().any(|c| !matches!(c, '?' | '-' | ' ')) {
                let (name, value) = (excerpt(name), excerpt(&value));
                return Err(format!(
                    "the tag {name} (\"{value}\") may belong to the question, and of a game only the position is read; \
                     remove it, and ask with -s, or write the problem as EPD"
                )
                .into());
            }
        }
        if needs_fen && tags.fen.is_none() {
            let why = "the tag SetUp says that the game does not start from the initial position; add its FEN";
            return Err(why.into());
        }
        Ok(tags)
    }
}

/// Splits a text that begins with a tag into the name of the tag, its value and the rest.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = text.strip_prefix('[')?.trim_start().split_once(char::is_whitespace)?;
    let quoted = rest.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut escaped = false;
    for (at, c) in quoted.char_indices() {
        match c {
            '"' if !escaped => {
                let rest = quoted[at + 1..].trim_start().strip_prefix(']')?;
                return Some((name, value, rest.trim_start()));
            }
            '\\' if !escaped => escaped = true,
            c => {
                value.push(c);
                escaped = false;
            }
        }
    }
    None
}

/// Refuses the games of other rules.
fn refuse_variant(name: &str) -> Result<(), ProblemError> {
    let is_chess = ["standard", "chess", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom"];
    if is_chess.contains(&name.to_ascii_lowercase().replace([' ', '-'], "").as_str()) {
        return Ok(());
    }
    let why = format!("the game is a game of {}; matesolve solves orthodox chess only", excerpt(name));
    Err(why.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with everything that may stand in one.
    const GAME: &str = "\
[Event \"?\"]
[White \"A\"]

1. e4 {best by test [%clk 0:01]} e5 $1 (1... c5 2. Nf3) 2. Qh5!? Nc6
3. Bc4 ; a comment to the end of the line
3... Nf6?? 4. Qxf7# 1-0
";

    #[test]
    fn a_game_gives_its_last_position_or_an_earlier_one() {
        let mate = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4";
        assert_eq!(read(GAME, None).unwrap(), Pasted { line: mate.to_owned(), is_game: true, ..Pasted::default() });
        let before = read(GAME, Some(6)).unwrap().line;
        assert_eq!(before, "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
        assert!(read(GAME, Some(0)).unwrap().line.ends_with(" w KQkq - 0 1"));
        assert_eq!(read(GAME, Some(8)).unwrap_err().to_string(), "the game has 7 half-moves; --ply 8 is after its end");
        assert_eq!(read("e4 e5", None).unwrap().line.split(' ').nth(5), Some("2"));
    }

    #[test]
    fn the_fen_tag_is_the_first_position() {
        let tag = "[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w\"]";
        assert_eq!(read(tag, None).unwrap().line, "5Kbk/6pp/6P1/8/8/8/8/7R w");
        let played = read(&format!("[SetUp \"1\"]\n{tag}\n\n1. Rh6 gxh6 *"), Some(1)).unwrap();
        assert_eq!(played.line, "5Kbk/6pp/6PR/8/8/8/8/8 b - - 1 1");
    }

    #[test]
    fn a_comment_before_the_moves_states_the_question() {
        let tag = "[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R b - - 0 1\"]";
        let line = |moves: &str, ply| read(&format!("{tag}\n\n{moves} *"), ply).unwrap().line;
        assert_eq!(line("{h#2 sound} 1... Bf7", None), "5Kbk/6pp/6P1/8/8/8/8/7R b - - 0 1 h#2 Black to move");
        assert_eq!(line("{#-2: mated}", None), "5Kbk/6pp/6P1/8/8/8/8/7R b - - 0 1 #-2");
        assert!(line("{h#2 sound} 1... Bf7", Some(1)).contains("5K1k/5bpp/"));
        assert!(line("{A blunder} 1... Bf7", None).contains("5K1k/5bpp/"));
    }

    #[test]
    fn of_several_games_the_first_is_read_with_a_warning() {
        let two = read("1. e4 e5 1-0\n\n[Event \"2\"]\n\n1. d4 *\n", None).unwrap();
        assert!(two.line.contains("/4P3/"), "{}", two.line);
        assert_eq!(two.warnings, ["the text has several games; only the first is read"]);
    }

    #[test]
    fn broken_games_are_refused_with_the_half_move() {
        let error = |text: &str| read(text, None).unwrap_err().to_string();
        assert!(error("1. e4 e5 2. Ke3").contains("half-move 3, \"Ke3\", is not legal"));
        assert!(error("[FEN \"8/8/8/8/8/8/8/K7 w - -\"]").contains("Black has no king"));
        assert!(error("[Variant \"Atomic\"]\n\n1. e4 *").contains("a game of Atomic"));
        assert!(error("[SetUp \"1\"]\n\n1. e4 *").contains("add its FEN"));
        assert!(error("[FEN \"x\"]\n\n[FEN \"y\"]\n\n*").contains("stands twice"));
        for tag in ["Stipulation \"h#2\"", "Condition \"Circe\"", "STIP \"s#2\"", "Twins \"b) Remove g7\""] {
            let message = error(&format!("[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"]\n[{tag}]\n\n*"));
            assert!(message.starts_with(&format!("the tag {}", tag.split(' ').next().unwrap())), "{message}");
        }
        assert!(read("[Stipulation \"?\"]\n[Options \"\"]\n\n1. e4 *", None).is_ok());
        assert!(error("[A \"x\"]\n[FEN 8/8/8/8/8/8/8/K1k5 w - -]\n\n1. Ka2").contains("half-move 1, \"[\""));
        assert!(error("12. Nf3 d5").contains("the moves begin with number 12"));
        assert!(error("[]").contains("neither a move nor a tag"), "{}", error("[]"));
        assert!(is_game("1.e4") && is_game("12... Kf8") && !is_game("8/8/8/8 w") && !is_game(""));
    }
}
