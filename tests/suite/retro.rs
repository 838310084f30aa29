//! Distance-to-mate tables: the longest mates of whole classes, and every value of random positions against the rules.
//!
//! Two slow, simple solvers judge single positions. `one_move_deeper` plays every legal move with shakmaty and compares
//! a position's value with the values after the moves. A table in which every position passes this test is right: by
//! induction over the length, no mate is too short or missing. `matesolve_testkit::reference` searches short mates at
//! full width.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use matesolve::results::report::{ReportOptions, Soundness};
use matesolve::results::solution::{Status, StoppedBy};
use matesolve::{Problem, Solver};
use matesolve_engine::chess::{MateLength, NodeKind, Position};
use matesolve_engine::search::retro::{Distance, Material, Tables};
use matesolve_engine::search::syzygy::SyzygyFiles;
use matesolve_engine::search::{Control, Limits};
use matesolve_testkit::random::Random;
use matesolve_testkit::reference::Reference;
use shakmaty::{
    Board, CastlingMode, Chess, Color, FromSetup, Piece, Position as _, PositionError, Role, Setup, Square,
};

/// The length of the longest mate, in moves of the side that mates and is to move, for classes of up to four men.
const LONGEST: &[(&str, u16)] = &[
    ("KPK", 28),
    ("KNK", 0),
    ("KBK", 0),
    ("KRK", 16),
    ("KQK", 10),
    ("KBBK", 19),
    ("KBNK", 33),
    ("KNNK", 1),
    ("KQKR", 35),
    ("KQKB", 17),
    ("KQKN", 21),
    ("KQKP", 28),
    ("KQKQ", 13),
    ("KRKR", 19),
    ("KRKB", 29),
    ("KRKN", 40),
    ("KRKP", 26),
    ("KPKP", 33),
];

/// Builds the tables of the men `class`, White first, such as `KQKR`.
fn tables(class: &str) -> (Tables, Material) {
    let mut tables = Tables::default();
    let material = add_tables(&mut tables, class);
    (tables, material)
}

/// Adds those tables of the men `class`, White first, that are not there yet.
fn add_tables(tables: &mut Tables, class: &str) -> Material {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let mut random = Random(1);
    let chess = (0..).find_map(|_| place(&mut random, class, Color::White)).unwrap();
    let material = Material::of(&Position::from_chess(&chess), Color::White);
    tables.build(material, 1, &control).unwrap();
    material
}

/// Places the men of a class on random squares, the first side's for `attacker`. `None` if the position is illegal.
fn place(random: &mut Random, class: &str, attacker: Color) -> Option<Chess> {
    let mut board = Board::empty();
    let mut color = !attacker;
    for letter in class.chars() {
        let role = Role::from_char(letter).unwrap();
        color = if role == Role::King { !color } else { color };
        let square = Square::new(random.below(64) as u32);
        let last_rank = matches!(square.rank(), shakmaty::Rank::First | shakmaty::Rank::Eighth);
        if board.piece_at(square).is_some() || (role == Role::Pawn && last_rank) {
            return None;
        }
        board.set_piece_at(square, Piece { color, role });
    }
    let turn = if random.one_in(2) { Color::White } else { Color::Black };
    let mut setup = Setup { board, turn, ..Setup::empty() };
    // Half of all possible rights to capture en passant.
    let targets = Square::ALL
        .into_iter()
        .filter(|square| square.rank() == turn.fold_wb(shakmaty::Rank::Sixth, shakmaty::Rank::Third));
    setup.ep_square = targets.filter(|_| random.one_in(2)).find(|&square| {
        Chess::from_setup(Setup { ep_square: Some(square), ..setup.clone() }, CastlingMode::Standard)
            .is_ok_and(|chess| chess.legal_ep_square().is_some())
    });
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}

fn value(tables: &Tables, chess: &Chess, attacker: Color) -> Distance {
    let position = Position::from_chess(chess);
    tables.distance(&position, attacker).unwrap_or_else(|| panic!("no table holds {}", position.fen()))
}

/// Stands for no mate in [`one_move_deeper`]: longer than every mate.
const NEVER: MateLength = MateLength(u16::MAX);

/// Returns the value of a position, computed from the values after all its moves by the rules of chess.
fn one_move_deeper(tables: &Tables, chess: &Chess, attacker: Color) -> Distance {
    let after = chess.legal_moves().into_iter().map(|m| {
        let mut next = chess.clone();
        next.play_unchecked(m);
        value(tables, &next, attacker)
    });
    let length = |distance| match distance {
        Distance::Mate(length) => length,
        Distance::NoMate => NEVER,
    };
    let best = if chess.turn() == attacker {
        after.map(length).min().filter(|&length| length != NEVER).map(MateLength::longer)
    } else if chess.is_stalemate() {
        None
    } else {
        after.map(length).max().or(Some(MateLength(0))).filter(|&length| length != NEVER)
    };
    best.map_or(Distance::NoMate, Distance::Mate)
}

