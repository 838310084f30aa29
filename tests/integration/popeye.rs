//! `matesolve popeye`: inputs in Popeye's language, and the solutions as Popeye prints them.
//!
//! `problems/popeye/` holds inputs and the outputs that were checked by hand. When an output changes on purpose,
//! `SNAPSHOTS=overwrite cargo test --test integration popeye` writes the new ones.
//!
//! Given a folder with inputs (`NAME.inp`) and what Popeye printed for them (`NAME.out`), the trees are compared:
//!
//! ```text
//! POPEYE_RUNS=DIR cargo test --test integration popeye -- --ignored --nocapture
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use snapbox::{Data, assert_data_eq};

use crate::util::{matesolve, run, run_with_input};

/// Returns the inputs of a folder, sorted by name.
fn inputs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "inp"));
    paths.sort();
    paths
}

#[test]
fn the_inputs_of_the_suite_have_their_outputs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/popeye");
    let inputs = inputs(&folder);
    assert!(inputs.len() >= 4, "{inputs:?}");
    for input in inputs {
        let run = run(&["popeye", "-regression", input.to_str().unwrap()]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(!run.out.contains('\r'), "line ends are not compared below");
        assert_data_eq!(run.out, Data::read_from(&input.with_extension("out"), None).raw());
    }
}

const PRINZ: &str = "BeginProblem\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStipulation #2\nOption NoBoard Variation\n";

#[test]
fn it_takes_the_arguments_of_popeyes_callers() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{PRINZ}EndProblem\n")).unwrap();
    let name = file.path().to_str().unwrap();
    let run = run(&["popeye", "-maxmem", "64M", "-maxtime", "60", "-heartbeat", "5", "-nogreek", name]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(lines[0].starts_with("matesolve ") && lines[0].ends_with("(64 MB)"), "{}", run.out);
    assert_eq!(lines[1..3], ["", "   1.Rh1-h6 ! zugzwang."]);
    assert!(run.out.trim_end().lines().last().unwrap().starts_with("solution finished. Time = 0."), "{}", run.out);
    let piped = run_with_input(&["popeye", "-regression"], format!("{PRINZ}EndProblem\n"));
    assert!(piped.out.starts_with("\n   1.Rh1-h6 ! zugzwang.\n"), "{}", piped.out);
    assert!(piped.out.ends_with("\n\nsolution finished. Time = -\n\n\n"), "{}", piped.out);
}

#[test]
fn a_solution_that_a_limit_cuts_short_is_partial() {
    let text = "BeginProblem Forsyth rsbqkbsr/pppppppp/32/PPPPPPPP/RSBQKBSR Stipulation #9 EndProblem";
    let run = run_with_input(&["popeye", "-maxtime", "1"], text);
    assert!(run.code == 0 && run.out.contains("\nPartial solution Time = "), "{}", run.out);
}

#[test]
fn a_solution_without_a_refused_phase_is_partial() {
    let text = "BeginProblem\nPieces White Kf8 Rg2 Pg6 Black Kh8 Pg7 Ph7\nStipulation #2\n\
                Twin Add White Rh5 Remove h7\nEndProblem\n";
    let run = run_with_input(&["popeye", "-regression"], text);
    assert!(run.out.contains("White is to move and could take the king on h8 (from h5)"), "{}", run.out);
    assert!(run.out.ends_with("\nPartial solution Time = -\n\n\n"), "{}", run.out);
}

#[test]
fn the_end_says_that_restrictions_are_not_applied() {
    let restricted =
        |options: &str| run_with_input(&["popeye", "-regression"], format!("{PRINZ}Option {options}\nEndProblem\n"));
    let one = restricted("MaxFlightSquares 0").out;
    let sentence = "\n{MaxFlightSquares 0 is not applied: this is the solution with all moves of both sides}\n";
    assert!(one.contains(&format!("{sentence}\nsolution finished. Time = -")), "{one}");
    assert!(one.contains("1.Rh1-h6 ! zugzwang."), "{one}");
    let all = restricted("Threat 1 NonTrivial 2 3").out;
    assert!(all.contains("\n{Threat 1 and NonTrivial 2 3 are not applied: "), "{all}");
    let none = restricted("NoThreat").out;
    assert!(!none.contains("not applied"), "{none}");
}

#[cfg(unix)]
#[test]
fn a_link_with_the_name_of_popeye_acts_as_popeye() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("popeye");
    std::os::unix::fs::symlink(matesolve().get_program(), &link).unwrap();
    let input = folder.path().join("input");
    std::fs::write(&input, format!("{PRINZ}EndProblem\n")).unwrap();
    let output = std::process::Command::new(link).args(["-maxmem", "16M"]).arg(input).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("   1.Rh1-h6 ! zugzwang.\n"), "{text}");
}

