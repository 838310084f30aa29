//! Compares the search of help play with every line played by shakmaty, and with layers of positions.
//!
//! The positions are planted: most of them have solutions, many with castling, captures en passant, promotions, double
//! checks and pinned men. The longest ones are published problems with one man moved.

use matesolve_engine::chess::{End, Play};
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::helped::{Layers, Line, Question, Shares};
use matesolve_testkit::planted;
use matesolve_testkit::random::Random;
use matesolve_testkit::{chess, four_fields};
use shakmaty::Position as _;

/// A question, and the largest number of men.
fn question(play: Play, end: End, half_moves: usize, men: usize) -> (Question, usize) {
    (Question::new(play, end, half_moves), men)
}

/// The questions that are compared with every line played.
fn short_questions() -> Vec<(Question, usize)> {
    vec![
        question(Play::Help, End::Mate, 2, 14),
        question(Play::Help, End::Mate, 3, 12),
        question(Play::Help, End::Mate, 4, 10),
        question(Play::Help, End::Stalemate, 2, 9),
        question(Play::Help, End::Stalemate, 3, 8),
        question(Play::Help, End::Stalemate, 4, 7),
        question(Play::Series, End::Mate, 3, 12),
        question(Play::Series, End::Stalemate, 3, 8),
        question(Play::SeriesHelp, End::Mate, 4, 10),
        question(Play::SeriesHelp, End::Stalemate, 4, 8),
    ]
}

/// The questions in which the last half-move must be compelled.
fn compelled_questions() -> Vec<(Question, usize)> {
    vec![
        question(Play::SeriesSelf, End::Mate, 3, 14),
        question(Play::SeriesSelf, End::Mate, 2, 16),
        question(Play::HelpSelf, End::Mate, 2, 16),
        question(Play::HelpSelf, End::Mate, 4, 10),
    ]
}

/// Those in which the mated side must be able to mate itself before its last half-move.
fn reciprocal_questions() -> Vec<(Question, usize)> {
    let of = |end, half_moves, men| question(Play::Reciprocal, end, half_moves, men);
    vec![of(End::Mate, 2, 12), of(End::Mate, 3, 9), of(End::Mate, 4, 8), of(End::Stalemate, 3, 8)]
}

/// Those in which who can mate or stalemate must.
fn reflex_questions() -> Vec<(Question, usize)> {
    let of =
        |end, half_moves, men| (Question { is_reflex: true, ..Question::new(Play::SeriesSelf, end, half_moves) }, men);
    vec![of(End::Mate, 2, 14), of(End::Mate, 3, 11), of(End::Mate, 4, 8), of(End::Stalemate, 3, 8)]
}

/// Compares `count` planted positions with every line played, those aside that take more than `most` moves.
fn compare(question: Question, men: usize, count: usize, most: usize) -> Shares {
    let mut random = Random(0x6865_6c70 ^ (question.half_moves as u64) << 40 ^ men as u64);
    let mut shares = Shares::default();
    // Both sides can rarely mate: of the shortest question, most positions in which they cannot are passed over.
    let mut spare = if (question.play, question.half_moves) == (Play::Reciprocal, 2) { 100 * count } else { 0 };
    while shares.positions < count {
        let chess = planted::position(question, &mut random, men);
        let Some(expected) = question.plain(&chess, most) else { continue };
        if expected.is_empty() && 4 * (shares.positions - shares.solved) >= 3 * count && spare > 0 {
            spare -= 1;
            continue;
        }
        let threads = 1 + usize::from(shares.positions.is_multiple_of(8));
        let found = question.searched(&chess, threads);
        assert_eq!(found, expected, "{} {}", question.stipulation(), four_fields(&chess));
        shares.add(question, &chess, &expected);
    }
    println!("{}: {shares:?}", question.stipulation());
    shares
}

/// Requires that a part of the positions, at least one in `one_in`, has solutions of each kind.
fn require(shares: Shares, one_in: usize) {
    let Shares { positions, solved, castling, en_passant, promotions, double_checks, pinned_guards } = shares;
    assert!(2 * solved > positions, "{shares:?}");
    for count in [castling, en_passant, promotions, double_checks, pinned_guards] {
        assert!(count * one_in > positions, "{shares:?}");
    }
}

