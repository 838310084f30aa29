//! The files that commands read and write.
//!
//! | file | content |
//! |---|---|
//! | `certificate` | certificates |
//! | `inputs` | opens inputs, compressed ones too, and recognises their kind; the shares of a run, line by line |
//! | `output_file` | the file of `-o`, which is locked; collections written again |
//! | `written` | the files that a command will write, compared with its inputs; endings of names |

pub(crate) mod certificate;
pub(crate) mod inputs;
pub(crate) mod output_file;
pub(crate) mod written;
