//! Reads problems written as JSON objects, one per line: `{"fen": "…", "stipulation": "#3", "id": "…"}`.
//!
//! `twins` (`{"b": "Move a1 b2"}`) and `"duplex": true` make a problem with several phases. Other fields are not read,
//! and only `fen` is required. An `id` may be a number. Fields that matesolve does not
//! know are kept, and given back with the result. The other fields of a result are dropped, so that results can be used
//! as input.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Map, Value};

use crate::chess::Stipulation;
use crate::printable::{excerpt, json_fault};

use super::twins::Twins;
use super::{Given, Problem, ProblemError};

/// The fields of a result that the next result replaces.
const OWN_FIELDS: [&str; 10] =
    ["schema_version", "line", "result", "other_side", "moves", "stats", "warnings", "error", "text", "check"];

/// Reads one JSON object.
pub(super) fn read(line: &str) -> Result<Problem, ProblemError> {
    let mut fields: Map<String, Value> = serde_json::from_str(line).map_err(|error| refused(&json_fault(&error)))?;
    let fen = match fields.shift_remove("fen") {
        Some(Value::String(fen)) => fen,
        Some(other) => return Err(wrong_field("fen", &other, "a FEN in quotes")),
        None => return Err(refused("the field \"fen\" is missing")),
    };
    let (id, id_is_number) = match fields.shift_remove("id") {
        None | Some(Value::Null) => (None, false),
        Some(Value::String(text)) => (Some(text), false),
        Some(Value::Number(number)) => (Some(number.to_string()), true),
        Some(other) => return Err(wrong_field("id", &other, "a text or a number")),
    };
    let mut problem = Problem::new(&fen, Vec::new())?;
    problem.stipulation = stipulation(fields.shift_remove("stipulation"))?;
    fields.retain(|name, _| !OWN_FIELDS.contains(&name.as_str()));
    problem.given = Given { id_is_number, fields };
    problem.id = id;
    let is_duplex = duplex(problem.given.fields.get("duplex"))?;
    let twins = twins(problem.given.fields.get("twins"))?;
    if is_duplex || !twins.twins.is_empty() {
        problem.add_phases(&twins, is_duplex);
    }
    Ok(problem)
}

/// The error for a line that is no JSON problem.
fn refused(why: &str) -> ProblemError {
    ProblemError::Json(format!(
        "the line starts with {{ but is not a JSON problem ({why}); expected {{\"fen\": \"…\", \"stipulation\": \"#3\", \
         \"id\": \"…\"}}"
    ))
}

/// Reads a stipulation: a text (`"#3"`), or the object that matesolve's own results contain.
fn stipulation(value: Option<Value>) -> Result<Stipulation, ProblemError> {
    let text = match value {
        None | Some(Value::Null) => return Ok(Stipulation::default()),
        Some(Value::Object(mut fields)) => fields.shift_remove("text").unwrap_or_default(),
        Some(other) => other,
    };
    match text {
        Value::Null => Ok(Stipulation::default()),
        Value::String(text) => Ok(Stipulation::parse_stated(&text)?),
        other => Err(wrong_field("stipulation", &other, "a text such as \"#3\"")),
    }
}

/// Reads whether the problem is a duplex.
fn duplex(value: Option<&Value>) -> Result<bool, ProblemError> {
    match value {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(is_duplex)) => Ok(*is_duplex),
        Some(other) => Err(wrong_field("duplex", other, "true or false")),
    }
}

/// Reads an object of letters and texts.
fn twins(value: Option<&Value>) -> Result<Twins, ProblemError> {
    const FORM: &str = "an object such as {\"b\": \"Remove b3\", \"c\": \"Move a1 b1\"}";
    let fields = match value {
        None | Some(Value::Null) => return Ok(Twins::default()),
        Some(Value::Object(fields)) => fields,
        Some(other) => return Err(wrong_field("twins", other, FORM)),
    };
    let twin = |(letter, text): (&String, &Value)| match text.as_str() {
        Some(text) => Ok((letter.clone(), text.to_owned())),
        None => Err(wrong_field("twins", text, FORM)),
    };
    Ok(Twins::from_texts(fields.iter().map(twin).collect::<Result<_, _>>()?))
}

/// The error for a field whose value has the wrong form: it would be another problem without it.
fn wrong_field(name: &str, value: &Value, expected: &str) -> ProblemError {
    ProblemError::Json(format!("the field \"{name}\" holds {}; write {expected}", excerpt(&value.to_string())))
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
        for wrong in ["\"twins\": true", "\"twins\": \"b) Remove g7\"", "\"twins\": {\"b\": 3}", "\"duplex\": \"yes\""]
        {
            let message = read(&format!("{{\"fen\": \"{FEN}\", {wrong}}}")).unwrap_err().to_string();
            let name = wrong.split('"').nth(1).unwrap();
            assert!(message.starts_with(&format!("the field \"{name}\" holds ")), "{message}");
        }
        assert!(read(&format!("{{\"fen\": \"{FEN}\", \"twins\": null}}")).unwrap().phases.is_empty());
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
        for (text, expected) in [
            ("{", "not a JSON problem"),
            ("{}", "the field \"fen\" is missing"),
            (r#"{"fen":3}"#, "the field \"fen\" holds 3; write a FEN"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        assert!(read(&format!(r#"{{"fen":"{FEN}","stipulation":"h#2"}}"#)).is_err());
    }
}
