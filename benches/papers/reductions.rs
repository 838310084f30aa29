//! "Extended null-move reductions" (David-Tabibi & Netanyahu 2008), tables 2 to 5: values of R and DR.
//!
//! The paper counts nodes at fixed depth (table 2), and positions of the Encyclopedia of Chess Middlegames (ECM, 879
//! positions) solved in five seconds (tables 3 to 5). Here the positions are mates in 4 and 5, at fixed depth and with
//! a node limit. A reduction that never cuts can be made up for by more depth, so with a node limit the iterations go
//! on beyond the depth of the mate.
//!
//! | solved, and nodes | paper: ECM | paper: nodes | 57 #4, 8 plies | 57 #4, 300,000 nodes | 116 #5, 10 plies | 116 #5, 300,000 nodes |
//! |---|---|---|---|---|---|---|
//! | no null move | | | 57, 840,189 | 57, 840,189 | 116, 27,204,527 | 90, 16,204,843 |
//! | standard R = 1 | | 42,248,908 | 48, 943,342 | 48, 945,451 | 85, 19,248,503 | 75, 15,872,520 |
//! | R = 2 | 627 | 21,554,578 | 38, 597,492 | 48, 982,014 | 68, 8,499,433 | 73, 14,919,635 |
//! | R = 3 | 635 | 11,510,995 | 38, 556,304 | 48, 977,343 | 68, 7,076,028 | 75, 14,530,318 |
//! | R = 4 | 632 | 8,254,261 | 26, 463,741 | 48, 979,694 | 50, 4,930,493 | 75, 14,515,818 |
//! | adaptive R = 3 ~ 4 | 637 | | 26, 463,741 | 48, 980,188 | 50, 4,930,641 | 75, 14,534,795 |
//! | NMR R = 4, DR = 4 | 640 | | 26, 465,345 | 57, 1,050,790 | 50, 5,151,119 | 89, 14,210,299 |
//! | NMR R = 3 ~ 4, DR = 4 | 644 | 8,606,334 | 26, 465,345 | 57, 1,050,767 | 50, 5,151,278 | 89, 14,230,914 |
//! | DR = 3 | 638 | | 26, 507,020 | 57, 859,657 | 53, 6,009,161 | 96, 13,116,025 |
//! | DR = 2 | 641 | | 26, 551,634 | 57, 919,791 | 54, 7,003,606 | 91, 13,692,370 |
//! | DR = 1 | 633 | | 57, 858,792 | 57, 858,792 | 84, 19,221,462 | 90, 15,287,209 |
//! | verified R = 3 | | | 57, 875,552 | 57, 875,552 | 88, 18,521,496 | 78, 16,333,015 |
//!
//! As in the paper, the nodes at fixed depth fall as R grows. NMR costs little more than the standard null move with
//! the same R, and with a node limit it solves more than any of them. Unlike in the paper, the best DR is 3 and not 4.
//! At fixed depth NMR with DR = 4 loses as many mates as the standard null move does. With a node limit a search
//! without null moves solves as many as NMR.

use matesolve_engine::chess::MateLength;
use matesolve_engine::search::pvs::{NullMove, Pvs};

use super::run::{Run, at_depth, grouped, run, selective, totals};
use super::sets::{Folder, Problem};

/// The node limit at fixed depth. Only the search without null moves reaches it.
const ENOUGH: u64 = 20_000_000;
/// The node limit in place of the paper's five seconds.
const NODES: u64 = 300_000;

const fn nmr(shallow: u8, deep: u8, dr: u8) -> NullMove {
    NullMove::Nmr { shallow, deep, dr }
}

/// The rows: name, null move, and from the paper the number of ECM positions solved and the nodes at fixed depth.
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

/// Prints the table.
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

/// Runs an engine on all problems. Returns the number solved and the nodes.
fn cell(problems: &[Problem], n: u16, nodes: u64, engine: impl Fn() -> Pvs) -> String {
    let runs: Vec<Run> = problems.iter().map(|problem| run(problem, &mut engine(), MateLength(n), nodes)).collect();
    let (solved, nodes) = totals(&runs);
    format!("{solved} / {}", grouped(nodes))
}
