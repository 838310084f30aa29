//! Explains errors in JSON texts.

use super::printable::{line, shortened};

/// Says what is wrong with a JSON text, for a person: the place of a mistake in the writing, or the field that is
/// missing or has a wrong form.
pub(crate) fn json_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if !error.is_data() {
        return shortened(&text);
    }
    let quoted = |start: &str| text.split_once(start).and_then(|(_, rest)| rest.split_once('`')).map(|(name, _)| name);
    match (quoted("missing field `"), quoted("duplicate field `")) {
        (Some(name), _) => format!("the field \"{}\" is missing", line(name)),
        (_, Some(name)) => format!("the field \"{}\" appears twice", line(name)),
        _ if error.line() > 0 => {
            format!("a field has a wrong form at line {} column {}", error.line(), error.column())
        }
        _ => "a field has a wrong form".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_json_are_named_without_words_of_the_program() {
        #[derive(Debug, serde::Deserialize)]
        struct Fields {
            #[allow(dead_code)]
            line: usize,
        }
        let fault = |text: &str| json_fault(&serde_json::from_str::<Fields>(text).unwrap_err());
        assert_eq!(fault("{}"), "the field \"line\" is missing");
        assert_eq!(fault("{\"line\": 1, \"line\": 2}"), "the field \"line\" appears twice");
        assert_eq!(fault("{\"line\": null}"), "a field has a wrong form at line 1 column 13");
        assert_eq!(fault("[\"x\"]"), "a field has a wrong form at line 1 column 4");
        assert_eq!(fault("{\"line\": 1"), "EOF while parsing an object at line 1 column 10");
    }
}
