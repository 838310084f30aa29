//! The lanes that can take part in a race, and what each gets of the memory.

/// A search that can take part in a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneName {
    /// The depth-first proof-number search (`dfpn`): finds, shortens and refutes.
    Dfpn,
    /// The same search, restricted to moves of the attacker that leave the king few flights.
    Narrow,
    /// The same search, restricted to moves of the attacker that lose no material, with proof numbers by material
    /// (`technique`): for long endings, after the other lanes have had their turn.
    Technique,
    /// The best-first proof-number search on a graph (`pn`): finds, shortens and refutes.
    Pn,
    /// The principal-variation search (`pvs`).
    Pvs,
    /// The search by probabilities (`bstar`).
    Bstar,
    /// The search of candidate lists (`selective`).
    Selective,
}

/// A set of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneSet(u8);

impl LaneName {
    /// All lanes.
    pub const ALL: [LaneName; 7] = [
        LaneName::Dfpn,
        LaneName::Narrow,
        LaneName::Technique,
        LaneName::Pn,
        LaneName::Pvs,
        LaneName::Bstar,
        LaneName::Selective,
    ];

    /// Returns whether the shared prover runs this lane.
    fn is_prover(self) -> bool {
        matches!(self, LaneName::Dfpn | LaneName::Narrow | LaneName::Technique)
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Returns the share of the memory in proportion to the other lanes that take part. `narrow` and `technique` use
    /// the table of `dfpn`. A search that keeps little from one iteration to the next needs little.
    fn memory_weight(self) -> usize {
        match self {
            LaneName::Dfpn | LaneName::Pn | LaneName::Bstar => 7,
            LaneName::Narrow | LaneName::Technique => 0,
            LaneName::Pvs | LaneName::Selective => 1,
        }
    }
}

impl LaneSet {
    /// The empty set.
    pub const NONE: LaneSet = LaneSet(0);

    /// Returns the set of these lanes.
    pub fn of(lanes: &[LaneName]) -> LaneSet {
        LaneSet(lanes.iter().fold(0, |bits, lane| bits | lane.bit()))
    }

    /// Returns whether a lane takes part.
    pub fn has(self, lane: LaneName) -> bool {
        self.0 & lane.bit() != 0
    }

    /// Returns the lanes, in the order of [`LaneName::ALL`].
    pub fn iter(self) -> impl Iterator<Item = LaneName> {
        LaneName::ALL.into_iter().filter(move |lane| self.has(*lane))
    }

    /// Returns whether a lane of the shared prover takes part.
    pub(super) fn has_prover(self) -> bool {
        self.iter().any(LaneName::is_prover)
    }

    /// Returns whether the prover should read the facts that other lanes find. `pvs` finds too few to pay for it.
    pub(super) fn share_facts(self) -> bool {
        self.single_threaded().any(|lane| lane != LaneName::Pvs)
    }

    /// Returns the lanes that search on one thread with memory of their own. All but those of the prover do.
    pub(super) fn single_threaded(self) -> impl Iterator<Item = LaneName> {
        self.iter().filter(|lane| !lane.is_prover())
    }

    /// Returns the memory of a lane, in bytes. `memory` is what all lanes have together.
    pub(super) fn memory_of(self, lane: LaneName, memory: usize) -> usize {
        let total: usize = self.single_threaded().map(LaneName::memory_weight).sum();
        let total = total + if self.has_prover() { LaneName::Dfpn.memory_weight() } else { 0 };
        memory / total.max(1) * lane.memory_weight()
    }

    /// Returns the memory of the prover, in bytes: what the other lanes leave.
    pub(super) fn memory_of_prover(self, memory: usize) -> usize {
        memory - self.single_threaded().map(|lane| self.memory_of(lane, memory)).sum::<usize>()
    }
}

impl Default for LaneSet {
    fn default() -> LaneSet {
        LaneSet::of(&[LaneName::Dfpn, LaneName::Narrow, LaneName::Technique])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lanes_never_take_more_memory_than_there_is() {
        for bits in 1..1 << LaneName::ALL.len() {
            let set = LaneSet(bits);
            for memory in [0, 1, 1 << 20, (1 << 28) + 5] {
                let single: usize = set.single_threaded().map(|lane| set.memory_of(lane, memory)).sum();
                assert!(single <= memory, "{set:?}");
                assert_eq!(single + set.memory_of_prover(memory), memory);
            }
        }
        let set = LaneSet::of(&[LaneName::Dfpn, LaneName::Pvs]);
        assert_eq!((set.memory_of(LaneName::Pvs, 800), set.memory_of_prover(800)), (100, 700));
    }

    #[test]
    fn a_set_has_the_lanes_it_was_made_of() {
        let set = LaneSet::of(&[LaneName::Pvs, LaneName::Pn]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [LaneName::Pn, LaneName::Pvs]);
        assert!(!set.has_prover() && LaneSet::default().has_prover());
        assert_eq!(LaneSet::NONE.iter().count(), 0);
    }
}
