//! Reads the records of a puzzle database.
//!
//! A record is a row of the published table (`PuzzleId,FEN,Moves,…,Themes,…`, with or without its header, or another
//! table with columns of these names), a JSON object with these names, or an EPD line with the operations `id`,
//! `moves` and `themes`. The FEN is the position before the first of the `moves`, which the opponent plays. Instead,
//! `pv` gives the solution alone: the FEN is then the position in which the solver is to move. An object of lichess'
//! interface (`game`, `puzzle`) has the moves of the game in the place of the FEN.
//!
//! Another problem is a record if a solution stands beside it, such as a game that begins with a FEN, the moves below
//! one, a field `solution` with one line, or `moves` without themes, of which the side that mates is the solver.

use std::io::BufRead;

use serde_json::Value;
use shakmaty::Position as _;

use matesolve_terms::encoding::Decoded;

use crate::base::printable::shortened;
use crate::problem::csv::Header;
use crate::problem::epd::{self, Operand, Operation};
use crate::problem::input::{Reading, Text, texts};
use crate::problem::{Problem, once, pasted};

/// A record of a puzzle database as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Puzzle {
    pub id: Option<String>,
    pub fen: String,
    /// The moves in UCI notation, with spaces between them.
    pub moves: String,
    /// Whether the solver plays the first of the moves, not the opponent.
    pub starts_with_solver: bool,
    /// The themes, with spaces between them.
    pub themes: String,
}

/// A place of an input that should hold a puzzle.
#[derive(Debug, Clone)]
pub(crate) struct PuzzleRecord {
    /// The number of its input, from 0.
    pub file: usize,
    /// The number of its line, from 1.
    pub line: usize,
    /// Whether its text is not UTF-8 and was read as Latin-1.
    pub is_latin1: bool,
    /// The puzzle, or the name and the reason why it cannot be read.
    pub puzzle: Result<Puzzle, (Option<String>, String)>,
}

/// Returns the records of an input, which has the index `file` among several. `is_whole`: it is no pipe.
pub(crate) fn records<'a>(
    input: impl BufRead + Send + 'a,
    file: usize,
    is_whole: bool,
) -> impl Iterator<Item = PuzzleRecord> + Send + 'a {
    let (published, mut has_published) = (Header::published(), None);
    let reading = Reading { is_whole, ..Reading::default() };
    texts(input, reading).map(move |Text { line, text, header, entry }| {
        let (is_latin1, puzzle) = match (entry, text) {
            (Some(entry), _) => {
                let puzzle = entry.problem.as_ref().map_err(ToString::to_string).and_then(of_problem);
                (entry.is_latin1, puzzle.map_err(|why| (entry.id(), why)))
            }
            (None, Err(why)) => (false, Err((None, why))),
            (None, Ok(Decoded { text, is_latin1 })) => {
                // Without names of columns, the first line says whether they are those of the published table.
                let has_published = *has_published.get_or_insert_with(|| published.has_board(&text));
                let named = header.as_deref().filter(|header| !header.is_guessed);
                let header = named.or(has_published.then_some(&published));
                (is_latin1, read(&text, header).map_err(|why| (name(&text, header), why)))
            }
        };
        PuzzleRecord { file, line, is_latin1, puzzle }
    })
}

/// Reads a record in any of its forms.
fn read(text: &str, header: Option<&Header>) -> Result<Puzzle, String> {
    // An object has its own names, also where its second comma stands behind a board.
    let header = header.filter(|_| !text.starts_with('{'));
    let read = fields(text, header).and_then(|fields| read_fields(&fields));
    let is_known = |it: &Puzzle| it.starts_with_solver || !it.themes.is_empty();
    if header.is_some_and(Header::is_lichess) || read.as_ref().is_ok_and(is_known) {
        return read;
    }
    match header.map_or_else(|| Problem::read(text), |header| header.problem(text)) {
        Ok(problem) => {
            let is_faulty = || problem.faulty_solution.is_some() || problem.solution.is_some();
            if !problem.printed.is_empty() || read.is_err() && is_faulty() { of_problem(&problem) } else { read }
        }
        Err(_) => read,
    }
}

/// Returns the puzzle of a problem with a solution beside it.
fn of_problem(problem: &Problem) -> Result<Puzzle, String> {
    if let Some(why) = &problem.faulty_solution {
        return Err(why.clone());
    }
    let field = problem.solution.as_deref().filter(|_| problem.printed.is_empty());
    let field = field.map(|text| pasted::line(text, &problem.chess)).transpose();
    let field = field.map_err(|why| format!("the solution cannot be played as one line: {why}"))?;
    let printed = field.map_or_else(|| problem.printed.clone(), |(moves, _)| moves);
    if printed.is_empty() {
        return Err("no solution stands beside the position; add the published line".to_owned());
    }
    let mode = problem.chess.castles().mode();
    let moves = printed.iter().map(|m| m.to_uci(mode).to_string()).collect::<Vec<_>>().join(" ");
    let (id, fen) = (problem.id.clone(), problem.fen.clone());
    Ok(Puzzle { id, fen, moves, starts_with_solver: true, themes: String::new() })
}

