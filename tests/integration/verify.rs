//! `matesolve verify`: correct and altered certificates and results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::util::{HARD, LOVE_CHASE, PRINZ, Run, matesolve, run, run_with_input};

/// A temporary folder for the files of a test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the program with `--certificate`. Returns the run and the text of the certificate, if one was written.
    fn certify(&self, arguments: &[&str]) -> (Run, Option<String>) {
        let path = self.path("certificate");
        let mut all = arguments.to_vec();
        all.extend(["--certificate", path.to_str().unwrap()]);
        (run(&all), fs::read_to_string(path).ok())
    }
}

fn verify(contents: impl AsRef<[u8]>) -> Run {
    run_with_input(&["verify", "-"], contents)
}

/// Returns the certificate of Loyd's "Love Chase", a mate in three.
fn love_chase() -> String {
    let folder = Folder::new();
    let (run, text) = folder.certify(&[LOVE_CHASE]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    text.expect("a mate has a certificate")
}

/// Corrects the checksum of an altered certificate, as a forger would: only the checker can find the fault.
fn with_correct_checksum(text: &str) -> String {
    let message = verify(text).err;
    let Some((_, computed)) = message.trim().rsplit_once("that of its content is ") else { return text.to_owned() };
    let (before, _) = text.trim_end().rsplit_once(' ').unwrap();
    format!("{before} {computed}\n")
}

/// Asserts that the file is a certificate that does not hold, and is refused with this sentence.
fn refused(contents: &str, sentence: &str) {
    refused_with(6, contents, sentence);
}

fn refused_with(expected: i32, contents: &str, sentence: &str) {
    let Run { code, out, err } = verify(contents);
    assert_eq!((code, out.as_str()), (expected, ""), "{err}\n{contents}");
    assert!(err.starts_with("standard input: ") && err.contains(sentence), "{err}");
}

#[test]
fn a_certificate_is_written_and_verified() {
    let Run { code, out, err } = verify(love_chase());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, err.as_str(), lines[0]), (0, "", "certificate: mate in 3 holds"));
    assert_eq!(lines[1], format!("White mates from {LOVE_CHASE} 0 1"));
    assert!(lines[2].starts_with("checked: all legal defences are answered") && lines[3].starts_with("not shown: "));
}

#[test]
fn every_engine_and_every_kind_of_root_gives_a_certificate() {
    let folder = Folder::new();
    for (arguments, verdict) in [
        (&[PRINZ][..], "mate in 2"),
        (&[PRINZ, "--engine", "pn"], "mate in 2"),
        (&[PRINZ, "--engine", "pvs"], "mate in 2"),
        (&[PRINZ, "--engine", "exhaustive"], "mate in 2"),
        (&["5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-1;"], "mated in 1"),
        (&["7k/5KQ1/8/8/8/8/8/8 b - -", "--defend"], "mated in 0"),
        (&["7k/5KQ1/8/8/8/8/8/8 b - -"], "mated in 0"),
        (&["4rkr1/R7/8/8/8/8/6P1/5KR1 w G - 0 1"], "mate in 1"),
        (&["7R/7p/5P1k/4PKpP/8/8/8/8 w - g6"], "mate in 2"),
        (&["k7/8/1K6/8/2QQ4/2QQ4/2Q1Q3/2QQQQQ1 w - -"], "mate in 1"),
    ] {
        let (solved, text) = folder.certify(arguments);
        let checked = verify(text.unwrap_or_else(|| panic!("{arguments:?}: {solved:?}")));
        assert_eq!(checked.code, 0, "{arguments:?}: {}", checked.err);
        assert!(checked.out.starts_with(&format!("certificate: {verdict} holds")), "{arguments:?}: {}", checked.out);
        fs::remove_file(folder.path("certificate")).unwrap();
    }
}

