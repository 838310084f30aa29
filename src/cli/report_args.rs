//! The arguments of `matesolve report` that choose its content and its conventions.

use clap::Args as ClapArgs;

use crate::report::Castling;

use super::args::Begins;

// Each flag of the command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Content")]
pub(super) struct ContentArgs {
    /// Show tries that have at most R refutations; R is 1 if not given
    #[arg(
        long,
        value_name = "R",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=100)
    )]
    pub tries: Option<u16>,
    /// Show the set play: the attacker's replies if the defender were to move in the diagram
    #[arg(long)]
    pub set_play: bool,
    /// Print the verdict and the keys only, without the solution tree
    #[arg(long, conflicts_with_all = ["tries", "set_play", "short_variations"])]
    pub soundness: bool,
    /// The diagram shows the position after the key; the key counts as the first move
    #[arg(long)]
    pub post_key: bool,
    /// Also show variations in which the mate comes sooner than by the threat
    #[arg(long)]
    pub short_variations: bool,
    /// The number of solutions that the composer intends
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub intended: u16,
    /// Help play: the side that makes the first half-move [default: as the stipulation says when White mates]
    #[arg(long, value_name = "SIDE")]
    pub begins: Option<Begins>,
    /// Help play: stop after N solutions [default: as many as fit into --hash]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_solutions: Option<u32>,
    /// The largest number of positions in the solution tree; omitted parts are marked
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tree_nodes: u32,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Conventions")]
pub(super) struct RightsArgs {
    /// Where castling rights come from [default: fen; assume if the FEN has no castling field]
    #[arg(long, value_name = "WHAT")]
    pub castling: Option<Castling>,
    /// Two rooks whose castling rights exclude each other, such as a1h8: once one has castled, the other may not. May
    /// be repeated
    #[arg(long, value_name = "SQUARES")]
    pub castling_exclusive: Vec<String>,
}
