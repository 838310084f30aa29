//! Proofs: what may be claimed about a mate, and the checker that decides whether the claim holds.
//!
//! | file | idea |
//! |---|---|
//! | `bounds` | two monotone bounds on the length of the shortest mate |
//! | `tree` | a mate's proof: one move of the attacker, every reply |
//! | `checker` | replays a proof with the rules of chess alone |
//! | `verified` | a proof that the checker has replayed, as a type |
//! | `fault` | what can be wrong with a proof |
//! | `draws` | finds draws that the losing side could claim in a proof |
//! | `compact` | one node for each position of a proof |
//! | `certificate` | proofs as text files that any program can check |
//! | `facts` | the shared table of bounds by position |

mod bounds;
mod certificate;
mod checker;
mod compact;
mod draws;
mod facts;
mod fault;
mod tree;
mod verified;

pub use bounds::Bounds;
pub(crate) use certificate::parse_position;
pub use certificate::{Certificate, CertificateError};
pub use checker::{check, check_exclusive};
pub(crate) use draws::{Draw, claimable_draw};

pub use facts::Facts;
pub use fault::{LineText, ProofError};
pub use tree::{NodeId, ProofNode, ProofTree};
pub use verified::{Verified, VerifiedFlag};
