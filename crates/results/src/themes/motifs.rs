//! Motifs of single lines: self-blocks, cross-checks, batteries.
//!
//! A **battery** is a line man of the attacker with another man of his, the front man, between it and the king. Only
//! lines without a dual and without a threat count. Where several lines are needed, their defences and their mates
//! differ (of cross-checks, the answers).
//!
//! | name | rule |
//! |---|---|
//! | Selfblock | in at least two lines the defending man, which is no king and stays, blocks a square beside its king: with the man taken off, the mate leaves the king this flight |
//! | Cross-checks | after the key at least two defences give check, and different checks answer them |
//! | Battery creation | the key puts a man in front of a line man of the attacker, or a line man behind one, with nothing else between them and the king, where no battery stood before, and a mate opens this line: with the line man taken off, it is no mate; in a three-mover the second move may do so too |
//! | Battery play | at least two mates open a line of the attacker that gives check: with the line man taken off, they are no mates |
//! | Masked battery | exactly the front man and a man of the defender stand between line man and king; the last defence leaves the line, and the mate fires the battery: with the man put back, it is no mate |
//!
//! The second table has the pictures of the mates in the solution ([`Picture`] has the rules of the first three).
//!
//! | name | rule |
//! |---|---|
//! | Model mates | at least one model mate after a defence, in a line without a threat in which the attacker has no dual after the key |
//! | Pure mates | at least one pure mate that is no model mate, in such a line |
//! | Ideal mates | at least one ideal mate, in such a line |
//! | Mirror mates | at least one such model mate in which all eight squares beside the king are empty |
//!
//! The third table has squares to which several men move in a two-mover.
//!
//! | name | rule |
//! |---|---|
//! | Defences on same square | after the key at least three different men defend on one square, and their answers, without duals, are all different |
//! | Mates on same square | after the key at least three different men mate on one square, without duals |

use hashbrown::HashSet;
use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square, attacks};

use crate::proof::picture::Picture;
use crate::results::ply::word;
use crate::results::report::Ply;
use crate::results::themes::Theme;
use crate::themes::lines::{MateLine, Shown, mate_lines, several, show, walk};
use crate::themes::phases::{Answered, Phase, Scene, ThemeClaim};
use crate::themes::retest::{man, put_back, state, without};

pub(super) const NAMES: [&str; 5] = ["Selfblock", "Cross-checks", "Battery creation", "Battery play", "Masked battery"];

pub(super) fn find(scene: &Scene<'_>, key: &Phase<'_>) -> Vec<Theme> {
    let all = mate_lines(scene, key);
    let single = || all.iter().filter(|line| line.is_only);
    let mut themes = Vec::new();
    let blocks = single().flat_map(|line| line.defences().filter_map(|at| self_block(line, at)));
    themes.extend(several(ThemeClaim::new("Selfblock"), key, blocks));
    themes.extend(several(ThemeClaim::new("Cross-checks"), key, single().flat_map(cross_checks)));
    let batteries: Vec<Battery<'_, '_>> = single().filter_map(battery).collect();
    let created = batteries.iter().find(|it| is_created(scene, key, it));
    themes.extend(created.map(|it| show(ThemeClaim::new("Battery creation").first(key), key, &it.shown).done()));
    let masked = batteries.iter().find_map(masked);
    themes.extend(several(ThemeClaim::new("Battery play"), key, batteries.iter().map(|it| it.shown.clone())));
    themes.extend(masked.map(|it| show(ThemeClaim::new("Masked battery"), key, &it).done()));
    themes
}

/// Tests whether the man that defends blocks a flight in the mate.
fn self_block<'l, 'r>(line: &'l MateLine<'r>, at: usize) -> Option<Shown<'l, 'r>> {
    let (defence, mated) = (line.plies[at].mv, line.mated());
    let (square, role) = (defence.to(), mated.board().role_at(defence.to())?);
    let king = mated.board().king_of(mated.turn())?;
    if role == Role::King || !attacks::king_attacks(king).contains(square) || !line.stays(at) {
        return None;
    }
    let free = without(mated, mated.turn(), square)?;
    let escapes = free.legal_moves().iter().any(|m| m.role() == Role::King && m.to() == square);
    let change = format!("the {} on {square} is taken off: after the mate the king goes there", word(role));
    escapes.then(|| Shown::by_mate(line, at, state(change, &free, true)))
}

/// Returns the defences of a line that give check and are answered by check.
fn cross_checks<'l, 'r>(line: &'l MateLine<'r>) -> impl Iterator<Item = Shown<'l, 'r>> {
    let are_checks = |at: &usize| line.plies[*at].check && line.plies[at + 1].check;
    line.defences().filter(are_checks).map(|at| Shown { line, at, answer: line.ids[at + 1], retest: None })
}

/// A mate that opens a line.
struct Battery<'l, 'r> {
    shown: Shown<'l, 'r>,
    front: Square,
    rear: Square,
}

/// Tests whether a mate opens a line that gives check.
fn battery<'l, 'r>(line: &'l MateLine<'r>) -> Option<Battery<'l, 'r>> {
    let (m, mated) = (line.mate().mv, line.mated());
    let front = m.from().filter(|_| !m.is_castle())?;
    let king = mated.board().king_of(mated.turn())?;
    let opens = |rear: &Square| *rear != m.to() && attacks::between(*rear, king).contains(front);
    let rear = mated.checkers().into_iter().find(opens)?;
    let gone = without(mated, mated.turn(), rear)?;
    let change = format!("the {} on {rear} is taken off: there is no mate", man(mated, rear));
    let shown = || Shown::by_mate(line, line.last_defence(), state(change, &gone, true));
    (!gone.is_checkmate()).then(|| Battery { shown: shown(), front, rear })
}