/// Compares the values of random positions of a class with those of the simple solvers. Returns how many were mates.
fn compare(class: &str, tables: &Tables, count: usize) -> usize {
    let mut random = Random(class.bytes().fold(7, |seed, byte| seed * 31 + u64::from(byte)));
    let mut mates = 0;
    for turn in 0..count {
        let attacker = if turn % 2 == 0 { Color::White } else { Color::Black };
        let chess = (0..).find_map(|_| place(&mut random, class, attacker)).unwrap();
        let position = Position::from_chess(&chess);
        let found = value(tables, &chess, attacker);
        let place = format!("{class}: {}, {attacker} mates", position.fen());
        assert_eq!(found, one_move_deeper(tables, &chess, attacker), "{place}");
        mates += usize::from(found != Distance::NoMate);
        let kind = NodeKind::of(chess.turn(), attacker);
        let short = Reference::new(200_000).shortest(&position, kind, 3);
        if let (Ok(short), Distance::Mate(length)) = (short, found) {
            assert_eq!(short, Some(length.0).filter(|&length| length <= 3), "{place}");
        } else if let Ok(short) = short {
            assert_eq!(short, None, "{place}");
        }
    }
    mates
}

/// Returns every class of at most four men in which the attacker has more than a king.
fn all_classes() -> Vec<String> {
    let men = ["P", "N", "B", "R", "Q"];
    let mut classes: Vec<String> = Vec::new();
    for (i, first) in men.iter().enumerate() {
        classes.push(format!("K{first}K"));
        classes.extend(men.iter().map(|other| format!("K{first}K{other}")));
        classes.extend(men[i..].iter().map(|second| format!("K{second}{first}K")));
    }
    classes
}

#[test]
fn the_longest_mates_are_those_of_the_literature_and_random_positions_have_the_values_of_simple_solvers() {
    // Men that captures and promotions leave are among those of other classes.
    let (mut tables, mut mates) = (Tables::default(), 0);
    for &(class, moves) in LONGEST {
        let material = add_tables(&mut tables, class);
        assert_eq!(tables.longest(material, NodeKind::Or), Some(MateLength(moves)), "{class}");
        if ["KQK", "KPK", "KBNK", "KQKR", "KRKN", "KPKP"].contains(&class) {
            mates += compare(class, &tables, 75);
        }
    }
    assert!(mates > 120, "{mates}");
}

#[test]
fn random_positions_with_two_pawns_have_the_values_of_simple_solvers() {
    assert!(compare("KPPK", &tables("KPPK").0, 75) > 25);
}

#[test]
fn material_that_cannot_mate_has_no_mate_in_any_table() {
    let mut claimed = 0;
    let classes = ["KNK", "KBK", "KNKQ", "KBKB", "KBKR", "KBKQ", "KBBK"];
    for class in classes {
        let (tables, _) = tables(class);
        let mut random = Random(3);
        for chess in (0..2_000).filter_map(|_| place(&mut random, class, Color::White)) {
            if Position::from_chess(&chess).cannot_mate(Color::White) {
                claimed += 1;
                assert_eq!(value(&tables, &chess, Color::White), Distance::NoMate, "{class}: {chess:?}");
            }
        }
    }
    assert!(claimed > 1_000, "{claimed}");
}

#[test]
fn the_engine_proves_mates_and_says_that_there_is_none() {
    let solver = || Solver::new().engine("retro").unwrap();
    let answer = |text: &str| solver().solve(&Problem::read(text).unwrap());
    let mate = answer("8/8/8/3k4/8/8/8/KBN5 w - -");
    assert_eq!((mate.result.mate_in, mate.result.proved_shortest), (Some(30), true));
    assert!(mate.result.verified.is_set());
    let mated = solver().defend().solve(&Problem::read("8/8/8/3k4/8/8/8/KR6 b - -").unwrap());
    assert_eq!((mated.result.status, mated.result.proved_shortest), (Status::Mated, true));
    let none = answer("8/8/8/3k4/8/8/8/KNN5 w - -");
    assert_eq!((none.result.status, none.result.no_mate_at_all), (Status::NoMate, true));
    let within = solver().at_most(5).solve(&Problem::read("8/8/8/3k4/8/8/8/KBN5 w - -").unwrap());
    assert_eq!((within.result.status, within.result.no_mate_at_all), (Status::NoMate, false));
}

