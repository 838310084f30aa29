//! `matesolve split` and `join`: one problem in parts, and the report that their results give.

use std::path::Path;

use serde_json::Value;

use crate::util::{PRINZ, Run, matesolve};

/// Two keys: a cooked problem.
const COOKED: &str = "8/8/8/8/8/3k4/8/R2K3R w - - dm 4; id \"two rooks\";";
/// Loyd's "Love Chase".
const SOUND: &str = "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - dm 3; id \"the \\\"Love Chase\\\"\";";
/// Pawns that block each other, and a king with few moves.
const BLOCKED: &str = "8/8/8/8/1p6/pPpp4/P1pP4/k1K4R w - - dm 5;";
/// A selfmate in three.
const SELFMATE: &str = "8/1R6/7N/4Q3/3B3k/8/4b2p/7K w - -";

fn run(folder: &Path, arguments: &[&str]) -> Run {
    matesolve().current_dir(folder).args(arguments).output().unwrap().into()
}

/// Splits a problem, solves the parts in two shares, and joins them.
fn joined(folder: &Path, line: &str, more: &[&str]) -> Run {
    let split = run(folder, &[&["split", line, "-o", "parts.epd", "--probe", "50"], more].concat());
    assert_eq!(split.code, 0, "{line}: {}", split.err);
    for (share, out) in [("1/2", "1.jsonl"), ("2/2", "2.jsonl")] {
        let batch = ["batch", "parts.epd", "--shard", share, "--format", "jsonl", "-q", "-o", out, "--resume"];
        let batch = run(folder, &[&batch[..], &["--threads", "1", "--nodes", "3M"]].concat());
        assert!([0, 1, 4, 5].contains(&batch.code), "{line}: {}", batch.err);
    }
    run(folder, &["join", "parts.epd", "2.jsonl", "1.jsonl", "--format", "json"])
}

/// Returns a report without its cost. A joined one has checked no proof itself.
fn answer(text: &str) -> Value {
    let mut report: Value = serde_json::from_str(text).unwrap();
    let object = report.as_object_mut().unwrap();
    object.remove("stats");
    object.remove("stamp");
    object["result"]["verified"] = Value::Null;
    report
}

#[test]
fn a_joined_report_says_what_one_machine_says() {
    let folder = tempfile::tempdir().unwrap();
    let stated = |stipulation: &str| format!("{PRINZ} stip \"{stipulation}\";");
    for (line, parts, code, soundness) in [
        (SOUND.to_owned(), "90", 0, "sound"),
        (COOKED.to_owned(), "40", 1, "cooked"),
        (BLOCKED.to_owned(), "60", 1, "no_solution"),
        (stated("#2"), "40", 0, "sound"),
        (stated("#4"), "40", 1, "short_solution"),
        ("7k/8/8/8/8/8/8/KQ6 w - - dm 3;".to_owned(), "40", 1, "no_solution"),
        (format!("{PRINZ} bm Rg1; dm 2;"), "40", 1, "cooked"),
        // The defender begins.
        ("5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-2;".to_owned(), "40", 1, "short_solution"),
        ("7k/8/8/8/8/8/8/KQ5R b - - bm #-3;".to_owned(), "40", 0, "sound"),
        ("7k/8/8/8/8/8/8/KQ5R b - - bm #-2;".to_owned(), "40", 1, "no_solution"),
        // Other goals.
        ("8/8/8/8/8/1Q6/p1pK4/k7 w - - stip \"=2\";".to_owned(), "40", 1, "short_solution"),
        ("7B/8/8/8/8/2p5/p1R5/k1K5 w - - stip \"s#2\";".to_owned(), "40", 1, "no_solution"),
        (format!("{SELFMATE} stip \"s#2\";"), "100", 1, "no_solution"),
        (format!("{SELFMATE} stip \"s#3\";"), "100", 0, "sound"),
        (format!("{SELFMATE} stip \"semi-r#2\";"), "40", 0, "sound"),
        ("8/1R6/7N/4Q3/7k/8/4bB1p/7K b - - stip \"s#-2\";".to_owned(), "40", 0, "sound"),
    ] {
        let joined = joined(folder.path(), &line, &["--parts", parts]);
        let one = run(folder.path(), &["report", &line, "--soundness", "--format", "json"]);
        assert_eq!((one.code, joined.code), (code, code), "{line}: {} {}", one.out, joined.err);
        let (one, joined) = (answer(&one.out), answer(&joined.out));
        assert_eq!(one["result"]["soundness"], soundness, "{line}");
        assert_eq!(joined, one, "{line}");
        for out in ["1.jsonl", "2.jsonl", "parts.epd"] {
            std::fs::remove_file(folder.path().join(out)).unwrap();
        }
    }
}

