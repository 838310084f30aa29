//! A position on the command line.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

use crate::util::{HARD, LATE_MATE, LOVE_CHASE, PRINZ, Run, matesolve, run, run_with_input};

#[test]
fn a_mate_is_found_proved_and_printed() {
    let Run { code, out, err } = run(&[PRINZ]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines[0], err.as_str()), (0, "mate in 2 (proved shortest)", ""));
    assert!(lines[1].starts_with("1. Rh6 ") && lines[1].ends_with('#'), "{out}");
}

#[test]
fn quotes_around_the_position_may_be_omitted() {
    let words: Vec<&str> = PRINZ.split(' ').collect();
    assert!(run(&words).out.starts_with("mate in 2 (proved shortest)\n"));
}

#[test]
fn the_exit_code_depends_on_the_result() {
    assert_eq!(run(&[PRINZ, "--mate", "2"]).code, 0);
    let none = run(&[PRINZ, "--mate", "1"]);
    assert_eq!((none.code, none.out.lines().next()), (1, Some("no mate in 1")));
    let open = run(&[HARD, "--nodes", "1000"]);
    assert_eq!(open.code, 4);
    assert!(open.out.starts_with("no mate found") && open.out.contains("(node limit reached)"), "{}", open.out);
    let slow = run(&[HARD, "--time", "10ms"]);
    assert_eq!(slow.code, 4);
    assert!(slow.out.contains("(time limit reached)"), "{}", slow.out);
    assert_eq!(run(&["nonsense"]).code, 3);
    assert_eq!(run(&[PRINZ, "--nodes", "many"]).code, 2);
    assert_eq!(run(&[PRINZ, "--mate", "0"]).code, 2);
    assert_eq!(run(&[PRINZ, "--mate", "2", "-s", "#3"]).code, 2);
    assert_eq!(run(&[PRINZ, "--engine", "gustav"]).code, 2);
}

#[test]
fn a_pipe_is_read_without_arguments() {
    let answer = |input: &str, arguments: &[&str]| run_with_input(arguments, input);
    let solved = answer(&format!("{PRINZ}\n"), &[]);
    assert_eq!((solved.code, solved.out.lines().next()), (0, Some("mate in 2 (proved shortest)")));
    let several = answer(&format!("{PRINZ}\n{PRINZ}\n"), &[]);
    assert!(several.code == 2 && several.err.contains("use `matesolve batch -` to solve them all"), "{several:?}");
    for (arguments, input) in
        [(&[][..], ""), (&[][..], " \n\n"), (&["-"][..], ""), (&["report", "-", "-s", "#2"][..], "")]
    {
        let empty = answer(input, arguments);
        let is_named = empty.err.starts_with("matesolve: standard input ");
        assert!(empty.code == 3 && empty.out.is_empty() && is_named, "{arguments:?}: {empty:?}");
    }
    let nothing = answer("", &["batch", "-"]);
    assert_eq!(
        (nothing.code, nothing.err.as_str()),
        (3, "matesolve: standard input holds no position; write one FEN or EPD on each line\n")
    );
}

#[test]
fn wrong_numbers_and_unknown_options_name_what_to_write() {
    for (arguments, why) in [
        (["--mate", "two"], "\"two\" is no value of --mate <N>; write a whole number"),
        (["--mate", "99999999999999999999"], "is no value of --mate <N>; write a whole number"),
        (["--max", "2"], "write --mate N"),
        (["--mate", "0"], "0 is not in 1..=1000"),
        (["-n", "5"], "write --nodes N for a limit of nodes, or --mate N for a length"),
        (["--nods", "5"], "--nodes"),
        (["--frobnicate", "5"], "list the options"),
    ] {
        let refused = run(&[&[PRINZ], &arguments[..]].concat());
        assert!(refused.code == 2 && refused.err.contains(why), "{arguments:?}: {}", refused.err);
        assert!(!refused.err.contains("digit") && !refused.err.contains("as a value"), "{}", refused.err);
    }
}

