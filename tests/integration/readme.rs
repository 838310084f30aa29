//! Tests README.md, CONTRIBUTING.md and the files in `docs/`: every example prints what the text shows, every option is
//! described, and every path that is named exists.
//!
//! A ```` ```console ```` block contains commands after `$ ` and, below each, its standard output and standard error.
//! Times are masked on both sides: a number before ` ms` or ` s`, and the value of `"time_ms"`. When an output changes
//! on purpose, `UPDATE_EXAMPLES=1 cargo test --test integration readme` writes the new output into the files, and draws
//! the pictures again.
//!
//! The crate trycmd runs such blocks too, but without a shell, and the examples have pipes; and it would want the times
//! masked in the text that people read.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::util::{has_program, run};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the paths of all pages in `docs/`, without the list of them.
pub fn book() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).expect("there is a folder docs");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("docs can be read").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("SUMMARY.md"));
    pages.sort();
    pages
}

/// Returns the paths of README.md, CONTRIBUTING.md and all pages in `docs/`.
pub fn pages() -> Vec<PathBuf> {
    let mut pages = book();
    pages.splice(0..0, ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    pages
}

/// Returns the texts of all pages in `docs/`, one after the other.
fn text_of_the_book() -> String {
    book().iter().map(|page| read(page)).collect()
}

pub fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// A part of a page.
enum PagePart {
    Text(String),
    /// A command with the output that the page shows for it.
    Example {
        command: String,
        output: String,
    },
}

fn parts(page: &str) -> Vec<PagePart> {
    let mut parts: Vec<PagePart> = Vec::new();
    let mut in_console = false;
    for line in page.lines() {
        let is_fence = line == if in_console { "```" } else { "```console" };
        in_console ^= is_fence;
        match (line.strip_prefix("$ "), parts.last_mut()) {
            (Some(command), _) if in_console => {
                parts.push(PagePart::Example { command: command.to_owned(), output: String::new() });
            }
            (None, Some(PagePart::Example { output, .. })) if in_console => output.extend([line, "\n"]),
            (_, Some(PagePart::Text(text))) => text.extend([line, "\n"]),
            _ => parts.push(PagePart::Text(format!("{line}\n"))),
        }
    }
    parts
}

/// Replaces every time in a text by a fixed word.
fn mask_times(text: &str) -> String {
    let mut masked = String::new();
    for line in text.lines() {
        let mut fields = line.split("\"time_ms\":");
        let mut line = fields.next().unwrap_or_default().to_owned();
        for rest in fields {
            line.push_str("\"time_ms\":TIME");
            line.push_str(rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()));
        }
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |i: usize| {
            words.get(i + 1).is_some_and(|unit| matches!(*unit, "ms" | "s" | "s," | "ms)" | "s)" | "nodes/s"))
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

/// Runs a command in a folder and returns its standard output and standard error.
fn output_of(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_matesolve"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("{{ {command}\n}} 2>&1");
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder).env("PATH", path).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the examples of a page. Returns their number and the page with the outputs that were printed.
fn run_examples(page: &Path, update: bool) -> (usize, String) {
    // The examples of a page share a folder: some read files that earlier ones write.
    let folder = tempfile::tempdir().unwrap();
    let mut updated = String::new();
    let mut examples = 0;
    for part in parts(&read(page)) {
        match part {
            PagePart::Text(text) => updated.push_str(&text),
            PagePart::Example { command, output: expected } => {
                examples += 1;
                let printed = output_of(&command, folder.path());
                let is_same = mask_times(&printed) == mask_times(&expected);
                assert!(update || is_same, "{}: $ {command}\n{printed}", page.display());
                // An example that prints the same keeps its times, so that an update changes nothing else.
                updated.extend(["$ ", &command, "\n", if is_same { &expected } else { &printed }]);
            }
        }
    }
    (examples, updated)
}

#[cfg(unix)]
#[test]
fn every_example_prints_what_the_page_shows() {
    let update = std::env::var_os("UPDATE_EXAMPLES").is_some();
    for page in pages() {
        let (examples, updated) = run_examples(&page, update);
        let is_readme = page.ends_with("README.md");
        assert!(!is_readme || examples >= 5, "README.md shows {examples} examples");
        if update {
            // Other tests read the page at the same time: they see the old text or the new one.
            let new = page.with_extension("new");
            std::fs::write(&new, updated).and_then(|()| std::fs::rename(&new, &page)).unwrap();
        }
    }
}

/// The pictures of README.md that the program draws, and the commands that draw them. (`report.png`, a page in
/// Chromium, has its test in `bindings/web/test/browser.test.mjs`.)
const PICTURES: [(&str, &str); 3] = [
    ("prinz.svg", "matesolve diagram '5Kbk/6pp/6P1/8/8/8/8/7R w - -' -s '#2' --width 240 -o prinz.svg"),
    ("selfmate.svg", "matesolve diagram '8/B7/RQ6/7k/8/8/6PP/3n2RK w - -' -s 's#2' --width 240 -o selfmate.svg"),
    (
        "compare.svg",
        "for engine in exhaustive dfpn; do
           matesolve batch classics.epd quiet_keys.epd zugzwang.epd --engine $engine --nodes 300k --threads 1 --quiet \
               --format jsonl -o $engine.jsonl
         done
         matesolve compare exhaustive.jsonl dfpn.jsonl --svg compare.svg",
    ),
];

#[cfg(unix)]
#[test]
fn the_pictures_of_the_readme_are_what_the_program_draws() {
    let folder = tempfile::tempdir().unwrap();
    for suite in ["classics.epd", "quiet_keys.epd", "zugzwang.epd"] {
        std::fs::copy(root().join("problems").join(suite), folder.path().join(suite)).unwrap();
    }
    let page = read(&root().join("README.md"));
    for (name, command) in PICTURES {
        let said = output_of(command, folder.path());
        let drawn = std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{error}: {said}"));
        let file = root().join("docs/pictures").join(name);
        if std::env::var_os("UPDATE_EXAMPLES").is_some() {
            std::fs::write(&file, &drawn).unwrap();
        }
        assert!(page.contains(&format!("(docs/pictures/{name})")), "README.md does not show {name}");
        assert!(drawn.starts_with("<svg ") && drawn == read(&file), "{name}: {drawn}");
    }
}

/// The clients of `docs/sites.md` would print the answers in the order of the questions, or hang, if an answer were
/// held back.
#[cfg(unix)]
#[test]
fn clients_get_each_answer_when_it_is_ready() {
    let page = read(&root().join("docs/sites.md"));
    for (language, file, program, version) in
        [("python", "site.py", "python3", "Python"), ("js", "site.mjs", "node", "v")]
    {
        let (_, rest) = page.split_once(&format!("```{language}\n")).expect("the page has the script");
        let script = rest.split("```").next().unwrap_or_default();
        assert!(script.lines().count() <= 40, "{script}");
        if !has_program(program, version) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file), script).unwrap();
        let printed = output_of(&format!("timeout 60 {program} {file}"), folder.path()).replace("None", "null");
        let lines: Vec<&str> = printed.lines().collect();
        let is_refused = |line: &&str| line.starts_with("invalid null \"no\" has 1 rank");
        assert!(lines.len() == 3 && lines[2] == "undecided null null", "{language}: {printed}");
        assert!(lines.contains(&"mate 2 null") && lines.iter().any(is_refused), "{language}: {printed}");
    }
}

#[test]
fn the_book_describes_every_option_and_exit_code() {
    let book = text_of_the_book();
    for topic in ["solve", "batch", "report", "compare", "diagram", "verify", "merge", "popeye", "man", "engines"] {
        let help = run(&["help", topic]).out;
        for word in help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2) {
            let option = word.trim_end_matches([',', '.', ']', ':']);
            let option = option.split('[').next().unwrap_or(option);
            assert!(book.contains(option), "{option} is not in docs");
        }
        // A meaning that is too long for a line goes on below its beginning.
        let codes = help.split("Exit codes:").nth(1).unwrap_or_default().replace("\n       ", " ");
        assert!(!codes.is_empty() || ["man", "engines"].contains(&topic), "{topic}");
        for line in codes.lines().filter(|line| !line.trim().is_empty()) {
            let (code, meaning) = line.trim().split_once(' ').unwrap();
            let row = format!("| {code} | {} |", meaning.trim());
            assert!(book.contains(&row), "{row} is not in docs");
        }
    }
}

