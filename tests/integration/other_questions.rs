//! The question that is answered is the one that was asked: who begins help play, castling rights that exclude each
//! other, options of Popeye, studies, and operations that hide in a remark, in every reader.

use crate::util::{on_a_terminal, run, run_with_input};

/// Black begins, in check. With White to move White could take the king.
const CHECKED: &str = "8/1P6/8/8/5p2/6p1/pp2ppKp/Nk3R2";
/// White begins. With Black to move Black could take the king.
const SERIES: &str = "K1k5/8/1B6/8/8/8/8/7b";
/// The solution of the first one.
const LINE: &str = "1.e1=B b8=Q 2.h1=N Qxf4 3.bxa1=R Qd2=";

#[test]
fn the_stipulation_says_who_begins_help_play_in_every_reader() {
    for fen in [CHECKED.to_owned(), format!("{CHECKED} w"), format!("{CHECKED} b - -"), format!("fen: {CHECKED} w - -")]
    {
        let solved = run(&[&fen, "-s", "h=3", "--color", "never"]);
        assert_eq!((solved.code, solved.out.lines().next()), (0, Some(LINE)), "{fen}: {}", solved.err);
        // Where the FEN names no side, the stipulation decides without a word.
        let is_turned = fen.contains(" w");
        assert_eq!(solved.err.contains("White is to move; in h=3, Black begins"), is_turned, "{fen}: {}", solved.err);
        assert!(!solved.err.contains("does not say who"), "{fen}: {}", solved.err);
        let report = run(&["report", &fen, "-s", "h=3", "--color", "never"]);
        assert!(report.code == 0 && report.out.contains(LINE), "{fen}: {} {}", report.out, report.err);
    }
    let series = run(&[&format!("{SERIES} b - -"), "-s", "ser-=14", "--color", "never"]);
    assert!(series.code == 0 && series.out.starts_with("1.Ka7 2.Bc7"), "{} {}", series.out, series.err);
    assert!(series.err.contains("Black is to move; in ser-=14, White begins"), "{}", series.err);
    let olv = "---\nalgebraic:\n  white: [Kg2, Rf1, Sa1, Pb7]\n  black: [Kb1, Pa2, Pb2, Pe2, Pf2, Pf4, Pg3, Ph2]\n\
               stipulation: \"h=3\"\n";
    let popeye = format!("BeginProblem\nForsyth {}\nStipulation h=3\nEndProblem\n", CHECKED.replace('N', "S"));
    for input in [
        format!("{CHECKED} w - - stip \"h=3\";\n"),
        format!("{{\"fen\": \"{CHECKED}\", \"stipulation\": \"h=3\"}}\n"),
        format!("FEN,stipulation\n{CHECKED} w - - 0 1,h=3\n"),
        olv.to_owned(),
    ] {
        for command in [&["batch", "-", "--format", "jsonl"][..], &["report", "-", "--color", "never"]] {
            let solved = run_with_input(command, input.as_bytes());
            assert!(solved.code == 0 && solved.out.contains(LINE), "{input}: {} {}", solved.out, solved.err);
        }
    }
    let files = [&["batch", "-", "-s", "h=3", "--format", "jsonl"][..], &["report", "-", "-s", "h=3"]];
    for command in files {
        let solved = run_with_input(command, format!("{CHECKED} w - -\n"));
        assert!(solved.code == 0 && solved.out.contains(LINE), "{} {}", solved.out, solved.err);
    }
    let solved = run_with_input(&["popeye", "-regression"], popeye);
    assert!(solved.out.contains("1.e2-e1=B b7-b8=Q"), "{}", solved.out);
}

#[test]
fn a_position_stays_refused_where_its_side_to_move_begins() {
    for arguments in [
        &["-s", "#3"][..],
        &["-s", "h=2.5"],
        &["-s", "ser-=3"],
        &["-s", "h=3", "--begins", "white"],
        &["-s", "s#2"],
        &[],
    ] {
        let fen = format!("{CHECKED} w - -");
        let refused = run(&[&[fen.as_str()], arguments].concat());
        assert_eq!(refused.code, 3, "{arguments:?}: {}", refused.out);
        assert!(refused.err.contains("White is to move and could take the king on b1"), "{}", refused.err);
    }
    let begun = run(&[&format!("{CHECKED} w - -"), "-s", "h=2.5", "--begins", "black", "--nodes", "1000"]);
    assert!([0, 1, 4].contains(&begun.code), "{}", begun.err);
}

