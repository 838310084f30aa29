//! Tests of the UCI engine, line by line: a session for every command, and garbage.
//!
//! `tests/uci/check_uci.py` tests what needs a chess program: games, clocks, and the check of every `info` line.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use matesolve::Solver;
use matesolve::problem::Problem;
use matesolve::results::solution::Status;
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

use crate::gui::{Analysis, Gui};
use crate::util::{HARD, LATE_MATE, LOVE_CHASE, PRINZ, matesolve, run_with_input};

/// Mate in two by White, 1. Kc7 Ka7 2. Ra1#. No move captures or moves a pawn.
const ROOK: &str = "k7/8/2K5/8/8/8/8/1R6 w - -";

#[test]
fn uci_lists_the_options_and_quit_ends_the_session() {
    let mut gui = Gui::new();
    gui.send("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name matesolve ") && lines[1].starts_with("id author "), "{lines:?}");
    for option in ["Threads", "Hash", "MultiPV", "UCI_Chess960", "UCI_AnalyseMode", "Rule50", "Clear Hash", "Engine"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))), "{option}");
    }
    assert_eq!(gui.replies_to("ucinewgame\nregister later"), [""; 0]);
    assert_eq!(gui.end("quit"), 0);
}

#[test]
fn mates_by_and_against_the_side_to_move_are_found() {
    let mut gui = Gui::new();
    let prinz = gui.go(PRINZ, "nodes 10000");
    assert_eq!((prinz.score(), prinz.best.as_str()), ("mate 2", "h1h6"));
    assert!(prinz.sentences.contains("mate in 2 (proved shortest)"), "{}", prinz.sentences);
    let mated = gui.go("5Kbk/6pp/6PR/8/8/8/8/8 b - -", "nodes 10000");
    assert_eq!(mated.score(), "mate -1");
    assert!(mated.sentences.contains("mated in 1 (proved shortest)"), "{}", mated.sentences);
    // Black, to move, is mated in two.
    assert_eq!(gui.go("8/k7/2K5/8/8/8/8/1R6 b - -", "nodes 100000").score(), "mate -2");
}

#[test]
fn mate_and_depth_limit_the_length() {
    let mut gui = Gui::new();
    assert_eq!(gui.go(PRINZ, "mate 2").score(), "mate 2");
    gui.send("ucinewgame");
    let none = gui.go(PRINZ, "mate 1");
    assert_eq!(none.score(), "cp 0");
    assert!(none.sentences.contains("no mate in 1"), "{}", none.sentences);
    assert_eq!(gui.go(PRINZ, "depth 3").score(), "mate 2");
    gui.send("setoption name Clear Hash");
    assert_eq!(gui.go(PRINZ, "depth 2").score(), "cp 0");
    assert_eq!(gui.go(LOVE_CHASE, "depth 5").score(), "mate 3");
}

#[test]
fn a_mate_longer_than_go_mate_asks_for_is_shown() {
    let mut gui = Gui::new();
    let late = gui.go(LATE_MATE, "mate 13 nodes 1500000");
    let length = late.score().strip_prefix("mate ").and_then(|n| n.parse::<u32>().ok());
    assert!(length.is_some_and(|n| n > 13), "{}", late.score());
}

#[test]
fn mate_without_a_number_answers_with_the_first_mate_or_after_stop() {
    let mut gui = Gui::new();
    assert_eq!(gui.go(PRINZ, "mate").score(), "mate 2");
    assert_eq!(gui.go("8/k7/2K5/8/8/8/8/1R6 b - -", "mate").score(), "mate -2");
    // Nobody can mate, which is known at once; still only `stop` ends the search.
    let bare = "7k/8/8/8/8/8/8/K7 w - -";
    gui.send(&format!("position fen {bare}\ngo mate"));
    gui.until("info depth");
    assert!(gui.replies_to("debug off").iter().all(|line| !line.starts_with("bestmove")));
    gui.send("stop");
    assert_eq!(Analysis::of(bare, &gui.until("bestmove")).score(), "cp 0");
}

/// White wins the queen ending in 33 moves, and his king has fewer flights, so that Black seems to attack.
const QUEEN_AGAINST_ROOK: &str = "8/8/3k4/3r4/8/8/8/KQ6 w - -";

