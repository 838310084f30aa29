//! Writes the phases side by side and the themes of a report: as text, and as parts of a page.
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
//! In the cells stand the answers with their letters, `!` for a refutation, `=` where the threat follows, `-` where the
//! set play has no answer, nothing where the defence is not possible, and `…` where a limit left the cell open. A table
//! that is too wide for a line goes on below. Why the tries fail follows, as far as the tries themselves are the
//! reason.

use std::fmt::Write;

use crate::output::svg::escape;
use crate::results::report::Report;
use crate::results::themes::{LetteredPly, PhaseCell, PhaseRow, PhaseTable};

use super::styles::STRONG;

/// The longest line of a table, in characters.
const WIDTH: usize = 118;

/// The most defences that a heading names.
const NAMED: usize = 3;

/// The most answers that a cell names.
const ANSWERS: usize = 2;

/// Writes the table and the themes, if the report has them.
pub(super) fn text(out: &mut dyn Write, report: &Report) {
    if let Some(table) = &report.phases_table {
        let _ = write!(out, "\n\n{STRONG}phases{STRONG:#}");
        blocks(out, table);
        failures(out, table);
    }
    if let Some(themes) = &report.themes {
        let _ = write!(out, "\n\n{STRONG}themes{STRONG:#}");
        if themes.is_empty() {
            let _ = write!(out, "\n  none");
        }
        for theme in themes {
            let _ = write!(out, "\n  {}", theme.text());
        }
    }
}

/// Writes why the tries fail, a line for each reason.
fn failures(out: &mut dyn Write, table: &PhaseTable) {
    let mut rows = table.rows.iter().filter(|row| !row.failures.is_empty()).peekable();
    if rows.peek().is_some() {
        let _ = write!(out, "\n\n{STRONG}why tries fail{STRONG:#}");
    }
    for row in rows {
        for failure in &row.failures {
            let _ = write!(out, "\n  {} {}", row.phase, failure.text());
        }
    }
}

/// Writes the table, as many columns at a time as fit.
fn blocks(out: &mut dyn Write, table: &PhaseTable) {
    let names: Vec<String> = table.rows.iter().map(|row| row.phase.to_string()).collect();
    let mut columns = vec![threats(table)];
    columns.extend((0..table.columns.len()).map(|index| column(table, index)));
    let width = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let of_names = width(&names);
    let mut at = 0;
    loop {
        let mut end = at;
        let mut used = 2 + of_names;
        while end < columns.len() && (end == at || used + 2 + width(&columns[end]) <= WIDTH) {
            used += 2 + width(&columns[end]);
            end += 1;
        }
        if at > 0 {
            let _ = out.write_str("\n");
        }
        for line in 0..names.len() + 2 {
            let name = line.checked_sub(2).map_or("", |row| names[row].as_str());
            let mut text = format!("  {}", padded(name, of_names));
            for column in &columns[at..end] {
                let _ = write!(text, "  {}", padded(&column[line], width(column)));
            }
            let _ = write!(out, "\n{}", text.trim_end());
        }
        at = end;
        if at >= columns.len() {
            return;
        }
    }
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

/// The style of the table on a page. It stands beside the table, so that pages without one do not change.
const STYLE: &str = "<style>#phases table{border-collapse:collapse;font-size:.85em}#phases td,#phases th{border:1px solid \
                     currentColor;padding:.15em .4em;text-align:left;vertical-align:top}#phases{overflow-x:auto}</style>";

/// Returns the table and the themes as parts of a page; empty if the report has neither.
pub(in crate::output) fn page(report: &Report) -> String {
    let mut page = String::new();
    if let Some(table) = &report.phases_table {
        let _ = write!(page, "{STYLE}\n<div id=\"phases\">\n<h2>Phases</h2>\n<table>\n<tr><th></th><th>threat</th>");
        for (index, column) in table.columns.iter().enumerate() {
            let _ = write!(page, "<th>{}<br>{}</th>", column.letter, escape(&defences(table, index)));
        }
        page.push_str("</tr>\n");
        for row in &table.rows {
            let _ = write!(page, "<tr><th>{}</th><td>{}</td>", escape(&row.phase.to_string()), escape(&pass(row)));
            for it in &row.cells {
                let _ = write!(page, "<td>{}</td>", escape(&cell(it)));
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</table>\n</div>\n");
        page.push_str(&failures_page(table));
    }
    if let Some(themes) = &report.themes {
        page.push_str("<h2>Themes</h2>\n<ul>\n");
        for theme in themes {
            let _ = writeln!(page, "<li>{}</li>", escape(&theme.text()));
        }
        page.push_str("</ul>\n");
    }
    page
}

/// Returns why the tries fail as a list; empty if there is no reason to name.
fn failures_page(table: &PhaseTable) -> String {
    let mut page = String::new();
    for row in &table.rows {
        for failure in &row.failures {
            let _ = writeln!(page, "<li>{} {}</li>", escape(&row.phase.to_string()), escape(&failure.text()));
        }
    }
    if page.is_empty() { page } else { format!("<h2>Why tries fail</h2>\n<ul>\n{page}</ul>\n") }
}

#[cfg(test)]
mod tests {
    use crate::output::report::{ReportFormat, ReportStyle};
    use crate::results::report::ReportOptions;
    use crate::{Problem, Solver};

    /// Returns a report with a table, in a format.
    fn written(line: &str, format: ReportFormat) -> String {
        let problem = Problem::read(line).unwrap();
        let options = ReportOptions::default().with(|options| options.phases_table = true);
        let report = Solver::new().report(&problem, options);
        anstream::adapter::strip_str(&format.write(&report, ReportStyle::default())).to_string()
    }

    const MUTATE: &str = "8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - - dm 2;";

    #[test]
    fn the_table_stands_in_text_json_and_page() {
        let text = written(MUTATE, ReportFormat::Text);
        let table = text.split_once("\nphases\n").unwrap().1;
        let table: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
        assert!(table[0].trim_start().starts_with("a ") && table[2].starts_with("  set play "), "{text}");
        assert!(table.iter().any(|line| line.starts_with("  1.Bb5!    zugzwang") && line.contains("Ncb3#")), "{text}");
        assert!(table.iter().all(|line| line.chars().count() <= super::WIDTH));
        let json: serde_json::Value = serde_json::from_str(&written(MUTATE, ReportFormat::Json)).unwrap();
        let rows = json["phases_table"]["rows"].as_array().unwrap();
        let columns = json["phases_table"]["columns"].as_array().unwrap().len();
        assert_eq!(rows[0]["kind"], "set_play");
        assert!(rows.iter().all(|row| row["cells"].as_array().unwrap().len() == columns) && columns > 2);
        let page = written(MUTATE, ReportFormat::Html);
        assert!(page.contains("<h2>Phases</h2>") && page.contains("<th>1.Bb5!</th><td>zugzwang</td>"), "{page}");
    }

    #[test]
    fn a_plain_report_has_no_table() {
        let report = Solver::new().report(&Problem::read(MUTATE).unwrap(), ReportOptions::default());
        for format in [ReportFormat::Text, ReportFormat::Json, ReportFormat::Html] {
            assert!(!format.write(&report, ReportStyle::default()).to_lowercase().contains("phases"), "{format:?}");
        }
    }
}
