//! Collects many reports in one document: a booklet. The parts of a problem are made here, alike for every format;
//! `Marks` writes them in one format.

use std::io;

use shakmaty::Board;

use crate::problem::twins::PhaseName;
use crate::results::report::{Report, Soundness};

use super::report::phases::{self, Grid, List};
use super::report::{text, words};
use super::svg;

/// The most lines of the solution of a problem that is not sound.
const UNSOUND_LINES: usize = 12;

/// The marks of a format.
pub(super) trait Marks: Sync + std::fmt::Debug {
    /// Returns whether the reader unfolds the play himself, so that none of it need be left out.
    fn unfolds(&self) -> bool;

    /// Adds a line to the list of the problems.
    fn list(&self, printed: &Printed<'_>, contents: &mut String);

    /// Adds a problem with its diagram, and its solution.
    fn problem(&self, printed: &Printed<'_>, problems: &mut String, solutions: &mut String);

    /// Writes the whole document. `title` is its title, such as the name of the collection.
    fn document(&self, booklet: &Booklet, title: &str, out: &mut dyn io::Write) -> io::Result<()>;
}

/// The parts of a problem, as plain text without marks. A problem with twins, a duplex or a zero position is one
/// problem with several phases.
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
    /// The diagram, if the problem can be read.
    pub diagram: Option<Diagram>,
    /// The phases in their order, at least one.
    pub phases: Vec<PrintedPhase<'a>>,
    /// The stamp, if the report has one.
    pub stamp: Option<String>,
}

/// A phase of a problem.
#[derive(Debug)]
pub(super) struct PrintedPhase<'a> {
    /// Its heading, such as `b) ♗a1→b2`; empty if the problem has only one phase.
    pub heading: String,
    /// The verdict with the keys, or why the phase cannot be read.
    pub verdict: String,
    /// The features of the keys, the men that must be promoted, the warnings.
    pub remarks: Vec<String>,
    /// The solution, a line for each move that has one.
    pub solution: String,
    /// The table of the phases of play.
    pub grids: Vec<Grid>,
    /// Why the tries fail, and the themes.
    pub lists: Vec<List>,
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
    /// The twins, such as `b) ♗a1→b2`, a line each.
    pub twins: Vec<String>,
}

/// A booklet to which problems are added one by one.
#[derive(Debug)]
pub struct Booklet {
    marks: &'static dyn Marks,
    /// The lines of the list.
    pub(super) contents: String,
    /// The problems, with their diagrams.
    pub(super) problems: String,
    /// The solutions that stand behind all problems.
    pub(super) solutions: String,
    /// The number of problems.
    pub(super) count: usize,
    /// What stands below the name of the problem that is added next: date and award.
    note: String,
}

impl Booklet {
    /// Returns an empty booklet with these marks.
    pub(super) fn new(marks: &'static dyn Marks) -> Booklet {
        let [contents, problems, solutions, note] = [const { String::new() }; 4];
        Booklet { marks, contents, problems, solutions, count: 0, note }
    }

    /// Returns whether its reader unfolds the play himself.
    pub(super) fn unfolds(&self) -> bool {
        self.marks.unfolds()
    }

    /// Adds a problem. `name` is its name if the report has none. `printed` is the report with the play that is shown
    /// in print. Both have the same phases.
    pub fn add(&mut self, report: &Report, printed: &Report, name: &str) {
        self.count += 1;
        let whole = [std::slice::from_ref(report), std::slice::from_ref(printed)];
        let [shown, printed] = if report.phases.is_empty() { whole } else { [&report.phases[..], &printed.phases[..]] };
        let phases: Vec<PrintedPhase<'_>> =
            shown.iter().zip(printed).map(|(shown, printed)| phase(shown, printed)).collect();
        let first = shown.iter().find(|phase| phase.position.is_some());
        let board = report.twin_diagram.clone().or_else(|| words::board(first?));
        let mut twins: Vec<String> = report.phases.iter().filter_map(twin).collect();
        twins.dedup();
        let is_duplex = shown.len() > 1 && shown[1].phase.as_ref().is_some_and(|name| name.attacker.is_some());
        let duplex = if is_duplex { " Duplex" } else { "" };
        let left = |phase: &Report| words::stipulation(phase) + duplex;
        let printed = Printed {
            number: self.count,
            title: report.id.as_deref().unwrap_or(name),
            note: &self.note,
            is_sound: report.verdict.soundness == Soundness::Sound,
            short: words::verdict(report),
            diagram: board.zip(first).map(|(board, first)| Diagram {
                left: left(first),
                right: svg::counts(&board),
                twins,
                board,
            }),
            phases,
            stamp: report.stamp().map(|stamp| stamp.to_string()),
        };
        self.marks.list(&printed, &mut self.contents);
        self.marks.problem(&printed, &mut self.problems, &mut self.solutions);
    }

