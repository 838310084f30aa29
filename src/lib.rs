//! A chess mate solver: finds forced mates, proves that they are the shortest, and checks every proof before it is
//! published.
//!
//! Start with [`Solver`]. It takes a [`Problem`] and returns a [`Solution`] or a [`Report`]. The program `matesolve`
//! is the module `cli`; its manual is `README.md` and the book in `docs/`.
//!
//! # A mate
//!
//! ```
//! use matesolve::{Problem, Solver};
//!
//! // D. G. Prinz, Research 1952: the first problem that a computer solved.
//! let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -")?;
//! let solution = Solver::new().nodes(1_000_000).solve(&problem);
//! assert_eq!(solution.result.mate_in, Some(2));
//! assert!(solution.result.proved_shortest);
//! assert_eq!(solution.result.pv_san.as_deref(), Some("1. Rh6 Ba2 2. Rxh7#"));
//! # Ok::<(), matesolve::problem::ProblemError>(())
//! ```
//!
//! # A report
//!
//! ```
//! use matesolve::results::report::{ReportOptions, Soundness};
//! use matesolve::{Problem, Solver};
//!
//! let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;")?;
//! let options = ReportOptions::default().with(|options| options.set_play = true);
//! let report = Solver::new().report(&problem, options);
//! assert_eq!(report.verdict.soundness, Soundness::Sound);
//! assert_eq!(report.keys[0].ply.san, "Rh6");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A batch
//!
//! ```
//! use matesolve::Solver;
//!
//! let epd = "5Kbk/6pp/6P1/8/8/8/8/7R w - - id \"Prinz\";\n7k/8/8/8/8/8/8/8 w - -\n";
//! Solver::new().nodes(100_000).batch(epd.as_bytes(), 2, |solution| {
//!     match (&solution.error, solution.result.mate_in) {
//!         (Some(why), _) => println!("{why}"), // the second line: White has no king
//!         (None, Some(moves)) => println!("mate in {moves}"),
//!         (None, None) => println!("no mate found"),
//!     }
//!     Ok(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Promises
//!
//! 1. Every published forced mate has a proof tree that the checker has replayed ([`proof::Verified`]), and every line
//!    of help play was replayed. The checker runs no code of the searches.
//! 2. "Shortest" and "no mate" come from full-width refutations, or an answer says "with tables". A limit that is
//!    reached before the answer is proved gives "undecided".
//! 3. With one thread, a node limit and no time limit, two runs give the same answer.
//! 4. A search stays within its limits of time, nodes, threads and memory.
//! 5. Bad input gives a sentence that says what is wrong. It never causes a panic.
//!
//! # Modules
//!
//! A module uses only modules above it in this table (`docs/architecture.md` shows how they fit together). The modules
//! without a link are internal.
//!
//! | module | what it holds |
//! |---|---|
//! | `base` | the clock ([`clock`]), memory, threads, printable text and others, mostly from the crates below |
//! | [`terms`] | the words of a problem: sides, goals, stipulations, mate lengths |
//! | `chess` | positions and moves |
//! | [`proof`] | bounds, proof trees, the checker, certificates |
//! | `search` | the search engines behind one trait, the facts they share, and their limits |
//! | [`problem`] | reads problems: positions, tables, collections, whole files |
//! | [`published`] | reads published solutions and the remarks of collections |
//! | [`results`] | the results as data: solution and report |
//! | `themes` | compares the phases of a report and names its themes |
//! | [`output`] | turns results into text |
//! | [`solve`] | solves one problem: search, check, solution |
//! | [`report`] | makes the composer's report: all keys, tries, set play, the solution tree, the verdict |
//! | [`certify`] | makes certificates of what `solve` and `report` have found |
//! | [`audit`] | compares published solutions with reports |
//! | [`workbench`] | changes diagrams: versions of an unsound problem, twins, what each man is for |
//! | `verify` | checks files of results |
//! | `split` | divides one problem into parts, and puts their answers together |
//! | `batch` | solves many problems and returns the solutions in order |
//! | `puzzles` | certifies puzzle databases |
//! | `compare` | sets two runs side by side |
//! | `uci` | the UCI protocol, for chess programs |
//! | `bench` | solves fixed problems to measure nodes and speed |
//! | `solver` | [`Solver`], the simple interface to all of these |
//! | `cli` | the command line |
//!
//! Who watches a search gets an [`Event`] for each mate and each refuted length ([`Observer`]). The engines themselves
//! are in the crate `matesolve_engine`, for tests and measurements; they may change with every version.
//!
//! # Features
//!
//! The feature `cli`, which is on by default, adds what needs an operating system: the program with its modules `cli`,
//! `batch`, `bench`, `compare`, `puzzles`, `split` and `uci`, `Solver::batch`, files, Syzygy, and the pools of threads.
//! Without default features the crate is a library that also builds for `wasm32-unknown-unknown`. There,
//! searches run on the calling thread and the host supplies the clock ([`clock`]).

#![deny(clippy::expect_used)]

pub mod audit;
mod base;
pub mod certify;
pub mod report;
pub mod solve;
mod solver;
#[doc(hidden)]
pub mod verify;
pub mod workbench;

/// The program, which needs an operating system. Its modules stand beside the others, as `crate::cli` and so on.
#[cfg(feature = "cli")]
#[path = ""]
mod program {
    pub(crate) mod batch;
    pub(crate) mod bench;
    #[doc(hidden)]
    pub mod cli;
    pub(crate) mod compare;
    pub(crate) mod puzzles;
    pub(crate) mod split;
    pub(crate) mod uci;
}
#[cfg(feature = "cli")]
pub use program::*;

pub use matesolve_engine::base::clock;
#[doc(hidden)]
pub use matesolve_engine::base::threads;
pub(crate) use matesolve_engine::{chess, search};
pub use matesolve_problem::{problem, published};
pub use matesolve_proof as proof;
pub(crate) use matesolve_results::themes;
pub use matesolve_results::{output, results};
pub use matesolve_terms as terms;
pub use problem::Problem;
pub use results::{Report, Solution};
pub use search::{Event, Observer, Silent, syzygy};
pub use shakmaty;
pub use solver::{Solver, StopHandle};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
