//! Writes a report as an HTML page: the board, and the solution as a tree that the reader opens with mouse or keyboard.
//!
//! The page is one file that can be mailed or opened from a disk: it contains shapes, style and script, and its content
//! security policy forbids it to load anything. Play that several lines share is stored once in the page's data and
//! expanded where the reader opens it. The tree follows the ARIA pattern for tree views: arrow keys, Home, End, Enter
//! and Space. Without scripts the page shows the diagram and the solution as text.
//!
//! `html/page.css` is the style, `html/page.js` the script; `html/marks.js` marks a move on the board. The data that
//! this file passes to the script (of a root, only the fields that it needs):
//!
//! ```text
//! {"men": {"h1": "R", …}, "defenderBegins": false,
//!  "roots": [{"title", "pass", "play", "open", "refutations"}
//!            | {"p": ply, "mark", "note", "n": next, "open", "refutations": [ply]}],
//!  "plays": [{"zugzwang", "threats": [{"p", "n"}], "variations": [{"d": ply, "c": [{"p", "n"}]}], "unshown"}]}
//! roots of help play: {"title", "lines": [{"line": [ply], "note"}], "open"}; their plies have "m", the number before
//!       the move
//! in a booklet also: "stipulation" and "counts", the texts below the board
//! ply:  {"s": SAN, "f": from, "t": to, "e": square of a pawn captured en passant, "r": [rook's from, to],
//!        "q": letter of the promoted man}
//! next: the number of a play, −1 if the move reaches the goal, −2 for play that is left out
//! ```

use std::fmt::Write as _;
use std::io;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use shakmaty::{Board, Square};

use crate::chess::notation::castled;
use crate::results::SidedStipulation;
use crate::results::help::{HelpLine, HelpPhase};
use crate::results::report::rows::{Kind, Row};
use crate::results::report::{Next, PlayId, Ply, Report, Soundness, Tree};

use super::popeye;
use super::report::letters::Letters;
use super::report::{phases, words};
use super::stream::{self, JsonForm};
use super::svg::{self, escape};

mod booklet;

pub(super) use booklet::Page;

const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = concat!(include_str!("marks.js"), include_str!("page.js"));
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Writes a report as an HTML page.
pub(crate) fn write_page(report: &Report, letters: Letters, out: &mut dyn io::Write) -> io::Result<()> {
    let title = escape(report.id.as_deref().unwrap_or("Chess problem"));
    let mut page = head(&title, "");
    page.push_str("<body>\n<main>\n");
    write_header(&mut page, report, &title);
    if report.position.is_some() {
        page.push_str(&svg::shapes());
        let board = words::board(report).unwrap_or_default();
        write_board(&mut page, &board, &words::stipulation(report), &svg::counts(&board));
        out.write_all(std::mem::take(&mut page).as_bytes())?;
        write_solution(out, report, letters)?;
    }
    write_footer(&mut page, report);
    page.push_str("</main>\n");
    out.write_all(page.as_bytes())?;
    if report.position.is_some() {
        out.write_all(b"<script type=\"application/json\" id=\"report\">")?;
        stream::json(&PageData { report, caption: None }, JsonForm::InPage, out)?;
        write!(out, "</script>\n<script>\n{PROGRAM}</script>\n")?;
    }
    out.write_all(b"</body>\n</html>\n")
}

/// Returns the beginning of a page, up to the end of its head. The title is escaped.
fn head(title: &str, more_style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{more_style}</style>\n</head>\n"
    )
}

fn write_header(page: &mut String, report: &Report, title: &str) {
    let _ = writeln!(page, "<header>\n<h1>{title}</h1>");
    if let Some(error) = &report.error {
        let _ = writeln!(page, "<p class=\"verdict unsound\">{}</p>", escape(error));
    }
    if let Some(position) = &report.position {
        let class = if report.verdict.soundness == Soundness::Sound { "sound" } else { "unsound" };
        let _ = writeln!(page, "<p class=\"verdict {class}\">{}</p>", escape(&words::page_verdict(report)));
        for key in &report.keys {
            let text = words::features(&key.features, true);
            if !text.is_empty() {
                let _ = writeln!(page, "<p class=\"soft\">{} {}</p>", escape(&key.ply.san), escape(&text));
            }
        }
        let _ = writeln!(page, "<p class=\"soft\">{}</p>", position.algebraic);
        if let Some(promoted) = words::promoted_men(report) {
            let _ = writeln!(page, "<p class=\"soft\">{}</p>", escape(&promoted));
        }
    }
    page.push_str("</header>\n");
}

