//! Help play through the program: texts, JSON, exit codes, batches, refusals.

use serde_json::Value;

use crate::schema::schema_accepts;
use crate::util::{Run, run, run_with_input};

/// A helpmate with one solution, written with White to move as collections do.
const ONE: &str = "8/8/8/8/8/1K6/7R/k7 w - -";

#[test]
fn all_solutions_are_listed_and_black_begins() {
    let run = run(&[ONE, "-s", "H# 1", "--color", "never"]);
    assert_eq!(run.code, 0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[..2], ["1.Kb1 Rh1#", "1 solution, this is all"]);
    assert!(run.err.contains("White is to move; in h#1, Black begins"), "{}", run.err);
}

#[test]
fn the_number_of_solutions_decides_the_soundness() {
    let solve = |intended: &str| {
        let run = run(&["8/8/8/8/8/2K5/7R/k7 b - -", "-s", "h#2", "--format", "json", "--intended", intended]);
        let object: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(object["complete"], true);
        (object["solutions"].as_array().map_or(0, Vec::len), object["result"]["soundness"].clone())
    };
    let (found, soundness) = solve("1");
    assert!(found > 1 && soundness == "cooked", "{found} {soundness}");
    assert_eq!(solve(&found.to_string()), (found, "sound".into()));
    assert_eq!(solve(&(found + 1).to_string()), (found, "incomplete".into()));
}

#[test]
fn series_movers_and_halves_of_moves_are_solved() {
    for (fen, text, code, expected) in [
        ("k7/8/2K5/8/8/8/7R/8 w - -", "ser-#2", 0, "1.Kb6 2.Rh8#"),
        ("8/8/8/8/8/1K6/7R/k7 w - -", "h#0.5", 0, "1...Rh1#"),
        ("8/8/8/5k2/8/2K5/7R/8 b - -", "ser-h#1", 1, "no solution"),
        ("8/8/8/8/8/1K6/7R/1k6 b - -", "ser-h#2", 0, "1.Ka1 2.Kb1 Rh1#"),
        ("8/6P1/3P4/8/3R2p1/6qk/8/7K w - -", "ser-s#2", 0, "1.Rd2 2.Rh2+ Qxh2#"),
        ("k7/8/K3R3/1P6/1P6/6q1/2p5/8 w - -", "hs#2", 0, "1.Re7 Qb8 2.Ra7+ Qxa7#"),
        ("1Q6/P7/K7/8/3p4/7k/8/2q5 w - -", "ser-r#3", 0, "1.Kb7 2.Ka8 3.Qc8+ Qxc8#"),
        ("8/6P1/3P4/8/3R2p1/6qk/8/5n1K w - -", "ser-s#1", 1, "no solution"),
    ] {
        let run = run(&[fen, "-s", text, "--color", "never"]);
        assert_eq!(run.code, code, "{text}: {} {}", run.out, run.err);
        assert!(run.out.lines().any(|line| line == expected), "{text}: {}", run.out);
    }
}

#[test]
fn every_phase_has_its_own_text_of_keys() {
    let published = concat!(env!("CARGO_MANIFEST_DIR"), "/problems/twins.olv");
    let all = run(&["audit", published]);
    assert!(all.code == 0 && all.out.contains("entries 11: published solution or keyword wrong 0"), "{all:?}");
    let audit = |keys: &str| {
        let problem = "\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\", \"stipulation\": \"#2\"";
        let twins = "\"twins\": {\"b\": \"wRh1-h2\"}";
        run_with_input(&["audit", "-"], format!("{{{problem}, {twins}, \"keys\": {keys}}}"))
    };
    assert!(audit("[\"Rh6\", \"Rxh7+\"]").out.contains("b) "), "the second text is that of b)");
    let more = audit("[\"Rh6\", \"Rh6\", \"Rh5\"]");
    assert!(more.code == 3 && more.out.contains("keys has 3 items, and the problem 2 phases"), "{more:?}");
}

