//! `matesolve economy`, `mend`, `twins` and `retract`, through the real binary.

use serde_json::Value;

use crate::schema::schema_accepts;
use crate::util::{PRINZ, run};

const SOUND: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
/// The same without the pawn on g6.
const UNSOUND: &str = "5Kbk/6pp/8/8/8/8/8/7R w - -";

fn object(arguments: &[&str]) -> Value {
    let run = run(arguments);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

/// Returns the keys and the verdict that a report of its own gives.
fn report(fen: &str, asked: &str) -> (String, Vec<String>) {
    let report = object(&["report", fen, "-s", asked, "--soundness", "--format", "json"]);
    let keys = report["keys"].as_array().unwrap().iter().map(|key| key["uci"].as_str().unwrap().to_owned());
    (report["result"]["soundness"].as_str().unwrap().to_owned(), keys.collect())
}

#[test]
fn mend_puts_the_missing_man_back_and_a_report_agrees() {
    let out = run(&["mend", UNSOUND, "-s", "#2", "--key", "Rh6", "--format", "jsonl"]);
    assert_eq!(out.code, 0, "{}", out.err);
    let lines: Vec<Value> = out.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0]["fen"].as_str().unwrap().starts_with("5Kbk/6pp/6P1/8/8/8/8/7R"), "{}", lines[0]);
    for line in &lines {
        schema_accepts("proposal", line);
        let keys = vec![line["keys"][0]["uci"].as_str().unwrap().to_owned()];
        assert_eq!(report(line["fen"].as_str().unwrap(), "#2"), ("sound".to_owned(), keys), "{line}");
    }
}

#[test]
fn one_thread_gives_the_same_answer_twice_and_several_the_same_list() {
    let answer = |threads| run(&["mend", UNSOUND, "-s", "#2", "--format", "jsonl", "--threads", threads]).out;
    let one = answer("1");
    assert!(!one.is_empty());
    assert_eq!((answer("1"), answer("3")), (one.clone(), one));
}

#[test]
fn twins_are_sound_with_another_key_and_report_reads_their_changes() {
    let answer = object(&["twins", SOUND, "-s", "#2", "--format", "json"]);
    schema_accepts("proposal", &answer);
    let proposals = answer["proposals"].as_array().unwrap();
    assert!(proposals.len() >= 5, "{answer}");
    for proposal in proposals {
        let (verdict, keys) = report(proposal["fen"].as_str().unwrap(), "#2");
        assert_eq!(verdict, "sound", "{proposal}");
        assert_ne!(keys, ["h1h6"], "{proposal}");
        let change = proposal["changes"][0].as_str().unwrap();
        let twin = object(&["report", SOUND, "-s", "#2", "--twin", change, "--soundness", "--format", "json"]);
        let phase = &twin["phases"][1];
        assert_eq!(phase["keys"][0]["uci"].as_str(), Some(keys[0].as_str()), "{change}: {twin}");
    }
}

