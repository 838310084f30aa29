//! Draws a diagram as an SVG picture, with White below and shapes of the men drawn for this project; and the boards of
//! HTML pages.
//!
//! The picture is self-contained: it has no scripts and no style sheet, and the men are shapes, not letters of a font,
//! because a reader's fonts may lack them. The shape of a role is defined once, on a square of 100 by 100 units with
//! its foot at y = 88, and used for every man. As in print, the stipulation stands below the board on the left and the
//! count of men, White's first, on the right. Twins stand below them, one on a line.

use std::fmt::Write as _;

use shakmaty::{Board, Color, File, Position as _, Rank, Role, Square};

use crate::base::printable;
use crate::problem::Problem;
use crate::problem::twins::PhaseName;

/// The shapes of the roles, pawn to king, a line each, on a square of 100 by 100 units. Outlines inherit fill and
/// stroke from the place where the shape is used; inner lines use `currentColor`.
const SHAPES: &str = include_str!("shapes.svg");
/// The side of a square, in units of the drawing.
const SQUARE: u32 = 100;
const LIGHT: &str = "#fdfaf2";
const DARK: &str = "#cdbd9c";
const INK: &str = "#1c1a17";
/// The colour of arrows and circles.
const SIGN: &str = "#15781b";
/// The height of the line of a twin.
const TWIN_LINE: u32 = 52;
const FONT: &str = "font-family=\"Georgia, 'DejaVu Serif', serif\"";

/// The texts around the board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caption {
    /// The text above the board: author, source, year.
    pub title: Option<String>,
    /// The text below the board on the left, such as `#3`.
    pub stipulation: Option<String>,
    /// Whether the count of men, such as `8+5`, stands below the board on the right.
    pub counts: bool,
    /// The twins, one for each line at the bottom, such as `b) wSc3-->g3`.
    pub twins: Vec<String>,
    /// Whether the letters of the files and the numbers of the ranks stand around the board.
    pub coordinates: bool,
    /// The arrows, each from one square to another.
    pub arrows: Vec<(Square, Square)>,
    /// The squares with a circle.
    pub marks: Vec<Square>,
}

impl Caption {
    /// Returns the name, the stipulation, the count of men and the twins of a problem.
    pub fn of(problem: &Problem) -> Caption {
        let stipulation = problem.question.stipulation;
        let mut below = stipulation.moves().map_or(String::new(), |_| stipulation.to_string());
        // In a diagram White moves first unless it says otherwise.
        let is_duplex = problem.phases.first().is_some_and(|phase| phase.name.attacker.is_some());
        if is_duplex {
            below.push_str(" Duplex");
        } else if stipulation.is_helped() {
            // The stipulation says who begins; only that Black mates is unusual.
            below.push_str(if problem.attacker().is_black() { " Black mates" } else { "" });
        } else if problem.chess.turn().is_black() {
            below.push_str(if below.is_empty() { "Black to move" } else { " Black to move" });
        }
        Caption {
            title: problem.id.clone(),
            stipulation: (!below.is_empty()).then_some(below),
            counts: true,
            twins: headings(problem),
            ..Caption::default()
        }
    }

    /// Returns the size of the letters of the title and its lines. A long title is broken between words and set in
    /// smaller letters, not cut; a letter is about half as wide as it is high.
    fn title_lines(&self) -> (u32, Vec<String>) {
        let title = self.title.as_deref().unwrap_or_default();
        let size = if title.chars().count() as u32 * 20 <= 8 * SQUARE { 40 } else { 32 };
        let most = (8 * SQUARE * 2 / size) as usize;
        let mut lines: Vec<String> = Vec::new();
        for word in title.split(' ').filter(|word| !word.is_empty()) {
            // A word that fills more than a line is broken, too.
            let letters: Vec<char> = word.chars().collect();
            for part in letters.chunks(most).map(|part| part.iter().collect::<String>()) {
                match lines.last_mut() {
                    Some(line) if line.chars().count() + 1 + part.chars().count() <= most => {
                        line.extend([" ", &part]);
                    }
                    _ => lines.push(part),
                }
            }
        }
        (size, lines)
    }
}

