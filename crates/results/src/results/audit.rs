//! The audit of a published problem as data: whether the published solution is right, and what is wrong with it.
//!
//! An audit has the phases of the problem, each with a verdict and findings; none if there is nothing to audit. The
//! verdict of the whole is then that of its worst phase, but `sound` if every phase agrees and is sound.
//!
//! To add a verdict or a finding: name it here, a verdict with its words; search for it in `src/audit/`, where a
//! finding gets its sentence; then `crates/results/src/output/audit/schema.json`, and for a verdict its exit code
//! (`src/cli/terminal/exit.rs`) and a row in `docs/popeye.md`.

use serde::{Deserialize, Serialize};

use super::report::Soundness;

/// The version of the JSON object.
pub(crate) const AUDIT_SCHEMA_VERSION: &str = "1";

/// The result for a published problem, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditVerdict {
    /// It is no problem that can be audited: of another genre, on another board, or without a stated length.
    #[default]
    NotAudited,
    /// Of a whole entry: every phase agrees, and each is sound.
    Sound,
    /// The published keys are the keys; of help play, the published lines are the solutions.
    Agrees,
    /// The published keys are the keys if castling or an en passant capture is taken for legal or illegal.
    OtherRights,
    /// The published keys are the keys if the board is turned in the other direction.
    OtherRotation,
    /// The keys agree, but a move of a variation cannot be read, or does not mate.
    WrongMove,
    /// The keys agree, but the published solution conceals a dual on the second move.
    Dual,
    /// The published solution names no key, or one that cannot be read.
    Unreadable,
    /// A limit was reached first.
    Undecided,
    /// There is no diagram, or no position that the rules of chess can play.
    Invalid,
    /// There are more keys than published.
    Cooked,
    /// A published key does not solve. All moves that solve are published, too.
    WrongKey,
    /// A published key does not solve, and another move does.
    AnotherKey,
    /// There is a mate in fewer moves than stipulated.
    ShortSolution,
    /// There is no mate within the stipulated length.
    NoSolution,
    /// The program failed on this problem.
    Failed,
}

impl AuditVerdict {
    /// All verdicts, with their names for people, in the order of the table at the end of an audit. An entry that is
    /// sound has the name of its phases.
    pub const ALL: [(AuditVerdict, &'static str); 16] = [
        (AuditVerdict::Sound, "agrees"),
        (AuditVerdict::Agrees, "agrees"),
        (AuditVerdict::OtherRights, "agrees with other rights"),
        (AuditVerdict::OtherRotation, "agrees, turned the other way"),
        (AuditVerdict::WrongMove, "wrong move in a variation"),
        (AuditVerdict::Dual, "unmarked dual"),
        (AuditVerdict::Unreadable, "unreadable"),
        (AuditVerdict::Cooked, "cooked"),
        (AuditVerdict::WrongKey, "wrong key"),
        (AuditVerdict::AnotherKey, "another key"),
        (AuditVerdict::ShortSolution, "short solution"),
        (AuditVerdict::NoSolution, "no solution"),
        (AuditVerdict::Undecided, "undecided"),
        (AuditVerdict::NotAudited, "not audited"),
        (AuditVerdict::Invalid, "invalid"),
        (AuditVerdict::Failed, "failed"),
    ];

    /// Returns the name for people.
    pub fn words(self) -> &'static str {
        AuditVerdict::ALL.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, words)| words)
    }

    /// Returns whether it says that the published keys are proved wrong.
    pub fn disagrees(self) -> bool {
        matches!(
            self,
            AuditVerdict::Cooked
                | AuditVerdict::WrongKey
                | AuditVerdict::AnotherKey
                | AuditVerdict::ShortSolution
                | AuditVerdict::NoSolution
        )
    }
}

/// The result of comparing the keys that were found with the published ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keys {
    /// The keys are the same.
    Agree,
    /// No key is published, or it cannot be read.
    Unnamed,
    /// The search was not finished.
    Undecided,
    /// The keys differ, and the collection says itself that the problem is not sound.
    Marked,
    /// The keys agree under another castling convention.
    Castling,
    /// The keys agree if the first move may capture en passant.
    EnPassant,
    /// The keys agree if the board is turned in the other direction.
    Rotation,
    /// The published key is not a legal move in the diagram.
    Misprint,
    /// There are more keys than published, and all published ones solve.
    Cooked,
    /// A published key does not solve.
    Fails,
    /// The engine `exhaustive`, which was to confirm the difference, came to no end or to another result.
    Unexplained,
}