#[test]
fn the_engine_refuses_what_it_has_no_tables_for() {
    let warning = |text: &str, hash| {
        let solver = Solver::new().engine("retro").unwrap().hash(hash);
        let solution = solver.solve(&Problem::read(text).unwrap());
        assert_eq!(solution.result.status, Status::Undecided, "{text}");
        solution.warnings.join(" ")
    };
    let rights = warning("r3k3/8/8/8/8/8/8/KQ6 w q -", 1 << 30);
    assert!(rights.contains("may still castle"), "{rights}");
    let men = warning("8/8/8/3k4/8/7p/6PP/KQ6 w - -", 1 << 30);
    assert!(men.contains("at most 5 men, and 6 are on the board"), "{men}");
    let memory = warning("8/8/8/3k4/8/8/8/KQR3r1 w - -", 1 << 28);
    assert!(memory.contains("give at least --hash 576M"), "{memory}");
}

#[test]
fn a_proof_that_does_not_fit_beside_the_tables_is_given_up() {
    let problem = Problem::read("8/8/4r3/3k4/8/8/8/KQ6 w - -").unwrap();
    let material = Material::of(&Position::from_chess(&problem.chess), Color::White);
    let tables = Tables::bytes_needed(material).unwrap();
    let solve = |hash| Solver::new().engine("retro").unwrap().hash(hash).solve(&problem);
    let small = solve(tables + (64 << 10));
    assert_eq!((small.result.status, small.result.refuted_through), (Status::Undecided, Some(32)));
    assert_eq!(small.stats.stopped_by, Some(StoppedBy::Memory));
    assert_eq!(solve(tables + (128 << 20)).result.mate_in, Some(33));
}

#[test]
fn the_race_answers_endings_of_four_men_exactly() {
    let solution = Solver::new().solve(&Problem::read("8/8/8/3k4/8/8/8/KBB5 w - -").unwrap());
    assert_eq!((solution.result.mate_in, solution.result.proved_shortest), (Some(17), true));
    let none = Solver::new().solve(&Problem::read("8/8/8/3k4/8/4P3/8/K7 w - -").unwrap());
    assert!(none.result.no_mate_at_all);
}

#[test]
#[ignore = "some minutes: 1,000 positions of every class of three or four men: cargo test --test suite retro:: -- --ignored"]
fn random_positions_of_every_class_have_the_values_of_simple_solvers() {
    for class in all_classes() {
        let mates = compare(&class, &tables(&class).0, 1_000);
        println!("{class}: {mates} of 1000 are mates");
    }
}

/// Returns the folder with the Syzygy files of all classes of three and four men.
fn syzygy_folder() -> PathBuf {
    let folder = std::env::var_os("MATESOLVE_SYZYGY");
    folder.expect("set MATESOLVE_SYZYGY to a folder with Syzygy files of three and four men").into()
}

#[test]
#[ignore = "needs Syzygy files: MATESOLVE_SYZYGY=FOLDER cargo test --test suite syzygy -- --ignored"]
fn syzygy_files_agree_with_the_tables_about_who_wins() {
    let files = SyzygyFiles::open(&[syzygy_folder()]).unwrap();
    let (mut won, mut not_won) = (0, 0);
    for class in all_classes() {
        let (tables, _) = tables(&class);
        let mut random = Random(5);
        for chess in (0..600).filter_map(|_| place(&mut random, &class, Color::White)) {
            // The tables know the attacker's mates only, and he plays White.
            if chess.turn() == Color::White {
                let position = Position::from_chess(&chess);
                let mates = value(&tables, &chess, Color::White) != Distance::NoMate;
                assert_eq!(files.is_won(&position), Some(mates), "{}", position.fen());
                *(if mates { &mut won } else { &mut not_won }) += 1;
            }
        }
    }
    assert!(won > 1_000 && not_won > 1_000, "{won} {not_won}");
}

#[test]
#[ignore = "needs Syzygy files: MATESOLVE_SYZYGY=FOLDER cargo test --test suite syzygy -- --ignored"]
fn an_answer_that_rests_on_syzygy_files_is_the_same_and_says_so() {
    let problem = Problem::read("8/8/8/3k4/8/3p4/3R4/2K2n2 w - -").unwrap();
    let alone = Solver::new().at_most(4).solve(&problem).result;
    let solver = Solver::new().at_most(4).syzygy(&[syzygy_folder()]).unwrap();
    let helped = solver.solve(&problem).result;
    assert_eq!((alone.status, alone.with_tables), (Status::NoMate, false));
    assert_eq!((helped.status, helped.with_tables), (Status::NoMate, true));
    let report = |solver: &Solver| solver.report(&problem, ReportOptions::default()).verdict;
    let (alone, with_files) = (report(&Solver::new().at_most(4)), report(&solver));
    assert_eq!((alone.soundness, alone.with_tables), (Soundness::NoSolution, false));
    assert_eq!((with_files.soundness, with_files.with_tables), (Soundness::NoSolution, true));
    let short = Problem::read("7k/8/5K2/6Q1/8/8/p7/8 w - - dm 1;").unwrap();
    let short = solver.solve(&short).result;
    assert_eq!((short.mate_in, short.with_tables), (Some(1), false), "nothing was refuted");
}