/// Returns the headings of the phases that change something. The two halves of a duplex have one heading.
fn headings(problem: &Problem) -> Vec<String> {
    let names = problem.phases.iter().map(|phase| PhaseName { attacker: None, ..phase.name.clone() });
    let mut lines: Vec<String> = names.filter(|name| !name.heading.is_empty()).map(|name| name.to_string()).collect();
    lines.dedup();
    lines
}

/// Returns the board of the diagram of a problem.
pub fn board_of(problem: &Problem) -> &Board {
    problem.phases.first().map_or_else(|| problem.chess.board(), |phase| &phase.diagram)
}

/// Draws the diagram. `width` is the default width in pixels; a viewer can scale the picture.
pub fn diagram(board: &Board, caption: &Caption, width: u32) -> String {
    let layout = Layout::of(caption);
    let (wide, high) = (layout.left + 8 * SQUARE + layout.right, layout.top + 8 * SQUARE + layout.bottom);
    let height = width * high / wide;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {wide} {high}\" \
         role=\"img\">\n<title>{}</title>\n<defs>\n",
        escape(&description(board))
    );
    write_shapes(&mut svg, |role| !board.by_role(role).is_empty());
    let _ = writeln!(svg, "</defs>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>");
    write_squares(&mut svg, layout);
    write_frame(&mut svg, layout);
    write_men(&mut svg, board, layout, true);
    write_signs(&mut svg, caption, layout);
    write_caption(&mut svg, board, caption, layout);
    svg.push_str("</svg>\n");
    svg
}

/// Returns a picture that shows nothing and defines the shapes of all six roles, for boards that use them. The
/// ids of the shapes are the letters of the men in lower case, such as `k`.
pub fn shapes() -> String {
    let mut svg =
        "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\">\n<defs>\n".to_owned();
    write_shapes(&mut svg, |_| true);
    svg.push_str("</defs>\n</svg>\n");
    svg
}

/// Draws a board whose men a script can move: it has groups with the ids `marks`, `white`, `black` and `arrow`.
pub(super) fn interactive(board: &Board) -> String {
    of_page(board, true)
}

/// Draws a board for a page that contains [`shapes`].
pub(super) fn still(board: &Board) -> String {
    of_page(board, false)
}

fn of_page(board: &Board, moves: bool) -> String {
    let named = if moves { "id" } else { "class" };
    let group = |id| if moves { format!("<g id=\"{id}\"></g>\n") } else { String::new() };
    let (side, label) = (8 * SQUARE, escape(&description(board)));
    let layout = Layout { left: 0, top: 0, right: 0, bottom: 0 };
    let mut svg =
        format!("<svg {named}=\"board\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{label}\">\n");
    write_squares(&mut svg, layout);
    svg.push_str(&group("marks"));
    write_men(&mut svg, board, layout, moves);
    svg + &group("arrow") + "</svg>\n"
}

/// The margins around the board, in units of the drawing.
#[derive(Debug, Clone, Copy)]
struct Layout {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Layout {
    fn of(caption: &Caption) -> Layout {
        let coordinates = if caption.coordinates { 46 } else { 0 };
        let (size, lines) = caption.title_lines();
        let title = if lines.is_empty() { 0 } else { 64 + (size + 8) * (lines.len() as u32 - 1) };
        let below = if caption.counts || caption.stipulation.is_some() { 64 } else { 0 };
        let twins = TWIN_LINE * u32::try_from(caption.twins.len()).unwrap_or_default();
        Layout { left: 16 + coordinates, top: 16 + title, right: 16, bottom: 16 + coordinates + below + twins }
    }

