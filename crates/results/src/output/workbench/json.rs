//! The answers of the workbench as JSON.

use serde::Serialize;
use serde_json::{Value, json};

use crate::chess::Stipulation;
use crate::output::stream::{JsonForm, json_text};
use crate::problem::twins::board as men;
use crate::results::report::Ply;
use crate::results::workbench::{Altered, Economy, KeyFault, ManUse, Need, Proposal, Proposals};

/// The JSON Schema (draft 2020-12) of a proposal and of a whole answer. `matesolve schema proposal` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// The version of the schema. It changes if a reader could break.
const SCHEMA_VERSION: &str = "1";

/// The whole answer.
#[derive(Serialize)]
struct Answer<'a> {
    schema_version: &'static str,
    fen: &'a str,
    stipulation: String,
    key: Option<&'a Ply>,
    men: Option<Vec<Value>>,
    /// Why the question was not answered.
    refused: Option<String>,
    #[serde(flatten)]
    found: &'a Proposals,
}

/// Returns a proposal as a line of JSON, without its line break.
pub fn line(proposal: &Proposal) -> String {
    json_text(proposal, JsonForm::Line)
}

/// Returns the answer of `mend`, `twins` or `retract` to a question about the diagram `fen`, as an object.
pub fn of_proposals(fen: &str, asked: Stipulation, found: &Proposals) -> String {
    written(fen, asked, found, None, None)
}

/// Returns the answer to a question that is not asked of the diagram `fen`, and `why`, as an object.
pub fn of_refused(fen: &str, asked: Stipulation, why: String) -> String {
    written(fen, asked, &Proposals::default(), None, Some(why))
}

/// Returns the answer of `economy` to a question about the diagram `fen`, as an object.
pub fn of_economy(fen: &str, asked: Stipulation, economy: &Economy) -> String {
    written(fen, asked, &economy.versions, Some(economy), None)
}

fn written(
    fen: &str,
    asked: Stipulation,
    found: &Proposals,
    economy: Option<&Economy>,
    refused: Option<String>,
) -> String {
    let key = economy.and_then(|economy| economy.key.as_ref());
    let men = economy.map(|economy| economy.men.iter().map(of_man).collect());
    let stipulation = asked.to_string();
    json_text(
        &Answer { schema_version: SCHEMA_VERSION, fen, stipulation, key, men, refused, found },
        JsonForm::Indented,
    )
}

fn of_man(man: &ManUse) -> Value {
    let of_altered = |altered: &'_ Altered| [&altered.defence].into_iter().chain(&altered.now).cloned().collect();
    let (verdict, moves): (_, Vec<Ply>) = match &man.needed {
        None => ("superfluous", Vec::new()),
        Some(Need::Illegal) => ("illegal", Vec::new()),
        Some(Need::Cook(cook)) => ("cook", vec![cook.clone()]),
        Some(Need::Short { first, .. }) => ("short", vec![first.clone()]),
        Some(Need::KeyFails(KeyFault::Refuted(reply))) => ("key fails", vec![reply.clone()]),
        Some(Need::KeyFails(_)) => ("key fails", Vec::new()),
        Some(Need::Variation(altered)) => ("variation", of_altered(altered)),
        Some(Need::SetPlay(altered)) => ("set play", of_altered(altered)),
        Some(Need::Try { first, now }) => ("try", [first].into_iter().chain(now).cloned().collect()),
        Some(Need::Undecided) => ("undecided", Vec::new()),
    };
    let (named, square) = (men::named(man.man, man.square), man.square.to_string());
    let mut object = json!({ "man": named, "square": square, "verdict": verdict, "moves": moves });
    if let Some(Need::Variation(Altered { line, .. }) | Need::SetPlay(Altered { line, .. })) = &man.needed
        && !line.is_empty()
    {
        object["line"] = json!(line);
    }
    object
}
