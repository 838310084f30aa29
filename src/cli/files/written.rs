//! The files that a command will write, compared with its inputs and with one another before it begins. `man --dir` is
//! an exception.
//!
//! A command writes the files that its options name, and some beside them:
//!
//! | option | files |
//! |---|---|
//! | `-o FILE`, `--html FILE`, `--svg FILE` | FILE |
//! | `-o FILE --resume` | FILE, `FILE.run` and `FILE.run.new` |
//! | `--certificate FILE` | FILE and `FILE.part` |
//! | `--certificate m.cert` of a problem with twins | `m-1.cert`, `m-2.cert` and so on, each with its `.part` |
//!
//! The names beside FILE are made here only. An existing file is recognised also through a link, as standard input and
//! as standard output.

use std::fs;
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::cli::files::inputs;
use crate::cli::files::output_file::unwritable;
use crate::cli::terminal::CliError;

/// Returns the name of a certificate while it is written. A link is followed, so that it stays a link.
pub(crate) fn part_of(certificate: &Path) -> PathBuf {
    with_ending(&target(certificate), ".part")
}

/// Returns the file that a path leads to: its own, or that of a symbolic link.
pub(crate) fn target(path: &Path) -> PathBuf {
    let target = if path.is_symlink() { path.canonicalize().ok() } else { None };
    target.unwrap_or_else(|| path.to_owned())
}

/// Returns the certificate of a phase of a problem with twins: its number, from 1, stands before the first point of the
/// name. `mate.cert.gz` becomes `mate-2.cert.gz`.
pub(crate) fn numbered(certificate: &Path, number: usize) -> PathBuf {
    let name = certificate.file_name().unwrap_or_default().to_string_lossy();
    let (stem, rest) = name.find('.').filter(|&at| at > 0).map_or((&*name, ""), |at| name.split_at(at));
    certificate.with_file_name(format!("{stem}-{number}{rest}"))
}

/// Returns the record of a run that writes to `results` and can be continued.
pub(crate) fn record_of(results: &Path) -> PathBuf {
    with_ending(results, ".run")
}

/// Returns the name of a record while it is written.
pub(crate) fn new_record_of(record: &Path) -> PathBuf {
    with_ending(record, ".new")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Endings of names, and the format that each promises; none is written of the last ones.
const ENDINGS: [(&str, &str); 11] = [
    ("json", "json"),
    ("jsonl ndjson", "jsonl"),
    ("epd", "epd"),
    ("csv", "csv"),
    ("pgn", "pgn"),
    ("html htm", "html"),
    ("tex", "latex"),
    ("olv yaml yml", "olv"),
    ("svg", "svg"),
    ("inp", "popeye"),
    ("png jpg jpeg gif webp pdf ps eps doc docx odt rtf xls xlsx ods zip gz zst xz", ""),
];

/// Checks that the ending of an output does not promise another format than is written.
pub(crate) fn check_ending(path: &Path, format: &str) -> Result<(), CliError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let promised = ENDINGS.iter().find(|(endings, _)| endings.split(' ').any(|known| known == ending));
    let Some((_, promised)) = promised.filter(|(_, promised)| *promised != format) else { return Ok(()) };
    let own = ENDINGS.iter().find(|(_, known)| *known == format).and_then(|(endings, _)| endings.split(' ').next());
    let name = own.map_or("another ending".to_owned(), |own| format!("the ending .{own}"));
    let why = match *promised {
        "" => format!("matesolve writes no .{ending}, and this is {format}; give it {name}"),
        _ => format!("its ending says {promised}, and this is {format}; add --format {promised}, or give it {name}"),
    };
    Err(unwritable(path, &why))
}

/// A file that a command will write.
#[derive(Debug)]
struct WrittenFile {
    path: PathBuf,
    /// The name on the command line from which its name was made, if it is another one.
    told: Option<PathBuf>,
}

