//! The options that several commands have, and what they mean for the library.
//!
//! | file | content |
//! |---|---|
//! | `args` | limits, engine, output, as clap parses them |
//! | `config` | checks the arguments against each other and builds requests for the library |
//! | `position` | the position argument, in all its forms |
//! | `question` | the stipulation and the length |
//! | `units` | amounts of time, nodes and memory |
//! | `words` | the words of lists, such as formats, with their help texts |

pub(crate) mod args;
pub(crate) mod config;
pub(crate) mod position;
pub(crate) mod question;
pub(crate) mod units;
pub(crate) mod words;
