//! What is known of one place of an input: its problem, or why there is none, and what is kept of its text.
//!
//! The name of an entry that is no problem is looked for without the position, for example in the operations of an EPD
//! line, in the fields of a JSON object or in the tags of a game.

use std::io;

use serde_json::{Map, Value};

use super::objects::is_position;
use crate::base::printable::excerpt;
use crate::problem::names::is_asked;
use crate::problem::olv::OlvEntry;
use crate::problem::{Asked, Problem, ProblemError, epd, jsonl, once};

/// A place of an input that should hold a problem.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The index of its input, from 0.
    pub file: usize,
    /// The number of its first line in that input, from 1; 0 if the input cannot be read any further, or has ended.
    pub line: usize,
    /// The number of the entry among those of an array that begin on its line, from 1.
    pub item: usize,
    /// The kind of the place: a record, or an end of the input.
    pub kind: EntryKind,
    /// The problem, or the reason why the entry holds none.
    pub problem: Result<Problem, ProblemError>,
    /// The name and the text of an entry that is no problem; empty if it is one.
    pub rejected: Rejected,
    /// The fields of an entry that has those of a collection: its options, its printed solution and its remarks.
    pub olv: Option<Box<OlvEntry>>,
    /// With [`super::Reading::keeps_bytes`], the bytes of a collection before this entry: separators, comments and
    /// directives.
    pub before: Vec<u8>,
    /// With [`super::Reading::keeps_bytes`], the bytes of an entry of a collection; empty if it is too long.
    pub source: Option<Vec<u8>>,
    /// Whether the text is not UTF-8 and was read as Latin-1.
    pub is_latin1: bool,
}

/// The kind of a place of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A line, object, game or document.
    Record,
    /// Nothing: the input cannot be read from here on.
    Unreadable,
    /// Nothing: a collection whose bytes are kept has ended, and `before` holds the last of them.
    End,
}

/// The name and the text of an entry that is no problem, for its result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rejected {
    /// The name that the entry gives to the problem.
    pub id: Option<String>,
    /// Whether the name is a number in JSON.
    pub id_is_number: bool,
    /// The text of the entry, at most its first 1000 characters; `None` if it could not be read.
    pub text: Option<String>,
}

impl Entry {
    /// Makes an entry of what its text was read as. `rejected` says what is kept of a text that is no problem.
    pub(super) fn of(
        line: usize,
        problem: Result<Problem, ProblemError>,
        rejected: impl FnOnce() -> Rejected,
    ) -> Entry {
        let mut problem = problem;
        let rejected = match &mut problem {
            Ok(problem) => {
                problem.line = Some(line);
                Rejected::default()
            }
            Err(_) => rejected(),
        };
        let (file, item, kind, before) = (0, 1, EntryKind::Record, Vec::new());
        Entry { file, line, item, kind, problem, rejected, olv: None, before, source: None, is_latin1: false }
    }

    /// Reads a line of FEN or EPD, or a JSON object: with a `fen`, or with the lists of men of the YACPDB
    /// (`algebraic`), or with an object that has one of them.
    pub(crate) fn of_text(text: &str, line: usize) -> Entry {
        let rejected = || Rejected::line(text);
        let Some(fields) = text.starts_with('{').then(|| once::object(text).ok()).flatten() else {
            return Entry::of(line, Problem::read(text), rejected);
        };
        match lifted(fields) {
            // JSON is YAML, except for some ways to write a character. serde_json does not use them.
            Ok(fields) if fields.contains_key("algebraic") && !fields.contains_key("fen") => {
                Entry::of_olv(&Value::from(fields).to_string(), line, rejected)
            }
            read => Entry::of(line, read.and_then(jsonl::of_fields), rejected),
        }
    }

    /// Returns the name that the entry gives to its problem.
    pub fn id(&self) -> Option<String> {
        self.problem.as_ref().map_or(&self.rejected.id, |problem| &problem.id).clone()
    }

    /// Returns the entry with what these parts ask beside it.
    #[must_use]
    pub fn asked(self, told: &Asked) -> Entry {
        let Entry { problem, line, .. } = self;
        let problem = told.of(problem).map(|problem| Problem { line: Some(line), ..problem });
        Entry { problem, ..self }
    }

    /// Reads an entry of a collection.
    pub(super) fn of_olv(text: &str, line: usize, rejected: impl FnOnce() -> Rejected) -> Entry {
        match OlvEntry::read(text, line) {
            Ok(olv) => {
                let entry = Entry::of(line, Ok(olv.problem.clone()), rejected);
                Entry { olv: Some(Box::new(olv)), ..entry }
            }
            Err(error) => Entry::of(line, Err(error), rejected),
        }
    }

    /// Makes the entry for a text that is too long. `what` it is: a line, an object, an entry.
    pub(super) fn too_long(line: usize, what: &str, longest: usize) -> Entry {
        let why = format!("the {what} is longer than {longest} bytes; shorten it");
        Entry::of(line, Err(ProblemError::Text(why)), Rejected::default)
    }

    /// Makes the entry that stands for the rest of an input that cannot be read. Its line is not known: 0.
    pub(super) fn unreadable(error: &io::Error) -> Entry {
        let why = ProblemError::Text(unreadable(error));
        Entry { kind: EntryKind::Unreadable, ..Entry::of(0, Err(why), Rejected::default) }
    }

    /// Makes the entry that stands for the end of a collection.
    pub(super) fn end(before: Vec<u8>) -> Entry {
        let nothing = ProblemError::Text(String::new());
        Entry { kind: EntryKind::End, before, ..Entry::of(0, Err(nothing), Rejected::default) }
    }
}

/// Says that an input cannot be read any further.
pub(super) fn unreadable(error: &io::Error) -> String {
    format!("the input cannot be read from here on: {error}")
}

