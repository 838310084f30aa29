//! `matesolve puzzles`: verdicts on puzzles that are right and wrong in every way, against a plain brute force; files
//! of every kind; runs that are continued and shared.

use std::io::Write as _;

use matesolve_testkit::random::Random;
use serde_json::{Value, json};
use shakmaty::{Bitboard, Board, File, Piece, Rank, Role, fen::Fen, uci::UciMove};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Move, Position as _, Setup, Square};

use crate::schema::schema_accepts;
use crate::util::{Run, matesolve, run_with_input};

const HEADER: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n";

/// A puzzle of lichess: Black plays Kxf7, and White mates in two.
const FEN: &str = "r1bqk2r/pp1nbNp1/2p1p2p/8/2BP4/1PN3P1/P3QP1P/3R1RK1 b kq - 0 19";
const MOVES: &str = "e8f7 e2e6 f7f8 e6f7";

/// Prinz 1951, with White to move.
const PRINZ: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";

fn row(id: &str, fen: &str, moves: &str, themes: &str) -> String {
    format!("{id},{fen},{moves},1575,76,88,672,{themes},https://example.org/{id},\n")
}

fn puzzles(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    run_with_input(&[&["puzzles", "-"], arguments].concat(), input)
}

/// Runs the program on one record and returns its answer.
fn judged(record: &str) -> Value {
    serde_json::from_str(&puzzles(record, &["--format", "jsonl"]).out).unwrap()
}

/// Moves that have run out of the budget of the brute force.
struct TooMany;

