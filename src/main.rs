//! The `matesolve` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    matesolve::cli::run(std::env::args_os()).into()
}
