//! The phases of a problem side by side, and its themes with their evidence, as plain data.
//!
//! ```text
//! PhaseTable ── columns: defences a, b, …
//!            ── rows: set play, tries, solutions ── cells: the answers A, B, … to the defences, or why there are none
//! Theme      ── name, squares, phases, lines, evidence
//! ```
//!
//! `crate::themes` makes them from a finished report. Two moves are **equal** if the man, its square in the *diagram*,
//! the square of arrival and the promotion agree, so that an answer by the man that made the key is compared with its
//! answer in the set play.

use std::fmt::{self, Write as _};

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use shakmaty::Square;

use super::ply::{self, Ply};

/// The kind of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseKind {
    /// The defender moves in the diagram.
    SetPlay,
    /// The play after a first move that fails.
    Try,
    /// The play after a first move that solves, or of a diagram after the key.
    Solution,
}

/// Names a phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PhaseLabel {
    /// The kind of the phase.
    pub kind: PhaseKind,
    /// The attacker's first move; `None` in set play and in a diagram after the key.
    pub first: Option<Ply>,
}

impl fmt::Display for PhaseLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, &self.first) {
            (PhaseKind::SetPlay, _) => f.write_str("set play"),
            (PhaseKind::Try, Some(first)) => write!(f, "1.{}?", first.san),
            (_, Some(first)) => write!(f, "1.{}!", first.san),
            (_, None) => f.write_str("after the key"),
        }
    }
}

/// The phases of a problem, one below the other, to the attacker's second move.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PhaseTable {
    /// The defences, in the order in which the phases show them.
    pub columns: Vec<DefenceColumn>,
    /// Set play, tries and solutions, in this order.
    pub rows: Vec<PhaseRow>,
}

/// Defences that every phase treats alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DefenceColumn {
    /// The letter of the column: `a`, `b`, … `z`, `aa`, ….
    pub letter: String,
    /// The defences, at least one.
    pub defences: Vec<Ply>,
}

/// A phase of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PhaseRow {
    /// The phase.
    #[serde(flatten)]
    pub phase: PhaseLabel,
    /// The threats; empty in set play, in zugzwang and after a check.
    pub threats: Vec<LetteredPly>,
    /// Whether the first move puts the defender in zugzwang.
    pub zugzwang: bool,
    /// The results of the defences; as many as there are columns.
    pub cells: Vec<PhaseCell>,
    /// Why a try of a two-mover fails, as far as its own move is the reason; else empty.
    pub failures: Vec<Failure>,
}

/// A reason why a try fails: what its move spoils for the attacker, so that a defence refutes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The defence that refutes.
    pub refutation: Ply,
    /// The error of the try.
    #[serde(serialize_with = "ply::text")]
    pub motif: FailureMotif,
    /// The square on which the man arrived, or the one that it left.
    #[serde(serialize_with = "ply::text")]
    pub square: Square,
    /// The mate that would answer the refutation; `None` if the refutation would not be possible.
    pub mate: Option<Ply>,
    /// The re-test that shows it.
    pub evidence: Retest,
}

/// The error of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureMotif {
    /// The man stands where another one should mate or pass.
    Obstruction,
    /// The man stands on a line of the attacker.
    Interference,
    /// The man no longer guards a square.
    Unguard,
    /// The man has opened a line of the defender.
    LineOpening,
    /// The man no longer pins a man of the defender.
    Unpin,
    /// The king can be checked.
    ExposedKing,
}

impl fmt::Display for FailureMotif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FailureMotif::Obstruction => "obstruction",
            FailureMotif::Interference => "interference",
            FailureMotif::Unguard => "unguard",
            FailureMotif::LineOpening => "line opening",
            FailureMotif::Unpin => "unpin",
            FailureMotif::ExposedKing => "exposed king",
        })
    }
}

impl Failure {
    /// Returns the reason on one line, such as `1...Bc4! interference: the rook is taken off d5, then 2.Qe3#`.
    pub fn text(&self) -> String {
        let refutation = &self.refutation.san;
        let effect = match &self.mate {
            Some(mate) => format!("then 2.{}", mate.san),
            None => format!("then 1...{refutation} is not possible"),
        };
        format!("1...{refutation}! {}: {}, {effect}", self.motif, self.evidence.change)
    }
}

/// The statement of a phase about the defences of a column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PhaseCell<A = LetteredPly> {
    /// The attacker's moves that reach the goal soonest, at least one.
    Answers(Vec<A>),
    /// The defences refute the try.
    Refutes,
    /// The defences do not stop the threat, or the mate comes sooner than by it.
    Threat,
    /// The set play has no answer.
    Unanswered,
    /// The defences are no legal moves in this phase.
    Illegal,
    /// A limit was reached before this was decided.
    Open,
}

impl Serialize for PhaseCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, answers) = match self {
            PhaseCell::Answers(answers) => ("answers", &answers[..]),
            PhaseCell::Refutes => ("refutes", &[][..]),
            PhaseCell::Threat => ("threat", &[][..]),
            PhaseCell::Unanswered => ("unanswered", &[][..]),
            PhaseCell::Illegal => ("illegal", &[][..]),
            PhaseCell::Open => ("open", &[][..]),
        };
        let mut object = serializer.serialize_map(Some(2))?;
        object.serialize_entry("kind", kind)?;
        object.serialize_entry("answers", answers)?;
        object.end()
    }
}

