//! Reads tables of problems with commas, semicolons or tabs between the columns, as puzzle databases publish them:
//! `PuzzleId,FEN,Moves,…`.
//!
//! A column `FEN` is needed. If the first line does not name the columns, its FEN shows which column that is; a column
//! with `#3` is the stipulation, the first other one the name, and the rest becomes comments. Moves and numbers whose
//! meaning only a header could tell are refused.
//!
//! If there is a column `Moves` (moves in UCI notation), the FEN is the position before the
//! first of them, as in the database of lichess, and the problem is the position after it. The name comes from
//! `PuzzleId`, `id` or `name`; the stipulation from `stipulation`, or from a theme `mateIn3` in the column `Themes`.
//! (`mateIn5` there means five moves or more, and states no length.) If a theme says that the puzzle is a mate, the
//! second of the `Moves` is the first move of its solution, and becomes `bm`. A field in quotes may contain line
//! breaks.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{EnPassantMode, Position as _};

use super::epd::{self, Operation};
use super::moves::in_line;
use super::{Asked, Draft, Problem, ProblemError};
use crate::base::printable::excerpt;
use crate::chess::Stipulation;

/// The columns of a table that are used.
#[derive(Debug, Clone)]
pub struct Header {
    separator: char,
    /// Whether the first line does not name the columns.
    is_guessed: bool,
    fen: usize,
    moves: Option<usize>,
    id: Option<usize>,
    stipulation: Option<usize>,
    themes: Option<usize>,
}

impl Header {
    /// The columns of the published puzzle database of lichess.
    pub const PUBLISHED: Header = Header {
        separator: ',',
        is_guessed: false,
        fen: 1,
        moves: Some(2),
        id: Some(0),
        stipulation: None,
        themes: Some(7),
    };

