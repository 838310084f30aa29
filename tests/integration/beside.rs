//! Solutions that stand beside positions, in the layouts in which lists are published: every entry is compared, and
//! none is lost.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::util::{Run, matesolve, run, run_with_input};

/// Prinz 1951, with all six fields.
const PRINZ: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";

/// A position with its solution.
struct Solved {
    fen: String,
    moves: Vec<String>,
    /// The moves with their numbers.
    text: String,
}

/// Solves positions of the repository.
fn solved() -> Vec<Solved> {
    let files = ["problems/castling.epd", "problems/en_passant.epd", "problems/underpromotion.epd"];
    let arguments = [&["batch", "--format", "jsonl", "--nodes", "200000", "--threads", "1"], &files[..]].concat();
    let lines: Vec<Value> = run(&arguments).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mates = lines.iter().filter(|line| {
        let result = &line["result"];
        result["status"] == "mate" && result["mate_in"].as_u64() < Some(4) && result["proved_shortest"] == true
    });
    let all: Vec<Solved> = mates
        .map(|line| Solved {
            fen: line["fen"].as_str().unwrap().to_owned(),
            moves: line["result"]["pv"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect(),
            text: line["result"]["pv_san"].as_str().unwrap().to_owned(),
        })
        .collect();
    assert!(all.len() > 24, "{} positions", all.len());
    all
}

/// Returns the answers of a command to a file of this name, one a line.
fn answers(command: &[&str], name: &str, text: &str) -> (Run, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let (path, rest) = (path.to_str().unwrap(), &command[1..]);
    let run = run(&[&[command[0], path, "--format", "jsonl", "--nodes", "200000", "--threads", "1"], rest].concat());
    let lines = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (run, lines)
}

#[test]
fn every_entry_of_the_public_layouts_is_compared() {
    let all = solved();
    let mut layouts = [
        ("a.txt", String::new()),
        ("a.json", "{\"problems\": [\n".to_owned()),
        ("a.js", "export default [\n".to_owned()),
    ];
    for (n, Solved { fen, moves, text }) in all.iter().enumerate() {
        let between = if n == 0 { "" } else { ",\n" };
        let squares: Vec<String> = moves.iter().map(|m| format!("{}-{}", &m[..2], &m[2..])).collect();
        write!(layouts[0].1, "Player {n} vs Matt, Town, {}\n{fen}\n{text}\n\n", 1900 + n).unwrap();
        write!(
            layouts[1].1,
            "{between}{{\"problemid\": {n}, \"fen\": \"{fen}\", \"moves\": \"{}\"}}",
            squares.join(";")
        )
        .unwrap();
        writeln!(layouts[2].1, "  {{fen: '{fen}', pgn: \"{text}\"}},").unwrap();
    }
    layouts[1].1.push_str("\n]}\n");
    layouts[2].1.push_str("];\n");
    for (name, text) in &layouts {
        let (run, lines) = answers(&["batch", "--check"], name, text);
        let is_right = |line: &&Value| line["check"] == "ok";
        assert_eq!((lines.len(), lines.iter().filter(is_right).count()), (all.len(), all.len()), "{name}: {}", run.err);
        let (_, lines) = answers(&["puzzles"], name, text);
        let is_mate = |line: &&Value| line["mate_in"] == line["length_of_line"] && line["verdict"] != "invalid";
        assert_eq!((lines.len(), lines.iter().filter(is_mate).count()), (all.len(), all.len()), "{name}: {lines:?}");
        let (_, lines) = answers(&["audit"], name, &text.lines().take(30).collect::<Vec<_>>().join("\n"));
        assert!(lines.iter().any(|line| line["verdict"] == "sound"), "{name}: {lines:?}");
        let is_compared = |line: &Value| {
            !["invalid", "not_audited", "unreadable", "wrong_key"].contains(&line["verdict"].as_str().unwrap())
        };
        // The text that was cut off belongs to the last entries.
        assert!(lines.iter().rev().skip(2).all(is_compared), "{name}: {lines:?}");
    }
    // A wrong solution, and one that cannot be played, are found.
    for (moves, check) in [("1. Rh5 Bf7 2. Rxh7#", "wrong_move"), ("1. Rh6 gxh6 2. g8#", "")] {
        let (_, lines) = answers(&["batch", "--check"], "a.txt", &format!("A vs B\n{PRINZ}\n{moves}\n"));
        assert_eq!(lines[0]["check"].as_str().unwrap_or_default(), check, "{lines:?}");
        assert_eq!(lines[0]["result"]["status"] == "invalid", check.is_empty(), "{lines:?}");
    }
}

#[test]
fn on_a_pipe_each_block_is_answered_before_the_next_one_is_awaited() {
    let mut command = matesolve();
    command.args(["batch", "-", "--format", "jsonl", "--jobs", "1", "--threads", "1"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut out) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for (block, id) in [
        (format!("A vs B, Town, 1900\n{PRINZ}\n1. Rh6 gxh6 2. g7#\n"), "A vs B, Town, 1900"),
        (format!("C, 1901\n{PRINZ}\n1. Rh6\n"), "C, 1901"),
        (format!("\nD\n{PRINZ}\n\n"), "D"),
    ] {
        stdin.write_all(block.as_bytes()).unwrap();
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((answer["id"].as_str(), &answer["result"]["mate_in"]), (Some(id), &2.into()), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_game_with_a_fen_that_ends_in_mate_is_the_problem_of_that_fen() {
    let game = format!("[Event \"x\"]\n[FEN \"{PRINZ}\"]\n[SetUp \"1\"]\n\n1. Rh6 gxh6 2. g7# 1-0\n");
    let first = |arguments: &[&str], text: &str| -> Value {
        let run = run_with_input(&[&["batch", "-", "--format", "jsonl"], arguments].concat(), text);
        serde_json::from_str(run.out.lines().next().unwrap()).unwrap()
    };
    let solved = first(&["--check"], &game);
    assert_eq!(
        (solved["fen"].as_str(), &solved["result"]["mate_in"], &solved["check"]),
        (Some(PRINZ), &2.into(), &"ok".into())
    );
    assert_ne!(first(&["--ply", "1"], &game)["fen"], PRINZ);
    // Without a mate, the last position is the problem.
    assert_ne!(first(&[], &game.replace("2. g7# 1-0", "*"))["fen"], PRINZ);
    for (pgn, check) in
        [("1. Rh6 gxh6 2. g7#".to_owned(), "ok"), (game.clone(), "ok"), ("1. Rh2".to_owned(), "wrong_move")]
    {
        let object = serde_json::json!({"fen": PRINZ, "pgn": pgn}).to_string();
        assert_eq!(first(&["--check"], &object)["check"], check, "{pgn}");
    }
    let other = serde_json::json!({"fen": "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - 0 1", "pgn": game}).to_string();
    assert!(first(&[], &other)["error"].as_str().unwrap().contains("different positions"));
}

#[test]
fn forms_that_are_not_read_are_named() {
    for (text, part) in [
        ("id,moves,rating\n1,e2e4,1500\n", "the columns of this table are id, moves, rating"),
        ("{\"columns\": [\"fen\"], \"data\": [[\"x\"]]}\n", "describes its columns in one place"),
        ("\u{1}", ""),
    ] {
        let run = run_with_input(&["batch", "-"], text);
        assert!((run.out.clone() + &run.err).contains(part), "{run:?}");
    }
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(PRINZ.bytes().flat_map(|byte| [byte, 0])).collect();
    let run = run_with_input(&["batch", "-"], wide);
    assert!((run.out.clone() + &run.err).contains("UTF-16"), "{run:?}");
}

#[test]
fn popeyes_input_is_read_where_files_are() {
    let text = "BeginProblem\nAuthor A. B.\nPieces White Kf8 Rh1 Pg6 Black Kh8 Bg8 Pg7 Ph7\nStipulation #2\nNextProblem\n\
                Pieces White Kf8 Black Kh8\nStipulation #2\nCondition Circe\nEndProblem\n";
    let (_, lines) = answers(&["batch"], "a.inp", text);
    assert_eq!((lines.len(), &lines[0]["id"], &lines[0]["result"]["mate_in"]), (2, &"A. B.".into(), &2.into()));
    assert!(lines[1]["error"].as_str().unwrap().contains("Circe"));
    let (_, lines) = answers(&["report"], "a.inp", text);
    assert_eq!(lines.len(), 2);
}
