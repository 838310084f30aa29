//! The output formats of the composer's report.
//!
//! | file | format |
//! |---|---|
//! | `text` | a report as plain text, for people |
//! | `json` | the report object, for programs, and its JSON Schema |
//! | `letters` | reports with the letters of a language, safe to print |
//! | `depth` | reports to a depth that a person can read |
//! | `help` | the parts of the text that only help play has |
//! | `phases` | the phases side by side and the themes, as text and on a page |
//! | `words` | verdicts, features of keys and duals in words |
//!
//! The formats `popeye`, `html`, `latex`, `olv` and `pgn` are in the folder above.

mod depth;
pub(crate) mod help;
pub mod json;
pub(crate) mod letters;
pub(super) mod phases;
pub mod text;
pub mod words;

use std::borrow::Cow;
use std::io::{self, Write};

use crate::base::printable;
use crate::problem::input::Entry;
use crate::results::report::Report;

use super::booklet::Booklet;
use super::html;
use super::latex;
use super::stream::{self, JsonForm, TextSink, WithoutEnd};
use super::{olv, pgn, popeye};

pub use depth::Depth;
pub use letters::Letters;
use letters::with_letters;

/// The output format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// A document with diagram and solution, for pdflatex
    Latex,
    /// An .olv entry with its solution
    Olv,
    /// Games with variations, for chess programs
    Pgn,
}

/// The letters and the depth of a written report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReportStyle {
    /// The letters of the men; `None`: those of the format. Text and pages use `N` for the knight, booklets figurines,
    /// Popeye's layout and `.olv` entries use `S`. JSON, `.olv` entries and games always have the letters of their
    /// format.
    pub letters: Option<Letters>,
    /// The depth of the play; `None`: a readable depth in text, all play in the other formats.
    pub depth: Option<Depth>,
}

impl ReportStyle {
    /// Returns the report with the play that this format shows.
    fn limited(self, report: Cow<'_, Report>, format: ReportFormat) -> Cow<'_, Report> {
        if self.depth == Some(Depth::All) || (self.depth.is_none() && format != ReportFormat::Text) {
            return report;
        }
        let limited = |report: &Report| match self.depth {
            Some(Depth::Moves(depth)) => depth::limited(report, depth),
            Some(Depth::All) | None => depth::readable(report, text::lines),
        };
        if report.phases.is_empty() {
            return limited(&report).map_or(report, Cow::Owned);
        }
        let mut whole = report.into_owned();
        let phases = std::mem::take(&mut whole.phases);
        let mut whole = limited(&whole).unwrap_or(whole);
        whole.phases = phases.into_iter().map(|phase| limited(&phase).unwrap_or(phase)).collect();
        Cow::Owned(whole)
    }
}

impl ReportFormat {
    /// All formats in the order of the help, each with its name and what it is.
    pub const WORDS: [(ReportFormat, &str, &str); 8] = [
        (ReportFormat::Text, "text", "Plain text, for reading"),
        (ReportFormat::Json, "json", "Indented JSON"),
        (ReportFormat::Jsonl, "jsonl", "The JSON object on one line"),
        (ReportFormat::Popeye, "popeye", "The solution in Popeye's layout"),
        (ReportFormat::Html, "html", "A page with board and solution tree, for any browser"),
        (ReportFormat::Latex, "latex", "A document with diagram and solution, for pdflatex"),
        (ReportFormat::Olv, "olv", "An .olv entry with its solution"),
        (ReportFormat::Pgn, "pgn", "Games with variations, for chess programs"),
    ];

    /// Returns the written report, without a final line break.
    pub fn write(self, report: &Report, style: ReportStyle) -> String {
        stream::text(|out| self.write_to(Cow::Borrowed(report), style, out))
    }

    /// Writes the report, without a final line break. Nothing of a report that is given away is copied, and the text is
    /// written piece by piece.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(self, report: Cow<'_, Report>, style: ReportStyle, out: &mut dyn Write) -> io::Result<()> {
        let out: &mut dyn Write = &mut WithoutEnd { out, held: 0 };
        let report = style.limited(report, self);
        let reader = style.letters.unwrap_or_default();
        match self {
            // JSON and .olv entries escape what must not be printed, and programs read the texts back.
            ReportFormat::Text => {
                let mut sink = TextSink { out, result: Ok(()) };
                text::write_whole(&with_letters(report, Some(reader)), &mut sink);
                sink.result
            }
            ReportFormat::Json => stream::json(&*report, JsonForm::Indented, out),
            ReportFormat::Jsonl => stream::json(&*report, JsonForm::Line, out),
            ReportFormat::Popeye => {
                let letters = style.letters.unwrap_or(Letters::EnS);
                out.write_all(popeye::full_in(&with_letters(report, None), letters).as_bytes())
            }
            ReportFormat::Html if report.phases.is_empty() => {
                html::write_page(&with_letters(report, Some(reader)), reader, out)
            }
            ReportFormat::Html | ReportFormat::Latex => {
                let report = with_letters(report, None);
                let title = report.id.clone().unwrap_or_else(|| "Chess problem".to_owned());
                self.booklet().map_or(Ok(()), |mut booklet| {
                    ReportFormat::add_to_booklet(&mut booklet, &report, style, &title);
                    booklet.write(&title, out)
                })
            }
            ReportFormat::Olv => out.write_all(olv::new(&report).unwrap_or_default().as_bytes()),
            ReportFormat::Pgn => out.write_all(pgn::games(&with_letters(report, None)).as_bytes()),
        }
    }

