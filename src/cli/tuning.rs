//! Options of single engines (`--lanes`, `--pn-…`, `--null…`, `--pvs-…`, `--bstar-…`, `--selective-…`), so that the
//! experiments of the papers can be repeated.
//!
//! An option that the chosen engine does not read is refused. Otherwise a comparison of two settings would in fact
//! compare the engine with itself.

use serde::Serialize;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::search::bstar::{BstarOptions, Targets};
use crate::search::pn::{Graph, Init, PnOptions};
use crate::search::pvs::{Extension, Extensions, NullMove, PvsOptions};
use crate::search::race::{LaneName, LaneSet, RaceOptions};
use crate::search::selective::SelectiveOptions;
use crate::solve::registry::{ENGINES, EngineEntry, EngineOptions, Part};

use super::messages::CliError;

// The arguments as clap parses them. `None` and an empty list mean the engine's default. The help of a command hides
// them; `matesolve help engines` shows them.
#[derive(Debug, Clone, Default, Args, Serialize)]
#[command(next_help_heading = "Engine options")]
pub(super) struct TuningArgs {
    /// race: the searches that take part, separated by commas; narrow is dfpn restricted to moves that leave the king
    /// few flights, technique to moves that lose no material [default: dfpn,narrow,technique,pn,pvs]
    #[arg(long, hide = true, value_name = "LIST", value_delimiter = ',', value_parser = lane_parser())]
    lanes: Vec<String>,
    /// pn: one node per line of moves (tree, as in the paper), or one node per position (dag) [default: dag]
    #[arg(long, hide = true, value_name = "GRAPH")]
    pn_graph: Option<GraphName>,
    /// pn: how the numbers of a new leaf start: from its number of legal moves (mobility), or at 1 (unit) [default:
    /// mobility]
    #[arg(long, hide = true, value_name = "INIT")]
    pn_init: Option<InitName>,
    /// pn: the amount added to the proof number of a new leaf for every ply from the root, 0 to 1000 [default: 1; the
    /// paper: 0]
    #[arg(long, hide = true, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pn_depth_weight: Option<u32>,
    /// pn: test every node with the attacker to move for a mate in one; the paper does not [default: on]
    #[arg(long, hide = true, value_name = "SWITCH")]
    pn_mate_in_one: Option<Switch>,
    /// pvs: what to do when a null move fails high, that is, when the attacker does not mate although the defender
    /// passes [default: verified]
    #[arg(long, hide = true, value_name = "MODE")]
    null: Option<NullName>,
    /// pvs: the depth reduction R after a null move, in plies, 1 to 8; adaptive and nmr use R + 1 where more than six
    /// plies remain [default: 3; adaptive: 2]
    #[arg(long, hide = true, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    null_r: Option<u8>,
    /// pvs: the depth reduction DR of nmr after a fail-high, in plies, 1 to 8 [default: 4]
    #[arg(long, hide = true, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    null_dr: Option<u8>,
    /// pvs: the search extensions to use, separated by commas [default: check,evasion,recapture,singular]
    #[arg(long, hide = true, value_name = "LIST", value_delimiter = ',')]
    pvs_extensions: Vec<ExtensionName>,
    /// pvs: order the attacker's quiet moves by what they threaten [default: on]
    #[arg(long, hide = true, value_name = "SWITCH")]
    pvs_threats: Option<Switch>,
    /// selective: search candidate lists, widened step by step; otherwise all moves at once [default: on]
    #[arg(long, hide = true, value_name = "SWITCH")]
    selective_lists: Option<Switch>,
    /// selective: after a refutation, try the moves that deny it next [default: on]
    #[arg(long, hide = true, value_name = "SWITCH")]
    selective_denial: Option<Switch>,
    /// selective: link the table entries of the live variations, so that new positions do not overwrite them [default:
    /// on]
    #[arg(long, hide = true, value_name = "SWITCH")]
    selective_linked: Option<Switch>,
    /// selective: the largest number of table entries, 4 to 4294967295; the memory may hold fewer
    /// [default: 1048576]
    #[arg(long, hide = true, value_name = "N", value_parser = clap::value_parser!(u32).range(4..))]
    selective_entries: Option<u32>,
    /// bstar: count replies that are met by the same best response as one [default: on]
    #[arg(long, hide = true, value_name = "SWITCH")]
    bstar_groups: Option<Switch>,
    /// bstar: value a quiet move by the mate that it threatens [default: on]
    #[arg(long, hide = true, value_name = "SWITCH")]
    bstar_threats: Option<Switch>,
    /// bstar: the target after a mate in L: one move less (step), or halfway to the mate that the second-best move may
    /// hope for (half) [default: step]
    #[arg(long, hide = true, value_name = "TARGETS")]
    bstar_targets: Option<TargetsName>,
}

