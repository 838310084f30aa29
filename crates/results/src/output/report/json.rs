//! Writes a report as a JSON object. Contains the JSON Schema of that object.
//!
//! Many parts of a report serialise themselves; the object and the play are written here. The solution is a tree: a
//! move of the attacker contains its `play`, a play contains its threats and variations. A play that occurs again is
//! written as `{"ref": 7}`, where 7 is the `node` of its first occurrence.

use std::cell::RefCell;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::chess::End;
use crate::problem::twins::PhaseName;
use crate::results::SidedStipulation;
use crate::results::report::{
    Continuation, Next, Pass, PlayId, REPORT_SCHEMA_VERSION, Report, SetPlay, Tree, Variation,
};
use crate::results::themes::{PhaseKind, PhaseLabel, Theme};

/// The JSON Schema (draft 2020-12) of the report object. `matesolve schema report` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = RefCell::new(vec![false; self.tree.plays().len()]);
        let plays = Plays { tree: &self.tree, written: &written };
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("schema_version", REPORT_SCHEMA_VERSION)?;
        object.serialize_entry("line", &self.line)?;
        object.serialize_entry("id", &self.id)?;
        object.serialize_entry("position", &self.position)?;
        object.serialize_entry("stipulation", &self.stipulation)?;
        object.serialize_entry("options", &self.options)?;
        object.serialize_entry("result", &result(self))?;
        object.serialize_entry("keys", &plays.moves(&self.keys, |key| key.next))?;
        let tries = self.tries.as_ref().map(|tries| plays.moves(tries, |attempt| attempt.next));
        object.serialize_entry("tries", &tries)?;
        match &self.help {
            None => {
                let set_play = |SetPlay { complete, play }| SetPlayObject { complete, play: PlayObject(plays, play) };
                object.serialize_entry("set_play", &self.set_play.map(set_play))?;
            }
            Some(help) => {
                object.serialize_entry("solutions", &help.solutions)?;
                object.serialize_entry("short_solutions", &help.short_solutions)?;
                object.serialize_entry("set_play", &help.set_play)?;
                object.serialize_entry("intended", &help.intended)?;
                object.serialize_entry("complete", &help.complete)?;
            }
        }
        object.serialize_entry("post_key", &self.post_key.map(|id| PlayObject(plays, id)))?;
        object.serialize_entry("post_key_refutations", &self.post_key_refutations)?;
        if !self.must_mate.is_empty() {
            object.serialize_entry("must_mate", &self.must_mate)?;
        }
        if let Some(why) = &self.why {
            object.serialize_entry("why", why)?;
        }
        object.serialize_entry("first_moves", &self.first_moves)?;
        object.serialize_entry("duals", &self.duals)?;
        if let Some(table) = &self.phases_table {
            object.serialize_entry("phases_table", table)?;
        }
        if let Some(themes) = &self.themes {
            object.serialize_entry("themes", &Each(themes, |of| theme(of, self.keys.len() > 1)))?;
        }
        object.serialize_entry("stats", &self.stats)?;
        object.serialize_entry("stamp", &self.stamp().map(|stamp| stamp.to_string()))?;
        object.serialize_entry("warnings", &self.warnings)?;
        object.serialize_entry("error", &self.error)?;
        if let Some(text) = &self.text {
            object.serialize_entry("text", text)?;
        }
        if let Some(name) = &self.phase {
            object.serialize_entry("phase", &phase_name(name))?;
            if !self.phases.is_empty() {
                object.serialize_entry("phases", &self.phases)?;
            }
        }
        object.end()
    }
}

/// A list whose elements are made one after the other while it is written.
struct Each<'a, T, F>(&'a [T], F);

impl<'a, T, F: Fn(&'a T) -> V, V: Serialize> Serialize for Each<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

fn phase_name(name: &PhaseName) -> Value {
    json!({
        "letter": Some(&name.letter).filter(|letter| !letter.is_empty()),
        "continued": name.continued,
        "heading": name.heading,
        "attacker": name.attacker.map(|color| color.fold_wb("white", "black")),
    })
}

