//! The pictures of the mates in the solution: model, ideal and mirror mates.
//!
//! | name | rule |
//! |---|---|
//! | Model mates | at least one model mate after a defence, in a line in which the attacker has no dual after the key |
//! | Pure mates | at least one pure mate that is no model mate, in such a line |
//! | Ideal mates | at least one ideal mate |
//! | Mirror mates | at least one model mate in which all eight squares beside the king are empty |
//!
//! [`Picture`] has the rules of a model: every square of the king's field is guarded once or blocked, and all pieces of
//! the attacker, apart from king and pawns, take part.

use hashbrown::HashSet;
use shakmaty::{Chess, Position as _, attacks};

use crate::proof::picture::Picture;
use crate::results::report::Ply;
use crate::results::themes::Theme;

use super::lines::walk;
use super::phases::{Phase, Scene, ThemeClaim};

pub(super) const NAMES: [&str; 4] = ["Model mates", "Ideal mates", "Mirror mates", "Pure mates"];

/// The least number of model mates.
const MODELS: usize = 1;

pub(super) fn find(scene: &Scene<'_>, phase: &Phase<'_>) -> Vec<Theme> {
    let mut models: Vec<(usize, Vec<&Ply>, Chess)> = Vec::new();
    let (mut ideals, mut pure) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    walk(scene, phase, &mut |step| {
        let Some(ply) = step.ply().filter(|ply| ply.mate && step.is_only) else { return };
        let (begins, plies) = step.unbroken();
        if step.before.turn() != scene.attacker || begins > 1 || plies.len() < 2 {
            return;
        }
        let picture = Picture::of(step.after);
        let is_new = picture.pure && seen.insert((ply.uci.clone(), step.after.board().king_of(step.after.turn())));
        if is_new && !picture.model {
            pure.push((begins, plies));
        } else if is_new {
            models.push((begins, plies.clone(), step.after.clone()));
            if picture.ideal {
                ideals.push((begins, plies));
            }
        }
    });
    let show = |name, lines: &mut dyn Iterator<Item = &(usize, Vec<&Ply>)>| {
        lines
            .fold(ThemeClaim::new(name).first(phase), |claim, (begins, plies)| {
                claim.moves(phase, *begins, plies.iter().copied())
            })
            .done()
    };
    let lines: Vec<(usize, Vec<&Ply>)> = models.iter().map(|(begins, plies, _)| (*begins, plies.clone())).collect();
    let mirrors = models.iter().filter(|(.., mate)| is_mirror(mate));
    let mirrors: Vec<(usize, Vec<&Ply>)> = mirrors.map(|(begins, plies, _)| (*begins, plies.clone())).collect();
    let mut themes = Vec::new();
    if lines.len() >= MODELS {
        themes.push(show("Model mates", &mut lines.iter()));
    }
    if !ideals.is_empty() {
        themes.push(show("Ideal mates", &mut ideals.iter()));
    }
    if !mirrors.is_empty() {
        themes.push(show("Mirror mates", &mut mirrors.iter()));
    }
    if !pure.is_empty() {
        themes.push(show("Pure mates", &mut pure.iter()));
    }
    themes
}

/// Returns whether the mated king has eight squares beside him, and all are empty.
fn is_mirror(mate: &Chess) -> bool {
    let board = mate.board();
    board.king_of(mate.turn()).is_some_and(|king| {
        let field = attacks::king_attacks(king);
        field.count() == 8 && (field & board.occupied()).is_empty()
    })
}
