//! Names and texts of the input cannot forge lines of the output or reach the terminal as control characters.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::util::{batch_of, run, run_with_input};

const STALEMATED: &str = "7k/8/8/8/8/8/8/K7 w - -";
/// A name that tries to look like a result, and then like a whole record of EPD.
const FORGED: &str = "a\n2 b mate in 1 (proved shortest)\n7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7;\u{1b}]0;owned\u{7}";

/// Returns whether a text holds a character that must not reach a terminal.
fn is_unsafe(text: &str) -> bool {
    text.chars().any(|c| {
        let turns =
            matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        c != '\n' && (c.is_control() || turns)
    })
}

fn line(id: &str, fen: &str) -> String {
    json!({ "fen": fen, "stipulation": "#1", "id": id }).to_string()
}

#[test]
fn a_name_with_line_breaks_stays_on_its_line() {
    for (format, lines) in [("text", 2), ("epd", 1), ("jsonl", 1)] {
        let (run, _) = batch_of(line(FORGED, STALEMATED), &["--format", format, "--nodes", "1k"]);
        assert_eq!((run.out.lines().count(), is_unsafe(&run.out)), (lines, false), "{format}: {run:?}");
    }
    let (run, _) = batch_of(line(FORGED, STALEMATED), &["--format", "jsonl", "--nodes", "1k"]);
    let result: Value = serde_json::from_str(&run.out).expect("the line is JSON");
    assert_eq!(result["id"], FORGED);
}

#[test]
fn an_author_with_control_characters_is_printed_without_them() {
    let entry = "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}\nstipulation: \"#2\"\n\
                 authors: [\"a\\n\\e[31m\\u202Eb\"]\n";
    for format in ["text", "popeye", "html", "json", "jsonl"] {
        let run = run_with_input(&["report", "--format", format, "--color", "never", "-"], entry);
        assert!(!run.out.is_empty() && !is_unsafe(&run.out) && !is_unsafe(&run.err), "{format}: {run:?}");
    }
    // An entry is written back as it is, but a raw escape in it is not.
    let raw = entry.replace("\\e", "") + "# \u{1b}[2J comment\n";
    let run = run_with_input(&["report", "--format", "olv", "-"], raw);
    assert!(run.out.contains("comment") && !is_unsafe(&run.out) && !is_unsafe(&run.err), "{run:?}");
}

#[test]
fn names_of_files_and_arguments_are_printed_without_control_characters() {
    for arguments in [
        &["batch", "no\u{1b}]0;x\u{7}\nfile"][..],
        &["verify", "no\u{1b}]0;x\u{7}file"],
        &["--no-such-\u{1b}]0;x\u{7}option"],
        &["solve", "--engine", "\u{1b}[31mrace", "8/8/8/8/8/8/8/8 w - -"],
        &["7k/\u{1b}]0;x\u{7}\u{202e}/8/8/8/8/8/K7 w - -"],
        &["7k/8/8/8/8/8/8/K7 w - - dm \u{9b}31m;"],
    ] {
        let run = run(arguments);
        assert!(run.code != 0 && !run.err.is_empty() && !is_unsafe(&run.err) && run.out.is_empty(), "{run:?}");
    }
}

#[test]
fn a_gui_gets_no_control_characters_back() {
    let run =
        run_with_input(&["uci"], "hello\u{1b}]0;x\u{7}\nposition fen 7k/\u{202e}8 w\nsetoption name \u{9b}x\nquit\n");
    assert!(run.out.contains("info string") && !is_unsafe(&run.out), "{run:?}");
}

#[test]
fn a_huge_text_is_quoted_cut() {
    let long = "x".repeat(1_000_000);
    let certificate = format!(
        "matesolve certificate 2\nposition {long}\nstipulation #1\nclaim solved in 1\nproof solved in 1\n{long}\n"
    );
    for file in [certificate, format!("{{\"fen\":\"{long}\",\"result\":{{\"status\":\"{long}\",\"mate_in\":1}}}}")] {
        let run = run_with_input(&["verify", "-"], file);
        assert!(
            run.code != 0 && run.err.len() < 1000,
            "{} bytes: {}",
            run.err.len(),
            &run.err[..500.min(run.err.len())]
        );
    }
    let run = run_with_input(&["uci"], format!("{long}\nposition fen {long}\nsetoption name {long}\nquit\n"));
    assert!(run.out.lines().all(|line| line.len() < 1000), "{} bytes", run.out.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_line_of_a_batch_gives_one_line(
        ids in prop::collection::vec(any::<String>(), 1..40),
        controls in "[\u{0}-\u{1f}\u{7f}-\u{9f}\u{200e}\u{2028}\u{202e}\u{2066}]{0,5}",
    ) {
        let fens = [STALEMATED, "7k/5Q2/6K1/8/8/8/8/8 w - -", "no position", "R6k/6pp/8/8/8/8/8/K7 b - -"];
        let text: Vec<String> =
            ids.iter().zip(fens.iter().cycle()).map(|(id, fen)| line(&format!("{id}{controls}"), fen)).collect();
        for (format, totals) in [("text", 1), ("epd", 0), ("jsonl", 0)] {
            let (run, _) = batch_of(text.join("\n"), &["--format", format, "--nodes", "1k"]);
            prop_assert_eq!(run.out.lines().count(), ids.len() + totals, "{} {:?}", format, run);
            prop_assert!(!is_unsafe(&run.out) && !is_unsafe(&run.err), "{} {:?}", format, run);
        }
    }
}
