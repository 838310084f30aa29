//! "Extended null-move reductions" (David-Tabibi & Netanyahu 2008), tables 2 to 5: R and DR.
//!
//! The paper counts nodes at fixed depth (table 2) and positions of the Encyclopedia of Chess Middlegames solved in five
//! seconds (tables 3 to 5, 879 positions). Here: mates in 4 and 5, at fixed depth and with a node limit. A reduction that is
//! never a cut can be outwaited, so with a node limit the iterations go on beyond the depth of the mate.

use matesolve::chess::MateLength;
use matesolve::search::pvs::{NullMove, Pvs};

use super::run::{Run, at_depth, grouped, run, selective, totals};
use super::sets::{Folder, Problem};

/// For the comparison at fixed depth: a limit that only the search without null moves reaches.
const ENOUGH: u64 = 20_000_000;
/// The node limit that stands for the paper's five seconds.
const NODES: u64 = 300_000;

const fn nmr(shallow: u8, deep: u8, dr: u8) -> NullMove {
    NullMove::Nmr { shallow, deep, dr }
}

/// Name, null move, the paper's ECM positions solved, and its nodes at fixed depth.
const ROWS: [(&str, NullMove, &str, &str); 12] = [
    ("no null move", NullMove::None, "", ""),
    ("Std R=1", NullMove::Standard { r: 1 }, "", "42,248,908"),
    ("Std R=2", NullMove::Standard { r: 2 }, "627", "21,554,578"),
    ("Std R=3", NullMove::Standard { r: 3 }, "635", "11,510,995"),
    ("Std R=4", NullMove::Standard { r: 4 }, "632", "8,254,261"),
    ("Adpt R=3~4", NullMove::Adaptive { shallow: 3, deep: 4 }, "637", ""),
    ("NMR R=4", nmr(4, 4, 4), "640", ""),
    ("NMR R=3~4 DR=4", NullMove::NMR, "644", "8,606,334"),
    ("NMR R=3~4 DR=3", nmr(3, 4, 3), "638", ""),
    ("NMR R=3~4 DR=2", nmr(3, 4, 2), "641", ""),
    ("NMR R=3~4 DR=1", nmr(3, 4, 1), "633", ""),
    ("Vrfd R=3", NullMove::VERIFIED, "", ""),
];

pub fn tables(folder: &Folder) -> Result<(), String> {
    let sets = [(4, folder.mates_in(4)?), (5, folder.mates_in(5)?)];
    println!("Extended null-move reductions (2008), tables 2 to 5: R and DR");
    println!("paper: ECM solved of 879 in 5 s, and nodes of six positions at fixed depth");
    println!("here: mates solved and nodes, at 2n plies and with {} nodes a position", grouped(NODES));
    print!("{:<16}{:>8}{:>14}", "", "paper", "paper nodes");
    for (n, problems) in &sets {
        let at = format!("{} #{n} at {} plies", problems.len(), 2 * n);
        print!("{at:>24}{:>24}", format!("#{n} with limit"));
    }
    println!();
    for (name, null, solved, nodes) in ROWS {
        print!("{name:<16}{solved:>8}{nodes:>14}");
        for (n, problems) in &sets {
            print!("{:>24}", cell(problems, *n, ENOUGH, || at_depth(null, 2 * n)));
            print!("{:>24}", cell(problems, *n, NODES, || selective(null)));
        }
        println!();
    }
    Ok(())
}

fn cell(problems: &[Problem], n: u16, nodes: u64, engine: impl Fn() -> Pvs) -> String {
    let runs: Vec<Run> = problems.iter().map(|problem| run(problem, &mut engine(), MateLength(n), nodes)).collect();
    let (solved, nodes) = totals(&runs);
    format!("{solved} / {}", grouped(nodes))
}
