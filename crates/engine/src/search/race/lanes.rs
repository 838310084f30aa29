//! The lanes that can take part in a race, and what each gets of the memory.

/// A search that can take part in a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneName {
    /// The depth-first proof-number search (`dfpn`): finds, shortens and refutes.
    Dfpn,
    /// The same search, restricted to moves of the attacker that lose no material, with proof numbers by material
    /// (`technique`): for long endings, after the other lanes have had their turn.
    Technique,
    /// The proof-number search on a graph in memory (`pn`): looks for a mate of any length from the first node on.
    /// Without `dfpn` it also shortens and refutes.
    Pn,
    /// The principal-variation search (`pvs`).
    Pvs,
    /// The search by probabilities (`bstar`).
    Bstar,
    /// The search of candidate lists (`selective`).
    Selective,
    /// Lists of what restrictions of the attacker leave (`corridor`): for long mates.
    Corridor,
    /// The prover, asked first without the defender's free pawns, which are put back step by step (`ladder`): for mates
    /// that wait until these pawns have no move left.
    Ladder,
}

/// A set of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneSet(u16);

impl LaneName {
    /// All lanes.
    pub const ALL: [LaneName; 8] = [
        LaneName::Dfpn,
        LaneName::Technique,
        LaneName::Pn,
        LaneName::Pvs,
        LaneName::Bstar,
        LaneName::Selective,
        LaneName::Corridor,
        LaneName::Ladder,
    ];

    /// Returns whether the shared prover runs this lane.
    fn is_prover(self) -> bool {
        matches!(self, LaneName::Dfpn | LaneName::Technique)
    }

    fn bit(self) -> u16 {
        1 << self as u8
    }

    /// Returns the name, as in the option `lanes`.
    pub fn name(self) -> &'static str {
        match self {
            LaneName::Dfpn => "dfpn",
            LaneName::Technique => "technique",
            LaneName::Pn => "pn",
            LaneName::Pvs => "pvs",
            LaneName::Bstar => "bstar",
            LaneName::Selective => "selective",
            LaneName::Corridor => "corridor",
            LaneName::Ladder => "ladder",
        }
    }

    /// Returns the share of the memory beside the prover's, in proportion to the other lanes that take part. A search
    /// that keeps little from one iteration to the next needs little.
    fn memory_weight(self) -> usize {
        match self {
            LaneName::Pn | LaneName::Bstar | LaneName::Corridor => 7,
            LaneName::Pvs | LaneName::Selective | LaneName::Ladder => 1,
            LaneName::Dfpn | LaneName::Technique => 0,
        }
    }
}

impl LaneSet {
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

    /// Returns whether a lane takes part that uses the shared prover.
    pub(super) fn has_prover(self) -> bool {
        self.iter().any(LaneName::is_prover) || self.has(LaneName::Ladder)
    }

    /// Returns whether a lane waits beside `dfpn` until the race has searched for some time without finding a mate:
    /// `pvs` waits long, `corridor` a short while.
    pub(super) fn is_late(self, lane: LaneName) -> bool {
        self.has(LaneName::Dfpn) && matches!(lane, LaneName::Pvs | LaneName::Corridor | LaneName::Ladder)
    }

    /// Returns whether the prover should read, from the start, the facts that other lanes find. `pvs` finds too few to
    /// pay for it.
    pub(super) fn share_facts(self) -> bool {
        self.single_threaded()
            .any(|lane| !matches!(lane, LaneName::Pn | LaneName::Pvs | LaneName::Corridor | LaneName::Ladder))
    }

    /// Returns the lanes of the shared prover alone.
    pub(super) fn of_the_prover(self) -> LaneSet {
        LaneSet::of(&self.iter().filter(|lane| lane.is_prover()).collect::<Vec<_>>())
    }

    /// Returns the lanes that search on one thread with memory of their own. All but those of the prover do.
    pub(super) fn single_threaded(self) -> impl Iterator<Item = LaneName> {
        self.iter().filter(|lane| !lane.is_prover())
    }

    /// Returns the memory of the prover and of the graph of `pn`, of this number of bytes together.
    pub(super) fn memory_of_prover_and_graph(self, memory: usize) -> (usize, usize) {
        match (self.has_prover(), self.has(LaneName::Pn)) {
            (true, true) => (memory - memory / 2, memory / 2),
            (true, false) => (memory, 0),
            (false, true) => (0, self.memory_of(LaneName::Pn, memory)),
            (false, false) => (0, 0),
        }
    }

    /// Returns the memory of another lane, in bytes. `memory` is what these lanes have together; beside the prover the
    /// graph of `pn` is not one of them.
    pub(super) fn memory_of(self, lane: LaneName, memory: usize) -> usize {
        let weight = |lane: LaneName| if lane == LaneName::Pn && self.has_prover() { 0 } else { lane.memory_weight() };
        let total: usize = self.single_threaded().map(weight).sum();
        memory / total.max(1) * weight(lane)
    }
}

impl Default for LaneSet {
    fn default() -> LaneSet {
        LaneSet::of(&[
            LaneName::Dfpn,
            LaneName::Technique,
            LaneName::Pn,
            LaneName::Pvs,
            LaneName::Corridor,
            LaneName::Ladder,
        ])
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
                let (prover, graph) = set.memory_of_prover_and_graph(memory);
                assert!(prover + graph <= memory && (set.has_prover() || prover == 0), "{set:?}");
            }
        }
        let set = LaneSet::default();
        assert_eq!((set.memory_of(LaneName::Pvs, 900), set.memory_of(LaneName::Pn, 900)), (100, 0));
    }

    #[test]
    fn pvs_waits_beside_the_prover_only() {
        let set = LaneSet::default();
        assert!(set.is_late(LaneName::Pvs) && !set.is_late(LaneName::Pn) && !set.is_late(LaneName::Dfpn));
        assert!(!set.share_facts());
        assert!(LaneSet::of(&[LaneName::Dfpn, LaneName::Bstar]).share_facts());
        assert!(!LaneSet::of(&[LaneName::Pn, LaneName::Pvs]).is_late(LaneName::Pvs));
        assert_eq!(set.of_the_prover().iter().count(), 2);
    }

    #[test]
    fn a_set_has_the_lanes_it_was_made_of() {
        let set = LaneSet::of(&[LaneName::Pvs, LaneName::Pn]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [LaneName::Pn, LaneName::Pvs]);
        assert!(!set.has_prover() && LaneSet::default().has_prover());
        assert_eq!(LaneSet::of(&[]).iter().count(), 0);
    }
}