/// Returns a JSON object whose position stands in the object of one field (`{"stipulation": "h#2", "diagram": {"fen":
/// …}}`) with the fields of both, and any other as it is.
fn lifted(mut fields: Map<String, Value>) -> Result<Map<String, Value>, ProblemError> {
    let states = |(name, value): (&String, &Value)| is_position(name.as_bytes(), value.to_string().as_bytes());
    let holds = |(_, value): &(&String, &Value)| value.as_object().is_some_and(|inside| inside.iter().any(states));
    let holders: Vec<String> = fields.iter().filter(holds).map(|(name, _)| name.clone()).collect();
    let holder = holders.first().filter(|_| holders.len() == 1 && !fields.iter().any(states));
    let Some(Value::Object(inside)) = holder.and_then(|holder| fields.shift_remove(holder)) else { return Ok(fields) };
    for (name, value) in inside {
        if is_asked(&name) && fields.get(&name).is_some_and(|outside| *outside != value) {
            let name = excerpt(&name);
            return Err(format!("the field \"{name}\" stands beside the position and around it; remove one").into());
        }
        fields.entry(name).or_insert(value);
    }
    Ok(fields)
}

/// The longest text that is kept, in characters.
const LONGEST_KEPT: usize = 1000;

impl Rejected {
    /// Keeps a text, which has no name.
    pub(crate) fn text(text: &str) -> Rejected {
        let text: String = text.trim().chars().take(LONGEST_KEPT).collect();
        Rejected { text: (!text.is_empty()).then_some(text), ..Rejected::default() }
    }

    /// Keeps a line of FEN or EPD, or a JSON object.
    pub fn line(text: &str) -> Rejected {
        if text.starts_with('{') {
            return Rejected::json(text);
        }
        let operations = epd::read(epd::split(text).1).unwrap_or_default();
        let id = operations.iter().find(|operation| operation.code == "id");
        let id = id.and_then(|operation| operation.operands.first()).map(epd::Operand::meaning);
        Rejected { id, ..Rejected::text(text) }
    }

    fn json(text: &str) -> Rejected {
        let object: Value = serde_json::from_str(text).unwrap_or_default();
        let (id, id_is_number) = match object.get("id") {
            Some(Value::String(id)) => (Some(id.clone()), false),
            Some(Value::Number(id)) => (Some(id.to_string()), true),
            _ => (None, false),
        };
        Rejected { id, id_is_number, ..Rejected::text(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_line_is_found_without_its_position() {
        let found = |rejected: Rejected| (rejected.id, rejected.id_is_number, rejected.text);
        let named = |id: &str, number, text: &str| (Some(id.to_owned()), number, Some(text.to_owned()));
        let epd = "9/8 w - - dm 2; id \"a b\";";
        assert_eq!(found(Rejected::line(epd)), named("a b", false, epd));
        let json = r#"{"id":7,"fen":"x"}"#;
        assert_eq!(found(Rejected::line(json)), named("7", true, json));
        let text = r#"{"id":"n"}"#;
        assert_eq!(found(Rejected::line(text)), named("n", false, text));
        assert_eq!(found(Rejected::line("nonsense")), (None, false, Some("nonsense".to_owned())));
        assert_eq!(found(Rejected::line("{\"id\":")), (None, false, Some("{\"id\":".to_owned())));
        assert_eq!(Rejected::text(&"x".repeat(5000)).text.map(|text| text.len()), Some(1000));
        assert_eq!(Rejected::text(" "), Rejected::default());
    }

    #[test]
    fn fields_around_the_object_of_a_position_count_like_those_in_it() {
        let read = |text: &str| {
            let problem = Entry::of_text(text, 1).problem.map_err(|error| error.to_string());
            problem.map(|it| format!("{} {} {}", it.id.unwrap_or_default(), it.question.stipulation, it.phases.len()))
        };
        let fen = r#""fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -""#;
        let men = r#""algebraic":{"white":["Kf8","Rh1"],"black":["Kh8","Ph7"]}"#;
        for (text, expected) in [
            (format!(r#"{{"stipulation":"h#1","diagram":{{{fen}}}}}"#), " h#1 0"),
            (format!(r#"{{"Stip":"h#1","diagram":{{{}}}}}"#, fen.replace("fen", "position")), " h#1 0"),
            (format!(r##"{{"board":{{{fen}}},"twins":{{"b":"Remove g7"}},"stipulation":"#2","id":7}}"##), "7 #2 2"),
            (format!(r##"{{"a":{{"id":"x",{fen},"stipulation":"#2"}},"stipulation":"#2","id":"y"}}"##), "y #2 0"),
            (format!(r#"{{"stipulation":"s#2","position":{{{men}}}}}"#), " s#2 0"),
            (format!(r#"{{{fen},"next":{{"fen":"x"}}}}"#), " # 0"),
        ] {
            assert_eq!(read(&text).as_deref(), Ok(expected), "{text}");
        }
        for (text, why) in [
            (
                format!(r##"{{"stipulation":"h#1","diagram":{{{fen},"stipulation":"#2"}}}}"##),
                "stands beside the position",
            ),
            (format!(r##"{{"stip":"h#1","diagram":{{{fen},"stipulation":"#2"}}}}"##), "stip"),
            (format!(r#"{{"conditions":["Circe"],"diagram":{{{fen}}}}}"#), "Circe"),
            (format!(r#"{{"a":{{{fen}}},"b":{{{fen}}}}}"#), "\"fen\" is missing"),
            (format!(r#"{{"stipulation":"h#1","list":[{{{fen}}}]}}"#), "\"fen\" is missing"),
        ] {
            assert!(read(&text).is_err_and(|message| message.contains(why)), "{text}: {:?}", read(&text));
        }
    }
}
