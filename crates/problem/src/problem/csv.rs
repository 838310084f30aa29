//! Reads tables of problems with commas, semicolons, tabs or bars between the columns, as puzzle databases publish
//! them: `PuzzleId,FEN,Moves,…`. Rows of Markdown have a bar at both ends, too, and the line below the names is no row.
//!
//! A column for the position is needed, such as `FEN`. If the first line does not name the columns, its FEN shows which
//! column that is; a column with `#3` is the stipulation, and the first other one that can be a name is the name. The
//! rest becomes comments. What only a header could tell is refused there: moves, numbers behind the FEN, and words such
//! as `mate in three` and `Circe`.
//!
//! Cells behind the last named column are refused. A line with all columns is a row whatever its first letter; one that
//! begins with `#` or `%` and has fewer is a comment, unless a board stands in the column of the position.
//!
//! `played` says which position is the problem if there is a column `Moves`: in the database of lichess the one after
//! the first move. The other columns state what [`names`] says; a theme `mateIn3` in the column `Themes` states the
//! stipulation, if no column does. (`mateIn5` there means five moves or more, and states no length.) A field in quotes
//! may contain line breaks.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;

use super::epd::{self, Operation};
use super::fields::Node;
use super::names::{self, Meaning, Part, meaning};
use super::parts::StatedParts;
use super::{Draft, Problem, ProblemError, played};
use crate::base::printable::excerpt;
use crate::chess::{MateLength, Stipulation};

/// The columns of a table.
#[derive(Debug, Clone)]
pub struct Header {
    separator: char,
    /// Whether the first line does not name the columns.
    pub is_guessed: bool,
    /// The names of all columns. Those of a guessed header are empty but for what was recognised.
    names: Vec<String>,
    fen: usize,
    moves: Option<usize>,
    id: Option<usize>,
    themes: Option<usize>,
}

impl Header {
    /// Returns the columns of the published puzzle database of lichess.
    pub fn published() -> Header {
        const COLUMNS: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";
        Header::of(',', COLUMNS.split(',').map(str::to_owned).collect(), 1)
    }

    fn of(separator: char, names: Vec<String>, fen: usize) -> Header {
        let column = |part: Part| names.iter().position(|name| part_of(name) == Some(part));
        let (moves, id, themes) = (column(Part::Moves), column(Part::Id), column(Part::Themes));
        Header { separator, is_guessed: false, fen, moves, id, themes, names }
    }

    /// Reads the first line of a file; `None` if it is no header of a table with a column for the position.
    pub fn read(line: &str) -> Option<Header> {
        SEPARATORS.into_iter().find_map(|separator| {
            let names = record(line, separator)?;
            let columns = || (0..names.len()).filter(|&at| part_of(&names[at]) == Some(Part::Position));
            let exact = columns().find(|&at| names[at].trim().eq_ignore_ascii_case("fen"));
            let fen = exact.or_else(|| columns().next())?;
            // A sign alone is the name of a column with numbers; else it begins a comment.
            let is_comment = is_marked(&names[0]) && names[0].trim().len() > 1;
            (names.len() > 1 && !is_comment).then(|| Header::of(separator, names, fen))
        })
    }

    /// Returns whether a line is the name of the only column of a table, which is that of the position.
    pub(super) fn is_only_column(line: &str) -> bool {
        let name = line.trim().trim_matches(['"', '|', ' ']);
        names::part(name) == Some(Part::Position)
    }

    /// Returns the columns that a line names if none of them is that of a position; `None` if it names no columns.
    pub(super) fn without_position(line: &str) -> Option<Vec<String>> {
        let is_name = |name: &String| {
            let is_long = name.split_whitespace().count() > 3 || name.contains(['/', '.']);
            !is_long && !name.trim().is_empty() && !name.contains(|c: char| c.is_ascii_digit())
        };
        let is_known = |name: &&String| meaning(name) != Meaning::Remark || names::is_remark(name);
        // In a sentence, a blank follows a comma.
        let is_plain = !line.contains(", ") && !line.contains("; ");
        SEPARATORS.into_iter().filter_map(|separator| record(line, separator)).find(|names| {
            let known = names.iter().filter(is_known).count();
            let has_part = names.iter().any(|name| names::part(name).is_some());
            names.len() > 1
                && names.iter().all(is_name)
                && (known == names.len() || has_part && (known > 1 || is_plain))
                && Header::read(line).is_none()
        })
    }

