//! Reads the `options` of an entry, and writes them: words of Popeye.
//!
//! An unknown option is refused, not ignored: it may be a fairy condition, under which an orthodox solution would be
//! wrong. Collections write one option in each item of a list; several options in one text are read too.

use std::iter::Peekable;
use std::str::SplitWhitespace;

use shakmaty::{Rank, Square};

use crate::base::printable::excerpt;
use crate::problem::ProblemError;
use crate::problem::fields::{self, Node, WORDS, condition_names};
use crate::problem::men::only_squares;
use crate::problem::popeye::{self, OptionWord, Treatment};
use crate::problem::twins::PhaseOptions;

/// The options of an `.olv` entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OlvOptions {
    /// `Try` and `Defence N`: the solution includes tries with at most this number of refutations.
    pub tries: Option<u16>,
    /// The options that concern all phases.
    pub phase: PhaseOptions,
    /// The options that are not applied although they can make the answer another one, and why.
    pub not_applied: Vec<(&'static str, &'static str)>,
}

/// The option of Popeye for castling rights that exclude each other.
const EXCLUSIVE: &str = "CastlingMutuallyExclusive";

impl OlvOptions {
    /// Adds the options among the fields of a problem to these, and refuses one with conditions.
    pub(in crate::problem) fn read<'a>(
        get: impl Fn(&str) -> Option<&'a Node>,
        mut options: OlvOptions,
    ) -> Result<OlvOptions, ProblemError> {
        if let Some(names) = ["conditions", "condition"].into_iter().find_map(|name| condition_names(get(name)?)) {
            let what = format!("the entry has the condition \"{}\", which is not solved", excerpt(&names));
            return Err(ProblemError::of_other_rules(&what));
        }
        for text in fields::texts("options", get("options"), WORDS)? {
            let spaced = text.replace([',', ';'], " ");
            let mut words = spaced.split_whitespace().peekable();
            let what = || format!("the option \"{}\" changes the rules or is unknown", excerpt(text));
            let refused = || ProblemError::of_other_rules(&what());
            // An item without a word is no option either.
            loop {
                options.apply(&mut words).ok_or_else(refused)??;
                if words.peek().is_none() {
                    break;
                }
            }
        }
        Ok(options)
    }

    /// Returns the options in Popeye's words.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |is_set: bool, word: String| words.extend(is_set.then_some(word));
        add(self.phase.set_play, "SetPlay".to_owned());
        add(self.phase.post_key, "PostKeyPlay".to_owned());
        add(self.phase.black_mates, "HalfDuplex".to_owned());
        add(self.phase.duplex, "Duplex".to_owned());
        add(self.phase.white_to_play, "WhiteToPlay".to_owned());
        add(self.phase.stops_at_short, "StopOnShortSolutions".to_owned());
        match self.tries {
            Some(1) => add(true, "Try".to_owned()),
            Some(refutations) => add(true, format!("Defence {refutations}")),
            None => {}
        }
        let squares: String = self.phase.no_castling.iter().map(ToString::to_string).collect();
        add(!squares.is_empty(), format!("NoCastling {squares}"));
        words.extend(self.phase.exclusive.iter().map(|(white, black)| format!("{EXCLUSIVE} {white}{black}")));
        words.extend(self.phase.en_passant.map(|square| {
            let [from, to] = [-8, 8].map(|step| square.offset(if square.rank() == Rank::Sixth { -step } else { step }));
            let [from, to] = [from, to].map(|square| square.map_or(String::new(), |square| square.to_string()));
            format!("EnPassant {from}{square}{to}")
        }));
        words
    }

    /// Returns what a reader must know about the options.
    pub(in crate::problem) fn warnings(&self) -> Vec<String> {
        let not_applied = |(option, why): &(&str, &str)| format!("the option {option} is not applied: {why}");
        let exclusive = |(white, black): &(Square, Square)| {
            format!("castling with the rook on {white} and castling with the rook on {black} exclude each other")
        };
        self.phase.exclusive.iter().map(exclusive).chain(self.not_applied.iter().map(not_applied)).collect()
    }

    /// Applies the option that begins here; `None` if it is unknown or malformed.
    fn apply(&mut self, words: &mut Words) -> Option<Result<(), ProblemError>> {
        let word = words.next()?.to_ascii_lowercase();
        let name = match word.as_str() {
            "half" => words.next_if(|word| word.eq_ignore_ascii_case("duplex")).and(Some("halfduplex"))?,
            "half-duplex" => "halfduplex",
            // The singular, and an option of old versions, are in use too.
            "variation" | "maxdefence" => "variations",
            word => word,
        };
        match popeye::in_collection(name)? {
            (_, option, Treatment::Refused(why)) => {
                return Some(Err(format!("the option {option} is not solved here: {why}").into()));
            }
            (_, option, treatment @ (Treatment::Harmless(_) | Treatment::Noted(_))) => {
                while words.next_if(|word| is_argument(word)).is_some() {}
                if let Treatment::Noted(why) = treatment {
                    self.not_applied.push((option, why));
                }
            }
            (OptionWord::Try, ..) => self.tries = self.tries.or(Some(1)),
            (OptionWord::Defence, ..) => self.tries = Some(words.next()?.parse().ok()?),
            (option, ..) if option.has_squares() => self.phase.set(option, &squares(words)?)?,
            (option, ..) => self.phase.set(option, &[])?,
        }
        Some(Ok(()))
    }
}

