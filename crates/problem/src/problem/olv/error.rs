//! The reasons why an entry cannot be solved, or why its solution cannot be written, each as a sentence.

use std::fmt;

use shakmaty::Square;

use crate::base::printable::excerpt;
use crate::chess::text::solved;
use crate::problem::ProblemError;

/// The reason why an entry cannot be solved, or why its solution cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OlvError {
    /// The entry is not YAML.
    Yaml {
        /// The line in the file, from 1.
        line: usize,
        /// The message of the YAML parser.
        why: String,
    },
    /// The entry is YAML, but not a list of fields.
    NoFields,
    /// A field is missing or empty. Contains its name.
    Missing(&'static str),
    /// A field has another form than it must have, so that it cannot be read.
    Shape {
        /// Its name.
        field: String,
        /// The form it has.
        found: &'static str,
        /// The right form.
        wanted: &'static str,
    },
    /// A name differs from that of a field only in its spelling.
    Name {
        /// The name in the entry.
        found: String,
        /// The name of the field.
        known: &'static str,
    },
    /// A field that states the problem stands twice. Contains its name.
    FieldTwice(String),
    /// Two different twins have one letter. Contains the letter.
    TwinTwice(String),
    /// A text is not a man of orthodox chess.
    Man(String),
    /// Two men stand on one square.
    Twice(Square),
    /// The diagram has men of another side than White and Black. Contains its name.
    Side(String),
    /// The entry has neutral men.
    Neutral,
    /// An option is a fairy condition, or unknown.
    Option(String),
    /// An option of Popeye asks another question than those that are solved.
    OptionRefused {
        /// Its name.
        option: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// The entry has fairy conditions. Contains their names.
    Conditions(String),
    /// The stipulation is that of a study. Contains its text.
    Study(String),
    /// The entry has a `non-standard-stipulation`. Contains its text.
    NonStandard(String),
    /// Writing a new solution would change another field.
    Unwritable,
}

impl fmt::Display for OlvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OlvError::Yaml { line, why } => write!(f, "the entry is not YAML (line {line}: {why}); correct the line"),
            OlvError::NoFields => f.write_str(
                "the document is not an entry; an entry has the fields algebraic (white and black) and stipulation",
            ),
            OlvError::Missing("stipulation") => f.write_str(
                "the entry has no stipulation; write stipulation: \"#3\" (in quotes: a bare # starts a comment)",
            ),
            OlvError::Missing(field) => {
                write!(f, "the entry has no {field}; write algebraic: with white: [Kh1, Qa1] and black: [Ka8] below it")
            }
            OlvError::Shape { field, found, wanted } => {
                write!(f, "the field \"{}\" is {found}; write it as {wanted}", excerpt(field))
            }
            OlvError::Name { found, known } => {
                write!(f, "the field \"{}\" is not read under this name; write {known}", excerpt(found))
            }
            OlvError::FieldTwice(field) => write!(f, "the field \"{field}\" stands twice; remove one"),
            OlvError::TwinTwice(letter) => write!(
                f,
                "there are two different twins {}) (in the field twins or in the stipulation); remove one",
                excerpt(letter)
            ),
            OlvError::Man(text) => write!(
                f,
                "\"{}\" is not a man of orthodox chess; write K, Q, R, B, S (the knight) or P and a square, such as \
                 Sf3",
                excerpt(text)
            ),
            OlvError::Twice(square) => write!(f, "two men stand on {square}; remove one"),
            OlvError::Side(name) => write!(
                f,
                "\"{}\" stands in algebraic, where only white and black are read; correct the name",
                excerpt(name)
            ),
            OlvError::Neutral => f.write_str("the entry has neutral men; matesolve solves orthodox chess only"),
            OlvError::Option(text) => write!(
                f,
                "the option \"{}\" changes the rules or is unknown; matesolve solves orthodox chess only",
                excerpt(text)
            ),
            OlvError::OptionRefused { option, why } => write!(f, "the option {option} is not solved here: {why}"),
            OlvError::Conditions(names) => write!(
                f,
                "the entry has the condition \"{}\", which is not solved; matesolve solves orthodox chess only",
                excerpt(names)
            ),
            OlvError::NonStandard(text) => {
                write!(f, "the stipulation is not standard (\"{}\"); matesolve solves {}", excerpt(text), solved())
            }
            OlvError::Study(text) => write!(
                f,
                "the stipulation \"{}\" is that of a study, in which a side is to win or to draw; studies are not solved, \
                 matesolve solves {}",
                excerpt(text),
                solved()
            ),
            OlvError::Unwritable => f.write_str(
                "the solution cannot be written into this entry without changing other fields; write each field on a \
                 line of its own, and each name only once",
            ),
        }
    }
}

impl std::error::Error for OlvError {}

impl From<OlvError> for ProblemError {
    fn from(error: OlvError) -> ProblemError {
        ProblemError::Olv(error)
    }
}