#[test]
fn other_inputs_get_a_sentence() {
    let garbage: Vec<u8> = (0..10_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let run = run_with_input(&["popeye"], garbage);
    assert_eq!((run.code, run.out.as_str(), run.err.lines().count()), (3, "", 1), "{}", run.err);
    assert!(run.err.contains("standard input: the input is not a text"), "{}", run.err);
    let unknown = run_with_input(&["popeye"], format!("{PRINZ}Stpulation #3\nEndProblem\n"));
    assert!(unknown.out.contains("line 5, column 1: \"Stpulation\" is no option and no command"), "{}", unknown.out);
    assert!(unknown.out.contains("Stipulation") && unknown.code == 0, "{}", unknown.out);
    assert_eq!(unknown.err, "matesolve: standard input: not solved: 1; the output says why in the place of each\n");
    assert!(run_with_input(&["popeye"], "5Kbk/6pp/6P1/8/8/8/8/7R w - -").err.contains("BeginProblem"));
    let missing = crate::util::run(&["popeye", "no/such/file"]);
    assert!(missing.code == 2 && missing.err.contains("no/such/file"), "{}", missing.err);
}

/// Returns the lines of a solution with the lines above them in the tree, and the words of its end.
pub fn tree(text: &str) -> (BTreeSet<Vec<String>>, String) {
    let (mut found, mut stack, mut root, mut end) = (BTreeSet::new(), Vec::new(), String::new(), String::new());
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        let words = || line.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_heading = line.trim_start_matches('+').starts_with(|c: char| c.is_ascii_lowercase())
            && line.split(')').next().is_some_and(|name| name.len() <= 4)
            && line.contains(')');
        let trimmed = line.trim_start();
        let is_move = trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.')
            && trimmed.starts_with(|c: char| c.is_ascii_digit());
        if is_heading {
            root = words();
            stack.clear();
            found.insert(vec![root.clone()]);
        } else if ["solution finished", "partial solution"].iter().any(|it| trimmed.to_lowercase().starts_with(it)) {
            trimmed.split(['.', 'T']).next().unwrap_or_default().trim().clone_into(&mut end);
        } else if is_move || ["but", "threat:", "zugzwang."].contains(&trimmed) {
            let indent = line.len() - trimmed.len();
            stack.retain(|(above, _): &(usize, String)| *above < indent);
            stack.push((indent, words()));
            let path = stack.iter().map(|(_, words)| words.clone());
            found.insert(std::iter::once(root.clone()).chain(path).collect());
        }
    }
    (found, end)
}

#[test]
fn trees_are_compared_whatever_the_order_of_lines() {
    let play = "   1.a1-a2 ! threat:\n          2.a2-a3 #\n      1...b1-b2\n          2.a2-b2 #\n";
    let one = &format!("a) \n\n{play}\nsolution finished. Time");
    let other = &format!("a)\n{play}solution finished.");
    assert_eq!(tree(one), tree(other));
    assert_eq!(tree(one).0.len(), 5);
    assert_ne!(tree(one), tree(&other.replace("a2-b2 #", "a2-b3 #")));
}

#[test]
#[ignore = "needs runs of Popeye: POPEYE_RUNS=DIR"]
fn the_trees_are_those_that_popeye_printed() {
    let folder = std::env::var_os("POPEYE_RUNS").expect("POPEYE_RUNS names a folder");
    let (mut same, mut identical, mut all) = (0, 0, 0);
    for input in inputs(Path::new(&folder)) {
        let bytes = std::fs::read(input.with_extension("out")).unwrap();
        let expected = String::from_utf8_lossy(&bytes);
        let run = run(&["popeye", "-regression", input.to_str().unwrap()]);
        all += 1;
        identical += usize::from(run.out == expected);
        if tree(&run.out) == tree(&expected) {
            same += 1;
        } else {
            println!("different: {} {}", input.display(), run.err.trim());
        }
    }
    println!("{same} of {all} have the same tree, {identical} are the same byte by byte");
    assert!(all > 0 && same * 10 >= all * 9, "{same} of {all}");
}

/// A person at a terminal sees how far a search is, and each refusal once.
#[test]
#[cfg(target_os = "linux")]
fn a_person_sees_the_progress_and_each_refusal_once() {
    let folder = tempfile::tempdir().unwrap();
    let hard = "NextProblem\nForsyth rsbqkbsr/pppppppp/8/8/8/8/PPPPPPPP/RSBQKBSR\nStipulation #9\nOption MaxTime 1\n";
    let refused = "NextProblem\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStipulation #2\nCondition Circe\n";
    std::fs::write(folder.path().join("in.inp"), format!("{PRINZ}{hard}{refused}EndProblem\n")).unwrap();
    let seen = crate::util::on_a_terminal(80, folder.path(), "popeye in.inp");
    assert!(seen.contains("problem 2 of 3: ") && seen.contains(" nodes, "), "{seen:?}");
    assert_eq!(seen.matches("Circe").count(), 1, "{seen:?}");
    assert!(seen.contains("in.inp: not solved: 1;"), "{seen:?}");
}
