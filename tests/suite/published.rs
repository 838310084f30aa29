//! Tests the reader of published solutions: it finds keys, threats and variations, and it reads the output of
//! `output::popeye`.

use std::collections::BTreeSet;

use matesolve::Solver;
use matesolve::output::popeye;
use matesolve::problem::Problem;
use matesolve::published::{Printed, PrintedSolution, place, uci};
use matesolve::results::report::{Continuation, Next, PlayId, Ply, Report, ReportOptions};
use matesolve_engine::chess::Stipulation;
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
fn popeyes_layout_is_read() {
    let text = "\"      1...g7*h6\n          2.g6-g7 #\n\n   1.Rh1-g1 ? threat:\n          2.g6*h7\n              \
                2...Kh8*h7\n                  3.Rg1*g7 +\n    but\n      1...h7*g6 !\n\n   1.Rh1-h6 ! {a comment 1.x} \
                zugzwang.\n      1...Bg8-a2\n          2.Rh6*h7 #\n      1...g7*h6\n          2.g6-g7 #\n\"";
    let solution = PrintedSolution::read(text, &chess(PRINZ));
    // In the set play there is nothing on h6 for the pawn to capture.
    let [misprint] = &solution.misprints[..] else { panic!("{:?}", solution.misprints) };
    let at = place(text, misprint.at);
    assert_eq!((misprint.line.as_str(), misprint.word.as_str(), at.line, at.column), ("1...g7*h6", "g7*h6", 1, 12));
    let [set, attempt, key] = &solution.parts[..] else { panic!("{:?}", solution.parts) };
    check(set, None, false, &[]);
    check(attempt, Some("h1g1"), false, &[]);
    assert_eq!((&attempt.threats, &attempt.refutations), (&moves("g6h7"), &moves("h7g6")));
    check(key, Some("h1h6"), true, &[("g7h6", "g6g7"), ("g8a2", "h6h7")]);
    assert_eq!(solution.keys(), moves("h1h6"));
}

#[test]
fn brackets_bare_squares_and_pawns_are_read() {
    let text = "1.Rg1? hg! 1.Rh6! threat gh# (1...gh 2.g7# (2.gh) 1...Ba2/b3(c4 or d5) 2.Rxh7#)";
    let solution = PrintedSolution::read(text, &chess(PRINZ));
    let [attempt, key] = &solution.parts[..] else { panic!("{:?}", solution.parts) };
    assert_eq!((attempt.refutations.clone(), &key.threats), (moves("h7g6"), &moves("g6h7")));
    let all = [("g7h6", "g6g7 g6h7"), ("g8a2", "h6h7"), ("g8b3", "h6h7"), ("g8c4", "h6h7"), ("g8d5", "h6h7")];
    check(key, Some("h1h6"), true, &all);
    assert!(solution.misprints.is_empty(), "{:?}", solution.misprints);
}

#[test]
fn captures_in_brackets_and_moves_without_a_sign_between_them_are_read() {
    let rooks = chess("7k/p7/5R2/4N3/8/8/8/K4R2 w - -");
    let solution = PrintedSolution::read("1.Kb1! 1...a6 2.R1f5/Sg6R6f5 1...a5 2.S(:)c4", &rooks);
    assert!(solution.misprints.is_empty(), "{:?}", solution.misprints);
    check(&solution.parts[0], Some("a1b1"), true, &[("a7a5", "e5c4"), ("a7a6", "e5g6 f1f5 f6f5")]);
    // If one of two moves is not legal, the word is the misprint.
    let misprint = PrintedSolution::read("1.Kb1! 1...a6 2.Sg6R6f8R", &rooks).misprints;
    assert_eq!(misprint.len(), 1, "{misprint:?}");
    let both = PrintedSolution::read("1.Kb1! 1...a6 2.Sg6R6a5", &rooks).misprints;
    assert_eq!(both.iter().map(|it| it.word.as_str()).collect::<Vec<_>>(), ["Sg6R6a5"]);
}

#[test]
fn abbreviated_solutions_are_read() {
    let text = "1.Rg1? (2.gxh7)\nbut 1...hxg6!\n\n1.Rh6[A]! zz\n   1...Ba2/Bb3[b] 2.Rxh7#\n   1...gxh6 2.g7#";
    let solution = PrintedSolution::read(text, &chess(PRINZ));
    assert!(solution.misprints.is_empty(), "{:?}", solution.misprints);
    let [attempt, key] = &solution.parts[..] else { panic!("{:?}", solution.parts) };
    assert_eq!((&attempt.threats, &attempt.refutations), (&moves("g6h7"), &moves("h7g6")));
    check(key, Some("h1h6"), true, &[("g7h6", "g6g7"), ("g8a2", "h6h7"), ("g8b3", "h6h7")]);
}

