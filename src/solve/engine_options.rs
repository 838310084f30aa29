//! The options of single engines, so that the experiments of the papers can be repeated: one table, from which the
//! arguments are read, the help is printed and the manual is checked.
//!
//! An option that the engine does not read is refused. Otherwise a comparison of two settings would in fact compare the
//! engine with itself.

use std::fmt;

use crate::base::printable;
use crate::search::papers::prover::Init;
use crate::search::pvs::{Extension, Extensions, NullMove};
use crate::search::race::{LaneName, LaneSet};

use super::registry::{EngineEntry, EngineOptions};

/// An option of an engine.
#[derive(Debug, Clone, Copy)]
pub struct EngineOption {
    /// The engine that reads it.
    pub engine: &'static str,
    /// The name, as before the `=` of `--engine-option`.
    pub name: &'static str,
    /// The values: words separated by `|`, a list of words separated by commas, or a range of numbers as `1..8`.
    pub values: &'static str,
    /// The default, in words.
    pub default: &'static str,
    /// A short description.
    pub help: &'static str,
    /// Sets the number that [`EngineOption::parse`] returns.
    set: fn(&mut EngineOptions, usize),
}

/// Writes a row of the table for each option: engine, name, values, default, help and what it sets.
macro_rules! options {
    ($($engine:ident $name:literal = $values:literal, default $default:literal: $help:literal $set:expr;)*) => {
        &[$(EngineOption {
            engine: stringify!($engine), name: $name, values: $values, default: $default, help: $help, set: $set,
        }),*]
    };
}

/// The options of all engines.
pub const OPTIONS: &[EngineOption] = options! {
    race "lanes" = "dfpn,technique,pn,pvs,corridor,ladder",
        default "dfpn,technique,pn,pvs,corridor,ladder":
        "the searches that take part"
        |options, bits| options.race.lanes = LaneSet::of(&chosen(&LaneName::ALL, bits));
    pn "depth-weight" = "0..1000", default "1":
        "the eighths added to the proof number of an attacking move for each of the first 16 plies from \
         the root, until the graph has 60,000 nodes"
        |options, n| options.pn.depth_weight = n as u32;
    pvs "null" = "none|standard|adaptive|verified|nmr", default "verified":
        "what to do when a null move of the defender fails high: not used, cut, cut with an R that depends on the depth, \
         search one ply less and cut at a second fail-high below, search DR plies less"
        |options, mode| options.pvs.null = null_move(mode, if mode == ADAPTIVE { 2 } else { 3 }, 4);
    pvs "null-r" = "1..8", default "3; adaptive: 2":
        "the depth reduction R after a null move, in plies; adaptive and nmr use R + 1 where more than six remain"
        |options, r| options.pvs.null = null_move(mode(options.pvs.null), r, 4);
    pvs "null-dr" = "1..8", default "4": "with null=nmr, the depth reduction DR after a fail-high, in plies"
        |options, n| if let NullMove::Nmr { dr, .. } = &mut options.pvs.null { *dr = n as u8 };
    pvs "extensions" = "check,evasion,recapture,singular|none", default "check,evasion,recapture,singular":
        "the search extensions to use"
        |options, bits| options.pvs.extensions =
            chosen(&EXTENSIONS, bits).into_iter().fold(Extensions::NONE, Extensions::with);
    pvs "threats" = "off|on", default "on": "order the attacker's quiet moves by what they threaten"
        |options, on| options.pvs.threats = on == 1;
    prover "init" = "mobility|unit", default "mobility":
        "start the numbers of a new leaf from its number of legal moves, or at 1"
        |options, word| options.prover.init = [Init::Mobility, Init::Unit][word];
    selective "entries" = "4..4294967295", default "1048576":
        "the largest number of table entries; the memory may hold fewer"
        |options, n| options.selective.entries = n as u32;
    corridor "families" = "king,caged,rook,bishop,trek,checks",
        default "king,caged,rook,bishop,trek,checks": "the families of restrictions to try"
        |options, bits| options.corridor.families = bits as u16;
    corridor "side-moves" = "1..4", default "2":
        "the longest mate that is looked for after a reply that leaves the corridor, in moves"
        |options, n| options.corridor.side_moves = n as u16;
    corridor "shorten" = "off|on", default "on": "make a mate shorter in its list"
        |options, on| options.corridor.shorten = on == 1;
};

/// The extensions, in the order of their words.
const EXTENSIONS: [Extension; 4] = [Extension::Check, Extension::Evasion, Extension::Recapture, Extension::Singular];
/// The place of `adaptive` among the modes of the null move.
const ADAPTIVE: usize = 2;

/// Returns the items whose bits are set.
fn chosen<T: Copy>(items: &[T], bits: usize) -> Vec<T> {
    items.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, item)| *item).collect()
}

