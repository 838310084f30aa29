//! Compares the search with a plain one on random positions, and the relaxation with lines of random games.

mod any;
mod nets;

use std::sync::atomic::AtomicBool;

use shakmaty::{Color, Rank, Role, Square};

use super::possible::Outlook;
use super::*;
use crate::chess::testing::position;
use crate::chess::{Duty, End, Move, MoveList, Play, Will};
use crate::search::Limits;

/// All rules, and all but one. Without the list, the relaxation decides alone.
const RULES: [(&str, Rules); 14] = [
    ("all", Rules::ALL),
    ("no list", Rules { listed: false, ..Rules::ALL }),
    ("no table", Rules { dead: false, ..Rules::ALL }),
    ("no pictures", Rules { pictures: false, ..Rules::ALL }),
    ("no checker", Rules { checker: false, ..Rules::ALL }),
    ("no men that must go", Rules { must: false, ..Rules::ALL }),
    ("no refuting blocks", Rules { blocks: false, ..Rules::ALL }),
    ("no matching", Rules { matching: false, ..Rules::ALL }),
    ("no resting", Rules { resting: false, ..Rules::ALL }),
    ("no pairs", Rules { pairs: false, ..Rules::ALL }),
    ("no king that nobody attacks", Rules { unattacked: false, ..Rules::ALL }),
    ("no squares of captures", Rules { taken: false, ..Rules::ALL }),
    ("no limit of captures", Rules { captures: false, ..Rules::ALL }),
    ("no needs", Rules { needs: false, ..Rules::ALL }),
];

fn lines(answer: &HelpAnswer) -> Vec<Vec<MoveCode>> {
    let mut lines = Vec::new();
    let ended: ControlFlow<Option<()>> = answer.each(|line| {
        lines.push(line.to_vec());
        Continue(())
    });
    assert!(ended.is_continue() || answer.count() == lines.len());
    assert_eq!(lines.len(), answer.count());
    lines
}

fn lines_with(position: Position, stipulation: Stipulation, threads: usize, rules: Rules) -> (Vec<Vec<MoveCode>>, u64) {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let task = HelpTask { position, stipulation, memory: 1 << 24, threads, most: usize::MAX, rules };
    let answer = solve(&task, &control, &HelpCounts::default());
    assert!(answer.complete);
    (lines(&answer), control.nodes())
}

/// The definition: every line, one after the other, and what stands at its end.
fn plain(
    position: &Position,
    stipulation: Stipulation,
    at: u16,
    path: &mut Vec<MoveCode>,
    all: &mut Vec<Vec<MoveCode>>,
) {
    let side = |at| stipulation.half_move(at).side;
    let length = stipulation.half_moves().unwrap();
    let is_goal = |after: &Position| !after.has_move() && after.is_check() == (stipulation.goal().end == End::Mate);
    let mut moves = position.legal_moves();
    if stipulation.goal().duty == Duty::Both {
        let ends: MoveList = moves.iter().copied().filter(|&m| is_goal(&position.play(m))).collect();
        match (side(at), ends.is_empty()) {
            (Side::Attacker, false) => return,
            (_, false) => moves = ends,
            _ => {}
        }
    }
    if stipulation.play() == Play::Reciprocal && at + 2 == length && !moves.iter().any(|&m| is_goal(&position.play(m)))
    {
        return;
    }
    if stipulation.half_move(at).will == Will::Resists {
        // One move stands for all.
        let is_forced = moves.iter().all(|&m| is_goal(&position.play(m)));
        all.extend(moves.first().filter(|_| is_forced).map(|m| path.iter().copied().chain([m.code()]).collect()));
        return;
    }
    for m in moves {
        let after = position.play(m);
        path.push(m.code());
        if at + 1 == length {
            all.extend(is_goal(&after).then(|| path.clone()));
        } else if side(at + 1) != side(at) {
            plain(&after, stipulation, at + 1, path, all);
        } else if let Some(after) = after.pass() {
            plain(&after, stipulation, at + 1, path, all);
        }
        path.pop();
    }
}

/// Returns the lines of a problem by the definition, after comparing those of the search with every choice of rules.
fn lines_of_all_rules(position: Position, stipulation: Stipulation) -> Vec<Vec<MoveCode>> {
    let mut expected = Vec::new();
    plain(&position, stipulation, 0, &mut Vec::new(), &mut expected);
    for (name, rules) in RULES {
        assert_eq!(lines_with(position, stipulation, 1, rules).0, expected, "{name}");
    }
    expected
}

