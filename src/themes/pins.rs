//! Pins that a mate uses.
//!
//! A mate **uses a pin** if a man of the defender that is pinned in the mating position could else parry the mate. The
//! re-test takes the pinning man off: then the pinned man has a legal move, so there is no mate.
//!
//! | name | rule |
//! |---|---|
//! | Pin mates | at least two different mates after the key use a pin |
//! | Half-pin | two men of the defender, and nothing else, stand after the key between their king and a line man of the attacker; when either leaves the line, a mate uses the pin of the other |
//! | Masked half-pin | the same, but a man of the attacker stands on the line too; databases use "half-pin" for it as well |
//! | Selfpinning | in at least two lines with different mates the defending man itself is pinned on its square of arrival, and the mate uses this |
//! | Unpinning | a defence unpins a man of the attacker that mates: its mate is no legal move before the defence, because the man is pinned |

use hashbrown::HashSet;
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Square, attacks};

use crate::results::themes::{Retest, Theme};

use super::claim::Claim;
use super::key::word;
use super::phases::{Answer, Line, Phase, PlayMove, Scene, passed};
use super::retest::{after, ask, same_move, state, without};

pub(super) const NAMES: [&str; 5] = ["Pin mates", "Half-pin", "Masked half-pin", "Selfpinning", "Unpinning"];

/// The least number of different mates for pin mates and self-pins.
const MATES: usize = 2;

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    if !scene.is_two_mover() {
        return Vec::new();
    }
    scene.solutions().flat_map(of_solution).collect()
}

/// A mate that uses a pin.
struct PinMate<'p, 'r> {
    line: &'p Line<'r>,
    mate: &'p Answer<'r>,
    /// The square of the pinned man, and of the man that pins it.
    pinned: Square,
    by: Square,
    retest: Retest,
}

fn of_solution(key: &Phase<'_>) -> Vec<Theme> {
    let all: Vec<PinMate<'_, '_>> = key.single().flat_map(|(line, mate)| pin_mates(key, line, mate)).collect();
    let mut themes = Vec::new();
    themes.extend(several("Pin mates", key, all.iter()));
    themes.extend(half_pin(key, &all));
    let king_side = key.position.turn();
    let before: Vec<(Square, Square)> = pins(&key.position, king_side);
    let is_own = |it: &&PinMate<'_, '_>| it.pinned == it.line.id.to && !before.contains(&(it.line.id.home, it.by));
    themes.extend(several("Selfpinning", key, all.iter().filter(is_own)));
    themes.extend(unpinning(key));
    themes
}

/// Claims a theme for at least [`MATES`] different mates.
fn several<'a, 'p: 'a, 'r: 'p>(
    name: &'static str,
    key: &Phase<'_>,
    found: impl Iterator<Item = &'a PinMate<'p, 'r>>,
) -> Option<Theme> {
    let mut seen: HashSet<PlayMove> = HashSet::new();
    let different: Vec<&PinMate<'_, '_>> = found.filter(|it| seen.insert(it.mate.id)).collect();
    (different.len() >= MATES).then(|| show(Claim::new(name), key, &different).done())
}

fn show(claim: Claim, key: &Phase<'_>, found: &[&PinMate<'_, '_>]) -> Claim {
    found.iter().fold(claim, |claim, it| claim.answer(key, it.line, it.mate).shown_by(it.retest.clone()))
}

/// Returns the pins that a mate uses.
fn pin_mates<'p, 'r>(key: &Phase<'r>, line: &'p Line<'r>, mate: &'p Answer<'r>) -> Vec<PinMate<'p, 'r>> {
    let mated = after(&after(&key.position, line.ply.mv), mate.ply.mv);
    let defender = mated.turn();
    let used = |(pinned, by): (Square, Square)| {
        let free = without(&mated, defender, by)?;
        let parries = free.is_check() && free.legal_moves().iter().any(|m| m.from() == Some(pinned));
        let change = format!(
            "the pin of the {} on {pinned} is lifted: the {} is taken off {by}",
            man(&mated, pinned),
            man(&mated, by)
        );
        parries.then(|| PinMate {
            line,
            mate,
            pinned,
            by,
            retest: state(format!("{change}, and there is no mate"), &free, true),
        })
    };
    pins(&mated, defender).into_iter().filter_map(used).collect()
}

fn man(position: &Chess, square: Square) -> &'static str {
    position.board().role_at(square).map_or("man", word)
}

/// Returns the pinned men of a side, each with the man that pins it.
fn pins(position: &Chess, color: Color) -> Vec<(Square, Square)> {
    let board = position.board();
    let Some(king) = board.king_of(color) else { return Vec::new() };
    let pinned = |by: Square| {
        let between = attacks::between(by, king) & board.occupied();
        let man = between.single_square()?;
        let reaches = attacks::attacks(by, board.piece_at(by)?, Bitboard::EMPTY).contains(king);
        (reaches && board.by_color(color).contains(man)).then_some((man, by))
    };
    (board.sliders() & board.by_color(!color)).into_iter().filter_map(pinned).collect()
}

fn half_pin(key: &Phase<'_>, all: &[PinMate<'_, '_>]) -> Vec<Theme> {
    let (board, defender) = (key.position.board(), key.position.turn());
    let Some(king) = board.king_of(defender) else { return Vec::new() };
    for by in board.sliders() & board.by_color(!defender) {
        let Some(piece) = board.piece_at(by) else { continue };
        let between = attacks::between(by, king) & board.occupied();
        let (own, masks) = (between & board.by_color(defender), between & board.by_color(!defender));
        let reaches = attacks::attacks(by, piece, Bitboard::EMPTY).contains(king);
        let (Some(one), Some(two)) = (own.first(), own.last()) else { continue };
        if !reaches || own.count() != 2 || masks.count() > 1 {
            continue;
        }
        let uses = |leaves: Square, stays: Square| {
            all.iter().filter(move |it| it.by == by && it.pinned == stays && it.line.id.home == leaves)
        };
        let pairs = uses(one, two).flat_map(|first| uses(two, one).map(move |second| (first, second)));
        if let Some((first, second)) = pairs.into_iter().find(|(first, second)| first.mate.id != second.mate.id) {
            let names: &[&str] = if masks.is_empty() { &["Half-pin"] } else { &["Half-pin", "Masked half-pin"] };
            return names.iter().map(|name| show(Claim::new(name).on(own), key, &[first, second]).done()).collect();
        }
    }
    Vec::new()
}

fn unpinning(key: &Phase<'_>) -> Option<Theme> {
    let attacker = !key.position.turn();
    let before = passed(&key.position)?;
    let pinned: Vec<Square> = pins(&key.position, attacker).into_iter().map(|(man, _)| man).collect();
    for (line, mate) in key.single() {
        let m = mate.ply.mv;
        let Some(from) = m.from().filter(|from| pinned.contains(from)) else { continue };
        // The man must be pinned, and the move impossible for that reason alone.
        let is_possible = |position: &Chess| same_move(position, m).is_some();
        let board = before.board();
        let is_pseudo = board.piece_at(from).is_some_and(|piece| {
            attacks::attacks(from, piece, board.occupied()).contains(m.to()) || piece.role == shakmaty::Role::Pawn
        });
        if !is_possible(&before) && is_pseudo {
            let setup = before.to_setup(EnPassantMode::Legal);
            let change = format!(
                "before the defence: the {} on {from} is pinned",
                setup.board.role_at(from).map_or("man", word)
            );
            let retest = ask(change, &before, m);
            return Some(Claim::new("Unpinning").on([from]).answer(key, line, mate).shown_by(retest).done());
        }
    }
    None
}