/// Black's second move mates, or lets White mate.
const RECIPROCAL: &str = "5k1K/4n3/8/8/1N6/3R4/8/3r4 b - -";

#[test]
fn in_reciprocal_play_both_ends_are_written_and_verified() {
    let asked = [RECIPROCAL, "-s", "reci-h#2"];
    let solved = run(&asked).out;
    assert!(solved.starts_with("1.Rf1 Rd7 2.Rf7 Rd8# / 2.Rh1#\n1 solution, this is all\n"), "{solved}");
    let report = |format: &str| run(&[&["report"], &asked[..], &["--format", format]].concat()).out;
    // Popeye's layout has whole lines.
    let lines = "  1.Rd1-f1 Rd3-d7   2.Rf1-f7 Rd7-d8 #\n  1.Rd1-f1 Rd3-d7   2.Rf1-h1 #\n\nsolution finished.";
    assert!(report("popeye").starts_with(lines), "{}", report("popeye"));
    let own = report("olv");
    assert!(own.contains("\n  1.Rd1-f1 Rd3-d7   2.Rf1-h1 #\n") && !own.contains('/'), "{own}");
    let audit = run_with_input(&["audit", "-"], &own).out;
    assert!(audit.contains("1: agrees") || audit.contains("2: agrees"), "{audit}");
    assert!(report("html").contains("\"note\":\"or 2.Rh1#"), "{}", report("html"));
    for (schema, text) in
        [("result", run(&[&asked[..], &["--format", "jsonl"]].concat()).out), ("report", report("jsonl"))]
    {
        let object: Value = serde_json::from_str(&text).expect("JSON");
        schema_accepts(schema, &object);
        assert_eq!(object["solutions"][0]["reciprocal"], Value::from(vec!["f1h1"]));
    }
    // A result that leaves the other end out, or has a wrong one, does not hold.
    let results = run(&[&asked[..], &["--format", "jsonl"]].concat()).out;
    assert_eq!(run_with_input(&["verify", "-"], &results).code, 0);
    for wrong in ["", "\"f1h1\",\"f1g1\"", "\"f1g1\""] {
        let damaged = results.replace("\"reciprocal\":[\"f1h1\"]", &format!("\"reciprocal\":[{wrong}]"));
        assert!(damaged != results && run_with_input(&["verify", "-"], &damaged).code != 0, "{wrong}");
    }
    // An audit compares the line and passes over the other end.
    let entry = format!(
        "{{\"fen\":\"{RECIPROCAL}\",\"stipulation\":\"reci-h#2\",\"solution\":\"1.Rf1 Rd7 2.Rf7 Rd8# / 2.Rh1#\"}}"
    );
    let audit = run_with_input(&["audit", "-"], &entry).out;
    assert!(audit.contains("1: agrees"), "{audit}");
    // Helpmates there are more, and after no first move of Black none is left.
    let helpmates = run(&[RECIPROCAL, "-s", "h#2"]).out;
    assert!(helpmates.lines().count() > solved.lines().count(), "{helpmates}");
    let one = run(&[RECIPROCAL, "-s", "reci-h#1", "--set-play"]);
    assert!(one.code == 1 && !one.out.contains("set play"), "{one:?}");
}

