//! Databases of Scacchi Painter (`.sp2`): XML with one element `SP_Item` for each problem.
//!
//! ```text
//! <ScacchiPainterDatabase version="0.1.0.3">
//!   <SP_Item Moves="2" CompleteStipulationDesc="#" Serie="false" Maximum="false" PersonalID="7" Source="Problem, 1951">
//!     <Authors><Author><NameAndSurname>D. G. Prinz</NameAndSurname></Author></Authors>
//!     <Pieces><Piece Type="King" Color="White" Column="ColF" Traverse="Row8" Rotation="NoRotation" FairyAttribute="None"/> …
//!     <Twins><Twin TwinType="MovePiece" ValueA="a1" ValueB="b2" TwinModes="Normal"/></Twins>
//!     <Conditions/>
//!     <Solution>(base64)</Solution>
//! ```
//!
//! An item becomes an entry of a collection, in the form of its JSON, so that it is read and refused as those are:
//! neutral and turned men, fairy conditions and twins of other kinds are named. The rook is a `Rock`, the knight a
//! `Horse`.
//!
//! CITE: the reader and the sample of Scacchi Painter Web (Dardino), `dbmanager`.

use base64::Engine as _;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Map, Value, json};

use super::{Entries, Entry, Input, LONGEST_TEXT, Rejected};
use crate::base::encoding::{Decoded, decoded};
use crate::problem::ProblemError;

/// Returns whether an input begins like such a database.
pub(super) fn is_database(start: &[u8]) -> bool {
    let text = super::start::text(start);
    let is_xml = text.starts_with(b"<?xml") || text.starts_with(b"<ScacchiPainter");
    is_xml && text.windows(14).take(1000).any(|part| part == b"ScacchiPainter")
}

