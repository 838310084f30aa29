//! "Mate in 38" (Breuker, Allis & van den Herik 1994), table 1: proof-number search and alpha-beta search on Win at
//! Chess.
//!
//! PROVER, the paper's proof-number search, is compared with `prover` (the paper's form: a tree, leaves initialised
//! with mobility) and with `pn` (a graph). DUCK, the paper's alpha-beta program, is compared with `pvs`: without null
//! moves, as far as the paper says, with the default options, and with the options that the race uses. Each looks for a
//! first mate of any length.
//!
//! | | PROVER | DUCK | `prover` | `pvs` no null | `pn` | `pvs` verified |
//! |---|---|---|---|---|---|---|
//! | solved of 80 | 79 | 67 | 79 | 70 | 79 | 73 |
//! | solved by both of a pair | 66 | 66 | 69 | 69 | 72 | 72 |
//! | nodes on these | 696,109 | 4,461,174 | 1,030,455 | 1,781,542 | 1,043,912 | 2,395,344 |
//! | fewest nodes of the pair | 55 | 11 | 13 | 56 | 13 | 59 |
//! | solved alone | 13 | 1 | 10 | 1 | 7 | 1 |
//!
//! As in the paper, proof-number search solves more and needs fewer nodes. The one mate that only DUCK solved, WAC.105,
//! is again the one that only `pvs` solves. Unlike in the paper, `pvs` needs fewer nodes for most of the mates: it
//! makes few positions or none for the last two moves, while `prover` makes every child of every node
//! that it expands.

use matesolve_engine::chess::MateLength;
use matesolve_engine::search::papers::prover::TreeProver;
use matesolve_engine::search::pn::{Pn, PnOptions};
use matesolve_engine::search::pvs::{NullMove, Pvs, PvsOptions};
use matesolve_engine::search::{Engine, Region};

use super::run::{Run, grouped, run};
use super::sets::{Folder, Problem};
use super::win_at_chess::{BOTH, DUCK, PROVER};

/// The runs of two engines: one in the place of PROVER, one in the place of DUCK.
struct Comparison {
    /// The names of the two engines, with a slash between them.
    name: &'static str,
    prover: Vec<Run>,
    duck: Vec<Run>,
}

/// The node limit for a position, in the paper and here.
const NODES: u64 = 1_000_000;

/// Prints the table.
pub fn table(folder: &Folder) -> Result<(), String> {
    let all = folder.read("wac.epd")?;
    let mut problems = Vec::new();
    for number in BOTH.into_iter().chain(PROVER).chain(DUCK) {
        let id = format!("WAC.{number:03}");
        let found = all.iter().find(|problem| problem.id == id);
        problems.push(found.ok_or_else(|| format!("wac.epd has no line with id \"{id}\"; add it."))?.clone());
    }
    let duck = PvsOptions { null: NullMove::None, ..PvsOptions::default() };
    let pvs = |options| column(&problems, |_| Box::new(Pvs::new(options)));
    let tree = column(&problems, |_| Box::new(TreeProver::default()));
    let dag = column(&problems, |region| Box::new(Pn::new(PnOptions { depth_weight: 0 }, region)));
    let (duck, lane, verified) = (pvs(duck), pvs(PvsOptions::LANE), pvs(PvsOptions::default()));
    println!(
        "Mate in 38 (1994), table 1: Win at Chess, the {} mates of its list, {} nodes",
        problems.len(),
        grouped(NODES)
    );
    paper();
    for comparison in [
        Comparison { name: "prover / pvs no null", prover: tree, duck: duck.clone() },
        Comparison { name: "pn / pvs no null", prover: dag.clone(), duck },
        Comparison { name: "pn / pvs verified", prover: dag.clone(), duck: verified },
        Comparison { name: "pn / pvs lane", prover: dag, duck: lane },
    ] {
        comparison.print(&problems);
    }
    Ok(())
}

