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
//! An item becomes an entry of a collection, in the form of its JSON, so that it is read and refused as those are, as
//! for neutral and turned men, fairy conditions and twins of other kinds. The rook is a `Rock`, the knight a `Horse`.
//!
//! CITE: the reader and the sample of Scacchi Painter Web (Dardino), `dbmanager`.

use std::collections::HashMap;

use base64::Engine as _;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Value, json};

use crate::base::encoding::{Decoded, decoded};
use crate::base::printable::shortened;
use crate::problem::ProblemError;
use crate::problem::input::{Entries, Entry, Input, LONGEST_TEXT, Rejected};

/// Returns whether an input begins like such a database.
pub(super) fn is_database(start: &[u8]) -> bool {
    let text = super::objects::text(start);
    let is_xml = text.starts_with(b"<?xml") || text.starts_with(b"<ScacchiPainter");
    is_xml && text.windows(14).take(1000).any(|part| part == b"ScacchiPainter")
}

/// Returns the entries of a database, which is read as a whole.
pub(super) fn entries(mut input: Input<'_>) -> Entries<'_> {
    let mut bytes = Vec::new();
    if let Err(error) = input.read_to_end(&mut bytes) {
        return Box::new(std::iter::once(Entry::unreadable(&error)));
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
    let unclosed = |item: Painted| {
        fault(item.line, format!("the end tag </{ITEM}> of this problem is missing before the next one, or at the end"))
    };
    loop {
        let at = usize::try_from(xml.buffer_position()).unwrap_or(counted).min(text.len());
        line += text.get(counted..at).unwrap_or_default().matches('\n').count();
        counted = at;
        let event = xml.read_event().map_err(|error| error.to_string()).and_then(|event| match &event {
            Event::Start(tag) => {
                tag.attributes().find_map(Result::err).map_or(Ok(event), |error| Err(error.to_string()))
            }
            _ => Ok(event),
        });
        match event {
            Ok(Event::Start(tag)) if tag.name().as_ref() == ITEM => {
                entries.extend(item.replace(Painted::new(&tag, line)).map(unclosed));
            }
            Ok(Event::End(tag)) if tag.name().as_ref() == ITEM => entries.extend(item.take().map(Painted::entry)),
            Ok(Event::Start(tag)) if tag.name().as_ref() == "Pieces" && item.is_none() => {
                entries.push(fault(line, format!("these men stand in no <{ITEM}>; correct the tag around them")));
            }
            Ok(Event::Eof) => break,
            Ok(event) => item.iter_mut().for_each(|item| item.part(&event)),
            Err(error) => {
                let why = "what follows it is not read; correct it";
                let why = format!("line {line} is not XML that can be read ({}), and {why}", shortened(&error));
                entries.push(fault(item.take().map_or(line, |item| item.line), why));
                break;
            }
        }
    }
    entries.extend(item.map(unclosed));
    entries
}

/// The name of the element of a problem.
const ITEM: &str = "SP_Item";

/// The attributes of an element.
struct Attributes(HashMap<String, String>);

impl Attributes {
    fn of(tag: &BytesStart<'_>) -> Attributes {
        let plain = |text: &str| quick_xml::escape::unescape(text).map_or(text.to_owned(), String::from);
        let mut attributes = tag.attributes();
        let pairs = attributes.with_checks(false).flatten();
        Attributes(pairs.map(|pair| (pair.key.as_ref().to_owned(), plain(&pair.value))).collect())
    }

    /// Returns the value of an attribute; an empty text if there is none.
    fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Returns whether an attribute says yes. A word that is not known may say so.
    fn is_set(&self, name: &str) -> bool {
        !["", "false", "0", "no"].contains(&self.get(name).trim().to_lowercase().as_str())
    }

    /// Returns all attributes but these, as they are written.
    fn others(&self, known: &[&str]) -> Vec<&str> {
        let mut others: Vec<(&str, &str)> = self.0.iter().map(|(name, text)| (name.as_str(), text.trim())).collect();
        others.retain(|(name, text)| !known.contains(name) && !matches!(*text, "" | "None" | "NoRotation"));
        others.sort_unstable();
        others.into_iter().map(|(_, text)| text).collect()
    }

    /// Returns a man: kind and square, and what makes it a fairy man.
    fn man(&self) -> String {
        let column = self.get("Column").trim_start_matches("Col").to_lowercase();
        let square = format!("{column}{}", self.get("Traverse").trim_start_matches("Row"));
        let letter = match self.get("Type") {
            "King" => "K",
            "Queen" => "Q",
            "Rock" | "Rook" => "R",
            "Bishop" => "B",
            "Horse" | "Knight" => "S",
            "Pawn" => "P",
            _ => "",
        };
        let fairy = self.others(&["Type", "Color", "Column", "Traverse"]);
        if !letter.is_empty() && fairy.is_empty() {
            return format!("{letter}{square}");
        }
        [&[self.get("Type")], &fairy[..], &[square.as_str()]].concat().join(" ")
    }

    /// Returns the stipulation, such as `ser-h#4`: its text and its length stand in two attributes.
    fn stipulation(&self) -> String {
        let text = self.get("CompleteStipulationDesc");
        let series = if self.is_set("Serie") && !text.starts_with("ser") { "ser-" } else { "" };
        let has_length = text.contains(|c: char| c.is_ascii_digit());
        let length = if has_length { "" } else { self.get("Moves").trim_end_matches(".0") };
        format!("{series}{text}{length}")
    }

    /// Returns a twin in Popeye's words; one that they do not know keeps its own, which are refused.
    fn twin(&self) -> String {
        let command = match self.get("TwinType") {
            "MovePiece" => "Move",
            "RemovePiece" => "Remove",
            "AddPiece" => "Add",
            "SwapPieces" => "Exchange",
            "Rotation90" => "Rotate 90",
            "Rotation180" => "Rotate 180",
            "Rotation270" => "Rotate 270",
            "TraslateNormal" => "Shift",
            "SwapColors" => "PolishType",
            other => other,
        };
        let continued = if self.get("TwinModes") == "Combined" { "Continued " } else { "" };
        let values = ["ValueA", "ValueB", "ValueC"].map(|name| self.get(name)).join(" ");
        format!("{continued}{command} {values}").trim_end().to_owned()
    }
}

/// A problem that is being read.
struct Painted {
    line: usize,
    /// The fields of the entry that it becomes.
    fields: Value,
    /// The names of the elements that are open in it.
    open: Vec<String>,
    /// The name of an author that is being read.
    author: String,
    /// Whether the diagram is a twin itself, as it is unless the twins leave it out.
    has_diagram: bool,
    twins: Vec<String>,
    solution: String,
}

impl Painted {
    fn new(tag: &BytesStart<'_>, line: usize) -> Painted {
        let item = Attributes::of(tag);
        let mut fields =
            json!({ "algebraic": { "white": [], "black": [] }, "stipulation": item.stipulation(), "authors": [] });
        for (name, text) in [("id", item.get("PersonalID")), ("source", item.get("Source"))] {
            if !text.is_empty() {
                fields[name] = text.into();
            }
        }
        if item.is_set("Maximum") {
            add(&mut fields["conditions"], "Maximummer");
        }
        let (open, author, solution) = (Vec::new(), String::new(), String::new());
        Painted { line, fields, open, author, has_diagram: false, twins: Vec::new(), solution }
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
                add(&mut self.fields["authors"], std::mem::take(&mut self.author).trim());
            }
            _ => {}
        }
    }

    /// Reads the beginning of an element.
    fn start(&mut self, tag: &BytesStart<'_>) {
        let name = tag.name().as_ref().to_owned();
        let element = Attributes::of(tag);
        match name.as_str() {
            "Piece" => {
                let side = match element.get("Color") {
                    "White" => "white",
                    "Black" => "black",
                    _ => "neutral",
                };
                add(&mut self.fields["algebraic"][side], &element.man());
            }
            "Twin" if element.get("TwinType") == "Diagram" => self.has_diagram = true,
            "Twin" => self.twins.push(element.twin()),
            "Tag" => add(&mut self.fields["keywords"], element.get("Value")),
            // The element of a list, or of a part of a man.
            "Conditions" | "Condition" | "FairyPiece" | "FairyCode" | "FairyAttribute" => {
                add(&mut self.fields["conditions"], &element.others(&[]).join(" "));
            }
            "Author" => add(&mut self.fields["authors"], element.get("NameAndSurname")),
            _ => {}
        }
        self.open.push(name);
    }

    fn text(&mut self, text: &str) {
        match self.open.last().map(String::as_str) {
            Some("NameAndSurname") => self.author.push_str(text),
            Some("Conditions" | "Condition" | "FairyPiece" | "FairyCode" | "FairyAttribute") => {
                add(&mut self.fields["conditions"], text.trim());
            }
            Some("Solution") if self.solution.len() < LONGEST_TEXT => self.solution.push_str(text),
            _ => {}
        }
    }

    /// Returns the entry, read as one of a collection is.
    fn entry(self) -> Entry {
        let Painted { mut fields, solution, twins, .. } = self;
        let bytes = base64::engine::general_purpose::STANDARD.decode(solution.split_whitespace().collect::<String>());
        let solution = bytes.map_or(solution, |bytes| decoded(bytes).text);
        if !solution.trim().is_empty() {
            fields["solution"] = solution.trim().into();
        }
        // Of several twins without the diagram, the first is a).
        let first = if self.has_diagram || twins.len() < 2 { b'b' } else { b'a' };
        for (letter, twin) in (first..=b'z').zip(twins) {
            fields["twins"][char::from(letter).to_string()] = twin.into();
        }
        Entry::of_text(&fields.to_string(), self.line)
    }
}

