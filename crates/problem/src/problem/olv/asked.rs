//! Reads the diagram of an entry, and what it asks for: `stipulation`, `twins` and `intended-solutions`, each in
//! several forms.
//!
//! ```yaml
//! algebraic: {white: [Kh1, Qa1, Sf3], black: Kh8}
//! stipulation: "#2 b) Black"      # usually "#2"; twins may follow
//! twins: {b: Move c3 g3, c: Continued Remove h2 Stipulation #3}
//! intended-solutions: 2.1.1       # keys first
//! ```

use shakmaty::{Board, Color, Piece};

use super::OlvOptions;
use crate::base::printable::excerpt;
use crate::chess::Stipulation;
use crate::problem::fields::{self, ALGEBRAIC, Node, TWINS};
use crate::problem::question::{self, Said};
use crate::problem::twins::{Phase, Twin, TwinCommand, Twins};
use crate::problem::{ProblemError, men};

/// The demands of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The stipulation of the diagram, without twins and options.
    pub stipulation: String,
    pub twins: Twins,
    /// The options that the stipulation states: `by Black`, `Duplex`, and set play by a star (`#2*`).
    pub options: OlvOptions,
    pub intended: Intended,
}

/// The number of solutions that the composer intends: keys, or lines of help play.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::problem) struct Intended {
    /// The number for every phase.
    pub all: Option<u16>,
    /// The numbers of single phases, by their letters.
    pub phases: Vec<(String, u16)>,
    /// The first text in which no number was found.
    pub unread: Option<String>,
}

impl Asked {
    pub(super) fn read(
        stipulation: &str,
        twins: Option<&Node>,
        intended: Option<&Node>,
    ) -> Result<Asked, ProblemError> {
        let mut asked = Asked::default();
        let (base, lettered) = lettered(stipulation);
        // A sign alone before the twins, of which `+` also stands before the letter of a continued one.
        let start = if base.is_empty() { stipulation.split_whitespace().next().unwrap_or_default() } else { &*base };
        if is_study(start) {
            return Err(ProblemError::Text(format!(
                "the stipulation \"{}\" is that of a study, in which a side is to win or to draw; studies are not solved",
                excerpt(start)
            )));
        }
        asked.base(&base);
        let mut texts = twins.map_or_else(|| Ok(Vec::new()), twin_texts)?;
        for (letter, text) in lettered {
            if letter == "a" && asked.stipulation.is_empty() {
                asked.base(&text);
            } else if !texts.contains(&(letter.clone(), text.clone())) {
                texts.push((letter, text));
            }
        }
        asked.twins = each_once(texts)?;
        if let Some(intended) = intended {
            let is_helped = Stipulation::parse_any(&asked.stipulation).is_ok_and(Stipulation::is_helped);
            let read = Intended::read(intended, is_helped)?;
            asked.intended = Intended { all: read.all.or(asked.intended.all), ..read };
        }
        Ok(asked)
    }

    /// Reads the stipulation of the diagram, with the words that may stand beside it.
    fn base(&mut self, text: &str) {
        text.trim().clone_into(&mut self.stipulation);
        let (text, solutions) = without_solutions(text);
        let plain = text.trim_end_matches(['*', 'v', '!']);
        let is_marked = plain.ends_with(|c: char| c.is_ascii_digit());
        let is_half = text.to_lowercase().contains("half");
        let mut read = Asked::default();
        for command in Twin::read(None, if is_marked { plain } else { &text }).commands {
            match command {
                TwinCommand::Stipulation(stipulation) if read.stipulation.is_empty() => read.stipulation = stipulation,
                TwinCommand::Attacker(color) => read.options.phase.black_mates = color.is_black(),
                TwinCommand::OtherSide if is_half => read.options.phase.black_mates = true,
                TwinCommand::OtherSide => read.options.phase.duplex = true,
                _ => return,
            }
        }
        if !read.stipulation.is_empty() {
            (self.options, self.stipulation) = (read.options, read.stipulation);
            self.options.phase.set_play = is_marked && text[plain.len()..].contains('*');
            self.intended.all = solutions;
        }
    }
}

