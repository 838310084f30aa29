//! Checks objects by the JSON Schemas that `matesolve schema` prints.
//!
//! Only the keywords that these schemas use are known, and a schema with another one is refused, so that none is
//! passed over. A library for all of JSON Schema takes an eighth of the processor time in which the tests are built
//! from nothing. The tests of the Python package have one, and check that the schemas are valid.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use regex_lite::Regex;
use serde_json::{Map, Value};

use crate::util::run;

/// Asserts that an object is as the schema of its kind says.
#[track_caller]
pub fn schema_accepts(kind: &'static str, object: &Value) {
    let faults = schema_faults(kind, object);
    assert!(faults.is_empty(), "{faults:#?} in {object}");
}

/// Returns a sentence for each thing that is not as the schema of this kind says, with its place in the object.
pub fn schema_faults(kind: &'static str, object: &Value) -> Vec<String> {
    let schema = Schema::of(kind);
    schema.faults(&schema.root, object)
}

/// A schema, and its patterns.
struct Schema {
    root: Value,
    patterns: HashMap<String, Regex>,
}

impl Schema {
    /// Returns the schema of a kind of object. All tests share one.
    fn of(kind: &'static str) -> &'static Schema {
        static MADE: LazyLock<Mutex<HashMap<&str, &Schema>>> = LazyLock::new(Mutex::default);
        let mut made = MADE.lock().expect("every schema can be used");
        made.entry(kind).or_insert_with(|| {
            let root = serde_json::from_str(&run(&["schema", kind]).out).expect("the schema is JSON");
            Box::leak(Box::new(Schema::new(root)))
        })
    }

    fn new(root: Value) -> Schema {
        let mut patterns = HashMap::new();
        read_patterns(&root, &mut patterns);
        Schema { root, patterns }
    }

    fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        self.check(schema, value, "", &mut faults);
        faults
    }

    fn accepts(&self, schema: &Value, value: &Value) -> bool {
        self.faults(schema, value).is_empty()
    }

    fn check(&self, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
        let Some(keywords) = schema.as_object() else {
            // `true` accepts everything, `false` nothing.
            if schema != &Value::Bool(true) {
                faults.push(format!("{place}: nothing may stand here"));
            }
            return;
        };
        for (keyword, wanted) in keywords {
            if !self.holds(keyword, wanted, value) {
                faults.push(format!("{place}: {keyword} {wanted} does not hold for {value}"));
            }
        }
        let mut all = |schema: &Value, value: &Value, place: &str| self.check(schema, value, place, faults);
        if let Some(name) = keywords.get("$ref") {
            all(self.referred(name), value, place);
        }
        for part in keywords.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            all(part, value, place);
        }
        if let Some(condition) = keywords.get("if") {
            let then = if self.accepts(condition, value) { "then" } else { "else" };
            all(keywords.get(then).unwrap_or(&Value::Bool(true)), value, place);
        }
        if let (Some(schema), Some(items)) = (keywords.get("items"), value.as_array()) {
            items.iter().enumerate().for_each(|(number, item)| all(schema, item, &format!("{place}/{number}")));
        }
        for (name, field) in value.as_object().into_iter().flatten() {
            let described = keywords.get("properties").and_then(|properties| properties.get(name));
            if let Some(schema) = described.or(keywords.get("additionalProperties")) {
                all(schema, field, &format!("{place}/{name}"));
            }
        }
    }

    /// Returns whether a keyword holds that judges a value as a whole. The others are true here: `check` follows them.
    fn holds(&self, keyword: &str, wanted: &Value, value: &Value) -> bool {
        let list = || wanted.as_array().expect("the keyword has a list");
        let number = || wanted.as_f64().expect("the keyword has a number");
        let accepted = || list().iter().filter(|schema| self.accepts(schema, value)).count();
        match keyword {
            "type" => wanted
                .as_array()
                .map_or_else(|| is_of(wanted, value), |types| types.iter().any(|one| is_of(one, value))),
            "enum" => list().contains(value),
            "const" => wanted == value,
            "required" => value.as_object().is_none_or(|fields| list().iter().all(|name| has(fields, name))),
            "minimum" => value.as_f64().is_none_or(|value| value >= number()),
            "maximum" => value.as_f64().is_none_or(|value| value <= number()),
            "multipleOf" => value.as_f64().is_none_or(|value| (value / number()).fract() == 0.0),
            "minItems" => value.as_array().is_none_or(|items| items.len() as f64 >= number()),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as f64 <= number()),
            "minLength" => value.as_str().is_none_or(|text| text.chars().count() as f64 >= number()),
            "pattern" => value.as_str().is_none_or(|text| self.patterns[text_of(wanted)].is_match(text)),
            "not" => !self.accepts(wanted, value),
            "anyOf" => accepted() > 0,
            "oneOf" => accepted() == 1,
            "$ref"
            | "allOf"
            | "if"
            | "then"
            | "else"
            | "items"
            | "properties"
            | "additionalProperties"
            | "$schema"
            | "$defs"
            | "title"
            | "description" => true,
            _ => panic!("the keyword {keyword} of a schema is not known here"),
        }
    }

    /// Returns what a reference such as `#/$defs/ply` names.
    fn referred(&self, name: &Value) -> &Value {
        let place = text_of(name).strip_prefix('#').expect("a reference within the schema");
        self.root.pointer(place).unwrap_or_else(|| panic!("the schema has no {place}"))
    }
}

