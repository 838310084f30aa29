//! The reader of printed solutions, with which `benches/compositions` compares: what it takes for a key, a threat, a
//! variation; and that it reads what `output::popeye` writes.

#[path = "../benches/compositions/printed.rs"]
mod printed;

use std::collections::BTreeSet;

use printed::{Printed, Solution, find, uci};
use shakmaty::{CastlingMode, Chess, fen::Fen};

const PRINZ: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}

fn moves(list: &str) -> BTreeSet<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

fn check(part: &Printed, first: Option<&str>, key: bool, variations: &[(&str, &str)]) {
    assert_eq!((part.first.as_deref(), part.key), (first, key));
    let found: Vec<(&str, BTreeSet<String>)> =
        part.variations.iter().map(|(defence, moves)| (defence.as_str(), moves.clone())).collect();
    let expected: Vec<(&str, BTreeSet<String>)> =
        variations.iter().map(|(defence, list)| (*defence, moves(list))).collect();
    assert_eq!(found, expected);
}

#[test]
fn popeyes_layout() {
    let text = "\"      1...g7*h6\n          2.g6-g7 #\n\n   1.Rh1-g1 ? threat:\n          2.g6*h7\n              \
                2...Kh8*h7\n                  3.Rg1*g7 +\n    but\n      1...h7*g6 !\n\n   1.Rh1-h6 ! {a comment 1.x} \
                zugzwang.\n      1...Bg8-a2\n          2.Rh6*h7 #\n      1...g7*h6\n          2.g6-g7 #\n\"";
    let solution = Solution::read(text, &chess(PRINZ));
    // In the set play the pawn has nothing to take on h6.
    assert_eq!(solution.misprints, ["1...g7*h6"]);
    let [set, attempt, key] = &solution.parts[..] else { panic!("{:?}", solution.parts) };
    check(set, None, false, &[]);
    check(attempt, Some("h1g1"), false, &[]);
    assert_eq!((&attempt.threats, &attempt.refutations), (&moves("g6h7"), &moves("h7g6")));
    check(key, Some("h1h6"), true, &[("g7h6", "g6g7"), ("g8a2", "h6h7")]);
    assert_eq!(solution.keys(), moves("h1h6"));
}

#[test]
fn shorthand() {
    let text = "1.Rg1? (2.gxh7)\nbut 1...hxg6!\n\n1.Rh6[A]! zz\n   1...Ba2/Bb3[b] 2.Rxh7#\n   1...gxh6 2.g7#";
    let solution = Solution::read(text, &chess(PRINZ));
    assert!(solution.misprints.is_empty(), "{:?}", solution.misprints);
    let [attempt, key] = &solution.parts[..] else { panic!("{:?}", solution.parts) };
    assert_eq!((&attempt.threats, &attempt.refutations), (&moves("g6h7"), &moves("h7g6")));
    check(key, Some("h1h6"), true, &[("g7h6", "g6g7"), ("g8a2", "h6h7"), ("g8b3", "h6h7")]);
}

#[test]
fn moves_in_every_notation() {
    let castling = chess("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    for (text, expected) in [
        ("0-0-0", "e1c1"),
        ("O-O", "e1g1"),
        ("e5*d6 ep.", "e5d6"),
        ("exd6", "e5d6"),
        ("b7*a8=S", "b7a8n"),
        ("bxa8Q", "b7a8q"),
        ("b8=R+", "b7b8r"),
        ("Ra1:a8", "a1a8"),
        ("Ke1-e2!", "e1e2"),
    ] {
        assert_eq!(find(&castling, text).map(uci).as_deref(), Some(expected), "{text}");
    }
    for text in ["", "Qd4", "Rd8", "b7b8", "e9", "é", "0-0-0-0", "Rab1c"] {
        assert_eq!(find(&castling, text), None, "{text}");
    }
    let slashed = Solution::read("1.b8/S! threat 2.Ra1xa8", &castling);
    assert_eq!(slashed.keys(), moves("b7b8n"));
}
