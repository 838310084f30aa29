//! What a user sees while a command runs: messages, progress, the end by Ctrl-C, the exit code.
//!
//! | file | content |
//! |---|---|
//! | `board` | the board in text, also beside warnings |
//! | `columns` | the columns of the terminal: where lines break, and how many progress may fill |
//! | `exit` | the exit codes |
//! | `interrupt` | stops searches at Ctrl-C |
//! | `messages` | warnings and errors on standard error |
//! | `progress` | the line that shows how far a search is |

pub(crate) mod board;
pub(crate) mod columns;
pub(crate) mod exit;
pub(crate) mod interrupt;
pub(crate) mod messages;
pub(crate) mod progress;

pub(crate) use exit::{Codes, Exit, Tally};
pub(crate) use interrupt::Interrupt;
pub(crate) use messages::{CliError, print_lines, print_message, print_unsolved_twins, print_warnings};
pub(crate) use progress::ProgressLine;