/// Returns whether a text is the stipulation of a study: `+`, White wins; `=`, White draws; or one of these words. (For
/// matesolve's own texts `=` alone is a stalemate in any number of moves. Collections never mean that.)
fn is_study(text: &str) -> bool {
    let plain = text.trim().trim_end_matches('.').to_lowercase();
    matches!(plain.as_str(), "+" | "=" | "+-" | "-+" | "win" | "draw" | "white wins" | "white draws")
}

/// Removes `2 solutions` from a text and returns their number.
fn without_solutions(text: &str) -> (String, Option<u16>) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.trim_start_matches(['(', ',']).parse::<u16>().ok().filter(|&number| number > 0);
    let place =
        words.windows(2).position(|pair| number(pair[0]).is_some() && pair[1].to_lowercase().starts_with("sol"));
    match place {
        Some(at) => ([&words[..at], &words[at + 2..]].concat().join(" "), number(words[at])),
        None => (words.join(" "), None),
    }
}

/// Reads the twins of a field `twins` alone.
pub(in crate::problem) fn twins(node: &Node) -> Result<Twins, ProblemError> {
    each_once(twin_texts(node)?)
}

/// Reads the texts of twins; each letter may stand once.
fn each_once(texts: Vec<(String, String)>) -> Result<Twins, ProblemError> {
    let is_twice = |at: &usize| texts[..*at].iter().any(|(known, _)| *known == texts[*at].0);
    if let Some(at) = (0..texts.len()).find(is_twice) {
        let letter = excerpt(&texts[at].0);
        let why =
            format!("there are two different twins {letter}) (in the field twins or in the stipulation); remove one");
        return Err(why.into());
    }
    Ok(Twins::from_texts(texts))
}

/// Returns the twins of the field `twins` with their letters: a map, a list, or a text such as `b) Black c) #3`.
fn twin_texts(node: &Node) -> Result<Vec<(String, String)>, ProblemError> {
    let letter = |index: usize| char::from(b'b' + u8::try_from(index.min(24)).unwrap_or_default()).to_string();
    // The text before the first letter is a twin too.
    let of_text = |text: &str, index: usize| {
        let (base, mut found) = lettered(text);
        if !is_zero_position(&base) && (!base.is_empty() || found.is_empty()) {
            found.insert(0, (letter(index), base));
        }
        found
    };
    Ok(match node {
        Node::Map(fields) => {
            let twin = |(key, value): &(String, Node)| {
                let texts = fields::texts(&format!("twins.{key}"), Some(value), TWINS)?;
                Ok((key.trim().trim_end_matches([')', '.']).to_lowercase(), texts.join(" ")))
            };
            fields.iter().map(twin).collect::<Result<_, ProblemError>>()?
        }
        Node::List(items) => {
            let mut found = Vec::new();
            for (index, item) in items.iter().enumerate() {
                match item {
                    Node::Map(_) => found.extend(twin_texts(item)?),
                    item => {
                        let text = fields::text(&format!("twins, item {}", index + 1), Some(item), TWINS)?;
                        found.extend(of_text(text.unwrap_or_default(), index));
                    }
                }
            }
            found
        }
        node => {
            let text = fields::text("twins", Some(node), TWINS)?;
            text.map_or_else(Vec::new, |text| of_text(text, 0))
        }
    })
}

/// Returns whether a text is Popeye's `ZeroPosition`, which says that a) is a twin: its letter says that already.
fn is_zero_position(text: &str) -> bool {
    text.split_whitespace().collect::<String>().eq_ignore_ascii_case("zeroposition")
}

/// Splits a text at its letters with a parenthesis: `#2 b) Black` is `#2`, and `b` with `Black`. A sign before the
/// letter (`+c)`) stays with the text after it.
fn lettered(text: &str) -> (String, Vec<(String, String)>) {
    let mut places: Vec<(usize, usize, String)> = Vec::new();
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices(')') {
        let Some(start) = at.checked_sub(1).filter(|&start| bytes[start].is_ascii_alphabetic()) else { continue };
        let before = text[..start].chars().next_back();
        if before.is_none_or(|c| c.is_whitespace() || matches!(c, '+' | ',' | ';' | '/' | '"')) {
            places.push((start, at + 1, char::from(bytes[start].to_ascii_lowercase()).to_string()));
        }
    }
    let end_of = |index: usize| places.get(index).map_or(text.len(), |place| place.0);
    let base = text[..end_of(0)].trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '/' | '+' | '"'));
    let sign = |start: usize| if text[..start].ends_with('+') { "+ " } else { "" };
    let found = places.iter().enumerate().map(|(index, (start, after, letter))| {
        let body = text[*after..end_of(index + 1)].trim_matches(|c: char| c.is_whitespace() || ",;+/".contains(c));
        (letter.clone(), format!("{}{body}", sign(*start)))
    });
    (base.to_owned(), found.collect())
}

