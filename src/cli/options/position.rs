//! The position argument of the commands that take one position.
//!
//! It may be pasted in many forms ([`crate::problem::pasted`]); `-` reads it from standard input, and the name of a
//! `.pgn` file from that file. A word that names another file, or that is almost the name of a command, gets a message
//! that says what to type instead.

use std::path::{Path, PathBuf};

use crate::problem::{Problem, ProblemError, pasted};

use crate::cli::files::inputs;
use crate::cli::terminal::messages::CliError;

/// A position argument that was understood.
#[derive(Debug)]
pub(crate) struct GivenPosition {
    /// The position as one line of FEN, EPD or JSON.
    pub line: String,
    pub problem: Problem,
}

/// Reads the position that the words of the argument name. Of a game, this is the position after `ply` half-moves, or
/// the last one.
///
/// The inner error says why the text is no position; the outer one, why there is no text.
pub(crate) fn read(words: &[String], ply: Option<u16>) -> Result<Result<GivenPosition, ProblemError>, CliError> {
    let text = match words {
        [word] if inputs::is_stdin(Path::new(word)) => one_position(inputs::read(Path::new(word))?)?,
        [word] if is_game_file(word) => text(inputs::read(Path::new(word))?)?,
        words => {
            refuse_files(words)?;
            words.join(" ")
        }
    };
    Ok(pasted::read(&text, ply.map(usize::from)).and_then(|pasted| {
        let mut problem = Problem::read(&pasted.line)?;
        // The first position of a game may have the same warnings as the one that is solved.
        let new: Vec<String> = pasted.warnings.into_iter().filter(|text| !problem.warnings.contains(text)).collect();
        problem.warnings.splice(0..0, new);
        problem.is_game = pasted.is_game;
        problem.note_remarks();
        Ok(GivenPosition { line: pasted.line, problem })
    }))
}

/// Returns the files that the words of the argument name, and `-` if they name standard input.
pub(crate) fn files(words: &[String]) -> Vec<PathBuf> {
    let paths = words.iter().map(PathBuf::from);
    paths.filter(|path| inputs::is_stdin(path) || path.is_file()).collect()
}

/// Returns whether a word names an existing `.pgn` file.
pub(crate) fn is_game_file(word: &str) -> bool {
    let path = Path::new(word);
    path.is_file() && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

fn text(bytes: Vec<u8>) -> Result<String, CliError> {
    let why = "the input is not UTF-8 text; convert it, or check that it holds a position";
    String::from_utf8(bytes).map_err(|_| CliError::Usage(why.to_owned()))
}

/// Returns the text of standard input, which is one position or one game. Several lines of FEN are refused.
fn one_position(bytes: Vec<u8>) -> Result<String, CliError> {
    let text = text(bytes)?;
    let is_board = |line: &&str| line.split_whitespace().next().is_some_and(|word| word.matches('/').count() == 7);
    if text.lines().filter(is_board).count() > 1 {
        let why = "standard input holds several positions; use `matesolve batch -` to solve them all";
        return Err(CliError::Usage(why.to_owned()));
    }
    Ok(text)
}

/// Refuses words that name files or folders, and a word that can only be the name of a file that does not exist.
fn refuse_files(words: &[String]) -> Result<(), CliError> {
    let endings = ["epd", "fen", "txt", "pgn", "json", "jsonl", "olv", "yaml", "yml"];
    if let [word] = words
        && let Some(ending) = Path::new(word).extension()
        && endings.iter().any(|known| ending.eq_ignore_ascii_case(known))
        && !word.contains("://")
        && !Path::new(word).exists()
    {
        return Err(CliError::Usage(format!("there is no file {word}")));
    }
    let is_file = |word: &String| !word.is_empty() && Path::new(word).exists();
    if words.is_empty() || !words.iter().all(is_file) {
        return Ok(());
    }
    let names = words.join(" ");
    let why = match words {
        [name] if Path::new(name).is_dir() => format!("{name} is a folder; give a position, or name the files in it"),
        [_] => format!("{names} is a file; use `matesolve batch {names}` to solve every problem in it"),
        _ => format!("these are files; use `matesolve batch {names}` to solve every problem in them"),
    };
    Err(CliError::Usage(why))
}