#[test]
fn legal_moves_are_a_list_of_the_side_to_move() {
    for (fen, code, count, first) in [
        ("7k/8/8/8/8/8/8/K2R4 w - -", 0, "16 legal moves", "1.Ka2"),
        ("7k/8/8/8/8/8/8/K2R4 b - -", 0, "3 legal moves", "1.Kg7"),
        ("7k/5Q2/8/8/8/8/8/K7 b - -", 1, "no legal move", ""),
    ] {
        let solved = run(&[fen, "-s", "~1", "--color", "never"]);
        assert_eq!((solved.code, solved.err.as_str()), (code, ""), "{}", solved.out);
        assert!(solved.out.contains(count) && solved.out.contains(first), "{}", solved.out);
        let object: Value = serde_json::from_str(&run(&[fen, "-s", "~1", "--format", "json"]).out).expect("JSON");
        schema_accepts("result", &object);
        let report = run(&["report", fen, "-s", "~1", "-q"]);
        assert!(report.out.starts_with(&format!("~1 {count}\n")), "{}", report.out);
    }
    let input = "BeginProblem\nPieces White Ka1 Black Kh8\nStipulation ~1\nOption NoBoard Variation\nEndProblem\n";
    let popeye = run_with_input(&["popeye", "-"], input);
    assert!(popeye.out.contains("\n   1.Ka1-a2 !\n\n"), "{popeye:?}");
    // As Popeye writes them: in its layout of keys, with + after every check.
    let popeye = run(&["report", "7k/7p/7K/8/8/8/8/R7 w - -", "-s", "~1", "--format", "popeye"]);
    assert!(
        popeye.out.contains("   1.Ra1-a8 + !\n\n") && popeye.out.ends_with("\n\nsolution finished.\n"),
        "{}",
        popeye.out
    );
}

#[test]
fn a_limit_keeps_the_solutions_and_says_that_there_may_be_more() {
    let fen = "8/8/8/8/8/2K5/7R/k7 b - -";
    let most = run(&[fen, "-s", "h#2", "--max-solutions", "2", "--format", "json"]);
    let object: Value = serde_json::from_str(&most.out).expect("JSON");
    assert_eq!((object["solutions"].as_array().map(Vec::len), &object["complete"]), (Some(2), &Value::Bool(false)));
    assert_eq!((most.code, &object["result"]["status"]), (0, &Value::from("undecided")));
    assert_eq!(object["stats"]["stopped_by"], "solutions");
    let batch = run_with_input(&["batch", "-", "--max-solutions", "2"], format!("{fen} stip \"h#2\";"));
    assert_eq!(batch.code, 0, "{batch:?}");
    // A report judges the problem, so it has to know all solutions, or more than intended.
    for (most, stopped_by, code) in [("1", "solutions", 4), ("2", "solutions", 1)] {
        let report = run(&["report", fen, "-s", "h#2", "--max-solutions", most, "--format", "jsonl"]);
        let object: Value = serde_json::from_str(&report.out).expect("JSON");
        assert_eq!((report.code, &object["stats"]["stopped_by"]), (code, &Value::from(stopped_by)), "{most}");
        schema_accepts("report", &object);
    }
    let verdict = run(&["report", fen, "-s", "h#2", "--soundness", "--format", "jsonl"]);
    let object: Value = serde_json::from_str(&verdict.out).expect("JSON");
    assert_eq!((verdict.code, &object["stats"]["stopped_by"]), (1, &Value::Null), "{object}");
    let nodes = run(&[fen, "-s", "h#4", "--nodes", "200", "--color", "never"]);
    assert!(nodes.code == 4 && nodes.out.contains("(node limit reached)"), "{}", nodes.out);
}

#[test]
fn a_batch_mixes_stipulations_and_its_results_match_the_schema() {
    let input = [
        r##"{"fen":"8/8/8/8/8/1K6/7R/k7 b - - 0 1","stipulation":"h#1","id":"one"}"##,
        r##"{"fen":"8/8/8/8/8/1K6/7R/k7 b - - 0 1","stipulation":"h#2.5"}"##,
        r##"{"fen":"k7/8/1K6/8/8/8/7R/8 w - - 0 1","stipulation":"#1"}"##,
        r##"{"fen":"k7/8/8/8/8/8/8/K7 w - - 0 1","stipulation":"ser-#3"}"##,
        r##"{"fen":"k7/8/8/8/8/8/8/K7 w - - 0 1","stipulation":"pser-#3"}"##,
    ]
    .join("\n");
    let run = run_with_input(&["batch", "-", "--format", "jsonl"], input);
    let mut statuses = Vec::new();
    for line in run.out.lines() {
        let object: Value = serde_json::from_str(line).expect("JSON");
        schema_accepts("result", &object);
        statuses.push(object["result"]["status"].as_str().expect("a status").to_owned());
    }
    assert_eq!(statuses, ["solved", "solved", "mate", "no_solution", "invalid"]);
}

