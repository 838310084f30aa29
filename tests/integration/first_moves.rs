//! First moves of selfmates and reflex mates through the program: after the move nothing is left to the attacker, and
//! yet the defender must still reach the goal.

use serde_json::Value;

use crate::util::{Run, batch_of, run, run_with_input};

/// Black plays 1...Qf8+ and White must mate. In a reflex mate Black must mate himself, by Qe8.
const SELFMATE: &str = "2K4k/5q1r/8/7N/8/5R2/8/2Q5 b - -";
/// The position after that move.
const AFTER: &str = "2K2q1k/7r/8/7N/8/5R2/8/2Q5 w - -";
/// A semi-reflex mate in one by three moves of Black.
const SEMI_REFLEX: &str = "1K5k/3Q2pp/8/8/8/5Q2/7N/8 b - -";

/// Returns the moves that solve, with their lengths.
fn solving(arguments: &[&str]) -> Vec<(String, u64)> {
    let Run { out, err, code } = run(&[arguments, &["--moves", "--format", "json"]].concat());
    assert_eq!(code, 0, "{arguments:?}: {err}");
    let object: Value = serde_json::from_str(&out).expect("JSON");
    let moves = object["moves"].as_array().unwrap().iter();
    moves.filter_map(|m| Some((m["san"].as_str()?.to_owned(), m["solved_in"].as_u64()?))).collect()
}

fn is_each(moves: &[&str], length: u64) -> Vec<(String, u64)> {
    moves.iter().map(|&m| (m.to_owned(), length)).collect()
}

#[test]
fn a_key_of_a_selfmate_in_one_is_found_among_the_first_moves() {
    for threads in ["1", "2"] {
        let solving = |stipulation| solving(&[SELFMATE, "-s", stipulation, "--threads", threads]);
        assert_eq!(solving("s#1"), is_each(&["Qf8+"], 1));
        assert_eq!(solving("s#2")[0], ("Qf8+".to_owned(), 1));
        assert_eq!(solving("semi-r#1"), is_each(&["Qa7", "Qf8+"], 1));
    }
    let text = run(&[SELFMATE, "-s", "s#1", "--moves"]);
    assert!(text.out.starts_with("selfmate in 1 (proved shortest): Qf8+\n"), "{}", text.out);
    let others = text.out.lines().find_map(|line| line.strip_prefix("none in 1: ")).expect("the others fail");
    assert!(text.code == 0 && others.split(' ').count() == 22, "{}", text.out);
    let lines = run(&[SELFMATE, "-s", "s#1", "--lines", "2"]);
    let words = "Qf8+    selfmate in 1 (proved shortest)  1... Qf8+ 2. Rxf8#\n23 other moves: no selfmate in 1\n";
    assert!(lines.code == 0 && lines.out.starts_with(words), "{}", lines.out);
}

#[test]
fn a_shorter_solution_contradicts_nothing_at_a_greater_length() {
    for stipulation in ["semi-r#1", "semi-r#2", "r#1", "r#2"] {
        let moves = solving(&[SEMI_REFLEX, "-s", stipulation]);
        assert_eq!(moves, is_each(&["g5", "g6", "Kg8"], 1), "{stipulation}");
    }
}

#[test]
fn the_defender_may_be_forced_with_no_move_left_to_the_attacker() {
    for (stipulation, code, words) in [
        ("s#-0", 0, "selfmate in 0: every move leads to it\n1. Rxf8#\n"),
        ("r#-0", 0, "reflex mate in 0: every move leads to it\n1. Rxf8#\n"),
        ("semi-r#-0", 0, "semi-reflex mate in 0: every move leads to it\n1. Rxf8#\n"),
        ("s#-1", 0, "selfmate in 0: every move leads to it\n1. Rxf8#\n"),
        ("s=-0", 1, "no self-stalemate in 0\n"),
    ] {
        for engine in ["race", "dfpn", "exhaustive"] {
            let answer = run(&[AFTER, "-s", stipulation, "--engine", engine]);
            assert!(answer.code == code && answer.out.starts_with(words), "{stipulation} {engine}: {}", answer.out);
        }
    }
    let refuted = run(&[AFTER, "-s", "s=-0", "--format", "json"]).out;
    assert!(refuted.contains("\"refuted_through\": 0"), "{refuted}");
    let open = run(&[AFTER, "-s", "s=-0", "--format", "json", "--nodes", "0"]);
    assert!(open.code == 4 && open.out.contains("\"refuted_through\": null"), "{}", open.out);
}

