//! `matesolve audit`: published solutions that are right and wrong, in every format.

use std::path::Path;

use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

use crate::schema::schema_accepts;
#[cfg(target_os = "linux")]
use crate::util::on_a_terminal;
use crate::util::{Run, matesolve, run, run_with_input};

const PRINZ: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";
/// Two keys: 1.Qb8# and 1.Qe8#.
const TWO_KEYS: &str = "7k/7p/5K2/1Q6/8/8/8/8 w - - 0 1";
const MEN: &str = "algebraic:\n  white: [Kf8, Rh1, Pg6]\n  black: [Kh8, Bg8, Ph7, Pg7]\n";

fn line(fen: &str, stipulation: &str, solution: &str, keywords: &[&str]) -> String {
    let object = json!({"id": solution, "fen": fen, "stipulation": stipulation, "solution": solution,
        "keywords": keywords, "authors": ["A"], "date": "1951-01"});
    format!("{object}\n")
}

/// Returns the audits that were written, each of which must be as its schema says.
fn objects(out: &str) -> Vec<Value> {
    let audits: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("every line is an object")).collect();
    for audit in &audits {
        schema_accepts("audit", audit);
    }
    audits
}

fn audit(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    run_with_input(&[&["audit", "-", "--nodes", "1M"], arguments].concat(), input)
}