#[test]
fn without_a_mate_no_certificate_is_written() {
    let folder = Folder::new();
    for (arguments, code) in
        [(&[PRINZ, "--mate", "1"][..], 1), (&[HARD, "--nodes", "1000"], 4), (&["7k/5Q2/6K1/8/8/8/8/8 b - -"], 1)]
    {
        let (run, text) = folder.certify(arguments);
        assert_eq!((run.code, text), (code, None), "{arguments:?}");
        assert!(run.err.contains("is not written: there is no mate to certify"), "{}", run.err);
    }
    let nowhere = folder.path("no/such/folder/file");
    let lost = run(&[HARD, "--certificate", nowhere.to_str().unwrap()]);
    assert_eq!((lost.code, lost.out.as_str()), (2, ""), "the missing folder is reported before the search");
    assert!(lost.err.contains("there is no directory "), "{}", lost.err);
    let directory = run(&[PRINZ, "--certificate", folder.0.path().to_str().unwrap()]);
    assert_eq!(directory.code, 2);
}

#[test]
fn altered_bytes_and_truncated_certificates_are_refused() {
    let text = love_chase().into_bytes();
    let step = text.len() / 60 + 1;
    for at in (0..text.len()).step_by(step) {
        for byte in [text[at] ^ 1, b' ', 0xff] {
            let mut damaged = text.clone();
            damaged[at] = byte;
            let Run { code, out, err } = verify(&damaged);
            let is_refused = if damaged == text { code == 0 } else { matches!(code, 3 | 6) && out.is_empty() };
            assert!(is_refused && err.is_empty() == (code == 0), "byte {at} changed to {byte}: {code} {out} {err}");
        }
    }
    for end in (0..text.len()).step_by(step) {
        let Run { code, out, .. } = verify(&text[..end]);
        assert!(matches!(code, 3 | 6) && out.is_empty(), "truncated after {end} bytes: {code}");
    }
}

#[test]
fn an_altered_move_is_found_by_the_checker() {
    let text = love_chase();
    let key = text.lines().nth(5).unwrap();
    refused(&text.replace(key, &key.replace("c4f1", "c4f4")), "its checksum is ");
    // 1. Qf1 changed to a legal move that does not mate, to one that is not legal, and to no move at all.
    for (played, sentence) in [
        ("c4f4", "the proof is wrong: after 1. Qf4 "),
        ("c4c4", "the proof is wrong: in the diagram the attacker's move c4c4 is not legal"),
        ("castle", "\"castle\" is not a move such as e2e4"),
    ] {
        let forged = with_correct_checksum(&text.replace(key, &key.replace("c4f1", played)));
        refused(&forged, sentence);
    }
}

#[test]
fn a_removed_defence_is_named() {
    let text = love_chase();
    let mut removed = 0;
    for line in text.lines().skip(6).filter(|line| line.contains(' ') && line.ends_with('#')) {
        // The last defence of the line loses its answer.
        let (shorter, _) = line.rsplit_once(' ').unwrap();
        let forged = with_correct_checksum(&text.replacen(line, shorter, 1));
        assert_ne!(forged, text);
        refused(&forged, "the proof has no answer to the defence ");
        removed += 1;
    }
    assert!(removed > 0);
}

#[test]
fn an_altered_length_or_position_is_found() {
    let text = love_chase();
    let forged = |from: &str, to: &str| with_correct_checksum(&text.replace(from, to));
    refused(&forged("solved in 3", "solved in 2"), "claims mate in 2, but its proof is of mate in 3");
    refused(&forged("stipulation #3", "stipulation #-3"), "the proof is wrong: ");
    refused(&forged("/b6K w", "/b5K1 w"), "the proof is wrong: ");
    refused_with(3, &forged("/b6K w", "/b7 w"), "cannot be played");
    refused_with(3, &forged("claim solved in 3", "claim solved in many"), "line 4 of the certificate must be \"claim ");
    refused_with(3, &forged("claim solved", "claim nothing"), "line 4 of the certificate must be \"claim ");
    refused(
        &forged("claim solved", "claim no solution"),
        "line 5 of the certificate must be \"proof no solution in 3\"",
    );
}