    /// Guesses the columns from the first row of a table without a header; `None` if the line is no such row. EPD
    /// operations are no columns.
    pub(super) fn of_row(line: &str) -> Option<Header> {
        ['\t', ';', ',', '|'].into_iter().find_map(|separator| {
            let fields = record(line, separator)?;
            let mut fens = (0..fields.len()).filter(|&at| is_whole_fen(&fields[at]));
            let fen = fens.next()?;
            let others = || (0..fields.len()).filter(|&at| at != fen && !fields[at].trim().is_empty());
            if fens.next().is_some() || others().next().is_none() || fields.iter().any(|field| epd::has_known(field)) {
                return None;
            }
            let stipulation = others().find(|&at| {
                let text = fields[at].trim();
                text.contains(['#', '=', '~']) && Stipulation::parse_stated(text).is_ok()
            });
            let id = others().find(|&at| Some(at) != stipulation && is_name(&fields[at], at < fen));
            let mut names = vec![String::new(); fields.len()];
            "fen".clone_into(&mut names[fen]);
            if let Some(at) = stipulation {
                "stipulation".clone_into(&mut names[at]);
            }
            Some(Header { separator, is_guessed: true, names, fen, moves: None, id, themes: None })
        })
    }

    /// Returns whether a field in quotes goes on behind a line, of which it is known whether one goes on at its start;
    /// `None` if the quote that closes a field of several lines must have opened another one, because text follows it.
    pub(super) fn is_open(&self, line: &[u8], is_open: bool) -> Option<bool> {
        let ends = [self.separator as u8];
        let (mut is_open, mut has_break, mut before, mut may_open) = (is_open, is_open, &b""[..], true);
        for (index, part) in line.split(|&byte| byte == b'"').enumerate() {
            if index > 0 {
                if is_open && has_break && !part.is_empty() && !part.starts_with(&ends) {
                    return None;
                }
                // In a quoted field, a doubled quote closes the field and opens it again.
                let opens = !is_open && (before.ends_with(&ends) || before.is_empty() && may_open);
                (is_open, may_open) = (opens, is_open);
                has_break &= is_open || part.is_empty();
            }
            before = part;
        }
        Some(is_open)
    }

    /// Returns whether a line that begins like a comment is one: it has neither all columns nor a board in that of the
    /// FEN.
    pub(super) fn is_comment(&self, line: &str) -> bool {
        record(line, self.separator).is_none_or(|fields| fields.len() < self.names.len()) && !self.has_board(line)
    }

    /// Returns whether a line is the rule of Markdown between the names of the columns and the rows.
    pub(super) fn is_rule(&self, line: &str) -> bool {
        self.separator == '|' && line.contains('-') && line.chars().all(|c| "|-:+ \t".contains(c))
    }

    /// Returns the name in a line of the table.
    pub fn id(&self, line: &str) -> Option<String> {
        field(&record(line, self.separator)?, self.id).map(str::to_owned)
    }

    /// Returns whether a line of the table has a board where the FEN should be.
    pub fn has_board(&self, line: &str) -> bool {
        inside(line, self.separator)
            .split(self.separator)
            .nth(self.fen)
            .is_some_and(|field| field.matches('/').count() == 7)
    }

    /// Returns name, FEN, moves and themes in a line of the table, those that are there.
    ///
    /// # Errors
    /// A sentence about a part of the line that is not read and may belong to the question.
    pub fn puzzle(&self, line: &str) -> Result<[Option<String>; 4], ProblemError> {
        let fields = self.fields(line)?;
        self.parts(&fields)?;
        Ok([self.id, Some(self.fen), self.moves, self.themes].map(|column| field(&fields, column).map(str::to_owned)))
    }

    /// Splits a line of the table into its fields.
    fn fields(&self, line: &str) -> Result<Vec<String>, ProblemError> {
        let (fields, columns) = (record(line, self.separator).unwrap_or_default(), self.names.len());
        let beyond = fields.iter().skip(columns).find(|field| !(self.is_guessed || field.trim().is_empty()));
        beyond.map_or(Ok(()), |text| {
            let (text, count) = (excerpt(text.trim()), fields.len());
            let why =
                format!("belongs to no column, because the first line names {columns}; write a text with separators");
            Err(format!("the row has {count} fields, of which \"{text}\" {why} in quotes"))
        })?;
        Ok(fields)
    }

    /// Returns whether the columns are those of the database of lichess, in which the opponent plays the first move.
    pub fn is_lichess(&self) -> bool {
        self.themes.is_some() || self.is_named("puzzleid")
    }

