//! Phases side by side, and themes with evidence: pure functions of a finished report.
//!
//! ```text
//! Report ──> Scene (phases, comparable moves) ──> table
//!                                            └──> detectors ──> themes, each with its moves and its re-tests
//! ```
//!
//! No engine is used here. A detector reads the play that the report has proved, and most motifs are tested again on
//! the board: a position is changed by one thing, and what the motif says must follow, such as that the mate fails.
//!
//! | file | idea |
//! |---|---|
//! | `phases` | the phases of a report, with moves that can be compared; builds a theme |
//! | `table` | the table of phases |
//! | `failures` | why tries fail |
//! | `retest` | changed positions, and what mates in them |
//! | `lines` | the whole play of a solution, move by move; its lines that end in mate |
//! | `testing` | phases written with letters, for unit tests |
//! | `key` | what the key does, such as giving flights; the men of the diagram |
//! | `changes` | blocks and mutates; changed and transferred mates, reciprocal and cyclic changes |
//! | `paradox` | threats and mates that change places, phases with several threats, first moves that come back |
//! | `correction` | black correction |
//! | `interference` | men that cut lines: Grimshaw, Novotny, Plachutta, interference |
//! | `departures` | what a defence gives up by leaving its square: unguards, line openings, ambushes |
//! | `avoidance` | dual avoidance |
//! | `pins` | pins that mates use; unpinning |
//! | `motifs` | self-blocks, cross-checks, batteries; model, ideal, mirror and pure mates; several men on one square |
//! | `journeys` | switchbacks, promotions, castling, en passant, the moves of a pawn |
//! | `en_passant` | problems that a capture en passant solves, if it is allowed |

mod avoidance;
mod changes;
mod correction;
mod departures;
mod en_passant;
mod failures;
mod interference;
mod journeys;
mod key;
mod lines;
mod motifs;
mod paradox;
mod phases;
mod pins;
mod retest;
mod table;
#[cfg(test)]
mod testing;

use crate::chess::Goal;
use crate::results::report::Report;
use crate::results::themes::Theme;

use phases::{Phase, Scene};

pub use table::table;

/// The part of a report that a detector looks at.
enum Find {
    /// The phases of any problem.
    Scene(fn(&Scene<'_>) -> Vec<Theme>),
    /// The phases of a two-mover.
    TwoMover(fn(&Scene<'_>) -> Vec<Theme>),
    /// Each solution.
    Solution(fn(&Scene<'_>, &Phase<'_>) -> Vec<Theme>),
}

impl Find {
    /// Returns what is found.
    fn of(&self, scene: &Scene<'_>) -> Vec<Theme> {
        match self {
            Find::Scene(find) => find(scene),
            Find::TwoMover(find) if scene.is_two_mover() => find(scene),
            Find::TwoMover(_) => Vec::new(),
            Find::Solution(find) => scene.solutions().flat_map(|key| find(scene, key)).collect(),
        }
    }
}

/// All detectors, each with the names that it may claim, in the order in which their themes are listed.
const DETECTORS: [(&[&str], Find); 17] = [
    (&key::NAMES, Find::Scene(key::find)),
    (&key::FLIGHT_NAMES, Find::Scene(key::find_flights)),
    (&changes::BLOCK_NAMES, Find::TwoMover(changes::find_blocks)),
    (&changes::NAMES, Find::TwoMover(changes::find)),
    (&paradox::THREAT_NAMES, Find::TwoMover(paradox::find_threats)),
    (&paradox::NAMES, Find::TwoMover(paradox::find)),
    (&paradox::REVERSAL_NAMES, Find::TwoMover(paradox::find_reversals)),
    (&correction::NAMES, Find::Scene(correction::find)),
    (&avoidance::NAMES, Find::Scene(avoidance::find)),
    (&motifs::SQUARE_NAMES, Find::TwoMover(motifs::find_squares)),
    (&interference::NAMES, Find::Solution(interference::find)),
    (&pins::NAMES, Find::Solution(pins::find)),
    (&departures::NAMES, Find::Solution(departures::find)),
    (&motifs::NAMES, Find::Solution(motifs::find)),
    (&journeys::NAMES, Find::Solution(journeys::find)),
    (&motifs::PICTURE_NAMES, Find::Solution(motifs::find_pictures)),
    (&en_passant::NAMES, Find::Scene(en_passant::find)),
];

/// Returns the themes of a direct mate. Of other goals and of help play there are none.
pub fn themes(report: &Report) -> Vec<Theme> {
    let Some(scene) = Scene::of(report).filter(|_| report.goal() == Goal::MATE) else { return Vec::new() };
    let found = |(names, find): &(&[&str], Find)| {
        let themes = find.of(&scene);
        debug_assert!(themes.iter().all(|theme| names.contains(&theme.name)), "{names:?}: {themes:?}");
        themes
    };
    DETECTORS.iter().flat_map(found).collect()
}

/// Returns the name of the theme that a keyword of a collection means; `None` if it means no theme of `DETECTORS`.
pub fn named(keyword: &str) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|letter| letter.is_alphanumeric() || *letter == '+');
        let small: String = letters.flat_map(char::to_lowercase).collect();
        small.replace('č', "c").replace('ý', "y").trim_end_matches('s').to_owned()
    };
    let wanted = plain(keyword);
    let other = SPELLINGS.iter().find(|(spelling, _)| plain(spelling) == wanted).map(|&(_, name)| name);
    let mut names = DETECTORS.iter().flat_map(|(names, _)| names.iter().copied());
    other.or_else(|| names.find(|name| plain(name) == wanted))
}

/// Other words for themes in collections. Case, spaces, hyphens and a final `s` make no difference.
const SPELLINGS: [(&str, &str); 9] = [
    ("Two flights giving key", "2 flights giving key"),
    ("Three flights giving key", "3+ flights giving key"),
    ("BK star", "King star flight"),
    ("Star Black King", "King star flight"),
    ("Reciprocal change", "Reciprocal"),
    ("White underpromotion", "Underpromotion"),
    ("Half-pins", "Half-pin"),
    ("Aristocrat", "No pawns"),
    ("AUW", "Allumwandlung"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of all themes.
    fn names() -> Vec<&'static str> {
        DETECTORS.iter().flat_map(|(names, _)| names.iter().copied()).collect()
    }

    #[test]
    fn the_page_has_every_name() {
        let page = include_str!("../../../../docs/themes.md");
        for name in names() {
            assert!(page.contains(&format!("\n### {name}\n")), "docs/themes.md does not define {name}");
        }
    }

    #[test]
    fn keywords_are_known_in_other_spellings() {
        for (keyword, name) in [
            ("grimshaw", Some("Grimshaw")),
            ("Pin mate", Some("Pin mates")),
            ("Lačný", Some("Lacny")),
            ("Two flights giving key", Some("2 flights giving key")),
            ("Cross-check", Some("Cross-checks")),
            ("Letters", None),
        ] {
            assert_eq!(named(keyword), name, "{keyword}");
        }
        assert!(names().iter().all(|name| named(name) == Some(name)), "every name means itself");
    }
}
