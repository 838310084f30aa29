//! The engine's UCI options: `uci` lists them, `setoption` sets them.
//!
//! To add an option: here, and a row in `docs/engines.md`.

use crate::base::printable;
use crate::search::syzygy::SyzygyFiles;
use crate::solve::registry::{self, ENGINES, EngineEntry};

/// The maximum of `Hash`, in MiB.
const MAX_HASH: usize = 1 << 20;
/// The maximum of `Threads`.
const MAX_THREADS: usize = 1024;
/// The maximum of `MultiPV`. No position that a game can reach has more legal moves.
const MAX_LINES: usize = 256;
/// The empty string, as UCI writes it.
const EMPTY: &str = "<empty>";

/// The values of all options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UciOptions {
    /// `Threads`: the number of search threads, from 1 to 1024.
    pub threads: usize,
    /// `Hash`: the memory for all tables and trees, in MiB, from 1 to 1048576.
    pub hash_mib: usize,
    /// `MultiPV`: the number of lines to show, from 1 to 256.
    pub multi_pv: usize,
    /// `UCI_Chess960`: whether castling is always written as king takes rook.
    pub chess960: bool,
    /// `UCI_AnalyseMode`: whether a forced move gets as much time as any other.
    pub analyse_mode: bool,
    /// `Rule50`: whether a mate counts only if the losing side cannot claim a draw on the way.
    pub rule50: bool,
    /// `Engine`: the search engine.
    pub engine: &'static EngineEntry,
    /// `SyzygyPath`: the Syzygy files of a list of folders; `None` for an empty list.
    pub syzygy: Option<&'static SyzygyFiles>,
}

impl Default for UciOptions {
    fn default() -> UciOptions {
        UciOptions {
            threads: 1,
            hash_mib: 256,
            multi_pv: 1,
            chess960: false,
            analyse_mode: false,
            rule50: true,
            engine: &ENGINES[0],
            syzygy: None,
        }
    }
}

/// The action that the session must take after an option was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// Forget what earlier searches have learned.
    Forget,
}

impl UciOptions {
    /// Returns the `option` lines of the answer to `uci`, with the defaults.
    pub(crate) fn list() -> Vec<String> {
        let default = UciOptions::default();
        let UciOptions { threads, hash_mib, multi_pv, chess960, analyse_mode, rule50, engine, .. } = default;
        let names: String = ENGINES.iter().flat_map(|entry| [" var ", entry.name]).collect();
        vec![
            format!("option name Threads type spin default {threads} min 1 max {MAX_THREADS}"),
            format!("option name Hash type spin default {hash_mib} min 1 max {MAX_HASH}"),
            "option name Clear Hash type button".to_owned(),
            format!("option name MultiPV type spin default {multi_pv} min 1 max {MAX_LINES}"),
            "option name Ponder type check default false".to_owned(),
            format!("option name UCI_Chess960 type check default {chess960}"),
            format!("option name UCI_AnalyseMode type check default {analyse_mode}"),
            format!("option name Rule50 type check default {rule50}"),
            format!("option name Engine type combo default {}{names}", engine.name),
            format!("option name SyzygyPath type string default {EMPTY}"),
        ]
    }

    /// Sets the option `name`, which may be in upper or lower case. A value out of range changes nothing.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, String> {
        let text = value.unwrap_or_default();
        let number = |max: usize| {
            text.parse::<usize>()
                .ok()
                .filter(|n| (1..=max).contains(n))
                .ok_or_else(|| format!("{name} takes a number from 1 to {max}"))
        };
        let check = || match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name} must be true or false")),
        };
        let mut effect = Effect::None;
        match name.to_ascii_lowercase().as_str() {
            "threads" => self.threads = number(MAX_THREADS)?,
            "multipv" => self.multi_pv = number(MAX_LINES)?,
            // The value does not matter: pondering is a search without a clock.
            "ponder" => drop(check()?),
            "uci_chess960" => self.chess960 = check()?,
            "uci_analysemode" => self.analyse_mode = check()?,
            "rule50" => self.rule50 = check()?,
            "hash" => (self.hash_mib, effect) = (number(MAX_HASH)?, Effect::Forget),
            "clear hash" => effect = Effect::Forget,
            "syzygypath" => (self.syzygy, effect) = (syzygy(text)?, Effect::Forget),
            "engine" => (self.engine, effect) = (engine(text)?, Effect::Forget),
            _ => {
                let name = printable::excerpt(name);
                return Err(format!("there is no option \"{name}\"; the command uci lists the options"));
            }
        }
        Ok(effect)
    }
}

/// Finds the Syzygy files in a list of folders; `None` if the list is empty.
fn syzygy(list: &str) -> Result<Option<&'static SyzygyFiles>, String> {
    if list.is_empty() || list == EMPTY {
        Ok(None)
    } else {
        SyzygyFiles::open_list(list).map(Some).map_err(|error| error.to_string())
    }
}

/// Finds an engine by its name.
fn engine(name: &str) -> Result<&'static EngineEntry, String> {
    registry::engine(name).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
        format!("there is no engine \"{}\"; choose one of {}", printable::excerpt(name), names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_is_listed_can_be_set_to_its_default() {
        let mut options = UciOptions::default();
        for line in UciOptions::list() {
            let (name, rest) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
            let default = rest.split_once(" default ").map(|(_, rest)| rest.split(' ').next().unwrap());
            assert!(options.set(name, default).is_ok(), "{line}");
        }
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let mut options = UciOptions::default();
        for (name, value) in [
            ("Threads", "0"),
            ("threads", "-1"),
            ("Hash", "99999999999"),
            ("MultiPV", ""),
            ("Rule50", "yes"),
            ("Engine", "crafty"),
            ("SyzygyPath", "/no/such/folder"),
            ("Contempt", "3"),
        ] {
            assert!(options.set(name, Some(value)).is_err(), "{name}");
        }
        assert_eq!((options.threads, options.hash_mib, options.multi_pv, options.rule50), (1, 256, 1, true));
        assert_eq!(options.set("rule50", Some("false")), Ok(Effect::None));
        assert_eq!(options.set("HASH", Some("16")), Ok(Effect::Forget));
        assert_eq!((options.rule50, options.hash_mib), (false, 16));
    }
}
