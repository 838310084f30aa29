//! The composer's workbench: superfluous men, sound versions of an unsound diagram, twins, diagrams before a key.
//!
//! ```text
//! Problem ──> GivenDiagram ──> changes ──> trials: judge ──> legality, play ──> report confirms ──> Proposals
//! ```
//!
//! Thousands of diagrams are judged, each by the question whether it has one key. One prover with one table answers for
//! all of them ([`crate::search::decider`]), on all threads, and what refuted a first move in one diagram is tried
//! first in the next. Each proposal gets a report, which in `mend` and `economy` must confirm that the diagram is
//! sound.
//!
//! | file | idea |
//! |---|---|
//! | `given` | the given diagram, its keys and its play |
//! | `change` | a change, and the diagram after it |
//! | `judge` | the verdict on one diagram |
//! | `play` | the continuations after each defence, for comparing |
//! | `requirements` | what must stay of the given solution |
//! | `trials` | threads, table and limits; the report that confirms |
//! | `mend` | versions and twins |
//! | `economy` | what each man is for |
//! | `retract` | the diagrams before a key |

mod change;
mod economy;
mod given;
mod judge;
mod mend;
mod play;
mod requirements;
mod retract;
mod trials;

use std::sync::atomic::AtomicBool;

use shakmaty::Position as _;
use thiserror::Error;

use crate::base::printable::excerpt;
use crate::chess::{Move, Stipulation};
use crate::problem::Problem;
use crate::report::named_keys;
use crate::results::workbench::{Economy, Proposals};
use crate::solve::Limits;

use given::{GivenDiagram, question};
use mend::{Mend, Wanted};
use requirements::{Requirements, Sought};
use trials::{Trials, is_sound, with_trials};

/// A demand: what a proposal must keep of the given diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// The key
    Key,
    /// The key, and the continuations after every defence that has its own
    Variations,
    /// The answers to every move of the set play
    SetPlay,
    /// The tries that one defence refutes, each with its refutation
    Try,
}

/// A question to the workbench. The workbench has its own engine.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WorkbenchRequest {
    /// The intended key, in standard or UCI notation. `None`: the one that the problem names (`bm` of an EPD line), or
    /// else every first move that solves the given diagram.
    pub key: Option<String>,
    /// What a proposal must keep. Default: nothing.
    pub keep: Vec<Keep>,
    /// The tries that must stay, in standard or UCI notation. Default: none, and with [`Keep::Try`] all.
    pub tries: Vec<String>,
    /// The largest number of changes, 1 or 2. Default: 2. Twins have one.
    pub changes: u8,
    /// Whether a proposal may have more promoted men than the given diagram. Default: no.
    pub promoted: bool,
    /// The largest number of proposals. Default: 20.
    pub proposals: usize,
    /// What the answer may use: that of the [`crate::Solver`], without Syzygy files.
    pub(crate) limits: Limits,
}

impl Default for WorkbenchRequest {
    fn default() -> WorkbenchRequest {
        WorkbenchRequest {
            key: None,
            keep: Vec::new(),
            tries: Vec::new(),
            changes: 2,
            promoted: false,
            proposals: 20,
            limits: Limits::default(),
        }
    }
}

impl WorkbenchRequest {
    /// Returns this request after a change of its fields. Other crates use this instead of writing all fields.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut WorkbenchRequest)) -> WorkbenchRequest {
        change(&mut self);
        self
    }
}

/// Receives what the workbench does while it works.
pub trait WorkbenchObserver: Sync {
    /// Receives the number of diagrams that were tried, and how many of them are sound.
    fn tried(&self, _tried: u64, _sound: u64) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct SilentWorkbench;

impl WorkbenchObserver for SilentWorkbench {}

/// Why the workbench does not answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The stipulation is not one of forced play in which the attacker begins.
    #[error(
        "the workbench does not know {0}; it works for #n, =n, s#n, s=n, r#n, semi-r#n, r=n and semi-r=n, with \
         the attacker to move"
    )]
    Stipulation(Stipulation),
    /// The problem has castling rights that exclude each other.
    #[error(
        "the workbench does not know castling rights that exclude each other; `matesolve report` solves the diagram"
    )]
    Exclusive,
    /// The stipulation has no length.
    #[error("the question needs a length; add one, such as -s '#2'")]
    NoLength,
    /// The text is no legal move of the diagram.
    #[error("--key \"{}\" is no legal move here, or fits several; write it like Rh6 or h1h6", excerpt(.0))]
    Key(String),
    /// `mend` was asked about a sound diagram.
    #[error("the diagram is sound; there is nothing to mend")]
    Sound,
    /// The question needs a sound diagram, and this one has no key, several, or a shorter solution.
    #[error("the diagram is not sound; `matesolve report` says why, and `matesolve mend` looks for sound versions")]
    Unsound,
    /// The set play must be kept, but there is none.
    #[error("the diagram has no set play that could stay; leave out --keep set-play")]
    NoSetPlay,
    /// `--keep try` found no try.
    #[error("no first move of the diagram is refuted by one defence; leave out --keep try")]
    NoTry,
    /// The named move is no try.
    #[error("--try \"{}\" is no try of the diagram: a legal first move that one defence refutes", excerpt(.0))]
    NotATry(String),
    /// `retract` was asked about a position in which the side to move is not lost in the moves that are left.
    #[error(
        "the position is not one after the key of a {0}: the side to move has a move after which the goal is missed; \
         after a key the defender is to move, so give the position with the other side to move, or another stipulation"
    )]
    NotAfterKey(Stipulation),
    /// The diagram is wrong.
    #[error("{0}")]
    Invalid(String),
    /// The verdict on the given diagram needs more time.
    #[error("the given diagram is not decided within the limits")]
    Undecided,
    /// A number of changes that cannot be tried.
    #[error("{0} changes at once would never end; ask for one or two")]
    Changes(u8),
    /// The program failed.
    #[error("the search failed: {0}")]
    Failed(String),
}

