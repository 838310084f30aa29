//! Pins that a mate uses, and pins that a defence lifts.
//!
//! A mate **uses a pin** if a man of the defender that is pinned in the mating position could otherwise parry the mate.
//! The re-test takes the pinning man off: then the king is still in check, but the pinned man has a legal move. Only
//! mates without a dual count. Where several lines are needed, their defences and their mates differ.
//!
//! | name | rule |
//! |---|---|
//! | Pin mates | at least two mates after the key use a pin |
//! | Half-pin | two men of the defender, and nothing else, stand between their king and a line man of the attacker, after the key or in a three-mover after the second move; when either leaves the line, a mate uses the pin of the other, and the two mates differ |
//! | Masked half-pin | the same, but one man of the attacker stands on the line too; both names are given, as in databases |
//! | Selfpinning | in at least two lines the defending man itself is pinned on its square of arrival, by a man that stood there already and did not pin it before, and the mate uses this |
//! | Unpinning | the last defence unpins a man of the attacker that mates: its mate is no legal move before the defence, because the man is pinned then and no longer after it |

use shakmaty::{Bitboard, Chess, Color, Position as _, Role, Square, attacks};

use crate::chess::passed;
use crate::results::themes::{Retest, Theme};

use super::lines::{MateLine, Shown, mate_lines, several, show};
use super::phases::{Phase, Scene, ThemeClaim};
use super::retest::{ask, man, same_move, state, without};

pub(super) const NAMES: [&str; 5] = ["Pin mates", "Half-pin", "Masked half-pin", "Selfpinning", "Unpinning"];

/// A mate that uses a pin.
struct PinMate<'l, 'r> {
    line: &'l MateLine<'r>,
    /// The square of the pinned man, and of the man that pins it.
    pinned: Square,
    by: Square,
    retest: Retest,
}

impl<'l, 'r> PinMate<'l, 'r> {
    fn shown(&self, at: usize) -> Shown<'l, 'r> {
        Shown::by_mate(self.line, at, self.retest.clone())
    }

    /// Returns the defence that brought the man into the pin, if one did: the pinning man stood there already.
    fn own_defence(&self) -> Option<usize> {
        let line = self.line;
        line.defences().find(|&at| {
            let m = line.plies[at].mv;
            let was_pinned =
                m.from().is_some_and(|from| pins(line.before(at), line.before(at).turn()).contains(&(from, self.by)));
            m.to() == self.pinned && line.stays(at) && line.is_still(self.by, at) && !was_pinned
        })
    }
}

pub(super) fn find(scene: &Scene<'_>, key: &Phase<'_>) -> Vec<Theme> {
    let lines = mate_lines(scene, key);
    let single = || lines.iter().filter(|line| line.is_only);
    let all: Vec<PinMate<'_, '_>> = single().flat_map(pin_mates).collect();
    let mut themes = Vec::new();
    themes.extend(several(ThemeClaim::new("Pin mates"), key, all.iter().map(|it| it.shown(it.line.last_defence()))));
    themes.extend(half_pin(key, &all));
    themes.extend(several(
        ThemeClaim::new("Selfpinning"),
        key,
        all.iter().filter_map(|it| Some(it.shown(it.own_defence()?))),
    ));
    let unpinned = single().find_map(unpinning);
    themes.extend(unpinned.map(|it| show(ThemeClaim::new("Unpinning").on(it.line.mate().mv.from()), key, &it).done()));
    themes
}

/// Returns the pins that a mate uses.
fn pin_mates<'l, 'r>(line: &'l MateLine<'r>) -> Vec<PinMate<'l, 'r>> {
    let mated = line.mated();
    let defender = mated.turn();
    let used = |(pinned, by): (Square, Square)| {
        let free = without(mated, defender, by)?;
        let parries = free.is_check() && free.legal_moves().iter().any(|m| m.from() == Some(pinned));
        let change = format!(
            "the pin of the {} on {pinned} is lifted: the {} is taken off {by}",
            man(mated, pinned),
            man(mated, by)
        );
        let retest = state(format!("{change}, and there is no mate"), &free, true);
        parries.then_some(PinMate { line, pinned, by, retest })
    };
    pins(mated, defender).into_iter().filter_map(used).collect()
}

