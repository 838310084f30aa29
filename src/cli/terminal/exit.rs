//! Exit codes. Scripts rely on them, so they do not change.
//!
//! The help of the commands and the manual pages are made from one list, [`MEANINGS`]. A test compares it with the
//! table in `docs/formats.md`.

use std::fmt;
use std::process::ExitCode;

use crate::results::audit::{Audit, AuditVerdict, FindingKind};
use crate::results::puzzles::{Certified, PuzzleVerdict};
use crate::results::report::{Report, Soundness};
use crate::results::solution::{Check, Status, StoppedBy};
use crate::results::{SidedStipulation, Solution};

/// The exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Success: a mate was found, or the command did what was asked.
    Answered = 0,
    /// The answer is no: there is no such mate, or the problem is unsound.
    Negative = 1,
    /// Wrong usage, or a file that cannot be read or written.
    Usage = 2,
    /// Invalid position, or an input without positions; of a batch, a line that is no problem.
    Invalid = 3,
    /// A limit was reached first; of a batch, on at least one line.
    Undecided = 4,
    /// Every line of a batch is answered, but not every answer is a mate; or not every entry of a collection is sound.
    Incomplete = 5,
    /// A claim is proved wrong, or results contradict each other or are missing: the list below says in which
    /// commands.
    Disagrees = 6,
    /// Internal failure: a result did not pass its check, or a search panicked.
    Failed = 70,
    /// Interrupted by the user.
    Interrupted = 130,
}

/// Commands whose exit codes have the same meanings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codes {
    Most,
    Report,
    Audit,
    Puzzles,
    Popeye,
    /// Commands that have no meanings of their own. Their help does not list the codes.
    Plain,
}

const EVERYWHERE: &[Codes] = &[Codes::Most, Codes::Report, Codes::Audit, Codes::Puzzles, Codes::Popeye, Codes::Plain];

const MOST: &[Codes] = &[Codes::Most];
const REPORT: &[Codes] = &[Codes::Report];
const AUDIT: &[Codes] = &[Codes::Audit];
const PUZZLES: &[Codes] = &[Codes::Puzzles];
const POPEYE: &[Codes] = &[Codes::Popeye];

/// The meaning of each exit code, and the commands in which it has it.
const MEANINGS: &[(Exit, &str, &[Codes])] = &[
    (
        Exit::Answered,
        "success: a mate or other goal was found, or the command did what was asked",
        &[Codes::Most, Codes::Plain],
    ),
    (Exit::Answered, "sound", REPORT),
    (Exit::Answered, "every published solution agrees", AUDIT),
    (Exit::Answered, "every mate puzzle is right", PUZZLES),
    (Exit::Answered, "the input was read to its end; what is not solved has a sentence in its place", POPEYE),
    (Exit::Negative, "the answer is no: no mate within the given length", MOST),
    (Exit::Negative, "unsound: cooked, a short solution, or no solution", REPORT),
    (Exit::Usage, "wrong usage, or a file that cannot be read or written", EVERYWHERE),
    (Exit::Invalid, "invalid position or line, no position in the input, or a file that cannot be checked", MOST),
    (Exit::Invalid, "invalid position, or a collection without entries", REPORT),
    (Exit::Invalid, "an entry cannot be read, or an input without entries", AUDIT),
    (Exit::Invalid, "a puzzle cannot be read or played, or an input without puzzles", PUZZLES),
    (Exit::Invalid, "the input is not in Popeye's language", POPEYE),
    (Exit::Undecided, "undecided: a limit was reached first, of a batch on at least one line", MOST),
    (Exit::Undecided, "undecided: a limit was reached first", REPORT),
    (Exit::Undecided, "undecided: a limit was reached first on at least one entry", AUDIT),
    (Exit::Undecided, "undecided: a limit was reached first on at least one puzzle", PUZZLES),
    (
        Exit::Incomplete,
        "all lines answered, some without a mate, or an entry has twins; --check: nothing is claimed; merge: without --input",
        MOST,
    ),
    (Exit::Incomplete, "the collection has an entry that is not sound in all its phases; join: a part is open", REPORT),
    (
        Exit::Incomplete,
        "no solution is proved wrong, but an entry is unreadable or has a wrong move, an unmarked dual or an \
         unsolved twin",
        AUDIT,
    ),
    (Exit::Disagrees, "batch --check, compare, verify: a claim does not hold; merge: results are incomplete", MOST),
    (Exit::Disagrees, "join: a result does not hold, or contradicts another one", REPORT),
    (Exit::Disagrees, "a published solution or a keyword is proved wrong", AUDIT),
    (Exit::Disagrees, "a puzzle or a theme is proved wrong", PUZZLES),
    (Exit::Failed, "internal failure: a result did not pass its check", EVERYWHERE),
    (Exit::Interrupted, "interrupted", EVERYWHERE),
];

