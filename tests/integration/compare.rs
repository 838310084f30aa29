//! `matesolve compare`, tables of results (CSV), and the progress of a batch on a terminal.

use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use snapbox::{assert_data_eq, str};

use crate::util::{HARD, LOVE_CHASE, PRINZ, Run, batch_of, on_a_terminal, run, run_with_input};

/// Two mates and a position that a thousand nodes do not answer.
fn problems() -> String {
    format!("{PRINZ} dm 2; id \"a\";\n{LOVE_CHASE} dm 3; id \"=1+1\";\n{HARD}\n")
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path as text.
    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), contents).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }
}

fn results(arguments: &[&str]) -> String {
    batch_of(problems(), &[&["--format", "jsonl", "-q", "--threads", "1"], arguments].concat()).0.out
}

#[test]
fn two_runs_of_matesolve_are_compared() {
    let folder = Folder::new();
    let a = folder.write("a.jsonl", results(&["--nodes", "30"]));
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(results(&["--nodes", "3k"]).as_bytes()).unwrap();
    let b = folder.write("b.jsonl.gz", gz.finish().unwrap());
    let page = folder.path("page.html");
    let Run { code, out, err } = run(&["compare", &a, &b, "--html", page.to_str().unwrap()]);
    assert!(code == 0 && err.is_empty(), "{err}");
    assert_data_eq!(
        out,
        str![[r#"
A: [..]a.jsonl, results 3
B: [..]b.jsonl.gz, results 3
compared 3 (by name 2, by position 1), only in A 0, only in B 0
solved by both 0, by A only 0, by B only 2, by neither 1
shorter mate by A 0, by B 0; proved shortest by A only 0, by B only 0
contradictions 0

length    lines       found     best   proved  no mate         time              nodes
...

solved by B only: 2
  a  5Kbk/6pp/6P1/8/8/8/8/7R w - -: A undecided (no mate in 1), B mate in 2 (proved shortest)
  =1+1  5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -: A undecided (no mate in 1), B mate in 3 (proved shortest)

"#]]
    );
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<svg class=\"plot\"") && page.contains("=1+1"), "{page}");
    let picture = folder.path("plot.svg");
    assert_eq!(run(&["compare", &a, &b, "--svg", picture.to_str().unwrap()]).code, 0);
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.starts_with("<svg xmlns=") && drawn.contains(">A a<") && drawn.contains(">B b.jsonl<"), "{drawn}");
    assert!(drawn.contains("positions solved") && !drawn.contains("var("), "{drawn}");
    let twice = run(&["compare", &a, &b, "--svg", &a]);
    assert!(twice.code == 2 && twice.err.contains("it is also an input"), "{}", twice.err);
    // Without numbers of nodes, the picture counts mates by length.
    let bare = folder.write("bare.jsonl", "{\"fen\": \"7k/5Q2/6K1/8/8/8/8/8 w - -\", \"mate_in\": 1}\n");
    assert_eq!(run(&["compare", &bare, &bare, "--svg", picture.to_str().unwrap()]).code, 0);
    assert!(std::fs::read_to_string(&picture).unwrap().contains("length of the mate in moves"));
    let json = run(&["compare", &a, &b, "--format", "json"]);
    let object: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&object["counts"]["solved_by_b"], &object["total"]["b"]["proved"]), (&2.into(), &2.into()));
    // A run does not differ from itself.
    let same = run(&["compare", &a, &a, "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&same.out).unwrap()["differences"], Value::Array(Vec::new()));
}

#[test]
fn another_program_can_contradict() {
    let folder = Folder::new();
    let own = folder.write("own.jsonl", results(&["--nodes", "3k"]));
    let other = format!("{{\"fen\":\"{PRINZ} 5 9\",\"mate\":1,\"nodes\":9}}\n{{\"id\":\"=1+1\",\"mate\":4}}\n");
    let Run { code, out, .. } = run_with_input(&["compare", &own, "-"], other);
    assert_eq!(code, 6, "{out}");
    assert_data_eq!(
        out,
        str![[r#"
A: [..]own.jsonl, results 3
B: standard input, results 2
compared 2 (by name 1, by position 1), only in A 1, only in B 0
solved by both 2, by A only 0, by B only 0, by neither 0
shorter mate by A 1, by B 0; proved shortest by A only 0, by B only 0
contradictions 1
nodes where both solved (1): A [..], B 9; B takes [..] times as much as A (geometric mean)

length    lines       found     best   proved  no mate         time              nodes
...

contradictions: 1
  a  5Kbk/6pp/6P1/8/8/8/8/7R w - -: A mate in 2 (proved shortest), B mate in 1

shorter mate by A: 1
  =1+1  5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -: A mate in 3 (proved shortest), B mate in 4

only in A: 1
  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - (line 3): undecided (no mate in 2)

"#]]
    );
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = Folder::new();
    let good = folder.write("good.jsonl", "{\"id\":\"x\",\"mate\":2}\n");
    let broken = folder.write("broken.jsonl", "{\"id\":\"x\",\"mate\":2}\n{\"id\":\"y\",\"ma");
    let empty = folder.write("empty.jsonl", "");
    for (arguments, code, expected) in [
        (["compare", &good, &broken], 2, "broken.jsonl:2: not a result"),
        (["compare", &good, &empty], 3, "no problem in common"),
        (["compare", "-", "-"], 2, "standard input can be one of the two runs"),
        (["compare", &good, "missing.jsonl"], 2, "missing.jsonl cannot be read"),
    ] {
        let run = run(&arguments);
        assert!(run.code == code && run.err.contains(expected), "{arguments:?}: {run:?}");
    }
    let run = run(&["compare", &good, &good, "--html", &good]);
    assert!(run.code == 2 && run.err.contains("it is also an input"), "{run:?}");
}

#[test]
fn a_batch_writes_a_table() {
    let text = format!("{}nonsense\n", problems());
    let (run, _) = batch_of(&text, &["--format", "csv", "--nodes", "3k", "-q"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.code, lines.len()), (3, 5), "{}", run.out);
    assert!(lines[0].starts_with("line,id,fen,") && lines[1].starts_with("1,a,5Kbk/"), "{}", run.out);
    assert!(lines[2].starts_with("2,'=1+1,5N1k/") && lines[3].contains(",undecided,"), "{}", run.out);
    assert!(lines[4].starts_with("4,") && lines[4].contains(",invalid,"), "{}", run.out);
    // Only the header, if there are no results. The table can be an input again.
    assert_eq!(batch_of("", &["--format", "csv"]).0.out, format!("{}\n", lines[0]));
    let again = batch_of(lines[..4].join("\n"), &["--format", "jsonl", "--nodes", "3k", "-q"]).0.out;
    let again: Value = serde_json::from_str(again.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&again["stipulation"]["text"], &again["result"]["mate_in"]), (&"#3".into(), &3.into()));
}

#[test]
fn a_table_is_neither_continued_nor_merged() {
    let folder = Folder::new();
    let input = folder.write("in.epd", problems());
    let table = folder.path("out.csv").to_str().unwrap().to_owned();
    let batch =
        |more: &[&str]| run(&[&["batch", &input, "--format", "csv", "--nodes", "3k", "-o", &table], more].concat());
    let resumed = batch(&["--resume"]);
    assert!(resumed.code == 2 && resumed.err.contains("--resume needs --format jsonl"), "{resumed:?}");
    assert_eq!(batch(&["--shard", "2/3"]).code, 0);
    assert_eq!(std::fs::read_to_string(&table).unwrap().lines().count(), 2);
    let merged = run(&["merge", &table]);
    assert!(merged.code == 2 && merged.err.contains("not a result in JSON lines"), "{merged:?}");
    let moves = run(&[PRINZ, "--moves", "--format", "csv"]);
    assert!(moves.code == 2 && moves.err.contains("cannot be printed as CSV"), "{moves:?}");
}

/// Runs a batch with a terminal for standard error. Returns what the terminal gets.
#[cfg(target_os = "linux")]
fn batch_on_a_terminal(input: &str, more: &str) -> String {
    let folder = Folder::new();
    folder.write("in.jsonl", input);
    on_a_terminal(120, &folder.path(""), &format!("batch in.jsonl --format jsonl -o out.jsonl {more}"))
}

#[test]
#[cfg(target_os = "linux")]
fn a_person_sees_the_progress_and_no_control_characters_of_names() {
    let id = "x\u{1b}]0;owned\u{7}\u{9b}31m";
    let line = |fen: &str| serde_json::json!({ "fen": fen, "id": id, "stipulation": "#9" }).to_string();
    let input = [line(PRINZ), line("nonsense\u{1b}]0;owned\u{7}"), line(HARD)].join("\n");
    let seen = batch_on_a_terminal(&input, "--time 2s --threads 1");
    assert!(seen.contains("solved 1, invalid 1, ") && seen.contains(" left"), "{seen:?}");
    assert!(!seen.contains("\u{1b}]0;") && !seen.contains(['\u{7}', '\u{9b}']), "{seen:?}");
    // The counts move while the last position is searched.
    let counts = seen.split("invalid 1, ").filter_map(|part| part.split_once(" nodes")).map(|(count, _)| count);
    let counts: std::collections::BTreeSet<&str> = counts.collect();
    assert!(counts.len() > 2, "{counts:?}");
    let quiet = batch_on_a_terminal(&input, "--nodes 10k --threads 1 -q");
    assert_eq!(quiet, "");
}