#[test]
fn no_first_move_solves_where_the_attacker_must_mate() {
    for stipulation in ["r#1", "r#2"] {
        let answer = run(&[SELFMATE, "-s", stipulation, "--moves"]);
        let is_one_group = answer.out.starts_with("no reflex mate at all: ") && answer.out.lines().count() == 2;
        assert!(answer.code == 1 && is_one_group, "{stipulation}: {}", answer.out);
        let why = run(&["report", SELFMATE, "-s", stipulation, "--why", "Qf8"]);
        let words = format!("{stipulation} no solution: Qe8# mates at once\n");
        assert!(why.code == 1 && why.out.starts_with(&words), "{}", why.out);
    }
}

#[test]
fn a_check_of_a_collection_knows_the_true_keys() {
    let lines = [(SEMI_REFLEX, "semi-r#1", "g6"), (SELFMATE, "s#1", "Qf8+"), (SELFMATE, "s#1", "Ra3")];
    let lines = lines.map(|(fen, stipulation, key)| format!("{fen} stip \"{stipulation}\"; bm {key};"));
    let (right, _) = batch_of(lines[..2].join("\n"), &["--check", "--format", "text"]);
    assert!(right.code == 0 && right.out.matches("[check: ok]").count() == 2, "{} {}", right.out, right.err);
    let (wrong, _) = batch_of(&lines[2], &["--check", "--format", "text"]);
    assert!(wrong.code == 6 && wrong.out.contains("[check: wrong move]"), "{} {}", wrong.out, wrong.err);
}

#[test]
fn a_key_that_ends_the_game_is_a_key() {
    const MATE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - -";
    for (fen, stipulation, m, code) in [
        (MATE, "#1", "Qg7", 0),
        (MATE, "#2", "Qg7", 0),
        (MATE, "#1", "Kh6", 1),
        (MATE, "=1", "Kh6", 0),
        (MATE, "=1", "Qg7", 1),
        (SELFMATE, "s#1", "Qf8", 0),
        (SELFMATE, "s#2", "Qf8", 0),
        (SELFMATE, "s#1", "Qf3", 1),
    ] {
        let asked = run(&["report", fen, "-s", stipulation, "--why", m]);
        let words = if code == 0 { " is a key: " } else { " is no key" };
        assert!(asked.code == code && asked.out.contains(words), "{stipulation} {m}: {} {}", asked.code, asked.out);
    }
}

#[test]
fn the_certificate_of_a_goal_that_stands_already_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stands.cert");
    let name = path.to_str().unwrap();
    for (fen, stipulation, stated) in [
        ("k7/1Q6/1K6/8/8/8/8/8 b - -", "s#2", "stipulation s#1\nclaim solved in 0\n"),
        ("k7/8/1QK5/8/8/8/8/8 b - -", "s=1", "stipulation s=1\nclaim solved in 0\n"),
        ("k7/1Q6/1K6/8/8/8/8/8 b - -", "#-1", "stipulation #-0\nclaim solved in 0\n"),
        (AFTER, "s#-0", "stipulation s#-0\nclaim solved in 0\n"),
        (SELFMATE, "s#1", "stipulation s#1\nclaim solved in 1\n"),
    ] {
        let solved = run(&[fen, "-s", stipulation, "--certificate", name, "-q"]);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text.contains(stated), "{stipulation}: {} {text}", solved.err);
        let verified = run_with_input(&["verify", "-"], &text);
        assert!(verified.code == 0 && verified.out.contains(" holds\n"), "{stipulation}: {} {text}", verified.err);
    }
}
