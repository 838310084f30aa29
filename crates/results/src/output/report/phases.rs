//! Writes the phases side by side and the themes of a report: as text, and as parts of a page or of a booklet.
//!
//! ```text
//! phases
//!                       a         b
//!             threat    Be4       Be6, Bf7
//!   set play            A Ndb3#   B Nc6#
//!   1.Bb5!    zugzwang  C Ncb3#   D Nb7#
//!
//! themes
//!   Changed mates: set play 1...Be4 2.Ndb3#, 1...Be6 2.Nc6#; 1.Bb5! 1...Be4 2.Ncb3#, 1...Be6 2.Nb7#
//! ```
//!
//! In the cells stand the answers with their letters, `!` for a refutation, `=` where the threat or a faster mate
//! follows, `-` where the set play has no answer, nothing where the defence is not possible, and `…` where a limit left
//! the cell open. A table that is too wide for a line goes on below; on a page and on paper its parts are narrower. The
//! meaning of the signs, why tries fail, and the themes follow.

use std::fmt::Write;

use crate::chess::Goal;
use crate::output::styles::STRONG;
use crate::output::svg::escape;
use crate::results::SidedStipulation;
use crate::results::report::Report;
use crate::results::themes::{LetteredPly, PhaseCell, PhaseRow, PhaseTable, Theme};

/// The longest line of a table in text, in characters.
const WIDTH: usize = 118;

/// The widest part of a table on a page or on paper, in characters: it fits a phone and a column of print.
const NARROW: usize = 46;

/// The most defences that a heading names.
const NAMED: usize = 3;

/// The most answers that a cell names.
const ANSWERS: usize = 2;

/// Explains the signs in the cells.
const SIGNS: &str =
    "a, b: defences; A, B: answers; ! refutes; = the threat follows; - no answer in the set play; +1: one more";

/// A part of a table: its rows of cells. The first cell of a row is the name of its phase; two rows are headings.
pub(in crate::output) type Grid = Vec<Vec<String>>;

/// The number of rows that are headings.
pub(in crate::output) const HEADINGS: usize = 2;

