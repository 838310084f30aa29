//! Writes a comparison as an HTML page.
//!
//! The page is one file without scripts. Its content security policy forbids it to load anything. It follows the
//! reader's choice of a light or dark style, and fits a phone.
//!
//! A plot can also be a picture of its own, for a page or a paper: solved positions against nodes, or mates by length
//! if no solved position has a number of nodes. Its colours are those of the page's light style, as plain values: many
//! programs that show SVG know no variables.

use std::fmt::Write as _;
use std::path::Path;

use crate::compare::axes::Unit;
use crate::compare::plots;
use crate::compare::table::{LengthRow, RunCounts};
use crate::compare::text::{costs, length, sentences};
use crate::compare::{Answers, Comparison, List};
use crate::output::svg::escape;

const STYLE: &str = concat!(include_str!("colours.css"), include_str!("plots.css"), include_str!("page.css"));
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Writes a comparison. Of each kind of difference at most `most` positions are listed.
pub(crate) fn page(comparison: &Comparison, most: usize) -> String {
    let names = [0, 1].map(|run| escape(&comparison.runs[run].name));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{} and {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Two runs compared</h1>\n\
         <p class=\"runs\"><b class=\"key a\">A</b> {}<br><b class=\"key b\">B</b> {}</p>\n",
        names[0], names[1], names[0], names[1]
    );
    write_sentences(&mut page, comparison);
    write_table(&mut page, comparison);
    write_plots(&mut page, comparison);
    for list in comparison.lists(most) {
        write_list(&mut page, &list, most);
    }
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(page, "<footer>matesolve {version}</footer>\n</main>\n</body>\n</html>");
    page
}

fn write_sentences(page: &mut String, comparison: &Comparison) {
    page.push_str("<ul>\n");
    for (sentence, is_bad) in sentences(comparison) {
        let class = if is_bad { " class=\"bad\"" } else { "" };
        let _ = writeln!(page, "<li{class}>{}</li>", escape(&sentence));
    }
    page.push_str("</ul>\n");
}

fn write_table(page: &mut String, comparison: &Comparison) {
    page.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th>length<th>lines<th><th>found<th>best<th>proved<th>no mate<th>time\
         <th>nodes</tr></thead>\n",
    );
    let rows = comparison.table.rows.iter().map(|(&n, row)| (length(n), row));
    for (name, row) in rows.chain([("all".to_owned(), &comparison.table.total)]) {
        let LengthRow { lines, runs: [a, b] } = row;
        let _ = writeln!(
            page,
            "<tbody><tr><th rowspan=\"2\">{name}<td rowspan=\"2\">{lines}{}</tr>\n<tr>{}</tr></tbody>",
            cells("a", a, b),
            cells("b", b, a)
        );
    }
    page.push_str(
        "</table></div>\n<p class=\"soft\">Length: the shortest mate known of a position, in moves. Best: mates \
         of this length. The greater number of the two runs is bold.</p>\n",
    );
}

/// Writes the cells of one run. Counts that are greater than those of the other run are marked.
fn cells(class: &str, counts: &RunCounts, other: &RunCounts) -> String {
    let [time, nodes] = costs(counts);
    let mut cells = format!("<td><b class=\"key {class}\">{}</b>", class.to_uppercase());
    for (count, other) in [
        (counts.found, other.found),
        (counts.best, other.best),
        (counts.proved, other.proved),
        (counts.none, other.none),
    ] {
        let class = if count > other { " class=\"more\"" } else { "" };
        let _ = write!(cells, "<td{class}>{count}");
    }
    let _ = write!(cells, "<td>{time}<td>{nodes}");
    cells
}

fn write_plots(page: &mut String, comparison: &Comparison) {
    if comparison.compared() == 0 {
        return;
    }
    let pictures = [
        ("Solved against time", plots::cactus(comparison, Unit::Milliseconds)),
        ("Solved against nodes", plots::cactus(comparison, Unit::Nodes)),
        ("Time of each position", plots::scatter(comparison, Unit::Milliseconds)),
        ("Nodes of each position", plots::scatter(comparison, Unit::Nodes)),
        ("Mates found by length", Some(plots::bars(comparison))),
    ];
    page.push_str("<div class=\"plots\">\n");
    for (title, picture) in pictures.into_iter().filter_map(|(title, picture)| Some((title, picture?))) {
        let _ = write!(
            page,
            "<figure><figcaption>{title} <span><b class=\"key a\">A</b> <b class=\"key b\">B</b></span></figcaption>\n\
             {picture}</figure>\n"
        );
    }
    page.push_str("</div>\n");
}

