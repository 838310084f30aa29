//! Reads problems written as JSON objects, one per line: `{"fen": "…", "stipulation": "#3", "id": "…"}`.
//!
//! `twins` (`{"b": "Move a1 b2"}`, a list or a text) and `"duplex": true` make a problem with several phases. Only
//! `fen` is required. An `id` may be a number. A field that states the problem in another form than it must have is
//! refused with its name, and so are `options` and `conditions` that change the rules: left out, they would make
//! another problem. Fields that matesolve does not know are kept, and given back with the result. The other fields of a
//! result are dropped, so that results can be used as input. An object with `game` and `puzzle` is a puzzle of lichess:
//! the position in which the solver is to move.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Map, Value};
use shakmaty::Color;

use crate::base::printable::{excerpt, shortened};
use crate::chess::Stipulation;

use super::fields::{self, Node, OF_FEN, field};
use super::olv::OlvOptions;
use super::olv::asked::{self, Intended};
use super::twins::Twins;
use super::{Colors, Draft, Problem, ProblemError, once, pasted};

/// The fields of a result that the next result replaces.
const OWN_FIELDS: [&str; 10] =
    ["schema_version", "line", "result", "other_side", "moves", "stats", "warnings", "error", "text", "check"];

/// The fields of a result of help play that the next result replaces.
const HELP_FIELDS: [&str; 5] = ["solutions", "short_solutions", "set_play", "intended", "complete"];

/// The form of `stipulation`.
const STIPULATION: &str = "\"#3\"";

/// Reads one JSON object.
pub(super) fn read(line: &str) -> Result<Problem, ProblemError> {
    let mut fields = once::object(line).map_err(|error| no_problem(&error.to_string()))?;
    if let (Some(game), Some(puzzle)) = (fields.get("game"), fields.get("puzzle")) {
        return pasted::of_lichess(game, puzzle);
    }
    fields.keys().try_for_each(|name| fields::check_name(name, OF_FEN))?;
    let fen = fields.shift_remove("fen").ok_or_else(|| no_problem("the field \"fen\" is missing"))?;
    let draft = Draft::new(fen.as_str().ok_or_else(|| wrong("fen", &fen, "a text"))?)?;
    let mut stated = Problem::default();
    let id = fields.shift_remove("id").unwrap_or_default();
    stated.given.id_is_number = id.is_number();
    stated.id = match id {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        other => return Err(wrong("id", &other, "a text or a number")),
    };
    let stipulation = fields.shift_remove("stipulation").unwrap_or_default();
    let read = self::stipulation(&stipulation)?;
    let is_helped = read.is_some_and(Stipulation::is_helped);
    if let Some(read) = read {
        stated.stated = stated.stated.stipulation(read, "stipulation")?;
    }
    if let Some(side) = stipulation.get("attacker").and_then(Value::as_str) {
        let colors = Colors::Attacker(Color::from_white(side != "black"));
        stated.stated = stated.stated.colors(colors, "stipulation.attacker")?;
    }
    let options = options(&fields)?;
    stated.warnings.extend(options.warnings());
    stated.exclusive.clone_from(&options.phase.exclusive);
    if options.phase.stops_at_short {
        stated.stated = stated.stated.stops_at_short(true, "StopOnShortSolutions")?;
    }
    if options.set_play {
        stated.stated = stated.stated.set_play(true, "SetPlay")?;
    }
    if options.tries.is_some() {
        stated.warnings.push("the options Try and Defence of a JSON problem are not used; give --tries".to_owned());
    }
    let twins = field(&fields, "twins").map_or_else(|| Ok(Twins::default()), |node| asked::twins(&node))?;
    let intended = intended(&fields, is_helped)?;
    if let Some(all) = intended.all {
        stated.stated = stated.stated.intended(all, "intended")?;
    }
    let is_own = |name: &str| OWN_FIELDS.contains(&name) || (is_helped && HELP_FIELDS.contains(&name));
    fields.retain(|name, _| !is_own(name));
    stated.given.fields = fields;
    let draft = draft.stating(stated);
    if options.phase.duplex || !twins.twins.is_empty() {
        let mut problem = draft.finished()?;
        problem.add_phases(&twins, options.phase.duplex);
        intended.count(&mut problem.phases);
        return Ok(problem);
    }
    draft.finished()
}

fn wrong(name: &str, value: &Value, wanted: &'static str) -> ProblemError {
    fields::wrong(name, &value.into(), wanted)
}

fn no_problem(why: &str) -> ProblemError {
    ProblemError::Text(format!(
        "the line starts with {{ but is not a JSON problem ({}); expected {{\"fen\": \"…\", \"stipulation\": \"#3\", \
         \"id\": \"…\"}}",
        shortened(why)
    ))
}

