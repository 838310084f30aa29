//! The options of a run, as its record keeps them: by the names that users type, with their values.
//!
//! They come from what clap has parsed, so a new option takes part unless [`WITHOUT_EFFECT`] names it, and renaming a
//! Rust field changes no record. Times, counts, sizes and stipulations are compared as values: `--time 60s` is `--time
//! 1m`.

use std::time::Duration;

use clap::ArgMatches;
use serde_json::{Map, Value};

use crate::cli::options::question::StipulationArg;

/// Options that change no result. The format is always JSON lines.
const WITHOUT_EFFECT: [&str; 9] =
    ["output", "format", "resume", "unordered", "threads", "jobs", "quiet", "verbose", "color"];

/// Returns the options of a command that change its results, with their values.
pub(crate) fn of(command: &clap::Command, matches: &ArgMatches) -> Map<String, Value> {
    let option = |argument: &clap::Arg| {
        let long = argument.get_long().filter(|long| !WITHOUT_EFFECT.contains(long))?;
        Some((format!("--{long}"), value(matches, argument.get_id().as_str())?))
    };
    command.get_arguments().filter_map(option).collect()
}

/// Returns the value of an option; `None` if it is not set. Of an option without a value it is `true`.
fn value(matches: &ArgMatches, id: &str) -> Option<Value> {
    if let Ok(Some(&is_set)) = matches.try_get_one::<bool>(id) {
        return is_set.then_some(Value::Bool(true));
    }
    if let Ok(Some(time)) = matches.try_get_one::<Duration>(id) {
        return Some(format!("{}s", time.as_secs_f64()).into());
    }
    if let Ok(Some(&number)) = matches.try_get_one::<u64>(id) {
        return Some(number.into());
    }
    if let Ok(Some(&bytes)) = matches.try_get_one::<usize>(id) {
        #[allow(clippy::cast_precision_loss)] // a size has at most 2^40 bytes
        return Some(format!("{}M", bytes as f64 / f64::from(1 << 20)).into());
    }
    if let Ok(Some(StipulationArg { stipulation, set_play })) = matches.try_get_one(id) {
        return Some(format!("{stipulation}{}", if *set_play { "*" } else { "" }).into());
    }
    let words: Vec<_> = matches.get_raw(id)?.map(|word| word.to_string_lossy()).collect();
    Some(words.join(" ").into())
}

/// Names an option with its value, as a user types it.
pub(crate) fn typed(name: &str, value: Option<&Value>) -> String {
    match value {
        None => format!("no {name}"),
        Some(Value::Bool(_)) => name.to_owned(),
        Some(Value::String(text)) => format!("{name} {text}"),
        Some(value) => format!("{name} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command::program;

    fn options(line: &str) -> Map<String, Value> {
        let words = ["matesolve", "batch", "-"].into_iter().chain(line.split_whitespace());
        let program = program();
        let matches = program.clone().try_get_matches_from(words).unwrap();
        of(program.find_subcommand("batch").unwrap(), matches.subcommand().unwrap().1)
    }

    #[test]
    fn options_are_compared_by_their_values() {
        for (one, other) in [
            ("--time 60s", "--time 1m -q"),
            ("--nodes 1M", "--nodes 1000k --threads 2 -j 1"),
            ("-s 3 --hash 1G", "--stipulation #3 --hash 1024"),
            ("", "--engine race --format jsonl --hash 256M"),
        ] {
            assert_eq!(options(one), options(other), "{one}");
        }
        for (one, name, words) in [
            ("--nodes 2k", "--nodes", "--nodes 2000"),
            ("--time 1500ms", "--time", "--time 1.5s"),
            ("--hash 1.5M", "--hash", "--hash 1.5M"),
            ("--check", "--check", "--check"),
            ("", "--check", "no --check"),
            ("-s h#2*", "--stipulation", "--stipulation h#2*"),
            ("--shard 1/2", "--shard", "--shard 1/2"),
        ] {
            assert_eq!(typed(name, options(one).get(name)), words);
        }
    }
}
