//! The values of an option that are words of a list, such as the formats, with their help texts.
//!
//! Most of the types belong to the library, which knows no command line. So their lists stand here, in the order of the
//! help; that of [`ReportFormat`] stands beside its names. An option has the parser of its type: `value_parser =
//! words::<Letters>()`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::chess::Letters;
use crate::output::Format;
use crate::output::audit::AuditFormat;
use crate::output::puzzles::PuzzleFormat;
use crate::output::report::ReportFormat;
use crate::output::workbench::WorkbenchFormat;
use crate::report::Castling;
use crate::workbench::Keep;

/// A type whose values are words of the command line.
pub(crate) trait Words: Copy + Send + Sync + 'static {
    /// The values in the order of the help: each with its word and its help text.
    const WORDS: &'static [(Self, &'static str, &'static str)];

    /// Returns the word of a value.
    fn word(self) -> &'static str
    where
        Self: PartialEq,
    {
        Self::WORDS.iter().find(|(value, ..)| *value == self).map_or("", |(_, word, _)| word)
    }
}

/// Returns the parser of an option whose values are the words of this type.
pub(crate) fn words<T: Words>() -> impl TypedValueParser<Value = T> {
    let possible = T::WORDS.iter().map(|&(_, word, help)| PossibleValue::new(word).help(help));
    PossibleValuesParser::from(possible).try_map(|given: String| {
        let listed = T::WORDS.iter().find(|(_, word, _)| *word == given);
        listed.map(|&(value, ..)| value).ok_or("it is no word of the list")
    })
}

/// Gives a type its list of words. The compiler refuses a list that lacks a value.
macro_rules! words {
    ($name:ident: $($value:ident $word:literal $help:literal,)+) => {
        impl Words for $name {
            const WORDS: &'static [($name, &'static str, &'static str)] = &[$(($name::$value, $word, $help)),+];
        }
        const _: fn($name) = |value| match value {
            $($name::$value => (),)+
        };
    };
}

words! { Format:
    Text "text" "Plain text, for reading",
    Json "json" "Indented JSON; a batch is one array",
    Jsonl "jsonl" "One JSON object per line",
    Epd "epd" "One EPD line per problem",
    Csv "csv" "A table: a header, and one row per problem",
    Pgn "pgn" "A game per problem: its main line",
}

impl Words for ReportFormat {
    const WORDS: &'static [(ReportFormat, &'static str, &'static str)] = &ReportFormat::WORDS;
}

/// The format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiagramFormat {
    /// A picture that loads nothing.
    Svg,
    /// A document for pdflatex.
    Latex,
    /// The board in text.
    Text,
    /// The board in text, with figurines also where nobody knows whether they can be shown.
    Figurines,
}

words! { DiagramFormat:
    Svg "svg" "A picture that loads nothing, for pages and word processors",
    Latex "latex" "A document with the diagram, for pdflatex",
    Text "text" "The board in text: figurines on a terminal with UTF-8, letters elsewhere",
    Figurines "figurines" "The board in text, with figurines",
}

words! { AuditFormat:
    Text "text" "A line for each problem, what was found below it, and a table at the end",
    Jsonl "jsonl" "One JSON object per line",
    Csv "csv" "A table: a header, and one row per problem",
    Html "html" "A page with boards and solutions, for any browser, and what was found",
    Olv "olv" "The .olv collection with its solutions written anew",
}

words! { PuzzleFormat:
    Text "text" "A line for each puzzle that is not right, and the totals",
    Jsonl "jsonl" "One JSON object per line, for every puzzle",
    Csv "csv" "A table with a row for every puzzle",
}

words! { WorkbenchFormat:
    Text "text" "A list for people",
    Json "json" "One JSON object for the whole answer",
    Jsonl "jsonl" "One JSON object per line for each proposal, the best first",
    Epd "epd" "One line of EPD for each proposal",
    Olv "olv" "The proposals as entries of a collection, with their solutions",
    Html "html" "A page with diagrams and solutions of the proposals",
}

words! { Castling:
    Fen "fen" "As the FEN says",
    Assume "assume" "Wherever king and rook are on their original squares, unless the position shows that one of them has \
        moved",
    None "none" "Never",
}

words! { Keep:
    Key "key" "The key",
    Variations "variations" "The key, and the continuations after every defence that has its own",
    SetPlay "set-play" "The answers to every move of the set play",
    Try "try" "The tries that one defence refutes, each with its refutation",
}

words! { Letters:
    En "en" "English: K Q R B N P",
    EnS "en-s" "English, with S for the knight, as problemists write: K Q R B S P",
    Cs "cs" "Czech: K D V S J P",
    De "de" "German: K D T L S B",
    Es "es" "Spanish: R D T A C P",
    Fr "fr" "French: R D T F C P",
    It "it" "Italian: R D T A C P",
    Nl "nl" "Dutch: K D T L P O",
    Pl "pl" "Polish: K H W G S P",
    Pt "pt" "Portuguese: R D T B C P",
    Ru "ru" "Russian in Latin letters: Kr F L S K P",
    Figurines "figurines" "Figurines, the same in every language",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_have_the_names_and_the_order_of_the_library() {
        let words: Vec<_> = Letters::WORDS.iter().map(|&(letters, word, _)| (letters, word)).collect();
        assert_eq!(words, Letters::NAMES);
    }
}