/// Reads all patterns of a schema, wherever they stand.
fn read_patterns(schema: &Value, patterns: &mut HashMap<String, Regex>) {
    if let Some(Value::String(pattern)) = schema.get("pattern") {
        patterns.insert(pattern.clone(), Regex::new(pattern).expect("the pattern can be used"));
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|field| read_patterns(field, patterns)),
        Value::Array(items) => items.iter().for_each(|item| read_patterns(item, patterns)),
        _ => {}
    }
}

fn is_of(type_name: &Value, value: &Value) -> bool {
    match text_of(type_name) {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("no value has the type {other}"),
    }
}

fn has(fields: &Map<String, Value>, name: &Value) -> bool {
    fields.contains_key(text_of(name))
}

fn text_of(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn every_keyword_is_checked() {
    use serde_json::json;
    for (schema, accepted, refused) in [
        (json!({"type": "integer"}), json!(2), json!(2.5)),
        (json!({"type": ["string", "null"]}), json!(null), json!(1)),
        (json!({"enum": ["a", "b"]}), json!("b"), json!("c")),
        (json!({"const": true}), json!(true), json!(false)),
        (json!({"required": ["a"]}), json!({"a": null}), json!({"b": 1})),
        (json!({"minimum": 1}), json!(1), json!(0.5)),
        (json!({"maximum": 1}), json!("2"), json!(2)),
        (json!({"multipleOf": 0.5}), json!(2.5), json!(0.7)),
        (json!({"minItems": 1, "maxItems": 2}), json!([1, 2]), json!([])),
        (json!({"maxItems": 2}), json!([]), json!([1, 2, 3])),
        (json!({"minLength": 2}), json!("éa"), json!("é")),
        (json!({"pattern": "^[a-h][1-8]$"}), json!("e4"), json!("e9")),
        (json!({"not": {"type": "null"}}), json!(1), json!(null)),
        (json!({"anyOf": [{"minimum": 2}, {"type": "null"}]}), json!(null), json!(1)),
        (json!({"oneOf": [{"minimum": 2}, {"minimum": 4}]}), json!(3), json!(5)),
        (json!({"allOf": [{"type": "integer"}, {"minimum": 2}]}), json!(2), json!(1)),
        (json!({"if": {"minimum": 2}, "then": {"type": "integer"}, "else": {"const": 1}}), json!(1), json!(2.5)),
        (json!({"if": {"minimum": 2}, "then": {"type": "integer"}, "else": {"const": 1}}), json!(3), json!(0)),
        (json!({"items": {"type": "string"}}), json!(["a"]), json!(["a", 1])),
        (json!({"properties": {"a": {"type": "null"}}}), json!({"a": null, "b": 1}), json!({"a": 1})),
        (json!({"properties": {"a": {}}, "additionalProperties": false}), json!({"a": 1}), json!({"b": 1})),
        (json!({"$defs": {"one": {"const": 1}}, "$ref": "#/$defs/one"}), json!(1), json!(2)),
    ] {
        let made = Schema::new(schema);
        assert_eq!(made.faults(&made.root, &accepted), [""; 0], "{}", made.root);
        assert_eq!(made.faults(&made.root, &refused).len(), 1, "{} of {refused}", made.root);
    }
    let unknown = json!({"maxLength": 1});
    assert!(std::panic::catch_unwind(|| Schema::new(json!({})).faults(&unknown, &json!(1))).is_err());
}
