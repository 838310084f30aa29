//! Zugzwang: what the standard null move cannot see ("Extended null-move reductions" 2008, figure 3 and table 7).
//!
//! In the paper's position one quiet pawn move mates in 15 and the other draws; two of its six programs find the mate,
//! NMR among them. Here every position is searched with each null move, without extensions, for any mate within the node
//! limit; most of `zugzwang.epd` are wins or draws and no mates that short. The repository's own `zugzwang_null.epd` follows.

use matesolve::chess::MateLength;
use matesolve::search::pvs::NullMove;

use super::run::{Run, grouped, run, selective};
use super::sets::{AGAINST_NULL, Folder, Problem, suite};

const NODES: u64 = 3_000_000;
/// Longer mates do not count.
const BOUND: MateLength = MateLength(20);

const COLUMNS: [(&str, NullMove); 6] = [
    ("no null", NullMove::None),
    ("Std R=1", NullMove::Standard { r: 1 }),
    ("Std R=2", NullMove::Standard { r: 2 }),
    ("Std R=3", NullMove::Standard { r: 3 }),
    ("Vrfd R=3", NullMove::VERIFIED),
    ("NMR", NullMove::NMR),
];

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

/// A row for every position in which some column finds a mate, and the sums.
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

fn cell(run: &Run) -> String {
    run.mate.map_or_else(|| "-".to_owned(), |length| format!("#{length} {}", grouped(run.nodes)))
}
