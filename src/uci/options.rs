//! The options, as `uci` lists them and `setoption` sets them.

use crate::solve::registry::{self, ENGINES, EngineEntry};

/// The memory of a search may be from 1 MiB to so many.
const MOST_MEMORY: usize = 1 << 20;
const MOST_THREADS: usize = 1024;
/// No position has more moves worth a line.
const MOST_LINES: usize = 256;

/// What the GUI can set. The defaults are the program's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// 1 to 1024.
    pub threads: usize,
    /// In MiB, 1 to 1048576.
    pub hash: usize,
    /// Lines, 1 to 256.
    pub multi_pv: usize,
    pub chess960: bool,
    pub analyse: bool,
    pub rule50: bool,
    pub engine: &'static EngineEntry,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            hash: 256,
            multi_pv: 1,
            chess960: false,
            analyse: false,
            rule50: true,
            engine: &ENGINES[0],
        }
    }
}

/// What setting an option makes necessary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    /// What earlier searches have learned is to be forgotten.
    Forget,
}

impl Options {
    /// The lines that follow `uci`.
    pub(super) fn list() -> Vec<String> {
        let Options { threads, hash, multi_pv, chess960, analyse, rule50, engine } = Options::default();
        let names: String = ENGINES.iter().flat_map(|entry| [" var ", entry.name]).collect();
        vec![
            format!("option name Threads type spin default {threads} min 1 max {MOST_THREADS}"),
            format!("option name Hash type spin default {hash} min 1 max {MOST_MEMORY}"),
            "option name Clear Hash type button".to_owned(),
            format!("option name MultiPV type spin default {multi_pv} min 1 max {MOST_LINES}"),
            "option name Ponder type check default false".to_owned(),
            format!("option name UCI_Chess960 type check default {chess960}"),
            format!("option name UCI_AnalyseMode type check default {analyse}"),
            format!("option name Rule50 type check default {rule50}"),
            format!("option name Engine type combo default {}{names}", engine.name),
        ]
    }

    /// Sets one, whatever the case of its name.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, String> {
        let text = value.unwrap_or_default();
        let number = |most: usize| {
            text.parse::<usize>()
                .ok()
                .filter(|n| (1..=most).contains(n))
                .ok_or_else(|| format!("{name} takes a number from 1 to {most}"))
        };
        let check = || match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name} is true or false")),
        };
        let mut effect = Effect::None;
        match name.to_ascii_lowercase().as_str() {
            "threads" => self.threads = number(MOST_THREADS)?,
            "multipv" => self.multi_pv = number(MOST_LINES)?,
            // Nothing to prepare for: to ponder is to search without a clock.
            "ponder" => drop(check()?),
            "uci_chess960" => self.chess960 = check()?,
            "uci_analysemode" => self.analyse = check()?,
            "rule50" => self.rule50 = check()?,
            "hash" => (self.hash, effect) = (number(MOST_MEMORY)?, Effect::Forget),
            "clear hash" => effect = Effect::Forget,
            "engine" => (self.engine, effect) = (engine(text)?, Effect::Forget),
            _ => {
                let name = crate::problem::fen::excerpt(name);
                return Err(format!("there is no option \"{name}\"; uci lists those there are"));
            }
        }
        Ok(effect)
    }
}

fn engine(name: &str) -> Result<&'static EngineEntry, String> {
    registry::engine(name).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
        format!("there is no engine \"{}\"; choose {}", crate::problem::fen::excerpt(name), names.join(", "))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_is_listed_can_be_set_to_its_default() {
        let mut options = Options::default();
        for line in Options::list() {
            let (name, rest) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
            let default = rest.split_once(" default ").map(|(_, rest)| rest.split(' ').next().unwrap());
            assert!(options.set(name, default).is_ok(), "{line}");
        }
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [
            ("Threads", "0"),
            ("threads", "-1"),
            ("Hash", "99999999999"),
            ("MultiPV", ""),
            ("Rule50", "yes"),
            ("Engine", "crafty"),
            ("Contempt", "3"),
        ] {
            assert!(options.set(name, Some(value)).is_err(), "{name}");
        }
        assert_eq!((options.threads, options.hash, options.multi_pv, options.rule50), (1, 256, 1, true));
        assert_eq!(options.set("rule50", Some("false")), Ok(Effect::None));
        assert_eq!(options.set("HASH", Some("16")), Ok(Effect::Forget));
        assert_eq!((options.rule50, options.hash), (false, 16));
    }
}
