//! Problems that a capture en passant solves, although the diagram does not say that it is allowed.
//!
//! If the report on a problem of one or two moves has no solution and the attacker is to move, the detector gives each
//! right that the placement of the pawns allows: both squares behind the pawn are empty, so that the double step can
//! have been made. It tests whether the capture mates, or in two moves leaves only defences that a mate answers. The
//! theme is then "En passant" too; its evidence is the position with the right.

use shakmaty::{Chess, EnPassantMode, Position as _, Rank, Role, Square};

use crate::results::themes::{PhaseKind, PhaseLabel, Theme, ThemeLine};
use crate::themes::phases::Scene;
use crate::themes::retest::{ply, solves, state, tolerant};

pub(super) const NAMES: [&str; 1] = ["En passant"];

/// The longest problem that is tested, in moves.
const LONGEST: u16 = 2;

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let is_unsolved = scene.solutions().next().is_none();
    if !is_unsolved || !(1..=LONGEST).contains(&scene.length) || scene.diagram.turn() != scene.attacker {
        return Vec::new();
    }
    let solves = |square| of_right(&scene.diagram, square, scene.length);
    Square::ALL.into_iter().filter_map(solves).take(1).collect()
}

/// Tests the captures on a square over which a pawn may just have passed.
fn of_right(diagram: &Chess, square: Square, length: u16) -> Option<Theme> {
    let attacker = diagram.turn();
    let passed_rank = attacker.fold_wb(Rank::Sixth, Rank::Third);
    let board = diagram.board();
    let [home, now] = [attacker.fold_wb(8, -8), attacker.fold_wb(-8, 8)].map(|step| square.offset(step));
    let (home, now) = (home?, now?);
    let is_pawn = board.piece_at(now) == Some(Role::Pawn.of(!attacker));
    if square.rank() != passed_rank || !is_pawn || board.occupied().contains(square) || board.occupied().contains(home)
    {
        return None;
    }
    let mut setup = diagram.to_setup(EnPassantMode::Legal);
    setup.ep_square = Some(square);
    let position = tolerant(setup)?;
    let captures = position.en_passant_moves();
    let capture = captures.iter().copied().find(|&m| solves(&position, m, length))?;
    let first = ply(&position, capture);
    let phase = PhaseLabel { kind: PhaseKind::Solution, first: Some(first.clone()) };
    let change = format!("if the pawn on {now} came from {home}, the capture solves the problem");
    Some(Theme {
        name: NAMES[0],
        squares: vec![square],
        phases: vec![phase],
        lines: vec![ThemeLine { phase: 0, begins: 0, plies: vec![first] }],
        evidence: vec![state(change, &position, true)],
    })
}