/// Returns the fields of a record in any form: of a row those that a puzzle needs, of EPD the position as `fen`.
fn fields(text: &str, header: Option<&Header>) -> Result<Vec<(String, Value)>, String> {
    if let Some(header) = header {
        let cells = header.puzzle(text).map_err(|error| error.to_string())?;
        let named = ["id", "fen", "moves", "themes"].into_iter().zip(cells);
        return Ok(named.filter_map(|(name, cell)| Some((name.to_owned(), cell?.into()))).collect());
    }
    if text.starts_with('{') {
        let object = once::object(text).map_err(|error| {
            let why = shortened(&error.to_string());
            format!("the line starts with {{ but is not a JSON object ({why}); correct it")
        });
        return object.map(|fields| fields.into_iter().collect());
    }
    let (fen, rest) = epd::split(text);
    let operations = epd::read(rest).map_err(|error| error.to_string())?;
    let field = |Operation { code, operands }: Operation| {
        let words: Vec<String> = operands.iter().map(Operand::meaning).collect();
        // Some collections write `PV:`, as engines print it.
        (code.trim_end_matches(':').to_owned(), words.join(" ").into())
    };
    Ok(std::iter::once(("fen".to_owned(), fen.into())).chain(operations.into_iter().map(field)).collect())
}

/// The names of the field that names a record.
const ID: [&str; 2] = ["puzzleid", "id"];

/// Returns the name in a record that cannot be read.
fn name(text: &str, header: Option<&Header>) -> Option<String> {
    let header = header.filter(|_| !text.starts_with('{'));
    if let Some(header) = header {
        return header.id(text);
    }
    let fields = fields(text, None).ok()?;
    let of_lichess = || Some(value(&fields, "puzzle")?.get("id")?.as_str()?.to_owned());
    field(&fields, &ID).ok()?.or_else(of_lichess)
}

/// Reads a record by the names of its fields.
fn read_fields(fields: &[(String, Value)]) -> Result<Puzzle, String> {
    if let (Some(game), Some(puzzle)) = (value(fields, "game"), value(fields, "puzzle")) {
        return read_lichess(game, puzzle);
    }
    let fen = field(fields, &["fen"])?.ok_or("there is no text in the field `fen`; add the position")?;
    let (moves, starts_with_solver) = match (field(fields, &["moves"])?, field(fields, &["pv"])?) {
        (Some(_), Some(_)) => return Err("`moves` and `pv` are both given; keep the one that is meant".to_owned()),
        (Some(moves), None) => (moves, false),
        (None, Some(pv)) => (pv, true),
        (None, None) => return Err("there is no text in `moves` or `pv`; add the published line".to_owned()),
    };
    let (id, themes) = (field(fields, &ID)?, field(fields, &["themes"])?.unwrap_or_default());
    Ok(Puzzle { id, fen, moves, starts_with_solver, themes })
}

fn value<'a>(fields: &'a [(String, Value)], name: &str) -> Option<&'a Value> {
    fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// Reads the object with which lichess answers a question about a puzzle.
fn read_lichess(game: &Value, puzzle: &Value) -> Result<Puzzle, String> {
    let words = |name: &str| {
        let items = puzzle.get(name).and_then(Value::as_array).into_iter().flatten();
        items.map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>().unwrap_or_default().join(" ")
    };
    let moves = words("solution");
    if moves.is_empty() {
        return Err("the field \"puzzle.solution\" is missing or no list of moves; add it".to_owned());
    }
    let Problem { id, fen, .. } = pasted::of_lichess(game, puzzle).map_err(|error| error.to_string())?;
    Ok(Puzzle { id, fen, moves, starts_with_solver: true, themes: words("themes") })
}

/// Returns the text of the field with one of these names, in whatever letters; a list of texts is joined by spaces.
fn field(fields: &[(String, Value)], names: &[&str]) -> Result<Option<String>, String> {
    let mut found = fields.iter().filter(|(name, _)| names.contains(&name.to_lowercase().as_str()));
    let Some((name, value)) = found.next() else { return Ok(None) };
    if let Some((other, _)) = found.next() {
        return Err(format!("the fields \"{name}\" and \"{other}\" say the same; keep one of them"));
    }
    let list = |items: &[Value]| items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
    match value {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.clone())),
        Value::Number(number) if names.contains(&"id") => Some(Some(number.to_string())),
        Value::Array(items) if !names.contains(&"fen") => list(items).map(|texts| Some(texts.join(" "))),
        _ => None,
    }
    .ok_or_else(|| format!("the field \"{name}\" is not a text; write it in quotes"))
}
