//! The named fields of a problem: those of an entry of a collection, and those of a JSON object.
//!
//! A part of the problem in a form that cannot be read (such as a list where a text belongs, or an alias) is refused
//! with its name and the right form ([`wrong`]). If it were left out, the problem would be another one.

use serde_json::{Map, Value};

use super::ProblemError;
use crate::base::printable::excerpt;

/// The form of `twins`.
pub(super) const TWINS: &str = "{\"b\": \"Move a1 b2\"}";
/// The form of `options` and `conditions`.
pub(super) const WORDS: &str = "[\"SetPlay\", \"Duplex\"]";
/// The form of a diagram.
pub(super) const ALGEBRAIC: &str = "{white: [Kh1, Qa1], black: [Ka8]}";
/// The form of a field with several texts.
pub(crate) const TEXTS: &str = "a text or a list of texts";

/// A value of YAML or JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    /// A text; in YAML also a number, boolean or null, as written.
    Text(String),
    /// A number of JSON.
    Number(String),
    /// True or false in JSON.
    Bool(bool),
    /// Null in JSON.
    Null,
    /// A list.
    List(Vec<Node>),
    /// Fields, each with a name and a value.
    Map(Vec<(String, Node)>),
    /// A reference to another value of YAML (`*name`). It is not followed: that could take all memory.
    Alias,
}

impl From<&Map<String, Value>> for Node {
    fn from(fields: &Map<String, Value>) -> Node {
        Node::Map(fields.iter().map(|(name, value)| (name.clone(), value.into())).collect())
    }
}

impl From<&Value> for Node {
    fn from(value: &Value) -> Node {
        match value {
            Value::Null => Node::Null,
            Value::Bool(value) => Node::Bool(*value),
            Value::Number(number) => Node::Number(number.to_string()),
            Value::String(text) => Node::Text(text.clone()),
            Value::Array(items) => Node::List(items.iter().map(Node::from).collect()),
            Value::Object(fields) => fields.into(),
        }
    }
}

impl Node {
    /// Returns the text of a scalar that is neither empty nor null.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Node::Text(text) if !matches!(text.as_str(), "" | "~" | "null") => Some(text),
            _ => None,
        }
    }

    /// Returns the items of a list. A scalar counts as a list of one item, null as an empty list.
    pub(super) fn items(&self) -> &[Node] {
        match self {
            Node::List(items) => items,
            _ if self.text().is_some() => std::slice::from_ref(self),
            _ => &[],
        }
    }

    /// Returns the value of the field of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        match self {
            Node::Map(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the texts and numbers of a value: of a list those of its items, of an object its name, or the year of a
    /// date.
    pub(crate) fn words(&self) -> Vec<String> {
        match self {
            Node::Map(_) => self.get("name").or(self.get("year")).map_or_else(Vec::new, Node::words),
            Node::List(items) => items.iter().flat_map(Node::words).collect(),
            Node::Number(number) => vec![number.clone()],
            _ => self.text().into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the texts and numbers of the field of this name.
    pub(crate) fn words_of(&self, name: &str) -> Vec<String> {
        self.get(name).map_or_else(Vec::new, Node::words)
    }

    /// Returns the name of the source in which the problem was published.
    pub(crate) fn source(&self) -> Option<String> {
        Some(self.words_of("source").join("\n")).filter(|text| !text.is_empty())
    }

    /// Returns the year of publication: that of `date` or `year`, also of those of `source`.
    pub(crate) fn year(&self) -> Option<u16> {
        let places = [Some(self), self.get("source")].into_iter().flatten();
        let dates = places.flat_map(|fields| ["date", "year"].map(|name| fields.words_of(name).join(" ")));
        let mut years = dates.filter_map(|date| date.trim().get(..4).and_then(|year| year.parse().ok()));
        years.find(|year| *year > 0)
    }

    /// Returns the name of a problem, such as `Loyd, Samuel, New York Albion 1857`.
    pub(super) fn name(&self) -> Option<String> {
        let date =
            self.get("source").and_then(|source| source.get("date")).and_then(|date| date.words().into_iter().next());
        let published: Vec<String> = self.source().into_iter().chain(date).collect();
        let parts = [self.words_of("authors").join(" & "), published.join(" ")];
        let name = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        (!name.is_empty()).then_some(name)
    }
}

/// Returns the names in a list of fairy conditions; `None` if it is empty.
pub(super) fn condition_names(list: &Node) -> Option<String> {
    let names: Vec<&str> = match list {
        Node::Map(fields) => fields.iter().map(|(name, _)| name.as_str()).collect(),
        Node::List(_) | Node::Text(_) => list.items().iter().map(|item| item.text().unwrap_or("…")).collect(),
        _ => vec!["…"],
    };
    (!names.is_empty()).then(|| names.join(", "))
}

/// Returns a field that is one text; `None` if it is missing, empty or null.
pub(super) fn text<'a>(
    name: &str,
    node: Option<&'a Node>,
    wanted: &'static str,
) -> Result<Option<&'a str>, ProblemError> {
    match node {
        None => Ok(None),
        Some(node @ Node::Text(_)) => Ok(node.text()),
        Some(other) => Err(wrong(name, other, wanted)),
    }
}

/// Returns the texts of a field: a text, or a list of texts. Null is no text.
pub(crate) fn texts<'a>(
    name: &str,
    node: Option<&'a Node>,
    wanted: &'static str,
) -> Result<Vec<&'a str>, ProblemError> {
    match node {
        Some(Node::List(items)) => {
            let item = |(index, item): (usize, &'a Node)| match item {
                Node::Text(_) => Ok(item.text().unwrap_or_default()),
                other => Err(wrong(&format!("{name}, item {}", index + 1), other, wanted)),
            };
            items.iter().enumerate().map(item).collect()
        }
        node => text(name, node, wanted).map(|text| text.into_iter().collect()),
    }
}

/// Returns the error of a field that stands twice.
pub(super) fn twice(name: &str) -> ProblemError {
    format!("the field \"{name}\" stands twice; remove one").into()
}

/// Returns the error of a field that has another form.
pub(crate) fn wrong(name: &str, found: &Node, wanted: &'static str) -> ProblemError {
    let found = match found {
        Node::Text(_) => "a text",
        Node::Number(_) => "a number",
        Node::Bool(_) => "true or false",
        Node::Null => "null",
        Node::List(_) => "a list",
        Node::Map(_) => "an object",
        Node::Alias => "an alias (*name), which is not followed",
    };
    format!("the field \"{}\" is {found}; write it as {wanted}", excerpt(name)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_stands_at_the_beginning_of_a_date() {
        let year = |date: &str| Node::Map(vec![("date".to_owned(), Node::Text(date.to_owned()))]).year();
        assert_eq!(["1981-04", "190", "c. 1900", "0000"].map(year), [Some(1981), None, None, None]);
    }
}
