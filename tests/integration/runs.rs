//! Long runs of `matesolve batch`: continued after a kill, shared among machines, and put together again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::util::{HARD, LATE_MATE, LOVE_CHASE, PRINZ, Run, has_program, matesolve, run};

/// A folder with a batch of problems of different difficulty, with comments, invalid lines and a claim.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let part =
            |number| format!("{PRINZ} dm 2; id \"a{number}\";\n{HARD}\n\nnonsense {number}\n{LOVE_CHASE} dm 3;\n");
        let parts: Vec<String> = (1..=8).map(part).collect();
        std::fs::write(folder.path("in.epd"), format!("# a batch\n{}", parts.concat())).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the command for a batch over the file, with one thread per job and a node limit.
    fn batch(&self, arguments: &[&str]) -> Command {
        let mut command = matesolve();
        command.current_dir(self.0.path()).args(["batch", "in.epd", "--format", "jsonl", "--nodes", "20k"]);
        command.args(["--threads", "2"]).args(arguments).stderr(Stdio::piped()).stdout(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.batch(arguments).output().unwrap().into()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }
}

/// Returns the results without their times.
fn results(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("every line is an object"));
    lines
        .map(|mut object| {
            object["stats"]["time_ms"] = Value::Null;
            if let Some(at) = object["stats"].get_mut("found_at") {
                at["time_ms"] = Value::Null;
            }
            object
        })
        .collect()
}

#[test]
fn a_continued_run_counts_mates_that_are_longer_than_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.epd"), format!("{LATE_MATE} dm 13;\n")).unwrap();
    let run = || -> Run {
        let mut command = matesolve();
        command.current_dir(folder.path()).args(["batch", "in.epd", "-o", "out.jsonl", "--format", "jsonl"]);
        command.args(["--nodes", "1M", "--threads", "1", "--resume"]).output().unwrap().into()
    };
    for time in ["first", "continued"] {
        let Run { code, err, .. } = run();
        assert_eq!(code, 4, "{time}: {err}");
        assert!(err.contains("; longer mates than asked for 1"), "{time}: {err}");
    }
}

/// Kills runs at random moments and continues them until `kills` were killed. Every finished file is as that of an
/// undisturbed run, and no finished line changes.
fn kill_and_resume(kills: u64) {
    let folder = Folder::new();
    let undisturbed = folder.run(&[]);
    let expected = results(&undisturbed.out);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut killed, mut file) = (0, 0);
    while killed < kills {
        file += 1;
        let name = format!("out{file}.jsonl");
        loop {
            let before = folder.read(&name);
            let whole = &before[..before.rfind('\n').map_or(0, |at| at + 1)];
            let mut child = folder.batch(&["-o", &name, "--resume"]).spawn().unwrap();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            std::thread::sleep(Duration::from_millis(5 + (random >> 33) % 60));
            let ended = killed == kills || child.try_wait().unwrap().is_some();
            if !ended {
                child.kill().unwrap();
                killed += 1;
            }
            let output = child.wait_with_output().unwrap();
            assert!(folder.read(&name).starts_with(whole), "a finished line of {name} has changed");
            if ended {
                assert_eq!(output.status.code(), Some(undisturbed.code), "{}", String::from_utf8_lossy(&output.stderr));
                break;
            }
        }
        assert_eq!(results(&folder.read(&name)), expected, "{name}");
    }
}

#[test]
fn a_run_that_is_killed_is_continued_without_loss() {
    kill_and_resume(6);
}

/// The same, often: `cargo test --test integration fifty -- --ignored`.
#[test]
#[ignore = "takes some seconds"]
fn a_run_that_is_killed_fifty_times_is_continued_without_loss() {
    kill_and_resume(50);
}