/// Reads a stipulation: a text (`"#3"`), a number of moves, or the object that matesolve's own results contain.
fn stipulation(value: &Value) -> Result<Option<Stipulation>, ProblemError> {
    let of_text = |text: &str| Stipulation::parse_stated(text).map(Some).map_err(ProblemError::from);
    match value {
        Value::Null => Ok(None),
        Value::String(text) => of_text(text),
        Value::Number(number) => of_text(&number.to_string()),
        Value::Object(parts) => {
            let text = parts.get("text").unwrap_or(&Value::Null);
            let text = text.as_str().ok_or_else(|| wrong("stipulation.text", text, STIPULATION))?;
            let read = of_text(text)?;
            let moves = parts.get("moves").filter(|moves| !moves.is_null());
            let is_same = moves.is_none_or(|moves| moves.as_f64() == read.and_then(Stipulation::counted).map(whole_and_half));
            if is_same { Ok(read) } else { Err(contradiction("moves", moves, text)) }
        }
        other => Err(wrong("stipulation", other, STIPULATION)),
    }
}

fn whole_and_half((moves, half): (u16, bool)) -> f64 {
    f64::from(moves) + if half { 0.5 } else { 0.0 }
}

fn contradiction(part: &str, value: Option<&Value>, text: &str) -> ProblemError {
    let value = value.map_or(String::new(), Value::to_string);
    ProblemError::Text(format!(
        "the field \"stipulation.{part}\" is {} and contradicts the stipulation {}; correct it or leave it out",
        excerpt(&value),
        excerpt(text)
    ))
}

/// Reads the options of a problem whose position is a FEN.
fn options(fields: &Map<String, Value>) -> Result<OlvOptions, ProblemError> {
    let nodes = ["conditions", "condition", "options"].into_iter();
    let nodes = Node::Map(nodes.filter_map(|name| Some((name.to_owned(), field(fields, name)?))).collect());
    let mut options = OlvOptions::read(|name| nodes.get(name), OlvOptions::default())?;
    options.phase.duplex |= match fields.get("duplex") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(is_duplex)) => *is_duplex,
        Some(other) => return Err(wrong("duplex", other, "true or false")),
    };
    let about_position = [
        ("HalfDuplex", options.phase.black_mates),
        ("PostKeyPlay", options.phase.post_key),
        ("NoCastling", !options.phase.no_castling.is_empty()),
        ("EnPassant", options.phase.en_passant.is_some()),
    ];
    match about_position.into_iter().find(|(_, is_set)| *is_set) {
        Some((word, _)) => Err(ProblemError::Text(format!(
            "the option \"{word}\" cannot be used beside a FEN; state the side to move and the rights in fen, and the \
             play after the key as #-N in stipulation"
        ))),
        None => Ok(options),
    }
}

