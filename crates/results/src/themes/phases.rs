//! The phases of a report as the detectors read them: set play, tries and solutions, each to the attacker's second
//! move.
//!
//! Each of these moves has the identity by which phases are compared ([`PlayMove`]): the man, its square in the
//! diagram, the square of arrival, and what it promotes to. A man that the first move put elsewhere keeps its square in
//! the diagram.
//!
//! This file also builds a [`Theme`]: its name, its squares, the lines that show it, and the re-tests.

use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, Move, Role, Square};

use crate::chess::notation::{after, castled};
use crate::chess::passed;
use crate::results::report::{Continuation, Next, Pass, PlayId, Ply, Report, Tree};
use crate::results::themes::{PhaseKind, PhaseLabel, Retest, Theme, ThemeLine};
use crate::themes::retest::tolerant;

/// The longest problems whose lines are read, in moves of the attacker.
const LONGEST: u16 = 3;

/// The identity of a move in all phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PlayMove {
    /// The man; a promoted one is what it is now.
    pub role: Role,
    /// Its square in the diagram.
    pub home: Square,
    /// The square of arrival; of castling the rook's square.
    pub to: Square,
    pub promotion: Option<Role>,
}

/// A move of the attacker after the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttackersMove<'r> {
    pub ply: &'r Ply,
    pub id: PlayMove,
}

/// A defence and the attacker's answers.
#[derive(Debug, Clone)]
pub(super) struct Line<'r> {
    pub ply: &'r Ply,
    pub id: PlayMove,
    pub answers: Vec<AttackersMove<'r>>,
}

impl<'r> Line<'r> {
    /// Returns the answer, if it is the only one.
    pub(super) fn only(&self) -> Option<&AttackersMove<'r>> {
        if let [answer] = &self.answers[..] { Some(answer) } else { None }
    }
}

/// A line with its only answer.
pub(super) type Answered<'p, 'r> = (&'p Line<'r>, &'p AttackersMove<'r>);

#[derive(Debug, Clone)]
pub(super) struct Phase<'r> {
    pub kind: PhaseKind,
    /// The first move; `None` in set play and in a diagram after the key.
    pub first: Option<&'r Ply>,
    /// The position with the defender to move.
    pub position: Chess,
    pub threats: Vec<AttackersMove<'r>>,
    pub zugzwang: bool,
    /// Whether every legal defence has an answer.
    pub complete: bool,
    /// Whether a limit left something out.
    pub cut: bool,
    pub lines: Vec<Line<'r>>,
    pub refutations: Vec<(&'r Ply, PlayMove)>,
    pub play: Option<PlayId>,
}

impl<'r> Phase<'r> {
    /// Returns the name of the phase.
    pub(super) fn label(&self) -> PhaseLabel {
        PhaseLabel { kind: self.kind, first: self.first.cloned() }
    }

    /// Returns the identity of the first move.
    pub(super) fn first_id(&self) -> Option<PlayMove> {
        self.first.map(|ply| of_legal(ply.mv))
    }

    pub(super) fn line(&self, defence: PlayMove) -> Option<&Line<'r>> {
        self.lines.iter().find(|line| line.id == defence)
    }

    /// Returns the lines that have one answer only.
    pub(super) fn single(&self) -> impl Iterator<Item = Answered<'_, 'r>> {
        self.lines.iter().filter_map(|line| Some((line, line.only()?)))
    }

    /// Returns whether the move is a threat of this phase.
    pub(super) fn threatens(&self, answer: PlayMove) -> bool {
        self.threats.iter().any(|threat| threat.id == answer)
    }
}

/// A problem with its phases.
#[derive(Debug)]
pub(super) struct Scene<'r> {
    pub tree: &'r Tree,
    pub diagram: Chess,
    pub attacker: Color,
    /// The length of the solution, in moves.
    pub length: u16,
    /// Set play, tries, solutions.
    pub phases: Vec<Phase<'r>>,
}

impl<'r> Scene<'r> {
    /// Reads the phases of a report; `None` if it has no diagram or no forced play.
    pub(super) fn of(report: &'r Report) -> Option<Scene<'r>> {
        let given = report.position.as_ref().filter(|_| report.help.is_none())?;
        let setup = given.fen.parse::<Fen>().ok()?.into_setup();
        let diagram = tolerant(setup)?;
        let attacker = report.stipulation.map_or(given.turn, |question| question.attacker);
        let tree = &report.tree;
        let mut phases = Vec::new();
        if let Some(set) = report.set_play
            && let Some(passed) = passed(&diagram)
        {
            let complete = set.complete;
            phases.push(Phase { complete, ..phase(PhaseKind::SetPlay, None, passed, Next::Play(set.play), tree) });
        }
        for attempt in report.tries.iter().flatten() {
            let after = after(&diagram, attempt.ply.mv);
            let mut read = phase(PhaseKind::Try, Some(&attempt.ply), after, attempt.next, tree);
            read.refutations = attempt.refutations.iter().map(|ply| (ply, of_legal(ply.mv))).collect();
            read.complete = false;
            phases.push(read);
        }
        for key in &report.keys {
            let after = after(&diagram, key.ply.mv);
            phases.push(phase(PhaseKind::Solution, Some(&key.ply), after, key.next, tree));
        }
        if let Some(play) = report.post_key.filter(|_| report.post_key_refutations.is_empty()) {
            phases.push(phase(PhaseKind::Solution, None, diagram.clone(), Next::Play(play), tree));
        }
        let stipulated = report.stipulation.and_then(|question| question.moves());
        let length = stipulated.or(report.verdict.mate_in).unwrap_or_default();
        Some(Scene { tree, diagram, attacker, length, phases })
    }

    pub(super) fn solutions(&self) -> impl Iterator<Item = &Phase<'r>> {
        self.phases.iter().filter(|phase| phase.kind == PhaseKind::Solution)
    }