/// Returns the entries of a database, which is read as a whole: they have thousands of problems at most.
pub(super) fn entries(mut input: Input<'_>) -> Entries<'_> {
    let mut bytes = Vec::new();
    if let Err(error) = input.read_to_end(&mut bytes) {
        return Box::new(std::iter::once(Entry::unreadable(0, &error)));
    }
    let Decoded { text, is_latin1 } = decoded(bytes);
    Box::new(items(&text).into_iter().map(move |entry| Entry { is_latin1, ..entry }))
}

/// Reads all items of a database.
fn items(text: &str) -> Vec<Entry> {
    let mut xml = Reader::from_str(text);
    xml.config_mut().expand_empty_elements = true;
    let (mut entries, mut item): (Vec<Entry>, Option<Painted>) = (Vec::new(), None);
    let (mut line, mut counted) = (1, 0);
    let fault = |line, why: String| Entry::of(line, Err(ProblemError::Text(why)), Rejected::default);
    loop {
        let at = usize::try_from(xml.buffer_position()).unwrap_or(counted).min(text.len());
        line += text.get(counted..at).unwrap_or_default().matches('\n').count();
        counted = at;
        match xml.read_event() {
            Ok(Event::Start(tag)) if tag.name().as_ref() == ITEM => item = Some(Painted::new(&tag, line)),
            Ok(Event::End(tag)) if tag.name().as_ref() == ITEM => entries.extend(item.take().map(Painted::entry)),
            Ok(Event::Eof) => break,
            Ok(event) => item.iter_mut().for_each(|item| item.part(&event)),
            Err(error) => {
                item = None;
                entries.push(fault(line, format!("line {line} is not XML that can be read ({error}); correct it")));
                break;
            }
        }
    }
    let cut = item.map(|item| {
        fault(item.line, format!("the database ends within this problem; the end tag </{ITEM}> is missing"))
    });
    entries.extend(cut);
    entries
}

/// The name of the element of a problem.
const ITEM: &str = "SP_Item";

/// A problem that is being read.
#[derive(Default)]
struct Painted {
    line: usize,
    /// The attributes of the item.
    item: Map<String, Value>,
    /// The names of the elements that are open in it.
    open: Vec<String>,
    white: Vec<String>,
    black: Vec<String>,
    neutral: Vec<String>,
    authors: Vec<String>,
    /// The name that is being read.
    author: String,
    keywords: Vec<String>,
    conditions: Vec<String>,
    /// Whether the diagram is a twin itself, as it is unless the twins leave it out.
    has_diagram: bool,
    twins: Vec<String>,
    solution: String,
}

impl Painted {
    fn new(tag: &BytesStart<'_>, line: usize) -> Painted {
        Painted { line, item: attributes(tag), ..Painted::default() }
    }

    /// Reads a part of the item.
    fn part(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Text(text) => self.text(text),
            Event::GeneralRef(name) => {
                let character = quick_xml::escape::unescape(&format!("&{};", &**name)).map(String::from);
                self.text(&character.unwrap_or_default());
            }
            Event::End(_) => {
                self.open.pop();
                let author = std::mem::take(&mut self.author);
                self.authors.extend(Some(author.trim().to_owned()).filter(|author| !author.is_empty()));
            }
            _ => {}
        }
    }

    /// Reads the beginning of an element.
    fn start(&mut self, tag: &BytesStart<'_>) {
        let name = tag.name().as_ref().to_owned();
        let fields = attributes(tag);
        let value = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        match name.as_str() {
            "Piece" => self.man(&fields),
            "Twin" if value("TwinType") == "Diagram" => self.has_diagram = true,
            "Twin" => self.twins.push(twin(&fields)),
            "Tag" => self.keywords.push(value("Value").to_owned()),
            "Condition" => self.conditions.push(value("Value").to_owned()),
            "Author" if !value("NameAndSurname").is_empty() => self.authors.push(value("NameAndSurname").to_owned()),
            _ => {}
        }
        self.open.push(name);
    }

    fn text(&mut self, text: &str) {
        match self.open.last().map(String::as_str) {
            Some("NameAndSurname") => self.author.push_str(text),
            Some("Solution") if self.solution.len() < LONGEST_TEXT => self.solution.push_str(text),
            _ => {}
        }
    }

    /// Reads a man: kind, side, square, and what makes it a fairy man.
    fn man(&mut self, fields: &Map<String, Value>) {
        let value = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let square = format!(
            "{}{}",
            value("Column").trim_start_matches("Col").to_lowercase(),
            value("Traverse").trim_start_matches("Row")
        );
        let letter = match value("Type") {
            "King" => "K",
            "Queen" => "Q",
            "Rock" | "Rook" => "R",
            "Bishop" => "B",
            "Horse" | "Knight" => "S",
            "Pawn" => "P",
            _ => "",
        };
        let is_plain = |name: &str, plain: &str| matches!(value(name), "" | "None") || value(name) == plain;
        let is_orthodox =
            is_plain("Rotation", "NoRotation") && is_plain("FairyAttribute", "None") && is_plain("Code", "");
        let man = if is_orthodox && !letter.is_empty() {
            format!("{letter}{square}")
        } else {
            let [kind, rotation, attribute, code] = ["Type", "Rotation", "FairyAttribute", "Code"].map(value);
            [kind, rotation, attribute, code, &square]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        };
        match value("Color") {
            "White" => self.white.push(man),
            "Black" => self.black.push(man),
            _ => self.neutral.push(man),
        }
    }

    /// Returns the stipulation, such as `ser-h#4`: its text and its length stand in two attributes.
    fn stipulation(&self) -> String {
        let value = |name: &str| self.item.get(name).and_then(Value::as_str).unwrap_or_default();
        let text = value("CompleteStipulationDesc");
        let length = value("Moves").trim_end_matches(".0");
        let series = if value("Serie") == "true" && !text.starts_with("ser") { "ser-" } else { "" };
        let length = if text.contains(|c: char| c.is_ascii_digit()) { "" } else { length };
        format!("{series}{text}{length}")
    }

    /// Returns the entry, read as one of a collection is.
    fn entry(self) -> Entry {
        let value = |name: &str| self.item.get(name).and_then(Value::as_str).unwrap_or_default();
        let (stipulation, line) = (self.stipulation(), self.line);
        let mut conditions = self.conditions.clone();
        conditions.extend((value("Maximum") == "true").then(|| "Maximummer".to_owned()));
        let mut algebraic = json!({ "white": self.white, "black": self.black });
        if !self.neutral.is_empty() {
            algebraic["neutral"] = json!(self.neutral);
        }
        let mut fields = json!({ "algebraic": algebraic, "stipulation": stipulation, "authors": self.authors });
        let solution =
            base64::engine::general_purpose::STANDARD.decode(self.solution.split_whitespace().collect::<String>());
        let solution = solution.map_or(self.solution.clone(), |bytes| decoded(bytes).text);
        for (name, text) in [("id", value("PersonalID")), ("source", value("Source")), ("solution", solution.trim())] {
            if !text.is_empty() {
                fields[name] = text.into();
            }
        }
        for (name, list) in [("keywords", &self.keywords), ("conditions", &conditions)] {
            if !list.is_empty() {
                fields[name] = json!(list);
            }
        }
        // Of several twins without the diagram, the first is a).
        let first = if self.has_diagram || self.twins.len() < 2 { b'b' } else { b'a' };
        let twins: Map<String, Value> = (first..=b'z')
            .zip(self.twins)
            .map(|(letter, text)| (char::from(letter).to_string(), text.into()))
            .collect();
        if !twins.is_empty() {
            fields["twins"] = twins.into();
        }
        Entry::of_text(&fields.to_string(), line)
    }
}

/// Returns the attributes of an element.
fn attributes(tag: &BytesStart<'_>) -> Map<String, Value> {
    let mut attributes = tag.attributes();
    let pair = attributes.with_checks(false).flatten().map(|attribute| {
        let plain = quick_xml::escape::unescape(&attribute.value).map_or(attribute.value.to_string(), String::from);
        (attribute.key.as_ref().to_owned(), plain.into())
    });
    pair.collect()
}

