//! The trace: what the search decides at the root, as the worked example of the paper shows it.
//!
//! ```text
//! SELECT: a mate, TargetVal 499.0, MinAct 0.15
//!   move    RealVal  OptVal   OptPrb
//!   d1d5          0   998.0  0.12500
//!   …
//! expanding d1d5 e8f7 d5f7
//! SELECT ends after 17 expansions: no rival reaches MinAct
//! ```
//!
//! Values are those of [`MateScale`]: a mate in k moves has the value M − k, an open move 0.

use std::fmt::Write as _;

use crate::search::{Event, Observer};

use super::phases::{Phase, PhaseEnd, Phases};
use super::search::{BstarSearch, PathNode};
use super::value::{Cost, MateScale, min_act, select_target, verify_target};

/// The number of first moves in a table.
const MOVES_SHOWN: usize = 8;

/// A first move with its values.
struct Row {
    text: String,
    real: f64,
    opt: f64,
    attack: Cost,
}

impl Phase {
    fn name(self, shortening: bool) -> &'static str {
        match (self, shortening) {
            (Phase::Select, false) => "SELECT",
            (Phase::Select, true) => "SELECT (ProveBest)",
            (Phase::Verify, _) => "VERIFY",
            (Phase::DisproveRest, _) => "VERIFY (DisproveRest)",
        }
    }
}

impl BstarSearch<'_, '_> {
    /// Sends the beginning of a phase: its target and the open first moves. The path holds the root.
    pub(super) fn trace_phase(&self, phases: &Phases, shortening: bool, observer: &mut dyn Observer) {
        if !self.options.trace {
            return;
        }
        let Some(root) = self.state.path.first() else { return };
        let rows = self.rows(root);
        let target = match (phases.phase, rows.as_slice()) {
            (Phase::Select, [best, second, ..]) => select_target(second.opt, best.real),
            (Phase::Verify | Phase::DisproveRest, [_, second, ..]) => verify_target(second.real),
            _ => MateScale::of(root.horizon).target(),
        };
        let name = phases.phase.name(shortening);
        let question = root.horizon.moves().map_or("a mate".to_owned(), |n| format!("a mate in {n}"));
        let mut text = format!("{name}: {question}, TargetVal {target:.1}, MinAct {:.2}", min_act(phases.count));
        let _ = write!(text, "\n  move    RealVal   OptVal   OptPrb");
        for Row { text: played, real, opt, attack } in rows.iter().take(MOVES_SHOWN) {
            let _ = write!(text, "\n  {played:<6}{real:9.1}{opt:9.1}{:9.5}", attack.probability());
        }
        if rows.len() > MOVES_SHOWN {
            let _ = write!(text, "\n  {} other open moves", rows.len() - MOVES_SHOWN);
        }
        observer.event(Event::Trace(&text), self.meter.count());
    }

    /// Returns the open first moves with their values, the best first.
    fn rows(&self, root: &PathNode) -> Vec<Row> {
        let graph = &self.state.graph;
        let scale = MateScale::of(root.horizon);
        let mut moves = self.open_moves(root.node);
        moves.sort_by_key(|m| (m.attack, m.offset));
        let rows = moves.iter().filter_map(|m| {
            let edge = graph.edges(root.node).nth(usize::from(m.offset))?;
            let known = graph.find(root.position.key_after(edge.played)).map(|id| graph.node(id));
            let known = known.filter(|node| node.is_proved()).map(|node| node.mate_length().longer());
            let real = known.map_or(MateScale::OPEN, |length| scale.mate(f64::from(length.0)));
            let opt = scale.mate(f64::from(graph.node(edge.child()).optimum.saturating_add(1)));
            Some(Row { text: format!("{:?}", edge.played), real, opt, attack: m.attack })
        });
        rows.collect()
    }

    /// Sends the end of a phase.
    pub(super) fn trace_end(&self, phases: &Phases, shortening: bool, end: PhaseEnd, observer: &mut dyn Observer) {
        if !self.options.trace {
            return;
        }
        let reason = match end {
            PhaseEnd::NoRival => "no rival reaches MinAct",
            PhaseEnd::Refuted => "the best move has fallen below MinAct",
            PhaseEnd::Effort => "effort limit",
        };
        let name = phases.phase.name(shortening);
        let text = format!("{name} ends after {} expansions: {reason}", phases.spent);
        observer.event(Event::Trace(&text), self.meter.count());
    }

    /// Sends the line of moves to the leaf that is expanded next.
    pub(super) fn trace_line(&self, observer: &mut dyn Observer) {
        if !self.options.trace {
            return;
        }
        let mut text = "expanding".to_owned();
        for pair in self.state.path.windows(2) {
            let mut edges = self.state.graph.edges(pair[0].node);
            if let Some(edge) = edges.find(|edge| edge.child() == pair[1].node) {
                let _ = write!(text, " {:?}", edge.played);
            }
        }
        if self.state.path.len() == 1 {
            text.push_str(" the root");
        }
        observer.event(Event::Trace(&text), self.meter.count());
    }
}