/// Returns whether the side to move mates within `n` moves, by trying everything.
fn mates(chess: &Chess, n: u16, budget: &mut u32) -> Result<bool, TooMany> {
    for m in chess.legal_moves() {
        let mut after = chess.clone();
        after.play_unchecked(m);
        if mated(&after, n - 1, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the side to move is checkmated, or is whatever it plays within `n` moves.
fn mated(chess: &Chess, n: u16, budget: &mut u32) -> Result<bool, TooMany> {
    *budget = budget.checked_sub(1).ok_or(TooMany)?;
    if n == 0 {
        return Ok(chess.is_checkmate());
    }
    let replies = chess.legal_moves();
    if replies.is_empty() {
        return Ok(chess.is_check());
    }
    for m in replies {
        let mut after = chess.clone();
        after.play_unchecked(m);
        if !mates(&after, n, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the length of the shortest mate of at most `most` moves.
fn shortest(chess: &Chess, most: u16, budget: &mut u32) -> Result<Option<u16>, TooMany> {
    for n in 1..=most {
        if mates(chess, n, budget)? {
            return Ok(Some(n));
        }
    }
    Ok(None)
}

/// Returns the moves that mate within `n` moves.
fn mating(chess: &Chess, n: u16, budget: &mut u32) -> Result<Vec<Move>, TooMany> {
    let mut all = Vec::new();
    for m in chess.legal_moves() {
        let mut after = chess.clone();
        after.play_unchecked(m);
        if mated(&after, n - 1, budget)? {
            all.push(m);
        }
    }
    Ok(all)
}

fn uci(m: Move) -> String {
    m.to_uci(CastlingMode::Standard).to_string()
}

/// A generated puzzle.
struct Generated {
    fen: String,
    moves: Vec<String>,
    themes: String,
    /// The number of castlings, en passant captures and promotions in the line.
    kinds: [usize; 3],
}

/// The judgement of the brute force: `mate_in`, the length of the line, verdict, `theme_right` and alternatives.
type Judgement = (Option<u16>, Option<u16>, &'static str, Option<bool>, Vec<(usize, Vec<String>)>);

fn judge(puzzle: &Generated) -> Result<Judgement, TooMany> {
    let mut budget = 300_000;
    let mut chess: Chess = puzzle.fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let mut before = Vec::new();
    for text in &puzzle.moves {
        let m = text.parse::<UciMove>().ok().and_then(|m| m.to_move(&chess).ok());
        let Some(m) = m else {
            let length = None;
            return Ok((None, length, "invalid", None, vec![]));
        };
        before.push((chess.clone(), m));
        chess.play_unchecked(m);
    }
    if before.len() < 2 {
        return Ok((None, None, "invalid", None, vec![]));
    }
    let line = &before[1..];
    let length = u16::try_from(line.len().div_ceil(2)).unwrap();
    let themes: Vec<u16> = puzzle.themes.split(' ').filter_map(|t| t.strip_prefix("mateIn")?.parse().ok()).collect();
    let (root, solver) = (&line[0].0, line[0].0.turn());
    if !chess.is_checkmate() && !puzzle.themes.contains("mate") {
        return Ok((None, Some(length), "not a mate puzzle", None, vec![]));
    }
    if !chess.is_checkmate() || chess.turn() == solver {
        let bound = themes.iter().copied().max().unwrap_or(0).max(length);
        let right = (!themes.is_empty()).then_some(false);
        return Ok((shortest(root, bound, &mut budget)?, Some(length), "no mate", right, vec![]));
    }
    let mate_in = shortest(root, length, &mut budget)?;
    let fits = |n: u16, moves: u16| n == moves || n == 5 && moves > 5;
    let right = themes.iter().all(|&n| fits(n, length) && mate_in.is_some_and(|moves| fits(n, moves)));
    let right = (!themes.is_empty()).then_some(right);
    if mate_in.is_none() {
        return Ok((None, Some(length), "no mate", right, vec![]));
    }
    let (mut alternatives, mut verdict) = (vec![], "right");
    for (ply, (chess, published)) in line.iter().enumerate().step_by(2) {
        let left = length - u16::try_from(ply / 2).unwrap();
        if left == 1 {
            continue;
        }
        let all = mating(chess, left, &mut budget)?;
        let mut others: Vec<String> = all.iter().filter(|m| *m != published).map(|&m| uci(m)).collect();
        others.sort_unstable();
        if verdict == "right" && all != [*published] {
            verdict = "another move mates";
        }
        if shortest(chess, left - 1, &mut budget)?.is_some() {
            verdict = "not shortest";
        }
        if !others.is_empty() {
            alternatives.push((ply + 1, others));
        }
    }
    Ok((mate_in, Some(length), verdict, right, alternatives))
}

/// Places some men at random.
fn placement(random: &mut Random) -> Option<Chess> {
    let mut board = Board::empty();
    let strong = if random.one_in(2) { Color::White } else { Color::Black };
    let men = 4 + random.below(5);
    for index in 0..men {
        let (color, role) = match index {
            0 => (strong, Role::King),
            1 => (!strong, Role::King),
            2 => (strong, random.pick(&[Role::Queen, Role::Rook])),
            _ if random.one_in(3) => (!strong, random.pick(&[Role::Pawn, Role::Pawn, Role::Knight, Role::Rook])),
            _ => (strong, random.pick(&[Role::Queen, Role::Rook, Role::Pawn, Role::Bishop, Role::Knight])),
        };
        let square = Square::new(random.below(64) as u32);
        let on_edge = role == Role::Pawn && matches!(u32::from(square.rank()), 0 | 7);
        if board.piece_at(square).is_none() && !on_edge {
            board.set_piece_at(square, Piece { color, role });
        }
    }
    let mut castling_rights = Bitboard::EMPTY;
    match random.below(6) {
        0 => castling_rights = may_castle(&mut board, strong, random),
        1 => may_take_en_passant(&mut board, strong, random),
        _ => {}
    }
    let setup = Setup { board, turn: !strong, castling_rights, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// Puts the king and a rook of a side on their squares, with the right to castle. Returns the rook.
fn may_castle(board: &mut Board, color: Color, random: &mut Random) -> Bitboard {
    let rank = color.fold_wb(Rank::First, Rank::Eighth);
    let rook = Square::from_coords(random.pick(&[File::A, File::H]), rank);
    let king = Square::from_coords(File::E, rank);
    for square in (Bitboard::from(rank) | (board.kings() & board.by_color(color))).into_iter().collect::<Vec<_>>() {
        board.discard_piece_at(square);
    }
    board.set_piece_at(king, Piece { color, role: Role::King });
    board.set_piece_at(rook, Piece { color, role: Role::Rook });
    Bitboard::from(rook)
}

/// Puts a pawn of the other side on its first square, and one of this side where it can take it en passant.
fn may_take_en_passant(board: &mut Board, color: Color, random: &mut Random) {
    let file = File::new(random.below(7) as u32);
    let (first, beside) = color.fold_wb((Rank::Seventh, Rank::Fifth), (Rank::Second, Rank::Fourth));
    board.set_piece_at(Square::from_coords(file, first), Piece { color: !color, role: Role::Pawn });
    let taker = Square::from_coords(File::new(u32::from(file) + 1), beside);
    board.set_piece_at(taker, Piece { color, role: Role::Pawn });
}

/// The kinds of moves that need rules of their own: castling, en passant and promotion.
fn kind(m: Move) -> Option<usize> {
    match m {
        Move::Castle { .. } => Some(0),
        Move::EnPassant { .. } => Some(1),
        m => m.promotion().map(|_| 2),
    }
}

/// Picks a move; half of the time one that needs a rule of its own, if there is one.
fn pick(random: &mut Random, moves: &[Move]) -> Move {
    let special: Vec<Move> = moves.iter().copied().filter(|&m| kind(m).is_some()).collect();
    if !special.is_empty() && random.one_in(2) { random.pick(&special) } else { random.pick(moves) }
}

/// Plays from a random position until the side to move has a mate in at most three moves, and makes a puzzle of it,
/// right or wrong.
fn generate(random: &mut Random) -> Option<Generated> {
    let mut chess = placement(random)?;
    for _ in 0..30 {
        let moves = chess.legal_moves();
        let is_double_step =
            |m: &Move| m.role() == Role::Pawn && m.from().is_some_and(|from| m.to().distance(from) == 2);
        let steps: Vec<Move> = moves.iter().copied().filter(|m| is_double_step(m)).collect();
        let first = (!moves.is_empty()).then(|| random.pick(if steps.is_empty() { &moves } else { &steps }))?;
        let before = chess.clone();
        chess.play_unchecked(first);
        if let Ok(Some(n)) = shortest(&chess, 3, &mut 30_000) {
            let fen = Fen::from_position(&before, EnPassantMode::Legal).to_string();
            let moves = line(random, chess, n, first).ok()?;
            return Some(spoilt(random, fen, moves, n));
        }
    }
    None
}

/// Plays a line to the mate, mostly with the fastest moves and the best defence, and sometimes with others.
fn line(random: &mut Random, root: Chess, n: u16, first: Move) -> Result<Vec<Move>, TooMany> {
    let (mut chess, mut moves, mut budget) = (root, vec![first], 100_000);
    let (is_slow, is_poor) = (random.one_in(4), random.one_in(4));
    let mut left = n + u16::from(is_slow);
    while left > 0 && !chess.is_checkmate() {
        let all = mating(&chess, left, &mut budget)?;
        let any = chess.legal_moves();
        if any.is_empty() {
            break;
        }
        let m = if all.is_empty() { random.pick(&any) } else { pick(random, &all) };
        chess.play_unchecked(m);
        moves.push(m);
        left -= 1;
        let replies = chess.legal_moves();
        if left == 0 || replies.is_empty() {
            break;
        }
        let mut best = Vec::new();
        for &m in &replies {
            let mut after = chess.clone();
            after.play_unchecked(m);
            if is_poor || left < 2 || !mates(&after, left - 1, &mut budget)? {
                best.push(m);
            }
        }
        let m = if best.is_empty() { random.pick(&replies) } else { random.pick(&best) };
        chess.play_unchecked(m);
        moves.push(m);
    }
    Ok(moves)
}

/// Makes a puzzle of a line, and spoils some of them.
fn spoilt(random: &mut Random, fen: String, moves: Vec<Move>, n: u16) -> Generated {
    let length = moves.len() / 2;
    let mut kinds = [0; 3];
    moves.iter().filter_map(|&m| kind(m)).for_each(|kind| kinds[kind] += 1);
    let mut words: Vec<String> = moves.into_iter().map(uci).collect();
    let mut fen = fen;
    let mut themes = format!("mate mateIn{length} endgame");
    match random.below(13) {
        0 => themes = format!("mate mateIn{}", random.below(5) + 1),
        1 => "endgame short".clone_into(&mut themes),
        2 => themes = format!("mateIn{n}"),
        3 => "mate".clone_into(&mut themes),
        4 => {
            let at = random.below(words.len());
            random.pick(&["a1a1", "e2e4", "h7h8q", "xyz", "g7g5"]).clone_into(&mut words[at]);
        }
        5 => {
            words.pop();
        }
        6 => {
            words.truncate(random.below(words.len()) + 1);
            random.pick(&["advantage", "mate", "mateIn2"]).clone_into(&mut themes);
        }
        7 => words.push("a2a3".to_owned()),
        12 => {
            words.truncate(words.len() - 1);
            "advantage".clone_into(&mut themes);
        }
        8 => {
            // The position after the first move: the side that mates is taken for the opponent.
            let mut chess: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let m = words.remove(0).parse::<UciMove>().unwrap().to_move(&chess).unwrap();
            chess.play_unchecked(m);
            fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
        }
        _ => {}
    }
    Generated { fen, moves: words, themes, kinds }
}

/// Compares the program with the brute force on generated puzzles.
fn compare(count: usize, seed: u64) {
    let mut random = Random(seed);
    let (mut input, mut expected, mut texts) = (HEADER.to_owned(), vec![], vec![]);
    let mut kinds = [0; 3];
    while expected.len() < count {
        let Some(puzzle) = generate(&mut random) else { continue };
        let Ok(judgement) = judge(&puzzle) else { continue };
        let text = row(&expected.len().to_string(), &puzzle.fen, &puzzle.moves.join(" "), &puzzle.themes);
        input += &text;
        kinds.iter_mut().zip(puzzle.kinds).for_each(|(all, one)| *all += one);
        texts.push(text);
        expected.push(judgement);
    }
    let Run { code, out, .. } = puzzles(&input, &["--format", "jsonl", "--nodes", "10M", "--threads", "2"]);
    assert_eq!((code, out.lines().count()), (6, count));
    let mut counts = std::collections::BTreeMap::new();
    for ((line, (mate_in, length, verdict, right, alternatives)), text) in out.lines().zip(expected).zip(texts) {
        let answer: Value = serde_json::from_str(line).unwrap();
        *counts.entry(verdict).or_insert(0) += 1;
        let given: Vec<Value> = alternatives.iter().map(|(ply, moves)| json!({"ply": ply, "moves": moves})).collect();
        let found = (&answer["verdict"], &answer["theme_right"], &answer["alternatives"], &answer["length_of_line"]);
        let wanted = (&json!(verdict), &json!(right), &json!(given), &json!(length));
        assert_eq!(found, wanted, "{text}{line}");
        if mate_in.is_some() || matches!(verdict, "invalid" | "not a mate puzzle") {
            assert_eq!(answer["mate_in"], json!(mate_in), "{text}{line}");
        } else {
            // No mate in the moves of the line is what the brute force says; a longer one may be found.
            let bound = u64::from(length.unwrap_or(0));
            assert!(answer["mate_in"].as_u64().is_none_or(|n| n > bound), "{text}{line}");
        }
        assert_eq!(answer["proved"], json!(!matches!(verdict, "invalid" | "not a mate puzzle")), "{text}{line}");
    }
    assert_eq!(counts.len(), 6, "every verdict occurs: {counts:?}");
    println!("{counts:?}; castling, en passant, promotion: {kinds:?}");
    assert!(kinds[2] > 0, "{kinds:?}");
}

#[test]
fn verdicts_agree_with_a_brute_force() {
    compare(150, 46);
}

/// `cargo test --test integration ten_thousand_puzzles -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_puzzles_agree_with_a_brute_force() {
    compare(10_000, 1951);
}

#[test]
fn each_verdict_has_its_reason() {
    let of = |moves: &str, themes: &str| {
        let answer = judged(&row("a", FEN, moves, themes));
        (answer["verdict"].clone(), answer["theme_right"].clone(), answer["reason"].as_str().unwrap_or("").to_owned())
    };
    let is = |verdict: &str, right: Value, reason: &str| (json!(verdict), right, reason.to_owned());
    assert_eq!(of(MOVES, "mate mateIn2"), is("right", json!(true), ""));
    let wrong = "the theme mateIn3 is wrong: the line has 2 moves";
    assert_eq!(of(MOVES, "mate mateIn3"), is("right", json!(false), wrong));
    assert_eq!(of("e8f7 e2e6 f7f8", "mate"), is("no mate", Value::Null, "the line does not end in checkmate"));
    assert_eq!(of("e8f7 e2e6", "advantage"), is("not a mate puzzle", Value::Null, ""));
    let illegal = "move 2, \"e2e9\", is not a move in UCI notation; write it like e2e4 or e7e8q";
    assert_eq!(of("e8f7 e2e9", "mate"), is("invalid", Value::Null, illegal));
    let after = "move 5, \"a7a6\", follows a checkmate; end the line there";
    assert_eq!(of(&format!("{MOVES} a7a6"), "mate"), is("invalid", Value::Null, after));
    // Only the capture en passant mates.
    let en_passant = judged(&row("a", "3k4/1Kp5/8/3P1p2/4R3/3QB3/8/8 b - - 0 1", "c7c5 d5c6", "mateIn1"));
    let is_right = (&json!("right"), &json!(1), &json!(true));
    assert_eq!((&en_passant["verdict"], &en_passant["mate_in"], &en_passant["theme_right"]), is_right);
    // Castling and Rf1 both threaten mate on f8.
    let fen = "nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K - 0 1";
    let line = |pv: &str| judged(&json!({"id": 7, "fen": fen, "pv": pv, "themes": "mate"}).to_string());
    let castles = line("e1g1 g7g6 f1f8");
    assert_eq!((&castles["id"], &castles["verdict"]), (&json!("7"), &json!("another move mates")));
    assert_eq!(castles["alternatives"], json!([{"ply": 1, "moves": ["h1f1"]}]));
    assert_eq!(castles["reason"], "at half-move 1, h1f1 mates in 2 moves");
    let slow = line("h1f1 g7g6 f1f2 h6h5 f2f8");
    assert_eq!(
        (&slow["verdict"], &slow["mate_in"], &slow["proved"]),
        (&json!("not shortest"), &json!(2), &json!(true))
    );
    let limited = puzzles(row("a", FEN, MOVES, "mateIn2"), &["--format", "jsonl", "--nodes", "1"]);
    let answer: Value = serde_json::from_str(&limited.out).unwrap();
    assert_eq!((limited.code, &answer["verdict"], &answer["proved"]), (4, &Value::Null, &json!(false)));
    assert_eq!(answer["reason"], "undecided: the node limit was reached");
}

#[test]
fn records_are_tables_json_and_epd() {
    let table = format!("{HEADER}{}", row("a", FEN, MOVES, "mateIn2"));
    let tabs = format!("Themes\tFEN\tMoves\tid\nmateIn2\t{FEN}\t{MOVES}\ta\n");
    let records = [
        table,
        row("a", FEN, MOVES, "mateIn2"),
        tabs,
        json!({"PuzzleId": "a", "FEN": FEN, "Moves": MOVES, "Themes": ["mate", "mateIn2"]}).to_string(),
        format!("{FEN} id \"a\"; moves {MOVES}; themes mateIn2;"),
    ];
    for record in &records {
        let answer = judged(record);
        assert_eq!(
            (&answer["id"], &answer["verdict"], &answer["theme_right"]),
            (&json!("a"), &json!("right"), &json!(true))
        );
    }
    let solver = judged(&format!("{PRINZ} pv h1h6 g7h6 g6g7; themes mateIn2;"));
    assert_eq!((&solver["verdict"], &solver["mate_in"]), (&json!("right"), &json!(2)));
    for (record, why) in [
        (format!("{PRINZ} pv h1h6; moves h1h6;"), "both given"),
        (PRINZ.to_owned(), "no text in `moves` or `pv`"),
        (format!("a,{FEN},,1"), "no text in `moves` or `pv`"),
        (format!("{{\"fen\": \"{PRINZ}\", \"FEN\": \"{PRINZ}\", \"pv\": \"h1h6\"}}"), "say the same"),
        (format!("{{\"fen\": \"{PRINZ}\", \"pv\": 7}}"), "is not a text"),
        ("{".to_owned(), "not a JSON object"),
    ] {
        let answer = judged(&record);
        assert!(answer["verdict"] == "invalid" && answer["reason"].as_str().unwrap().contains(why), "{answer}");
    }
}

/// A folder with puzzles of every kind, broken lines, and the same file compressed.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = HEADER.to_owned();
    for number in 0..30 {
        text += &row(&format!("r{number}"), FEN, MOVES, "mate mateIn2");
        text += &row(&format!("w{number}"), FEN, MOVES, "mate mateIn3");
        text += "\nbroken,xx\n";
    }
    std::fs::write(folder.path().join("in.csv"), &text).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(text.as_bytes()).unwrap();
    std::fs::write(folder.path().join("in.csv.gz"), gz.finish().unwrap()).unwrap();
    folder
}

#[test]
fn answers_keep_the_order_of_the_input_and_match_the_schema() {
    let folder = folder();
    let puzzles = |file: &str, jobs: &str| -> Run {
        let mut command = matesolve();
        command.current_dir(folder.path()).args(["puzzles", file, "--format", "jsonl", "-j", jobs]);
        command.output().unwrap().into()
    };
    let one = puzzles("in.csv", "1");
    assert_eq!((one.code, one.out.lines().count()), (6, 90));
    assert_eq!(one.out, puzzles("in.csv.gz", "3").out);
    for line in one.out.lines() {
        schema_accepts("puzzle", &serde_json::from_str(line).unwrap());
    }
    assert!(one.err.contains("puzzles 90: right 60,") && one.err.contains("invalid 30,"), "{}", one.err);
}

#[test]
fn a_run_is_continued_and_shared() {
    let folder = folder();
    let puzzles = |more: &[&str]| -> Run {
        let mut command = matesolve();
        command.current_dir(folder.path()).args(["puzzles", "in.csv", "--format", "jsonl"]).args(more);
        command.output().unwrap().into()
    };
    let whole = puzzles(&[]).out;
    let resumed = ["-o", "out.jsonl", "--resume"];
    let first = puzzles(&resumed);
    let out = folder.path().join("out.jsonl");
    let read = || std::fs::read_to_string(&out).unwrap();
    assert_eq!((first.code, read()), (6, whole.clone()));
    // The last lines are lost with the end of the run, one of them by half.
    std::fs::write(&out, &whole[..whole.len() / 2]).unwrap();
    let again = puzzles(&resumed);
    assert_eq!((again.code, read()), (6, whole.clone()), "{}", again.err);
    assert_eq!(puzzles(&[&resumed[..], &["--nodes", "5"]].concat()).code, 2);
    for share in ["1/2", "2/2"] {
        puzzles(&["--shard", share, "-o", &format!("{}.jsonl", &share[..1])]);
    }
    let merged: Run =
        matesolve().current_dir(folder.path()).args(["merge", "1.jsonl", "2.jsonl"]).output().unwrap().into();
    assert_eq!((merged.code, merged.out), (0, whole));
}
