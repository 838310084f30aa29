//! Compares mates of any length with a plain listing of all positions, where few positions can arise.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use shakmaty::{Color, Role, Square};

use super::super::any::{AnyAnswer, AnyTask, any};
use super::super::reach::{MOST_STEPS, no_mate_fits};
use super::Random;
use crate::chess::testing::position;
use crate::chess::{End, PackedPosition, Position, rules};
use crate::search::{Control, HelpCounts, Limits, StopReason};

/// The most positions of a small world.
const SMALL: usize = 8_000;

fn answer(position: &Position, mating: Color, first: bool, nodes: Option<u64>, memory: usize) -> AnyAnswer {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes, deadline: None }, &stop);
    let task = AnyTask { position: *position, mating, memory, threads: 1, first };
    any(&task, &control, &HelpCounts::default())
}

/// Returns whether a line is legal and mates.
fn mates(start: &Position, mating: Color, line: &[crate::chess::MoveCode]) -> bool {
    let mut position = *start;
    for &code in line {
        let Some(m) = position.find_move(code) else { return false };
        position = position.play(m);
    }
    position.turn() != mating && position.is_check() && !position.has_move()
}

/// Lists all positions. Returns the half-moves to the first mate, `Some(None)` if there is none, and `None` if the
/// world is too large.
#[allow(clippy::option_option, reason = "no answer is not the answer no")]
fn plain(root: &Position, mating: Color) -> Option<Option<usize>> {
    let mut seen = HashSet::from([PackedPosition::of(root)?]);
    let (mut level, mut depth) = (vec![*root], 0);
    while !level.is_empty() {
        let mut next = Vec::new();
        for position in &level {
            if position.turn() == mating && !rules::ends(position, End::Mate).is_empty() {
                return Some(Some(depth + 1));
            }
            for &m in &position.legal_moves() {
                let child = position.play(m);
                if seen.insert(PackedPosition::of(&child)?) {
                    next.push(child);
                }
            }
        }
        if seen.len() > SMALL {
            return None;
        }
        (level, depth) = (next, depth + 1);
    }
    Some(None)
}

/// Walls of pawns that neither king gets through.
const WALLS: [&str; 3] = [
    "4k3/8/1p1p1p2/pPpPpPp1/P1P1P1P1/8/8/4K3 w - -",
    "8/k7/1p6/1P6/1P6/KP6/PP6/8 w - -",
    "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - -",
];

/// Makes a position of kings and a wall of pawns, sometimes with a pawn less or another man more.
fn walled(random: &mut Random) -> Option<Position> {
    let wall = position(WALLS[random.below(WALLS.len())]);
    let pawns = wall.by_role(Role::Pawn);
    let gone = pawns.into_iter().nth(random.below(3 * pawns.count()));
    let mut men: Vec<(Color, Role, Square)> = Vec::new();
    for color in Color::ALL {
        let kept = wall.men(color, Role::Pawn).into_iter().filter(|&it| Some(it) != gone);
        men.extend(kept.map(|it| (color, Role::Pawn, it)));
    }
    for color in Color::ALL {
        let extra = (random.below(6) == 0).then_some([Role::Bishop, Role::Knight, Role::Rook][random.below(3)]);
        for role in [Some(Role::King), extra].into_iter().flatten() {
            let square = Square::new(random.below(64) as u32);
            if men.iter().any(|man| man.2 == square) {
                return None;
            }
            men.push((color, role, square));
        }
    }
    let position = Position::from_men(Color::from_white(random.below(2) == 0), men);
    position.pass().and_then(|passed| passed.pass())
}

