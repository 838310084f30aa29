//! Writes results as a table (CSV): a header, and one row for each result.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula. In the columns whose texts come from
//! the input, an apostrophe is written before such a text.

use csv::WriterBuilder;
use serde_json::Value;

use crate::results::{SidedStipulation, Solution};

/// The first line: the names of the columns. `docs/formats.md` describes them.
pub(crate) const HEADER: &str = "line,id,fen,stipulation,status,mate_in,proved_shortest,refuted_through,no_mate_at_all,\
    pv,pv_san,engine,nodes,time_ms,stopped_by,check,warnings,error,solved_in,attacker,intended\n";

/// Writes a result as one row, without a line break.
pub(crate) fn row(solution: &Solution) -> String {
    let Solution { result, stats, .. } = solution;
    let number = |number: Option<u16>| number.map_or_else(String::new, |number| number.to_string());
    let cells = [
        solution.line.map_or_else(String::new, |line| line.to_string()),
        text(solution.id.as_deref()),
        solution.fen.clone().unwrap_or_default(),
        text(solution.stipulation.as_ref().map(SidedStipulation::text).as_deref()),
        word(&result.status),
        number(result.mate_in),
        result.proved_shortest.to_string(),
        number(result.refuted_through),
        result.no_mate_at_all.to_string(),
        result.pv.as_ref().map_or_else(String::new, |pv| pv.join(" ")),
        result.pv_san.clone().unwrap_or_default(),
        stats.engine.clone().unwrap_or_default(),
        stats.nodes.to_string(),
        stats.time_ms.to_string(),
        stats.stopped_by.map_or_else(String::new, |limit| word(&limit)),
        solution.check.map_or_else(String::new, |check| word(&check)),
        text(Some(&solution.warnings.join(" "))),
        text(solution.error.as_deref()),
        result.solved_in.as_ref().map_or_else(String::new, ToString::to_string),
        solution
            .stipulation
            .map_or_else(String::new, |question| question.attacker.fold_wb("white", "black").to_owned()),
        solution.help.as_ref().map_or_else(String::new, |help| help.intended.to_string()),
    ];
    line(&cells)
}

/// Joins the cells of a row, without a line break.
pub(crate) fn line(cells: &[String]) -> String {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(cells);
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned()
}

/// Returns the word for a value in JSON.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Returns a text from the input in a form that no spreadsheet takes for a formula.
pub(crate) fn text(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Stipulation;
    use crate::output::{Format, stream};
    use crate::problem::{Problem, ProblemError, input};
    use crate::results::solution::{Outcome, Status};
    use crate::results::testing::verified;

    const LINE: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;";

    /// Returns a solved problem.
    fn solved() -> Solution {
        let mut solution = Solution::of(&Problem::read(LINE).unwrap());
        solution.result = Outcome {
            mate_in: Some(2),
            refuted_through: Some(1),
            proved_shortest: true,
            verified: verified(),
            pv: Some(["h1h6", "g8a2", "h6h7"].map(str::to_owned).to_vec()),
            pv_san: Some("1. Rh6 Ba2 2. Rxh7#".to_owned()),
            ..Outcome::bare(Status::Mate)
        };
        solution.stats.engine = Some("race".to_owned());
        solution
    }

    fn item(solution: &Solution, first: bool) -> String {
        stream::text(|out| Format::Csv.write_item(solution, first, out))
    }

    #[test]
    fn a_row_has_a_cell_for_each_column() {
        let mut solution = solved();
        (solution.line, solution.id) = (Some(4), Some("a, \"b\"".to_owned()));
        (solution.stats.nodes, solution.stats.time_ms) = (52, 1);
        assert_eq!(
            row(&solution),
            "4,\"a, \"\"b\"\"\",5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1,#2,mate,2,true,1,false,h1h6 g8a2 h6h7,\
             1. Rh6 Ba2 2. Rxh7#,race,52,1,,,,,,white,"
        );
        assert_eq!(HEADER.split(',').count(), 21);
        let invalid = Solution::invalid(Some(5), &ProblemError::Text("no, text".to_owned()));
        assert_eq!(row(&invalid), "5,,,,invalid,,false,,false,,,,0,0,,,,\"no, text\",,,");
    }

    #[test]
    fn texts_of_the_input_are_no_formulas() {
        for (given, expected) in [("=1+1", "'=1+1"), ("-x", "'-x"), ("@a", "'@a"), (" +1", "' +1"), ("a=1", "a=1")] {
            let mut solution = Solution::of(&Problem::read(LINE).unwrap());
            solution.id = Some(given.to_owned());
            assert!(row(&solution).starts_with(&format!(",{expected},5Kbk")), "{given}");
        }
        let mut solution = Solution::of(&Problem::read(LINE).unwrap());
        solution.id = Some("\t=1\n2".to_owned());
        let written = item(&solution, false);
        assert!(written.starts_with(",' =1 2,5Kbk"), "{written}");
    }

    #[test]
    fn a_table_of_results_can_be_used_as_input() {
        let mut solution = Solution::of(&Problem::read(&format!("{LINE} id \"x\";")).unwrap());
        let solved = solved();
        (solution.line, solution.stipulation) = (Some(9), solved.stipulation);
        let table = format!("{}\n", item(&solution, true));
        let problems: Vec<Problem> =
            input::entries(table.as_bytes(), 0, input::Reading::default()).map(|line| line.problem.unwrap()).collect();
        assert_eq!((problems.len(), problems[0].id.as_deref()), (1, Some("x")));
        assert_eq!(problems[0].question.stipulation.to_string(), "#2");
        for text in ["=3", "s#3", "r#"] {
            let stipulation = Stipulation::parse_stated(text).unwrap();
            solution.stipulation = Some(SidedStipulation::of(stipulation, shakmaty::Color::White));
            let table = format!("{}\n", item(&solution, true));
            let mut problems = input::entries(table.as_bytes(), 0, input::Reading::default());
            assert_eq!(problems.next().unwrap().problem.unwrap().question.stipulation, stipulation, "{table}");
        }
        // The shortest mate was asked for: the stipulation has no length.
        solution.stipulation = Some(SidedStipulation::of(Stipulation::default(), shakmaty::Color::White));
        let table = format!("{}\n", item(&solution, true));
        let mut problems = input::entries(table.as_bytes(), 0, input::Reading::default());
        assert_eq!(problems.next().unwrap().problem.unwrap().question.stipulation, Stipulation::default());
    }
}
