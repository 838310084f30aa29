//! The board: what mating needs of chess, and nothing that knows about searching.
//!
//! | file | idea |
//! |---|---|
//! | `side` | attacker and defender, OR and AND nodes |
//! | `length` | mate lengths in moves, and their plies |
//! | `position` | the kernel's position: bitboards and an incremental key |
//! | `moves` | packed moves and move lists |
//! | `movegen` | legal moves, checking moves, counts |
//! | `mate1` | mate in one |
//! | `zobrist` | the random keys |

mod length;
mod mate1;
mod movegen;
mod moves;
mod position;
mod side;
pub mod zobrist;

pub use length::MateLength;
pub use mate1::Attack;
pub use movegen::Moves;
pub use moves::{MOVE_CAPACITY, Move, MoveCode, MoveList};
pub use position::Position;
pub use side::NodeKind;
