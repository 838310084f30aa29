//! The options that several commands have, and what they mean for the library.
//!
//! | file | content |
//! |---|---|
//! | `args` | options of several commands, such as limits, engine and output, as clap parses them |
//! | `config` | checks these options and builds requests for the library |
//! | `position` | the position argument, in all its forms |
//! | `question` | the options that state the question, such as the stipulation and the length |
//! | `units` | times, counts and sizes |
//! | `words` | the words of lists, such as formats, with their help texts |

pub(crate) mod args;
pub(crate) mod config;
pub(crate) mod position;
pub(crate) mod question;
pub(crate) mod units;
pub(crate) mod words;