#[test]
fn all_lines_are_those_of_the_definition() {
    let mut sum = Shares::default();
    for (question, men) in short_questions() {
        let shares = compare(question, men, 20, 30_000);
        assert!(shares.solved >= 5, "{}: {shares:?}", question.stipulation());
        sum = sum.plus(shares);
    }
    let shares = compare(Question::new(Play::Help, End::Mate, 5), 6, 6, 50_000);
    sum = sum.plus(shares).plus(compare(Question::new(Play::Help, End::Mate, 6), 4, 4, 100_000));
    require(sum, 200);
}

/// Compares helpmates of any length in `count` planted positions with the shortest lines played, those aside that take
/// more than `most` moves. Returns the positions by what their shortest lines contain.
fn compare_any_length(half_moves: usize, men: usize, count: usize, most: usize) -> Shares {
    let mut random = Random(0x616e_7968_6d00 ^ (half_moves as u64) << 20 ^ men as u64);
    let planted = Question::new(Play::Help, End::Mate, half_moves);
    let mut shares = Shares::default();
    'positions: while shares.positions < count {
        // Few planted lines capture en passant. In two moves, one in twelve of these positions has such a line.
        let passes = half_moves == 3 && random.one_in(2);
        let placed = passes.then(|| generator::placement(&mut random, men, Theme::EnPassant));
        let Some(chess) = placed.unwrap_or_else(|| Some(planted::position(planted, &mut random, men))) else {
            continue;
        };
        let mut shortest = None;
        for half_moves in (1..=half_moves).filter(|n| n % 2 == half_moves % 2) {
            let question = Question::new(Play::Help, End::Mate, half_moves);
            let Some(lines) = question.plain(&chess, most) else { continue 'positions };
            if shortest.is_none() && !lines.is_empty() {
                shortest = Some((question, lines));
            }
        }
        let [best, some] = [false, true].map(|first| planted.of_any_length(&chess, first));
        let fen = four_fields(&chess);
        let mates = |line: &Line| planted.replayed(&chess, line, |_, _| ()).is_checkmate();
        if let Some((question, lines)) = shortest {
            assert!(best.is_shortest() && !some.never, "{fen}");
            assert!(best.line.is_some_and(|line| lines.contains(&line)), "{fen}");
            assert!(some.line.is_some_and(|line| mates(&line)), "{fen}");
            shares.add(question, &chess, &lines);
        } else {
            let is_longer = |line: &Line| line.len() > half_moves && mates(line);
            assert!([best, some].iter().all(|it| it.line.as_ref().is_none_or(is_longer)), "{fen}");
            shares.add(planted, &chess, &[]);
        }
    }
    println!("in {half_moves}: {shares:?}");
    shares
}

#[test]
fn a_helpmate_of_any_length_is_a_shortest_line() {
    let sizes = [(2, 14, 100), (3, 12, 100), (4, 10, 30), (5, 6, 6)];
    let sum = sizes.map(|(half_moves, men, count)| compare_any_length(half_moves, men, count, 50_000));
    require(sum.into_iter().fold(Shares::default(), Shares::plus), 200);
}

#[test]
#[ignore = "some minutes: cargo test --release -p matesolve-engine --test suite any_length -- --ignored --nocapture"]
fn helpmates_of_any_length_are_shortest_lines_in_many_positions() {
    let sizes = [(2, 14, 1_000), (3, 12, 1_000), (4, 10, 200), (5, 8, 40)];
    let sum = sizes.map(|(half_moves, men, count)| compare_any_length(half_moves, men, count, 100_000));
    require(sum.into_iter().fold(Shares::default(), Shares::plus), 200);
}

#[test]
fn compelled_moves_are_those_of_the_definition() {
    for (question, men) in compelled_questions() {
        let shares = compare(question, men, 6, 100_000);
        assert_eq!(shares.solved, shares.positions, "{}", question.stipulation());
    }
}

