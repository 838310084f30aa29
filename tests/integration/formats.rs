//! The composer's report in Popeye's layout, as `.olv` entries and collections, and as a page.

use std::collections::BTreeSet;
use std::io::Write as _;

use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};
use snapbox::{assert_data_eq, str};

use crate::schema::schema_accepts;
use crate::util::{LOVE_CHASE, PRINZ, Run, matesolve, run, run_with_input};

/// Prinz 1951 with the fields that sites add to a problem; Loyd 1861 ("Excelsior") with a solution to be replaced; and
/// a helpmate.
const COLLECTION: &str = "\
---
# Prinz wrote the first program that solved problems.
authors:
  - Prinz, Dietrich Günter
source: {name: Research, date: {year: 1952}, issue: 007}
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
options: [SetPlay, Defence 1]
keywords: [!!python/unicode 'First solved by a computer']
---
authors: [\"Loyd, Samuel\"]
algebraic:
  white: [Kh5, Rb5, Re2, Sh3, Sa1, Pg3, Pb2, Pc2]
  black: [Kh1, Rc8, Bd8, Sa8, Pb7, Pf7, Ph7, Pb6, Pa3, Pe3]
stipulation: \"#5\"
solution: 1.b4 and so on  # from memory
---
stipulation: \"pser-#2\"
algebraic: {white: [Kf8], black: [Kh8]}
";

fn collection(arguments: &[&str], text: &str) -> Run {
    let mut file = tempfile::Builder::new().suffix(".olv").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    matesolve().arg("report").arg(file.path()).args(arguments).output().unwrap().into()
}

#[test]
fn a_report_is_written_in_popeyes_layout() {
    let run = run(&["report", PRINZ, "-s", "#2", "--tries", "--set-play", "--format", "popeye"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_data_eq!(
        run.out,
        str![[r#"
      1...Bg8-a2
          2.Rh1*h7 #
      1...Bg8-b3
          2.Rh1*h7 #
      1...Bg8-c4
          2.Rh1*h7 #
      1...Bg8-d5
          2.Rh1*h7 #
      1...Bg8-e6
          2.Rh1*h7 #
      1...Bg8-f7
          2.Rh1*h7 #

   1.Rh1-h5 ? zugzwang.
      1...Bg8-a2
          2.Rh5*h7 #
      1...Bg8-b3
          2.Rh5*h7 #
      1...Bg8-c4
          2.Rh5*h7 #
      1...Bg8-d5
          2.Rh5*h7 #
      1...Bg8-e6
          2.Rh5*h7 #
      1...Bg8-f7
          2.Rh5*h7 #
    but
      1...h7-h6 !

   1.Rh1*h7 + ?
    but
      1...Bg8*h7 !

   1.Rh1-h6 ! zugzwang.
      1...g7*h6
          2.g6-g7 #
      1...Bg8-a2
          2.Rh6*h7 #
      1...Bg8-b3
          2.Rh6*h7 #
      1...Bg8-c4
          2.Rh6*h7 #
      1...Bg8-d5
          2.Rh6*h7 #
      1...Bg8-e6
          2.Rh6*h7 #
      1...Bg8-f7
          2.Rh6*h7 #

solution finished.

"#]]
    );
}

#[test]
fn a_collection_is_written_with_its_solutions_and_no_other_change() {
    let filled = collection(&["--format", "olv"], COLLECTION);
    assert_eq!(filled.code, 5, "the selfmate is not solved: {}", filled.err);
    assert!(
        filled.err.contains(":18: \"pser-#2\" is a series in which the other side may answer a check"),
        "{}",
        filled.err
    );
    // Only the solutions have changed.
    let without_solutions = |text: &str| {
        let mut inside = false;
        let keep = |line: &&str| {
            inside = line.starts_with("solution:") || (inside && (line.is_empty() || line.starts_with(' ')));
            !inside
        };
        text.lines().filter(keep).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_solutions(&filled.out), without_solutions(COLLECTION));
    assert!(filled.out.contains("  1.Rh1-h6 ! zugzwang.\n") && filled.out.contains("  1.b2-b4 ! threat:\n"));
    assert!(!filled.out.contains("from memory"));
    // The result as input gives the same result.
    let again = collection(&["--format", "olv"], &filled.out);
    assert_eq!((again.out, again.code), (filled.out, 5));
}

#[test]
fn a_collection_gives_valid_json() {
    let json = collection(&["--format", "json"], COLLECTION);
    let reports: Vec<Value> = serde_json::from_str(&json.out).unwrap();
    for report in &reports {
        schema_accepts("report", report);
    }
    let keys: Vec<&Value> = reports.iter().map(|report| &report["keys"][0]["san"]).collect();
    assert_eq!(keys, [&Value::from("Rh6"), &Value::from("b4"), &Value::Null]);
    assert_eq!(reports[0]["id"], "Prinz, Dietrich Günter, Research 1952");
    // Set play and tries are reported only if the options of the entry request them.
    assert!(reports[0]["set_play"].is_object() && reports[0]["tries"].is_array());
    assert!(reports[1]["set_play"].is_null() && reports[1]["tries"].is_null());
    // The new solutions do not change the problems.
    let filled = collection(&["--format", "olv"], COLLECTION);
    let again = collection(&["--format", "json"], &filled.out);
    let without_stats = |text: &str| -> Vec<Value> {
        let mut reports: Vec<Value> = serde_json::from_str(text).unwrap();
        for report in &mut reports {
            // The solutions take more lines than before.
            (report["stats"], report["line"], report["text"]) = (Value::Null, Value::Null, Value::Null);
            // The stamp says how long the search took.
            report["stamp"] = Value::Null;
        }
        reports
    };
    assert_eq!(without_stats(&json.out), without_stats(&again.out));
    let lines = collection(&["--format", "jsonl"], COLLECTION).out;
    assert_eq!(lines.lines().count(), 3);
}

#[test]
fn an_entry_written_for_a_position_has_the_same_meaning() {
    // Kubbel 1940 needs its castling right; Amelung's key captures en passant.
    for (fen, key) in [
        ("6R1/8/2N1n1bN/1Bp1P3/2r2P1p/2p1Pk1p/Q6P/2B1K2R w K - 0 1", "1.Qa2-a8 !"),
        ("7R/7p/5P1k/4PKpP/8/8/8/8 w - g6 0 1", "1.h5*g6 ep. !"),
    ] {
        let entry = run(&["report", fen, "-s", "#2", "--format", "olv"]);
        assert!(entry.out.contains(key), "{}", entry.out);
        let report = run_with_input(&["report", "-", "--format", "jsonl"], &entry.out);
        let report: Value = serde_json::from_str(&report.out).unwrap();
        assert_eq!(
            (&report["position"]["fen"], &report["stipulation"]["text"]),
            (&Value::from(fen), &Value::from("#2"))
        );
        assert_eq!(report["result"]["soundness"], "sound");
    }
}

#[test]
fn collections_that_cannot_be_processed_are_reported() {
    let empty = collection(&[], "---\n");
    assert_eq!((empty.code, empty.out.as_str()), (3, ""));
    assert!(empty.err.contains("holds no problem; give one FEN or EPD line"), "{}", empty.err);
    assert_eq!(run(&["report", "no-such-file.olv"]).code, 2);
    let broken = collection(&["--format", "olv"], "---\nalgebraic: {white: [Kf8\n");
    assert_eq!((broken.code, broken.out.as_str()), (5, "---\nalgebraic: {white: [Kf8\n"));
}

#[test]
fn the_page_loads_no_other_file() {
    let line = format!("{PRINZ} dm 2; id \"Prinz </script><script>alert(1)</script>\";");
    let page = run(&["report", &line, "--tries", "--set-play", "--format", "html"]).out;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("Prinz &lt;/script&gt;") && !page.contains("alert(1)</script>"));
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    let data = page.split_once("id=\"report\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["roots"][0]["p"]["s"], "Rh6");
    for outside in ["src=", "href=\"http", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// Reads a game: every line from its first move to the end of a variation, with the position after it. Asserts that
/// each move is legal.
fn lines_of_game(game: &str) -> Vec<(Vec<String>, Chess)> {
    let (tags, moves) = game.split_once("\n\n").expect("tags, then moves");
    let fen = tags.split_once("[FEN \"").and_then(|(_, rest)| rest.split_once('"')).expect("a FEN").0;
    let start: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let (mut here, mut open, mut lines, mut rest) = ((Vec::new(), vec![start]), Vec::new(), Vec::new(), moves);
    while let Some(c) = rest.chars().next() {
        let end = rest.find([' ', '\n', '(', ')', '{']).unwrap_or(rest.len());
        match c {
            ' ' | '\n' => rest = &rest[1..],
            '{' => rest = rest.split_once('}').expect("comments end").1,
            '(' => {
                open.push(here.clone());
                here.0.pop();
                here.1.pop();
                rest = &rest[1..];
            }
            ')' => {
                lines.push(std::mem::replace(&mut here, open.pop().expect("variations begin")));
                rest = &rest[1..];
            }
            _ => {
                let word = rest[..end].trim_end_matches(['!', '?']);
                rest = &rest[end..];
                if word.ends_with('.') || ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
                    continue;
                }
                let mut next = here.1.last().expect("a position").clone();
                let m =
                    word.parse::<SanPlus>().unwrap().san.to_move(&next).unwrap_or_else(|_| panic!("{word}: {game}"));
                next.play_unchecked(m);
                here.0.push(word.to_owned());
                here.1.push(next);
            }
        }
    }
    lines.push(here);
    assert!(open.is_empty(), "{game}");
    lines.into_iter().map(|(line, mut positions)| (line, positions.pop().expect("a position"))).collect()
}

#[test]
fn games_have_the_defences_of_the_report_and_end_in_mate() {
    for (position, stipulation) in [
        (PRINZ, "#2"),
        (LOVE_CHASE, "#3"),
        ("1b6/p1r5/P4P1B/2Q1N1n1/3n2Rp/3Pk2p/5p1K/1N3B1R w - -", "s#2"),
        ("8/8/8/8/8/2K5/7R/k7 b - -", "h#2"),
    ] {
        let report =
            |format| run(&["report", position, "-s", stipulation, "--set-play", "--tries", "--format", format]).out;
        let (text, json) = (report("pgn"), report("json"));
        let json: Value = serde_json::from_str(&json).unwrap();
        let lines = lines_of_game(text.split("\n\n[Event").next().unwrap());
        let keys: Vec<&str> = json["keys"].as_array().unwrap().iter().map(|key| key["san"].as_str().unwrap()).collect();
        let solved = lines.iter().filter(|(line, _)| keys.is_empty() || keys.contains(&line[0].as_str()));
        for (line, end) in solved {
            assert!(end.is_checkmate(), "{line:?}: {text}");
        }
        if let Some(key) = keys.first() {
            let of_report = json["keys"][0]["play"]["variations"].as_array().unwrap();
            let of_report: BTreeSet<&str> = of_report.iter().map(|it| it["defence"]["san"].as_str().unwrap()).collect();
            let of_game = lines.iter().filter(|(line, _)| line[0] == *key).map(|(line, _)| line[1].as_str());
            assert_eq!(of_game.collect::<BTreeSet<_>>(), of_report, "{text}");
        } else {
            assert_eq!(lines.len(), json["solutions"].as_array().unwrap().len(), "{text}");
        }
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        for game in text.split("\n[Event").map(|game| format!("[Event{}", game.trim_start_matches("[Event"))) {
            let names = game.lines().filter_map(|line| line.strip_prefix('[')?.split(' ').next()).take(7);
            assert_eq!(names.collect::<Vec<_>>(), roster, "{game}");
            let wide = game.lines().find(|line| !line.starts_with('[') && line.len() >= 80);
            assert_eq!(wide, None, "{game}");
        }
        // The game is read as the same problem, and its first move as the key.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("my.pgn");
        std::fs::write(&file, &text).unwrap();
        let again = run(&["report", file.to_str().unwrap(), "--format", "json"]).out;
        let again: Value = serde_json::from_str(&again).unwrap();
        for part in ["fen", "side_to_move"] {
            assert_eq!(again["position"][part], json["position"][part], "{again}");
        }
        assert_eq!(again["stipulation"]["text"], json["stipulation"]["text"], "{again}");
        assert_eq!(again["stipulation"]["attacker"], json["stipulation"]["attacker"]);
        assert!(keys.is_empty() || again["keys"][0]["intended"] == true, "{again}");
    }
    let series = run(&["report", "8/8/8/8/8/2K5/7R/k7 w - -", "-s", "ser-h#2", "--format", "pgn"]).out;
    assert!(!series.is_empty() && lines_of_game(&series) == [(Vec::new(), lines_of_game(&series)[0].1.clone())]);
    let batch =
        run_with_input(&["batch", "-", "--format", "pgn", "-q"], format!("{PRINZ} dm 2; id \"x\";\n{PRINZ} dm 1;\n"));
    let games: Vec<&str> = batch.out.trim_end().split("\n\n[Event").collect();
    assert_eq!(games.len(), 2, "{}", batch.out);
    assert!(lines_of_game(games[0])[0].1.is_checkmate() && lines_of_game(games[1])[0].0.is_empty(), "{}", batch.out);
}