#[test]
fn a_certificate_may_be_compressed() {
    let folder = Folder::new();
    let path = folder.path("mate.cert.gz");
    assert_eq!(run(&[LOVE_CHASE, "--certificate", path.to_str().unwrap()]).code, 0);
    assert!(fs::read(&path).unwrap().starts_with(b"\x1f\x8b"));
    let run = run(&["verify", path.to_str().unwrap()]);
    assert!(run.code == 0 && run.out.starts_with("certificate: mate in 3 holds\n"), "{run:?}");
}

#[test]
fn a_verdict_and_the_shortest_length_have_certificates() {
    let folder = Folder::new();
    let rooks = "7k/2K1RRp1/8/8/8/8/8/8 w - -";
    for (arguments, says) in [
        (vec!["report", PRINZ, "-s", "#2"], "sound holds: the only key of a mate in 2 is Rh6; there is no mate in 1"),
        (
            vec!["report", PRINZ, "-s", "#3"],
            "short solution holds: there is a mate in 2; the key of a mate in 3 is Rh6",
        ),
        // Its proofs that are found first have all five moves.
        (
            vec!["report", "1q5R/P2N4/5p2/2p2p2/2Pk1b1n/6P1/PNpP1P1K/BQ3R1B w - -", "-s", "#5"],
            "short solution holds: there is a mate in 4; the keys of a mate in 5 are ",
        ),
        (vec!["report", rooks, "-s", "#3"], "no solution holds: there is no mate in 3"),
        (vec!["report", rooks, "-s", "#3", "--threads", "2"], "no solution holds: there is no mate in 3"),
        (vec!["report", "7k/8/5K2/8/8/8/8/R7 b - -", "-s", "#-1"], "not mated in 1 holds"),
        (vec![rooks, "--shortest"], "mate in 4 holds, no mate in 3 holds"),
        (vec![rooks, "-s", "#3", "--shortest"], "no mate in 3 holds"),
        (vec![PRINZ, "--defend", "--mate", "1", "--shortest"], "not mated in 1 holds"),
    ] {
        let path = folder.path("verdict.cert");
        let _ = fs::remove_file(&path);
        let mut all = arguments.clone();
        all.extend(["--certificate", path.to_str().unwrap(), "-q"]);
        let made = run(&all);
        assert!(made.code <= 1 || made.code == 4, "{all:?}: {made:?}");
        let checked = run(&["verify", path.to_str().unwrap()]);
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{all:?}: {checked:?}");
        assert!(checked.out.starts_with(&format!("certificate: {says}")), "{all:?}: {}", checked.out);
    }
}

#[test]
fn a_verdict_that_cannot_be_certified_gets_no_file() {
    let folder = Folder::new();
    let path = folder.path("none.cert");
    let name = path.to_str().unwrap();
    for (arguments, why) in [
        (vec!["report", HARD, "-s", "#9", "--nodes", "1000"], "the problem is not decided; give it more time or nodes"),
        (vec![HARD, "--nodes", "1000", "--shortest"], "the problem is not decided; give it more time or nodes"),
        (vec!["report", "8/8/8/8/8/5k2/5p2/5K1r w - -", "-s", "s#2"], "the goal stands in the diagram already"),
        (vec!["report", PRINZ, "-s", "#2", "--intended", "2"], "there are fewer keys than intended"),
    ] {
        let mut all = arguments.clone();
        all.extend(["--certificate", name, "-q"]);
        let made = run(&all);
        assert!(made.err.contains(&format!("none.cert is not written: {why}")), "{all:?}: {made:?}");
        assert!(!path.exists() && !folder.path("none.cert.part").exists(), "{all:?}");
    }
    let both = run(&["report", "problems/classics.epd", "--certificate", name]);
    assert!(both.code == 2 && both.err.contains("belong to one position"), "{both:?}");
    assert_eq!(run(&[PRINZ, "--shortest"]).code, 2);
    // Nothing is searched for a certificate that cannot be.
    for command in [&["report", HARD][..], &[HARD]] {
        let helped = run(&[command, &["-s", "h#9", "--certificate", name]].concat());
        assert!(helped.code == 2 && helped.err.contains("certificates do not know help play"), "{helped:?}");
    }
}

