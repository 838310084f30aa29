//! Random and damaged texts for every reader: none panics or hangs, what is accepted can be written and read again, and
//! what is then claimed is true.
//!
//! | file | content |
//! |---|---|
//! | `texts` | texts of every kind that are almost valid |
//! | `readers` | what the program does with a text, from the reader to the checked answer |
//!
//! The long runs need no tool beside cargo; `SECONDS` and `SEED` are optional, and `KIND` chooses one kind: `fen`,
//! `epd`, `json`, `olv`, `csv`, `pgn`, `certificate`, `results`, `uci`, `popeye`, `objects`, `painter`, `latin1`,
//! `board`, `stipulated`. They print the slowest text, so that one that costs too much is seen.
//! `tests/suite/hostile/log.md` has a log.
//!
//! ```text
//! SECONDS=600 SEED=1 cargo test --test suite hostile:: -- --ignored --nocapture
//! ```

mod readers;
mod texts;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use matesolve_testkit::random::Random;
use readers::read_by_all;
use texts::{KINDS, Kind, almost_valid};

/// The limit of nodes for a problem that is accepted.
const NODES: u64 = 60;

/// Changes bytes of a text whatever its form is.
fn damaged(random: &mut Random, mut text: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(3) {
        let (a, b) = (random.below(text.len() + 1), random.below(text.len() + 1));
        let (start, end) = (a.min(b), a.max(b));
        match random.below(5) {
            0 => drop(text.drain(start..end.min(start + 9))),
            1 => text.truncate(end),
            2 => text.splice(start..start, text[start..end].to_vec()).for_each(drop),
            3 => {
                let pattern = random.pick(&[&b"["[..], b"{", b"((", b"9", b"\n---\n", b"&a [*a,", b"\xff", b"- "]);
                text.splice(start..start, pattern.repeat(1 + random.below(300))).for_each(drop);
            }
            _ => text.iter_mut().skip(start).take(1).for_each(|byte| *byte = random.bits() as u8),
        }
    }
    text
}

/// Returns the text of this kind and seed.
fn text(kind: Kind, seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(16).wrapping_add(kind as u64));
    let text = almost_valid(&mut random, kind);
    if random.one_in(4) { damaged(&mut random, text) } else { text }
}

/// Reads texts of these kinds from this seed on until `enough` returns true of their number; returns the number and the
/// slowest.
fn run(kinds: &[Kind], seed: u64, enough: impl Fn(u64) -> bool) -> (u64, Duration, String) {
    let (mut count, mut slowest) = (0, (Duration::ZERO, String::new()));
    while !enough(count) {
        let kind = kinds[(count % kinds.len() as u64) as usize];
        let text = text(kind, seed.wrapping_add(count));
        let name = || format!("{kind:?}, seed {}: {:?}", seed.wrapping_add(count), String::from_utf8_lossy(&text));
        let started = Instant::now();
        let read = std::panic::catch_unwind(|| read_by_all(&text, NODES));
        assert!(read.is_ok(), "a reader failed at {}", name());
        if started.elapsed() > slowest.0 {
            slowest = (started.elapsed(), name());
        }
        count += 1;
    }
    (count, slowest.0, slowest.1)
}

#[test]
fn no_damaged_text_makes_a_reader_panic() {
    run(&KINDS, 1, |count| count >= 1500);
}

/// Returns the number of this variable of the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
#[ignore = "runs for SECONDS (default 60): SECONDS=600 SEED=1 cargo test --test suite hostile:: -- --ignored --nocapture"]
fn no_damaged_text_makes_a_reader_panic_for_long() {
    let (seconds, seed) = (number("SECONDS", 60), number("SEED", 1));
    let kind = std::env::var("KIND").unwrap_or_default();
    let chosen = |it: &Kind| kind.is_empty() || format!("{it:?}").eq_ignore_ascii_case(&kind);
    let kinds: Vec<Kind> = KINDS.into_iter().filter(chosen).collect();
    let share = Duration::from_secs(seconds) / kinds.len() as u32;
    for kind in kinds {
        let started = Instant::now();
        let (count, time, text) = run(&[kind], seed.wrapping_mul(1 << 40), |_| started.elapsed() > share);
        let text: String = text.chars().take(200).collect();
        println!("{kind:?}: {count} texts in {} s; slowest {} ms: {text}", share.as_secs(), time.as_millis());
    }
}

/// Gives a UCI session this number of damaged texts; it must go on to its end, and answer there.
fn uci_session(seed: u64, texts: u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_matesolve"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let writer = std::thread::spawn(move || {
        for number in 0..texts {
            let mut random = Random(number);
            let kind = if random.one_in(4) { random.pick(&KINDS) } else { Kind::Uci };
            let text = text(kind, seed.wrapping_add(number));
            // `quit` is not among the words, and `Hash` and `Threads` stay small: their digits may be doubled.
            let text = String::from_utf8_lossy(&text).replace("Hash", "Hush").replace("quit", "");
            stdin.write_all(text.as_bytes()).and_then(|()| stdin.write_all(b"\n")).expect("the session goes on");
        }
        stdin
            .write_all(b"\nstop\nsetoption name MultiPV value 1\nposition startpos\ngo nodes 1\nisready\nquit\n")
            .expect("the session goes on");
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("all lines were taken");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && err.is_empty(), "seed {seed}: {err}");
    let tail: Vec<&str> = out.trim_end().lines().rev().take(8).collect();
    assert!(tail.iter().any(|line| line.contains("readyok") || line.starts_with("bestmove")), "seed {seed}: {tail:#?}");
}

#[test]
fn no_damaged_line_ends_a_session_with_a_gui() {
    uci_session(7, 3000);
}

#[test]
#[ignore = "runs for SECONDS (default 60): SECONDS=600 SEED=1 cargo test --test suite hostile:: -- --ignored --nocapture"]
fn no_damaged_line_ends_a_session_with_a_gui_for_long() {
    let (seconds, seed) = (number("SECONDS", 60), number("SEED", 1).wrapping_mul(1 << 40));
    let started = Instant::now();
    let mut sessions = 0;
    while started.elapsed() < Duration::from_secs(seconds) {
        uci_session(seed.wrapping_add(sessions * 3000), 3000);
        sessions += 1;
    }
    println!("{sessions} sessions of 3000 texts in {seconds} s");
}
