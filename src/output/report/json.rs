//! Writes a report as a JSON object. Contains the JSON Schema of that object.
//!
//! The solution is a tree: a move of the attacker contains its `play`, a play contains its threats and variations. A
//! play that occurs again is written as `{"ref": 7}`, where 7 is the `node` of its first occurrence.

use std::cell::RefCell;
use std::io;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use shakmaty::{Color, Role, Square};

use crate::chess::End;
use crate::output::stream::{self, JsonForm};
use crate::problem::twins::PhaseName;
use crate::results::SidedStipulation;
use crate::results::report::{
    Continuation, Diagrammed, Dual, Extent, Features, Key, Next, Pass, PlayId, Ply, REPORT_SCHEMA_VERSION, Report,
    ReportOptions, SetPlay, Source, Tree, Try, Variation, Verdict,
};

use super::phases;
use super::plies::{plies, ply};

/// The JSON Schema (draft 2020-12) of the report object. `matesolve schema report` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes the object.
pub(in crate::output) fn write(report: &Report, form: JsonForm, out: &mut dyn io::Write) -> io::Result<()> {
    stream::json(&ReportObject(report), form, out)
}

fn phase_name(name: &PhaseName) -> Value {
    json!({
        "letter": Some(&name.letter).filter(|letter| !letter.is_empty()),
        "continued": name.continued,
        "heading": name.heading,
        "attacker": name.attacker.map(color),
    })
}

/// A report that is written field by field.
struct ReportObject<'a>(&'a Report);

impl Serialize for ReportObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ReportObject(report) = self;
        let written = RefCell::new(vec![false; report.tree.plays().len()]);
        let plays = Plays { tree: &report.tree, written: &written };
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("schema_version", REPORT_SCHEMA_VERSION)?;
        object.serialize_entry("line", &report.line)?;
        object.serialize_entry("id", &report.id)?;
        object.serialize_entry("position", &report.position.as_ref().map(position))?;
        object.serialize_entry("stipulation", &report.stipulation)?;
        object.serialize_entry("options", &options(report.options))?;
        object.serialize_entry("result", &result(report))?;
        object.serialize_entry("keys", &Each(&report.keys, |key| AttackerMove::key(plays, key)))?;
        let tries = report.tries.as_ref().map(|tries| Each(tries, |attempt| AttackerMove::attempt(plays, attempt)));
        object.serialize_entry("tries", &tries)?;
        match &report.help {
            None => object.serialize_entry("set_play", &report.set_play.map(|set| SetPlayObject(plays, set)))?,
            Some(help) => {
                object.serialize_entry("solutions", &help.solutions)?;
                object.serialize_entry("short_solutions", &help.short_solutions)?;
                object.serialize_entry("set_play", &help.set_play)?;
                object.serialize_entry("intended", &help.intended)?;
                object.serialize_entry("complete", &help.complete)?;
            }
        }
        object.serialize_entry("post_key", &report.post_key.map(|id| PlayObject(plays, id)))?;
        object.serialize_entry("post_key_refutations", &plies(&report.post_key_refutations))?;
        if !report.must_mate.is_empty() {
            object.serialize_entry("must_mate", &plies(&report.must_mate))?;
        }
        if let Some(why) = &report.why {
            let lines: Vec<_> = why.lines.iter().map(|line| plies(line)).collect();
            let why = json!({"san": why.first.san, "uci": why.first.uci, "lines": lines});
            object.serialize_entry("why", &why)?;
        }
        let first_moves = &report.first_moves;
        object.serialize_entry(
            "first_moves",
            &json!({"total": first_moves.total, "refuted": first_moves.refuted, "open": plies(&first_moves.open)}),
        )?;
        object.serialize_entry("duals", &Each(&report.duals, dual))?;
        if let Some(table) = &report.phases_table {
            object.serialize_entry("phases_table", &phases::table_object(table))?;
        }
        if let Some(themes) = &report.themes {
            object
                .serialize_entry("themes", &Each(themes, |theme| phases::theme_object(theme, report.keys.len() > 1)))?;
        }
        object.serialize_entry("stats", &report.stats)?;
        object.serialize_entry("stamp", &report.stamp().map(|stamp| stamp.to_string()))?;
        object.serialize_entry("warnings", &report.warnings)?;
        object.serialize_entry("error", &report.error)?;
        if let Some(text) = &report.text {
            object.serialize_entry("text", text)?;
        }
        if let Some(name) = &report.phase {
            object.serialize_entry("phase", &phase_name(name))?;
            if !report.phases.is_empty() {
                object.serialize_entry("phases", &Each(&report.phases, ReportObject))?;
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

fn position(position: &Diagrammed) -> Value {
    let men = position.men;
    json!({
        "fen": position.fen,
        "side_to_move": color(position.turn),
        "castling_source": source(position.castling),
        "en_passant_source": source(position.en_passant),
        "algebraic": {"white": position.white, "black": position.black},
        "men": {"white": men.white, "black": men.black, "size": men.size()},
    })
}

fn color(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Fen => "fen",
        Source::Assumed => "assumed",
        Source::None => "none",
        Source::Proved => "proved",
    }
}

fn options(options: ReportOptions) -> Value {
    json!({
        "tries": options.tries,
        "set_play": options.set_play,
        "post_key": options.post_key,
        "short_variations": options.short_variations,
        "soundness_only": options.extent == Extent::Soundness,
        "max_tree_nodes": options.max_tree_nodes,
        "intended_solutions": options.intended_solutions,
        "depth": options.depth,
    })
}

fn result(report: &Report) -> Value {
    let verdict = &report.verdict;
    let mut result = judgement(verdict);
    if let Some(help) = &report.help {
        let question = report.stipulation.filter(|_| !help.solutions.is_empty());
        result["solved_in"] = serde_json::to_value(question.and_then(SidedStipulation::length)).unwrap_or_default();
    } else if !report.goal().is_mate() {
        result["solved_in"] = result["mate_in"].take();
    }
    result
}

fn judgement(verdict: &Verdict) -> Value {
    let exact = verdict.mate_in.is_some_and(|n| n == 0 || verdict.refuted_through == Some(n - 1));
    let mut result = json!({
        "status": verdict.status,
        "soundness": verdict.soundness,
        "mate_in": verdict.mate_in,
        "refuted_through": verdict.refuted_through,
        "proved_shortest": exact,
        "verified": verdict.verified.is_set(),
        "cooks": plies(&verdict.cooks),
        "short_solutions": plies(&verdict.short_solutions),
        "complete": verdict.complete,
        "truncated": verdict.truncated,
    });
    if verdict.with_tables {
        result["with_tables"] = true.into();
    }
    result
}

fn dual(dual: &Dual) -> Value {
    json!({
        "line": plies(&dual.line),
        "at_move": dual.at_move,
        "moves": plies(&dual.moves),
        "kind": dual.kind,
        "severity": dual.severity,
        "in_threat": dual.in_threat,
    })
}

fn role(role: Option<Role>) -> Option<String> {
    role.map(|role| role.upper_char().to_string())
}

fn features(features: &Features) -> Value {
    let squares = |squares: &[Square]| squares.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "check": features.check,
        "capture": role(features.capture),
        "promotion": role(features.promotion),
        "sacrifice": features.sacrifice,
        "flights_given": squares(&features.flights_given),
        "flights_taken": squares(&features.flights_taken),
        "unpins": squares(&features.unpins),
        "pins": squares(&features.pins),
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

/// A move of the attacker with further fields and the play after it.
struct AttackerMove<'a> {
    plays: Plays<'a>,
    ply: &'a Ply,
    fields: Value,
    next: Next,
}

impl<'a> AttackerMove<'a> {
    fn key(plays: Plays<'a>, key: &'a Key) -> AttackerMove<'a> {
        let features = features(&key.features);
        let fields =
            json!({"mate_in": key.mate_in, "exact": key.exact, "intended": key.intended, "features": features});
        AttackerMove { plays, ply: &key.ply, fields, next: key.next }
    }

    fn attempt(plays: Plays<'a>, attempt: &'a Try) -> AttackerMove<'a> {
        let fields = json!({"trivial": attempt.trivial, "refutations": plies(&attempt.refutations)});
        AttackerMove { plays, ply: &attempt.ply, fields, next: attempt.next }
    }

    fn continuation(plays: Plays<'a>, continuation: &'a Continuation) -> AttackerMove<'a> {
        let fields = json!({"mate_in": continuation.mate_in});
        AttackerMove { plays, ply: &continuation.ply, fields, next: continuation.next }
    }
}

