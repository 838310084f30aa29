//! Writes many reports as one HTML page: a booklet with a list of the problems.
//!
//! On a screen the page shows one problem at a time, with the board and the tree of a single report. In print (two
//! columns a page), and without scripts, it shows all problems with their diagrams and solutions. It loads nothing.

use std::fmt::Write as _;
use std::io;

use shakmaty::Board;

use crate::output::booklet::{Booklet, Marks, Printed, PrintedPhase};
use crate::output::report::phases;
use crate::output::stream::{self, JsonForm};
use crate::output::svg::{self, escape};
use crate::results::report::Soundness;

use super::{PROGRAM, PageData, head, write_board};

const STYLE: &str = include_str!("booklet.css");
const SCRIPT: &str = include_str!("booklet.js");

/// The marks of HTML.
#[derive(Debug)]
pub(in crate::output) struct Page;

impl Marks for Page {
    fn unfolds(&self) -> bool {
        true
    }

    fn list(&self, printed: &Printed<'_>, contents: &mut String) {
        let (number, title, short) = (printed.number, escape(printed.title), escape(&printed.short));
        let class = class(printed.is_sound);
        let _ =
            writeln!(contents, "<li><a href=\"#p{number}\">{title} <span class=\"{class}\">{short}</span></a></li>");
    }

    fn problem(&self, printed: &Printed<'_>, page: &mut String, solutions: &mut String) {
        let (number, title) = (printed.number, escape(printed.title));
        let _ = writeln!(page, "<article id=\"p{number}\">\n<header>\n<h2>{number}. {title}</h2>");
        if !printed.note.is_empty() {
            let _ = writeln!(page, "<p>{}</p>", escape(printed.note));
        }
        page.push_str("</header>\n");
        write_still(printed, page);
        for (index, phase) in printed.phases.iter().enumerate() {
            let heading = if phase.heading.is_empty() { String::new() } else { format!("{} ", phase.heading) };
            let verdict = escape(&format!("{heading}{}", phase.verdict));
            let class = class(phase.report.verdict.soundness == Soundness::Sound);
            let _ = writeln!(page, "<section>\n<p class=\"verdict {class}\">{verdict}</p>");
            for remark in &phase.remarks {
                let _ = writeln!(page, "<p class=\"soft\">{}</p>", escape(remark));
            }
            let _ = writeln!(page, "<div class=\"after\">\n{}</div>", phases::page(phase.report));
            write_data(printed, phase, page);
            page.push_str("</section>\n");
            if index == 0 {
                let _ = writeln!(solutions, "<h3>{number}. {title}</h3>");
            }
            let _ = writeln!(solutions, "<p>{verdict}</p>\n<pre>{}</pre>", escape(&phase.solution));
        }
        if let Some(stamp) = &printed.stamp {
            let _ = writeln!(page, "<p class=\"soft\">{}</p>", escape(stamp));
        }
        page.push_str("</article>\n");
    }

    fn document(&self, booklet: &Booklet, title: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let title = escape(title);
        out.write_all(head(&title, STYLE).as_bytes())?;
        write!(
            out,
            "<body class=\"booklet\">\n{}<nav id=\"contents\" aria-label=\"Problems\">\n<h1>{title}</h1>\n\
             <p class=\"soft\">{}</p>\n<ol>\n{}</ol>\n</nav>\n<main>\n{}<div id=\"viewer\" hidden>\n",
            svg::shapes(),
            booklet.counts(),
            booklet.contents,
            booklet.problems,
        )?;
        let mut viewer = String::new();
        write_board(&mut viewer, &Board::empty(), "", "");
        write!(
            out,
            "{viewer}<div id=\"solution\">\n<ul id=\"tree\" role=\"tree\" aria-label=\"Solution\"></ul>\n</div>\n\
             </div>\n<section id=\"solutions\">\n<h2>Solutions</h2>\n{}</section>\n\
             <footer class=\"soft\"><p>matesolve {}</p></footer>\n</main>\n\
             <script>\n{PROGRAM}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            booklet.solutions,
            env!("CARGO_PKG_VERSION"),
        )
    }
}

fn class(is_sound: bool) -> &'static str {
    if is_sound { "sound" } else { "unsound" }
}

/// Writes the diagram with the twins below it.
fn write_still(printed: &Printed<'_>, page: &mut String) {
    let Some(diagram) = &printed.diagram else { return };
    let mut twins = String::new();
    for twin in &diagram.twins {
        let _ = writeln!(twins, "<p>{}</p>", escape(twin));
    }
    let _ = writeln!(
        page,
        "<div class=\"still\">\n{}<p class=\"caption\"><span>{}</span><span>{}</span></p>\n{twins}</div>",
        svg::still(&diagram.board),
        escape(&diagram.left),
        diagram.right,
    );
}

/// Writes the data of a phase for the script.
fn write_data(printed: &Printed<'_>, phase: &PrintedPhase<'_>, page: &mut String) {
    let Some(diagram) = printed.diagram.as_ref().filter(|_| phase.report.position.is_some()) else { return };
    let data = PageData { report: phase.report, caption: Some((&diagram.left, &diagram.right)) };
    let content = stream::text(|out| stream::json(&data, JsonForm::InPage, out));
    let _ = writeln!(page, "<script type=\"application/json\">{content}</script>");
}
