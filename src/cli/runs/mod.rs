//! Long runs over files of problems: continued, shared among machines, with progress.
//!
//! | file | content |
//! |---|---|
//! | `batch_progress` | the line that shows how far a run is |
//! | `checkpoint` | the record of a run beside its output |
//! | `checksum` | the checksum of such a record |
//! | `options` | the options of a run, as its record keeps them |
//! | `resume` | `--resume`: continues a run |
//! | `run` | the run itself, what a command brings to it, and its share of the input |

pub(crate) mod batch_progress;
pub(crate) mod checkpoint;
mod checksum;
pub(crate) mod options;
pub(crate) mod resume;
pub(crate) mod run;