/// A list below the table: its heading, and its items.
pub(in crate::output) type List = (&'static str, Vec<String>);

/// Returns the table of phases for a page or for paper, in parts that stand below or beside one another.
pub(in crate::output) fn grids(report: &Report) -> Vec<Grid> {
    report.phases_table.iter().flat_map(|table| parts(table, NARROW)).collect()
}

/// Returns what stands below the table: why the tries fail, and the themes.
pub(in crate::output) fn lists(report: &Report) -> Vec<List> {
    let rows = report.phases_table.iter().flat_map(|table| &table.rows);
    let reasons = rows.flat_map(|row| row.failures.iter().map(|it| format!("{} {}", row.phase, it.text())));
    let signs = report.phases_table.iter().map(|_| SIGNS.to_owned());
    let mut lists = vec![("Signs", signs.collect()), ("Why tries fail", reasons.collect::<Vec<_>>())];
    lists.retain(|(_, reasons)| !reasons.is_empty());
    if let Some(themes) = &report.themes {
        let texts = themes.iter().map(Theme::text).collect::<Vec<_>>();
        let of_other_goals =
            format!("not looked for: they are named for direct mates, not for {}", stipulation_text(report));
        let none =
            if report.goal() == Goal::MATE && report.help.is_none() { "none".to_owned() } else { of_other_goals };
        lists.push(("Themes", if texts.is_empty() { vec![none] } else { texts }));
    }
    lists
}

fn stipulation_text(report: &Report) -> String {
    report.stipulation.as_ref().map_or_else(String::new, SidedStipulation::text)
}

/// Writes the table and the themes, if the report has them.
pub(super) fn text(out: &mut dyn Write, report: &Report) {
    if let Some(table) = &report.phases_table {
        let _ = write!(out, "\n\n{STRONG}phases{STRONG:#}");
        for (index, grid) in parts(table, WIDTH).iter().enumerate() {
            let _ = out.write_str(if index > 0 { "\n" } else { "" });
            write_grid(out, grid);
        }
    }
    for (heading, items) in lists(report) {
        let _ = write!(out, "\n\n{STRONG}{}{STRONG:#}", heading.to_lowercase());
        for item in items {
            let _ = write!(out, "\n  {item}");
        }
    }
}

/// Writes a part of a table with its cells below one another.
fn write_grid(out: &mut dyn Write, grid: &Grid) {
    let columns = grid.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns).map(|column| width(grid.iter().map(|row| &row[column]))).collect();
    for row in grid {
        let cells = row.iter().zip(&widths).map(|(text, &width)| padded(text, width));
        let _ = write!(out, "\n  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

/// Divides the table into parts of at most `most` characters in a line, with the names of the phases in each.
fn parts(table: &PhaseTable, most: usize) -> Vec<Grid> {
    let mut names = vec![String::new(); HEADINGS];
    names.extend(table.rows.iter().map(|row| row.phase.to_string()));
    let mut columns = vec![threats(table)];
    columns.extend((0..table.columns.len()).map(|index| column(table, index)));
    let mut parts: Vec<Vec<&Vec<String>>> = Vec::new();
    let mut used = most;
    for column in &columns {
        let width = width(column.iter()) + 2;
        if parts.is_empty() || used + width > most {
            parts.push(vec![&names]);
            used = self::width(names.iter()) + 2;
        }
        used += width;
        parts.last_mut().into_iter().for_each(|part| part.push(column));
    }
    let grid = |part: Vec<&Vec<String>>| {
        (0..names.len()).map(|row| part.iter().map(|column| column[row].clone()).collect()).collect()
    };
    parts.into_iter().map(grid).collect()
}

/// Returns the number of characters of the longest text.
fn width<'t>(texts: impl Iterator<Item = &'t String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

fn padded(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(gap))
}

/// Returns the texts of the column with the threats.
fn threats(table: &PhaseTable) -> Vec<String> {
    let mut texts = vec![String::new(), "threat".to_owned()];
    texts.extend(table.rows.iter().map(pass));
    texts
}

/// Returns the texts of a column: its letter, its defences, and its cells.
fn column(table: &PhaseTable, index: usize) -> Vec<String> {
    let column = &table.columns[index];
    let mut texts = vec![column.letter.clone(), defences(table, index)];
    texts.extend(table.rows.iter().map(|row| row.cells.get(index).map_or_else(String::new, cell)));
    texts
}

/// Returns the defences of a column; of many only the first ones and their number.
fn defences(table: &PhaseTable, index: usize) -> String {
    let names: Vec<String> = table.columns[index].defences.iter().map(|ply| ply.san.clone()).collect();
    shortened(&names, NAMED)
}

/// Returns the threats of a row, or that the defender is in zugzwang.
fn pass(row: &PhaseRow) -> String {
    if row.zugzwang { "zugzwang".to_owned() } else { lettered(&row.threats) }
}

/// Lists moves with their letters; of many only the first ones and their number.
fn lettered(moves: &[LetteredPly]) -> String {
    let texts: Vec<String> = moves.iter().map(|it| format!("{} {}", it.letter, it.ply.san)).collect();
    shortened(&texts, ANSWERS)
}

/// Joins texts; of more than `most` only the first ones and the number of the others.
fn shortened(texts: &[String], most: usize) -> String {
    match texts.len().checked_sub(most) {
        Some(more) if more > 0 => format!("{} +{more}", texts[..most].join(", ")),
        _ => texts.join(", "),
    }
}

fn cell(cell: &PhaseCell) -> String {
    match cell {
        PhaseCell::Answers(answers) => lettered(answers),
        PhaseCell::Refutes => "!".to_owned(),
        PhaseCell::Threat => "=".to_owned(),
        PhaseCell::Unanswered => "-".to_owned(),
        PhaseCell::Illegal => String::new(),
        PhaseCell::Open => "…".to_owned(),
    }
}

/// Returns the table and the themes as parts of a page; empty if the report has neither.
pub(in crate::output) fn page(report: &Report) -> String {
    let mut page = String::new();
    let grids = grids(report);
    if !grids.is_empty() {
        page.push_str("<h2>Phases</h2>\n<div class=\"phases\">\n");
        for grid in &grids {
            page.push_str("<table>\n");
            for (index, row) in grid.iter().enumerate() {
                page.push_str("<tr>");
                for (column, text) in row.iter().enumerate() {
                    let is_heading = (index < HEADINGS || column == 0) && !text.is_empty();
                    let tag = if is_heading { "th" } else { "td" };
                    let _ = write!(page, "<{tag}>{}</{tag}>", escape(text));
                }
                page.push_str("</tr>\n");
            }
            page.push_str("</table>\n");
        }
        page.push_str("</div>\n");
    }
    for (heading, items) in lists(report) {
        let _ = writeln!(page, "<h2>{heading}</h2>\n<ul>");
        for item in items {
            let _ = writeln!(page, "<li>{}</li>", escape(&item));
        }
        page.push_str("</ul>\n");
    }
    page
}
