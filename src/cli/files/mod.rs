//! The files that commands read and write.
//!
//! | file | content |
//! |---|---|
//! | `certificate` | certificates, which get their names when they are complete |
//! | `inputs` | opens inputs, compressed ones too, and recognises their kind; the shares of a run, line by line |
//! | `output_file` | the file of `-o`, which no other run can write meanwhile; collections written again |
//! | `written` | all files that a command will write, compared with its inputs |

pub(crate) mod certificate;
pub(crate) mod inputs;
pub(crate) mod output_file;
pub(crate) mod written;
