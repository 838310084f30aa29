//! Writes many reports as one HTML page: a booklet with a list of the problems at the side.
//!
//! On a screen the page shows one problem at a time, with the board and the tree of a single report. In print, and
//! without scripts, it shows all problems with their diagrams and solutions, two columns a page. Like a single report,
//! the page loads nothing.

use std::fmt::Write as _;
use std::io;

use shakmaty::Board;

use crate::output::report::{text, words};
use crate::output::stream::{self, JsonForm};
use crate::output::svg::{self, escape};
use crate::results::report::{Report, Soundness};

use super::{PROGRAM, PageData, board, head, stipulation, write_board};

const STYLE: &str = include_str!("booklet.css");
const SCRIPT: &str = include_str!("booklet.js");

/// A booklet to which problems are added one by one.
#[derive(Debug, Default)]
pub struct Booklet {
    /// The items of the list.
    contents: String,
    /// The problems.
    articles: String,
    /// The number of articles: one for each phase.
    count: usize,
    /// The number of articles that are further phases of a problem.
    phases: usize,
    /// What stands below the names of the phases that are added next: date and award.
    note: String,
}

impl Booklet {
    /// Adds a problem. `name` is its name if the report has none. `printed` is the report with the play that is shown
    /// in print.
    pub(crate) fn add(&mut self, report: &Report, printed: &Report, name: &str) {
        self.count += 1;
        let number = self.count;
        let title = escape(report.id.as_deref().unwrap_or(name));
        let class = match report.verdict.soundness {
            Soundness::Sound => "sound",
            _ => "unsound",
        };
        let short = escape(&words::verdict(report));
        let _ = writeln!(
            self.contents,
            "<li><a href=\"#p{number}\">{title} <span class=\"{class}\">{short}</span></a></li>"
        );
        let _ = writeln!(self.articles, "<article id=\"p{number}\">\n<header>\n<h2>{number}. {title}</h2>");
        if !self.note.is_empty() {
            let _ = writeln!(self.articles, "<p>{}</p>", escape(&self.note));
        }
        self.write_header(report, class);
        if let Some(board) = board(report) {
            self.write_still(report, printed, &board);
        }
        if let Some(stamp) = report.stamp() {
            let _ = writeln!(self.articles, "<p class=\"soft\">{}</p>", escape(&stamp.to_string()));
        }
        self.articles.push_str("</article>\n");
    }

    /// Sets what stands below the name of the problem that is added next.
    pub fn set_note(&mut self, note: &str) {
        note.clone_into(&mut self.note);
    }

    /// Counts the last diagram as a further phase of the problem before it, if it `is` one.
    pub(crate) fn continue_problem(&mut self, is: bool) {
        self.phases += usize::from(is);
    }

    fn write_header(&mut self, report: &Report, class: &str) {
        let page = &mut self.articles;
        let summary = report.error.clone().unwrap_or_else(|| words::page_verdict(report));
        let _ = writeln!(page, "<p class=\"verdict {class}\">{}</p>", escape(&summary));
        for key in &report.keys {
            let text = words::features(&key.features, true);
            if !text.is_empty() {
                let _ = writeln!(page, "<p class=\"soft\">{} {}</p>", escape(&key.ply.san), escape(&text));
            }
        }
        if let Some(position) = &report.position {
            let _ = writeln!(page, "<p class=\"soft\">{}</p>", position.algebraic);
        }
        for warning in &report.warnings {
            let _ = writeln!(page, "<p class=\"soft\">{}</p>", escape(warning));
        }
        page.push_str("</header>\n");
    }

    /// Writes the diagram and the solution that are printed, and the data for the script.
    fn write_still(&mut self, report: &Report, printed: &Report, board: &Board) {
        let (left, right) = (stipulation(report), svg::counts(board));
        let data = PageData { report, caption: Some((&left, &right)) };
        let content = stream::text(|out| stream::json(&data, JsonForm::InPage, out));
        let _ = writeln!(
            self.articles,
            "<div class=\"still\">\n{}<p class=\"caption\"><span>{}</span><span>{right}</span></p>\n\
             <pre>{}</pre>\n</div>\n<script type=\"application/json\">{content}</script>",
            svg::still(board),
            escape(&left),
            escape(&solution(printed)),
        );
    }

    /// Writes the whole page. `title` is its title, such as the name of the collection.
    pub(crate) fn write(&self, title: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let title = escape(title);
        let problems = self.count - self.phases;
        let counted = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        let mut counts = counted(problems, "problem");
        if self.phases > 0 {
            let _ = write!(counts, ", {}", counted(self.count, "phase"));
        }
        out.write_all(head(&title, STYLE).as_bytes())?;
        write!(
            out,
            "<body class=\"booklet\">\n{}<nav id=\"contents\" aria-label=\"Problems\">\n<h1>{title}</h1>\n\
             <p class=\"soft\">{counts}</p>\n<ol>\n{}</ol>\n</nav>\n<main>\n{}<div id=\"viewer\" hidden>\n",
            svg::shapes(),
            self.contents,
            self.articles,
        )?;
        let mut viewer = String::new();
        write_board(&mut viewer, &Board::empty(), "", "");
        write!(
            out,
            "{viewer}<div id=\"solution\">\n<ul id=\"tree\" role=\"tree\" aria-label=\"Solution\"></ul>\n</div>\n\
             </div>\n<footer class=\"soft\"><p>matesolve {}</p></footer>\n</main>\n\
             <script>\n{PROGRAM}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
        )
    }
}

/// Returns the solution as text, without the verdict and the men before it and the node count after it.
fn solution(report: &Report) -> String {
    let text = anstream::adapter::strip_str(&text::full(report)).to_string();
    let body = text.split_once("\n\n").map_or("", |(_, body)| body);
    body.rsplit_once("\n\n").map_or("", |(body, _)| body).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::report;

    #[test]
    fn the_phases_are_counted_as_the_page_shows_them() {
        let mut booklet = Booklet::default();
        for is_further_phase in [false, true, true, false] {
            booklet.add(&report(), &report(), "my.olv:1");
            booklet.continue_problem(is_further_phase);
        }
        let page = stream::text(|out| booklet.write("my book", out));
        assert!(page.contains("<p class=\"soft\">2 problems, 4 phases</p>") && page.matches("<article").count() == 4);
    }

    #[test]
    fn a_booklet_contains_every_problem_and_loads_nothing() {
        let mut booklet = Booklet::default();
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