/// Both sides may castle; ten solutions of the plain h#3 begin with 1.O-O O-O.
const BOTH: &str = "4k2r/7p/5p1p/5P1N/8/8/8/4K2R b Kk - 0 1";

#[test]
fn castling_rights_that_exclude_each_other_hold_in_help_play() {
    let solutions =
        |out: &str| out.lines().filter(|line| line.starts_with("1.")).map(str::to_owned).collect::<Vec<_>>();
    let exclusive = run(&["report", BOTH, "-s", "h#3", "--castling-exclusive", "h1h8", "--color", "never"]);
    assert!(exclusive.out.starts_with("h#3 cooked: 68 solutions, these are all"), "{}", exclusive.out);
    assert!(!exclusive.out.contains("1.O-O O-O"), "{}", exclusive.out);
    let plain = run(&["report", BOTH, "-s", "h#3", "--color", "never"]);
    let mut expected = solutions(&plain.out);
    assert_eq!(expected.len(), 78);
    expected.retain(|line| !line.starts_with("1.O-O O-O"));
    assert_eq!(solutions(&exclusive.out), expected);
    let popeye = "BeginProblem\nForsyth 4k2r/7p/5p1p/5P1S/8/8/8/4K2R\nStipulation h#3\n\
                  Option CastlingMutuallyExclusive h1h8\nEndProblem\n";
    let solved = run_with_input(&["popeye", "-regression"], popeye);
    let lines: Vec<&str> = solved.out.lines().filter(|line| line.trim_start().starts_with("1.")).collect();
    assert_eq!(lines.len(), 68, "{}", solved.out);
    assert!(!lines.iter().any(|line| line.contains("1.0-0 0-0 ")), "{}", solved.out);
    let json = format!(
        "{{\"fen\": \"{BOTH}\", \"stipulation\": \"h#3\", \"options\": [\"CastlingMutuallyExclusive h1h8\"]}}\n"
    );
    let solved = run_with_input(&["batch", "-", "--format", "jsonl"], json);
    assert!(!solved.out.contains("1.O-O O-O") && solved.out.contains("exclude each other"), "{}", solved.out);
}

/// Remling 1983: White castles and thereby proves that Black cannot castle. It has no other key.
const REMLING: &str = "---\nalgebraic:\n  white: [Ke1, Ra1, Be6, Sf7, Pb4, Pb6, Pb2, Pc3, Pc2, Pg2, Ph6]\n  \
                       black: [Ke8, Rh8, Ba5, Sa8, Pb7, Pc7, Pe7, Pf6, Pg6, Ph7]\nstipulation: \"#2\"\n";

#[test]
fn a_collection_may_have_rights_that_exclude_each_other() {
    let entry = format!("{REMLING}options: [CastlingMutuallyExclusive a1h8]\nsolution: |\n  1.0-0-0 !\n");
    let commands = [&["batch", "-", "--format", "jsonl"][..], &["report", "-", "--format", "jsonl"], &["audit", "-"]];
    for command in commands {
        let plain = run_with_input(command, REMLING);
        let solved = run_with_input(command, entry.as_bytes());
        assert!(!plain.out.contains("exclude each other"), "{command:?}: {}", plain.out);
        let said = format!("{}{}", solved.out, solved.err);
        assert!(said.contains("exclude each other") || command[0] == "audit", "{command:?}: {said}");
        assert_eq!(solved.code, 0, "{command:?}: {said}");
    }
    let batch = |input: &str| run_with_input(&["batch", "-"], input.as_bytes()).out;
    assert!(batch(REMLING).contains("no mate in 2") && batch(&entry).contains("mate in 2 (proved shortest)  1. O-O-O"));
    let audit = run_with_input(&["audit", "-"], entry.as_bytes());
    assert!(audit.out.contains("agrees"), "{}", audit.out);
    let written = run_with_input(&["report", "-", "--format", "olv"], entry.as_bytes());
    assert!(written.out.contains("CastlingMutuallyExclusive a1h8"), "{}", written.out);
    let json = "{\"fen\": \"n3k2r/1pp1pN1p/1P2BppP/b7/1P6/2P5/1PP3P1/R3K3 w Qk -\", \"stipulation\": \"#2\", \
                \"options\": [\"CastlingMutuallyExclusive a1h8\"]}";
    for command in ["mend", "economy", "twins", "retract", "split"] {
        let refused = run(&[command, json]);
        assert!(refused.code != 0 && refused.err.contains("exclude each other"), "{command}: {}", refused.err);
    }
    let refused = run(&[json, "--certificate", "never-written.cert"]);
    assert!(refused.code == 2 && refused.err.contains("exclude each other"), "{}", refused.err);
    let why = run(&["report", json, "--why", "O-O-O"]);
    assert_eq!(why.code, 0, "after White's castling Black has no right: {}", why.out);
}

