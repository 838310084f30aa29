//! Reads problems written as JSON objects: `{"fen": "…", "stipulation": "#3", "id": "…"}`.
//!
//! The fields that state the problem have the names of `names`. `twins` (`{"b": "Move a1 b2"}`, a list or a text) and
//! `"duplex": true` make a problem with several phases. Only the position is required. An `id` may be a number. A value
//! in a form that its part cannot have is refused with its name, unless another program may mean something else by that
//! name. `options` and `conditions` that change the rules are refused, too: left out, they would make another problem.
//! Other fields are kept and given back with the result, except those named as a field of results ([`is_own`]).
//!
//! A result can be used as input: its position and its question are read, and what it has found is dropped. The length
//! that it has found is a claim, not a part of the question. An object with an object `game` and a `puzzle` is a puzzle
//! of lichess: the position in which the solver is to move.

use serde_json::{Map, Value};
use shakmaty::Color;

use crate::base::printable::{excerpt, shortened};
use crate::chess::{MateLength, Stipulation};

use super::fields::{self, Node};
use super::names;
use super::names::Part::{self, Game, Keys, Solution, Themes};
use super::olv::OlvOptions;
use super::olv::asked::{self, Intended};
use super::parts::{StatedParts, form};
use super::twins::Twins;
use super::{Asked, Colors, Draft, Problem, ProblemError, epd, once, pasted, played};

/// Returns whether this is a field of a result that the next result replaces.
fn is_own(name: &str) -> bool {
    "schema_version line result other_side other_to_move moves stats warnings error text check from"
        .split(' ')
        .any(|own| own == name)
}

/// The fields of a result of help play that the next result replaces.
const HELP_FIELDS: [&str; 5] = ["solutions", "short_solutions", "set_play", "intended", "complete"];

/// The form of `stipulation`.
const STIPULATION: &str = "\"#3\"";

/// The parts that are given back with a result, which does not state them itself.
const GIVEN_BACK: [Part; 9] =
    [Keys, Solution, Game, Themes, Part::Twins, Part::Options, Part::Conditions, Part::Duplex, Part::Intended];

/// The parts of which each may stand once in an object, and is looked up by its part.
const SINGLE: [Part; 6] = [Part::Twins, Part::Duplex, Part::Options, Part::Conditions, Part::Intended, Part::Id];

/// The limits of a line.
const LIMITS: [Part; 3] = [Part::Time, Part::Milliseconds, Part::Nodes];

/// The values of single parts.
type Single = Vec<(Part, Node)>;

/// Returns the value of a part; `None` if it is missing or null.
fn single(parts: &Single, part: Part) -> Option<&Node> {
    parts.iter().find(|(known, node)| *known == part && *node != Node::Null).map(|(_, node)| node)
}

/// Reads one JSON object.
pub(super) fn read(line: &str) -> Result<Problem, ProblemError> {
    of_fields(once::object(line).map_err(|error| no_problem(&error.to_string()))?)
}

/// Reads the fields of one JSON object.
pub(super) fn of_fields(mut fields: Map<String, Value>) -> Result<Problem, ProblemError> {
    let lichess = fields.get("game").filter(|game| game.is_object()).cloned().zip(fields.get("puzzle").cloned());
    let is_result = fields.contains_key("schema_version") && fields.get("result").is_some_and(Value::is_object);
    let mut stated = Problem::default();
    if is_result {
        stated.claim = fields.get("result").and_then(length_of_result);
        let is_helped = fields.contains_key("solutions");
        stated.stated = own_question(&fields)?;
        fields.retain(|name, _| !(is_own(name) || is_helped && HELP_FIELDS.contains(&&**name)));
        fields.shift_remove("stipulation");
    }
    if let Some(object) = fields.get("stipulation").filter(|value| value.is_object()) {
        stated.stated = stated.stated.and(of_object(object)?)?;
        fields.shift_remove("stipulation");
    }
    let (mut parts, mut singles) = (StatedParts::default(), Single::new());
    for (name, value) in fields {
        let node = Node::from(&value);
        let part = parts.take(&name, &node)?;
        // A table has columns of such names, which are the times and nodes of another search. A line of JSON asks.
        let limit = names::part(&name).filter(|limit| part.is_none() && LIMITS.contains(limit));
        if let Some(limit) = limit.filter(|_| !value.is_null()) {
            return Err(fields::wrong(&name, &node, form(limit)));
        }
        if let Some(part) = part.filter(|part| SINGLE.contains(part)) {
            if singles.iter().any(|(known, _)| *known == part) {
                return Err(fields::twice(&name));
            }
            singles.push((part, node));
        }
        // A result does not repeat the fields of the question: it names the question itself.
        if part.is_none_or(|part| GIVEN_BACK.contains(&part)) && !is_own(&name) {
            stated.given.fields.insert(name, value);
        }
    }
    stated.stated = stated.stated.and(parts.question()?)?;
    if let Some((game, puzzle)) = lichess {
        if let Some((_, by)) = &parts.position {
            return Err(format!("\"{by}\" and \"game\" state two positions; remove one").into());
        }
        return pasted::of_lichess(&game, &puzzle)?.also_stating(stated.stated);
    }
    let of_game = || Some((pasted::fen_of_game(parts.game.as_deref()?)?, "pgn"));
    let fen = parts.position.clone().or_else(of_game);
    let (fen, _) = fen.ok_or_else(|| no_problem("the field \"fen\" is missing"))?;
    let draft = Draft::new(&fen)?;
    (stated.id, stated.given.id_is_number) = match single(&singles, Part::Id) {
        None => (None, false),
        Some(Node::Text(text)) => (Some(text.clone()), false),
        Some(Node::Number(number)) => (Some(number.clone()), true),
        Some(other) => return Err(fields::wrong("id", other, "a text or a number")),
    };
    (stated.limits, stated.solution) = (parts.limits, parts.solution.clone());
    stated.stated = stated.stated.over(played::of_themes(&parts)?);
    let draft = played::play(draft, &mut stated, &parts, parts.themes.as_deref())?;
    if let Some(game) = &parts.game {
        stated.id = stated.id.or_else(|| pasted::name_of_game(game));
    }
    played::game(&draft, &mut stated, &parts)?;
    stated.operations.extend((!parts.keys.is_empty()).then(|| epd::Operation::plain("bm", parts.keys)));
    with_phases(draft, stated, &singles)
}

