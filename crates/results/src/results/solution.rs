//! The result of solving one problem.
//!
//! The serialised [`Solution`] is the JSON of a result; `matesolve schema` prints its schema. The fields are written in
//! the order of this file, `null` where they do not apply, except those that say that they may be missing, and those of
//! help play. The same type reads the JSON. A name that is a number is read as its text, and `verified` is read as not
//! set: a text is no proof. Lengths are in **moves of the attacker**; in help play, half a move counts as 0.5.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use shakmaty::{Color, Position as _};

use crate::chess::{End, NodeKind, Soundness, Stipulation};
use crate::problem::input::{Entry, Rejected};
use crate::problem::{ExtraFields, Problem, ProblemError, Question, epd::Operation};
use crate::proof::{Bounds, Verified, VerifiedFlag};

use super::SidedStipulation;
use super::help::HelpSolutions;

/// The version of the JSON object.
pub(crate) const SCHEMA_VERSION: &str = "1";

/// The type of a schema version. It has a name of its own because serde would borrow a plain `&str` from the text.
type Version = &'static str;

/// The result of solving one problem: the answer, or the reason why there is none.
///
/// ```
/// use matesolve::results::solution::Status;
/// use matesolve::{Problem, Solver};
///
/// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; id \"Prinz\";")?;
/// let solution = Solver::new().solve(&problem);
/// assert_eq!(solution.id.as_deref(), Some("Prinz"));
/// assert_eq!(solution.stipulation.map(|question| question.text()).as_deref(), Some("#2"));
///
/// let result = &solution.result;
/// assert_eq!((result.status, result.mate_in), (Status::Mate, Some(2)));
/// assert!(result.verified.is_set(), "every published mate has a checked proof");
/// // No mate in 1, so the mate in 2 is the shortest.
/// assert_eq!((result.refuted_through, result.proved_shortest), (Some(1), true));
/// assert_eq!(result.pv.as_deref().unwrap_or_default(), ["h1h6", "g8a2", "h6h7"]);
/// assert_eq!(solution.stats.stopped_by, None);
/// # Ok::<(), matesolve::problem::ProblemError>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Solution {
    /// The version of the JSON object, `"1"`.
    #[serde(deserialize_with = "any_version", default = "version")]
    pub schema_version: Version,
    /// The number of the problem's line in its file, from 1; `None` if it did not come from a file.
    pub line: Option<usize>,
    /// The name of the problem; `None` if the input gives none.
    #[serde(deserialize_with = "name", default)]
    pub id: Option<String>,
    /// The six-field FEN of the position that was solved; `None` if the problem is invalid.
    pub fen: Option<String>,
    /// The question that was solved; `None` if the problem is invalid.
    pub stipulation: Option<SidedStipulation>,
    /// The answer.
    pub result: Outcome,
    /// The answer to the other question, whether the side to move is mated; `None` if it was not asked.
    pub other_side: Option<Outcome>,
    /// The solution of the same question with the other colour to move, which may be what was meant; `None` if there is
    /// none, or if this was not asked. Missing in the JSON if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_to_move: Option<Outcome>,
    /// The solutions of help play; `None` for other problems. The JSON contains its fields here.
    #[serde(flatten)]
    pub help: Option<HelpSolutions>,
    /// The first moves one by one, the fastest mates first; `None` if they were not asked for.
    pub moves: Option<Vec<MoveOutcome>>,
    /// The cost of the solve.
    #[serde(default)]
    pub stats: Stats,
    /// Sentences about what is unusual in the problem, and about what was ignored.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The reason why there is no answer: the problem is invalid, or matesolve failed. `None` if there is an answer.
    pub error: Option<String>,
    /// The text of a line that is not a valid problem, at most its first 1000 characters. Missing in the JSON if it is
    /// `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the answer agrees with what the line claims; `None` if this was not asked, or if there is no answer.
    /// Missing in the JSON if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// The parts of a JSON problem that are given back. The JSON contains its fields at the end.
    #[serde(flatten)]
    pub given: ExtraFields,
    /// Whether the program failed: a proof did not pass the checker, or a search panicked. Not part of the JSON.
    #[serde(skip)]
    pub internal_failure: bool,
    /// Whether the problem has twins that were not solved. Not part of the JSON; a warning says so there.
    #[serde(skip)]
    pub leaves_twins: bool,
    /// The operations of an EPD line, which EPD output repeats. Not part of the JSON.
    #[serde(skip)]
    pub operations: Vec<Operation>,
    /// Whether the position is one of a game: then a text numbers the moves as the game does. Not part of the JSON.
    #[serde(skip)]
    pub is_game: bool,
}

fn version() -> &'static str {
    SCHEMA_VERSION
}

fn any_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| SCHEMA_VERSION)
}

