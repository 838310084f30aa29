//! The README's examples are run, and what they print is compared with what the README says they print.
//!
//! A ```` ```console ```` block holds commands after `$ ` and, below each, its standard output and error. Times are
//! masked on both sides: a number before ` ms` or ` s`, and the value of `"time_ms"`. When an output changes on
//! purpose, `UPDATE_README=1 cargo test readme` writes the new one into the README.

use std::path::Path;
use std::process::Command;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

fn readme() -> String {
    std::fs::read_to_string(README).expect("there is a README")
}

/// The README in pieces: text as it is, and commands with the output it shows for them.
enum Piece {
    Text(String),
    Example(String, String),
}

fn pieces(readme: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        let fence = line == if inside { "```" } else { "```console" };
        inside ^= fence;
        match (line.strip_prefix("$ "), pieces.last_mut()) {
            (Some(command), _) if inside => pieces.push(Piece::Example(command.to_owned(), String::new())),
            (None, Some(Piece::Example(_, output))) if inside => output.extend([line, "\n"]),
            (_, Some(Piece::Text(text))) => text.extend([line, "\n"]),
            _ => pieces.push(Piece::Text(format!("{line}\n"))),
        }
    }
    pieces
}

fn mask_times(text: &str) -> String {
    let mut masked = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |i: usize| {
            let unit = words.get(i + 1).is_some_and(|unit| matches!(*unit, "ms" | "s"));
            let field = i > 0 && words[i - 1].ends_with("\"time_ms\":");
            unit || field
        };
        let words: Vec<String> = (0..words.len())
            .map(|i| {
                let is_number = words[i].starts_with(|c: char| c.is_ascii_digit());
                if is_number && is_time(i) { "TIME".to_owned() } else { words[i].to_owned() }
            })
            .collect();
        masked.push_str(&words.join(" ").replace(" ms", " s"));
        masked.push('\n');
    }
    masked
}

/// What a command prints, on both streams.
fn printed(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_matesolve"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("{{ {command}\n}} 2>&1");
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder).env("PATH", path).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn every_example_prints_what_the_readme_says() {
    let folder = tempfile::tempdir().unwrap();
    let bless = std::env::var_os("UPDATE_README").is_some();
    let mut updated = String::new();
    let mut examples = 0;
    for piece in pieces(&readme()) {
        match piece {
            Piece::Text(text) => updated.push_str(&text),
            Piece::Example(command, expected) => {
                examples += 1;
                let printed = printed(&command, folder.path());
                assert!(bless || mask_times(&printed) == mask_times(&expected), "$ {command}\n{printed}");
                updated.extend(["$ ", &command, "\n", &printed]);
            }
        }
    }
    assert!(examples >= 5, "the README shows {examples} examples");
    if bless {
        std::fs::write(README, updated).unwrap();
    }
}

#[test]
fn the_readme_lists_every_option_and_exit_code() {
    let readme = readme();
    for arguments in [&["--help"][..], &["batch", "--help"], &["report", "--help"]] {
        let help = crate::util::run(arguments).out;
        for word in help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2) {
            let option = word.trim_end_matches([',', '.', ']', ':']);
            let option = option.split('[').next().unwrap_or(option);
            assert!(readme.contains(option), "{option} is not in the README");
        }
        let codes = help.split("Exit codes:").nth(1).expect("the help lists the exit codes");
        for line in codes.lines().filter(|line| !line.trim().is_empty()) {
            let (code, meaning) = line.trim().split_once(' ').unwrap();
            assert!(readme.contains(&format!("| {code} | {}", meaning.trim())), "{line} is not in the README");
        }
    }
}

#[test]
fn times_are_masked_and_nothing_else() {
    let masked = mask_times("exhaustive: 575 nodes, 12 ms\n \"time_ms\": 3,\nmate in 2");
    assert_eq!(masked, "exhaustive: 575 nodes, TIME s\n \"time_ms\": TIME\nmate in 2\n");
}
