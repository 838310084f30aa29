//! Reads and writes the entries of `.olv` collections: problems in YAML, as YACPDB and Olive store them.
//!
//! ```yaml
//! ---
//! authors: ["Prinz, Dietrich Günter"]
//! source: {name: Research, date: 1952}
//! algebraic:
//!   white: [Kf8, Rh1, Pg6]
//!   black: [Kh8, Bg8, Ph7, Pg7]
//! stipulation: "#2"
//! solution: |
//!   1.Rh1-h6 ! zugzwang.
//! ```
//!
//! The diagram, the stipulation, the twins and the options of an entry are read. A new solution and keywords can be
//! written into its text. The text of the other fields stays, because people wrote them and chose their layout: what is
//! written is read again, and the values of these fields are compared.
//!
//! | file | content |
//! |---|---|
//! | `yaml` | the fields of an entry and their places in the source |
//! | `asked` | the diagram, and the fields `stipulation`, `twins` and `intended-solutions` |
//! | `remarks` | what stands beside the problem, such as date and award; keywords changed in place |
//! | `options` | the `options` field, in Popeye's words |
//! | `documents` | splits a stream into YAML documents |

pub(super) mod asked;
pub mod documents;
mod options;
mod remarks;
mod yaml;

use std::fmt::Write as _;

use shakmaty::{Color, Position as _};

use super::fields::{self, Node, TEXTS};
use super::twins::{self, Phase, PhaseOptions, TwinDiagram};
use super::{Problem, ProblemError};
use crate::base::printable;
use crate::chess::Stipulation;

pub use super::men::list;
use asked::Asked;
pub use documents::{Document, Documents, is_collection};
pub(crate) use documents::{LONGEST_DOCUMENT, first_line};
pub use options::OlvOptions;
use yaml::YamlDocument;

/// The warning for a problem with several phases where only one is solved.
pub(crate) const TWINS_UNSOLVED: &str =
    "the entry has twins or is a duplex; only its first phase is solved here (matesolve report solves all)";

/// The error for a document that is no entry.
const NO_FIELDS: &str =
    "the document is not an entry; an entry has the fields algebraic (white and black) and stipulation";

/// The error for a new field that cannot be written without changing another one.
pub(crate) const UNWRITABLE: &str = "the solution cannot be written into this entry without changing other fields; write each \
                                     field on a line of its own, and each name only once";

/// An entry of an `.olv` collection and its problem.
#[derive(Debug, Clone)]
pub struct OlvEntry {
    /// The problem. Its line is the first line of the entry in its file; its name consists of authors, source and year.
    /// If the entry has several phases, it is the first phase that can be solved, and [`Problem::phases`] has all.
    pub problem: Problem,
    /// The options of the entry.
    pub options: OlvOptions,
    source: String,
    document: YamlDocument,
}

impl OlvEntry {
    /// Reads an entry that starts in line `line` of its file, counted from 1.
    pub fn read(source: &str, line: usize) -> Result<OlvEntry, ProblemError> {
        let document = yaml::read(source, line)?.ok_or(NO_FIELDS)?;
        document.check_names()?;
        let text = |name, wanted| fields::text(name, document.get(name), wanted);
        if let Some(text) = text("non-standard-stipulation", "one text")? {
            let text = printable::excerpt(text);
            let why = format!("the stipulation is not standard (\"{text}\"), and matesolve does not solve it");
            return Err(ProblemError::OtherRules(why));
        }
        let stipulation = text("stipulation", "\"#3\"")?
            .ok_or("the entry has no stipulation; write stipulation: \"#3\" (in quotes: a bare # starts a comment)")?;
        let asked = Asked::read(stipulation, document.get("twins"), document.get("intended-solutions"))?;
        let options = OlvOptions::read(|name| document.get(name), asked.options.clone())?;
        for field in ["keywords", "keys", "id"] {
            fields::texts(field, document.get(field), TEXTS)?;
        }
        let phases = phases(&document, &options, &asked)?;
        let mut problem = twins::first(&phases)?;
        if phases.len() > 1 || !phases[0].name.letter.is_empty() {
            problem.warnings.push(TWINS_UNSOLVED.to_owned());
            problem.phases = phases;
        }
        problem.id = document.values().name();
        problem.solution = text("solution", "one text")?.map(str::to_owned);
        problem.line = Some(line);
        problem.warnings.extend(asked.intended.warning());
        problem.warnings.extend(options.warnings());
        let stated = Stipulation::parse_stated(&asked.stipulation).ok().filter(|_| options.phase.white_to_play);
        if let Some(stated) = stated.filter(|stated| stated.begun_by_the_other().is_none()) {
            problem.warnings.push(format!("the option WhiteToPlay is not applicable to {stated}"));
        }
        Ok(OlvEntry { problem, options, source: source.to_owned(), document })
    }

