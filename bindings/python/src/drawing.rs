//! `diagram`.

use matesolve::output::svg::{self, Caption};
use pyo3::prelude::*;

use crate::limits::out_of_range;
use crate::solving::{ProblemError, read};

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
    let (_, problem) = read(text, stipulation).map_err(|error| ProblemError::new_err(error.to_string()))?;
    let mut caption = Caption::of(&problem, problem.stipulation);
    (caption.title, caption.coordinates) = (title.or(caption.title), coordinates);
    Ok(svg::diagram(svg::board_of(&problem), &caption, width))
}
