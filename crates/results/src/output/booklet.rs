//! Collects many reports in one document: a booklet. Its parts are the same in every format; `Marks` are the marks
//! of one format around them.

use std::fmt::Write as _;
use std::io;

use shakmaty::Board;

use crate::results::report::{Report, Soundness};

use super::html::{board, stipulation};
use super::report::phases::{self, Grid, List};
use super::report::{text, words};
use super::svg;

/// The marks of a format.
pub(super) trait Marks: Sync + std::fmt::Debug {
    /// Returns whether the reader unfolds the play himself, so that none of it need be left out.
    fn unfolds(&self) -> bool;

    /// Adds a line to the list of the problems.
    fn list(&self, printed: &Printed<'_>, contents: &mut String);

    /// Adds a problem.
    fn problem(&self, printed: &Printed<'_>, problems: &mut String);

    /// Writes the whole document.
    fn document(&self, booklet: &Whole<'_>, out: &mut dyn io::Write) -> io::Result<()>;
}

/// The parts of a problem, as plain text without marks.
#[derive(Debug)]
pub(super) struct Printed<'a> {
    /// The number of the problem in the booklet, from 1.
    pub number: usize,
    /// Its name.
    pub title: &'a str,
    /// Date and award.
    pub note: &'a str,
    /// Whether the problem is sound.
    pub is_sound: bool,
    /// The verdict in a few words, for the list.
    pub short: String,
    /// The verdict with the keys, or why the problem cannot be read.
    pub verdict: String,
    /// What stands above the diagram: the features of the keys, the men, the warnings.
    pub remarks: Vec<String>,
    /// The diagram, if the problem can be read.
    pub diagram: Option<Diagram>,
    /// The solution, a line for each move that has one.
    pub solution: String,
    /// The table of the phases.
    pub grids: Vec<Grid>,
    /// Why the tries fail, and the themes.
    pub lists: Vec<List>,
    /// The seal of a complete test.
    pub stamp: Option<String>,
    /// The report with the play that a page shows.
    pub report: &'a Report,
}

/// A board with the texts below it.
#[derive(Debug)]
pub(super) struct Diagram {
    pub board: Board,
    /// The stipulation, such as `#3`.
    pub left: String,
    /// The count of men, such as `8+5`.
    pub right: String,
}

/// A booklet that has all its problems.
#[derive(Debug)]
pub(super) struct Whole<'a> {
    /// The title, such as the name of the collection.
    pub title: &'a str,
    /// The numbers of problems and phases, in words.
    pub counts: String,
    /// The number of problems and phases.
    pub count: usize,
    /// The lines of the list.
    pub contents: &'a str,
    /// The problems.
    pub problems: &'a str,
}

/// A booklet to which problems are added one by one.
#[derive(Debug)]
pub struct Booklet {
    marks: &'static dyn Marks,
    contents: String,
    problems: String,
    /// The number of diagrams: one for each phase.
    count: usize,
    /// The number of diagrams that are further phases of a problem.
    phases: usize,
    /// What stands below the names of the phases that are added next: date and award.
    note: String,
}

impl Booklet {
    /// Returns an empty booklet with these marks.
    pub(super) fn new(marks: &'static dyn Marks) -> Booklet {
        let [contents, problems, note] = [const { String::new() }; 3];
        Booklet { marks, contents, problems, count: 0, phases: 0, note }
    }

    /// Returns whether its reader unfolds the play himself.
    pub(super) fn unfolds(&self) -> bool {
        self.marks.unfolds()
    }

    /// Adds a problem. `name` is its name if the report has none. `printed` is the report with the play that is shown
    /// in print.
    pub fn add(&mut self, report: &Report, printed: &Report, name: &str) {
        self.count += 1;
        let printed = Printed {
            number: self.count,
            title: report.id.as_deref().unwrap_or(name),
            note: &self.note,
            is_sound: report.verdict.soundness == Soundness::Sound,
            short: words::verdict(report),
            verdict: report.error.clone().unwrap_or_else(|| words::page_verdict(report)),
            remarks: remarks(report),
            diagram: board(report).map(|board| Diagram {
                left: stipulation(report),
                right: svg::counts(&board),
                board,
            }),
            solution: text::solution(printed),
            grids: phases::grids(report),
            lists: phases::lists(report),
            stamp: report.stamp().map(|stamp| stamp.to_string()),
            report,
        };
        self.marks.list(&printed, &mut self.contents);
        self.marks.problem(&printed, &mut self.problems);
    }

    /// Sets what stands below the name of the problem that is added next.
    pub fn set_note(&mut self, note: &str) {
        note.clone_into(&mut self.note);
    }

    /// Counts the last diagram as a further phase of the problem before it, if it `is` one.
    pub(crate) fn continue_problem(&mut self, is: bool) {
        self.phases += usize::from(is);
    }

    /// Writes the whole document. `title` is its title, such as the name of the collection.
    pub fn write(&self, title: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let counted = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        let mut counts = counted(self.count - self.phases, "problem");
        if self.phases > 0 {
            let _ = write!(counts, ", {}", counted(self.count, "phase"));
        }
        let Booklet { contents, problems, count, .. } = self;
        self.marks.document(&Whole { title, counts, count: *count, contents, problems }, out)
    }
}

/// Returns the features of the keys, the men, those that must be promoted, and the warnings.
fn remarks(report: &Report) -> Vec<String> {
    let of_keys = report.keys.iter().map(|key| (&key.ply.san, words::features(&key.features, true)));
    let of_keys = of_keys.filter(|(_, text)| !text.is_empty()).map(|(san, text)| format!("{san} {text}"));
    let men = report.position.iter().map(|position| position.algebraic.to_string());
    of_keys.chain(men).chain(words::promoted_men(report)).chain(report.warnings.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::report::ReportFormat;
    use crate::output::sample::report;
    use crate::output::stream;

    #[test]
    fn the_phases_are_counted_as_the_page_shows_them() {
        for (format, counts, article) in [
            (ReportFormat::Html, "<p class=\"soft\">2 problems, 4 phases</p>", "<article"),
            (ReportFormat::Latex, "{2 problems, 4 phases}", "\n\\problem{"),
        ] {
            let mut booklet = format.booklet().unwrap();
            for is_further_phase in [false, true, true, false] {
                booklet.add(&report(), &report(), "my.olv:1");
                booklet.continue_problem(is_further_phase);
            }
            let page = stream::text(|out| booklet.write("my book", out));
            assert!(page.contains(counts) && page.matches(article).count() == 4, "{page}");
        }
    }

    #[test]
    fn a_booklet_contains_every_problem_and_loads_nothing() {
        let mut booklet = ReportFormat::Html.booklet().unwrap();
        booklet.add(&report(), &report(), "my.olv:1");
        let broken = Report { id: None, position: None, error: Some("no <king>".to_owned()), ..report() };
        booklet.add(&broken, &broken, "my.olv:9");
        let page = stream::text(|out| booklet.write("my <book>", out));
        assert!(page.contains("<title>my &lt;book&gt;</title>") && page.contains("2 problems"));
        assert_eq!((page.matches("<article").count(), page.matches("<li><a ").count()), (2, 2));
        assert!(page.contains("my.olv:9") && page.contains("no &lt;king&gt;"));
        assert!(page.contains("1. Rh6! zugzwang (sacrifice)\n  1... Ba2 2. Rxh7#"), "the printed solution");
        for word in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(word), "{word}");
        }
    }
}