#[test]
fn a_half_written_line_is_mended_and_a_finished_file_stays() {
    let folder = Folder::new();
    let resume = ["-o", "out.jsonl", "--resume"];
    let whole = folder.run(&resume);
    let text = folder.read("out.jsonl");
    assert_eq!((whole.code, results(&text).len()), (3, 32), "{}", whole.err);
    for end in [text.len() - 1, text.len() - 20, text.len() / 2, 10, 0] {
        std::fs::write(folder.path("out.jsonl"), &text[..end]).unwrap();
        assert_eq!(folder.run(&resume).code, 3);
        assert_eq!(results(&folder.read("out.jsonl")), results(&text), "cut after {end} bytes");
    }
    let before = folder.read("out.jsonl");
    let again = folder.run(&resume);
    assert_eq!((again.code, folder.read("out.jsonl")), (3, before));
    assert!(again.err.contains("lines 32: mates 16 (proved shortest 16), no mate 0, undecided 8, invalid 8"));
}

#[test]
fn another_input_and_other_options_are_refused() {
    let folder = Folder::new();
    let resume = ["-o", "out.jsonl", "--resume"];
    assert_eq!(folder.run(&resume).code, 3);
    let text = folder.read("out.jsonl");
    let refused = |arguments: &[&str], sentence: &str| {
        let run = folder.run(&[&resume[..], arguments].concat());
        assert!(run.code == 2 && run.err.contains(sentence), "{arguments:?}: {} {}", run.code, run.err);
        assert_eq!(folder.read("out.jsonl"), text, "{arguments:?}");
    };
    refused(&["--check"], "was begun with no --check, and now it is --check; repeat the command as it was");
    refused(&["--time", "1s"], "was begun with no --time, and now it is --time 1s");
    refused(&["--hash", "64M"], "was begun with --hash 256M, and now it is --hash 64M");
    refused(&["--shard", "1/2"], "was begun with no --shard, and now it is --shard 1/2");
    refused(&["--mate", "7"], "was begun with no --mate, and now it is --mate 7");
    let epd = folder.run(&["-o", "out.epd", "--resume", "--format", "epd"]);
    assert!(epd.code == 2, "{}", epd.err);
    // An input of the same size, with other problems.
    let input = folder.read("in.epd");
    std::fs::write(folder.path("in.epd"), input.replace("id \"a3\"", "id \"b3\"")).unwrap();
    refused(&[], "is not the result of line 12 of the input");
    std::fs::write(folder.path("in.epd"), format!("{input}\n")).unwrap();
    refused(&[], "was begun with input in.epd (");
    std::fs::write(folder.path("in.epd"), input).unwrap();
    let record = folder.read("out.jsonl.run").replace("\"form\": 2,", "");
    std::fs::write(folder.path("out.jsonl.run"), record).unwrap();
    refused(
        &[],
        "out.jsonl.run, in a form that this version does not read; end the run with the version that began it",
    );
}

/// A run without `--resume` is killed, and then continued: its lines stay, and the others follow.
#[test]
fn a_run_that_was_not_begun_with_resume_is_continued() {
    let folder = Folder::new();
    let undisturbed = folder.run(&[]);
    let (text, expected) = (&undisturbed.out, results(&undisturbed.out));
    let mut child = folder.batch(&["-o", "out.jsonl"]).spawn().unwrap();
    while folder.read("out.jsonl").lines().count() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = folder.read("out.jsonl");
    let whole = &before[..before.rfind('\n').map_or(0, |at| at + 1)];
    let resume = ["-o", "out.jsonl", "--resume"];
    let continued = folder.run(&resume);
    assert!(continued.code == undisturbed.code && folder.read("out.jsonl").starts_with(whole), "{continued:?}");
    let warning = format!(
        "matesolve: warning: out.jsonl was not begun with --resume: its {} results are kept as they are, and whether they \
         were made with these options and limits, by this version, could not be compared\n",
        whole.lines().count()
    );
    assert!(continued.err.starts_with(&warning), "{}", continued.err);
    assert_eq!(results(&folder.read("out.jsonl")), expected);
    // From now on there is a record.
    let again = folder.run(&[&resume[..], &["--check"]].concat());
    assert!(again.code == 2 && again.err.contains("was begun with no --check"), "{again:?}");
    // A line cut anywhere is solved again, and so is one that the user has interrupted.
    let interrupted = text.replacen("\"stopped_by\":\"nodes\"", "\"stopped_by\":\"interrupt\"", 1);
    for rest in [&text[..text.len() - 1], &text[..text.len() / 2], &text[..1], &interrupted] {
        std::fs::remove_file(folder.path("out.jsonl.run")).unwrap();
        std::fs::write(folder.path("out.jsonl"), rest).unwrap();
        assert_eq!(folder.run(&resume).code, undisturbed.code, "{rest}");
        assert_eq!(results(&folder.read("out.jsonl")), expected, "{rest}");
    }
}