    /// Reads the first line of a file; `None` if it is no header of a table with a column `FEN`.
    pub fn read(line: &str) -> Option<Header> {
        [',', ';', '\t'].into_iter().find_map(|separator| {
            let names = record(line, separator)?;
            let column =
                |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.trim().to_lowercase().as_str()));
            (names.len() > 1).then_some(())?;
            Some(Header {
                separator,
                is_guessed: false,
                fen: column(&["fen"])?,
                moves: column(&["moves"]),
                id: column(&["puzzleid", "id", "name"]),
                stipulation: column(&["stipulation"]),
                themes: column(&["themes"]),
            })
        })
    }

    /// Guesses the columns from the first row of a table without a header; `None` if the line is no such row. EPD
    /// operations are no columns.
    pub(super) fn of_row(line: &str) -> Option<Header> {
        ['\t', ';', ','].into_iter().find_map(|separator| {
            let fields = record(line, separator)?;
            let mut fens = (0..fields.len()).filter(|&at| is_whole_fen(&fields[at]));
            let fen = fens.next()?;
            let is_operation = |field: &String| epd::read(&format!("{field};")).is_ok_and(|read| epd::has_known(&read));
            let others = || (0..fields.len()).filter(|&at| at != fen && !fields[at].trim().is_empty());
            if fens.next().is_some() || others().next().is_none() || fields.iter().any(is_operation) {
                return None;
            }
            let stipulation = others().find(|&at| {
                let text = fields[at].trim();
                text.contains(['#', '=', '~']) && Stipulation::parse_stated(text).is_ok()
            });
            let id = others().find(|&at| Some(at) != stipulation && is_name(&fields[at], at < fen));
            Some(Header { separator, is_guessed: true, fen, moves: None, id, stipulation, themes: None })
        })
    }

    /// Returns whether a field in quotes is not closed yet at the end of this part of a table.
    pub(super) fn is_open(&self, part: &[u8]) -> bool {
        is_open(part, self.separator as u8)
    }

    /// Returns the name in a line of the table.
    pub fn id(&self, line: &str) -> Option<String> {
        field(&record(line, self.separator)?, self.id).map(str::to_owned)
    }

    /// Returns whether a line of the table has a board where the FEN should be.
    pub fn has_board(&self, line: &str) -> bool {
        line.split(self.separator).nth(self.fen).is_some_and(|field| field.matches('/').count() == 7)
    }

    /// Returns name, FEN, moves and themes in a line of the table, those that are there.
    pub fn puzzle(&self, line: &str) -> [Option<String>; 4] {
        let fields = record(line, self.separator).unwrap_or_default();
        [self.id, Some(self.fen), self.moves, self.themes].map(|column| field(&fields, column).map(str::to_owned))
    }

    /// Reads a line of the table.
    pub(super) fn problem(&self, line: &str) -> Result<Problem, ProblemError> {
        let fields = record(line, self.separator).unwrap_or_default();
        let field = |column| field(&fields, column);
        let missing = "the line has no FEN in the column of that name; complete it";
        let mut draft = Draft::new(field(Some(self.fen)).ok_or(missing)?)?;
        let mut stated = Problem::default();
        if self.moves.is_some() && field(self.moves).is_none() {
            let why =
                "the line has no move in the column Moves, and the puzzle begins after its first one; complete it";
            return Err(why.into());
        }
        if let Some(moves) = field(self.moves) {
            draft = draft.with_named_side()?;
            play_first(&mut draft, &mut stated, moves, field(self.themes).is_some_and(is_mate))?;
        }
        if self.is_guessed {
            self.keep_others(&mut stated, &fields)?;
        }
        stated.id = field(self.id).map(str::to_owned);
        stated.stated = match (field(self.stipulation), field(self.themes)) {
            // Before `=3` an apostrophe stands, so that no spreadsheet takes it for a formula.
            (Some(text), _) => {
                let text = text.strip_prefix('\'').unwrap_or(text);
                stated.stated.stipulation(Stipulation::parse_stated(text)?, "stipulation")?
            }
            (None, Some(themes)) => stipulation_of(themes)?,
            (None, None) => stated.stated,
        };
        draft.stating(stated).finished()
    }

    /// Keeps the columns of a table without a header that are neither FEN, name nor stipulation as comments.
    fn keep_others(&self, stated: &mut Problem, fields: &[String]) -> Result<(), ProblemError> {
        let mut comments = 0..10;
        for (at, text) in fields.iter().enumerate().map(|(at, text)| (at, text.trim())) {
            if at == self.fen || Some(at) == self.stipulation || text.is_empty() {
                continue;
            }
            if !is_name(text, at < self.fen) {
                return Err(ProblemError::Text(format!(
                    "column {}, \"{}\", may belong to the question; name the columns in the first line (FEN, id, \
                     stipulation, Moves)",
                    at + 1,
                    excerpt(text)
                )));
            }
            if Some(at) != self.id
                && let Some(number) = comments.next()
            {
                stated.operations.push(Operation::string(&format!("c{number}"), text));
            }
        }
        Ok(())
    }
}

/// Returns the text in a column, if there is one.
fn field(fields: &[String], column: Option<usize>) -> Option<&str> {
    Some(fields.get(column?)?.trim()).filter(|text| !text.is_empty())
}

/// Returns whether a field is a FEN with at least four fields.
fn is_whole_fen(field: &str) -> bool {
    let words: Vec<&str> = field.split_whitespace().collect();
    let is_board =
        |word: &str| word.matches('/').count() == 7 && word.chars().all(|c| c == '/' || c.is_ascii_alphanumeric());
    let is_counter = |word: &str| word.parse::<u32>().is_ok();
    match words[..] {
        [board, "w" | "b", _, _] => is_board(board),
        [board, "w" | "b", _, _, half, full] => is_board(board) && is_counter(half) && is_counter(full),
        _ => false,
    }
}

/// Returns whether a field without a header can only be a name or a comment. A number before the FEN counts the lines.
fn is_name(field: &str, is_before: bool) -> bool {
    let field = field.trim();
    let is_move = |word: &str| word.parse::<UciMove>().is_ok() || word.parse::<SanPlus>().is_ok();
    let is_number = field.trim_start_matches(['-', '+']).chars().all(|c| c.is_ascii_digit() || c == '.');
    let has_goal = field.contains('#');
    !(has_goal || is_number && !is_before || field.split_whitespace().any(is_move))
}