#[test]
fn the_text_is_that_of_a_report() {
    let folder = tempfile::tempdir().unwrap();
    joined(folder.path(), SOUND, &[]);
    let joined = run(folder.path(), &["join", "parts.epd", "1.jsonl", "2.jsonl"]);
    let one = run(folder.path(), &["report", SOUND, "--soundness"]);
    let before_the_cost = |text: &str| text.split(" nodes,").next().unwrap().trim_end_matches(|c| c != '\n').to_owned();
    assert_eq!(before_the_cost(&joined.out), before_the_cost(&one.out));
    assert!(joined.out.contains("C+ matesolve"), "{}", joined.out);
}

#[test]
fn missing_and_undecided_parts_are_named_if_they_are_needed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let whole = joined(path, SOUND, &[]);
    assert_eq!((whole.code, whole.err.as_str()), (0, ""));
    // A share is missing.
    let half = run(path, &["join", "parts.epd", "1.jsonl", "--format", "json"]);
    assert_eq!(half.code, 5, "{}", half.err);
    let parts = std::fs::read_to_string(path.join("parts.epd")).unwrap();
    let missing = half.err.lines().filter(|line| line.contains("the result is missing")).count();
    assert!(missing > 1 && missing <= 20 && missing <= parts.lines().count() / 2, "{}", half.err);
    assert_eq!(answer(&half.out)["result"]["soundness"], "undecided");
    // A line of the parts is missing.
    let cut: String = parts.split_inclusive('\n').skip(1).collect();
    std::fs::write(path.join("cut.epd"), cut).unwrap();
    let first = parts.lines().next().unwrap().split('"').nth(3).unwrap().to_owned();
    let results = std::fs::read_to_string(path.join("1.jsonl")).unwrap();
    let others: String = results.split_inclusive('\n').skip(1).collect();
    std::fs::write(path.join("1-cut.jsonl"), others).unwrap();
    let lacking = run(path, &["join", "cut.epd", "1-cut.jsonl", "2.jsonl"]);
    assert!(lacking.code == 5 && lacking.err.contains("no part asks about it"), "{first}: {}", lacking.err);
    // A part reached its limit.
    let few = ["batch", "parts.epd", "--format", "jsonl", "-q", "-o", "few.jsonl", "--nodes", "50", "--threads", "1"];
    assert_eq!(run(path, &few).code, 4);
    let few = run(path, &["join", "parts.epd", "few.jsonl"]);
    assert!(few.code == 5 && few.err.contains("undecided, node limit reached"), "{}", few.err);
    assert!(few.out.starts_with("#3 undecided"), "{}", few.out);
    // More results for the same parts complete them.
    let both = run(path, &["join", "parts.epd", "few.jsonl", "1.jsonl", "2.jsonl"]);
    assert_eq!((both.code, both.err.as_str()), (0, ""));
}

#[test]
fn parts_and_results_of_other_problems_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    joined(path, COOKED, &[]);
    let parts = std::fs::read_to_string(path.join("parts.epd")).unwrap();
    let refused = |parts: &str, results: &str, why: &str| {
        std::fs::write(path.join("p.epd"), parts).unwrap();
        std::fs::write(path.join("r.jsonl"), results).unwrap();
        let run = run(path, &["join", "p.epd", "r.jsonl"]);
        assert!(run.code == 2 && run.err.contains(why), "{why}: {} {}", run.code, run.err);
    };
    let results = std::fs::read_to_string(path.join("1.jsonl")).unwrap();
    let other = run(path, &["split", SOUND, "-q"]).out;
    refused(&other, &results, "r.jsonl:1: the result is for #");
    refused(&format!("{parts}{other}"), "", "a part of another problem");
    let wrong = "its position or question is not that after its moves";
    refused(&parts.replace("stip \"#-3\"", "stip \"#-2\""), "", wrong);
    refused(&parts.replacen("split", "spilt", 1), "", "line 1: no part of a problem");
    refused(&parts.replace(" w - - stip", " b - - stip"), "", wrong);
    refused(&format!("{PRINZ} dm 2;\n"), "", "line 1: no part of a problem");
    refused("", "", "no part of a problem in it");
    refused(&parts, "{\"a\":1}\n", "not a result in JSON lines");
    let line = results.lines().find(|line| line.contains("\"no_mate\",")).unwrap();
    let false_claim = line.replace("\"no_mate\",\"mate_in\":null", "\"mated\",\"mate_in\":1");
    std::fs::write(path.join("r.jsonl"), format!("{line}\n{false_claim}\n")).unwrap();
    let join = || run(path, &["join", "parts.epd", "r.jsonl"]);
    assert!(join().code == 6 && join().err.contains("r.jsonl:2: the result does not hold"), "{}", join().err);
    let mated = results.lines().find(|line| line.contains("\"mated\",")).unwrap();
    let mut none: Value = serde_json::from_str(mated).unwrap();
    none["result"] = serde_json::json!({"status": "no_mate", "refuted_through": 3});
    std::fs::write(path.join("r.jsonl"), format!("{mated}\n{none}\n")).unwrap();
    assert!(join().code == 6 && join().err.contains("r.jsonl:2: the result contradicts"), "{}", join().err);
    // Another question about the same position.
    let any = ["batch", "parts.epd", "--format", "jsonl", "-q", "-o", "any.jsonl", "--any-length", "--nodes", "1k"];
    run(path, &any);
    refused(&parts, &std::fs::read_to_string(path.join("any.jsonl")).unwrap(), "the result is for #");
}

