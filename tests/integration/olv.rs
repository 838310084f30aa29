//! `.olv` collections as input of a batch.

use std::io::Write as _;

use crate::util::{Run, matesolve, run_with_input};

/// Prinz 1951, two fairy problems, a broken entry, and Loyd's "Love Chase" of 1869.
const COLLECTION: &str = "\
---
authors: [\"Prinz, Dietrich Günter\"]
source: {name: Research, date: {year: 1952}}
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
---
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
options: [Circe]
---
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
conditions: [Madrasi]
---
algebraic: {white: [Kf8
---
algebraic:
  white: [Kh1, Qc4, Sf8, Pf7]
  black: [Kh8, Ba1, Pg4, Pg7, Ph7]
stipulation: \"#2\"
";

#[test]
fn entries_are_answered_in_order_with_the_number_of_their_first_line() {
    let mut file = tempfile::Builder::new().suffix(".olv").tempfile().unwrap();
    file.write_all(COLLECTION.as_bytes()).unwrap();
    let run: Run = matesolve().arg("batch").arg(file.path()).args(["--color", "never"]).output().unwrap().into();
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("2 Prinz, Dietrich Günter, Research 1952 mate in 2 (proved shortest)"), "{}", run.out);
    assert_eq!(lines[1..4], ["7 invalid", "11 invalid", "15 invalid"]);
    assert!(lines[4].starts_with("17 no mate in 2"), "{}", run.out);
    assert_eq!(run.code, 3);
    assert!(run.err.contains(":7: the option \"Circe\" changes the rules"), "{}", run.err);
    assert!(run.err.contains(":11: the entry has the condition \"Madrasi\", which is not solved"), "{}", run.err);
    assert!(run.err.contains(":15: the entry is not YAML (line 16: "), "{}", run.err);
    let piped = run_with_input(&["batch", "-", "--color", "never"], COLLECTION);
    let moves = |run: &Run| -> Vec<String> { run.out.lines().map(str::to_owned).collect() };
    assert_eq!(moves(&piped), moves(&run), "a collection on standard input is recognised by its first line");
}

#[test]
fn an_entry_with_twins_is_not_a_success() {
    let entry = "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: \"#2\"\n";
    let twins = format!("{entry}twins: {{b: Remove h7}}\n");
    for command in [&["batch", "-"][..], &["report", "-"]] {
        assert_eq!(run_with_input(command, entry).code, 0, "{command:?}");
        let run = run_with_input(command, &twins);
        assert_eq!(run.code, 5, "{command:?}");
        assert!(run.err.contains("1 entry has twins that were not solved"), "{}", run.err);
    }
}