/// All files that a command will write.
#[derive(Debug, Default)]
pub(crate) struct WrittenFiles {
    files: Vec<WrittenFile>,
    /// Whether the output goes to standard output.
    to_stdout: bool,
}

impl WrittenFiles {
    /// Returns the file of `-o`; without one, the output goes to standard output.
    pub(crate) fn output(path: Option<&Path>) -> WrittenFiles {
        let to_stdout = path.is_none_or(inputs::is_stdin);
        WrittenFiles { to_stdout, ..WrittenFiles::default() }.and(path)
    }

    /// Adds the file of another option, if it was given.
    pub(crate) fn and(mut self, path: Option<&Path>) -> WrittenFiles {
        let path = path.filter(|path| !inputs::is_stdin(path));
        self.files.extend(path.map(|path| WrittenFile { path: path.to_owned(), told: None }));
        self
    }

    /// Adds the record of a run that writes to `results` and can be continued.
    pub(crate) fn and_record(mut self, results: Option<&Path>) -> WrittenFiles {
        if let Some(results) = results.filter(|path| !inputs::is_stdin(path)) {
            let record = record_of(results);
            self.add_beside(results, new_record_of(&record));
            self.add_beside(results, record);
        }
        self
    }

    /// Adds the certificates of a problem with this number of phases; 0: without twins.
    pub(crate) fn and_certificate(mut self, path: Option<&Path>, phases: usize) -> WrittenFiles {
        let Some(told) = path else { return self };
        if phases == 0 {
            self = self.and(path);
            self.add_beside(told, part_of(told));
        }
        for certificate in (1..=phases).map(|number| numbered(told, number)) {
            self.add_beside(told, part_of(&certificate));
            self.add_beside(told, certificate);
        }
        self
    }

    fn add_beside(&mut self, told: &Path, path: PathBuf) {
        self.files.push(WrittenFile { path, told: Some(told.to_owned()) });
    }

    /// Checks before the search that the files can be created, and that writing them loses nothing: none is an input,
    /// and no two are the same file. Standard output is no input and none of the files.
    pub(crate) fn check(&self, inputs: &[PathBuf]) -> Result<(), CliError> {
        let inputs: Vec<Place> = inputs.iter().filter_map(|input| Place::of(input)).collect();
        let stdout = Handle::stdout().ok().filter(is_regular).map(Place::File);
        let mut outputs = Vec::new();
        for file in &self.files {
            check_path(&file.path)?;
            let Some(place) = Place::of(&file.path) else { continue };
            let other = if inputs.contains(&place) {
                "an input"
            } else if outputs.contains(&place) {
                "another output"
            } else if self.to_stdout && stdout.as_ref() == Some(&place) {
                "standard output"
            } else {
                outputs.push(place);
                continue;
            };
            let than = file.told.as_ref().map_or(String::new(), |told| format!(" than {}", told.display()));
            return Err(unwritable(&file.path, &format!("it is also {other}; name another file{than}")));
        }
        if stdout.is_some_and(|stdout| inputs.contains(&stdout)) {
            let why = "standard output cannot be written: it is also an input; write to another file";
            return Err(CliError::Usage(why.to_owned()));
        }
        Ok(())
    }
}

/// The place of a file, by which it is recognised. A terminal, a pipe or a device, which loses nothing, has none.
#[derive(Debug, PartialEq)]
enum Place {
    /// A file on a disk, by its device and its number.
    File(Handle),
    /// A file that is not there yet, or cannot be read, by its folder and its name.
    Name(PathBuf),
}

impl Place {
    fn of(path: &Path) -> Option<Place> {
        if inputs::is_stdin(path) {
            return Handle::stdin().ok().filter(is_regular).map(Place::File);
        }
        // A pipe would wait for its other end if it were opened.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return None;
        }
        Handle::from_path(path).map_or_else(|_| Place::named(path), |handle| Some(Place::File(handle)))
    }

    fn named(path: &Path) -> Option<Place> {
        Some(Place::Name(folder_of(path).canonicalize().ok()?.join(path.file_name()?)))
    }
}

