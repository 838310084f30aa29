//! The options of `pn`: the kind of graph, the numbers of a new leaf, and the test for mates in one.

/// The kind of graph that `pn` builds: a tree or a DAG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Graph {
    /// Every sequence of moves has its own node, as in the paper.
    Tree,
    /// Every position has one node, which may have several parents.
    #[default]
    Dag,
}

/// The way in which `pn` sets the proof and disproof number of a new leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Init {
    /// With n legal moves: (1, n) at OR nodes and (n, 1) at AND nodes. These are the numbers after an expansion into
    /// leaves of (1, 1).
    #[default]
    Mobility,
    /// (1, 1), as in games where counting the moves costs more than it helps.
    Unit,
}

/// The options of the engine `pn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PnOptions {
    /// The kind of graph. Default: DAG.
    pub graph: Graph,
    /// The numbers of a new leaf. Default: mobility.
    pub init: Init,
    /// The amount added to a new leaf's proof number for every ply from the root. From 0 to 1000; default 1; the paper
    /// uses 0.
    pub depth_weight: u32,
    /// Whether to look for a mate in one whenever an OR node is made. Default: true; the paper does not.
    pub mate_in_one: bool,
}

impl Default for PnOptions {
    fn default() -> PnOptions {
        PnOptions { graph: Graph::Dag, init: Init::Mobility, depth_weight: 1, mate_in_one: true }
    }
}

impl PnOptions {
    /// The options of PROVER, the paper's program.
    pub const PAPER: PnOptions =
        PnOptions { graph: Graph::Tree, init: Init::Mobility, depth_weight: 0, mate_in_one: false };
}
