//! Reads what an entry asks for: `stipulation`, `twins` and `intended-solutions`, each in all the forms of collections.
//!
//! ```yaml
//! stipulation: "#2 b) Black"      # usually "#2"; twins may follow
//! twins: {b: Move c3 g3, c: Continued Remove h2 Stipulation #3}
//! intended-solutions: 2.1.1       # keys first
//! ```

use super::yaml::YamlNode;
use crate::problem::twins::{Twin, TwinCommand, Twins};

/// The demands of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The stipulation of the diagram, without twins and options.
    pub stipulation: String,
    pub twins: Twins,
    /// Whether the stipulation says `by Black`.
    pub black_mates: bool,
    /// Whether the stipulation says `Duplex`.
    pub duplex: bool,
    /// Whether the stipulation is written with a star (`#2*`), for set play.
    pub set_play: bool,
    pub intended: Intended,
}

/// The number of keys that the composer intends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Intended {
    /// The number for every phase.
    pub all: Option<u16>,
    /// The numbers of single phases, by their letters.
    pub phases: Vec<(String, u16)>,
}

impl Asked {
    pub(super) fn read(stipulation: &str, twins: Option<&YamlNode>, intended: Option<&YamlNode>) -> Asked {
        let mut asked = Asked { intended: intended.map_or_else(Intended::default, Intended::read), ..Asked::default() };
        let (base, lettered) = lettered(stipulation);
        asked.base(&base);
        let mut texts = twins.map_or_else(Vec::new, twin_texts);
        for (letter, text) in lettered {
            match letter.as_str() {
                "a" if asked.stipulation.is_empty() => asked.base(&text),
                _ if texts.iter().all(|(known, _)| *known != letter) => texts.push((letter, text)),
                _ => {}
            }
        }
        asked.twins = Twins::from_texts(texts);
        asked
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
                TwinCommand::Attacker(color) => read.black_mates = color.is_black(),
                TwinCommand::OtherSide if is_half => read.black_mates = true,
                TwinCommand::OtherSide => read.duplex = true,
                _ => return,
            }
        }
        if !read.stipulation.is_empty() {
            (self.black_mates, self.duplex, self.stipulation) = (read.black_mates, read.duplex, read.stipulation);
            self.set_play = is_marked && text[plain.len()..].contains('*');
            self.intended.all = self.intended.all.or(solutions);
        }
    }
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

/// Returns the twins of the field `twins` with their letters: a map, a list, or a text such as `b) Black c) #3`.
fn twin_texts(node: &YamlNode) -> Vec<(String, String)> {
    let letter = |index: usize| char::from(b'b' + u8::try_from(index.min(24)).unwrap_or_default()).to_string();
    let text = |node: &YamlNode| match node {
        YamlNode::List(items) => items.iter().filter_map(YamlNode::text).collect::<Vec<_>>().join(" "),
        node => node.text().unwrap_or_default().to_owned(),
    };
    match node {
        YamlNode::Map(fields) => {
            let name = |name: &String| name.trim().trim_end_matches([')', '.']).to_lowercase();
            fields.iter().map(|(key, value)| (name(key), text(value))).collect()
        }
        YamlNode::List(items) => {
            let read = |(index, item): (usize, &YamlNode)| {
                if matches!(item, YamlNode::Map(_)) {
                    return twin_texts(item);
                }
                match lettered(&text(item)) {
                    (rest, found) if found.is_empty() => vec![(letter(index), rest)],
                    (_, found) => found,
                }
            };
            items.iter().enumerate().flat_map(read).collect()
        }
        YamlNode::Scalar(_) => match lettered(&text(node)) {
            (rest, found) if found.is_empty() && !rest.is_empty() => vec![(letter(0), rest)],
            (_, found) => found,
        },
    }
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

impl Intended {
    /// Reads `2`, `2.1.1`, `4.1.1...`, `2 solutions`, `a) 2 b) 1`, `{a: 2, b: 1}`.
    fn read(node: &YamlNode) -> Intended {
        let first = |text: &str| {
            let digits = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '('));
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits[..end].parse::<u16>().ok().filter(|&number| number > 0)
        };
        if let YamlNode::Map(fields) = node {
            let numbers = fields.iter().filter_map(|(name, value)| Some((name.clone(), first(value.text()?)?)));
            return Intended { all: None, phases: numbers.collect() };
        }
        let text = node.items().first().and_then(YamlNode::text).unwrap_or_default();
        let (base, lettered) = lettered(text);
        let phases = lettered.iter().filter_map(|(letter, text)| Some((letter.clone(), first(text)?)));
        Intended { all: first(&base), phases: phases.collect() }
    }

    /// Returns the number for a phase, if one is stated for it.
    pub(super) fn of(&self, letter: &str) -> Option<u16> {
        self.phases.iter().find(|(known, _)| known == letter).map(|(_, number)| *number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(text: &str) -> YamlNode {
        YamlNode::Scalar(text.to_owned())
    }

    fn asked(stipulation: &str) -> Asked {
        Asked::read(stipulation, None, None)
    }

    #[test]
    fn a_stipulation_may_contain_options_and_twins() {
        let black = asked("#2 by Black");
        assert!(black.black_mates && black.stipulation == "#2" && black.twins.twins.is_empty());
        let twins = asked("#2 b) Black, +c) Move a1 b2");
        assert_eq!((twins.stipulation.as_str(), twins.black_mates), ("#2", false));
        assert_eq!(twins.twins.twins, [Twin::read(Some("b"), "Black"), Twin::read(Some("c"), "+ Move a1 b2")]);
        assert!(twins.twins.twins[1].continued);
        let both = asked("a) #2 b) #3");
        assert_eq!((both.stipulation.as_str(), both.twins.twins.len()), ("#2", 1));
        assert!(
            asked("#3 Duplex").duplex && asked("#3 HalfDuplex").black_mates && asked("Black to move #3").black_mates
        );
        let two = asked("#2 (2 solutions)");
        assert_eq!((two.stipulation.as_str(), two.intended.all), ("#2", Some(2)));
        assert!(asked("#2*").set_play && asked("#2*").stipulation == "#2");
        assert_eq!(asked("é) b) ü)").twins.twins.len(), 1);
        for text in ["h#2", "#2 something", "", "="] {
            assert_eq!(asked(text).stipulation, text);
        }
    }

    #[test]
    fn twins_are_read_from_maps_lists_and_texts() {
        let map = |fields: &[(&str, &str)]| {
            YamlNode::Map(fields.iter().map(|(name, text)| ((*name).to_owned(), scalar(text))).collect())
        };
        let read = |node: &YamlNode| Asked::read("#2", Some(node), None).twins;
        let expected = vec![Twin::read(Some("b"), "Move a1 a2"), Twin::read(Some("c"), "Black")];
        for node in [
            map(&[("c", "Black"), ("b", "Move a1 a2")]),
            map(&[("a", "diagram"), ("B)", "Move a1 a2"), ("c", "Black")]),
            YamlNode::List(vec![scalar("Move a1 a2"), scalar("c) Black")]),
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
    fn intended_solutions_are_read_in_every_form() {
        for (text, expected) in [
            ("3", Some(3)),
            ("2.2.1.1", Some(2)),
            ("4.1.1...", Some(4)),
            ("2 solutions", Some(2)),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(Intended::read(&scalar(text)).all, expected, "{text}");
        }
        let phases = Intended::read(&scalar("a) 2 b) 1"));
        assert_eq!((phases.all, phases.of("a"), phases.of("b"), phases.of("c")), (None, Some(2), Some(1), None));
    }
}
