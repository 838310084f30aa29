//! The options of `dfpn`: how quiet moves are counted, and the use of the shared facts.

/// The options of the engine `dfpn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DfpnOptions {
    /// The proof number of the one child that stands for all quiet moves of an OR node. The quiet moves are listed when
    /// every check has a larger proof number. At least 1; default 8.
    pub quiet: u32,
    /// Whether a quiet move that threatens mate in one gets a smaller proof number than other quiet moves. Default:
    /// true.
    pub threats: bool,
    /// Whether to read the shared facts at every node. This costs a cache miss for each and helps only while another
    /// search writes to the same facts. Default: false. The search always writes its own results to the shared facts.
    pub read_facts: bool,
}

impl Default for DfpnOptions {
    fn default() -> DfpnOptions {
        DfpnOptions { quiet: 8, threats: true, read_facts: false }
    }
}