/// Reads the name of a problem; a number becomes its text.
pub fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Null => None,
        Value::String(name) => Some(name),
        number => Some(number.to_string()),
    })
}

/// How an answer agrees with the length and the first moves that a line claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// The mate has the claimed length, and the claimed moves lead to it.
    Ok,
    /// There is no mate in the claimed length.
    Longer,
    /// There is a mate in fewer moves than claimed.
    Shorter,
    /// The length is right, but a claimed first move is illegal or does not mate in this length.
    WrongMove,
    /// The other side mates.
    WrongSide,
    /// There are more or fewer solutions of help play than intended.
    WrongNumber,
    /// A limit was reached before the claim was confirmed or refuted.
    NotFound,
    /// The line claims nothing.
    Unclaimed,
}

impl Check {
    /// All verdicts, with their words.
    pub const ALL: [(Check, &'static str); 8] = [
        (Check::Ok, "ok"),
        (Check::Longer, "longer"),
        (Check::Shorter, "shorter"),
        (Check::WrongMove, "wrong move"),
        (Check::WrongSide, "wrong side"),
        (Check::WrongNumber, "wrong number"),
        (Check::NotFound, "not found"),
        (Check::Unclaimed, "unclaimed"),
    ];

    /// Returns the verdict in words.
    pub fn words(self) -> &'static str {
        Check::ALL.iter().find(|(check, _)| *check == self).map_or("", |(_, words)| words)
    }

    /// Returns whether the claim is proved to be wrong.
    pub fn disagrees(self) -> bool {
        !matches!(self, Check::Ok | Check::NotFound | Check::Unclaimed)
    }
}

/// The kind of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The side to move mates, in at most `mate_in` moves.
    Mate,
    /// The side to move is mated, in at most `mate_in` moves.
    Mated,
    /// There is no mate within the stated length.
    NoMate,
    /// A limit was reached before the question was answered.
    #[default]
    Undecided,
    /// The side to move is stalemated.
    Stalemate,
    /// The input is not a problem.
    Invalid,
    /// The problem has a solution. In help play all solutions are found, of an `h#` at least one; for another goal than
    /// a direct mate, the goal is forced in at most `solved_in` moves.
    Solved,
    /// There is no solution of help play, or of a goal other than a direct mate within the stated length.
    NoSolution,
}

/// The answer to one problem.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The kind of the answer.
    pub status: Status,
    /// The length of the proved mate, in moves; `None` if no mate is proved.
    pub mate_in: Option<u16>,
    /// The length of the proved solution of any stipulation, in moves: of a direct mate `mate_in`, of help play the
    /// length of the solutions, in which half a move counts as 0.5. `None` if nothing is proved.
    pub solved_in: Option<serde_json::Number>,
    /// The longest refuted length, in moves: there is no mate within it. `None` if nothing is refuted.
    pub refuted_through: Option<u16>,
    /// Whether it is proved that no mate exists, of any length.
    #[serde(default)]
    pub no_mate_at_all: bool,
    /// Whether it is proved that no shorter mate exists: `mate_in` is `refuted_through` + 1, or 0.
    #[serde(default)]
    pub proved_shortest: bool,
    /// Whether the checker has replayed a proof of a mate in `mate_in`.
    #[serde(skip_deserializing)]
    pub verified: VerifiedFlag,
    /// The main line to checkmate, its moves in UCI notation; `None` if no mate is proved.
    pub pv: Option<Vec<String>>,
    /// The main line in numbered standard algebraic notation; `None` if no mate is proved.
    pub pv_san: Option<String>,
    /// Whether the same command prints the same main line again; `None` if no mate is proved. `false` if several
    /// threads searched and the line is a matter of their timing, or if a time limit or the user ended the search.
    pub pv_repeatable: Option<bool>,
    /// Whether what is refuted may rest on Syzygy files, which nobody replays. The proof of a mate never does. Missing
    /// in the JSON if it is false.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub with_tables: bool,
    /// Whether a problem of help play has as many solutions as intended. Missing in the JSON if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soundness: Option<Soundness>,
    /// A mate that is longer than the question asks for, found on the way; it is no answer to the question. Missing in
    /// the JSON if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longer_mate: Option<Box<Outcome>>,
}

