//! `retro`: distance-to-mate tables of the men on the board, built in memory.
//!
//! CITE: Thompson 1986, "Retrograde analysis of certain endgames".
//!
//! Proof-number search wanders where a mate needs technique instead of threats: king, bishop and knight against king
//! take up to 33 moves. Retrograde analysis goes the other way. It starts from the checkmates of a class of endings,
//! and from captures and promotions that lead to mates, and works backwards. In the end the table has the length of the
//! shortest mate from each of its positions, or that there is none. A class is the men of both sides ([`Material`]);
//! captures and promotions lead to other classes, whose tables are built before.
//!
//! A table is about one side's mates only: the attacker's, who plays White in it. It takes a byte for each position and
//! side to move. Positions with castling rights have no place in it. A right to capture en passant is searched one ply
//! deep, so it is exact.
//!
//! | file | content |
//! |---|---|
//! | `material` | the men on the board, and what captures and promotions make of them |
//! | `symmetry` | mirror images of squares and sets |
//! | `layout` | the number of a position, and words of 64 positions |
//! | `frame` | the 64 positions of a word, treated at once |
//! | `table` | the bytes of a table |
//! | `sets` | sets of positions, and the agenda of a build |
//! | `conversions` | captures and promotions into other tables |
//! | `en_passant` | double steps that can be captured |
//! | `build` | the sweeps that build a table |
//! | `take_back`, `escape` | what the sweeps do with a word: moves taken back, and replies that escape |
//! | `tables` | all tables, and the values of positions |
//! | `leaves` | tables for the leaves of another search |
//! | `engine` | the engine: the answer to a task and its proof |
//! | `endings` | when the tables of a position are built, beside a search of it |

mod build;
mod conversions;
mod en_passant;
pub(crate) mod endings;
pub mod engine;
mod escape;
mod frame;
mod layout;
mod leaves;
mod material;
mod sets;
mod symmetry;
mod table;
mod tables;
mod take_back;

pub use endings::nodes_before_tables;
pub use engine::Retro;
pub use engine::{answer, build, hint, refusal};
pub use layout::MAX_MEN;
pub use leaves::Leaves;
pub use material::Material;
pub use table::Distance;
pub use tables::Tables;
