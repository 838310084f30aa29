//! Writes a report as a JSON object. Contains the JSON Schema of that object.
//!
//! The solution is a tree: a move of the attacker contains its `play`, a play contains its threats and variations. A
//! play that occurs again is written as `{"ref": 7}`, where 7 is the `node` of its first occurrence.

use serde_json::{Map, Value, json};
use shakmaty::{Color, Role, Square};

use crate::printable;
use crate::problem::twins::PhaseName;
use crate::results::report::{
    Continuation, Diagrammed, Dual, Extent, Features, Key, Next, Pass, PlayId, Ply, REPORT_SCHEMA_VERSION, Report,
    ReportOptions, Source, Tree, Try, Verdict,
};

/// The JSON Schema (draft 2020-12) of the report object. `matesolve schema report` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes the object on one line.
pub fn line(report: &Report) -> String {
    printable::json(object(report).to_string())
}

/// Writes the object with indentation.
pub fn pretty(report: &Report) -> String {
    printable::json(format!("{:#}", object(report)))
}

/// Builds the object. A report on several phases also names the phase that decides, and contains the object of each.
pub fn object(report: &Report) -> Value {
    let mut object = phase_object(report);
    if let (Value::Object(fields), Some(name)) = (&mut object, &report.phase) {
        fields.insert("phase".to_owned(), phase_name(name));
        if !report.phases.is_empty() {
            fields.insert("phases".to_owned(), report.phases.iter().map(self::object).collect());
        }
    }
    object
}

fn phase_name(name: &PhaseName) -> Value {
    json!({
        "letter": Some(&name.letter).filter(|letter| !letter.is_empty()),
        "continued": name.continued,
        "heading": name.heading,
        "attacker": name.attacker.map(color),
    })
}

fn phase_object(report: &Report) -> Value {
    // The plays are built in the order of the output, because a reference must point back.
    let mut plays = PlayWriter { tree: &report.tree, written: vec![false; report.tree.plays().len()] };
    let keys: Vec<Value> = report.keys.iter().map(|key| plays.key(key)).collect();
    let tries: Option<Vec<Value>> =
        report.tries.as_ref().map(|tries| tries.iter().map(|attempt| plays.attempt(attempt)).collect());
    let set_play = report.set_play.map(|set| json!({"complete": set.complete, "play": plays.play(set.play)}));
    let post_key = report.post_key.map(|id| plays.play(id));
    json!({
        "schema_version": REPORT_SCHEMA_VERSION,
        "id": report.id,
        "position": report.position.as_ref().map(position),
        "stipulation": report.stipulation,
        "options": options(report.options),
        "result": result(&report.verdict),
        "keys": keys,
        "tries": tries,
        "set_play": set_play,
        "post_key": post_key,
        "post_key_refutations": plies(&report.post_key_refutations),
        "first_moves": {
            "total": report.first_moves.total,
            "refuted": report.first_moves.refuted,
            "open": plies(&report.first_moves.open),
        },
        "duals": report.duals.iter().map(dual).collect::<Vec<_>>(),
        "stats": report.stats,
        "warnings": report.warnings,
        "error": report.error,
    })
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

fn result(verdict: &Verdict) -> Value {
    let exact = verdict.mate_in.is_some_and(|n| n == 0 || verdict.refuted_through == Some(n - 1));
    json!({
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
    })
}

fn ply(ply: &Ply) -> Value {
    json!({"san": ply.san, "uci": ply.uci})
}

fn plies(moves: &[Ply]) -> Vec<Value> {
    moves.iter().map(ply).collect()
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

/// Builds plays; each is written in full once.
struct PlayWriter<'a> {
    tree: &'a Tree,
    /// Whether a play has been written, by its number in the tree.
    written: Vec<bool>,
}

impl PlayWriter<'_> {
    fn key(&mut self, key: &Key) -> Value {
        let features = features(&key.features);
        let fields =
            json!({"mate_in": key.mate_in, "exact": key.exact, "intended": key.intended, "features": features});
        self.attacker_move(&key.ply, fields, key.next)
    }

    fn attempt(&mut self, attempt: &Try) -> Value {
        let fields = json!({"trivial": attempt.trivial, "refutations": plies(&attempt.refutations)});
        self.attacker_move(&attempt.ply, fields, attempt.next)
    }

    fn continuation(&mut self, continuation: &Continuation) -> Value {
        self.attacker_move(&continuation.ply, json!({"mate_in": continuation.mate_in}), continuation.next)
    }

    /// Builds a move of the attacker with further fields and the play after it.
    fn attacker_move(&mut self, attacker_ply: &Ply, fields: Value, next: Next) -> Value {
        let mut object = Map::new();
        for part in [ply(attacker_ply), fields, self.next(next)] {
            if let Value::Object(part) = part {
                object.extend(part);
            }
        }
        Value::Object(object)
    }

    fn next(&mut self, next: Next) -> Value {
        match next {
            Next::Mate => json!({"end": "mate", "play": null}),
            Next::Cut => json!({"end": "cut", "play": null}),
            Next::Play(id) => json!({"end": null, "play": self.play(id)}),
        }
    }

    fn play(&mut self, id: PlayId) -> Value {
        if std::mem::replace(&mut self.written[id.0 as usize], true) {
            return json!({"ref": id.0});
        }
        let play = self.tree.play(id);
        let threats: Vec<Value> = play.threats().iter().map(|threat| self.continuation(threat)).collect();
        let mut variations = Vec::with_capacity(play.variations.len());
        for variation in &play.variations {
            let continuations: Vec<Value> =
                variation.continuations.iter().map(|continuation| self.continuation(continuation)).collect();
            variations.push(json!({
                "defence": ply(&variation.defence),
                "mate_in": variation.mate_in,
                "continuations": continuations,
            }));
        }
        json!({
            "node": id.0,
            "left": play.left,
            "mate_in": play.mate_in,
            "zugzwang": play.pass == Pass::Zugzwang,
            "threats": threats,
            "variations": variations,
            "unshown": play.unshown,
            "cut": play.cut,
        })
    }
}
