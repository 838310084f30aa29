//! Reads JSON in which no object has a name twice.
//!
//! JSON allows a name twice, and many readers then drop one of the values without a word. A problem with two twins `b`
//! or two positions is no problem that can be solved, so it is refused.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads a JSON object.
pub fn object(text: &str) -> Result<Map<String, Value>, serde_json::Error> {
    match serde_json::from_str::<Once>(text)?.0 {
        Value::Object(fields) => Ok(fields),
        _ => Err(serde_json::Error::custom("expected an object")),
    }
}

/// A JSON value without a name that stands twice in one object.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Once, D::Error> {
        deserializer.deserialize_any(OnceVisitor).map(Once)
    }
}

struct OnceVisitor;

/// Takes values that have no names in them as they are.
macro_rules! scalars {
    ($($visit:ident: $kind:ty),*) => {$(
        fn $visit<E>(self, value: $kind) -> Result<Value, E> {
            Ok(value.into())
        }
    )*};
}

impl<'de> Visitor<'de> for OnceVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    scalars!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Once(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format!("the field `{name}` stands twice; remove one")));
            }
            let Once(value) = map.next_value()?;
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_serde_json_and_names_stand_once() {
        let text = r#"{"z":[1,-2,0.5,{"a":null}],"b":true,"a":"x\u00e9","n":18446744073709551615}"#;
        assert_eq!(object(text).unwrap(), serde_json::from_str::<Map<String, Value>>(text).unwrap());
        for (text, name) in [(r#"{"a":1,"a":1}"#, "a"), (r#"{"x":[{"b":{"c":1,"c":2}}]}"#, "c")] {
            let message = object(text).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("the field `{name}` stands twice; remove one at line 1")),
                "{message}"
            );
        }
        assert!(object("[1]").is_err() && object("{").is_err() && object(&"[".repeat(100_000)).is_err());
    }
}
