//! Reads fields of a JSON problem that have the words of an entry: `twins`, `options` and `conditions`.

use serde_json::{Map, Value};

use super::yaml::YamlNode;
use super::{OlvError, OlvOptions, asked, condition_names, shape};
use crate::problem::twins::Twins;

/// The form of `twins` in JSON.
const TWINS: &str = "{\"b\": \"Move a1 b2\"}";
/// The form of `options` and `conditions` in JSON.
const WORDS: &str = "[\"SetPlay\", \"Duplex\"]";

/// Returns the error of a field that has another form than `wanted`.
pub(crate) fn wrong(field: &str, value: &Value, wanted: &'static str) -> OlvError {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    OlvError::Shape { field: field.to_owned(), found, wanted }
}

/// Reads twins: an object of letters and texts, a list of texts, or a text such as `b) Move a1 b2 c) #3`.
pub(crate) fn twins(value: &Value) -> Result<Twins, OlvError> {
    asked::twins(&twins_node("twins", value, true)?)
}

/// Makes twins a value of YAML. `is_outer`: the value may be a list.
fn twins_node(name: &str, value: &Value, is_outer: bool) -> Result<YamlNode, OlvError> {
    match value {
        Value::String(text) => Ok(YamlNode::Scalar(text.clone())),
        Value::Array(items) if is_outer => {
            let item = |(index, item): (usize, &Value)| match item {
                item @ Value::Object(_) => twins_node(name, item, false),
                Value::String(text) => Ok(YamlNode::Scalar(text.clone())),
                other => Err(wrong(&format!("{name}, item {}", index + 1), other, TWINS)),
            };
            items.iter().enumerate().map(item).collect::<Result<_, _>>().map(YamlNode::List)
        }
        Value::Object(fields) => {
            let field = |(letter, value): (&String, &Value)| match value {
                Value::String(text) => Ok((letter.clone(), YamlNode::Scalar(text.clone()))),
                other => Err(wrong(&format!("{name}.{letter}"), other, TWINS)),
            };
            fields.iter().map(field).collect::<Result<_, _>>().map(YamlNode::Map)
        }
        other => Err(wrong(name, other, TWINS)),
    }
}

/// Reads the options of a problem, and refuses one with conditions.
pub(crate) fn options(fields: &Map<String, Value>) -> Result<OlvOptions, OlvError> {
    for name in ["conditions", "condition"] {
        let names = words(fields, name)?.as_ref().and_then(condition_names);
        names.map_or(Ok(()), |names| Err(OlvError::Conditions(names)))?;
    }
    OlvOptions::read(words(fields, "options")?.as_ref())
}

/// Reads the number of solutions that are intended: a number, or a text as in an entry. Another value is `None`: it may
/// mean something else to another program.
pub(in crate::problem) fn intended(value: &Value, is_helped: bool) -> Result<asked::Intended, OlvError> {
    let node = match value {
        Value::Number(number) => YamlNode::Scalar(number.to_string()),
        Value::String(text) => YamlNode::Scalar(text.clone()),
        _ => return Ok(asked::Intended::default()),
    };
    asked::Intended::read(&node, is_helped)
}

/// Returns a field that is a text or a list of texts.
fn words(fields: &Map<String, Value>, name: &str) -> Result<Option<YamlNode>, OlvError> {
    Ok(Some(match fields.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => YamlNode::Scalar(text.clone()),
        Some(Value::Array(items)) => {
            let item = |(index, item): (usize, &Value)| match item {
                Value::String(text) => Ok(YamlNode::Scalar(text.clone())),
                other => Err(wrong(&format!("{name}, item {}", index + 1), other, WORDS)),
            };
            YamlNode::List(items.iter().enumerate().map(item).collect::<Result<_, _>>()?)
        }
        Some(other) => return Err(wrong(name, other, WORDS)),
    }))
}

/// Returns the error of a name that differs from one of `known` only in its spelling.
pub(crate) fn misspelt(name: &str, known: &[&'static str]) -> Option<OlvError> {
    let plain = name.trim().to_lowercase();
    let same = known.iter().find(|known| **known == plain && **known != name).copied();
    let known = same.or_else(|| shape::meant(name).filter(|meant| known.contains(meant)))?;
    Some(OlvError::Name { found: name.to_owned(), known })
}