/// The field for the number of keys.
const FIELD: &str = "intended-solutions";
/// The form of the number of keys.
const INTENDED: &str = "a number such as 2, or {a: 2, b: 1}";

impl Intended {
    /// Reads `2`, `2.1.1`, `4.1.1...`, `2 solutions`, `a) 2 b) 1`, `{a: 2, b: 1}`. `is_helped`: the numbers say how
    /// many branches each half-move has, so that their product is the number of lines; else the first one counts the
    /// keys.
    pub(in crate::problem) fn read(node: &Node, is_helped: bool) -> Result<Intended, ProblemError> {
        let first = |text: &str| {
            let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '('));
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
            let numbers = text[..end].split('.').filter(|number| !number.is_empty());
            let read = numbers.take(if is_helped { usize::MAX } else { 1 }).map(|number| number.parse::<u16>().ok());
            let product = read.reduce(|product, number| product?.checked_mul(number?)).flatten();
            product.filter(|&number| number > 0)
        };
        let mut intended = Intended::default();
        let (base, phases) = if let Node::Map(fields) = node {
            let text = |(name, value): &(String, Node)| {
                let text = fields::text(&format!("intended-solutions.{name}"), Some(value), INTENDED)?;
                Ok((name.clone(), text.unwrap_or_default().to_owned()))
            };
            (String::new(), fields.iter().map(text).collect::<Result<Vec<_>, ProblemError>>()?)
        } else {
            let texts = fields::texts("intended-solutions", Some(node), INTENDED)?;
            lettered(texts.first().copied().unwrap_or_default())
        };
        intended.all = first(&base);
        if intended.all.is_none() && !base.is_empty() {
            intended.unread = Some(base);
        }
        for (letter, text) in phases {
            match first(&text) {
                Some(number) => intended.phases.push((letter, number)),
                None if text.is_empty() => {}
                None => intended.unread = intended.unread.or(Some(text)),
            }
        }
        Ok(intended)
    }

    /// Returns the warning for a text in which no number was found.
    pub(super) fn warning(&self) -> Option<String> {
        self.unread.as_deref().map(|text| {
            let text = excerpt(text);
            format!("intended-solutions has no number of keys (\"{text}\"), so one key is expected; write {INTENDED}")
        })
    }

    /// Writes the number of solutions into phases: that of the phase, or that for all.
    pub(in crate::problem) fn count(&self, phases: &mut [Phase]) {
        for phase in phases {
            let own = self.phases.iter().find(|(known, _)| *known == phase.name.letter).map(|(_, number)| *number);
            if let Some(number) = own.or(self.all) {
                let intended = Some(Said { value: number, by: FIELD });
                phase.state(&question::Asked { intended, ..Default::default() });
            }
        }
    }
}

