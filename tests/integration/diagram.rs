//! `matesolve diagram`: the picture, and the messages if it cannot be drawn.

use crate::util::{PRINZ, run};

#[test]
fn a_board_in_text_stands_beside_warnings_and_where_it_is_asked_for() {
    let text = run(&["diagram", PRINZ, "-s", "#2", "--format", "text"]);
    assert!(
        text.out.starts_with("8  . . . . . K b k\n") && text.out.ends_with("\nWhite to move, #2, 3+4\n"),
        "{text:?}"
    );
    assert!(run(&["diagram", PRINZ, "--format", "figurines"]).out.starts_with("8  . . . . . ♔ ♝ ♚\n"));
    let solved = run(&[PRINZ, "--board"]);
    assert!(solved.err.contains("K b k\n") && solved.err.ends_with("White to move\n"), "{}", solved.err);
    assert!(solved.out.starts_with("mate in 2"), "{}", solved.out);
    let warned = "7k/8/8/8/8/8/8/4K3 w Q - 0 1";
    for command in [&[warned, "-s", "#1"][..], &["report", warned, "-s", "#1"], &["mend", warned, "-s", "#1"]] {
        let said = run(command).err;
        assert!(said.contains("castling right Q is dropped") && said.contains("\n1  . . . . K . . .\n"), "{said}");
    }
    assert_eq!(run(&[warned, "-s", "#1", "-q"]).err, "");
    assert_eq!(run(&[PRINZ]).err, "");
}

#[test]
fn the_texts_around_the_board_come_from_the_line_and_the_options() {
    let line = format!("{PRINZ} dm 2; id \"D. G. Prinz, Research 1952\";");
    let svg = run(&["diagram", &line]);
    assert_eq!((svg.code, svg.err.as_str()), (0, ""));
    assert!(svg.out.starts_with("<svg xmlns=") && svg.out.ends_with("</svg>\n"));
    for text in [">D. G. Prinz, Research 1952<", ">#2<", ">3+4<"] {
        assert!(svg.out.contains(text), "{text}");
    }
    let with_options = run(&["diagram", PRINZ, "-s", "#3", "--title", "Another", "--coordinates", "--width", "800"]);
    for text in [">Another<", ">#3<", ">a<", ">8<", "width=\"800\""] {
        assert!(with_options.out.contains(text), "{text}");
    }
    assert!(!run(&["diagram", &line, "--bare"]).out.contains("<text"));
    assert!(run(&["diagram", "5Kbk/6pp/6PR/8/8/8/8/8 b - -"]).out.contains(">Black to move<"));
}

#[test]
fn arrows_and_circles_are_drawn() {
    let svg = run(&["diagram", PRINZ, "--arrow", "h1h6", "--arrow", "g7h6", "--mark", "h8", "--bare"]).out;
    assert_eq!((svg.matches("rotate(").count(), svg.matches("r=\"46\"").count()), (2, 1), "{svg}");
    for (refused, word) in [
        (&["--arrow", "h1"][..], "does not name two squares"),
        (&["--mark", "i9"], "is no value of --mark"),
        (&["--mark", "e4", "--format", "latex"], "need --format svg"),
        (&["--arrow", "h1h6", "--format", "text"], "need --format svg"),
    ] {
        let run = run(&[&["diagram", PRINZ], refused].concat());
        assert!(run.code == 2 && run.err.contains(word), "{run:?}");
    }
}

#[test]
fn the_picture_loads_no_other_file() {
    let svg = run(&["diagram", PRINZ]).out;
    assert_eq!(svg.matches("://").count(), 1, "a URL other than the SVG namespace: {svg}");
    for word in ["<script", "<image", "<style", "url("] {
        assert!(!svg.contains(word), "{word}");
    }
}

