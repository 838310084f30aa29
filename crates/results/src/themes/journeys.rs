//! What a man does in the course of a line: it returns, castles, promotes, captures en passant; and what all lines add
//! up to.
//!
//! | name | rule |
//! |---|---|
//! | Switchback | in a line of the solution a man of the attacker moves from a square to another, and its next move leads straight back |
//! | Castling | the solution contains castling |
//! | En passant | the solution contains a capture en passant |
//! | Underpromotion | a pawn of the attacker promotes to rook, bishop or knight, in the key or as an only answer, and no other solution begins with the same promotion to a queen |
//! | Excelsior | a pawn goes from its own second rank to promotion within one line of the solution |
//! | Allumwandlung | the attacker promotes to queen, rook, bishop and knight, each time in the key or as an only answer |
//! | Albino | a pawn of the attacker makes its four possible moves from its own second rank, each as an only answer |
//! | Pickaninny | a pawn of the defender makes its four moves from its own second rank after the key; each has an answer without a dual, and not all the same |
//!
//! A move is an **only answer** if no move of the attacker up to it, after the key, has a dual. Threats count as
//! answers, but not in a Pickaninny.

use hashbrown::HashMap;
use shakmaty::{Position as _, Rank, Role, Square};

use crate::results::report::Ply;
use crate::results::themes::Theme;
use crate::themes::lines::{Step, walk};
use crate::themes::phases::{Phase, PlayMove, Scene, ThemeClaim};

pub(super) const NAMES: [&str; 8] =
    ["Switchback", "Castling", "En passant", "Underpromotion", "Excelsior", "Allumwandlung", "Albino", "Pickaninny"];

/// A line: the half-move at which it begins, and its moves.
type Shown<'r> = (usize, Vec<&'r Ply>);

/// The moves that were seen in the play of a solution.
#[derive(Default)]
struct Seen<'r> {
    single: HashMap<&'static str, Vec<Shown<'r>>>,
    promotions: HashMap<Role, Shown<'r>>,
    /// Moves of pawns from their second rank, by side and file: the squares of arrival.
    pawns: HashMap<Square, HashMap<Square, Shown<'r>>>,
}

pub(super) fn find(scene: &Scene<'_>, phase: &Phase<'_>) -> Vec<Theme> {
    let mut seen = Seen::default();
    walk(scene, phase, &mut |step| look(scene, step, &mut seen));
    let mut themes = Vec::new();
    for name in &NAMES[..5] {
        let shown = seen.single.get(name);
        themes.extend(shown.map(|parts| ThemeClaim::new(name).first(phase).lines(phase, parts).done()));
    }
    let all: Option<Vec<&Shown<'_>>> =
        [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].iter().map(|role| seen.promotions.get(role)).collect();
    if let Some(all) = all {
        themes.push(ThemeClaim::new("Allumwandlung").first(phase).lines(phase, all).done());
    }
    themes.extend(pawns(scene, phase, &seen));
    themes
}

fn look<'r>(scene: &Scene<'r>, step: &Step<'_, 'r>, seen: &mut Seen<'r>) {
    let Some(ply) = step.ply() else { return };
    let of_attacker = step.before.turn() == scene.attacker;
    let mut note = |name| {
        seen.single.entry(name).or_insert_with(|| step.parts());
    };
    if ply.mv.is_castle() {
        note("Castling");
    }
    if ply.mv.is_en_passant() {
        note("En passant");
    }
    if of_attacker && returns(step) {
        note("Switchback");
    }
    if ply.mv.is_promotion() && is_excelsior(step) {
        note("Excelsior");
    }
    if let Some(role) = ply.mv.promotion() {
        if of_attacker && role != Role::Queen && step.is_only && !is_cooked(scene, step) {
            seen.single.entry("Underpromotion").or_insert_with(|| step.parts());
        }
        if of_attacker && step.is_only {
            seen.promotions.entry(role).or_insert_with(|| step.unbroken());
        }
    }
    let second = step.before.turn().fold_wb(Rank::Second, Rank::Seventh);
    if ply.mv.role() == Role::Pawn
        && step.is_only
        && let Some(from) = ply.mv.from().filter(|from| from.rank() == second)
    {
        seen.pawns.entry(from).or_default().entry(ply.mv.to()).or_insert_with(|| step.unbroken());
    }
}

/// Returns whether another solution begins with the same promotion to a queen.
fn is_cooked(scene: &Scene<'_>, step: &Step<'_, '_>) -> bool {
    let [(0, first)] = step.path else { return false };
    let queens = |other: &Ply| {
        let same = (other.mv.from(), other.mv.to()) == (first.mv.from(), first.mv.to());
        same && other.mv.promotion() == Some(Role::Queen)
    };
    scene.solutions().filter_map(|key| key.first).any(queens)
}

/// Returns whether the pawn that promotes began the line on its own second rank.
fn is_excelsior(step: &Step<'_, '_>) -> bool {
    let Some((&(at, last), earlier)) = step.path.split_last() else { return false };
    let second = step.before.turn().fold_wb(Rank::Second, Rank::Seventh);
    let mut square = last.mv.from();
    for (_, ply) in earlier.iter().rev().filter(|(other, _)| other % 2 == at % 2) {
        if Some(ply.mv.to()) == square && ply.mv.role() == Role::Pawn {
            square = ply.mv.from();
        }
    }
    square.is_some_and(|square| square.rank() == second)
}

/// Returns whether the last move leads a man back to where his move before began.
fn returns(step: &Step<'_, '_>) -> bool {
    let Some((&(at, last), earlier)) = step.path.split_last() else { return false };
    let (Some(from), to) = (last.mv.from(), last.mv.to()) else { return false };
    // The attacker's moves before this one, the latest first.
    let own = earlier.iter().rev().filter(|(other, _)| other % 2 == at % 2);
    let before = own.map(|&(_, ply)| ply).find(|ply| ply.mv.to() == from && !ply.mv.is_castle());
    before.is_some_and(|ply| ply.mv.from() == Some(to) && !last.mv.is_castle())
}

fn pawns(scene: &Scene<'_>, phase: &Phase<'_>, seen: &Seen<'_>) -> Vec<Theme> {
    let mut themes = Vec::new();
    for (&home, moves) in seen.pawns.iter().filter(|(_, moves)| moves.len() == 4) {
        let Some(color) = scene.diagram.board().color_at(home) else { continue };
        let name = if color == scene.attacker { "Albino" } else { "Pickaninny" };
        if color != scene.attacker && !is_answered(phase, home) {
            continue;
        }
        let mut shown: Vec<&Shown<'_>> = moves.values().collect();
        shown.sort_by_key(|(begins, plies)| (*begins, plies.iter().map(|ply| &ply.uci).collect::<Vec<_>>()));
        themes.push(ThemeClaim::new(name).first(phase).lines(phase, shown).done());
    }
    themes.sort_by(|a: &Theme, b| a.name.cmp(b.name));
    themes
}

/// Returns whether the four moves of a pawn after the key have answers without duals, and not all the same.
fn is_answered(phase: &Phase<'_>, home: Square) -> bool {
    let lines = phase.single().filter(|(line, _)| line.id.home == home && line.id.role == Role::Pawn);
    let answers: Vec<PlayMove> = lines.map(|(_, answer)| answer.id).collect();
    answers.len() == 4 && answers.iter().any(|answer| *answer != answers[0])
}
