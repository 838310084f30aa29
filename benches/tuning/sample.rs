//! Reads the positions to measure: the stated mates of an EPD file, or of the repository's `problems/`.

use std::fs;
use std::path::{Path, PathBuf};

use matesolve::problem::Problem;
use matesolve_engine::chess::MateLength;
use shakmaty::{Chess, Color};

/// A position with a stated mate.
#[derive(Debug)]
pub struct StatedMate {
    /// The line's `id`, or its file and line number.
    pub name: String,
    pub chess: Chess,
    pub attacker: Color,
    /// The stated length, in moves.
    pub length: MateLength,
}

/// The positions to measure.
#[derive(Debug)]
pub struct Sample {
    pub mates: Vec<StatedMate>,
    source: String,
    /// Lines without a stated mate.
    skipped: usize,
}

/// The suites of `problems/` whose stated lengths are the shortest and sound.
const DEMO: [&str; 12] = [
    "smoke",
    "classics",
    "quiet_keys",
    "castling",
    "en_passant",
    "underpromotion",
    "stalemate_traps",
    "long_checks",
    "zugzwang",
    "zugzwang_null",
    "zugzwang_pawns",
    "deep",
];

impl Sample {
    /// Reads the stated mates of a file, or of `problems/` for `demo`, and keeps every `every`-th.
    pub fn read(file: &str, every: usize) -> Result<Sample, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
        let files: Vec<PathBuf> = match file {
            "demo" => DEMO.iter().map(|suite| folder.join(suite).with_extension("epd")).collect(),
            path => vec![PathBuf::from(path)],
        };
        let mut sample = Sample { mates: Vec::new(), source: file.to_owned(), skipped: 0 };
        for path in files {
            sample.add(&path)?;
        }
        sample.mates = sample.mates.into_iter().skip(every - 1).step_by(every).collect();
        if sample.mates.is_empty() {
            return Err(format!("{file} has no stated mates to measure; a line states one with `bm #n;` or `dm n;`."));
        }
        Ok(sample)
    }

    fn add(&mut self, path: &Path) -> Result<(), String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}. Give the path of an EPD file.", path.display()))?;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| is_position(line)) {
            let place = format!("{}:{number}", path.display());
            let problem = Problem::read(line)
                .map_err(|error| format!("{place}: {error}. Correct the line, or remove it from the file."))?;
            let Some(length) = problem.question.stipulation.moves() else {
                self.skipped += 1;
                continue;
            };
            let attacker = problem.attacker();
            self.mates.push(StatedMate { name: problem.id.unwrap_or(place), chess: problem.chess, attacker, length });
        }
        Ok(())
    }

    /// Returns a sentence about the sample.
    pub fn description(&self) -> String {
        let longest = self.mates.iter().map(|mate| mate.length).max().unwrap_or(MateLength(0));
        let shortest = self.mates.iter().map(|mate| mate.length).min().unwrap_or(MateLength(0));
        let skipped = if self.skipped == 0 {
            String::new()
        } else {
            format!(" ({} lines state no mate and are skipped)", self.skipped)
        };
        format!("{}: {} stated mates in {shortest} to {longest}{skipped}", self.source, self.mates.len())
    }
}

fn is_position(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}