/// Returns whether the themes of a puzzle say that its solution is a mate.
fn is_mate(themes: &str) -> bool {
    themes.split_whitespace().any(|theme| theme == "mate" || theme.starts_with("mateIn"))
}

/// Plays the first of some moves in UCI notation, and checks the others, which are the solution. Of a mate, the second
/// becomes the operation `bm`.
fn play_first(draft: &mut Draft, stated: &mut Problem, moves: &str, is_mate: bool) -> Result<(), ProblemError> {
    let mut chess = draft.problem.chess.clone();
    for (index, word) in moves.split_whitespace().enumerate() {
        let (read, text) = (in_line(&chess, (index, word)), excerpt(word));
        match (index, &read) {
            (0, Err(_)) => {
                return Err(format!("the first move, \"{text}\", is not legal in the position of the line").into());
            }
            (1, &Ok(m)) if is_mate => {
                let san = SanPlus::from_move(chess.clone(), m).to_string();
                stated.operations.push(Operation::plain("bm", [san]));
            }
            (1, Err(_)) if is_mate => stated.warnings.push(format!(
                "the second move, \"{text}\", is not legal after the first one; it is not taken as the solution"
            )),
            _ => {}
        }
        match read {
            Ok(m) => chess.play_unchecked(m),
            Err(why) => {
                stated.faulty_solution = Some(why);
                break;
            }
        }
        if index == 0 {
            draft.problem.chess = chess.clone();
            draft.problem.fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
        }
    }
    Ok(())
}

/// Returns the stipulation that the themes of a puzzle state.
fn stipulation_of(themes: &str) -> Result<Asked, ProblemError> {
    let exact = themes.split_whitespace().filter_map(|theme| theme.strip_prefix("mateIn")).find(|n| *n != "5");
    let exact = exact.map(Stipulation::parse).transpose()?;
    exact.map_or(Ok(Asked::default()), |exact| Asked::default().stipulation(exact, "themes"))
}

/// Returns whether a field in quotes is not closed yet at the end of this part of a table.
fn is_open(part: &[u8], separator: u8) -> bool {
    let (mut at_start, mut quoted) = (true, false);
    for &byte in part {
        // In a quoted field, a doubled quote closes the field and opens it again.
        quoted = match byte {
            b'"' if quoted => false,
            b'"' => at_start,
            _ => quoted,
        };
        at_start = !quoted && (byte == separator || matches!(byte, b'"' | b'\n'));
    }
    quoted
}

