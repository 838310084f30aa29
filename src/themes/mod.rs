//! Phases side by side, and themes with evidence: pure functions of a finished report.
//!
//! ```text
//! Report ──> Scene (phases, comparable moves) ──> table
//!                                            └──> detectors ──> themes, each with its moves and its re-tests
//! ```
//!
//! Nothing here searches. What a detector claims follows from the play that the report has proved, and motifs are tested
//! again on the board: a position is changed by one thing, and a move that mated must fail, or the other way round.
//!
//! | file | idea |
//! |---|---|
//! | `phases` | the phases of a report, with moves that can be compared |
//! | `table` | the table of phases |
//! | `retest` | changed positions, and what mates in them |
//! | `walk` | the whole play of a solution, move by move |
//! | `claim` | builds a theme |
//! | `key` | what the key does: check, sacrifice; the number of men |
//! | `flights` | flights that the key gives and takes, and figures of flights |
//! | `block` | blocks and mutates |
//! | `changes` | changed and transferred mates, reciprocal and cyclic changes |
//! | `threats` | phases with several threats |
//! | `paradox` | threats and mates that change places |
//! | `reversal` | first moves that come back |
//! | `correction` | black correction |
//! | `squares` | several men on one square |
//! | `interference` | Grimshaw, Novotny, Plachutta |
//! | `pins` | pins that mates use |
//! | `motifs` | self-blocks, cross-checks, batteries |
//! | `journeys` | switchbacks, promotions, castling, en passant, the moves of a pawn |
//! | `pictures` | model, ideal and mirror mates |
//! | `retro` | problems that a capture en passant solves, if it is allowed |

mod block;
mod changes;
mod claim;
mod correction;
mod flights;
mod interference;
mod journeys;
mod key;
mod motifs;
mod paradox;
mod phases;
mod pictures;
mod pins;
mod retest;
mod retro;
mod reversal;
mod squares;
mod table;
mod threats;
mod walk;

use crate::chess::Goal;
use crate::results::report::Report;
use crate::results::themes::Theme;

use phases::Scene;

pub(crate) use table::table;

/// The names that a detector may claim, and the detector.
type Detector = (&'static [&'static str], fn(&Scene<'_>) -> Vec<Theme>);

/// All detectors, in the order in which their themes are listed.
const DETECTORS: [Detector; 15] = [
    (&key::NAMES, key::find),
    (&flights::NAMES, flights::find),
    (&block::NAMES, block::find),
    (&changes::NAMES, changes::find),
    (&threats::NAMES, threats::find),
    (&paradox::NAMES, paradox::find),
    (&reversal::NAMES, reversal::find),
    (&correction::NAMES, correction::find),
    (&squares::NAMES, squares::find),
    (&interference::NAMES, interference::find),
    (&pins::NAMES, pins::find),
    (&motifs::NAMES, motifs::find),
    (&journeys::NAMES, journeys::find),
    (&pictures::NAMES, pictures::find),
    (&retro::NAMES, retro::find),
];

/// Returns the themes of a direct mate, in the order of `docs/themes.md`. Of other goals and of help play there are none.
pub(crate) fn themes(report: &Report) -> Vec<Theme> {
    let Some(scene) = Scene::of(report).filter(|_| report.goal() == Goal::MATE) else { return Vec::new() };
    DETECTORS.iter().flat_map(|(_, find)| find(&scene)).collect()
}

/// Returns the names of all themes.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    DETECTORS.iter().flat_map(|(names, _)| names.iter().copied()).filter(|name| *name != retro::NAMES[0])
}