/// A move of the attacker with its letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LetteredPly {
    /// The letter of the move in all phases: `A`, `B`, … `Z`, `AA`, ….
    pub letter: String,
    /// The move.
    #[serde(flatten)]
    pub ply: Ply,
}

/// A theme that the play of a problem shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The name, as databases spell the keyword.
    pub name: &'static str,
    /// The squares that belong to the theme: flights, or where lines are cut. Often empty.
    pub squares: Vec<Square>,
    /// The phases that show it, at least one.
    pub phases: Vec<PhaseLabel>,
    /// The moves that show it.
    pub lines: Vec<ThemeLine>,
    /// The re-tests on the board that show it. Empty if the moves alone are the theme.
    pub evidence: Vec<Retest>,
}

/// Moves of a theme.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThemeLine {
    /// The phase, as an index of [`Theme::phases`].
    pub phase: usize,
    /// The half-move at which the moves begin: 0 is the attacker's first move, 1 the defender's first.
    pub begins: usize,
    /// The moves, at least one.
    pub plies: Vec<Ply>,
}

/// A question about a changed position: does this move mate in it?
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Retest {
    /// The change, as a sentence without a full stop.
    pub change: String,
    /// The changed position, before the move.
    pub fen: String,
    /// The move in UCI notation; `None` where the question is about the position alone.
    pub uci: Option<String>,
    /// The answer: whether the move mates, or the change has the effect that `change` states.
    pub holds: bool,
}

impl ThemeLine {
    /// Returns the moves with their numbers, such as `1...Bd6 2.Qe4#`; a threat as `(2.Qe4#)`, the refutation of a try
    /// as `1...Bd6!`.
    fn text(&self, kind: PhaseKind) -> String {
        let mut text = String::new();
        for (index, ply) in (self.begins..).zip(&self.plies) {
            if !text.is_empty() {
                text.push(' ');
            }
            let number = match (index % 2, index == self.begins) {
                (0, _) => format!("{}.", index / 2 + 1),
                (_, true) => format!("{}...", index / 2 + 1),
                (_, false) => String::new(),
            };
            let _ = write!(text, "{number}{}", ply.san);
        }
        match (self.begins, self.plies.len()) {
            (2, 1) => format!("({text})"),
            (1, 1) if kind == PhaseKind::Try => format!("{text}!"),
            _ => text,
        }
    }
}

/// The names that are no keywords of a collection: too many two-movers show what they describe.
const NO_KEYWORDS: [&str; 3] = ["Line opening", "Pure mates", "Unguard"];

impl Theme {
    /// Returns whether the name is a keyword for a collection.
    pub fn is_keyword(&self) -> bool {
        !NO_KEYWORDS.contains(&self.name)
    }

    /// Returns the theme on one line, such as `Grimshaw on d6: 1...Bd6 2.Qe4#, 1...Rd6 2.Nc5#`. Where the theme has
    /// several phases, each begins with its name: `set play`, `1.Qc4?`, `1.Rf2!`.
    pub(crate) fn text(&self) -> String {
        let mut text = self.name.to_owned();
        for (index, square) in self.squares.iter().enumerate() {
            text.push_str(if index == 0 { " on " } else { ", " });
            text.push_str(&square.to_string());
        }
        let mut parts: Vec<String> = Vec::new();
        let mut last = None;
        for line in &self.lines {
            let is_first = line.begins == 0;
            let is_new = (is_first || self.phases.len() > 1) && last != Some(line.phase);
            last = Some(line.phase);
            let label = if is_new { self.phases[line.phase].to_string() } else { String::new() };
            // The name of the phase has its first move.
            let moves = if is_first { String::new() } else { line.text(self.phases[line.phase].kind) };
            match parts.last_mut().filter(|_| !is_new) {
                Some(_) if moves.is_empty() => {}
                Some(part) => {
                    let is_labelled = self.phases.iter().any(|phase| *part == phase.to_string());
                    part.push_str(if is_labelled { " " } else { ", " });
                    part.push_str(&moves);
                }
                None => {
                    parts.push([label, moves].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" "));
                }
            }
        }
        if !parts.is_empty() {
            let _ = write!(text, ": {}", parts.join("; "));
        }
        text
    }

    /// Calls `change` with every move of the theme.
    pub(crate) fn for_each_ply(&mut self, change: &mut impl FnMut(&mut Ply)) {
        self.phases.iter_mut().filter_map(|phase| phase.first.as_mut()).for_each(&mut *change);
        self.lines.iter_mut().flat_map(|line| &mut line.plies).for_each(change);
    }
}

impl PhaseTable {
    /// Calls `change` with every move of the table.
    pub(crate) fn for_each_ply(&mut self, change: &mut impl FnMut(&mut Ply)) {
        self.columns.iter_mut().flat_map(|column| &mut column.defences).for_each(&mut *change);
        for row in &mut self.rows {
            row.phase.first.iter_mut().for_each(&mut *change);
            row.threats.iter_mut().for_each(|threat| change(&mut threat.ply));
            for failure in &mut row.failures {
                change(&mut failure.refutation);
                failure.mate.iter_mut().for_each(&mut *change);
            }
            for cell in &mut row.cells {
                if let PhaseCell::Answers(answers) = cell {
                    answers.iter_mut().map(|answer| &mut answer.ply).for_each(&mut *change);
                }
            }
        }
    }
}
