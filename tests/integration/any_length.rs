//! The helpmate without a length, `h#`: its four answers as text and JSON, exit codes, batches, reports, refusals.

use serde_json::{Value, json};

use crate::schema::schema_accepts;
use crate::util::{run, run_with_input};

/// Walls of pawns that nobody gets through: no mate of any length.
const DEAD: &str = "8/k7/1p6/1P6/1P6/KP6/PP6/8 w - -";

/// A helpmate of Black in half a move, and one of White in one.
const BOTH: &str = "r5k1/5ppp/8/8/8/8/5PPP/R5K1 b - -";

/// The shortest helpmate of White has six moves.
const LONG: &str = "8/8/n7/7p/8/8/4P3/K1k5 b - -";

fn answer(fen: &str, options: &[&str]) -> (i32, String, Value) {
    let words = [&[fen, "-s", "h#", "--threads", "1"], options].concat();
    let text = run(&[&words[..], &["--color", "never"]].concat());
    let json = run(&[&words[..], &["--format", "json"]].concat());
    assert_eq!((text.code, text.err.as_str()), (json.code, ""), "{fen} {options:?}");
    let object: Value = serde_json::from_str(&json.out).expect("JSON");
    schema_accepts("result", &object);
    assert_eq!((&object["stipulation"]["text"], &object["stipulation"]["play"]), (&"h#".into(), &"help".into()));
    (text.code, text.out.lines().next().unwrap_or_default().to_owned(), object["result"].clone())
}

fn fields<const N: usize>(result: &Value, names: [&str; N]) -> Value {
    names.map(|name| result[name].clone()).to_vec().into()
}

const FIELDS: [&str; 6] = ["status", "solved_in", "proved_shortest", "refuted_through", "no_mate_at_all", "verified"];

#[test]
fn the_shortest_helpmate_is_proved() {
    let (code, text, result) = answer(BOTH, &[]);
    assert_eq!((code, text.as_str()), (0, "helpmate in 1 (proved shortest)"));
    assert_eq!(fields(&result, FIELDS), json!(["solved", 1, true, null, false, true]));
    assert_eq!(result["pv_san"], "1.Kh8 Rxa8#");
    let (code, text, result) = answer(BOTH, &["--attacker", "black"]);
    assert_eq!((code, text.as_str()), (0, "helpmate in 0.5 (proved shortest)"));
    assert_eq!(fields(&result, FIELDS), json!(["solved", 0.5, true, null, false, true]));
    let white = run(&[BOTH, "-s", "h#", "--begins", "white", "--color", "never"]);
    assert!(white.out.starts_with("helpmate in 0.5 (proved shortest)\n1...Rxa8#"), "{white:?}");
    assert!(white.err.contains("Black is to move; in h#, White begins"), "{white:?}");
    let (code, text, result) = answer(LONG, &[]);
    assert_eq!((code, text.as_str()), (0, "helpmate in 6 (proved shortest)"));
    assert_eq!(fields(&result, FIELDS), json!(["solved", 6, true, 5, false, true]));
    assert_eq!(result["pv"].as_array().map(Vec::len), Some(12));
}

#[test]
fn a_mate_on_the_board_is_one_in_0_moves() {
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - -";
    let (code, text, result) = answer(mated, &[]);
    assert_eq!((code, text.as_str()), (0, "helpmate in 0: the side to move is checkmated"));
    assert_eq!(fields(&result, FIELDS), json!(["solved", 0, true, null, false, true]));
    assert_eq!(answer(mated, &["--attacker", "black"]).0, 1);
    assert_eq!(answer("7k/5Q2/6K1/8/8/8/8/8 b - -", &[]).1, "no helpmate of any length", "stalemate");
}

#[test]
fn with_first_any_line_will_do() {
    let (code, text, result) = answer("2kr4/1pp5/8/8/8/8/5PPP/3R2K1 w - -", &["--first"]);
    assert!(code == 0 && text.starts_with("helpmate in ≤ "), "{text}");
    assert_eq!(
        fields(&result, ["status", "proved_shortest", "no_mate_at_all", "verified"]),
        json!(["solved", false, false, true])
    );
    let moves = result["solved_in"].as_f64().expect("a number");
    assert_eq!(result["pv"].as_array().map(|pv| pv.len() as f64), Some(2.0 * moves));
}

#[test]
fn none_of_any_length_is_said_when_it_is_proved() {
    for side in ["white", "black"] {
        let (code, text, result) = answer(DEAD, &["--attacker", side]);
        assert_eq!((code, text.as_str()), (1, "no helpmate of any length"));
        assert_eq!(fields(&result, FIELDS), json!(["no_solution", null, false, null, true, false]));
    }
}

