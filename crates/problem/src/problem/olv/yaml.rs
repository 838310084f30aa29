//! Reads the YAML of an entry: its fields, and the place of each field in the source.
//!
//! Entries are written by people and by programs with different YAML styles. So an entry is never written from its tree
//! of fields. A field is replaced in the source at its place ([`Field::start`] to [`Field::end`]); the other fields,
//! with their tags (`!!python/unicode`), anchors, comments and numbers with leading zeros, keep their bytes.

use saphyr_parser::{Event, Marker, Parser, Span};

use crate::base::printable::excerpt;
use crate::problem::ProblemError;
use crate::problem::fields::{Node, condition_names, twice, wrong};
use crate::problem::names::{self, Meaning, Part, meaning, misspelt};

/// The deepest nesting that is read. Deeper nesting is refused, because it could overflow the stack.
const DEEPEST: usize = 32;

/// A field of the entry itself (not of a nested map), and its place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub name: String,
    pub value: Node,
    /// The byte where the name starts.
    pub start: usize,
    /// The byte after the value; for a block of text the start of the line after it.
    pub end: usize,
}

/// The fields of an entry and the style of its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YamlDocument {
    pub fields: Vec<Field>,
    /// The byte where a new field can be added, after the last field.
    pub end: usize,
    /// The indentation of the field names, in characters.
    pub indent: usize,
    /// Whether the fields are written as `{name: value, …}`.
    pub flow: bool,
}