/// A question to the workbench.
pub(crate) struct Bench<'a> {
    pub problem: &'a Problem,
    pub request: WorkbenchRequest,
    /// Ends the search when it becomes true.
    pub stop: &'a AtomicBool,
    pub observer: &'a dyn WorkbenchObserver,
}

/// Each question is refused if it is not one for the workbench.
impl Bench<'_> {
    /// Looks for sound versions of an unsound problem.
    ///
    /// # Errors
    /// Also if the diagram is sound.
    pub(crate) fn mend(&self) -> Result<Proposals, Refused> {
        let Bench { problem, request, .. } = self;
        if !(1..=2).contains(&request.changes) {
            return Err(Refused::Changes(request.changes));
        }
        // The key that an EPD line names is the intended one, as in a report.
        let named = request.key.is_none().then(|| named_keys(problem, &problem.chess)).flatten();
        self.with_given(named, |given, trials| {
            // A sound diagram has another key than the one that is named, if there is a cook.
            if is_sound(&given.report) && given.cooks.is_empty() {
                return Err(Refused::Sound);
            }
            let requirements = Requirements::find(given, &problem.chess, request, trials)?;
            Ok(Mend::new(self.sought(given, &requirements), Wanted::Versions, trials).run())
        })
    }

    /// Looks for twins of a sound problem: other sound problems, one change away, with another key. Nothing must stay.
    ///
    /// # Errors
    /// Also if the diagram is not sound.
    pub(crate) fn twins(&self) -> Result<Proposals, Refused> {
        self.with_given(None, |given, trials| {
            given.check_soundness()?;
            Ok(Mend::new(self.sought(given, &Requirements::default()), Wanted::Twins, trials).run())
        })
    }

    /// Says what each man of a sound problem is for, and looks for versions with fewer or weaker men.
    ///
    /// # Errors
    /// Also if the diagram is not sound.
    pub(crate) fn economy(&self) -> Result<Economy, Refused> {
        self.with_given(None, |given, trials| {
            given.check_soundness()?;
            let requirements = Requirements::find(given, &self.problem.chess, &self.request, trials)?;
            Ok(economy::economy(self.sought(given, &requirements), trials))
        })
    }

    fn sought<'s>(&'s self, given: &'s GivenDiagram, requirements: &'s Requirements) -> Sought<'s> {
        Sought { given, requirements, request: &self.request, observer: self.observer }
    }

    /// Looks at the given diagram, and then works on it. `named` are the keys that its text names.
    fn with_given<T: Send>(
        &self,
        named: Option<Vec<Move>>,
        work: impl FnOnce(&GivenDiagram, &mut Trials<'_, '_>) -> Result<T, Refused> + Send,
    ) -> Result<T, Refused> {
        let Bench { problem, request, stop, .. } = self;
        let asked = question(problem)?;
        with_trials(asked, problem.chess.turn(), request, stop, |trials| {
            let given = GivenDiagram::find(&problem.chess, asked, request, named, trials)?;
            work(&given, trials)
        })
    }

    /// Finds the diagrams from which a position after the key can have come, with the keys and tries of each. The side
    /// to move defends.
    ///
    /// # Errors
    /// Also if the position is not lost for the side to move.
    pub(crate) fn retract(&self) -> Result<Proposals, Refused> {
        let Bench { problem, request, stop, .. } = self;
        // After the key of #3 the defender is to move, and the question is #-2.
        let stated = problem.question.stipulation;
        let is_rest = stated.defender_begins() && !stated.is_helped();
        let before = if is_rest { stated.before_first() } else { stated };
        let asked = question(&(*problem).clone().stipulated(before))?;
        with_trials(asked, !problem.chess.turn(), request, stop, |trials| {
            retract::retract(&problem.chess, asked, request, trials, self.observer)
        })
    }
}
