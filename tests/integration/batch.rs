//! `matesolve batch`: files of problems.

use serde_json::Value;

use crate::util::{HARD, LOVE_CHASE, PRINZ, Run, batch_of, mates, run, run_with_input};

fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("every line is an object")).collect()
}

#[test]
fn every_line_is_answered_in_order_and_invalid_lines_are_reported() {
    let text = format!(
        "\u{feff}# mates\r\n\r\n{LOVE_CHASE} id \"love; chase\";\r\n{PRINZ} 0 1 bm #2;\r\nnonsense\r\n{HARD}\r\n"
    );
    let (Run { code, out, err }, name) = batch_of(text, &["--format", "jsonl", "--nodes", "200k", "--threads", "3"]);
    let answers = objects(&out);
    let short: Vec<String> = answers
        .iter()
        .map(|a| format!("{} {} {} {}", a["line"], a["id"], a["result"]["status"], a["result"]["mate_in"]))
        .collect();
    assert_eq!(
        short,
        ["3 \"love; chase\" \"mate\" 3", "4 null \"mate\" 2", "5 null \"invalid\" null", "6 null \"undecided\" null"]
    );
    assert_eq!(code, 3);
    assert!(err.starts_with(&format!("{name}:5: \"nonsense\" has 1 rank and not 8")), "{err}");
    for mate in &answers[..2] {
        let pv: Vec<String> = serde_json::from_value(mate["result"]["pv"].clone()).unwrap();
        assert!(mates(mate["fen"].as_str().unwrap(), &pv));
    }
}

#[test]
fn a_batch_of_mates_returns_exit_code_0() {
    let (Run { code, out, err }, _) = batch_of(format!("{PRINZ} dm 2; id \"Prinz\";\n{LOVE_CHASE}"), &[]);
    assert_eq!(code, 0);
    assert!(err.starts_with("length ") && err.ends_with(" nodes/s\n"), "{err}");
    assert_eq!(batch_of(format!("{PRINZ}\nnonsense"), &["-q"]).0.err, "");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("1 Prinz mate in 2 (proved shortest)  1. Rh6 "), "{out}");
    assert!(lines[1].starts_with("2 mate in 3 (proved shortest)  1. Qf1 "), "{out}");
    assert_eq!(lines[2], "lines 2: mates 2 (proved shortest 2), no mate 0, undecided 0, invalid 0, failed 0");
}

#[test]
fn the_stipulation_is_used_or_ignored() {
    let text = format!("{LOVE_CHASE} dm 2;\n5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-5;\n");
    let used = batch_of(&text, &["--format", "jsonl"]).0;
    let answers = objects(&used.out);
    assert_eq!((used.code, &answers[0]["result"]["status"]), (5, &Value::from("no_mate")));
    assert_eq!(
        answers[1]["stipulation"],
        serde_json::json!({"text": "#-5", "moves": 5, "attacker": "white", "from": "bm"})
    );
    let ignored = batch_of(&text, &["--format", "jsonl", "--any-length"]).0;
    let answers = objects(&ignored.out);
    assert_eq!((ignored.code, &answers[0]["result"]["mate_in"]), (0, &Value::from(3)));
    assert_eq!(
        answers[1]["stipulation"],
        serde_json::json!({"text": "#-", "moves": null, "attacker": "white", "from": "--any-length"})
    );
    assert_eq!(answers[1]["result"]["status"], "mated");
}