#[test]
fn economy_says_what_a_report_says_without_the_man() {
    // The pawn on a3 does nothing.
    let fen = "5Kbk/6pp/6P1/8/8/P7/8/7R w - -";
    let answer = object(&["economy", fen, "-s", "#2", "--format", "json"]);
    schema_accepts("proposal", &answer);
    let verdicts: Vec<(&str, &str)> = answer["men"]
        .as_array()
        .unwrap()
        .iter()
        .map(|man| (man["man"].as_str().unwrap(), man["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(verdicts[0], ("wPa3", "superfluous"));
    assert!(
        verdicts[1..].iter().all(|(_, verdict)| *verdict != "superfluous" && *verdict != "undecided"),
        "{verdicts:?}"
    );
    for proposal in answer["proposals"].as_array().unwrap() {
        let keys = vec!["h1h6".to_owned()];
        assert_eq!(report(proposal["fen"].as_str().unwrap(), "#2"), ("sound".to_owned(), keys), "{proposal}");
    }
}

/// Returns the verdicts of `economy` about the men, with the moves that show them.
fn needs(fen: &str, more: &[&str]) -> Vec<(String, String, Vec<String>)> {
    let answer = object(&[&["economy", fen, "-s", "#2", "--format", "json"], more].concat());
    schema_accepts("proposal", &answer);
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let men = answer["men"].as_array().unwrap().iter();
    men.map(|man| {
        let moves = man["moves"].as_array().unwrap().iter().map(|ply| word(&ply["san"])).collect();
        (word(&man["man"]), word(&man["verdict"]), moves)
    })
    .collect()
}

#[test]
fn what_must_stay_is_kept() {
    // Smoke-016: set play 1... Kg4 2. Nf2#, the tries Nf2+? Kxg2! and Nf4+? Kg4!, and eight men that the key can spare.
    let fen = "8/1Q1p4/7P/P3Q2r/1K2N3/5NNk/6N1/7r w - -";
    let lost = |more: &[&str]| {
        let all = needs(fen, more);
        let word = ["set play", "try", "variation"];
        all.into_iter().filter(|(_, verdict, _)| word.contains(&verdict.as_str())).collect::<Vec<_>>()
    };
    let need = |man: &str, verdict: &str, moves: &[&str]| {
        (man.to_owned(), verdict.to_owned(), moves.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(lost(&[]), []);
    let of_set_play = [
        need("bRh1", "set play", &["Kg4", "Nf2#", "Qxh5#"]),
        need("bRh5", "set play", &["Kg4", "Nf2#", "Qf5#"]),
        need("wQb7", "set play", &["Kg4"]),
    ];
    assert_eq!(lost(&["--keep", "set-play"]), of_set_play);
    let of_tries = [need("wSg2", "try", &["Nf4+"]), need("wSf3", "try", &["Nf2+", "Kh2"])];
    assert_eq!(lost(&["--keep", "try"]), of_tries);
    assert_eq!(lost(&["--try", "Nf2+"]), of_tries[1..]);
    // Loyd's Organ Pipes: a variation disappears with the man that defends.
    let pipes = "2brrb2/8/p7/7Q/1p1kpPp1/1P1pN1K1/3P4/8 w - -";
    let verdict = |more: &[&str]| needs(pipes, more).into_iter().find(|(man, ..)| man == "bBc8").unwrap();
    assert_eq!(verdict(&["--keep", "variations"]).1, "variation");
    assert_ne!(verdict(&[]).1, "variation");
    // Baird, Field 1900, #3: without the pawn on b3 there is a dual at the third move.
    let third = "4B3/N1p5/b1P5/p1k1P3/Q7/1p1PN3/1P5K/8 w - -";
    let out = run(&["economy", third, "-s", "#3", "--keep", "variations"]).out;
    assert!(out.contains("bPb3   needed: after 1... Bb5 2. Qxb5+ Kd4 now Nc2#, Nf5#\n"), "{out}");
    let answer = object(&["economy", third, "-s", "#3", "--keep", "variations", "--format", "json"]);
    schema_accepts("proposal", &answer);
    let man = answer["men"].as_array().unwrap().iter().find(|man| man["square"] == "b3").unwrap();
    assert_eq!((&man["line"][0]["san"], &man["line"][1]["san"]), (&"Bb5".into(), &"Qxb5+".into()), "{man}");
}

#[test]
fn retract_takes_the_key_back_and_a_report_agrees() {
    let answer =
        object(&["retract", "5Kbk/6pp/6PR/8/8/8/8/8 b - -", "-s", "#2", "--format", "json", "--proposals", "500"]);
    schema_accepts("proposal", &answer);
    let proposals = answer["proposals"].as_array().unwrap();
    assert!(
        proposals.iter().any(|it| it["fen"].as_str().unwrap().starts_with("5Kbk/6pp/6P1/8/8/8/8/7R w")),
        "{answer}"
    );
    let mut sound_so_far = true;
    for proposal in proposals {
        assert_eq!(proposal["kept"]["key"], true, "{proposal}");
        let keys: Vec<String> =
            proposal["keys"].as_array().unwrap().iter().map(|key| key["uci"].as_str().unwrap().to_owned()).collect();
        let (verdict, found) = report(proposal["fen"].as_str().unwrap(), "#2");
        assert_eq!(found, keys, "{proposal}");
        assert!(verdict != "sound" || sound_so_far, "sound diagrams come first: {proposal}");
        sound_so_far &= verdict == "sound";
    }
}

#[test]
fn the_other_formats_are_read_again() {
    let of = |format| run(&["twins", SOUND, "-s", "#2", "--proposals", "2", "--format", format]);
    let folder = tempfile::tempdir().unwrap();
    for (format, name) in [("epd", "twins.epd"), ("olv", "twins.olv")] {
        let path = folder.path().join(name);
        std::fs::write(&path, of(format).out).unwrap();
        let again = run(&["report", path.to_str().unwrap(), "--soundness"]);
        assert_eq!(again.code, 0, "{format}: {}{}", again.out, again.err);
        assert_eq!(again.out.matches("sound").count(), again.out.matches("ound").count(), "{}", again.out);
    }
    let page = of("html").out;
    assert_eq!(page.matches("<article").count(), 2);
}

#[test]
fn other_questions_are_refused_with_a_sentence() {
    for (arguments, code, sentence) in [
        (&["mend", SOUND, "-s", "#2"][..], 0, "the diagram is sound; there is nothing to mend"),
        (&["mend", UNSOUND, "-s", "h#2"], 2, "the workbench does not know h#2"),
        (&["mend", UNSOUND, "-s", "#2", "--changes", "3"], 2, "3 changes at once would never end"),
        (&["mend", UNSOUND, "-s", "#2", "--key", "Qa1"], 2, "--key \"Qa1\" is no legal move here"),
        (&["mend", UNSOUND], 2, "the question needs a length"),
        (&["mend", UNSOUND, "-s", "#2", "--keep", "set-play"], 2, "the diagram has no set play that could stay"),
        (&["mend", UNSOUND, "-s", "#2", "--keep", "try"], 2, "no first move of the diagram is refuted by one defence"),
        (&["economy", SOUND, "-s", "#2", "--try", "Ra1"], 2, "--try \"Ra1\" is no try of the diagram"),
        (&["twins", UNSOUND, "-s", "#2"], 1, "the diagram is not sound"),
        (&["economy", UNSOUND, "-s", "#2"], 1, "the diagram is not sound"),
        (&["retract", "7k/8/8/8/8/8/8/K6R b - -", "-s", "#2"], 1, "the position is not one after the key of a #2"),
        (&["economy", "8/8/8/8/8/8/8/K7 w - -", "-s", "#2"], 3, "king"),
    ] {
        let answer = run(arguments);
        assert!(answer.code == code && answer.err.contains(sentence), "{arguments:?}: {} {}", answer.code, answer.err);
        assert_eq!(answer.out, "", "{arguments:?}");
    }
}

#[test]
fn economy_says_how_the_key_fails() {
    // Without the rook the key does not check, and Black has no move.
    let out = run(&["economy", "7k/5K2/6p1/7P/8/8/8/7R w - -", "-s", "#1"]).out;
    for words in
        ["wRh1   needed: without it the key stalemates\n", "bPg6   needed: without it the key cannot be played\n"]
    {
        assert!(out.contains(words), "{words}: {out}");
    }
    // Without the bishop Black can mate by Qe8, and must.
    let reflex = run(&["economy", "2K1b2k/p4q1r/8/7N/8/5R2/8/2Q5 b - -", "-s", "r#1"]).out;
    assert!(reflex.contains("bBe8   needed: without it Qe8# must be played\n"), "{reflex}");
    assert!(!reflex.contains("not decided"), "{reflex}");
}

#[test]
fn a_defence_that_reaches_the_goal_is_a_variation_that_can_stay() {
    // The only reply mates; the black pawn does nothing.
    for (fen, stipulation, idle) in
        [("2K4k/5q1r/8/p6N/8/5R2/8/2Q5 b - -", "s#1", "bPa5"), ("3r4/p7/8/8/P7/7k/8/7K w - -", "r#1", "bPa7")]
    {
        let out = run(&["economy", fen, "-s", stipulation, "--keep", "variations"]).out;
        assert!(out.contains(&format!("{idle}   superfluous\n")) && out.contains("1 of 1 variations kept"), "{out}");
        assert!(!out.contains("0 of 1 variations kept"), "{out}");
    }
}

#[test]
fn selfmates_are_mended_too() {
    let fen = "8/1R6/7N/4Q3/3B3k/8/4b2p/7K w - -";
    let answer = object(&["economy", fen, "-s", "s#3", "--format", "json", "--nodes", "3M"]);
    assert!(answer["men"].as_array().is_some_and(|men| !men.is_empty()), "{answer}");
}

#[test]
fn mend_counts_what_it_leaves_out_and_says_which_men_are_promoted() {
    // Three white knights: one is promoted, and so it stays unless more of them may be.
    let fen = "5Kbk/6pp/8/8/8/N7/N7/N6R w - -";
    let mended = |more: &[&str]| {
        run(&[&["mend", fen, "-s", "#2", "--changes", "1", "--threads", "1", "--proposals", "3", "-q"], more].concat())
    };
    let text = mended(&[]).out;
    assert!(text.contains("\nleft out: ") && text.contains(" with more promoted men"), "{text}");
    assert!(text.contains("in the given diagram must be promoted: White 1 of Sa1 Sa2 Sa3\n"), "{text}");
    let json: Value = serde_json::from_str(&mended(&["--format", "json"]).out).unwrap();
    assert!(json["left_out"]["promoted"].as_u64() > Some(0), "{json}");
    schema_accepts("proposal", &json);
    let promoted: Value = serde_json::from_str(&mended(&["--format", "json", "--promoted"]).out).unwrap();
    assert_eq!(promoted["left_out"]["promoted"], 0);
    let report = run(&["report", fen, "-s", "#2", "-q"]).out;
    assert!(report.contains("\nmust be promoted: White 1 of Na1 Na2 Na3\n"), "{report}");
    let json = |fen: &str| -> Value {
        let json = serde_json::from_str(&run(&["report", fen, "-s", "#2", "--format", "json"]).out).unwrap();
        schema_accepts("report", &json);
        json
    };
    let men = serde_json::json!([{"side": "white", "at_least": 1, "of": ["Sa1", "Sa2", "Sa3"]}]);
    assert_eq!(json(fen)["position"]["promoted"], men);
    assert_eq!(json(crate::util::PRINZ)["position"]["promoted"], serde_json::json!([]));
    assert!(!run(&["report", crate::util::PRINZ, "-s", "#2"]).out.contains("promoted"));
}

#[test]
fn mend_keeps_the_key_that_the_line_names() {
    let mended = |line: &str, more: &[&str]| {
        run(&[&["mend", line, "-s", "#2", "--changes", "1", "--threads", "1"], more].concat()).out
    };
    let fen = "5Kbk/6pp/8/8/8/8/8/7R w - -";
    let named = mended(&format!("{fen} bm Rh6;"), &[]);
    assert!(named.starts_with("1. +wPg6   1. Rh6! (the same key"), "{named}");
    assert_eq!(named, mended(fen, &["--key", "Rh6"]));
    assert_ne!(named, mended(fen, &[]), "without a key any move that solves counts");
    assert_eq!(mended(&format!("{fen} bm Rg1;"), &["--key", "Rh6"]), named, "the option comes first");
}

#[test]
fn a_question_that_is_not_answered_says_so_in_json() {
    for (command, fen, why, code) in [
        ("mend", PRINZ, "the diagram is sound; there is nothing to mend", 0),
        ("twins", "7k/5Q2/6K1/8/8/8/8/8 w - -", "the diagram is not sound", 1),
    ] {
        let run = run(&[command, fen, "-s", "#2", "--format", "json"]);
        let object: Value = serde_json::from_str(&run.out).expect("JSON");
        let refused = object["refused"].as_str().expect("a sentence");
        assert!(refused.starts_with(why) && run.code == code && run.err.contains(refused), "{command}: {run:?}");
        schema_accepts("proposal", &object);
    }
}