#[test]
fn a_limit_leaves_the_question_undecided() {
    // Locked bishops: nobody mates, but many positions can arise.
    let open = "k1b5/1p1p4/1P1P4/B7/8/2B5/8/K7 w - -";
    let (code, text, result) = answer(open, &["--nodes", "60000"]);
    assert!(code == 4 && text.starts_with("undecided: no helpmate found; none in "), "{text}");
    assert!(text.ends_with(" moves or fewer (node limit reached)"), "{text}");
    let refuted = result["refuted_through"].as_u64();
    assert!(refuted > Some(1), "{refuted:?}");
    assert_eq!(fields(&result, ["status", "solved_in", "no_mate_at_all"]), json!(["undecided", null, false]));
}

#[test]
fn a_batch_takes_it_from_the_line_or_the_option_and_verify_checks_it() {
    let lines =
        format!("{BOTH} stip \"h#\"; id \"a\";\n{BOTH} stip \"h#\"; attacker black; id \"b\";\n{DEAD} stip \"h#\";\n");
    let batch = run_with_input(&["batch", "-", "--format", "jsonl"], lines.clone());
    assert_eq!(batch.code, 5, "{}", batch.err);
    let found: Vec<Value> = batch.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let lengths: Vec<&Value> = found.iter().map(|object| &object["result"]["solved_in"]).collect();
    assert_eq!(lengths, [&json!(1), &json!(0.5), &json!(null)]);
    let verified = run_with_input(&["verify", "-"], batch.out.clone());
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    for (from, to) in [("\"solved_in\":0.5", "\"solved_in\":1.5"), ("\"attacker\":\"black\"", "\"attacker\":\"white\"")]
    {
        let forged = batch.out.replace(from, to);
        assert!(forged != batch.out && run_with_input(&["verify", "-"], forged).code == 6, "{to}");
    }
    let bare = format!("{BOTH}\n{DEAD}\n");
    let told = run_with_input(&["batch", "-", "-s", "h#", "--first", "--attacker", "black", "--color", "never"], bare);
    assert!(told.out.contains("helpmate in 0.5") && told.out.contains("no helpmate of any length"), "{}", told.out);
    let epd = run_with_input(&["batch", "-", "--format", "epd"], lines);
    assert!(epd.out.contains("helpmate in 0.5 (proved shortest)") && epd.out.contains("attacker black"), "{}", epd.out);
}

#[test]
fn a_report_lists_all_of_the_shortest_length() {
    let report = run(&["report", "8/8/8/8/8/2K5/7R/k7 b - -", "-s", "h#", "--color", "never", "-q"]);
    assert!(report.code == 1 && report.out.starts_with("h#2 cooked: "), "{report:?}");
    let one = run(&["report", BOTH, "-s", "h#", "--attacker", "black", "--format", "json"]);
    let object: Value = serde_json::from_str(&one.out).expect("JSON");
    assert_eq!(
        (one.code, &object["result"]["soundness"], &object["result"]["solved_in"]),
        (0, &"sound".into(), &json!(0.5))
    );
    let none = run(&["report", DEAD, "-s", "h#", "--color", "never", "-q"]);
    assert!(none.code == 1 && none.out.starts_with("no solution"), "{none:?}");
    let mated = run(&["report", "7k/6Q1/6K1/8/8/8/8/8 b - -", "-s", "h#", "--color", "never", "-q"]);
    assert!(mated.code == 0 && mated.out.starts_with("h#0 the side to move is checkmated"), "{mated:?}");
}

#[test]
fn what_does_not_fit_is_refused() {
    for (options, why) in [
        (&["--mate", "3"][..], "leave out --mate"),
        (&["--defend"], "leave out --defend"),
        (&["--set-play"], "leave out --set-play"),
        (&["--attacker", "black", "--begins", "white"], "cannot be used with"),
    ] {
        let refused = run(&[&[BOTH, "-s", "h#"], options].concat());
        assert!(refused.code == 2 && refused.err.contains(why), "{refused:?}");
    }
    let listed = run(&[BOTH, "-s", "h#2", "--first"]);
    assert!(listed.code == 2 && listed.err.contains("leave out --first"), "{listed:?}");
}

#[test]
fn direct_mates_and_selfmates_are_answered_at_once_where_nobody_can_help() {
    // Neither side gets past the pawns.
    let locked = "8/5k1B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N3b3 b - -";
    for (text, words) in [("#", "no mate at all"), ("s#", "no selfmate at all")] {
        let solved = run(&[locked, "-s", text, "--color", "never", "--nodes", "10"]);
        assert!(solved.code == 1 && solved.out.starts_with(words), "{solved:?}");
    }
}
