//! The `matesolve` command.
fn main() {}
