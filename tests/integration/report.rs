//! The composer's report: its text, its JSON and the published schema, its exit codes.

use serde_json::Value;
use snapbox::{assert_data_eq, str};

use crate::schema::{schema_accepts, schema_faults};
use crate::util::{HARD, LOVE_CHASE, PRINZ, Run, run};

/// Runs `matesolve report`.
pub fn report(arguments: &[&str]) -> Run {
    run(&[&["report"], arguments].concat())
}

/// Returns the report as JSON.
pub fn object(arguments: &[&str]) -> Value {
    let run = report(&[arguments, &["--format", "jsonl"]].concat());
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// Returns arguments that lead to every kind of report.
fn every_kind() -> Vec<Vec<&'static str>> {
    let remling = "n3k2r/1pp1pN1p/1P2BppP/b7/1P6/2P5/1PP3P1/R3K3 w Qk - dm 2;";
    vec![
        vec![PRINZ, "-s", "#2", "--tries", "--set-play"],
        vec![LOVE_CHASE, "-s", "3", "--tries=2", "--set-play", "--short-variations"],
        vec![LOVE_CHASE, "--stipulation", "#2"],
        vec![LOVE_CHASE],
        vec![PRINZ, "-s", "#3"],
        vec![PRINZ, "-s", "#3", "--max-tree-nodes", "4"],
        vec!["5Kbk/6pp/6PR/8/8/8/8/8 b - -", "-s", "#2", "--post-key"],
        vec!["5Kbk/6pp/6PR/8/8/8/8/8 b - -", "-s", "#-1"],
        vec!["nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w", "-s", "#2"],
        vec!["nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K - dm 2; bm Rf1; id \"Dawson\";"],
        vec!["7R/7p/5P1k/4PKpP/8/8/8/8 w - g6 dm 2;"],
        vec![remling, "--castling-exclusive", "a1h8"],
        vec![HARD, "-s", "#4", "--nodes", "1000"],
        vec![LOVE_CHASE, "-s", "#3", "--nodes", "6500", "--tries"],
        vec!["7k/5Q2/6K1/8/8/8/8/8 b - -", "-s", "#2"],
        vec!["7k/5KQ1/8/8/8/8/8/8 b - -", "-s", "#-1"],
        vec!["5R2/1P1kP3/8/1P6/p2K4/8/8/8 w - -", "-s", "#2"],
        vec!["k7/8/1K6/8/8/8/8/7R w - -", "-s", "#1"],
        vec!["nonsense"],
    ]
}

