//! The chess **kernel**: positions, moves, checks and mates in one, fast enough for a mate search.
//!
//! Nothing here searches. All modules say "man" for a piece or a pawn, "line piece" for a bishop, rook or queen, and
//! "flight" for a square that a king may step to.
//!
//! | file | content |
//! |---|---|
//! | `side` | attacker and defender, OR and AND nodes |
//! | `soundness` | whether a problem is sound |
//! | `construction` | diagrams that no game can lead to, by counting men and pawn captures |
//! | `escapes` | the last moves of a selfmate or a stalemate that leave the defender a move |
//! | `exchange` | what a capture gains after all recaptures |
//! | `exclusive` | castling rights that exclude each other |
//! | `last_moves` | the moves that may have led to a position |
//! | `length` | mate lengths in moves, and their plies |
//! | `letters` | the letters of the men in different languages |
//! | `material` | material that cannot mate |
//! | `position` | the kernel's position: bitboards and an incremental key |
//! | `move_code` | moves in 16 bits: origin, target and promotion |
//! | `moves` | packed moves and move lists |
//! | `movegen` | legal moves: lists and counts |
//! | `checks` | the squares from which a move gives check |
//! | `net` | positions that have no mate in two, recognised without a search |
//! | `attack` | checking moves, the replies to them, mate in one |
//! | `packed` | a position in 24 bytes |
//! | `notation` | moves in standard algebraic and UCI notation |
//! | `forced` | positions in which the side to move is forced to mate |
//! | `goal` | what must stand on the board at the end, and what the sides must do on the way |
//! | `rules` | when the play for a goal is over, and which replies it allows |
//! | `stipulation` | the question: half-moves, goal and length |
//! | `text` | the texts of stipulations |
//! | `testing` | positions for unit tests |
//! | `turn` | the position with the other side to move |
//! | `zobrist` | the random numbers of the position key |

mod attack;
mod checks;
pub(crate) mod construction;
mod escapes;
pub(crate) mod exchange;
mod exclusive;
mod forced;
mod goal;
pub(crate) mod last_moves;
mod length;
mod letters;
mod material;
mod move_code;
mod movegen;
mod moves;
mod net;
pub(crate) mod notation;
mod packed;
mod position;
pub mod rules;
mod side;
mod soundness;
mod stipulation;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod text;
mod turn;
pub(crate) mod zobrist;

#[doc(hidden)]
pub use attack::{Attack, ManList};
#[doc(hidden)]
pub use checks::Checks;
pub use goal::{Duty, End, Goal};
pub use length::MateLength;
#[doc(hidden)] // `output::report` shows it
pub use letters::Letters;
pub use move_code::MoveCode;
#[doc(hidden)]
pub use movegen::Moves;
pub(crate) use moves::MOVE_CAPACITY;
#[doc(hidden)]
pub use moves::{Move, MoveList};
pub(crate) use packed::PackedPosition;
#[doc(hidden)]
pub use position::Position;
pub(crate) use position::castling_targets;
#[doc(hidden)]
pub use side::NodeKind;
pub use side::Side;
pub use soundness::Soundness;
#[doc(hidden)]
pub use stipulation::{HalfMove, Will};
pub use stipulation::{Play, Stipulation};
pub use text::StipulationError;
pub(crate) use turn::passed;
