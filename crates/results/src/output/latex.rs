//! Writes reports and diagrams as documents for LaTeX, which draws the boards with the package `chessboard`.
//!
//! A report is a booklet with one problem. The macros stand at the beginning of the document (`output/latex.tex`), so
//! that an editor can change the look in one place, or copy a problem into another document.

use std::fmt::Write as _;
use std::io;

use shakmaty::Board;

use crate::base::printable;

use super::booklet::{Booklet, Marks, Printed, PrintedPhase};
use super::report::phases::{Grid, HEADINGS};
use super::svg::{self, Caption};

const PREAMBLE: &str = include_str!("latex.tex");

/// The most characters of a word that is not divided: this number of capital letters of a heading fits into a column.
const LONGEST_WORD: usize = 16;

/// The deepest indentation, in plies.
const DEEPEST: usize = 14;

/// The marks of LaTeX.
#[derive(Debug)]
pub(super) struct Latex;

impl Marks for Latex {
    fn unfolds(&self) -> bool {
        false
    }

    fn list(&self, _printed: &Printed<'_>, _contents: &mut String) {}

    fn problem(&self, printed: &Printed<'_>, problems: &mut String, solutions: &mut String) {
        let mut line = |line: std::fmt::Arguments<'_>| {
            let _ = writeln!(problems, "{line}");
        };
        line(format_args!("\n\\begin{{opening}}\n\\problem{{{}}}{{{}}}", printed.number, escape(printed.title)));
        if !printed.note.is_empty() {
            line(format_args!("\\remark{{{}}}", escape(printed.note)));
        }
        if let Some(diagram) = &printed.diagram {
            let (left, right) = (escape(&diagram.left), &diagram.right);
            line(format_args!("\\board{{{}}}{{{left}}}{{{right}}}", diagram.board));
            for twin in &diagram.twins {
                line(format_args!("\\twin{{{}}}", escape(twin)));
            }
        }
        line(format_args!("\\end{{opening}}"));
        let _ = writeln!(solutions, "\n\\solution{{{}}}{{{}}}", printed.number, escape(printed.title));
        for phase in &printed.phases {
            write_phase(phase, solutions);
        }
        if let Some(stamp) = &printed.stamp {
            let _ = writeln!(solutions, "\\remark{{{}}}", escape(stamp));
        }
    }

    fn document(&self, booklet: &Booklet, title: &str, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(beginning().as_bytes())?;
        if booklet.count == 1 {
            writeln!(out, "\\renewcommand{{\\numbered}}[1]{{}}\\renewcommand{{\\solution}}[2]{{}}")?;
        } else {
            writeln!(out, "\\booklet{{{}}}{{{}}}", escape(title), booklet.counts())?;
        }
        let gap = if booklet.count == 1 { "" } else { "\n\\solutions\n" };
        writeln!(out, "{}{gap}{}\\end{{document}}", booklet.problems, booklet.solutions)
    }
}

/// Writes the solution of a phase.
fn write_phase(phase: &PrintedPhase<'_>, text: &mut String) {
    let mut line = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "{line}");
    };
    let gap = if phase.heading.is_empty() { "" } else { " " };
    line(format_args!("\\verdict{{{}{gap}{}}}", escape(&phase.heading), escape(&phase.verdict)));
    for remark in &phase.remarks {
        line(format_args!("\\remark{{{}}}", escape(remark)));
    }
    for ply in phase.solution.lines() {
        let moves = ply.trim_start();
        let depth = ((ply.len() - moves.len()) / 2).min(DEEPEST);
        match moves {
            "" => line(format_args!("\\smallskip")),
            moves => line(format_args!("\\ply{{{depth}}}{{{}}}", escape(moves))),
        }
    }
    for grid in &phase.grids {
        line(format_args!("{}", table(grid)));
    }
    for (heading, items) in &phase.lists {
        line(format_args!("\\heading{{{heading}}}"));
        for item in items {
            line(format_args!("\\ply{{0}}{{{}}}", escape(item)));
        }
    }
}

