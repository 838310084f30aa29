//! Batches and reports over files of every kind: what their results keep of the input.

use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use crate::schema::schema_accepts;
use crate::util::{PRINZ, Run, batch_of, run, run_with_input};

/// Every kind of input with two entries each, the first of which is a problem, and the second is none. With the line
/// and the name of the second.
const INPUTS: [(&str, &str, u64, &str); 11] = [
    ("fen", "5Kbk/6pp/6P1/8/8/8/8/7R w - -\n# none\n5Kbk/6pp/6P1/8/8/8/8/8R w - -\n", 3, ""),
    (
        "epd",
        "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; id \"a\";\n5Kbk/6pp/6P1/8/8/8/8/9 w - - dm 2; id \"b c\";\n",
        2,
        "b c",
    ),
    (
        "jsonl",
        "{\"id\":\"a\",\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"}\n{\"id\":\"b\",\"fen\":\"x\",\"stipulation\":\"#2\"}\n",
        2,
        "b",
    ),
    ("json", "[{\"id\":\"a\",\n\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"},\n{\"id\":\"b\"}]", 3, "b"),
    (
        "object",
        "{\n\"id\":\"a\",\n\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"}\n\n{\n\"id\":\"b\",\"fen\":\"x\"}\n",
        5,
        "b",
    ),
    (
        "wrapper",
        "{\"name\": \"x\", \"problems\": [\n{\"id\":\"a\",\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"},\n{\"id\":\"b\"}]}",
        3,
        "b",
    ),
    (
        "page",
        "{\"result\": {\"entries\": [{\"id\": 7, \"algebraic\": {\"white\": [\"Kf8\", \"Rh1\", \"Pg6\"], \"black\": [\"Kh8\", \
         \"Bg8\", \"Ph7\", \"Pg7\"]}, \"stipulation\": \"#2\"},\n{\"id\": \"b\", \"algebraic\": {}}]}}",
        2,
        "b",
    ),
    (
        "csv",
        "PuzzleId,FEN,Note\na,5Kbk/6pp/6P1/8/8/8/8/7R w - -,\"two\nlines, \"\"quoted\"\"\"\nb,8/8 w - -,\"\n\"\n",
        4,
        "b",
    ),
    ("pgn", "[Event \"a\"]\n[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"]\n\n*\n\n[Event \"b\"]\n\n1. e5 *\n", 6, "b"),
    (
        "olv",
        "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: \"#2\"\n---\nstipulation: \
         \"pser-#2\"\nalgebraic: {white: [Kf8], black: [Kh8]}\n",
        5,
        "",
    ),
    (
        "sp2",
        "<ScacchiPainterDatabase>\n<SP_Item Moves=\"2\" CompleteStipulationDesc=\"#\">\n<Pieces><Piece Type=\"King\" Color=\"White\" Column=\"ColF\" Traverse=\"Row8\"/><Piece Type=\"Rock\" Color=\"White\" Column=\"ColH\" Traverse=\"Row1\"/><Piece Type=\"Pawn\" Color=\"White\" Column=\"ColG\" Traverse=\"Row6\"/><Piece Type=\"King\" Color=\"Black\" Column=\"ColH\" Traverse=\"Row8\"/><Piece Type=\"Bishop\" Color=\"Black\" Column=\"ColG\" Traverse=\"Row8\"/><Piece Type=\"Pawn\" Color=\"Black\" Column=\"ColG\" Traverse=\"Row7\"/><Piece Type=\"Pawn\" Color=\"Black\" Column=\"ColH\" Traverse=\"Row7\"/>\
         </Pieces></SP_Item>\n\n<SP_Item Moves=\"2\" CompleteStipulationDesc=\"#\" PersonalID=\"b\"></SP_Item>\n</ScacchiPainterDatabase>\n",
        5,
        "b",
    ),
];

