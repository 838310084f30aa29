//! Reads one composition of the file: a JSON object on a line.

use serde::Deserialize;

/// A published problem.
#[derive(Debug, Clone, Deserialize)]
pub struct Record {
    /// The name.
    pub id: String,
    /// The diagram as FEN.
    pub fen: String,
    /// The stipulation, such as `#3`.
    pub stipulation: String,
    /// The collection's remarks, such as `Cooked`, `Unsound` or `Retro`.
    #[serde(default)]
    pub keywords: Option<Vec<String>>,
    /// The printed solution.
    #[serde(default)]
    pub solution: Option<String>,
    /// The printed keys.
    #[serde(default)]
    pub keys: Vec<String>,
}

impl Record {
    /// Returns the length of the stipulation in moves, or `None` if it is not a direct mate.
    pub fn moves(&self) -> Option<u16> {
        self.stipulation.strip_prefix('#')?.parse().ok()
    }

    /// Returns whether the collection itself marks the problem as not sound.
    pub fn is_marked(&self) -> bool {
        let marks = ["Cooked", "Unsound", "Shortmate", "Stipulation?", "Position?"];
        self.keywords.iter().flatten().any(|word| marks.contains(&word.as_str()))
    }

    /// Returns whether the solution is in Popeye's layout.
    pub fn is_popeyes(&self) -> bool {
        let text = self.printed();
        text.contains("threat:") || text.contains("zugzwang.")
    }

    /// Returns the printed solution, or an empty text.
    pub fn printed(&self) -> &str {
        self.solution.as_deref().unwrap_or_default()
    }
}