#[test]
fn every_verdict_is_given_with_its_finding() {
    let mated = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
    let cases = [
        (line(PRINZ, "#2", "1.Th6! Zz. 1...g:h6 2.g7#, 1...Lf7 2.gxf7 matt", &[]), "wrong_move"),
        (line(PRINZ, "#2", "1.♖h6! zz 1...gxh6 2.g7# 1...B~ 2.Rxh7#", &[]), "sound"),
        (line(PRINZ, "#2", "1.Rh5! zz", &[]), "another_key"),
        (line(PRINZ, "#2", "1.Re6! zz", &[]), "unreadable"),
        (line(PRINZ, "#2", "by the author", &[]), "unreadable"),
        (line(PRINZ, "#3", "1.Rh6!", &[]), "short_solution"),
        (line(PRINZ, "#1", "1.Rh6!", &[]), "no_solution"),
        (line(TWO_KEYS, "#1", "1.Qb8#!", &[]), "cooked"),
        (line(TWO_KEYS, "#1", "1.Qb8#! 1.Qe8#! {cook}", &["Cooked"]), "agrees"),
        (line(mated, "#2", "1.Kh6!", &[]), "short_solution"),
        (line(PRINZ, "pser-#2", "", &[]), "not_audited"),
        (line("8/8/8/8/8/8/8/8 w - - 0 1", "#2", "", &[]), "invalid"),
    ];
    let input: String = cases.iter().map(|(line, _)| line.as_str()).collect();
    let Run { code, out, .. } = audit(&input, &["--format", "jsonl", "--confirm"]);
    let audits = objects(&out);
    let verdicts: Vec<&str> = audits.iter().map(|audit| audit["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, cases.iter().map(|(_, verdict)| *verdict).collect::<Vec<_>>(), "{out}");
    assert_eq!(code, 6);
    let place = &audits[3]["phases"][0]["findings"][0]["place"];
    assert_eq!(place, &json!({"line": 1, "column": 3, "word": "Re6", "in_file": null}));
    assert_eq!(audits[7]["missing_keywords"], json!(["Cooked"]));
    assert_eq!(audits[7]["phases"][0]["findings"][0]["moves"], json!(["Qe8#"]));
    let undecided =
        run_with_input(&["audit", "-", "--nodes", "1", "--format", "jsonl"], line(PRINZ, "#2", "1.Rh6!", &[]));
    assert_eq!((undecided.code, &objects(&undecided.out)[0]["verdict"]), (4, &json!("undecided")));
}

/// Returns the verdict of a solution, and the texts of the findings with their moves.
fn judged(fen: &str, stipulation: &str, solution: &str) -> (String, Vec<String>) {
    let Run { out, .. } = audit(line(fen, stipulation, solution, &[]), &["--format", "jsonl"]);
    judgement(&out)
}

fn judgement(out: &str) -> (String, Vec<String>) {
    let audits = objects(out);
    let phases = audits[0]["phases"].as_array().unwrap().iter();
    let findings = phases.flat_map(|phase| phase["findings"].as_array().unwrap().clone());
    let words = |finding: Value| {
        let moves: Vec<_> =
            finding["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect();
        format!("{}: {}", finding["text"].as_str().unwrap(), moves.join(" "))
    };
    (audits[0]["verdict"].as_str().unwrap().to_owned(), findings.map(words).collect())
}

#[test]
fn variations_after_an_empty_line_belong_to_the_key() {
    let prinz = judged(PRINZ, "#2", "1.Rh6!\n\n1...gxh6 2.g7#\n\n1...Ba2 2.Rxh7#");
    assert_eq!(prinz, ("sound".to_owned(), vec![]));
    // A second move that does not mate.
    let fen = "2B1Q3/8/7K/5pR1/1Bn1nk2/1N5P/4R3/6N1 w - - 0 1";
    let (verdict, findings) = judged(fen, "#2", "1.Qa4!\n 1...Se4-c3 2.Bb4-d6#\n\n 1...Se4-d6 2.Rg5*f5#");
    assert_eq!(verdict, "wrong_move");
    assert!(findings[0].starts_with("1...Ned6 2.Rxf5+ does not mate"), "{findings:?}");
    // Set play stands before the key.
    let set = judged(PRINZ, "#2", "1...Bf7 2.gxf7#\n\n1.Rh6! zz\n1...gxh6 2.g7#");
    assert_eq!(set, ("sound".to_owned(), vec![]));
}

#[test]
fn a_wrong_key_beside_the_right_one_is_no_other_key() {
    let (verdict, findings) = judged(PRINZ, "#2", "1.Rh6! 1.Rh5!");
    assert_eq!((verdict.as_str(), findings), ("wrong_key", vec!["published keys that are no #2: Rh5".to_owned()]));
}

#[test]
fn only_the_moves_that_mate_are_called_mates() {
    // Qc4 mates at once; two other moves mate in two.
    let fen = "1n6/4K3/1P6/N7/1k6/8/1BR5/R4Qn1 w - - 0 1";
    let (verdict, findings) = judged(fen, "#3", "1.Lb2-f6 !");
    assert_eq!(verdict, "short_solution");
    assert_eq!(findings[0], "there is a mate in 1: Qc4#");
    assert!(findings[1].starts_with("there is a mate in 2: "), "{findings:?}");
}

#[test]
fn an_ambiguous_move_is_named_with_the_moves_it_fits() {
    // After 1...Kxe6 both knights reach c5.
    let fen = "8/3N4/3PP3/1p1k1K2/1p6/1N1p3p/B2P3B/8 w - - 0 1";
    let (verdict, findings) = judged(fen, "#2", "1.Kg4! zz 1...Kxe6 2.Sc5#");
    assert_eq!(verdict, "sound");
    assert_eq!(findings, ["1...Kxe6 2.Sc5 fits several legal moves: Nb3-c5 Nd7-c5"]);
}

#[test]
fn letters_of_pawns_are_read() {
    let (verdict, findings) = judged(PRINZ, "#2", "1.Rh6! 1...Pg7*h6 2.Pg6-g7#");
    assert_eq!((verdict.as_str(), findings), ("sound", vec![]));
}

#[test]
fn each_half_of_a_duplex_is_compared_with_its_own_part() {
    let fen = "7k/6pp/3Q4/1q6/8/8/6PP/7K w - - 0 1";
    for solution in [
        "A) #1 by White\n1.Qf8#!\n\nB) #1 by Black\n1.Qf1#!",
        "a) Diagram\n1.Qf8#!\n\nb) Duplex\n1.Qf1#!",
        "1.Qf8#!\n\n1.Qf1#!",
    ] {
        let object = json!({"fen": fen, "stipulation": "#1", "duplex": true, "solution": solution});
        let Run { out, .. } = audit(format!("{object}\n"), &["--format", "jsonl"]);
        let found: Vec<Value> =
            objects(&out)[0]["phases"].as_array().unwrap().iter().map(|it| it["published"].clone()).collect();
        assert_eq!(found, [json!(["Qf8#"]), json!(["Qf1#"])], "{solution}: {out}");
    }
}

#[test]
fn a_twin_may_turn_the_board_in_either_direction() {
    let object = |key: &str| {
        let solution = format!("a) 1.Qg7#!\nb) 1.{key}!");
        json!({"fen": "7k/8/5K2/6Q1/8/8/8/8 w - -", "stipulation": "#1", "twins": {"b": "Rotate 90"}, "solution": solution})
    };
    let judged = |key: &str| judgement(&audit(format!("{}\n", object(key)), &["--format", "jsonl"]).out);
    assert_eq!(judged("Qb7#"), ("sound".to_owned(), vec![]));
    let (verdict, findings) = judged("Qg2#");
    assert_eq!(verdict, "other_rotation");
    assert!(findings[0].contains("8/8/8/8/8/5K2/4Q3/7k w - - 0 1, with the board turned"), "{findings:?}");
    assert_eq!(judged("Qh8#").0, "unreadable");
}

#[test]
fn a_key_or_line_that_cannot_be_read_is_named() {
    for (operations, verdict, finding) in [
        ("bm Rh9;", "unreadable", "the published key Rh9 is no legal move"),
        ("bm Rh6 Ke4;", "unreadable", "the published key Ke4 is no legal move"),
        ("bm Rh6#;", "wrong_key", "the published key Rh6# does not mate"),
        ("bm h1h6;", "sound", ""),
    ] {
        let Run { code, out, .. } = audit(format!("{PRINZ} dm 2; {operations}\n"), &["--format", "jsonl"]);
        let (found, findings) = judgement(&out);
        assert_eq!(
            (found.as_str(), code),
            (
                verdict,
                if found == "sound" {
                    0
                } else if found == "wrong_key" {
                    6
                } else {
                    5
                }
            )
        );
        assert!(findings.iter().any(|it| it.starts_with(finding)) || finding.is_empty(), "{findings:?}");
    }
    let object = json!({"fen": PRINZ, "stipulation": "#2", "pgn": "1. Rh6 gxh5 2. g7#"});
    let Run { code, out, .. } = audit(format!("{object}\n"), &[]);
    assert!(code == 3 && out.contains("half-move 2, \"gxh5\", is not legal there"), "{out}");
}

#[test]
fn entries_of_one_line_are_told_apart_by_name_and_number() {
    let good = json!({"fen": PRINZ, "stipulation": "#2", "solution": "1.Rh6!"});
    let array = json!([good, {"id": "bad", "fen": "8/8/8/8/8/8/8/8 w - -"}, good]);
    let Run { out, .. } = audit(array.to_string(), &[]);
    assert!(out.starts_with("1: agrees\n1 bad: invalid\n    item 2: White has no king"), "{out}");
    assert!(out.contains("\n1 (item 3): agrees\n"), "{out}");
    let Run { out, .. } = audit(array.to_string(), &["--format", "jsonl"]);
    assert_eq!((&objects(&out)[1]["id"], &objects(&out)[2]["id"]), (&json!("bad"), &Value::Null));
}

#[test]
fn keywords_are_checked_and_unsound_problems_are_listed() {
    let input = line(PRINZ, "#2", "1.Rh6!", &["Cooked"]) + &line(TWO_KEYS, "#1", "1.Qb8#!", &["Retros"]);
    let Run { code, out, .. } = audit(&input, &[]);
    assert_eq!(code, 6);
    assert_data_eq!(
        out,
        str![[r#"
1 1.Rh6!: agrees
    the keyword "Cooked" is wrong
2 1.Qb8#!: undecided
    cooked with the rights that the diagram shows, but it is a retro problem: Qb8# Qe8#

                                #1      #2     all
agrees                           0       1       1
undecided                        1       0       1
entries 2: published solution or keyword wrong 1, published as sound but unsound 0, keywords wrong 1, missing 0

"#]]
    );
    let sound = line(TWO_KEYS, "#1", "1.Qb8#!", &["Cooked"]);
    assert_eq!(audit(&sound, &["--format", "jsonl"]).code, 0, "the collection says itself that it is cooked");
    let listed = audit(line(TWO_KEYS, "#1", "1.Qb8#!", &[]) + &sound, &["--list", "unsound"]);
    let first = listed.out.lines().next().unwrap_or_default();
    let expected = "1951 A (standard input:1 1.Qb8#!), #1 cooked: keys that are not in the solution: Qe8#";
    assert_eq!(first, expected);
}

#[test]
fn the_yacpdbs_pages_and_twins_are_read() {
    let men = json!({"white": ["Kf8", "Rh1", "Pg6"], "black": ["Kh8", "Bg8", "Ph7", "Pg7"]});
    let entry = |id: u32, solution: &str, twins: Value| json!({"id": id, "algebraic": men, "stipulation": "#2", "solution": solution, "twins": twins});
    let right = "a)\n\n1.Rh1-h6 ! zugzwang.\n\nb) wRh1-->h2\n\n1.Rh2-h6 !";
    let wrong = right.replace("Rh2-h6", "Rh2-h5");
    let page = json!({"success": true, "result": {"q": "Stip('#2')", "count": 2, "entries": [
        entry(17, right, json!({"b": "Move h1 h2"})), entry(18, &wrong, json!({"b": "Move h1 h2"})),
    ]}});
    let Run { out, .. } = audit(page.to_string(), &["--format", "jsonl"]);
    let audits = objects(&out);
    assert_eq!((&audits[0]["id"], &audits[0]["verdict"]), (&json!("17"), &json!("sound")));
    let phases: Vec<_> =
        audits[1]["phases"].as_array().unwrap().iter().map(|it| (&it["letter"], &it["verdict"])).collect();
    assert_eq!(phases, [(&json!("a"), &json!("agrees")), (&json!("b"), &json!("another_key"))]);
    assert_eq!(audits[1]["verdict"], "another_key");
}

#[test]
fn a_collection_is_written_again_and_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let entry = |stipulation: &str, solution: &str, keywords: &str| {
        format!(
            "# kept\r\nauthor: ~\n{MEN}stipulation: '{stipulation}'\nsolution: |\n{solution}keywords:\n  - Retros # x\n{keywords}x: \t y\n"
        )
    };
    let standard = "  1.Rh1-h6 ! zugzwang.\n      1...g7*h6\n          2.g6-g7 #\n      1...Bg8-a2\n          2.Rh6*h7 #\n      \
        1...Bg8-b3\n          2.Rh6*h7 #\n      1...Bg8-c4\n          2.Rh6*h7 #\n      1...Bg8-d5\n          2.Rh6*h7 #\n      \
        1...Bg8-e6\n          2.Rh6*h7 #\n      1...Bg8-f7\n          2.g6*f7 #\n";
    let other = entry("pser-#2", "  1.Ra1\u{7}\n", "  - Cooked\n");
    let before = [b"\xef\xbb\xbf%YAML 1.1\n--- # first\n".as_slice(), b"---\r\n# nothing\n--- \n"].concat();
    let write = |solution: &str, keywords: &str| {
        let mut bytes = before.clone();
        bytes.extend_from_slice(entry("#2", solution, keywords).as_bytes());
        bytes.extend_from_slice(b"---\n: [\xff\n---\n: [\n---\n");
        bytes.extend_from_slice(format!("{other}---\n# end").as_bytes());
        bytes
    };
    let input = folder.path().join("in.olv");
    let output = folder.path().join("out.olv");
    std::fs::write(&input, write("  1.Rh6! zz\n", "  - Cooked\n")).unwrap();
    let audit = |arguments: &[&str]| {
        let mut command = matesolve();
        command
            .current_dir(folder.path())
            .args(["audit", "in.olv", "--format", "olv", "-o", "out.olv", "--nodes", "1M"]);
        let run: Run = command.args(arguments).output().unwrap().into();
        (run, std::fs::read(&output).unwrap())
    };
    let found = report_solution();
    let (run, written) = audit(&[]);
    assert_eq!(run.code, 6, "{}", run.err);
    assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&write(&found, "  - Cooked\n")));
    assert_eq!(written, write(&found, "  - Cooked\n"));
    assert_eq!(found.lines().count(), standard.lines().count(), "{found}");
    let (_, marked) = audit(&["--mark"]);
    assert_eq!(marked, write(&found, ""));
    let (_, keywords) = audit(&["--mark", "--keywords-only"]);
    assert_eq!(keywords, write("  1.Rh6! zz\n", ""), "the solution stays as it is");
    assert_eq!(audit(&["--keywords-only"]).0.code, 2);
}

#[test]
fn places_are_lines_of_the_file_and_a_limit_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let entry = |solution: &str| format!("---\n{MEN}stipulation: '#2'\nsolution: {solution}\nauthors: [A]\n");
    let file = format!("{}{}", entry("|\n  1.Rh6! zz\n    1...Bb4 2.Rxh7#"), entry("'1.Rh6! 1...Bb4\n    2.g7#'"));
    std::fs::write(folder.path().join("in.olv"), &file).unwrap();
    let audit = |more: &[&str]| -> Run {
        matesolve().current_dir(folder.path()).args(["audit", "in.olv"]).args(more).output().unwrap().into()
    };
    let text = audit(&["--nodes", "1M"]).out;
    let (line, of_file) = (1..).zip(file.lines()).find(|(_, line)| line.contains("Bb4")).unwrap();
    let place = format!("line {line}, column {}, \"Bb4\"", of_file.find("Bb4").unwrap() + 1);
    assert!(text.contains(&place), "{place}: {text}");
    assert!(text.contains("line 1 of the solution, column 12, \"Bb4\""), "{text}");
    let first = &objects(&audit(&["--nodes", "1M", "--format", "jsonl"]).out)[0]["phases"][0]["findings"][0]["place"];
    assert_eq!(first, &json!({"line": 2, "column": 7, "word": "Bb4", "in_file": [line, 9]}));
    let limited = audit(&["--time", "0s"]).out;
    assert!(limited.contains("first moves are not decided; stopped by --time\n"), "{limited}");
}

/// A person at a terminal sees how far an audit is.
#[test]
#[cfg(target_os = "linux")]
fn a_person_sees_the_progress_of_an_audit() {
    let folder = tempfile::tempdir().unwrap();
    let (easy, hard) = (line(PRINZ, "#2", "1.Rh6!", &[]), line(crate::util::HARD, "#9", "1.e4!", &[]));
    std::fs::write(folder.path().join("in.jsonl"), easy.clone() + &easy + &hard).unwrap();
    let seen = on_a_terminal(80, folder.path(), "audit in.jsonl -o out.txt --time 1s --threads 1");
    assert!(seen.contains("2 lines (") && seen.contains(" %, about ") && seen.contains(" left"), "{seen:?}");
}

/// Returns the solution of the entry as `report --format olv` writes it, indented.
fn report_solution() -> String {
    let entry = format!("---\n{MEN}stipulation: '#2'\nsolution: x\n");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.olv");
    std::fs::write(&path, entry).unwrap();
    let out = run(&["report", path.to_str().unwrap(), "--format", "olv"]).out;
    out.split_once("solution: |\n").unwrap_or_else(|| out.split_once("solution: |2\n").unwrap()).1.to_owned()
}

#[test]
fn an_audit_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let input: String = (0..6).map(|number| line(PRINZ, "#2", &format!("1.Rh6! {number}"), &[])).collect();
    std::fs::write(path("in.jsonl"), input).unwrap();
    let audit = |more: &[&str]| -> Run {
        let mut command = matesolve();
        command.current_dir(folder.path()).args(["audit", "in.jsonl", "--format", "jsonl", "-o", "out.jsonl"]);
        command.args(["--resume", "--nodes", "1M"]).args(more).output().unwrap().into()
    };
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let whole = audit(&[]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    let lines = read(&path("out.jsonl"));
    let cut = lines.match_indices('\n').nth(2).unwrap().0 + 20;
    std::fs::write(path("out.jsonl"), &lines[..cut]).unwrap();
    let again = audit(&[]);
    assert_eq!((again.code, read(&path("out.jsonl")).lines().count()), (0, 6));
    assert!(read(&path("out.jsonl")).starts_with(&lines[..cut - 20]));
    assert_eq!(again.err.lines().last(), whole.err.lines().last(), "the totals are those of the whole");
    let other = audit(&["--confirm"]);
    assert!(
        other.code == 2 && other.err.contains("begun with no --confirm, and now it is --confirm 300000000"),
        "{}",
        other.err
    );
}

#[test]
fn broken_entries_cost_nothing_but_themselves() {
    let mut input = String::new();
    for number in 0..5000 {
        let broken = if number == 2500 { "keywords: ['\n  }:\n" } else { "" };
        let stipulation = if number % 2500 == 1 { "#2" } else { "pser-#2" };
        input.extend(["---\n", MEN, "stipulation: '", stipulation, "'\nsolution: 1.Rh6!\n", broken]);
    }
    let Run { code, out, .. } = audit(input, &["--list", "differing"]);
    assert_eq!(code, 3);
    assert!(out.starts_with("15002: invalid\n    the entry is not YAML (line 15007"), "{out}");
    assert!(out.contains("entries 5000:") && out.contains("agrees"), "{out}");
    let random: Vec<u8> = (0_u32..1 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let noise = audit(random, &["--format", "jsonl", "-q"]);
    assert_eq!(noise.code, 3);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    for (arguments, why) in [
        (&["audit", "x.jsonl", "--format", "olv"][..], "--format olv writes a collection again, and x.jsonl is none"),
        (&["audit", "-", "--mark"], "add --format olv"),
        (&["audit", "-", "-o", "x", "--resume"], "--resume needs --format jsonl"),
        (&["audit", "-", "-o", "-", "--resume", "--format", "jsonl"], "--resume needs a file"),
        (&["audit", "x.olv", "--format", "olv", "--list", "unsound"], "--list cannot leave out entries"),
        (&["audit", "no.such.olv"], "no.such.olv cannot be read"),
    ] {
        let Run { code, err, .. } = run(arguments);
        assert!(code == 2 && err.contains(why), "{err}");
    }
    let empty = audit("\n# nothing\n", &[]);
    assert!(empty.code == 3 && empty.err.contains("holds no published problem"));
}

#[test]
fn shares_of_an_audit_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let run_in =
        |arguments: &[&str]| -> Run { matesolve().current_dir(folder.path()).args(arguments).output().unwrap().into() };
    let men = json!({"white": ["Kf8", "Rh1", "Pg6"], "black": ["Kh8", "Bg8", "Ph7", "Pg7"]});
    let entry = |id: u32| json!({"id": id, "algebraic": men, "stipulation": "#2", "solution": "1.Rh6!"});
    // All entries of a page stand on one line.
    let page = json!({"result": {"entries": (1..=4).map(entry).collect::<Vec<_>>()}}).to_string();
    std::fs::write(folder.path().join("page.json"), page).unwrap();
    std::fs::write(folder.path().join("more.jsonl"), format!("{}\n{}\n{}\n", entry(5), entry(6), entry(7))).unwrap();
    for share in ["1/3", "2/3", "3/3"] {
        let out = format!("{}.jsonl", &share[..1]);
        let audit = ["audit", "page.json", "more.jsonl", "--shard", share, "--format", "jsonl", "-o", &out];
        assert_eq!(run_in(&audit).code, 0);
    }
    let whole = run_in(&["merge", "1.jsonl", "2.jsonl", "3.jsonl"]);
    let ids = |run: &Run| objects(&run.out).iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect::<String>();
    assert_eq!((whole.code, ids(&whole).as_str()), (0, "1234567"), "{}", whole.err);
    assert_eq!(whole.err, "audits 7: shares 3, uneven 0\n");
    let other_order = run_in(&["merge", "2.jsonl", "1.jsonl", "3.jsonl"]);
    assert_eq!(other_order.code, 2, "{}", other_order.err);
    assert!(other_order.err.contains("in the order 1/N, 2/N, …, N/N"), "{}", other_order.err);
    let first = std::fs::read_to_string(folder.path().join("1.jsonl")).unwrap();
    std::fs::write(folder.path().join("cut.jsonl"), first.lines().next().unwrap()).unwrap();
    let cut = run_in(&["merge", "cut.jsonl", "2.jsonl", "3.jsonl", "-o", "o.jsonl"]);
    assert!(
        cut.code == 6 && cut.err.contains("2.jsonl has 2 audits and cut.jsonl has 1: a share is not"),
        "{}",
        cut.err
    );
    let input = run_in(&["merge", "1.jsonl", "--input", "more.jsonl"]);
    assert!(input.code == 2 && input.err.contains("--input compares results of batch"), "{}", input.err);
    std::fs::write(folder.path().join("x.jsonl"), "{}").unwrap();
    let mixed = run_in(&["merge", "1.jsonl", "x.jsonl"]);
    assert!(mixed.code == 2 && mixed.err.contains("x.jsonl:1: not an audit in JSON lines"), "{}", mixed.err);
}

#[test]
fn keywords_that_name_themes_are_compared_when_it_is_asked_for() {
    // S. Loyd, 1879: a Novotny.
    let entry = line("8/7p/b1NNpk2/r7/7p/2n2B2/8/5QRK w - - 0 1", "#2", "1.Nb5!", &["Novotny", "Mutate", "Letters"]);
    let plain = objects(&audit(&entry, &["--format", "jsonl"]).out);
    assert_eq!(plain[0].get("themes"), None);
    let themed = objects(&audit(&entry, &["--format", "jsonl", "--themes"]).out);
    assert_eq!(themed[0]["verdict"], plain[0]["verdict"]);
    assert_eq!(themed[0]["themes"]["confirmed"], json!(["Novotny"]));
    assert_eq!(themed[0]["themes"]["not_found"], json!(["Mutate"]));
    let text = audit(&entry, &["--themes"]).out;
    assert!(
        text.contains("\n    themes printed and found: Novotny\n    themes printed, not found: Mutate\n"),
        "{text}"
    );
}

/// Two rooks that mate after 1.Kb1.
const TWO_LINES: &str = "8/8/8/8/8/1K6/6RR/k7 b - - 0 1";

#[test]
fn lines_are_too_many_only_where_a_number_is_given() {
    let entry = |rest: &str| {
        format!(r##"{{"fen":"{TWO_LINES}","stipulation":"h#1","solution":"1.Kb1 Tg1# 1.Kb1 Rh1#"{rest}}}"##)
    };
    let audits = objects(&audit(entry("") + "\n" + &entry(r#","intended":1"#), &["--format", "jsonl"]).out);
    assert_eq!(audits[0]["phases"][0]["findings"], json!([]));
    assert_eq!(audits[1]["phases"][0]["findings"][0]["text"], "the solution gives more lines than intended");
    assert_eq!(audits[0]["phases"][0]["published"], json!(["1.Kb1 Rg1#", "1.Kb1 Rh1#"]));
}

#[test]
fn a_finding_lists_a_few_moves() {
    let many = "8/8/8/8/8/1K6/RRRRRRRR/k7 b - - 0 1";
    let many = line(many, "h#1", "", &[]).replace("RRRRRRRR", "2RRRRRR");
    let many = many.replace("8/8/8/8/8/1K6", "8/8/8/2QQQQQQ/8/1K6");
    let text = audit(&many, &[]).out;
    let listed = text.lines().find(|line| line.contains("several solutions")).expect("it is cooked");
    assert_eq!(listed.matches("1.Kb1").count(), 8, "{listed}");
    assert!(listed.ends_with(" more"), "{listed}");
}

#[test]
fn a_table_and_a_page_have_every_entry() {
    let entries =
        [line(PRINZ, "#2", "1.Rh5! zz", &[]), line(PRINZ, "#2", "1.Rh6!", &["=Letters"]), "nonsense\n".to_owned()]
            .concat();
    let table = audit(&entries, &["--format", "csv"]);
    let rows: Vec<Vec<String>> = csv::ReaderBuilder::new()
        .from_reader(table.out.as_bytes())
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    assert_eq!((rows.len(), table.code), (3, 6), "{table:?}");
    assert_eq!(
        rows[0][..12].join("|"),
        format!("standard input|1|1.Rh5! zz|A||1951|{PRINZ}|#2|another_key|false|true|false")
    );
    assert_eq!(
        rows[0][12..15].join("|"),
        "Rh6|Rh5|keys that are not in the solution: Rh6; published keys that are no #2: Rh5"
    );
    assert!(rows[2][8] == "invalid" && rows[2][17].contains("nonsense"), "{rows:?}");
    let differing = audit(&entries, &["--format", "csv", "--list", "differing"]);
    assert_eq!(differing.out.lines().count(), 3, "{}", differing.out);
    let page = audit(&entries, &["--format", "html"]).out;
    assert_eq!(page.matches("<article").count(), 3);
    assert!(page.contains("<p>another key; keys that are not in the solution: Rh6;") && page.contains("<p>agrees</p>"));
    assert!(page.contains("<p>invalid</p>") && page.contains("nonsense"));
}
