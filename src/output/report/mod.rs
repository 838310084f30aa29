//! The output formats of the composer's report.
//!
//! | file | format |
//! |---|---|
//! | `text` | the whole solution as plain text, for people |
//! | `json` | the report object, for programs, and its JSON Schema |
//! | `letters` | reports with the letters of another language |
//! | `depth` | reports whose play ends at a move |
//!
//! The formats `popeye`, `html` and `olv` are in the folder above.

pub(crate) mod depth;
pub mod json;
pub(crate) mod letters;
pub mod text;

use std::borrow::Cow;

use crate::printable;
use crate::results::report::Report;

use super::html::{self, Booklet};
use super::{clean, olv, popeye};

pub use depth::Depth;
pub(crate) use letters::SIDES;
pub use letters::Letters;
use letters::in_letters;

/// The output format of a report. (The comments of the variants are help texts of `--format`.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ReportFormat {
    /// Plain text, for reading
    Text,
    /// Indented JSON
    Json,
    /// The JSON object on one line
    Jsonl,
    /// The solution in Popeye's layout
    Popeye,
    /// A page with board and solution tree, for any browser
    Html,
    /// An .olv entry with its solution
    Olv,
}

/// The letters and the depth of a written report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReportStyle {
    /// The letters of the men; `None`: those of the format. Text and pages use `N` for the knight, Popeye's layout and
    /// `.olv` entries use `S`. JSON and `.olv` entries always have the letters of their format.
    pub letters: Option<Letters>,
    /// The depth of the play; `None`: a readable depth in text, all play in the other formats.
    pub depth: Option<Depth>,
}

impl ReportStyle {
    /// Returns the report with the play that this format shows.
    fn limited(self, report: &Report, format: ReportFormat) -> Cow<'_, Report> {
        if !report.phases.is_empty() {
            let alone = |report: &Report| Report { phases: Vec::new(), ..report.clone() };
            return Cow::Owned(report.map_phases(|phase| self.limited(&alone(phase), format).into_owned()));
        }
        match self.depth {
            Some(Depth::Moves(depth)) => Cow::Owned(depth::limited(report, depth)),
            None if format == ReportFormat::Text => {
                Cow::Owned(depth::readable(report, |report| text::full(report).lines().count()))
            }
            Some(Depth::All) | None => Cow::Borrowed(report),
        }
    }
}

impl ReportFormat {
    /// Writes the report, without a final line break.
    pub fn write(self, report: &Report, style: ReportStyle) -> String {
        let limited = style.limited(report, self);
        let report = &*match self {
            // These formats escape what must not be printed, and programs read the texts back.
            ReportFormat::Json | ReportFormat::Jsonl | ReportFormat::Olv => Cow::Borrowed(&*limited),
            ReportFormat::Text | ReportFormat::Popeye | ReportFormat::Html => clean::report(&limited),
        };
        let reader = style.letters.unwrap_or_default();
        let text = match self {
            ReportFormat::Text => text::whole(&in_letters(report, reader)),
            ReportFormat::Json => json::pretty(report),
            ReportFormat::Jsonl => json::line(report),
            ReportFormat::Popeye => popeye::full_in(report, style.letters.unwrap_or(Letters::EnS)),
            ReportFormat::Html if !report.phases.is_empty() => {
                let mut booklet = Booklet::default();
                let title = report.id.as_deref().unwrap_or("Chess problem");
                ReportFormat::add_to_booklet(&mut booklet, report, style, title);
                booklet.page(title)
            }
            ReportFormat::Html => html::page(&in_letters(report, reader), reader),
            ReportFormat::Olv => olv::new(report).unwrap_or_default(),
        };
        text.trim_end_matches('\n').to_owned()
    }

    /// Adds the report to a booklet, each phase with its diagram; `name` is its name if the report has none.
    pub(crate) fn add_to_booklet(booklet: &mut Booklet, report: &Report, style: ReportStyle, name: &str) {
        for (index, phase) in report.phases.iter().enumerate() {
            let title = report.id.as_deref().unwrap_or(name);
            let own = in_letters(phase, style.letters.unwrap_or_default()).phase;
            let heading = own.map_or_else(String::new, |name| name.to_string());
            let phase = Report { id: Some(format!("{title} {heading}")), phase: None, ..phase.clone() };
            ReportFormat::add_to_booklet(booklet, &phase, style, name);
            booklet.continue_problem(index > 0);
        }
        if !report.phases.is_empty() {
            return;
        }
        let letters = style.letters.unwrap_or_default();
        let [shown, printed] =
            [ReportFormat::Html, ReportFormat::Text].map(|format| in_letters(&style.limited(report, format), letters));
        booklet.add(&clean::report(&shown), &clean::report(&printed), &printable::line(name));
    }

    /// Returns whether the format can be written with other letters.
    pub fn has_letters(self) -> bool {
        matches!(self, ReportFormat::Text | ReportFormat::Popeye | ReportFormat::Html)
    }

    /// Returns whether the format can represent a problem that cannot be read. Programs need an object for each
    /// problem.
    pub fn writes_errors(self) -> bool {
        matches!(self, ReportFormat::Json | ReportFormat::Jsonl)
    }
}
