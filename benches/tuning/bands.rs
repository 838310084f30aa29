//! Counts positions by the band of their stated length (such as 5 to 6 moves), and formats the rows of the tables.

use matesolve_engine::chess::MateLength;

/// The names of the bands; a position belongs to the band of its stated length.
const BANDS: [(&str, u16); 5] = [("#1-4", 4), ("#5-6", 6), ("#7-8", 8), ("#9-12", 12), ("#13+", u16::MAX)];

/// The number of bands.
const COUNT: usize = BANDS.len();

/// A count for each band.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bands([u64; COUNT]);

impl Bands {
    /// Adds to the band of a stated length.
    pub fn add(&mut self, length: MateLength, amount: u64) {
        let band = BANDS.iter().position(|(_, longest)| length.0 <= *longest).unwrap_or(COUNT - 1);
        self.0[band] += amount;
    }

    /// Returns the total over all bands.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the counts and their total, right-aligned below [`header`].
    pub fn row(&self, name: &str) -> String {
        let cells =
            self.0.iter().chain([&self.total()]).map(|count| cell(&super::run::grouped(*count))).collect::<String>();
        format!("{name:<40}{cells}")
    }
}

/// Returns the line above the rows.
pub fn header() -> String {
    let cells = BANDS.iter().map(|(name, _)| *name).chain(["all"]).map(cell).collect::<String>();
    format!("{:<40}{cells}", "stated length")
}

/// Returns a text as a right-aligned cell.
pub fn cell(text: &str) -> String {
    format!("{text:>13}")
}
