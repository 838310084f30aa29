//! The answers of the workbench as text.

use std::fmt::Write as _;

use crate::chess::Stipulation;
use crate::output::text::grouped;
use crate::problem::twins::board as men;
use crate::results::report::Ply;
use crate::results::workbench::{Altered, Economy, KeyFault, LeftOut, ManUse, Need, Proposal, Proposals};

/// Returns the list of proposals. `what` names them, such as `version`.
pub fn of_proposals(found: &Proposals, what: &str) -> String {
    let mut text = String::new();
    for (number, proposal) in (1..).zip(&found.proposals) {
        let _ = writeln!(text, "{number}. {}", of_proposal(proposal));
    }
    if found.proposals.is_empty() {
        let _ = writeln!(text, "no sound {what} found");
    }
    let counted = |number: u64, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let _ = write!(text, "\n{} tried, {} sound", counted(found.tried, "diagram"), found.sound);
    if found.undecided > 0 {
        let _ = write!(text, ", {} not decided", found.undecided);
    }
    text.push_str(if found.complete { "\n" } else { "; not everything was tried\n" });
    let LeftOut { promoted, impossible, unlike, .. } = found.left_out;
    let reasons = [
        (promoted, "not tried, with more promoted men (--promoted tries them)"),
        (impossible, "sound, but no game leads to it"),
        (unlike, "sound, but without what must stay or change"),
    ];
    for (count, reason) in reasons.into_iter().filter(|&(count, _)| count > 0) {
        let _ = writeln!(text, "left out: {} {reason}", grouped(count));
    }
    text
}

/// Returns a proposal on two lines.
fn of_proposal(proposal: &Proposal) -> String {
    let keys: Vec<&str> = proposal.keys.iter().map(|key| key.san.as_str()).collect();
    let kept = proposal.kept;
    let mut text = format!("{}   1. {}!", proposal.heading, keys.join(", "));
    if !proposal.tries.is_empty() {
        let tries: Vec<&str> = proposal.tries.iter().map(|ply| ply.san.as_str()).collect();
        let _ = write!(text, " {}?", tries.join(", "));
    }
    text.push_str(if kept.key { " (the same key" } else { " (another key" });
    if kept.of > 0 {
        let _ = write!(text, ", {} of {} variations kept", kept.variations, kept.of);
    }
    if kept.changed > 0 {
        let _ = write!(text, ", {} changed", kept.changed);
    }
    let _ = write!(text, "; {} men)\n   {}", proposal.men, proposal.fen);
    text
}

/// Returns what each man is for, and the versions.
pub fn of_economy(economy: &Economy, asked: Stipulation) -> String {
    let mut text = String::new();
    if let Some(key) = &economy.key {
        let _ = writeln!(text, "{asked}, 1. {}!\n", key.san);
    }
    for man in &economy.men {
        let _ = writeln!(text, "{:<6} {}", men::named(man.man, man.square), of_man(man));
    }
    text.push('\n');
    text.push_str(&of_proposals(&economy.versions, "version with fewer or weaker men"));
    text
}

/// Returns a defence with the moves before it: `1... Kd4`, `1... Kd4 2. Qa1 Ke5`.
fn defended(altered: &Altered) -> String {
    let Altered { line, defence, .. } = altered;
    match &line[..] {
        [first, answer] => format!("1... {} 2. {} {}", first.san, answer.san, defence.san),
        _ => format!("1... {}", defence.san),
    }
}

fn of_fault(fault: &KeyFault) -> String {
    match fault {
        KeyFault::Illegal => "needed: without it the key cannot be played".to_owned(),
        KeyFault::Ends(end) => format!("needed: without it the key {}s", end.noun()),
        KeyFault::MustMate(mate) => format!("needed: without it {} must be played", mate.san),
        KeyFault::Refuted(reply) => format!("needed: 1... {}! refutes the key", reply.san),
    }
}

fn of_man(man: &ManUse) -> String {
    let joined = |plies: &[Ply]| plies.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>().join(", ");
    match &man.needed {
        None => "superfluous".to_owned(),
        Some(Need::Illegal) => "needed: without it the position is illegal".to_owned(),
        Some(Need::Cook(cook)) => format!("needed: cook {}", cook.san),
        Some(Need::Short { moves, first }) => format!("needed: short solution in {moves} by {}", first.san),
        Some(Need::KeyFails(fault)) => of_fault(fault),
        Some(Need::Variation(altered) | Need::SetPlay(altered)) if altered.ends => {
            format!("needed: {} now reaches the goal", defended(altered))
        }
        Some(Need::Variation(altered)) if altered.now.is_empty() => {
            format!("needed: no variation {} any more", defended(altered))
        }
        Some(Need::Variation(altered)) => format!("needed: after {} now {}", defended(altered), joined(&altered.now)),
        Some(Need::SetPlay(altered)) if altered.now.is_empty() => {
            format!("needed: no set play {} any more", defended(altered))
        }
        Some(Need::SetPlay(altered)) => format!("needed: set play {} now {}", defended(altered), joined(&altered.now)),
        Some(Need::Try { first, now }) if now.is_empty() => format!("needed: no try 1. {} any more", first.san),
        Some(Need::Try { first, now }) => format!("needed: the try 1. {} is now refuted by {}", first.san, joined(now)),
        Some(Need::Undecided) => "not decided within the limits".to_owned(),
    }
}