    /// Writes the report on an entry as one of several, with line breaks; nothing if the format cannot represent an
    /// entry that cannot be read. `first`: it is the first one.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_item(
        self,
        report: Report,
        entry: &Entry,
        style: ReportStyle,
        first: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if report.position.is_none() && report.phases.is_empty() && !self.writes_errors() {
            return Ok(());
        }
        let end = match self {
            ReportFormat::Json => {
                out.write_all(if first { b"[\n" } else { b",\n" })?;
                ""
            }
            ReportFormat::Jsonl | ReportFormat::Olv => "\n",
            ReportFormat::Pgn => "\n\n",
            _ => {
                let name = report.id.as_deref().map_or(String::new(), |id| format!(" {}", printable::line(id)));
                write!(out, "{}{name}\n\n", entry.line)?;
                "\n\n"
            }
        };
        match &entry.problem {
            Ok(problem) if self == ReportFormat::Olv => {
                let text = olv::with_publication(&report, &problem.given.fields).unwrap_or_default();
                out.write_all(text.trim_end_matches('\n').as_bytes())?;
            }
            _ => self.write_to(Cow::Owned(report), style, out)?,
        }
        out.write_all(end.as_bytes())
    }

    /// Returns the text after the last of several reports. `none`: there were no reports.
    pub fn end(self, none: bool) -> &'static str {
        match self {
            ReportFormat::Json if none => "[]\n",
            ReportFormat::Json => "\n]\n",
            _ => "",
        }
    }

    /// Returns an empty booklet; `None` if the format has none.
    pub fn booklet(self) -> Option<Booklet> {
        match self {
            ReportFormat::Html => Some(Booklet::new(&html::Page)),
            ReportFormat::Latex => Some(Booklet::new(&latex::Latex)),
            _ => None,
        }
    }

    /// Adds the report to a booklet; `name` is its name if the report has none. Solutions have figurines unless the
    /// style names other letters.
    pub fn add_to_booklet(booklet: &mut Booklet, report: &Report, style: ReportStyle, name: &str) {
        let letters = style.letters.unwrap_or(Letters::Figurines);
        let shown_as = if booklet.unfolds() { ReportFormat::Html } else { ReportFormat::Latex };
        let [report, printed] = [shown_as, ReportFormat::Text].map(|format| {
            let limited = style.limited(Cow::Borrowed(report), format);
            with_letters(limited, Some(letters))
        });
        booklet.add(&report, &printed, &printable::line(name));
    }

    /// Returns whether the format can be written with other letters.
    pub fn has_letters(self) -> bool {
        matches!(self, ReportFormat::Text | ReportFormat::Popeye | ReportFormat::Html | ReportFormat::Latex)
    }

    /// Returns whether the format can represent a problem that cannot be read. Programs need an object for each
    /// problem.
    pub fn writes_errors(self) -> bool {
        matches!(self, ReportFormat::Json | ReportFormat::Jsonl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::{ply, report};
    use crate::results::report::{Extent, FirstMoveCounts, Key, Soundness};
    use crate::results::solution::StoppedBy;

    /// Returns a report on a problem with two keys, of which `open` first moves are not decided.
    fn two_keys(open: usize, intended: Option<bool>) -> Report {
        let first = |uci: &str| ply("5Kbk/6pp/6P1/8/8/8/8/7R w - -", uci);
        let mut report = report();
        report.verdict.soundness = Soundness::Cooked;
        report.keys.push(Key { ply: first("h1g1"), intended, ..report.keys[0].clone() });
        report.verdict.cooks = report.keys.iter().map(|key| key.ply.clone()).collect();
        report.first_moves.open = vec![first("h1h5"); open];
        report
    }

    #[test]
    fn a_limit_leaves_the_number_of_keys_open() {
        let verdicts = |report: &Report| {
            let text = ReportFormat::Text.write(report, ReportStyle::default());
            let text = anstream::adapter::strip_str(&text).to_string();
            let page = ReportFormat::Html.write(report, ReportStyle::default());
            let on_page = page.split_once("<p class=\"verdict unsound\">").and_then(|(_, rest)| rest.split_once('<'));
            let on_page = on_page.map(|(verdict, _)| verdict.to_owned());
            (text.lines().next().map(str::to_owned), on_page)
        };
        let both = |text: &str, page: &str| (Some(text.to_owned()), Some(format!("{page} · Rh6, Rg1")));
        let all = "cooked: 2 keys, Rh6, Rg1";
        assert_eq!(verdicts(&two_keys(0, None)), both(&format!("#2 {all}"), "Cooked: 2 keys, Rh6, Rg1"));
        let some = "#2 cooked: at least 2 keys, Rh6, Rg1";
        assert_eq!(verdicts(&two_keys(1, None)), both(some, "Cooked: at least 2 keys, Rh6, Rg1"));
        let mut named = two_keys(1, Some(false));
        named.verdict.cooks.remove(0);
        assert_eq!(verdicts(&named), both("#2 cooked at least by Rg1", "Cooked at least by Rg1"));
        let mut short = two_keys(1, None);
        (short.verdict.soundness, short.verdict.refuted_through) = (Soundness::ShortSolution, Some(0));
        short.verdict.short_solutions = short.verdict.cooks.split_off(1);
        let words = "hort solution, mate in ≤ 2 at least by Rg1";
        assert_eq!(verdicts(&short), both(&format!("#2 s{words}"), &format!("S{words}")));
    }

    #[test]
    fn a_verdict_that_may_rest_on_syzygy_files_says_so() {
        let mut report = report();
        report.verdict.with_tables = true;
        let text = ReportFormat::Text.write(&report, ReportStyle::default());
        let text = anstream::adapter::strip_str(&text).to_string();
        assert!(text.starts_with("#2 sound (with tables)\n"), "{text}");
        assert!(ReportFormat::Html.write(&report, ReportStyle::default()).contains("Sound (with tables) · Rh6"));
        let json: serde_json::Value =
            serde_json::from_str(&ReportFormat::Json.write(&report, ReportStyle::default())).unwrap();
        assert_eq!(json["result"]["with_tables"], true);
        assert_eq!(
            stamp(|it| it.verdict.with_tables = true).as_deref(),
            Some("C+ matesolve 0.1 (#2, whole, with tables, 3.1 s)")
        );
    }

    /// Returns the stamp of the sample after a change.
    fn stamp(change: impl FnOnce(&mut Report)) -> Option<String> {
        let mut report = report();
        (report.stats.time_ms, report.options.set_play, report.options.tries) = (3120, false, None);
        change(&mut report);
        report.stamp().map(|stamp| stamp.to_string())
    }

    #[test]
    fn a_stamp_says_what_is_wrong_and_what_is_not_decided() {
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(stamp(|_| {}), is("C+ matesolve 0.1 (#2, whole, 3.1 s)"));
        assert_eq!(stamp(|it| it.options.extent = Extent::Soundness), is("C+ matesolve 0.1 (#2, keys, 3.1 s)"));
        assert_eq!(
            stamp(|it| (it.options.set_play, it.options.tries) = (true, Some(1))),
            is("C+ matesolve 0.1 (#2, whole, set play, tries, 3.1 s)")
        );
        let cooked = |it: &mut Report| it.verdict.soundness = Soundness::Cooked;
        assert_eq!(stamp(cooked), is("matesolve 0.1 (#2, cooked, whole, 3.1 s)"));
        let limited = |it: &mut Report| {
            it.verdict.soundness = Soundness::Undecided;
            it.stats.stopped_by = Some(StoppedBy::Time);
            let open = vec![ply("5Kbk/6pp/6P1/8/8/8/8/7R w - -", "h1h5"); 2];
            it.first_moves = FirstMoveCounts { total: 30, refuted: 27, open };
        };
        let text = "matesolve 0.1 (#2, not decided: 2 of 30 first moves; time limit reached, 3.1 s)";
        assert_eq!(stamp(limited), is(text));
        let cut = |it: &mut Report| (it.verdict.complete, it.stats.stopped_by) = (false, Some(StoppedBy::Memory));
        assert_eq!(stamp(cut), is("matesolve 0.1 (#2, not decided: play; memory limit reached, 3.1 s)"));
        let small = |it: &mut Report| (it.verdict.truncated, it.options.max_tree_nodes) = (true, 5);
        assert_eq!(stamp(small), is("matesolve 0.1 (#2, not decided: play beyond 5 positions, 3.1 s)"));
        assert_eq!(stamp(|it| it.error = Some("no king".to_owned())), None);
    }
}