#[test]
fn what_popeye_calls_another_question_is_refused_by_name() {
    let board = "White Ka1 Qh5 Bb1 Pa2 Black Kd4 Bh8 Ph6 Pe6 Pd5 Pc5 Pc4";
    for (option, word) in [
        ("Quodlibet", "the option Quodlibet is not solved here"),
        ("quod", "the option quod is not solved here"),
        ("GoalIsEnd", "the option GoalIsEnd is not solved here"),
        ("NullMoves", "the option NullMoves is not solved here"),
    ] {
        let text = format!("BeginProblem\nPieces {board}\nStipulation s#2\nOption {option}\nEndProblem\n");
        let refused = run_with_input(&["popeye", "-regression"], text);
        assert!(refused.out.contains(word), "{option}: {}", refused.out);
        assert!(refused.err.contains("not solved: 1"), "{}", refused.err);
    }
    let olv = "---\nalgebraic:\n  white: [Ka1, Qh5, Bb1, Pa2]\n  black: [Kd4, Bh8, Ph6, Pe6, Pd5, Pc5, Pc4]\n\
               stipulation: \"s#2\"\noptions: [Quodlibet]\n";
    for command in ["batch", "report", "audit"] {
        let refused = run_with_input(&[command, "-"], olv);
        let said = format!("{}{}", refused.out, refused.err);
        assert!(said.contains("the option Quodlibet is not solved here"), "{command}: {said}");
    }
    let limited = "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: \"#2\"\n\
                   options: [Threat 1, MaxSolutions 1]\n";
    let solved = run_with_input(&["batch", "-"], limited);
    for option in ["Threat", "MaxSolutions"] {
        assert!(solved.err.contains(&format!("the option {option} is not applied")), "{}", solved.err);
    }
}

#[test]
fn studies_are_not_solved_in_any_command_that_reads_collections() {
    for sign in ["=", "+"] {
        let entry = format!("---\nalgebraic: {{white: [Ka1, Qb3], black: [Kc1, Pa3]}}\nstipulation: \"{sign}\"\n");
        let page = format!(
            "[{{\"algebraic\": {{\"white\": [\"Ka1\", \"Qb3\"], \"black\": [\"Kc1\", \"Pa3\"]}}, \"stipulation\": \"{sign}\"}}]"
        );
        for (command, input) in ["batch", "report", "audit"].into_iter().flat_map(|it| [(it, &entry), (it, &page)]) {
            let refused = run_with_input(&[command, "-"], input.as_bytes());
            let said = format!("{}{}", refused.out, refused.err);
            assert!(said.contains(&format!("the stipulation \"{sign}\" is that of a study")), "{command}: {said}");
            assert!(!said.contains("stalemate in") && !said.contains("mate in"), "{command}: {said}");
        }
    }
    for twin in ["Stipulation =", "=", "+"] {
        let entry = format!(
            "---\nalgebraic: {{white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}}\nstipulation: \"#2\"\n\
             twins: {{b: \"{twin}\"}}\n"
        );
        let report = run_with_input(&["report", "-"], entry);
        assert!(report.out.contains("b is not solved"), "{twin}: {} {}", report.out, report.err);
    }
}

#[test]
fn no_operation_hides_in_a_remark() {
    let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
    for remark in ["- dm 3; bm Rh6;", "- - dm 3;", "(dm 3);", "bm Rh6; 0:18 dm 3;"] {
        let refused = run_with_input(&["batch", "-", "--check"], format!("{fen} {remark}\n"));
        assert_eq!(refused.code, 3, "{remark}: {}", refused.out);
        assert!(!refused.out.contains("check: ok"), "{remark}: {}", refused.out);
    }
    let read = run_with_input(&["batch", "-", "--check"], format!("{fen} bm #2; (#10 @ C2/R-3);\n"));
    assert!(read.code == 0 && read.out.contains("check: ok"), "{} {}", read.out, read.err);
}