#[test]
fn a_file_without_a_record_that_may_be_anything_is_refused() {
    let folder = Folder::new();
    let text = folder.run(&[]).out;
    let (first, rest) = text.split_once('\n').unwrap();
    let (second, _) = rest.split_once('\n').unwrap();
    let report = folder_run(folder.0.path(), &["report", "in.epd", "--format", "jsonl", "--nodes", "1"]).out;
    for (there, why) in [
        (
            "notes\n".to_owned(),
            "out.jsonl has no record of a run (out.jsonl.run), and its line 1 is not a result of this",
        ),
        ("half a line".to_owned(), "its line 1 is not a result of this command; name another file, or remove this one"),
        (report, "line 1 of out.jsonl is not the result of line 2 of the input"),
        (format!("{first}\n\0\0\n"), "its line 2 is not a result of this command"),
        (format!("{text}more"), "its line 33 is not a result of this command"),
        (format!("{text}{first}\n"), "holds more results than the input has problems"),
        (
            format!("{second}\n{first}\n"),
            "is not the result of line 2 of the input, so the input is another one than before, or",
        ),
        (format!("{}\n", first.replace("7R w", "6R1 w")), "is not the result of line 2 of the input"),
    ] {
        std::fs::write(folder.path("out.jsonl"), &there).unwrap();
        let run = folder.run(&["-o", "out.jsonl", "--resume"]);
        assert!(run.code == 2 && run.err.contains(why) && !folder.path("out.jsonl.run").exists(), "{there}: {run:?}");
        assert_eq!(folder.read("out.jsonl"), there);
    }
}

/// The hard question, which is asked first, is answered last.
#[test]
fn answers_come_as_they_get_ready() {
    let folder = tempfile::tempdir().unwrap();
    let easy = (0..40).map(|number| format!("{{\"fen\":\"{PRINZ}\",\"id\":{number}}}\n"));
    std::fs::write(folder.path().join("in.jsonl"), format!("{HARD}\n{}", easy.collect::<String>())).unwrap();
    let arguments = ["batch", "in.jsonl", "--format", "jsonl", "--nodes", "1M", "-j", "2"];
    let ordered = results(&folder_run(folder.path(), &arguments).out);
    let mut unordered = results(&folder_run(folder.path(), &[&arguments[..], &["--unordered"]].concat()).out);
    assert!(ordered[0]["line"] == 1 && unordered[40]["line"] == 1, "{unordered:?}");
    unordered.sort_by_key(|answer| answer["line"].as_u64());
    assert_eq!(unordered, ordered);
    let refused =
        folder_run(folder.path(), &["batch", "in.jsonl", "--unordered", "--resume", "-o", "x", "--format", "jsonl"]);
    assert!(refused.code == 2 && refused.err.contains("--unordered"), "{refused:?}");
}