#[test]
fn a_list_of_moves_has_every_legal_move() {
    let shares = compare(Question::new(Play::Series, End::Any, 1), 14, 2000, 1000);
    assert_eq!(shares.solved, 2000);
}

/// Requires that positions have solutions, and that others have lost theirs by the duty.
fn compare_reflex(question: Question, men: usize, count: usize) {
    let shares = compare(question, men, count, 60_000);
    assert!(shares.solved * 12 > count && shares.solved < count, "{}: {shares:?}", question.stipulation());
}

#[test]
fn who_can_end_the_play_must() {
    for (question, men) in reflex_questions() {
        compare_reflex(question, men, 60);
    }
}

/// In each, a line or two would solve if White had not to mate at once.
#[test]
fn who_can_mate_before_has_failed() {
    for (fen, half_moves) in [
        ("k1K5/8/4Q3/5P2/5q2/8/8/8 w - - 0 1", 2),
        ("8/7Q/3r4/8/8/1K6/8/2k5 w - - 0 1", 3),
        // Here he must after the first move.
        ("7k/q7/8/7K/8/7Q/8/8 w - - 0 1", 3),
        ("1q6/5P2/8/3Q4/8/8/3K4/k7 w - - 0 1", 3),
    ] {
        let question = Question { is_reflex: true, ..Question::new(Play::SeriesSelf, End::Mate, half_moves) };
        assert!(question.searched(&chess(fen), 1).is_empty(), "{fen}");
    }
}

/// Requires that positions have solutions, and that others have only those of a helpmate.
fn compare_reciprocal(count: usize) {
    for (question, men) in reciprocal_questions() {
        let shares = compare(question, men, count, 60_000);
        let least = if question.half_moves == 2 { count / 8 } else { 0 };
        assert!(shares.solved >= least && shares.solved < count, "{}: {shares:?}", question.stipulation());
    }
}

#[test]
fn who_is_mated_can_mate_instead() {
    compare_reciprocal(60);
}

#[test]
#[ignore = "some minutes: cargo test --release --test suite help::who_is_mated -- --ignored --nocapture"]
fn who_is_mated_can_mate_instead_in_many_positions() {
    compare_reciprocal(2000);
}

#[test]
#[ignore = "some minutes: cargo test --release --test suite help::who_can -- --ignored --nocapture"]
fn who_can_end_the_play_must_in_many_positions() {
    for (question, men) in reflex_questions() {
        compare_reflex(question, men, 2000);
    }
}

#[test]
#[ignore = "some minutes: cargo test --release --test suite help::all_lines -- --ignored --nocapture"]
fn all_lines_of_many_positions_are_those_of_the_definition() {
    let mut sum = Shares::default();
    for (question, men) in short_questions() {
        let shares = compare(question, men, 2000, 100_000);
        assert!(shares.solved >= 500, "{}: {shares:?}", question.stipulation());
        sum = sum.plus(shares);
    }
    let shares = compare(Question::new(Play::Help, End::Mate, 5), 7, 2000, 200_000);
    sum = sum.plus(shares).plus(compare(Question::new(Play::Help, End::Mate, 6), 6, 300, 1_000_000));
    println!("all: {sum:?}");
    require(sum, 100);
}

#[test]
#[ignore = "some minutes: cargo test --release --test suite help::compelled -- --ignored --nocapture"]
fn compelled_moves_of_many_positions_are_those_of_the_definition() {
    for (question, men) in compelled_questions() {
        let count = if question == compelled_questions()[0].0 { 2000 } else { 500 };
        let shares = compare(question, men, count, 200_000);
        assert!(shares.solved > count * 9 / 10, "{}: {shares:?}", question.stipulation());
    }
}

