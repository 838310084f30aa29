//! `matesolve diagram POSITION`: draws the position, as a picture or in text. Of an `.olv` collection it draws the
//! first entry.

use std::path::Path;

use clap::Args as ClapArgs;
use shakmaty::Square;

use crate::chess::Stipulation;
use crate::output::svg::{self, Caption};
use crate::output::{board, latex};
use crate::problem::question::Said;
use crate::problem::{Asked, Problem, ProblemError};

use crate::cli::files::written::WrittenFiles;
use crate::cli::files::{inputs, output_file};
use crate::cli::options::args::GameArgs;
use crate::cli::options::position::{self, two_squares};
use crate::cli::options::words::{DiagramFormat, words};
use crate::cli::terminal::board::shows_figurines;
use crate::cli::terminal::{CliError, Exit, print_message, print_warnings};

#[derive(Debug, ClapArgs)]
pub(crate) struct DiagramArgs {
    /// The position, as for `matesolve solve`; of an EPD line, `id` becomes the title and `dm N` or `bm #N` the
    /// stipulation
    #[arg(value_name = "POSITION", required = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    /// The stipulation below the board, such as #3
    #[arg(short, long, value_name = "#N")]
    pub stipulation: Option<String>,
    /// The title above the diagram, such as author and source [default: the name of the problem]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Write letters and numbers around the board
    #[arg(long)]
    pub coordinates: bool,
    /// Draw an arrow between two squares, such as a1h8; may be given several times. SVG only
    #[arg(long, value_name = "SQUARES")]
    pub arrow: Vec<String>,
    /// Draw a circle around a square, such as e4; may be given several times. SVG only
    #[arg(long, value_name = "SQUARE")]
    pub mark: Vec<Square>,
    /// Draw only the board: no title, stipulation or number of pieces
    #[arg(long, conflicts_with_all = ["stipulation", "title", "coordinates"])]
    pub bare: bool,
    /// The width of the picture in pixels; in LaTeX, that of the board, at 96 an inch [default: 400; in LaTeX 213]
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub width: Option<u32>,
    /// The format of the picture
    #[arg(long, value_name = "FORMAT", default_value = "svg", value_parser = words::<DiagramFormat>())]
    pub format: DiagramFormat,
    /// Write the picture to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<std::path::PathBuf>,
}

pub(crate) fn run(args: &DiagramArgs) -> Result<Exit, CliError> {
    WrittenFiles::output(args.output.as_deref()).check(&position::files(&args.position))?;
    let problem = match read(args)? {
        Ok(problem) => problem,
        Err(error) => {
            print_message(&format!("matesolve: {error}"));
            return Ok(Exit::Invalid);
        }
    };
    let arrows: Vec<(Square, Square)> = args
        .arrow
        .iter()
        .map(|text| two_squares("--arrow", text, "two squares; write them"))
        .collect::<Result<_, _>>()?;
    if args.format != DiagramFormat::Svg && !(arrows.is_empty() && args.mark.is_empty()) {
        return Err(CliError::Usage("--arrow and --mark need --format svg".to_owned()));
    }
    let caption = if args.bare { Caption::default() } else { caption(&problem, args) };
    let caption = Caption { arrows, marks: args.mark.clone(), ..caption };
    let drawn = svg::board_of(&problem);
    let text = match args.format {
        DiagramFormat::Svg => svg::diagram(drawn, &caption, args.width.unwrap_or(400)),
        DiagramFormat::Latex => latex::diagram(drawn, &caption, args.width),
        format => {
            print_warnings(&problem.every_warning(), false);
            let is_shown = args.output.is_none() && shows_figurines(&std::io::stdout());
            board::diagram(&problem, &caption, format == DiagramFormat::Figurines || is_shown)
        }
    };
    output_file::write(args.output.as_deref(), &text)?;
    Ok(Exit::Answered)
}

/// Reads the position, or the first entry of a collection.
fn read(args: &DiagramArgs) -> Result<Result<Problem, ProblemError>, CliError> {
    let stipulation = stipulation(args)?.map(|value| Said { value, by: "-s" });
    let told = Asked { stipulation, ..Asked::default() };
    match &args.position[..] {
        [word] if inputs::is_collection(Path::new(word)) && Path::new(word).is_file() => {
            let path = Path::new(word);
            let no_entry = || CliError::Usage(format!("{word} has no entry; an entry begins with a line ---"));
            let mut entries = inputs::entries(path, inputs::open(path)?, 0, None, false);
            Ok(told.of(entries.next().ok_or_else(no_entry)?.problem))
        }
        words => Ok(position::read(words, args.game.ply, &told, "diagram")?.map(|given| given.problem)),
    }
}

/// Returns the stipulation of the command line.
fn stipulation(args: &DiagramArgs) -> Result<Option<Stipulation>, CliError> {
    let read = |text: &String| Stipulation::parse_any(text).map_err(|error| CliError::Usage(error.to_string()));
    args.stipulation.as_ref().map(read).transpose()
}

/// Returns what is written around the diagram.
fn caption(problem: &Problem, args: &DiagramArgs) -> Caption {
    let caption = Caption::of(problem);
    Caption { title: args.title.clone().or(caption.title), coordinates: args.coordinates, ..caption }
}
