//! The given diagram: its question, its solutions, and the play that proposals are compared with.

use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::change::Diagram;
use super::play::Play;
use super::trials::{Trials, confirm};
use super::{Refused, WorkbenchRequest};
use crate::chess::{MateLength, Move, Position, Stipulation};
use crate::problem::{Problem, moves};
use crate::results::Report;
use crate::results::report::Soundness;

/// The given diagram.
pub(super) struct Given {
    pub diagram: Diagram,
    pub asked: Stipulation,
    /// The first moves that are wanted as key. Several, if the diagram is cooked and nobody says which is meant.
    pub keys: Vec<Move>,
    /// The other first moves that solve.
    pub cooks: Vec<Move>,
    /// The play after the first of the keys.
    pub play: Play,
    /// The report on the diagram.
    pub report: Report,
}

impl Given {
    /// Looks at the given diagram.
    pub(super) fn find(
        chess: &Chess,
        asked: Stipulation,
        request: &WorkbenchRequest,
        trials: &mut Trials<'_, '_>,
    ) -> Result<Given, Refused> {
        let report = confirm(chess, asked);
        if let Some(error) = &report.error {
            return Err(Refused::Invalid(error.clone()));
        }
        if report.verdict.soundness == Soundness::Undecided {
            return Err(Refused::Undecided);
        }
        let position = Position::from_chess(chess);
        let legal = position.legal_moves();
        let solving: Vec<Move> = report
            .keys
            .iter()
            .filter_map(|key| legal.iter().copied().find(|m| m.code() == crate::chess::notation::code(key.ply.mv)))
            .collect();
        let named = request.key.as_deref().map(|text| named(chess, &position, text)).transpose()?;
        let keys = named.map_or_else(|| solving.clone(), |key| vec![key]);
        let cooks = solving.into_iter().filter(|m| !keys.contains(m)).collect();
        let mut given = Given { diagram: Diagram::of(chess), asked, keys, cooks, play: Play::default(), report };
        if let Some(&key) = given.keys.first() {
            let rest = given.rest();
            let found = trials.ask(|decider, _| {
                let after = decider.play(&position, key)?;
                Play::find(decider, &after, rest)
            });
            given.play = found.ok_or(Refused::Undecided)?;
        }
        Ok(given)
    }

    /// Returns the moves that are left to the attacker after the key.
    pub(super) fn rest(&self) -> MateLength {
        self.asked.moves().and_then(MateLength::shorter).unwrap_or_default()
    }

    /// Returns whether the given diagram is sound.
    pub(super) fn is_sound(&self) -> bool {
        super::trials::is_sound(&self.report)
    }
}

/// Returns the legal move that a text names in standard or UCI notation.
fn named(chess: &Chess, position: &Position, text: &str) -> Result<Move, Refused> {
    let of_uci = text.parse::<shakmaty::uci::UciMove>().ok().and_then(|m| m.to_move(chess).ok());
    let found = of_uci.or_else(|| moves::find(chess, text));
    let code = found.map(crate::chess::notation::code);
    code.and_then(|code| position.find_move(code)).ok_or_else(|| Refused::Key(text.to_owned()))
}

/// Returns the question: what the request asks, or the problem states.
pub(super) fn question(problem: &Problem, request: &WorkbenchRequest) -> Result<Stipulation, Refused> {
    let asked = request.stipulation.unwrap_or(problem.stipulation);
    if asked.is_helped() || asked.defender_begins() {
        return Err(Refused::Stipulation(asked));
    }
    match asked.moves() {
        Some(MateLength(1..)) => Ok(asked),
        _ => Err(Refused::NoLength),
    }
}

/// Returns the FEN of a position.
pub(super) fn written(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}
