//! `.olv` collections as input of a batch.

use std::io::Write as _;

use serde_json::Value;

use crate::schema::schema_accepts;
use crate::util::{Run, matesolve, run, run_with_input};

/// Prinz 1951, two fairy problems, a broken entry, and Loyd's "Love Chase" of 1869.
const COLLECTION: &str = "\
---
authors: [\"Prinz, Dietrich Günter\"]
source: {name: Research, date: {year: 1952}}
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
---
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
options: [Circe]
---
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
conditions: [Madrasi]
---
algebraic: {white: [Kf8
---
algebraic:
  white: [Kh1, Qc4, Sf8, Pf7]
  black: [Kh8, Ba1, Pg4, Pg7, Ph7]
stipulation: \"#2\"
";

#[test]
fn entries_are_answered_in_order_with_the_number_of_their_first_line() {
    let mut file = tempfile::Builder::new().suffix(".olv").tempfile().unwrap();
    file.write_all(COLLECTION.as_bytes()).unwrap();
    let run: Run = matesolve().arg("batch").arg(file.path()).args(["--color", "never"]).output().unwrap().into();
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("2 Prinz, Dietrich Günter, Research 1952 mate in 2 (proved shortest)"), "{}", run.out);
    assert_eq!(lines[1..4], ["7 invalid", "11 invalid", "15 invalid"]);
    assert!(lines[4].starts_with("17 no mate in 2"), "{}", run.out);
    assert_eq!(run.code, 3);
    assert!(run.err.contains(":7: the option \"Circe\" changes the rules"), "{}", run.err);
    assert!(run.err.contains(":11: the entry has the condition \"Madrasi\", which is not solved"), "{}", run.err);
    assert!(run.err.contains(":15: the entry is not YAML (line 16: "), "{}", run.err);
    let piped = run_with_input(&["batch", "-", "--color", "never"], COLLECTION);
    let moves = |run: &Run| -> Vec<String> { run.out.lines().map(str::to_owned).collect() };
    assert_eq!(moves(&piped), moves(&run), "a collection on standard input is recognised by its first line");
}

/// Prinz 1951 with a twin that has no solution, a twin that is sound, and one that is not solved.
const TWINS: &str = "\
---
algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}
stipulation: \"#2\"
twins: {b: \"Stipulation #1\", c: Mirror a1<-->h1, d: \"Continued Stipulation pser-#2\"}
solution: old
";

#[test]
fn a_batch_solves_the_first_phase_only_and_says_so() {
    let run = run_with_input(&["batch", "-"], TWINS);
    assert_eq!(run.code, 5);
    assert!(run.out.contains("mate in 2") && run.err.contains("1 entry has twins that were not solved"), "{}", run.err);
    assert!(run.err.contains("only its first phase is solved here"), "{}", run.err);
}

#[test]
fn a_report_has_every_phase_and_the_worst_verdict() {
    let text = run_with_input(&["report", "-", "--color", "never"], TWINS);
    assert_eq!(text.code, 5);
    for part in [
        "phase b: #1 no solution\n\na)\n#2 sound\n",
        "\n\nb) #1\n#1 no solution\n",
        "\n\nc) mirror a1<-->h1\n#2 sound\n\n1. Ra6!",
        "\n\n+d) pser-#2\nnot solved: \"pser-#2\" is a series in which the other side may answer a check",
    ] {
        assert!(text.out.contains(part), "{part}: {}", text.out);
    }
    let popeye = run_with_input(&["report", "-", "--format", "popeye"], TWINS);
    for part in ["a) \n\n   1.Rh1-h6 !", "\n\n\nb) #1  \n\n\nc) mirror a1<-->h1  \n\n   1.Ra1-a6 !", "Partial solution"]
    {
        assert!(popeye.out.contains(part), "{part}: {}", popeye.out);
    }
    let page = run_with_input(&["report", "-", "--format", "html"], TWINS);
    assert!(
        page.out.contains("1 problem<") && page.out.contains("<p>c) mirror a1↔h1</p>"),
        "the booklet has each phase"
    );
    assert_eq!(["<article", "class=\"board\"", "<pre>"].map(|part| page.out.matches(part).count()), [1, 1, 4]);
    let document = run_with_input(&["report", "-", "--format", "latex"], TWINS).out;
    assert_eq!(["\n\\problem{", "\n\\board{", "\n\\twin{"].map(|part| document.matches(part).count()), [1, 1, 3]);
}

#[test]
fn a_page_shows_dates_and_awards_and_no_path() {
    let folder = tempfile::tempdir().unwrap();
    let entry = |fields: &str| {
        let men = "{white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}";
        format!("---\n{fields}algebraic: {men}\nstipulation: '#2'\n")
    };
    let plain = entry("authors: [A]\nsource: S\ndate: 1981-04\ndistinction: 3rd Honorable Mention\n");
    let nested =
        "source: {name: S, date: {year: 1975, month: 5}}\naward: {tourney: {name: T}, distinction: 1st Prize}\n";
    let file = folder.path().join("my.olv");
    std::fs::write(&file, plain + &entry(nested) + &entry("")).unwrap();
    let path = file.to_str().unwrap();
    let page = run(&["report", path, "--format", "html"]).out;
    assert!(
        page.contains("<p>1981-04, 3rd Honorable Mention</p>") && page.contains("<p>1975-5, 1st Prize, T</p>"),
        "{page}"
    );
    assert!(page.contains("<title>my</title>") && page.contains("3. my, line "), "{page}");
    assert!(!page.contains(folder.path().to_str().unwrap()), "a path stands on the page");
    let titled = run(&["report", path, "--format", "html", "--title", "Prinz & others"]).out;
    assert!(titled.contains("<title>Prinz &amp; others</title>"), "{titled}");
    let one = run(&["report", crate::util::PRINZ, "--format", "html", "--title", "One"]).out;
    assert!(one.contains("<title>One</title>") && one.contains("<h1>One</h1>"));
    assert_eq!(run(&["report", path, "--title", "x"]).code, 2);
}

#[test]
fn twins_of_the_command_line_are_phases() {
    let fen = "8/3R4/8/3nkpQ1/8/1P3K2/2B5/8 w - -";
    let report = |more: &[&str]| run(&[&["report", fen, "-s", "#2"], more].concat());
    let both = report(&["--twin", "b) Remove b3"]);
    for part in
        ["sound, 2 phases\n", "\n\nb) -wPb3\n#2 sound\n", "\n1. Bb3!", "\nC+ matesolve 0.1 (#2, 2 phases, whole, "]
    {
        assert!(both.out.contains(part), "{part}: {}", both.out);
    }
    assert_eq!(both.out.matches("C+ ").count(), 1, "{}", both.out);
    let three = report(&["--twin", "Remove b3", "--twin", "c) Pb3-b4 #3", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&three.out).unwrap();
    let names = |phase: &serde_json::Value| (phase["phase"]["letter"].clone(), phase["stipulation"]["text"].clone());
    let phases: Vec<_> = object["phases"].as_array().unwrap().iter().map(names).collect();
    let expected = [("a", "#2"), ("b", "#2"), ("c", "#3")].map(|(letter, text)| (letter.into(), text.into()));
    assert_eq!(phases, expected);
    let own = format!("{{\"fen\": \"{fen}\", \"twins\": {{\"b\": \"Remove b3\"}}}}");
    assert_eq!(run(&["report", &own, "--twin", "Remove b3"]).code, 2);
    let twice = report(&["--twin", "b) Remove b3", "--twin", "b) Remove c2"]);
    assert!(twice.code == 3 && twice.err.contains('b'), "{}", twice.err);
}

#[test]
fn the_solution_of_twins_is_written_with_headings() {
    let whole = TWINS.replace(", d: \"Continued Stipulation pser-#2\"", "");
    let run = run_with_input(&["report", "-", "--format", "olv"], &whole);
    assert!(run.out.contains("solution: |\n  a)\n\n     1.Rh1-h6 ! zugzwang.\n"), "{}", run.out);
    assert!(run.out.contains("\n\n\n  b) #1\n\n\n  c) mirror a1<-->h1\n\n     1.Ra1-a6 ! zugzwang.\n"), "{}", run.out);
    let unsolved = run_with_input(&["report", "-", "--format", "olv"], TWINS);
    assert_eq!(unsolved.out, TWINS, "an entry with a phase that is not solved is unchanged");
}

/// The file names the keys of every phase of published twins and duplexes.
#[test]
fn the_phases_of_published_problems_have_their_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/problems/twins.olv");
    let expected: Vec<Vec<String>> = std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("keys: ")?).ok())
        .collect();
    let found = run(&["report", path, "--format", "jsonl", "--quiet"]);
    assert_eq!((found.out.lines().count(), expected.len()), (11, 11));
    for (line, expected) in found.out.lines().zip(&expected) {
        let report: Value = serde_json::from_str(line).unwrap();
        schema_accepts("report", &report);
        let alone = vec![report.clone()];
        let phases = report["phases"].as_array().unwrap_or(&alone);
        let keys = |phase: &Value| {
            let keys = phase["keys"].as_array().unwrap().iter().filter_map(|key| key["san"].as_str());
            if phase["error"].is_null() { keys.collect::<Vec<_>>().join(" ") } else { "unsolved".to_owned() }
        };
        assert_eq!(&phases.iter().map(keys).collect::<Vec<_>>(), expected, "{line}");
        let decides = phases.iter().filter(|phase| phase.get("phase") == report.get("phase")).count();
        assert_eq!(decides, 1, "the whole names the phase that decides");
    }
}