#[test]
fn json_lines_and_own_results_are_read() {
    let text = format!(r##"{{"fen": "{LOVE_CHASE}", "stipulation": "#3", "id": "loyd", "year": 1869}}"##);
    let first = run_with_input(&["batch", "-", "--format", "jsonl"], &text);
    let second = run_with_input(&["batch", "-", "--format", "jsonl"], &first.out);
    for run in [&first, &second] {
        let answer = &objects(&run.out)[0];
        assert_eq!(
            (&answer["id"], &answer["result"]["mate_in"]),
            (&Value::from("loyd"), &Value::from(3)),
            "{}",
            run.err
        );
        assert_eq!(answer["stipulation"]["text"], "#3");
    }
}

#[test]
fn epd_output_keeps_the_operations_of_the_input() {
    let text = format!("{PRINZ} bm #2; c0 \"1951\";\nnonsense\n{HARD} dm 1;\n");
    let Run { code, out, .. } = run_with_input(&["batch", "-", "--format", "epd"], &text);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with(&format!("{PRINZ} dm 2; pv Rh6 ")), "{out}");
    assert!(lines[0].ends_with(" acs 0; bm #2; c0 \"1951\"; c1 \"proved shortest\";"), "{out}");
    assert!(lines[1].starts_with("# line 2: \"nonsense\""), "{out}");
    assert!(lines[2].ends_with("dm 1; c0 \"no mate in 1\";"), "{out}");
    assert_eq!(code, 3);
    let updated = run_with_input(&["batch", "-", "--format", "epd", "--update"], text).out;
    let lines_updated: Vec<&str> = updated.lines().collect();
    assert!(lines_updated[0].starts_with(&format!("{PRINZ} dm 2; bm Rh6; pv Rh6 ")), "{updated}");
    assert!(lines_updated[2].ends_with("c0 \"no mate in 1\";") && !lines_updated[2].contains("dm"), "{updated}");
    assert_eq!(run_with_input(&["batch", "-", "--format", "epd"], lines[0]).code, 0);
}

#[test]
fn json_output_is_one_array() {
    let array = |text: &str| -> Vec<Value> {
        serde_json::from_str(&run_with_input(&["batch", "-", "--format", "json"], text).out).unwrap()
    };
    assert_eq!(array(&format!("{PRINZ}\n{PRINZ}\nx\n")).len(), 3);
    assert_eq!(array(PRINZ).len(), 1);
    assert_eq!(array("").len(), 0);
}

#[test]
fn several_files_are_one_batch() {
    let make = |text: &str| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    };
    let (a, b) = (make(PRINZ), make(&format!("\nx/x/x/x\n{PRINZ}")));
    let names = [a.path().to_str().unwrap(), b.path().to_str().unwrap()];
    let Run { code, out, err } = run(&["batch", names[0], names[1], "--format", "jsonl"]);
    assert_eq!((code, objects(&out).len()), (3, 3));
    assert!(err.starts_with(&format!("{}:2: ", names[1])), "{err}");
}

#[test]
fn the_number_of_threads_does_not_change_the_answers() {
    let text = format!("{LOVE_CHASE}\n{PRINZ}\n{HARD}\n{PRINZ}\n{HARD} bm #-3;\n").repeat(3);
    let with = |jobs: &str| {
        let run = run_with_input(&["batch", "-", "--format", "jsonl", "--nodes", "3000", "--threads", jobs], &text);
        let mut answers = objects(&run.out);
        for answer in &mut answers {
            answer["stats"]["time_ms"] = Value::Null;
            if let Some(at) = answer["stats"].get_mut("found_at") {
                at["time_ms"] = Value::Null;
            }
        }
        answers
    };
    let one = with("1");
    assert_eq!(one.len(), 15);
    assert_eq!(one, with("4"));
}

#[test]
fn exit_codes_tell_bad_lines_undecided_lines_and_lines_without_a_mate_apart() {
    let no_mate = format!("{PRINZ} dm 1;");
    for (lines, expected) in [
        (vec![PRINZ], 0),
        (vec![PRINZ, &no_mate], 5),
        (vec![PRINZ, &no_mate, HARD], 4),
        (vec![PRINZ, &no_mate, HARD, "nonsense"], 3),
    ] {
        let run = run_with_input(&["batch", "-", "-q", "--nodes", "1k"], lines.join("\n"));
        assert_eq!((run.code, run.err.as_str()), (expected, ""), "{lines:?}: {}", run.out);
    }
}

