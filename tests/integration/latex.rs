//! `--format latex` of `report` and `diagram`: what stands in the documents, and that pdflatex sets them without a
//! warning.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::util::{LOVE_CHASE, PRINZ, may_have_program, run, run_with_input};

/// Problems of every kind, with names that hold what LaTeX understands as commands.
fn collection() -> String {
    let every_letter: String = ('\u{a1}'..='\u{17f}').collect();
    let mut lines = format!("{PRINZ} dm 2; id \"\\\\input{{x}} $ % & # _ ^ ~ -- ?` << ,, Жук\";\n");
    let _ = writeln!(lines, "8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - - dm 2; id \"{every_letter}\";");
    let _ = writeln!(lines, "{LOVE_CHASE} dm 3; id \"{}\";", "long".repeat(40));
    let _ = writeln!(lines, "nonsense");
    let _ = writeln!(lines, "{PRINZ} stip \"h#2\"; id \"help\";");
    let _ = writeln!(lines, "{{\"fen\": \"{PRINZ}\", \"stipulation\": \"#2\", \"twins\": {{\"b\": \"h1-->g1\"}}}}");
    lines + &format!("{PRINZ} dm 9; id \"short\";\n").repeat(12)
}

/// Runs pdflatex, and returns its complaints.
fn complaints(folder: &Path, name: &str, document: &str) -> Vec<String> {
    std::fs::write(folder.join(format!("{name}.tex")), document).unwrap();
    let arguments = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name];
    let output = Command::new("pdflatex").current_dir(folder).args(arguments).output().expect("pdflatex starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(folder.join(format!("{name}.pdf")).is_file());
    let log = std::fs::read(folder.join(format!("{name}.log"))).unwrap();
    let log = String::from_utf8_lossy(&log).into_owned();
    let is_complaint = |line: &&str| line.contains("Warning") || line.contains("full \\") || line.starts_with('!');
    log.lines().filter(is_complaint).map(str::to_owned).collect()
}

#[test]
fn a_document_has_the_diagram_the_solution_and_the_stamp() {
    let document = run(&["report", &format!("{PRINZ} dm 2; id \"50% & more\";"), "--format", "latex"]).out;
    assert!(document.starts_with("% matesolve ") && document.ends_with("\\end{document}\n"), "{document}");
    for part in [
        "\\usepackage{chessboard}",
        "\\problem{1}{50\\% \\& more}",
        "\\verdict{Sound · \\figurine{rook}{R}h6}",
        "\\board{5Kbk/6pp/6P1/8/8/8/8/7R}{\\#2}{3+4}",
        "\\ply{0}{1. \\figurine{rook}{R}h6!{} zugzwang (sacrifice)}",
        "\\ply{1}{1... gxh6 2. g7\\#}",
        "\\remark{C+ matesolve ",
    ] {
        assert!(document.contains(part), "{part}: {document}");
    }
    let german = run(&["report", PRINZ, "-s", "#2", "--format", "latex", "--letters", "de", "--title", "Eins"]).out;
    assert!(german.contains("{1. Th6!{} ") && german.contains("{Eins}"), "{german}");
    let diagram = run(&["diagram", PRINZ, "-s", "#2", "--format", "latex", "--title", "A_B", "--coordinates"]).out;
    assert!(diagram.contains("\\verdict{A\\_B}\n\\board{5Kbk/6pp/6P1/8/8/8/8/7R}{\\#2}{3+4}\n"), "{diagram}");
    assert!(diagram.contains("labelleft=true") && diagram.ends_with("\\end{document}\n"));
}

#[test]
fn a_table_of_phases_is_narrow_enough_for_a_column_and_a_phone() {
    let of = |format| run(&["report", LOVE_CHASE, "-s", "#3", "--full", "--format", format]).out;
    let (page, document) = (of("html"), of("latex"));
    let tables = page.matches("<table>").count();
    assert!(tables > 1 && document.matches("\\begin{phases}{ll").count() == tables, "{tables}");
    assert!(!page.contains("overflow-x"), "nothing is cut");
}

#[test]
fn pdflatex_sets_documents_without_a_warning() {
    let how = "apt-get install texlive-latex-extra texlive-games lmodern";
    if !may_have_program("pdflatex", "pdfTeX", how) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let report = |input: &str, more: &[&str]| {
        let options = ["report", "-", "--format", "latex", "--full"];
        run_with_input(&[&options[..], more].concat(), input).out
    };
    let book = report(&collection(), &["--title", "50% & more"]);
    assert_eq!(book.matches("\n\\problem{").count(), 18, "{book}");
    assert_eq!(complaints(folder.path(), "book", &book), [""; 0]);
    assert_eq!(complaints(folder.path(), "empty", &report("nonsense\n", &[])), [""; 0]);
    for (name, more) in [("plain", &[][..]), ("wide", &["--coordinates", "--width", "400"]), ("bare", &["--bare"])] {
        let diagram = run(&[&["diagram", LOVE_CHASE, "--format", "latex"], more].concat()).out;
        assert_eq!(complaints(folder.path(), name, &diagram), [""; 0], "{diagram}");
    }
}

#[test]
fn a_booklet_of_problems_that_are_not_all_sound_says_why_it_ends_with_5() {
    let input = format!("{PRINZ} dm 2; id \"a\";\n7k/5Q2/6K1/8/8/8/8/8 w - - dm 2; id \"b\";\n");
    for format in ["latex", "html", "jsonl", "text"] {
        let run = run_with_input(&["report", "-", "--format", format], &input);
        let why = "1 of 2 entries are sound in all phases; the first that is not: standard input:2\n";
        assert!(run.code == 5 && run.err.ends_with(why), "{format}: {} {}", run.code, run.err);
    }
    let sound = run_with_input(&["report", "-", "--format", "latex"], format!("{PRINZ} dm 2;\n{PRINZ} dm 2;\n"));
    assert!(sound.code == 0 && !sound.err.contains("entries"), "{sound:?}");
}