#[test]
fn each_phase_has_a_certificate_of_its_own() {
    let folder = Folder::new();
    let path = folder.path("twin.cert.gz");
    let arguments = ["report", PRINZ, "-s", "#2", "--twin", "b) Rh1-g1", "--certificate", path.to_str().unwrap(), "-q"];
    run(&arguments);
    for name in ["twin-1.cert.gz", "twin-2.cert.gz"] {
        let checked = run(&["verify", folder.path(name).to_str().unwrap()]);
        assert_eq!(checked.code, 0, "{checked:?}");
    }
}

#[test]
fn the_certificates_for_other_checkers_are_judged_as_their_table_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/certificates");
    let table = fs::read_to_string(folder.join("README.md")).unwrap();
    let rows =
        table.lines().filter_map(|line| line.strip_prefix("| `")).map(|row| row.split(" | ").collect::<Vec<_>>());
    let mut judged = 0;
    for row in rows {
        let [name, code, says, ..] = row[..] else { panic!("{row:?}") };
        let path = folder.join(name.trim_end_matches('`'));
        let run = run(&["verify", path.to_str().unwrap()]);
        assert_eq!(run.code.to_string(), code, "{row:?}: {run:?}");
        assert!(run.out.contains(says) || run.err.contains(says), "{row:?}: {run:?}");
        judged += 1;
    }
    let files = fs::read_dir(&folder).unwrap().count();
    assert!(judged + 1 == files && judged > 15, "{judged} rows, {files} files");
}

/// Returns results of several kinds, one per line: three mates, an undecided one and an invalid one.
fn some_results() -> String {
    let text = format!("{PRINZ} id \"Prinz\";\n{LOVE_CHASE}\n5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-1;\n{HARD}\nnonsense\n");
    run_with_input(&["batch", "-", "--format", "jsonl", "--nodes", "20k", "--threads", "1"], text).out
}

#[test]
fn the_main_lines_of_results_are_checked() {
    let Run { code, out, err } = verify(some_results());
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "results 5: main lines that mate as claimed 3, wrong 0, no mate claimed 2");
    assert!(lines[1].starts_with("checked: ") && lines[2].starts_with("not shown: that the mates are forced"), "{out}");
    for format in ["json", "jsonl"] {
        let one = run(&[PRINZ, "--format", format]).out;
        assert!(verify(one).out.starts_with("results 1: main lines that mate as claimed 1, "));
    }
    // A name that is a number is given back as one.
    let problem = format!("{{\"fen\":\"{PRINZ}\",\"id\":17}}\n");
    let numbered = run_with_input(&["batch", "-", "--format", "jsonl"], problem).out;
    assert!(
        numbered.contains("\"id\":17")
            && verify(numbered).out.starts_with("results 1: main lines that mate as claimed 1, ")
    );
    let array = run_with_input(&["batch", "-", "--format", "json"], format!("{PRINZ}\n{PRINZ}\n")).out;
    assert!(verify(array).out.starts_with("results 2: main lines that mate as claimed 2, "));
}

#[test]
fn what_other_commands_write_is_named_and_not_checked() {
    for command in ["report", "audit", "puzzles"] {
        let line = format!("{PRINZ} dm 2; pv h1h6;\n");
        let written = run_with_input(&[command, "-", "--format", "jsonl", "-q"], line).out;
        let sentence = format!("this is what {command} writes, which merge and {command} --resume read; verify checks");
        refused_with(3, &written, &sentence);
    }
}