/// Reads the name of a lane.
fn lane_parser() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(LaneName::ALL.map(LaneName::name))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
enum GraphName {
    Tree,
    Dag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
enum InitName {
    Mobility,
    Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
enum Switch {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
enum NullName {
    /// Do not use null moves
    None,
    /// Cut off
    Standard,
    /// Cut off; R depends on the depth
    Adaptive,
    /// Search one ply less deep, and cut off at a second fail-high below
    Verified,
    /// Search DR plies less deep, and never cut off
    Nmr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
enum ExtensionName {
    None,
    Check,
    Evasion,
    Recapture,
    Singular,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
enum TargetsName {
    Step,
    Half,
}

impl TuningArgs {
    /// Returns the engine options: the given values, and the defaults of the rest. Fails if `engine` does not read a
    /// given option.
    pub(super) fn options(&self, engine: &EngineEntry) -> Result<EngineOptions, CliError> {
        for (option, part) in self.given_options() {
            if !engine.reads.contains(&part) {
                let readers = ENGINES.iter().filter(|entry| entry.reads.contains(&part)).map(|entry| entry.name);
                return Err(CliError::Usage(format!(
                    "the engine {} does not have the option {option}; leave it out, or use --engine {}",
                    engine.name,
                    readers.collect::<Vec<_>>().join(" or --engine ")
                )));
            }
        }
        let (pn, pvs, bstar, selective) = (self.pn(), self.pvs()?, self.bstar(), self.selective());
        Ok(EngineOptions { pn, pvs, bstar, selective, race: self.race(), ..EngineOptions::default() })
    }

    /// Returns the options given on the command line, each with the part of the engine options it belongs to.
    fn given_options(&self) -> impl Iterator<Item = (&'static str, Part)> {
        let options = [
            (!self.lanes.is_empty(), "--lanes", Part::Race),
            (self.pn_graph.is_some(), "--pn-graph", Part::Pn),
            (self.pn_init.is_some(), "--pn-init", Part::Pn),
            (self.pn_depth_weight.is_some(), "--pn-depth-weight", Part::Pn),
            (self.pn_mate_in_one.is_some(), "--pn-mate-in-one", Part::Pn),
            (self.null.is_some(), "--null", Part::Pvs),
            (self.null_r.is_some(), "--null-r", Part::Pvs),
            (self.null_dr.is_some(), "--null-dr", Part::Pvs),
            (!self.pvs_extensions.is_empty(), "--pvs-extensions", Part::Pvs),
            (self.pvs_threats.is_some(), "--pvs-threats", Part::Pvs),
            (self.selective_lists.is_some(), "--selective-lists", Part::Selective),
            (self.selective_denial.is_some(), "--selective-denial", Part::Selective),
            (self.selective_linked.is_some(), "--selective-linked", Part::Selective),
            (self.selective_entries.is_some(), "--selective-entries", Part::Selective),
            (self.bstar_groups.is_some(), "--bstar-groups", Part::Bstar),
            (self.bstar_threats.is_some(), "--bstar-threats", Part::Bstar),
            (self.bstar_targets.is_some(), "--bstar-targets", Part::Bstar),
        ];
        options.into_iter().filter_map(|(given, option, part)| given.then_some((option, part)))
    }

