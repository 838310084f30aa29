//! The compiled part of the Python package `matesolve`.
//!
//! It takes and returns texts: problems as one line of FEN, EPD or JSON, results as the JSON objects that
//! `matesolve schema` describes. The Python files in `python/matesolve` turn them into dataclasses and are the
//! interface for users; this module is private (`matesolve._matesolve`).
//!
//! | file | content |
//! |---|---|
//! | `running` | runs a search without the interpreter lock, and stops it at Ctrl-C |
//! | `limits` | the limits of a search, from Python's arguments |
//! | `solving` | `solve`, `first_moves` and `verify` |
//! | `many` | `batch`: the program's batch over problems that Python hands over |
//! | `composing` | `mend`, `twins`, `economy` and `retract` |
//! | `drawing` | `diagram` |
//! | `reporting` | `report`, and the formats of a report |
//! | `files` | `report_all` and `audit`: the entries of files |

// Python arguments arrive by value, each as an argument or a field of its own.
#![allow(clippy::needless_pass_by_value, clippy::struct_excessive_bools, clippy::too_many_arguments)]

mod composing;
mod drawing;
mod files;
mod limits;
mod many;
mod reporting;
mod running;
mod solving;

use pyo3::prelude::*;

/// The functions and classes that the Python files import.
#[pymodule]
mod _matesolve {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::composing::compose;
    #[pymodule_export]
    use super::drawing::diagram;
    #[pymodule_export]
    use super::files::{Entries, Entry, audit_entry, report_entry};
    #[pymodule_export]
    use super::many::{Answer, Batch};
    #[pymodule_export]
    use super::reporting::{Report, report};
    #[pymodule_export]
    use super::running::Stop;
    #[pymodule_export]
    use super::solving::{InternalError, ProblemError, first_moves, solve, verify};

    /// Sets `__version__`.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Runs the command line with these arguments, the first of which is the name of the program. Returns its exit
    /// code.
    #[pyfunction]
    fn run_command_line(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| matesolve::cli::run(arguments) as u8)
    }
}