#[test]
fn mates_longer_than_the_bound_are_not_searched_for() {
    assert_eq!(run(&[LOVE_CHASE, "--mate", "3"]).out.lines().next(), Some("mate in 3 (proved shortest)"));
    let none = run(&[LOVE_CHASE, "--mate", "2"]);
    assert_eq!((none.code, none.out.lines().next()), (1, Some("no mate in 2")));
    let stated = run(&[&format!("{LOVE_CHASE} dm 2;")]);
    assert_eq!((stated.code, stated.out.lines().next()), (1, Some("no mate in 2")));
    let ignored = run(&[&format!("{LOVE_CHASE} dm 2;"), "--any-length"]);
    assert_eq!(ignored.out.lines().next(), Some("mate in 3 (proved shortest)"));
}

#[test]
fn a_length_is_one_question_in_either_option_and_first_asks_for_less() {
    let lines = |arguments: &[&str]| {
        let Run { code, out, err } = run(&[&[PRINZ], arguments].concat());
        (code, out.lines().take(2).map(str::to_owned).collect::<Vec<_>>(), err)
    };
    for n in 1..=4 {
        let (number, stipulation) = (n.to_string(), format!("#{n}"));
        let stated = lines(&["-s", &stipulation]);
        assert_eq!(lines(&["--mate", &number]), stated, "{n}");
        assert!(stated.1[0] == if n == 1 { "no mate in 1" } else { "mate in 2 (proved shortest)" }, "{stated:?}");
    }
    // Of a file, the length is a published one.
    let published = run(&[&format!("{PRINZ} dm 3;")]);
    assert!(published.err.contains("shorter than the stipulated #3"), "{}", published.err);
    for arguments in [&["--first"][..], &["--first", "--mate", "3"], &["--first", "-s", "#3"]] {
        let (code, found, _) = lines(arguments);
        assert!(code == 0 && found[0].starts_with("mate in ") && found[1].ends_with('#'), "{arguments:?}: {found:?}");
    }
    assert_eq!(lines(&["--first", "--mate", "1"]).1[0], "no mate in 1");
}