impl Serialize for AttackerMove<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("san", &self.ply.san)?;
        object.serialize_entry("uci", &self.ply.uci)?;
        for (name, value) in self.fields.as_object().into_iter().flatten() {
            object.serialize_entry(name, value)?;
        }
        let (end, play) = match self.next {
            Next::End(end) => (Some(End::noun(end)), None),
            Next::Cut => (Some("cut"), None),
            Next::Play(id) => (None, Some(PlayObject(self.plays, id))),
        };
        object.serialize_entry("end", &end)?;
        object.serialize_entry("play", &play)?;
        object.end()
    }
}

struct SetPlayObject<'a>(Plays<'a>, SetPlay);

impl Serialize for SetPlayObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SetPlayObject(plays, set) = self;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("complete", &set.complete)?;
        object.serialize_entry("play", &PlayObject(*plays, set.play))?;
        object.end()
    }
}

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
        let threats = Each(play.threats(), |threat| AttackerMove::continuation(plays, threat));
        object.serialize_entry("threats", &threats)?;
        let variations = Each(&play.variations, |variation| VariationObject(plays, variation));
        object.serialize_entry("variations", &variations)?;
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
        object.serialize_entry("defence", &ply(&variation.defence))?;
        object.serialize_entry("mate_in", &variation.mate_in)?;
        let continuations =
            Each(&variation.continuations, |continuation| AttackerMove::continuation(plays, continuation));
        object.serialize_entry("continuations", &continuations)?;
        if let Some(end) = variation.end {
            object.serialize_entry("end", End::noun(end))?;
        }
        object.end()
    }
}
