//! Reads the positions for the tables, from the given folder and from the repository's own `problems/`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use shakmaty::{CastlingMode, Chess, PositionError, fen::Epd};

/// The folder with the positions.
pub struct Folder(pub PathBuf);

/// A position and its description in the file.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The name, or the file and line if it has none.
    pub id: String,
    /// The position.
    pub chess: Chess,
    /// The length of the mate stated in the file, in moves.
    pub mate_in: Option<u16>,
}

impl Folder {
    /// Reads the problems of one file.
    pub fn read(&self, name: &str) -> Result<Vec<Problem>, String> {
        read(&self.0.join(name))
    }

    /// Reads the mates in `n` of `matetrack-tune.epd` and of the repository, without duplicates.
    pub fn mates_in(&self, n: u16) -> Result<Vec<Problem>, String> {
        let mut problems = self.read("matetrack-tune.epd")?;
        problems.extend(repository()?);
        let mut seen = HashSet::new();
        problems.retain(|problem| problem.mate_in == Some(n) && seen.insert(problem.chess.clone()));
        Ok(problems)
    }
}

/// The suites composed against the standard null move. They are left out where null moves are compared on ordinary
/// mates.
pub const AGAINST_NULL: [&str; 2] = ["zugzwang_null.epd", "zugzwang_pawns.epd"];

/// Reads all suites of `problems/` but those of [`AGAINST_NULL`].
fn repository() -> Result<Vec<Problem>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let entries = fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let mut problems = Vec::new();
    let against = |file: &Path| AGAINST_NULL.iter().any(|name| file.ends_with(name));
    let chosen = |file: &&PathBuf| file.extension().is_some_and(|name| name == "epd") && !against(file);
    for file in files.iter().filter(chosen) {
        problems.extend(read(file)?);
    }
    Ok(problems)
}

/// Reads one suite of `problems/`.
pub fn suite(name: &str) -> Result<Vec<Problem>, String> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("problems").join(name))
}

/// Reads the problems of a file. Lines that begin with `#` are comments.
fn read(path: &Path) -> Result<Vec<Problem>, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}. Give the folder that contains it.", path.display()))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains('/') && !line.starts_with('#'));
    lines.filter_map(|(number, line)| problem(line, &format!("{}:{number}", path.display())).transpose()).collect()
}

/// Reads a line. Returns `None` if it does not begin with a position, because it continues the line before.
fn problem(line: &str, place: &str) -> Result<Option<Problem>, String> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    let Ok(epd) = fields.join(" ").parse::<Epd>() else { return Ok(None) };
    let chess = epd
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| format!("{place}: {error}. Correct or remove the line."))?;
    let operation = |name: &str| {
        let value = line.split(name).nth(1)?.trim_start_matches(['#', ' ']);
        value.split([';', ' ']).next()?.parse::<u16>().ok()
    };
    let id = line.split("id \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or(place);
    Ok(Some(Problem { id: id.to_owned(), chess, mate_in: operation(" bm #").or_else(|| operation(" dm ")) }))
}