/// Reads what the other parts state: options, twins, and the numbers of solutions.
fn with_phases(draft: Draft, mut stated: Problem, parts: &Single) -> Result<Problem, ProblemError> {
    let options = options(parts)?;
    stated.warnings.extend(options.warnings());
    stated.exclusive.clone_from(&options.phase.exclusive);
    if options.phase.stops_at_short {
        stated.stated = stated.stated.stops_at_short(true, "StopOnShortSolutions")?;
    }
    if options.phase.set_play {
        stated.stated = stated.stated.set_play(true, "SetPlay")?;
    }
    if options.tries.is_some() {
        stated.warnings.push("the options Try and Defence of a JSON problem are not used; give --tries".to_owned());
    }
    let twins = single(parts, Part::Twins).map_or_else(|| Ok(Twins::default()), asked::twins)?;
    let is_helped = stated.stated.stipulation.is_some_and(|said| said.value.is_helped());
    // Another value may mean something else to another program.
    let intended = match single(parts, Part::Intended) {
        Some(Node::Number(text) | Node::Text(text)) => Intended::read(&Node::Text(text.clone()), is_helped)?,
        _ => Intended::default(),
    };
    if let Some(all) = intended.all {
        stated.stated = stated.stated.intended(all, "intended")?;
    }
    stated.given.fields.retain(|name, _| !(is_helped && HELP_FIELDS.contains(&&**name)));
    let mut problem = draft.stating(stated).finished()?;
    if options.phase.duplex || !twins.twins.is_empty() {
        problem.add_phases(&twins, options.phase.duplex)?;
        intended.count(&mut problem.phases);
    }
    Ok(problem)
}

/// Returns the question that a result answers.
fn own_question(fields: &Map<String, Value>) -> Result<Asked, ProblemError> {
    let of_result = fields.get("stipulation").filter(|value| value.is_object()).map(of_object).transpose()?;
    let intended = fields.get("intended").and_then(Value::as_u64).and_then(|n| u16::try_from(n).ok());
    let asked = of_result.unwrap_or_default();
    let asked = intended.filter(|n| *n > 0).map_or(Ok(asked), |n| asked.intended(n, "intended"))?;
    let has_set_play = fields.get("set_play").is_some_and(|lines| !lines.is_null());
    if has_set_play { asked.set_play(true, "set_play") } else { Ok(asked) }
}

fn no_problem(why: &str) -> ProblemError {
    ProblemError::Text(format!(
        "the line starts with {{ but is not a JSON problem ({}); expected {{\"fen\": \"…\", \"stipulation\": \"#3\", \
         \"id\": \"…\"}}",
        shortened(why)
    ))
}