/// A place in the text of a solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPlace {
    /// The line of the text, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The word that stands there.
    pub word: String,
    /// Line and column in the file, from 1; `None` if the lines of the text are not lines of the file, as in JSON.
    pub in_file: Option<(usize, usize)>,
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A key that was not published.
    Cook,
    /// A key that mates in fewer moves than stipulated.
    ShortSolution,
    /// There is no mate within the stipulated length.
    NoSolution,
    /// A published key that does not solve.
    FalseKey,
    /// The solution gives more keys than intended, and nothing calls them cooks.
    SeveralKeys,
    /// The keys agree with other castling or en passant rights, or with the board turned in the other direction.
    OtherRights,
    /// The published solution names no key.
    NoKey,
    /// A word of the solution is no legal move where it stands, or fits several, which are then listed.
    Unreadable,
    /// A published move that does not mate in time.
    WrongMove,
    /// A dual that the published solution conceals.
    Dual,
    /// The collection's keyword is proved wrong.
    WrongKeyword,
    /// A keyword is missing: the problem is proved to be unsound.
    MissingKeyword,
    /// A limit was reached first.
    Undecided,
    /// The phase is no problem that can be solved.
    Unsolved,
}

/// Something that is wrong, missing or open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// A sentence.
    pub text: String,
    /// The moves it is about, in standard algebraic notation.
    pub moves: Vec<String>,
    /// The place in the published solution; `None` if it is about no place.
    pub place: Option<TextPlace>,
}

/// The audit of the diagram or of a twin.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PhaseAudit {
    /// The letter of the phase; `None` if the problem has one phase.
    pub letter: Option<char>,
    /// The FEN of the position that was solved.
    pub fen: Option<String>,
    /// The stipulation.
    pub stipulation: Option<String>,
    /// The result.
    pub verdict: AuditVerdict,
    /// The result of comparing the keys; `None` if there was nothing to compare.
    pub keys: Option<Keys>,
    /// Whether the problem is sound; `None` if it was not searched.
    pub soundness: Option<Soundness>,
    /// The keys that were found, in standard algebraic notation.
    pub found: Vec<String>,
    /// The published keys that are legal moves, in standard algebraic notation.
    pub published: Vec<String>,
    /// The longest refuted length, in moves.
    pub refuted_through: Option<u16>,
    /// The number of first moves that are not decided.
    pub open: usize,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The cost of the search.
    pub stats: AuditCost,
}

/// The cost of the audit of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AuditCost {
    /// The number of searched nodes.
    pub nodes: u64,
    /// The time in milliseconds.
    pub time_ms: u64,
}

/// The themes that a collection prints as keywords, against those that the play shows by the definitions of
/// `docs/themes.md`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ThemeKeywords {
    /// The themes that are printed and found.
    pub confirmed: Vec<String>,
    /// The printed keywords that name a theme which is not found.
    pub not_found: Vec<String>,
    /// The themes that are found and not printed.
    pub not_printed: Vec<String>,
}

/// The audit of a published problem.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
// Each is a field of the JSON object.
#[allow(clippy::struct_excessive_bools)]
pub struct Audit {
    /// The line of the entry in its file, from 1.
    pub line: Option<usize>,
    /// The name of the problem.
    pub id: Option<String>,
    /// The authors.
    pub authors: Vec<String>,
    /// The source in which it was published.
    pub source: Option<String>,
    /// The year of publication.
    pub year: Option<u16>,
    /// The result: that of the worst phase, or that all are sound and agree.
    pub verdict: AuditVerdict,
    /// Whether the collection, or the text of the solution, says itself that the problem is not sound.
    pub marked: bool,
    /// Whether something that was published is proved wrong: keys that the collection takes for right, or a keyword.
    pub disagrees: bool,
    /// Whether the problem was published as sound and is not.
    pub unsound_unmarked: bool,
    /// The keywords that are proved wrong.
    pub wrong_keywords: Vec<String>,
    /// The keywords that are missing.
    pub missing_keywords: Vec<String>,
    /// The phases. Empty if the entry holds no problem that can be audited.
    pub phases: Vec<PhaseAudit>,
    /// Why there is no audit.
    pub error: Option<String>,
    /// The themes of the problem and the keywords that name them. `None` if they were not requested, if the problem is
    /// not sound, or for help play. They do not change the verdict: collections print few of the keywords that would
    /// be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub themes: Option<ThemeKeywords>,
    /// Whether the user ended the search.
    #[serde(skip)]
    pub interrupted: bool,
}

impl Audit {
    /// Compares what is proved with what was published.
    #[must_use]
    pub fn compared(mut self) -> Audit {
        let is_unsound = |phase: &PhaseAudit| {
            phase.verdict.disagrees()
                && !matches!(phase.soundness, None | Some(Soundness::Sound | Soundness::Undecided))
        };
        self.disagrees = (self.verdict.disagrees() && !self.marked) || !self.wrong_keywords.is_empty();
        self.unsound_unmarked = !self.marked && self.phases.iter().any(is_unsound);
        self
    }

    /// Returns the findings of all phases.
    pub fn findings(&self) -> impl Iterator<Item = (Option<char>, &Finding)> {
        self.phases.iter().flat_map(|phase| phase.findings.iter().map(|finding| (phase.letter, finding)))
    }
}