    /// Returns the phases that count for patterns of several phases: tries must have exactly one refutation, and a
    /// first move that mates has no play.
    pub(super) fn thematic(&self) -> impl Iterator<Item = &Phase<'r>> {
        let is_thematic = |phase: &&Phase<'_>| {
            let mates = phase.first.is_some_and(|first| first.mate);
            !mates && (phase.kind != PhaseKind::Try || phase.refutations.len() == 1)
        };
        self.phases.iter().filter(is_thematic)
    }

    /// Returns the length of the mates that answer the first defences, in moves; `None` if the problem has less than
    /// two moves or more than [`LONGEST`].
    pub(super) fn length_of_answers(&self) -> Option<u16> {
        (2..=LONGEST).contains(&self.length).then(|| self.length - 1)
    }

    /// Returns whether the attacker mates with his second move.
    pub(super) fn is_two_mover(&self) -> bool {
        self.length == 2
    }
}

fn phase<'r>(kind: PhaseKind, first: Option<&'r Ply>, position: Chess, next: Next, tree: &'r Tree) -> Phase<'r> {
    let moved = first.map_or_else(Vec::new, |ply| moved_men(ply.mv));
    let mut read = Phase {
        kind,
        first,
        position,
        threats: Vec::new(),
        zugzwang: false,
        complete: true,
        cut: next == Next::Cut,
        lines: Vec::new(),
        refutations: Vec::new(),
        play: None,
    };
    let Next::Play(id) = next else { return read };
    let play = tree.play(id);
    let answers = |continuations: &'r [Continuation]| {
        let answer = |it: &'r Continuation| AttackersMove { ply: &it.ply, id: identity(it.ply.mv, &moved) };
        continuations.iter().map(answer).collect::<Vec<_>>()
    };
    read.threats = answers(play.threats());
    read.zugzwang = play.pass == Pass::Zugzwang;
    read.cut = play.cut;
    read.play = Some(id);
    let lines = play.variations.iter().map(|variation| Line {
        ply: &variation.defence,
        id: of_legal(variation.defence.mv),
        answers: answers(&variation.continuations),
    });
    read.lines = lines.collect();
    read
}

/// Returns all pairs of an earlier and a later one; the last one comes first.
pub(super) fn pairs<T>(all: &[T]) -> Vec<(&T, &T)> {
    let earlier = |later| (0..later).rev().map(move |earlier| (&all[earlier], &all[later]));
    (0..all.len()).rev().flat_map(earlier).collect()
}

/// Returns the squares of the men that a move has moved, each with its square before.
pub(super) fn moved_men(m: Move) -> Vec<(Square, Square)> {
    if let (Some([king, rook]), Some(from)) = (castled(m), m.from()) {
        return vec![(king, from), (rook, m.to())];
    }
    m.from().map(|from| (m.to(), from)).into_iter().collect()
}

/// Returns the identity of a move. `moved` has the men that are not on their squares of the diagram.
pub(super) fn identity(m: Move, moved: &[(Square, Square)]) -> PlayMove {
    let from = m.from().unwrap_or(m.to());
    let home = moved.iter().find(|&&(now, _)| now == from).map_or(from, |&(_, home)| home);
    PlayMove { role: m.role(), home, to: m.to(), promotion: m.promotion() }
}

/// Returns the identity of a legal move of a man that stands where it stood in the diagram, such as the defender's.
pub(super) fn of_legal(m: Move) -> PlayMove {
    identity(m, &[])
}

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

    /// Adds lines of a phase, each with the half-move at which it begins.
    pub(super) fn lines<'p>(
        self,
        phase: &Phase<'_>,
        lines: impl IntoIterator<Item = &'p (usize, Vec<&'p Ply>)>,
    ) -> ThemeClaim {
        lines.into_iter().fold(self, |claim, (begins, plies)| claim.moves(phase, *begins, plies.iter().copied()))
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

    pub(super) fn done(self) -> Theme {
        self.0
    }
}
