//! Positions as people paste them, in the commands that take one position; and words that are no position.

use crate::util::{PRINZ, Run, matesolve, run, run_with_input};

/// Scholar's mate; before its last move White mates in one.
const GAME: &str = "[Event \"?\"]\n\n1. e4 e5 2. Qh5 {a threat} Nc6 (2... g6) 3. Bc4 Nf6?? 4. Qxf7# 1-0\n";

fn assert_mate_in_two(text: &str, run: &Run) {
    assert!(run.out.starts_with("mate in 2 (proved shortest)\n1. Rh6 "), "{text}: {}{}", run.out, run.err);
}

#[test]
fn a_position_is_read_in_every_form() {
    let query = PRINZ.replace('/', "%2F").replace(' ', "+");
    let underscores = PRINZ.replace(' ', "_");
    for text in [
        format!("\"{PRINZ}\""),
        format!("'{PRINZ} 0 1',"),
        format!("[FEN \"{PRINZ} 0 1\"]"),
        format!("position fen {PRINZ} 0 1"),
        format!("fen: {PRINZ}"),
        "5Kbk/6pp/6P1/8/8/8/8/7R w".to_owned(),
        underscores.clone(),
        format!("https://lichess.org/analysis/{underscores}_0_1"),
        format!("https://lichess.org/analysis/standard/{underscores}"),
        format!("lichess.org/editor/{underscores}?color=white"),
        format!("https://www.chess.com/analysis?fen={query}&tab=analysis"),
    ] {
        assert_mate_in_two(&text, &run(&[&text]));
        assert_mate_in_two(&text, &run_with_input(&["-"], &text));
    }
    assert!(run(&["startpos", "--mate", "1"]).out.starts_with("no mate in 1\n"));
    let fools = run(&["position", "startpos", "moves", "f2f3", "e7e5", "g2g4"]);
    assert!(fools.out.starts_with("mate in 1 (proved shortest)\n2... Qh4#"), "{}", fools.out);
}

#[test]
fn a_game_gives_its_last_position_or_the_one_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.pgn"), GAME).unwrap();
    let with_file =
        |arguments: &[&str]| -> Run { matesolve().args(arguments).current_dir(folder.path()).output().unwrap().into() };
    assert!(run_with_input(&["-"], GAME).out.starts_with("mated in 0"));
    assert!(with_file(&["game.pgn"]).out.starts_with("mated in 0"));
    for mate in
        [run(&[GAME, "--ply", "6"]), run_with_input(&["-", "--ply", "6"], GAME), with_file(&["game.pgn", "--ply", "6"])]
    {
        assert!(mate.out.starts_with("mate in 1 (proved shortest)\n4. Qxf7#"), "{}{}", mate.out, mate.err);
    }
    let report = with_file(&["report", "game.pgn", "--ply", "6"]);
    assert!(report.out.contains("Qxf7#!"), "{}{}", report.out, report.err);
    let diagram = run_with_input(&["diagram", "-", "--ply", "5"], GAME);
    assert!(diagram.out.contains(">Black to move<"), "{}", diagram.err);
    let late = run(&[GAME, "--ply", "9"]);
    assert_eq!((late.code, late.err.as_str()), (3, "matesolve: the game has 7 half-moves; --ply 9 is after its end\n"));
    let wrong = run(&["1. e4 e5 2. Ke3"]);
    assert!(wrong.err.contains("half-move 3, \"Ke3\", is not legal there"), "{}", wrong.err);
}