/// Writes the board that the script moves, with its buttons and the line of moves.
fn write_board(page: &mut String, board: &Board, stipulation: &str, counts: &str) {
    page.push_str("<div id=\"view\">\n");
    page.push_str(&svg::interactive(board));
    let _ = writeln!(
        page,
        "<div id=\"below\"><span>{}</span><span>{counts}</span></div>\n<div id=\"steps\">\
         <button id=\"first\" aria-label=\"To the diagram\">|◀</button>\
         <button id=\"back\" aria-label=\"One move back\">◀</button>\
         <button id=\"forward\" aria-label=\"One move forward\">▶</button>\
         <button id=\"last\" aria-label=\"To the end of the line\">▶|</button></div>\n\
         <div id=\"line\" aria-live=\"polite\"></div>\n</div>",
        escape(stipulation)
    );
}

fn write_solution(out: &mut dyn io::Write, report: &Report, letters: Letters) -> io::Result<()> {
    write!(
        out,
        "<div id=\"solution\">\n<ul id=\"tree\" role=\"tree\" aria-label=\"Solution\"></ul>\n\
         <noscript><pre>{}</pre></noscript>\n",
        escape(&popeye::full_in(report, letters))
    )?;
    if !report.duals.is_empty() {
        out.write_all(b"<h2>Duals</h2>\n<ul>\n")?;
        for dual in &report.duals {
            writeln!(out, "<li>{}</li>", escape(&words::dual_line(dual, report)))?;
        }
        out.write_all(b"</ul>\n")?;
    }
    out.write_all(phases::page(report).as_bytes())?;
    out.write_all(b"</div>\n")
}

fn write_footer(page: &mut String, report: &Report) {
    page.push_str("<footer class=\"soft\">\n");
    if let Some(position) = &report.position {
        let _ = writeln!(page, "<p><code>{}</code></p>", escape(&position.fen));
    }
    for warning in &report.warnings {
        let _ = writeln!(page, "<p>{}</p>", escape(warning));
    }
    if let Some(stamp) = report.stamp() {
        let nodes = super::text::grouped(report.stats.nodes);
        let _ = writeln!(page, "<p>{nodes} nodes</p>\n<p>{}</p>", escape(&stamp.to_string()));
    }
    page.push_str("</footer>\n");
}

/// The data for the script; the module documentation shows their form. Plays are written one by one.
struct PageData<'a> {
    report: &'a Report,
    /// The stipulation and the number of men, of a problem in a booklet.
    caption: Option<(&'a str, &'a str)>,
}

impl Serialize for PageData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PageData { report, caption } = *self;
        let men: Map<String, Value> = words::board(report)
            .into_iter()
            .flatten()
            .map(|(square, piece)| (square.to_string(), piece.char().to_string().into()))
            .collect();
        let mut data = serializer.serialize_map(None)?;
        data.serialize_entry("men", &men)?;
        data.serialize_entry("defenderBegins", &stands_after_the_key(report))?;
        data.serialize_entry("roots", &roots(report))?;
        data.serialize_entry("plays", &PagePlays(&report.tree))?;
        if let Some((stipulation, counts)) = caption {
            data.serialize_entry("stipulation", stipulation)?;
            data.serialize_entry("counts", counts)?;
        }
        data.end()
    }
}

struct PagePlays<'a>(&'a Tree);

impl Serialize for PagePlays<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0.plays().len() as u32).map(|id| play(&Row::before(self.0, PlayId(id)))))
    }
}

/// Returns whether the report has the play after the key, or its refutations.
fn stands_after_the_key(report: &Report) -> bool {
    report.post_key.is_some() || !report.post_key_refutations.is_empty()
}