/// Returns the verdict. Its length stands in `solved_in`; of a direct mate in `mate_in`, too.
fn result(report: &Report) -> Value {
    let verdict = &report.verdict;
    let mut result = json!({
        "status": verdict.status,
        "soundness": verdict.soundness,
        "mate_in": verdict.mate_in.filter(|_| report.help.is_none() && report.goal().is_mate()),
        "solved_in": verdict.mate_in,
        "refuted_through": verdict.refuted_through,
        "proved_shortest": verdict.mate_in.is_some_and(|n| n == 0 || verdict.refuted_through == Some(n - 1)),
        "verified": verdict.verified,
        "cooks": verdict.cooks,
        "short_solutions": verdict.short_solutions,
        "complete": verdict.complete,
        "truncated": verdict.truncated,
    });
    if verdict.with_tables {
        result["with_tables"] = true.into();
    }
    if let Some(help) = &report.help {
        let question = report.stipulation.filter(|_| !help.solutions.is_empty());
        result["solved_in"] = json!(question.and_then(SidedStipulation::length));
    }
    result
}

/// Returns a theme. If there are several solutions, each phase is named by its first move.
fn theme(theme: &Theme, several: bool) -> Value {
    let phase = |label: &PhaseLabel| match (label.kind, &label.first) {
        (PhaseKind::SetPlay, _) => "set".to_owned(),
        (PhaseKind::Try, Some(first)) => format!("try {}", first.san),
        (PhaseKind::Solution, Some(first)) if several => format!("actual {}", first.san),
        (PhaseKind::Try | PhaseKind::Solution, _) => "actual".to_owned(),
    };
    json!({
        "name": theme.name,
        "text": theme.text(),
        "squares": theme.squares.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "phases": theme.phases.iter().map(phase).collect::<Vec<_>>(),
        "moves": theme.lines,
        "evidence": theme.evidence,
    })
}

/// The plays of a report; each is written in full once. A reference must point back, so the fields with plays are
/// written in the order in which they stand in the object.
#[derive(Clone, Copy)]
struct Plays<'a> {
    tree: &'a Tree,
    /// Whether a play has been written, by its number in the tree.
    written: &'a RefCell<Vec<bool>>,
}

impl<'a> Plays<'a> {
    /// Returns moves of the attacker, each with the play after it.
    fn moves<T: Serialize>(self, moves: &'a [T], next: fn(&T) -> Next) -> impl Serialize {
        let with_play = move |fields: &'a T| {
            let (end, play) = match next(fields) {
                Next::End(end) => (Some(End::noun(end)), None),
                Next::Cut => (Some("cut"), None),
                Next::Play(id) => (None, Some(PlayObject(self, id))),
            };
            AttackerMove { fields, end, play }
        };
        Each(moves, with_play)
    }

    /// Returns moves of the attacker within the solution.
    fn continuations(self, moves: &'a [Continuation]) -> impl Serialize {
        self.moves(moves, |continuation| continuation.next)
    }
}

/// A key, a try or a continuation, and what follows.
#[derive(Serialize)]
struct AttackerMove<'a, T> {
    #[serde(flatten)]
    fields: &'a T,
    end: Option<&'static str>,
    play: Option<PlayObject<'a>>,
}

#[derive(Serialize)]
struct SetPlayObject<'a> {
    complete: bool,
    play: PlayObject<'a>,
}

/// A play, whole where it stands first. A walk of its own: each object is open until what is below it is written.
struct PlayObject<'a>(Plays<'a>, PlayId);

impl Serialize for PlayObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &PlayObject(plays, PlayId(id)) = self;
        let mut object = serializer.serialize_map(None)?;
        if std::mem::replace(&mut plays.written.borrow_mut()[id as usize], true) {
            object.serialize_entry("ref", &id)?;
            return object.end();
        }
        let play = plays.tree.play(PlayId(id));
        object.serialize_entry("node", &id)?;
        object.serialize_entry("left", &play.left)?;
        object.serialize_entry("mate_in", &play.mate_in)?;
        object.serialize_entry("zugzwang", &(play.pass == Pass::Zugzwang))?;
        object.serialize_entry("threats", &plays.continuations(play.threats()))?;
        object.serialize_entry("variations", &Each(&play.variations, |variation| VariationObject(plays, variation)))?;
        object.serialize_entry("unshown", &play.unshown)?;
        object.serialize_entry("cut", &play.cut)?;
        object.end()
    }
}

struct VariationObject<'a>(Plays<'a>, &'a Variation);

impl Serialize for VariationObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &VariationObject(plays, variation) = self;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("defence", &variation.defence)?;
        object.serialize_entry("mate_in", &variation.mate_in)?;
        object.serialize_entry("continuations", &plays.continuations(&variation.continuations))?;
        if let Some(end) = variation.end {
            object.serialize_entry("end", End::noun(end))?;
        }
        object.end()
    }
}