#[test]
fn reports_with_every_verdict_match_the_schema() {
    let mut verdicts = Vec::new();
    for arguments in every_kind() {
        let object = object(&arguments);
        schema_accepts("report", &object);
        references_are_written_before(&object, &mut Vec::new());
        verdicts.push(format!("{} {}", object["result"]["status"], object["result"]["soundness"]).replace('"', ""));
    }
    let expected = [
        "mate sound",
        "mate sound",
        "no_mate no_solution",
        "mate sound",
        "mate short_solution",
        "mate short_solution",
        "mated sound",
        "mated sound",
        "mate cooked",
        "mate cooked",
        "mate sound",
        "mate sound",
        "undecided undecided",
        "mate sound",
        "stalemate no_solution",
        "mated short_solution",
        "mate sound",
        "mate sound",
        "invalid undecided",
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn phases_and_themes_match_the_schema_and_change_nothing_else() {
    // A Novotny by S. Loyd, 1879, with colours as they are and exchanged.
    for fen in ["8/7p/b1NNpk2/r7/7p/2n2B2/8/5QRK w - -", "5qrk/8/2N2b2/7P/R7/B1nnPK2/7P/8 b - -"] {
        let plain = object(&[fen, "-s", "#2", "--set-play", "--tries"]);
        let mut whole = object(&[fen, "-s", "#2", "--full"]);
        schema_accepts("report", &whole);
        let (table, themes) = (whole["phases_table"].take(), whole["themes"].take());
        let fields = whole.as_object_mut().unwrap();
        assert!(fields.remove("phases_table").is_some() && fields.remove("themes").is_some());
        for field in ["keys", "tries", "set_play", "duals", "result", "options"] {
            assert_eq!(whole[field], plain[field], "{field}");
        }
        let names: Vec<&str> = themes.as_array().unwrap().iter().filter_map(|theme| theme["name"].as_str()).collect();
        assert!(["Novotny", "Grimshaw", "Fleck"].iter().all(|name| names.contains(name)), "{names:?}");
        let columns = table["columns"].as_array().unwrap().len();
        let rows = table["rows"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["cells"].as_array().unwrap().len() == columns) && rows.len() > 2);
    }
    // Of several solutions each is named: S. Loyd, with two of them.
    let cooked = object(&["8/8/8/8/1pQ5/2p4p/1Pk3pR/R3K3 w Q -", "-s", "#2", "--full"]);
    let blocks = cooked["themes"].as_array().unwrap().iter().filter(|theme| theme["name"] == "Block");
    let phases: Vec<&Value> = blocks.map(|theme| &theme["phases"][0]).collect();
    assert_eq!(phases, ["actual Qe6", "actual Kf2"]);
    let text = report(&["8/7p/b1NNpk2/r7/7p/2n2B2/8/5QRK w - -", "-s", "#2", "--full", "--letters", "de"]).out;
    assert!(text.contains("\n  Novotny on b5: 1...Txb5 2.Ld5#, 1...Lxb5 2.Le2#\n"), "{text}");
}

/// Asserts what the schema cannot express: a `ref` names a `node` that stands before it.
fn references_are_written_before(value: &Value, written: &mut Vec<u64>) {
    match value {
        Value::Object(fields) => {
            if let Some(node) = fields.get("node").and_then(Value::as_u64) {
                assert!(!written.contains(&node), "{node} is written twice");
                written.push(node);
            }
            if let Some(node) = fields.get("ref").and_then(Value::as_u64) {
                assert!(written.contains(&node), "{node} is not written before the reference");
            }
            fields.values().for_each(|field| references_are_written_before(field, written));
        }
        Value::Array(items) => items.iter().for_each(|item| references_are_written_before(item, written)),
        _ => {}
    }
}

#[test]
fn the_schema_rejects_wrong_reports() {
    let good = object(&[PRINZ, "-s", "#2", "--tries", "--set-play"]);
    schema_accepts("report", &good);
    for (pointer, value) in [
        ("/result/soundness", Value::from("fine")),
        ("/result/soundness", Value::from("cooked")),
        ("/result/verified", Value::from(false)),
        ("/keys/0/uci", Value::from("Rh6")),
        ("/keys/0/features/capture", Value::from("S")),
        ("/keys/0/play/variations/0/continuations", Value::Array(vec![])),
        ("/keys/0/play/variations/0/continuations/0/end", Value::from("draw")),
        ("/tries/0/refutations", Value::Array(vec![])),
        ("/set_play/play", Value::from(1)),
        ("/position/men/size", Value::from("tiny")),
        ("/position", Value::from(good["position"]["fen"].as_str().unwrap())),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("the field is there") = value;
        assert!(bad != good && !schema_faults("report", &bad).is_empty(), "{pointer}");
    }
    for pointer in ["", "/result", "/keys/0", "/keys/0/play", "/tries/0", "/stats"] {
        let fields: Vec<String> = good.pointer(pointer).unwrap().as_object().unwrap().keys().cloned().collect();
        for field in fields {
            let mut bad = good.clone();
            bad.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(&field);
            assert!(!schema_faults("report", &bad).is_empty(), "{pointer}/{field} may be missing");
        }
    }
}

#[test]
fn the_fields_and_their_order_are_fixed() {
    let keys = |value: &Value| -> String { value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ") };
    let object = object(&[PRINZ, "-s", "#2", "--tries", "--set-play"]);
    assert_eq!(
        keys(&object),
        "schema_version line id position stipulation options result keys tries set_play post_key post_key_refutations first_moves duals stats stamp warnings error"
    );
    assert_eq!(keys(&object["keys"][0]), "san uci mate_in exact intended features end play");
    let play = &object["keys"][0]["play"];
    assert_eq!(keys(play), "node left mate_in zugzwang threats variations unshown cut");
    assert_eq!(keys(&play["variations"][0]), "defence mate_in continuations");
    assert_eq!(keys(&play["variations"][0]["continuations"][0]), "san uci mate_in end play");
}

#[test]
fn the_exit_code_depends_on_the_verdict() {
    let code = |arguments: &[&str]| report(arguments).code;
    assert_eq!(code(&[PRINZ, "-s", "#2"]), 0);
    assert_eq!(code(&[PRINZ, "-s", "#3"]), 1);
    assert_eq!(code(&[PRINZ, "-s", "#1"]), 1);
    assert_eq!(code(&["nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K -", "-s", "#2"]), 1);
    assert_eq!(code(&["nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K -", "-s", "#2", "--intended", "2"]), 0);
    assert_eq!(code(&[HARD, "-s", "#4", "--nodes", "1000"]), 4);
    assert_eq!(code(&[HARD, "-s", "#9", "--time", "20ms"]), 4);
    assert_eq!(code(&["nonsense", "-s", "#2"]), 3);
    for wrong in [
        &[PRINZ, "-s", "pser-#2"][..],
        &[PRINZ, "--castling-exclusive", "a1"],
        &[PRINZ, "--castling-exclusive", "a1h8"],
        &[PRINZ, "--castling-exclusive", "é1ü"],
        &[PRINZ, "--tries=0"],
        &[PRINZ, "--max-tree-nodes", "0"],
        &[],
    ] {
        let run = report(wrong);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{wrong:?}");
        assert!(!run.err.is_empty() && !run.err.contains("panicked"), "{}", run.err);
    }
}

#[test]
fn the_text_shows_the_whole_solution() {
    let Run { out, err, .. } = report(&[PRINZ, "-s", "#2", "--tries", "--set-play"]);
    assert_data_eq!(
        out,
        str![[r#"
#2 sound
White Kf8 Rh1 Pg6; Black Kh8 Bg8 Pg7 Ph7 (3+4, a miniature)

set play
  1... Ba2, Bb3, Bc4, Bd5, Be6, Bf7 2. Rxh7#

1. Rh5? zugzwang
  1... Ba2, Bb3, Bc4, Bd5, Be6, Bf7 2. Rxh7#
  but 1... h6!

1. Rxh7+?
  but 1... Bxh7!

1. Rh6! zugzwang (sacrifice)
  1... gxh6 2. g7#
  1... Ba2, Bb3, Bc4, Bd5, Be6, Bf7 2. Rxh7#

[..] nodes, [..]
C+ matesolve 0.1 (#2, whole, set play, tries, [..])

"#]]
    );
    assert_eq!(err, "");
    assert_data_eq!(
        report(&[LOVE_CHASE, "-s", "#3"]).out,
        str![[r#"
#3 sound
White Kh1 Qc4 Nf8 Pf7; Black Kh8 Ba1 Pg4 Pg7 Ph7 (4+5, a meredith)

1. Qf1!
  threat 2. Qb1 threat 3. Qxh7#
    2... g6 3. Qxa1#
  1... Bc3 2. Qd3 threat 3. Qxh7#
    2... g6 3. Qxc3#
  1... Bd4 2. Qd3 threat 3. Qxh7#
    2... g6 3. Qxd4#
  1... Be5 2. Qf5 threat 3. Qxh7#
    2... g6 3. Qxe5#
  1... Bf6 2. Qf5 threat 3. Qxh7#
    2... g6 3. Qxf6#
  1... g3 2. Ng6+
    2... hxg6 3. Qh3#

[..] nodes, [..]
C+ matesolve 0.1 (#3, whole, [..])

"#]]
    );
}

/// The sample in the module documentation of `output::report::text` is the real output, except for the time.
#[test]
fn the_sample_in_the_documentation_of_the_text_format_is_true() {
    let source = include_str!("../../crates/results/src/output/report/text.rs");
    let documentation = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines = documentation.map(|line| line.strip_prefix(' ').unwrap_or(line));
    let sample: Vec<&str> =
        lines.skip_while(|&line| line != "```text").skip(1).take_while(|&line| line != "```").collect();
    let out = report(&[PRINZ, "-s", "#2"]).out;
    let printed: Vec<&str> = out.lines().collect();
    // The last two lines end with a time.
    let without_times = |lines: &[&str]| -> Vec<String> {
        let (whole, timed) = lines.split_at(lines.len() - 2);
        let timed = timed.iter().map(|line| line.rsplit_once(", ").unwrap().0);
        whole.iter().copied().chain(timed).map(str::to_owned).collect()
    };
    assert_eq!(without_times(&printed), without_times(&sample));
}

#[test]
fn cooks_short_solutions_and_cuts_are_pointed_out() {
    let first_line = |arguments: &[&str]| report(arguments).out.lines().next().unwrap_or_default().to_owned();
    let dawson = |operations: &str| format!("nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K - dm 2; {operations}");
    assert_eq!(first_line(&[&dawson("")]), "#2 cooked: 2 keys, O-O, Rf1");
    assert_eq!(first_line(&[&dawson("bm Rf1;")]), "#2 cooked by O-O");
    assert!(report(&[&dawson("bm Rf1;")]).out.contains("1. O-O! cook"));
    assert_eq!(first_line(&[LOVE_CHASE]), "#3 sound");
    assert_eq!(first_line(&[LOVE_CHASE, "-s", "#2"]), "#2 no solution");
    assert!(first_line(&[PRINZ, "-s", "#3"]).starts_with("#3 short solution, mate in 2 by Rh6"));
    assert_eq!(first_line(&[HARD, "-s", "#4", "--nodes", "1000"]), "#4 undecided, no mate in 3 (node limit reached)");
    let cut = report(&[LOVE_CHASE, "--max-tree-nodes", "3"]).out;
    assert!(
        cut.contains("\n  1... g3 2. Ng6+ …\n") && cut.contains("the tree is limited to 3 nodes (--max-tree-nodes)"),
        "{cut}"
    );
}

#[test]
fn two_runs_with_a_node_limit_print_the_same() {
    let arguments = [LOVE_CHASE, "-s", "#3", "--tries", "--nodes", "5000"];
    let without_time = |mut object: Value| {
        (object["stats"]["time_ms"], object["stamp"]) = (Value::Null, Value::Null);
        object
    };
    let [a, b] = [(); 2].map(|()| without_time(object(&arguments)));
    assert_eq!(a, b);
}

#[test]
fn the_soundness_alone_is_the_verdict_with_its_keys() {
    let whole = object(&[LOVE_CHASE, "-s", "#3"]);
    let short = object(&[LOVE_CHASE, "-s", "#3", "--soundness"]);
    assert_eq!(short["result"], whole["result"]);
    assert_eq!((&short["keys"][0]["san"], &short["keys"][0]["play"]), (&whole["keys"][0]["san"], &Value::Null));
    assert!(short["stats"]["nodes"].as_u64() < whole["stats"]["nodes"].as_u64());
    let text = report(&[LOVE_CHASE, "-s", "#3", "--soundness"]).out;
    assert!(text.contains("\n1. Qf1!\n") && !text.contains('…'), "{text}");
}

#[test]
fn what_a_limit_leaves_open_is_listed() {
    // The key is found first, then the other first moves are refuted.
    let mut open_counts = Vec::new();
    for nodes in ["800", "2000", "4000"] {
        let object = object(&[LOVE_CHASE, "-s", "#3", "--soundness", "--nodes", nodes, "--threads", "1"]);
        let counts = &object["first_moves"];
        let (total, refuted) = (counts["total"].as_u64().unwrap(), counts["refuted"].as_u64().unwrap());
        let (open, keys) = (counts["open"].as_array().unwrap().len() as u64, object["keys"].as_array().unwrap().len());
        assert_eq!(refuted + open + keys as u64, total, "{object}");
        open_counts.push(open);
        let text = report(&[LOVE_CHASE, "-s", "#3", "--soundness", "--nodes", nodes, "--threads", "1"]).out;
        assert_eq!(text.contains("not decided:"), open > 0, "{text}");
    }
    assert!(open_counts.is_sorted_by(|a, b| a >= b) && open_counts[0] > 0, "{open_counts:?}");
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    // Sam Loyd, a mate in five: enough work for several threads.
    let problem = "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - dm 5";
    let on = |threads: &str| {
        let mut object = object(&[problem, "--threads", threads]);
        assert_eq!(object["result"]["soundness"], "sound");
        (object["stats"], object["stamp"]) = (Value::Null, Value::Null);
        object
    };
    let one = on("1");
    assert_eq!(one, on("2"));
    assert_eq!(one, on("5"));
}

#[test]
fn keys_and_tries_are_printed_as_they_are_found() {
    let verbose = report(&[PRINZ, "-s", "#2", "--tries", "-v"]);
    for news in ["key 1. Rh6, mate in 2", "try 1. Rh5, one refutation", "try 1. Rxh7+, one refutation"] {
        assert!(verbose.err.contains(news), "{}", verbose.err);
    }
    assert_eq!(report(&[PRINZ, "-s", "#2", "--tries"]).err, "");
    assert_eq!(report(&[PRINZ, "-s", "#2", "-q", "-v"]).code, 2);
}

#[test]
fn files_of_lines_are_reported_on_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problems.epd");
    let json = format!("{{\"fen\": \"{PRINZ}\", \"stipulation\": \"#2\", \"id\": \"as JSON\"}}");
    let lines = format!("{LOVE_CHASE} dm 3; id \"long\";\n{PRINZ} dm 2; id \"short\";\nnonsense\n\n{json}\n");
    std::fs::write(&file, &lines).unwrap();
    let out = report(&[file.to_str().unwrap(), "--format", "jsonl", "--threads", "2"]);
    let objects: Vec<Value> = out.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&Value> = objects.iter().map(|object| &object["id"]).collect();
    assert_eq!(ids, [&Value::from("long"), &Value::from("short"), &Value::Null, &Value::from("as JSON")]);
    assert_eq!((out.code, objects[2]["result"]["status"].as_str()), (5, Some("invalid")));
    assert!(out.err.contains("problems.epd:3:"), "{}", out.err);
}

#[test]
fn the_text_of_a_long_mate_is_limited_and_says_how_to_see_all() {
    // Queen and king against king: a mate in six with many duals.
    let queen = "8/8/8/8/3k4/8/4Q3/1K6 w - -";
    let lines = |arguments: &[&str]| report(&[&[queen], arguments].concat()).out.lines().count();
    let short = report(&[queen]).out;
    assert!(short.lines().count() < 520, "{}", short.lines().count());
    assert!(short.contains("--depth all shows all of it") && short.contains(" …"), "{short}");
    let (three, all) = (lines(&["--depth", "3"]), lines(&["--depth", "all"]));
    assert!(lines(&["--depth", "1"]) < three && three < all && short.lines().count() < all, "{three} {all}");
    let composition = report(&[LOVE_CHASE, "-s", "#3"]).out;
    let without_nodes = |text: &str| text.rsplit_once("\n\n").unwrap().0.to_owned();
    assert_eq!(without_nodes(&composition), without_nodes(&report(&[LOVE_CHASE, "-s", "#3", "--depth", "all"]).out));
    let whole = object(&[LOVE_CHASE, "-s", "#3"]);
    let cut = object(&[LOVE_CHASE, "-s", "#3", "--depth", "2"]);
    assert_eq!((&whole["options"]["depth"], &cut["options"]["depth"]), (&Value::Null, &Value::from(2)));
    schema_accepts("report", &cut);
    assert!(cut.to_string().contains("\"cut\"") && !whole.to_string().contains("\"cut\",\"play"));
    for wrong in [&["--depth", "0"][..], &["--depth", "deep"], &["--depth", "2", "--format", "olv"]] {
        assert_eq!(report(&[&[PRINZ], wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn header_and_moves_use_the_same_letters() {
    let text = |letters: &str| report(&[LOVE_CHASE, "-s", "#3", "--letters", letters]).out;
    for (letters, men, knight, key) in [
        ("en", "White Kh1 Qc4 Nf8 Pf7;", "2. Ng6+", "1. Qf1!"),
        ("en-s", "White Kh1 Qc4 Sf8 Pf7;", "2. Sg6+", "1. Qf1!"),
        ("de", "White Kh1 Dc4 Sf8 Bf7;", "2. Sg6+", "1. Df1!"),
        ("fr", "White Rh1 Dc4 Cf8 Pf7;", "2. Cg6+", "1. Df1!"),
        ("ru", "White Krh1 Fc4 Kf8 Pf7;", "2. Kg6+", "1. Ff1!"),
    ] {
        let out = text(letters);
        assert!([men, knight, key].iter().all(|word| out.contains(word)), "{letters}: {out}");
    }
    assert!(report(&[LOVE_CHASE, "-s", "#3"]).out.contains("Nf8"), "English with N is the default");
    let popeye = |letters: &[&str]| report(&[&[LOVE_CHASE, "-s", "#3", "--format", "popeye"], letters].concat()).out;
    assert!(popeye(&[]).contains("Sf8-g6 +") && popeye(&["--letters", "nl"]).contains("Pf8-g6 +"));
    let html = report(&[LOVE_CHASE, "-s", "#3", "--format", "html", "--letters", "de"]).out;
    assert!(html.contains("Sound · Df1") && html.contains("\"s\":\"Sg6+\""), "the page uses the letters");
    let refused = report(&[PRINZ, "-s", "#2", "--format", "json", "--letters", "de"]);
    assert!(refused.code == 2 && refused.err.contains("--format text, popeye, html or latex"), "{}", refused.err);
}

#[test]
fn flights_that_a_key_takes_are_named() {
    let out = report(&["8/8/8/3NN3/1n3Q2/k7/6K1/8 w - -", "-s", "#3"]).out;
    assert!(out.contains("1. Qxb4+! (check, captures a knight, takes the flights b2 b3 a4)"), "{out}");
}

#[test]
fn an_interrupted_report_says_what_is_proved() {
    let stopped = |nodes: &str| report(&[LOVE_CHASE, "-s", "#3", "--nodes", nodes, "--threads", "1"]);
    let open = stopped("1600");
    let first = open.out.lines().next().unwrap_or_default();
    assert!(first.starts_with("#3 undecided: key proved; ") && first.contains(" of 29 first moves refuted"), "{first}");
    assert_eq!(open.code, 4);
    // All first moves are decided, but the solution tree is not finished.
    let certain = (1..28).map(|hundreds| stopped(&format!("{}", 100 * hundreds))).find(|run| run.code == 0).unwrap();
    assert!(certain.out.starts_with("#3 sound\n"), "{}", certain.out);
    assert!(certain.out.contains("the solution was not worked out to its end (node limit reached)"), "{}", certain.out);
    let unknown = report(&[HARD, "--nodes", "1000"]).out;
    assert!(unknown.starts_with("undecided, no mate in "), "{unknown}");
}

#[test]
fn a_report_can_be_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = report(&[PRINZ, "--mate", "2", "-o", &path("a.txt"), "--threads", "1", "-v"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    let written = std::fs::read_to_string(path("a.txt")).unwrap();
    assert!(written.starts_with("#2 sound\n") && !written.contains('\u{1b}'), "{written}");
    let entry = "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}\nstipulation: \"#2\"\n";
    std::fs::write(path("my.olv"), entry).unwrap();
    let onto_itself = report(&[&path("my.olv"), "--format", "olv", "-o", &path("my.olv")]);
    assert!(onto_itself.code == 2 && onto_itself.err.contains("it is also an input"), "{}", onto_itself.err);
    assert_eq!(std::fs::read_to_string(path("my.olv")).unwrap(), entry, "the input is left as it was");
    let nowhere = report(&[PRINZ, "-o", &path("no/such/folder")]);
    assert!(nowhere.code == 2 && nowhere.err.contains("there is no directory"), "{}", nowhere.err);
    assert_eq!(report(&[PRINZ, "-s", "#2", "--mate", "2"]).code, 2);
}

#[test]
fn a_collection_becomes_a_booklet() {
    let folder = tempfile::tempdir().unwrap();
    let (file, page) = (folder.path().join("my.epd"), folder.path().join("my.html"));
    let lines = format!("{PRINZ} dm 2; id \"Prinz <1952>\";\n{LOVE_CHASE} dm 3;\nnonsense\n");
    std::fs::write(&file, lines).unwrap();
    let run = report(&[file.to_str().unwrap(), "--format", "html", "-o", page.to_str().unwrap()]);
    assert_eq!((run.code, run.out.as_str()), (5, ""));
    let page = std::fs::read_to_string(page).unwrap();
    assert_eq!((page.matches("<article ").count(), page.matches("<li><a href=\"#p").count()), (3, 3));
    assert!(page.contains("1. Prinz &lt;1952&gt;") && page.contains("Sound · ♕f1") && page.contains("invalid"));
    assert!(page.contains("  1... gxh6 2. g7#\n  1... ♗a2, ♗b3, ♗c4, ♗d5, ♗e6, ♗f7 2. ♖xh7#"), "the printed solution");
    assert_well_formed(&page);
    assert_well_formed(&report(&[LOVE_CHASE, "-s", "#3", "--format", "html", "--set-play"]).out);
}

/// Asserts that every element of a page is closed, in the right order, and that no id occurs twice.
fn assert_well_formed(page: &str) {
    let (mut open, mut ids, mut rest) = (Vec::new(), Vec::new(), page);
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        let name = tag.split([' ', '\n', '/']).find(|part| !part.is_empty()).unwrap_or_default();
        let id = tag.split_once(" id=\"").and_then(|(_, id)| id.split('"').next());
        ids.extend(id);
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') && !["!doctype", "meta"].contains(&name) {
            open.push(name);
            if ["script", "style"].contains(&name) {
                rest = &rest[rest.find(&format!("</{name}>")).expect("scripts and styles end")..];
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id occurs twice");
}

#[test]
fn tries_on_which_no_defence_loses_can_be_left_out_of_text_and_table() {
    let of = |more: &[&str]| report(&[&[PRINZ, "-s", "#2", "--full"], more].concat()).out;
    let rows = |text: &str| {
        let table = text.split_once("\nphases\n").unwrap().1.split("\n\n").next().unwrap().to_owned();
        let names = table.lines().filter(|line| line.starts_with("  1.")).map(|line| line.split(' ').nth(2).unwrap());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.dedup();
        names
    };
    let listed = |text: &str| -> Vec<String> {
        let first = text.lines().filter_map(|line| line.strip_prefix("1. "));
        first.map(|line| format!("1.{}", line.split(' ').next().unwrap())).collect()
    };
    let (all, some) = (of(&[]), of(&["--tries=play"]));
    assert!(all.contains("1. Rxh7+?\n  but 1... Bxh7!") && !some.contains("Rxh7+?"), "{some}");
    assert!(some.contains("1. Rh5?"), "{some}");
    for text in [&all, &some] {
        assert_eq!(rows(text), listed(text), "{text}");
    }
}

#[test]
fn themes_of_other_goals_are_said_not_to_be_looked_for() {
    let selfmate = report(&["8/B7/RQ6/7k/8/8/6PP/3n2RK w - -", "-s", "s#2", "--full"]).out;
    let words = "\nthemes\n  not looked for: they are named for direct mates, not for s#2\n";
    assert!(selfmate.contains(words), "{selfmate}");
}
