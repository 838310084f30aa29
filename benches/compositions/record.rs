//! One composition of the set, as it is stored: a JSON object a line.

use serde::Deserialize;

/// A published problem.
#[derive(Debug, Clone, Deserialize)]
pub struct Record {
    /// Its name.
    pub id: String,
    /// The diagram.
    pub fen: String,
    /// `#3`.
    pub stipulation: String,
    /// What the collection says about it: `Cooked`, `Unsound`, `Retro` …
    #[serde(default)]
    pub keywords: Option<Vec<String>>,
    /// The solution as printed.
    #[serde(default)]
    pub solution: Option<String>,
    /// The keys as printed.
    #[serde(default)]
    pub keys: Vec<String>,
}

impl Record {
    /// The length that is asked for; `None`: not a direct mate.
    pub fn moves(&self) -> Option<u16> {
        self.stipulation.strip_prefix('#')?.parse().ok()
    }

    /// The collection itself says that the problem is not sound.
    pub fn is_marked(&self) -> bool {
        let marks = ["Cooked", "Unsound", "Shortmate", "Stipulation?", "Position?"];
        self.keywords.iter().flatten().any(|word| marks.contains(&word.as_str()))
    }

    /// It was printed by Popeye or in its layout.
    pub fn is_popeyes(&self) -> bool {
        let text = self.printed();
        text.contains("threat:") || text.contains("zugzwang.")
    }

    /// The printed solution, or nothing.
    pub fn printed(&self) -> &str {
        self.solution.as_deref().unwrap_or_default()
    }
}