#[test]
fn what_help_play_does_not_have_is_refused() {
    for args in [
        vec![ONE, "-s", "h#1", "--moves"],
        vec![ONE, "-s", "h#1", "--defend"],
        vec![ONE, "-s", "pser-#2"],
        vec!["report", ONE, "-s", "pser-#1"],
        vec![ONE, "-s", "h#1", "--begins", "red"],
        vec!["7k/8/8/8/8/8/8/K6R b - -", "-s", "h#1.5"],
    ] {
        let run = run(&args);
        assert!((2..=3).contains(&run.code) && !run.err.is_empty(), "{args:?}: {} {}", run.code, run.err);
    }
}

/// Problems of which Popeye 4.104 loses solutions: diagram, stipulation, solutions.
const LOST_BY_POPEYE: [(&str, &str, usize); 6] = [
    ("4nK2/3k1P2/3pN3/3P4/8/8/8/8 b - -", "ser-h#4", 45),
    ("4nK2/3k1P2/3pN3/3P4/8/8/8/8 b - -", "ser-h#5", 2),
    ("8/8/8/3B4/4n3/8/4K3/k1NR4 w - -", "ser-#4", 2960),
    ("2K5/8/8/4P3/8/7k/8/8 b - -", "h#6", 488),
    ("8/p6k/2p5/p1Pp4/3P3K/P7/8/8 b - -", "h#8", 168),
    ("8/8/8/4p3/7k/8/5PK1/8 b - -", "h#7", 75_665),
];

fn count_solutions((fen, text, expected): (&str, &str, usize)) {
    let run = run(&[fen, "-s", text, "--format", "json"]);
    let object: Value = serde_json::from_str(&run.out).expect("JSON");
    let found = object["solutions"].as_array().map(Vec::len);
    assert_eq!((found, &object["complete"]), (Some(expected), &Value::Bool(true)), "{text} {fen}");
}

#[test]
fn no_solution_is_lost() {
    LOST_BY_POPEYE.into_iter().take(4).for_each(count_solutions);
}

#[test]
#[ignore = "half a minute without optimisation: cargo test --release --test integration helped -- --ignored"]
fn no_solution_of_a_long_problem_is_lost() {
    LOST_BY_POPEYE.into_iter().skip(4).for_each(count_solutions);
}

/// A helpmate with 17,920 solutions.
pub(crate) const MANY: [&str; 3] = ["8/8/8/8/8/1k6/8/1K2QQRR b - -", "-s", "h#3"];