/// Splits a line into its fields. A field in quotes may contain separators.
fn record(line: &str, separator: char) -> Option<Vec<String>> {
    // Without quotes nothing has to be parsed.
    if !line.is_empty() && !line.contains(['"', '\n', '\r']) {
        return Some(line.split(separator).map(str::to_owned).collect());
    }
    let mut builder = csv::ReaderBuilder::new();
    let builder = builder.has_headers(false).flexible(true).delimiter(separator as u8);
    let mut reader = builder.from_reader(line.as_bytes());
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LICHESS: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

    #[test]
    fn the_problem_of_a_puzzle_is_the_position_after_its_first_move() {
        let header = Header::read(LICHESS).unwrap();
        let row = "000hf,r1bqk2r/pp1nbNp1/2p1p2p/8/2BP4/1PN3P1/P3QP1P/3R1RK1 b kq - 0 19,e8f7 e2e6 f7f8 e6f7,1575,76,88,\
                   672,mate mateIn2 middlegame short,https://lichess.org/71ygsFeE/black#38,Horwitz_Defense";
        let problem = header.problem(row).unwrap();
        assert_eq!(problem.fen, "r1bq3r/pp1nbkp1/2p1p2p/8/2BP4/1PN3P1/P3QP1P/3R1RK1 w - - 0 20");
        assert_eq!((problem.id.as_deref(), problem.question.stipulation.to_string().as_str()), (Some("000hf"), "#2"));
        let solution = |problem: &Problem| problem.operations.iter().map(ToString::to_string).collect::<String>();
        assert_eq!(solution(&problem), "bm Qxe6+;");
        let endgame = header.problem(&row.replace("mate mateIn2", "crushing")).unwrap();
        assert_eq!((solution(&endgame), endgame.warnings.len()), (String::new(), 0));
        let wrong = header.problem(&row.replace("e2e6", "e2e9")).unwrap();
        assert!(solution(&wrong).is_empty() && wrong.warnings[0].contains("the second move, \"e2e9\", is not legal"));
        assert_eq!((&problem.faulty_solution, &endgame.faulty_solution), (&None, &None));
        let why = "move 2, \"e2e9\", is not a move in UCI notation; write it like e2e4 or e7e8q";
        assert_eq!(wrong.faulty_solution.as_deref(), Some(why));
        let long = header.problem(&row.replace("mateIn2", "mateIn5")).unwrap();
        assert_eq!(long.question.stipulation, Stipulation::default());
        let illegal = header.problem(&row.replace("e8f7 e2e6", "e8e3")).unwrap_err().to_string();
        assert!(illegal.contains("the first move, \"e8e3\", is not legal"), "{illegal}");
        assert!(header.problem("x,,").unwrap_err().to_string().contains("no FEN in the column"));
    }

    #[test]
    fn a_table_needs_no_header_where_its_columns_are_clear() {
        let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";
        let read = |row: String| {
            let problem = Header::of_row(&row).unwrap().problem(&row).unwrap();
            let rest: String = problem.operations.iter().map(ToString::to_string).collect();
            (problem.id.unwrap_or_default(), problem.question.stipulation.to_string(), rest)
        };
        let is = |id: &str, stipulation: &str, rest: &str| (id.to_owned(), stipulation.to_owned(), rest.to_owned());
        assert_eq!(read(format!("{fen};Prinz")), is("Prinz", "#", ""));
        assert_eq!(read(format!("{fen}\tPrinz 1951\t#2\tfirst")), is("Prinz 1951", "#2", "c0 \"first\";"));
        assert_eq!(read(format!("7,{fen},\"Prinz, 1951\",#2")), is("7", "#2", "c0 \"Prinz, 1951\";"));
        for other in ["bm #2;", " dm 2; id \"x\";", "", " 00:01;"] {
            assert!(Header::of_row(&format!("{fen};{other}")).is_none() || other == " 00:01;", "{other}");
        }
        for unclear in ["3", "h1h6 g8f7", "Rh6", "pser-#2", "-2"] {
            let row = format!("{fen};Prinz;{unclear}");
            let message = Header::of_row(&row).unwrap().problem(&row).unwrap_err().to_string();
            assert!(message.contains("name the columns in the first line"), "{unclear}: {message}");
        }
        let header = Header::read("FEN;Name").unwrap();
        assert_eq!(header.problem(&format!("{fen};Prinz")).unwrap().id.as_deref(), Some("Prinz"));
    }

    #[test]
    fn a_quote_opens_a_field_only_at_its_start() {
        for (part, expected) in [
            ("a,\"b", true),
            ("\"a\nb", true),
            ("\"a\"\"", true),
            ("\"a\"\"\"", false),
            ("a\"b", false),
            ("a,\"b\",c", false),
            ("", false),
        ] {
            assert_eq!(is_open(part.as_bytes(), b','), expected, "{part}");
        }
    }

    #[test]
    fn columns_are_found_by_their_names_and_fields_may_be_quoted() {
        let header = Header::read("\"Name\",stipulation,fen").unwrap();
        let problem = header.problem("\"Prinz, 1951\",#2,5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap();
        assert_eq!((problem.id.as_deref(), problem.question.stipulation.to_string().as_str()), (Some("Prinz, 1951"), "#2"));
        for line in ["5Kbk/6pp/6P1/8/8/8/8/7R w - -", "fen", "a,b", ""] {
            assert!(Header::read(line).is_none(), "{line}");
        }
    }
}
