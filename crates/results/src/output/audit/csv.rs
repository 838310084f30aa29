//! Writes audits as a table (CSV): a header, and one row for each problem.

use crate::output::csv::{line, text, word};
use crate::results::audit::{Audit, PhaseAudit};

use super::text::sentences;

/// The first line: the names of the columns.
pub const HEADER: &str = "file,line,id,authors,source,year,fen,stipulation,verdict,marked,disagrees,unsound_unmarked,found,\
    published,findings,wrong_keywords,missing_keywords,error\n";

/// Writes an audit as one row, without a line break. Of several phases, the columns have their parts after one another.
pub fn row(audit: &Audit, file: &str) -> String {
    let of_phases = |part: fn(&PhaseAudit) -> Option<String>, sign: &str| {
        audit.phases.iter().filter_map(part).collect::<Vec<_>>().join(sign)
    };
    line(&[
        text(Some(file)),
        audit.line.map_or_else(String::new, |line| line.to_string()),
        text(audit.id.as_deref()),
        text(Some(&audit.authors.join(" & "))),
        text(audit.source.as_deref()),
        audit.year.map_or_else(String::new, |year| year.to_string()),
        of_phases(|phase| phase.fen.clone(), "; "),
        text(Some(&of_phases(|phase| phase.stipulation.clone(), "; "))),
        word(&audit.verdict),
        audit.marked.to_string(),
        audit.disagrees.to_string(),
        audit.unsound_unmarked.to_string(),
        text(Some(&of_phases(|phase| Some(phase.found.join(" ")), "; "))),
        text(Some(&of_phases(|phase| Some(phase.published.join(" ")), "; "))),
        text(Some(&sentences(audit).collect::<Vec<_>>().join("; "))),
        text(Some(&audit.wrong_keywords.join("; "))),
        text(Some(&audit.missing_keywords.join("; "))),
        text(audit.error.as_deref()),
    ])
}
