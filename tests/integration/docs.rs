//! What `docs/architecture.md` says about files: they exist, and a new format, engine, goal or kind of play touches
//! few.

use std::path::Path;

use crate::util::is_repository;

const TEXT: &str = include_str!("../../docs/architecture.md");

/// Returns the texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_files_that_the_architecture_names_exist() {
    if !is_repository() {
        return;
    }
    let folders = ["src/", "crates/", "docs/", "bindings/", "tests/", "benches/", "problems/", "tools/", "examples/"];
    // Code blocks have three backticks, so they are left out first.
    let prose: String = TEXT.split("```").step_by(2).collect();
    let paths: Vec<&str> =
        quoted(&prose).filter(|text| folders.iter().any(|folder| text.starts_with(folder))).collect();
    assert!(paths.len() > 80, "{}", paths.len());
    for path in paths {
        // `NAME` stands for any name: its folder must exist.
        let path = path.split(['*', ' ']).next().unwrap_or_default();
        let named = path.split("NAME").next().unwrap_or_default();
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(named).exists(), "docs/architecture.md names {path}");
    }
}

#[test]
fn new_things_touch_few_files() {
    let most = [("result format", 3), ("report format", 4), ("engine", 3), ("input format", 3), ("goal", 10)];
    for (thing, most) in most.into_iter().chain([("kind of play", 10)]) {
        let row = TEXT.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(thing)?.strip_prefix(" | "));
        let files = row.map_or(0, |row| quoted(row).count());
        assert!((1..=most).contains(&files), "a new {thing} touches {files} files");
    }
}

/// The repository and the homepage are named in all packages by one command, which can be repeated.
#[test]
fn the_repository_is_named_in_one_place() {
    if !crate::util::is_repository() || !crate::util::has_program("python3", "Python 3") {
        return;
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let files = [
        "Cargo.toml",
        "crates/terms/Cargo.toml",
        "bindings/web/package.json",
        "bindings/python/pyproject.toml",
        "bindings/web/Cargo.toml",
    ];
    for file in files {
        let copy = folder.path().join(file);
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::copy(root.join(file), copy).unwrap();
    }
    let name = |address: &str| {
        let mut script = std::process::Command::new("python3");
        script.current_dir(folder.path()).arg(root.join("tools/name_repository.py")).arg(address).status().unwrap()
    };
    assert!(name("https://example.org/old").success() && name("https://example.org/new").success());
    assert!(!name("nonsense").success());
    for (file, line) in [
        (files[0], "repository = \"https://example.org/new\"\nhomepage = \"https://example.org/new\"\n"),
        (files[0], "repository.workspace = true\n"),
        (files[1], "homepage.workspace = true\n"),
        (files[2], "\"git+https://example.org/new.git\""),
        (files[3], "[project.urls]\nRepository = \"https://example.org/new\"\n"),
    ] {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.matches(line).count() == 1 && !text.contains("example.org/old"), "{file}: {text}");
    }
}