/// Returns the roots of the tree: keys (the first is opened), then set play and tries.
fn roots(report: &Report) -> Vec<Value> {
    if let Some(help) = &report.help {
        return help.parts().map(|(heading, lines)| lines_of_help(heading, lines)).collect();
    }
    let mut rows = report.rows();
    rows.sort_by_key(|row| !matches!(row.kind, Kind::Key(_)));
    let stipulated = report.stipulation.as_ref().and_then(SidedStipulation::moves);
    let first_key = rows.first().and_then(|row| row.ply).map(|ply| ply.mv);
    let root = |row: &Row<'_>| {
        let refutations = || row.refutations.iter().map(ply).collect::<Vec<Value>>();
        let moved = row.ply.map(ply);
        let (mark, play) = (row.mark(), next(row.next));
        match row.kind {
            Kind::SetPlay(complete) => {
                let title = if complete { "Set play (complete block)" } else { "Set play" };
                json!({ "title": title, "pass": true, "play": play })
            }
            Kind::Key(key) => {
                let short = stipulated.is_some_and(|moves| key.mate_in < moves);
                let goal = report.goal();
                let what = if goal.is_mate() { "mates" } else { goal.noun() };
                let note = if short { format!("short solution: {what} in {}", key.mate_in) } else { String::new() };
                let is_open = first_key == Some(key.ply.mv);
                json!({ "p": moved, "mark": mark, "n": play, "note": note, "open": is_open })
            }
            Kind::Try(_) => json!({ "p": moved, "mark": mark, "n": play, "refutations": refutations() }),
            Kind::MustMate => json!({ "p": moved, "mark": mark, "n": play }),
            _ => json!({
                "title": "After the key", "pass": false, "play": play, "open": true, "refutations": refutations(),
            }),
        }
    };
    rows.iter().map(root).collect()
}

/// Returns a part of the solutions of help play. Each move has its number, which the short notation of the line shows.
fn lines_of_help(heading: &str, lines: &[HelpLine]) -> Value {
    let line = |line: &HelpLine| {
        let moves = line.words().zip(line.numbers()).zip(&line.plies).map(|((word, number), of_line)| {
            let mut moved = ply(of_line);
            moved["m"] = number.into();
            if word.ends_with('=') {
                moved["s"] = format!("{}=", of_line.san).into();
            }
            moved
        });
        let others = line.other_ends().map(|end| format!("or {end}"));
        let note: Vec<String> = others.chain(line.remarks().into_iter().map(str::to_owned)).collect();
        json!({ "line": moves.collect::<Vec<_>>(), "note": note.join(", ") })
    };
    let left_out = lines.iter().filter(|line| line.plies.is_empty()).count();
    let left_out = if left_out == 0 { String::new() } else { format!(" ({left_out} of {} are left out)", lines.len()) };
    let is_open = lines.first().is_some_and(|line| line.phase == HelpPhase::Actual);
    let lines: Vec<Value> = lines.iter().filter(|line| !line.plies.is_empty()).map(line).collect();
    json!({ "title": format!("{}{left_out}", words::capitalized(heading)), "lines": lines, "open": is_open })
}

