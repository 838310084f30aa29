//! Why a report names a theme, a flight or the error of a try: positions whose reasons are known.

use matesolve::results::report::ReportOptions;
use matesolve::results::themes::{PhaseCell, PhaseRow, PhaseTable};
use matesolve::{Problem, Solver};

#[test]
fn the_retests_say_which_man_gives_and_takes_flights() {
    for (fen, expected) in [
        // E. E. H. Baird, 1899: the bishop gives and takes a square.
        (
            "8/2R1BB2/8/4k3/8/2K2P2/8/8 w - -",
            [
                "the bishop is taken off g5: the king has f4 again, which the bishop takes",
                "the bishop is taken off g5: the king still has d6, which the key gives by leaving e7",
            ],
        ),
        // E. E. H. Baird, 1907: the knight opens the line of the rook to a8.
        (
            "1k6/N1p5/R1K5/1P6/8/8/8/8 w - -",
            [
                "the knight is taken off c8: the king has no a8, which another man takes",
                "the knight is taken off c8: the king still has c8, which the key gives by leaving a7",
            ],
        ),
    ] {
        assert_eq!(flights(fen), expected, "{fen}");
    }
    // P. Benko, with two keys: the rook shuts the line of the bishop that guarded the knight.
    let tests = [
        "the pawn is taken off e3: the king still has f3, which the key gives by leaving e2",
        "the rook is taken off e5: the king has no g3, which the key gives by its arrival",
    ];
    assert_eq!(flights("8/2B5/8/8/4R3/6N1/4P1k1/4K2R w K -"), tests);
}

/// Returns the changes of the re-tests of flights.
fn flights(fen: &str) -> Vec<String> {
    let options = ReportOptions::default().with(ReportOptions::add_full);
    let problem = Problem::read(&format!("{fen} dm 2;")).unwrap();
    let themes = Solver::new().report(&problem, options).themes.unwrap();
    let flights = themes.into_iter().filter(|theme| theme.name.to_lowercase().contains("flight"));
    flights.flat_map(|theme| theme.evidence).map(|test| test.change).collect()
}

/// Returns the reasons of a try, as text.
fn reasons(line: &str, first: &str) -> Vec<String> {
    let problem = Problem::read(line).unwrap();
    let options = ReportOptions::default().with(ReportOptions::add_full);
    let table = Solver::new().report(&problem, options).phases_table.unwrap();
    let row = table.rows.iter().find(|row| row.phase.to_string() == first).expect("the try is in the table");
    row.failures.iter().map(matesolve::results::themes::Failure::text).collect()
}

#[test]
fn a_try_that_only_looks_like_an_error_has_no_reason_of_this_kind() {
    let [loyd, benko] = ["8/8/8/8/1BB5/NN6/krQ5/7K w - -", "8/8/8/8/1Q2N3/6N1/3p4/4knK1 w - -"];
    for (motif, fen, first, refutation) in [
        // Another man mates on the square of the man, which is captured: E. E. H. Baird.
        ("obstruction", "8/8/2PKB3/3N4/3k4/3P4/2nPP3/8 w - -", "1.Ne3?", "Nxe3"),
        // Another man mates there after the key, but not from where it stands: E. E. H. Baird, S. Loyd, 1895.
        ("obstruction", "8/3p4/1Q2p3/3k4/8/N5N1/3K4/8 w - -", "1.Ke3?", "e5"),
        ("obstruction", "1BK5/8/2p5/3k4/4bR2/4R3/8/2Q5 w - -", "1.Rexe4?", "c5"),
        // The man stands on the line of a mate of the solution, which is no mate here: S. Loyd, 1892, 1877, 1876.
        ("interference", "7K/8/8/8/R4pNk/8/1Q6/2BB1N2 w - -", "1.Ne5?", "Kg5"),
        ("interference", "8/7K/8/5R2/3N2R1/5Q1p/2N3qp/7k w - -", "1.Nc6?", "Qxf3"),
        ("interference", "8/5Q1N/2R5/4p3/p2pk3/R1p4P/5B2/4K3 w - -", "1.Rb6?", "Kd3"),
        // The king captures the man; he goes where it guarded nothing; a man refutes: T. R. Dawson, P. Benko.
        ("unguard", "8/8/8/1RKR4/8/8/8/4k3 w - -", "1.Rd2?", "Kxd2"),
        ("unguard", "6k1/8/6K1/8/8/8/8/6R1 w - -", "1.Ra1?", "Kf8"),
        ("unguard", "5k2/8/4Kn2/8/7R/8/8/7Q w - -", "1.Qb7?", "Nd7"),
        // The king could capture the man where it arrived: E. E. H. Baird.
        ("unguard", "1Q6/N5n1/8/2Pk1bRB/3P4/4nP2/1B2K3/4N3 w - -", "1.Rxf5+?", "Ke6"),
        // The line man captures the man; another man refutes; the line was open: S. Loyd, P. Benko, E. E. H. Baird.
        ("line opening", loyd, "1.Qd2?", "Rxd2"),
        ("line opening", "4k2r/R6b/1K6/8/8/8/8/1Q6 w k -", "1.Qb4?", "Kd8"),
        ("line opening", "1k6/RNb5/K1R5/8/8/8/8/8 w - -", "1.Nd6?", "Bxd6"),
        // Another man than the pinned one refutes; the pinned one moves along its line: P. Benko, S. Loyd.
        ("unpin", "8/8/3R4/8/3nkpQ1/B7/5K2/8 w - -", "1.Qg6+?", "Ke5"),
        ("unpin", benko, "1.Qb5?", "Nxg3"),
        ("unpin", loyd, "1.Nb1?", "Rxc2"),
        // The check has no answer anyway; the king is not checked; another man made the try: S. Loyd and others.
        ("exposed king", "7k/7b/5Kp1/8/8/8/8/5Q2 w - -", "1.Kf7?", "Bg8+"),
        ("exposed king", "5N1k/5P1b/6R1/6K1/8/8/8/8 w - -", "1.Kf4?", "Bxg6"),
        ("exposed king", "8/3PK3/5R2/4k3/3n4/3Q4/8/8 w - -", "1.d8=Q?", "Nc6+"),
    ] {
        let line = format!("{fen} dm 2;");
        assert_eq!(refutations(&line, first), [refutation], "{fen} {first}");
        let reasons = reasons(&line, first);
        assert!(reasons.iter().all(|reason| !reason.contains(&format!("! {motif}:"))), "{fen} {first}: {reasons:?}");
    }
}

