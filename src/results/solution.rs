//! The result object: everything that may be said about one problem after a solve.
//!
//! Its serialised form is the program's JSON (`matesolve schema` publishes the schema): every field is always there,
//! in this order, `null` where it does not apply. Lengths are in **moves of the attacker**.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde::Serialize;
use shakmaty::Color;

use crate::chess::NodeKind;
use crate::problem::{Problem, ProblemError, epd::Operation};
use crate::proof::{Bounds, Verified, VerifiedFlag};

/// The version of the result object.
pub const SCHEMA_VERSION: &str = "1";

/// The answer to one problem, or why there is none.
#[derive(Debug, Clone, Serialize)]
pub struct Solution {
    /// The version of this object.
    pub schema_version: &'static str,
    /// The problem's line in its file, from 1.
    pub line: Option<usize>,
    /// The problem's name.
    pub id: Option<String>,
    /// The position, as understood; `None` if the problem is invalid.
    pub fen: Option<String>,
    /// The question, as asked; `None` if the problem is invalid.
    pub stipulation: Option<Goal>,
    /// The answer.
    pub result: Outcome,
    /// What it cost.
    pub stats: Stats,
    /// What was odd about the problem.
    pub warnings: Vec<String>,
    /// Why there is no answer: the problem is invalid, or matesolve failed.
    pub error: Option<String>,
    /// The program failed: a proof did not pass the checker, or a search broke down. Not part of the JSON.
    #[serde(skip)]
    pub internal_failure: bool,
    /// The EPD operations to carry over to EPD output. Not part of the JSON.
    #[serde(skip)]
    pub operations: Vec<Operation>,
}

/// The question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Goal {
    /// `#5`, `#-5`; `#` and `#-` if no length was given.
    pub text: String,
    /// The length in moves; `None`: the shortest, whatever it is.
    pub moves: Option<u16>,
    /// The side that mates.
    #[serde(serialize_with = "color_name")]
    pub attacker: Color,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn color_name<S: serde::Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(color.fold_wb("white", "black"))
}

/// The kinds of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The side to move mates, in at most `mate_in` moves.
    Mate,
    /// The side to move is mated, in at most `mate_in` moves.
    Mated,
    /// There is no mate within the length asked for.
    NoMate,
    /// A limit was reached first.
    Undecided,
    /// The side to move is stalemated.
    Stalemate,
    /// There is no such position.
    Invalid,
}

/// The answer proper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Which kind of answer it is.
    pub status: Status,
    /// A mate within so many moves is proved.
    pub mate_in: Option<u16>,
    /// No mate within so many moves is proved.
    pub refuted_through: Option<u16>,
    /// `mate_in` is exact: `refuted_through + 1`, or 0.
    pub proved_shortest: bool,
    /// The checker has replayed the proof of `mate_in`.
    pub verified: VerifiedFlag,
    /// The main line in UCI notation, to checkmate.
    pub pv: Option<Vec<String>>,
    /// The main line in standard algebraic notation, numbered.
    pub pv_san: Option<String>,
}

impl Outcome {
    /// An answer with nothing but its status.
    pub fn bare(status: Status) -> Outcome {
        Outcome {
            status,
            mate_in: None,
            refuted_through: None,
            proved_shortest: false,
            verified: VerifiedFlag::NO,
            pv: None,
            pv_san: None,
        }
    }

    /// The answer that a checked proof gives. `bounds` are those of the problem's position, with the proof's length as the proved
    /// one; they decide whether the mate is the shortest. `None` if the main line of the proof does not end in checkmate, which
    /// would be a fault of the checker.
    pub fn of_proof(proof: &Verified, bounds: Bounds) -> Option<Outcome> {
        let line = proof.written_line()?;
        let status = match proof.kind() {
            NodeKind::Or => Status::Mate,
            NodeKind::And => Status::Mated,
        };
        Some(Outcome {
            status,
            mate_in: Some(proof.length().0),
            refuted_through: bounds.refuted().map(|n| n.0),
            proved_shortest: bounds.is_exact(),
            verified: VerifiedFlag::by(proof),
            pv: Some(line.uci),
            pv_san: Some(line.san),
        })
    }
}

/// Which limit ended the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// `--nodes`.
    Nodes,
    /// `--time`.
    Time,
    /// `--hash`.
    Memory,
    /// Ctrl-C.
    Interrupt,
}

/// What a solve cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// The engine that searched; `None` if none had to.
    pub engine: Option<String>,
    /// Positions made by playing a move.
    pub nodes: u64,
    /// Wall-clock time, in milliseconds.
    pub time_ms: u64,
    /// Threads that searched.
    pub threads: usize,
    /// The memory cap, in MiB.
    pub hash_mb: usize,
    /// The limit that ended the search; `None`: it was answered.
    pub stopped_by: Option<StoppedBy>,
}

impl Stats {
    /// No search took place.
    pub const NONE: Stats = Stats { engine: None, nodes: 0, time_ms: 0, threads: 0, hash_mb: 0, stopped_by: None };
}

impl Solution {
    /// A solution to be filled in: undecided.
    pub fn of(problem: &Problem) -> Solution {
        Solution {
            schema_version: SCHEMA_VERSION,
            line: problem.line,
            id: problem.id.clone(),
            fen: Some(problem.fen.clone()),
            stipulation: None,
            result: Outcome::bare(Status::Undecided),
            stats: Stats::NONE,
            warnings: problem.warnings.clone(),
            error: None,
            internal_failure: false,
            operations: problem.operations.clone(),
        }
    }

    /// The answer to a line that holds no problem.
    pub fn invalid(line: Option<usize>, why: &ProblemError) -> Solution {
        Solution {
            schema_version: SCHEMA_VERSION,
            line,
            id: None,
            fen: None,
            stipulation: None,
            result: Outcome::bare(Status::Invalid),
            stats: Stats::NONE,
            warnings: Vec::new(),
            error: Some(why.to_string()),
            internal_failure: false,
            operations: Vec::new(),
        }
    }

    /// The program failed on this problem: whatever was claimed is taken back.
    #[must_use]
    pub fn failed(mut self, why: String) -> Solution {
        self.result = Outcome::bare(Status::Undecided);
        self.error = Some(why);
        self.internal_failure = true;
        self
    }

    /// A forced mate was found and checked.
    pub fn is_mate(&self) -> bool {
        matches!(self.result.status, Status::Mate | Status::Mated)
    }
}
