//! Help, manual pages, and completions in bash, fish and zsh.

use std::process::{Command, Output};

use matesolve::cli::examples;

use crate::util::{PRINZ, Run, has_program, matesolve, run};

const TOPICS: [&str; 23] = [
    "solve",
    "report",
    "economy",
    "mend",
    "twins",
    "retract",
    "batch",
    "audit",
    "merge",
    "split",
    "join",
    "compare",
    "popeye",
    "puzzles",
    "engines",
    "verify",
    "diagram",
    "uci",
    "bench",
    "completions",
    "man",
    "schema",
    "help",
];

#[test]
fn manual_pages_are_written_to_a_new_folder() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("share/man1");
    let run = run(&["man", "--dir", new.to_str().unwrap()]);
    assert!(run.code == 0 && new.join("matesolve.1").is_file() && new.join("matesolve-batch.1").is_file(), "{run:?}");
}

#[test]
fn the_list_of_commands_stands_in_groups_and_leads_to_the_rest() {
    let help = run(&["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.lines().count() <= 40, "{}", help.out);
    for group in ["Solve", "Compose", "Collections", "Large jobs", "Programs"] {
        assert!(help.out.contains(&format!("\n{group}\n")), "{group}");
    }
    assert!(help.out.contains("`matesolve COMMAND -h` shows") && !help.out.contains("depth-weight"));
    for arguments in [&["-h"][..], &["help"]] {
        assert_eq!(run(arguments).out, help.out, "{arguments:?}");
    }
}

/// Returns the options that a help text lists.
fn listed(help: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = help.lines().filter(|line| (2..=6).contains(&indent(line))).map(str::trim_start);
    lines.filter(|line| line.starts_with('-') && !line.starts_with("- ")).collect()
}

#[test]
fn engine_options_are_shown_by_the_help_on_engines_only() {
    let engines = run(&["help", "engines"]).out;
    for word in ["init=mobility|unit", "null-dr=1..8", "pvs: threats=off|on", "exhaustive", "race"] {
        assert!(engines.contains(word), "{word} is missing: {engines}");
    }
    for topic in TOPICS.into_iter().filter(|topic| *topic != "engines") {
        let help = run(&["help", topic]);
        assert!(help.code == 0 && help.out.contains("Usage: matesolve"), "{topic}: {}", help.out);
        assert!(["null-dr=", "bstar"].iter().all(|word| !help.out.contains(word)), "{topic}: {}", help.out);
    }
    assert!(run(&["help", "solve"]).out.contains("--moves"));
    assert_eq!(run(&[PRINZ, "--engine", "prover", "--engine-option", "init=unit"]).code, 0);
    let refused = run(&[PRINZ, "--engine", "pn", "--engine-option", "tree=on"]);
    let sentence = "does not have the option \"tree\"; it has depth-weight";
    assert!(refused.code == 2 && refused.err.contains(sentence), "{}", refused.err);
    let unknown = run(&["help", "reprot"]);
    assert!(unknown.code == 2 && unknown.err.contains("report"), "{}", unknown.err);
}

#[test]
fn the_help_of_h_is_short_and_the_whole_help_has_every_option() {
    for (command, most) in [("solve", 14), ("batch", 16), ("report", 16)] {
        let (short, whole) = (run(&[command, "-h"]).out, run(&[command, "--help"]).out);
        let (few, all) = (listed(&short), listed(&whole));
        assert!(few.len() > 10 && few.len() <= most && all.len() > most, "{command}: {few:?}");
        assert!(few.last().is_some_and(|last| last.contains("--help prints all")), "{command}: {short}");
        assert!(whole.contains("Exit codes:") && !short.contains("Exit codes:"), "{command}");
    }
    for word in
        ["-s", "--mate", "--first", "--any-length", "--defend", "--moves", "--time", "--nodes", "--threads", "--hash"]
    {
        assert!(listed(&run(&["solve", "-h"]).out).iter().any(|line| line.contains(word)), "{word}");
    }
}

#[test]
fn no_help_is_wider_than_eighty_columns_in_a_pipe() {
    let pages = ["stipulations", "formats", "themes", "exit"];
    let helps = TOPICS.iter().flat_map(|topic| [vec!["help", topic], vec![topic, "-h"]]);
    let others = pages.iter().map(|page| vec!["help", page]).chain([vec!["-h"]]);
    for arguments in helps.chain(others).filter(|arguments| arguments[0] != "engines") {
        let help = run(&arguments).out;
        let wide = help.lines().find(|line| line.chars().count() > 80);
        assert!(!help.is_empty() && wide.is_none(), "{arguments:?}: {wide:?}");
    }
    for (page, word) in
        pages.into_iter().zip(["\n  ser-h#n, ser-h=n\n", "jsonl ", "\n  Grimshaw\n", "130  interrupted"])
    {
        assert!(run(&["help", page]).out.contains(word), "{page}");
    }
}

#[test]
fn the_whole_help_says_where_the_engines_are_listed() {
    for command in ["solve", "batch", "bench"] {
        for arguments in [[command, "--help"], ["help", command]] {
            let help = run(&arguments).out;
            let about = help.split("--engine <NAME>").nth(1).expect("the option");
            assert!(about.trim_start().starts_with("The search engine to use; `matesolve help engines`"), "{about}");
        }
        assert!(command == "bench" || !run(&[command, "-h"]).out.contains("--engine"), "{command}");
    }
}

#[test]
fn an_option_that_is_elsewhere_or_has_another_name_is_named() {
    for (arguments, tip) in [
        (&[PRINZ, "--json"][..], "write --format json"),
        (&["batch", "x", "--jsonl"], "write --format jsonl"),
        (&[PRINZ, "--why", "Rh5"], "--why is an option of `matesolve report`"),
        (&[PRINZ, "--soundness"], "--soundness is an option of `matesolve report`"),
        (&[PRINZ, "--nods", "3"], "a similar argument exists: '--nodes'"),
    ] {
        let refused = run(arguments);
        assert!(refused.code == 2 && refused.err.contains(tip), "{arguments:?}: {}", refused.err);
    }
    for command in ["diagram", "economy", "report"] {
        let file = run(&[command, "problems/no-such-file.epd"]);
        assert_eq!(file.code, 2, "{command}");
    }
    let file = run(&["diagram", "Cargo.toml"]);
    assert!(file.err.contains("`matesolve diagram` takes one position; give one of its lines"), "{}", file.err);
    for (arguments, tip) in [
        (&[PRINZ, "--max", "2"][..], "write --mate N"),
        (&["batch", "x", "--memory", "1G"], "write --hash SIZE, the memory of each position"),
        (&["report", PRINZ, "--tries-with-play"], "write --tries=play"),
    ] {
        let refused = run(arguments);
        assert!(refused.code == 2 && refused.err.contains(tip), "{arguments:?}: {}", refused.err);
    }
    // After the key the question is one half-move shorter.
    let retract = |stipulation| run(&["retract", "5Kbk/6pp/6PR/8/8/8/8/8 b - -", "-s", stipulation, "--nodes", "100k"]);
    let (before, after) = (retract("#2"), retract("#-1"));
    assert!(
        before.code == 0 && before.out.lines().count() > 2 && before.out.lines().next() == after.out.lines().next()
    );
    let certificate = run(&[PRINZ, "-s", "h#2", "--certificate", "none.cert"]);
    assert!(certificate.code == 2 && certificate.out.is_empty(), "{}", certificate.err);
}

#[test]
fn the_command_solve_is_the_same_as_no_command() {
    let lines = |arguments: &[&str]| run(arguments).out.lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&["solve", PRINZ, "--mate", "2"]), lines(&[PRINZ, "--mate", "2"]));
    assert_eq!(run(&["solve"]).code, 2);
}

