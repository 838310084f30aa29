//! Extended Position Description (EPD): a four-field FEN followed by operations, `opcode operand … ;`.
//!
//! ```text
//! 5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; bm Rh6; id "Prinz 1951"; c0 "a; b";
//! ```
//!
//! Many published suites deviate from the standard. Accepted are, for example, six FEN fields before the operations,
//! `bm #7` and `bm #-7` for mate lengths, a missing last semicolon, and missing semicolons between well-known opcodes
//! (`bm Rb5 dm 14`). Strings in quotes may contain semicolons. A stipulation that the standard has no operation for
//! stands in one of our own, `stip "s#3";`.
//!
//! The standard knows no escapes, but programs write them (`"a \"b\" c"`), and a path may end with a backslash. A quote
//! after a backslash belongs to the string if the whole text after the FEN can be read like that, and ends it
//! otherwise. Strings are kept as they are written.
//!
//! Lists also have times and remarks between the semicolons (`bm #8; 00:18; 00:00 @ C0/R-3;`). Such a **remark** is
//! kept as it is and means nothing, but only where it cannot be a part of the question: a text is refused if it has a
//! stipulation, a board or an operation that is read (`- dm 3;`), or begins with a number or a numbered move. What
//! follows the sign `@` are the settings of a program; with them, a stipulation is what that program was asked.
//!
//! Other text after the position that is no operation is refused too: a string whose quote is never closed, and words
//! such as `abc def`, without a semicolon, in the place of the two counters.

use std::fmt;

use strsim::damerau_levenshtein;

use super::ProblemError;
use super::fields::Node;
use super::moves::is_move;
use super::names::{self, Meaning, Part, meaning, misspelt};
use super::parts::StatedParts;
use crate::base::printable::excerpt;
use crate::chess::Stipulation;

/// One operation of an EPD line: an opcode and its operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The opcode, as written.
    pub code: String,
    /// The operands, without quotes.
    pub operands: Vec<Operand>,
}

/// An operand of an EPD operation: a word, or a string in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The text without the quotes around it, as written.
    pub text: String,
    /// Whether it is a string in quotes.
    pub quoted: bool,
}

impl Operand {
    /// Returns what a string means: `\"` is a quote and `\\` a backslash, if the string has escapes at all.
    pub fn meaning(&self) -> String {
        if !(self.quoted && has_escapes(&self.text)) {
            return self.text.clone();
        }
        let mut meaning = String::new();
        let mut rest = self.text.chars().peekable();
        while let Some(c) = rest.next() {
            let escaped = if c == '\\' { rest.next_if(|next| matches!(next, '"' | '\\')) } else { None };
            meaning.push(escaped.unwrap_or(c));
        }
        meaning
    }
}

/// Returns whether the text of a string has escapes: a quote stands after a backslash, or backslashes at the end.
fn has_escapes(text: &str) -> bool {
    text.contains("\\\"") || text.ends_with("\\\\")
}

impl Operation {
    /// Creates an operation with one string operand. Quotes in the text, and a backslash at its end, are escaped.
    pub fn string(code: &str, text: &str) -> Operation {
        let is_plain = !text.contains('"') && !text.ends_with('\\');
        let text = if is_plain { text.to_owned() } else { text.replace('\\', "\\\\").replace('"', "\\\"") };
        Operation { code: code.to_owned(), operands: vec![Operand { text, quoted: true }] }
    }

    /// Creates an operation with operands without quotes.
    pub fn plain(code: &str, operands: impl IntoIterator<Item = String>) -> Operation {
        let operands = operands.into_iter().map(|text| Operand { text, quoted: false }).collect();
        Operation { code: code.to_owned(), operands }
    }

    /// Returns whether this is not an operation but a remark, such as `00:18`. Its text is the code.
    pub fn is_remark(&self) -> bool {
        !self.code.starts_with(|c: char| c.is_ascii_alphabetic())
    }