/// Reads the numbers of solutions that are intended. Another value may mean something else to another program.
fn intended(fields: &Map<String, Value>, is_helped: bool) -> Result<Intended, ProblemError> {
    match field(fields, "intended").or_else(|| field(fields, "intended-solutions")) {
        Some(Node::Number(text) | Node::Text(text)) => Intended::read(&Node::Text(text), is_helped),
        _ => Ok(Intended::default()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const FEN: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";

    #[test]
    fn twins_and_a_duplex_are_phases() {
        let line = format!("{{\"fen\": \"{FEN}\", \"stipulation\": \"#2\", \"twins\": {{\"b\": \"Remove g7\"}}}}");
        let problem = read(&line).unwrap();
        let names: Vec<String> = problem.phases.iter().map(|phase| phase.name.to_string()).collect();
        assert_eq!(names, ["a)", "b) -bPg7"]);
        let fen = problem.phases[1].problem.as_ref().unwrap().fen.clone();
        assert_eq!(fen, "5Kbk/7p/6P1/8/8/8/8/7R w - - 0 1");
        let duplex = read("{\"fen\": \"4k2r/8/8/8/8/8/8/4K3 b - -\", \"duplex\": true}").unwrap();
        let fens: Vec<&str> = duplex.phases.iter().map(|phase| phase.problem.as_ref().unwrap().fen.as_str()).collect();
        assert_eq!(fens, ["4k2r/8/8/8/8/8/8/4K3 b - - 0 1", "4k2r/8/8/8/8/8/8/4K3 w - - 0 1"]);
    }

    /// Reads the problem with another field.
    fn with(field: &str) -> Result<Problem, String> {
        read(&format!("{{\"fen\":\"{FEN}\",{field}}}")).map_err(|error| error.to_string())
    }

    #[test]
    fn twins_are_read_in_every_form_that_is_clear() {
        for twins in [r#"{"b":"Remove g7"}"#, r#""b) Remove g7""#, r#"["Remove g7"]"#, r#"[{"b":"Remove g7"}]"#] {
            let names = with(&format!("\"twins\":{twins}")).unwrap().phases;
            let names: Vec<String> = names.iter().map(|phase| phase.name.to_string()).collect();
            assert_eq!(names, ["a)", "b) -bPg7"], "{twins}");
        }
        for none in [r#""twins":null"#, r#""twins":{}"#, r#""twins":[]"#, r#""twins":"""#, r#""options":["Try"]"#] {
            assert!(with(none).unwrap().phases.is_empty(), "{none}");
        }
        assert_eq!(with(r#""options":["Duplex"]"#).unwrap().phases.len(), 2);
    }

    #[test]
    fn a_field_in_another_form_is_refused_with_its_name() {
        for (field, expected) in [
            (r#""twins":true"#, r#"the field "twins" is true or false; write it as {"b": "Move a1 b2"}"#),
            (r#""twins":3"#, r#"the field "twins" is a number; write"#),
            (r#""twins":{"b":null}"#, r#"the field "twins.b" is null; write it as {"b": "Move a1 b2"}"#),
            (r#""twins":{"b":{"move":"a1"}}"#, r#"the field "twins.b" is an object"#),
            (r#""twins":["x",["y"]]"#, r#"the field "twins, item 2" is a list"#),
            (r#""twins":{"b":"Black","b":"White"}"#, "the field `b` stands twice"),
            (r#""twins":{},"twins":{}"#, "the field `twins` stands twice"),
            (r#""Twins":{"b":"Black"}"#, r#"the field "Twins" is not read under this name; write twins"#),
            (r#""twin":"b) Black""#, r#"the field "twin" is not read under this name; write twins"#),
            (r#""duplex":"yes""#, r#"the field "duplex" is a text; write it as true or false"#),
            (r#""id":["x"]"#, r#"the field "id" is a list; write it as a text or a number"#),
            (r##""stipulation":["#3"]"##, r##"the field "stipulation" is a list; write it as "#3""##),
            (r#""stipulation":{"moves":3}"#, r##"the field "stipulation.text" is null; write it as "#3""##),
            (r##""stipulation":{"text":"#3","moves":4}"##, r#""stipulation.moves" is 4 and contradicts"#),
            (r##""stipulation":{"text":"#3","attacker":"black"}"##, r#""stipulation.attacker" is "black" and"#),
            (r#""options":{"Duplex":true}"#, r#"the field "options" is an object; write it as ["SetPlay", "Duplex"]"#),
            (r#""options":"Circe""#, r#"the option "Circe" changes the rules"#),
            (r#""options":["HalfDuplex"]"#, r#"the option "HalfDuplex" cannot be used beside a FEN"#),
            (r#""conditions":["Madrasi"]"#, r#"the condition "Madrasi""#),
        ] {
            let message = with(field).unwrap_err();
            assert!(message.contains(expected), "{field}: {message}");
        }
        assert_eq!(with(r#""stipulation":3"#).unwrap().question.stipulation.to_string(), "#3");
    }

    #[test]
    fn a_problem_is_read_with_and_without_its_stipulation() {
        let full = read(&format!(r##"{{"id":"x","stipulation":"#2","extra":[1],"fen":"{FEN}"}}"##)).unwrap();
        assert_eq!((full.id.as_deref(), full.question.stipulation.to_string().as_str()), (Some("x"), "#2"));
        let bare = read(&format!(r#"{{"fen":"{FEN}","id":null}}"#)).unwrap();
        assert_eq!((bare.id, bare.question.stipulation), (None, Stipulation::default()));
        let own = read(&format!(r##"{{"fen":"{FEN}","stipulation":{{"text":"#-","moves":null}}}}"##)).unwrap();
        assert!(own.question.stipulation.defender_begins());
    }

    #[test]
    fn numbers_as_names_and_unknown_fields_are_kept_and_own_fields_are_not() {
        let read =
            read(&format!(r#"{{"id":17,"z":[1,{{"a":null}}],"fen":"{FEN}","a":"b","line":3,"stats":{{}}}}"#)).unwrap();
        assert_eq!((read.id.as_deref(), read.given.id_is_number), (Some("17"), true));
        assert_eq!(serde_json::to_string(&read.given.fields).unwrap(), r#"{"z":[1,{"a":null}],"a":"b"}"#);
    }

    #[test]
    fn errors_of_broken_objects_name_the_mistake() {
        for (text, expected) in
            [("{", "not a JSON problem"), ("{}", "the field \"fen\" is missing"), (r#"{"fen":3}"#, "is a number")]
        {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        assert!(read(&format!(r#"{{"fen":"{FEN}","stipulation":"pser-#2"}}"#)).is_err());
    }
}