/// Returns the refutations of a try.
fn refutations(line: &str, first: &str) -> Vec<String> {
    let options = ReportOptions::default().with(|options| options.tries = Some(1));
    let report = Solver::new().report(&Problem::read(line).unwrap(), options);
    let found = report.tries.unwrap_or_default().into_iter().find(|it| format!("1.{}?", it.ply.san) == first);
    found.expect("the try is in the report").refutations.into_iter().map(|ply| ply.san).collect()
}

#[test]
fn the_error_of_a_try_is_its_arrival_or_its_departure() {
    // T. R. Dawson, 1918 and 1912; P. Benko; E. E. H. Baird, 1907.
    let [dawson, pinned] = ["4n3/7N/1p5Q/1Prpk1p1/p2N4/B4Pp1/8/3RK2R w K -", "4R3/2Q3pk/4R3/4P3/4K3/8/8/8 w - -"];
    let [benko, baird] = ["8/8/8/8/1Q2N3/6N1/3p4/4knK1 w - -", "4q1k1/4BNP1/4B1K1/8/8/8/8/8 w - -"];
    for (fen, first, reason) in [
        (dawson, "1.Rh2?", "1...g2! obstruction: the rook is taken off h2, then 2.Qh2#"),
        (dawson, "1.Rh3?", "1...g2! interference: the rook is taken off h3, then 2.Qh2#"),
        (dawson, "1.Ke2?", "1...Rc2+! exposed king: the king is put back on e1, then 2.Qxg5#"),
        (pinned, "1.Qc6?", "1...g6! unpin: the queen is put back on c7, then 1...g6 is not possible"),
        (
            "8/5BKP/6p1/6k1/6P1/6Q1/8/8 w - -",
            "1.Kg8?",
            "1...Kf6! unguard: the king is put back on g7, then 1...Kf6 is not possible",
        ),
        (benko, "1.Nxf1?", "1...Ke2! unguard: the knight is put back on g3, then 1...Ke2 is not possible"),
        (baird, "1.Bb4?", "1...Qxe6+! line opening: the bishop is put back on e7, then 1...Qxe6+ is not possible"),
        (baird, "1.Bc4?", "1...Qc6+! line opening: the bishop is put back on e6, then 2.Nh6#"),
    ] {
        assert_eq!(reasons(&format!("{fen} dm 2;"), first), [reason], "{fen} {first}");
    }
}

fn table_of(line: &str) -> PhaseTable {
    let problem = Problem::read(line).unwrap();
    let options = ReportOptions::default().with(ReportOptions::add_full);
    Solver::new().report(&problem, options).phases_table.unwrap()
}

/// Returns the cells of a row as letters.
fn cells(row: &PhaseRow) -> Vec<String> {
    let text = |cell: &PhaseCell| match cell {
        PhaseCell::Answers(answers) => answers.iter().map(|answer| answer.letter.as_str()).collect(),
        PhaseCell::Refutes => "!".to_owned(),
        PhaseCell::Threat => "t".to_owned(),
        PhaseCell::Unanswered => "?".to_owned(),
        PhaseCell::Illegal => "-".to_owned(),
        PhaseCell::Open => "…".to_owned(),
    };
    row.cells.iter().map(text).collect()
}

#[test]
fn a_changed_mate_has_two_letters_in_one_column() {
    // A mutate by T. R. Dawson, 1920: both set mates are changed.
    let table = table_of("8/2K5/8/k1Nb4/B2N4/2P5/8/8 w - - dm 2;");
    let rows: Vec<(String, Vec<String>)> = table.rows.iter().map(|row| (row.phase.to_string(), cells(row))).collect();
    let set = &rows[0];
    let key = rows.iter().find(|(name, _)| name == "1.Bb5!").unwrap();
    assert_eq!(set.0, "set play");
    let column =
        |san: &str| table.columns.iter().position(|column| column.defences.iter().any(|ply| ply.san == san)).unwrap();
    for (defence, before, after) in [("Be4", "Ndb3#", "Ncb3#"), ("Be6", "Nc6#", "Nb7#")] {
        let column = column(defence);
        let only = |row: &PhaseRow| match &row.cells[column] {
            PhaseCell::Answers(answers) => answers.iter().map(|answer| answer.ply.san.clone()).collect(),
            _ => Vec::new(),
        };
        let of_key = table.rows.iter().find(|row| row.phase.to_string() == "1.Bb5!").unwrap();
        assert_eq!((only(&table.rows[0]), only(of_key)), (vec![before.to_owned()], vec![after.to_owned()]));
        assert_ne!(set.1[column], key.1[column]);
    }
}

#[test]
fn other_goals_have_no_themes() {
    let problem = Problem::read("8/B7/RQ6/7k/8/8/6PP/3n2RK w - - stip \"s#2\";").unwrap();
    let options = ReportOptions::default().with(ReportOptions::add_full);
    let report = Solver::new().report(&problem, options);
    assert_eq!((report.themes, report.keys.len()), (Some(Vec::new()), 1));
}
