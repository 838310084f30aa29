//! The board: what mating needs of chess, and nothing that knows about searching.
//!
//! | file | idea |
//! |---|---|
//! | `side` | attacker and defender, OR and AND nodes |
//! | `length` | mate lengths in moves, and their plies |
//! | `position` | the kernel's position: bitboards and an incremental key |
//! | `moves` | packed moves and move lists |
//! | `movegen` | legal moves, checking moves, counts |
//! | `checks` | which moves give check |
//! | `attack` | evasions, mate in one |
//! | `notation` | moves as people and chess programs write them |
//! | `zobrist` | the random keys |

mod attack;
mod checks;
mod length;
mod movegen;
mod moves;
pub(crate) mod notation;
mod position;
mod side;
pub mod zobrist;

pub use attack::{Attack, ManList};
pub use checks::Checks;
pub use length::MateLength;
pub use movegen::Moves;
pub use moves::{MOVE_CAPACITY, Move, MoveCode, MoveList};
pub use position::Position;
pub use side::NodeKind;