/// Returns the null move of a mode, by its place in the table.
fn null_move(mode: usize, r: usize, dr: u8) -> NullMove {
    let r = r as u8;
    match mode {
        0 => NullMove::None,
        1 => NullMove::Standard { r },
        ADAPTIVE => NullMove::Adaptive { shallow: r, deep: r + 1 },
        3 => NullMove::Verified { r },
        _ => NullMove::Nmr { shallow: r, deep: r + 1, dr },
    }
}

/// Returns the place of a null move's mode in the table.
fn mode(null: NullMove) -> usize {
    match null {
        NullMove::None => 0,
        NullMove::Standard { .. } => 1,
        NullMove::Adaptive { .. } => ADAPTIVE,
        NullMove::Verified { .. } => 3,
        NullMove::Nmr { .. } => 4,
    }
}

impl EngineOption {
    /// Reads a value: a number of the range, the place of a word, or a bit for each word of a list. `None` if it is
    /// none of the values.
    fn parse(&self, value: &str) -> Option<usize> {
        if let Some((first, last)) = self.values.split_once("..") {
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            return value.parse().ok().filter(|n| (first..=last).contains(n));
        }
        let Some(list) = self.values.contains(',').then(|| self.values.trim_end_matches("|none")) else {
            return self.values.split('|').position(|word| word == value);
        };
        if value == "none" && list != self.values {
            return Some(0);
        }
        let bit = |word: &str| list.split(',').position(|known| known == word).map(|place| 1 << place);
        value.split(',').try_fold(0, |bits, word| Some(bits | bit(word)?))
    }

    /// Returns the values in words.
    fn range(&self) -> String {
        let range = self.values.replace("..", " to ");
        match range.strip_suffix("|none") {
            Some(list) => format!("any of {list}, or none"),
            None if range.contains(',') => format!("any of {range}"),
            None => range.replace('|', " or "),
        }
    }
}

/// Reads the options of an engine, each as `name=value`. An error is a sentence that says what exists.
pub fn read(engine: &EngineEntry, given: &[String]) -> Result<EngineOptions, String> {
    let mut values: Vec<(usize, usize)> = Vec::new();
    for text in given {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            format!("the engine option \"{}\" has no value; write it as name=value", printable::excerpt(text))
        })?;
        let place = OPTIONS.iter().position(|option| option.engine == engine.name && option.name == name);
        let place = place.ok_or_else(|| unknown(engine, name))?;
        let option = &OPTIONS[place];
        let value = option.parse(value).ok_or_else(|| {
            let value = printable::excerpt(value);
            format!("the engine option {name} is {}, not \"{value}\"", option.range())
        })?;
        if values.iter().any(|(known, _)| *known == place) {
            return Err(format!("the engine option {name} is given twice; leave one out"));
        }
        values.push((place, value));
    }
    // In the order of the table: a null move gets its mode before its reductions.
    values.sort_unstable();
    let mut options = EngineOptions::default();
    for (place, value) in values {
        let option = &OPTIONS[place];
        let idle = match option.name {
            "null-r" => options.pvs.null == NullMove::None,
            "null-dr" => !matches!(options.pvs.null, NullMove::Nmr { .. }),
            _ => false,
        };
        if idle {
            return Err(format!("the engine option {} does nothing with this null move: {}", option.name, option.help));
        }
        (option.set)(&mut options, value);
    }
    Ok(options)
}

/// Returns the sentence about an option that the engine does not have.
fn unknown(engine: &EngineEntry, name: &str) -> String {
    let own: Vec<&str> = OPTIONS.iter().filter(|option| option.engine == engine.name).map(|o| o.name).collect();
    let other: Vec<&str> = OPTIONS.iter().filter(|option| option.name == name).map(|o| o.engine).collect();
    let own = if own.is_empty() { "it has none".to_owned() } else { format!("it has {}", own.join(", ")) };
    let other = if other.is_empty() { String::new() } else { format!("; --engine {} has it", other.join(" or ")) };
    format!("the engine {} does not have the option \"{}\"; {own}{other}", engine.name, printable::excerpt(name))
}