    /// Adds what this operation states to the parts of its line: those of the table of names, and lengths in `bm #3`.
    ///
    /// # Errors
    /// It states a part that EPD cannot have, or its operands are not those of its part.
    pub(super) fn state(&self, parts: &mut StatedParts) -> Result<(), ProblemError> {
        if self.is_remark() {
            return Ok(());
        }
        let code = &self.code;
        let lengths = self.operands.iter().filter(|operand| !operand.quoted && operand.text.starts_with('#'));
        match meaning(code) {
            Meaning::Part(Part::Keys, _) => {
                for length in lengths {
                    parts.asked = parts.asked.stipulation(Stipulation::parse(&length.text)?, "bm")?;
                }
            }
            Meaning::Part(Part::Twins | Part::Duplex | Part::Options | Part::Conditions, _) => {
                let what =
                    format!("the operation \"{}\" states a part of the problem that EPD cannot have", excerpt(code));
                return Err(format!("{what}; write the problem as JSON").into());
            }
            Meaning::Part(Part::Intended, _) => {
                let number = self.first().parse().ok().filter(|number| *number > 0 && self.operands.len() == 1);
                let number = number.ok_or_else(|| no_operation(&self.to_string()))?;
                parts.asked = parts.asked.intended(number, "intended")?;
            }
            Meaning::Part(part, _) if part != Part::Id => {
                let [operand] = &self.operands[..] else {
                    let whole = excerpt(&self.to_string());
                    return Err(format!("\"{whole}\" takes one value, behind the move counters; correct it").into());
                };
                parts.take(code, &Node::Text(operand.meaning()))?;
            }
            Meaning::Misspelt(known) => return Err(misspelt(code, known)),
            _ if code.contains(['#', '=']) && Stipulation::parse_stated(code).is_ok() => {
                let code = excerpt(code);
                return Err(format!("\"{code}\" is no EPD operation; write stip \"{code}\";").into());
            }
            _ => return self.almost().map_or(Ok(()), |known| Err(misspelt(code, known))),
        }
        Ok(())
    }

    /// Returns the operation that an unknown one of three letters may be meant to be: one letter differs, and the first
    /// operand is one of that operation.
    fn almost(&self) -> Option<&'static str> {
        let (code, first) = (self.code.to_lowercase(), self.first());
        let is_length = || Stipulation::parse(first).is_ok() || Stipulation::parse_stated(first).is_ok();
        let reads = |known: &str| if known == "bm" { is_move(first) || first.starts_with('#') } else { is_length() };
        let is_almost = |known: &&str| damerau_levenshtein(known, &code) == 1 && reads(known);
        LENGTHS.into_iter().find(is_almost).filter(|_| code.len() == 3 && !is_known(&code) && !names::is_remark(&code))
    }

    /// Returns the text of the first operand, or an empty text.
    pub fn first(&self) -> &str {
        self.operands.first().map_or("", |operand| operand.text.as_str())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code)?;
        for operand in &self.operands {
            let quote = if operand.quoted { "\"" } else { "" };
            write!(f, " {quote}{}{quote}", operand.text)?;
        }
        f.write_str(";")
    }
}

/// The opcode that states any stipulation: `stip "s#3";`. It is matesolve's own; `dm` states direct mates only.
pub const STIPULATION: &str = "stip";

/// The opcodes that start a new operation even if the semicolon before them is missing.
const WELL_KNOWN: [&str; 10] = ["dm", "bm", "am", "id", "pv", "ce", "acd", "acn", "acs", STIPULATION];

/// Other opcodes of the standard. With one of these too, the only operation of a line needs no semicolon.
const STANDARD: [&str; 12] = ["hmvc", "hmvn", "fmvn", "eco", "nic", "noop", "pm", "rc", "sm", "tcgs", "tcri", "tcsi"];

fn no_operation(text: &str) -> ProblemError {
    let text = excerpt(text.trim());
    ProblemError::Text(format!(
        "\"{text}\" follows the position and is neither two move counters (0 1) nor EPD operations (dm 3; id \"x\";); \
         correct it or remove it"
    ))
}

/// Splits a line into its FEN and the text after it, which may be empty. Reads neither. A FEN without a side to move
/// has its board only.
pub fn split(line: &str) -> (&str, &str) {
    let mut end = 0;
    for (index, (start, word)) in words(line).enumerate() {
        if index == 1 && (WELL_KNOWN.contains(&word) || STANDARD.contains(&word)) {
            // The line does not say who is to move.
            return (line[..end].trim(), &line[start..]);
        }
        // Fields five and six are numbers. A semicolon may follow any of the last fields without a space.
        let field = word.find(';').filter(|_| index >= 3).map_or(word, |at| &word[..at]);
        let is_counter = field.starts_with(|c: char| c.is_ascii_digit()) && !field.contains(|c: char| ":'".contains(c));
        if index >= 4 && (index >= 6 || !is_counter) {
            return (line[..end].trim(), &line[start..]);
        }
        if field.len() < word.len() {
            return (line[..start + field.len()].trim(), &line[start + field.len()..]);
        }
        end = start + word.len();
    }
    (line.trim(), "")
}

