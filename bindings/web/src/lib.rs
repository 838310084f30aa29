//! matesolve as a WebAssembly module, for browsers and Node.
//!
//! The host writes a request as JSON, calls the module, and reads an answer as JSON. What the requests mean is in
//! `call`; the npm package in this folder turns them into functions with types.
//!
//! | file | content |
//! |---|---|
//! | `boundary` | the functions that the module exports, and those that it needs from its host |
//! | `options` | reads the options of a request |
//! | `call` | carries a request out |
//! | `read` | reads the problems of a text |
//! | `search` | solves and reports |
//! | `watch` | the node counts and the stop of a running search |
//! | `gave_up` | the answer for a search that broke the module |

#[cfg(target_family = "wasm")]
mod boundary;
mod call;
mod gave_up;
mod options;
mod read;
mod search;
mod watch;