/// Compares `count` planted positions with the layers, those aside that have more than `most` positions.
fn compare_layers(question: Question, men: usize, count: usize, most: usize) -> Shares {
    let mut random = Random(0x6c61_7965 ^ (question.half_moves as u64) << 40 ^ men as u64);
    let mut shares = Shares::default();
    while shares.positions < count {
        let chess = planted::position(question, &mut random, men);
        let Some(layers) = Layers::new(question, &chess, most) else { continue };
        let threads = 1 + usize::from(shares.positions.is_multiple_of(8));
        let found = question.searched(&chess, threads);
        assert_eq!(found.len(), layers.count(), "{} {}", question.stipulation(), four_fields(&chess));
        if found.len() <= 10_000 {
            assert_eq!(found, layers.lines(), "{} {}", question.stipulation(), four_fields(&chess));
        }
        shares.add(question, &chess, &found);
    }
    println!("{}: {shares:?}", question.stipulation());
    shares
}

#[test]
fn all_lines_are_those_of_the_layers() {
    let mut sum = Shares::default();
    for (half_moves, men, count) in [(5, 6, 20), (6, 5, 12), (7, 4, 8)] {
        sum = sum.plus(compare_layers(Question::new(Play::Help, End::Mate, half_moves), men, count, 15_000));
    }
    assert!(3 * sum.solved > sum.positions, "{sum:?}");
    compare_layers(Question::new(Play::SeriesHelp, End::Mate, 5), 6, 6, 15_000);
    compare_layers(Question::new(Play::HelpSelf, End::Mate, 4), 10, 6, 15_000);
}

#[test]
#[ignore = "some minutes: cargo test --release --test suite help::all_lines -- --ignored --nocapture"]
fn all_lines_of_many_positions_are_those_of_the_layers() {
    let mut sum = Shares::default();
    for (half_moves, men, count) in [(5, 9, 800), (6, 7, 800), (7, 6, 400)] {
        sum = sum.plus(compare_layers(Question::new(Play::Help, End::Mate, half_moves), men, count, 60_000));
    }
    println!("all: {sum:?}");
    require(sum, 400);
    compare_layers(Question::new(Play::Help, End::Stalemate, 6), 5, 100, 60_000);
    compare_layers(Question::new(Play::Series, End::Mate, 5), 6, 100, 60_000);
    compare_layers(Question::new(Play::SeriesHelp, End::Mate, 6), 6, 100, 60_000);
    compare_layers(Question::new(Play::SeriesSelf, End::Mate, 4), 12, 100, 60_000);
    compare_layers(Question::new(Play::HelpSelf, End::Mate, 5), 9, 100, 60_000);
}

