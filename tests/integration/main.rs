//! Tests of the program: they run the binary and examine its output and its exit codes.
//!
//! | file | content |
//! |---|---|
//! | `cli` | one position: options, messages, exit codes, interruption |
//! | `any_length` | helpmates without a length: the four answers |
//! | `pasted` | positions as people paste them, and words that are no position |
//! | `audit` | published solutions: right, wrong, and written anew |
//! | `batch` | files of problems: order, formats, limits |
//! | `beside` | solutions beside positions, in the layouts of published lists |
//! | `memory` | the memory that is taken, at most what was asked for and what there is |
//! | `compare` | two runs side by side, tables of results, the progress on a terminal |
//! | `terminal` | what a person sees on terminals of several widths |
//! | `split` | one problem in parts, and the report that their results give |
//! | `runs`, `merge` | long batches: continued, shared among machines, put together |
//! | `olv` | `.olv` collections as input of a batch |
//! | `other_questions` | the question that is answered is the one that was asked, in every reader |
//! | `diagram` | diagrams as pictures |
//! | `book` | the manual in `docs/`: its pages, links and settings |
//! | `docs` | the files that `docs/architecture.md` names |
//! | `examples` | the programs in `examples/` |
//! | `help` | help, manual pages, and completions in bash, fish and zsh |
//! | `schema` | checks objects by the JSON Schemas |
//! | `json` | the result object and its schema |
//! | `first_moves` | first moves of selfmates and reflex mates: lists, checks, reports, certificates |
//! | `formats` | reports in Popeye's layout, as `.olv` collections and as a page |
//! | `popeye` | Popeye's input language, its options and its layout |
//! | `goal_reports` | reports on selfmates, reflex mates and stalemates in every format |
//! | `puzzles` | puzzle databases: verdicts against a brute force, resume, shards, broken lines |
//! | `report` | the composer's report and its schema |
//! | `refuted` | what a report shows of a diagram or a first move that fails |
//! | `inputs` | files of every kind in batches and reports |
//! | `garbage` | input that is not a problem |
//! | `faults` | full disks, closed outputs, inputs that end early |
//! | `forged` | names and texts that try to look like output |
//! | `uci`, `gui` | the UCI engine, and a stand-in for a chess program that tests it |
//! | `verify` | correct and altered certificates and results |
//! | `readme` | every example in README.md and `docs/` |
//! | `recipes` | every command of `docs/recipes.md` |
//! | `begins` | help play in which the other side begins |
//! | `goals` | stalemates, selfmates and reflex mates in every command |
//! | `helped`, `helped_reports` | help play, and reports on it |
//! | `latex` | documents for `pdflatex` |
//! | `workbench` | versions, mends, twins and what could stand before the key |

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]
// snapbox writes expected texts in this form.
#![allow(clippy::needless_raw_string_hashes)]

mod any_length;
mod audit;
mod batch;
mod begins;
mod beside;
mod book;
mod cli;
mod compare;
mod diagram;
mod docs;
mod examples;
mod faults;
mod first_moves;
mod forged;
mod formats;
mod garbage;
mod goal_reports;
mod goals;
mod gui;
mod help;
mod helped;
mod helped_reports;
mod inputs;
mod json;
mod latex;
mod memory;
mod merge;
mod olv;
mod other_questions;
mod pasted;
mod popeye;
mod puzzles;
mod readme;
mod recipes;
mod refuted;
mod report;
mod runs;
mod schema;
mod split;
mod terminal;
mod uci;
mod util;
mod verify;
mod workbench;