#[test]
fn a_name_keeps_its_full_stop_and_a_message_of_several_lines_is_readable() {
    let text = "BeginProblem\nAuthor A. Name jr.\nPieces White Kf8 Rh1 Pg6 Black Kh8 Bg8 Pg7 Ph7\nStipulation #2\nEndProblem\n";
    let solved = run_with_input(&["popeye", "-regression"], text);
    assert!(solved.out.contains("A. Name jr."), "{}", solved.out);
    let refused = run(&["no\nposition\r\nhere"]);
    assert!(refused.err.contains("no position here") && !refused.err.contains('\u{fffd}'), "{}", refused.err);
}

#[test]
#[cfg(target_os = "linux")]
fn proposals_on_a_terminal_are_counted_and_listed_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let seen = on_a_terminal(80, folder.path(), "mend 5Kbk/6pp/6P1/8/8/8/8/7R w - - -s #3 --changes 1 --threads 1");
    assert!(seen.contains(" diagrams tried, ") && !seen.contains('\u{fffd}'), "{seen}");
    let list = seen.split_once("1. ").expect("there is a proposal").1;
    let fens: Vec<&str> = list.split_whitespace().filter(|word| word.matches('/').count() == 7).collect();
    let once: std::collections::BTreeSet<&str> = fens.iter().copied().collect();
    assert!(!fens.is_empty() && once.len() == fens.len(), "{seen}");
    assert!(!seen.split("1. ").next().is_some_and(|before| before.contains("8/8/8/8")), "{seen}");
}

#[test]
fn a_file_where_one_position_is_wanted_is_explained_with_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my.epd");
    std::fs::write(&file, "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\n").unwrap();
    let name = file.to_str().unwrap();
    for command in ["economy", "mend", "twins", "retract", "diagram"] {
        let refused = run(&[command, name, "-s", "#2"][..if command == "diagram" { 2 } else { 4 }]);
        let words = format!("or its third line by `sed -n 3p {name} | matesolve {command} -`");
        assert!(refused.code == 2 && refused.err.contains(&words), "{}", refused.err);
    }
    let line = std::fs::read(&file).unwrap();
    assert_eq!(run_with_input(&["economy", "-", "--threads", "1"], line).code, 0, "what the message says works");
}

/// Blocked pawns, and kings that cannot pass: every length is refuted, and a set of positions that White cannot leave
/// proves that there is no mate at all. Without room for the set the number is explained.
#[test]
fn a_fortress_has_no_mate_at_all_if_its_positions_are_known() {
    let fortress = "8/k7/1p6/1P6/1P6/KP6/PP6/8 w - -";
    let text = run(&[fortress, "--threads", "1"]).out;
    assert!(text.starts_with("no mate at all\n"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&run(&[fortress, "--threads", "1", "--format", "json"]).out).unwrap();
    assert_eq!((&json["result"]["status"], &json["result"]["no_mate_at_all"]), (&"no_mate".into(), &true.into()));
    let cut = run(&[fortress, "--threads", "1", "--engine", "dfpn"]).out;
    let words = "no mate in 1000, the longest that is looked for; whether there is a longer one is not known";
    assert!(cut.starts_with(words), "{cut}");
    assert!(run(&["8/8/8/3k4/8/8/8/2B1K3 w - -"]).out.starts_with("no mate at all\n"));
}

/// On a narrow terminal a long line of progress would be broken, and stay. Ctrl-C leaves nothing of it.
#[test]
#[cfg(target_os = "linux")]
fn progress_fits_the_terminal_and_leaves_nothing_behind() {
    if !crate::util::has_program("script", "script from util-linux") {
        return;
    }
    let program = env!("CARGO_BIN_EXE_matesolve");
    let hard = crate::util::HARD;
    for arguments in [format!("report '{hard}' -s '#9' --threads 1"), format!("'{hard}' --threads 1")] {
        let command =
            format!("stty rows 24 cols 30; timeout --foreground -s INT 2 '{program}' {arguments} > /dev/null");
        let mut script = std::process::Command::new("script");
        let output = script.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").output().unwrap();
        let seen = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<String> = seen.split(['\r', '\n']).map(crate::util::without_codes).collect();
        assert!(lines.iter().any(|line| line.contains(" no mate in ")), "{seen:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= 30), "{seen:?}");
        let last = seen.rsplit("\u{1b}[2K").next().map(crate::util::without_codes).unwrap_or_default();
        assert_eq!(last.trim(), "", "{seen:?}");
    }
}
