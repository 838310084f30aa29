//! What a report shows of a diagram or a first move that fails: its refutations, and the defences that are answered.

use serde_json::Value;

use crate::report::{object, report};
use crate::schema::schema_accepts;
use crate::util::{LOVE_CHASE, PRINZ};

#[test]
fn a_diagram_after_the_key_that_fails_shows_what_refutes_it() {
    let failing = "5Kbk/6pp/6P1/7R/8/8/8/8 b - -";
    let run = report(&[failing, "-s", "#2", "--post-key"]);
    assert!(run.out.contains("2. Rxh7#\n  but 1... h6!\n"), "{}", run.out);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let object = object(&[failing, "-s", "#2", "--post-key"]);
    assert_eq!(object["post_key_refutations"][0]["uci"], "h7h6");
    schema_accepts("report", &object);
    let popeye = report(&[failing, "-s", "#2", "--post-key", "--format", "popeye"]).out;
    assert!(popeye.contains("    but\n      1...h7-h6 !\n"), "{popeye}");
    let before_the_key = report(&[PRINZ, "-s", "#2", "--post-key"]);
    assert!(
        before_the_key.err.contains("White mates in 2: if the diagram stands before the key"),
        "{}",
        before_the_key.err
    );
    let wrong_side = report(&["5Kbk/6pp/6PR/8/8/8/8/8 w - -", "-s", "#2", "--post-key"]);
    assert!(wrong_side.err.contains("with Black to move, Black is mated in 1: write b"), "{}", wrong_side.err);
}

#[test]
fn a_key_that_fails_shows_every_defence_that_is_answered() {
    let diagram = "5Kbk/6pp/6P1/7R/8/8/8/8 b - -";
    for question in [&["-s", "#-2"][..], &["-s", "#3", "--post-key"]] {
        let run = report(&[&[diagram], question].concat());
        let play = "after the key\n  threat 2. Rh6 zugzwang\n    2... gxh6 3. g7#\n    2... Ba2, Bb3, Bc4, Bd5, Be6, Bf7 3. \
                    Rxh7#\n  1... Ba2, Bb3, Bc4, Bd5, Be6, Bf7 2. Rxh7#\n  but 1... h6!\n";
        assert!(run.out.contains(play), "{}", run.out);
        let object = object(&[&[diagram], question].concat());
        let count = |pointer: &str| object.pointer(pointer).and_then(Value::as_array).map(Vec::len);
        assert_eq!((count("/post_key/variations"), count("/post_key_refutations")), (Some(6), Some(1)));
        schema_accepts("report", &object);
        // The refutation is also named where the play is left out.
        let keys = report(&[&[diagram, "--depth", "1"], question].concat()).out;
        assert!(keys.contains("after the key\n  …\n  but 1... h6!\n"), "{keys}");
        let popeye = report(&[&[diagram, "--depth", "1", "--format", "popeye"], question].concat()).out;
        assert!(popeye.contains("   {cut}\n    but\n      1...h7-h6 !\n"), "{popeye}");
    }
    let none = report(&["4k3/8/8/8/8/8/8/4K2Q b - -", "-s", "#2", "--post-key"]).out;
    assert!(none.contains("after the key\n  no defence allows a mate in time\n"), "{none}");
}

#[test]
fn without_a_length_and_without_a_mate_every_first_move_is_refuted() {
    for (position, moves) in [("k7/8/1K6/8/8/8/8/8 w - -", 6), ("k7/8/1KN5/8/8/8/8/8 w - -", 13)] {
        let run = report(&[position, "-v"]);
        assert!(run.out.starts_with("no solution\nWhite "), "{}", run.out);
        assert!(!run.out.contains("not decided") && !run.err.contains("no mate in"), "{} {}", run.out, run.err);
        let object = object(&[position]);
        assert_eq!(object["first_moves"], serde_json::json!({"total": moves, "refuted": moves, "open": []}));
        assert_eq!((run.code, &object["result"]["complete"]), (1, &Value::from(true)));
    }
}

#[test]
fn a_named_first_move_is_refuted_or_a_key() {
    let why = |m: &str| report(&[PRINZ, "-s", "#2", "--why", m]);
    for m in ["Rh5", "h1h5"] {
        let refuted = why(m);
        assert_eq!((refuted.code, refuted.err.as_str()), (1, ""));
        assert!(refuted.out.starts_with("#2 1. Rh5 is no key: refuted by 1... h6\n"), "{}", refuted.out);
        for part in [
            "\n\nafter 1. Rh5\n",
            "\n  but 1... h6!\n    1... h6! 2. ",
            "\nmatesolve 0.1 (#2 after 1. Rh5, no key, whole, ",
        ] {
            assert!(refuted.out.contains(part), "{part}: {}", refuted.out);
        }
    }
    let key = why("Rh6");
    assert_eq!(key.code, 0);
    assert!(key.out.starts_with("#2 1. Rh6 is a key: mate in 2\n") && !key.out.contains("C+"), "{}", key.out);
    let object = object(&[PRINZ, "-s", "#2", "--why", "Rh5"]);
    let line = &object["why"]["lines"][0];
    assert_eq!(
        (&object["why"]["uci"], &line[0]["san"], line.as_array().unwrap().len()),
        (&"h1h5".into(), &"h6".into(), 3)
    );
    assert_eq!(object["post_key_refutations"][0]["san"], "h6");
    // Every move that `--why` calls a key is one in the report on all, and the others are not.
    let all = object_of_all();
    for m in ["Qf1", "Qb3", "Qd3", "Qxg4", "Kg2"] {
        let asked = report(&[LOVE_CHASE, "-s", "#3", "--why", m]);
        assert_eq!(asked.code, i32::from(!all.contains(&m.to_owned())), "{m}: {}", asked.out);
    }
    for (arguments, words) in [
        (&[PRINZ, "-s", "#2", "--why", "Ra9"][..], "is no legal move here"),
        (&[PRINZ, "--why", "Rh5"], "needs a length; add one"),
    ] {
        let refused = report(arguments);
        assert!(refused.code == 2 && refused.err.contains(words), "{}", refused.err);
    }
}

/// Returns the keys of the report on all first moves.
fn object_of_all() -> Vec<String> {
    let all = object(&[LOVE_CHASE, "-s", "#3"]);
    all["keys"].as_array().unwrap().iter().map(|key| key["san"].as_str().unwrap().to_owned()).collect()
}