#[test]
fn json_problems_may_have_twins_and_diagrams_show_them() {
    let problem =
        "{\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\", \"stipulation\": \"#2\", \"twins\": {\"b\": \"Remove g7\"}}";
    let report: Value =
        serde_json::from_str(&run(&["report", problem, "--format", "json", "--soundness"]).out).unwrap();
    assert_eq!(report["phases"][1]["phase"]["heading"], "-bPg7");
    assert_eq!(report["phases"][1]["position"]["fen"], "5Kbk/7p/6P1/8/8/8/8/7R w - - 0 1");
    let picture = run(&["diagram", problem]);
    assert!(picture.out.contains(">b) -bPg7</text>"), "{}", picture.out);
    let published = concat!(env!("CARGO_MANIFEST_DIR"), "/problems/twins.olv");
    assert!(run(&["diagram", published]).out.contains(">b) wSc3--&gt;g3</text>"));
}

const MEN: &str = "algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}";

/// Six entries, as programs write them that put the start of a document on the line of its separator.
fn begun_on_their_separators() -> String {
    format!(
        "%YAML 1.2\n--- {{{MEN}, stipulation: '#2'}}\n--- # a comment\n{MEN}\nstipulation: '#2'\n--- !tag\n{MEN}\n\
         stipulation: '#2'\n--- !!map\n{MEN}\nstipulation: '#2'\n...\n{MEN}\nstipulation: '#2'\n--- &a {{{MEN}, \
         stipulation: '#2'}}\n"
    )
}