/// Returns the board that the lists describe. A list may also be a text: `white: Kh1, Qa1`.
pub(super) fn board(algebraic: &Node) -> Result<Board, ProblemError> {
    let Node::Map(sides) = algebraic else { return Err(fields::wrong("algebraic", algebraic, ALGEBRAIC)) };
    let mut board = Board::empty();
    let mut known: Vec<&str> = Vec::new();
    for (name, list) in sides {
        let field = format!("algebraic.{name}");
        if known.contains(&name.as_str()) {
            return Err(fields::twice(&field));
        }
        known.push(name);
        let texts = fields::texts(&field, Some(list), ALGEBRAIC)?;
        let color = match name.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            "neutral" if texts.is_empty() => continue,
            "neutral" => return Err(ProblemError::of_other_rules("the entry has neutral men")),
            name => {
                let name = excerpt(name);
                let why =
                    format!("\"{name}\" stands in algebraic, where only white and black are read; correct the name");
                return Err(why.into());
            }
        };
        let is_text = matches!(list, Node::Text(_));
        for text in texts {
            let parts = text.split(|c: char| is_text && (c == ',' || c.is_whitespace()));
            for text in parts.filter(|part| !is_text || !part.is_empty()) {
                let (role, square) = men::man(text).ok_or_else(|| {
                    ProblemError::OtherRules(format!(
                        "\"{}\" is not a man of orthodox chess; write K, Q, R, B, S (the knight) or P and a square, such \
                         as Sf3",
                        excerpt(text)
                    ))
                })?;
                if board.piece_at(square).is_some() {
                    return Err(format!("two men stand on {square}; remove one").into());
                }
                board.set_piece_at(square, Piece { color, role });
            }
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(text: &str) -> Node {
        Node::Text(text.to_owned())
    }

    fn asked(stipulation: &str) -> Asked {
        Asked::read(stipulation, None, None).unwrap()
    }

    #[test]
    fn a_stipulation_may_contain_options_and_twins() {
        let black = asked("#2 by Black");
        assert!(black.options.phase.black_mates && black.stipulation == "#2" && black.twins.twins.is_empty());
        let twins = asked("#2 b) Black, +c) Move a1 b2");
        assert_eq!((twins.stipulation.as_str(), twins.options.phase.black_mates), ("#2", false));
        assert_eq!(twins.twins.twins, [Twin::read(Some("b"), "Black"), Twin::read(Some("c"), "+ Move a1 b2")]);
        assert!(twins.twins.twins[1].continued);
        let both = asked("a) #2 b) #3");
        assert_eq!((both.stipulation.as_str(), both.twins.twins.len()), ("#2", 1));
        assert!(
            asked("#3 Duplex").options.phase.duplex
                && asked("#3 HalfDuplex").options.phase.black_mates
                && asked("Black to move #3").options.phase.black_mates
        );
        let two = asked("#2 (2 solutions)");
        assert_eq!((two.stipulation.as_str(), two.intended.all), ("#2", Some(2)));
        assert!(asked("#2*").options.phase.set_play && asked("#2*").stipulation == "#2");
        assert_eq!(asked("é) b) ü)").twins.twins.len(), 1);
        for text in ["h#2", "#2 something", ""] {
            assert_eq!(asked(text).stipulation, text);
        }
    }

    #[test]
    fn the_signs_of_a_study_are_no_stalemate_and_no_mate() {
        for (text, named) in [
            ("=", "="),
            ("+", "+"),
            (" + ", "+"),
            ("Win", "Win"),
            ("draw.", "draw."),
            ("+ b) Move a1 a2", "+"),
            ("= b) +", "="),
        ] {
            let message = Asked::read(text, None, None).unwrap_err().to_string();
            let start = format!("the stipulation \"{named}\" is that of a study");
            assert!(message.starts_with(&start) && message.ends_with("studies are not solved"), "{text}: {message}");
        }
        assert_eq!(asked("=2").stipulation, "=2");
        assert_eq!(asked("#2 +b) Black").stipulation, "#2");
    }

    #[test]
    fn twins_are_read_from_maps_lists_and_texts() {
        let map = |fields: &[(&str, &str)]| {
            Node::Map(fields.iter().map(|(name, text)| ((*name).to_owned(), scalar(text))).collect())
        };
        let read = |node: &Node| Asked::read("#2", Some(node), None).unwrap().twins;
        let expected = vec![Twin::read(Some("b"), "Move a1 a2"), Twin::read(Some("c"), "Black")];
        for node in [
            map(&[("c", "Black"), ("b", "Move a1 a2")]),
            map(&[("a", "diagram"), ("B)", "Move a1 a2"), ("c", "Black")]),
            Node::List(vec![scalar("Move a1 a2"), scalar("c) Black")]),
            scalar("b) Move a1 a2; c) Black"),
        ] {
            let twins = read(&node);
            assert_eq!((&twins.twins, twins.zero_position), (&expected, false), "{node:?}");
        }
        let zero = read(&map(&[("a", "Remove a1"), ("b", "Remove b1")]));
        assert!(zero.zero_position && zero.twins.len() == 2);
        assert_eq!(read(&scalar("")), Twins::default());
    }

    #[test]
    fn no_part_of_the_twins_is_dropped() {
        let read = |node: &Node| Asked::read("#2", Some(node), None).map(|asked| asked.twins.twins);
        let twin = |letter, text| Twin::read(Some(letter), text);
        let list = |texts: &[&str]| Node::List(texts.iter().map(|text| scalar(text)).collect());
        assert_eq!(read(&scalar("Move a1 a2 c) Black")).unwrap(), [twin("b", "Move a1 a2"), twin("c", "Black")]);
        assert_eq!(read(&list(&["Black", "Remove a1 d) #3"])).unwrap().len(), 3);
        let zero = "ZeroPosition a) Move a1 a2 b) Black";
        let is_twice = |error: ProblemError| error.to_string().starts_with("there are two different twins b)");
        assert_eq!(read(&scalar(zero)).unwrap(), [twin("a", "Move a1 a2"), twin("b", "Black")]);
        assert!(read(&scalar("b) Black b) White")).is_err_and(is_twice));
        assert!(read(&list(&["Black", "b) White"])).is_err_and(is_twice));
        let both = |text| Asked::read("#2 b) Black", Some(&scalar(text)), None);
        assert_eq!(both("b) Black").unwrap().twins.twins.len(), 1);
        assert!(both("b) White").is_err_and(is_twice));
        let nested = |value| Node::Map(vec![("b".to_owned(), value)]);
        for value in [nested(scalar("x")), Node::Alias, Node::List(vec![list(&["x"])])] {
            let message = read(&nested(value)).unwrap_err().to_string();
            assert!(message.starts_with("the field \"twins.b"), "{message}");
            assert!(message.ends_with("; write it as {\"b\": \"Move a1 b2\"}"), "{message}");
        }
    }

    #[test]
    fn intended_solutions_are_read_in_every_form() {
        for (text, expected) in [
            ("3", Some(3)),
            ("2.2.1.1", Some(2)),
            ("4.1.1...", Some(4)),
            ("2 solutions", Some(2)),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(Intended::read(&scalar(text), false).unwrap().all, expected, "{text}");
        }
        for (text, expected) in
            [("2.1.1.1", Some(2)), ("1.2.1.2...", Some(4)), ("3", Some(3)), ("2 sols", Some(2)), ("999.999", None)]
        {
            assert_eq!(Intended::read(&scalar(text), true).unwrap().all, expected, "{text}");
        }
        let phases = Intended::read(&scalar("a) 2 b) 1"), false).unwrap();
        assert_eq!((phases.all, phases.phases), (None, vec![("a".to_owned(), 2), ("b".to_owned(), 1)]));
        assert_eq!(Intended::read(&scalar("some"), false).unwrap().unread.as_deref(), Some("some"));
        assert!(Intended::read(&Node::Alias, false).is_err());
    }

    fn read(fields: &str) -> Result<String, String> {
        let document = super::super::yaml::read(&format!("algebraic: {fields}\n"), 1).unwrap().unwrap();
        let board = board(document.get("algebraic").unwrap());
        board.map(|board| board.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_and_texts_are_read_and_other_forms_are_refused() {
        let expected = "7k/8/8/8/8/8/8/Q6K";
        for text in ["{white: [Kh1, Qa1], black: [Kh8]}", "{white: 'Kh1, Qa1', black: Kh8, neutral: []}"] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        for (text, why) in [
            ("Kh1 Qa1", "\"algebraic\" is a text; write it as {white: [Kh1, Qa1], black: [Ka8]}"),
            ("[{white: [Kh1]}]", "\"algebraic\" is a list; write it as {white"),
            ("{white: {K: h1}, black: [Kh8]}", "\"algebraic.white\" is an object; write it as {white"),
            ("{white: [[Kh1, Qa1]], black: [Kh8]}", "\"algebraic.white, item 1\" is a list; write it as {white"),
            ("{white: [Kh1], White: [Qa1], black: [Kh8]}", "\"White\" stands in algebraic"),
            ("{white: [Kh1], white: [Qa1], black: [Kh8]}", "\"algebraic.white\" stands twice"),
            ("{white: [Kh1], black: [Kh8], neutral: [Sd4]}", "neutral men"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(why), "{text}: {message}");
        }
    }
}
