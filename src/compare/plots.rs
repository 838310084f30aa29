//! The pictures of a comparison, as SVG inside a page: solved positions against the cost, mates by length, and the cost
//! in one run against that in the other.
//!
//! Pictures take their colours from the page's style. However many positions there are, the number of shapes is
//! bounded: curves are thinned, bars are grouped, and points that fall on the same place are drawn once. `axes` has the
//! axes of a plot.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::compare::axes::{Axis, Unit};
use crate::compare::judge::words;
use crate::compare::{Comparison, Record, label};
use crate::output::svg::escape;

/// The size of a picture.
pub(super) const WIDTH: f64 = 520.0;
pub(super) const HEIGHT: f64 = 380.0;
/// The frame of the drawing inside the picture.
pub(super) const LEFT: f64 = 74.0;
pub(super) const RIGHT: f64 = 498.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 326.0;

/// The largest number of steps of a curve.
const STEPS: usize = 400;
/// The largest number of groups of bars.
const GROUPS: u16 = 24;
/// The side of the cells in which points are drawn once.
const CELL: f64 = 2.5;
/// The names of the points are shown up to this number of cells.
const NAMED_CELLS: usize = 3000;
/// The width of the border for positions that one run did not solve.
const BORDER: f64 = 22.0;

/// Returns the cost of a solved position in a unit; `None` if it is not solved, or its cost is not known. The cost of a
/// mate is that at which it was found, if the run says so: what refutes shorter mates comes later.
fn cost(record: &Record, unit: Unit) -> Option<f64> {
    let cost = match unit {
        Unit::Milliseconds => record.found_at.map(|(_, ms)| ms).or(record.time_ms),
        _ => record.found_at.map(|(nodes, _)| nodes).or(record.nodes).map(|nodes| nodes as f64),
    };
    cost.filter(|_| record.claims.is_solved())
}

fn of_unit(unit: Unit) -> &'static str {
    if unit == Unit::Milliseconds { "time" } else { "nodes" }
}

/// Begins a picture. The description is for screen readers.
fn begin(description: &str) -> String {
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
        escape(description)
    )
}

/// Draws the frame with the marks and titles of both axes.
fn write_axes(svg: &mut String, (x, x_title): (&Axis, &str), (y, y_title): (&Axis, &str)) {
    write_marks(svg, x);
    write_upright_axis(svg, (y, y_title), x_title);
}

/// Draws the frame with the marks of the upright axis, and the titles of both.
fn write_upright_axis(svg: &mut String, (y, y_title): (&Axis, &str), x_title: &str) {
    for (place, label) in y.marks() {
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{LEFT} {place:.1}H{RIGHT}\"/>");
        let _ =
            writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", LEFT - 6.0, place + 4.0);
    }
    let middle = f64::midpoint(TOP, BOTTOM);
    let _ =
        writeln!(svg, "<text transform=\"translate(13 {middle}) rotate(-90)\" text-anchor=\"middle\">{y_title}</text>");
    let (middle, below) = (f64::midpoint(LEFT, RIGHT), BOTTOM + 40.0);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{x_title}</text>");
    let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
    let _ = writeln!(svg, "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>");
}

fn write_marks(svg: &mut String, x: &Axis) {
    for (place, label) in x.marks() {
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{place:.1} {TOP}V{BOTTOM}\"/>");
        // A long label at the right end would not fit beyond the frame.
        let (place, anchor) = if place > RIGHT - 10.0 { (RIGHT + 16.0, "end") } else { (place, "middle") };
        let below = BOTTOM + 18.0;
        let _ = writeln!(svg, "<text x=\"{place:.1}\" y=\"{below}\" text-anchor=\"{anchor}\">{label}</text>");
    }
}

