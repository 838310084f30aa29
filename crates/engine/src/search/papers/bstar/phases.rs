//! The phases at the root: which first move is searched, towards which target, and when a phase ends.
//!
//! **SELECT** looks for the best first move, with the attacker's optimism: each round of `run` goes to the move with
//! his greatest OptPrb. It ends when no rival's share of the OptPrb reaches MinAct, or after [`SELECT_EFFORT`] rounds;
//! a phase has at least one.
//!
//! **VERIFY** lets the defender attack the best move: all rounds go to it, until it is no longer open, its share falls
//! below MinAct, or it has stood [`VERIFY_EFFORT`] rounds. Then SELECT begins again.
//!
//! Once a mate is known, the question is whether a shorter mate exists. SELECT then is **ProveBest**: it tries to
//! shorten the mate by the most promising move. If that is less likely than the refutation of all first moves when the
//! phase ends, **DisproveRest** takes the place of VERIFY: for [`VERIFY_EFFORT`] rounds it refutes the rivals, that
//! with the defender's greatest OptPrb first. When every first move is refuted, the known mate is the shortest.
//!
//! First moves that are refuted or conditional are not looked at. If only one is left, and if the defender begins,
//! there are no phases.

use super::value::{Cost, min_act};

/// The largest number of expansions in a SELECT phase. Doubled, the defender has his turn more rarely; halved, more
/// often.
const SELECT_EFFORT: u32 = 50;
/// The largest number of expansions in a VERIFY phase. Doubled, a best move is doubted longer; halved, shorter.
const VERIFY_EFFORT: u32 = 50;

/// The phases of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SearchPhase {
    /// Looks for the best move.
    #[default]
    Select,
    /// Lets the other side attack the best move.
    Verify,
    /// Refutes the rivals of the best move. It takes the place of [`SearchPhase::Verify`] where a shorter mate is
    /// unlikely.
    DisproveRest,
}

/// The state of the phases.
#[derive(Debug, Clone, Default)]
pub(super) struct Phases {
    pub phase: SearchPhase,
    /// The expansions in this phase.
    pub spent: u32,
    /// The phases so far.
    pub count: u32,
    /// The edge of the best move, counted from the root's first. Set in the VERIFY phase.
    pub best: u16,
    /// Whether a mate is known.
    pub shortening: bool,
}

/// A first move that is not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RootMove {
    /// The move's edge, counted from the root's first.
    pub offset: u16,
    /// The attacker's OptPrb.
    pub attack: Cost,
    /// The defender's OptPrb.
    pub defence: Cost,
}

impl Phases {
    /// Returns the best of the moves and its best rival: those with the greatest OptPrb.
    pub fn leaders(moves: &[RootMove]) -> Option<(RootMove, RootMove)> {
        let by_chance = |m: &&RootMove| (m.attack, m.offset);
        let best = *moves.iter().min_by_key(by_chance)?;
        let rival = *moves.iter().filter(|m| m.offset != best.offset).min_by_key(by_chance)?;
        Some((best, rival))
    }

    /// Returns whether the phase ends now: no rival's share of the OptPrb reaches MinAct, the best move is refuted or
    /// its share has fallen below MinAct, or the phase has made all the expansions that it may make.
    pub fn ends(&self, moves: &[RootMove], best: RootMove, rival: RootMove) -> bool {
        let min_act = min_act(self.count);
        let effort = match self.phase {
            SearchPhase::Select => {
                if rival.attack.share_against(best.attack) < min_act {
                    return true;
                }
                SELECT_EFFORT
            }
            SearchPhase::Verify => {
                let verified = moves.iter().find(|m| m.offset == self.best);
                if verified.is_none_or(|verified| verified.attack.share_against(best.attack) < min_act) {
                    return true;
                }
                VERIFY_EFFORT
            }
            SearchPhase::DisproveRest => VERIFY_EFFORT,
        };
        self.spent >= effort
    }

