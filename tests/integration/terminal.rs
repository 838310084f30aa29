//! What a person sees on terminals of several widths: progress on one line, whole words, and what the other colour
//! would do if it were to move.
#![cfg(target_os = "linux")]

use crate::util::{HARD, PRINZ, on_a_terminal, without_codes};

const WIDTHS: [u16; 4] = [40, 60, 80, 120];

/// Returns what stands on the rows of a terminal each time its cursor goes back to the beginning of a line.
fn pictures(columns: u16, seen: &str) -> Vec<Vec<String>> {
    let mut terminal = vt100::Parser::new(24, columns, 0);
    let mut pictures = Vec::new();
    for part in seen.split_inclusive('\r') {
        terminal.process(part.trim_end_matches('\r').as_bytes());
        let rows = terminal.screen().rows(0, columns).map(|row| row.trim_end().to_owned());
        pictures.push(rows.filter(|row| !row.is_empty()).collect());
        terminal.process(b"\r");
    }
    pictures
}

/// Returns whether this is a whole part of the progress of a batch.
fn is_whole(part: &str) -> bool {
    let is_count = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == ',');
    ["solved ", "undecided ", "invalid "].iter().any(|word| part.strip_prefix(word).is_some_and(is_count))
        || [" nodes/s", " nodes", " %", " lines"].iter().any(|word| part.strip_suffix(word).is_some_and(is_count))
        || (part.starts_with("about ") && part.ends_with(" left"))
        || part.split_once(" lines (").is_some_and(|(count, speed)| is_count(count) && speed.ends_with("/s)"))
}

#[test]
fn the_progress_of_a_batch_stands_on_one_line_of_every_terminal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.epd"), format!("{PRINZ}\n{PRINZ}\n{HARD}\n")).unwrap();
    for columns in WIDTHS {
        let arguments = "batch in.epd --format jsonl -o out.jsonl --time 1s --threads 1";
        let seen = on_a_terminal(columns, folder.path(), arguments);
        let is_progress = |rows: &Vec<String>| rows.concat().contains(" 00:00:0");
        let drawn: Vec<_> = pictures(columns, &seen).into_iter().filter(is_progress).collect();
        let counted = drawn.iter().filter(|rows| rows.concat().contains(" %, "));
        assert!(counted.count() > 2, "{columns}: {drawn:?}");
        for rows in &drawn {
            let row = rows.last().unwrap();
            assert!(rows.len() == 1 && row.chars().count() <= usize::from(columns) - 3, "{columns}: {rows:?}");
            // The spinner and the time stand before the parts.
            let parts: Vec<&str> = row.splitn(3, ' ').nth(2).unwrap().split(", ").collect();
            assert!(parts.iter().all(|part| is_whole(part)), "{columns}: {parts:?}");
            assert!(columns < 120 || parts.iter().any(|part| part.ends_with(" nodes")), "{parts:?}");
        }
    }
}

#[test]
fn the_progress_of_a_search_says_what_is_known_and_the_nodes_of_now() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (format!("{HARD} --time 2s --threads 1"), "no mate in "),
        (format!("{PRINZ} --moves --time 2s --threads 1"), "no mate in 1; mate in ≤ 2 by 1. Rh6; "),
        (format!("report {HARD} -s #9 --time 2s --threads 1"), "no mate in "),
    ] {
        let seen = on_a_terminal(120, folder.path(), &arguments);
        let is_progress = |row: &String| row.contains(" nodes, ") && row.contains("/s");
        let rows: Vec<String> = pictures(120, &seen).into_iter().flatten().filter(is_progress).collect();
        let nodes = rows.iter().filter_map(|row| row.split(" nodes, ").next()?.rsplit(' ').next());
        let nodes: std::collections::BTreeSet<&str> = nodes.collect();
        assert!(nodes.len() > 2 && rows.iter().any(|row| row.contains(words)), "{arguments}: {rows:?}");
    }
}

#[test]
fn a_wrong_side_to_move_is_noticed_while_the_search_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let position = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq -";
    let seen = without_codes(&on_a_terminal(80, folder.path(), &format!("{position} --time 4s --threads 1")));
    let hint = "If White were to move: mate in 1, 1. Qxf7#";
    let (before, answer) = seen.split_once("no mate found").unwrap_or_else(|| panic!("{seen}"));
    assert!(before.contains(hint) && answer.contains(hint), "{seen}");
    let seen = on_a_terminal(80, folder.path(), &format!("{position} --nodes 20k --threads 1"));
    assert!(!seen.contains("If White"), "{seen}");
}

#[test]
fn lines_break_at_spaces_and_a_move_stays_beside_its_number() {
    let folder = tempfile::tempdir().unwrap();
    for columns in WIDTHS {
        let queen = "7k/8/5K2/6Q1/8/8/8/8 w - -";
        let seen = on_a_terminal(columns, folder.path(), &format!("{queen} --moves --mate 2 --color never -q"));
        let rows: Vec<&str> = seen.lines().collect();
        assert!(rows.iter().all(|row| row.chars().count() <= usize::from(columns)), "{rows:?}");
        let whole = crate::util::run(&[queen, "--moves", "--mate", "2", "-q"]).out;
        let words = |text: &str| text.split_whitespace().take(30).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&seen), words(&whole));
    }
}