    /// Reads a line of the table.
    ///
    /// # Errors
    /// The line is no problem, or a part of it is not understood.
    pub fn problem(&self, line: &str) -> Result<Problem, ProblemError> {
        let fields = self.fields(line)?;
        let field = |column| field(&fields, column);
        let missing = "the line has no FEN in the column of that name; complete it";
        let cell = field(Some(self.fen)).ok_or(missing)?;
        let draft = Draft::new(cell.trim_matches(['`', '"', '\'']))?;
        let parts = self.parts(&fields)?;
        let asked = parts.question()?.over(played::of_themes(&parts)?);
        let (claim, solution) = (self.claim(&fields), parts.solution.clone());
        let mut stated = Problem { stated: asked, claim, solution, ..Problem::default() };
        if self.moves.is_some() && field(self.moves).is_none() {
            let why =
                "the line has no move in the column Moves, and the puzzle begins after its first one; complete it";
            return Err(why.into());
        }
        played::game(&draft, &mut stated, &parts)?;
        let themes = self.is_lichess().then(|| parts.themes.as_deref().unwrap_or_default());
        let draft = played::play(draft, &mut stated, &parts, themes)?;
        if self.is_guessed {
            self.keep_others(&mut stated, &fields)?;
        }
        stated.operations.extend((!parts.keys.is_empty()).then(|| Operation::plain("bm", parts.keys)));
        stated.id = field(self.id).map(str::to_owned);
        draft.stating(stated).finished()
    }

    /// Returns what the cells of a row state.
    fn parts(&self, fields: &[String]) -> Result<StatedParts, ProblemError> {
        let mut parts = StatedParts::default();
        for (name, cell) in self.names.iter().zip(fields).filter(|(_, cell)| !cell.trim().is_empty()) {
            let is_cost = || matches!(part_of(name), Some(Part::Mate | Part::Nodes | Part::Milliseconds));
            if self.is_result() && is_cost() {
                continue;
            }
            match parts.take(name, &Node::Text(cell.trim().to_owned()))? {
                Some(Part::Twins | Part::Duplex | Part::Options | Part::Conditions) => {
                    return Err(ProblemError::OtherRules(format!(
                        "the column \"{}\" is \"{}\", and tables cannot state this part of a problem; write it as JSON",
                        excerpt(name),
                        excerpt(cell)
                    )));
                }
                Some(Part::Intended) => {
                    let number = cell.trim().parse::<u16>().ok().filter(|n| *n > 0);
                    let why = || format!("the column \"{}\" is no number from 1; correct it", excerpt(name));
                    parts.asked = parts.asked.intended(number.ok_or_else(why)?, "intended")?;
                }
                _ => {}
            }
        }
        Ok(parts)
    }

    /// Returns whether these are the columns of our own results, whose costs are no limits.
    fn is_result(&self) -> bool {
        ["status", "mate_in", "proved_shortest", "refuted_through"].iter().all(|name| self.is_named(name))
    }

    fn is_named(&self, wanted: &str) -> bool {
        self.names.iter().any(|name| name.trim().eq_ignore_ascii_case(wanted))
    }

    /// Returns the length that a result states, which is a claim and no part of the question.
    fn claim(&self, fields: &[String]) -> Option<Stipulation> {
        let cell = |wanted: &str| {
            let at = self.names.iter().position(|name| name.trim() == wanted).filter(|_| self.is_result())?;
            field(fields, Some(at))
        };
        let moves = Some(MateLength(cell("mate_in")?.parse().ok()?));
        Some(if cell("status") == Some("mated") { Stipulation::mated(moves) } else { Stipulation::mate(moves) })
    }

