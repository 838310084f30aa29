//! Options of the engine `selective`, each of which turns off one idea of the paper, so that its gain can be measured.

/// Options of the engine `selective`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelectiveOptions {
    /// Searches candidate lists that are widened step by step. Otherwise every iteration looks at all moves. Default:
    /// true.
    pub lists: bool,
    /// Tries the moves that deny the last refutation first. Default: true.
    pub denial: bool,
    /// Links the entries of the live variations, so that new positions do not overwrite them. Default: true.
    pub linked: bool,
    /// The largest number of table entries, at least 4. The memory may hold fewer. AWIT's table has 100 entries for
    /// quick games and 600 for tournaments. Default: 1,048,576: a search makes about one entry for every fifty nodes,
    /// and clearing a table that is never filled would take longer than most problems.
    pub entries: u32,
}

impl Default for SelectiveOptions {
    fn default() -> SelectiveOptions {
        SelectiveOptions { lists: true, denial: true, linked: true, entries: 1 << 20 }
    }
}