/// Returns the pinned men of a side, each with the man that pins it.
pub(super) fn pins(position: &Chess, color: Color) -> Vec<(Square, Square)> {
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

/// Returns the half-pin that two lines show: in each of them one man leaves the line, and the mate uses the pin of the
/// other.
fn half_pin(key: &Phase<'_>, all: &[PinMate<'_, '_>]) -> Vec<Theme> {
    let halves: Vec<(Half, &PinMate<'_, '_>)> =
        all.iter().flat_map(|it| it.line.defences().filter_map(move |at| Some((half(it, at)?, it)))).collect();
    for (index, (half, first)) in halves.iter().enumerate() {
        let is_other = |(other, second): &&(Half, &PinMate<'_, '_>)| {
            (other.at, other.by, other.men) == (half.at, half.by, half.men)
                && first.pinned != second.pinned
                && first.line.ids[..half.at] == second.line.ids[..half.at]
                && first.line.mate_id() != second.line.mate_id()
        };
        let Some((_, second)) = halves[index + 1..].iter().find(is_other) else { continue };
        let names: &[&str] = if half.is_masked { &["Half-pin", "Masked half-pin"] } else { &["Half-pin"] };
        let claim = |name: &&'static str| {
            let shown = [first, second].map(|it| it.shown(half.at));
            shown.iter().fold(ThemeClaim::new(name).on(half.men), |claim, it| show(claim, key, it)).done()
        };
        return names.iter().map(claim).collect();
    }
    Vec::new()
}

/// A line with two men of the defender, of which one leaves it and the other is pinned in the mate.
struct Half {
    /// The number of the defence that leaves it.
    at: usize,
    /// The square of the line man.
    by: Square,
    men: Bitboard,
    /// Whether a man of the attacker stands on it too.
    is_masked: bool,
}

/// Returns the line with two men that a defence leaves, if the mate uses the pin of the man that stays.
fn half(it: &PinMate<'_, '_>, at: usize) -> Option<Half> {
    let position = it.line.before(at);
    let (board, defender, by) = (position.board(), position.turn(), it.by);
    let (king, leaves) = (board.king_of(defender)?, it.line.plies[at].mv.from()?);
    let between = attacks::between(by, king) & board.occupied();
    let (men, masks) = (between & board.by_color(defender), between & board.by_color(!defender));
    let piece = board.piece_at(by).filter(|piece| piece.color != defender)?;
    let reaches = attacks::attacks(by, piece, Bitboard::EMPTY).contains(king);
    let is_pair = men == Bitboard::from(leaves).with(it.pinned) && leaves != it.pinned && masks.count() <= 1;
    let are_still = it.line.is_still(by, at) && it.line.is_still(it.pinned, at);
    (reaches && is_pair && are_still).then_some(Half { at, by, men, is_masked: masks.any() })
}

/// Tests whether the last defence unpins the man that mates.
fn unpinning<'l, 'r>(line: &'l MateLine<'r>) -> Option<Shown<'l, 'r>> {
    let (at, m) = (line.last_defence(), line.mate().mv);
    let before = passed(line.before(at))?;
    let from = m.from()?;
    let is_pinned = |position: &Chess| pins(position, position.turn()).iter().any(|&(man, _)| man == from);
    if !is_pinned(&before) || is_pinned(line.before(at + 1)) || same_move(&before, m).is_some() {
        return None;
    }
    // The move must be impossible for that reason alone.
    let board = before.board();
    let piece = board.piece_at(from)?;
    let is_pseudo = match piece.role {
        Role::Pawn => {
            let is_free = (attacks::between(from, m.to()) & board.occupied()).is_empty();
            is_free && m.is_capture() == before.them().contains(m.to())
        }
        _ => attacks::attacks(from, piece, board.occupied()).contains(m.to()),
    };
    let change = format!("before the defence: the {} on {from} is pinned", man(&before, from));
    is_pseudo.then(|| Shown::by_mate(line, at, ask(change, &before, m)))
}
