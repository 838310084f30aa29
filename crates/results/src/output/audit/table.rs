//! The totals at the end of an audit: the verdicts by the length of the first phase's direct mate, and a line of sums.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::results::audit::{Audit, AuditVerdict};

/// The longest stipulation with a column of its own. Longer ones share the last column.
const LONGEST: u16 = 5;

/// The totals.
#[derive(Debug, Default)]
pub struct AuditTable {
    /// By the name of the verdict and the column.
    counts: BTreeMap<(&'static str, Option<u16>), usize>,
    disagreeing: usize,
    unsound: usize,
    wrong_keywords: usize,
    missing_keywords: usize,
}

impl AuditTable {
    /// Counts an audit, by the length of its stipulation, such as `#3`.
    pub fn add(&mut self, audit: &Audit) {
        let stipulation = audit.phases.first().and_then(|phase| phase.stipulation.as_deref());
        let length = stipulation.and_then(|text| text.trim_start_matches(['#', '-']).parse().ok());
        let column = length.map(|length: u16| length.min(LONGEST + 1));
        *self.counts.entry((audit.verdict.words(), column)).or_default() += 1;
        self.disagreeing += usize::from(audit.disagrees);
        self.unsound += usize::from(audit.unsound_unmarked);
        self.wrong_keywords += audit.wrong_keywords.len();
        self.missing_keywords += audit.missing_keywords.len();
    }

    /// Returns the number of entries with a verdict.
    fn count(&self, verdict: &str) -> usize {
        self.counts.iter().filter(|((of, _), _)| *of == verdict).map(|(_, count)| count).sum()
    }

    /// Returns whether no entry states what can be compared.
    pub fn claims_nothing(&self) -> bool {
        self.entries() > 0 && self.count(AuditVerdict::NotAudited.words()) == self.entries()
    }

    /// Returns the number of all entries.
    fn entries(&self) -> usize {
        self.counts.values().sum()
    }

    /// Writes the table, with line breaks.
    pub fn text(&self) -> String {
        let mut columns: Vec<Option<u16>> = self.counts.keys().map(|&(_, column)| column).collect();
        columns.sort_unstable_by_key(|column| column.unwrap_or(u16::MAX));
        columns.dedup();
        let head = |column: &Option<u16>| match column {
            None => format!("{:>8}", "other"),
            Some(length) if *length > LONGEST => format!("{:>8}", format!("#{length}+")),
            Some(length) => format!("{:>8}", format!("#{length}")),
        };
        let mut text = format!("{:<26}{}{:>8}\n", "", columns.iter().map(head).collect::<String>(), "all");
        for (_, words) in &AuditVerdict::ALL[1..] {
            let all = self.count(words);
            if all > 0 {
                let cell = |column: &Option<u16>| self.counts.get(&(words, *column)).copied().unwrap_or_default();
                let _ = write!(text, "{words:<26}");
                for column in &columns {
                    let _ = write!(text, "{:>8}", cell(column));
                }
                let _ = writeln!(text, "{all:>8}");
            }
        }
        let _ = writeln!(
            text,
            "entries {}: published solution or keyword wrong {}, published as sound but unsound {}, keywords wrong {}, \
             missing {}",
            self.entries(),
            self.disagreeing,
            self.unsound,
            self.wrong_keywords,
            self.missing_keywords
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::audit::PhaseAudit;

    #[test]
    fn verdicts_are_counted_by_length() {
        let mut table = AuditTable::default();
        for (verdict, stipulation) in [
            (AuditVerdict::Agrees, Some("#2")),
            (AuditVerdict::Sound, Some("#12")),
            (AuditVerdict::Cooked, Some("#2")),
            (AuditVerdict::NotAudited, None),
        ] {
            let disagrees = verdict == AuditVerdict::Cooked;
            let phases = vec![PhaseAudit { stipulation: stipulation.map(str::to_owned), ..PhaseAudit::default() }];
            let (unsound_unmarked, missing_keywords) = (disagrees, vec!["Cooked".to_owned()]);
            let audit = Audit { verdict, disagrees, unsound_unmarked, missing_keywords, phases, ..Audit::default() };
            table.add(&audit);
        }
        let expected = "                                #2     #6+   other     all
agrees                           1       1       0       2
cooked                           1       0       0       1
not audited                      0       0       1       1
entries 4: published solution or keyword wrong 1, published as sound but unsound 1, keywords wrong 0, missing 4
";
        assert_eq!(table.text(), expected);
        assert_eq!((table.entries(), table.disagreeing), (4, 1));
    }
}