/// Writes the option as a line of the help.
impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EngineOption { engine, name, values, default, help, .. } = self;
        write!(f, "{engine}: {name}={values}\n      {help} [default: {default}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::corridor::CorridorOptions;
    use crate::search::papers::selective::SelectiveOptions;
    use crate::search::pn::PnOptions;
    use crate::search::pvs::PvsOptions;
    use crate::search::race::RaceOptions;
    use crate::solve::registry::{ENGINES, engine};

    fn options(name: &str, line: &str) -> Result<EngineOptions, String> {
        let given: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(engine(name).unwrap(), &given)
    }

    fn are_defaults(options: EngineOptions) {
        assert_eq!((options.pn, options.pvs), (PnOptions::default(), PvsOptions::default()));
        assert_eq!(options.race, RaceOptions::default());
        assert_eq!(options.prover.init, Init::default());
        assert_eq!(options.selective, SelectiveOptions::default());
        assert_eq!(options.corridor, CorridorOptions::default());
    }

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_engines() {
        for entry in ENGINES {
            are_defaults(options(entry.name, "").unwrap());
        }
        for option in OPTIONS.iter().filter(|option| option.name != "null-dr") {
            let default = option.default.split(';').next().unwrap();
            are_defaults(options(option.engine, &format!("{}={default}", option.name)).unwrap());
        }
        let lanes: Vec<&str> = LaneName::ALL.iter().map(|lane| lane.name()).collect();
        assert_eq!(OPTIONS[0].values, lanes.join(","));
    }

    #[test]
    fn every_option_reaches_its_engine() {
        let pn = |line| options("pn", line).unwrap().pn;
        assert_eq!(pn("depth-weight=2"), PnOptions { depth_weight: 2 });
        let prover = |line| options("prover", line).unwrap().prover.init;
        assert_eq!([prover("init=mobility"), prover("init=unit")], [Init::Mobility, Init::Unit]);
        let pvs = |line| options("pvs", line).unwrap().pvs;
        assert_eq!(pvs("null=none extensions=check,evasion,singular threats=off"), PvsOptions::LANE);
        for (line, null) in [
            ("null-r=1 null=standard", NullMove::Standard { r: 1 }),
            ("null=adaptive", NullMove::Adaptive { shallow: 2, deep: 3 }),
            ("null=verified", NullMove::VERIFIED),
            ("null-r=2", NullMove::Verified { r: 2 }),
            ("null=nmr", NullMove::NMR),
            ("null=nmr null-r=2 null-dr=3", NullMove::Nmr { shallow: 2, deep: 3, dr: 3 }),
        ] {
            assert_eq!(pvs(line).null, null, "{line}");
        }
        assert_eq!(pvs("extensions=none").extensions, Extensions::NONE);
        let lanes = |line| options("race", line).unwrap().race.lanes;
        assert_eq!(lanes("lanes=pn,pvs"), LaneSet::of(&[LaneName::Pn, LaneName::Pvs]));
        assert_eq!(lanes("lanes=ladder,corridor,pvs,pn,technique,dfpn"), LaneSet::default());
        assert_eq!(options("selective", "entries=600").unwrap().selective, SelectiveOptions { entries: 600 });
        let corridor = CorridorOptions { families: 0b101, side_moves: 3, shorten: false };
        assert_eq!(options("corridor", "families=rook,king side-moves=3 shorten=off").unwrap().corridor, corridor);
    }

    #[test]
    fn an_unknown_name_a_value_out_of_range_and_an_option_without_effect_are_refused() {
        for (engine, line, expected) in [
            (
                "pvs",
                "depth-weight=1",
                "the engine pvs does not have the option \"depth-weight\"; it has null, null-r, null-dr, extensions, \
                 threats; --engine pn has it",
            ),
            ("exhaustive", "null=none", "the engine exhaustive does not have the option \"null\"; it has none;"),
            ("race", "threats=on", "it has lanes; --engine pvs has it"),
            ("pvs", "null=none null-r=2", "the engine option null-r does nothing with this null move"),
            ("pvs", "null-dr=2", "does nothing with this null move: with null=nmr"),
            ("pvs", "extensions=none,check", "is any of check,evasion,recapture,singular, or none, not \"none,check\""),
            ("race", "lanes=pn,exhaustive", "any of dfpn,technique,pn,pvs,corridor,ladder, not \"pn,exhaustive\""),
            ("race", "lanes=none", "not \"none\""),
            ("race", "lanes=", "not \"\""),
            ("pn", "depth-weight=1001", "the engine option depth-weight is 0 to 1000, not \"1001\""),
            ("pvs", "null-r=0", "is 1 to 8"),
            ("selective", "entries=3", "is 4 to 4294967295"),
            ("pvs", "null=maybe", "none or standard or adaptive or verified or nmr, not \"maybe\""),
            ("prover", "init", "the engine option \"init\" has no value; write it as name=value"),
            ("prover", "init=unit init=unit", "the engine option init is given twice"),
        ] {
            let error = options(engine, line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn the_page_of_engines_has_a_row_for_every_option() {
        let page = include_str!("../../docs/engines.md");
        for EngineOption { engine, name, values, default, help, .. } in OPTIONS {
            let row = format!("| `{engine}` | `{name}={}` | {help} | `{default}` |", values.replace('|', "\\|"));
            assert!(page.contains(&row), "docs/engines.md lacks the row\n{row}");
        }
    }
}