/// A small generator of random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

/// Positions with a mate or a stalemate not far away: few men near a king, and middlegames after random captures.
fn random_position(random: &mut Random) -> Position {
    let starts = [
        "4k3/8/8/8/8/8/8/R3K2R w KQ -",
        "r3k2r/pp4pp/8/8/8/8/PP4PP/R3K2R w KQkq -",
        "7k/5pp1/8/4P1P1/3p1p2/8/2P1P3/K5R1 w - -",
        "8/8/8/8/2k5/8/4PN2/4K2Q w - -",
        "6bk/6pp/8/8/8/8/PP6/KN2B2R w - -",
        "8/1P4P1/5k2/8/3K4/8/1p4p1/8 w - -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "2k5/2p1p3/8/3P4/1p1Q4/8/P1P5/1K1R4 w - -",
        "8/3p4/8/2P1P3/3k4/8/4B3/R2K2N1 w - -",
    ];
    loop {
        let mut position = position(starts[random.below(starts.len())]);
        for _ in 0..4 + random.below(50) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let captures: Vec<_> = moves.iter().copied().filter(|m| m.capture().is_some()).collect();
            let list = if captures.is_empty() || random.below(3) > 0 { moves.as_slice() } else { &captures };
            position = position.play(list[random.below(list.len())]);
        }
        if position.has_move() {
            return position;
        }
    }
}

/// Few men, the king of White in a corner: White is mated now and then, whether he wants or not.
fn corner_position(random: &mut Random) -> Position {
    let sets = ["Qk", "Rkp", "Qkpp", "RBkpr", "QRkpn", "RPPkpq"];
    loop {
        let mut squares = vec![Square::H1];
        let mut men = vec![(Color::White, Role::King, Square::H1)];
        for letter in sets[random.below(sets.len())].chars() {
            let (color, role) = (Color::from_white(letter.is_uppercase()), Role::from_char(letter).unwrap());
            let square = Square::ALL[random.below(64)];
            let is_pawn_there = role == Role::Pawn && (square.rank() == Rank::First || square.rank() == Rank::Eighth);
            if !squares.contains(&square) && !is_pawn_there {
                squares.push(square);
                men.push((color, role, square));
            }
        }
        if men.iter().filter(|(_, role, _)| *role == Role::King).count() == 2 {
            let position = Position::from_men(Color::White, men);
            let is_legal = position.pass().is_some_and(|passed| passed.pass().is_some());
            if is_legal && position.has_move() {
                return position;
            }
        }
    }
}

/// Returns the position `half_moves` half-moves before the end of a random game in which mates are taken.
fn before_the_end(random: &mut Random, half_moves: usize) -> Option<Position> {
    let mut game = vec![random_position(random)];
    while game.len() < 60 {
        let last = game[game.len() - 1];
        let moves = last.legal_moves();
        if moves.is_empty() {
            return game.len().checked_sub(1 + half_moves).map(|at| game[at]);
        }
        game.push(last.play(last.mate_in_one().unwrap_or(moves[random.below(moves.len())])));
    }
    None
}

/// Compares `count` random positions with the plain search, and every twentieth with each rule switched off. Returns
/// how many of them have solutions.
fn compare(stipulation: Stipulation, count: usize, most_men: usize) -> usize {
    let mut random = Random(0x9e37_79b9 ^ u64::from(stipulation.half_moves().unwrap()) << 32 ^ most_men as u64);
    let (mut done, mut with_lines) = (0, 0);
    while done < count {
        let near =
            if done % 3 == 0 { None } else { before_the_end(&mut random, stipulation.half_moves().unwrap().into()) };
        let is_self = stipulation.goal().of == Side::Attacker;
        let position = near
            .filter(|_| !is_self)
            .unwrap_or_else(|| if is_self { corner_position(&mut random) } else { random_position(&mut random) });
        let position = if random.below(2) > 0 { Some(position) } else { position.pass() };
        let Some(position) = position.filter(|it| it.occupied().count() <= most_men) else { continue };
        let mut expected = Vec::new();
        plain(&position, stipulation, 0, &mut Vec::new(), &mut expected);
        for (name, rules) in RULES.iter().take(if done % 20 == 0 { RULES.len() } else { 2 }) {
            for threads in [1, 2] {
                let (found, _) = lines_with(position, stipulation, threads, *rules);
                assert_eq!(found, expected, "{stipulation} {} {name}, {threads} threads", position.fen());
            }
        }
        done += 1;
        with_lines += usize::from(!expected.is_empty());
    }
    with_lines
}