    /// Sets what stands below the name of the problem that is added next.
    pub fn set_note(&mut self, note: &str) {
        note.clone_into(&mut self.note);
    }

    /// Returns the number of problems, in words.
    pub(super) fn counts(&self) -> String {
        format!("{} problem{}", self.count, if self.count == 1 { "" } else { "s" })
    }

    /// Writes the whole document. `title` is its title, such as the name of the collection.
    pub fn write(&self, title: &str, out: &mut dyn io::Write) -> io::Result<()> {
        self.marks.document(self, title, out)
    }
}

/// Returns the parts of a phase.
fn phase<'a>(report: &'a Report, printed: &Report) -> PrintedPhase<'a> {
    let mut solution = text::solution(printed);
    let is_sound = matches!(report.verdict.soundness, Soundness::Sound | Soundness::Undecided);
    let end = solution.match_indices('\n').nth(UNSOUND_LINES).map(|(end, _)| end);
    if let Some(end) = end.filter(|_| !is_sound) {
        solution.replace_range(end.., "\n…");
    }
    PrintedPhase {
        heading: report.phase.as_ref().map_or_else(String::new, ToString::to_string),
        verdict: report.error.clone().unwrap_or_else(|| words::page_verdict(report)),
        remarks: remarks(report),
        solution,
        grids: phases::grids(report),
        lists: phases::lists(report),
        report,
    }
}

/// Returns the line below the diagram for a phase that changes something. The two halves of a duplex have one.
fn twin(phase: &Report) -> Option<String> {
    let name = phase.phase.as_ref().filter(|name| !name.heading.is_empty())?;
    Some(PhaseName { attacker: None, ..name.clone() }.to_string())
}

/// Returns the features of the keys, the men that must be promoted, and the warnings.
fn remarks(report: &Report) -> Vec<String> {
    let of_keys = report.keys.iter().map(|key| (&key.ply.san, words::features(&key.features, true)));
    let of_keys = of_keys.filter(|(_, text)| !text.is_empty()).map(|(san, text)| format!("{san} {text}"));
    of_keys.chain(words::promoted_men(report)).chain(report.warnings.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::report::ReportFormat;
    use crate::output::sample::report;
    use crate::output::stream;

    #[test]
    fn twins_are_one_problem_with_one_diagram() {
        let phase = |letter: &str, heading: &str| {
            let (letter, heading) = (letter.to_owned(), heading.to_owned());
            Report { phase: Some(PhaseName { letter, heading, ..PhaseName::default() }), ..report() }
        };
        let whole = Report { phases: vec![phase("a", ""), phase("b", "wRh1-->g1")], ..report() };
        for (format, number, diagram) in
            [(ReportFormat::Html, "<h2>1. ", "class=\"board\""), (ReportFormat::Latex, "\n\\problem{", "\n\\board{")]
        {
            let mut booklet = format.booklet().unwrap();
            booklet.add(&whole, &whole, "my.olv:1");
            let page = stream::text(|out| booklet.write("my book", out));
            assert_eq!((page.matches(number).count(), page.matches(diagram).count()), (1, 1), "{page}");
            assert!(page.matches("b) wRh1").count() >= 2 && page.matches("Sound · Rh6").count() >= 2, "{page}");
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