    fn race(&self) -> RaceOptions {
        let is_given = |lane: &LaneName| self.lanes.iter().any(|name| name == lane.name());
        let lanes: Vec<LaneName> = LaneName::ALL.into_iter().filter(is_given).collect();
        let default = RaceOptions::default();
        if lanes.is_empty() { default } else { RaceOptions { lanes: LaneSet::of(&lanes), ..default } }
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

    fn pvs(&self) -> Result<PvsOptions, CliError> {
        let default = PvsOptions::default();
        Ok(PvsOptions {
            null: self.null_move()?,
            extensions: self.extensions()?.unwrap_or(default.extensions),
            threats: self.pvs_threats.map_or(default.threats, |switch| switch == Switch::On),
            ..default
        })
    }

    fn selective(&self) -> SelectiveOptions {
        let default = SelectiveOptions::default();
        let on = |switch: Option<Switch>, default| switch.map_or(default, |switch| switch == Switch::On);
        SelectiveOptions {
            lists: on(self.selective_lists, default.lists),
            denial: on(self.selective_denial, default.denial),
            linked: on(self.selective_linked, default.linked),
            entries: self.selective_entries.or(default.entries),
        }
    }

    fn bstar(&self) -> BstarOptions {
        let default = BstarOptions::default();
        BstarOptions {
            groups: self.bstar_groups.map_or(default.groups, |switch| switch == Switch::On),
            threats: self.bstar_threats.map_or(default.threats, |switch| switch == Switch::On),
            targets: self.bstar_targets.map_or(default.targets, |name| match name {
                TargetsName::Step => Targets::Step,
                TargetsName::Half => Targets::Half,
            }),
        }
    }

    fn null_move(&self) -> Result<NullMove, CliError> {
        let mode = self.null.unwrap_or(NullName::Verified);
        if mode == NullName::None && self.null_r.is_some() {
            return Err(CliError::Usage(
                "--null none has no reduction; leave out --null-r, or choose another --null".to_owned(),
            ));
        }
        if mode != NullName::Nmr && self.null_dr.is_some() {
            return Err(CliError::Usage(
                "--null-dr is an option of --null nmr; leave it out, or add --null nmr".to_owned(),
            ));
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

    fn extensions(&self) -> Result<Option<Extensions>, CliError> {
        let names = &self.pvs_extensions;
        if names.contains(&ExtensionName::None) && names.len() > 1 {
            return Err(CliError::Usage(
                "--pvs-extensions none cannot be combined with other extensions; leave out none or the others"
                    .to_owned(),
            ));
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
    fn without_arguments_the_options_are_the_defaults() {
        for entry in ENGINES {
            let options = options(entry.name, "").unwrap();
            assert_eq!((options.pn, options.pvs), (PnOptions::default(), PvsOptions::default()));
            assert_eq!(options.race, RaceOptions::default());
            assert_eq!(options.selective, SelectiveOptions::default());
            assert_eq!(options.bstar, BstarOptions::default());
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
        let lanes = |line| options("race", line).unwrap().race.lanes;
        assert_eq!(lanes("--lanes pn,pvs"), LaneSet::of(&[LaneName::Pn, LaneName::Pvs]));
        assert_eq!(lanes("--lanes pvs,pn,technique,narrow,dfpn"), LaneSet::default());
        let selective = |line| options("selective", line).unwrap().selective;
        let none = SelectiveOptions { lists: false, denial: false, linked: false, entries: Some(600) };
        assert_eq!(
            selective("--selective-lists off --selective-denial off --selective-linked off --selective-entries 600"),
            none
        );
        let line = "--bstar-groups off --bstar-threats off --bstar-targets half";
        let bstar = BstarOptions { groups: false, threats: false, targets: Targets::Half };
        assert_eq!(options("bstar", line).unwrap().bstar, bstar);
    }

    #[test]
    fn an_option_without_effect_is_refused_with_a_sentence() {
        for (engine, line, expected) in [
            (
                "pvs",
                "--pn-graph dag",
                "the engine pvs does not have the option --pn-graph; leave it out, or use --engine pn",
            ),
            ("exhaustive", "--null none", "the engine exhaustive does not have the option --null;"),
            ("pvs", "--null none --null-r 2", "--null none has no reduction"),
            ("pvs", "--null-dr 2", "--null-dr is an option of --null nmr"),
            ("pvs", "--pvs-extensions none,check", "none cannot be combined"),
            ("pn", "--lanes pn", "does not have the option --lanes; leave it out, or use --engine race"),
            ("race", "--lanes pn,exhaustive", "exhaustive"),
            ("pn", "--pn-depth-weight 1001", "1001"),
            ("pvs", "--null-r 0", "0"),
            ("race", "--selective-lists off", "use --engine selective"),
            ("selective", "--selective-entries 3", "3"),
            ("pvs", "--null maybe", "maybe"),
        ] {
            let error = options(engine, line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