/// The questions that are compared, with the largest number of men.
fn questions() -> Vec<(Stipulation, usize)> {
    let helped = Stipulation::helped;
    vec![
        (helped(Play::Help, End::Mate, 1), 32),
        (helped(Play::Help, End::Mate, 2), 32),
        (helped(Play::Help, End::Mate, 3), 14),
        (helped(Play::Help, End::Mate, 4), 8),
        (helped(Play::Help, End::Stalemate, 2), 10),
        (helped(Play::Help, End::Stalemate, 3), 7),
        (helped(Play::Reciprocal, End::Mate, 2), 20),
        (helped(Play::Reciprocal, End::Mate, 3), 12),
        (helped(Play::Reciprocal, End::Stalemate, 2), 8),
        (helped(Play::Series, End::Mate, 3), 12),
        (helped(Play::Series, End::Stalemate, 3), 7),
        (helped(Play::SeriesHelp, End::Mate, 3), 14),
        (helped(Play::SeriesHelp, End::Stalemate, 3), 8),
        (helped(Play::SeriesSelf, End::Mate, 2), 32),
        (helped(Play::SeriesSelf, End::Mate, 3), 14),
        (helped(Play::SeriesSelf, End::Mate, 2).with_duty(Duty::Both), 32),
        (helped(Play::SeriesSelf, End::Stalemate, 3).with_duty(Duty::Both), 8),
        (helped(Play::HelpSelf, End::Mate, 2), 32),
        (helped(Play::HelpSelf, End::Mate, 4), 7),
    ]
}

#[test]
fn all_lines_are_those_of_a_plain_search() {
    let with_lines: usize = questions().into_iter().map(|(stipulation, men)| compare(stipulation, 60, men)).sum();
    assert!(with_lines > 40, "only {with_lines} of 960 positions have solutions");
}

#[test]
#[ignore = "some minutes: cargo test --release --lib search::help -- --ignored"]
fn all_lines_are_those_of_a_plain_search_on_many_positions() {
    for (stipulation, men) in questions() {
        // That either side can mate is rare.
        let positions = if stipulation.play() == Play::Reciprocal { 20_000 } else { 2_000 };
        let with_lines = compare(stipulation, positions, men);
        println!("{stipulation}: {with_lines} of {positions} positions have solutions");
        // A move after which every reply mates is rarer than one position in two thousand, and two stalemates from one
        // position than one in twenty thousand.
        let goal = stipulation.goal();
        let is_rare = goal.of == Side::Attacker || stipulation.play() == Play::Reciprocal && goal.end == End::Stalemate;
        assert!(with_lines > 0 || is_rare, "{stipulation}");
    }
    compare(Stipulation::helped(Play::Help, End::Mate, 5), 300, 8);
    compare(Stipulation::helped(Play::Help, End::Mate, 6), 100, 5);
}

#[test]
fn a_pawn_captures_twice_in_a_series_of_his_side() {
    // 1.c4xb3 2.b3xa2 and the bishop mates: the one move of White says nothing of Black's captures.
    let position = position("8/8/8/8/2p5/1P6/P7/k1K1B3 b - -");
    let stipulation = Stipulation::helped(Play::SeriesHelp, End::Mate, 3);
    assert_eq!(lines_of_all_rules(position, stipulation).len(), 1);
}

#[test]
fn a_man_makes_room_on_a_flight_for_another() {
    // 1.Bb1 and 2.Na2 Nb3 mates: nobody but the bishop comes to b1 in time, and the knight takes his place.
    let position = position("7K/8/8/8/1n1N4/3N4/b7/k7 b - -");
    let stipulation = Stipulation::helped(Play::Help, End::Mate, 4);
    let (lines, king) = (lines_of_all_rules(position, stipulation), position.king(Color::Black));
    assert!(lines.iter().any(|line| line.iter().all(|code| code.from() != king)), "{lines:?}");
}

