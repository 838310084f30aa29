//! Selfmates, reflex mates and stalemates through the program: texts, JSON, EPD, tables, certificates, refusals.

use serde_json::Value;

use crate::schema::schema_accepts;
use crate::util::{batch_of, run, run_with_input};

/// A selfmate in two; with another knight move, White is not mated.
const SELFMATE: &str = "8/B7/RQ6/7k/8/8/6PP/3n2RK w - -";
/// A mate in one, and eleven keys after which Black is mated with the second move, not earlier.
const EXACT: &str = "8/8/8/8/3R4/1K6/8/k7 w - -";
/// A reflex stalemate in two.
const REFLEX: &str = "2k5/2b5/2K5/7q/8/8/4B3/8 w - -";
/// White can stalemate at once.
const STALEMATE: &str = "7k/8/8/6K1/8/8/8/5Q2 w - -";

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(arguments).out).expect("JSON")
}

#[test]
fn every_goal_is_named_and_its_exit_code_says_whether_it_is_forced() {
    for (fen, stipulation, code, verdict) in [
        (SELFMATE, "s#2", 0, "selfmate in 2 (proved shortest)\n1. Qg6+ Kh4 2. Bf2+ Nxf2#\n"),
        (SELFMATE, "S#", 0, "selfmate in 2 (proved shortest)\n"),
        (SELFMATE, "s#1", 1, "no selfmate in 1\n"),
        (SELFMATE, "s=1", 1, "no self-stalemate in 1\n"),
        (SELFMATE, "semi-r#2", 0, "semi-reflex mate in "),
        (EXACT, "exact-#2", 0, "exact mate in 2\n1. "),
        (EXACT, "exact-#1", 0, "exact mate in 1\n1. Rd1#\n"),
        (STALEMATE, "exact-#1", 1, "no exact mate in 1\n"),
        (REFLEX, "r=2", 0, "reflex stalemate in 2 (proved shortest)\n"),
        (STALEMATE, "r=2", 1, "no reflex stalemate in 2\n"),
        (STALEMATE, "=1", 0, "stalemate in 1 (proved shortest)\n1. Qf7\n"),
        (STALEMATE, "#1", 1, "no mate in 1\n"),
    ] {
        let answer = run(&[fen, "-s", stipulation, "--color", "never"]);
        assert_eq!((answer.code, answer.err.as_str()), (code, ""), "{stipulation}: {}", answer.out);
        assert!(answer.out.starts_with(verdict), "{stipulation}: {}", answer.out);
        assert!(stipulation.starts_with('#') || !answer.out.contains("--defend"), "{}", answer.out);
    }
    let open = run(&[SELFMATE, "-s", "s#2", "--nodes", "20"]);
    assert_eq!(open.code, 4);
    assert!(open.out.contains("no selfmate found") && !open.out.contains("--defend"), "{}", open.out);
}

#[test]
fn a_length_may_stand_beside_a_stipulation_without_one() {
    let any = run(&[SELFMATE, "-s", "s#", "--mate", "3"]);
    assert!(any.code == 0 && any.out.starts_with("selfmate in 2 (proved shortest)"), "{}", any.out);
    let line = format!("{SELFMATE} stip \"s#1\";");
    assert!(run(&[&line, "--mate", "2"]).out.starts_with("selfmate in 2"));
    assert!(run(&[&line, "--any-length"]).out.starts_with("selfmate in 2"));
    assert!(run(&[&line]).out.starts_with("no selfmate in 1"));
    let both = run(&[SELFMATE, "-s", "s#2", "--mate", "3"]);
    assert_eq!(both.code, 2);
    assert!(both.err.contains("-s 's#2' states the length") && both.err.contains("write -s 's#'"), "{}", both.err);
}

#[test]
fn json_names_play_and_goal_and_matches_the_schema() {
    let solved = json(&[SELFMATE, "-s", "s#2", "--format", "json"]);
    schema_accepts("result", &solved);
    assert_eq!(solved["stipulation"]["play"], "self");
    assert_eq!((&solved["result"]["status"], &solved["result"]["solved_in"]), (&"solved".into(), &2.into()));
    assert_eq!(solved["result"]["mate_in"], Value::Null);
    assert_eq!(solved["result"]["pv"].as_array().map(Vec::len), Some(4));
    for arguments in [
        [SELFMATE, "-s", "s#1", "--format", "json"],
        [SELFMATE, "-s", "r#", "--format", "json"],
        [STALEMATE, "-s", "=", "--format", "json"],
        ["7k/5Q2/6K1/8/8/8/8/8 b - -", "-s", "=1", "--format", "json"],
    ] {
        schema_accepts("result", &json(&arguments));
    }
    let moves = json(&[SELFMATE, "-s", "s#2", "--moves", "--format", "json"]);
    schema_accepts("result", &moves);
    assert_eq!(moves["moves"][0]["solved_in"], 2);
}

