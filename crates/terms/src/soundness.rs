//! Whether a problem is sound.

use serde::{Deserialize, Serialize};

/// Whether a problem is sound. A *solution* is a key of a direct mate, or a line of help play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// The problem has as many solutions as intended, all of the stipulated length.
    Sound,
    /// The problem has more solutions than intended.
    Cooked,
    /// There is a solution in fewer moves than stipulated. There may be cooks as well.
    ShortSolution,
    /// There is no solution of the stipulated length, or there are fewer keys than intended.
    NoSolution,
    /// There are fewer lines of help play than intended, but some.
    Incomplete,
    /// A limit was reached before soundness was decided.
    #[default]
    Undecided,
}