/// A problem: diagram, question, solutions.
type Problem = (&'static str, Play, End, usize, usize);

/// Problems whose layers are small. The first one is P. Benko's, with castling; Popeye 4.104 loses solutions of those
/// with many.
const PROBLEMS: [Problem; 7] = [
    ("4k2r/5N2/4B3/8/6K1/8/8/B7 b k -", Play::Help, End::Mate, 4, 1),
    ("8/8/8/8/8/1K6/7R/1k6 b - -", Play::SeriesHelp, End::Mate, 3, 2),
    ("k7/8/2K5/8/8/8/7R/8 w - -", Play::Series, End::Mate, 2, 2),
    ("4nK2/3k1P2/3pN3/3P4/8/8/8/8 b - -", Play::SeriesHelp, End::Mate, 5, 45),
    ("4nK2/3k1P2/3pN3/3P4/8/8/8/8 b - -", Play::SeriesHelp, End::Mate, 6, 2),
    ("8/6P1/3P4/8/3R2p1/6qk/8/7K w - -", Play::SeriesSelf, End::Mate, 3, 1),
    ("k7/8/K3R3/1P6/1P6/6q1/2p5/8 w - -", Play::HelpSelf, End::Mate, 4, 1),
];

/// Problems in which a pawn leaves his square, promotes and comes back to block it. The solutions were lost once.
const RETURNS: [Problem; 6] = [
    ("8/8/8/8/7K/4b2B/4pk2/R7 b - -", Play::Help, End::Mate, 4, 4),
    ("8/8/8/8/7K/4b2B/4pk2/R7 w - -", Play::Help, End::Mate, 5, 50),
    ("8/8/8/8/7K/4b2B/4pk2/R7 b - -", Play::SeriesHelp, End::Mate, 3, 1),
    ("8/8/8/8/7K/3kb2B/4p3/R7 b - -", Play::SeriesHelp, End::Mate, 5, 1),
    ("8/8/8/8/4k2K/4b2B/4p3/R7 b - -", Play::SeriesHelp, End::Mate, 5, 6),
    ("7N/3Nn1PK/4k1nP/8/3Q4/3B4/8/8 w - -", Play::SeriesSelf, End::Mate, 4, 1),
];

/// A pawn promotes to pin a man who would refute the check, which lines that are planted at random hardly ever need.
const PROMOTED_PIN: Problem = ("6nk/2P1B2p/8/8/8/8/8/1K6 w - -", Play::Series, End::Mate, 2, 2);

/// Pawns who come back in series whose layers are too large: only the number of solutions is compared. The last one was
/// published.
const LONG_RETURNS: [Problem; 3] = [
    ("8/4pb2/5k2/5p2/8/8/7B/1K1R4 b - -", Play::SeriesHelp, End::Mate, 8, 1),
    ("6b1/4pk2/8/5p2/8/3P4/1K2P2B/3R4 b - -", Play::SeriesHelp, End::Mate, 9, 35_913),
    ("6b1/4p3/4k3/5p2/5P2/8/K3P2B/3R4 b - -", Play::SeriesHelp, End::Mate, 10, 1),
];

/// Problems whose layers are large.
const LONG_PROBLEMS: [Problem; 4] = [
    ("8/8/8/3B4/4n3/8/4K3/k1NR4 w - -", Play::Series, End::Mate, 4, 2960),
    ("2K5/8/8/4P3/8/7k/8/8 b - -", Play::Help, End::Mate, 12, 488),
    ("8/p6k/2p5/p1Pp4/3P3K/P7/8/8 b - -", Play::Help, End::Mate, 16, 168),
    ("8/8/8/4p3/7k/8/5PK1/8 b - -", Play::Help, End::Mate, 14, 75_665),
];

fn compare_problem((fen, play, end, half_moves, solutions): Problem) {
    let (chess, question) = (chess(fen), Question::new(play, end, half_moves));
    let layers = Layers::new(question, &chess, 8_000_000).expect("the layers fit");
    let found = question.searched(&chess, 1);
    assert_eq!((found.len(), layers.count()), (solutions, solutions), "{fen}");
    assert_eq!(found, layers.lines(), "{fen}");
}

#[test]
fn problems_have_the_lines_of_the_layers() {
    PROBLEMS.into_iter().chain(RETURNS).chain([PROMOTED_PIN]).for_each(compare_problem);
    for (fen, play, end, half_moves, solutions) in LONG_RETURNS {
        let (answer, _) = Question::new(play, end, half_moves).answer(&chess(fen), 1, None);
        assert!(answer.complete && answer.count() == solutions, "{fen}: {}", answer.count());
    }
}

#[test]
#[ignore = "a minute: cargo test --release --test suite help::long_problems -- --ignored"]
fn long_problems_have_the_lines_of_the_layers() {
    LONG_PROBLEMS.into_iter().for_each(compare_problem);
}

/// Helpmates in six to eight moves whose men are moved, some with few men and some with many. The first three are
/// P. Benko's, the next two T. R. Dawson's.
const ORIGINALS: [&str; 7] = [
    "8/7K/8/3p2P1/7n/8/bbn5/k7 b - -",
    "8/5n2/7k/5K1n/1r5q/1b4b1/1P6/2r5 b - -",
    "8/8/8/4p3/7k/8/5PK1/8 b - -",
    "6b1/5pnk/3pp2p/p7/2pp1p2/5K2/2P5/n7 b - -",
    "8/4kpp1/8/p7/p7/K5p1/p2pp1P1/8 b - -",
    "2K5/8/8/4P3/8/7k/8/8 b - -",
    "8/p6k/2p5/p1Pp4/3P3K/P7/8/8 b - -",
];

/// Helpmates in two and three moves, which are asked as long series. The first four are P. Benko's, the others T. R.
/// Dawson's.
const SERIES: [&str; 10] = [
    "4nK2/3k1P2/3pN3/3P4/8/8/8/8 b - -",
    "8/8/8/8/4n3/8/4K3/k1NR4 b - -",
    "8/8/4N3/8/n3R3/1p1k4/8/3K4 b - -",
    "8/p7/rN6/Rb6/1k6/8/KP6/8 b - -",
    "6K1/8/8/p6P/3Pb3/1N1rknN1/3pp3/r7 b - -",
    "1r2k2r/4q3/2p1p1p1/1N5N/3P1P2/8/4K3/8 b - -",
    "8/7N/7p/1r5p/qRK4k/1r5p/7p/7N b - -",
    "4k3/3pPp2/2n1q1n1/2p3p1/4Q3/8/4K3/8 b - -",
    "8/r1P2pnb/5pqp/5kNp/8/6P1/8/1K6 b - -",
    "8/P7/k7/2K5/1P6/8/8/8 b - -",
];

/// Asks the question of `count` of these problems, each with one man moved by one square. Prints how many end within
/// `limit` nodes, and the slowest. The numbers of solutions are compared with the layers where these are small.
fn ask_mutated(question: Question, originals: &[&str], count: usize, limit: u64) {
    let mut random = Random(2026);
    // Those of a file, one position a line, if it is named.
    let file = std::env::var("HELP_PROBLEMS").map(|path| std::fs::read_to_string(path).expect("a file of positions"));
    let originals = file.as_ref().map_or(originals.to_vec(), |text| text.lines().collect());
    let mut asked: Vec<(u64, bool, usize, String)> = Vec::new();
    let mut compared = 0;
    while asked.len() < count {
        let original = chess(random.pick(&originals));
        let Some(chess) = planted::mutated(&mut random, &original) else { continue };
        let (answer, nodes) = question.answer(&chess, 1, Some(limit));
        let fen = four_fields(&chess);
        println!("{}: {nodes} nodes, {} solutions, {:?}: {fen}", asked.len(), answer.count(), answer.stopped);
        asked.push((nodes, answer.complete, answer.count(), fen));
        if let Some(layers) = Layers::new(question, &chess, LAYERS).filter(|_| answer.complete) {
            assert_eq!(answer.count(), layers.count(), "{}", four_fields(&chess));
            compared += 1;
        }
    }
    asked.sort_unstable_by(|one, other| other.cmp(one));
    let finished = asked.iter().filter(|(_, is_complete, ..)| *is_complete).count();
    println!("{}: {finished} of {count} end, {compared} compared", question.stipulation());
    asked.iter().take(10).for_each(|slow| println!("  {slow:?}"));
    assert!(finished * 10 >= count * 9 && compared > 0, "{finished} of {count} end, {compared} compared");
}

/// The nodes that a problem may take: about twenty seconds.
const LIMIT: u64 = 20_000_000;

/// The positions in the layers of a problem that is compared.
const LAYERS: usize = 100_000;

#[test]
#[ignore = "minutes: cargo test --release --test suite help::mutated -- --ignored --nocapture"]
fn mutated_helpmates_end_within_their_nodes() {
    ask_mutated(Question::new(Play::Help, End::Mate, 12), &ORIGINALS, 100, LIMIT);
}

#[test]
#[ignore = "minutes: cargo test --release --test suite help::mutated -- --ignored --nocapture"]
fn mutated_series_end_within_their_nodes() {
    ask_mutated(Question::new(Play::SeriesHelp, End::Mate, 8), &SERIES, 100, LIMIT);
}

/// Stalemates in six moves of men who are few enough for it.
const STALEMATES: [&str; 3] =
    ["8/7K/8/3p2P1/7n/8/bbn5/k7 b - -", "8/8/8/4p3/7k/8/5PK1/8 b - -", "8/p6k/2p5/p1Pp4/3P3K/P7/8/8 b - -"];

#[test]
#[ignore = "minutes: cargo test --release --test suite help::mutated -- --ignored --nocapture"]
fn mutated_stalemates_end_within_their_nodes() {
    ask_mutated(Question::new(Play::Help, End::Stalemate, 12), &STALEMATES, 100, 4 * LIMIT);
}