    /// Begins the next phase. `refute` says that refuting all first moves is likelier than proving one.
    pub fn turn(&mut self, best: RootMove, refute: bool) {
        self.phase = match self.phase {
            SearchPhase::Select if refute => SearchPhase::DisproveRest,
            SearchPhase::Select => SearchPhase::Verify,
            SearchPhase::Verify | SearchPhase::DisproveRest => SearchPhase::Select,
        };
        self.best = best.offset;
        self.spent = 0;
        self.count = self.count.saturating_add(1);
    }

    /// Returns the first move that the phase expands next.
    pub fn choose(&self, moves: &[RootMove], best: RootMove) -> u16 {
        match self.phase {
            SearchPhase::Select => best.offset,
            SearchPhase::Verify => self.best,
            SearchPhase::DisproveRest => {
                let rivals = moves.iter().filter(|m| m.offset != self.best);
                rivals.min_by_key(|m| (m.defence, m.offset)).map_or(self.best, |easiest| easiest.offset)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root_move(offset: u16, chance: f64) -> RootMove {
        RootMove { offset, attack: Cost::of(chance), defence: Cost::HALF.times(u32::from(offset) + 1) }
    }

    /// Returns whether the phase ends for these chances.
    fn ends(phases: &Phases, chances: &[f64]) -> bool {
        let moves: Vec<RootMove> = (0..).zip(chances).map(|(offset, &chance)| root_move(offset, chance)).collect();
        let (best, rival) = Phases::leaders(&moves).unwrap();
        phases.ends(&moves, best, rival)
    }

    #[test]
    fn select_ends_when_no_rival_reaches_min_act_or_the_effort_is_spent() {
        let mut phases = Phases::default();
        // The rival's share is 0.1 / 0.5 in the first case and 0.05 / 0.5 in the second.
        assert!(!ends(&phases, &[0.1, 0.4]));
        assert!(ends(&phases, &[0.05, 0.45]));
        // MinAct has risen to 0.25.
        phases.count = 16;
        assert!(ends(&phases, &[0.1, 0.4]));
        phases.count = 0;
        phases.spent = SELECT_EFFORT;
        assert!(ends(&phases, &[0.1, 0.4]));
    }

    #[test]
    fn verify_ends_when_the_best_move_is_refuted_or_stands() {
        let verify = Phases { phase: SearchPhase::Verify, spent: 1, count: 1, best: 0, shortening: false };
        assert!(!ends(&verify, &[0.1, 0.4]));
        assert!(ends(&verify, &[0.01, 0.4]));
        let gone = Phases { best: 7, ..verify.clone() };
        assert!(ends(&gone, &[0.1, 0.4]));
        let stands = Phases { spent: VERIFY_EFFORT, ..verify };
        assert!(ends(&stands, &[0.1, 0.4]));
    }

    #[test]
    fn disprove_rest_takes_the_place_of_verify_where_a_refutation_is_likelier() {
        let best = root_move(3, 0.5);
        for (refute, expected) in [(false, SearchPhase::Verify), (true, SearchPhase::DisproveRest)] {
            let mut phases = Phases::default();
            phases.turn(best, refute);
            assert_eq!((phases.phase, phases.best, phases.count), (expected, 3, 1));
            phases.turn(best, refute);
            assert_eq!(phases.phase, SearchPhase::Select);
        }
    }

    #[test]
    fn each_phase_expands_its_own_first_move() {
        let moves = [root_move(0, 0.2), root_move(1, 0.5), root_move(2, 0.4)];
        let (best, rival) = Phases::leaders(&moves).unwrap();
        assert_eq!((best.offset, rival.offset), (1, 2));
        let select = Phases::default();
        assert_eq!(select.choose(&moves, best), 1);
        let verify = Phases { phase: SearchPhase::Verify, best: 2, ..select.clone() };
        assert_eq!(verify.choose(&moves, best), 2);
        // The rival with the defender's greatest OptPrb.
        let rest = Phases { phase: SearchPhase::DisproveRest, best: 1, ..select };
        assert_eq!(rest.choose(&moves, best), 0);
        assert!(Phases::leaders(&moves[..1]).is_none(), "a single move has no rival");
    }
}