fn compare(count: usize) -> [usize; 3] {
    let mut random = Random(0x616e_795f_6c65_6e67);
    let [mut mates_found, mut never, mut by_reach] = [0; 3];
    while mates_found + never < count {
        let Some(position) = walled(&mut random).filter(Position::has_move) else { continue };
        let mating = Color::from_white(random.below(2) == 0);
        let Some(expected) = plain(&position, mating) else { continue };
        let text = position.fen();
        let found = answer(&position, mating, false, None, 1 << 24);
        assert_eq!(found.line.as_ref().map(Vec::len), expected, "{text} {mating}");
        assert_eq!((found.never, found.is_shortest()), (expected.is_none(), expected.is_some()), "{text} {mating}");
        let some = answer(&position, mating, true, None, 1 << 24);
        assert_eq!((some.line.is_some(), some.never), (expected.is_some(), expected.is_none()), "{text} {mating}");
        for line in [&found.line, &some.line].into_iter().flatten() {
            assert!(mates(&position, mating, line), "{text} {mating}");
        }
        let is_denied = no_mate_fits(&position, mating, MOST_STEPS);
        assert!(!is_denied || expected.is_none(), "{text} {mating}");
        by_reach += usize::from(is_denied && !position.cannot_mate(mating));
        mates_found += usize::from(expected.is_some());
        never += usize::from(expected.is_none());
    }
    [mates_found, never, by_reach]
}

#[test]
fn mates_of_any_length_are_those_of_a_plain_listing() {
    let counts = compare(60);
    assert!(counts.into_iter().all(|count| count > 5), "{counts:?}");
}

#[test]
#[ignore = "some minutes: cargo test --release --lib any_length -- --ignored --nocapture"]
fn mates_of_any_length_are_those_of_a_plain_listing_in_many_positions() {
    println!("{:?}", compare(5_000));
}

#[test]
fn a_pawn_gets_past_a_wall_by_a_capture() {
    // 1.cxd5 Kd7 2.d6 Kc6 3.d7 c4 4.d8=Q Kc5 5.Qc7 mates. Without the rook nobody ever passes.
    let wall = position("4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - -");
    let position = position("4k3/8/8/p1prp1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - -");
    assert!(no_mate_fits(&wall, Color::White, MOST_STEPS) && !no_mate_fits(&position, Color::White, MOST_STEPS));
    let found = answer(&position, Color::White, true, None, 1 << 24);
    assert!(found.line.is_some_and(|line| mates(&position, Color::White, &line)));
}

#[test]
fn two_questions_about_one_position_have_two_answers() {
    let position = position("k4r2/Pp1p1p2/1P1P1Pp1/6P1/6p1/5pP1/5P1K/6BN b - -");
    let [black, white] =
        [Color::Black, Color::White].map(|mating| answer(&position, mating, true, Some(1 << 20), 1 << 26));
    assert!(black.line.is_some_and(|line| line.len() == 1));
    // After 1...Rb8 2.axb8 Kxb8 White has no move.
    assert!(white.never && white.line.is_none());
}

#[test]
fn what_stands_on_the_board_needs_no_move() {
    let mate = position("k7/1Q6/1K6/8/8/8/8/8 b - -");
    let found = answer(&mate, Color::White, false, None, 1 << 20);
    assert!(found.is_shortest() && !found.never);
    assert_eq!(found.line, Some(Vec::new()));
    assert!(answer(&mate, Color::Black, false, None, 1 << 20).never);
    assert!(answer(&position("k7/2Q5/1K6/8/8/8/8/8 b - -"), Color::White, false, None, 1 << 20).never, "stalemate");
}

#[test]
fn limits_leave_it_open() {
    // The shortest mate has 27 half-moves.
    let position = position("8/p1p1p3/8/8/8/6p1/P1P1P1Pp/5k1K w - -");
    let found = answer(&position, Color::White, false, Some(3_000), 1 << 24);
    assert_eq!((found.never, found.stopped), (false, Some(StopReason::Nodes)));
    assert!(found.refuted < 27 && !found.is_shortest());
    let found = answer(&position, Color::White, true, Some(3_000), 1 << 10);
    assert!(!found.never, "without memory for a closed set");
}