#[test]
fn results_that_are_not_what_was_written_are_refused_or_solved_again() {
    let folder = Folder::new();
    let resume = ["-o", "out.jsonl", "--resume"];
    assert_eq!(folder.run(&resume).code, 3);
    let (text, record) = (folder.read("out.jsonl"), folder.read("out.jsonl.run"));
    let refused = |changed: &str, sentence: &str| {
        std::fs::write(folder.path("out.jsonl"), changed).unwrap();
        let run = folder.run(&resume);
        assert!(run.code == 2 && run.err.contains(sentence), "{} {}", run.code, run.err);
        assert_eq!((folder.read("out.jsonl").as_str(), folder.read("out.jsonl.run")), (changed, record.clone()));
    };
    refused(&text.replacen("\"mate_in\":2", "\"mate_in\":3", 1), "is damaged: its first 32 lines are not those");
    refused(&text.replacen('{', "(", 3), "is damaged: line 1 is not a result");
    refused(&format!("{text}{text}"), "holds more results than the input has problems");
    // After a power cut, what the record does not vouch for may be anything.
    let half: usize = text.split_inclusive('\n').take(16).map(str::len).sum();
    std::fs::write(folder.path("out.jsonl"), &text[..half]).unwrap();
    let run = folder.run(&resume);
    assert!(run.code == 3 && run.err.contains("has lost results; they are solved again"), "{}", run.err);
    std::fs::remove_file(folder.path("out.jsonl")).unwrap();
    let record_of_nothing = {
        let mut value: Value = serde_json::from_str(&record).unwrap();
        value["checkpoint"] = serde_json::json!({
            "results": 0, "bytes": 0, "results_checksum": 0, "problems_checksum": 0
        });
        value.to_string()
    };
    for rest in ["\0\0\0\0", "\0\0\0\n\0\0", "{\"line\":1}\n"] {
        std::fs::write(folder.path("out.jsonl"), format!("{}{rest}", &text[..half])).unwrap();
        std::fs::write(folder.path("out.jsonl.run"), &record_of_nothing).unwrap();
        assert_eq!(folder.run(&resume).code, 3, "{rest:?}");
        assert_eq!(results(&folder.read("out.jsonl")), results(&text), "{rest:?}");
    }
}

#[test]
fn an_input_with_other_claims_is_another_input() {
    let folder = Folder::new();
    let resume = ["-o", "out.jsonl", "--resume"];
    assert_eq!(folder.run(&resume).code, 3);
    let before = folder.read("out.jsonl");
    // Size, positions and names are the same.
    std::fs::write(folder.path("in.epd"), folder.read("in.epd").replacen("dm 3", "dm 4", 1)).unwrap();
    let run = folder.run(&resume);
    assert!(run.code == 2 && run.err.contains("so the input is another one than before"), "{} {}", run.code, run.err);
    assert_eq!(folder.read("out.jsonl"), before);
}

#[test]
#[cfg(unix)]
fn a_run_that_fills_its_disk_is_continued_when_there_is_room() {
    let folder = Folder::new();
    let expected = results(&folder.run(&[]).out);
    // A limit for the size of files, in units of 512 bytes; the signal that would end the program is ignored.
    let binary = env!("CARGO_BIN_EXE_matesolve");
    let limited = format!(
        "trap '' XFSZ; ulimit -f 8; \
         exec {binary} batch in.epd --format jsonl --nodes 20k --threads 2 -o o.jsonl --resume"
    );
    let run: Run = Command::new("sh").args(["-c", &limited]).current_dir(folder.0.path()).output().unwrap().into();
    assert!(run.code == 2 && run.err.contains("the results cannot be written: File too large"), "{run:?}");
    assert!((1..32).contains(&folder.read("o.jsonl").lines().count()));
    assert_eq!(folder.run(&["-o", "o.jsonl", "--resume"]).code, 3);
    assert_eq!(results(&folder.read("o.jsonl")), expected);
    let device = folder.run(&["-o", "/dev/null", "--resume"]);
    assert!(device.code == 2 && device.err.contains("--resume needs a file on a disk"), "{device:?}");
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("out.jsonl")).unwrap();
    file.lock().unwrap();
    for arguments in [&["-o", "out.jsonl"][..], &["-o", "out.jsonl", "--resume"]] {
        let run = folder.run(arguments);
        assert!(run.code == 2 && run.err.contains("another run is writing to it"), "{}", run.err);
    }
    drop(file);
    assert_eq!(folder.run(&["-o", "out.jsonl"]).code, 3);
}

/// Runs the program with a file as standard input.
fn with_stdin(folder: &Path, input: &str, arguments: &[&str]) -> Run {
    let file = std::fs::File::open(folder.join(input)).unwrap();
    matesolve().current_dir(folder).args(arguments).stdin(file).output().unwrap().into()
}

