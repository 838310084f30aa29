//! Motifs of single lines: self-blocks, cross-checks, batteries.
//!
//! | name | rule |
//! |---|---|
//! | Selfblock | in at least two lines with different mates the defending man blocks a square beside its king: with the man taken off, the mate leaves the king this flight |
//! | Cross-checks | after the key at least two defences give check, and different mates answer them |
//! | Battery creation | the key puts a man in front of a line man of the attacker, or a line man behind one, with nothing else between them and the king, and a mate opens this line: with the line man taken off, it is no mate |
//! | Battery play | at least two different mates open a line of the attacker that gives check: with the line man taken off, they are no mates |

use hashbrown::HashSet;
use shakmaty::{Bitboard, Chess, Position as _, Role, Square, attacks};

use crate::results::themes::{Retest, Theme};

use super::claim::Claim;
use super::key::word;
use super::phases::{Answer, Line, Phase, PlayMove, Scene};
use super::retest::{after, same_move, state, without};

pub(super) const NAMES: [&str; 4] = ["Selfblock", "Cross-checks", "Battery creation", "Battery play"];

/// The least number of different mates.
const MATES: usize = 2;

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    if !scene.is_two_mover() {
        return Vec::new();
    }
    scene.solutions().flat_map(|key| of_solution(scene, key)).collect()
}

type Found<'p, 'r> = (&'p Line<'r>, &'p Answer<'r>, Option<Retest>);

fn of_solution(scene: &Scene<'_>, key: &Phase<'_>) -> Vec<Theme> {
    let mut themes = Vec::new();
    let blocks = key.single().filter_map(|(line, mate)| Some((line, mate, Some(self_block(key, line, mate)?))));
    themes.extend(several("Selfblock", key, blocks));
    let checks = key.single().filter(|(line, _)| line.ply.check).map(|(line, mate)| (line, mate, None));
    themes.extend(several("Cross-checks", key, checks));
    let batteries: Vec<(&Line<'_>, &Answer<'_>, Square, Retest)> =
        key.single().filter_map(|(line, mate)| battery(key, line, mate)).collect();
    let created = batteries.iter().find(|(_, mate, rear, _)| is_created(scene, key, mate, *rear));
    if let Some((line, mate, _, retest)) = created {
        let claim = Claim::new("Battery creation").first(key).answer(key, line, mate);
        themes.push(claim.shown_by(retest.clone()).done());
    }
    let fired = batteries.into_iter().map(|(line, mate, _, retest)| (line, mate, Some(retest)));
    themes.extend(several("Battery play", key, fired));
    themes
}

/// Claims a theme for at least [`MATES`] different mates.
fn several<'p, 'r: 'p>(
    name: &'static str,
    key: &Phase<'_>,
    found: impl Iterator<Item = Found<'p, 'r>>,
) -> Option<Theme> {
    let mut seen: HashSet<PlayMove> = HashSet::new();
    let different: Vec<Found<'_, '_>> = found.filter(|(_, mate, _)| seen.insert(mate.id)).collect();
    (different.len() >= MATES).then(|| {
        let show = |claim: Claim, (line, mate, retest): &Found<'_, '_>| {
            let claim = claim.answer(key, line, mate);
            retest.iter().fold(claim, |claim, retest| claim.shown_by(retest.clone()))
        };
        different.iter().fold(Claim::new(name), show).done()
    })
}

/// Tests whether the defending man blocks a flight.
fn self_block(key: &Phase<'_>, line: &Line<'_>, mate: &Answer<'_>) -> Option<Retest> {
    let square = line.id.to;
    let king = key.position.board().king_of(key.position.turn())?;
    let blocks = line.id.role != Role::King && attacks::king_attacks(king).contains(square);
    if !blocks || mate.id.to == square {
        return None;
    }
    let defended = after(&key.position, line.ply.mv);
    let free = without(&defended, defended.turn(), square)?;
    let played = after(&free, same_move(&free, mate.ply.mv)?);
    let escapes = played.legal_moves().iter().any(|m| m.role() == Role::King && m.to() == square);
    let change = format!("the {} on {square} is taken off: after the mate the king goes there", word(line.id.role));
    escapes.then(|| state(change, &played, true))
}

/// Tests whether a mate opens a line that gives check. Returns the square of the line man.
fn battery<'p, 'r>(
    key: &Phase<'r>,
    line: &'p Line<'r>,
    mate: &'p Answer<'r>,
) -> Option<(&'p Line<'r>, &'p Answer<'r>, Square, Retest)> {
    let m = mate.ply.mv;
    let from = m.from().filter(|_| !m.is_castle())?;
    let mated = after(&after(&key.position, line.ply.mv), m);
    let king = mated.board().king_of(mated.turn())?;
    let opens = |rear: &Square| *rear != m.to() && attacks::between(*rear, king).contains(from);
    let rear = mated.checkers().into_iter().find(opens)?;
    let gone = without(&mated, mated.turn(), rear)?;
    let change = format!("the {} on {rear} is taken off: there is no mate", man(&mated, rear));
    (!gone.is_checkmate()).then(|| (line, mate, rear, state(change, &gone, true)))
}

fn man(position: &Chess, square: Square) -> &'static str {
    position.board().role_at(square).map_or("man", word)
}

/// Returns whether the key made the battery: its front or its rear man came by the key.
fn is_created(scene: &Scene<'_>, key: &Phase<'_>, mate: &Answer<'_>, rear: Square) -> bool {
    let (Some(first), Some(front)) = (key.first, mate.ply.mv.from()) else { return false };
    let came = first.mv.to();
    let Some(king) = key.position.board().king_of(key.position.turn()) else { return false };
    let between = attacks::between(rear, king) & key.position.board().occupied();
    if !(came == front || came == rear) || between != Bitboard::from(front) {
        return false;
    }
    // In the diagram the man stood elsewhere: not on this line in the same order.
    let Some(home) = first.mv.from() else { return false };
    let line = attacks::ray(rear, king);
    let stood = scene.diagram.board();
    let on_line = line.contains(home)
        && (attacks::between(rear, king) & stood.occupied())
            == Bitboard::from(if came == front { home } else { front });
    !on_line
}