impl Codes {
    /// Returns the codes of a command, by its name.
    pub(crate) fn of(command: &str) -> Codes {
        match command {
            "report" | "join" => Codes::Report,
            "audit" => Codes::Audit,
            "puzzles" => Codes::Puzzles,
            "popeye" => Codes::Popeye,
            "bench" | "completions" | "engines" | "help" | "man" | "schema" | "uci" => Codes::Plain,
            _ => Codes::Most,
        }
    }

    /// Returns each code with its meaning.
    pub(crate) fn rows(self) -> impl Iterator<Item = (Exit, &'static str)> {
        MEANINGS
            .iter()
            .filter(move |(_, _, commands)| commands.contains(&self))
            .map(|&(exit, meaning, _)| (exit, meaning))
    }

    /// Returns the part of a help text that lists the exit codes.
    pub(crate) fn help(self) -> String {
        let lines = self.rows().map(|(exit, meaning)| format!("  {:>3}  {meaning}", exit as u8));
        std::iter::once("Exit codes:".to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl Exit {
    /// Returns the exit code for a composer's report.
    pub(crate) fn of_report(report: &Report) -> Exit {
        if report.internal_failure {
            return Exit::Failed;
        }
        if report.stats.stopped_by == Some(StoppedBy::Interrupt) {
            return Exit::Interrupted;
        }
        if report.why.is_some() {
            // Whether a move is a key is another question than whether the problem is sound.
            return Exit::of_status(report.verdict.status);
        }
        Exit::of_verdict(report.verdict.status, report.verdict.soundness)
    }

    /// Returns the exit code for the audit of an entry.
    pub(crate) fn of_audit(audit: &Audit) -> Exit {
        use AuditVerdict::{Dual, Failed, Invalid, OtherRights, OtherRotation, Undecided, Unreadable, WrongMove};
        match audit.verdict {
            Failed => Exit::Failed,
            _ if audit.disagrees => Exit::Disagrees,
            Invalid => Exit::Invalid,
            Undecided => Exit::Undecided,
            OtherRights | OtherRotation | WrongMove | Dual | Unreadable => Exit::Incomplete,
            _ if audit.findings().any(|(_, finding)| finding.kind == FindingKind::Unsolved) => Exit::Incomplete,
            _ => Exit::Answered,
        }
    }

    /// Returns the exit code for a puzzle.
    pub(crate) fn of_puzzle(puzzle: &Certified) -> Exit {
        match puzzle.verdict {
            _ if puzzle.failed => Exit::Failed,
            _ if puzzle.is_wrong() => Exit::Disagrees,
            Some(PuzzleVerdict::Invalid) => Exit::Invalid,
            None => Exit::Undecided,
            Some(_) => Exit::Answered,
        }
    }

    /// Returns the exit code for a verdict on a problem.
    pub(crate) fn of_verdict(status: Status, soundness: Soundness) -> Exit {
        match (status, soundness) {
            (Status::Invalid, _) => Exit::Invalid,
            (_, Soundness::Sound) => Exit::Answered,
            (_, Soundness::Undecided) => Exit::Undecided,
            (_, Soundness::Cooked | Soundness::ShortSolution | Soundness::NoSolution | Soundness::Incomplete) => {
                Exit::Negative
            }
        }
    }

    /// Returns the exit code for one problem.
    pub(crate) fn of(solution: &Solution) -> Exit {
        if solution.internal_failure {
            return Exit::Failed;
        }
        if solution.stats.stopped_by == Some(StoppedBy::Interrupt) {
            return Exit::Interrupted;
        }
        let asked_for_mated = solution.stipulation.as_ref().is_some_and(|goal| goal.stipulation.defender_begins());
        match solution.result.status {
            // The side to move is checkmated already. If the question was whether it mates, the answer is no.
            Status::Mated if !asked_for_mated => Exit::Negative,
            // As many solutions as asked for.
            Status::Undecided if solution.stats.stopped_by == Some(StoppedBy::Solutions) => Exit::Answered,
            status => Exit::of_status(status),
        }
    }

    fn of_status(status: Status) -> Exit {
        match status {
            Status::Mate | Status::Mated | Status::Solved => Exit::Answered,
            Status::NoMate | Status::NoSolution | Status::Stalemate => Exit::Negative,
            Status::Undecided => Exit::Undecided,
            Status::Invalid => Exit::Invalid,
        }
    }
}

/// Counts the results of a batch. Every line counts in exactly one of `mates`, `refuted`, `undecided`, `invalid` and
/// `failed`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub lines: usize,
    /// The mates, and the other solutions.
    pub mates: usize,
    /// The mates that are proved shortest.
    pub proved: usize,
    /// The lines without a mate within the length asked for.
    pub refuted: usize,
    pub undecided: usize,
    /// The lines with no mate but one that is longer than the length asked for. They count as refuted or undecided,
    /// too.
    pub longer: usize,
    pub invalid: usize,
    pub failed: usize,
    /// The lines whose twins were not solved. They count as one of the others, too.
    pub twins: usize,
    /// The lines whose claim is proved wrong. They count as one of the others, too.
    pub disagreeing: usize,
    /// The lines that claim nothing, where claims are checked. They count as one of the others, too.
    pub unclaimed: usize,
    /// The lines with another question than a direct mate. They count as one of the others, too.
    pub other_goals: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, solution: &Solution) {
        self.twins += usize::from(solution.leaves_twins);
        self.disagreeing += usize::from(solution.check.is_some_and(Check::disagrees));
        self.unclaimed += usize::from(solution.check == Some(Check::Unclaimed));
        self.longer += usize::from(solution.result.longer_mate.is_some());
        let is_other =
            |question: &SidedStipulation| question.stipulation.is_helped() || !question.stipulation.goal().is_mate();
        self.other_goals += usize::from(solution.stipulation.as_ref().is_some_and(is_other));
        let exit = match Exit::of(solution) {
            // A search that was interrupted may have found a mate before. Of help play all solutions are asked for.
            Exit::Undecided | Exit::Interrupted if solution.help.is_none() && solution.result.length().is_some() => {
                Exit::Answered
            }
            exit => exit,
        };
        self.count(exit);
        self.proved += usize::from(exit == Exit::Answered && solution.result.proved_shortest);
    }

    /// Counts an answer by its exit code: success as a mate.
    pub(crate) fn count(&mut self, exit: Exit) {
        self.lines += 1;
        self.disagreeing += usize::from(exit == Exit::Disagrees);
        *match exit {
            Exit::Answered | Exit::Disagrees => &mut self.mates,
            Exit::Negative | Exit::Incomplete => &mut self.refuted,
            Exit::Invalid => &mut self.invalid,
            Exit::Failed => &mut self.failed,
            _ => &mut self.undecided,
        } += 1;
    }

    /// Returns whether claims were to be checked, and no line has any.
    pub(crate) fn claims_nothing(self) -> bool {
        self.unclaimed > 0 && self.unclaimed + self.invalid + self.failed == self.lines
    }

    /// Returns the exit code for a batch that was not interrupted.
    pub(crate) fn exit(self) -> Exit {
        match self {
            Tally { failed: 1.., .. } => Exit::Failed,
            Tally { disagreeing: 1.., .. } => Exit::Disagrees,
            Tally { lines: 0, .. } | Tally { invalid: 1.., .. } => Exit::Invalid,
            Tally { undecided: 1.., .. } => Exit::Undecided,
            tally if tally.claims_nothing() => Exit::Incomplete,
            Tally { lines, mates, twins: 0, .. } if lines == mates => Exit::Answered,
            _ => Exit::Incomplete,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { lines, mates, proved, refuted, undecided, longer, invalid, failed, .. } = self;
        let (solved, none) = if self.other_goals > 0 { ("solved", "no solution") } else { ("mates", "no mate") };
        write!(f, "lines {lines}: {solved} {mates} (proved shortest {proved}), {none} {refuted}, ")?;
        write!(f, "undecided {undecided}, invalid {invalid}, failed {failed}")?;
        let what = if self.other_goals > 0 { "solutions" } else { "mates" };
        if *longer > 0 { write!(f, "; longer {what} than asked for {longer}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_formats_has_the_same_table() {
        let name = |commands: &[Codes]| match commands {
            [Codes::Most] | [Codes::Most, Codes::Plain] => "most commands",
            [Codes::Report] => "`report`",
            [Codes::Audit] => "`audit`",
            [Codes::Puzzles] => "`puzzles`",
            [Codes::Popeye] => "`popeye`",
            _ => "all commands",
        };
        let row =
            |&(exit, meaning, of): &(Exit, &str, &[Codes])| format!("| {} | {meaning} | {} |\n", exit as u8, name(of));
        let table: String = MEANINGS.iter().map(row).collect();
        // The table may stand at the end of the page.
        let page = concat!(include_str!("../../../docs/formats.md"), "\n");
        assert!(page.contains(&format!("| code | meaning | of |\n|---|---|---|\n{table}\n")), "{table}");
    }

    #[test]
    fn the_worst_line_decides_the_exit_code_of_a_batch() {
        let of = |lines, mates, failed| Tally { lines, mates, failed, ..Tally::default() }.exit();
        assert_eq!(of(3, 3, 0), Exit::Answered);
        assert_eq!(of(3, 2, 0), Exit::Incomplete);
        assert_eq!(of(3, 2, 1), Exit::Failed);
        assert_eq!(of(0, 0, 0), Exit::Invalid);
        let mut tally = Tally { lines: 3, mates: 1, undecided: 1, refuted: 1, ..Tally::default() };
        assert_eq!(tally.exit(), Exit::Undecided);
        tally.invalid = 1;
        assert_eq!(tally.exit(), Exit::Invalid);
        tally.disagreeing = 1;
        assert_eq!(tally.exit(), Exit::Disagrees);
        assert_eq!(Tally { lines: 3, mates: 3, twins: 1, ..Tally::default() }.exit(), Exit::Incomplete);
    }
}