    /// Keeps the columns of a table without a header that are neither FEN, name nor stipulation as comments.
    fn keep_others(&self, stated: &mut Problem, fields: &[String]) -> Result<(), ProblemError> {
        let mut comments = 0..10;
        for (at, text) in fields.iter().enumerate().map(|(at, text)| (at, text.trim())) {
            if self.names.get(at).is_some_and(|name| !name.is_empty()) || text.is_empty() {
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

/// Returns whether a line begins like a comment.
pub(super) fn is_marked(line: &str) -> bool {
    line.trim_start().starts_with(['#', '%'])
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
    let has_length = field.split('=').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let has_goal = field.contains(['#', '~']) || has_length || !is_number && Stipulation::parse_stated(field).is_ok();
    let lower = field.to_lowercase();
    let has_word = names::is_of_rules(&lower)
        || OF_QUESTION.split('|').any(|part| lower.contains(part))
        || field.split_whitespace().any(is_move);
    !(has_goal || epd::has_known(field) || has_word || is_number && !is_before)
}

/// Parts of words that belong to a question.
const OF_QUESTION: &str = "mate|matt in|mat en|matto|move|play|twin|duplex|solution|begin|condition|option";

/// Returns the part that a column states, whatever its cells are.
fn part_of(name: &str) -> Option<Part> {
    match meaning(name.trim()) {
        Meaning::Part(part, _)
        | Meaning::PartIfRead(part @ (Part::Position | Part::Id | Part::Nodes | Part::Milliseconds), _) => Some(part),
        _ => None,
    }
}

/// The signs between the columns, in the order in which they are tried.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// Returns a line without the bars at both ends, which rows of Markdown have.
fn inside(line: &str, separator: char) -> &str {
    let inside = if separator == '|' { line.trim().strip_prefix('|') } else { None };
    inside.map_or(line, |inside| inside.strip_suffix('|').unwrap_or(inside))
}

/// Splits a line into its fields. A field in quotes may contain separators.
fn record(line: &str, separator: char) -> Option<Vec<String>> {
    let line = inside(line, separator);
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
        let endgame = row.replace("mate mateIn2", "crushing").replace(" e6f7", "");
        let endgame = header.problem(&endgame).unwrap();
        assert_eq!((solution(&endgame), endgame.warnings.len()), (String::new(), 0));
        let wrong = header.problem(&row.replace("e2e6", "e2e9")).unwrap();
        assert!(solution(&wrong).is_empty() && wrong.warnings[0].contains("the second move, \"e2e9\", is not legal"));
        assert_eq!((&problem.faulty_solution, &endgame.faulty_solution), (&None, &None));
        let why = "move 2, \"e2e9\", is not a move in UCI notation; write it like e2e4 or e7e8q";
        assert_eq!(wrong.faulty_solution.as_deref(), Some(why));
        let long = header.problem(&row.replace("mateIn2", "mateIn5")).unwrap();
        assert_eq!((long.question.stipulation.to_string().as_str(), long.stated_by), ("#2", Some("moves")));
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
        let comma = Header::read("fen,x").unwrap();
        for (row, expected) in [
            ("a,\"b", Some(true)),
            ("\"a\nb", Some(true)),
            ("\"a\"\"", Some(true)),
            ("\"a\"\"\"", Some(false)),
            ("a\"b", Some(false)),
            ("a,\"b\",c", Some(false)),
            ("", Some(false)),
            ("\"a\nb\",c", Some(false)),
            ("\"a\nb\"\"c\"", Some(false)),
            ("\"a\"b", Some(false)),
            ("a,b\"\",c", Some(false)),
            ("\"a\nb,\"c\"", None),
        ] {
            let open = row.split('\n').try_fold(false, |open, line| comma.is_open(line.as_bytes(), open));
            assert_eq!(open, expected, "{row}");
        }
    }

    #[test]
    fn what_may_belong_to_the_question_is_never_left_out_of_a_row() {
        let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
        for (header, row, why) in [
            ("FEN,stipulation,Stipulation", "#2,s#2", "stipulation"),
            ("FEN,fen", "7k/8/8/8/8/8/8/K7 w - -", "different positions"),
            ("FEN,conditions", "Circe", "\"conditions\""),
            ("FEN,twins", "b) Remove g7", "\"twins\""),
            ("FEN,begins", "sometimes", "\"begins\""),
            ("FEN,id", "a,h#2", "the row has 3 fields, of which \"h#2\" belongs to no column"),
        ] {
            let header = Header::read(header).unwrap();
            let message = header.problem(&format!("{fen},{row}")).unwrap_err().to_string();
            let puzzle = header.puzzle(&format!("{fen},{row}")).map_err(|error| error.to_string());
            assert!(message.contains(why) && puzzle == Err(message.clone()), "{message}");
            assert!(header.problem(&format!("{fen},,, ")).is_ok());
        }
        for cell in ["mate in 3", "Selfmate in two", "Circe", "dm 3", "=2", "h=2", "Duplex", "2 solutions", "3-mover"] {
            let row = format!("{fen};Prinz;#2;{cell}");
            assert!(Header::of_row(&row).is_none_or(|header| header.problem(&row).is_err()), "{cell}");
            let row = format!("{fen};{cell}");
            assert!(Header::of_row(&format!("{fen};Prinz")).unwrap().problem(&row).is_err(), "{cell}");
        }
    }

    #[test]
    fn a_line_with_all_columns_is_no_comment() {
        let header = Header::read("#,FEN,stipulation").unwrap();
        for (line, expected) in [
            ("#1,5Kbk/6pp/6P1/8/8/8/8/7R w - -,#2", false),
            ("#1,5Kbk/6pp/6P1/8/8/8/8/7R w - -", false),
            ("#1,,", false),
            ("# a comment, so to say", true),
            ("%", true),
        ] {
            assert_eq!(header.is_comment(line), expected, "{line}");
        }
        assert!(Header::read("# id,FEN").is_none() && Header::read("\tFEN\tstipulation").is_some());
    }

    #[test]
    fn columns_are_found_by_their_names_and_fields_may_be_quoted() {
        let header = Header::read("\"Name\",stipulation,fen").unwrap();
        let problem = header.problem("\"Prinz, 1951\",#2,5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap();
        assert_eq!(
            (problem.id.as_deref(), problem.question.stipulation.to_string().as_str()),
            (Some("Prinz, 1951"), "#2")
        );
        for line in ["5Kbk/6pp/6P1/8/8/8/8/7R w - -", "fen", "a,b", ""] {
            assert!(Header::read(line).is_none(), "{line}");
        }
    }
}
