//! Builds a [`Theme`]: its name, the lines that show it, each in its phase, and the re-tests.

use shakmaty::Square;

use crate::results::report::Ply;
use crate::results::themes::{Retest, Theme, ThemeLine};

use super::phases::{AttackersMove, Line, Phase};

/// A theme in the making.
#[derive(Debug)]
pub(super) struct ThemeClaim(Theme);

impl ThemeClaim {
    /// Begins a claim.
    pub(super) fn new(name: &'static str) -> ThemeClaim {
        ThemeClaim(Theme { name, squares: Vec::new(), phases: Vec::new(), lines: Vec::new(), evidence: Vec::new() })
    }

    /// Adds squares that belong to the theme.
    pub(super) fn on(mut self, squares: impl IntoIterator<Item = Square>) -> ThemeClaim {
        self.0.squares.extend(squares);
        self
    }

    /// Adds moves of a phase. `begins` is the half-move of the first one; 0 is the attacker's first move.
    pub(super) fn moves<'p>(
        mut self,
        phase: &Phase<'_>,
        begins: usize,
        plies: impl IntoIterator<Item = &'p Ply>,
    ) -> ThemeClaim {
        let label = phase.label();
        let known = self.0.phases.iter().position(|it| *it == label);
        let index = known.unwrap_or_else(|| {
            self.0.phases.push(label);
            self.0.phases.len() - 1
        });
        let plies: Vec<Ply> = plies.into_iter().cloned().collect();
        let line = ThemeLine { phase: index, begins, plies };
        if !line.plies.is_empty() && !self.0.lines.contains(&line) {
            self.0.lines.push(line);
        }
        self
    }

    /// Adds the first move of a phase.
    pub(super) fn first(self, phase: &Phase<'_>) -> ThemeClaim {
        self.moves(phase, 0, phase.first)
    }

    /// Adds a defence and its answer.
    pub(super) fn answer(self, phase: &Phase<'_>, line: &Line<'_>, answer: &AttackersMove<'_>) -> ThemeClaim {
        self.moves(phase, 1, [line.ply, answer.ply])
    }

    /// Adds the first move and a threat.
    pub(super) fn threat(self, phase: &Phase<'_>, threat: &AttackersMove<'_>) -> ThemeClaim {
        self.first(phase).moves(phase, 2, [threat.ply])
    }

    /// Adds the first move and the defence that refutes it.
    pub(super) fn refuted(self, phase: &Phase<'_>) -> ThemeClaim {
        let refutation = phase.refutations.first().map(|&(ply, _)| ply);
        self.first(phase).moves(phase, 1, refutation)
    }

    /// Adds a re-test.
    pub(super) fn shown_by(mut self, retest: Retest) -> ThemeClaim {
        self.0.evidence.push(retest);
        self
    }

    /// Returns the theme.
    pub(super) fn done(self) -> Theme {
        self.0
    }
}