#[test]
fn every_entry_is_solved_wherever_its_document_begins() {
    let text = begun_on_their_separators();
    for arguments in [&["batch", "-", "-q"][..], &["report", "-", "-q", "--soundness"]] {
        let run = run_with_input(arguments, &text);
        let starts = run.out.lines().filter_map(|line| line.split(' ').next()?.parse::<usize>().ok());
        assert_eq!(starts.filter(|line| [2, 4, 6, 9, 13, 15].contains(line)).count(), 6, "{arguments:?}: {run:?}");
        assert_eq!(run.code, 0, "{run:?}");
    }
    let audit = run_with_input(&["audit", "-"], &text);
    assert!(audit.out.contains("entries 6:"), "{audit:?}");
    let second = run_with_input(&["batch", "-"], text.replace('\n', "\r"));
    assert!(second.out.contains("invalid") && second.err.contains("a second entry begins here"), "{second:?}");
}

#[test]
fn a_collection_is_written_again_byte_for_byte() {
    let entry = format!("{MEN}\nstipulation: '#2'\nsolution: old\n");
    let start = "\u{feff}# collected by hand\n%YAML 1.2\n# and checked\n--- # first\n";
    let text = format!("{start}{entry}...\n# between\n---\nbroken: [\n---\n\n{entry}# end\n---\n# after the end\n");
    let run = run_with_input(&["report", "-", "--format", "olv", "-q"], &text);
    assert!(run.out.starts_with(&format!("{start}{MEN}\nstipulation: '#2'\nsolution: |\n")), "{}", run.out);
    assert!(run.out.contains("\n...\n# between\n---\nbroken: [\n---\n\nalgebraic: "), "{}", run.out);
    assert!(run.out.ends_with("\n# end\n---\n# after the end\n"), "{}", run.out);
    let again = run_with_input(&["report", "-", "--format", "olv", "-q"], &run.out);
    assert_eq!(again.out, run.out, "what is solved already is written as it is");
    let text = begun_on_their_separators();
    let run = run_with_input(&["report", "-", "--format", "olv", "-q", "--nodes", "1"], &text);
    assert_eq!(run.out, text, "nothing is solved, and nothing changes");
}