/// Runs an engine on all problems.
fn column(problems: &[Problem], engine: impl for<'r> Fn(&'r Region) -> Box<dyn Engine + 'r>) -> Vec<Run> {
    let mut region = Region::default();
    let run = |problem| {
        region.reset();
        run(problem, &mut *engine(&region), MateLength::MAX, NODES)
    };
    problems.iter().map(run).collect()
}

/// Prints a line with the value of PROVER and the value of DUCK.
fn line(what: &str, prover: &str, duck: &str) {
    println!("{what:<44}{prover:>16}{duck:>16}");
}

/// Prints the numbers of the paper.
fn paper() {
    line("paper", "PROVER", "DUCK");
    line("solved of 80", "79", "67");
    line("total nodes on the 66 both solved", "696,109", "4,461,174");
    line("average nodes", "10,547", "67,593");
    line("fewest nodes", "55", "11");
    line("PROVER's best", "271", "331,404");
    line("DUCK's best", "2,355", "311");
    line("average where only PROVER solved (13)", "305,912", ">1,000,000");
    line("average where only DUCK solved (1)", ">1,000,000", "777,182");
}

impl Comparison {
    /// Prints the rows of the paper for the two engines.
    fn print(&self, problems: &[Problem]) {
        let (left, right) = self.name.split_once(" / ").unwrap_or((self.name, ""));
        println!();
        line("here", left, right);
        let solved = |runs: &[Run]| runs.iter().filter(|run| run.mate.is_some()).count().to_string();
        line(&format!("solved of {}", problems.len()), &solved(&self.prover), &solved(&self.duck));
        let pairs: Vec<(&Run, &Run)> = self.prover.iter().zip(&self.duck).collect();
        let both: Vec<_> = pairs.iter().filter(|(p, d)| p.mate.is_some() && d.mate.is_some()).copied().collect();
        let sum = |of: fn(&(&Run, &Run)) -> u64| both.iter().map(of).sum::<u64>();
        let (p, d) = (sum(|pair| pair.0.nodes), sum(|pair| pair.1.nodes));
        let count = both.len().max(1) as u64;
        line(&format!("total nodes on the {} both solved", both.len()), &grouped(p), &grouped(d));
        line("average nodes", &grouped(p / count), &grouped(d / count));
        let wins = both.iter().filter(|(p, d)| p.nodes < d.nodes).count();
        line("fewest nodes", &wins.to_string(), &(both.len() - wins).to_string());
        let ratio = |pair: &&(&Run, &Run)| pair.0.nodes as f64 / pair.1.nodes.max(1) as f64;
        let best = both.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let worst = both.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        for (what, pair) in [("PROVER's best", best), ("DUCK's best", worst)] {
            if let Some((p, d)) = pair {
                line(what, &grouped(p.nodes), &grouped(d.nodes));
            }
        }
        Comparison::print_solved_alone("PROVER", problems, &self.prover, &self.duck);
        Comparison::print_solved_alone("DUCK", problems, &self.duck, &self.prover);
    }

    /// Prints the problems that `solver` solved and `other` did not.
    fn print_solved_alone(program: &str, problems: &[Problem], solver: &[Run], other: &[Run]) {
        let pairs = problems.iter().zip(solver.iter().zip(other));
        let only: Vec<_> = pairs.filter(|(_, (a, b))| a.mate.is_some() && b.mate.is_none()).collect();
        let nodes: u64 = only.iter().map(|(_, (run, _))| run.nodes).sum();
        let average = grouped(nodes / only.len().max(1) as u64);
        let ids: Vec<&str> = only.iter().map(|(problem, _)| problem.id.trim_start_matches("WAC.")).collect();
        let limit = format!(">{}", grouped(NODES));
        let what = format!("average where only {program} solved ({})", only.len());
        if program == "PROVER" {
            line(&what, &average, &limit);
        } else {
            line(&what, &limit, &average);
        }
        println!("    {}", ids.join(", "));
    }
}