/// A first move of the side to move, and the answer to the question with this move as the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveOutcome {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The answer. Lengths and lines include the move itself.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Outcome {
    /// Makes an answer that has a status and nothing else.
    pub fn bare(status: Status) -> Outcome {
        Outcome { status, ..Outcome::default() }
    }

    /// Makes the answer that a checked proof gives. `bounds` are the bounds of the problem's position, including this
    /// proof; they decide whether the mate is the shortest. Returns `None` if the main line of the proof does not end
    /// in checkmate, which would be a fault of the checker.
    pub fn of_proof(proof: &Verified, bounds: Bounds) -> Option<Outcome> {
        let line = proof.written_line()?;
        let is_mate = proof.goal().is_mate();
        let status = match proof.kind() {
            _ if !is_mate => Status::Solved,
            NodeKind::Or => Status::Mate,
            NodeKind::And => Status::Mated,
        };
        let moves = proof.length().0;
        Some(Outcome {
            status,
            mate_in: is_mate.then_some(moves),
            refuted_through: bounds.refuted().map(|n| n.0),
            proved_shortest: bounds.is_exact(),
            verified: VerifiedFlag::by(proof),
            pv: Some(line.uci),
            pv_san: Some(line.san),
            solved_in: Some(moves.into()),
            ..Outcome::default()
        })
    }

    /// Makes the answer that the solutions of help play give, as far as the search got.
    pub fn of_help(stipulation: Stipulation, help: &HelpSolutions) -> Outcome {
        let found = help.solutions.len();
        let status = match (help.complete, found) {
            (false, _) => Status::Undecided,
            (true, 0) => Status::NoSolution,
            (true, _) => Status::Solved,
        };
        let soundness = match status {
            _ if help.short_solutions.is_some() => Soundness::ShortSolution,
            _ if found > help.intended => Soundness::Cooked,
            Status::Undecided => Soundness::Undecided,
            Status::NoSolution => Soundness::NoSolution,
            _ if found < help.intended => Soundness::Incomplete,
            _ => Soundness::Sound,
        };
        let question = SidedStipulation::of(stipulation, Color::White);
        let solved_in = Some(question).filter(|_| found > 0).and_then(SidedStipulation::length);
        let (pv, pv_san) = help.solutions.first().map(|line| (line.moves.clone(), line.san.clone())).unzip();
        Outcome { solved_in, soundness: Some(soundness), pv, pv_san, ..Outcome::bare(status) }
    }

    /// Returns the length of the proved solution with one side that resists, in moves of the attacker: of a direct mate
    /// or another goal. `None` if none is proved.
    pub fn length(&self) -> Option<u16> {
        let solved = self.solved_in.as_ref().and_then(serde_json::Number::as_u64);
        self.mate_in.or_else(|| solved.and_then(|moves| u16::try_from(moves).ok()))
    }
}

/// The limit that ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// The number of nodes (`--nodes`).
    Nodes,
    /// The time (`--time`).
    Time,
    /// The memory (`--hash`).
    Memory,
    /// The caller stopped the search, for instance with Ctrl-C.
    Interrupt,
    /// There are short solutions of help play, and the problem says that they are enough (`StopOnShortSolutions`).
    ShortSolutions,
    /// As many solutions of help play as were asked for were found (`--max-solutions`).
    Solutions,
}

impl StoppedBy {
    /// Returns the words for it.
    pub fn text(self) -> &'static str {
        self.words().0
    }

    /// Returns the option that sets the limit, of the program or of the problem, or the words for the user's stop.
    pub fn option(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            StoppedBy::Nodes => ("node limit reached", "--nodes"),
            StoppedBy::Time => ("time limit reached", "--time"),
            StoppedBy::Memory => ("memory limit reached", "--hash"),
            StoppedBy::Interrupt => ("interrupted", "an interruption"),
            StoppedBy::ShortSolutions => ("StopOnShortSolutions", "StopOnShortSolutions"),
            StoppedBy::Solutions => ("as many as asked for", "--max-solutions"),
        }
    }
}

/// The cost at which a mate was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundAt {
    /// The nodes that were searched by then.
    pub nodes: u64,
    /// The wall-clock time by then, in milliseconds.
    pub time_ms: u64,
}

/// The cost of a solve or a report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// The engine that searched; `None` if no search was needed.
    pub engine: Option<String>,
    /// The lane of the race that found the mate, also one that is longer than asked for. `None`, and missing in the
    /// JSON, without a mate, if no search was needed, and for other engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<String>,
    /// The lane of the race that found the first mate, which may have been longer than the one found last. `None`, and
    /// missing in the JSON, where `found_by` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_found_by: Option<String>,
    /// The cost at which the printed mate was found; the rest went into shorter mates. `None`, and missing in the JSON,
    /// without a mate and if no search was needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_at: Option<FoundAt>,
    /// Nodes searched: the number of positions made by playing a move. `Solver::solve_both_sides` adds those
    /// of the search for the other side, if its answer is shown.
    pub nodes: u64,
    /// Wall-clock time, in milliseconds.
    pub time_ms: u64,
    /// The number of threads that searched.
    #[serde(default)]
    pub threads: usize,
    /// The memory limit, in MiB.
    #[serde(default)]
    pub hash_mb: usize,
    /// The limit that ended the search; `None` if the search ended with an answer.
    pub stopped_by: Option<StoppedBy>,
}

