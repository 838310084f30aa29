//! Flights that the key gives or takes, and the figures that the king's flights form.
//!
//! A **flight** is a square to which the defender's king can move, if the defender is to move in the diagram (before)
//! or after the key (after). Databases name the key by the *difference* of the two numbers, so a key that gives one
//! flight and takes another is not called flight giving, but flight giving and taking.
//!
//! | name | rule |
//! |---|---|
//! | Flight giving key | one flight more after than before |
//! | 2 flights giving key | two flights more |
//! | 3+ flights giving key | three flights more, or more than three |
//! | Flight taking key | fewer flights after than before |
//! | Flight giving and taking key | at least one flight is new, and at least one is gone |
//! | King star flight | the king has all four flights that touch a corner of his square |
//! | King plus flight | the king has all four flights that touch a side of his square |
//! | King Y-flight | two flights beside one another at the corners, and the one opposite them at a side |
//!
//! The re-test takes the man of the key off its square of arrival. If the king can still go to a new flight, the man
//! gave it by leaving its square, else by its arrival. If he can go again to a flight that is gone, the man takes it
//! itself, else another man takes it, whose line the key opened.

use shakmaty::{Bitboard, Chess, Position as _, Role, Square};

use crate::chess::passed;
use crate::results::themes::{Retest, Theme};

use super::claim::ThemeClaim;
use super::phases::{Phase, Scene};
use super::retest::{state, without};
use super::words::man;

pub(super) const NAMES: [&str; 8] = [
    "Flight giving key",
    "2 flights giving key",
    "3+ flights giving key",
    "Flight taking key",
    "Flight giving and taking key",
    "King star flight",
    "King plus flight",
    "King Y-flight",
];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let Some(before) = passed(&scene.diagram).map(|diagram| flights(&diagram)) else { return Vec::new() };
    scene.solutions().filter(|phase| phase.first.is_some()).flat_map(|phase| of_key(phase, before)).collect()
}

fn of_key(phase: &Phase<'_>, before: Bitboard) -> Vec<Theme> {
    let after = flights(&phase.position);
    let (given, taken) = (after & !before, before & !after);
    let more = after.count().checked_sub(before.count());
    let claim = |name, squares: Bitboard| {
        let tests = causes(phase, squares & given, squares & taken);
        tests.into_iter().fold(ThemeClaim::new(name).on(squares).first(phase), ThemeClaim::shown_by).done()
    };
    let mut themes = Vec::new();
    match more {
        None => themes.push(claim("Flight taking key", taken)),
        Some(0) => {}
        Some(1) => themes.push(claim("Flight giving key", given)),
        Some(2) => themes.push(claim("2 flights giving key", given)),
        Some(_) => themes.push(claim("3+ flights giving key", given)),
    }
    if given.any() && taken.any() {
        themes.push(claim("Flight giving and taking key", given | taken));
    }
    let Some(king) = phase.position.board().king_of(phase.position.turn()) else { return themes };
    for (name, figure) in figures(king) {
        if after.is_superset(figure) && !themes.iter().any(|theme: &Theme| theme.name == name) {
            themes.push(ThemeClaim::new(name).on(figure).first(phase).done());
        }
    }
    themes
}

/// Tests how the key gives and takes flights. A key of the king has no re-test, because a king cannot be taken off.
fn causes(phase: &Phase<'_>, given: Bitboard, taken: Bitboard) -> Vec<Retest> {
    let Some(first) = phase.first.map(|first| first.mv).filter(|first| !first.is_castle()) else { return Vec::new() };
    let (from, to, defender) = (first.from(), first.to(), phase.position.turn());
    let off = without(&phase.position, defender, to).filter(|_| first.role() != Role::King);
    let (Some(off), Some(from)) = (off, from) else { return Vec::new() };
    let role = man(&phase.position, to);
    let open = flights(&off);
    let test = |square: Square| {
        let effect = match (given.contains(square), open.contains(square)) {
            (true, true) => format!("the king still has {square}, which the key gives by leaving {from}"),
            (true, false) => format!("the king has no {square}, which the key gives by its arrival"),
            (false, true) => format!("the king has {square} again, which the {role} takes"),
            (false, false) => format!("the king has no {square}, which another man takes"),
        };
        state(format!("the {role} is taken off {to}: {effect}"), &off, true)
    };
    (given | taken).into_iter().map(test).collect()
}

/// Returns the squares to which the king of the side to move can move.
pub(super) fn flights(position: &Chess) -> Bitboard {
    let moves = position.legal_moves();
    moves.iter().filter(|m| m.role() == Role::King && !m.is_castle()).map(|m| m.to()).collect()
}

/// Returns the figures of flights around a king that lie on the board.
fn figures(king: Square) -> Vec<(&'static str, Bitboard)> {
    let set = |steps: &[(i32, i32)]| -> Option<Bitboard> { steps.iter().map(|&step| beside(king, step)).collect() };
    let mut figures = Vec::new();
    let mut add = |name, steps: &[(i32, i32)]| figures.extend(set(steps).map(|squares| (name, squares)));
    add("King star flight", &[(1, 1), (1, -1), (-1, 1), (-1, -1)]);
    add("King plus flight", &[(1, 0), (-1, 0), (0, 1), (0, -1)]);
    for way in [-1, 1] {
        add("King Y-flight", &[(-1, way), (1, way), (0, -way)]);
        add("King Y-flight", &[(way, -1), (way, 1), (-way, 0)]);
    }
    figures
}

/// Returns the square that lies files and ranks away.
fn beside(square: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    Some(Square::from_coords(square.file().offset(files)?, square.rank().offset(ranks)?))
}

#[cfg(test)]
mod tests {
    use crate::results::report::ReportOptions;
    use crate::{Problem, Solver};

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
            assert_eq!(of(fen), expected, "{fen}");
        }
        // P. Benko, with two keys: the rook shuts the line of the bishop that guarded the knight.
        let tests = [
            "the pawn is taken off e3: the king still has f3, which the key gives by leaving e2",
            "the rook is taken off e5: the king has no g3, which the key gives by its arrival",
        ];
        assert_eq!(of("8/2B5/8/8/4R3/6N1/4P1k1/4K2R w K -"), tests);
    }

    /// Returns the changes of the re-tests of flights.
    fn of(fen: &str) -> Vec<String> {
        let options = ReportOptions::default().with(|options| options.themes = true);
        let problem = Problem::read(&format!("{fen} dm 2;")).unwrap();
        let themes = Solver::new().report(&problem, options).themes.unwrap();
        let flights = themes.into_iter().filter(|theme| theme.name.to_lowercase().contains("flight"));
        flights.flat_map(|theme| theme.evidence).map(|test| test.change).collect()
    }
}
