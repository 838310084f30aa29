//! The result object and its published schema.

use serde_json::Value;

use crate::schema::{schema_accepts, schema_faults};
use crate::util::{HARD, LATE_MATE, LOVE_CHASE, PRINZ, mates, run, run_with_input};

/// Returns one line for every kind of answer.
fn every_status() -> String {
    [
        format!("{PRINZ} id \"x\";"),
        "5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-5;".to_owned(),
        format!("{LOVE_CHASE} dm 2;"),
        HARD.to_owned(),
        "7k/5Q2/6K1/8/8/8/8/8 b - -".to_owned(),
        "7k/5KQ1/8/8/8/8/8/8 b - - bm #-1;".to_owned(),
        "5Kbk/6pp/6P1/8/8/8/8/7R w K e6".to_owned(),
        "nonsense".to_owned(),
    ]
    .join("\n")
}

#[test]
fn results_of_every_status_match_the_schema() {
    let run = run_with_input(&["batch", "-", "--format", "jsonl", "--nodes", "30000"], every_status());
    let mut statuses = Vec::new();
    for line in run.out.lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        schema_accepts("result", &object);
        statuses.push(object["result"]["status"].as_str().unwrap().to_owned());
        assert_consistent(&object);
    }
    assert_eq!(statuses, ["mate", "mated", "no_mate", "undecided", "stalemate", "mated", "mate", "invalid"]);
}

/// Asserts properties of a result that the schema cannot express.
fn assert_consistent(object: &Value) {
    let result = &object["result"];
    let (Some(length), Some(pv)) = (result["mate_in"].as_u64(), result["pv"].as_array()) else {
        return;
    };
    let exact = length == 0 || result["refuted_through"].as_u64() == Some(length - 1);
    assert_eq!(result["proved_shortest"].as_bool(), Some(exact), "{object}");
    let plies = if result["status"] == "mate" { 2 * length - 1 } else { 2 * length };
    assert_eq!(pv.len() as u64, plies, "{object}");
    let pv: Vec<String> = pv.iter().map(|m| m.as_str().unwrap().to_owned()).collect();
    assert!(mates(object["fen"].as_str().unwrap(), &pv), "{object}");
}

#[test]
fn answers_about_the_other_side_and_single_moves_match_the_schema() {
    let object = |arguments: &[&str]| -> Value {
        let object: Value = serde_json::from_str(&run(arguments).out).unwrap();
        schema_accepts("result", &object);
        object
    };
    let mated = object(&["5Kbk/6pp/6PR/8/8/8/8/8 b - -", "--format", "json"]);
    assert_eq!((&mated["result"]["status"], &mated["result"]["no_mate_at_all"]), (&"no_mate".into(), &true.into()));
    assert_eq!((&mated["other_side"]["status"], &mated["other_side"]["mate_in"]), (&"mated".into(), &1.into()));
    let none = object(&[LOVE_CHASE, "--mate", "2", "--format", "json"]);
    assert_eq!((&none["result"]["no_mate_at_all"], none["other_side"].is_object()), (&false.into(), true));
    let turned = object(&["5Kbk/6pp/6P1/8/8/8/8/7R b - -", "--mate", "2", "--format", "json"]);
    let other = &turned["other_to_move"];
    assert_eq!(
        (&turned["result"]["status"], &other["mate_in"], &other["verified"]),
        (&"no_mate".into(), &2.into(), &true.into())
    );
    let pv: Vec<String> = serde_json::from_value(other["pv"].clone()).unwrap();
    assert!(mates(crate::util::PRINZ, &pv), "{turned}");
    let verified = |line: String| run_with_input(&["verify", "-"], line).code;
    assert_eq!(
        [verified(turned.to_string()), verified(turned.to_string().replace("h6h7", "h6h5"))],
        [0, 6],
        "{turned}"
    );
    for options in [&["--nodes", "100k"][..], &["--defend"], &["--time", "0s"]] {
        let plain = object(&[&["5Kbk/6pp/6P1/8/8/8/8/7R b - -", "--mate", "2", "--format", "json"], options].concat());
        assert!(plain["other_to_move"].is_null() || options[0] == "--time", "{plain}");
    }
    for options in [&["--moves", "--mate", "3"][..], &["--lines", "2"]] {
        let moves = object(&[&[LOVE_CHASE, "--format", "json"], options].concat());
        assert_eq!((&moves["result"]["mate_in"], &moves["moves"][0]["san"]), (&3.into(), &"Qf1".into()), "{moves}");
        let pv: Vec<String> = serde_json::from_value(moves["moves"][0]["pv"].clone()).unwrap();
        assert!(pv[0] == "c4f1" && pv.len() == 5 && mates(LOVE_CHASE, &pv), "{moves}");
        assert_eq!(moves["moves"].as_array().map(Vec::len), Some(29), "{moves}");
    }
}

