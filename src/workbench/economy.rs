//! Says what each man of a sound problem, except the kings, is for: what fails without it. Also finds the versions with
//! fewer or weaker men, or with a pawn further back.
//!
//! A man can go if the diagram without him is sound, with the same key. What [`super::Keep`] names must stay too; if
//! that is the variations, no defence may get a variation that had none before. The judge says whether the key still
//! solves the diagram without the man; if it does, a report says whether that diagram is sound.

use shakmaty::{Piece, Square};

use super::Keep;
use super::change::{Change, Priced, SquareMap, pawns_back, proposal, removals, weaker};
use super::play::KeyPlay;
use super::requirements::{Changed, Sought, new_answer};
use super::trials::{AT_ONCE, Trials, confirm, is_sound};
use crate::chess::notation::code;
use crate::chess::{Move, NodeKind, Position, rules};
use crate::problem::twins::TwinCommand;
use crate::report::Scribe;
use crate::results::report::Soundness;
use crate::results::workbench::{Economy, KeyFault, ManUse, Need, Proposal, Proposals};
use crate::search::Interrupted;
use crate::search::decider::Decider;

/// The answer to one change.
enum ManAnswer {
    Works(Box<Proposal>),
    Needed(Need),
}

/// Examines every man but the kings.
pub(super) fn economy(sought: Sought<'_>, trials: &mut Trials<'_, '_>) -> Economy {
    let given = sought.given;
    let mut economy = Economy { key: given.report.keys.first().map(|key| key.ply.clone()), ..Economy::default() };
    let diagram = &given.diagram;
    let one = |priced: Priced| vec![priced.change];
    let removed: Vec<Vec<Change>> = removals(diagram).map(one).collect();
    let answers = examine(sought, trials, &removed, &mut economy.versions);
    let mut can_go = Vec::new();
    for (changes, answer) in removed.iter().zip(answers) {
        let Some((square, man)) = removed_man(&changes[0]) else { continue };
        let needed = match answer {
            Some(ManAnswer::Works(proposal)) => {
                can_go.push(changes[0].clone());
                economy.versions.proposals.push(*proposal);
                None
            }
            Some(ManAnswer::Needed(need)) => Some(need),
            None => Some(Need::Undecided),
        };
        economy.men.push(ManUse { man, square, needed });
    }
    let pairs = can_go
        .iter()
        .enumerate()
        .flat_map(|(at, one)| can_go[at + 1..].iter().map(move |two| vec![one.clone(), two.clone()]));
    let mut others: Vec<Vec<Change>> = pairs.collect();
    others.extend(weaker(diagram).map(one));
    others.extend(pawns_back(diagram).into_iter().map(one));
    for answer in examine(sought, trials, &others, &mut economy.versions) {
        if let Some(ManAnswer::Works(proposal)) = answer {
            economy.versions.proposals.push(*proposal);
        }
    }
    economy.versions.complete = !trials.is_stopped() && economy.versions.undecided == 0;
    economy.men.sort_by_key(|man| man.needed.is_some());
    // The sort is stable: versions with equally many men keep the order in which they were tried.
    economy.versions.proposals.sort_by_key(|proposal| proposal.men);
    economy
}

/// Tries changes on all threads.
fn examine(
    sought: Sought<'_>,
    trials: &mut Trials<'_, '_>,
    all: &[Vec<Change>],
    result: &mut Proposals,
) -> Vec<Option<ManAnswer>> {
    let mut answers = Vec::new();
    for part in all.chunks(AT_ONCE) {
        let found = trials.map(part, |decider, judge, changes| examined(sought, decider, judge, changes));
        for answer in &found {
            result.tried += 1;
            match answer {
                Some(ManAnswer::Works(_)) => result.sound += 1,
                Some(ManAnswer::Needed(Need::Undecided)) | None => result.undecided += 1,
                Some(ManAnswer::Needed(_)) => {}
            }
        }
        answers.extend(found);
        sought.observer.tried(result.tried, result.sound);
    }
    answers
}

/// Examines the diagram after changes.
fn examined(
    sought: Sought<'_>,
    decider: &mut Decider<'_, '_>,
    judge: &super::judge::Judge,
    changes: &[Change],
) -> Result<ManAnswer, Interrupted> {
    let Sought { given, requirements, request, .. } = sought;
    let Some(chess) = given.diagram.after_all(changes).and_then(|diagram| diagram.playable()) else {
        return Ok(ManAnswer::Needed(Need::Illegal));
    };
    let map = SquareMap::of(changes);
    let position = Position::from_chess(&chess);
    let wanted = given.keys.first().map(|&key| map.code(key));
    let Some(key) = wanted.and_then(|code| position.find_move(code)) else {
        return Ok(ManAnswer::Needed(Need::KeyFails(KeyFault::Illegal)));
    };
    if rules::must_end(decider.goal(), &position, NodeKind::Or)
        && let Some(&mate) = rules::ends(&position, decider.goal().end).first()
    {
        let mate = Scribe::of(&chess).ply(&position, mate);
        return Ok(ManAnswer::Needed(Need::KeyFails(KeyFault::MustMate(mate))));
    }
    let after = decider.play(&position, key)?;
    if !judge.solves(decider, &position, key)? {
        let fault = match (judge.refutation(decider, &after)?, rules::end(&after)) {
            (Some(reply), _) => Need::KeyFails(KeyFault::Refuted(Scribe::of(&chess).ply(&after, reply))),
            (None, Some(end)) => Need::KeyFails(KeyFault::Ends(end)),
            (None, None) => Need::Undecided,
        };
        return Ok(ManAnswer::Needed(fault));
    }
    let report = confirm(&chess, given.asked);
    if !is_sound(&report) {
        return Ok(ManAnswer::Needed(need(&report, key)));
    }
    let play = KeyPlay::find(decider, &after, given.rest())?;
    let version = Changed { chess: &chess, map: &map, after, play };
    if let Some(lost) = requirements.lost(given, decider, &version)? {
        return Ok(ManAnswer::Needed(lost));
    }
    if request.keep.contains(&Keep::Variations)
        && let Some(new) = given.play.added(&version.play, &map)
    {
        return Ok(ManAnswer::Needed(Need::Variation(new_answer(&version, &after, new))));
    }
    let kept = given.play.kept(&version.play, &map, true);
    Ok(ManAnswer::Works(Box::new(proposal(&given.diagram, changes, &chess, report, kept))))
}

/// Returns what a report on an unsound diagram shows. The key solves in it.
fn need(report: &crate::results::Report, key: Move) -> Need {
    if report.error.is_some() || report.verdict.soundness == Soundness::Undecided {
        return Need::Undecided;
    }
    let length = report.keys.iter().map(|key| key.mate_in).min();
    let asked = report.stipulation.and_then(|asked| asked.stipulation.moves()).map(|moves| moves.0);
    let cook = report.keys.iter().find(|other| code(other.ply.mv) != key.code());
    let short = report.keys.iter().find(|first| Some(first.mate_in) == length && length < asked);
    match (short, cook) {
        (Some(first), _) => Need::Short { moves: first.mate_in, first: first.ply.clone() },
        (None, Some(cook)) => Need::Cook(cook.ply.clone()),
        (None, None) => Need::Undecided,
    }
}

fn removed_man(change: &Change) -> Option<(Square, Piece)> {
    let Change::Men(TwinCommand::Remove(man)) = change else { return None };
    Some((man.square, Piece { color: man.color?, role: man.role? }))
}
