//! The answers of the workbench as JSON.

use serde_json::{Value, json};

use crate::base::printable;
use crate::chess::Stipulation;
use crate::output::report::plies::{plies, ply};
use crate::problem::twins::board as men;
use crate::results::workbench::{Altered, Economy, KeyFault, ManUse, Need, Proposal, Proposals};

/// The JSON Schema (draft 2020-12) of a proposal and of a whole answer. `matesolve schema proposal` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// The version of the schema. It changes if a reader could break.
const SCHEMA_VERSION: &str = "1";

/// Returns a proposal as a line of JSON, without its line break.
pub fn line(proposal: &Proposal) -> String {
    printable::json(of_proposal(proposal).to_string())
}

/// Returns the answer of `mend` or `twins` to a question about the diagram `fen`, as an object.
pub fn of_proposals(fen: &str, asked: Stipulation, found: &Proposals) -> String {
    written(&whole(fen, asked, found))
}

/// Returns the answer of `economy` to a question about the diagram `fen`, as an object.
pub fn of_economy(fen: &str, asked: Stipulation, economy: &Economy) -> String {
    let mut object = whole(fen, asked, &economy.versions);
    if let Value::Object(fields) = &mut object {
        fields.insert("key".to_owned(), economy.key.as_ref().map_or(Value::Null, ply));
        fields.insert("men".to_owned(), economy.men.iter().map(of_man).collect());
    }
    written(&object)
}

fn written(object: &Value) -> String {
    printable::json(serde_json::to_string_pretty(object).unwrap_or_default())
}

fn whole(fen: &str, asked: Stipulation, found: &Proposals) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "fen": fen,
        "stipulation": asked.to_string(),
        "key": null,
        "men": null,
        "proposals": found.proposals.iter().map(of_proposal).collect::<Vec<_>>(),
        "tried": found.tried,
        "sound": found.sound,
        "undecided": found.undecided,
        "left_out": {
            "promoted": found.left_out.promoted,
            "impossible": found.left_out.impossible,
            "unlike": found.left_out.unlike,
        },
        "complete": found.complete,
    })
}

fn of_proposal(proposal: &Proposal) -> Value {
    let mut object = json!({
        "fen": proposal.fen,
        "changes": proposal.changes,
        "keys": plies(&proposal.keys),
        "kept": {
            "key": proposal.kept.key,
            "variations": proposal.kept.variations,
            "of": proposal.kept.of,
            "changed": proposal.kept.changed,
        },
        "men": proposal.men,
    });
    if let (Value::Object(fields), false) = (&mut object, proposal.tries.is_empty()) {
        fields.insert("tries".to_owned(), proposal.tries.iter().map(ply).collect());
    }
    object
}

fn of_altered(altered: &Altered) -> Vec<Value> {
    [&altered.defence].into_iter().chain(&altered.now).map(ply).collect()
}

fn of_man(man: &ManUse) -> Value {
    let (verdict, moves) = match &man.needed {
        None => ("superfluous", Vec::new()),
        Some(Need::Illegal) => ("illegal", Vec::new()),
        Some(Need::Cook(cook)) => ("cook", vec![ply(cook)]),
        Some(Need::Short { first, .. }) => ("short", vec![ply(first)]),
        Some(Need::KeyFails(KeyFault::Refuted(reply))) => ("key fails", vec![ply(reply)]),
        Some(Need::KeyFails(_)) => ("key fails", Vec::new()),
        Some(Need::Variation(altered)) => ("variation", of_altered(altered)),
        Some(Need::SetPlay(altered)) => ("set play", of_altered(altered)),
        Some(Need::Try { first, now }) => ("try", [first].into_iter().chain(now).map(ply).collect()),
        Some(Need::Undecided) => ("undecided", Vec::new()),
    };
    let mut object = json!({ "man": men::named(man.man, man.square), "square": man.square.to_string(), "verdict": verdict, "moves": moves });
    if let Some(Need::Variation(Altered { line, .. }) | Need::SetPlay(Altered { line, .. })) = &man.needed
        && !line.is_empty()
    {
        object["line"] = line.iter().map(ply).collect();
    }
    object
}