#[test]
fn endings_are_decided_with_the_memory_that_the_command_line_uses() {
    let mut gui = Gui::new();
    // The search ends by itself: its length is proved.
    let won = gui.go(QUEEN_AGAINST_ROOK, "depth 65");
    assert_eq!(won.score(), "mate 33");
    assert!(won.sentences.contains("mate in 33 (proved shortest)"), "{}", won.sentences);
    // Tables of both sides answer for single moves.
    let lost = gui.go("8/8/8/3qk3/8/8/8/K1R5 w - -", "depth 100 searchmoves c1b1 c1c8");
    assert_eq!((lost.score(), lost.best.as_str()), ("mate -18", "c1b1"));
}

#[test]
fn a_search_that_cannot_go_on_says_why() {
    let mut gui = Gui::new();
    gui.send("setoption name Hash value 16");
    let full = gui.go(QUEEN_AGAINST_ROOK, "movetime 600000");
    let sentence = "the memory is used up before it is decided whether White mates; set Hash to more than 16";
    assert!(full.score() == "cp 0" && full.sentences.contains(sentence), "{}", full.sentences);
    gui.send("setoption name Engine value retro");
    let castling = gui.go("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "movetime 600000");
    assert!(castling.sentences.contains("retro does not run: tables hold no positions"), "{}", castling.sentences);
    gui.send("setoption name Hash value 1");
    let small = gui.go(QUEEN_AGAINST_ROOK, "movetime 600000");
    assert!(small.sentences.contains("retro does not run: the tables of KQKR"), "{}", small.sentences);
}

#[test]
fn an_infinite_search_answers_after_stop() {
    let mut gui = Gui::new();
    let mut waited = Duration::ZERO;
    // The initial position, and a problem that is solved long before `stop`: neither answers by itself.
    for fen in [HARD, PRINZ] {
        gui.send(&format!("position fen {fen}\ngo infinite"));
        gui.until("info depth");
        assert!(gui.replies_to("debug on\ndebug off").iter().all(|line| !line.starts_with("bestmove")));
        let asked = Instant::now();
        gui.send("stop");
        Analysis::of(fen, &gui.until("bestmove"));
        waited = waited.max(asked.elapsed());
    }
    println!("stop was answered within {waited:?}");
    assert_eq!(gui.replies_to("stop\nstop"), [""; 0]);
}

#[test]
fn stop_also_ends_the_searches_that_wait_in_the_queue() {
    let mut gui = Gui::new();
    gui.send(&format!(
        "position fen {HARD}\ngo infinite\ngo nodes 1000000000000\nposition fen {PRINZ}\ngo infinite\nstop"
    ));
    for fen in [HARD, HARD, PRINZ] {
        Analysis::of(fen, &gui.until("bestmove"));
    }
    // The next search is not stopped.
    assert_eq!(gui.go(PRINZ, "nodes 100000").score(), "mate 2");
}

#[test]
fn time_and_clocks_end_a_search() {
    let mut gui = Gui::new();
    gui.go(HARD, "movetime 100");
    gui.go(HARD, "wtime 1000 btime 1000 winc 10 binc 10");
    gui.go(HARD, "wtime 0 btime 0 movestogo 1");
    gui.go(HARD, "wtime -20 btime 1000");
    gui.go(HARD, "nodes 0");
}

#[test]
fn pondering_answers_after_ponderhit() {
    let mut gui = Gui::new();
    gui.send(&format!("position fen {PRINZ}\ngo ponder wtime 100000 btime 100000"));
    gui.until("info depth");
    assert!(gui.replies_to("").iter().all(|line| !line.starts_with("bestmove")));
    gui.send("ponderhit");
    assert_eq!(Analysis::of(PRINZ, &gui.until("bestmove")).best, "h1h6");
    gui.send(&format!("position fen {HARD}\ngo ponder wtime 1000 btime 1000\nstop"));
    gui.until("bestmove");
    assert!(gui.replies_to("ponderhit")[0].contains("ponderhit is ignored"));
}

#[test]
fn several_lines_have_exact_scores() {
    let mut gui = Gui::new();
    gui.send("setoption name MultiPV value 3");
    // 1. Qf1 is the key; 1. Qg4, 1. Qe4 and others mate one move later.
    let love = gui.go(LOVE_CHASE, "nodes 3000000");
    assert_eq!(love.scores(), ["mate 3", "mate 4", "mate 4"]);
    let two = gui.go("7k/5Q2/5K2/8/8/8/8/8 w - -", "infinite\nstop");
    assert_eq!(two.lines.len(), 3);
    // The side to move is mated: the moves that delay the mate longest come first.
    let mated = gui.go("8/8/8/8/8/5k2/7q/5K2 w - -", "nodes 10000");
    assert_eq!(mated.scores(), ["mate -1"]);
    let longer = gui.go("6k1/8/6K1/8/8/8/8/R7 b - -", "nodes 100000");
    assert_eq!(longer.scores(), ["mate -2", "mate -1"]);
}

#[test]
fn searchmoves_restricts_the_first_moves() {
    let mut gui = Gui::new();
    let bad = gui.go(PRINZ, "nodes 20000 searchmoves h1h2 h1h3");
    assert!(bad.score() != "mate 2" && ["h1h2", "h1h3"].contains(&bad.best.as_str()), "{bad:?}");
    assert_eq!(gui.go(PRINZ, "nodes 20000 searchmoves h1h2 h1h6").score(), "mate 2");
    // An illegal move is ignored, and so there is no restriction left.
    let illegal = gui.go(PRINZ, "nodes 20000 searchmoves e2e4");
    assert!(illegal.sentences.contains("e2e4 is not legal") && illegal.score() == "mate 2", "{illegal:?}");
    let lost = gui.go("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq -", "nodes 20000 searchmoves g2g4");
    assert_eq!((lost.score(), lost.best.as_str()), ("mate -1", "g2g4"));
}

#[test]
fn without_a_mate_a_sensible_move_is_played() {
    let mut gui = Gui::new();
    let fools = gui.go("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq -", "nodes 5000");
    assert!(fools.score() == "cp 0" && fools.best != "g2g4", "{fools:?}");
    assert!(fools.sentences.contains("cp 0 is not an evaluation"), "{}", fools.sentences);
    assert_eq!(gui.go("4k3/8/8/3q4/4P3/8/8/4K3 w - -", "nodes 5000").best, "e4d5");
    let only = gui.go("k7/8/1R6/8/8/8/8/K7 b - -", "wtime 10000 btime 10000");
    assert_eq!(only.best, "a8a7");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut gui = Gui::new();
    for (fen, score) in [("R5k1/5ppp/8/8/8/8/8/K7 b - -", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - -", "cp 0")] {
        for limit in ["nodes 100", "movetime 10", "mate 2", "infinite\nstop"] {
            let over = gui.go(fen, limit);
            assert_eq!((over.score(), over.best.as_str()), (score, "(none)"), "{fen} {limit}");
        }
    }
}

#[test]
fn claimable_draws_count_only_with_rule50() {
    let mut gui = Gui::new();
    let late = format!("{ROOK} 98 90");
    assert_eq!(gui.go(&format!("{ROOK} 97 90"), "mate 2").score(), "mate 2");
    let drawn = gui.go(&late, "mate 2");
    assert_eq!(drawn.score(), "cp 0");
    assert!(drawn.sentences.contains("the loser could claim a draw"), "{}", drawn.sentences);
    gui.send("setoption name Rule50 value false");
    assert_eq!(gui.go(&late, "mate 2").score(), "mate 2");
    // 1. Kc7 Ka7 has been played twice. White has another mate, one move longer.
    let shuffle = "c6c7 a8a7 c7c6 a7a8 ".repeat(2);
    let game = format!("position fen {ROOK} 0 1 moves {shuffle}");
    for (rule, expected) in [("false", "mate 2"), ("true", "mate 3")] {
        gui.send(&format!("ucinewgame\nsetoption name Rule50 value {rule}\n{game}\ngo nodes 300000"));
        assert_eq!(Analysis::of(ROOK, &gui.until("bestmove")).score(), expected);
    }
}

#[test]
fn a_proof_is_reused_in_the_next_positions_of_the_game() {
    let mut gui = Gui::new();
    let love = gui.go(LOVE_CHASE, "nodes 1000000");
    let (score, line) = love.lines[0].clone();
    assert_eq!((score.as_str(), line.len()), ("mate 3", 5));
    // The new search has no nodes, so the mate can only come from the proof of the last one.
    gui.send(&format!("position fen {LOVE_CHASE} moves {}\ngo nodes 0", line[..2].join(" ")));
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("score mate 2 nodes 0")), "{lines:?}");
    gui.send(&format!("ucinewgame\nposition fen {LOVE_CHASE} moves {}\ngo nodes 0", line[..2].join(" ")));
    let lines = gui.until("bestmove");
    assert!(lines.iter().all(|said| !said.contains("score mate")), "{lines:?}");
}

