//! Proofs of mates, the checker that replays them, and the bounds that are known of a position.
//!
//! The rules of chess are shakmaty's; of the project the crate depends only on the words of a problem
//! (`matesolve_terms`). So the checker runs no code of a search, and refuses what a fault in a search has made wrong.
//! The crate `matesolve` re-exports this one as `proof`.
//!
//! | file | idea |
//! |---|---|
//! | `bounds` | two monotone bounds on the length of the shortest mate |
//! | `tree` | the proof that the attacker forces the goal: at each node one of his moves or every reply |
//! | `rules` | the demands of the rules of chess on a single node |
//! | `last_move` | whether the goal can be reached with the attacker's last move |
//! | `packed` | a position in 40 bytes |
//! | `checker` | replays a proof with the rules of chess alone |
//! | `verified` | a proof that the checker has replayed, as a type |
//! | `fault` | the errors of the checker |
//! | `helped` | replays a line of play, of help play above all |
//! | `picture` | pure, model and ideal mates |
//! | `draws` | finds draws that the losing side could claim in a proof |
//! | `compact` | reduces a proof to one node for each position |
//! | `certificate` | proofs as text files |

mod bounds;
mod certificate;
mod checker;
mod compact;
mod draws;
mod fault;
pub mod helped;
mod last_move;
mod packed;
pub mod picture;
mod rules;
#[cfg(test)]
mod testing;
mod tree;
mod verified;

pub use bounds::Bounds;
pub use certificate::{
    Certificate, CertificateError, CertificateWriter, CheckedCertificate, Claims, Header, LeftOut, Refusal, Reply,
    Section, VerdictWord, order, parse_position,
};
pub use checker::{check, check_exclusive};
pub use draws::{Draw, claimable_draw};
pub use fault::{LineText, NodeFault, ProofError};
pub use packed::PackedPosition;
pub use rules::play as played;
pub use tree::{NodeId, ProofNode, ProofTree};
pub use verified::{Verified, VerifiedFlag};