/// Returns a twin in Popeye's words; one that they do not know keeps its own, which are refused.
fn twin(fields: &Map<String, Value>) -> String {
    let value = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let kind = value("TwinType");
    let command = match kind {
        "MovePiece" => "Move",
        "RemovePiece" => "Remove",
        "AddPiece" => "Add",
        "SwapPieces" => "Exchange",
        "Rotation90" => "Rotate 90",
        "Rotation180" => "Rotate 180",
        "Rotation270" => "Rotate 270",
        "TraslateNormal" => "Shift",
        "SwapColors" => "PolishType",
        "Stipulation" => "Stipulation",
        "Duplex" => "Duplex",
        other => other,
    };
    let continued = if value("TwinModes") == "Combined" { "Continued " } else { "" };
    let values = ["ValueA", "ValueB", "ValueC"].map(value);
    format!("{continued}{command} {}", values.join(" ")).trim_end().to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Reading, entries};
    use super::*;

    /// Returns a database with an item that has these attributes, men and further elements.
    fn database(attributes: &str, men: &[&str], more: &str) -> String {
        let piece = |man: &&str| {
            let (side, rest) = man.split_at(1);
            let (kind, square) = rest.split_once(' ').unwrap();
            let color = ["White", "Black"].into_iter().find(|color| color.to_lowercase().starts_with(side));
            let (color, (column, row)) = (color.unwrap_or("Both"), square.split_at(1));
            format!(
                "<Piece Type=\"{kind}\" Color=\"{color}\" Column=\"Col{}\" Traverse=\"Row{row}\" Rotation=\"NoRotation\" \
                 FairyAttribute=\"None\" />\n",
                column.to_uppercase()
            )
        };
        let pieces = men.iter().map(piece).collect::<Vec<_>>().concat();
        format!(
            "<?xml version=\"1.0\"?>\n<ScacchiPainterDatabase version=\"0.1.0.3\">\n<SP_Item {attributes}>\n<Authors><Author>\
             <NameAndSurname>D. G. Prinz</NameAndSurname></Author></Authors>\n<Pieces>\n{pieces}</Pieces>\n{more}</SP_Item>\n\
             </ScacchiPainterDatabase>\n"
        )
    }

    const MEN: [&str; 7] = ["wKing f8", "wRock h1", "wPawn g6", "bKing h8", "bBishop g8", "bPawn g7", "bPawn h7"];
    const TWO: &str =
        "Moves=\"2\" CompleteStipulationDesc=\"#\" PersonalID=\"7\" Source=\"R&amp;D, 1951\" Serie=\"false\"";

    fn read(text: &str) -> Vec<Entry> {
        entries(std::io::Cursor::new(text.as_bytes().to_vec()), 0, Reading::default()).collect()
    }

    #[test]
    fn an_item_is_an_entry_of_a_collection() {
        let solution = "<Twins><Twin TwinType=\"Diagram\"/><Twin TwinType=\"MovePiece\" ValueA=\"g6\" ValueB=\"g5\" ValueC=\"\" \
                        TwinModes=\"Normal\"/></Twins><Conditions/><Solution>MS5SaDYh\n</Solution>";
        let [entry] = &read(&database(TWO, &MEN, solution))[..] else { panic!("one entry") };
        let problem = entry.problem.as_ref().unwrap();
        assert_eq!(problem.fen, "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1");
        assert_eq!((problem.stipulation.to_string().as_str(), entry.line, problem.phases.len()), ("#2", 3, 2));
        let olv = entry.olv.as_ref().unwrap();
        assert_eq!((olv.solution.as_deref(), olv.fields().source().as_deref()), (Some("1.Rh6!"), Some("R&D, 1951")));
        assert_eq!(olv.texts("authors"), ["D. G. Prinz"]);
    }

    #[test]
    fn what_is_not_orthodox_or_not_whole_is_named_and_the_next_item_is_read() {
        let both = format!("{}\n{}", database(TWO, &MEN, "<Conditions><Condition Value=\"Circe\"/></Conditions>"), "");
        let error = |text: &str| read(text)[0].problem.as_ref().unwrap_err().to_string();
        assert!(error(&both).contains("Circe"), "{}", error(&both));
        let neutral = database(TWO, &["wKing a1", "bKing c3", "nHorse d4"], "");
        assert!(error(&neutral).contains("neutral"), "{}", error(&neutral));
        let turned = database(TWO, &MEN, "").replacen("NoRotation", "Clockwise45", 1);
        assert!(error(&turned).contains("Clockwise45"), "{}", error(&turned));
        let series = database("Moves=\"4\" CompleteStipulationDesc=\"h#\" Serie=\"true\"", &MEN, "");
        assert_eq!(read(&series)[0].problem.as_ref().unwrap().stipulation.to_string(), "ser-h#4");
        let cut = database(TWO, &MEN, "");
        let cut = &cut[..cut.find("</Pieces>").unwrap()];
        assert!(error(cut).contains("end") || error(cut).contains("XML"), "{}", error(cut));
        let whole = database(TWO, &MEN, "");
        for end in 0..whole.len() {
            // No prefix makes a reader hang or break down.
            read(&whole[..end]);
        }
    }
}