/// The words of one text of options.
type Words<'a> = Peekable<SplitWhitespace<'a>>;

/// Returns whether a word belongs to an ignored option before it: a number, a square, or a man on a square.
fn is_argument(word: &str) -> bool {
    let square = word.len().checked_sub(2).and_then(|start| word.get(start..));
    word.parse::<u64>().is_ok() || square.is_some_and(|square| square.parse::<Square>().is_ok())
}

/// Reads squares, with or without spaces between them, at least one.
fn squares(words: &mut Words) -> Option<Vec<Square>> {
    let mut found = Vec::new();
    while let Some(more) = words.peek().and_then(|word| only_squares(word)) {
        found.extend(more);
        words.next();
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::popeye::OPTIONS;
    use crate::problem::twins::Language;

    fn read(items: &[&str]) -> Result<OlvOptions, ProblemError> {
        of(&Node::List(items.iter().map(|text| Node::Text((*text).to_owned())).collect()))
    }

    fn is_unknown(error: &ProblemError, text: &str) -> bool {
        error.to_string().starts_with(&format!("the option \"{text}\" changes the rules or is unknown"))
    }

    fn of(options: &Node) -> Result<OlvOptions, ProblemError> {
        OlvOptions::read(|name| (name == "options").then_some(options), OlvOptions::default())
    }

    #[test]
    fn known_options_are_read_and_options_about_output_ignored() {
        let options = read(&[
            "SetPlay",
            "Defence 2",
            "Variation",
            "StopOnShortSolutions",
            "NoCastling a1 e8",
            "EnPassant d7d6d5",
        ])
        .unwrap();
        assert!(options.phase.set_play && options.tries == Some(2) && options.phase.stops_at_short);
        assert_eq!(options.phase.no_castling, [Square::A1, Square::E8]);
        assert_eq!(options.phase.en_passant, Some(Square::D6));
        assert_eq!(read(&["Try"]).unwrap().tries, Some(1));
        assert!(read(&["Duplex"]).unwrap().phase.duplex && read(&["Half-duplex"]).unwrap().phase.black_mates);
        let words = options.words();
        assert_eq!(words, ["SetPlay", "StopOnShortSolutions", "Defence 2", "NoCastling a1e8", "EnPassant d7d6d5"]);
        assert_eq!(read(&words.iter().map(String::as_str).collect::<Vec<_>>()).unwrap(), options);
        assert_eq!(of(&Node::List(Vec::new())).unwrap(), OlvOptions::default());
    }

    #[test]
    fn several_options_in_one_text_are_all_read() {
        for items in [&["SetPlay Duplex, NoCastling a1 e8"][..], &["Half Duplex; MaxSolutions 5 SetPlay Duplex"]] {
            let options = read(items).unwrap();
            assert!(options.phase.set_play && options.phase.duplex, "{items:?}");
        }
        assert!(read(&["Half Duplex; Threat 3 LastCapture Sd4"]).unwrap().phase.black_mates);
        assert_eq!(read(&["NoCastling a1", "NoCastling e8"]).unwrap().phase.no_castling, [Square::A1, Square::E8]);
        for text in ["SetPlay Circe", "SetPlay 3", "EnPassant a1 b2", "NoCastling", "Half"] {
            assert!(read(&[text]).is_err_and(|error| is_unknown(&error, text)), "{text}");
        }
        for node in [Node::Alias, Node::Map(vec![("Duplex".into(), Node::Text("true".into()))])] {
            let message = of(&node).unwrap_err().to_string();
            assert!(message.starts_with("the field \"options\" is an "), "{message}");
            assert!(message.ends_with("; write it as [\"SetPlay\", \"Duplex\"]"), "{message}");
        }
    }

    #[test]
    fn rights_that_exclude_each_other_are_read_and_written() {
        let options = read(&["CastlingMutuallyExclusive h1h8", "castlingmutuallyexclusive a1 a8"]).unwrap();
        assert_eq!(options.phase.exclusive, [(Square::H1, Square::H8), (Square::A1, Square::A8)]);
        let words = options.words();
        assert_eq!(words, ["CastlingMutuallyExclusive h1h8", "CastlingMutuallyExclusive a1a8"]);
        assert_eq!(read(&words.iter().map(String::as_str).collect::<Vec<_>>()).unwrap(), options);
        for text in ["CastlingMutuallyExclusive", "CastlingMutuallyExclusive h1", "CastlingMutuallyExclusive h8h1"] {
            assert!(read(&[text]).is_err_and(|error| is_unknown(&error, text)), "{text}");
        }
    }

    #[test]
    fn no_option_of_popeyes_list_is_silent() {
        let names = OPTIONS.iter().map(|(_, name)| name.of(Language::English));
        for option in names {
            let arguments = match option {
                "Defence" => " 2",
                "EnPassant" => " a7a6a5",
                "NoCastling" => " a1",
                "CastlingMutuallyExclusive" => " a1h8",
                _ => "",
            };
            let text = format!("{option}{arguments}");
            let (_, _, meaning) = popeye::in_collection(option).unwrap();
            match (read(&[&text]), meaning) {
                (Ok(options), Treatment::Applied) => assert_ne!(options, OlvOptions::default(), "{text}"),
                (Ok(options), Treatment::Harmless(_)) => assert!(options.warnings().is_empty(), "{text}"),
                (Ok(options), Treatment::Noted(why)) => {
                    let expected = [format!("the option {option} is not applied: {why}")];
                    assert_eq!(options.warnings(), expected, "{text}");
                }
                (Err(error), Treatment::Refused(why)) => {
                    assert_eq!(error.to_string(), format!("the option {option} is not solved here: {why}"));
                }
                (read, meaning) => panic!("{text}: {read:?}, {meaning:?}"),
            }
        }
        let message = read(&["SetPlay Quodlibet"]).unwrap_err().to_string();
        assert_eq!(message, "the option Quodlibet is not solved here: under it a mate of the other side solves, too");
    }

    #[test]
    fn fairy_conditions_and_broken_options_are_refused() {
        for text in ["Circe", "AntiCirce", "Defence", "Defence x", "EnPassant", "NoCastling i9", "é"] {
            assert!(read(&[text]).is_err_and(|error| is_unknown(&error, text)), "{text}");
        }
    }
}
