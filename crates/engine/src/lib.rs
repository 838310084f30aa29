//! The positions and the searches of matesolve. They do not read problems and do not print answers. The crate
//! `matesolve` re-exports these modules.
//!
//! | module | content |
//! |---|---|
//! | [`base`] | the clock, memory, threads, and the guard of searches |
//! | [`chess`] | positions and their moves, with the words of a problem |
//! | [`search`] | the search engines behind one trait, the facts they share, and their limits |
//!
//! A search of forced play finds a proof tree, a search of help play finds lines. The crate `matesolve_proof`, which
//! does not depend on this one, decides whether they hold.

pub mod base;
pub mod chess;
pub mod search;

pub(crate) use matesolve_proof as proof;
