//! The options of `selective`.

/// Options of the engine `selective`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelectiveOptions {
    /// The largest number of table entries, at least 4. The memory may hold fewer. AWIT's table has 100 entries for
    /// quick games and 600 for tournaments. Default: 1,048,576: a search makes about one entry for every fifty nodes,
    /// and clearing a table that is never filled would take longer than most problems.
    pub entries: u32,
}

impl Default for SelectiveOptions {
    fn default() -> SelectiveOptions {
        SelectiveOptions { entries: 1 << 20 }
    }
}
