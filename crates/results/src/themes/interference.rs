//! Men of the defender that cut lines of their own side: Grimshaw, Novotny, Plachutta.
//!
//! **Interference**: a defence X to a square s allows a mate, because X stands on the line of another man Y. The
//! re-test opens the line: if Y could move over s, one of its moves would parry the mate, by an interposition or by
//! capturing the man that gives check, without leaving its king in check. X stays on s, so that nothing else changes. X
//! is no king, and the mate is no castling and no capture on s. Men **cut each other** if X shuts the line of Y and Y,
//! on the same square, that of X, with two different mates; these mates may have a dual.
//!
//! | name | rule |
//! |---|---|
//! | Grimshaw | rook and bishop cut each other on one square; databases use the word for a Novotny too |
//! | Novotny | rook and bishop cut each other by capturing the man that made the key, or the attacker's move before them |
//! | Plachutta | two men that move alike (two of a kind, or a queen and a rook or bishop) cut each other on one square |
//! | Wurzburg-Plachutta | two men that move alike cut each other on one square, and neither captures there |
//! | Interference | in at least two lines without duals, with different defences and mates, a man of the defender shuts, without capturing, the line of another, on which it did not stand before |
//!
//! In a three-mover both men move in the same position, and stand where they came to when the mate comes; the man whose
//! line is shut has not moved since.

use shakmaty::{Chess, Position as _, Role, Square, attacks};

use crate::results::themes::{Retest, Theme};

use super::lines::{MateLine, Shown, mate_lines, several};
use super::phases::{Phase, Scene, ThemeClaim};
use super::retest::{ask, man, moved, state};

pub(super) const NAMES: [&str; 5] = ["Grimshaw", "Novotny", "Plachutta", "Wurzburg-Plachutta", "Interference"];

/// A defence that shuts the line of another man.
struct Cut<'l, 'r> {
    line: &'l MateLine<'r>,
    /// The number of the defence.
    at: usize,
    square: Square,
    /// The squares of the men whose lines are shut.
    shut: Vec<Square>,
    /// Whether the line of one of them was open before the defence.
    was_open: bool,
    evidence: Vec<Retest>,
}

impl<'l, 'r> Cut<'l, 'r> {
    fn from(&self) -> Option<Square> {
        self.line.plies[self.at].mv.from()
    }

    fn role(&self) -> Role {
        self.line.ids[self.at].role
    }

    /// Returns whether two men cut each other: both move in the same position to one square.
    fn is_mutual(&self, other: &Cut<'_, '_>) -> bool {
        let shuts = |one: &Cut<'_, '_>, two: &Cut<'_, '_>| two.from().is_some_and(|from| one.shut.contains(&from));
        let same_place = self.square == other.square && self.at == other.at;
        same_place
            && self.line.mate_id() != other.line.mate_id()
            && self.line.ids[..self.at] == other.line.ids[..other.at]
            && shuts(self, other)
            && shuts(other, self)
    }

    fn shown(&self) -> Option<Shown<'l, 'r>> {
        let is_plain = self.line.is_only && self.was_open && !self.line.plies[self.at].mv.is_capture();
        is_plain.then(|| Shown::by_mate(self.line, self.at, self.evidence[self.evidence.len() - 1].clone()))
    }
}

pub(super) fn find(scene: &Scene<'_>, key: &Phase<'_>) -> Vec<Theme> {
    let lines = mate_lines(scene, key);
    let cuts: Vec<Cut<'_, '_>> =
        lines.iter().flat_map(|line| line.defences().filter_map(move |at| cut(line, at))).collect();
    let mut themes: Vec<Theme> = Vec::new();
    let line_men: Vec<&Cut<'_, '_>> = cuts.iter().filter(|cut| is_line_man(cut.role())).collect();
    for (index, one) in line_men.iter().enumerate() {
        for two in line_men[index + 1..].iter().filter(|two| one.is_mutual(two)) {
            for name in names(key, one, two) {
                if themes.iter().any(|theme| theme.name == *name && theme.squares == [one.square]) {
                    continue;
                }
                let mut claim = ThemeClaim::new(name).on([one.square]);
                for cut in [one, two] {
                    claim = claim.moves(key, 1, cut.line.plies.iter().copied());
                    claim = cut.evidence.iter().fold(claim, |claim, retest| claim.shown_by(retest.clone()));
                }
                themes.push(claim.done());
            }
        }
    }
    themes.extend(several(ThemeClaim::new("Interference"), key, cuts.iter().filter_map(Cut::shown)));
    themes
}

fn names(key: &Phase<'_>, one: &Cut<'_, '_>, two: &Cut<'_, '_>) -> &'static [&'static str] {
    let captures = one.line.plies[one.at].mv.is_capture();
    let offer = one.at.checked_sub(1).map_or(key.first, |before| Some(one.line.plies[before]));
    let is_offered = captures && offer.is_some_and(|offer| offer.mv.to() == one.square);
    let roles = [one.role(), two.role()];
    let alike = roles[0] == roles[1] || roles.contains(&Role::Queen);
    match (alike, captures, is_offered) {
        (false, true, true) => &["Grimshaw", "Novotny"],
        (false, ..) => &["Grimshaw"],
        (true, false, _) => &["Plachutta", "Wurzburg-Plachutta"],
        (true, true, _) => &["Plachutta"],
    }
}

/// Tests whether the mate works because a defence shuts a line.
fn cut<'l, 'r>(line: &'l MateLine<'r>, at: usize) -> Option<Cut<'l, 'r>> {
    let (defence, mate) = (line.plies[at].mv, line.mate().mv);
    let (square, from) = (defence.to(), defence.from()?);
    if mate.is_castle() || defence.role() == Role::King || !line.stays(at) {
        return None;
    }
    let mated = line.mated();
    let mut over = parries(mated, square);
    over.retain(|&(by, ..)| line.is_still(by, at));
    let is_shut_before = |&(by, to, _): &(Square, Square, Chess)| attacks::between(by, to).contains(from);
    over.sort_by_key(is_shut_before);
    let was_open = over.first().is_some_and(|first| !is_shut_before(first));
    let shut: Vec<Square> = over.iter().map(|&(by, ..)| by).collect();
    let (by, to, after_it) = over.into_iter().next()?;
    let change = format!("if the line were open on {square}, the {} on {by} would parry on {to}", man(mated, by));
    let unchanged = ask("nothing is changed".to_owned(), line.before(line.plies.len() - 1), mate);
    let evidence = vec![unchanged, state(change, &after_it, true)];
    Some(Cut { line, at, square, shut, was_open, evidence })
}

/// Returns the moves of line men over a square that would parry a mate if the square were empty: from, to, and the
/// position after the move, in which the man on the square stands where it is.
fn parries(mated: &Chess, square: Square) -> Vec<(Square, Square, Chess)> {
    let (board, defender) = (mated.board(), mated.turn());
    let (Some(king), Some(checker)) = (board.king_of(defender), mated.checkers().single_square()) else {
        return Vec::new();
    };
    let open = board.occupied().without(square);
    let mut found = Vec::new();
    for from in (board.sliders() & mated.us()).without(square) {
        let Some(piece) = board.piece_at(from) else { continue };
        let reached = attacks::attacks(from, piece, open) & attacks::between(checker, king).with(checker);
        for to in reached.into_iter().filter(|&to| attacks::between(from, to).contains(square)) {
            found.extend(moved(mated, from, to).map(|parried| (from, to, parried)));
        }
    }
    found
}

fn is_line_man(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}
