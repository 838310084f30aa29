//! Reads one line of a results file: a result of matesolve, or a smaller object with the results of another program.
//! Only a small record of each line is kept.
//!
//! Unknown fields are ignored. `docs/batch.md` lists those that another program can write.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;

use crate::base::json_fault::json_fault;
use crate::base::printable::{excerpt, shortened};
use crate::chess::Stipulation;
use crate::problem::Problem;
use crate::results::solution::Status;

/// The question that a line of results says it answers. Lines of other programs need not say one, and a name alone has
/// no position, so there may be none to resolve.
pub(crate) type SaidQuestion = Option<Stipulation>;

/// The answer of a run to one problem, and its cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    /// The number of the line in the results file, from 1.
    pub line: usize,
    /// The name of the problem, cut to 60 characters.
    pub id: Option<Box<str>>,
    /// The position: the first four fields of its FEN.
    pub fen: Option<Box<str>>,
    /// A number that stands for the whole name.
    pub id_key: Option<u64>,
    /// A number that stands for the position.
    pub position_key: Option<u64>,
    /// The question.
    pub asked: SaidQuestion,
    /// The claims of the run.
    pub claims: RunClaims,
    /// The nodes of the search.
    pub nodes: Option<u64>,
    /// The time of the search, in milliseconds.
    pub time_ms: Option<f64>,
    /// The nodes and the time, in milliseconds, at which the mate was found.
    pub found_at: Option<(u64, f64)>,
}

/// The mates that a run claims, and the lengths that it refutes, in moves. Each number is a claim of its own. Where the
/// goal is another than a direct mate, "mate" stands for "reach the goal".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a claim of its own")]
pub(crate) struct RunClaims {
    /// The side to move mates within this length.
    pub mates: Option<u16>,
    /// The side to move does not mate within this length.
    pub no_mate: Option<u16>,
    /// The side to move is mated within this length; 0: it is checkmated.
    pub mated: Option<u16>,
    /// The side to move is not mated within this length.
    pub not_mated: Option<u16>,
    /// The mate is claimed to be the shortest; of help play, the solutions are claimed to be all.
    pub is_proved: bool,
    /// The question is answered with no: there is no mate within the length that was asked for.
    pub is_no: bool,
    /// The line was no problem.
    pub is_invalid: bool,
    /// The goal is not a direct mate.
    pub is_other_goal: bool,
    /// The solutions of help play.
    pub solutions: Option<SolutionCount>,
}

/// The solutions of help play that a run has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SolutionCount {
    /// Their number.
    pub found: usize,
    /// There are no others.
    pub are_all: bool,
}

/// A length that no mate has: a claim about all lengths.
pub(crate) const ANY_LENGTH: u16 = u16::MAX;

impl RunClaims {
    /// Returns the length of the mate that the run has found, for either side.
    pub(crate) fn found(&self) -> Option<u16> {
        self.mates.or(self.mated)
    }

    /// Returns whether the run has answered the question, with a mate or with no.
    pub(crate) fn is_solved(&self) -> bool {
        self.found().is_some() || self.is_no
    }
}