#[test]
fn results_that_are_exchanged_do_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for line in [SOUND.to_owned(), format!("{SELFMATE} stip \"s#3\";")] {
        assert_eq!(joined(path, &line, &[]).code, 0);
        let results = ["1.jsonl", "2.jsonl"].map(|name| std::fs::read_to_string(path.join(name)).unwrap()).concat();
        let mut results: Vec<Value> = results.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let is_solved = |result: &Value| !result["result"]["pv"].is_null();
        let solved = results.iter().position(is_solved).unwrap();
        let refuted = results.iter().position(|result| !is_solved(result)).unwrap();
        let (a, b) = (results[solved]["result"].take(), results[refuted]["result"].take());
        (results[solved]["result"], results[refuted]["result"]) = (b, a);
        let exchanged = results.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n") + "\n";
        std::fs::write(path.join("exchanged.jsonl"), exchanged).unwrap();
        let run = run(path, &["join", "parts.epd", "exchanged.jsonl"]);
        let place = format!("exchanged.jsonl:{}: the result does not hold", refuted + 1);
        assert!(run.code == 6 && run.err.contains(&place) && run.out.is_empty(), "{} {}", run.out, run.err);
        for name in ["1.jsonl", "2.jsonl"] {
            std::fs::remove_file(path.join(name)).unwrap();
        }
    }
}

#[test]
fn what_cannot_be_split_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, why) in [
        (&["split", PRINZ][..], 2, "the length is missing"),
        (&["split", PRINZ, "-s", "h#2"], 2, "help play is solved whole"),
        (&["split", PRINZ, "-s", "#1"], 2, "has no parts"),
        (&["split", "7k/5Q2/6K1/8/8/8/8/8 w", "-s", "#2", "--parts", "0"], 2, "--parts"),
        (&["split", "nonsense", "-s", "#2"], 3, "nonsense"),
        (&["join", "none.epd", "none.jsonl"], 2, "none.epd"),
    ] {
        let run = run(folder.path(), arguments);
        assert!(run.code == code && run.err.contains(why), "{arguments:?}: {} {}", run.code, run.err);
    }
}

#[test]
fn a_run_knows_that_one_reply_is_enough_and_repeats_its_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // After 1. Kd2 the first two replies hold.
    let part = |moves: &str| {
        let whole = format!("\"{}\" \"#4\"", COOKED.replace('"', "\\\""));
        match moves {
            "d1d2 d3c4" => format!("8/8/8/8/2k5/8/3K4/R6R w - - stip \"#3\"; split {whole} \"{moves}\";\n"),
            _ => format!("8/8/8/8/4k3/8/3K4/R6R w - - stip \"#3\"; split {whole} \"{moves}\";\n"),
        }
    };
    std::fs::write(path.join("two.epd"), part("d1d2 d3c4") + &part("d1d2 d3e4")).unwrap();
    let batch = || run(path, &["batch", "two.epd", "--format", "jsonl", "--threads", "1"]);
    let runs = (batch(), batch());
    let read = |run: &Run| -> Vec<Value> { run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let (first, second) = (read(&runs.0), read(&runs.1));
    let status = |results: &[Value]| -> Vec<String> {
        results.iter().map(|result| result["result"]["status"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(status(&first), ["no_mate", "undecided"]);
    assert!(first[1]["warnings"][0].as_str().unwrap().starts_with("not needed"), "{}", first[1]);
    let nodes = |results: &[Value]| -> Vec<Value> { results.iter().map(|it| it["stats"]["nodes"].clone()).collect() };
    assert_eq!(nodes(&first), nodes(&second));
}