#[test]
fn solutions_that_the_memory_does_not_hold_are_left_out_and_this_is_said() {
    let with = |hash: &str, format: &str| run(&[&MANY[..], &["--hash", hash, "--format", format]].concat());
    let (listed, cut) = (with("256M", "json"), with("2M", "json"));
    let object = |run: &Run| -> Value { serde_json::from_str(&run.out).expect("JSON") };
    let sans = |object: &Value| -> Vec<String> {
        let lines = object["solutions"].as_array().into_iter().flatten();
        lines.map(|line| line["san"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let (whole, part) = (object(&listed), object(&cut));
    assert_eq!((listed.code, sans(&whole).len(), &whole["complete"]), (0, 17_920, &true.into()));
    let (all, few) = (sans(&whole), sans(&part));
    assert!((1000..2048).contains(&few.len()) && all.starts_with(&few), "the first ones: {}", few.len());
    let said = (cut.code, &part["complete"], &part["stats"]["stopped_by"], &part["result"]["status"]);
    assert_eq!(said, (4, &false.into(), &"memory".into(), &"undecided".into()));
    let words = "solutions found, there may be more (memory limit reached)";
    assert!(with("2M", "text").out.contains(words));
    let batch = run_with_input(&["batch", "-", "-s", "h#3", "--hash", "2M", "--format", "jsonl"], MANY[0]);
    assert_eq!((sans(&object(&batch)), batch.code), (few, 4));
}

#[test]
fn a_diagram_names_help_play() {
    let svg = run(&["diagram", ONE, "-s", "H#1,5"]).out;
    assert!(svg.contains(">h#1.5<") && !svg.contains("to move"), "{svg}");
}

#[test]
fn a_batch_checks_the_number_of_solutions() {
    let of = |fields: &str| format!(r##"{{"fen":"k7/8/2K5/8/8/8/7R/8 b - -",{fields}}}"##);
    let cases = [
        (of(r##""stipulation":"ser-h#2","intended":2"##), "ok"),
        (of(r##""stipulation":"ser-h#2","intended":"1.2.1""##), "ok"),
        (of(r##""stipulation":"ser-h#2""##), "wrong_number"),
        (of(r##""stipulation":"ser-h#2","intended":3"##), "wrong_number"),
        (of(r##""stipulation":"h#3""##), "shorter"),
        (of(r##""stipulation":"h#1""##), "longer"),
    ];
    let input: Vec<String> = cases.iter().map(|(line, _)| line.clone()).collect();
    let first = run_with_input(&["batch", "-", "--check", "--format", "jsonl"], input.join("\n"));
    let check = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["check"].clone()).collect()
    };
    assert_eq!(check(&first.out), cases.map(|(_, expected)| Value::from(expected)));
    assert_eq!(first.code, 6);
    // A result states its problem, so that it can be solved again.
    let again = run_with_input(&["batch", "-", "--check", "--format", "jsonl"], first.out.clone());
    assert_eq!(check(&again.out), check(&first.out));
}

#[test]
fn positions_with_too_many_men_are_solved_as_they_stand() {
    for (fen, text, expected) in [
        ("7k/8/5K2/8/QQ6/8/PPPPPPPP/8 w - -", "ser-#2", "1.Qb7 2.Qg7#"),
        ("8/1K5p/3B4/r3P3/k1Pp2PP/p2Q4/1B1P3P/2Q1B3 b - -", "ser-h#4", "1.h6 2.h5 3.hxg4 4.g3 Qxa3#"),
        // Black begins, whatever the diagram says.
        ("8/1K5p/3B4/r3P3/k1Pp2PP/p2Q4/1B1P3P/2Q1B3 w - -", "h#1", "1.h6 Qxa3#"),
        ("8/1K5p/3B4/r3P3/k1Pp2PP/p2Q4/1B1P3P/2Q1B3 b - -", "h#1", "1...Qxa3#"),
    ] {
        let solved = run(&[fen, "-s", text, "--set-play", "--color", "never"]);
        assert!(solved.code == 0 && solved.err.contains("more men than a game can give"), "{text}: {}", solved.err);
        assert!(solved.out.lines().any(|line| line == expected), "{text}: {}", solved.out);
        let report = run(&["report", fen, "-s", text, "--set-play", "--format", "popeye"]);
        assert!(report.out.ends_with("\nsolution finished.\n"), "{text}: {}", report.err);
        let results = run(&[fen, "-s", text, "--set-play", "--format", "jsonl"]).out;
        assert_eq!(run_with_input(&["verify", "-"], &results).code, 0, "{text}");
    }
    let audited =
        r##"{"fen":"8/1K5p/3B4/r3P3/k1Pp2PP/p2Q4/1B1P3P/2Q1B3 b - -","stipulation":"h#1","solution":"*1...Qxb2#"}"##;
    let audit = run_with_input(&["audit", "-"], audited);
    assert!(audit.out.contains("\"Qxb2\": Qxb2 is no legal move"), "{}", audit.out);
    // The right to castle that is assumed belongs to the position that is asked about.
    let why = ["report", "7k/8/8/8/8/QQ6/PPPPPPPP/4K2R", "-s", "#2", "--castling", "assume", "--why", "O-O"];
    let asked = run(&why);
    assert!(asked.code <= 1 && asked.out.contains("O-O"), "{} {}", asked.code, asked.err);
}

/// Set play of series: diagram, stipulation, the line of the set play in short and in Popeye's notation.
const SERIES_WITH_SET_PLAY: [(&str, &str, &str, &str); 3] = [
    ("8/8/8/8/8/6p1/5prb/3K1Nkb b - -", "ser-h=5", "1...Ke2=", "1...Kd1-e2 ="),
    ("8/8/8/1p6/bPp5/kpP5/Np6/bK6 w - -", "ser-s#2", "1...bxa2#", "1...b3*a2 #"),
    ("R7/8/8/8/8/6K1/8/7k b - -", "ser-h#2", "1...Ra1#", "1...Ra8-a1 #"),
];

#[test]
fn the_set_play_of_a_series_is_the_other_sides_move_at_once() {
    for (fen, text, short, long) in SERIES_WITH_SET_PLAY {
        let asked = [fen, "-s", text, "--set-play"];
        let solved = run(&asked).out;
        assert!(solved.starts_with(&format!("set play:\n{short}\n")), "{text}: {solved}");
        let report = run(&[&["report"], &asked[..]].concat()).out;
        assert!(report.contains(&format!("\nset play\n  {short}")), "{text}: {report}");
        let popeye = run(&[&["report"], &asked[..], &["--format", "popeye"]].concat()).out;
        assert!(popeye.starts_with(&format!("  {long}\n\n")), "{text}: {popeye}");
        let page = run(&[&["report"], &asked[..], &["--format", "html"]].concat()).out;
        let (number, san) = short.split_at(4);
        assert!(page.contains(&format!(r#"[{{"s":"{san}""#)) && page.contains(&format!(r#""m":"{number}""#)), "{page}");
        let results = run(&[&asked[..], &["--format", "jsonl"]].concat()).out;
        let object: Value = serde_json::from_str(&results).expect("JSON");
        assert_eq!((&object["set_play"][0]["san"], &object["result"]["verified"]), (&short.into(), &true.into()));
        schema_accepts("result", &object);
        assert_eq!(run_with_input(&["verify", "-"], &results).code, 0);
        let report = run(&[&["report"], &asked[..], &["--tries", "1", "--format", "jsonl"]].concat()).out;
        let object: Value = serde_json::from_str(&report).expect("JSON");
        assert_eq!((&object["set_play"][0]["san"], &object["result"]["verified"]), (&short.into(), &true.into()));
        schema_accepts("report", &object);
        let stamp = object["stamp"].as_str().expect("a stamp");
        assert!(stamp.contains("set play") && !stamp.contains("tries"), "{stamp}");
        // An audit takes the line, and no other.
        let actual = object["solutions"][0]["san"].as_str().expect("a solution");
        let audit = |line: &str| {
            let entry = format!("{{\"fen\":\"{fen}\",\"stipulation\":\"{text}\",\"solution\":\"{line} {actual}\"}}");
            run_with_input(&["audit", "-"], entry).out
        };
        let right = audit(short);
        assert!(right.contains("1: agrees") || right.contains("1: short solution"), "{text}: {right}");
        assert!(!right.contains("no solution (set play)") && !right.contains("no legal move"), "{text}: {right}");
        let wrong = audit("1...Kb7");
        assert!(wrong.contains("Kb7 is no legal move"), "{text}: {wrong}");
    }
    // What does not compel him is no set play, and where one side moves alone there is none.
    let free = run(&["8/6P1/3P4/8/3R2p1/6qk/8/7K w - -", "-s", "ser-s#2", "--set-play"]).out;
    assert!(free.starts_with("set play:\nnone\n"), "{free}");
    let alone = run(&["report", "k7/8/2K5/8/8/8/7R/8 w - -", "-s", "ser-#2", "--set-play", "--tries", "1"]).out;
    assert!(alone.contains("(ser-#2, cooked, whole, ") && !alone.contains("set play"), "{alone}");
    let popeye = "BeginProblem\nPieces White Kg3 Ra8 Black Kh1\nStipulation ser-h#2\nOption SetPlay\nEndProblem\n";
    let out = run_with_input(&["popeye", "-regression"], popeye).out;
    assert!(out.contains("\n  1...Ra8-a1 #\n"), "{out}");
}

#[test]
fn short_solutions_can_be_enough() {
    let popeye = |options: &str| {
        let text = format!(
            "BeginProblem\nPieces White Kh4 Pg2 Black Kh6 Pg6 Pg7 Ph7\nStipulation ser-#3\nOption NoBoard {options}\n\
             EndProblem\n"
        );
        run_with_input(&["popeye", "-regression"], text).out
    };
    let (short, long) = ("  1.g2-g4   2.g4-g5 #\n", "  1.g2-g3   2.g3-g4   3.g4-g5 #\n");
    assert_eq!(popeye(""), format!("\n{short}\n{long}\n\nsolution finished. Time = -\n\n\n"));
    assert_eq!(popeye("StopOnShortSolutions"), format!("\n{short}\n\nPartial solution Time = -\n\n\n"));
    let problem = |text: &str, options: &str| {
        format!(r##"{{"fen":"8/6pp/6pk/8/7K/8/6P1/8 w - -","stipulation":"{text}","options":[{options}]}}"##)
    };
    let stops = problem("ser-#3", r#""StopOnShortSolutions""#);
    let result: Value = serde_json::from_str(&run(&[&stops, "--format", "json"]).out).expect("JSON");
    schema_accepts("result", &result);
    assert_eq!(result["short_solutions"][0]["san"], "1.g4 2.g5#");
    assert_eq!((&result["solutions"], &result["complete"]), (&Value::Array(Vec::new()), &false.into()));
    assert_eq!(
        (&result["result"]["soundness"], &result["stats"]["stopped_by"]),
        (&"short_solution".into(), &"short_solutions".into())
    );
    let text = run(&[&stops]).out;
    let expected = "shorter than stipulated:\n1.g4 2.g5#\nsolutions of the stipulated length: not looked for beside shorter \
                    ones (StopOnShortSolutions)\nhelp: ";
    assert!(text.starts_with(expected), "{text}");
    // Without shorter solutions the option changes nothing, and without it both lists are there.
    for (text, options, short, solutions) in
        [("ser-#2", r#""StopOnShortSolutions""#, 0, 1), ("ser-#3", "", 1, 1), ("ser-#3", r#""Intelligent""#, 1, 1)]
    {
        let result: Value =
            serde_json::from_str(&run(&[&problem(text, options), "--format", "json"]).out).expect("JSON");
        let count = |name: &str| result[name].as_array().map_or(0, Vec::len);
        assert_eq!((count("short_solutions"), count("solutions")), (short, solutions), "{text} {options}");
        assert_eq!(result["complete"], true);
    }
    let twins = stops.replace("\"options\"", "\"twins\":{\"b\":\"Move h4 h3\"},\"options\"");
    let report: Value = serde_json::from_str(&run(&["report", &twins, "--format", "jsonl"]).out).expect("JSON");
    assert_eq!(report["phases"][0]["solutions"], Value::Array(Vec::new()), "{report}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.olv");
    let fields = "---\nalgebraic: {white: [Kh4, Pg2], black: [Kh6, Pg6, Pg7, Ph7]}\nstipulation: ser-#3\noptions: \
                  [StopOnShortSolutions]\n";
    std::fs::write(&path, fields).unwrap();
    let name = path.to_str().unwrap();
    let report = run(&["report", name]).out;
    assert!(
        report.contains("short solution: 1 shorter solution; of the stipulated length: not looked for"),
        "{report}"
    );
    assert!(report.contains("1.g4 2.g5#") && !report.contains("1.g3"), "{report}");
    let olv = run(&["report", &stops, "--format", "olv"]).out;
    assert!(olv.contains("1.g2-g4   2.g4-g5 #\n") && !olv.contains("g2-g3") && olv.contains("StopOn"), "{olv}");
    assert!(run(&["audit", name]).out.contains(": short solution\n"));
}

/// A series that has more solutions than anybody can write: most of its moves can be exchanged.
const ENDLESS: &str = "8/B7/RQ6/7k/8/8/6PP/3n2RK b - -";

#[test]
fn long_play_is_written_within_the_limits_and_says_what_is_left_out() {
    let lines = |object: &Value| -> usize {
        ["solutions", "short_solutions"].iter().map(|list| object[list].as_array().map_or(0, Vec::len)).sum()
    };
    // In half of 2 MiB there is room for about a thousand lines.
    for (limits, stopped) in [(["--hash", "2M"], "memory"), (["--nodes", "5000"], "nodes")] {
        for command in [&["solve", ENDLESS][..], &["report", ENDLESS], &["batch", "-"]] {
            let asked = ["-s", "ser-h=12", "--format", "jsonl", "-q"];
            let input = format!("{{\"fen\":\"{ENDLESS}\",\"id\":7}}\n");
            let run = run_with_input(&[command, &asked, &limits].concat(), input);
            let object: Value = serde_json::from_str(&run.out).expect("one object");
            assert!((50..3000).contains(&lines(&object)), "{command:?} {limits:?}: {}", lines(&object));
            assert!(run.out.len() < 1 << 20, "{} bytes", run.out.len());
            let said = (&object["complete"], &object["stats"]["stopped_by"], &object["result"]["status"]);
            assert_eq!(said, (&false.into(), &stopped.into(), &"undecided".into()), "{command:?}");
            // The verdict on a problem with a short solution is known.
            assert_eq!(run.code, if command[0] == "report" { 1 } else { 4 }, "{command:?} {limits:?}");
            assert!(command[0] != "batch" || object["id"] == 7, "a number stays one");
        }
    }
}

#[test]
fn a_star_asks_for_the_set_play_wherever_a_stipulation_stands() {
    let fen = "8/8/8/8/8/1K6/7R/k7 w - -";
    let set_play = |run: &Run| {
        let object: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(object["stipulation"]["text"], "h#1");
        object["set_play"][0]["san"].clone()
    };
    let told = run(&[fen, "-s", "h#1*", "--format", "json"]);
    for input in [
        format!(r##"{{"fen":"{fen}","stip":"h#1*"}}"##),
        format!(r##"{{"fen":"{fen}","Stipulation":"h#1 *"}}"##),
        format!(r##"{{"fen":"{fen}","kind":"h#1*"}}"##),
        format!(r##"{{"fen":"{fen}","kind":"helpmate*","n":1}}"##),
        format!("{fen} stip \"h#1*\";"),
        format!("fen,stipulation\n{fen},h#1*"),
    ] {
        let read = run_with_input(&["batch", "-", "-q", "--format", "jsonl"], &input);
        assert_eq!((set_play(&read), set_play(&told)), ("1...Rh1#".into(), "1...Rh1#".into()), "{input}");
    }
    let refused = run(&["mend", fen, "-s", "#2*"]);
    let why = "\"#2*\" has a star, which asks for the set play; leave it out here";
    assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
}
