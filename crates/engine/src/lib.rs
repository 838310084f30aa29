//! The positions and the searches of matesolve: everything that finds a mate, and nothing that reads a problem or
//! prints an answer. The crate `matesolve` re-exports these modules.
//!
//! | module | content |
//! |---|---|
//! | [`base`] | the clock, memory, threads, and the guard of searches |
//! | [`chess`] | positions and their moves, with the words of a problem |
//! | [`search`] | the search engines behind one trait, the facts they share, and their limits |
//!
//! What a search finds is a tree of `matesolve_proof`, whose checker decides whether it is a mate. That crate does not
//! depend on this one.

pub mod base;
pub mod chess;
pub mod search;

pub(crate) use matesolve_proof as proof;