/// Reads a stipulation in the form of a result: `{"text": "#5", "moves": 5, "attacker": "white"}`. What contradicts the
/// text is refused.
fn of_object(parts: &Value) -> Result<Asked, ProblemError> {
    let text = parts.get("text").unwrap_or(&Value::Null);
    let text = text.as_str().ok_or_else(|| fields::wrong("stipulation.text", &text.into(), STIPULATION))?;
    let read = Stipulation::parse_stated(text)?;
    let part = |name: &str| parts.get(name).filter(|value| !value.is_null());
    let (play, goal) = read.words();
    let counted = read.counted().map(|(moves, half)| f64::from(moves) + if half { 0.5 } else { 0.0 });
    if part("moves").is_some_and(|moves| moves.as_f64() != counted) {
        return Err(contradiction("moves", part("moves"), text));
    }
    for (name, word) in [("play", play), ("goal", goal)] {
        if part(name).is_some_and(|value| value != word) {
            return Err(contradiction(name, part(name), text));
        }
    }
    let by = part("from").and_then(Value::as_str).and_then(names::source).unwrap_or("stipulation");
    let asked = Asked::default().stipulation(read, by)?;
    match part("attacker").map(|side| (side.as_str(), side)) {
        None => Ok(asked),
        Some((Some(side @ ("white" | "black")), _)) => {
            asked.colors(Colors::Attacker(Color::from_white(side == "white")), "stipulation.attacker")
        }
        Some((_, side)) => Err(contradiction("attacker", Some(side), text)),
    }
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
fn options(parts: &Single) -> Result<OlvOptions, ProblemError> {
    let get = |name: &str| match name {
        "conditions" => single(parts, Part::Conditions),
        "options" => single(parts, Part::Options),
        _ => None,
    };
    let mut options = OlvOptions::read(get, OlvOptions::default())?;
    options.phase.duplex |= match single(parts, Part::Duplex) {
        None => false,
        Some(Node::Bool(is_duplex)) => *is_duplex,
        Some(other) => return Err(fields::wrong("duplex", other, "true or false")),
    };
    let about_position = [
        ("HalfDuplex", options.phase.black_mates, "name the other side to move in it"),
        ("PostKeyPlay", options.phase.post_key, "state the play after the key as #-N in stipulation"),
        ("NoCastling", !options.phase.no_castling.is_empty(), "leave the castling rights out of it"),
        ("EnPassant", options.phase.en_passant.is_some(), "name the square in its en passant field"),
    ];
    let refused = about_position.into_iter().find(|(_, is_set, _)| *is_set);
    refused.map_or(Ok(options), |(word, _, instead)| {
        Err(format!("the option \"{word}\" cannot be used beside a FEN; {instead}").into())
    })
}

/// Returns the length that the result of a problem states, negative if the side to move is mated; `None` if none.
fn length_of_result(result: &Value) -> Option<Stipulation> {
    let moves = result.get("mate_in")?.as_u64().and_then(|n| u16::try_from(n).ok()).map(MateLength);
    let is_mated = result.get("status").and_then(Value::as_str) == Some("mated");
    moves.map(|moves| if is_mated { Stipulation::mated(Some(moves)) } else { Stipulation::mate(Some(moves)) })
}

#[cfg(test)]
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
            (r#""twns":{"b":"Black"}"#, r#"the field "twns" is not understood; if it is meant to be twins"#),
            (r##""stipulation":{"text":"#3","play":"self"}"##, r#""stipulation.play" is "self" and contradicts"#),
            (r#""duplex":"yes""#, r#"the field "duplex" is a text; write it as true or false"#),
            (r#""id":["x"]"#, r#"the field "id" is a list; write it as a text or a number"#),
            (r##""stipulation":["#3"]"##, r##"the field "stipulation" is a list; write it as "#3""##),
            (r#""stipulation":{"moves":3}"#, r##"the field "stipulation.text" is null; write it as "#3""##),
            (r##""stipulation":{"text":"#3","moves":4}"##, r#""stipulation.moves" is 4 and contradicts"#),
            (
                r##""stipulation":{"text":"#3","attacker":"black"}"##,
                "stipulation.attacker says that Black strives for the goal, but",
            ),
            (r#""options":{"Duplex":true}"#, r#"the field "options" is an object; write it as ["SetPlay", "Duplex"]"#),
            (r#""options":"Circe""#, r#"the option "Circe" changes the rules"#),
            (r#""nodes":"many""#, r#"the field "nodes" is a text; write it as a whole number, such as 1000"#),
            (r#""nodes":1.5"#, r#"the field "nodes" is a number; write it as a whole number"#),
            (r#""Time":-5"#, r#"the field "Time" is a number; write it as a time, such as 10, "3s" or "500ms""#),
            (r#""time":"12:30""#, r#"the field "time" is a text; write it as a time"#),
            (r#""time_ms":[5]"#, r#"the field "time_ms" is a list; write it as a whole number"#),
            (r#""options":["HalfDuplex"]"#, r#"the option "HalfDuplex" cannot be used beside a FEN"#),
            (r#""conditions":["Madrasi"]"#, r#"the condition "Madrasi""#),
        ] {
            let message = with(field).unwrap_err();
            assert!(message.contains(expected), "{field}: {message}");
        }
        assert_eq!(with(r#""stipulation":3"#).unwrap().question.stipulation.to_string(), "#3");
        assert!(with(r#""nodes":null,"time":"2s","time_control":"many""#).is_ok());
        for (field, is_asked) in [(r#""stip":"h#2*""#, true), (r#""stip":"h#2""#, false)] {
            assert_eq!(with(field).unwrap().question.set_play, is_asked);
        }
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
