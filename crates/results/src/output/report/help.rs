//! The parts of a text report that only help play has: the verdict by the number of solutions, and the lines.

use std::fmt::Write;

use crate::chess::End;
use crate::output::styles::{FAINT, STRONG};
use crate::output::text::{help_words, moves_words};
use crate::results::help::HelpSolutions;
use crate::results::report::{Report, Soundness};
use crate::results::solution::StoppedBy;

/// Returns the verdict on help play in words, without the stipulation.
pub(crate) fn verdict(report: &Report) -> String {
    let Some(help) = &report.help else { return String::new() };
    let intended = help.intended;
    let count = help_words(help.solutions.len(), help.complete, &report.stats, report.internal_failure);
    if report.goal().end == End::Any {
        return moves_words(help.solutions.len());
    }
    match report.verdict.soundness {
        Soundness::Sound => format!("sound: {count}"),
        Soundness::Cooked => format!("cooked: {count}; {intended} intended"),
        Soundness::ShortSolution => {
            let short = help.short_solutions.as_ref().map_or(0, Vec::len);
            let has_all = help.complete || report.stats.stopped_by == Some(StoppedBy::ShortSolutions);
            let at_least = if has_all { "" } else { "at least " };
            let solutions = if short == 1 { "solution" } else { "solutions" };
            format!("short solution: {at_least}{short} shorter {solutions}; of the stipulated length: {count}")
        }
        Soundness::NoSolution => "no solution".to_owned(),
        Soundness::Incomplete => format!("fewer solutions than intended: {count}; {intended} intended"),
        Soundness::Undecided => format!("undecided: {count}"),
    }
}

/// Writes all lines of help play, each with what is remarkable in it.
pub(super) fn lines(out: &mut dyn Write, help: &HelpSolutions) {
    let several = help.set_play.is_some() || help.short_solutions.is_some();
    let has_lines = help.parts().any(|(_, lines)| !lines.is_empty());
    let _ = out.write_str(if several || has_lines { "\n" } else { "" });
    for (heading, lines) in help.parts() {
        if several {
            let _ = write!(out, "\n{STRONG}{heading}{STRONG:#}");
            let none = if lines.is_empty() { "\n  none" } else { "" };
            let _ = out.write_str(none);
        }
        let indent = if several { "  " } else { "" };
        for line in lines {
            let _ = write!(out, "\n{indent}{}", line.san);
            let remarks = line.remarks().join(", ");
            if !remarks.is_empty() {
                let _ = write!(out, " {FAINT}({remarks}){FAINT:#}");
            }
        }
    }
}
