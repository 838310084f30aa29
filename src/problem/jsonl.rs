//! Reads problems written as JSON objects, one per line: `{"fen": "…", "stipulation": "#3", "id": "…"}`.
//!
//! `twins` (`{"b": "Move a1 b2"}`) and `"duplex": true` make a problem with several phases. Other fields are not read,
//! and only `fen` is required. An `id` may be a number. Fields that matesolve does not
//! know are kept, and given back with the result. The other fields of a result are dropped, so that results can be used
//! as input.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde::Deserialize;
use serde_json::{Map, Number, Value};

use crate::chess::Stipulation;
use crate::printable::shortened;

use super::twins::Twins;
use super::{Given, Problem, ProblemError};

#[derive(Deserialize)]
struct JsonProblem {
    fen: String,
    id: Option<JsonId>,
    stipulation: Option<JsonStipulation>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// A name, or a number as databases have it.
#[derive(Deserialize)]
#[serde(untagged)]
enum JsonId {
    Text(String),
    Number(Number),
}

/// The fields of a result that the next result replaces.
const OWN_FIELDS: [&str; 10] =
    ["schema_version", "line", "result", "other_side", "moves", "stats", "warnings", "error", "text", "check"];

/// A stipulation as a text (`"#3"`) or as the object that matesolve's own results contain.
#[derive(Deserialize)]
#[serde(untagged)]
enum JsonStipulation {
    Text(String),
    Object { text: Option<String> },
}

/// Reads one JSON object.
pub(super) fn read(line: &str) -> Result<Problem, ProblemError> {
    let line: JsonProblem = serde_json::from_str(line).map_err(|error| {
        ProblemError::Json(format!(
            "the line starts with {{ but is not a JSON problem ({}); expected {{\"fen\": \"…\", \"stipulation\": \
             \"#3\", \"id\": \"…\"}}",
            shortened(&error.to_string())
        ))
    })?;
    let mut problem = Problem::new(&line.fen, Vec::new())?;
    let mut fields = line.others;
    fields.retain(|name, _| !OWN_FIELDS.contains(&name.as_str()));
    problem.given = Given { id_is_number: matches!(line.id, Some(JsonId::Number(_))), fields };
    problem.id = line.id.map(|id| match id {
        JsonId::Text(text) => text,
        JsonId::Number(number) => number.to_string(),
    });
    problem.stipulation = match line.stipulation {
        None | Some(JsonStipulation::Object { text: None }) => Stipulation::default(),
        Some(JsonStipulation::Text(text) | JsonStipulation::Object { text: Some(text) }) => {
            Stipulation::parse_stated(&text)?
        }
    };
    let is_duplex = problem.given.fields.get("duplex").and_then(Value::as_bool) == Some(true);
    let twins = twins(problem.given.fields.get("twins"));
    if is_duplex || !twins.twins.is_empty() {
        problem.add_phases(&twins, is_duplex);
    }
    Ok(problem)
}

/// Reads an object of letters and texts. Another value is left alone: the field is the user's then.
fn twins(value: Option<&Value>) -> Twins {
    let fields = value.and_then(Value::as_object).into_iter().flatten();
    Twins::from_texts(fields.filter_map(|(letter, text)| Some((letter.clone(), text.as_str()?.to_owned()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";

    #[test]
    fn twins_and_a_duplex_are_phases() {
        let line = format!("{{\"fen\": \"{FEN}\", \"stipulation\": \"#2\", \"twins\": {{\"b\": \"Remove g7\"}}}}");
        let problem = read(&line).unwrap();
        let names: Vec<String> = problem.phases.iter().map(|phase| phase.name.to_string()).collect();
        assert_eq!(names, ["a)", "b) -bPg7"]);
        let fen = problem.phases[1].problem.as_ref().unwrap().fen.clone();
        assert_eq!(fen, "5Kbk/7p/6P1/8/8/8/8/7R w - - 0 1");
        let duplex = read("{\"fen\": \"4k2r/8/8/8/8/8/8/4K3 b - -\", \"duplex\": true}").unwrap();
        let fens: Vec<&str> = duplex.phases.iter().map(|phase| phase.problem.as_ref().unwrap().fen.as_str()).collect();
        assert_eq!(fens, ["4k2r/8/8/8/8/8/8/4K3 b - - 0 1", "4k2r/8/8/8/8/8/8/4K3 w - - 0 1"]);
        assert!(read(&format!("{{\"fen\": \"{FEN}\", \"twins\": true}}")).unwrap().phases.is_empty());
    }

    #[test]
    fn a_problem_is_read_with_and_without_its_stipulation() {
        let full = read(&format!(r##"{{"id":"x","stipulation":"#2","extra":[1],"fen":"{FEN}"}}"##)).unwrap();
        assert_eq!((full.id.as_deref(), full.stipulation.to_string().as_str()), (Some("x"), "#2"));
        let bare = read(&format!(r#"{{"fen":"{FEN}","id":null}}"#)).unwrap();
        assert_eq!((bare.id, bare.stipulation), (None, Stipulation::default()));
        let own = read(&format!(r##"{{"fen":"{FEN}","stipulation":{{"text":"#-","moves":null}}}}"##)).unwrap();
        assert!(own.stipulation.defender_begins());
    }

    #[test]
    fn numbers_as_names_and_unknown_fields_are_kept_and_own_fields_are_not() {
        let read =
            read(&format!(r#"{{"id":17,"z":[1,{{"a":null}}],"fen":"{FEN}","a":"b","line":3,"stats":{{}}}}"#)).unwrap();
        assert_eq!((read.id.as_deref(), read.given.id_is_number), (Some("17"), true));
        assert_eq!(serde_json::to_string(&read.given.fields).unwrap(), r#"{"z":[1,{"a":null}],"a":"b"}"#);
    }

    #[test]
    fn errors_of_broken_objects_name_the_mistake() {
        for (text, expected) in [("{", "not a JSON problem"), ("{}", "missing field `fen`"), (r#"{"fen":3}"#, "string")]
        {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        assert!(read(&format!(r#"{{"fen":"{FEN}","stipulation":"h#2"}}"#)).is_err());
    }
}
