//! "Verified null-move pruning" (David-Tabibi & Netanyahu 2002), table 6: mates solved at fixed depth.
//!
//! The paper's 434 mates in 4 and 353 mates in 5 (Chess Analysis Project) are not public. What can be compared is the
//! share of the mates that each null move loses. The paper gives node counts for other sets only.
//!
//! | solved, and nodes | standard R = 1 | R = 2 | R = 3 | verified R = 3 | no null move |
//! |---|---|---|---|---|---|
//! | paper: 434 mates in 4, 8 plies | 99.8 % | 88.7 % | 87.3 % | 99.3 % | |
//! | here: 57 mates in 4, 8 plies | 84.2 % | 66.7 % | 66.7 % | 100.0 % | 100.0 % |
//! | | 943,342 | 597,492 | 556,304 | 875,552 | 840,189 |
//! | paper: 353 mates in 5, 10 plies | 98.3 % | 82.7 % | 81.0 % | 96.3 % | |
//! | here: 116 mates in 5, 10 plies | 73.3 % | 58.6 % | 58.6 % | 75.9 % | 100.0 % |
//! | | 19,248,503 | 8,499,433 | 7,076,028 | 18,521,496 | 27,204,527 |
//!
//! As in the paper, the standard null move loses more mates as R grows, and the verified one loses the fewest. All lose
//! more than in the paper, because compositions are full of quiet keys and zugzwangs.

use matesolve_engine::chess::MateLength;
use matesolve_engine::search::pvs::NullMove;

use super::run::{Run, at_depth, grouped, run, totals};
use super::sets::Folder;

/// The node limit. Only the search without null moves reaches it.
const NODES: u64 = 20_000_000;

const COLUMNS: [(&str, NullMove); 5] = [
    ("Std R=1", NullMove::Standard { r: 1 }),
    ("Std R=2", NullMove::Standard { r: 2 }),
    ("Std R=3", NullMove::Standard { r: 3 }),
    ("Vrfd R=3", NullMove::VERIFIED),
    ("no null", NullMove::None),
];

/// The paper's rows: mate length, positions, solved by standard R = 1, 2, 3 and verified R = 3.
const PAPER: [(u16, usize, [usize; 4]); 2] = [(4, 434, [433, 385, 379, 431]), (5, 353, [347, 292, 286, 340])];

/// Prints the table.
pub fn table(folder: &Folder) -> Result<(), String> {
    println!("Verified null-move pruning (2002), table 6: mates solved at fixed depth, and nodes");
    print!("{:<34}", "");
    for (name, _) in COLUMNS {
        print!("{name:>16}");
    }
    println!();
    for (n, positions, solved) in PAPER {
        let plies = 2 * n;
        print!("{:<34}", format!("paper: mate in {n}, {plies} plies, {positions}"));
        for count in solved {
            print!("{:>16}", share(count, positions));
        }
        println!();
        let problems = folder.mates_in(n)?;
        let columns: Vec<Vec<Run>> = COLUMNS
            .iter()
            .map(|(_, null)| {
                let search = |problem| run(problem, &mut at_depth(*null, plies), MateLength(n), NODES);
                problems.iter().map(search).collect()
            })
            .collect();
        print!("{:<34}", format!("here:  mate in {n}, {plies} plies, {}", problems.len()));
        for runs in &columns {
            print!("{:>16}", share(totals(runs).0, problems.len()));
        }
        print!("\n{:<34}", "       nodes");
        for runs in &columns {
            print!("{:>16}", grouped(totals(runs).1));
        }
        println!();
    }
    Ok(())
}

/// Formats a number with its share of a total.
fn share(count: usize, of: usize) -> String {
    format!("{count} ({:.1} %)", 100.0 * count as f64 / of.max(1) as f64)
}
