//! The words of a mate problem, as all parts of matesolve use them: stipulations, lengths of mates, the notation of
//! moves. The crate `matesolve` re-exports them in its modules.
//!
//! Nothing here searches, reads files or knows a position of its own: positions are those of shakmaty. Of this project
//! the checker of proofs uses this crate alone, so nothing may come in that a search has computed.
//!
//! | module | content |
//! |---|---|
//! | `side` | attacker and defender, OR and AND nodes; the position with the other side to move |
//! | `length` | mate lengths in moves, and their plies |
//! | `goal` | what must stand on the board at the end, and what the sides must do on the way |
//! | `stipulation` | the question: half-moves, goal and length |
//! | [`text`] | the texts of stipulations |
//! | [`words`] | stipulations in words, such as `mate in 2` |
//! | `soundness` | whether a problem is sound |
//! | [`move_code`] | moves in 16 bits: origin, target and promotion |
//! | [`notation`] | moves in standard algebraic and UCI notation |
//! | `letters` | the letters of the men in different languages |
//! | [`encoding`] | texts that are UTF-8 or Latin-1 |
//! | [`printable`] | makes text from an input safe to print |
//! | [`lines`] | reads the lines of an input, of each a bounded number of bytes |
//! | [`construction`] | diagrams that no game can lead to, such as by the number of men and of pawn captures |

#![deny(clippy::expect_used)]

pub mod construction;
pub mod encoding;
mod goal;
mod length;
mod letters;
pub mod lines;
pub mod move_code;
pub mod notation;
pub mod printable;
mod side;
mod soundness;
mod stipulation;
#[cfg(test)]
mod testing;
pub mod text;
pub mod words;

pub use goal::{Duty, End, Goal};
pub use length::MateLength;
pub use letters::Letters;
pub use move_code::MoveCode;
pub use side::{NodeKind, Side, passed, tolerated};
pub use soundness::Soundness;
pub use stipulation::{HalfMove, Play, Stipulation, Will};
pub use text::StipulationError;