#[test]
fn the_last_moves_of_selfmates_are_read() {
    let selfmate = chess("8/B7/RQ6/7k/8/8/6PP/3n2RK w - - 0 1");
    let read = |text: &str| PrintedSolution::read_for(text, &selfmate, None, true);
    for text in [
        "1.Qg6+! Kh4 2.Bf2+ S:f2#",
        "1.Qb6-g6 + !\n      1...Kh5-h4\n          2.Ba7-f2 +\n              2...Sd1*f2 #",
        "1. Qg6! 1. ... Kh4 2. Bf2+ 2. ... Nxf2#",
        "1. Qg6! 1. ... Kh4 2. Bf2+ ... Nxf2#",
    ] {
        let solution = read(text);
        assert!(solution.misprints.is_empty(), "{text}: {:?}", solution.misprints);
        check(&solution.parts[0], Some("b6g6"), true, &[("h5h4", "a7f2")]);
    }
    let wrong = read("1.Qg6+! Kh4 2.Bf2+ S:f3#");
    let lines: Vec<&str> = wrong.misprints.iter().map(|misprint| misprint.line.as_str()).collect();
    assert_eq!(lines, ["1...Kh4 2.Bf2 S:f3"]);
    // Of a direct mate, only the attacker's second moves are read.
    assert!(PrintedSolution::read("1.Qg6+! Kh4 2.Bf2+ S:f3#", &selfmate).misprints.is_empty());
}

#[test]
fn a_slash_can_be_a_promotion_and_letters_can_be_german() {
    let castling = chess("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    let slashed = PrintedSolution::read("1.b8/S! threat 2.Ra1xa8", &castling);
    assert_eq!(slashed.keys(), moves("b7b8n"));
    let german = PrintedSolution::read("1. Th6! [2. T:h7#]\n1... Lf7 2. gxf7 +", &chess(PRINZ));
    check(&german.parts[0], Some("h1h6"), true, &[("g8f7", "g6f7")]);
    assert_eq!(german.parts[0].threats, moves("h6h7"));
}

/// Writes reports in Popeye's layout, reads them again, and compares keys, tries with refutations, set play, threats
/// and variations.
#[test]
fn reports_in_popeyes_layout_can_be_read() {
    // Prinz 1951; Loyd 1869 ("Love Chase"); Mansfield 1921; Amelung, with a key en passant; Kubbel 1940, castling.
    for (fen, stipulation) in [
        (PRINZ, "#2"),
        ("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - 0 1", "#3"),
        ("8/BP1B4/1R1p2K1/3p1p2/2knnR2/2b2N2/N1P5/7Q w - - 0 1", "#2"),
        ("7R/7p/5P1k/4PKpP/8/8/8/8 w - g6 0 1", "#2"),
        ("6R1/8/2N1n1bN/1Bp1P3/2r2P1p/2p1Pk1p/Q6P/2B1K2R w K - 0 1", "#2"),
    ] {
        let problem = Problem::read(fen).unwrap().stipulated(Stipulation::parse(stipulation).unwrap());
        let options = ReportOptions::default().with(|options| (options.tries, options.set_play) = (Some(1), true));
        let report = Solver::new().report(&problem, options);
        assert!(!report.keys.is_empty(), "{fen}");
        let read = PrintedSolution::read(&popeye::full(&report), &chess(fen));
        assert!(read.misprints.is_empty(), "{fen} {:?}", read.misprints);
        assert_eq!(expected(&report), read.parts, "{fen}");
    }
}

/// Returns the parts of a report in the order of the output.
fn expected(report: &Report) -> Vec<Printed> {
    let part = |first: Option<&Ply>, key: bool, refutations: &[Ply], play: Option<PlayId>| {
        let play = play.map(|id| report.tree.play(id));
        let set = |continuations: &[Continuation]| continuations.iter().map(|c| uci(c.ply.mv)).collect();
        Printed {
            first: first.map(|ply| uci(ply.mv)),
            key,
            threats: play.map(|play| set(play.threats())).unwrap_or_default(),
            variations: play
                .iter()
                .flat_map(|play| &play.variations)
                .map(|variation| (uci(variation.defence.mv), set(&variation.continuations)))
                .collect(),
            refutations: refutations.iter().map(|ply| uci(ply.mv)).collect(),
        }
    };
    let id = |next: Next| if let Next::Play(id) = next { Some(id) } else { None };
    let mut parts: Vec<Printed> = report.set_play.iter().map(|set| part(None, false, &[], Some(set.play))).collect();
    parts.retain(|set| !set.variations.is_empty());
    for attempt in report.tries.iter().flatten() {
        parts.push(part(Some(&attempt.ply), false, &attempt.refutations, id(attempt.next)));
    }
    parts.extend(report.keys.iter().map(|key| part(Some(&key.ply), true, &[], id(key.next))));
    parts
}