#[test]
fn the_lines_of_help_play_are_replayed() {
    let problem = "{\"fen\":\"k7/8/1K6/8/8/8/8/7R w - -\",\"stipulation\":\"h#0.5\"}\n";
    let results = run_with_input(&["batch", "-", "--format", "jsonl"], problem).out;
    let good = verify(&results);
    let lines: Vec<&str> = good.out.lines().collect();
    assert_eq!(good.code, 0);
    assert_eq!(
        lines[0],
        "results 1: main lines that mate as claimed 0, wrong 0, no mate claimed 0, help play 1 (lines 1)"
    );
    assert!(lines[1].contains("every line of help play") && lines[2].ends_with("no other lines"), "{}", good.out);
    let bad = verify(results.replace("h1h8", "h1h7"));
    assert!(bad.code == 6 && bad.err.contains("line 1 of \"solutions\" does not hold"), "{bad:?}");
}

#[test]
fn altered_results_are_reported_with_their_line() {
    let text = some_results();
    for (from, to, sentence) in [
        (
            "\"h1h6\"",
            "\"h1h8\"",
            "standard input: line 1 (Prinz): half-move 1 of the main line, \"h1h8\", is not legal",
        ),
        ("\"h1h6\"", "\"h1h5\"", "line 1 (Prinz): "),
        ("\"mate_in\":2", "\"mate_in\":3", "the claimed mate takes 5 half-moves, and the main line has 3"),
        ("\"mate\"", "\"mated\"", "the claimed mate takes 4 half-moves, and the main line has 3"),
        ("\"fen\":\"5Kbk", "\"fen\":\"6bk", "the position cannot be played"),
        ("{\"schema_version\"", "{\"schema_version", "line 1: not a result of matesolve"),
    ] {
        assert!(text.contains(from));
        let Run { code, out, err } = verify(text.replacen(from, to, 1));
        assert_eq!(code, 6, "{from} → {to}: {out}");
        assert!(err.contains(sentence), "{err}");
        assert!(out.starts_with("results 5: main lines that mate as claimed 2, wrong 1, no mate claimed 2"), "{out}");
    }
}

#[test]
fn other_files_are_refused_with_a_message() {
    for (contents, code) in [(&b""[..], 3), (b"\x00\xff\xfe", 3), (PRINZ.as_bytes(), 3), (b"[]", 3)] {
        let Run { code: found, out, err } = verify(contents);
        assert_eq!((found, out.as_str()), (code, ""), "{contents:?}: {err}");
        assert!(err.starts_with("standard input: "), "{err}");
    }
    let Run { code, err, .. } = verify(b"{\xff}");
    assert!(code == 6 && err.starts_with("standard input: line 1: not a result of matesolve: "), "{code} {err}");
    assert_eq!(run(&["verify", "/"]).code, 2);
    assert_eq!(run(&["verify", "no/such/file"]).code, 2);
    assert_eq!(run(&["verify"]).code, 2);
    let long = format!("{{\"fen\": \"{}\"}}", "8".repeat(10_000_000));
    let Run { code, err, .. } = verify(long);
    assert!(code == 6 && err.len() < 1000, "{code} {}", err.len());
}

#[test]
fn a_broken_pipe_changes_neither_the_exit_code_nor_the_certificate() {
    let folder = Folder::new();
    let (good, bad) = (folder.path("good"), folder.path("bad"));
    fs::write(&good, some_results()).unwrap();
    fs::write(&bad, some_results().replacen("\"h1h6\"", "\"h1h8\"", 1)).unwrap();
    let certificate = folder.path("certificate");
    let run_with_broken_pipe = |arguments: &[&str]| {
        let mut child = matesolve().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        Run::from(child.wait_with_output().unwrap())
    };
    assert_eq!(run_with_broken_pipe(&["verify", good.to_str().unwrap()]).code, 0);
    let refused = run_with_broken_pipe(&["verify", bad.to_str().unwrap()]);
    assert!(refused.code == 6 && refused.err.contains("is not legal"), "{refused:?}");
    assert_eq!(run_with_broken_pipe(&[PRINZ, "--certificate", certificate.to_str().unwrap()]).code, 0);
    assert_eq!(verify(fs::read(certificate).unwrap()).code, 0);
}
