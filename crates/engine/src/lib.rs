//! The positions and the searches of matesolve: everything that finds a mate, and nothing that reads a problem or
//! prints an answer. The crate `matesolve` re-exports these modules.
//!
//! | module | content |
//! |---|---|
//! | [`base`] | the clock, memory, threads, and the guard of searches |
//! | [`chess`] | positions and their moves, with the words of a problem |
//! | [`search`] | the search engines behind one trait, the facts they share, and their limits |
//!
//! What a search of forced play finds is a tree of `matesolve_proof`, what a search of help play finds is a list of
//! lines. That crate decides whether they hold. It does not depend on this one.

pub mod base;
pub mod chess;
pub mod search;

pub(crate) use matesolve_proof as proof;
