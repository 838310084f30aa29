//! Exit codes, a contract with scripts. The table is printed by `--help` and stands in the README.

use std::process::ExitCode;

use crate::results::Solution;
use crate::results::report::{Report, Soundness};
use crate::results::solution::{Status, StoppedBy};

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Answered as asked.
    Answered = 0,
    /// Answered in the negative: there is no such mate.
    Negative = 1,
    /// Wrong usage, or a file that cannot be read or written.
    Usage = 2,
    /// No valid position.
    Invalid = 3,
    /// A limit was reached first.
    Undecided = 4,
    /// A batch went through, but not every line is a mate that was found.
    Incomplete = 5,
    /// A claim did not pass its check, or a search broke down.
    Failed = 70,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl Exit {
    /// The code for a composer's report.
    pub(super) fn of_report(report: &Report) -> Exit {
        if report.internal_failure {
            return Exit::Failed;
        }
        if report.stats.stopped_by == Some(StoppedBy::Interrupt) {
            return Exit::Interrupted;
        }
        match (report.verdict.status, report.verdict.soundness) {
            (Status::Invalid, _) => Exit::Invalid,
            (_, Soundness::Sound) => Exit::Answered,
            (_, Soundness::Undecided) => Exit::Undecided,
            (_, Soundness::Cooked | Soundness::ShortSolution | Soundness::NoSolution) => Exit::Negative,
        }
    }

    /// The code for one solved problem.
    pub(super) fn of(solution: &Solution) -> Exit {
        if solution.internal_failure {
            return Exit::Failed;
        }
        if solution.stats.stopped_by == Some(StoppedBy::Interrupt) {
            return Exit::Interrupted;
        }
        let defended = solution.stipulation.as_ref().is_some_and(|asked| asked.text.starts_with("#-"));
        match solution.result.status {
            Status::Mate => Exit::Answered,
            // Asked whether the side to move mates, "it is checkmated" is a no.
            Status::Mated => {
                if defended {
                    Exit::Answered
                } else {
                    Exit::Negative
                }
            }
            Status::NoMate | Status::Stalemate => Exit::Negative,
            Status::Undecided => Exit::Undecided,
            Status::Invalid => Exit::Invalid,
        }
    }
}

/// What happened to the lines of a batch.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tally {
    pub lines: usize,
    pub mates: usize,
    pub proved: usize,
    pub refuted: usize,
    pub undecided: usize,
    pub invalid: usize,
    pub failed: usize,
}

impl Tally {
    pub(super) fn add(&mut self, solution: &Solution) {
        self.lines += 1;
        let mates_before = self.mates;
        match Exit::of(solution) {
            Exit::Answered => self.mates += 1,
            Exit::Negative => self.refuted += 1,
            Exit::Invalid => self.invalid += 1,
            Exit::Failed => self.failed += 1,
            // An interrupted search may have found its mate before.
            _ if solution.is_mate() => self.mates += 1,
            _ => self.undecided += 1,
        }
        self.proved += usize::from(self.mates > mates_before && solution.result.proved_shortest);
    }

    /// The code for a batch that went through.
    pub(super) fn exit(self) -> Exit {
        match self {
            Tally { failed: 1.., .. } => Exit::Failed,
            Tally { lines: 0, .. } => Exit::Invalid,
            Tally { lines, mates, .. } if lines == mates => Exit::Answered,
            _ => Exit::Incomplete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_as_good_as_its_worst_line() {
        let of = |lines, mates, failed| Tally { lines, mates, failed, ..Tally::default() }.exit();
        assert_eq!(of(3, 3, 0), Exit::Answered);
        assert_eq!(of(3, 2, 0), Exit::Incomplete);
        assert_eq!(of(3, 2, 1), Exit::Failed);
        assert_eq!(of(0, 0, 0), Exit::Invalid);
    }
}