/// Returns a diagram as a document. `width` is the width of the board in pixels, of which an inch has 96.
pub fn diagram(board: &Board, caption: &Caption, width: Option<u32>) -> String {
    let mut text = beginning();
    text.push_str("\\onecolumn\\pagestyle{empty}\n");
    let size = width.map(|width| format!("boardfontsize={:.2}pt", f64::from(width) * 72.27 / 96.0 / 8.0));
    let labels =
        caption.coordinates.then(|| "labelleft=true,labelbottom=true,marginleft=true,marginbottom=true".to_owned());
    for option in size.into_iter().chain(labels) {
        let _ = writeln!(text, "\\setchessboard{{{option}}}");
    }
    text.push_str("\\begin{opening}\n");
    if let Some(title) = &caption.title {
        let _ = writeln!(text, "\\verdict{{{}}}", escape(title));
    }
    let left = caption.stipulation.as_deref().map_or_else(String::new, escape);
    let right = if caption.counts { svg::counts(board) } else { String::new() };
    let _ = writeln!(text, "\\board{{{board}}}{{{left}}}{{{right}}}");
    for twin in &caption.twins {
        let _ = writeln!(text, "\\ply{{0}}{{{}}}", escape(twin));
    }
    text.push_str("\\end{opening}\n\\end{document}\n");
    text
}

/// Returns the beginning of a document.
fn beginning() -> String {
    format!("% matesolve {}: for pdflatex, with the package chessboard\n{PREAMBLE}", env!("CARGO_PKG_VERSION"))
}

/// Returns a part of the table of phases.
fn table(grid: &Grid) -> String {
    let columns = grid.first().map_or(0, Vec::len);
    let rows = grid.iter().map(|row| row.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" & "));
    let rows: Vec<String> = rows.collect();
    let (headings, rows) = rows.split_at(HEADINGS.min(rows.len()));
    let (headings, rows) = (headings.join(" \\\\\n"), rows.join(" \\\\\n"));
    format!("\\begin{{phases}}{{{}}}\n{headings} \\\\\\hline\n{rows}\n\\end{{phases}}", "l".repeat(columns))
}

/// Escapes a text of one line. Nothing in it becomes a command or a ligature, and a long word may be divided.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut word = 0;
    for letter in printable::line(text).chars() {
        word = if letter == ' ' { 0 } else { word + 1 };
        if word > LONGEST_WORD {
            escaped.push_str("\\allowbreak{}");
            word = 1;
        }
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            // Two of these would become one sign.
            '-' | '<' | '>' | ',' | '\'' | '`' | '!' | '?' => {
                escaped.push(letter);
                escaped.push_str("{}");
            }
            '♔'..='♟' => {
                const FIGURINES: [(&str, &str); 6] =
                    [("king", "K"), ("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N"), ("pawn", "")];
                let at = u32::from(letter) as usize - '♔' as usize;
                let colour = if at < 6 { "" } else { "black" };
                let (name, english) = FIGURINES[at % 6];
                let _ = write!(escaped, "\\{colour}figurine{{{name}}}{{{english}}}");
            }
            '→' => escaped.push_str("$\\rightarrow$"),
            '↔' => escaped.push_str("$\\leftrightarrow$"),
            '≤' => escaped.push_str("$\\leq$"),
            '…' => escaped.push_str("\\dots{}"),
            ' '..='~' | '·' | '«' | '»' | '–' | '—' | '‘' | '’' | '“' | '”' | '„' => {
                escaped.push(letter);
            }
            letter if is_european(letter) => escaped.push(letter),
            letter => {
                let _ = write!(escaped, "\\letter{{{:04X}}}", u32::from(letter));
            }
        }
    }
    escaped
}

/// Returns whether the letter is one of Latin script that every pdflatex can set.
fn is_european(letter: char) -> bool {
    let lacks = ['Ħ', 'ħ', 'ĸ', 'Ŀ', 'ŀ', 'ŉ', 'Ŧ', 'ŧ', 'ſ'];
    matches!(letter, '\u{c0}'..='\u{17f}') && !lacks.contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_a_command_or_a_ligature() {
        assert_eq!(escape("\\input{x} 50% #2 a_b"), "\\textbackslash{}input\\{x\\} 50\\% \\#2 a\\_b");
        assert_eq!(escape("wRh1-->g1 ?`"), "wRh1-{}-{}>{}g1 ?{}`{}");
        assert_eq!(escape("Ж é\n\\end"), "\\letter{0416} é \\textbackslash{}end");
        assert_eq!(escape("b) ♞a1→b2 ♔"), "b) \\blackfigurine{knight}{N}a1$\\rightarrow$b2 \\figurine{king}{K}");
        assert!(escape(&"x".repeat(40)).matches("\\allowbreak").count() == 2);
    }
}