#[test]
fn no_input_is_overwritten_under_any_of_its_names() {
    let folder = Folder::new();
    let path = folder.0.path();
    std::fs::write(path.join("game.pgn"), "1. f3 e5 2. g4 *\n").unwrap();
    std::fs::hard_link(path.join("game.pgn"), path.join("link.pgn")).unwrap();
    std::fs::hard_link(path.join("in.epd"), path.join("link")).unwrap();
    std::fs::write(path.join("in.jsonl"), folder.run(&[]).out).unwrap();
    std::fs::hard_link(path.join("in.jsonl"), path.join("results")).unwrap();
    let before = |name: &str| std::fs::read(path.join(name)).unwrap();
    let (epd, game, json) = (before("in.epd"), before("game.pgn"), before("in.jsonl"));
    let refused = [
        with_stdin(path, "in.epd", &["batch", "-", "-o", "in.epd", "--nodes", "10", "--format", "epd"]),
        with_stdin(path, "in.epd", &["report", "-", "-o", "link", "--nodes", "10"]),
        with_stdin(path, "in.epd", &["audit", "-", "-o", "link", "--nodes", "10"]),
        with_stdin(path, "in.jsonl", &["compare", "-", "in.jsonl", "-o", "results"]),
        with_stdin(path, "game.pgn", &["-", "-o", "game.pgn", "--format", "pgn"]),
        with_stdin(path, "in.jsonl", &["merge", "in.jsonl", "-o", "results"]),
        with_stdin(path, "in.epd", &["game.pgn", "-o", "game.pgn", "--format", "pgn"]),
        with_stdin(path, "in.epd", &["game.pgn", "-o", "link.pgn", "--format", "pgn"]),
        with_stdin(path, "in.epd", &["game.pgn", "--certificate", "link.pgn"]),
        with_stdin(path, "in.epd", &["report", "game.pgn", "-o", "link.pgn", "--format", "pgn"]),
    ];
    for run in refused {
        assert!(run.code == 2 && run.err.contains("it is also an input; name another file"), "{run:?}");
    }
    // The shell opens standard output before the program begins.
    let appended = std::fs::File::options().append(true).open(path.join("in.epd")).unwrap();
    let onto_input = matesolve().current_dir(path).args(["batch", "in.epd"]).stdout(appended).output().unwrap();
    assert_eq!(onto_input.status.code(), Some(2));
    let redirected = std::fs::File::create(path.join("m.cert.part")).unwrap();
    let certificate = [MATE_IN_TWO, "--certificate", "m.cert"];
    let onto_part: Run = matesolve().current_dir(path).args(certificate).stdout(redirected).output().unwrap().into();
    assert!(onto_part.code == 2 && onto_part.err.contains("it is also standard output"), "{onto_part:?}");
    let both = folder_run(path, &["game.pgn", "-o", "x", "--certificate", "./x"]);
    assert!(both.code == 2 && both.err.contains("it is also another output"), "{both:?}");
    assert_eq!((before("in.epd"), before("game.pgn"), before("in.jsonl")), (epd, game, json));
}

/// A mate in two: D. G. Prinz, Research 1952.
const MATE_IN_TWO: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;";

#[test]
fn what_is_written_beside_a_file_overwrites_no_input_and_no_other_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let twins = ["report", MATE_IN_TWO, "--twin", "b) wRh1-h2", "--certificate", "q.cert"];
    for name in ["m.cert.part", "o.jsonl.run.new", "a.epd"] {
        std::fs::write(path.join(name), MATE_IN_TWO).unwrap();
    }
    for link in ["l.cert.part", "o2.jsonl.run"] {
        std::fs::hard_link(path.join("a.epd"), path.join(link)).unwrap();
    }
    std::fs::write(path.join("g.pgn"), "1. f3 e5 2. g4 *\n").unwrap();
    std::fs::hard_link(path.join("g.pgn"), path.join("g-2.cert.part")).unwrap();
    let resumed = |input, output| ["batch", input, "--format", "jsonl", "--resume", "-o", output];
    let input = "it is also an input; name another file than";
    for (run, why) in [
        (with_stdin(path, "m.cert.part", &["-", "--certificate", "m.cert"]), input),
        (with_stdin(path, "a.epd", &["-", "--certificate", "l.cert"]), input),
        (folder_run(path, &["report", "g.pgn", "-s", "#1", twins[2], twins[3], "--certificate", "g.cert"]), input),
        (folder_run(path, &resumed("o.jsonl.run.new", "o.jsonl")), input),
        (folder_run(path, &resumed("a.epd", "o2.jsonl")), input),
        (
            folder_run(path, &[&twins[..], &["-o", "q-1.cert"]].concat()),
            "another output; name another file than q.cert",
        ),
        (folder_run(path, &[MATE_IN_TWO, "-o", "x.part", "--certificate", "x"]), "it is also another output"),
    ] {
        assert!(run.code == 2 && run.err.contains(why) && run.out.is_empty(), "{why}: {run:?}");
    }
    for name in ["m.cert.part", "o.jsonl.run.new", "a.epd", "l.cert.part", "o2.jsonl.run"] {
        assert_eq!(std::fs::read_to_string(path.join(name)).unwrap(), MATE_IN_TWO, "{name}");
    }
    for name in ["m.cert", "l.cert", "q.cert", "q-1.cert", "q-2.cert", "o.jsonl", "o2.jsonl", "x", "x.part"] {
        assert!(!path.join(name).exists(), "{name}");
    }
    assert!(std::fs::read_to_string(path.join("g-2.cert.part")).unwrap().starts_with("1. f3"));
    assert_eq!(folder_run(path, &twins).code, 0);
    assert!(path.join("q-1.cert").exists() && path.join("q-2.cert").exists());
}

