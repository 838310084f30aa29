//! The options of `pn`: the kind of graph, and the numbers of its leaves.

/// The kind of graph that `pn` builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Graph {
    /// Every sequence of moves has its own node, and the most-proving leaf is expanded next: PROVER, the program of the
    /// paper.
    Tree,
    /// Every position has one node, which is searched to a threshold.
    #[default]
    Dag,
}

/// The numbers of a new leaf of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Init {
    /// With n legal moves: (1, n) at OR nodes and (n, 1) at AND nodes.
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
    /// The numbers of a new leaf of the tree. Default: mobility.
    pub init: Init,
    /// The eighths added to the proof number of a new leaf of the DAG for every ply from the root, up to 16 plies: the
    /// first mates are shorter. The weight ends when the graph has 60,000 nodes: a mate of 25 moves and more is found
    /// less often if each ply of it counts. From 0 to 1000; default 1; 0 in the paper.
    pub depth_weight: u32,
}

impl Default for PnOptions {
    fn default() -> PnOptions {
        PnOptions { graph: Graph::Dag, init: Init::Mobility, depth_weight: 1 }
    }
}

impl PnOptions {
    /// The options of PROVER, the paper's program.
    pub const PAPER: PnOptions = PnOptions { graph: Graph::Tree, init: Init::Mobility, depth_weight: 0 };
}
