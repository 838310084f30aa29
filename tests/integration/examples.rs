//! The programs in `examples/`, which show how to use the library.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::util::{HARD, LOVE_CHASE, PRINZ, Run};

/// Runs an example by cargo, which builds it if it is not built yet, with these words and this standard input.
fn example(name: &str, word: &str, input: &str) -> Run {
    let built = Path::new(env!("CARGO_BIN_EXE_matesolve")).parent().expect("the binary is in a folder");
    let profile = if built.ends_with("release") { "release" } else { "dev" };
    let mut child = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--locked", "--profile", profile, "--example", name, "--", word])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo runs");
    // An example that ends early does not read its input.
    let _ = child.stdin.take().expect("standard input is a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the example ends").into()
}

#[test]
fn solve_prints_each_step_and_the_answer() {
    let run = example("solve", LOVE_CHASE, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let last = run.out.lines().last().unwrap();
    assert!(last.starts_with("the shortest mate: in 3, by 1. Qf1"), "{}", run.out);
    assert!(run.out.contains(" nodes: no mate in 2\n") && run.out.contains(" nodes: a mate in 3\n"), "{}", run.out);
    let wrong = example("solve", "8/8/8/8/8/8/8/7K w - -", "");
    assert!(wrong.code == 1 && wrong.err.starts_with("Black has no king"), "{}", wrong.err);
}

#[test]
fn report_prints_keys_tries_and_the_solution() {
    let run = example("report", &format!("{PRINZ} dm 2;"), "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let start = "Sound\nkey Rh6, mate in 2\ntry Rh5, refuted by h6\ntry Rxh7+, refuted by Bxh7\n";
    assert!(run.out.starts_with(start), "{}", run.out);
    assert!(run.out.contains("\n   1.Rh1-h6 ! zugzwang.\n      1...g7*h6\n          2.g6-g7 #\n"), "{}", run.out);
}

#[test]
fn stipulations_solves_one_problem_of_each_kind() {
    let run = example("stipulations", "", "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(run.out.lines().count(), 8, "{}", run.out);
    assert!(run.out.lines().all(|line| line.contains(": 1.") && !line.contains("Undecided")), "{}", run.out);
    assert!(run.out.contains("\nh#2      Solved: 1.O-O Kh5 2.Kh7 Ng5#\n"), "{}", run.out);
}

#[test]
fn batch_shows_its_progress_and_stops_when_it_is_told() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{PRINZ}\n{LOVE_CHASE}\nno problem\n")).unwrap();
    let name = file.path().to_str().unwrap();
    let run = example("batch", name, "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("1: mate in 2\n2: mate in 3\n3: "), "{}", run.out);
    assert!(run.out.ends_with("\nfinished: 3 answers, 2 mates\n"), "{}", run.out);
    assert_eq!(run.err, "line 1 of 3, 1 mates\nline 2 of 3, 2 mates\nline 3 of 3, 2 mates\n");
    // Thousands of lines that take ten seconds each: the batch ends because it is stopped.
    std::fs::write(file.path(), format!("{HARD}\n").repeat(5000)).unwrap();
    let stopped = example("batch", name, "\n");
    assert!(stopped.code == 0 && stopped.out.contains("stopped: "), "{}", stopped.out);
}

#[test]
fn legal_moves_prints_positions_and_moves_in_their_order() {
    let run = example("legal_moves", "20", "");
    assert_eq!(run.code, 0, "{}", run.err);
    let first = "rnbqkbnr/pppppppp/8/8/8/1P6/P1PPPPPP/RNBQKBNR b KQkq - 0 1\ta7a5 a7a6 b7b5 b7b6 c7c5";
    assert!(run.out.starts_with(first), "{}", run.out);
    assert_eq!(run.out.lines().count(), 20);
    assert!(run.err.starts_with("20 positions: "), "{}", run.err);
}
