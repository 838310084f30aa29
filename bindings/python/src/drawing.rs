//! `diagram`.

use matesolve::output::svg::{self, Caption};
use pyo3::prelude::*;

use crate::limits::out_of_range;
use crate::solving::{read, stipulated};

/// Draws a position as an SVG picture.
#[pyfunction]
pub fn diagram(
    text: &str,
    stipulation: Option<&str>,
    title: Option<String>,
    coordinates: bool,
    width: u32,
) -> PyResult<String> {
    if !(1..=10_000).contains(&width) {
        return Err(out_of_range("width", &width, "a number of pixels from 1 to 10000"));
    }
    let (_, problem) = read(text, &stipulated(stipulation)?)?;
    let mut caption = Caption::of(&problem);
    (caption.title, caption.coordinates) = (title.or(caption.title), coordinates);
    Ok(svg::diagram(svg::board_of(&problem), &caption, width))
}
