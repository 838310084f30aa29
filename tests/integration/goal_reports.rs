//! Reports on selfmates, reflex mates and stalemates in every format.
//!
//! Given a file with problems and what Popeye 4.104 printed for them (JSON Lines with the fields `fen`, `stipulation`
//! and `popeye`), the trees are compared:
//!
//! ```text
//! POPEYE_TREES=FILE cargo test --test integration goal_reports -- --ignored --nocapture
//! ```

use serde_json::Value;
use snapbox::{assert_data_eq, str};

use crate::popeye::tree;
use crate::schema::schema_accepts;
use crate::util::{PRINZ, Run, run, run_with_input};

/// A selfmate in three that a random search found.
const SELFMATE: &str = "8/1R6/7N/4Q3/3B3k/8/4b2p/7K w - -";
/// White can mate at once, which he must not have to in a reflex mate.
const MUST_MATE: &str = "7k/8/5KQ1/8/8/8/8/8 w - -";

fn report(arguments: &[&str]) -> Run {
    run(&[&["report"], arguments, &["--threads", "1"]].concat())
}

fn selfmate(arguments: &[&str]) -> String {
    report(&[&[SELFMATE, "-s", "s#3"], arguments].concat()).out
}

#[test]
fn the_text_ends_with_the_mates_of_the_defender() {
    assert_data_eq!(
        selfmate(&["--tries", "--set-play", "-q"]),
        str![[r#"
s#3 sound
White Kh1 Qe5 Rb7 Bd4 Nh6; Black Kh4 Be2 Ph2 (5+3, a meredith)

1. Qxh2+?
  but 1... Kg5!

1. Bf2+! (check)
  1... Kh3 2. Qf5+
    2... Bg4 3. Qf3+ Bxf3#

[..] nodes, [..]
C+ matesolve 0.1 (s#3, whole, set play, tries, [..])

"#]]
    );
}

#[test]
fn popeyes_layout_and_olv_entries_end_with_the_mates_of_the_defender() {
    assert_data_eq!(
        selfmate(&["--format", "popeye", "--tries"]),
        str![[r#"
   1.Qe5*h2 + ?
    but
      1...Kh4-g5 !

   1.Bd4-f2 + !
      1...Kh4-h3
          2.Qe5-f5 +
              2...Be2-g4
                  3.Qf5-f3 +
                      3...Bg4*f3 #

solution finished.

"#]]
    );
    let entry = selfmate(&["--format", "olv"]);
    assert!(entry.contains("stipulation: \"s#3\"\n") && entry.contains("3...Bg4*f3 #\n"), "{entry}");
    let again = run_with_input(&["report", "-", "--format", "popeye"], &entry).out;
    assert!(again.contains("3...Bg4*f3 #\n"), "{again}");
}

#[test]
fn a_diagram_before_the_key_is_not_taken_for_one_after_it() {
    for (fen, asked, expected) in [
        (
            SELFMATE,
            "s#-2",
            "whether Black forces a selfmate; but White forces it in 3: if the diagram stands before the key",
        ),
        ("7k/8/8/8/8/8/5K2/6Q1 w - -", "=-2", "with Black to move, White forces it in 2: write b for the side to move"),
    ] {
        let Run { err, .. } = report(&[fen, "-s", asked]);
        assert!(err.contains(expected), "{err}");
    }
}

#[test]
fn pages_and_diagrams_show_the_selfmate() {
    let page = selfmate(&["--format", "html"]);
    assert!(page.contains(r#""variations":[{"d":{"s":"Bxf3#","f":"g4","t":"f3"},"c":[]}]"#), "{page}");
    assert!(page.contains("<span>s#3</span>") && page.contains("Sound · Bf2+"), "{page}");
    let diagram = run(&["diagram", SELFMATE, "-s", "s#3"]).out;
    assert!(diagram.contains(">s#3</text>"), "{diagram}");
}

#[test]
fn the_objects_of_every_goal_match_the_schema() {
    let castling = "8/8/1Q6/8/krR5/bp3p1p/qr3PpP/R3K1n1 w Q -";
    for (arguments, code, expected) in [
        (vec![SELFMATE, "-s", "s#3", "--tries", "--set-play"], 0, ["solved", "sound"]),
        (vec![SELFMATE, "-s", "s#3", "--soundness"], 0, ["solved", "sound"]),
        (vec![SELFMATE, "-s", "s#3", "--nodes", "100"], 4, ["undecided", "undecided"]),
        (vec![SELFMATE, "-s", "s#4", "--soundness"], 1, ["solved", "short_solution"]),
        (vec![SELFMATE, "-s", "s=1"], 1, ["no_solution", "no_solution"]),
        (vec![SELFMATE, "-s", "s#"], 0, ["solved", "sound"]),
        (vec![castling, "-s", "s#1", "--tries=2", "--set-play"], 0, ["solved", "sound"]),
        (vec![castling, "-s", "semi-r#1"], 1, ["solved", "cooked"]),
        (vec![MUST_MATE, "-s", "r#2", "--tries"], 1, ["no_solution", "no_solution"]),
        (vec!["7k/8/8/6K1/8/8/8/5Q2 w - -", "-s", "=1"], 0, ["solved", "sound"]),
        (vec!["7k/8/8/6K1/8/8/8/5Q2 w - -", "-s", "=2", "--tries"], 1, ["solved", "short_solution"]),
        (vec!["8/1R6/7N/4Q3/7k/8/4bB1p/7K b - -", "-s", "s#-2"], 0, ["solved", "sound"]),
        (vec!["7k/5Q2/8/6K1/8/8/8/8 b - -", "-s", "=-1"], 1, ["solved", "short_solution"]),
    ] {
        let run = report(&[&arguments[..], &["--format", "jsonl"]].concat());
        let object: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        schema_accepts("report", &object);
        let result = &object["result"];
        assert_eq!([&result["status"], &result["soundness"]], expected, "{arguments:?}");
        assert_eq!((run.code, &result["mate_in"]), (code, &Value::Null), "{arguments:?}");
        assert_eq!(result["solved_in"].is_null(), expected[0] != "solved", "{arguments:?}");
        assert!(object["stipulation"]["goal"].is_string(), "{arguments:?}");
    }
}

#[test]
fn an_attacker_who_must_mate_has_no_solution() {
    let text = report(&[MUST_MATE, "-s", "r#2", "-q"]).out;
    assert!(text.starts_with("r#2 no solution: Qg7# mates at once\n"), "{text}");
    let popeye = report(&[MUST_MATE, "-s", "r#2", "--format", "popeye"]).out;
    assert_eq!(popeye, "   1.Qg6-g7 # ?!?\n\nsolution finished.\n");
    let must_stalemate = "7k/8/6q1/8/8/3Q4/8/K7 w - -";
    let text = report(&[must_stalemate, "-s", "r=2", "-q"]).out;
    assert!(text.starts_with("r=2 no solution: Qxg6 stalemates at once\n"), "{text}");
    let popeye = report(&[must_stalemate, "-s", "r=2", "--format", "popeye"]).out;
    assert_eq!(popeye, "   1.Qd3*g6 = ?!?\n\nsolution finished.\n");
}

/// The tree that Popeye prints for this problem, without threats.
#[test]
fn a_mate_that_is_too_early_is_no_exact_one() {
    let exact = "8/8/8/8/3R4/1K6/8/k7 w - -";
    let popeye = report(&[exact, "-s", "exact-#2", "--format", "popeye"]).out;
    assert!(popeye.starts_with("   1.Kb3-c2 ! threat:\n          2.Rd4-a4 #\n\n   1.Rd4-d2 !"), "{popeye}");
    assert!(popeye.matches(" !").count() == 11 && !popeye.contains("1.Rd4-d1"), "{popeye}");
    let input = "BeginProblem\nOption NoBoard Variation NoThreat\nStipulation exact-#2\nPieces White Kb3 Rd4 Black Ka1\nEndProblem\n";
    let run = run_with_input(&["popeye", "-"], input);
    assert!(run.out.contains("\n   1.Kb3-c2 !\n      1...Ka1-a2\n          2.Rd4-a4 #\n\n"), "{run:?}");
    let text = report(&[exact, "-s", "exact-#2", "-q"]).out;
    assert!(text.starts_with("exact-#2 cooked: 11 keys, "), "{text}");
    assert!(report(&[exact, "-s", "exact-#1", "-q"]).out.starts_with("exact-#1 sound\n"));
}

#[test]
fn a_stalemate_that_is_the_goal_has_its_sign() {
    let stalemate = ["7k/8/8/6K1/8/8/8/5Q2 w - -", "-s", "=1"];
    assert!(report(&stalemate).out.contains("\n1. Qf7=!"), "{}", report(&stalemate).out);
    let popeye = report(&[&stalemate[..], &["--format", "popeye"]].concat()).out;
    assert_eq!(popeye, "   1.Qf1-f7 = !\n\nsolution finished.\n");
}

#[test]
fn phases_may_have_goals_of_their_own() {
    let line = format!(
        r##"{{"fen":"{SELFMATE}","stipulation":"s#3","twins":{{"b":"Stipulation r#2","c":"Stipulation =1"}},"duplex":false}}"##
    );
    let run = run_with_input(&["report", "-", "--format", "jsonl"], format!("{line}\n"));
    let object: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let texts: Vec<&Value> =
        object["phases"].as_array().unwrap().iter().map(|phase| &phase["stipulation"]["text"]).collect();
    assert_eq!(texts, ["s#3", "r#2", "=1"]);
    let duplex = report(&[SELFMATE, "-s", "s#3", "--format", "jsonl"]);
    assert_eq!(duplex.code, 0);
}

#[test]
#[ignore = "needs POPEYE_TREES, a file with Popeye's outputs"]
fn trees_are_those_of_popeye() {
    let file = std::env::var("POPEYE_TREES").expect("POPEYE_TREES names a file");
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let (mut same, mut compared) = (0, 0);
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).expect("the file has JSON Lines");
        let [fen, stipulation] = ["fen", "stipulation"].map(|name| entry[name].as_str().unwrap_or_default());
        let Some(printed) = entry["popeye"].as_str().filter(|_| !stipulation.contains('h')) else { continue };
        compared += 1;
        // Popeye assumes castling rights.
        let ours = report(&[fen, "-s", stipulation, "--castling", "assume", "--format", "popeye", "-q"]).out;
        if tree(ours.trim_end_matches("solution finished.\n")).0 == tree(printed).0 {
            same += 1;
        } else {
            println!("{stipulation} {fen}\n{ours}");
        }
    }
    println!("{same} of {compared} trees are Popeye's");
    assert!(compared > 0 && same * 100 >= compared * 97, "{same} of {compared}");
}

#[test]
fn set_play_that_there_is_not_has_no_heading() {
    let heading = |fen: &str, asked| run(&["report", fen, "-s", asked, "--set-play"]).out.contains("\nset play");
    assert!(!heading("4k3/8/4K3/8/8/8/8/R6R b - -", "#2"));
    assert!(heading(PRINZ, "#2"));
}