fn is_regular(handle: &Handle) -> bool {
    handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Returns the folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a file can be created at this path.
fn check_path(path: &Path) -> Result<(), CliError> {
    if path.is_dir() {
        return Err(unwritable(path, "it is a directory; name a file in it"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(unwritable(path, &format!("there is no directory {}", folder.display())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(files: &WrittenFiles) -> Vec<&str> {
        files.files.iter().filter_map(|file| file.path.to_str()).collect()
    }

    #[test]
    fn what_is_written_beside_a_file_is_listed_with_it() {
        let output = || WrittenFiles::output(Some(Path::new("o")));
        assert_eq!(paths(&output().and_record(Some(Path::new("o")))), ["o", "o.run.new", "o.run"]);
        let certificate = Some(Path::new("a/m.cert.gz"));
        assert_eq!(paths(&output().and_certificate(certificate, 0)), ["o", "a/m.cert.gz", "a/m.cert.gz.part"]);
        assert_eq!(
            paths(&WrittenFiles::output(None).and_certificate(certificate, 2)),
            ["a/m-1.cert.gz.part", "a/m-1.cert.gz", "a/m-2.cert.gz.part", "a/m-2.cert.gz"]
        );
        let nothing = WrittenFiles::output(Some(Path::new("-"))).and(None).and_record(Some(Path::new("-")));
        assert!(paths(&nothing).is_empty() && nothing.to_stdout && !output().to_stdout);
    }

    #[test]
    fn an_ending_promises_its_format() {
        let check = |name: &str, format| check_ending(Path::new(name), format).map_err(|why| why.to_string());
        for (name, format) in
            [("a.SVG", "svg"), ("a.svg.txt", "latex"), ("a", "json"), ("/dev/null", "text"), ("a.b.htm", "html")]
        {
            assert_eq!(check(name, format), Ok(()), "{name}");
        }
        let png = "d.png cannot be written: matesolve writes no .png, and this is svg; give it the ending .svg";
        assert_eq!(check("d.png", "svg"), Err(png.to_owned()));
        let json = "its ending says json, and this is text; add --format json, or give it another ending";
        assert!(check("x.json", "text").is_err_and(|why| why.ends_with(json)));
        assert!(check("x.json", "jsonl").is_err_and(|why| why.ends_with("or give it the ending .jsonl")));
    }

    #[test]
    fn a_file_is_recognised_by_every_name_and_devices_are_shared() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("in"), "x").unwrap();
        fs::hard_link(at("in"), at("m.part")).unwrap();
        let check = |files: WrittenFiles| {
            let why = files.check(&[at("in"), at("missing")]).err();
            why.map(|why| format!("{why:?}").replace(&*folder.path().to_string_lossy(), ""))
        };
        let other = |path: &str| WrittenFiles::output(Some(&at("o"))).and(Some(&at(path)));
        assert_eq!(check(other("p")), None);
        for (files, why) in [
            (other("in"), "it is also an input; name another file"),
            (other("missing"), "it is also an input; name another file"),
            (other("o"), "it is also another output"),
            (other("p").and_certificate(Some(&at("m")), 0), "m.part cannot be written: it is also an input"),
            (
                other("m-2.c").and_certificate(Some(&at("m.c")), 2),
                "it is also another output; name another file than /m.c",
            ),
            (other(""), "it is a directory"),
            (other("no/x"), "there is no directory"),
        ] {
            let found = check(files).unwrap_or_default();
            assert!(found.contains(why), "{found}");
        }
        if Path::new("/dev/null").exists() {
            let null = Path::new("/dev/null");
            assert_eq!(check(WrittenFiles::output(Some(null)).and(Some(null))), None);
        }
    }
}
