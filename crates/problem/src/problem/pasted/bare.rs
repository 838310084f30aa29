//! One position and the signs around it: quotes, brackets, the name of a field, a number, a remark, a question.
//!
//! ```text
//! [fen]5Kbk/…[/fen]    "fen": "5Kbk/…",    3. 5Kbk/…    `5Kbk/…`    5Kbk/… // a name    5Kbk/… mate in 2
//! ```
//!
//! Signs are taken off only around a board. What follows the position is taken off if all its words ask a question, or
//! if it is a remark (behind `//` or `# `); a remark that may belong to the question is refused. All else stays in the
//! line, for its reader.

use crate::chess::Stipulation;
use crate::problem::names::{self, Part};
use crate::problem::twins::side_name;
use crate::problem::{Asked, Colors, ProblemError, fen};

/// A line of FEN or EPD without the signs around it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::problem) struct Bare<'a> {
    /// The line.
    pub line: &'a str,
    /// The question that the words behind the position ask.
    pub asked: Asked,
    /// The number before the position, or the remark behind it.
    pub name: Option<&'a str>,
}

/// The field that a question in words is said to come from.
const BY: &str = "words";

/// Takes the signs around a position off a line.
///
/// # Errors
/// A remark behind the position may belong to the question.
pub(in crate::problem) fn read(text: &str) -> Result<Bare<'_>, ProblemError> {
    let (line, number) = unwrapped(text);
    let end = end_of_fen(line);
    let (before, rest) = (line[..end].trim_end(), line[end..].trim_start_matches([',', '.']).trim());
    let whole = Bare { line, name: number, ..Bare::default() };
    if rest.is_empty() {
        return Ok(whole);
    }
    let remark = rest.strip_prefix("//").or(rest.strip_prefix('#').filter(|rest| rest.starts_with([' ', '\t'])));
    let asked = question_in_words(remark.unwrap_or(rest))?;
    match (asked, remark.map(str::trim)) {
        (Some(asked), _) => Ok(Bare { line: before, asked, ..whole }),
        (None, Some(remark)) if is_name(remark) => {
            Ok(Bare { line: before, name: Some(remark).filter(|it| !it.is_empty()).or(number), ..whole })
        }
        (None, Some(remark)) => Err(of_question(remark)),
        (None, None) => Ok(whole),
    }
}

/// Words before the number of a problem.
const NUMBERED: [&str; 10] =
    ["problem", "puzzle", "position", "diagram", "game", "no", "nr", "exercise", "aufgabe", "number"];

/// Returns the error of a text beside a position that may belong to its question.
pub(in crate::problem) fn of_question(text: &str) -> ProblemError {
    let text = crate::base::printable::excerpt(text);
    let why = format!(
        "\"{text}\" beside the position may belong to the question; write it as stip \"#3\"; behind the position, or \
         give it another wording"
    );
    why.into()
}

/// Returns whether a text beside a position is a name or a remark, and no part of a question.
pub(in crate::problem) fn is_name(text: &str) -> bool {
    let words = || text.split_whitespace().map(|word| word.trim_matches(|c: char| ".,;:()!\"".contains(c)));
    // `Problem #12` is a number.
    let is_numbered = |before: &str| NUMBERED.iter().any(|known| before.eq_ignore_ascii_case(known));
    let has_sign = words().zip(std::iter::once("").chain(words())).any(|(word, before)| {
        let is_goal = Stipulation::parse_stated(word).is_ok() || crate::chess::text::unsolved(word).is_some();
        word.contains(['#', '=', '~']) && is_goal && !is_numbered(before)
    });
    let lower = text.to_lowercase();
    // `Matt` and `Pat` are names, too.
    let after = words().skip(1).chain(std::iter::once(""));
    let has_kind = words().zip(after).any(|(word, after)| {
        let is_name = word.len() < 5 && word.starts_with(char::is_uppercase) && !matches!(after, "in" | "en" | "im");
        !is_name && crate::chess::words::sign(word).is_some()
    });
    let names_rules = lower.split([',', ';', ':', '(', ')']).any(|part| {
        let (first, rest) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
        names::is_of_rules(first) && rest.split_whitespace().count() < 3 && !rest.contains("vs")
    });
    !(has_sign || has_kind || names_rules)
}