/// Returns the play after a row.
fn play(above: &Row<'_>) -> Value {
    let (threats, variations): (Vec<Row<'_>>, _) =
        above.below().into_iter().partition(|row| matches!(row.kind, Kind::Threat));
    let attacks = |rows: Vec<Row<'_>>| -> Value {
        rows.iter().map(|row| json!({ "p": ended(row), "n": next(row.next) })).collect()
    };
    let variations: Vec<Value> =
        variations.iter().map(|row: &Row<'_>| json!({ "d": ended(row), "c": attacks(row.below()) })).collect();
    let unshown = above.play().map(|(_, play)| play.unshown);
    json!({
        "zugzwang": above.is_zugzwang(), "threats": attacks(threats), "variations": variations, "unshown": unshown,
    })
}

fn next(next: Option<Next>) -> i64 {
    match next {
        Some(Next::Cut) => -2,
        Some(Next::Play(id)) => i64::from(id.0),
        _ => -1,
    }
}

/// Returns a move of the play, with the sign `=` if it stalemates and that is the goal.
fn ended(row: &Row<'_>) -> Option<Value> {
    let mut value = ply(row.ply?);
    value["s"] = row.san().into();
    Some(value)
}

fn ply(ply: &Ply) -> Value {
    let m = ply.mv;
    let (from, castled) = (m.from().unwrap_or(m.to()), castled(m));
    let to = castled.map_or(m.to(), |[king, _]| king);
    let mut value = json!({ "s": ply.san, "f": from.to_string(), "t": to.to_string() });
    if let Some(role) = m.promotion() {
        let white = to.rank() == shakmaty::Rank::Eighth;
        value["q"] = if white { role.upper_char() } else { role.char() }.to_string().into();
    }
    if m.is_en_passant() {
        value["e"] = Square::from_coords(to.file(), from.rank()).to_string().into();
    }
    if let Some([_, rook]) = castled {
        value["r"] = json!([m.to().to_string(), rook.to_string()]);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::{self, report};

    fn page(report: &Report) -> String {
        stream::text(|out| write_page(report, Letters::En, out))
    }

    #[test]
    fn the_page_loads_nothing_and_escapes_its_texts() {
        let page = page(&report());
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert!(page.contains("<title>Prinz, &quot;Research&quot; &lt;1952&gt;</title>"));
        for word in ["http://", "https://", "src=", "@import", "url("] {
            let rest = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!rest.contains(word), "{word}");
        }
        assert!(page.contains("Sound · Rh6") && page.contains("3+4") && page.contains("offers a man"));
        let invalid = Report { position: None, error: Some("no <king>".to_owned()), ..report() };
        let page = self::page(&invalid);
        assert!(page.contains("no &lt;king&gt;") && !page.contains("<script"));
    }

    #[test]
    fn the_data_contain_every_line_of_the_report() {
        let report = report();
        let data = serde_json::to_value(PageData { report: &report, caption: None }).unwrap();
        assert_eq!(data["men"]["h1"], "R");
        let roots = data["roots"].as_array().unwrap();
        assert_eq!((roots.len(), &roots[1]["title"], &roots[0]["mark"]), (3, &json!("Set play"), &json!("!")));
        assert_eq!(roots[2]["refutations"][0]["s"], "hxg6");
        let key = &data["plays"][roots[0]["n"].as_u64().unwrap() as usize];
        assert_eq!(key["zugzwang"], true);
        assert_eq!(key["variations"][1]["c"][0], json!({ "p": { "s": "g7#", "f": "g6", "t": "g7" }, "n": -1 }));
    }

    #[test]
    fn special_moves_contain_every_change_on_the_board() {
        for (fen, uci, expected) in [
            ("4k3/8/8/8/8/8/8/R3K3 w Q -", "e1a1", json!({ "s": "O-O-O", "f": "e1", "t": "c1", "r": ["a1", "d1"] })),
            ("4k3/8/8/Pp6/8/8/8/4K3 w - b6", "a5b6", json!({ "s": "axb6", "f": "a5", "t": "b6", "e": "b5" })),
            ("4k3/8/8/8/8/8/p7/4K3 b - -", "a2a1n", json!({ "s": "a1=N", "f": "a2", "t": "a1", "q": "n" })),
        ] {
            assert_eq!(ply(&sample::ply(fen, uci)), expected, "{fen}");
        }
    }

    /// Uses the page in a browser, with the window sizes of a desktop and of a phone. The environment variable
    /// `CHROMIUM` may name the browser.
    #[test]
    #[ignore = "needs Chromium: apt-get install chromium, then cargo test --lib html -- --ignored"]
    fn a_reader_can_use_the_page() {
        let script = format!("<script>\n{}</script>\n</body>", include_str!("check.js"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        std::fs::write(&file, page(&report()).replace("</body>", &script)).unwrap();
        let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        for size in ["1280,900", "390,844"] {
            let output = std::process::Command::new(&browser)
                .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
                .arg(format!("--window-size={size}"))
                .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
                .arg(format!("file://{}", file.display()))
                .output()
                .expect("the browser starts");
            let page = String::from_utf8_lossy(&output.stdout);
            let outcome =
                page.split_once("data-outcome=\"").map_or("none", |(_, rest)| rest.split('"').next().unwrap());
            assert_eq!(outcome, "passed", "at {size}");
        }
    }
}
