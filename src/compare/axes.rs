//! The axes of a plot: places on the picture and labelled marks.

use crate::output::text::grouped;

/// The unit of the numbers on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Positions,
    Nodes,
    Milliseconds,
}

/// Maps values to places between two ends of the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// The values at the ends.
    values: [f64; 2],
    /// The places of the ends.
    places: [f64; 2],
    is_logarithmic: bool,
    unit: Unit,
}

/// The largest number of labelled marks on a logarithmic axis.
const MOST_MARKS: usize = 6;

impl Axis {
    /// Makes a logarithmic axis from 1 or a greater power of ten to the next power of ten after `values`.
    pub(super) fn logarithmic(values: impl Iterator<Item = f64>, unit: Unit, places: [f64; 2]) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, 1.0_f64);
        for value in values {
            low = low.min(value.max(1.0));
            high = high.max(value);
        }
        let low = 10_f64.powf(low.min(high).log10().floor());
        let high = 10_f64.powf(high.log10().ceil()).max(low * 10.0);
        Axis { values: [low, high], places, is_logarithmic: true, unit }
    }

    /// Makes an axis from 0 to at least `most`, which counts positions.
    pub(super) fn counting(most: usize, places: [f64; 2]) -> Axis {
        let step = step(most as f64);
        let high = ((most as f64 / step).ceil() * step).max(1.0);
        Axis { values: [0.0, high], places, is_logarithmic: false, unit: Unit::Positions }
    }

    /// Returns the same values at other places.
    pub(super) fn at(self, places: [f64; 2]) -> Axis {
        Axis { places, ..self }
    }

    /// Returns the place of a value. Values beyond the ends are put on the ends.
    pub(super) fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.is_logarithmic { value.max(1e-9).log10() } else { value };
        let [low, high] = self.values.map(scale);
        let part = ((scale(value) - low) / (high - low)).clamp(0.0, 1.0);
        self.places[0] + part * (self.places[1] - self.places[0])
    }

    /// Returns the places and labels of the marks.
    pub(super) fn marks(&self) -> Vec<(f64, String)> {
        let [low, high] = self.values;
        let values: Vec<f64> = if self.is_logarithmic {
            let powers = (high / low).log10().round() as i32;
            let every = usize::try_from(powers).unwrap_or_default().div_ceil(MOST_MARKS).max(1);
            (0..=powers).step_by(every).map(|power| low * 10_f64.powi(power)).collect()
        } else {
            let step = step(high);
            (0..=(high / step).round() as i32).map(|index| f64::from(index) * step).collect()
        };
        values.into_iter().map(|value| (self.place(value), mark(value, self.unit))).collect()
    }
}

/// Returns the distance of the marks on an axis that ends at `high`: 1, 2 or 5 times a power of ten.
fn step(high: f64) -> f64 {
    let rough = (high / 5.0).max(1.0);
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough * 0.999).unwrap_or(power)
}

/// Rounds a value, from 0 on.
pub(super) fn whole(value: f64) -> u64 {
    // Negative values become 0.
    #[allow(clippy::cast_sign_loss)]
    let whole = value.round() as u64;
    whole
}

/// Writes a value with its unit, as short as a mark needs.
fn mark(value: f64, unit: Unit) -> String {
    let whole = whole(value);
    match unit {
        Unit::Milliseconds if whole < 1000 => format!("{whole} ms"),
        Unit::Milliseconds => format!("{} s", grouped(whole / 1000)),
        Unit::Nodes if whole >= 1_000_000_000 => format!("{}G", whole / 1_000_000_000),
        Unit::Nodes if whole >= 1_000_000 => format!("{}M", whole / 1_000_000),
        Unit::Nodes if whole >= 1000 => format!("{}k", whole / 1000),
        Unit::Nodes => whole.to_string(),
        Unit::Positions => grouped(whole),
    }
}
