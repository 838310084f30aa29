//! Repeats the tables of the papers on which `pvs` is based, and prints them beside the originals.
//!
//! ```text
//! cargo bench --bench papers -- FOLDER [verified|reductions|zugzwang|duck …]
//! MATESOLVE_PAPERS=FOLDER cargo bench --bench papers
//! ```
//!
//! FOLDER holds the positions, which are not part of this repository:
//!
//! | file | content | used by |
//! |---|---|---|
//! | `matetrack-tune.epd` | lines `FEN bm #N;` | `verified`, `reductions` |
//! | `zugzwang.epd` | lines `FEN … id "…";` | `zugzwang` |
//! | `wac.epd` | Win at Chess, `id "WAC.001"` … | `duck` |
//!
//! The mates in 4 and 5 of the repository's own `problems/` are added to the first file. Without names all four tables
//! are printed. The checker replays every mate; a wrong mate ends the run. Node counts are exact: positions made by
//! playing a move, passes included.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

mod duck;
mod reductions;
mod run;
mod sets;
mod verified;
mod win_at_chess;
mod zugzwang;

use std::path::PathBuf;
use std::process::ExitCode;

/// The name of a table and the function that prints it.
type Table = (&'static str, fn(&sets::Folder) -> Result<(), String>);

const TABLES: [Table; 4] = [
    ("verified", verified::table),
    ("reductions", reductions::tables),
    ("zugzwang", zugzwang::table),
    ("duck", duck::table),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(folder) = std::env::var("MATESOLVE_PAPERS").ok().or_else(|| arguments.next()) else {
        println!("papers: nothing measured, because no folder was given. Use `cargo bench --bench papers -- FOLDER`.");
        return ExitCode::SUCCESS;
    };
    let folder = sets::Folder(PathBuf::from(folder));
    let wanted: Vec<String> = arguments.collect();
    for (name, table) in TABLES {
        if !wanted.is_empty() && !wanted.iter().any(|want| want == name) {
            continue;
        }
        if let Err(fault) = table(&folder) {
            eprintln!("papers: {fault}");
            return ExitCode::from(2);
        }
        println!();
    }
    ExitCode::SUCCESS
}
