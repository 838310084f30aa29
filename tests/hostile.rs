//! Random and damaged texts for every reader: none panics or hangs, and what is accepted can be written and read again.
//!
//! The texts are made from real ones by cutting, doubling, exchanging and inserting parts, which reaches deeper than
//! random bytes. The long run needs no tool beside cargo; `SECONDS` and `SEED` are optional:
//!
//! ```text
//! SECONDS=600 SEED=1 cargo test --test hostile -- --ignored --nocapture
//! ```

mod support;

use std::time::{Duration, Instant};

use matesolve::problem::olv::OlvEntry;
use matesolve::problem::{Problem, pasted, source};
use matesolve::proof::Certificate;
use matesolve::verify::check_results;
use support::random::Random;

/// The texts that are damaged: one of each kind that a reader knows, and the words of the UCI protocol.
const SEEDS: [&str; 12] = [
    "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2",
    "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; bm Rh6; id \"Prinz 1951\"; c0 \"a; b\"; hmvc 3;",
    "{\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\",\"stipulation\":\"#2\",\"id\":\"x\\u001b\",\"extra\":[1,{}]}",
    "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}\nstipulation: \"#2\"\nauthors: [A, \"B\"]\n\
     options: [SetPlay, Try]\ntwins: {b: Remove h7, c: Cont Move f8 e8 +wQa1 R==>S}\nsolution: |\n  1.Rh1-h6 !\n---\n{stipulation: '#3'}\n",
    "[Event \"?\"]\n[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh6 {best} (1. Rh2 Bf7 $2) gxh6 2. g7# 1-0\n",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *",
    "position fen 5Kbk/6pp/6P1/8/8/8/8/7R w - - moves h1h6 g7h6",
    "https://lichess.org/analysis/standard/5Kbk/6pp/6P1/8/8/8/8/7R_w_-_-_0_1?color=white",
    "matesolve certificate 1\nfen k7/8/2K5/8/8/8/8/1R6 w - - 0 1\nattacker white\nmate 2\nnodes 2\n\
     checksum 7e04031b53365913\na8a7:b1a1\n:c6c7-1\n",
    "{\"fen\":\"k7/8/2K5/8/8/8/8/1R6 w - - 0 1\",\"id\":null,\"result\":{\"status\":\"mate\",\"mate_in\":2,\
     \"pv\":[\"c6c7\",\"a8a7\",\"b1a1\"]}}",
    "setoption name Hash value 16\nsetoption name MultiPV value 3\nucinewgame\nisready\nposition startpos moves e2e4\n\
     go mate 3 nodes 100 searchmoves e7e5\nstop\nponderhit\ndebug on\n",
];

/// Characters that readers treat in a way of their own.
const SPECIAL: [&str; 24] = [
    "\0",
    "\n",
    "\r\n",
    "\u{feff}",
    "\u{1b}",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    ":",
    ";",
    "#",
    "-",
    "/",
    "9",
    "\u{202e}",
    "é",
    "99999999999999999999",
    "- ",
    "&a *a",
    "\\u",
    "$",
];

/// Damages a text: cuts, doubles, exchanges and inserts parts, a few times.
fn damaged(random: &mut Random) -> Vec<u8> {
    let mut text = random.pick(&SEEDS).as_bytes().to_vec();
    for _ in 0..=random.below(6) {
        let (a, b) = (random.below(text.len() + 1), random.below(text.len() + 1));
        let (start, end) = (a.min(b), a.max(b));
        match random.below(7) {
            0 => drop(text.drain(start..end.min(start + 9))),
            1 => text.truncate(end),
            2 => text.splice(start..start, text[start..end].to_vec()).for_each(drop),
            3 => text.splice(start..start, random.pick(&SPECIAL).bytes()).for_each(drop),
            4 => text.splice(start..start, random.pick(&SEEDS).bytes()).for_each(drop),
            5 => text.splice(start..start, random.pick(&SPECIAL).repeat(1 + random.below(300)).bytes()).for_each(drop),
            _ => text.iter_mut().skip(start).take(1).for_each(|byte| *byte = random.next() as u8),
        }
    }
    text
}