/// Writes the files that examples read.
#[cfg(unix)]
fn write_inputs(folder: &std::path::Path) {
    let entry = "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}\nstipulation: \"#2\"\n\
                 solution: |\n  1.Rh1-h6 !\n";
    let puzzle = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl\n\
                  prinz,5K1k/5bpp/6P1/8/8/8/8/7R b - - 0 1,f7g8 h1h6 g7h6 g6g7,1500,80,90,100,mate mateIn2,\n";
    for (name, text) in [
        ("problems.epd", format!("{PRINZ} dm 2;\n").as_str()),
        ("game.pgn", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n"),
        ("collection.olv", entry),
        ("puzzles.csv", puzzle),
        ("problem.popeye", "BeginProblem\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStipulation #2\nEndProblem\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// Returns all texts that stand in a folder and the folders in it, but for the files that `write_inputs` wrote.
#[cfg(unix)]
fn written(folder: &std::path::Path) -> String {
    let inputs = ["problems.epd", "game.pgn", "collection.olv", "puzzles.csv", "problem.popeye"];
    let text = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return written(&path);
        }
        let is_input = inputs.iter().any(|name| path.ends_with(name));
        if is_input { String::new() } else { std::fs::read_to_string(path).unwrap() }
    };
    std::fs::read_dir(folder).unwrap().map(text).collect()
}

#[cfg(unix)]
#[test]
fn every_example_of_the_help_runs_and_shows_what_it_promises() {
    for example in examples() {
        let folder = tempfile::tempdir().unwrap();
        write_inputs(folder.path());
        let Run { code, out, err } = shell("bash", example.script, folder.path()).into();
        assert!(code == 0, "{example:?}: {code} {err}");
        let shown = [out, written(folder.path())].concat();
        assert!(!example.shows.is_empty() && shown.contains(example.shows), "{example:?}: {shown} {err}");
    }
}

#[test]
fn the_first_screen_of_every_command_says_what_it_is_for_with_an_example() {
    for topic in TOPICS {
        let help = run(&["help", topic]).out;
        if !["engines", "popeye"].contains(&topic) {
            let whole = run(&[topic, "--help"]).out;
            assert!(whole.split_whitespace().eq(help.split_whitespace()), "{topic}: {whole}");
            assert!(run(&[topic, "-h"]).out.contains("Example"), "{topic}");
        }
        let examples: Vec<_> = examples().filter(|example| example.topic == topic).collect();
        assert!(!examples.is_empty(), "{topic} has no example");
        // A terminal has 24 lines; the engines, which are listed, are more than that.
        let joined = help.replace(" \\\n        ", " ");
        let screen: Vec<&str> = joined.lines().take(if topic == "engines" { 40 } else { 24 }).map(str::trim).collect();
        for example in examples {
            let lines = example.script.lines().chain([example.meaning]);
            lines.for_each(|line| assert!(screen.contains(&line), "{topic}: {line}: {help}"));
        }
        let about = help.lines().next().unwrap_or_default();
        assert!(about.split(' ').count() > 3 && !about.starts_with("Usage"), "{topic}: {help}");
    }
    let short = run(&["help"]).out;
    let first = examples().find(|example| example.topic == "solve").unwrap();
    assert!(short.contains(&format!("Try:\n\n  {}\n", first.script)), "{short}");
    assert!(examples().all(|example| TOPICS.contains(&example.topic)), "an example of no command");
}

/// Returns a manual page without the marks of its language.
fn plain(page: &str) -> String {
    page.replace("\\-", "-").replace("\\*(Aq", "'").replace("\\\\", "\\").replace("\\&", "")
}

#[test]
fn every_manual_page_has_exit_status_and_examples() {
    let pages = tempfile::tempdir().unwrap();
    assert_eq!(run(&["man", "--dir", pages.path().to_str().unwrap()]).code, 0);
    let names = TOPICS.map(|topic| format!("matesolve-{topic}"));
    for name in names.iter().map(String::as_str).chain(["matesolve"]) {
        let page = std::fs::read_to_string(pages.path().join(format!("{name}.1"))).unwrap();
        let topic = name.strip_prefix("matesolve-");
        assert_eq!(run(&[&["man"], topic.as_slice()].concat()).out, page);
        assert!(page.contains(&format!(".TH {name} 1")) && page.contains(".SH \"EXIT STATUS\""), "{name}: {page}");
        let section = plain(page.split(".SH EXAMPLES").nth(1).unwrap());
        let of_page = examples().filter(|example| example.topic == topic.unwrap_or("solve"));
        let lines: Vec<&str> = of_page.flat_map(|example| example.script.lines()).collect();
        assert!(!lines.is_empty() && lines.iter().all(|line| section.contains(line)), "{name}: {page}");
    }
    // A file stands in the place of the folder.
    let taken = pages.path().join("matesolve.1");
    let refused = run(&["man", "--dir", taken.to_str().unwrap()]);
    assert!(refused.code == 2 && refused.err.contains("matesolve.1 cannot be written"), "{}", refused.err);
}

/// Runs a script in a shell, with matesolve on the path.
#[cfg(unix)]
fn shell(shell: &str, script: &str, folder: &std::path::Path) -> Output {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_matesolve"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    Command::new(shell).args(["-c", script]).current_dir(folder).env("PATH", path).output().unwrap()
}

/// Asks a shell to complete a word after `matesolve`, and returns what it offers. `None` if the shell is not installed.
#[cfg(unix)]
fn completions(name: &str, version: &str, script: &str) -> Option<String> {
    if !has_program(name, version) {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = matesolve().args(["completions", name]).output().unwrap().stdout;
    std::fs::write(folder.path().join("_matesolve"), file).unwrap();
    let Run { code, out, err } = shell(name, script, folder.path()).into();
    assert!(code == 0 && err.is_empty(), "{name}: {code} {err}");
    Some(out)
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_and_options() {
    let script = "source ./_matesolve; \
        COMP_WORDS=(matesolve rep); COMP_CWORD=1; _matesolve matesolve rep matesolve; echo \"${COMPREPLY[@]}\"; \
        COMP_WORDS=(matesolve report --tr); COMP_CWORD=2; _matesolve matesolve --tr report; echo \"${COMPREPLY[@]}\"";
    if let Some(offered) = completions("bash", "GNU bash", script) {
        assert_eq!(offered, "report\n--tries\n");
    }
}

#[cfg(unix)]
#[test]
fn fish_completes_commands_and_options() {
    let script = "source ./_matesolve; complete -C 'matesolve rep'; complete -C 'matesolve report --tr'";
    if let Some(offered) = completions("fish", "fish", script) {
        assert!(offered.starts_with("report\t") && offered.contains("\n--tries\t"), "{offered}");
    }
}

/// zsh completes at a terminal only, so a second zsh runs in a pseudo-terminal.
#[cfg(unix)]
#[test]
fn zsh_completes_commands_and_options() {
    let script = "zmodload zsh/zpty; zpty z zsh -f -i; \
        zpty -w z \"PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -d ./dump; echo re''ady\"; \
        zpty -r z text '*ready*'; zpty -w -n z $'matesolve repo\\t--soun\\t\\nexit\\n'; \
        zpty -r z text '*--soundness*' || true; print -r -- $text; zpty -d z";
    if let Some(offered) = completions("zsh", "zsh", script) {
        assert!(offered.contains("--soundness"), "{offered}");
    }
}
