//! What the check of a result finds: what holds, or the first fault.

use std::fmt;

/// The outcome of checking a result without faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineCheck {
    /// The result claims a mate, and its main line ends in checkmate as claimed.
    Mates,
    /// The result lists this number of lines of help play, and all reach the goal.
    HelpLines(usize),
    /// The result claims no mate, so there is nothing to check.
    NoMateClaimed,
}

/// The fault of a claimed main line. Moves are quoted as the file writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineFault {
    /// The JSON value is not a result object; the text says why.
    Unreadable(String),
    /// The result claims a mate, but this field of the object is null.
    Missing(&'static str),
    /// The result claims that the side to move mates in 0 moves.
    NoMoves,
    /// The position is not legal; the text says why.
    Position(String),
    /// The main line has a different number of half-moves than the claimed mate takes.
    Length {
        /// The number of half-moves of the claimed mate.
        claimed: usize,
        /// The number of half-moves of the main line.
        found: usize,
    },
    /// A move is not legal.
    Illegal {
        /// The number of the half-move, from 1.
        ply: usize,
        /// The move, at most its first 20 characters.
        played: String,
    },
    /// The last position of the line is not checkmate.
    NotCheckmate {
        /// Whether it is stalemate.
        stalemate: bool,
    },
    /// The last position of the line is not the one that another stipulation asks for.
    NotTheGoal,
    /// A line of help play is not one of its question, or stands twice.
    HelpLine {
        /// The field of its list.
        list: &'static str,
        /// Its number in the list, from 1.
        number: usize,
        /// Whether it stands twice.
        twice: bool,
    },
    /// The result says that there is no solution, and lists some.
    NotNone,
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineFault::Unreadable(why) => write!(f, "not a result of matesolve: {why}"),
            LineFault::Missing(field) => write!(f, "a mate is claimed, but \"{field}\" is missing"),
            LineFault::NoMoves => f.write_str("the side to move cannot mate in 0 moves"),
            LineFault::Position(why) => write!(f, "the position cannot be played: {why}"),
            LineFault::Length { claimed, found } => {
                write!(f, "the claimed mate takes {claimed} half-moves, and the main line has {found}")
            }
            LineFault::Illegal { ply, played } => {
                write!(f, "half-move {ply} of the main line, \"{played}\", is not legal")
            }
            LineFault::NotCheckmate { stalemate: true } => f.write_str("the main line ends in stalemate"),
            LineFault::NotCheckmate { stalemate: false } => f.write_str("the main line does not end in checkmate"),
            LineFault::HelpLine { list, number, twice: true } => {
                write!(f, "line {number} of \"{list}\" has the moves of another")
            }
            LineFault::HelpLine { list, number, twice: false } => write!(
                f,
                "line {number} of \"{list}\" does not hold: a move may not be made, the number of half-moves is \
                 another, or the goal does not stand at its end"
            ),
            LineFault::NotNone => f.write_str("it claims that there is no solution, and lists solutions"),
            LineFault::NotTheGoal => f.write_str("the main line does not end as the stipulation asks"),
        }
    }
}

impl std::error::Error for LineFault {}
