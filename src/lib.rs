//! matesolve: a dedicated chess mate solver.
pub mod chess;
pub mod proof;
pub mod search;