#[test]
fn claims_are_checked_and_a_wrong_one_has_an_exit_code_of_its_own() {
    let text = format!("{PRINZ} dm 2; bm Rh6;\n{LOVE_CHASE} dm 2;\n{PRINZ} bm Rh5;\n{HARD} dm 9;\n{PRINZ}\n");
    let arguments = ["batch", "-", "--check", "--nodes", "20k", "--format"];
    let run = run_with_input(&[&arguments[..], &["jsonl"]].concat(), &text);
    let checks: Vec<Value> = objects(&run.out).iter().map(|answer| answer["check"].clone()).collect();
    assert_eq!(checks, ["ok", "longer", "wrong_move", "not_found", "unclaimed"]);
    assert_eq!(run.code, 6);
    assert!(
        run.err
            .contains("\ncheck: ok 1, longer 1, wrong move 1, not found 1, unclaimed 1; 4 claimed, 2 contradicted\n"),
        "{}",
        run.err
    );
    let epd = run_with_input(&[&arguments[..], &["epd"]].concat(), &text).out;
    let lines: Vec<&str> = epd.lines().collect();
    assert!(lines[1].ends_with("dm 2; c0 \"no mate in 2; check: longer\";"), "{epd}");
    assert!(lines[2].contains("bm Rh5;") && lines[2].ends_with("; check: wrong move\";"), "{epd}");
    let fine = run_with_input(&[&arguments[..], &["text"]].concat(), text.lines().next().unwrap());
    assert!(fine.code == 0 && fine.out.contains("(proved shortest) [check: ok]  1. Rh6"), "{}", fine.out);
}

#[test]
fn a_check_refuses_a_puzzle_whose_line_cannot_be_played() {
    let header = "PuzzleId,FEN,Moves,Themes\n";
    let row = |moves: &str, themes: &str| format!("{header}17,5Kbk/6pp/6P1/8/8/8/8/7R b - - 0 1,{moves},{themes}\n");
    // The move before the solution, its first move, and what follows.
    for (moves, themes, code, words) in [
        ("g8a2 h1a1 a2b1", "mate mateIn2", 6, None),
        ("g8a2 h1h9", "mate mateIn2", 3, Some("move 2, \"h1h9\", is not a move in UCI notation")),
        (
            "g8a2 h1g2",
            "mate mateIn2",
            3,
            Some("move 2, \"h1g2\", is not legal where it stands; correct it, or the FEN"),
        ),
        ("g8a2 h1a1 a2a8", "mate mateIn2", 3, Some("move 3, \"a2a8\", is not legal where it stands")),
        ("g8a2 h1a1 a2a8", "crushing", 3, Some("move 3, \"a2a8\", is not legal where it stands")),
    ] {
        let (checked, name) = batch_of(row(moves, themes), &["--check", "--format", "jsonl"]);
        assert_eq!(checked.code, code, "{moves}: {} {}", checked.out, checked.err);
        let answer = &objects(&checked.out)[0];
        let error = answer["error"].as_str();
        assert_eq!(error.is_some(), words.is_some(), "{answer}");
        assert!(error.unwrap_or_default().contains(words.unwrap_or_default()), "{answer}");
        assert_eq!(answer["result"]["status"] == "invalid", words.is_some(), "{answer}");
        // `puzzles` says the same, and without a check the position is solved.
        let puzzles = run_with_input(&["puzzles", "-", "--format", "jsonl"], row(moves, themes));
        assert!(
            words.is_none_or(|words| puzzles.code == 3 && puzzles.out.contains(&words.replace('"', "\\\""))),
            "{name}"
        );
        let solved = batch_of(row(moves, themes), &["--format", "jsonl", "--nodes", "10k"]).0;
        assert!(solved.code != 3 && objects(&solved.out)[0]["error"].is_null(), "{}", solved.out);
    }
}