    /// Returns the x and y coordinates of the upper left corner of a square.
    fn corner(self, square: Square) -> (u32, u32) {
        (self.left + SQUARE * square.file() as u32, self.top + SQUARE * (7 - square.rank() as u32))
    }
}

fn write_shapes(svg: &mut String, wanted: impl Fn(Role) -> bool) {
    for (_, shape) in Role::ALL.into_iter().zip(SHAPES.lines()).filter(|&(role, _)| wanted(role)) {
        let _ = writeln!(svg, "{shape}");
    }
}

fn write_squares(svg: &mut String, layout: Layout) {
    let Layout { left, top, .. } = layout;
    let side = 8 * SQUARE;
    let _ = writeln!(svg, "<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" fill=\"{LIGHT}\"/>");
    let _ = write!(svg, "<path fill=\"{DARK}\" d=\"");
    for square in Square::ALL.into_iter().filter(|square| square.is_dark()) {
        let (x, y) = layout.corner(square);
        let _ = write!(svg, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    svg.push_str("\"/>\n");
}

fn write_frame(svg: &mut String, layout: Layout) {
    let (x, y, side) = (layout.left - 3, layout.top - 3, 8 * SQUARE + 6);
    let frame = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"");
    let _ = writeln!(svg, "{frame} fill=\"none\" stroke=\"{INK}\" stroke-width=\"6\"/>");
}

/// Draws the men, White's first. `named`: their groups have the ids `white` and `black`.
fn write_men(svg: &mut String, board: &Board, layout: Layout, named: bool) {
    let style = "stroke-width=\"4\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    for (name, color, fill, inside) in [("white", Color::White, "#fff", INK), ("black", Color::Black, INK, "#fff")] {
        let id = if named { format!("id=\"{name}\" ") } else { String::new() };
        let _ = writeln!(svg, "<g {id}fill=\"{fill}\" stroke=\"{INK}\" color=\"{inside}\" {style}>");
        for (square, piece) in board.clone().into_iter().filter(|(_, piece)| piece.color == color) {
            let (x, y) = layout.corner(square);
            let _ = writeln!(svg, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", piece.role.char());
        }
        svg.push_str("</g>\n");
    }
}

/// Draws circles around marked squares and arrows, as pages for chess do: the men stay visible below them.
fn write_signs(svg: &mut String, caption: &Caption, layout: Layout) {
    let centre = |square: Square| {
        let (x, y) = layout.corner(square);
        (f64::from(x + SQUARE / 2), f64::from(y + SQUARE / 2))
    };
    for (x, y) in caption.marks.iter().map(|&square| centre(square)) {
        let circle = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"46\" fill=\"none\" stroke=\"{SIGN}\"");
        let _ = writeln!(svg, "{circle} stroke-width=\"6\" opacity=\"0.8\"/>");
    }
    for &(from, to) in &caption.arrows {
        let ((x, y), (tip_x, tip_y)) = (centre(from), centre(to));
        let length = (tip_x - x).hypot(tip_y - y).max(1.0);
        // A shaft along the x axis with its head, turned and moved to its place.
        let (neck, angle) = (length - 52.0, (tip_y - y).atan2(tip_x - x).to_degrees());
        let shape = format!("M0 -9H{neck:.1}V-32L{length:.1} 0L{neck:.1} 32V9H0z");
        let _ = writeln!(
            svg,
            "<path d=\"{shape}\" transform=\"translate({x} {y}) rotate({angle:.2})\" fill=\"{SIGN}\" opacity=\"0.8\"/>"
        );
    }
}

fn write_caption(svg: &mut String, board: &Board, caption: &Caption, layout: Layout) {
    let (right, below) = (layout.left + 8 * SQUARE, layout.top + 8 * SQUARE);
    let mut text = |x: u32, y: u32, size: u32, anchor: &str, text: &str| {
        let attributes = format!("x=\"{x}\" y=\"{y}\" {FONT} font-size=\"{size}\" text-anchor=\"{anchor}\"");
        let _ = writeln!(svg, "<text {attributes} fill=\"{INK}\">{}</text>", escape(text));
    };
    if caption.coordinates {
        for file in File::ALL {
            text(layout.left + SQUARE * file as u32 + SQUARE / 2, below + 42, 34, "middle", &file.char().to_string());
        }
        for rank in Rank::ALL {
            text(34, layout.top + SQUARE * (7 - rank as u32) + 62, 34, "middle", &rank.char().to_string());
        }
    }
    let (size, lines) = caption.title_lines();
    for (line, y) in lines.iter().zip((0..).map(|index| 54 + (size + 8) * index)) {
        text(layout.left + 4 * SQUARE, y, size, "middle", line);
    }
    let twins = TWIN_LINE * caption.twins.len() as u32;
    let line = below + layout.bottom - twins - 24;
    for (twin, y) in caption.twins.iter().zip((1..).map(|index| line + TWIN_LINE * index)) {
        // Like a long title, a long twin is set in smaller letters.
        let size = (8 * SQUARE * 2 / (twin.chars().count() as u32).max(1)).clamp(16, 38);
        text(layout.left, y, size, "start", twin);
    }
    if let Some(stipulation) = &caption.stipulation {
        text(layout.left, line, 44, "start", stipulation);
    }
    if caption.counts {
        text(right, line, 44, "end", &counts(board));
    }
}

/// Returns the count of men, White's first, such as `8+5`.
pub(crate) fn counts(board: &Board) -> String {
    format!("{}+{}", board.by_color(Color::White).count(), board.by_color(Color::Black).count())
}

/// Returns the description for readers who cannot see the picture: the lists of men.
fn description(board: &Board) -> String {
    let men = |color| crate::problem::olv::list(board, color).join(" ");
    format!("White {}; Black {}", men(Color::White), men(Color::Black))
}

/// Escapes a text so that it can stand between tags and in quotes.
pub fn escape(text: &str) -> String {
    printable::markup(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn every_man_is_drawn_once_on_its_square() {
        let prinz = board("5Kbk/6pp/6P1/8/8/8/8/7R");
        let svg = diagram(&prinz, &Caption::default(), 400);
        assert_eq!(svg.matches("<use ").count(), 7);
        // The rook on h1: last file, lowest rank, in the group of the white men, which comes first.
        let rook = svg.find("<use href=\"#r\" x=\"716\" y=\"716\"/>").unwrap();
        let king = svg.find("<use href=\"#k\" x=\"716\" y=\"16\"/>").unwrap();
        assert!(rook < king, "{svg}");
        assert!(svg.contains("White Kf8 Rh1 Pg6; Black Kh8 Bg8 Pg7 Ph7"));
        assert!(!svg.contains("id=\"q\"") && !svg.contains("<text"));
    }

    #[test]
    fn captions_are_in_their_places_and_escaped() {
        let caption = Caption {
            title: Some("A <b> & \"C\"".to_owned()),
            stipulation: Some("#2".to_owned()),
            counts: true,
            coordinates: true,
            twins: vec!["b) wRh1-->g1".to_owned(), "+c) -bPh7".to_owned()],
            ..Caption::default()
        };
        let svg = diagram(&board("5Kbk/6pp/6P1/8/8/8/8/7R"), &caption, 400);
        assert!(svg.contains(">A &lt;b&gt; &amp; &quot;C&quot;</text>"));
        assert!(svg.contains("text-anchor=\"start\" fill=\"#1c1a17\">#2</text>"));
        assert!(svg.contains("text-anchor=\"end\" fill=\"#1c1a17\">3+4</text>"));
        assert_eq!(svg.matches("<text").count(), 16 + 3 + 2);
        assert!(svg.contains(">b) wRh1--&gt;g1</text>"));
        let place = |text: &str| svg[..svg.find(text).unwrap()].rsplit_once(" y=\"").unwrap().1[..4].to_owned();
        let heights =
            ["#2</text>", "b) wRh1", "+c) -bPh7"].map(|text| place(text).trim_end_matches('"').parse::<u32>());
        assert_eq!(heights, [Ok(982), Ok(1034), Ok(1086)]);
    }

    #[test]
    fn arrows_go_from_square_to_square_and_circles_surround_squares() {
        let caption = Caption { arrows: vec![(Square::H1, Square::H6)], marks: vec![Square::E4], ..Caption::default() };
        let svg = diagram(&Board::empty(), &caption, 400);
        // From the middle of h1 upwards, five squares long.
        assert!(svg.contains("L500.0 0L448.0 32V9H0z\" transform=\"translate(766 766) rotate(-90.00)\""), "{svg}");
        assert!(svg.contains("<circle cx=\"466\" cy=\"466\" r=\"46\""), "{svg}");
    }

    #[test]
    fn the_square_a1_is_dark() {
        let svg = diagram(&Board::empty(), &Caption::default(), 400);
        assert!(svg.contains("M16 716h100"), "{svg}");
        assert!(!svg.contains("M16 16h100"));
    }
}
