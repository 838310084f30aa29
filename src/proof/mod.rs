//! The truth layer: what may be claimed, what a proof is, and who checks it.
//!
//! | file | idea |
//! |---|---|
//! | `verdict` | two monotone bounds: refuted through, proved within |
//! | `tree` | a mate's proof: one attacker move, every reply |
//! | `facts` | the shared table of bounds by position |

pub mod facts;
mod tree;
mod verdict;

pub use facts::{Fact, Facts};
pub use tree::{NodeId, ProofNode, ProofTree};
pub use verdict::Bounds;
