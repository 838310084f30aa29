//! The position argument of the commands that take one position.
//!
//! It may be pasted in many forms ([`crate::problem::pasted`]); `-` reads it from standard input, and the name of a
//! `.pgn` file from that file. The name of any other file gets a message that says what to type instead, unless the
//! command reads it itself.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use shakmaty::Square;

use crate::chess::Stipulation;
use crate::problem::input::{self, InputFormat};
use crate::problem::question::Said;
use crate::problem::{Asked, Problem, ProblemError};

use crate::cli::files::inputs;
use crate::cli::options::args::GameArgs;
use crate::cli::terminal::board::print_warnings_and_board;
use crate::cli::terminal::{CliError, print_message};

/// Reads the text of an option that names two squares, such as `a1h8`. `what` says what they are and how to write them.
pub(crate) fn two_squares(option: &str, text: &str, what: &str) -> Result<(Square, Square), CliError> {
    let square = |part: Option<&str>| part.and_then(|part| part.parse::<Square>().ok());
    match (square(text.get(..2)), square(text.get(2..))) {
        (Some(a), Some(b)) if a != b => Ok((a, b)),
        _ => Err(CliError::Usage(format!("{option} \"{text}\" does not name {what}, such as a1h8"))),
    }
}

/// A position argument that was understood.
#[derive(Debug)]
pub(crate) struct GivenPosition {
    /// The position as one line of FEN, EPD or JSON.
    pub line: String,
    pub problem: Problem,
}

/// A position and its question, of the commands that need a length.
#[derive(Debug, ClapArgs)]
pub(crate) struct DiagramArgs {
    /// The position, as for `matesolve solve`; an EPD line may state the stipulation
    #[arg(value_name = "POSITION", required = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    /// The stipulation with its length, such as #2, #-3 or s#5 [default: the one in the input]
    #[arg(short, long, value_name = "#N", allow_hyphen_values = true, value_parser = Stipulation::parse_stated)]
    pub stipulation: Option<Stipulation>,
}

impl DiagramArgs {
    /// Reads the position for a command, and prints its warnings unless `quiet`; `None` if it is invalid, which is
    /// printed.
    pub(crate) fn read(&self, quiet: bool, command: &str) -> Result<Option<GivenPosition>, CliError> {
        let stipulation = self.stipulation.map(|value| Said { value, by: "-s" });
        let told = Asked { stipulation, ..Asked::default() };
        let given = read(&self.position, self.game.ply, &told, command)?;
        let given = given.inspect_err(|error| print_message(&format!("matesolve: {error}"))).ok();
        if let Some(given) = &given {
            print_warnings_and_board(&given.problem, quiet, false);
        }
        Ok(given)
    }
}

/// Reads the position that the words of the argument name. Of a game, this is the position after `ply` half-moves, or
/// the last one.
///
/// `told` is what the command line asks, `command` the command for messages. The inner error says why the text
/// is no position; the outer one, why there is no text.
pub(crate) fn read(
    words: &[String],
    ply: Option<u16>,
    told: &Asked,
    command: &str,
) -> Result<Result<GivenPosition, ProblemError>, CliError> {
    let text = match words {
        [word] if inputs::is_stdin(Path::new(word)) => match one_position(Path::new(word))? {
            text if text.trim().is_empty() => return Ok(Err(ProblemError::Text(NOTHING.to_owned()))),
            text => text,
        },
        [word] if is_game_file(word) => text(Path::new(word))?,
        words => {
            refuse_files(words, command)?;
            words.join(" ")
        }
    };
    Ok(input::one(&text, ply.map(usize::from), told).map(|(mut problem, line)| {
        problem.note_remarks();
        GivenPosition { line, problem }
    }))
}

/// The error for a pipe that holds nothing.
const NOTHING: &str = "standard input is empty; give a position, as in `matesolve \"FEN\"` or `echo FEN | matesolve` \
                       (`matesolve -h` has examples)";

/// Returns the files that the words of the argument name, and `-` if they name standard input.
pub(crate) fn files(words: &[String]) -> Vec<PathBuf> {
    let paths = words.iter().map(PathBuf::from);
    paths.filter(|path| inputs::is_stdin(path) || path.is_file()).collect()
}

/// Returns whether a word names an existing `.pgn` file.
pub(crate) fn is_game_file(word: &str) -> bool {
    let path = Path::new(word);
    path.is_file() && ending(path) == Some(InputFormat::Games)
}

/// Returns the format that the end of a file's name says.
fn ending(path: &Path) -> Option<InputFormat> {
    path.extension()?.to_str().and_then(InputFormat::of_ending)
}

fn text(path: &Path) -> Result<String, CliError> {
    Ok(inputs::text(path, inputs::read(path)?))
}

/// Returns the text of standard input, which is one position or one game. Several lines of FEN are refused.
fn one_position(path: &Path) -> Result<String, CliError> {
    let text = text(path)?;
    let is_board = |line: &&str| line.split_whitespace().next().is_some_and(|word| word.matches('/').count() == 7);
    if text.lines().filter(is_board).count() > 1 {
        let why = "standard input holds several positions; use `matesolve batch -` to solve them all";
        return Err(CliError::Usage(why.to_owned()));
    }
    Ok(text)
}

/// Refuses words that name files or folders, and a word that can only be the name of a file that does not exist.
fn refuse_files(words: &[String], command: &str) -> Result<(), CliError> {
    if let [word] = words
        && ending(Path::new(word)).is_some()
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
        [_] if command == "solve" => format!(
            "{names} is a file, and this command takes one position; give one of its lines, in quotes (`matesolve batch \
             {names}` solves every problem in it)"
        ),
        [_] => format!(
            "{names} is a file, and `matesolve {command}` takes one position; give one of its lines, in quotes, or its \
             third line by `sed -n 3p {names} | matesolve {command} -`"
        ),
        _ => format!(
            "these are files, and `matesolve {command}` takes one position; `matesolve batch {names}` solves every \
             problem in them"
        ),
    };
    Err(CliError::Usage(why))
}