/// The fields that are read, under all their names: not those of a `Solution`, as other programs write fewer.
#[derive(Deserialize)]
struct Fields {
    #[serde(alias = "epd", alias = "position")]
    fen: Option<String>,
    #[serde(alias = "name", alias = "PuzzleId")]
    id: Option<Value>,
    /// The line of the problem in the input of the run.
    line: Option<u64>,
    stipulation: Option<GoalField>,
    solutions: Option<Vec<IgnoredAny>>,
    complete: Option<bool>,
    result: Option<ClaimedOutcome>,
    other_side: Option<ClaimedOutcome>,
    stats: Option<Cost>,
    #[serde(flatten)]
    outcome: ClaimedOutcome,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum GoalField {
    Text(String),
    Object { text: String },
}

/// An answer, of matesolve or of another program.
#[derive(Deserialize, Default)]
struct ClaimedOutcome {
    status: Option<Status>,
    #[serde(alias = "mate", alias = "dm")]
    mate_in: Option<i32>,
    /// Of help play it may have half a move.
    solved_in: Option<f64>,
    bm: Option<Value>,
    refuted_through: Option<u16>,
    #[serde(default, alias = "no_mate")]
    no_mate_at_all: Option<bool>,
    #[serde(alias = "proved")]
    proved_shortest: Option<bool>,
}

#[derive(Deserialize, Default)]
struct Cost {
    #[serde(alias = "acn")]
    nodes: Option<u64>,
    time_ms: Option<f64>,
    /// In seconds.
    #[serde(alias = "acs")]
    time: Option<f64>,
    found_at: Option<FoundAt>,
}

/// The cost at which a mate was found.
#[derive(Deserialize)]
struct FoundAt {
    nodes: u64,
    time_ms: f64,
}

/// Reads a line of a results file. `number` is its number, from 1.
///
/// # Errors
/// A sentence that says why the line is no result.
pub(crate) fn read(text: &str, number: usize) -> Result<Record, String> {
    let Fields { fen, id, line, stipulation, solutions, complete, result, other_side, stats, outcome, cost } =
        serde_json::from_str(text).map_err(|error| {
            let why = json_fault(&error);
            format!(
                "not a result ({why}); expected a JSON object such as {{\"fen\": \"…\", \"mate\": 3, \"nodes\": 1000}}"
            )
        })?;
    let id = id.filter(|id| !id.is_null()).map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
    let problem = fen.as_deref().map(Problem::read).and_then(Result::ok);
    let id = id.or_else(|| problem.as_ref().and_then(|problem| problem.id.clone()));
    let outcome = result.unwrap_or(outcome);
    let asked = match stipulation {
        Some(GoalField::Text(text) | GoalField::Object { text }) => Stipulation::parse_stated(&text).ok(),
        None => problem
            .as_ref()
            .map(|problem| problem.question.stipulation)
            .filter(|asked| *asked != Stipulation::default()),
    };
    let is_of_mates = matches!(outcome.status, Some(Status::Mate | Status::Mated | Status::NoMate));
    let asked = asked.or(is_of_mates.then(Stipulation::default));
    if fen.is_none() && id.is_none() && outcome.status != Some(Status::Invalid) {
        return Err("a result without `fen` and without `id`; add one of them".to_owned());
    }
    // An en passant square is written only if a pawn can be captured there: programs differ in the others.
    let written = problem.map(|problem| Fen::from_position(&problem.chess, EnPassantMode::Legal).to_string());
    let position = written.or(fen).map(|fen| four_fields(&fen));
    let question = asked.unwrap_or_default();
    let mut claims = outcome.claims(question);
    if let Some(found) = solutions.filter(|_| question.is_helped()).map(|solutions| solutions.len()) {
        let are_all = complete == Some(true);
        claims.solutions = Some(SolutionCount { found, are_all });
        claims.is_proved = claims.found().is_some() && are_all;
    }
    if let Some(other) = other_side {
        let other = other.claims(question.begun_by(question.begins().other()));
        claims.mated = claims.mated.or(other.mated);
        claims.not_mated = claims.not_mated.max(other.not_mated);
    }
    let Cost { nodes, time_ms, time, found_at } = stats.unwrap_or(cost);
    let time_ms = time_ms.or(time.map(|seconds| seconds * 1000.0)).filter(|ms| ms.is_finite() && *ms >= 0.0);
    Ok(Record {
        line: number,
        id_key: id.as_deref().map(key),
        // A line that was no problem has neither. Then both runs name the same line of their input.
        position_key: position.as_deref().map(key).or(line.map(|line| key(&format!("line {line}")))),
        asked,
        id: id.map(|id| excerpt(&id).into()),
        fen: position.map(|fen| shortened(&fen).into()),
        claims,
        nodes,
        time_ms,
        found_at: found_at.map(|at| (at.nodes, at.time_ms)).filter(|(_, ms)| ms.is_finite() && *ms >= 0.0),
    })
}

/// Returns the position without counters and operations.
fn four_fields(fen: &str) -> String {
    fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

fn key(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl Record {
    /// Returns the length that was asked for, in moves; half a move counts as one.
    pub(crate) fn stated(&self) -> Option<u16> {
        self.asked?.counted().map(|(moves, half)| moves + u16::from(half))
    }

    /// Returns what the answers to one problem have in common besides the position: play, goal and the side that
    /// begins, and of help play the length too, because other lengths are other questions. `None` if the line does not
    /// say it.
    pub(crate) fn kind(&self) -> SaidQuestion {
        self.asked.map(|asked| if asked.is_helped() { asked } else { asked.within(None) })
    }
}

impl ClaimedOutcome {
    /// Returns the claims about a question.
    fn claims(&self, asked: Stipulation) -> RunClaims {
        let status = self.status;
        let is_direct = !asked.is_helped() && asked.goal().is_mate();
        // Of other goals it is part of the question which side moves first.
        let mated = is_direct && asked.defender_begins();
        let is_invalid = status == Some(Status::Invalid);
        let mut claims = RunClaims { is_invalid, is_other_goal: !is_direct, ..RunClaims::default() };
        let length = self.mate_in.or(self.solved_in.map(|moves| moves.ceil() as i32));
        let length = length.or_else(|| self.bm.as_ref().and_then(length_of_bm));
        let is_mated = status == Some(Status::Mated) || length.is_some_and(|n| n < 0) || (status.is_none() && mated);
        let found = length.map(|n| n.unsigned_abs().try_into().unwrap_or(ANY_LENGTH));
        // A mate in 0 is that of a side to move that is checkmated.
        let is_mated = is_direct && (is_mated || found == Some(0));
        let at_all = self.no_mate_at_all == Some(true) || status == Some(Status::Stalemate);
        let refuted = if at_all { Some(ANY_LENGTH) } else { self.refuted_through };
        claims.is_proved = found.is_some() && self.proved_shortest == Some(true);
        let shorter = found.filter(|_| claims.is_proved).and_then(|n| n.checked_sub(1));
        let about_mated = if found.is_some() { is_mated } else { mated };
        let (mate, none) = if about_mated {
            (&mut claims.mated, &mut claims.not_mated)
        } else {
            (&mut claims.mates, &mut claims.no_mate)
        };
        *mate = found;
        *none = refuted.max(shorter);
        claims.is_no = found.is_none() && (at_all || matches!(status, Some(Status::NoMate | Status::NoSolution)));
        claims
    }
}

/// Reads the length in `bm`, such as `#5`; `None` if it is a move.
fn length_of_bm(bm: &Value) -> Option<i32> {
    let text = bm.as_str()?.trim();
    text.strip_prefix('#')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;
    use crate::solver::Solver;

    const FEN: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";

    #[test]
    fn a_result_of_matesolve_is_read_whole() {
        let solution = Solver::new().solve(&Problem::read(&format!("{FEN} dm 2; id \"Prinz\";")).unwrap());
        let record = read(&Format::Jsonl.single(&solution), 7).unwrap();
        let expected = RunClaims { mates: Some(2), no_mate: Some(1), is_proved: true, ..RunClaims::default() };
        assert_eq!((record.claims, record.stated(), record.line), (expected, Some(2), 7));
        assert_eq!((record.id.as_deref(), record.fen.as_deref()), (Some("Prinz"), Some(FEN)));
        assert_eq!(record.nodes, Some(solution.stats.nodes));
        let solution = Solver::new().solve(&Problem::read(&format!("{FEN} bm #1;")).unwrap());
        let claims = read(&Format::Jsonl.single(&solution), 1).unwrap().claims;
        assert!(claims.is_no && claims.is_solved() && claims.no_mate >= Some(1) && claims.mates.is_none());
    }

    #[test]
    fn small_objects_of_other_programs_are_read() {
        let claims = |fields: &str| read(&format!("{{\"fen\":\"{FEN}\"{fields}}}"), 1).unwrap().claims;
        let mate = |n| RunClaims { mates: Some(n), ..RunClaims::default() };
        for fields in [r#","mate":2"#, r##","bm":"#2""##, r#","dm":2,"id":5"#, r#","mate_in":2,"score":{}"#] {
            assert_eq!(claims(fields), mate(2), "{fields}");
        }
        assert_eq!(claims(r#","mate":-3"#), RunClaims { mated: Some(3), ..RunClaims::default() });
        assert_eq!(claims(r#","mate":null,"bm":"Rh6""#), RunClaims::default());
        assert_eq!(claims(r#","mate":2,"proved":true"#), RunClaims { no_mate: Some(1), is_proved: true, ..mate(2) });
        assert_eq!(claims(r#","no_mate":true"#).no_mate, Some(ANY_LENGTH));
        assert_eq!(claims(r##","stipulation":"#-3","refuted_through":2"##).not_mated, Some(2));
        let record = read(&format!("{{\"epd\":\"{FEN} dm 4; id \\\"x\\\";\",\"time\":1.5,\"acn\":9}}"), 1).unwrap();
        assert_eq!((record.stated(), record.id.as_deref(), record.nodes), (Some(4), Some("x"), Some(9)));
        assert_eq!(record.time_ms, Some(1500.0));
    }

    #[test]
    fn results_of_other_goals_are_read_whole() {
        let read = |fen: &str, asked: &str| {
            let stipulation = Stipulation::parse_any(asked).unwrap();
            let solution = Solver::new().solve(&Problem::read(fen).unwrap().stipulated(stipulation));
            super::read(&Format::Jsonl.single(&solution), 1).unwrap()
        };
        let other = RunClaims { is_other_goal: true, ..RunClaims::default() };
        let stalemate = read("7k/8/8/8/8/8/5K2/6Q1 w - -", "=3");
        assert_eq!(stalemate.claims, RunClaims { mates: Some(1), no_mate: Some(0), is_proved: true, ..other });
        assert_eq!((stalemate.stated(), stalemate.kind().unwrap().to_string()), (Some(3), "=".to_owned()));
        let selfmate = read("7k/8/8/8/8/8/5K2/6Q1 w - -", "s#2");
        assert!(selfmate.claims.is_no && selfmate.claims.no_mate >= Some(2), "{selfmate:?}");
        let help = read("k7/8/1K6/8/8/8/8/7R w - -", "h#0.5");
        let solutions = Some(SolutionCount { found: 1, are_all: true });
        assert_eq!(help.claims, RunClaims { mates: Some(1), solutions, is_proved: true, ..other });
        assert_eq!((help.stated(), help.kind().unwrap().to_string()), (Some(1), "h#0.5".to_owned()));
    }

    #[test]
    fn a_position_has_one_key_however_it_is_written() {
        let key = |fen: &str| read(&format!("{{\"fen\":\"{fen}\"}}"), 1).unwrap().position_key;
        assert_eq!(key(FEN), key(&format!("{FEN} 3 17")));
        let start = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq";
        assert_eq!(key(&format!("{start} -")), key(&format!("{start} e6 0 2")));
        assert_ne!(key(FEN), key(&FEN.replace('w', "b")));
        assert_ne!(key("no position"), key("another"));
    }

    #[test]
    fn a_line_that_is_no_result_is_an_error() {
        for (text, expected) in [("5Kbk", "not a result"), ("{}", "without `fen`"), (r#"{"fen":1}"#, "not a result")] {
            let message = read(text, 1).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
        assert!(read(r#"{"fen":null,"id":null,"result":{"status":"invalid"}}"#, 1).unwrap().claims.is_invalid);
    }
}