/// Tests whether a man of the defender masked the battery until its defence left the line.
fn masked<'l, 'r>(battery: &Battery<'l, 'r>) -> Option<Shown<'l, 'r>> {
    let line = battery.shown.line;
    let at = line.last_defence();
    let (before, defence, mated) = (line.before(at), line.plies[at].mv, line.mated());
    let (left, king) = (defence.from()?, before.board().king_of(before.turn())?);
    let between = attacks::between(battery.rear, king) & before.board().occupied();
    let stood = between == Bitboard::from(battery.front).with(left) && left != battery.front;
    let back = put_back(mated, mated.turn(), defence).filter(|back| stood && !back.is_checkmate())?;
    let change =
        format!("the {} is put back on {left}, on the line of the battery: there is no mate", word(defence.role()));
    Some(Shown::by_mate(line, at, state(change, &back, true)))
}

/// Returns whether the key made the battery, or the attacker's second move: its front or its rear man came by it.
fn is_created(scene: &Scene<'_>, key: &Phase<'_>, battery: &Battery<'_, '_>) -> bool {
    let line = battery.shown.line;
    let by_key = key.first.is_some_and(|first| makes(&scene.diagram, first.mv, &key.position, battery))
        && line.defences().all(|at| line.plies[..at].iter().all(|ply| !moves_one(ply.mv, battery)));
    let later = (1..line.plies.len() - 1).step_by(2);
    by_key || later.into_iter().any(|at| makes(line.before(at), line.plies[at].mv, line.before(at + 1), battery))
}

fn moves_one(m: Move, battery: &Battery<'_, '_>) -> bool {
    m.from().is_some_and(|from| from == battery.front || from == battery.rear)
}

/// Returns whether a move puts the front or the rear man of the battery on its line.
fn makes(before: &Chess, m: Move, made: &Chess, battery: &Battery<'_, '_>) -> bool {
    let (front, rear, came) = (battery.front, battery.rear, m.to());
    let defender: Color = made.turn();
    let (Some(king), Some(home)) = (made.board().king_of(defender), m.from()) else { return false };
    let between = attacks::between(rear, king) & made.board().occupied();
    if !(came == front || came == rear) || between != Bitboard::from(front) {
        return false;
    }
    // Before it the battery did not stand on this line.
    let (old_front, old_rear) = if came == front { (home, rear) } else { (front, home) };
    let stood = attacks::between(old_rear, king) & before.board().occupied();
    !attacks::ray(rear, king).contains(home) || stood != Bitboard::from(old_front)
}

pub(super) const PICTURE_NAMES: [&str; 4] = ["Model mates", "Ideal mates", "Mirror mates", "Pure mates"];

pub(super) fn find_pictures(scene: &Scene<'_>, phase: &Phase<'_>) -> Vec<Theme> {
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
    let of = |wanted: fn(&Chess) -> bool| -> Vec<(usize, Vec<&Ply>)> {
        let those = models.iter().filter(|(.., mate)| wanted(mate));
        those.map(|(begins, plies, _)| (*begins, plies.clone())).collect()
    };
    let found =
        [("Model mates", of(|_| true)), ("Ideal mates", ideals), ("Mirror mates", of(is_mirror)), ("Pure mates", pure)];
    let found = found.iter().filter(|(_, lines)| !lines.is_empty());
    found.map(|(name, lines)| ThemeClaim::new(name).first(phase).lines(phase, lines).done()).collect()
}

/// Returns whether the mated king has eight squares beside him, and all are empty.
fn is_mirror(mate: &Chess) -> bool {
    let board = mate.board();
    board.king_of(mate.turn()).is_some_and(|king| {
        let field = attacks::king_attacks(king);
        field.count() == 8 && (field & board.occupied()).is_empty()
    })
}

pub(super) const SQUARE_NAMES: [&str; 2] = ["Defences on same square", "Mates on same square"];

/// The least number of men.
const MEN: usize = 3;

pub(super) fn find_squares(scene: &Scene<'_>) -> Vec<Theme> {
    scene.solutions().flat_map(|key| defences(key).into_iter().chain(mates(key))).collect()
}

fn defences(key: &Phase<'_>) -> Option<Theme> {
    let on = |(line, _): &Answered<'_, '_>| line.id.to;
    gathered("Defences on same square", key, on, |one, two| one.0.id.home != two.0.id.home && one.1.id != two.1.id)
}

fn mates(key: &Phase<'_>) -> Option<Theme> {
    let on = |(_, answer): &Answered<'_, '_>| answer.id.to;
    gathered("Mates on same square", key, on, |one, two| one.1.id.home != two.1.id.home)
}

/// Looks for a square with at least [`MEN`] lines, each of which differs from all others.
fn gathered(
    name: &'static str,
    key: &Phase<'_>,
    on: impl Fn(&Answered<'_, '_>) -> Square,
    differ: impl Fn(&Answered<'_, '_>, &Answered<'_, '_>) -> bool,
) -> Option<Theme> {
    for square in Square::ALL {
        let mut found: Vec<Answered<'_, '_>> = Vec::new();
        for line in key.single().filter(|line| on(line) == square) {
            if found.iter().all(|other| differ(&line, other)) {
                found.push(line);
            }
        }
        if found.len() >= MEN {
            let claim = ThemeClaim::new(name).on([square]);
            return Some(found.iter().fold(claim, |claim, (line, answer)| claim.answer(key, line, answer)).done());
        }
    }
    None
}