/// A certificate replaces the file that a link leads to, and the link stays.
#[cfg(unix)]
#[test]
fn a_certificate_follows_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("mate.cert", at("link.cert")).unwrap();
    std::fs::write(at("mate.cert"), "old").unwrap();
    assert_eq!(folder_run(folder.path(), &[MATE_IN_TWO, "--certificate", "link.cert"]).code, 0);
    assert!(at("link.cert").is_symlink() && std::fs::read_to_string(at("mate.cert")).unwrap().starts_with("matesolve"));
}

fn folder_run(folder: &Path, arguments: &[&str]) -> Run {
    matesolve().current_dir(folder).args(arguments).output().unwrap().into()
}

#[test]
fn the_record_of_a_run_overwrites_no_input_and_its_results_are_not_overwritten() {
    let folder = Folder::new();
    std::fs::copy(folder.path("in.epd"), folder.path("o.jsonl.run")).unwrap();
    let arguments = ["batch", "o.jsonl.run", "--nodes", "10", "--format", "jsonl", "-o", "o.jsonl", "--resume"];
    let run = folder_run(folder.0.path(), &arguments);
    assert!(run.code == 2 && run.err.contains("o.jsonl.run cannot be written: it is also an input"), "{run:?}");
    assert_eq!(folder.read("o.jsonl.run"), folder.read("in.epd"));
    std::fs::remove_file(folder.path("o.jsonl.run")).unwrap();

    assert_eq!(folder.run(&["-o", "o.jsonl", "--resume"]).code, 3);
    let written = folder.read("o.jsonl");
    let again = folder.run(&["-o", "o.jsonl"]);
    assert!(again.code == 2 && again.err.contains("repeat the command with --resume to continue it"), "{again:?}");
    assert_eq!(folder.read("o.jsonl"), written);
    // A stray tail after the last result is removed.
    for tail in ["\n", "half a li", "no result\n"] {
        std::fs::write(folder.path("o.jsonl"), format!("{written}{tail}")).unwrap();
        let mended = folder.run(&["-o", "o.jsonl", "--resume"]);
        assert!(mended.code == 3 && mended.err.contains("is no result; it is removed"), "{tail}: {mended:?}");
        assert_eq!(folder.read("o.jsonl"), written, "{tail}");
    }
    std::fs::remove_file(folder.path("o.jsonl.run")).unwrap();
    assert_eq!(folder.run(&["-o", "o.jsonl"]).code, 3);
}

