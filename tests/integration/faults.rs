//! Faults of the machine around the program: full disks, closed outputs, inputs that end early or cannot be read.

use std::fs::File;
use std::io::Write as _;
use std::process::Stdio;

use crate::util::{PRINZ, Run, batch_of, matesolve, run};

/// Runs the binary with standard output on a device that is always full.
#[cfg(target_os = "linux")]
fn run_on_full_disk(arguments: &[&str]) -> Run {
    let full = File::options().write(true).open("/dev/full").expect("Linux has /dev/full");
    matesolve().args(arguments).stdout(full).output().expect("the binary runs").into()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_is_no_success() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
    std::fs::write(file.path(), format!("{PRINZ}\n{PRINZ}\n")).expect("the temporary file can be written");
    let name = file.path().to_str().expect("the name is UTF-8");
    let sentence = "the results cannot be written: No space left on device";
    for arguments in
        [&["batch", name][..], &["batch", "--format", "json", name], &[PRINZ], &["report", PRINZ], &["report", name]]
    {
        let run = run_on_full_disk(arguments);
        assert!(run.code == 2 && run.err.contains(sentence), "{arguments:?}: {run:?}");
    }
    for command in ["batch", "report"] {
        let run = run(&[command, "-o", "/dev/full", name]);
        assert!(run.code == 2 && run.err.contains(sentence), "{command}: {run:?}");
    }
}

#[test]
fn a_reader_that_has_enough_ends_a_batch_quietly() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
    std::fs::write(file.path(), format!("{PRINZ}\n").repeat(2000)).expect("the temporary file can be written");
    ends_quietly_without_a_reader(&["batch"], file.path());
}

/// Runs a command on a file and closes its output at once: it must end with success and without a message.
fn ends_quietly_without_a_reader(command: &[&str], file: &std::path::Path) {
    let mut child = matesolve()
        .args(command)
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{command:?}");
}

#[test]
fn an_input_that_ends_early_gives_the_lines_before_its_end() {
    // A line without its end, half of a character, which is a letter of Latin-1, and an object and a quotation that are
    // not closed.
    for (end, sentence) in [
        (&b"5Kbk/6pp/6P1/8"[..], "has 4 ranks and not 8"),
        (b"\xc3", "Ã"),
        (b"{\"fen\": \"5Kbk/6pp", "is not a JSON problem"),
        (b"5Kbk/6pp/6P1/8/8/8/8/7R w - - id \"Pri", "has no closing quote"),
    ] {
        let (run, name) = batch_of([PRINZ.as_bytes(), b"\n", end].concat(), &[]);
        assert!(run.code == 3 && run.out.starts_with("1 mate in 2 (proved shortest)"), "{run:?}");
        assert!(run.err.contains(&format!("{name}:2: ")) && run.err.contains(sentence), "{run:?}");
    }
}

#[test]
fn a_compressed_input_that_is_cut_is_no_success() {
    let problems = format!("{PRINZ}\n").repeat(300);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(problems.as_bytes()).expect("memory can be written");
    let gzip = gzip.finish().expect("memory can be written");
    let zstd = ruzstd::encoding::compress_to_vec(problems.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
    let name = file.path().to_str().expect("the name is UTF-8");
    for data in [gzip, zstd] {
        for end in [5, 6, 11, data.len() / 2, data.len() - 1] {
            std::fs::write(file.path(), &data[..end]).expect("the temporary file can be written");
            for command in ["batch", "report"] {
                let run = run(&[command, name]);
                assert!(run.code != 0 && run.err.contains("are damaged or cut short"), "{command} {end}: {run:?}");
            }
        }
    }
}

#[test]
fn a_reader_that_has_enough_ends_a_report_quietly() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
    std::fs::write(file.path(), format!("{PRINZ}\n").repeat(300)).expect("the temporary file can be written");
    for format in ["text", "jsonl", "html"] {
        ends_quietly_without_a_reader(&["report", "--format", format], file.path());
    }
}

#[test]
fn a_directory_is_neither_an_input_nor_an_output() {
    for arguments in [["batch", "."], ["report", "."], ["verify", "."]] {
        let run = run(&arguments);
        assert!(run.code == 2 && run.err.contains("name the files in it"), "{arguments:?}: {run:?}");
    }
    for command in ["batch", "report"] {
        let run = run(&[command, "-o", ".", "Cargo.toml"]);
        assert!(run.code == 2 && run.err.contains(". cannot be written: "), "{command}: {run:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_is_named() {
    // The memory of a process can be opened, but its first page cannot be read.
    for command in ["batch", "report", "verify"] {
        let run = run(&[command, "/proc/self/mem"]);
        assert!(run.code == 2 && run.err.contains("/proc/self/mem cannot be read: "), "{run:?}");
    }
}