#[test]
fn lists_with_times_and_remarks_are_read_and_given_back() {
    let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
    let rests = [
        "bm #2; 00:18; 00:00 @ C0/R-3/K3/P2/X3;",
        "bm #2; 01:59+; 00:00+ @ C0/R2/K1/P11/X68;",
        "bm #2; --:-- @ C0/R-6/K4/P0/X36;",
        "bm #2; Duals(117); 00:00;",
        "bm #2; O-O-O; 00:00;",
        "bm #2; 01:50 @ C0/R0/K1/P2/X12; 00'04\" (Gustav);",
        "bm #2; PV: h1h6 g8a2 h6h7;",
        "bm #2; c0 \"6men\";",
    ];
    let lines: Vec<String> = rests.iter().map(|rest| format!("{fen} {rest}")).collect();
    let (batch, _) = batch_of(lines.join("\n"), &["--format", "jsonl"]);
    let answers = objects(&batch);
    assert_eq!((batch.code, answers.len()), (0, rests.len()), "{batch:?}");
    let warnings: Vec<&Value> = answers.iter().flat_map(|answer| answer["warnings"].as_array().unwrap()).collect();
    assert_eq!(warnings.len(), 1, "said once: {warnings:?}");
    assert!(warnings[0].as_str().unwrap().starts_with("\"00:18\" is no EPD operation"), "{warnings:?}");
    let (epd, _) = batch_of(lines.join("\n"), &["--format", "epd"]);
    for (line, rest) in epd.out.lines().zip(rests) {
        for part in rest.split("; ").map(|part| part.trim_end_matches(';')) {
            assert!(line.contains(part), "{line} has lost {part}");
        }
    }
    let (again, _) = batch_of(&epd.out, &["--format", "epd", "--update"]);
    assert_eq!(again.out.lines().count(), rests.len());
    assert!(again.out.contains("00:00 @ C0/R-3/K3/P2/X3;"), "{}", again.out);
    for wrong in ["bm #2; #3;", "bm #2; 3;", "bm #2; 1.Rh6 Ba2;", "#2; #3;"] {
        let (refused, _) = batch_of(format!("{fen} {wrong}"), &[]);
        assert_eq!(refused.code, 3, "{wrong}: {}", refused.out);
    }
}

#[test]
fn tables_of_positions_need_no_header() {
    let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";
    for table in [
        format!("FEN;Name\n{fen};Prinz"),
        format!("{fen};Prinz"),
        format!("Name\tFEN\nPrinz\t{fen}"),
        format!("Prinz\t{fen}\t#2"),
        format!("{fen},\"Prinz\",#2"),
    ] {
        let (batch, _) = batch_of(&table, &["--format", "jsonl"]);
        let answers = objects(&batch);
        assert_eq!((answers.len(), &answers[0]["id"]), (1, &"Prinz".into()), "{table}");
        assert_eq!(answers[0]["result"]["mate_in"], 2, "{table}");
    }
    let (unclear, _) = batch_of(format!("00008;{fen};h1h6 g8a2"), &[]);
    assert!(unclear.code == 3 && unclear.err.contains("name the columns in the first line"), "{}", unclear.err);
}

#[test]
fn inputs_of_other_commands_are_refused_with_the_right_command() {
    for (text, expected) in [("matesolve certificate 1\nfen x\n", "`matesolve verify`")] {
        for command in ["batch", "report", "audit"] {
            let run = run_with_input(&[command, "-"], text);
            assert_eq!(run.code, if command == "report" { 5 } else { 3 }, "{run:?}");
            assert!(format!("{}{}", run.out, run.err).contains(expected), "{command}: {run:?}");
        }
    }
}