/// Takes the signs around a board off. Returns the number before it, too. A text without a board stays.
fn unwrapped(text: &str) -> (&str, Option<&str>) {
    let (mut line, mut number) = (text.trim(), None);
    loop {
        let inside = without_field(super::unquoted(line).trim());
        let inside = without_tags(inside);
        let inside = inside.strip_prefix(['*', '-', '•', '–']).filter(|rest| rest.starts_with(' ')).unwrap_or(inside);
        let (found, rest) = numbered(inside);
        number = number.or(found);
        let rest = rest.trim();
        if rest == line {
            break;
        }
        line = rest;
    }
    let is_board = line.split_whitespace().next().is_some_and(|word| word.matches(['/', '\\']).count() > 2);
    if is_board { (line, number) } else { (text, None) }
}

/// Returns the line of a text that begins with a board behind such signs, without them; `None` if it does not, or if
/// moves follow the position.
pub(super) fn with_board(text: &str) -> Option<&str> {
    let line = unwrapped(text).0;
    let word = line.split_whitespace().next()?;
    let is_board = word.matches('/').count() == 7 && !word.contains([':', '_']);
    (is_board && !line.contains('\n') && !line.contains(" moves")).then_some(line)
}

/// Removes the name of a field of the position: `"fen": `, `FEN=`.
fn without_field(text: &str) -> &str {
    let end = text.find([':', '=']).filter(|&end| !text[..end].contains('/'));
    let Some((name, rest)) = end.map(|end| (&text[..end], &text[end + 1..])) else { return text };
    let name = name.trim().trim_matches(['"', '\'']);
    if names::part(name) == Some(Part::Position) || name.eq_ignore_ascii_case("epd") { rest.trim() } else { text }
}

/// Removes the tags of forums: `[d]…`, `[fen]…[/fen]`.
fn without_tags(text: &str) -> &str {
    let Some((tag, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) else { return text };
    if !["d", "fen", "diagram", "diag", "board"].iter().any(|known| tag.eq_ignore_ascii_case(known)) {
        return text;
    }
    let end = rest.rfind("[/").filter(|&at| rest[at + 2..].eq_ignore_ascii_case(&format!("{tag}]")));
    rest[..end.unwrap_or(rest.len())].trim()
}

/// Splits the number of a list off: `3. `, `(3) `, `[3] `, `#3: `.
fn numbered(text: &str) -> (Option<&str>, &str) {
    let start = text.trim_start_matches(['(', '[', '#']);
    let digits = start.find(|c: char| !c.is_ascii_digit()).unwrap_or(start.len());
    let rest = start[digits..].trim_start_matches(['.', ')', ']', ':']);
    let has_mark = rest.len() < start.len() - digits;
    if digits == 0 || !has_mark { (None, text) } else { (Some(&start[..digits]), rest.trim_start()) }
}

/// Returns where the fields of a FEN end with which a line begins.
fn end_of_fen(line: &str) -> usize {
    let mut end = 0;
    let mut rest = line;
    for field in 0..6 {
        let trimmed = rest.trim_start();
        let whole = trimmed.split_whitespace().next().unwrap_or_default();
        let word = whole.trim_end_matches([',', '.']);
        let is_field = match field {
            0 => word.matches('/').count() == 7,
            1 => matches!(word, "w" | "b" | "W" | "B"),
            2 => {
                !word.is_empty()
                    && (word == "-" || word.len() <= 4 && word.chars().all(|c| "KQkqABCDEFGHabcdefgh".contains(c)))
            }
            3 => word == "-" || word.parse::<shakmaty::Square>().is_ok(),
            _ => word.parse::<u32>().is_ok(),
        };
        if !is_field {
            break;
        }
        end = line.len() - trimmed.len() + word.len();
        if word.len() < whole.len() {
            break;
        }
        rest = &line[end..];
    }
    end
}

/// Returns what a text of words asks: sides (`White to move`) and a stipulation (`mate in 2`, `#2`); `None` if it has
/// another word.
///
/// # Errors
/// It asks two questions.
pub(in crate::problem) fn question_in_words(text: &str) -> Result<Option<Asked>, ProblemError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (mut asked, mut at) = (Asked::default(), 0);
    while at < words.len() {
        let bare = |word: &str| word.trim_matches(|c: char| ".,;:!()".contains(c)).to_lowercase();
        let word = bare(words[at]);
        if matches!(word.as_str(), "" | "and" | "und" | "et" | "y" | "e" | "-" | "–") {
            at += 1;
        } else if let Some(color) = side_name(&word) {
            asked = asked.colors(Colors::First(color), BY)?;
            at += 1;
            while words.get(at).is_some_and(|word| fen::AFTER_A_SIDE.contains(&bare(word).as_str())) {
                at += 1;
            }
        } else {
            let most = words.len().min(at + 6);
            let read = |end: usize| {
                let text = words[at..end].join(" ");
                let text = text.trim_matches(|c: char| ".,;:!()".contains(c));
                // A number alone may be anything.
                let is_said = text.contains(|c: char| c.is_alphabetic() || "#=".contains(c));
                Stipulation::parse_stated(text).ok().filter(|_| is_said)
            };
            let Some((end, stipulation)) = (at + 1..=most).rev().find_map(|end| Some((end, read(end)?))) else {
                return Ok(None);
            };
            asked = asked.stipulation(stipulation, BY)?;
            at = end;
        }
    }
    Ok(Some(asked).filter(|asked| *asked != Asked::default()))
}

