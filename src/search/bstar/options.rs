//! The options of `bstar`.

/// The options of the engine `bstar`. Each switch turns one idea of the paper off, so that its gain can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BstarOptions {
    /// Whether replies that are met by the same best response count once in the product of OptPrbs. Default: true.
    pub reply_groups: bool,
    /// Whether the OptVal of a quiet move depends on the mate that it threatens. Default: true.
    pub free_move: bool,
    /// Whether the search reports its phases ([`crate::search::Event::Phase`]). Default: false.
    pub trace: bool,
}

impl Default for BstarOptions {
    fn default() -> BstarOptions {
        BstarOptions { reply_groups: true, free_move: true, trace: false }
    }
}
