//! Reads problems written as JSON objects, one per line: `{"fen": "…", "stipulation": "#3", "id": "…"}`.
//!
//! Only these three fields are read, and only `fen` is required. Other fields are ignored, so that result lines of
//! matesolve and lines of database dumps can be used as input.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde::Deserialize;

use crate::printable::shortened;

use super::{Problem, ProblemError, Stipulation};

#[derive(Deserialize)]
struct JsonProblem {
    fen: String,
    id: Option<String>,
    stipulation: Option<JsonStipulation>,
}

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
    problem.id = line.id;
    problem.stipulation = match line.stipulation {
        None | Some(JsonStipulation::Object { text: None }) => Stipulation::default(),
        Some(JsonStipulation::Text(text) | JsonStipulation::Object { text: Some(text) }) => match text.as_str() {
            "#" => Stipulation::default(),
            "#-" => Stipulation { moves: None, mated: true },
            text => Stipulation::parse(text)?,
        },
    };
    Ok(problem)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const FEN: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";

    #[test]
    fn a_problem_is_read_with_and_without_its_stipulation() {
        let full = read(&format!(r##"{{"id":"x","stipulation":"#2","extra":[1],"fen":"{FEN}"}}"##)).unwrap();
        assert_eq!((full.id.as_deref(), full.stipulation.to_string().as_str()), (Some("x"), "#2"));
        let bare = read(&format!(r#"{{"fen":"{FEN}","id":null}}"#)).unwrap();
        assert_eq!((bare.id, bare.stipulation), (None, Stipulation::default()));
        let own = read(&format!(r##"{{"fen":"{FEN}","stipulation":{{"text":"#-","moves":null}}}}"##)).unwrap();
        assert!(own.stipulation.mated);
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