/// Adds a text to a list, unless it is empty.
fn add(list: &mut Value, text: &str) {
    if !list.is_array() {
        *list = json!([]);
    }
    list.as_array_mut().into_iter().for_each(|list| list.extend((!text.is_empty()).then(|| text.into())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::input::{Reading, entries};

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
        assert_eq!((problem.question.stipulation.to_string().as_str(), entry.line, problem.phases.len()), ("#2", 3, 2));
        let olv = entry.olv.as_ref().unwrap();
        assert_eq!(
            (olv.problem.solution.as_deref(), olv.fields().source().as_deref()),
            (Some("1.Rh6!"), Some("R&D, 1951"))
        );
        assert_eq!(olv.texts("authors"), ["D. G. Prinz"]);
    }

    #[test]
    fn men_outside_of_an_item_are_named() {
        let text = database(TWO, &MEN, "").replace("SP_Item", "Item");
        let [entry] = &read(&text)[..] else { panic!("one entry") };
        assert!(entry.line == 5 && entry.problem.as_ref().unwrap_err().to_string().contains("<SP_Item>"), "{entry:?}");
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
        for conditions in ["<Condition>Circe</Condition>", "<Condition Name=\"Circe\"/>", "Circe"] {
            let text = database(TWO, &MEN, &format!("<Conditions>{conditions}</Conditions>"));
            assert!(error(&text).contains("\"Circe\""), "{}", error(&text));
        }
        let empty = "<Conditions Value=\"\">\n<Condition Value=\"None\"/></Conditions>";
        assert!(read(&database(TWO, &MEN, empty))[0].problem.is_ok());
        assert!(error(&database(TWO, &MEN, "<Conditions Value=\"Circe\"/>")).contains("\"Circe\""));
        let man = database(TWO, &MEN, "").replacen("NoRotation\"", "NoRotation\" FairyCode=\"Grasshopper\"", 1);
        assert!(error(&man).contains("Grasshopper"), "{}", error(&man));
        let inside = "<Pieces><Piece Type=\"Pawn\" Color=\"White\" Column=\"ColA\" Traverse=\"Row2\"><FairyPiece \
                      code=\"G\"/></Piece></Pieces>";
        assert!(error(&database(TWO, &MEN, inside)).contains("\"G\""), "{}", error(&database(TWO, &MEN, inside)));
        for yes in ["true", "True", "1", "yes"] {
            let maximum = database(&format!("{TWO} Maximum=\"{yes}\""), &MEN, "");
            assert!(error(&maximum).contains("Maximummer"), "{yes}");
            let series = database(&format!("Moves=\"4\" CompleteStipulationDesc=\"h#\" Serie=\"{yes}\""), &MEN, "");
            assert_eq!(read(&series)[0].problem.as_ref().unwrap().question.stipulation.to_string(), "ser-h#4");
        }
        for broken in ["Serie=true", "Serie=\"true\" Serie=\"false\""] {
            let text = database(&format!("{TWO} {broken}").replace("Serie=\"false\" ", ""), &MEN, "");
            assert!(error(&text).contains("line 3 is not XML"), "{broken}: {}", error(&text));
        }
        let cut = database(TWO, &MEN, "");
        let two = cut.replace("</SP_Item>", "").replace("<SP_Item", "<SP_Item Moves=\"9\">\n<SP_Item");
        assert!(read(&two).iter().all(|entry| entry.problem.is_err()) && read(&two)[0].line == 3, "{:?}", read(&two));
        let cut = &cut[..cut.find("</Pieces>").unwrap()];
        assert!(error(cut).contains("end") || error(cut).contains("XML"), "{}", error(cut));
        let whole = database(TWO, &MEN, "");
        for end in 0..whole.len() {
            // No prefix makes a reader hang or break down.
            read(&whole[..end]);
        }
    }
}
