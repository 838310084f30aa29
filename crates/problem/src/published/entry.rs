//! A published problem: the diagram and its stipulation, and what the collection says about its solution.

use std::fmt;

use serde_json::{Map, Value};

use crate::problem::input::Entry;
use crate::problem::olv::{self, OlvEntry, OlvError, json};
use crate::problem::{Problem, ProblemError};

use super::keywords::Claim;

/// A problem with what was published about it.
#[derive(Debug, Clone)]
pub struct Published {
    /// The problem. Its name is that of the collection: an `id`, or authors, source and year.
    pub problem: Problem,
    /// The authors.
    pub authors: Vec<String>,
    /// The source in which it was published.
    pub source: Option<String>,
    /// The year of publication.
    pub year: Option<u16>,
    /// The remarks of the collection, such as `Cooked`.
    pub keywords: Vec<String>,
    /// The keys, if the collection names them besides the solution.
    pub keys: Vec<String>,
    /// The text of the solution.
    pub solution: Option<String>,
    /// The number of keys that the composer intended, if the entry says so.
    pub intended: Option<u16>,
    /// The entry of a collection, if the problem comes from one.
    pub entry: Option<Box<OlvEntry>>,
}

/// The reason why an entry is not audited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishedError {
    /// It is neither an orthodox direct mate nor help play, which is no fault of the entry.
    OtherGenre(ProblemError),
    /// It cannot be read, or its position is impossible.
    Invalid(ProblemError),
}

impl fmt::Display for PublishedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PublishedError::OtherGenre(error) | PublishedError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PublishedError {}

impl From<ProblemError> for PublishedError {
    fn from(error: ProblemError) -> PublishedError {
        let other = matches!(
            &error,
            ProblemError::Stipulation(_)
                | ProblemError::Olv(
                    OlvError::NonStandard(_)
                        | OlvError::Conditions(_)
                        | OlvError::Option(_)
                        | OlvError::Man(_)
                        | OlvError::Neutral
                )
        );
        if other { PublishedError::OtherGenre(error) } else { PublishedError::Invalid(error) }
    }
}

impl Published {
    /// Takes what an entry of an input says about its problem.
    ///
    /// # Errors
    /// If the entry holds neither an orthodox direct mate nor help play, or a field about the solution cannot be read.
    pub fn of(entry: &Entry) -> Result<Published, PublishedError> {
        let problem = entry.problem.as_ref().map_err(|error| PublishedError::from(error.clone()))?.clone();
        if let Some(olv) = &entry.olv {
            return Ok(Published::of_olv(olv, problem));
        }
        check_forms(&problem.given.fields).map_err(ProblemError::from)?;
        Ok(Published::of_problem(problem))
    }

    /// Reads a JSON object: with a `fen`, or with the lists of men of the YACPDB (`algebraic`).
    ///
    /// # Errors
    /// As [`Published::of`].
    pub fn of_json(text: &str, line: usize) -> Result<Published, PublishedError> {
        Published::of(&Entry::of_text(text, line))
    }

    fn of_olv(entry: &OlvEntry, mut problem: Problem) -> Published {
        let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
        // The number of an entry in its database says more than its author.
        problem.id = entry.texts("id").first().map(|&id| id.to_owned()).or(problem.id);
        Published {
            authors: owned(entry.texts("authors")),
            source: entry.published_in().map(str::to_owned),
            year: entry.year(),
            keywords: owned(entry.texts("keywords")),
            keys: owned(entry.texts("keys")),
            solution: entry.solution.clone(),
            intended: problem.intended,
            problem,
            entry: Some(Box::new(entry.clone())),
        }
    }

    /// Takes what a problem from a line of EPD or JSON says about itself.
    fn of_problem(problem: Problem) -> Published {
        let fields = &problem.given.fields;
        let text = |name: &str| fields.get(name).map(words).filter(|words| !words.is_empty()).map(|it| it.join("\n"));
        let bm = problem.operations.iter().filter(|operation| operation.code == "bm");
        let bm = bm.flat_map(|operation| &operation.operands).map(|operand| operand.text.clone());
        let list = |name: &str| fields.get(name).map(words).unwrap_or_default();
        let year = dates(fields).find_map(|date| olv::year(&words(date).join(" ")));
        Published {
            authors: list("authors"),
            source: text("source"),
            year,
            keywords: list("keywords"),
            keys: list("keys").into_iter().chain(bm.filter(|text| !text.starts_with('#'))).collect(),
            solution: text("solution"),
            intended: text("intended").and_then(|count| count.parse().ok()).or(problem.intended),
            entry: None,
            problem,
        }
    }

    /// Returns whether the collection says that the problem is not sound, or doubts it.
    pub fn is_marked(&self) -> bool {
        self.keywords.iter().any(|keyword| Claim::of(keyword).is_some())
    }
}

