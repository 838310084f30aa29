//! The little of YAML that an entry needs: a tree of fields, and where in the source each of them stands.
//!
//! Entries are edited by people, in programs that each write YAML in their own way. So the source is never written
//! anew from the tree: the tree is read, and a field is replaced in the source by its place ([`Field::start`] to
//! [`Field::end`]). Whatever matesolve does not understand (tags such as `!!python/unicode`, anchors, comments, numbers with leading
//! zeros) stays as it was because it is never touched.

use saphyr_parser::{Event, Parser, Span};

use super::OlvError;

/// Deeper nesting than this is no entry but an attack on the stack.
const DEEPEST: usize = 32;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum YamlNode {
    /// Text, number, truth value or nothing: the text as written, without quotes.
    Scalar(String),
    /// `[a, b]`, or lines that start with `-`.
    List(Vec<YamlNode>),
    /// Fields.
    Map(Vec<(String, YamlNode)>),
}

impl YamlNode {
    /// The text, if there is any.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            YamlNode::Scalar(text) if !matches!(text.as_str(), "" | "~" | "null") => Some(text),
            _ => None,
        }
    }

    /// The items of a list; a single text counts as a list of one, nothing as an empty one.
    pub(super) fn items(&self) -> &[YamlNode] {
        match self {
            YamlNode::List(items) => items,
            _ if self.text().is_some() => std::slice::from_ref(self),
            _ => &[],
        }
    }

    /// The field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&YamlNode> {
        match self {
            YamlNode::Map(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// A field of the entry itself, and its place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub name: String,
    pub value: YamlNode,
    /// The byte where the name starts.
    pub start: usize,
    /// The byte after the value. Of a block of text that is the start of a line.
    pub end: usize,
}

/// An entry's fields and the shape of its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document {
    pub fields: Vec<Field>,
    /// The byte after the last field and what belongs to it.
    pub end: usize,
    /// How far the fields' names are indented, in characters.
    pub indent: usize,
    /// The fields are written `{name: value, …}`.
    pub flow: bool,
}

impl Document {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(super) fn get(&self, name: &str) -> Option<&YamlNode> {
        self.field(name).map(|field| &field.value)
    }
}

/// Reads one document, whose first line is number `line` of its file. `None`: it is empty.
pub(super) fn read(source: &str, line: usize) -> Result<Option<Document>, OlvError> {
    let mut builder = Builder { source, ..Builder::default() };
    for event in Parser::new_from_str(source) {
        let (event, span) = event.map_err(|error| OlvError::Yaml {
            line: line + error.marker().line().saturating_sub(1),
            why: error.info().to_owned(),
        })?;
        let deep =
            || OlvError::Yaml { line: line + span.start.line().saturating_sub(1), why: "nested too deep".into() };
        builder.take(event, span).ok_or_else(deep)?;
    }
    Ok(builder.document)
}

/// A collection under construction.
#[derive(Debug)]
struct Open {
    node: YamlNode,
    /// The key that waits for its value, and the byte where it starts.
    key: Option<(String, usize)>,
}

#[derive(Debug, Default)]
struct Builder<'a> {
    source: &'a str,
    /// A character of the source and the byte where it starts: the last that was asked for.
    place: (usize, usize),
    open: Vec<Open>,
    document: Option<Document>,
}

impl Builder<'_> {
    /// `None`: nested too deep.
    fn take(&mut self, event: Event<'_>, span: Span) -> Option<()> {
        match event {
            Event::Scalar(text, ..) => self.add(YamlNode::Scalar(text.into_owned()), span),
            // What an alias stands for is looked at by nobody, and expanding it could take all memory.
            Event::Alias(_) => self.add(YamlNode::Scalar(String::new()), span),
            Event::SequenceStart(..) => self.begin(YamlNode::List(Vec::new()), span)?,
            Event::MappingStart(..) => self.begin(YamlNode::Map(Vec::new()), span)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.add(open.node, span);
                }
            }
            _ => {}
        }
        Some(())
    }

    fn begin(&mut self, node: YamlNode, span: Span) -> Option<()> {
        if self.open.is_empty() && self.document.is_none() && matches!(node, YamlNode::Map(_)) {
            let start = self.byte(span.start.index());
            let flow = self.source[start..].starts_with('{');
            self.document = Some(Document { fields: Vec::new(), end: 0, indent: span.start.col(), flow });
        }
        self.open.push(Open { node, key: None });
        (self.open.len() <= DEEPEST).then_some(())
    }

    /// A value is complete: it belongs to the innermost collection. The entry's own fields go into the document.
    fn add(&mut self, value: YamlNode, span: Span) {
        let start = self.byte(span.start.index());
        let end = self.byte(span.end.index());
        let root = self.open.len() == 1;
        let Some(open) = self.open.last_mut() else {
            if let (YamlNode::Map(_), Some(document)) = (&value, &mut self.document) {
                document.end = if document.flow { end.saturating_sub(1) } else { end };
            }
            return;
        };
        match (&mut open.node, open.key.take()) {
            (YamlNode::List(items), _) => items.push(value),
            (YamlNode::Map(_), None) => {
                let name = if let YamlNode::Scalar(text) = value { text } else { String::new() };
                open.key = Some((name, start));
            }
            (YamlNode::Map(_), Some((name, start))) if root => {
                if let Some(document) = &mut self.document {
                    document.fields.push(Field { name, value, start, end });
                }
            }
            (YamlNode::Map(fields), Some((name, _))) => fields.push((name, value)),
            (YamlNode::Scalar(_), _) => {}
        }
    }

    /// The byte of a character, which is what the parser counts. Asked for in ascending order (but for the ends of
    /// collections, which may lie a little back), this takes one walk through the source.
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
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn fields(source: &str) -> Vec<(String, String)> {
        let document = read(source, 1).unwrap().unwrap();
        document.fields.iter().map(|field| (field.name.clone(), source[field.start..field.end].to_owned())).collect()
    }

    #[test]
    fn every_field_knows_its_place() {
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
    fn nothing_is_a_list_of_nothing_and_a_text_a_list_of_one() {
        let document = read("a:\nb: ~\nc: x\nd: [x, y]\n", 1).unwrap().unwrap();
        let counts: Vec<usize> = document.fields.iter().map(|field| field.value.items().len()).collect();
        assert_eq!(counts, [0, 0, 1, 2]);
    }

    #[test]
    fn broken_and_monstrous_sources_are_errors_with_a_line() {
        let broken = read("stipulation: '#2'\nalgebraic:\n white: [Ka1\nb: 1\n", 10).unwrap_err();
        assert!(matches!(broken, OlvError::Yaml { line: 13, .. }), "{broken:?}");
        assert!(read(&"[".repeat(100_000), 1).is_err());
        assert!(read(&"- ".repeat(100_000), 1).is_err());
        let long = format!("a: [{}]\n", "é, ".repeat(20_000));
        assert_eq!(read(&long, 1).unwrap().unwrap().get("a").unwrap().items().len(), 20_000);
        assert_eq!(read("", 1).unwrap(), None);
        assert_eq!(read("# only a comment\n", 1).unwrap(), None);
    }
}