/// Writes a file into a folder and runs a batch over it; returns the lines and the names of the results.
fn fens_of(name: &str, contents: &[u8]) -> Vec<(u64, Value, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    let Run { out, err, .. } = run(&["batch", path.to_str().unwrap(), "--format", "jsonl", "--nodes", "1k"]);
    let answers = objects(&out).into_iter().map(|answer| {
        let fen = answer["fen"].as_str().unwrap_or_else(|| panic!("{name}: {err}")).to_owned();
        (answer["line"].as_u64().unwrap(), answer["id"].clone(), fen)
    });
    answers.collect()
}

#[test]
fn compressed_inputs_tables_arrays_and_games_are_read() {
    use std::io::Write as _;
    let (prinz, loyd) = (format!("{PRINZ} 0 1"), format!("{LOVE_CHASE} 0 1"));
    let text = format!("# mates\n{PRINZ}\n{LOVE_CHASE}\n");
    let expected = vec![(2, Value::Null, prinz.clone()), (3, Value::Null, loyd.clone())];
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zstd =
        |text: &str| ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    // Both formats allow several parts, one after the other.
    let (first, second) = text.split_at(text.find(LOVE_CHASE).unwrap());
    assert_eq!(fens_of("a.epd", text.as_bytes()), expected);
    assert_eq!(fens_of("a.epd.gz", &[gzip(first), gzip(second)].concat()), expected);
    assert_eq!(fens_of("without-extension", &[zstd(first), zstd(second)].concat()), expected);
    let csv = "PuzzleId,FEN,Moves,Themes\n17,5Kbk/6pp/6P1/8/8/8/8/6R1 b - - 0 1,g8a2 g1h1,mate mateIn1\n";
    assert_eq!(fens_of("a.csv", csv.as_bytes())[0].2, "5K1k/6pp/6P1/8/8/8/b7/6R1 w - - 1 2");
    let json = format!("[{{\"fen\": \"{PRINZ}\", \"id\": 7, \"more\": 1}},\n {{\"fen\": \"{LOVE_CHASE}\"}}]");
    assert_eq!(fens_of("a.json", json.as_bytes()), [(1, 7.into(), prinz.clone()), (2, Value::Null, loyd)]);
    let out = run_with_input(&["batch", "-", "--format", "jsonl"], &json).out;
    assert!(out.lines().next().unwrap().ends_with(",\"more\":1}"), "{out}");
    let games = format!("[FEN \"{PRINZ}\"]\n\n*\n\n[Event \"2\"]\n\n1. e4 *\n");
    let games = fens_of("a.pgn", games.as_bytes());
    assert!(games[0] == (1, Value::Null, prinz) && games[1].1 == "2" && games[1].2.contains("/4P3/"), "{games:?}");
    let cut = batch_of(&gzip(&text)[..30], &["--format", "jsonl"]).0;
    assert!(cut.code == 3 && cut.err.contains("cannot be read from here on"), "{}", cut.err);
}

#[test]
fn a_limit_of_a_line_that_is_no_number_is_refused_by_name() {
    let of = |field: &str| format!("{{\"fen\":\"{PRINZ}\",\"dm\":2,{field}}}");
    for (field, why) in [
        (r#""nodes":"many""#, "the field \"nodes\" is a text; write it as a whole number, such as 1000"),
        (r#""time":-5"#, "the field \"time\" is a number; write it as a time, such as 10"),
        (r#""time_ms":"soon""#, "the field \"time_ms\" is a text"),
    ] {
        let run = run_with_input(&["batch", "-", "-q", "--format", "jsonl"], of(field));
        let object: Value = serde_json::from_str(&run.out).expect("JSON");
        assert!(run.code == 3 && object["error"].as_str().is_some_and(|text| text.starts_with(why)), "{object}");
    }
    // A table has the times and nodes of other searches in columns of such names.
    let table = run_with_input(&["batch", "-", "-q"], format!("fen,dm,nodes\n{PRINZ},2,many\n"));
    assert_eq!(table.code, 0, "{table:?}");
    assert_eq!(run_with_input(&["batch", "-", "-q"], of(r#""time":"2s","nodes":null"#)).code, 0);
}
