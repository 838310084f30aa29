//! Runs the positions of `themes.tsv`: those that show a theme and those that only look like it. Also tests what holds
//! for every theme of a report: its moves are moves of the report, and its re-tests can be repeated.

use std::collections::BTreeMap;

use matesolve::results::report::{Report, ReportOptions};
use matesolve::{Problem, Solver};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

const PAGE: &str = include_str!("../../docs/themes.md");

/// One position a line: the theme, `shows` or `not`, the FEN, the moves, and the problem or what the position lacks.
const POSITIONS: &str = include_str!("themes.tsv");

/// A position of the file: the theme, whether the position shows it, and the position as an EPD line.
struct Row {
    name: &'static str,
    shows: bool,
    epd: String,
}

/// Returns all positions of the file.
fn rows() -> Vec<Row> {
    let row = |line: &'static str| {
        let [name, shows, fen, moves, _] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        Row { name, shows: shows == "shows", epd: format!("{} dm {moves};", fields.join(" ")) }
    };
    POSITIONS.lines().map(row).collect()
}

fn report(epd: &str) -> Report {
    let problem = Problem::read(epd).expect("a problem");
    let options = ReportOptions::default().with(ReportOptions::add_full);
    Solver::new().report(&problem, options)
}

/// Returns the names of the themes of a report.
fn names(report: &Report) -> Vec<&'static str> {
    report.themes.iter().flatten().map(|theme| theme.name).collect()
}

#[test]
fn every_position_shows_its_theme_or_does_not() {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for row in rows() {
        let claimed = names(&report(&row.epd)).contains(&row.name);
        assert_eq!(claimed, row.shows, "{} on {}", row.name, row.epd);
        let count = counts.entry(row.name).or_default();
        if row.shows { count.0 += 1 } else { count.1 += 1 }
    }
    let complete = counts.values().filter(|(shown, rejected)| *shown >= 1 && *rejected >= 3).count();
    let headings = PAGE.lines().filter(|line| line.starts_with("### ")).count();
    assert_eq!(complete, headings, "every name has an example and three look-alikes: {counts:?}");
    assert!(complete >= 69, "{counts:?}");
}

#[test]
fn the_page_shows_a_position_for_every_theme() {
    let rows = rows();
    for section in PAGE.split("\n### ").skip(1) {
        let name = section.lines().next().unwrap_or_default();
        let fen = section.split('`').find(|text| text.matches('/').count() == 7).unwrap_or_default();
        let is_listed = rows.iter().any(|row| row.name == name && row.shows && row.epd.starts_with(fen));
        assert!(!fen.is_empty() && is_listed, "{name}: {fen}");
    }
}

#[test]
fn a_theme_shows_the_lines_that_have_it() {
    for (name, epd, expected) in [
        // The pinned pawn that captures the pinning bishop is not unpinned: E. E. H. Baird, 1893.
        ("Unpinning", "5N2/Q1n1pp2/1N5P/b1P1knR1/4p3/2P3P1/8/B3K2B w - - dm 2;", "Bxb6 c4#"),
        // After 1...Nb8 both second moves work, though only one mates at once: S. Loyd, 1876.
        ("Dual avoidance", "8/p7/1Pn5/nk1N4/4R3/2Q5/1K6/8 w - - dm 3;", "Nb4 Nc7+ Nd4 Rxa5#"),
        // Seven moves of the knight err, one corrects: P. Benko.
        ("Black correction", "8/8/3KnR2/3p4/3Pk3/5N2/3PP3/8 w - - dm 3;", "Nc7 Ng5+ Nc5 dxc5"),
    ] {
        let report = report(epd);
        let theme = report.themes.iter().flatten().find(|theme| theme.name == name).expect("the theme is claimed");
        let moves: Vec<&str> = theme.lines.iter().flat_map(|line| &line.plies).map(|ply| ply.san.as_str()).collect();
        assert_eq!(moves.join(" "), expected, "{name} on {epd}");
    }
}

#[test]
fn the_moves_and_the_retests_of_a_theme_can_be_repeated() {
    let mut retests = 0;
    for row in rows().into_iter().filter(|row| row.shows) {
        let report = report(&row.epd);
        for theme in report.themes.iter().flatten() {
            assert!(!theme.phases.is_empty() && !theme.lines.is_empty(), "{theme:?}");
            assert!(theme.lines.iter().all(|line| line.phase < theme.phases.len() && !line.plies.is_empty()));
            for retest in &theme.evidence {
                let fen: Fen = retest.fen.parse().expect("a FEN");
                let position: Chess = fen.into_position(CastlingMode::Chess960).expect("a position");
                let Some(uci) = &retest.uci else { continue };
                let uci: UciMove = uci.parse().expect("a move");
                let mates =
                    uci.to_move(&position).is_ok_and(|m| position.play(m).is_ok_and(|next| next.is_checkmate()));
                assert_eq!(mates, retest.holds, "{retest:?}");
                retests += 1;
            }
        }
    }
    assert!(retests > 30, "{retests}");
}

#[test]
fn colours_exchanged_make_no_difference() {
    for row in rows().into_iter().filter(|row| row.shows) {
        let fields: Vec<&str> = row.epd.split(' ').collect();
        let flip = |text: &str| -> String {
            let swapped = |letter: char| {
                if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
            };
            text.chars().map(swapped).collect()
        };
        let board: Vec<String> = fields[0].split('/').rev().map(flip).collect();
        let passed = fields[3].replace('6', "3");
        let epd = format!("{} b {} {passed} {}", board.join("/"), flip(fields[2]), fields[4..].join(" "));
        let themes = names(&report(&epd));
        assert!(themes.contains(&row.name), "{} on {epd}: {themes:?}", row.name);
    }
}