/// Reads the text after a FEN.
pub fn read(text: &str) -> Result<Vec<Operation>, ProblemError> {
    let escaped = text.contains("\\\"").then(|| operations(text, true).ok()).flatten();
    let operations = escaped.map_or_else(|| operations(text, false), Ok)?;
    let marked = text.contains([';', '"']) || operations.first().is_none_or(|first| is_known(&first.code));
    if marked { Ok(operations) } else { Err(no_operation(text)) }
}

/// The operations that change the answer or its check. Others, such as `pm`, may be a word of a remark.
const READ: [&str; 5] = ["dm", "bm", "am", "id", STIPULATION];
/// Those of them that are no words of a language.
const LENGTHS: [&str; 3] = ["dm", "bm", STIPULATION];

/// Returns whether a text between semicolons cannot be a part of the question: an operation that is read, a
/// stipulation, a length, counters, numbered moves or a board.
fn is_harmless(text: &str) -> bool {
    // Dashes, counters and times have no letters; brackets may stand at a word.
    let words = text.split(|c: char| c.is_whitespace() || "()[]{}<>".contains(c));
    let mut words =
        words.map(|word| word.trim_start_matches(['-', '–', '—'])).filter(|word| word.contains(char::is_alphabetic));
    let starts = words.next();
    let is_operation = starts.is_some_and(|word| READ.contains(&word)) || words.any(|word| LENGTHS.contains(&word));
    let first = text.split_whitespace().find(|word| *word != "-").unwrap_or_default();
    let digits = first.trim_start_matches(['-', '+']);
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    let numbered = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_move = numbered.len() < first.len() && numbered.starts_with(['.', '…']);
    let is_part = first.contains('/') && first.chars().all(|c| "prnbqkPRNBQK12345678/".contains(c));
    let is_board = is_part || text.split_whitespace().any(|word| word.matches('/').count() == 7);
    let has_goal =
        text.contains('#') || text.split('=').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_goal = has_goal && !text.contains('@');
    !(is_operation || is_number || is_move || is_board || is_goal)
}

/// Returns whether a text has operations that are known.
pub(super) fn has_known(text: &str) -> bool {
    read(&format!("{text};")).is_ok_and(|operations| operations.iter().any(|operation| is_known(&operation.code)))
}

fn is_known(code: &str) -> bool {
    let is_comment = code.len() == 2 && code.starts_with(['c', 'v']) && code.ends_with(|c: char| c.is_ascii_digit());
    is_comment || WELL_KNOWN.contains(&code) || STANDARD.contains(&code)
}

/// Returns the words of a line, each with the byte where it starts.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let start_of = move |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    line.split_whitespace().map(move |word| (start_of(word), word))
}

/// Splits the part of a line after the FEN into operations. `escapes`: a quote after a backslash belongs to its string.
fn operations(text: &str, escapes: bool) -> Result<Vec<Operation>, ProblemError> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut open = false;
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        if c == ';' {
            open = false;
            rest = rest[1..].trim_start();
            continue;
        }
        if !open && !c.is_ascii_alphabetic() && c != '"' {
            let remark = rest[..rest.find(';').unwrap_or(rest.len())].trim_end();
            if !is_harmless(remark) {
                return Err(no_operation(text));
            }
            operations.push(Operation { code: remark.to_owned(), operands: Vec::new() });
            rest = &rest[remark.len()..];
            open = true;
            continue;
        }
        let (operand, tail) = operand(rest, escapes)?;
        rest = tail.trim_start();
        let starts = !open || (!operand.quoted && WELL_KNOWN.contains(&operand.text.as_str()));
        match operations.last_mut() {
            Some(operation) if !starts => operation.operands.push(operand),
            // Written again without its quotes, it could be several operations.
            _ if operand.quoted => return Err(no_operation(text)),
            _ => operations.push(Operation { code: operand.text, operands: Vec::new() }),
        }
        open = true;
    }
    Ok(operations)
}

/// Returns the next operand and the text after it. The text must not start with white space or a semicolon.
fn operand(text: &str, escapes: bool) -> Result<(Operand, &str), ProblemError> {
    if let Some(string) = text.strip_prefix('"') {
        let end = closing_quote(string, escapes)
            .ok_or_else(|| format!("the string {} has no closing quote; add one", excerpt(text)))?;
        return Ok((Operand { text: string[..end].to_owned(), quoted: true }, &string[end + 1..]));
    }
    let end = text.find(|c: char| c == ';' || c.is_whitespace()).unwrap_or(text.len());
    let word = &text[..end];
    // A quote in a word is the end of a string that was read too far.
    if escapes && word.contains('"') {
        return Err(no_operation(word));
    }
    Ok((Operand { text: word.to_owned(), quoted: false }, &text[end..]))
}