/// A word of a game that is left out gives another position, so each is read or refused.
#[test]
fn no_word_of_a_game_is_left_out() {
    let solved = |game: &str| run(&[game, "--nodes", "20000"]);
    // Four half-moves mate; White is mated already.
    let mated = solved("1. f3 e5 2. g4 Dh4#");
    assert!(mated.out.contains("mated in 0") && mated.out.contains("position: rnb1kbnr/"), "{mated:?}");
    let german = solved("1. e4 e5 2. Lc4 Sc6 3. Dh5 Sf6");
    assert!(german.out.contains("mate in 1") && german.out.contains("\n4. Qxf7#"), "{german:?}");
    for same in ["1. e4 e5 2. ♗c4 ♞c6 3. ♕h5 ♞f6", "1. e2-e4 e7-e5 2. Bf1-c4 Nb8-c6 3. Qd1-h5 Ng8-f6"] {
        let line = |run: &Run| run.out.lines().take(3).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(line(&solved(same)), line(&german), "{same}");
    }
    let reply = solved("1. f3 e5 2. g4");
    assert!(reply.out.contains("\n2... Qh4#"), "{reply:?}");
    for (game, why) in [
        ("1. f3 e5 2. g4 Xh4#", "half-move 4, \"Xh4#\", is not a move"),
        ("1. e4 e5 2. Nf3 OO", "half-move 4, \"OO\", is not legal there"),
        ("1. e4 (1. d4 e5 2. Qh5", "is not closed"),
    ] {
        let refused = run(&[game]);
        assert!(refused.code == 3 && refused.err.contains(why) && refused.out.is_empty(), "{refused:?}");
    }
    let games = "[Event \"x\"]\n\n1. e4 e5 2. Bc4 foo *\n\n[Event \"y\"]\n\n1. f3 e5 2. g4 *\n";
    let batch = run_with_input(&["batch", "-", "--nodes", "1000"], games);
    assert!(batch.out.contains("y mate in 1 (proved shortest)  2... Qh4#"), "{batch:?}");
    assert!(batch.err.contains("standard input:1: half-move 4, \"foo\", is not a move"), "{batch:?}");
}

#[test]
fn reports_diagrams_and_certificates_read_the_same_forms() {
    let address = format!("https://lichess.org/analysis/{}", PRINZ.replace(' ', "_"));
    let report = run(&["report", &address, "-s", "#2"]);
    assert!(report.out.starts_with("#2 sound\n"), "{}{}", report.out, report.err);
    assert!(run(&["diagram", &address]).out.starts_with("<svg"));
    let file = tempfile::NamedTempFile::new().unwrap();
    let written = run(&[&address, "--certificate", file.path().to_str().unwrap()]);
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(std::fs::read_to_string(file.path()).unwrap().contains("claim solved in 2\n"));
    // Without a castling field castling is assumed in a report, also if the position is pasted in quotes.
    let castling = run(&["report", "\"nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w\"", "-s", "#2", "-q"]);
    assert!(castling.out.contains("O-O!"), "{}", castling.out);
}

#[test]
fn files_and_mistyped_commands_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("problems.epd"), PRINZ).unwrap();
    let refused = |arguments: &[&str], message: &str| {
        let Run { code, out, err } = matesolve().args(arguments).current_dir(folder.path()).output().unwrap().into();
        assert_eq!((code, out.as_str(), err), (2, "", format!("matesolve: {message}\n")), "{arguments:?}");
    };
    let batch = "problems.epd is a file, and this command takes one position; give one of its lines, in quotes \
                 (`matesolve batch problems.epd` solves every problem in it)";
    refused(&["problems.epd"], batch);
    refused(&["."], ". is a folder; give a position, or name the files in it");
    refused(&["problem.epd"], "there is no file problem.epd");
    for words in [&["reprot"][..], &["reprot", PRINZ, "-s", "#2", "--tries"]] {
        refused(words, "there is no command `reprot`; did you mean `matesolve report`?");
    }
    let several = run_with_input(&["-"], format!("{PRINZ}\n{PRINZ}\n"));
    assert!(several.err.contains("use `matesolve batch -`"), "{}", several.err);
}

#[test]
fn texts_without_a_position_are_named() {
    for (text, message) in [
        ("hello", "\"hello\" is not a position; a FEN is expected"),
        ("https://lichess.org/abcdefgh", "the address https://lichess.org/abcdefgh holds no position"),
        ("https://lichess.org/analysis/atomic/8/8/8/8/8/8/8/8_w", "a position of atomic; matesolve solves orthodox"),
        ("5Kbk/6pp/6P1/8/8/8/8/7R w - - abc def", "\"abc def\" follows the position"),
    ] {
        let Run { code, err, .. } = run(&[text]);
        assert!(code == 3 && err.contains(message), "{text}: {code} {err}");
    }
}