#[test]
fn a_rook_castles_to_the_square_of_a_man_who_blocks_elsewhere() {
    // 1.Bg7 2.O-O Ne7 mates: the rook blocks f8, and the bishop who has left it blocks g7.
    let position = position("4kb1r/5p2/2N5/8/8/8/K7/7R b k -");
    let stipulation = Stipulation::helped(Play::SeriesHelp, End::Mate, 3);
    assert_eq!(lines_of_all_rules(position, stipulation).len(), 1);
}

#[test]
fn a_position_of_a_series_is_not_confused_with_itself_at_another_length() {
    // The king comes back to his squares after two moves and after three.
    let position = position("7k/8/5K2/8/8/8/8/R7 b - -");
    for moves in 3..7 {
        let stipulation = Stipulation::helped(Play::SeriesHelp, End::Mate, moves);
        let mut expected = Vec::new();
        plain(&position, stipulation, 0, &mut Vec::new(), &mut expected);
        assert!(!expected.is_empty(), "{moves}");
        assert_eq!(lines_with(position, stipulation, 1, Rules::ALL).0, expected, "{moves}");
    }
}

#[test]
fn a_solution_is_found_on_every_way_to_its_positions() {
    for (fen, half_moves) in [("8/8/8/8/8/5k2/8/R3K3 b - -", 6), ("7k/8/8/4K3/8/8/8/R7 b - -", 6)] {
        let (position, stipulation) = (position(fen), Stipulation::helped(Play::Help, End::Mate, half_moves));
        let (expected, _) = lines_with(position, stipulation, 1, Rules { dead: false, ..Rules::ALL });
        assert!(expected.len() > 3, "{fen} {}", expected.len());
        assert_eq!(lines_with(position, stipulation, 1, Rules::ALL).0, expected, "{fen}");
    }
}

/// The numbers of what the last moves of planted games held.
#[derive(Debug, Default)]
struct Planted {
    mates: usize,
    stalemates: usize,
    positions: usize,
    castling: usize,
    en_passant: usize,
    promotions: usize,
    double_checks: usize,
}

/// Plays random games that end in mate or stalemate, and asks about each of their last positions with the moves that
/// are really left: none may be called impossible, and none may miss a mate in the last two half-moves.
fn plant(positions: usize) -> Planted {
    let mut random = Random(20_261_124);
    let mut planted = Planted::default();
    while planted.positions < positions {
        let mut game = vec![random_position(&mut random)];
        let mut moves = Vec::new();
        while game.len() < 60 {
            let last = game[game.len() - 1];
            let Some(m) = chosen(&last, &mut random) else { break };
            moves.push(m);
            game.push(last.play(m));
        }
        if !game[game.len() - 1].has_move() {
            ask_about(&game, &moves, &mut planted);
        }
    }
    planted
}

/// Chooses a move, rather one that ends the game, or a special one.
fn chosen(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    let pick = |list: &[Move], random: &mut Random| (!list.is_empty()).then(|| list[random.below(list.len().max(1))]);
    if random.below(4) > 0 {
        let ends: Vec<Move> = moves.iter().copied().filter(|&m| !position.play(m).has_move()).collect();
        let stalemates: Vec<Move> = ends.iter().copied().filter(|&m| !position.play(m).is_check()).collect();
        if let Some(m) = pick(&stalemates, random).or_else(|| pick(&ends, random)) {
            return Some(m);
        }
    }
    let is_special = |m: &Move| m.is_castle() || m.is_en_passant() || m.promotion().is_some() || m.is_double_step();
    let special: Vec<Move> = moves.iter().copied().filter(is_special).collect();
    pick(&special, random).filter(|_| random.below(3) > 0).or_else(|| pick(&moves, random))
}

fn ask_about(game: &[Position], moves: &[Move], planted: &mut Planted) {
    let end = game[game.len() - 1];
    let goal = if end.is_check() { End::Mate } else { End::Stalemate };
    *(if goal == End::Mate { &mut planted.mates } else { &mut planted.stalemates }) += 1;
    planted.double_checks += usize::from(end.checkers().more_than_one());
    let attacker: Color = !end.turn();
    let king = end.king(end.turn());
    let half_moves = moves.len();
    let mut outlook = Outlook::new(attacker, goal, Rules::ALL);
    for back in 1..game.len().min(14) {
        let (position, m) = (game[half_moves - back], moves[half_moves - back]);
        planted.positions += 1;
        planted.castling += usize::from(m.is_castle());
        planted.en_passant += usize::from(m.is_en_passant());
        planted.promotions += usize::from(m.promotion().is_some());
        let left = MovesLeft { attacker: back.div_ceil(2) as u8, defender: (back / 2) as u8 };
        outlook.look(&position, left);
        let text = || format!("{} {left:?} {king} {goal:?} {}", position.fen(), end.fen());
        assert!(outlook.is_possible(king, &mut { super::picture::Checks::ALL }), "{}", text());
        if back == 2 && goal == End::Mate {
            assert!(pairs::Wishes::of(&position).allow(m), "{} {m:?}", text());
        }
    }
}

