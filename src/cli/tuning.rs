//! Options that go into the engines: what the papers varied, to be varied again.
//!
//! An option that the chosen engine does not read is refused: whoever varies what nobody looks at would compare a thing
//! with itself and believe the result.

use clap::{Args, ValueEnum};

use crate::search::pn::{Graph, Init, PnOptions};
use crate::search::pvs::{Extension, Extensions, NullMove, PvsOptions};
use crate::solve::registry::{ENGINES, EngineEntry, EngineOptions, Part};

use super::Failure;

/// The arguments, as clap reads them. What is not given stays as the engine has it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Engine options")]
pub(super) struct TuningArgs {
    /// pn: one node a line of moves (tree, the paper's plain form), or one a position [default: dag]
    #[arg(long, value_name = "GRAPH")]
    pn_graph: Option<GraphName>,
    /// pn: the numbers of a new leaf: how many moves it has, or 1 [default: mobility]
    #[arg(long, value_name = "INIT")]
    pn_init: Option<InitName>,
    /// pn: added to a new leaf's proof number for every ply from the root, 0 to 1000 [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pn_depth_weight: Option<u32>,
    /// pn: look for a mate in one wherever the attacker is to move; the paper does not [default: on]
    #[arg(long, value_name = "SWITCH")]
    pn_mate_in_one: Option<Switch>,
    /// pvs: what the defender's pass is used for [default: verified]
    #[arg(long, value_name = "MODE")]
    null: Option<NullName>,
    /// pvs: plies a pass is searched shallower, 1 to 8; adaptive and nmr add one above six plies [default: 3, adaptive 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    null_r: Option<u8>,
    /// pvs: plies that nmr takes off after a fail-high, 1 to 8 [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    null_dr: Option<u8>,
    /// pvs: which moves are searched at less than a ply's cost; several with commas [default:
    /// check,evasion,recapture,singular]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pvs_extensions: Vec<ExtensionName>,
    /// pvs: order quiet moves of the attacker by what they threaten [default: on]
    #[arg(long, value_name = "SWITCH")]
    pvs_threats: Option<Switch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GraphName {
    Tree,
    Dag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InitName {
    Mobility,
    Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NullName {
    /// Nobody passes
    None,
    /// A fail-high cuts
    Standard,
    /// As standard, with R by depth
    Adaptive,
    /// A fail-high reduces by a ply and is verified
    Verified,
    /// A fail-high only reduces
    Nmr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExtensionName {
    None,
    Check,
    Evasion,
    Recapture,
    Singular,
}

impl TuningArgs {
    /// The engines' options with what was given filled in.
    pub(super) fn options(&self, engine: &EngineEntry) -> Result<EngineOptions, Failure> {
        for (option, part) in self.given() {
            if !engine.reads.contains(&part) {
                let readers = ENGINES.iter().filter(|entry| entry.reads.contains(&part)).map(|entry| entry.name);
                return Err(Failure::Usage(format!(
                    "{option} means nothing to the engine {}; leave it out, or use --engine {}",
                    engine.name,
                    readers.collect::<Vec<_>>().join(" or --engine ")
                )));
            }
        }
        Ok(EngineOptions { pn: self.pn(), pvs: self.pvs()?, ..EngineOptions::default() })
    }

    /// The options on the command line and who reads them.
    fn given(&self) -> impl Iterator<Item = (&'static str, Part)> {
        let given = [
            (self.pn_graph.is_some(), "--pn-graph", Part::Pn),
            (self.pn_init.is_some(), "--pn-init", Part::Pn),
            (self.pn_depth_weight.is_some(), "--pn-depth-weight", Part::Pn),
            (self.pn_mate_in_one.is_some(), "--pn-mate-in-one", Part::Pn),
            (self.null.is_some(), "--null", Part::Pvs),
            (self.null_r.is_some(), "--null-r", Part::Pvs),
            (self.null_dr.is_some(), "--null-dr", Part::Pvs),
            (!self.pvs_extensions.is_empty(), "--pvs-extensions", Part::Pvs),
            (self.pvs_threats.is_some(), "--pvs-threats", Part::Pvs),
        ];
        given.into_iter().filter_map(|(given, option, part)| given.then_some((option, part)))
    }

    fn pn(&self) -> PnOptions {
        let default = PnOptions::default();
        PnOptions {
            graph: self.pn_graph.map_or(default.graph, |name| match name {
                GraphName::Tree => Graph::Tree,
                GraphName::Dag => Graph::Dag,
            }),
            init: self.pn_init.map_or(default.init, |name| match name {
                InitName::Mobility => Init::Mobility,
                InitName::Unit => Init::Unit,
            }),
            depth_weight: self.pn_depth_weight.unwrap_or(default.depth_weight),
            mate_in_one: self.pn_mate_in_one.map_or(default.mate_in_one, |switch| switch == Switch::On),
        }
    }

    fn pvs(&self) -> Result<PvsOptions, Failure> {
        let default = PvsOptions::default();
        Ok(PvsOptions {
            null: self.null_move()?,
            extensions: self.extensions()?.unwrap_or(default.extensions),
            threats: self.pvs_threats.map_or(default.threats, |switch| switch == Switch::On),
            ..default
        })
    }

    fn null_move(&self) -> Result<NullMove, Failure> {
        let mode = self.null.unwrap_or(NullName::Verified);
        if mode == NullName::None && self.null_r.is_some() {
            return Err(Failure::Usage(
                "--null-r needs a null move; leave it out, or choose another --null".to_owned(),
            ));
        }
        if mode != NullName::Nmr && self.null_dr.is_some() {
            return Err(Failure::Usage("--null-dr is for --null nmr; leave it out, or add --null nmr".to_owned()));
        }
        let r = self.null_r.unwrap_or(if mode == NullName::Adaptive { 2 } else { 3 });
        Ok(match mode {
            NullName::None => NullMove::None,
            NullName::Standard => NullMove::Standard { r },
            NullName::Adaptive => NullMove::Adaptive { shallow: r, deep: r + 1 },
            NullName::Verified => NullMove::Verified { r },
            NullName::Nmr => NullMove::Nmr { shallow: r, deep: r + 1, dr: self.null_dr.unwrap_or(4) },
        })
    }

    fn extensions(&self) -> Result<Option<Extensions>, Failure> {
        let names = &self.pvs_extensions;
        if names.contains(&ExtensionName::None) && names.len() > 1 {
            return Err(Failure::Usage("--pvs-extensions none stands alone; leave out none or the others".to_owned()));
        }
        let add = |set: Extensions, name: &ExtensionName| match name {
            ExtensionName::None => set,
            ExtensionName::Check => set.with(Extension::Check),
            ExtensionName::Evasion => set.with(Extension::Evasion),
            ExtensionName::Recapture => set.with(Extension::Recapture),
            ExtensionName::Singular => set.with(Extension::Singular),
        };
        Ok((!names.is_empty()).then(|| names.iter().fold(Extensions::NONE, add)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::cli::args;
    use crate::solve::registry;
    use clap::Parser as _;

    fn options(engine: &str, line: &str) -> Result<EngineOptions, String> {
        let words = ["matesolve", "fen"].into_iter().chain(line.split_whitespace());
        let args = args::Args::try_parse_from(words).map_err(|error| error.to_string())?;
        let engine = registry::engine(engine).unwrap();
        args.solve.common.tuning.options(engine).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_given_is_what_the_engines_have() {
        for entry in ENGINES {
            let options = options(entry.name, "").unwrap();
            assert_eq!((options.pn, options.pvs), (PnOptions::default(), PvsOptions::default()));
        }
    }

    #[test]
    fn every_option_reaches_its_engine() {
        let pn = |line| options("pn", line).unwrap().pn;
        let paper = "--pn-graph tree --pn-init mobility --pn-depth-weight 0 --pn-mate-in-one off";
        assert_eq!(pn(paper), PnOptions::PAPER);
        let other = PnOptions { init: Init::Unit, depth_weight: 2, ..PnOptions::default() };
        assert_eq!(pn("--pn-init unit --pn-depth-weight 2"), other);
        let pvs = |line| options("pvs", line).unwrap().pvs;
        assert_eq!(pvs("--null none --pvs-extensions check,evasion,singular --pvs-threats off"), PvsOptions::LANE);
        for (line, null) in [
            ("--null standard --null-r 1", NullMove::Standard { r: 1 }),
            ("--null adaptive", NullMove::Adaptive { shallow: 2, deep: 3 }),
            ("--null verified", NullMove::VERIFIED),
            ("--null-r 2", NullMove::Verified { r: 2 }),
            ("--null nmr", NullMove::NMR),
            ("--null nmr --null-r 2 --null-dr 3", NullMove::Nmr { shallow: 2, deep: 3, dr: 3 }),
        ] {
            assert_eq!(pvs(line).null, null, "{line}");
        }
        assert_eq!(pvs("--pvs-extensions none").extensions, Extensions::NONE);
    }

    #[test]
    fn what_means_nothing_is_refused_with_a_sentence() {
        for (engine, line, expected) in [
            ("pvs", "--pn-graph dag", "--pn-graph means nothing to the engine pvs; leave it out, or use --engine pn"),
            ("exhaustive", "--null none", "--null means nothing to the engine exhaustive"),
            ("pvs", "--null none --null-r 2", "--null-r needs a null move"),
            ("pvs", "--null-dr 2", "--null-dr is for --null nmr"),
            ("pvs", "--pvs-extensions none,check", "none stands alone"),
            ("pn", "--pn-depth-weight 1001", "1001"),
            ("pvs", "--null-r 0", "0"),
            ("pvs", "--null maybe", "maybe"),
        ] {
            let error = options(engine, line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
