//! The given diagram: its question, its solutions, and the play that proposals are compared with.

use shakmaty::Chess;

use super::change::Diagram;
use super::play::KeyPlay;
use super::trials::{Trials, confirm, is_sound};
use super::{Refused, WorkbenchRequest};
use crate::chess::notation::code;
use crate::chess::{MateLength, Move, Position, Stipulation};
use crate::problem::{Problem, moves};
use crate::results::Report;
use crate::results::report::Soundness;

pub(super) struct GivenDiagram {
    pub diagram: Diagram,
    pub position: Position,
    pub asked: Stipulation,
    /// The first moves that are wanted as key. Several, if the diagram is cooked and nobody says which is meant.
    pub keys: Vec<Move>,
    /// The other first moves that solve.
    pub cooks: Vec<Move>,
    /// The play after the first of the keys.
    pub play: KeyPlay,
    /// The report on the diagram.
    pub report: Report,
}

impl GivenDiagram {
    /// Looks at the given diagram. `keys` are those that its text names, if the request names none.
    pub(super) fn find(
        chess: &Chess,
        asked: Stipulation,
        request: &WorkbenchRequest,
        keys: Option<Vec<Move>>,
        trials: &mut Trials<'_, '_>,
    ) -> Result<GivenDiagram, Refused> {
        let report = confirm(chess, asked);
        if let Some(error) = &report.error {
            return Err(Refused::Invalid(error.clone()));
        }
        if report.verdict.soundness == Soundness::Undecided {
            return Err(Refused::Undecided);
        }
        let position = Position::from_chess(chess);
        let solving: Vec<Move> = report.keys.iter().filter_map(|key| position.find_move(code(key.ply.mv))).collect();
        let named = request.key.as_deref().map(|text| named(chess, &position, text)).transpose()?;
        let keys = named.map(|key| vec![key]).or(keys).unwrap_or_else(|| solving.clone());
        let cooks = solving.into_iter().filter(|m| !keys.contains(m)).collect();
        let diagram = Diagram::of(chess);
        let mut given = GivenDiagram { diagram, position, asked, keys, cooks, play: KeyPlay::default(), report };
        if let Some(after) = given.after_key() {
            let rest = given.rest();
            given.play = trials.ask(|decider| KeyPlay::find(decider, &after, rest)).ok_or(Refused::Undecided)?;
        }
        Ok(given)
    }

    /// Returns the position after the first of the keys.
    pub(super) fn after_key(&self) -> Option<Position> {
        self.keys.first().map(|&key| self.position.play(key))
    }

    /// Returns the moves that are left to the attacker after the key.
    pub(super) fn rest(&self) -> MateLength {
        self.asked.moves().and_then(MateLength::shorter).unwrap_or(MateLength(0))
    }

    /// Returns an error unless the given diagram is sound.
    pub(super) fn check_soundness(&self) -> Result<(), Refused> {
        if is_sound(&self.report) { Ok(()) } else { Err(Refused::Unsound) }
    }
}

/// Returns the legal move that a text names in standard or UCI notation.
pub(super) fn named(chess: &Chess, position: &Position, text: &str) -> Result<Move, Refused> {
    let found = moves::find(chess, text);
    found.and_then(|found| position.find_move(code(found))).ok_or_else(|| Refused::Key(text.to_owned()))
}

/// Returns the question of the problem, if the workbench can answer it.
pub(super) fn question(problem: &Problem) -> Result<Stipulation, Refused> {
    let asked = problem.question.stipulation;
    if asked.is_helped() || asked.defender_begins() || asked.goal().exact {
        return Err(Refused::Stipulation(asked));
    }
    if !problem.exclusive.is_empty() {
        return Err(Refused::Exclusive);
    }
    match asked.moves() {
        Some(MateLength(1..)) => Ok(asked),
        _ => Err(Refused::NoLength),
    }
}