    /// Returns the text of the entry, without the line `---` before it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the line and the column in the file of a place in the solution, all counted from 1; `None` if the lines
    /// of the solution are not those of the file, as in a text in quotes.
    pub fn solution_place(&self, line: usize, column: usize) -> Option<(usize, usize)> {
        let field = self.document.field("solution")?;
        let text = self.problem.solution.as_ref()?.lines().nth(line - 1)?;
        // The lines of a block of text follow that of the name.
        let written = self.source.get(field.start..)?.lines().nth(line)?;
        let indent = written.trim_end().strip_suffix(text.trim_end()).filter(|_| !text.trim().is_empty())?;
        let before = self.source[..field.start].matches('\n').count();
        Some((self.problem.line? + before + line, indent.chars().count() + column))
    }

    /// Returns the text of the entry with a new solution and no other change, without the line `---` before it.
    pub fn with_solution(&self, solution: &str) -> Result<String, ProblemError> {
        // A JSON string is also a YAML string.
        let quoted = format!("solution: {}", serde_json::Value::from(block(solution)));
        let lines = format!("solution: {}", literal(solution, self.document.indent));
        let written = self.replaced("solution", &quoted, &lines);
        let again = self.with_one_change(&written, "solution")?;
        let mut solutions = again.fields.iter().filter(|field| field.name == "solution");
        let replaced = solutions.next().is_some_and(|field| field.value == Node::Text(block(solution)));
        if replaced && solutions.next().is_none() { Ok(written) } else { Err(UNWRITABLE.into()) }
    }

    /// Replaces a field in the source, or adds it: by `line` in an entry written as `{name: value, …}`, else by
    /// `block`, whole lines.
    fn replaced(&self, name: &str, line: &str, block: &str) -> String {
        let document = &self.document;
        let field = document.field(name);
        if document.flow {
            let (start, end, comma) = field.map_or((document.end, document.end, ", "), |at| (at.start, at.end, ""));
            return format!("{}{comma}{line}{}", &self.source[..start], &self.source[end..]);
        }
        let (start, end) = field.map_or((document.end, document.end), |at| (at.start, self.line_end(at.end)));
        let before = &self.source[..start];
        let indent = if field.is_none() { " ".repeat(document.indent) } else { String::new() };
        let gap = if field.is_none() && !before.is_empty() && !before.ends_with('\n') { "\n" } else { "" };
        format!("{before}{gap}{indent}{block}{}", &self.source[end..])
    }

    /// Returns the end of the part to replace when a value ends at byte `end`. A block of text already ends at the
    /// start of a line; after any other value the rest of its line is replaced too.
    fn line_end(&self, end: usize) -> usize {
        if self.source[..end].ends_with('\n') {
            return end;
        }
        self.source[end..].find('\n').map_or(self.source.len(), |line| end + line + 1)
    }
}

