//! Reads the suites of problems in `problems/`, and describes their format.
//!
//! A line contains the four fields of the position and then operations: `dm N` (the side to move mates in N moves) or
//! `bm #-N` (the side to move is mated in N moves), `bm SAN …` (all keys), `id`, `c0` (the source), and sometimes `c1`,
//! which is one of: `"no mate in N"`, `"cooked: SAN …"` (all keys, including the intended one), `"short: mate in N"`,
//! `"no solution"`, `"dualed: LINE: SAN SAN …, …"` (sound, but with these duals after these lines).

use std::fs;
use std::path::{Path, PathBuf};

use shakmaty::{CastlingMode, Chess, fen::Fen};

/// The claim of a line about its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The side to move mates in exactly this number of moves.
    Mate(u16),
    /// The side to move is mated in exactly this number of moves.
    Mated(u16),
    /// The side to move has no mate within this number of moves.
    NoMate(u16),
    /// The side to move mates in exactly this number of moves, with several keys.
    Cooked(u16),
    /// The side to move mates in fewer moves than stipulated.
    Short {
        /// The moves of the stipulation.
        stipulated: u16,
        /// The moves of the shortest mate.
        mates: u16,
    },
    /// There is no mate within this number of moves, which is the stipulation.
    NoSolution(u16),
}

/// A problem of a suite.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The file and the line number.
    pub place: String,
    /// The name of the file without `.epd`.
    pub suite: String,
    /// The FEN with four fields.
    pub fen: String,
    /// The name of the problem.
    pub id: String,
    /// Where it was published, or the seed it was composed from.
    pub source: String,
    /// All keys, sorted, if the line names them.
    pub keys: Option<Vec<String>>,
    /// What the line says of it.
    pub claim: Claim,
    /// The text of `c1`, or an empty text.
    pub comment: String,
}

impl Problem {
    /// Returns the position.
    pub fn chess(&self) -> Chess {
        let fen: Fen = self.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", self.place));
        fen.into_position(CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .unwrap_or_else(|error| panic!("{}: {error}", self.place))
    }
}

/// Returns the files of `problems/` with this extension, sorted.
pub fn files(extension: &str) -> Vec<PathBuf> {
    // It stands at the root of the repository, above the crates.
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("problems"));
    let entries = folders.find_map(|folder| fs::read_dir(folder).ok()).expect("the folder problems/ exists");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// Returns all problems of all suites, by file name and line.
pub fn problems() -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files("epd") {
        let suite = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        for (line, text) in (1..).zip(text.lines()) {
            if !text.is_empty() && !text.starts_with('#') {
                problems.push(problem(&suite, &format!("problems/{suite}.epd:{line}"), text));
            }
        }
    }
    problems
}

/// Reads a line of a suite.
fn problem(suite: &str, place: &str, text: &str) -> Problem {
    let mut words = text.splitn(5, ' ');
    let fen = words.by_ref().take(4).collect::<Vec<_>>().join(" ");
    let operations: Vec<(&str, &str)> =
        words.next().unwrap_or_default().split(';').filter_map(|operation| operation.trim().split_once(' ')).collect();
    let get = |name: &str| operations.iter().find(|(op, _)| *op == name).map(|(_, value)| value.trim_matches('"'));
    let number = |text: &str| text.parse::<u16>().unwrap_or_else(|_| panic!("{place}: {text} is not a length"));
    let (dm, bm) = (get("dm").map(number), get("bm"));
    let mated = bm.and_then(|bm| bm.strip_prefix("#-")).map(number);
    let comment = get("c1").unwrap_or_default().to_owned();
    let sorted = |sans: &str| {
        let mut sans: Vec<String> = sans.split(' ').map(str::to_owned).collect();
        sans.sort_unstable();
        sans
    };
    let mut keys = bm.filter(|_| mated.is_none()).map(sorted);
    let claim = match (dm, mated) {
        (None, Some(n)) => Claim::Mated(n),
        (None, None) => {
            let n = comment.strip_prefix("no mate in ");
            Claim::NoMate(number(n.unwrap_or_else(|| panic!("{place}: the line makes no claim"))))
        }
        (Some(n), _) => {
            if let Some(cooks) = comment.strip_prefix("cooked: ") {
                keys = Some(sorted(cooks));
                Claim::Cooked(n)
            } else if let Some(mates) = comment.strip_prefix("short: mate in ") {
                Claim::Short { stipulated: n, mates: number(mates) }
            } else if comment == "no solution" {
                Claim::NoSolution(n)
            } else {
                Claim::Mate(n)
            }
        }
    };
    let named = |op| get(op).unwrap_or_else(|| panic!("{place}: no {op}")).to_owned();
    Problem {
        place: place.into(),
        suite: suite.into(),
        fen,
        id: named("id"),
        source: named("c0"),
        keys,
        claim,
        comment,
    }
}
