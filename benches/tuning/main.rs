//! Repeats the measurements of `benches/tuning/*.md` on the stated mates of an EPD file.
//!
//! ```text
//! cargo bench --bench tuning -- race|refute|threads|engines|selective FILE|demo [--nodes N] [--every K]
//! ```
//!
//! `README.md` beside this file describes the samples and the words of the tables. Every mate counted has passed the
//! checker. A result that contradicts a stated length ends the run with an error. Without arguments nothing is
//! measured.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

mod arguments;
mod bands;
mod engines;
mod race;
mod refute;
mod run;
mod sample;
mod selective;
mod threads;

use std::process::ExitCode;
use std::thread;

use arguments::{Arguments, Command};
use sample::Sample;

/// The stack of the measuring thread, in bytes. Searches recurse over lines of thousands of plies.
pub const STACK_SIZE: usize = 256 << 20;

fn main() -> ExitCode {
    match Arguments::read(std::env::args().skip(1)) {
        Ok(None) => {
            println!("{}", arguments::USAGE);
            ExitCode::SUCCESS
        }
        Ok(Some(arguments)) => {
            let measuring = thread::Builder::new().stack_size(STACK_SIZE).spawn(move || measure(&arguments));
            let result = measuring.map(thread::JoinHandle::join);
            match result {
                Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
                Ok(Ok(Err(fault))) => fail(&fault),
                Ok(Err(_)) => fail("the measurement broke down; its message is above."),
                Err(error) => fail(&format!("cannot start a thread with a stack of 256 MiB: {error}.")),
            }
        }
        Err(fault) => fail(&format!("{fault}\n\n{}", arguments::USAGE)),
    }
}

fn fail(fault: &str) -> ExitCode {
    eprintln!("tuning: {fault}");
    ExitCode::from(2)
}

fn measure(arguments: &Arguments) -> Result<(), String> {
    let sample = Sample::read(&arguments.file, arguments.every)?;
    println!("{}", sample.description());
    let nodes = arguments.nodes.unwrap_or(arguments.command.default_nodes());
    println!("at most {} nodes for each position\n", run::grouped(nodes));
    match arguments.command {
        Command::Race => race::measure(&sample, nodes),
        Command::Refute => refute::measure(&sample, nodes),
        Command::Threads => threads::measure(&sample, nodes),
        Command::Engines => engines::measure(&sample, nodes),
        Command::Selective => selective::measure(&sample, nodes),
    }
}