/// Returns the byte of the quote that ends a string. With `escapes`, white space or a semicolon must follow it.
fn closing_quote(string: &str, escapes: bool) -> Option<usize> {
    let mut after_backslash = false;
    for (at, c) in string.char_indices() {
        match c {
            '"' if !after_backslash => {
                let ends = string[at + 1..].chars().next().is_none_or(|next| next == ';' || next.is_whitespace());
                return (ends || !escapes).then_some(at);
            }
            _ => after_backslash = escapes && c == '\\' && !after_backslash,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(line: &str) -> (String, Vec<String>) {
        let (fen, rest) = split(line);
        let operations = read(rest).unwrap_or_else(|error| panic!("{line}: {error}"));
        (fen.to_owned(), operations.iter().map(ToString::to_string).collect())
    }

    fn error(line: &str) -> String {
        read(split(line).1).map(|read| format!("{read:?}")).expect_err(line).to_string()
    }

    #[test]
    fn an_operation_that_is_almost_one_of_the_question_is_refused_by_name() {
        let read =
            |operation: &str| crate::problem::Problem::read(&format!("5Kbk/6pp/6P1/8/8/8/8/7R w - - {operation}"));
        for (operation, known) in
            [("dmm 2;", "dm"), ("adm #2;", "dm"), ("bmm Rh6;", "bm"), ("bmx #2;", "bm"), ("stp s#2;", "stip")]
        {
            let message = read(operation).unwrap_err().to_string();
            assert!(message.contains(&format!("if it is meant to be {known}, write {known}")), "{message}");
        }
        for other in ["acd 3; acn 4; acs 2; pm Rh6; am Rh5; sm Rh6; ce 2; eco A01;", "dmm \"x\";", "dtm 3;", "dn 2;"] {
            assert!(read(other).is_ok(), "{other}");
        }
    }

    #[test]
    fn strings_keep_their_semicolons() {
        let (fen, operations) = printed("8/8/8/8/8/8/8/K6k w - - dm 2; id \"a; b\"; c0 \"x\";");
        assert_eq!(fen, "8/8/8/8/8/8/8/K6k w - -");
        assert_eq!(operations, ["dm 2;", "id \"a; b\";", "c0 \"x\";"]);
    }

    #[test]
    fn strings_with_quotes_and_backslashes_are_kept_as_they_are() {
        for (operations, meaning) in [
            (r#"id "the \"Love Chase\"";"#, r#"the "Love Chase""#),
            (r#"id "\"a; b\" c"; c0 "x";"#, r#""a; b" c"#),
            (r#"id "C:\dir\";"#, r"C:\dir\"),
            (r#"id "C:\"; c0 "x"; c1 "C:\";"#, r"C:\"),
            (r#"id "C:\"; c0 "x";"#, r"C:\"),
            (r#"id "a \"b\\c\" \\";"#, r#"a "b\c" \"#),
            (r#"id "a\\b \d";"#, r"a\\b \d"),
            (r#"id "x\\";"#, r"x\"),
        ] {
            let line = format!("8/8/8/8/8/8/8/K6k w - - {operations}");
            let read = read(split(&line).1).unwrap();
            let written: Vec<String> = read.iter().map(ToString::to_string).collect();
            assert_eq!(written.join(" "), operations);
            assert_eq!(read[0].operands[0].meaning(), meaning, "{operations}");
        }
        for text in ["plain", r"C:\dir", r"C:\dir\", r#"a "b" c"#, r"\", r"a\\b", r#"\"x\\"#, r#"""#] {
            let written = Operation::string("id", text).to_string();
            let again = read(&written).unwrap();
            assert_eq!(again.len(), 1);
            assert_eq!(again[0].operands[0].meaning(), text, "{written}");
        }
    }

    #[test]
    fn a_string_is_no_opcode() {
        let line = "8/8/8/8/8/8/8/K6k w - - dm 2; \"bm Kb1; id x\";";
        assert!(error(line).contains("is neither two move counters"), "{}", error(line));
    }

    #[test]
    fn counters_and_missing_semicolons_are_read() {
        let (fen, operations) = printed("8/8/8/8/8/8/8/K6k w - - 0 1 bm Rc8+ dm 26");
        assert_eq!(fen, "8/8/8/8/8/8/8/K6k w - - 0 1");
        assert_eq!(operations, ["bm Rc8+;", "dm 26;"]);
        assert_eq!(printed("8/8/8/8/8/8/8/K6k w - - 0 1"), ("8/8/8/8/8/8/8/K6k w - - 0 1".to_owned(), vec![]));
        assert_eq!(printed("8/8/8/8/8/8/8/K6k w - - bm #-7;").1, ["bm #-7;"]);
        assert_eq!(printed("8/8/8/8/8/8/8/K6k w - - hmvc 3").1, ["hmvc 3;"]);
        assert_eq!(printed("8/8/8/8/8/8/8/K6k w - - c0 x").1, ["c0 x;"]);
        assert_eq!(printed("8/8/8/8/8/8/8/K6k w - - mine 3;").1, ["mine 3;"]);
    }

    #[test]
    fn times_and_remarks_are_kept_as_they_are() {
        let fen = "8/8/8/8/8/8/8/K6k w - -";
        for rest in [
            "bm #8; 00:18; 00:00 @ C0/R-3/K3/P2/X3;",
            "bm #16; 01:59+; 00:00+ @ C0/R2/K1/P11/X68;",
            "bm #13; --:-- @ C0/R-6/K4/P0/X36;",
            "bm #2; Duals(117); 00:00;",
            "bm #17; 01:50 @ C0/R0/K1/P2/X12; 00'04\" (Gustav);",
            "bm #7; Duals(5); 00:42; 00:00(1) @ C2/R-2/K3/P11/X40;",
            "00:01; bm #8;",
            "bm #8; ?; !!; +-;",
            "bm #10; (#10 @ C2/R-3);",
            "bm #8; 12:30 pm;",
            "bm #8; -; --; (?);",
            "bm #8; 00:18 (Id. 5);",
        ] {
            let (position, operations) = printed(&format!("{fen} {rest}"));
            assert_eq!((position.as_str(), operations.join(" ").as_str()), (fen, rest));
        }
        assert_eq!(printed(&format!("{fen} 0 1; bm #8; 00:01")).0, format!("{fen} 0 1"));
    }

    #[test]
    fn a_semicolon_may_follow_the_last_field() {
        for (line, fen, operations) in [
            ("8/8/8/8/8/8/8/K6k w - e6; bm #1;", "8/8/8/8/8/8/8/K6k w - e6", "bm #1;"),
            ("8/8/8/8/8/8/8/K6k w - -;bm #1", "8/8/8/8/8/8/8/K6k w - -", "bm #1;"),
            ("8/8/8/8/8/8/8/K6k w - - 0 1; bm #1;", "8/8/8/8/8/8/8/K6k w - - 0 1", "bm #1;"),
            ("8/8/8/8/8/8/8/K6k w - -;", "8/8/8/8/8/8/8/K6k w - -", ""),
        ] {
            assert_eq!(printed(line), (fen.to_owned(), printed(&format!("{fen} {operations}")).1), "{line}");
        }
    }

    #[test]
    fn text_that_is_no_operation_is_refused() {
        for rest in [
            "abc def",
            "0 abc",
            "0 1 e4 e5",
            "- -",
            "? ?",
            "-1 -1",
            "00:18",
            "dm 2; 3;",
            "dm 2; #3;",
            "00:01; #4;",
            "dm 2; 1.Rh6 Ba2;",
            "dm 2; -3;",
            "dm 2; 8/8/8/8/8/8/8/K6k w - -;",
            "dm 2; 8/8",
            "dm 2; id \"a\";\n8/8",
            "dm 2; (h=2);",
            "- dm 3; bm Rh6;",
            "- - dm 3;",
            "-dm 3;",
            "- 0 1 dm 3;",
            "bm Rh6; (dm 3);",
            "bm Rh6; [ - 1 stip \"s#3\" ];",
            "bm Rh6; 00:18 dm 3;",
            "- bm Rh6;",
            "- id x;",
            "bm Rh6; (Gustav) dm 3;",
            "- 3;",
            "- #3;",
            "- 1.Rh6;",
        ] {
            let message = error(&format!("8/8/8/8/8/8/8/K6k w - - {rest}"));
            assert!(message.contains("is neither two move counters"), "{rest}: {message}");
        }
        let message = error("8/8/8/8/8/8/8/K6k w - - dm 2; id \"open; x");
        assert_eq!(message, "the string \"open; x has no closing quote; add one");
    }

    #[test]
    fn malformed_lines_are_split_without_panic() {
        for line in ["", ";", "a b c d ;;; \"", "a b c d e \"unclosed; x", "é ü ö ä ß;", "\u{feff}x"] {
            let read = read(split(line).1);
            assert!(read.is_err() || read.is_ok_and(|operations| operations.len() <= 2), "{line}");
        }
    }
}