/// Writes a new entry for a problem, with twins (letters and texts), options, keywords and a solution (which may be
/// empty), including the line `---` before it. Castling and en passant rights that the lists of men do not imply are
/// written as options.
pub fn entry(
    problem: &Problem,
    twins: &[(String, String)],
    options: &OlvOptions,
    keywords: &[String],
    solution: &str,
) -> String {
    let (own, stipulation) = PhaseOptions::of(problem);
    let PhaseOptions { duplex, set_play, white_to_play, stops_at_short, .. } = options.phase;
    let phase = PhaseOptions { duplex, set_play, white_to_play, stops_at_short, ..own };
    let options = OlvOptions { phase, ..options.clone() };
    let men = |color| list(problem.chess.board(), color).join(", ");
    let mut text = format!(
        "---\nalgebraic:\n  white: [{}]\n  black: [{}]\nstipulation: \"{}\"\n",
        men(Color::White),
        men(Color::Black),
        stipulation
    );
    // JSON strings and lists are also YAML.
    let quoted = |text: &String| printable::json(serde_json::Value::from(text.clone()).to_string());
    if !twins.is_empty() {
        text.push_str("twins:\n");
    }
    for (letter, twin) in twins {
        let _ = writeln!(text, "  {}: {}", quoted(letter), quoted(twin));
    }
    let comments = problem.id.iter().cloned().collect();
    for (field, items) in [("options", options.words()), ("comments", comments), ("keywords", keywords.to_vec())] {
        if !items.is_empty() {
            let _ = writeln!(text, "{field}: {}", printable::json(serde_json::Value::from(items).to_string()));
        }
    }
    if problem.question.intended > 1 {
        let _ = writeln!(text, "intended-solutions: {}", problem.question.intended);
    }
    if !solution.trim().is_empty() {
        let _ = write!(text, "solution: {}", literal(solution, 0));
    }
    text
}

/// Normalises a solution: removes the common indentation and blank lines around it, and adds one line break at the end.
fn block(solution: &str) -> String {
    let lines = || solution.lines().map(str::trim_end);
    let margin =
        lines().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start_matches(' ').len()).min();
    let mut text: String =
        lines().map(|line| line.get(margin.unwrap_or(0)..).unwrap_or("").to_owned() + "\n").collect();
    text.truncate(text.trim_end().len());
    let blank = text.len() - text.trim_start_matches('\n').len();
    text.drain(..blank);
    text + "\n"
}

/// Writes a solution as a YAML block of text, below a field name that is indented by `indent` characters.
fn literal(solution: &str, indent: usize) -> String {
    let text = block(solution);
    // If the first line is indented, YAML needs the indentation of the block as a number.
    let mark = if text.starts_with(' ') { "|2\n" } else { "|\n" };
    let indent = " ".repeat(indent + 2);
    let indented = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") };
    mark.to_owned() + &text.lines().map(indented).collect::<String>()
}