/// Refuses a field about the published solution in a form that cannot be read: without it, the entry would be compared
/// with another solution than its own.
fn check_forms(fields: &Map<String, Value>) -> Result<(), OlvError> {
    for name in ["solution", "keywords", "keys", "authors", "source", "date", "year"] {
        let value = fields.get(name).unwrap_or(&Value::Null);
        let has_name = ["authors", "source", "date"].contains(&name);
        let is_word = |value: &Value| value.is_string() || value.is_number() || has_name && value.is_object();
        let is_list = value.as_array().is_some_and(|items| items.iter().all(is_word));
        if !(value.is_null() || is_word(value) || is_list) {
            return Err(json::wrong(name, value, "a text or a list of texts"));
        }
    }
    let intended = fields.get("intended").unwrap_or(&Value::Null);
    let is_count = words(intended).first().is_some_and(|count| count.parse::<u16>().is_ok_and(|count| count > 0));
    if intended.is_null() || is_count { Ok(()) } else { Err(json::wrong("intended", intended, "a number from 1")) }
}

/// Returns what may tell the year of publication: `date` and `year`, also those of `source`.
fn dates(fields: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let source = fields.get("source").and_then(Value::as_object);
    [Some(fields), source]
        .into_iter()
        .flatten()
        .flat_map(|fields| ["date", "year"].map(|name| fields.get(name)))
        .flatten()
}

/// Returns the texts and numbers of a value: of a list its items, of an object its name, or the year of a date.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            ["name", "year"].iter().find_map(|name| fields.get(*name)).map_or_else(Vec::new, words)
        }
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEN: &str = r#""algebraic":{"white":["Kf8","Rh1","Pg6"],"black":["Kh8","Bg8","Ph7","Pg7"]}"#;

    #[test]
    fn json_is_read_with_a_fen_or_with_lists_of_men() {
        let both = [
            format!(
                r##"{{"id":7,{MEN},"stipulation":"#2","authors":["A"],"date":{{"year":1952}},"source":"R\u00e9s\/x",
                "keywords":["Cooked"],"solution":"1.Rh6!\n\t1...g\u00d7h6","intended-solutions":"2.1"}}"##
            ),
            r##"{"id":7,"fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -","stipulation":"#2","authors":"A","date":"1952-01",
                "source":"Rés/x","keywords":["Cooked"],"solution":"1.Rh6!\n\t1...g×h6","intended":2}"##
                .to_owned(),
        ];
        for text in both {
            let read = Published::of_json(&text, 3).unwrap();
            assert_eq!(read.problem.fen, "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1");
            assert_eq!((read.problem.id.as_deref(), read.problem.line, read.year), (Some("7"), Some(3), Some(1952)));
            assert_eq!((read.authors, read.source.as_deref()), (vec!["A".to_owned()], Some("Rés/x")));
            assert_eq!((read.solution.as_deref(), read.intended), (Some("1.Rh6!\n\t1...g×h6"), Some(2)));
            assert_eq!(read.keywords, ["Cooked"]);
        }
    }

    #[test]
    fn fields_of_a_solution_are_read_whole_or_refused() {
        let read =
            |field: &str| Published::of_json(&format!(r#"{{"fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -",{field}}}"#), 1);
        let lines = read(r#""solution":["1.Rh6!","1...gxh6 2.g7#"]"#).unwrap();
        assert_eq!(lines.solution.as_deref(), Some("1.Rh6!\n1...gxh6 2.g7#"));
        for (field, expected) in [
            (
                r#""solution":{"key":"Rh6"}"#,
                "the field \"solution\" is an object; write it as a text or a list of texts",
            ),
            (r#""keywords":[["Cooked"]]"#, "the field \"keywords\" is a list; write"),
            (r#""keys":true"#, "the field \"keys\" is true or false; write"),
            (r#""intended":"two""#, "the field \"intended\" is a text; write it as a number from 1"),
        ] {
            let message = read(field).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        let entry = Published::of_json(&format!(r##"{{{MEN},"stipulation":"#2","solution":["1.Rh6!"]}}"##), 1);
        let message = entry.unwrap_err().to_string();
        assert_eq!(message, "the field \"solution\" is a list; write it as one text");
    }

    #[test]
    fn keys_come_from_bm_and_other_genres_are_told_from_mistakes() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #2; bm Rh6 Rh5;").unwrap();
        assert_eq!(Published::of_problem(problem).keys, ["Rh6", "Rh5"]);
        let other = Published::of_json(&format!(r#"{{{MEN},"stipulation":"pser-#2"}}"#), 1).unwrap_err();
        assert!(matches!(other, PublishedError::OtherGenre(_)));
        let broken = Published::of_json(r##"{"stipulation":"#2"}"##, 1).unwrap_err();
        assert!(matches!(broken, PublishedError::Invalid(_)));
    }
}
