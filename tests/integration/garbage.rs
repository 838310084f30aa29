//! Input that is not a problem: the program prints an error message, returns the right exit code, and never panics.

use std::process::Stdio;

use matesolve::Solver;
use matesolve::problem::Problem;
use proptest::prelude::*;

use crate::util::{PRINZ, Run, batch_of, matesolve, run, run_with_input};

/// Asserts the exit code, a sentence on standard error, and that the program did not panic.
fn refused(run: &Run, code: i32, sentence: &str) {
    assert_eq!(run.code, code, "{run:?}");
    assert!(run.err.contains(sentence), "{run:?}");
    assert!(!run.err.contains("panicked") && !run.err.contains("internal failure"), "{run:?}");
}

#[test]
fn files_without_problems_are_refused() {
    let (run, name) = batch_of("", &[]);
    refused(&run, 3, &format!("{name} holds no position"));
    refused(&batch_of("\n\n# only a comment\n", &[]).0, 3, "holds no position");
    refused(&run_with_input(&["batch", "-"], ""), 3, "standard input holds no position");
}

#[test]
fn binary_files_are_refused() {
    let bytes: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let (run, name) = batch_of(bytes, &[]);
    refused(&run, 3, &format!("{name}:1: "));
    assert!(run.err.contains("no line at the beginning of this input is a problem"), "{}", run.err);
}

#[test]
fn overlong_lines_are_refused() {
    let text = format!("{}\n{PRINZ}\n", "8".repeat(10_000_000));
    let (run, name) = batch_of(text, &[]);
    refused(&run, 3, &format!("{name}:1: the line is longer than 65536 bytes"));
    assert!(run.out.contains("2 mate in 2 (proved shortest)"), "{}", run.out);
    let long = run_with_input(&["batch", "-"], "8/".repeat(30_000));
    refused(&long, 3, "has 30001 ranks and not 8");
    assert!(long.err.len() < 1000, "{}", long.err.len());
}

#[test]
fn directories_and_missing_files_are_refused() {
    refused(&run(&["batch", "/"]), 2, "/ cannot be read: it is a directory");
    refused(&run(&["batch", "no/such/file.epd"]), 2, "no/such/file.epd cannot be read: ");
    refused(&run(&["batch"]), 2, "FILE");
}

#[test]
fn texts_that_are_not_positions_are_refused() {
    refused(&run(&[""]), 3, "there is no position here");
    refused(&run(&["   "]), 3, "there is no position here");
    refused(&run(&["nonsense", "file"]), 3, "\"nonsense file\" is not a position; a FEN is expected, eight ranks");
    refused(&run(&["kkkkkkkk/kkkkkkkk/kkkkkkkk/kkkkkk2/8/8/8/K7 w - -"]), 3, "Black has 30 kings, on a5, ");
    refused(&run(&["8/8/8/8/8/8/8/K6R w - -"]), 3, "Black has no king; add k to the board");
    refused(&run(&["k6P/8/8/8/8/8/8/K7 w - -"]), 3, "there is a pawn on h8");
    refused(&run(&["k7/8/8/8/8/8/8/KR6 b - - dm y;"]), 3, "\"y\" is not a stipulation");
    refused(&run(&["{\"fen\": 3}"]), 3, "the field \"fen\" is a number; write it as a FEN");
    refused(&run(&["\u{1b}[31m/\u{0007}"]), 3, "ranks and not 8");
}

#[test]
fn invalid_positions_give_a_result_object() {
    let Run { code, out, .. } = run(&["nonsense", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, object["result"]["status"].as_str()), (3, Some("invalid")));
    assert!(object["error"].as_str().is_some_and(|why| why.contains("8 ranks") || why.contains("eight ranks")));
}

#[test]
fn a_broken_pipe_is_not_an_error() {
    let lines = format!("{PRINZ}\n").repeat(200);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines).unwrap();
    let name = file.path().to_str().unwrap();
    for arguments in [
        &["batch", name][..],
        &["batch", name, "--format", "json"],
        &[PRINZ],
        &["man"],
        &["man", "report"],
        &["help", "engines"],
        &["schema"],
        &["completions", "zsh"],
        &["--help"],
    ] {
        let mut child = matesolve().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run: Run =
        matesolve().arg(PRINZ).stdout(full).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap().into();
    refused(&run, 2, "the results cannot be written");
}

/// Solves a position with few nodes and returns whether the program had an internal failure.
fn fails_internally(fen: &str) -> bool {
    let Ok(problem) = Problem::read(fen) else { return false };
    Solver::new().nodes(300).hash(1 << 20).solve(&problem).internal_failure
}

#[test]
fn boards_full_of_men_are_searched() {
    for fen in [
        "NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNN1NNN/NNNNNNNN/NNNNNNNN/KNNNNNNk b - -",
        "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQ1k1Q w - -",
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - -",
        "k6N/PPPPPPPP/8/N1N1N1N1/1N1N1N1N/N1N1N1N1/1N1N1N1N/K7 w - -",
        "1nbqkbn1/PPPPPPPP/8/8/8/8/8/K7 w - -",
        "kqqqqqqq/qq5q/q6q/q6q/q6q/q6q/q5qq/qqqqq2K b - -",
    ] {
        assert!(!fails_internally(fen), "{fen}");
        let (run, _) = batch_of(format!("{fen}\n{fen} bm #-2;"), &["--format", "jsonl", "--nodes", "1000"]);
        assert_ne!(run.code, 70, "{fen}: {}", run.err);
        assert_eq!(run.out.lines().count(), 2);
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*") {
        let _ = Problem::read(&text);
    }

    #[test]
    fn damaged_lines_are_read_or_refused(at in 0usize..60, insert in "[ -~]{0,3}") {
        let mut line: Vec<char> = format!("{PRINZ} dm 2; id \"a;b\"; c0 \"x\";").chars().collect();
        let at = at.min(line.len() - 1);
        line.splice(at..=at, insert.chars());
        let _ = Problem::read(&line.into_iter().collect::<String>());
    }

    #[test]
    fn every_board_that_is_accepted_can_be_searched(
        men in proptest::collection::vec((0usize..64, 0usize..10), 0..64),
        (white, black) in (0usize..64, 0usize..64),
        turn in "[wb]",
        rights in "(-|K?Q?k?q?|[A-H]?[a-h]?)",
        en_passant in "(-|[a-h][36])",
    ) {
        let mut board = ['1'; 64];
        for (square, man) in men {
            board[square] = char::from(b"QRBNPqrbnp"[man]);
        }
        board[white] = 'K';
        board[black] = 'k';
        let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        let fen = format!("{} {turn} {rights} {en_passant}", ranks.join("/"));
        prop_assert!(!fails_internally(&fen), "{}", fen);
    }
}

#[test]
fn text_after_the_position_that_means_nothing_is_refused() {
    let after = |text: &str| run(&[&format!("{PRINZ} {text}")]);
    refused(&after("abc def"), 3, "\"abc def\" follows the position and is neither two move counters (0 1) nor EPD");
    refused(&after("dm 2; id \"unterminated"), 3, "the string \"unterminated has no closing quote; add one");
    let (Run { code, err, .. }, name) = batch_of(format!("{PRINZ} dm 2; \0 junk\n{PRINZ}\n"), &[]);
    assert_eq!(code, 3);
    assert!(err.starts_with(&format!("{name}:1: character 37 of the line is a NUL character")), "{err}");
}