/// Returns a text as it is, and compressed in both ways, each with the end of its file name.
fn packings(text: &str) -> [(&'static str, Vec<u8>); 3] {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    [("", text.as_bytes().to_vec()), (".gz", gzip.finish().unwrap()), (".zst", zstd)]
}

fn objects(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{run:?}"))).collect()
}

/// Asserts that the results of both commands name line and name of the second entry, and keep its text.
fn assert_kept(answers: &[Value], line: u64, id: &str, place: &str) {
    assert_eq!(answers.len(), 2, "{place}: {answers:?}");
    assert_eq!((&answers[0]["error"], answers[0].get("text")), (&Value::Null, None), "{place}");
    assert!(answers[0]["line"].as_u64() < Some(line), "{place}");
    let (rejected, id) = (&answers[1], if id.is_empty() { Value::Null } else { id.into() });
    assert_eq!((&rejected["line"], &rejected["id"]), (&line.into(), &id), "{place}: {rejected}");
    assert_eq!(rejected["result"]["status"], "invalid", "{place}");
    assert!(rejected["text"].as_str().is_some_and(|text| !text.is_empty()), "{place}: {rejected}");
}

#[test]
fn an_invalid_entry_keeps_its_line_its_name_and_its_text_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let commands = [("batch", ["--nodes", "2k"]), ("report", ["--depth", "1"])];
    for (kind, text, line, id) in INPUTS {
        for (command, limit) in commands {
            for (end, bytes) in packings(text) {
                let path: PathBuf = folder.path().join(format!("a.{kind}{end}"));
                std::fs::write(&path, bytes).unwrap();
                let name = path.to_str().unwrap();
                // A single game file is one position for a report; as standard input it is a file of games.
                if (command, kind, end) != ("report", "pgn", "") {
                    let run = run(&[command, name, "--format", "jsonl", limit[0], limit[1]]);
                    assert_kept(&objects(&run), line, id, &format!("{command} {kind}{end}"));
                }
                // The kind of a collection is known from its name, or from its first line.
                let input = run_with_input(
                    &[command, "-", "--format", "jsonl", limit[0], limit[1]],
                    packings(text)[0].1.clone(),
                );
                assert_kept(&objects(&input), line, id, &format!("{command} - {kind}"));
            }
        }
    }
}

#[test]
fn a_half_move_of_every_game_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn.gz");
    let games = "[Event \"Fool's mate\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"?\"]\n\n1. e4 *\n";
    std::fs::write(&path, &packings(games)[1].1).unwrap();
    let name = path.to_str().unwrap();
    for command in ["batch", "report"] {
        let run = run(&[command, name, "--ply", "3", "--format", "jsonl", "--nodes", "20k"]);
        let answers = objects(&run);
        assert_eq!((&answers[0]["id"], &answers[0]["line"]), (&"Fool's mate, A - B".into(), &1.into()), "{run:?}");
        assert_eq!(answers[0]["result"]["mate_in"], 1, "{run:?}");
        let error = answers[1]["error"].as_str().unwrap();
        assert_eq!((error, &answers[1]["line"]), ("the game has 1 half-move; --ply 3 is after its end", &7.into()));
    }
    let lines = run_with_input(&["batch", "-", "--ply", "3", "--format", "jsonl"], PRINZ);
    assert!(lines.code == 3 && lines.err.contains("there are no moves here"), "{lines:?}");
}

#[test]
fn the_solution_of_a_puzzle_is_a_claim() {
    let csv = |solution: &str| {
        format!("PuzzleId,FEN,Moves,Themes\n17,5Kbk/6pp/6P1/8/8/8/8/7R b - -,g8a2 {solution},mate mateIn1\n")
    };
    for (solution, check, code) in [("h1h7", "ok", 0), ("h1h6", "wrong_move", 6)] {
        let run = run_with_input(&["batch", "-", "--check", "--format", "jsonl"], csv(solution));
        assert_eq!((&objects(&run)[0]["check"], run.code), (&check.into(), code), "{run:?}");
    }
}