#[test]
fn a_file_of_the_output_gets_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = [
        "--- {algebraic: {white: [Ke1], black: [Ke8]}, stipulation: '#1'} # \u{200e}\u{1b}[1m\n---\nauthors: M"
            .as_bytes(),
        b"\xfcller\n---\n# no line break",
    ]
    .concat();
    std::fs::write(folder.path().join("a.olv"), &bytes).unwrap();
    std::fs::write(folder.path().join("b.olv"), format!("{MEN}\n")).unwrap();
    for command in [&["report", "--nodes", "1"][..], &["audit", "--nodes", "1"]] {
        let mut run = matesolve();
        run.args(command).args(["a.olv", "b.olv", "--format", "olv", "-q", "-o", "out.olv"]);
        run.current_dir(folder.path()).output().unwrap();
        let expected = [&bytes[..], format!("\n---\n{MEN}\n").as_bytes()].concat();
        let written = std::fs::read(folder.path().join("out.olv")).unwrap();
        assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected), "{command:?}");
        assert_eq!(written, expected);
    }
}

#[test]
fn a_field_in_another_form_is_refused_with_its_name() {
    let refused = |fields: &str| run_with_input(&["batch", "-"], format!("---\n{MEN}\n{fields}\n"));
    for (fields, why) in [
        ("stipulation: ['#2']", "2: the field \"stipulation\" is a list; write it as \"#3\""),
        ("stipulation: '#2'\ntwins: {b: {move: a1}}", "\"twins.b\" is an object; write it as {\"b\": "),
        ("stipulation: '#2'\noptions: {Duplex: yes}", "\"options\" is an object; write it as [\"SetPlay"),
        ("stipulation: '#2'\nTwins: {b: Black}", "the field \"Twins\" is not understood; if it is meant to be twins"),
        ("stipulation: '#2'\nstipulation: '#3'", "the field \"stipulation\" stands twice; remove one"),
        ("stipulation: '#2'\nsolution: [1.Rh6]", "the field \"solution\" is a list; write it as one text"),
        ("stipulation: '#2'\nx: &x [Duplex]\noptions: *x", "the field \"options\" is an alias"),
    ] {
        let run = refused(fields);
        assert!(run.err.contains(why) && run.code == 3, "{fields}: {run:?}");
    }
    let run = refused("stipulation: 2\noptions: SetPlay Duplex");
    assert!(run.out.contains("mate in 2") && run.err.contains("twins") && run.code == 5, "{run:?}");
}

#[test]
fn a_new_entry_keeps_what_is_said_about_the_publication() {
    let line = r##"{"fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -","stipulation":"#2","authors":["Prinz: D.","B"],"source":"Research","date":"1952","rating":5}"##;
    let written = run_with_input(&["report", "-", "--format", "olv"], line);
    let start = "---\nauthors: [\"Prinz: D.\",\"B\"]\nsource: \"Research\"\ndate: \"1952\"\nalgebraic:\n";
    assert!(written.out.starts_with(start), "{}", written.out);
    let read = run_with_input(&["batch", "-", "--format", "csv", "--nodes", "1"], written.out);
    assert!(read.out.contains("\"Prinz: D. & B, Research\""), "{}", read.out);
}