/// Draws the number of solved positions against the cost of each ("cactus plot"). `None` if no cost is known.
pub(super) fn cactus(comparison: &Comparison, unit: Unit) -> Option<String> {
    let mut costs = [Vec::new(), Vec::new()];
    for (a, b) in comparison.pairs() {
        costs[0].extend(cost(a, unit));
        costs[1].extend(cost(b, unit));
    }
    if costs.iter().all(Vec::is_empty) {
        return None;
    }
    for costs in &mut costs {
        costs.sort_unstable_by(f64::total_cmp);
    }
    let x = Axis::logarithmic(costs.iter().flatten().copied(), unit, [LEFT, RIGHT]);
    let y = Axis::counting(costs.iter().map(Vec::len).max().unwrap_or_default(), [BOTTOM, TOP]);
    let word = of_unit(unit);
    let mut svg = begin(&format!("Number of solved positions against the {word} of each position, for A and B"));
    write_axes(&mut svg, (&x, &format!("{word} for one position")), (&y, "positions solved"));
    for (class, costs) in ["a", "b"].into_iter().zip(&costs).filter(|(_, costs)| !costs.is_empty()) {
        let mut path = format!("M{LEFT} {BOTTOM}");
        let every = costs.len().div_ceil(STEPS);
        for solved in (1..=costs.len()).filter(|solved| solved % every == 0 || *solved == costs.len()) {
            let _ = write!(path, "H{:.1}V{:.1}", x.place(costs[solved - 1]), y.place(solved as f64));
        }
        let _ = writeln!(svg, "<path class=\"curve {class}\" d=\"{path}H{RIGHT}\"/>");
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

/// Draws the number of mates by length as bars, before the number of all positions.
pub(super) fn bars(comparison: &Comparison) -> String {
    let longest = comparison.table.rows.keys().flatten().copied().max().unwrap_or(1).max(1);
    let width = [1, 2, 5, 10, 20, 50, 100, 1000, 10_000].into_iter().find(|width| longest.div_ceil(*width) <= GROUPS);
    let width = width.unwrap_or(u16::MAX);
    // Of each group: all positions, and the mates of A and B.
    let mut groups: BTreeMap<u16, [usize; 3]> = BTreeMap::new();
    for (length, row) in &comparison.table.rows {
        let Some(length) = length else { continue };
        let group = groups.entry(length.saturating_sub(1) / width).or_default();
        let found = row.runs.map(|counts| counts.found);
        for (sum, count) in group.iter_mut().zip([row.lines, found[0], found[1]]) {
            *sum += count;
        }
    }
    let most = groups.values().map(|group| group[0]).max().unwrap_or_default();
    let y = Axis::counting(most, [BOTTOM, TOP]);
    let mut svg = begin("Number of mates found by A and B, by length");
    write_upright_axis(&mut svg, (&y, "mates found"), "length of the mate in moves");
    let space = (RIGHT - LEFT) / groups.len().max(1) as f64;
    let bar = (space * 0.36).min(34.0);
    let every = if width == 1 { groups.len().div_ceil(14) } else { groups.len().div_ceil(7) }.max(1);
    for (index, (&group, counts)) in groups.iter().enumerate() {
        let middle = LEFT + (index as f64 + 0.5) * space;
        let (first, last) = (group * width + 1, (group + 1).saturating_mul(width));
        let name = if width == 1 { first.to_string() } else { format!("{first}–{last}") };
        let rectangles = [("all", middle - bar, 2.0 * bar), ("a", middle - bar, bar), ("b", middle, bar)];
        let _ = write!(svg, "<g><title>{name}: {} positions, A {}, B {}</title>", counts[0], counts[1], counts[2]);
        for ((class, left, wide), count) in rectangles.into_iter().zip(counts) {
            let top = y.place(*count as f64);
            let high = BOTTOM - top;
            let _ = write!(
                svg,
                "<rect class=\"bar {class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\"/>"
            );
        }
        svg.push_str("</g>\n");
        if index % every == 0 {
            let below = BOTTOM + 18.0;
            let _ = writeln!(svg, "<text x=\"{middle:.1}\" y=\"{below}\" text-anchor=\"middle\">{name}</text>");
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// A place of the scatter plot.
struct Cell<'a> {
    class: &'static str,
    count: usize,
    /// The first position at this place.
    first: (&'a Record, &'a Record),
}

/// Draws the cost in A against that in B, a point for each position. Positions that only one run has solved stand in a
/// border. `None` if no cost is known.
pub(super) fn scatter(comparison: &Comparison, unit: Unit) -> Option<String> {
    let (right, top) = (RIGHT - BORDER, TOP + BORDER);
    let all = || comparison.pairs().flat_map(|(a, b)| [cost(a, unit), cost(b, unit)]).flatten();
    all().next()?;
    let x = Axis::logarithmic(all(), unit, [LEFT, right]);
    let y = x.at([BOTTOM, top]);
    let mut cells: BTreeMap<(i32, i32), Cell<'_>> = BTreeMap::new();
    for (a, b) in comparison.pairs() {
        let costs = (cost(a, unit), cost(b, unit));
        let outside = |record: &Record, place: f64| (!record.claims.is_solved()).then_some(place);
        let (class, at_x, at_y) = match costs {
            (Some(of_a), Some(of_b)) => ("both", Some(x.place(of_a)), Some(y.place(of_b))),
            (Some(of_a), None) => ("a", Some(x.place(of_a)), outside(b, TOP + BORDER / 2.0)),
            (None, Some(of_b)) => ("b", outside(a, RIGHT - BORDER / 2.0), Some(y.place(of_b))),
            (None, None) => continue,
        };
        let (Some(at_x), Some(at_y)) = (at_x, at_y) else { continue };
        let place = ((at_x / CELL).round() as i32, (at_y / CELL).round() as i32);
        cells.entry(place).or_insert(Cell { class, count: 0, first: (a, b) }).count += 1;
    }
    let word = of_unit(unit);
    let mut svg = begin(&format!("The {word} of A against the {word} of B, a point for each position"));
    write_axes(&mut svg, (&x, &format!("{word} of A")), (&y, &format!("{word} of B")));
    let _ = writeln!(
        svg,
        "<path class=\"diagonal\" d=\"M{LEFT} {BOTTOM}L{right} {top}\"/>\n\
         <path class=\"frame\" d=\"M{LEFT} {top}H{RIGHT}M{right} {TOP}V{BOTTOM}\"/>\n\
         <text class=\"small\" x=\"{LEFT}\" y=\"{:.1}\">not solved by B</text>\n\
         <text class=\"small\" transform=\"translate({:.1} {BOTTOM}) rotate(90)\" text-anchor=\"end\">not solved by A\
         </text>",
        TOP - 6.0,
        RIGHT + 6.0
    );
    let with_names = cells.len() <= NAMED_CELLS;
    for ((column, row), cell) in &cells {
        let (at_x, at_y) = (f64::from(*column) * CELL, f64::from(*row) * CELL);
        let radius = 3.0 + (cell.count as f64).log10();
        let name = if with_names { point_name(cell) } else { String::new() };
        let _ = writeln!(
            svg,
            "<circle class=\"point {}\" cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"{radius:.1}\">{name}</circle>",
            cell.class
        );
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

/// Returns the title of a point: its position and both answers.
fn point_name(cell: &Cell<'_>) -> String {
    let (a, b) = cell.first;
    let more = if cell.count > 1 { format!(" (and {} more)", cell.count - 1) } else { String::new() };
    let text = format!("{}: A {}, B {}{more}", label(a, b), words(&a.claims), words(&b.claims));
    format!("<title>{}</title>", escape(&text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;

    #[test]
    fn a_plot_without_costs_is_left_out() {
        let comparison = of("{\"id\":1,\"mate\":2}", "{\"id\":1,\"mate\":2,\"nodes\":5}");
        assert!(
            cactus(&comparison, Unit::Milliseconds).is_none() && scatter(&comparison, Unit::Milliseconds).is_none()
        );
        assert!(cactus(&comparison, Unit::Nodes).unwrap().contains("curve b"));
        // A has solved the position at an unknown cost, so it has no place.
        assert!(!scatter(&comparison, Unit::Nodes).unwrap().contains("<circle"));
    }

    #[test]
    fn positions_that_only_one_run_has_solved_stand_in_the_border() {
        let a = "{\"id\":1,\"mate\":2,\"nodes\":10}\n{\"id\":2,\"nodes\":999}\n{\"id\":3,\"mate\":2,\"nodes\":10}";
        let b = "{\"id\":1,\"nodes\":500}\n{\"id\":2,\"mate\":3,\"nodes\":7}\n{\"id\":3,\"mate\":2,\"nodes\":10}";
        let svg = scatter(&of(a, b), Unit::Nodes).unwrap();
        let points: Vec<&str> = svg.lines().filter(|line| line.starts_with("<circle")).collect();
        assert_eq!(points.len(), 3, "{svg}");
        assert!(points.iter().any(|point| point.contains("point a\"") && point.contains("cy=\"32.5\"")), "{svg}");
        assert!(points.iter().any(|point| point.contains("point b\"") && point.contains("cx=\"487.5\"")), "{svg}");
    }

    #[test]
    fn a_mate_costs_what_it_took_to_find_it() {
        let line = |stats: &str| format!("{{\"id\":1,\"result\":{{\"mate_in\":2}},\"stats\":{{{stats}}}}}");
        let found = line("\"nodes\":900,\"time_ms\":90,\"found_at\":{\"nodes\":40,\"time_ms\":4}");
        let comparison = of(&found, &line("\"nodes\":40,\"time_ms\":4"));
        let record = comparison.pairs().next().unwrap().0;
        assert_eq!([Unit::Nodes, Unit::Milliseconds].map(|unit| cost(record, unit)), [Some(40.0), Some(4.0)]);
        assert_eq!((record.nodes, record.time_ms), (Some(900), Some(90.0)));
    }

    #[test]
    fn the_size_of_a_picture_is_bounded() {
        let run = |factor: u64| -> String {
            let line = |id: u64| {
                let nodes = id.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 1_000_000_007 * factor;
                format!("{{\"id\":{id},\"mate\":{},\"nodes\":{nodes}}}\n", id % 700 + 1)
            };
            (0..20_000).map(line).collect()
        };
        let comparison = of(&run(1), &run(3));
        assert!(cactus(&comparison, Unit::Nodes).unwrap().len() < 30_000);
        assert!(scatter(&comparison, Unit::Nodes).unwrap().len() < 1_500_000);
        let bars = bars(&comparison);
        assert!(bars.matches("<g>").count() == 14 && bars.contains("1–50"), "{bars}");
    }

    fn labels(axis: &Axis) -> Vec<String> {
        axis.marks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn logarithmic_axes_go_from_power_to_power() {
        let axis = Axis::logarithmic([0.0, 52.0, 81_234.0].into_iter(), Unit::Nodes, [0.0, 100.0]);
        assert_eq!(labels(&axis), ["1", "10", "100", "1k", "10k", "100k"]);
        assert_eq!((axis.place(0.0), axis.place(100.0), axis.place(1e9)), (0.0, 40.0, 100.0));
        let axis = Axis::logarithmic([300.0, 5e5].into_iter(), Unit::Milliseconds, [0.0, 100.0]);
        assert_eq!(labels(&axis), ["100 ms", "1 s", "10 s", "100 s", "1,000 s"]);
        let none = Axis::logarithmic(std::iter::empty(), Unit::Nodes, [0.0, 1.0]);
        assert_eq!(labels(&none), ["1", "10"]);
        let long = Axis::logarithmic([1.0, 1e11].into_iter(), Unit::Nodes, [0.0, 1.0]);
        assert_eq!(labels(&long), ["1", "100", "10k", "1M", "100M", "10G"]);
    }

    #[test]
    fn counting_axes_have_round_marks() {
        for (most, expected) in [
            (0, vec!["0", "1"]),
            (3, vec!["0", "1", "2", "3"]),
            (23, vec!["0", "5", "10", "15", "20", "25"]),
            (6500, vec!["0", "2,000", "4,000", "6,000", "8,000"]),
        ] {
            let axis = Axis::counting(most, [300.0, 0.0]);
            assert_eq!(labels(&axis), expected, "{most}");
            assert!(axis.place(most as f64) >= 0.0 && (axis.place(0.0) - 300.0).abs() < 1e-9);
        }
    }
}