#[test]
fn a_printed_solution_is_compared_wherever_it_stands() {
    let forms: [fn(&str) -> String; 5] = [
        |key| format!(r##"{{"fen":"{PRINZ}","stipulation":"#2","solution":"{key}"}}"##),
        |key| format!(r##"{{"fen":"{PRINZ}","stipulation":"#2","solution":"1.{key}!"}}"##),
        |key| format!("fen,stipulation,solution\n{PRINZ},#2,1.{key}! zz\n"),
        |key| format!("{PRINZ} dm 2; solution \"1.{key}!\";"),
        |key| {
            format!(
                "---\nalgebraic:\n  white: [Kf8, Rh1, Pg6]\n  black: [Kh8, Bg8, Ph7, Pg7]\nstipulation: \"#2\"\nsolution: |\n  \
                 1.{key} ! zugzwang.\n      1...g7*h6\n          2.g6-g7 #\n"
            )
        },
    ];
    for form in forms {
        for (key, check, code) in [("Rh6", "ok", 0), ("Rh5", "wrong move", 6), ("Qa1", "wrong move", 6)] {
            let run = run_with_input(&["batch", "-", "--check"], form(key));
            assert!(run.code == code && run.out.contains(&format!("[check: {check}]")), "{run:?}");
        }
    }
    let unnamed = run_with_input(&["batch", "-", "--check"], forms[0]("by the author"));
    assert!(unnamed.code == 0 && unnamed.err.contains("the printed solution names no key"), "{unnamed:?}");
    let line = format!(r#"{{"fen":"{PRINZ}","solution":"1.Rh6! gxh6 2.g7#"}}"#);
    let puzzles = run_with_input(&["puzzles", "-", "--format", "jsonl"], line);
    assert_eq!((&objects(&puzzles)[0]["verdict"], &objects(&puzzles)[0]["mate_in"]), (&"right".into(), &2.into()));
}

#[test]
fn what_is_no_position_is_named_by_what_it_is() {
    let board = PRINZ.replace(' ', "_");
    let list = format!("https://lichess.org/analysis/standard/{board}_0_1\nhttps://lichess.org/training/000hf\n");
    let (run, _) = batch_of(list, &[]);
    assert!(run.out.starts_with("1 mate in 2") && run.out.contains("\n2 invalid"), "{run:?}");
    assert!(run.err.contains("/training/000hf holds no position; copy the FEN"), "{run:?}");
    let (run, _) = batch_of(b"PK\x03\x04\x14\0\0\0", &[]);
    assert!(run.code == 2 && run.err.contains("it is a ZIP archive; unpack it"), "{run:?}");
    for (arguments, expected) in [
        (
            &[PRINZ, "--attacker", "black"][..],
            "--attacker says that Black strives for the goal, but with White to move",
        ),
        (&[&format!("{PRINZ} dmm 2;")], "\"dmm\" is not understood; if it is meant to be dm, write dm"),
        (
            &[&format!(r##"{{"fen":"{PRINZ}","stipulation":"#2","options":["NoCastling a1"]}}"##)],
            "\"NoCastling\" cannot be used beside a FEN; leave the castling rights out of it",
        ),
    ] {
        let run = self::run(arguments);
        assert!(run.code > 1 && run.err.contains(expected), "{run:?}");
    }
    let why = self::run(&["report", PRINZ, "-s", "#2", "--why", "1.Rh6:"]);
    assert!(why.code == 0 && why.out.contains("1. Rh6 is a key"), "{why:?}");
}

#[test]
fn all_first_moves_of_the_shortest_mate_are_listed() {
    let castles = "nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K - dm 2; bm Rf1;";
    let text = run_with_input(&["batch", "-", "--check", "--all-moves"], castles);
    assert!(
        text.code == 0 && text.out.contains("[check: ok]") && text.out.contains("[first moves: O-O, Rf1]"),
        "{text:?}"
    );
    let json = run_with_input(&["batch", "-", "--check", "--all-moves", "--format", "jsonl"], castles);
    let answer = &objects(&json)[0];
    let mates: Vec<&Value> =
        answer["moves"].as_array().unwrap().iter().filter(|m| m["status"] == "mate").map(|m| &m["mate_in"]).collect();
    assert_eq!(mates, [&Value::from(2), &Value::from(2)]);
    schema_accepts("result", answer);
    assert_eq!(run(&["batch", "-", "--all-moves"]).code, 2, "it needs --check");
}

#[test]
fn a_large_window_of_zstandard_is_named() {
    // A frame whose window has 256 MiB, with an empty last block.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x90, 0x01, 0x00, 0x00];
    let run = run_with_input(&["batch", "-"], frame);
    assert!(run.code == 2 && run.err.contains("need a window of 256 MiB, and at most"), "{run:?}");
    assert!(run.err.contains("compress it again without --long"), "{run:?}");
}

#[test]
fn quotes_in_strings_of_epd_are_kept() {
    let line = r#"5Kbk/6pp/6P1/8/8/8/8/7R w - - id "the \"first\" one"; c7 "a \"b\"; c";"#;
    let epd = run_with_input(&["batch", "-", "--nodes", "1000", "--format", "epd"], format!("{line}\n"));
    assert!(epd.out.contains(r#"id "the \"first\" one"; c7 "a \"b\"; c";"#), "{epd:?}");
    let json = run_with_input(&["batch", "-", "--nodes", "1000", "--format", "jsonl"], format!("{line}\n"));
    assert_eq!(objects(&json)[0]["id"], "the \"first\" one");
}

#[test]
fn a_field_of_a_wrong_form_is_refused() {
    for (field, why) in [
        (r#""twins":3"#, "the field \"twins\" is a number; write it as {\"b\": \"Move a1 b2\"}"),
        (r#""stipulation":[3]"#, "the field \"stipulation\" is a list; write it as \"#3\""),
        (r#""id":[1]"#, "the field \"id\" is a list; write it as a text or a number"),
        (r#""duplex":"yes""#, "the field \"duplex\" is a text; write it as true or false"),
    ] {
        let line = format!("{{\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\",{field}}}\n");
        let run = run_with_input(&["batch", "-", "--nodes", "1000"], line);
        assert!(run.code == 3 && run.err.contains(why), "{run:?}");
    }
    let text = "{\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\",\"stipulation\":\"#2\",\"twins\":\"b) Remove b3\"}\n";
    let run = run_with_input(&["report", "-"], text);
    assert!(run.err.contains("phase b: the twin names a man on b3, which is empty"), "{run:?}");
}

#[test]
fn a_text_that_is_not_utf8_is_read_as_latin1() {
    let men = "algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}";
    for text in [
        format!("{PRINZ} dm 2; id \"R\u{e9}ti\";\n"),
        format!("FEN,id\n{PRINZ},R\u{e9}ti\n"),
        format!("{{\"fen\":\"{PRINZ}\",\"id\":\"R\u{e9}ti\"}}\n"),
        format!("[{{\"fen\":\"{PRINZ}\",\n\"id\":\"R\u{e9}ti\"}}]\n"),
        format!("[White \"R\u{e9}ti\"]\n[FEN \"{PRINZ}\"]\n\n*\n"),
        format!("---\nauthors: [R\u{e9}ti]\n{men}\nstipulation: \"#2\"\n"),
    ] {
        let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        // Two entries that are not UTF-8, and one warning.
        for input in [bytes.clone(), [bytes.as_slice(), b"\n", bytes.as_slice()].concat()] {
            let (run, _) = batch_of(&input, &["--format", "jsonl"]);
            assert!(run.out.contains("R\u{e9}ti"), "{text}: {}", run.out);
            assert_eq!(run.err.matches("it is read as Latin-1").count(), 1, "{text}: {}", run.err);
        }
        let (run, _) = batch_of(&text, &["--format", "jsonl"]);
        assert!(run.out.contains("R\u{e9}ti") && !run.err.contains("Latin-1"), "{text}: {}", run.err);
    }
}

#[test]
fn a_collection_in_latin1_that_is_written_again_keeps_its_bytes() {
    let start = b"# \xc9tudes\n---\nauthors: [R\xe9ti]\n".as_slice();
    let entry = b"algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: \"#2\"\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.olv");
    std::fs::write(&path, [start, entry, b"---\n\xe9: [\n"].concat()).unwrap();
    let mut command = crate::util::matesolve();
    let output = command.args(["report", "--format", "olv", "-q"]).arg(&path).output().unwrap();
    assert!(output.stdout.starts_with(&[start, entry].concat()), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.ends_with(b"---\n\xe9: [\n"), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.windows(9).any(|window| window == b"solution:"));
}

#[test]
fn a_file_in_no_known_form_gets_one_sentence() {
    let (run, _) = batch_of("<!DOCTYPE html>\n".repeat(300), &["--format", "jsonl"]);
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    assert!(run.err.contains("no line at the beginning of this input is a problem"), "{}", run.err);
}

#[test]
fn results_in_json_over_several_lines_are_read_where_results_are_read() {
    let result = run(&[PRINZ, "--format", "json"]).out;
    assert!(result.lines().count() > 10);
    let (read, _) = batch_of(&result, &["--format", "jsonl"]);
    assert!(read.out.contains("\"mate_in\":2") && read.out.lines().count() == 1, "{}", read.out);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.json");
    std::fs::write(&path, result.repeat(2)).unwrap();
    let path = path.to_str().unwrap();
    assert!(run(&["verify", path]).out.starts_with("results 2: main lines that mate as claimed 2"));
    assert!(run(&["compare", path, path]).out.contains('2'));
}

#[test]
fn puzzles_are_read_from_every_form_of_json_and_with_the_name_of_the_line_that_engines_print() {
    let right = |input: &str, name: &str| {
        let run = run_with_input(&["puzzles", "-", "--format", "jsonl"], input);
        let answers: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(
            answers.len() == 1 && answers[0]["verdict"] == "right" && answers[0]["id"] == name,
            "{input}: {answers:?}"
        );
    };
    let pv = "h1h6 g8a2 h6h7";
    right(&format!("[\n{{\"id\": \"a\",\n\"fen\": \"{PRINZ}\",\n\"pv\": \"{pv}\"}}\n]\n"), "a");
    right(&format!("{{\n\"id\": \"a\",\n\"fen\": \"{PRINZ}\",\n\"pv\": \"{pv}\"}}\n"), "a");
    right(&format!("{{\"puzzles\": [{{\"id\": \"a\", \"fen\": \"{PRINZ}\", \"pv\": \"{pv}\"}}]}}\n"), "a");
    right(&format!("{PRINZ} id \"a\"; PV: {pv};\n"), "a");
    let game = "{\"game\": {\"pgn\": \"e4 e5 Qh5 Nc6 Bc4 Nf6\"}, \"puzzle\": {\"id\": \"a\", \"initialPly\": 5, \
                \"solution\": [\"h5f7\"], \"themes\": [\"mateIn1\"]}}";
    right(game, "a");
    let latin1 = [PRINZ.as_bytes(), b" id \"R\xe9ti\"; pv h1h6 g8a2 h6h7;\n"].concat();
    let run = run_with_input(&["puzzles", "-", "--format", "jsonl"], latin1.repeat(2));
    assert!(run.out.matches("R\u{e9}ti").count() == 2 && run.err.matches("read as Latin-1").count() == 1, "{run:?}");
    let run = run_with_input(&["puzzles", "-", "--format", "jsonl"], game.replace("initialPly", "ply"));
    assert!(run.out.contains("puzzle.initialPly") && run.out.contains("\"id\":\"a\""), "{}", run.out);
}

#[test]
fn a_puzzle_of_lichess_is_a_position_for_every_command() {
    let game = "{\"game\": {\"pgn\": \"e4 e5 Qh5 Nc6 Bc4 Nf6\"}, \"puzzle\": {\"id\": \"a\", \"initialPly\": 5, \
                \"solution\": [\"h5f7\"]}}\n";
    let text = format!("{game}{}", game.replace("\"pgn\"", "\"moves\""));
    let (batch, _) = batch_of(&text, &["--format", "jsonl"]);
    let answers = objects(&batch);
    assert_eq!((&answers[0]["id"], &answers[0]["result"]["mate_in"]), (&"a".into(), &1.into()), "{}", batch.out);
    assert!(answers[1]["error"].as_str().unwrap().contains("game.pgn"), "{}", batch.out);
    for command in ["report", "audit"] {
        let run = run_with_input(&[command, "-"], game);
        assert!(!run.out.contains("invalid"), "{command}: {run:?}");
    }
    assert!(run(&[game]).out.starts_with("mate in 1"));
}

#[test]
fn an_epd_line_may_lack_the_side_to_move() {
    let board = "5Kbk/6pp/6P1/8/8/8/8/7R";
    let text = format!("{board} dm 2; id \"a\";\n{board} stip \"h#1\"; id \"b\";\n{board} id \"c\";\n");
    let (batch, _) = batch_of(&text, &["--format", "jsonl"]);
    let answers = objects(&batch);
    let statuses: Vec<&Value> = answers.iter().map(|answer| &answer["result"]["status"]).collect();
    assert_eq!(statuses, ["mate", "solved", "mate"], "{}", batch.out);
    let warned = |at: usize| answers[at]["warnings"].to_string().contains("does not say who is to move; White is");
    assert_eq!([warned(0), warned(1), warned(2)], [true, false, true], "{}", batch.out);
    assert_eq!(answers[1]["fen"], format!("{board} b - - 0 1"), "Black begins help play");
    let verified = run_with_input(&["verify", "-"], &batch.out);
    assert_eq!(verified.code, 0, "{verified:?}");
}
