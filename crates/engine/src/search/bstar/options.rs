//! The options of `bstar`.

/// The target of the search after a mate in L has been found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Targets {
    /// A mate in L − 1.
    #[default]
    Step,
    /// The TargetVal of the SELECT phase: halfway from the mate in L to the best that the second-best move may hope
    /// for.
    Half,
}

/// The options of the engine `bstar`. They turn ideas of the paper off, so that the gain of each can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BstarOptions {
    /// Whether the OptVal of a quiet move comes from the mate that it threatens. Default: true.
    pub threats: bool,
    /// The target after a mate. Default: one move less.
    pub targets: Targets,
}

impl Default for BstarOptions {
    fn default() -> BstarOptions {
        BstarOptions { threats: true, targets: Targets::Step }
    }
}
