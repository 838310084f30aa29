//! The memory that the program takes: never more than the machine has, and not more than was asked for.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};

use crate::util::{HARD, PRINZ, matesolve, run, run_with_input};

const MIB: u64 = 1 << 20;

#[test]
fn more_memory_than_there_is_is_reduced() {
    for arguments in [&["--hash", "1T", PRINZ][..], &["report", "--soundness", "--hash", "1T", PRINZ]] {
        let run = run(arguments);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.err.contains("warning: 1048576 MiB of memory are asked for, but there are "), "{run:?}");
    }
    let run = run_with_input(&["batch", "--hash", "1T", "--jobs", "2", "-"], PRINZ);
    assert!(run.code == 0 && run.err.contains(" MiB of memory are asked for, but there are "), "{run:?}");
    let run = run_with_input(&["uci"], "setoption name Hash value 1000000\nisready\nquit\n");
    assert!(run.out.contains("info string 1000000 MiB of memory are asked for, but there are "), "{run:?}");
    assert!(run.out.contains("readyok"), "{run:?}");
}

/// Returns the most memory that a running process has had in RAM, in bytes.
#[cfg(target_os = "linux")]
fn peak(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the system reports the peak");
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().expect("the peak is a number");
    kib << 10
}

/// Runs the program with this input and returns its peak when it has printed `lines` lines with this word. Its standard
/// input is open until then, so that it is still running.
#[cfg(target_os = "linux")]
fn peak_of(arguments: &[&str], input: &str, word: &str, lines: usize) -> u64 {
    let mut process = matesolve()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut stdin = process.stdin.take().expect("standard input is a pipe");
    stdin.write_all(input.as_bytes()).expect("the program reads");
    let out = BufReader::new(process.stdout.take().expect("standard output is a pipe"));
    let printed = out.lines().map_while(Result::ok).filter(|line| line.contains(word)).take(lines).count();
    assert_eq!(printed, lines);
    let peak = peak(&process);
    drop(stdin);
    process.wait().expect("the program ends");
    peak
}

/// Positions that no limit of this test is large enough for. They differ, so that nothing can be taken over.
const OTHERS: [&str; 3] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 1",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 0 1",
];

/// The program itself, its stacks and its output, beside tables and trees.
#[cfg(target_os = "linux")]
const PROGRAM: u64 = 16 * MIB;

#[cfg(target_os = "linux")]
#[test]
fn the_jobs_of_a_batch_stay_within_their_memory_together() {
    let input = format!("{HARD}\n{}\n", OTHERS.join("\n"));
    let arguments = ["batch", "--hash", "24M", "--jobs", "2", "--nodes", "500k", "--format", "jsonl", "-"];
    let peak = peak_of(&arguments, &input, "schema_version", 4);
    assert!(peak < 48 * MIB + PROGRAM, "{} MiB", peak / MIB);
    assert!(peak > 24 * MIB, "the tables were used: {} MiB", peak / MIB);
}

#[cfg(target_os = "linux")]
#[test]
fn a_gui_session_stays_within_its_memory() {
    let go = OTHERS.map(|fen| format!("position fen {fen}\ngo nodes 400000\n")).concat();
    let input = format!("setoption name Hash value 24\nsetoption name Threads value 2\n{go}");
    let peak = peak_of(&["uci"], &input, "bestmove", 3);
    assert!(peak < 24 * MIB + PROGRAM, "{} MiB", peak / MIB);
}