#[test]
fn a_mate_that_is_longer_than_the_one_asked_for_is_offered_as_such() {
    let lines = format!("{LATE_MATE} dm 13;\n{{\"fen\": \"{LATE_MATE}\", \"stipulation\": \"#13\"}}\n");
    let batch = run_with_input(&["batch", "-", "--format", "jsonl", "--nodes", "1000000"], lines);
    let single = |option: &str, value: &str| {
        let arguments = [LATE_MATE, option, value, "--nodes", "1000000", "--threads", "1", "--format", "jsonl"];
        run(&arguments).out
    };
    let outputs = [batch.out.clone(), single("--mate", "13"), single("-s", "#13")].concat();
    assert_eq!(outputs.lines().count(), 4);
    for line in outputs.lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        schema_accepts("result", &object);
        let (result, longer) = (&object["result"], &object["result"]["longer_mate"]);
        assert_eq!((&result["status"], &result["mate_in"]), (&"undecided".into(), &Value::Null), "{line}");
        assert_eq!((&longer["status"], &longer["verified"]), (&"mate".into(), &true.into()), "{line}");
        assert!(longer["mate_in"].as_u64().unwrap() > 13 && object["other_side"].is_null(), "{line}");
        assert!(["dfpn", "pn"].contains(&object["stats"]["found_by"].as_str().unwrap()), "{line}");
        let pv: Vec<String> = longer["pv"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect();
        assert!(mates(object["fen"].as_str().unwrap(), &pv), "{line}");
    }
    assert_eq!(batch.code, 4);
    assert!(batch.err.contains("mates 0 (proved shortest 0), no mate 0, undecided 2"), "{}", batch.err);
    assert!(batch.err.contains("; longer mates than asked for 2"), "{}", batch.err);
}

#[test]
fn the_schema_rejects_wrong_objects() {
    let good: Value = serde_json::from_str(&run(&[PRINZ, "--format", "json"]).out).unwrap();
    schema_accepts("result", &good);
    for (pointer, value) in [
        ("/result/status", Value::from("solved")),
        ("/result/verified", Value::from(false)),
        ("/result/pv", Value::Null),
        ("/result/mate_in", Value::from("2")),
        ("/stats/stopped_by", Value::from("boredom")),
        ("/stipulation/attacker", Value::from("w")),
        ("/fen", Value::Null),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("the field is there") = value;
        assert!(!schema_faults("result", &bad).is_empty(), "{pointer}");
    }
    for field in ["line", "error", "warnings"] {
        let mut bad = good.clone();
        bad.as_object_mut().unwrap().remove(field);
        assert!(!schema_faults("result", &bad).is_empty(), "{field}");
    }
}

