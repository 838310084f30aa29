//! What `docs/architecture.md` and the tables of modules say about files: they exist, and a new format, engine, goal or
//! kind of play touches few. Comments end at column 120.

use std::fs;
use std::path::{Path, PathBuf};

const TEXT: &str = include_str!("../../docs/architecture.md");

/// Returns the texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_files_that_the_architecture_names_exist() {
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
fn the_page_on_engines_prints_the_table_of_the_race() {
    let page = include_str!("../../docs/engines.md");
    let table = matesolve_engine::search::race::table_in_markdown();
    assert!(page.contains(&table), "docs/engines.md must have this table:\n{table}");
}

#[test]
fn the_page_on_engines_lists_them_as_the_help_does() {
    let page = include_str!("../../docs/engines.md");
    for engine in matesolve::solve::registry::ENGINES {
        let row = format!("| `{}` | {} |", engine.name, engine.about);
        assert!(page.contains(&row), "docs/engines.md must have this row:\n{row}");
    }
}

#[test]
fn new_things_touch_few_files() {
    let most = [("result format", 4), ("report format", 3), ("input format", 3), ("theme", 3)];
    let other = [("option of all runs over files", 4), ("engine", 4), ("goal", 10), ("kind of play", 10)];
    for (thing, most) in most.into_iter().chain(other) {
        let row = TEXT.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(thing)?.strip_prefix(" | "));
        let files = row.map_or(0, |row| quoted(row).count());
        assert!((1..=most).contains(&files), "a new {thing} touches {files} files");
    }
}

/// The repository and the homepage are named in all packages by one command, which can be repeated.
#[test]
fn the_repository_is_named_in_one_place() {
    if !crate::util::has_program("python3", "Python 3") {
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

/// Returns all source files below a folder of the repository.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let inside = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    let is_source = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    let is_built = |path: &PathBuf| path.ends_with("target") || path.ends_with("node_modules");
    entries.filter(|path| !is_built(path)).flat_map(inside).filter(is_source).collect()
}

/// Returns all source files of the repository, with their texts.
fn all_sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates", "tests", "bindings", "benches", "examples"];
    let found = folders.iter().flat_map(|folder| sources(&root.join(folder)));
    found.map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

/// Returns the names in the first column of a table of modules, whose heading says `file`, `folder` or `module`.
fn names_of_modules(text: &str) -> Vec<&str> {
    let mut rows = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let headings = ["| file", "| folder", "| module"];
    let mut names = Vec::new();
    while rows.by_ref().any(|row| headings.iter().any(|heading| row.starts_with(heading))) {
        let table = rows.by_ref().take_while(|row| row.starts_with('|'));
        let cells = table.filter_map(|row| row.split('|').nth(1));
        // A name with an ending is that of a file of another kind.
        names.extend(cells.flat_map(quoted).filter(|name| !name.contains('.')));
    }
    names
}

#[test]
fn the_tables_of_modules_name_files_that_exist() {
    let mut tables = 0;
    for (path, text) in all_sources() {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let folder = path.parent().unwrap();
        let folder = if matches!(stem, "mod" | "lib" | "main") { folder.to_owned() } else { folder.join(stem) };
        let names = names_of_modules(&text);
        tables += usize::from(!names.is_empty());
        for name in names {
            // Other crates are shown under a name of this one.
            let is_shown = text.contains(&format!(" as {name}")) || text.contains(&format!("{{{name}, "));
            let is_shown = is_shown || text.contains(&format!(", {name}}};")) || text.contains(&format!("::{name};"));
            let exists = folder.join(format!("{name}.rs")).exists() || folder.join(name).is_dir();
            assert!(exists || is_shown, "{}: there is no module {name}", path.display());
        }
    }
    assert!(tables > 40, "{tables}");
}

#[test]
fn no_other_search_uses_the_systems_of_the_papers() {
    let searches = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/src/search");
    let (theirs, others): (Vec<_>, Vec<_>) =
        sources(&searches).into_iter().partition(|path| path.starts_with(searches.join("papers")));
    assert!(theirs.len() > 10 && others.len() > 50);
    for path in others {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("papers::"), "{}: the papers' systems are for comparison only", path.display());
    }
}

#[test]
fn comments_end_at_column_120() {
    let mut comments = 0;
    for (path, text) in all_sources() {
        for (number, line) in (1..).zip(text.lines()) {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let content = comment.trim_start_matches(['/', '!']).trim_start();
            comments += 1;
            // Tables stay on their lines, and so does a word that is longer than what is left of the line.
            let is_free = content.starts_with('|') || !content.contains(' ') || is_drawn(content);
            assert!(is_free || line.chars().count() <= 120, "{}:{number}: the comment is too long", path.display());
        }
    }
    assert!(comments > 5_000, "{comments}");
}

/// Returns whether a line is one of a drawing or of a text in another language, such as XML.
fn is_drawn(content: &str) -> bool {
    content.starts_with('<') || content.contains(['│', '─'])
}
