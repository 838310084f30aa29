//! Proofs of mates, the checker that replays them, and the bounds that are known of a position.
//!
//! | file | idea |
//! |---|---|
//! | `bounds` | two monotone bounds on the length of the shortest mate |
//! | `tree` | the proof of a mate: at each node one move of the attacker or every reply |
//! | `rules` | the demands of the rules of chess on a single node |
//! | `last_move` | whether the goal can be reached with the attacker's last move |
//! | `packed` | a position in 40 bytes |
//! | `checker` | replays a proof with the rules of chess alone |
//! | `verified` | a proof that the checker has replayed, as a type |
//! | `fault` | the errors of the checker |
//! | `helped` | replays a line of help play |
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
pub(crate) mod helped;
mod last_move;
mod packed;
pub(crate) mod picture;
mod rules;
mod tree;
mod verified;

#[doc(hidden)]
pub use bounds::Bounds;
pub(crate) use certificate::parse_position;
pub use certificate::{Certificate, CertificateError, CheckedCertificate, Claims, VerdictWord};
pub(crate) use certificate::{CertificateWriter, Header, LeftOut, Refusal, Reply, Section, order};
pub use checker::check;
#[doc(hidden)]
pub use checker::check_exclusive;
#[cfg(feature = "cli")]
pub(crate) use draws::{Draw, claimable_draw};
#[doc(hidden)]
pub use fault::LineText;
pub use fault::ProofError;
pub(crate) use rules::play as played;
pub use tree::{NodeId, ProofNode, ProofTree};
pub use verified::{Verified, VerifiedFlag};