#[test]
fn a_mate_longer_than_the_bound_is_shown_as_what_it_is() {
    let Run { code, out, .. } = run(&[LATE_MATE, "--mate", "13", "--nodes", "1000000", "--threads", "1"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("mate in ≤ ") && lines[0].contains(", longer than the 13 asked; not in "), "{out}");
    assert!(lines[0].ends_with(" (node limit reached)") && lines[1].ends_with('#'), "{out}");
    assert!(!out.contains("--defend"), "a side that mates is not mated: {out}");
    assert_eq!(code, 4);
}

#[test]
fn the_side_to_move_may_be_the_side_that_is_mated() {
    // After 1. Rh6 every move of Black loses.
    let after_the_key = "5Kbk/6pp/6PR/8/8/8/8/8 b - -";
    for arguments in [vec![after_the_key, "--defend"], vec!["5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-1;"]] {
        let Run { code, out, .. } = run(&arguments);
        assert_eq!((code, out.lines().next()), (0, Some("mated in 1 (proved shortest)")));
        assert!(out.lines().nth(1).is_some_and(|line| line.starts_with("1... ")), "{out}");
    }
    let ignored = run(&["5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-7;", "--any-length"]);
    assert_eq!(ignored.out.lines().next(), Some("mated in 1 (proved shortest)"));
}

#[test]
fn a_mate_shorter_than_stipulated_gives_a_warning() {
    let Run { code, err, .. } = run(&[&format!("{PRINZ} dm 4;")]);
    assert_eq!((code, err.as_str()), (0, "matesolve: warning: the mate in 2 is shorter than the stipulated #4\n"));
    assert_eq!(run(&[&format!("{PRINZ} dm 4;"), "-q"]).err, "");
}

#[test]
fn positions_without_a_legal_move_are_answered_at_once() {
    let mated = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1";
    let Run { code, out, .. } = run(&[mated, "--defend"]);
    assert_eq!((code, out.as_str()), (0, "mated in 0: the side to move is checkmated\n"));
    assert_eq!(run(&[mated]).code, 1);
    let stalemate = run(&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--defend"]);
    assert_eq!(stalemate.code, 1);
    assert!(stalemate.out.starts_with("stalemate"), "{}", stalemate.out);
}

#[test]
fn the_rights_of_the_fen_are_used() {
    // Dawson 1913: with the castling right there is another solution.
    let position = |castling| format!("nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w {castling} - 0 1");
    let key = |castling| run(&[&position(castling), "--format", "epd"]).out;
    assert!(key("-").contains("dm 2; bm Rf1;"), "{}", key("-"));
    assert!(key("K").contains("dm 2; bm"), "{}", key("K"));
    // Amelung: the key captures en passant.
    let passing = run(&["7R/7p/5P1k/4PKpP/8/8/8/8 w - g6", "--mate", "2"]);
    assert!(passing.out.contains("1. hxg6"), "{}", passing.out);
    assert_eq!(run(&["7R/7p/5P1k/4PKpP/8/8/8/8 w - -", "--mate", "2"]).code, 1);
}

#[test]
fn warnings_name_the_rights_that_were_dropped() {
    let Run { code, err, .. } = run(&["5Kbk/6pp/6P1/8/8/8/8/7R w K e6"]);
    assert_eq!(code, 0);
    assert!(err.contains("castling right K is dropped") && err.contains("en passant square e6 is dropped"), "{err}");
}

#[test]
fn two_runs_with_a_node_limit_print_the_same() {
    let arguments = [HARD, "--nodes", "5000", "--threads", "1", "--format", "epd"];
    let without_time = |out: String| out.split("acs").next().map(str::to_owned);
    assert_eq!(without_time(run(&arguments).out), without_time(run(&arguments).out));
}

#[test]
fn output_is_coloured_only_on_request() {
    assert!(!run(&[PRINZ]).out.contains('\u{1b}'));
    assert!(run(&[PRINZ, "--color", "always"]).out.contains("\u{1b}[1m"));
    let no_color = matesolve().args([PRINZ, "--color", "auto"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!Run::from(no_color).out.contains('\u{1b}'));
}

#[test]
fn verbose_runs_report_progress() {
    let Run { err, .. } = run(&[PRINZ, "-v"]);
    assert!(err.contains("no mate in 1 ("), "{err}");
}

#[test]
fn help_man_page_completions_and_schema_are_printed() {
    for (arguments, expected) in [
        (&["--help"][..], "`matesolve COMMAND -h` shows"),
        (&["help", "solve"], "Exit codes:"),
        (&["batch", "--help"], "--jobs"),
        (&["--version"], env!("CARGO_PKG_VERSION")),
        (&["man"], ".TH matesolve 1"),
        (&["completions", "bash"], "_matesolve"),
        (&["completions", "fish"], "complete -c matesolve"),
        (&["schema"], "\"$schema\""),
    ] {
        let Run { code, out, .. } = run(arguments);
        assert_eq!(code, 0, "{arguments:?}");
        assert!(out.contains(expected), "{arguments:?}: {out}");
    }
}

/// Starts the program.
#[cfg(unix)]
fn started(arguments: &[&str]) -> Child {
    matesolve().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends the signal of Ctrl-C.
#[cfg(unix)]
fn interrupt(process: u32) {
    assert!(Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap().success());
}

/// Runs the program and interrupts it when it has printed its first line.
#[cfg(unix)]
fn interrupted(arguments: &[&str]) -> Run {
    let mut child = started(arguments);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    out.read_line(&mut text).unwrap();
    interrupt(child.id());
    out.read_to_string(&mut text).unwrap();
    Run { out: text, ..child.wait_with_output().unwrap().into() }
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_a_list_that_is_being_written() {
    // There are 970,985,506 solutions.
    let run = interrupted(&["8/B7/RQ6/7k/8/8/6PP/3n2RK b - -", "-s", "ser-h=12", "-q"]);
    assert!(run.code == 130 && run.out.starts_with("shorter than stipulated:\n1.Nb2 "), "{} {}", run.code, run.err);
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_prints_what_is_proved() {
    let mut child = started(&[HARD, "-v", "--engine", "exhaustive"]);
    // The search has begun when it reports that there is no mate in one.
    let mut first = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut first).unwrap();
    interrupt(child.id());
    let Run { code, out, .. } = child.wait_with_output().unwrap().into();
    assert_eq!(code, 130);
    assert!(out.starts_with("no mate found; none in ") && out.contains("(interrupted)"), "{out}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_list_of_first_moves_ends() {
    let mut child = started(&[PRINZ, "--moves", "--time", "1m", "-v"]);
    let mut first = String::new();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    told.read_line(&mut first).unwrap();
    assert!(first.starts_with("1. Rh6 decided ("), "{first}");
    interrupt(child.id());
    let Run { code, out, .. } = child.wait_with_output().unwrap().into();
    assert_eq!(code, 130);
    assert!(out.starts_with("mate in 2 (proved shortest): Rh6\n") && out.contains("(interrupted)"), "{out}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_batch_prints_the_lines_that_were_begun() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{PRINZ}\n{HARD}\n{PRINZ}\n")).unwrap();
    let arguments =
        ["batch", "--jobs", "1", "--threads", "1", "--time", "1h", "--format", "jsonl", "--engine", "exhaustive"];
    let Run { code, out, err } = interrupted(&[&arguments[..], &[file.path().to_str().unwrap()]].concat());
    assert_eq!(code, 130);
    assert!(err.contains("interrupted after "), "{err}");
    let statuses: Vec<String> = out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["result"]["status"].to_string())
        .collect();
    // The search of the second line may not have begun; the search of the third line has not.
    assert!(
        ["[\"\\\"mate\\\"\"]", "[\"\\\"mate\\\"\", \"\\\"undecided\\\"\"]"].contains(&format!("{statuses:?}").as_str()),
        "{out}"
    );
}

#[test]
fn without_a_mate_the_answer_says_whether_the_side_to_move_is_mated() {
    let first_lines = |arguments: &[&str]| run(arguments).out.lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    let mated = run(&["5Kbk/6pp/6PR/8/8/8/8/8 b - -"]);
    assert_eq!(mated.code, 1);
    assert!(mated.out.starts_with("no mate at all\nBlack is mated in 1 (proved shortest)\n1... "), "{}", mated.out);
    let bare = ["8/8/8/4k3/8/8/8/4K3 w - -"];
    assert_eq!(first_lines(&bare), ["no mate at all", "White is not mated either"]);
    let short = first_lines(&[LOVE_CHASE, "--mate", "2"]);
    assert!(short[0] == "no mate in 2" && short[1].starts_with("White is not mated "), "{short:?}");
    let open = first_lines(&[HARD, "--nodes", "20k"]);
    assert!(
        open[0].starts_with("no mate found; none in ") && open[0].contains(" moves or fewer (node limit"),
        "{open:?}"
    );
    assert_eq!(open[1], "to ask whether White is mated, add --defend");
    // With --defend, or a mate, there is no other question.
    for arguments in [&[PRINZ][..], &["5Kbk/6pp/6PR/8/8/8/8/8 b - -", "--defend"]] {
        assert!(!run(arguments).out.contains("--defend"), "{arguments:?}");
    }
}

#[test]
fn single_moves_are_listed_with_their_lengths() {
    // Two queen moves mate at once; the others mate later or not at all.
    let queen = "7k/8/5K2/6Q1/8/8/8/8 w - -";
    let all = run(&[queen, "--moves", "--mate", "2"]);
    let lines: Vec<&str> = all.out.lines().collect();
    assert_eq!((all.code, lines[0]), (0, "mate in 1 (proved shortest): Qg7#"), "{}", all.out);
    assert!(lines[1].starts_with("mate in 2 (proved shortest): ") && lines[1].contains(" Kf7"), "{}", all.out);
    assert!(lines.iter().any(|line| line.starts_with("none in 2: ")), "{}", all.out);
    let listed = lines.iter().filter_map(|line| Some(line.split_once(": ")?.1.split(' ').count()));
    assert_eq!(listed.take(lines.len() - 1).sum::<usize>(), 26, "{}", all.out);
    let best = run(&[queen, "--lines", "2"]);
    let lines: Vec<&str> = best.out.lines().collect();
    assert_eq!(lines[0], "Qg7#    mate in 1 (proved shortest)  1. Qg7#");
    assert!(lines[1].contains("mate in 2 (proved shortest)  1. ") && lines[2].contains("other moves"), "{}", best.out);
    let none = run(&[LOVE_CHASE, "--moves", "--mate", "2"]);
    let refuted = none.out.lines().find_map(|line| line.strip_prefix("none in 2: ")).expect("the moves fail");
    assert!(none.code == 1 && refuted.split(' ').count() == 29, "{}", none.out);
    let limited = run(&[HARD, "--moves", "--nodes", "5000"]);
    assert_eq!(limited.code, 4);
    assert!(limited.out.contains("not all lengths are exact (node limit reached)"), "{}", limited.out);
    let tables = run(&["8/8/8/8/4k3/8/8/K2N1B2 w - -", "--lines", "2", "--engine", "retro"]);
    assert!(tables.out.starts_with("Kb2     mate in 31 (proved shortest)"), "{}", tables.out);
    assert!(tables.out.contains("12 other moves: no mate in 31\nretro: "), "{}", tables.out);
    assert!(run(&[queen, "--moves", "--syzygy", "."]).err.contains("there is no Syzygy file"));
    for refused in [
        &["--moves", "--engine", "pn"],
        &["--moves", "--defend"][..],
        &["--moves", "--lines", "2"],
        &["--lines", "2", "--format", "epd"],
        &["--moves", "--syzygy", "."],
    ] {
        assert_eq!(run(&[&[queen], refused].concat()).code, 2, "{refused:?}");
    }
}

#[test]
fn one_vocabulary_for_stipulations() {
    let three = "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - dm 2;";
    assert!(run(&[three]).out.starts_with("no mate in 2"), "the length in the input counts");
    assert!(run(&[three, "-s", "#3"]).out.starts_with("mate in 3 (proved shortest)"), "-s replaces it");
    assert!(run(&[three, "--any-length"]).out.starts_with("mate in 3 (proved shortest)"));
    assert!(run(&["5Kbk/6pp/6PR/8/8/8/8/8 b - -", "-s", "#-1"]).out.starts_with("mated in 1"));
    let line = crate::util::batch_of(three, &["-s", "#3"]).0;
    assert!(line.out.starts_with("1 mate in 3"), "{}", line.out);
    assert!(run(&[three, "-s", "#3.0"]).out.starts_with("mate in 3"));
    assert_eq!(run(&[three, "--stipulation", "ignore"]).code, 2);
    assert_eq!(run(&[three, "-s", "pser-#3"]).code, 2);
    assert_eq!(run(&[three, "-s", "#3", "--any-length"]).code, 2);
}

#[test]
fn results_can_be_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.txt");
    let name = file.to_str().unwrap();
    let alone = run(&[PRINZ, "-o", name]);
    assert_eq!((alone.code, alone.out.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("mate in 2 (proved shortest)\n1. Rh6"));
    let batch = crate::util::batch_of(PRINZ, &["-o", name]).0;
    assert_eq!((batch.code, batch.out.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("1 mate in 2"));
}

#[test]
fn several_threads_print_the_same_line_of_a_shortest_mate() {
    // A mate in seven by many ways; it takes more nodes than one thread searches before the others start.
    let problem = "8/8/8/8/3k4/8/8/KQ6 w - -";
    let answer = |threads: &str| -> serde_json::Value {
        let out = run(&[problem, "--threads", threads, "--format", "json"]).out;
        serde_json::from_str::<serde_json::Value>(&out).unwrap()
    };
    let first = answer("3");
    assert_eq!((&first["result"]["proved_shortest"], &first["result"]["pv_repeatable"]), (&true.into(), &true.into()));
    assert!(first["stats"]["nodes"].as_u64().unwrap() > 20_000, "{first}");
    for _ in 0..4 {
        assert_eq!(answer("3")["result"], first["result"]);
    }
    assert_eq!(answer("1")["result"]["pv_repeatable"], true);
    let stopped = run(&[problem, "--threads", "1", "--mate", "60", "--time", "1ms", "--format", "json"]).out;
    let stopped: serde_json::Value = serde_json::from_str(&stopped).unwrap();
    assert_ne!(stopped["result"]["pv_repeatable"], true, "a time limit may end every run elsewhere");
}
