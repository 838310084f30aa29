//! Counters of a transposition table with linked and available entries.

/// How a search used its table, as the AWIT paper reports it (Marsland, "AWIT: a selective search chess program").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableUse {
    /// The entries made: each is a position that the table did not hold.
    pub entries: u64,
    /// The entries used at least once instead of a search.
    pub used: u64,
    /// The searches saved by an entry. One entry may save several.
    pub answers: u64,
    /// The saved searches whose entry was available, not linked: it belonged to a discarded variation.
    pub relinked: u64,
    /// The linked entries dropped because room was short.
    pub unlinked: u64,
    /// The active entries at the ends of the iterations, summed.
    pub active: u64,
    /// Those of the active entries that were still linked, as the beginning of the next iteration.
    pub salvaged: u64,
}

impl TableUse {
    /// Adds the counters of another search.
    #[must_use]
    pub fn plus(self, other: TableUse) -> TableUse {
        TableUse {
            entries: self.entries + other.entries,
            used: self.used + other.used,
            answers: self.answers + other.answers,
            relinked: self.relinked + other.relinked,
            unlinked: self.unlinked + other.unlinked,
            active: self.active + other.active,
            salvaged: self.salvaged + other.salvaged,
        }
    }

    /// Returns the share of the entries used instead of a search, in percent; 0 without entries.
    pub fn used_percent(&self) -> u64 {
        percent(self.used, self.entries)
    }

    /// Returns the share of the saved searches that came from discarded variations, in percent.
    pub fn relinked_percent(&self) -> u64 {
        percent(self.relinked, self.answers)
    }

    /// Returns the share of the active entries salvaged from one iteration to the next, in percent.
    pub fn salvaged_percent(&self) -> u64 {
        percent(self.salvaged, self.active)
    }
}

fn percent(part: u64, whole: u64) -> u64 {
    (100 * part).checked_div(whole).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages_of_what_was_counted() {
        let counted =
            TableUse { entries: 200, used: 30, answers: 50, relinked: 40, unlinked: 1, active: 150, salvaged: 15 };
        assert_eq!((counted.used_percent(), counted.relinked_percent(), counted.salvaged_percent()), (15, 80, 10));
        assert_eq!(counted.plus(counted).answers, 100);
        assert_eq!(TableUse::default().used_percent(), 0);
    }
}
