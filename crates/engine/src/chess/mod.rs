//! The chess **kernel**: positions, moves, checks and mates in one, fast enough for a mate search.
//!
//! The words of a problem (stipulation, goal, length, side, code of a move) come from the crate `matesolve_terms`; this
//! module shows them beside the kernel. Nothing here searches. In this crate a "man" is a piece or a pawn, a "line
//! piece" a bishop, rook or queen, and a "flight" a square that a king may step to.
//!
//! | file | content |
//! |---|---|
//! | `escapes` | leaves out last moves of a selfmate or a stalemate after which the defender keeps a move |
//! | `exchange` | what a capture gains after all recaptures |
//! | `exclusive` | castling rights that exclude each other |
//! | `last_moves` | the moves that may have led to a position |
//! | `material` | material that cannot mate |
//! | `position` | the kernel's position: bitboards and an incremental key |
//! | `moves` | packed moves and move lists |
//! | `movegen` | legal moves: lists and counts |
//! | `checks` | the squares from which a move gives check |
//! | `net` | positions that have no mate in two, recognised without a search |
//! | `attack` | checking moves, the replies to them, mate in one |
//! | `packed` | a position in 24 bytes |
//! | `forced` | positions in which the side to move is forced to mate |
//! | `rules` | when the play for a goal is over, and which replies it allows |
//! | `testing` | positions for unit tests |
//! | `zobrist` | the random numbers of the position key |

mod attack;
mod checks;
mod escapes;
pub mod exchange;
mod exclusive;
mod forced;
pub mod last_moves;
mod material;
mod movegen;
mod moves;
mod net;
mod packed;
mod position;
pub mod rules;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod zobrist;

pub use matesolve_terms::{
    Duty, End, Goal, HalfMove, Letters, MateLength, MoveCode, NodeKind, Play, Side, Soundness, Stipulation,
    StipulationError, Will,
};
pub use matesolve_terms::{construction, move_code, notation, passed, text};

pub use attack::{Attack, ManList};
pub use checks::Checks;
pub use movegen::Moves;
pub(crate) use moves::MOVE_CAPACITY;
pub use moves::{Move, MoveList};
pub(crate) use packed::PackedPosition;
pub use position::Position;
pub(crate) use position::castling_targets;
