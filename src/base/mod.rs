//! The lowest module, mostly names from the lower crates: the clock, memory, threads, the guard against panics, lines
//! of inputs, and text that is safe to print. `json_fault` says what is wrong with a JSON text.

pub(crate) mod json_fault;

pub(crate) use matesolve_engine::base::clock;
pub(crate) use matesolve_engine::base::{guard, memory, threads};
pub(crate) use matesolve_terms::{lines, printable};

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns the files of a folder that import the clock of the standard library.
    fn with_another_clock(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(with_another_clock(&path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let imports = text.lines().any(|line| line.starts_with("use std::time::") && line.contains("Instant"));
                found.extend(imports.then_some(path));
            }
        }
        found
    }

    #[test]
    fn the_library_has_no_other_clock() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (source, crates) = (root.join("src"), root.join("crates"));
        let mut found = with_another_clock(&source);
        // A published crate does not contain the others.
        if crates.is_dir() {
            found.extend(with_another_clock(&crates));
        }
        let (with_system, wrong): (Vec<PathBuf>, Vec<PathBuf>) = found
            .into_iter()
            .partition(|file| ["cli", "uci"].iter().any(|folder| file.starts_with(source.join(folder))));
        assert!(!with_system.is_empty(), "the search for imports is broken");
        assert_eq!(wrong, Vec::<PathBuf>::new(), "use crate::base::clock");
    }
}