#[test]
fn no_position_of_a_game_that_ends_in_mate_is_called_impossible() {
    let planted = plant(20_000);
    assert!(planted.mates > 500 && planted.stalemates > 500 && planted.double_checks > 2, "{planted:?}");
    assert!(planted.castling > 5 && planted.en_passant > 15 && planted.promotions > 200, "{planted:?}");
}

#[test]
#[ignore = "some minutes: cargo test --release --lib search::help -- --ignored"]
fn no_position_of_many_games_is_called_impossible() {
    println!("{:?}", plant(1_000_000));
}

#[test]
fn a_limit_keeps_what_was_found() {
    let position = position("8/8/8/8/8/5k2/8/R3K3 b Q -");
    let stop = AtomicBool::new(false);
    let stipulation = Stipulation::helped(Play::Help, End::Mate, 6);
    let task = HelpTask { position, stipulation, memory: 1 << 20, threads: 1, most: usize::MAX, rules: Rules::ALL };
    let counts = HelpCounts::default();
    let all = solve(&task, &Control::new(Limits::default(), &stop), &counts);
    let [parts, done, solutions] = [&counts.parts, &counts.done, &counts.solutions].map(|count| count.load(Relaxed));
    assert!(parts > 0 && (done, solutions) == (parts, all.count()), "{counts:?}");
    assert!(all.complete && all.count() > 3);
    let some = solve(&HelpTask { most: 2, ..task }, &Control::new(Limits::default(), &stop), &HelpCounts::default());
    assert!(!some.complete && some.stopped.is_none());
    assert!(lines(&some) == lines(&all)[..2]);
    let limits = Limits { nodes: Some(50), deadline: None };
    let cut = solve(&task, &Control::new(limits, &stop), &HelpCounts::default());
    assert_eq!((cut.complete, cut.stopped), (false, Some(StopReason::Nodes)));
}

/// Problems of T. R. Dawson and P. Benko on which the rules were measured.
const MEASURED: [(&str, Play, End, u16); 5] = [
    ("8/1qb5/bp4pr/2r1k1K1/p5n1/2P5/3B1n2/8 b - -", Play::Help, End::Mate, 8),
    ("5q2/1R1p4/8/1p4Kp/3rpp2/1p3Pp1/2p5/2rkb3 b - -", Play::Help, End::Mate, 8),
    ("8/7K/8/3p2P1/7n/8/bbn5/k7 b - -", Play::Help, End::Mate, 12),
    ("8/4kpp1/8/p7/p7/K5p1/p2pp1P1/8 b - -", Play::Help, End::Mate, 14),
    ("8/5P2/8/2K5/8/8/pppppppp/rnbkqbnr b - -", Play::Help, End::Stalemate, 8),
];

#[test]
#[ignore = "prints the table of benches/tuning/help.md: cargo test --release --lib measured -- --ignored --nocapture"]
fn nodes_without_each_rule_are_measured() {
    const MOST: u64 = 20_000_000;
    for (fen, play, end, half_moves) in MEASURED {
        let position = position(fen);
        let nodes = RULES.map(|(name, rules)| {
            let stop = AtomicBool::new(false);
            let control = Control::new(Limits { nodes: Some(MOST), deadline: None }, &stop);
            let stipulation = Stipulation::helped(play, end, half_moves);
            let task = HelpTask { position, stipulation, memory: 1 << 27, threads: 1, most: usize::MAX, rules };
            let is_complete = solve(&task, &control, &HelpCounts::default()).complete;
            println!("{fen} {half_moves} {name}: {}{}", control.nodes(), if is_complete { "" } else { " and more" });
            if is_complete { control.nodes() } else { MOST }
        });
        assert!(nodes[0] < MOST && nodes[1..].iter().all(|&without| without >= nodes[0] / 2), "{fen} {nodes:?}");
    }
}