/// Returns the phases of an entry.
fn phases(document: &YamlDocument, options: &OlvOptions, asked: &Asked) -> Result<Vec<Phase>, ProblemError> {
    let is_null = |node: &&Node| matches!(node, Node::Text(_)) && node.text().is_none();
    let diagram = document.get("algebraic").filter(|node| !is_null(node));
    let board = asked::board(
        diagram
            .ok_or("the entry has no algebraic; write algebraic: with white: [Kh1, Qa1] and black: [Ka8] below it")?,
    )?;
    let diagram = TwinDiagram { board, stipulation: asked.stipulation.clone(), options: options.phase.clone() };
    let mut phases = twins::phases(&diagram, &asked.twins);
    asked.intended.count(&mut phases);
    Ok(phases)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINZ: &str = "\
authors:
  - Prinz, Dietrich Günter
source:
  name: Research   # a journal
  issue: 007
  date:
    year: 1952
algebraic:
  white: [Kf8, Rh1, Pg6]
  black: [Kh8, Bg8, Ph7, Pg7]
stipulation: \"#2\"
solution: |
  1.Rh1-h2 ?
keywords:
  - !!python/unicode 'First solved by a computer'
";

    fn error_message(source: &str) -> String {
        OlvEntry::read(source, 1).unwrap_err().to_string()
    }

    #[test]
    fn an_entry_is_a_problem_with_a_name() {
        let entry = OlvEntry::read(PRINZ, 7).unwrap();
        assert_eq!(entry.problem.fen, "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1");
        assert_eq!(entry.problem.question.stipulation.to_string(), "#2");
        assert_eq!(entry.problem.id.as_deref(), Some("Prinz, Dietrich Günter, Research 1952"));
        assert_eq!((entry.problem.line, entry.problem.solution.as_deref()), (Some(7), Some("1.Rh1-h2 ?\n")));
    }

    #[test]
    fn writing_a_solution_changes_nothing_else() {
        let solution = "\n   1.Rh1-h6 ! zugzwang.\n      1...Bg8-a2\n          2.Rh6*h7 #\n\n";
        let written = OlvEntry::read(PRINZ, 1).unwrap().with_solution(solution).unwrap();
        let new = "  1.Rh1-h6 ! zugzwang.\n     1...Bg8-a2\n         2.Rh6*h7 #\n";
        assert_eq!(written, PRINZ.replace("  1.Rh1-h2 ?\n", new));
        let again = OlvEntry::read(&written, 1).unwrap();
        assert_eq!(again.with_solution(solution).unwrap(), written, "writing the solution again changes nothing");
    }

    #[test]
    fn a_solution_is_replaced_in_every_yaml_style() {
        let rest = "algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: '#2'\n";
        for old in ["", "solution:\n", "solution: x # old\n", "solution: 'a\n\n  b'\n", "solution: >-\n  a\n  b\n\n"] {
            for source in [format!("{rest}{old}"), format!("{old}{rest}"), format!("{rest}{old}...\n")] {
                let entry = OlvEntry::read(&source, 1).unwrap();
                let written = entry.with_solution("      1...x\n   1.y !").unwrap();
                let again = OlvEntry::read(&written, 1).unwrap();
                assert_eq!(again.problem.solution.as_deref(), Some("   1...x\n1.y !\n"), "{source}\n{written}");
            }
        }
        let flow = "{algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}, stipulation: '#2'}\n";
        let written = OlvEntry::read(flow, 1).unwrap().with_solution("1.y !").unwrap();
        assert_eq!(OlvEntry::read(&written, 1).unwrap().problem.solution.as_deref(), Some("1.y !\n"));
        let indented = rest.replace("algebraic", "  algebraic").replace("stipulation", "  stipulation");
        let written = OlvEntry::read(&indented, 1).unwrap().with_solution("1.y !").unwrap();
        assert!(written.ends_with("  solution: |\n    1.y !\n"), "{written}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_a_solution(lines in proptest::collection::vec("[ -~àé\t]{0,12}", 1..8)) {
            let solution = lines.join("\n");
            proptest::prop_assume!(!solution.trim().is_empty());
            for source in [PRINZ, "{algebraic: {white: [Kf8], black: [Kh8]}, stipulation: '#2'}\n"] {
                let written = OlvEntry::read(source, 1).unwrap().with_solution(&solution).unwrap();
                let again = OlvEntry::read(&written, 1).unwrap();
                proptest::prop_assert_eq!(again.problem.solution, Some(block(&solution)));
                proptest::prop_assert_eq!(again.problem.fen, OlvEntry::read(source, 1).unwrap().problem.fen);
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn damaged_entries_are_read_or_refused(
            at in 0..PRINZ.len(),
            length in 0..40_usize,
            inserted in "\\PC{0,6}|[-\\[{:|>\n &*#'\"]{1,6}",
        ) {
            let mut damaged = PRINZ.as_bytes()[..at].to_vec();
            damaged.extend_from_slice(inserted.as_bytes());
            damaged.extend_from_slice(&PRINZ.as_bytes()[(at + length).min(PRINZ.len())..]);
            if let Ok(entry) = OlvEntry::read(&String::from_utf8_lossy(&damaged), 1)
                && let Ok(written) = entry.with_solution("1.y !")
            {
                let again = OlvEntry::read(&written, 1).unwrap();
                proptest::prop_assert_eq!((again.problem.fen, again.problem.id), (entry.problem.fen, entry.problem.id));
            }
        }
    }

    #[test]
    fn a_solution_is_not_written_if_the_entry_has_two() {
        let twice = format!("{PRINZ}solution: again\n");
        assert_eq!(OlvEntry::read(&twice, 1).unwrap().with_solution("1.y !"), Err(UNWRITABLE.into()));
    }

    #[test]
    fn options_state_rights_and_the_side_to_move() {
        let read = |options: &str| {
            let men = "white: [Ke1, Rh1, Pa5], black: [Ke8, Rh8, Pb5]";
            OlvEntry::read(&format!("algebraic: {{{men}}}\nstipulation: '#3'\noptions: [{options}]\n"), 1)
                .unwrap()
                .problem
        };
        assert_eq!(read("").fen, "4k2r/8/8/Pp6/8/8/8/4K2R w Kk - 0 1");
        assert_eq!(read("NoCastling h1, EnPassant b7b6b5").fen, "4k2r/8/8/Pp6/8/8/8/4K2R w k b6 0 1");
        let (after_key, black) = (read("PostKeyPlay"), read("HalfDuplex"));
        assert_eq!(
            (after_key.fen.split(' ').nth(1), after_key.question.stipulation.to_string()),
            (Some("b"), "#-2".to_owned())
        );
        assert_eq!((black.fen.split(' ').nth(1), black.question.stipulation.to_string()), (Some("b"), "#3".to_owned()));
    }

    #[test]
    fn a_new_entry_preserves_position_and_stipulation() {
        for line in [
            "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; id \"a: 'b'\";",
            "4k2r/8/8/Pp6/8/8/8/R3K2R w Kk b6 dm 3",
            "4k3/8/8/8/5pP1/8/8/4K3 b - g3 bm #3",
            "5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-1",
        ] {
            let problem = Problem::read(line).unwrap();
            let written = entry(&problem, &[], &OlvOptions::default(), &[], "   1.Rh1-h6 ! zugzwang.\n");
            let again = OlvEntry::read(written.strip_prefix("---\n").unwrap(), 2).unwrap();
            assert_eq!((again.problem.fen, again.problem.question), (problem.fen, problem.question), "{written}");
            assert_eq!(again.problem.solution.as_deref(), Some("1.Rh1-h6 ! zugzwang.\n"));
        }
    }

    #[test]
    fn entries_that_are_not_orthodox_are_refused_with_a_message() {
        let men = |men: &str| format!("stipulation: '#2'\nalgebraic: {{white: [Ka1, {men}], black: [Ka8]}}\n");
        assert!(error_message(&men("Nf3")).contains("\"Nf3\" is not a man of orthodox chess"));
        assert!(error_message(&men("Qa1")).contains("two men stand on a1"));
        assert!(error_message(&men("Pa8")).contains("two men stand on a8"));
        assert!(error_message(&(men("Qf3") + "options: [Circe]\n")).contains("\"Circe\" changes the rules"));
        for conditions in ["conditions: [Circe, Madrasi]", "condition: Circe", "conditions:\n  - Circe\n"] {
            let message = error_message(&(men("Qf3") + conditions));
            assert!(message.contains("the condition \"Circe"), "{message}");
        }
        for name in ["Condition", "CONDITION", "fairy-conditions", "nonstandard-stipulation", "legend"] {
            assert!(error_message(&(men("Qf3") + name + ": Circe\n")).contains(&format!("\"{name}\"")), "{name}");
        }
        for none in ["conditions: []", "legend: {}", "legend:"] {
            assert!(OlvEntry::read(&(men("Qf2") + none + "\n"), 1).is_ok(), "{none}");
        }
        assert!(
            error_message(&men("Qf3").replace("#2", "pser-#2"))
                .contains("(parry series), which matesolve does not solve")
        );
        assert!(error_message(&men("Qf3").replace("'#2'", "#2")).contains("in quotes"));
        assert!(error_message("- a\n").contains("not an entry"));
        assert!(error_message("stipulation: '#2'\n").contains("no algebraic"));
        assert!(error_message("stipulation: '#2'\nalgebraic: {white: [Ka1]}\n").contains("Black has no king"));
        assert!(error_message(&(men("Qf3") + "non-standard-stipulation: Last move?\n")).contains("Last move?"));
    }
}
