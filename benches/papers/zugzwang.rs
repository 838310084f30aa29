//! Zugzwang, the weakness of the standard null move ("Extended null-move reductions" 2008, figure 3 and table 7).
//!
//! In the paper's position one quiet pawn move mates in 15 and the other draws. Two of its six programs announce the
//! mate: Shredder at depth 31 and Falcon (NMR) at depth 30. Junior, Fritz, Hiarcs and Crafty see 0.00 at depths up to
//! 62.
//!
//! Here every position is searched with each null move, without extensions, for any mate within the node limit. Most
//! positions of `zugzwang.epd` are wins or draws without a short mate. Two suites of the repository follow:
//! `zugzwang_null.epd`, short mates that depend on one zugzwang, and `zugzwang_pawns.epd`, composed like the paper's
//! figure. With 3,000,000 nodes a position:
//!
//! | mates found | no null | standard R = 1 | R = 2 | R = 3 | verified R = 3 | NMR |
//! |---|---|---|---|---|---|---|
//! | `zugzwang.epd`, 37 positions | 10 | 7 | 6 | 6 | 9 | 10 |
//! | `zugzwang_null.epd`, 15 mates in 4 | 15 | 0 | 0 | 0 | 15 | 15 |
//! | `zugzwang_pawns.epd`, 9 mates in 8 to 15 | 7 | 0 | 0 | 0 | 1 | 5 |
//!
//! The positions of the last suite, with the nodes to the shortest mate:
//!
//! | | no null | standard R = 1, 2, 3 | verified R = 3 | NMR |
//! |---|---|---|---|---|
//! | 01, 1.f4 #8 | 4,959 | - | - | 20,901 |
//! | 02, 1.f3 #9 | 7,673 | - | - | 53,118 |
//! | 03, 1.g3 #10 | 9,796 | - | - | 62,034 |
//! | 04, 1.h3 #11 | 77,478 | - | - | 498,114 |
//! | 05, 1.g4 #12 | 705,061 | - | 600,526 | 614,569 |
//! | 06, 1.h3 #13 | 605,767 | - | - | - |
//! | 07, 1.g3 #14 | 1,982,815 | - | - | - |
//! | 08, 1.h3 #15 | - | - | - | - |
//! | 09, 1.g3 #15 (a pawn ending) | - | - | - | - |
//!
//! The paper's claim is confirmed: the standard null move finds none of these mates, even with 20,000,000 nodes, and
//! NMR finds them. The paper does not mention the price: where every move of Black is zugzwang, NMR needs four to seven
//! times the nodes of no null move. Within the limit no column solves the paper's own position, ZPTS.24. Verification
//! helps with single zugzwangs only: below its first fail-high a second one cuts, and it finds one of these nine mates.

use matesolve_engine::chess::MateLength;
use matesolve_engine::search::pvs::NullMove;

use super::run::{Run, grouped, run, selective};
use super::sets::{AGAINST_NULL, Folder, Problem, suite};

/// The node limit for a position.
const NODES: u64 = 3_000_000;
/// The longest mate to look for, where the file states no length.
const BOUND: MateLength = MateLength(20);

const COLUMNS: [(&str, NullMove); 6] = [
    ("no null", NullMove::None),
    ("Std R=1", NullMove::Standard { r: 1 }),
    ("Std R=2", NullMove::Standard { r: 2 }),
    ("Std R=3", NullMove::Standard { r: 3 }),
    ("Vrfd R=3", NullMove::VERIFIED),
    ("NMR", NullMove::NMR),
];

/// Prints the table.
pub fn table(folder: &Folder) -> Result<(), String> {
    println!("Zugzwang: length of the mate found within {} nodes, and nodes", grouped(NODES));
    print!("{:<22}", "");
    for (name, _) in COLUMNS {
        print!("{name:>16}");
    }
    println!();
    rows("zugzwang.epd", &folder.read("zugzwang.epd")?);
    for name in AGAINST_NULL {
        rows(name, &suite(name)?);
    }
    Ok(())
}

/// Prints a row for every position in which at least one column finds a mate, and a row with the numbers of mates.
fn rows(name: &str, problems: &[Problem]) {
    let mut solved = [0; COLUMNS.len()];
    for problem in problems {
        let bound = problem.mate_in.map_or(BOUND, MateLength);
        let runs = COLUMNS.map(|(_, null)| run(problem, &mut selective(null), bound, NODES));
        for (count, run) in solved.iter_mut().zip(&runs) {
            *count += usize::from(run.mate.is_some());
        }
        if runs.iter().any(|run| run.mate.is_some()) {
            print!("{:<22}", problem.id);
            for run in &runs {
                print!("{:>16}", cell(run));
            }
            println!();
        }
    }
    print!("{:<22}", format!("{name}, {}", problems.len()));
    for count in solved {
        print!("{count:>16}");
    }
    println!();
}

/// Formats the length and the nodes of a run.
fn cell(run: &Run) -> String {
    run.mate.map_or_else(|| "-".to_owned(), |length| format!("#{length} {}", grouped(run.nodes)))
}
