//! The answer for a search that broke the module.
//!
//! If a search needs more stack or memory than the host gives, the host stops the module. The same happens after a
//! panic. The host's program then makes a new instance and asks it for the answer of the broken one: it says that
//! nothing is known, and why.

use matesolve::results::solution::{Stats, StoppedBy};
use matesolve::results::{Report, Solution};
use serde::Deserialize;

/// Why an instance of the module could not answer.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(crate) enum GaveUp {
    /// The stack of the host is full.
    Stack,
    /// The host gives no more memory.
    Memory,
    /// The program has a fault.
    Fault,
}

impl GaveUp {
    /// Returns the warning for a search that was too large; `None` for a fault.
    pub fn warning(self) -> Option<String> {
        let what = match self {
            GaveUp::Stack => "stack",
            GaveUp::Memory => "memory",
            GaveUp::Fault => return None,
        };
        Some(format!(
            "undecided: this search needs more {what} than the browser or Node gives it; the command line has more"
        ))
    }

    /// Makes the solution of a search that did not take place into that of a search that was given up.
    pub fn solution(self, mut solution: Solution, engine: &str) -> Solution {
        let Some(warning) = self.warning() else {
            let fen = solution.fen.clone().unwrap_or_default();
            return solution.failed(format!("{engine} broke down on the position {fen}; please report it"));
        };
        stop(&mut solution.stats);
        solution.warnings.push(warning);
        solution
    }

    /// Makes the report of a search that did not take place into that of a search that was given up.
    pub fn report(self, mut report: Report) -> Report {
        if let Some(warning) = self.warning() {
            stop(&mut report.stats);
            report.warnings.push(warning);
        } else {
            report.error = Some("the report broke down on this position; please report it".to_owned());
            report.internal_failure = true;
        }
        report
    }
}

fn stop(stats: &mut Stats) {
    stats.stopped_by = Some(StoppedBy::Memory);
}
