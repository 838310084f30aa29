//! Asks whether one first move solves: turns the problem into the one after that move, so that a report names the
//! refutations.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode};

use crate::chess::{NodeKind, Position, rules};
use crate::problem::{Problem, moves};
use crate::proof::played;
use crate::results::report::Ply;

use super::{Castling, ReportRequest, rights};

/// Makes the diagram the one after a first move, written as `Rh5` or `h1h5`, so that the report tells which defences
/// refute this move. Rights that are assumed in the diagram hold there too. Where the attacker must mate at once, the
/// diagram stays, because the report says so of every move.
///
/// # Errors
/// The sentence says why nothing can be asked: the problem has no stated length, has twins, or the move is not legal.
pub fn ask_why(problem: &mut Problem, request: &mut ReportRequest, first: &str) -> Result<(), String> {
    let stipulation = problem.question.stipulation;
    let fault = match () {
        () if !problem.phases.is_empty() => {
            "asks about one problem, and this one has twins; give the position of one of them"
        }
        () if stipulation.is_helped() || stipulation.defender_begins() => {
            "asks which defences refute a first move; here no side that strives for the goal begins against one"
        }
        () if stipulation.moves().is_none() => "needs a length; add one, such as -s '#3'",
        () => "",
    };
    if !fault.is_empty() {
        return Err(fault.to_owned());
    }
    let chess = rights::settle(&problem.chess, request.castling, request.proves_en_passant).chess;
    let Some(m) = moves::find(&chess, first) else {
        return Err("is no legal move here, or fits several; write it like Rh5 or h1h5".to_owned());
    };
    if rules::must_end(stipulation.goal(), &Position::from_chess(&chess), NodeKind::Or) {
        return Ok(());
    }
    request.why = Some(Ply::of(&chess, m, CastlingMode::Standard));
    problem.chess = played(&chess, m, &request.exclusive);
    problem.fen = Fen::from_position(&problem.chess, EnPassantMode::Legal).to_string();
    request.options.post_key = true;
    (request.castling, request.proves_en_passant) = (Castling::Fen, false);
    Ok(())
}