#[test]
fn missing_results_are_listed_as_ranges() {
    let folder = Folder::new();
    std::fs::write(folder.path("long.epd"), format!("{PRINZ}\n").repeat(2_000)).unwrap();
    let first = folder_run(folder.0.path(), &["batch", "long.epd", "--format", "jsonl", "--shard", "1/500"]);
    std::fs::write(folder.path("s.jsonl"), &first.out).unwrap();
    let merged = merge(folder.0.path(), &["s.jsonl", "--input", "long.epd", "-o", "all.jsonl"]);
    let gaps = "lines 2 to 500: the results are missing\nlines 502 to 1000: the results are missing\n";
    assert!(merged.code == 6 && merged.err.starts_with(gaps), "{merged:?}");
    assert_eq!(merged.err.lines().count(), 5);
    // Every second result is missing: no more than a screen of lines.
    let half = folder_run(folder.0.path(), &["batch", "long.epd", "--format", "jsonl", "--shard", "1/2"]);
    std::fs::write(folder.path("s.jsonl"), &half.out).unwrap();
    let merged = merge(folder.0.path(), &["s.jsonl", "--input", "long.epd", "-o", "all.jsonl"]);
    assert!(merged.err.lines().count() <= 22 && merged.err.contains("missing 1000"), "{}", merged.err);
}

/// Runs `matesolve merge` on files of a folder.
fn merge(folder: &Path, arguments: &[&str]) -> Run {
    matesolve().current_dir(folder).arg("merge").args(arguments).output().unwrap().into()
}

#[test]
fn shards_are_put_together_and_faults_are_named() {
    let folder = Folder::new();
    let expected = results(&folder.run(&[]).out);
    for number in 1..=3 {
        let out = format!("{number}.jsonl");
        assert!([3, 4].contains(&folder.run(&["--shard", &format!("{number}/3"), "-o", &out]).code));
    }
    let all = ["3.jsonl", "1.jsonl", "2.jsonl"];
    let whole = merge(folder.0.path(), &[&all[..], &["--input", "in.epd"]].concat());
    assert_eq!((whole.code, results(&whole.out)), (0, expected.clone()), "{}", whole.err);
    assert_eq!(whole.err, "results 32: missing 0, twice 0, of other problems 0\n");
    // The second share is missing, and the first is there twice.
    let faulty = merge(folder.0.path(), &["1.jsonl", "3.jsonl", "1.jsonl", "--input", "in.epd", "-o", "all.jsonl"]);
    assert_eq!(faulty.code, 6, "{}", faulty.err);
    assert!(faulty.err.contains("line 3: the result is missing\n"), "{}", faulty.err);
    assert!(faulty.err.contains("line 2: 1.jsonl has the same answer; that of 1.jsonl is kept\n"), "{}", faulty.err);
    assert!(faulty.err.ends_with("results 21: missing 11, twice 11, of other problems 0\n"), "{}", faulty.err);
    let kept: Vec<Value> = expected.into_iter().enumerate().filter(|(i, _)| i % 3 != 1).map(|(_, it)| it).collect();
    assert_eq!(results(&folder.read("all.jsonl")), kept);
    std::fs::write(folder.path("other.epd"), format!("\n{LOVE_CHASE}\n")).unwrap();
    let other = merge(folder.0.path(), &[&all[..], &["--input", "other.epd"]].concat());
    assert!(other.code == 6 && other.err.ends_with("of other problems 32\n"), "{}", other.err);
    let broken = merge(folder.0.path(), &["in.epd"]);
    assert!(broken.code == 2 && broken.err.contains("in.epd:1: not a result in JSON lines"), "{}", broken.err);
    let two = run(&["batch", "a", "b", "--shard", "1/2"]);
    assert!(two.code == 2 && two.err.contains("--shard takes one input"), "{}", two.err);
}

