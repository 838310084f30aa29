//! The truth layer: what may be claimed, what a proof is, and who checks it.
//!
//! | file | idea |
//! |---|---|
//! | `bounds` | two monotone bounds on the length of the shortest mate |
//! | `tree` | a mate's proof: one attacker move, every reply |
//! | `checker` | replays a tree with the rules of chess alone |
//! | `verified` | a proof that the checker has replayed, as a type |
//! | `fault` | what can be wrong with a proof |
//! | `draws` | whether the losing side of a proof could claim a draw |
//! | `compact` | one node a position |
//! | `certificate` | proofs as files that anybody can check |
//! | `facts` | the shared table of bounds by position |

mod bounds;
mod certificate;
pub mod checker;
mod compact;
mod draws;
pub mod facts;
mod fault;
mod tree;
mod verified;

pub use bounds::Bounds;
pub(crate) use certificate::playable;
pub use certificate::{Certificate, CertificateError};
pub use checker::{check, check_exclusive};
pub use draws::{Draw, claimable_draw};
pub use facts::{Fact, Facts};
pub use fault::{LineText, ProofError};
pub use tree::{NodeId, ProofNode, ProofTree};
pub use verified::{Verified, VerifiedFlag};
