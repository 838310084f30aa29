//! The rules of chess as fast as a mate search needs them. Nothing here knows about searching.
//!
//! | file | content |
//! |---|---|
//! | `side` | attacker and defender, OR and AND nodes |
//! | `length` | mate lengths in moves, and their plies |
//! | `position` | the kernel's position: bitboards and an incremental key |
//! | `moves` | packed moves and move lists |
//! | `movegen` | legal moves: lists and counts |
//! | `checks` | the squares from which a move gives check |
//! | `attack` | checking moves, their evasions, mate in one |
//! | `notation` | moves in standard algebraic and UCI notation |
//! | `zobrist` | the random numbers of the position key |

mod attack;
mod checks;
mod length;
mod movegen;
mod moves;
pub(crate) mod notation;
mod position;
mod side;
pub(crate) mod zobrist;

pub use attack::{Attack, ManList};
pub use checks::Checks;
pub use length::MateLength;
pub use movegen::Moves;
pub(crate) use moves::MOVE_CAPACITY;
pub use moves::{Move, MoveCode, MoveList};
pub use position::Position;
pub use side::NodeKind;