impl Solution {
    /// Makes an undecided solution of this problem, to be filled in.
    pub fn of(problem: &Problem) -> Solution {
        Solution {
            schema_version: SCHEMA_VERSION,
            line: problem.line,
            id: problem.id.clone(),
            fen: Some(problem.fen.clone()),
            stipulation: Some(SidedStipulation::of_problem(problem)),
            warnings: problem.every_warning(),
            given: problem.given.clone(),
            leaves_twins: !problem.phases.is_empty(),
            operations: problem.operations.clone(),
            is_game: problem.is_game,
            ..Solution::default()
        }
    }

    /// Returns whether this answers a problem: it has the same position and the same question, as far as a result
    /// states it.
    pub fn answers(&self, problem: &Problem) -> bool {
        let question = self.stipulation.map(|question| question.in_diagram(problem.chess.turn()));
        let (Some(fen), Some(SidedStipulation { stipulation, attacker, .. })) = (&self.fen, question) else {
            // A result without a question is that of a problem that cannot be asked.
            return self.fen.is_none() && self.error.is_some();
        };
        let intended = self.help.as_ref().map_or(problem.question.intended.into(), |help| help.intended);
        let question = Question { stipulation, attacker, ..problem.question.clone() };
        let is_counted = intended == usize::from(problem.question.intended) || stipulation.goal().end == End::Any;
        Problem { fen: fen.clone(), question, ..problem.clone() }.key() == problem.key() && is_counted
    }

    /// Makes the solution for a line of an input that is not a valid problem.
    pub fn rejected(entry: &Entry, why: &ProblemError) -> Solution {
        let Rejected { id, id_is_number, text } = entry.rejected.clone();
        let given = ExtraFields { id_is_number, ..ExtraFields::default() };
        Solution { id, text, given, ..Solution::invalid(Some(entry.line), why) }
    }

    /// Makes the solution for a line that is not a valid problem. `line` is its number in its file, from 1.
    pub fn invalid(line: Option<usize>, why: &ProblemError) -> Solution {
        let (result, error) = (Outcome::bare(Status::Invalid), Some(why.to_string()));
        Solution { schema_version: SCHEMA_VERSION, line, result, error, ..Solution::default() }
    }

    /// Removes the answer and records that the program failed on this problem.
    #[must_use]
    pub fn failed(mut self, why: String) -> Solution {
        self.result = Outcome::bare(Status::Undecided);
        (self.other_side, self.other_to_move, self.moves, self.help) = (None, None, None, None);
        self.error = Some(why);
        self.internal_failure = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_as_it_was_written() {
        let line = concat!(
            r##"{"schema_version":"1","line":3,"id":"Prinz","fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1","##,
            r##""stipulation":{"text":"#2","moves":2,"attacker":"white","from":"dm"},"result":{"status":"no_mate","mate_in":null,"solved_in":null,"##,
            r##""refuted_through":2,"no_mate_at_all":true,"proved_shortest":false,"verified":false,"pv":["h1h6"],"##,
            r##""pv_san":"1.Rh6","pv_repeatable":true,"with_tables":true,"longer_mate":{"status":"mate","mate_in":4,"solved_in":4,"##,
            r##""refuted_through":2,"no_mate_at_all":false,"proved_shortest":false,"verified":false,"pv":null,"##,
            r##""pv_san":null,"pv_repeatable":null}},"other_side":null,"moves":[{"san":"Rh6","uci":"h1h6","##,
            r##""status":"undecided","mate_in":null,"solved_in":null,"refuted_through":1,"no_mate_at_all":false,"##,
            r##""proved_shortest":false,"verified":false,"pv":null,"pv_san":null,"pv_repeatable":null}],"##,
            r##""stats":{"engine":"race","found_by":"dfpn","found_at":{"nodes":5,"time_ms":6},"nodes":7,"time_ms":8,"threads":2,"hash_mb":16,"##,
            r##""stopped_by":"nodes"},"warnings":["a"],"error":null,"text":"t","check":"longer","rating":[1,{"x":null}]}"##
        );
        let read: Solution = serde_json::from_str(line).unwrap();
        assert_eq!(read.given.fields["rating"][0], 1);
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
        // The least that a result must have. A text proves nothing.
        let least = r#"{"id":17,"result":{"status":"mate","verified":true},"stats":{"nodes":1,"time_ms":2}}"#;
        let read: Solution = serde_json::from_str(least).unwrap();
        assert_eq!((read.id.as_deref(), read.result.verified), (Some("17"), VerifiedFlag::default()));
        for wrong in [least.replace("mate", "won"), least.replace("\"nodes\":1,", ""), "{}".to_owned()] {
            assert!(serde_json::from_str::<Solution>(&wrong).is_err(), "{wrong}");
        }
    }
}