#[test]
fn castling_is_written_in_the_form_that_uci_chess960_selects() {
    let mut gui = Gui::new();
    let fen = "8/8/8/8/8/8/7p/5k1K w - - 0 1";
    assert_eq!(gui.go(fen, "nodes 100").best, "h1h2");
    let mut castled = |option: &str, text: &str| {
        gui.send(&format!("setoption name UCI_Chess960 value {option}\nposition fen 8/3k4/8/8/8/8/8/4K2R w K - 0 1"));
        gui.send(&format!("go nodes 100 searchmoves {text}"));
        let lines = gui.until("bestmove");
        lines.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!((castled("false", "e1g1"), castled("false", "e1h1")), ("e1g1".to_owned(), "e1g1".to_owned()));
    assert_eq!((castled("true", "e1g1"), castled("true", "e1h1")), ("e1h1".to_owned(), "e1h1".to_owned()));
}

#[test]
fn options_are_set_or_refused_with_a_sentence() {
    let mut gui = Gui::new();
    assert_eq!(
        gui.replies_to("setoption name Threads value 2\nsetoption name hash value 16\nsetoption name Clear Hash"),
        [""; 0]
    );
    assert!(gui.replies_to("setoption name Threads value 0")[0].contains("from 1 to 1024"));
    assert!(gui.replies_to("setoption name Style value Risky")[0].contains("there is no option \"Style\""));
    assert!(gui.replies_to("setoption name Engine value crafty")[0].contains("choose one of "));
    gui.send("setoption name Engine value exhaustive");
    assert_eq!(gui.go(PRINZ, "nodes 100000").score(), "mate 2");
    let searched = gui.go(LOVE_CHASE, "mate 2");
    assert!(searched.sentences.contains("no mate in 2"), "{}", searched.sentences);
}

#[test]
fn debug_reports_refuted_lengths_and_refused_mates() {
    let mut gui = Gui::new();
    gui.send("debug on");
    assert!(gui.go(PRINZ, "nodes 10000").sentences.contains("White has no mate in 1"));
    let late = gui.go(&format!("{ROOK} 98 90"), "mate 2");
    assert!(late.sentences.contains("the loser could claim a draw by the fifty-move rule"), "{}", late.sentences);
    assert!(gui.replies_to("debug perhaps")[0].contains("on or off"));
}

#[test]
fn after_a_bad_position_the_old_one_remains() {
    let mut gui = Gui::new();
    gui.send(&format!("position fen {PRINZ}"));
    for (bad, why) in [
        ("fen 8/8/8/8/8/8/8/8 w - -", "no king"),
        ("startpos moves e2e5", "e2e5, is not legal"),
        ("somewhere", "startpos or fen"),
    ] {
        let replies = gui.replies_to(&format!("position {bad}"));
        assert!(replies[0].contains(why) && replies[0].contains("stays as it was"), "{replies:?}");
    }
    gui.send("go nodes 10000");
    assert_eq!(Analysis::of(PRINZ, &gui.until("bestmove")).score(), "mate 2");
    let warned = gui.replies_to("position fen 7k/8/8/8/8/8/8/4K3 w Q - 0 1");
    assert!(warned[0].contains("castling right Q is dropped"), "{warned:?}");
}

#[test]
fn commands_and_the_end_of_input_wait_for_a_running_search() {
    let script =
        format!("position fen {PRINZ}\ngo nodes 10000\nposition fen {LOVE_CHASE}\ngo nodes 1000000\ngo infinite\n");
    let run = run_with_input(&["uci"], script);
    let scores: Vec<&str> = run.out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!((run.code, scores.len()), (0, 3), "{}", run.out);
    assert!(scores[0].starts_with("h1h6") && scores[1].starts_with("c4f1"), "{scores:?}");
}

#[test]
fn a_closed_output_ends_the_session() {
    let mut child = matesolve().arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut to = child.stdin.take().unwrap();
    let _ = writeln!(to, "position startpos\ngo infinite");
    // The input stays open, so only a failed write shows that the GUI is gone.
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Returns lines of protocol words and other words in random order. Every search in them has a node limit.
fn garbage(lines: usize) -> String {
    const WORDS: [&str; 40] = [
        "uci",
        "isready",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e8q",
        "0000",
        "a1a1",
        "setoption",
        "name",
        "value",
        "Hash",
        "Threads",
        "MultiPV",
        "Rule50",
        "Engine",
        "pvs",
        "true",
        "-1",
        "0",
        "1",
        "99999999999999999999",
        "stop",
        "ponderhit",
        "debug",
        "on",
        "w",
        "-",
        "KQkq",
        "8/8/8/8/8/8/8/8",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "5Kbk/6pp/6P1/8/8/8/8/7R",
        "\u{1b}[31m",
        "\u{7}",
        "zürich",
        "searchmoves",
        "mate",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    let mut text = String::new();
    for _ in 0..lines {
        let limited = random(8) == 0;
        if limited {
            text.push_str("go nodes 50 ");
        }
        for _ in 0..random(9) {
            text.push_str(WORDS[random(WORDS.len())]);
            text.push(if random(20) == 0 { '\t' } else { ' ' });
        }
        text.push('\n');
    }
    text
}

#[test]
fn two_thousand_lines_of_garbage_do_no_harm() {
    let mut input = garbage(2000).into_bytes();
    input.extend((0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8));
    input.extend(format!("\n{}\n", "x".repeat(1_000_000)).bytes());
    input.extend(format!("setoption name MultiPV value 1\nposition fen {PRINZ}\ngo nodes 10000\n").bytes());
    let run = run_with_input(&["uci"], input);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.lines().last().is_some_and(|line| line.starts_with("bestmove h1h6")));
    assert!(run.out.contains("info string a line of more than 65536 bytes is ignored"));
    for line in run.out.lines() {
        let known =
            ["info ", "bestmove ", "id ", "option ", "uciok", "readyok"].iter().any(|start| line.starts_with(start));
        assert!(known && !line.contains('\u{1b}') && !line.contains("internal failure"), "{line}");
    }
}

/// Returns the mate lengths of the first moves, found by the exhaustive engine, shortest first: those up to `within`.
fn exhaustive_mates(fen: &str, within: u16) -> Vec<u16> {
    let chess: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let mut mates = Vec::new();
    for m in chess.legal_moves() {
        let mut after = chess.clone();
        after.play_unchecked(m);
        let fen = Fen::from_position(&after, shakmaty::EnPassantMode::Legal).to_string();
        let solver = Solver::new().engine("exhaustive").unwrap().at_most(within - 1).defend();
        let solution = solver.solve(&Problem::read(&fen).unwrap());
        if solution.result.status == Status::Mated {
            mates.extend(solution.result.mate_in.map(|n| n + 1));
        }
    }
    mates.sort_unstable();
    mates
}

#[test]
fn several_lines_agree_with_the_exhaustive_engine() {
    let mut gui = Gui::new();
    for (threads, fen) in
        [(1, PRINZ), (1, ROOK), (2, ROOK), (1, "8/8/8/8/8/k1K5/8/1R6 w - -"), (2, "7k/8/5KQ1/8/8/8/8/8 w - -")]
    {
        let mates = exhaustive_mates(fen, 3);
        let k = mates.len().min(4);
        assert!(k > 0, "{fen}");
        gui.send(&format!("ucinewgame\nsetoption name Threads value {threads}\nsetoption name MultiPV value {k}"));
        // With nodes to spare the search ends by itself, and then the lines are exact.
        let found = gui.go(fen, "nodes 20000000");
        let expected: Vec<String> = mates.iter().take(k).map(|n| format!("mate {n}")).collect();
        assert_eq!(found.scores(), expected, "{fen}");
        assert!(found.sentences.contains("proved shortest"), "{fen}: {found:?}");
    }
}

#[test]
fn without_arguments_the_line_uci_starts_the_engine() {
    for first in ["uci\n", " uci \r\n"] {
        let run = run_with_input(&[], format!("{first}position fen {PRINZ}\ngo nodes 10000\n"));
        assert!(run.out.starts_with("id name matesolve ") && run.out.contains("\nuciok\n"), "{}", run.out);
        assert!(run.out.contains("\nbestmove h1h6"), "{}", run.out);
        assert_eq!(run.code, 0);
    }
    // Other inputs are positions, or none.
    for other in ["", "ucinewgame\n", "isready\n", &"uci".repeat(100)] {
        let run = run_with_input(&[], other);
        assert!(run.code != 0 && run.out.is_empty() && run.err.contains("matesolve"), "{other}: {}", run.err);
    }
}