#[test]
fn the_fields_and_their_order_are_fixed() {
    let object: Value = serde_json::from_str(&run(&[PRINZ, "--format", "jsonl"]).out).unwrap();
    let keys = |value: &Value| -> String { value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ") };
    assert_eq!(keys(&object), "schema_version line id fen stipulation result other_side moves stats warnings error");
    assert_eq!(keys(&object["stipulation"]), "text moves attacker from");
    assert_eq!(
        keys(&object["result"]),
        "status mate_in solved_in refuted_through no_mate_at_all proved_shortest verified pv pv_san pv_repeatable"
    );
    assert_eq!(
        keys(&object["stats"]),
        "engine found_by first_found_by found_at nodes time_ms threads hash_mb stopped_by"
    );
}

#[test]
fn the_cost_of_a_mate_ends_where_it_was_found() {
    let stats = |arguments: &[&str]| {
        let object: Value = serde_json::from_str(&run(&[arguments, &["--format", "jsonl"]].concat()).out).unwrap();
        object["stats"].clone()
    };
    // After the mate, the search goes on for shorter ones until the limit.
    let late = stats(&[crate::util::LATE_MATE, "--nodes", "1M", "--threads", "1"]);
    let (found, all) = (late["found_at"]["nodes"].as_u64().unwrap(), late["nodes"].as_u64().unwrap());
    assert!(0 < found && found < all && late["found_at"]["time_ms"].as_u64() <= late["time_ms"].as_u64(), "{late}");
    for engine in ["exhaustive", "dfpn", "pn", "pvs", "prover", "bstar", "selective", "retro"] {
        let stats = stats(&["8/8/8/8/8/5K2/6R1/7k w - -", "--engine", engine]);
        assert!(stats["found_at"]["nodes"].as_u64() <= stats["nodes"].as_u64(), "{engine}: {stats}");
        assert!(stats["found_at"].is_object(), "{engine}: {stats}");
    }
    assert_eq!(stats(&[PRINZ, "--mate", "1"]).get("found_at"), None);
}

#[test]
fn chess960_castling_is_king_takes_rook() {
    let fen = "4rkr1/R7/8/8/8/8/6P1/5KR1 w G - 0 1";
    let object: Value = serde_json::from_str(&run(&[fen, "--format", "json"]).out).unwrap();
    assert_eq!(object["result"]["pv"], serde_json::json!(["f1g1"]));
    assert_eq!(
        (&object["result"]["pv_san"], &object["fen"]),
        (&Value::from("1. O-O#"), &Value::from("4rkr1/R7/8/8/8/8/6P1/5KR1 w K - 0 1"))
    );
}

/// Returns the annotated fields of a class of the Python package, sorted.
fn python_fields(file: &str, class: &str) -> Vec<String> {
    let path = format!("{}/bindings/python/python/matesolve/{file}.py", env!("CARGO_MANIFEST_DIR"));
    let classes = std::fs::read_to_string(path).unwrap();
    let body = classes.split_once(&format!("\nclass {class}(JsonObject):\n")).expect(class).1;
    let body = body.split("\nclass ").next().unwrap_or_default().lines();
    let annotated = body
        .filter_map(|line| line.strip_prefix("    ")?.split_once(": "))
        .map(|(name, _)| name.trim_end_matches('_').to_owned());
    let is_name = |name: &String| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let mut names: Vec<_> = annotated.filter(is_name).collect();
    names.sort();
    names
}

/// Returns the properties of an object of a schema, sorted. `pointer` leads to the object.
fn properties(of: &[&str], pointer: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(&run(&[&["schema"], of].concat()).out).unwrap();
    let object = schema.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in the schema of {of:?}"));
    let mut names: Vec<_> = object["properties"].as_object().unwrap().keys().cloned().collect();
    names.sort();
    names
}

#[test]
fn the_python_classes_have_the_fields_of_the_schema() {
    let (finding, answer) = ("/$defs/finding", "/$defs/answer");
    for (file, class, of, pointer) in [
        ("results", "Stipulation", &[][..], "/properties/stipulation"),
        ("results", "Outcome", &[], "/properties/result"),
        ("results", "Stats", &[], "/properties/stats"),
        ("audits", "Audit", &["audit"], ""),
        ("audits", "ThemeKeywords", &["audit"], "/properties/themes"),
        ("audits", "AuditPhase", &["audit"], "/$defs/phase"),
        ("audits", "AuditStats", &["audit"], "/$defs/phase/properties/stats"),
        ("audits", "Finding", &["audit"], finding),
        ("audits", "TextPlace", &["audit"], &format!("{finding}/properties/place")),
        ("workbench", "Proposal", &["proposal"], "/$defs/proposal"),
        ("workbench", "Kept", &["proposal"], "/$defs/proposal/properties/kept"),
        ("workbench", "ManUse", &["proposal"], &format!("{answer}/properties/men/items")),
    ] {
        assert_eq!(python_fields(file, class), properties(of, pointer), "{class}");
    }
    // The package checks no claim of a line; the certificate is no field of the JSON.
    let mut expected = properties(&[], "");
    expected.retain(|name| !["check", "text"].contains(&name.as_str()));
    expected.push("certificate".to_owned());
    expected.sort();
    assert_eq!(python_fields("results", "Result"), expected);
    let mut expected = properties(&["proposal"], answer);
    expected.retain(|name| name != "schema_version");
    assert_eq!(python_fields("workbench", "Workbench"), expected);
}

#[test]
fn every_schema_is_one_and_accepts_what_the_program_writes() {
    let audited = format!(
        "{PRINZ} dm 2; bm Rh6;\n{PRINZ} dm 2; bm Rh5; id \"wrong\";\n{PRINZ} dm 3; bm Rh6;\nnonsense\n{LOVE_CHASE} bm Qf1;\n"
    );
    let audits = run_with_input(&["audit", "-", "--format", "jsonl", "--nodes", "100k", "--themes"], audited).out;
    let verdicts: Vec<Value> =
        audits.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["verdict"].clone()).collect();
    assert_eq!(verdicts, ["sound", "another_key", "short_solution", "invalid", "not_audited"]);
    let problem = [PRINZ, "-s", "#2"];
    let of = |command: &[&str], format: &str| run(&[command, &problem, &["--format", format]].concat()).out;
    for (object, written) in [
        ("result", of(&[], "jsonl")),
        ("report", of(&["report", "--full"], "jsonl")),
        ("audit", audits),
        ("proposal", of(&["twins"], "jsonl")),
        ("proposal", of(&["economy"], "json").replace('\n', "")),
    ] {
        assert!(!written.is_empty(), "{object}");
        for line in written.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            schema_accepts(object, &value);
        }
    }
}