#[test]
fn reports_on_files_are_continued_and_shared_as_a_batch_is() {
    let folder = Folder::new();
    let report = |more: &[&str]| {
        let common = ["report", "in.epd", "--soundness", "--format", "jsonl", "--nodes", "20k", "--threads", "2"];
        folder_run(folder.0.path(), &[&common, more].concat())
    };
    let expected = results(&report(&["-j", "1"]).out);
    assert_eq!(expected.len(), 32);
    for number in 1..=2 {
        let out = format!("{number}.jsonl");
        assert_eq!(report(&["--shard", &format!("{number}/2"), "-o", &out]).code, 5);
    }
    let whole = merge(folder.0.path(), &["1.jsonl", "2.jsonl", "--input", "in.epd"]);
    assert!(whole.err == "results 32: missing 0, twice 0, of other problems 0\n", "{}", whole.err);
    let same = |text: &str| results(text).iter().map(|report| report["result"].clone()).collect::<Vec<_>>();
    let of_expected: Vec<Value> = expected.iter().map(|report| report["result"].clone()).collect();
    assert_eq!(same(&whole.out), of_expected);
    // Half of a run is continued, and its exit code counts the half that was there.
    assert_eq!(report(&["-o", "all.jsonl", "--resume"]).code, 5);
    let (text, record) = (folder.read("all.jsonl"), folder.read("all.jsonl.run"));
    let half: String = text.split_inclusive('\n').take(9).collect();
    std::fs::write(folder.path("all.jsonl"), &half).unwrap();
    let again = report(&["-o", "all.jsonl", "--resume"]);
    assert!(again.code == 5 && again.err.contains("has lost results"), "{}", again.err);
    assert_eq!(same(&folder.read("all.jsonl")), of_expected);
    assert!(record.contains("\"--soundness\": true"), "{record}");
    let other = report(&["-o", "all.jsonl", "--resume", "--max-tree-nodes", "5"]);
    let why = "was begun with --max-tree-nodes 20000, and now it is --max-tree-nodes 5";
    assert!(other.code == 2 && other.err.contains(why), "{}", other.err);
    // Without a record too, where the positions are compared.
    std::fs::remove_file(folder.path("all.jsonl.run")).unwrap();
    std::fs::write(folder.path("all.jsonl"), half.replacen("7R w", "6R1 w", 1)).unwrap();
    let moved = report(&["-o", "all.jsonl", "--resume"]);
    assert!(moved.code == 2 && moved.err.contains("line 1 of all.jsonl is not the result of line 2"), "{}", moved.err);
    std::fs::write(folder.path("all.jsonl"), &half).unwrap();
    let adopted = report(&["-o", "all.jsonl", "--resume"]);
    assert!(adopted.code == 5 && adopted.err.contains("its 9 results are kept as they are"), "{}", adopted.err);
    assert_eq!(same(&folder.read("all.jsonl")), of_expected);
    let one = run(&["report", PRINZ, "--shard", "1/2"]);
    assert!(one.code == 2 && one.err.contains("belong to files of problems"), "{}", one.err);
}

#[test]
fn a_finished_run_stays_although_lines_that_are_no_problems_have_names() {
    let folder = Folder::new();
    let lines =
        format!("{{\"id\":\"n1\",\"fen\":\"9/8 w\"}}\n{{\"id\":7,\"fen\":\"{PRINZ}\"}}\n9/8 w - - id \"n3\";\n");
    std::fs::write(folder.path("names.jsonl"), lines).unwrap();
    for command in ["batch", "report", "audit"] {
        let arguments =
            [command, "names.jsonl", "--nodes", "10k", "--format", "jsonl", "--resume", "-q", "-o", command];
        let first = folder_run(folder.0.path(), &arguments);
        let (text, again) = (folder.read(command), folder_run(folder.0.path(), &arguments));
        assert_eq!((again.code, folder.read(command)), (first.code, text), "{command}: {}", again.err);
    }
}

/// The recipe of `docs/clusters.md`: GNU parallel runs the shards, and `merge` puts them together.
#[test]
#[cfg(unix)]
fn gnu_parallel_runs_shards_side_by_side() {
    if !has_program("parallel", "GNU parallel") {
        return;
    }
    let folder = Folder::new();
    let job = "matesolve batch in.epd --shard {}/4 --threads 1 --nodes 20k --format jsonl -q -o {}.jsonl --resume; \
               case $? in 0|3|4|5) true ;; *) false ;; esac";
    let line = format!("parallel -j2 '{job}' ::: $(seq 4)");
    let binary = Path::new(env!("CARGO_BIN_EXE_matesolve")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let ended = Command::new("sh").args(["-c", &line]).current_dir(folder.0.path()).env("PATH", path).output().unwrap();
    let merged = merge(folder.0.path(), &["1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl", "--input", "in.epd"]);
    let err = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{err}");
    assert_eq!((merged.code, results(&merged.out)), (0, results(&folder.run(&[]).out)), "{err}: {}", merged.err);
}