#[test]
fn invalid_positions_and_options_are_reported() {
    let invalid = run(&["diagram", "8/8/8/8/8/8/8/7K w - -"]);
    assert_eq!((invalid.code, invalid.out.as_str()), (3, ""));
    assert!(invalid.err.contains("Black has no king"), "{}", invalid.err);
    let usage = run(&["diagram", PRINZ, "-s", "pser-#2"]);
    assert_eq!(usage.code, 2);
    assert!(usage.err.contains("pser-#2"), "{}", usage.err);
}

#[test]
fn pictures_and_pages_have_only_characters_that_xml_allows() {
    let hostile = "A\u{fffe}\u{ffff}\u{b}\u{1b}\u{7f}\u{1ffff}B";
    let is_allowed =
        |c: char| c == '\n' || (c >= ' ' && !matches!(c, '\u{7f}' | '\u{fffe}' | '\u{ffff}' | '\u{1ffff}'));
    let line = format!("{PRINZ} dm 2; id \"{hostile}\";");
    let replaced = "A\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}B";
    for arguments in
        [&["diagram", &line][..], &["diagram", PRINZ, "--title", hostile], &["report", &line, "--format", "html"]]
    {
        let run = run(arguments);
        assert!(run.out.chars().all(is_allowed) && run.out.contains(replaced), "{arguments:?}: {run:?}");
    }
    let page = crate::util::run_with_input(&["report", "-", "--format", "html"], format!("{line}\n{line}\n"));
    assert!(page.out.chars().all(is_allowed) && page.out.contains(replaced), "{page:?}");
}

#[test]
fn a_picture_is_written_to_a_file_and_a_long_title_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.svg");
    let title = "A. Composer & B. Author, 1st Prize, Problem Tourney of a Magazine with a very long Name 1951-1952";
    let to_file = run(&["diagram", PRINZ, "--title", title, "-o", file.to_str().unwrap()]);
    assert_eq!((to_file.code, to_file.out.as_str(), to_file.err.as_str()), (0, "", ""));
    let svg = std::fs::read_to_string(file).unwrap();
    assert_eq!(svg, run(&["diagram", PRINZ, "--title", title]).out);
    let lines: Vec<&str> = svg.lines().filter(|line| line.contains("text-anchor=\"middle\"")).collect();
    assert!(lines.len() > 1 && lines[0].contains(">A. Composer &amp; B. Author, 1st Prize"), "{lines:?}");
    // The board begins below the last line of the title.
    let y = |line: &str| -> u32 { line.split_once(" y=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap() };
    let board = svg.lines().filter(|line| line.starts_with("<rect x=")).map(y).max().unwrap();
    assert!(y(lines[0]) < y(lines[1]) && y(lines[1]) < board, "{lines:?} {board}");
    let missing = run(&["diagram", PRINZ, "-o", "no/such/folder/a.svg"]);
    assert!(missing.code == 2 && missing.err.contains("no/such/folder"), "{}", missing.err);
}

#[test]
fn the_ending_of_an_output_must_not_promise_another_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (arguments, name, why) in [
        (&["diagram", PRINZ][..], "d.png", "matesolve writes no .png, and this is svg; give it the ending .svg"),
        (&["diagram", PRINZ], "d.TEX", "its ending says latex, and this is svg; add --format latex, or"),
        (&[PRINZ], "x.json", "its ending says json, and this is text; add --format json"),
        (&["report", PRINZ, "--format", "latex"], "x.pdf", "matesolve writes no .pdf, and this is latex"),
        (&["batch", "problems/smoke.epd", "--format", "jsonl"], "x.csv", "its ending says csv, and this is jsonl"),
    ] {
        let refused = run(&[arguments, &["-o", &at(name)]].concat());
        assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
        assert!(!std::path::Path::new(&at(name)).exists(), "{name}");
    }
    for (format, name) in [("svg", "d.svg"), ("latex", "d.tex"), ("text", "d.txt"), ("svg", "d.picture"), ("svg", "d")]
    {
        let run = run(&["diagram", PRINZ, "--format", format, "-o", &at(name)]);
        assert!(run.code == 0 && std::path::Path::new(&at(name)).exists(), "{name}: {}", run.err);
    }
}
