//! Writes a comparison as one JSON object. `docs/batch.md` describes its fields.

use serde_json::{Map, Value, json as object};

use crate::base::printable;

use super::judge::words;
use super::record::{ANY_LENGTH, RunClaims};
use super::table::{Costs, LengthRow};
use super::{Comparison, Difference, Record, other_goal};

/// Writes a comparison. Of each kind of difference at most `most` positions are listed.
pub(crate) fn json(comparison: &Comparison, most: usize) -> String {
    let matching = &comparison.matching;
    let counts: Map<String, Value> =
        Difference::ALL.iter().map(|&kind| (kind.name().to_owned(), comparison.count(kind).into())).collect();
    let differences: Vec<Value> = Difference::ALL
        .iter()
        .flat_map(|&kind| comparison.with(kind, most).map(move |(a, b)| difference(kind, a, b)))
        .collect();
    let only = |run| comparison.only(run).take(most).map(only_one).collect::<Vec<Value>>();
    let run = |index: usize| {
        let run = &comparison.runs[index];
        object!({ "name": run.name, "results": run.records.len() })
    };
    let rows: Vec<Value> = comparison.table.rows.iter().map(|(&length, row)| table_row(length, row)).collect();
    let value = object!({
        "schema_version": "1",
        "a": run(0),
        "b": run(1),
        "compared": comparison.compared(),
        "by_id": matching.by_id,
        "only_in_a": matching.only[0].len(),
        "only_in_b": matching.only[1].len(),
        "ids_of_different_positions": matching.other_position,
        "solved_by_both": comparison.common.both,
        "solved_by_neither": comparison.common.neither,
        "counts": counts,
        "cost_where_both_solved": {
            "nodes": cost(&comparison.common.nodes),
            "time_ms": cost(&comparison.common.time_ms),
        },
        "by_length": rows,
        "total": counts_of(&comparison.table.total),
        "differences": differences,
        "lines_only_in_a": only(0),
        "lines_only_in_b": only(1),
    });
    printable::json(format!("{value:#}\n"))
}

fn cost(costs: &Costs) -> Value {
    object!({ "positions": costs.count, "a": costs.sums[0], "b": costs.sums[1], "ratio": costs.ratio() })
}

fn table_row(length: Option<u16>, row: &LengthRow) -> Value {
    object!({ "length": length, "lines": row.lines, "a": row.runs[0], "b": row.runs[1] })
}

fn counts_of(row: &LengthRow) -> Value {
    object!({ "lines": row.lines, "a": row.runs[0], "b": row.runs[1] })
}

fn difference(kind: Difference, a: &Record, b: &Record) -> Value {
    object!({
        "kind": kind.name(),
        "id": a.id.as_deref().or(b.id.as_deref()),
        "fen": a.fen.as_deref().or(b.fen.as_deref()),
        "stipulation": stipulation(a, b),
        "a": side(a),
        "b": side(b),
    })
}

fn side(record: &Record) -> Value {
    let RunClaims { mates, no_mate, mated, not_mated, is_proved, .. } = record.claims;
    object!({
        "line": record.line,
        "answer": words(&record.claims),
        "mate_in": mates,
        "no_mate_through": no_mate.filter(|n| *n < ANY_LENGTH),
        "no_mate_at_all": no_mate == Some(ANY_LENGTH),
        "mated_in": mated,
        "not_mated_through": not_mated.filter(|n| *n < ANY_LENGTH),
        "proved_shortest": is_proved,
        "nodes": record.nodes,
        "time_ms": record.time_ms,
    })
}

fn only_one(record: &Record) -> Value {
    object!({
        "line": record.line,
        "id": record.id,
        "fen": record.fen,
        "stipulation": stipulation(record, record),
        "answer": words(&record.claims),
    })
}

/// Returns the question as text; null if it is a direct mate, or not known.
fn stipulation(a: &Record, b: &Record) -> Option<String> {
    other_goal(a, b).map(|asked| asked.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;

    #[test]
    fn the_object_has_counts_and_lists() {
        let comparison =
            of("{\"id\":\"x\\n\u{9b}\",\"mate\":2}\n{\"id\":2}", "{\"id\":\"x\\n\u{9b}\",\"no_mate\":true}");
        let written = json(&comparison, 20);
        assert!(!written.contains(|c| c != '\n' && printable::is_unsafe(c)), "{written}");
        let value: Value = serde_json::from_str(&written).unwrap();
        assert_eq!((&value["counts"]["contradiction"], &value["only_in_a"]), (&Value::from(1), &Value::from(1)));
        assert_eq!(value["differences"][0]["kind"], "contradiction");
        assert_eq!(value["differences"][0]["b"]["no_mate_at_all"], true);
        assert_eq!(value["by_length"][0]["a"]["best"], 1);
        assert_eq!(value["total"]["lines"], 1);
    }
}