#[test]
fn a_batch_reads_and_writes_every_form() {
    let input = format!(
        "{SELFMATE} stip \"s#2\"; bm Qg6; id \"a\";\n{SELFMATE} stip \"s#2\"; bm Qb5;\n{SELFMATE} stip \"s#1\";\n\
         {{\"fen\":\"{STALEMATE}\",\"stipulation\":\"=1\"}}\n{SELFMATE} stip \"za5\";\n"
    );
    let checked = batch_of(&input, &["--check", "--color", "never"]).0;
    assert_eq!(checked.code, 6);
    for part in
        ["[check: ok]", "[check: wrong move]", "no selfmate in 1 [check: longer]", "stalemate in 1", "solved 3 "]
    {
        assert!(checked.out.contains(part), "{part}: {}", checked.out);
    }
    assert!(
        checked.err.contains(":5: \"za5\" is not a stipulation that matesolve solves, such as #3"),
        "{}",
        checked.err
    );
    let epd = batch_of(&input, &["--format", "epd", "--update", "-q"]).0.out;
    assert!(epd.starts_with("8/B7/RQ6/7k/8/8/6PP/3n2RK w - - stip \"s#2\"; bm Qg6+; pv Qg6+ Kh4 Bf2+ Nxf2#;"), "{epd}");
    for format in ["epd", "csv", "jsonl"] {
        let written = batch_of(&input, &["--format", format, "-q"]).0.out;
        let again = batch_of(&written, &["--format", "text", "-q", "--color", "never"]).0.out;
        let verdicts = ["selfmate in 2", "selfmate in 2", "no selfmate in 1", "stalemate in 1"];
        assert!(verdicts.iter().all(|verdict| again.contains(verdict)), "{format}: {written}: {again}");
    }
    let results = batch_of(&input, &["--format", "jsonl", "-q"]).0.out;
    let verified = run_with_input(&["verify", "-"], &results);
    assert_eq!(verified.code, 0);
    let longer = results.replace("\"solved_in\":2", "\"solved_in\":3");
    assert_eq!(run_with_input(&["verify", "-"], longer).code, 6);
}

#[test]
fn a_certificate_names_its_goal_and_is_refused_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("selfmate.cert");
    let name = path.to_str().unwrap();
    assert_eq!(run(&[SELFMATE, "-s", "s#2", "--certificate", name, "-q"]).code, 0);
    let verified = run(&["verify", name]);
    assert_eq!(verified.code, 0);
    assert!(
        verified.out.starts_with("certificate: selfmate in 2 holds\nWhite forces a selfmate from"),
        "{}",
        verified.out
    );
    assert!(verified.out.contains("ends in checkmate of White"), "{}", verified.out);
    let text = std::fs::read_to_string(&path).unwrap();
    // The last line has a sum over the rest, so that a changed goal needs a new one.
    let body = text[..text.rfind("end ").unwrap()].to_owned();
    for goal in ["#", "=", "s="] {
        let forged = body.replace("stipulation s#2", &format!("stipulation {goal}2"));
        let mut sum = flate2::Crc::new();
        sum.update(forged.as_bytes());
        let forged = format!("{forged}end {} {:08x}\n", forged.lines().count(), sum.sum());
        assert_eq!(run_with_input(&["verify", "-"], forged).code, 6, "{goal}");
    }
    let none = run(&[SELFMATE, "-s", "s#1", "--certificate", name]);
    assert!(none.err.contains("there is no selfmate to certify"), "{}", none.err);
}

#[test]
fn what_makes_no_sense_for_a_goal_says_so() {
    for (arguments, why) in [
        (&["-s", "r#2", "--defend"][..], "--defend asks whether the side to move is mated"),
        (&["-s", "s#2", "--engine", "pvs"], "the engine pvs looks for direct mates only, not for s#2"),
        (
            &["-s", "pser-#4"],
            "\"pser-#4\" is a series in which the other side may answer a check (parry series), which matesolve does not",
        ),
        (&["-s", "exact-#"], "error: \"exact-#\" has no length; write exact-#N"),
        (&["-s", "exact-#2", "--mate", "3"], "-s 'exact-#2' states the length, and --mate another one\n"),
        (&["-s", "+3"], "\"+3\" is a play to a check, which matesolve does not solve"),
        (&["-s", "hr#2"], "\"hr#2\" is a help-reflex mate, whose sides help until the last move"),
    ] {
        let refused = run(&[&[SELFMATE], arguments].concat());
        assert_eq!(refused.code, 2, "{arguments:?}");
        assert!(refused.err.contains(why), "{arguments:?}: {}", refused.err);
    }
    let exhaustive = run(&[SELFMATE, "-s", "s#2", "--engine", "exhaustive"]);
    assert!(exhaustive.out.starts_with("selfmate in 2 (proved shortest)"), "{}", exhaustive.out);
    let no_king = run(&["8/8/8/8/8/8/8/K7 w - -", "-s", "s#2"]);
    assert_eq!(no_king.code, 3);
    assert!(no_king.err.contains("Black has no king"), "{}", no_king.err);
    let both = run(&[&format!("{SELFMATE} stip \"s#2\"; dm 2;")]);
    assert_eq!(both.code, 3);
    assert!(both.err.contains("state different problems"), "{}", both.err);
}
