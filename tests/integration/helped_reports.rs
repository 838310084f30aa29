//! Reports and audits of help play through the program.

use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

use crate::helped::MANY;
use crate::schema::schema_accepts;
use crate::util::{run, run_with_input};

/// A helpmate with castling in its solution and its set play (P. Benko).
const CASTLING: &str = "4k2r/5N2/4B3/8/6K1/8/8/B7 b k -";

#[test]
fn an_audit_agrees_with_its_own_halves_and_set_play() {
    for (men, stipulation, options, line) in [
        ("white: [Ka1, Bb1, Qc2], black: [Ka3, Pb4]", "hs#1.5", "", "1...b4-b3   2.Qc2-c4 b3-b2 #\n"),
        ("white: [Ka1, Bb1, Qc2], black: [Ka3, Pb4]", "hs=2.5", "", "1...b4-b3   2.Bb1-a2 b3*a2   3.Qc2-b3 + "),
        ("white: [Kc7, Rh1], black: [Ka8, Pa7]", "h#1.5", "SetPlay", ""),
        ("white: [Kd1, Rd3, Pc3], black: [Ka1, Rb4, Bf1, Pa4]", "hs#4", "WhiteToPlay", "1...a4-a3   2.Kd1-c2 "),
        ("white: [Kg3, Ra8], black: [Kh1]", "ser-h#2", "WhiteToPlay", "1...Kh1-g1   2.Ra8-a1 #\n"),
    ] {
        let entry = format!(
            "---\nalgebraic: {{{men}}}\nstipulation: '{stipulation}'\noptions: [{options}]\nintended-solutions: 2\n"
        );
        let own = run_with_input(&["report", "-", "--format", "olv"], &entry).out;
        assert!(own.contains(line), "{stipulation}: {own}");
        let audit = run_with_input(&["audit", "-"], &own).out;
        assert!(!audit.contains("no legal move") && !audit.contains("is no solution"), "{own}{audit}");
    }
    for (stipulation, lines) in [
        ("hs#1.5", "1...b4-b3 2.Qc2-c4 b3-b2# 1...b4-b3 2.Qc2-e4 b3-b2#"),
        ("hs#1.5", "1...b3 2.Qc4 b2# 1...b3 2.Qe4 b2#"),
        ("hs#1.5", "1.b3 Qc4 2.b2# 1.b3 Qe4 2.b2#"),
    ] {
        let fen = "8/8/8/8/1p6/k7/2Q5/KB6 b - -";
        let entry = json!({"fen": fen, "stipulation": stipulation, "intended": 2, "solution": lines});
        let audit = run_with_input(&["audit", "-"], entry.to_string()).out;
        assert!(audit.contains("1: agrees\n"), "{lines}: {audit}");
    }
    // The set play begins with the second move.
    let asked = ["8/8/8/8/8/1K6/7R/k7 w - -", "-s", "h#1.5", "--set-play"];
    let solved = run(&asked).out;
    assert!(solved.starts_with("set play:\n1... ... 2.Kb1 Rh1#\nshorter than stipulated:\n1...Rh1#\n"), "{solved}");
    let page = run(&[&["report"], &asked[..], &["--format", "html"]].concat()).out;
    assert!(page.contains(r#""m":"1... ... 2.""#), "{page}");
    let popeye = run(&[&["report"], &asked[..], &["--format", "popeye"]].concat()).out;
    assert!(popeye.starts_with("  1...  ...  2.Ka1-b1 Rh2-h1 #\n\n"), "{popeye}");
    let results = run(&[&asked[..], &["--format", "jsonl"]].concat()).out;
    assert_eq!(run_with_input(&["verify", "-"], &results).code, 0);
}

#[test]
fn a_published_line_is_judged_by_itself_where_a_limit_ends_the_search() {
    let fen = "8/8/8/3k4/8/8/8/K6R b - -";
    let audit = |line: &str| {
        let entry = format!("{{\"fen\":\"{fen}\",\"stipulation\":\"h#6\",\"solution\":\"{line}\"}}");
        run_with_input(&["audit", "-", "--nodes", "40"], entry)
    };
    let moves = "1.Kc6 Ka2 2.Kb7 Ka3 3.Ka8 Ka4 4.Kb8 Ka5 5.Ka8 Kb6 6.Kb8";
    let right = audit(&format!("{moves} Rh8#"));
    assert!(right.code == 4 && right.out.contains("Kb8 Rh8 is legal and ends in mate"), "{right:?}");
    let wrong = audit(&format!("{moves} Rh7"));
    assert!(wrong.out.contains("Kb8 Rh7 is no solution (h#6)"), "{wrong:?}");
}

#[test]
fn a_report_stops_where_its_list_fills_the_memory() {
    let report = run(&[&["report"], &MANY[..], &["--hash", "1M"]].concat());
    let expected = "894 solutions found, there may be more (memory limit reached)";
    assert!(report.code == 1 && report.out.contains(expected), "{}", report.out);
}

#[test]
fn a_report_shows_all_solutions_and_the_set_play() {
    let report = run(&["report", CASTLING, "-s", "h#2", "--set-play"]);
    assert_data_eq!(
        report.out,
        str![[r#"
h#2 sound: 1 solution, this is all
White Kg4 Ba1 Be6 Nf7; Black Ke8 Rh8 (4+2, a miniature)

set play
  1...Bf6 2.Rf8 Nd6#
  1...Bf5 2.O-O Nh6# (model mate, castling)
actual play
  1.O-O Kh5 2.Kh7 Ng5# (model mate, castling)

[..] nodes, [..]
C+ matesolve 0.1 (h#2, whole, set play, [..])

"#]]
    );
    assert_eq!(report.code, 0);
    let entry = run(&["report", CASTLING, "-s", "h#2", "--format", "olv", "--letters", "de"]);
    assert!(entry.code == 2 && entry.err.contains("--letters needs"), "{}", entry.err);
    let german = run(&["report", CASTLING, "-s", "h#2", "--format", "popeye", "--letters", "de"]);
    assert_eq!(german.out, "  1.0-0 Kg4-h5   2.Kg8-h7 Sf7-g5 #\n\nsolution finished.\n");
    let entry = run(&["report", CASTLING, "-s", "h#2", "--format", "olv"]).out;
    assert!(entry.contains("stipulation: \"h#2\"\nsolution: |\n  1.0-0 Kg4-h5   2.Kg8-h7 Sf7-g5 #\n"), "{entry}");
    let page = run(&["report", CASTLING, "-s", "h#2", "--format", "html"]).out;
    assert!(page.contains(r#""lines":[{"line":[{"s":"O-O""#) && page.contains(r#""m":"1.""#), "{page}");
}

#[test]
fn reports_of_every_kind_of_help_play_match_the_schema() {
    let two = "k7/8/2K5/8/8/8/7R/8 b - -";
    for (arguments, code, expected) in [
        (vec![CASTLING, "-s", "h#2", "--set-play"], 0, ["solved", "sound"]),
        (vec![CASTLING, "-s", "h#2", "--intended", "2"], 1, ["solved", "incomplete"]),
        (vec![CASTLING, "-s", "h#2", "--castling", "none"], 1, ["no_solution", "no_solution"]),
        (vec![two, "-s", "h#2"], 1, ["solved", "cooked"]),
        (vec![two, "-s", "h#2", "--intended", "22"], 0, ["solved", "sound"]),
        (vec![two, "-s", "h#3"], 1, ["solved", "short_solution"]),
        (vec![two, "-s", "h#2", "--soundness"], 1, ["undecided", "cooked"]),
        (vec![CASTLING, "-s", "h#4", "--nodes", "100"], 4, ["undecided", "undecided"]),
        (vec![two, "-s", "h#2.5"], 1, ["solved", "short_solution"]),
        (vec![two, "-s", "ser-h#2", "--intended", "2"], 0, ["solved", "sound"]),
        (vec!["7r/8/8/8/8/1k6/8/K7 w - -", "-s", "h#1", "--begins", "white"], 0, ["solved", "sound"]),
        (vec!["7k/8/8/8/8/8/8/K6R b - -", "-s", "h#1.5"], 3, ["invalid", "undecided"]),
    ] {
        let run = run(&[&["report", "--format", "jsonl"], arguments.as_slice()].concat());
        let object: Value = serde_json::from_str(&run.out).expect("JSON");
        schema_accepts("report", &object);
        let result = &object["result"];
        assert_eq!([&result["status"], &result["soundness"]], expected.map(Value::from).each_ref(), "{arguments:?}");
        assert_eq!(run.code, code, "{arguments:?} {}", run.err);
    }
    // For the verdict, one solution too many is enough.
    let verdict: Value =
        serde_json::from_str(&run(&["report", two, "-s", "h#2", "--soundness", "--format", "jsonl"]).out)
            .expect("JSON");
    assert_eq!((verdict["solutions"].as_array().map(Vec::len), &verdict["complete"]), (Some(2), &Value::Bool(false)));
}

#[test]
fn every_phase_of_twins_and_of_a_duplex_has_its_solutions() {
    let twins = r##"{"fen":"8/8/8/8/8/1K6/7R/k7 b - -","stipulation":"h#1","twins":{"b":"Move h2 h3","c":"Stipulation h#1.5"}}"##;
    let report = run(&["report", twins, "--format", "jsonl"]);
    let object: Value = serde_json::from_str(&report.out).expect("JSON");
    let of = |name: &str| {
        object["phases"].as_array().unwrap().iter().map(|phase| phase["result"][name].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("soundness"), ["sound", "sound", "short_solution"]);
    assert_eq!((report.code, &object["result"]["soundness"]), (1, &Value::from("short_solution")));
    let duplex = r##"{"fen":"8/8/8/8/8/1K6/7R/k7 b - -","stipulation":"h#1","duplex":true}"##;
    let text = run(&["report", duplex]).out;
    assert!(text.contains("White mates\nh#1 sound") && text.contains("Black mates\nh#1 no solution"), "{text}");
}

#[test]
fn an_audit_compares_the_published_lines() {
    let both = "1.Ka7 2.Ka6 Ra2# 1.Kb8 2.Kc8 Rh8#";
    for (solution, expected) in [
        (both, "agrees"),
        ("1.Ka7 2.Ka6 Ta2# 1.Kb8 2.Kc8 Th8#", "agrees"),
        ("1.Ka7 2.Ka6 Ra2#", "cooked"),
        ("1.Ka7 2.Ka6 Rb2", "another key"),
        ("1.Ka7 2.Ka6 Ra2# 1.Kb8 2.Kc8 Rh8# 1.Ka7 2.Kb8 Rh8", "wrong key"),
        ("1.Ka7 2.Ka6 Ra2# 1.Kb8 2.Kc8 Rh9#", "cooked"),
        ("1.Ka7 2.Ka6 Ra2# 1.Kb8 2.Kc8 Ra2#", "another key"),
        ("1.Ka7 2.Ka6 Ra2# 1.Kb8 2.Kd8 Rh8#", "wrong move in a variation"),
        ("by the author", "unreadable"),
    ] {
        let fields = format!("stipulation: ser-h#2\nintended-solutions: 2\nsolution: |\n  {solution}\n");
        let (_, out) = entry(&fields, &["audit", "--list", "all"]);
        assert!(out.contains(&format!(": {expected}")) || out.contains(&format!(" {expected}")), "{solution}: {out}");
    }
    let wrong = "stipulation: ser-h#2\nintended-solutions: 2\nsolution: |\n  1.Ka7 2.Ka6 Ra2#\n  1.Kb8 2.Kd8 Rh8#\n";
    let (_, out) = entry(wrong, &["audit", "--list", "all"]);
    assert!(out.contains("column 11, \"Kd8\": Kb8 Kd8 is no legal move"), "{out}");
}

/// Writes an entry of a collection, and reports on it.
fn entry(fields: &str, arguments: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.olv");
    std::fs::write(&path, format!("---\nalgebraic: {{white: [Kc6, Rh2], black: [Ka8]}}\n{fields}")).unwrap();
    let run = run(&[&[arguments[0], path.to_str().unwrap()], &arguments[1..]].concat());
    (run.code, run.out)
}

#[test]
fn an_entry_says_how_many_solutions_are_intended() {
    // The numbers are those of the branches of each half-move.
    for (intended, code) in [("2.1.1", 0), ("2", 0), ("1.2.1", 0), ("1.1.1", 5), ("2.2.1", 5)] {
        let fields = format!("stipulation: ser-h#2\nintended-solutions: {intended}\n");
        assert_eq!(entry(&fields, &["report"]).0, code, "{intended}");
    }
    let (_, out) = entry("stipulation: ser-h#2\nsolution: x\n", &["report", "--format", "olv"]);
    let solution = "solution: |\n  1.Ka8-a7   2.Ka7-a6 Rh2-a2 #\n  1.Ka8-b8   2.Kb8-c8 Rh2-h8 #\n";
    assert!(out.ends_with(solution), "{out}");
}