#[cfg(test)]
mod tests {
    use crate::problem::Problem;

    const FEN: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";

    fn question(text: &str) -> Result<(String, Option<String>), String> {
        let problem = Problem::read(text).map_err(|error| error.to_string())?;
        assert_eq!(problem.fen, FEN, "{text}");
        Ok((problem.question.stipulation.to_string(), problem.id))
    }

    #[test]
    fn signs_around_a_position_are_taken_off() {
        for text in [
            format!("[d]{FEN}"),
            format!("[fen]{FEN}[/fen]"),
            format!("[FEN] {FEN} [/FEN]"),
            format!("\"fen\": \"{FEN}\","),
            format!("fen: '{FEN}',"),
            format!("\"{FEN}\","),
            format!("`{FEN}`"),
            format!("- {FEN}"),
        ] {
            assert_eq!(question(&text), Ok(("#".to_owned(), None)), "{text}");
        }
        for text in [format!("7. {FEN}"), format!("(7) {FEN}"), format!("7) \"{FEN}\""), format!("#7: {FEN}")] {
            assert_eq!(question(&text), Ok(("#".to_owned(), Some("7".to_owned()))), "{text}");
        }
    }

    #[test]
    fn words_behind_a_position_are_its_question_or_its_name() {
        for (words, expected) in [
            ("mate in 2", "#2"),
            ("White to move, mate in 2.", "#2"),
            ("White to play and mate in two", "#2"),
            ("// selfmate in 3", "s#3"),
            ("# #2", "#2"),
            ("s#2", "s#2"),
            ("helpmate in 2.5", "h#2.5"),
            ("White mates in 2", "#2"),
            (", mate in 2", "#2"),
            ("(mate in 2)", "#2"),
        ] {
            for fen in [FEN, FEN.trim_end_matches(" 0 1")] {
                assert_eq!(
                    question(&format!("{fen} {words}").replace(" ,", ",")),
                    Ok((expected.to_owned(), None)),
                    "{words}"
                );
            }
        }
        for name in ["// first", "# Matt Vs. Bishop, London 1900", "// 12. Circe's island, x"] {
            let id = name.trim_start_matches(['/', '#', ' ']).to_owned();
            assert_eq!(question(&format!("{FEN} {name}")), Ok(("#".to_owned(), Some(id))), "{name}");
        }
        for wrong in [
            "// Circe",
            "// #2 or #3",
            "// selfmate",
            "mate in 2, Circe",
            "mate in two men",
            "Black to move",
            "3",
            "abc",
        ] {
            assert!(question(&format!("{FEN} {wrong}")).is_err(), "{wrong}: {:?}", question(&format!("{FEN} {wrong}")));
        }
    }
}