fn write_list(page: &mut String, List { heading, is_open, count, items }: &List, most: usize) {
    let open = if *is_open { " open" } else { "" };
    let _ = writeln!(page, "<details{open}><summary>{}: {count}</summary>\n<ul>", escape(heading));
    for (label, answers) in items {
        let answers = match answers {
            Answers::Both(answers) => {
                let [a, b] = answers.each_ref().map(|answer| escape(answer));
                format!("<b class=\"key a\">A</b> {a} <b class=\"key b\">B</b> {b}")
            }
            Answers::One(line, answer) => format!("line {line}, {}", escape(answer)),
        };
        let _ = writeln!(page, "<li><code>{}</code> <span>{answers}</span></li>", escape(label));
    }
    page.push_str("</ul>\n");
    if *count > most {
        let _ = writeln!(page, "<p class=\"soft\">… and {} more; --all lists them</p>", count - most);
    }
    page.push_str("</details>\n");
}

const COLOURS: &str = include_str!("colours.css");
const PLOTS: &str = include_str!("plots.css");

/// Draws the picture.
pub(crate) fn picture(comparison: &Comparison) -> String {
    let plot = plots::cactus(comparison, Unit::Nodes).unwrap_or_else(|| plots::bars(comparison));
    let (begin, drawing) = plot.split_once('\n').unwrap_or_default();
    let (width, height) = (plots::WIDTH, plots::HEIGHT);
    let alone = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" ");
    let begin = begin.replacen("<svg ", &alone, 1);
    let style = plain(&format!(
        "{PLOTS}.paper {{ fill: var(--card); }}\n.name.a {{ fill: var(--a); }}\n.name.b {{ fill: var(--b); }}\n"
    ));
    let mut svg =
        format!("{begin}\n<style>\n{style}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    let starts = [plots::LEFT, f64::midpoint(plots::LEFT, plots::RIGHT)];
    for ((run, class), x) in comparison.runs.iter().zip(["a", "b"]).zip(starts) {
        let name = Path::new(&run.name).file_stem().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            svg,
            "<text class=\"name {class}\" x=\"{x}\" y=\"15\">{} {}</text>",
            class.to_uppercase(),
            escape(&name)
        );
    }
    svg + drawing
}

/// Puts the colours of the light style into a style.
fn plain(style: &str) -> String {
    let light = COLOURS.split('}').next().unwrap_or_default();
    let colours = light.split(['{', ';']).filter_map(|rule| rule.trim().split_once(": "));
    colours
        .filter(|(name, _)| name.starts_with("--"))
        .fold(style.to_owned(), |style, (name, colour)| style.replace(&format!("var({name})"), colour))
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::super::{json, text};
    use super::*;
    use crate::base::printable::is_unsafe;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_name_of_the_input_can_forge_a_part_of_the_output(
            name in any::<String>(),
            more in "(<script>|</title>|\"'&|\n  y: A mate in 1|\u{1b}\\]0;x\u{7}|\u{9b}31m|\u{202e}|\u{2028}){0,3}",
        ) {
            let object = |id: &str, mate: u16| serde_json::json!({ "id": id, "fen": id, "mate": mate, "nodes": 7 });
            let line = |id: &str, mate: u16| object(id, mate).to_string();
            let comparison = |id: &str| {
                let mut comparison = of(&line(id, 2), &format!("{}\n{}", line(id, 3), line("other", 3)));
                comparison.runs[0].name = id.to_owned();
                comparison
            };
            let hostile = comparison(&format!("x{name}{more}"));
            let harmless = comparison("harmless");
            let written = page(&hostile, 20);
            let tags = |page: &str| page.matches('<').count();
            prop_assert_eq!(tags(&written), tags(&page(&harmless, 20)));
            prop_assert!(!written.contains(|c| c != '\n' && is_unsafe(c)));
            let lines = |text: &str| text.lines().count();
            let written = text(&hostile, 20);
            prop_assert_eq!(lines(&written), lines(&text(&harmless, 20)));
            prop_assert!(!written.contains(|c| c != '\n' && is_unsafe(c)));
            prop_assert_eq!(lines(&json(&hostile, 20)), lines(&json(&harmless, 20)));
        }
    }

    #[test]
    fn the_page_loads_nothing_and_has_all_pictures() {
        let run = |mate: u16| format!("{{\"id\":\"x\",\"mate\":{mate},\"nodes\":70,\"time_ms\":3}}");
        let page = page(&of(&run(2), &run(3)), 20);
        assert_eq!((page.matches("<svg").count(), page.matches("<script").count()), (5, 0));
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url("), "{page}");
    }

    #[test]
    fn every_colour_is_a_value() {
        let style = super::plain(super::PLOTS);
        assert!(style.contains("stroke: #1f5fa8") && !style.contains("var("), "{style}");
    }
}
