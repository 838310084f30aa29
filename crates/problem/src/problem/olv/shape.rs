//! Reads the fields of an entry in the form that they must have.
//!
//! A field in another form (a list where a text belongs, an alias, a name in capitals) is refused with its name and the
//! right form. If it were left out, the entry would be another problem.

use super::OlvError;
use super::yaml::{YamlDocument, YamlNode};

/// The form of `twins`.
pub(super) const TWINS: &str = "{b: \"Move a1 b2\", c: \"Remove e5\"}";
/// The form of `options`.
pub(super) const OPTIONS: &str = "[SetPlay, Duplex]";
/// The form of a diagram.
pub(super) const ALGEBRAIC: &str = "{white: [Kh1, Qa1], black: [Ka8]}";
/// The form of a field with a text.
pub(super) const TEXT: &str = "one text";
/// The form of a field with several texts.
pub const TEXTS: &str = "a text or a list of texts";

/// The fields that state the problem. Each may stand once, and only under this name.
const FIELDS: [&str; 7] =
    ["algebraic", "stipulation", "twins", "options", "conditions", "intended-solutions", "non-standard-stipulation"];

/// Names that people write for such fields.
const OTHER_NAMES: [(&str, &str); 2] = [("twin", "twins"), ("option", "options")];

/// Refuses an entry that states a field twice, in other letters, or through an alias (`<<: *base`).
pub(super) fn check_names(document: &YamlDocument) -> Result<(), OlvError> {
    let mut found: Vec<&str> = Vec::new();
    for field in &document.fields {
        let name = field.name.as_str();
        if found.contains(&name) && FIELDS.contains(&name) {
            return Err(OlvError::FieldTwice(name.to_owned()));
        }
        if name == "<<" {
            return Err(wrong(name, &field.value, "the fields themselves"));
        }
        found.push(name);
        if let Some(known) = meant(name) {
            return Err(OlvError::Name { found: name.to_owned(), known });
        }
    }
    Ok(())
}

/// Returns the field that is meant by a name that is none; `None` if none is.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let plain = name.trim().to_lowercase();
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == plain).map(|(_, known)| *known);
    FIELDS.into_iter().find(|known| *known == plain && *known != name).or(other)
}

/// Returns a field that is one text; `None` if it is missing, empty or null.
pub(super) fn text<'a>(
    name: &str,
    node: Option<&'a YamlNode>,
    wanted: &'static str,
) -> Result<Option<&'a str>, OlvError> {
    match node {
        None => Ok(None),
        Some(node @ YamlNode::Scalar(_)) => Ok(node.text()),
        Some(other) => Err(wrong(name, other, wanted)),
    }
}

/// Returns the texts of a field: a text, or a list of texts. Null is no text.
pub(super) fn texts<'a>(
    name: &str,
    node: Option<&'a YamlNode>,
    wanted: &'static str,
) -> Result<Vec<&'a str>, OlvError> {
    match node {
        Some(YamlNode::List(items)) => {
            let item = |(index, item): (usize, &'a YamlNode)| match item {
                YamlNode::Scalar(_) => Ok(item.text().unwrap_or_default()),
                other => Err(wrong(&format!("{name}, item {}", index + 1), other, wanted)),
            };
            items.iter().enumerate().map(item).collect()
        }
        node => text(name, node, wanted).map(|text| text.into_iter().collect()),
    }
}

/// Returns the error of a field that has another form.
pub(super) fn wrong(name: &str, found: &YamlNode, wanted: &'static str) -> OlvError {
    let found = match found {
        YamlNode::Scalar(_) => "a text",
        YamlNode::List(_) => "a list",
        YamlNode::Map(_) => "a list of names and values",
        YamlNode::Alias => "an alias (*name), which is not followed",
    };
    OlvError::Shape { field: name.to_owned(), found, wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_letters_are_told_from_other_fields() {
        let known = ["Twins", "twin", "OPTIONS", "Stipulation", "option"].map(meant);
        assert_eq!(known, [Some("twins"), Some("twins"), Some("options"), Some("stipulation"), Some("options")]);
        assert_eq!(["twins", "keywords", "twinning", "Authors"].map(meant), [None; 4]);
    }
}