#[test]
fn the_book_describes_every_uci_option() {
    let book = text_of_the_book();
    let listed = crate::util::run_with_input(&["uci"], "uci\nquit\n").out;
    let names = listed.lines().filter_map(|line| line.strip_prefix("option name ")?.split(" type ").next());
    let names: Vec<&str> = names.collect();
    assert!(names.contains(&"Threads"), "{listed}");
    for name in names {
        assert!(book.contains(&format!("| `{name}` | ")), "{name} is not in docs");
    }
}

#[test]
fn every_path_and_cargo_target_that_is_named_exists() {
    for page in pages() {
        let text = read(&page);
        let place = page.display();
        // In the text between two backticks.
        for code in text.split('`').skip(1).step_by(2) {
            let is_path = [".ci/", "docs/", "examples/", "problems/", "src/", "tests/", "tools/"]
                .iter()
                .any(|folder| code.starts_with(folder));
            // NAME stands for any name, in tables of files.
            let is_path = is_path && !code.contains("NAME");
            assert!(!is_path || root().join(code).exists(), "{place}: there is no {code}");
        }
        let targets = [("--test ", &["tests"][..]), ("--bench ", &["benches"]), ("--example ", &["examples", "tools"])];
        for (option, folders) in targets {
            for rest in text.split(option).skip(1) {
                let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                let exists = folders
                    .iter()
                    .map(|folder| root().join(folder).join(&name))
                    .any(|target| target.with_extension("rs").exists() || target.join("main.rs").exists());
                assert!(exists, "{place}: there is no target {option}{name}");
            }
        }
    }
}

#[test]
fn times_are_masked_and_nothing_else() {
    let masked = mask_times("exhaustive: 575 nodes, 12 ms\n \"time_ms\": 3,\"n\":1\nmate in 2");
    assert_eq!(masked, "exhaustive: 575 nodes, TIME s\n \"time_ms\":TIME,\"n\":1\nmate in 2\n");
}
