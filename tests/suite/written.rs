//! What is written of solved problems: whole reports piece by piece, tables of phases, entries of collections.

use std::borrow::Cow;
use std::io::{self, Write};

use matesolve::output::olv::{new, with_solution};
use matesolve::output::report::{Depth, ReportFormat, ReportStyle};
use matesolve::problem::olv::OlvEntry;
use matesolve::results::report::ReportOptions;
use matesolve::{Problem, Solver};

/// Counts what is written, and remembers the longest piece.
#[derive(Default)]
struct Pieces {
    total: usize,
    longest: usize,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.total += bytes.len();
        self.longest = self.longest.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_report_is_written_piece_by_piece() {
    let problem = Problem::read("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - dm 3;").unwrap();
    let options = ReportOptions { tries: Some(100), ..Default::default() };
    let report = Solver::new().report(&problem, options);
    let style = ReportStyle { depth: Some(Depth::All), ..ReportStyle::default() };
    for format in [ReportFormat::Text, ReportFormat::Json, ReportFormat::Jsonl] {
        let mut pieces = Pieces::default();
        format.write_to(Cow::Borrowed(&report), style, &mut pieces).unwrap();
        let whole = format.write(&report, style).len();
        assert_eq!((pieces.total, pieces.longest < whole / 20), (whole, true), "{format:?} {}", pieces.longest);
    }
}

/// Returns a report with a table, in a format.
fn with_table(line: &str, format: ReportFormat) -> String {
    let problem = Problem::read(line).unwrap();
    let options = ReportOptions::default().with(ReportOptions::add_full);
    let report = Solver::new().report(&problem, options);
    anstream::adapter::strip_str(&format.write(&report, ReportStyle::default())).to_string()
}

const MUTATE: &str = "8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - - dm 2;";

#[test]
fn the_table_stands_in_text_json_and_page() {
    let text = with_table(MUTATE, ReportFormat::Text);
    let table = text.split_once("\nphases\n").unwrap().1;
    let table: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    assert!(table[0].trim_start().starts_with("a ") && table[2].starts_with("  set play "), "{text}");
    assert!(table.iter().any(|line| line.starts_with("  1.Bb5!    zugzwang") && line.contains("Ncb3#")), "{text}");
    assert!(table.iter().all(|line| line.chars().count() <= 118));
    let json: serde_json::Value = serde_json::from_str(&with_table(MUTATE, ReportFormat::Json)).unwrap();
    let rows = json["phases_table"]["rows"].as_array().unwrap();
    let columns = json["phases_table"]["columns"].as_array().unwrap().len();
    assert_eq!(rows[0]["kind"], "set_play");
    assert!(rows.iter().all(|row| row["cells"].as_array().unwrap().len() == columns) && columns > 2);
    let page = with_table(MUTATE, ReportFormat::Html);
    assert!(page.contains("<h2>Phases</h2>") && page.contains("<th>1.Bb5!</th><td>zugzwang</td>"), "{page}");
}

#[test]
fn a_plain_report_has_no_table() {
    let report = Solver::new().report(&Problem::read(MUTATE).unwrap(), ReportOptions::default());
    for format in [ReportFormat::Text, ReportFormat::Json, ReportFormat::Html] {
        let text = format.write(&report, ReportStyle::default());
        let is_there =
            ["phases\n", "phases_table", "<h2>Phases", "class=\"phases\""].iter().any(|it| text.contains(it));
        assert!(!is_there, "{format:?}");
    }
}

#[test]
fn themes_become_keywords() {
    let options = ReportOptions::default().with(ReportOptions::add_full);
    let problem = Problem::read("8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - - dm 2;").unwrap();
    let report = Solver::new().report(&problem, options);
    let written = new(&report).unwrap();
    let list = "keywords: [\"Miniature\",\"Mutate\",\"Changed mates\",\"Black correction\",\"Model mates\"]\n";
    assert!(written.contains(list), "{written}");
    // What two-movers are made of is a theme of the report, but no keyword.
    assert!(report.themes.iter().flatten().any(|theme| theme.name == "Unguard"));
    // The keywords of an existing entry stay.
    let source = "algebraic: {white: [Kc7, Ba4, Sd4, Sc5, Pc3], black: [Ka5, Bd5]}\nstipulation: \"#2\"\nkeywords:\n  \
                  - Mutate\n  - Letters\n";
    let entry = OlvEntry::read(source, 1).unwrap();
    let written = with_solution(&entry, &report).unwrap().unwrap();
    let again = OlvEntry::read(&written, 1).unwrap();
    assert_eq!(
        again.texts("keywords"),
        ["Mutate", "Letters", "Miniature", "Changed mates", "Black correction", "Model mates"]
    );
    assert!(again.problem.solution.is_some());
}

/// Writes the report on a JSON problem as an entry, and reads its phases.
fn written(fields: &str) -> (String, Vec<(String, Option<String>)>) {
    let line = format!("{{\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\", {fields}}}");
    let problem = Problem::read(&line).unwrap();
    let entry = new(&Solver::new().report(&problem, ReportOptions::default())).unwrap();
    let again = OlvEntry::read(entry.trim_start_matches("---\n"), 1).map(|entry| entry.problem.phases);
    let names = again.unwrap_or_default().into_iter().map(|phase| {
        let fen = phase.problem.ok().map(|problem| format!("{} {}", problem.fen, problem.question.stipulation));
        (phase.name.to_string(), fen)
    });
    (entry, names.collect())
}

#[test]
fn an_entry_for_a_json_problem_has_its_twins() {
    let twins = r##""stipulation": "#2", "twins": {"b": "wRh1-h2", "c": "Continued Remove g7 #3", "d": "pser-#2"}"##;
    let (entry, phases) = written(twins);
    let twins = "twins:\n  \"b\": \"wRh1-->h2\"\n  \"c\": \"Continued -bPg7  #3\"\n  \"d\": \"pser-#2\"\n";
    assert!(entry.contains(twins) && entry.contains("  b) wRh1-->h2"), "{entry}");
    let expected = [
        ("a)", Some("5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1 #2")),
        ("b) wRh1-->h2", Some("5Kbk/6pp/6P1/8/8/8/7R/8 w - - 0 1 #2")),
        ("+c) -bPg7  #3", Some("5Kbk/7p/6P1/8/8/8/7R/8 w - - 0 1 #3")),
        ("d) pser-#2", None),
    ];
    assert_eq!(phases, expected.map(|(name, fen)| (name.to_owned(), fen.map(str::to_owned))));
    let (_, lengths) = written(r#""twins": {"b": "Remove g8"}"#);
    assert_eq!(lengths.len(), 2);
}

#[test]
fn a_duplex_is_written_and_phases_without_their_diagram_are_not() {
    let (entry, phases) = written(r##""stipulation": "#1", "duplex": true"##);
    assert!(entry.contains("options: [\"Duplex\"]") && phases.len() == 2, "{entry}");
    let (entry, _) = written(r##""stipulation": "#2", "twins": {"a": "Remove g7", "b": "wRh1-h2"}"##);
    assert!(entry.starts_with("# The problem is not written: ") && entry.lines().count() == 1, "{entry}");
}