impl YamlDocument {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.field(name).map(|field| &field.value)
    }

    /// Returns the names and values of the fields.
    pub(super) fn values(&self) -> Node {
        Node::Map(self.fields.iter().map(|field| (field.name.clone(), field.value.clone())).collect())
    }

    /// Refuses an entry that states a part of the problem twice, under another name than that of collections, or
    /// through an alias (`<<: *base`).
    pub(super) fn check_names(&self) -> Result<(), ProblemError> {
        for (at, Field { name, value, .. }) in self.fields.iter().enumerate() {
            let is_known = OF_ENTRY.contains(&name.as_str());
            if is_known && self.fields[..at].iter().any(|field| field.name == *name) {
                return Err(twice(name));
            }
            if name == "<<" {
                return Err(wrong(name, value, "the fields themselves"));
            }
            match meaning(name) {
                _ if is_known || OF_PUBLICATION.contains(&name.as_str()) => {}
                Meaning::Misspelt(known) => return Err(misspelt(name, known)),
                Meaning::Part(Part::Conditions, known) if condition_names(value).is_some() => {
                    let what = format!("the field \"{}\" ({known}) states other rules", excerpt(name));
                    return Err(ProblemError::of_other_rules(&what));
                }
                Meaning::Part(part, _) if ![Part::Id, Part::Conditions].contains(&part) => {
                    let known =
                        OF_ENTRY.iter().find(|known| names::part(known) == Some(part)).copied().unwrap_or("algebraic");
                    return Err(misspelt(name, known));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The fields of an entry that state the problem. Each may stand once, and only under this name.
const OF_ENTRY: [&str; 8] = [
    "algebraic",
    "stipulation",
    "twins",
    "options",
    "conditions",
    "condition",
    "intended-solutions",
    "non-standard-stipulation",
];
/// The fields of an entry about its publication.
const OF_PUBLICATION: [&str; 4] = ["solution", "keys", "keywords", "id"];

/// Reads a document that starts in line `line` of its file, counted from 1. Returns `None` if it is empty.
pub(super) fn read(source: &str, line: usize) -> Result<Option<YamlDocument>, ProblemError> {
    let mut builder = Builder { source, ..Builder::default() };
    let mut documents = 0;
    for event in Parser::new_from_str(source) {
        let broken = |marker: &Marker, why: &str| {
            let line = line + marker.line().saturating_sub(1);
            ProblemError::Text(format!("the entry is not YAML (line {line}: {why}); correct the line"))
        };
        let (event, span) =
            event.map_err(|error| broken(error.marker(), &crate::base::printable::shortened(error.info())))?;
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
        }
        if documents > 1 && matches!(event, Event::MappingStart(..) | Event::SequenceStart(..)) {
            return Err(broken(&span.start, "a second entry begins here; write a line --- before it"));
        }
        builder.handle(event, span).ok_or_else(|| broken(&span.start, "nested too deep"))?;
    }
    Ok(builder.document)
}

/// A list or map whose end has not been read.
#[derive(Debug)]
struct Open {
    node: Node,
    /// The name of a field whose value has not been read, and the byte where the name starts.
    key: Option<(String, usize)>,
}

/// Builds the document from the events of the YAML parser.
#[derive(Debug, Default)]
struct Builder<'a> {
    source: &'a str,
    /// The index of the character that was last converted to a byte, and that byte.
    place: (usize, usize),
    /// The lists and maps around the current event, outermost first.
    open: Vec<Open>,
    document: Option<YamlDocument>,
}

impl Builder<'_> {
    /// Handles an event of the parser; `None` if the nesting is too deep.
    fn handle(&mut self, event: Event<'_>, span: Span) -> Option<()> {
        match event {
            Event::Scalar(text, ..) => self.add(Node::Text(text.into_owned()), span),
            Event::Alias(_) => self.add(Node::Alias, span),
            Event::SequenceStart(..) => self.begin(Node::List(Vec::new()), span)?,
            Event::MappingStart(..) => self.begin(Node::Map(Vec::new()), span)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.add(open.node, span);
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Begins a list or map; `None` if the nesting is too deep.
    fn begin(&mut self, node: Node, span: Span) -> Option<()> {
        if self.open.is_empty() && self.document.is_none() && matches!(node, Node::Map(_)) {
            let start = self.byte(span.start.index());
            let flow = self.source[start..].starts_with('{');
            self.document = Some(YamlDocument { fields: Vec::new(), end: 0, indent: span.start.col(), flow });
        }
        self.open.push(Open { node, key: None });
        (self.open.len() <= DEEPEST).then_some(())
    }

    /// Adds a complete value to the innermost list or map, or to the fields of the document if that is the outermost
    /// map.
    fn add(&mut self, value: Node, span: Span) {
        let start = self.byte(span.start.index());
        let end = self.byte(span.end.index());
        let root = self.open.len() == 1;
        let Some(open) = self.open.last_mut() else {
            if let (Node::Map(_), Some(document)) = (&value, &mut self.document) {
                document.end = if document.flow { end.saturating_sub(1) } else { end };
            }
            return;
        };
        match (&mut open.node, open.key.take()) {
            (Node::List(items), _) => items.push(value),
            (Node::Map(_), None) => {
                let name = if let Node::Text(text) = value { text } else { String::new() };
                open.key = Some((name, start));
            }
            (Node::Map(_), Some((name, start))) if root => {
                if let Some(document) = &mut self.document {
                    document.fields.push(Field { name, value, start, end });
                }
            }
            (Node::Map(fields), Some((name, _))) => fields.push((name, value)),
            _ => {}
        }
    }

    /// Converts the index of a character, as the parser counts, to the byte where it starts. Almost all calls come in
    /// ascending order, so that all of them together walk through the source about once.
    fn byte(&mut self, character: usize) -> usize {
        let (from, start) = if self.place.0 <= character { self.place } else { (0, 0) };
        let found = self.source[start..].char_indices().nth(character - from);
        let byte = found.map_or(self.source.len(), |(byte, _)| start + byte);
        if found.is_some() {
            self.place = (character, byte);
        }
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(source: &str) -> Vec<(String, String)> {
        let document = read(source, 1).unwrap().unwrap();
        document.fields.iter().map(|field| (field.name.clone(), source[field.start..field.end].to_owned())).collect()
    }

    #[test]
    fn fields_have_their_places_in_the_source() {
        let source = "authors:\n  - Müller, É\nsolution: |\n  1.a\n\n   2.b\n\n# ö\nkeywords: !!python/unicode 'x y'\n";
        let found = fields(source);
        assert_eq!(found[0], ("authors".into(), "authors:\n  - Müller, É\n".into()));
        assert_eq!(found[1], ("solution".into(), "solution: |\n  1.a\n\n   2.b\n\n".into()));
        assert_eq!(found[2].1, "keywords: !!python/unicode 'x y'");
        let flow = read("{a: [1, 2], b: {c: d}}\n", 1).unwrap().unwrap();
        assert!(flow.flow && flow.get("b").unwrap().get("c").unwrap().text() == Some("d"));
        assert_eq!(flow.end, 21);
    }

    #[test]
    fn null_is_an_empty_list_and_a_scalar_a_list_of_one() {
        let document = read("a:\nb: ~\nc: x\nd: [x, y]\n", 1).unwrap().unwrap();
        let counts: Vec<usize> = document.fields.iter().map(|field| field.value.items().len()).collect();
        assert_eq!(counts, [0, 0, 1, 2]);
    }

    #[test]
    fn broken_and_deeply_nested_sources_are_refused() {
        let broken = read("stipulation: '#2'\nalgebraic:\n white: [Ka1\nb: 1\n", 10).unwrap_err();
        assert!(broken.to_string().starts_with("the entry is not YAML (line 13: "), "{broken:?}");
        assert!(read(&"[".repeat(100_000), 1).is_err());
        assert!(read(&"- ".repeat(100_000), 1).is_err());
        let long = format!("a: [{}]\n", "é, ".repeat(20_000));
        assert_eq!(read(&long, 1).unwrap().unwrap().get("a").unwrap().items().len(), 20_000);
        let two = read("a: 1\r---\rb: 2\r", 4).unwrap_err();
        assert!(two.to_string().starts_with("the entry is not YAML (line 6: a second entry"), "{two:?}");
        assert_eq!(read("", 1).unwrap(), None);
        assert_eq!(read("# only a comment\n", 1).unwrap(), None);
    }
}
