//! Writes a plot of a comparison as a picture of its own, for a page or a paper: solved positions against nodes, or
//! mates by length if no numbers of nodes are known.
//!
//! The colours are those of the page's light style, as plain values: many programs that show SVG know no variables.

use std::fmt::Write as _;
use std::path::Path;

use crate::output::svg::escape;

use super::axis::Unit;
use super::{Comparison, plots};

const COLOURS: &str = include_str!("colours.css");
const STYLE: &str = include_str!("plots.css");

/// Draws the picture.
pub(crate) fn picture(comparison: &Comparison) -> String {
    let plot = plots::cactus(comparison, Unit::Nodes).unwrap_or_else(|| plots::bars(comparison));
    let (begin, drawing) = plot.split_once('\n').unwrap_or_default();
    let (width, height) = (plots::WIDTH, plots::HEIGHT);
    let alone = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" ");
    let begin = begin.replacen("<svg ", &alone, 1);
    let style = plain(&format!(
        "{STYLE}.paper {{ fill: var(--card); }}\n.name.a {{ fill: var(--a); }}\n.name.b {{ fill: var(--b); }}\n"
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
    #[test]
    fn every_colour_is_a_value() {
        let style = super::plain(super::STYLE);
        assert!(style.contains("stroke: #1f5fa8") && !style.contains("var("), "{style}");
    }
}
