//! The arguments of `matesolve solve`, which are also those of the program without a command.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::options::args::{CommonArgs, GameArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct SolveArgs {
    /// The position: a FEN, an EPD line, which may state a length by `dm N`, `bm #N` or `bm #-N`, `position …` as in
    /// UCI, a game in PGN or a .pgn file, or the address of a lichess or chess.com analysis; - means standard input.
    /// Quotes are optional
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Write the proof of the mate to a file that `matesolve verify`, or any other program, can check
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,
    /// Write the refutation of every shorter mate to the certificate too; if there is no mate of the stated length, its
    /// refutation
    #[arg(long, requires = "certificate", help_heading = "Output")]
    pub shortest: bool,
    /// List all first moves by their answers, the fastest mates first. Without a limit or a length, the time limit is
    /// 10s
    #[arg(long, help_heading = "Question", conflicts_with_all = ["certificate", "defend"])]
    pub moves: bool,
    /// List the K first moves that mate fastest, each with its main line; limits as for --moves
    #[arg(
        long,
        value_name = "K",
        help_heading = "Question",
        conflicts_with_all = ["moves", "certificate", "defend"],
        value_parser = clap::value_parser!(u16).range(1..=1000)
    )]
    pub lines: Option<u16>,
    /// Print the board to standard error first, as with every warning about the position
    #[arg(long, help_heading = "Output")]
    pub board: bool,
}
