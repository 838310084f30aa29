//! Runs every command of `docs/recipes.md`, in their order, in one folder with the files that they name.

use std::process::Stdio;

use crate::readme::{read, root};
use crate::util::PRINZ;

/// The same problem after the key.
const AFTER: &str = "5Kbk/6pp/6PR/8/8/8/8/8 b - -";

/// The files that the reader has.
const FILES: [(&str, &str); 6] = [
    ("game.pgn", "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 *\n"),
    ("problems.epd", "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; id \"Prinz\";\n7k/5Q2/6K1/8/8/8/8/8 w - - dm 1;\n"),
    (
        "dfpn.jsonl",
        "{\"id\": \"Prinz\", \"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\", \"mate\": 2}\n\
         {\"fen\": \"7k/5Q2/6K1/8/8/8/8/8 w - -\", \"mate\": 1}\n",
    ),
    (
        "collection.olv",
        "---\nauthors: [Prinz]\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}\nstipulation: \"#2\"\n\
         solution: |\n  1.Rh6!\n",
    ),
    ("problem.inp", "BeginProblem\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStipulation #2\nEndProblem\n"),
    ("puzzles.csv", "PuzzleId,FEN,Moves,Themes\n1,5K1k/6pp/4b1P1/8/8/8/8/7R b - - 0 1,e6g8 h1h6 g7h6 g6g7,mateIn3\n"),
];

#[cfg(unix)]
#[test]
fn every_recipe_gives_what_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let page = read(&root().join("docs/recipes.md"));
    let recipes = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let code = |cell: &&str| cell.trim().strip_prefix('`')?.strip_suffix('`').map(str::to_owned);
        Some((code(cells.get(2)?)?, code(cells.get(3)?)?))
    });
    let mut found = 0;
    for (command, expected) in recipes {
        let typed = command.replace("FEN", &format!("'{PRINZ}'")).replace("AFTER", &format!("'{AFTER}'"));
        let typed = typed.replacen("matesolve", env!("CARGO_BIN_EXE_matesolve"), 1);
        let mut shell = std::process::Command::new("sh");
        let output = shell.current_dir(folder.path()).args(["-c", &format!("echo uci | {typed}")]);
        let output = output.stderr(Stdio::piped()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        // 1 and 6 are answers, too: what was asked is not so.
        assert!(matches!(output.status.code(), Some(0 | 1 | 6)), "{command}: {printed}{said}");
        let is_there = printed.contains(&expected) || folder.path().join(&expected).is_file();
        assert!(is_there, "{command}: {printed}{said}");
        found += 1;
    }
    assert!(found >= 30, "{found}");
}