/// Gives a text to every reader of the library.
fn read_by_all(bytes: &[u8]) {
    for olv in [false, true] {
        for line in source::problems(std::io::Cursor::new(bytes.to_vec()), 0, olv) {
            check_problem(line.problem.map_err(|error| error.to_string()));
        }
    }
    if let Ok(certificate) = Certificate::read(bytes) {
        let _ = certificate.verify().map_err(|error| assert_is_sentence(&error.to_string()));
    }
    let text = String::from_utf8_lossy(bytes);
    check_problem(Problem::read(&text).map_err(|error| error.to_string()));
    if let Ok(pasted) = pasted::read(&text, None) {
        check_problem(Problem::read(&pasted.line).map_err(|error| error.to_string()));
    }
    if let Ok(entry) = OlvEntry::read(&text, 1) {
        let _ = entry.with_solution("1.Rh1-h6 !");
    }
    for checked in check_results(&text) {
        let _ = checked.outcome.map_err(|fault| assert_is_sentence(&fault.to_string()));
    }
}

/// A problem that was accepted is written as a FEN that gives the same position; a refusal is a short sentence.
fn check_problem(problem: Result<Problem, String>) {
    match problem {
        Ok(problem) => {
            let again = Problem::read(&problem.fen).expect("the FEN of a problem can be read");
            assert_eq!(again.chess, problem.chess, "{}", problem.fen);
        }
        Err(error) => assert_is_sentence(&error),
    }
}

fn assert_is_sentence(error: &str) {
    assert!(!error.is_empty() && error.chars().count() < 1000, "{error}");
}

/// Reads damaged texts from this seed on until `enough` returns true of their number; returns the number.
fn run(seed: u64, enough: impl Fn(u64) -> bool) -> u64 {
    let mut count = 0;
    while !enough(count) {
        let text = damaged(&mut Random(seed.wrapping_add(count)));
        let name = format!("seed {}: {:?}", seed.wrapping_add(count), String::from_utf8_lossy(&text));
        let read = std::panic::catch_unwind(|| read_by_all(&text));
        assert!(read.is_ok(), "a reader panicked at {name}");
        count += 1;
    }
    count
}

#[test]
fn no_damaged_text_makes_a_reader_panic() {
    run(1, |count| count >= 20_000);
}

#[test]
#[ignore = "runs for SECONDS (default 60): SECONDS=600 SEED=1 cargo test --test hostile -- --ignored --nocapture"]
fn no_damaged_text_makes_a_reader_panic_for_long() {
    let number = |name, default: u64| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (seconds, seed) = (number("SECONDS", 60), number("SEED", 1));
    let started = Instant::now();
    let count = run(seed.wrapping_mul(1 << 40), |_| started.elapsed() > Duration::from_secs(seconds));
    println!("{count} texts in {seconds} s, no panic");
}

#[test]
fn no_damaged_line_ends_a_session_with_a_gui() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    let mut random = Random(7);
    let mut child = Command::new(env!("CARGO_BIN_EXE_matesolve"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let writer = std::thread::spawn(move || {
        for _ in 0..3000 {
            let text = damaged(&mut random);
            // `quit` is not among the words, and `Hash` and `Threads` stay small: their digits may be doubled.
            let text = String::from_utf8_lossy(&text).replace("Hash", "Hush").replace("quit", "");
            stdin.write_all(text.as_bytes()).and_then(|()| stdin.write_all(b"\n")).expect("the session goes on");
        }
        stdin.write_all(b"stop\nposition startpos\ngo nodes 1\nisready\nquit\n").expect("the session goes on");
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("all lines were taken");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && err.is_empty(), "{err}");
    assert!(out.trim_end().lines().rev().take(8).any(|line| line.contains("readyok") || line.starts_with("bestmove")));
}
