//! The arguments of `matesolve popeye`, which are those of Popeye, long words with one dash, and `-threads`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::base::printable::excerpt;

use crate::cli::terminal::CliError;

/// The arguments of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PopeyeArgs {
    /// The input; `None`: standard input.
    pub file: Option<PathBuf>,
    /// `-maxmem`, in bytes.
    pub memory: Option<usize>,
    /// `-maxtime`: the time limit for each problem, in seconds.
    pub time: Option<u64>,
    /// `-maxsol`: the number of solutions after which a problem ends.
    pub max_solutions: Option<u32>,
    /// `-threads`, which Popeye lacks: the number of threads; `None`: one for each core.
    pub threads: Option<u16>,
    /// `-regression`: no version, and a dash instead of times.
    pub regression: bool,
    /// `-help`.
    pub help: bool,
    /// Sentences about arguments that are ignored.
    pub warnings: Vec<String>,
}

/// The flags of Popeye that have no effect here and no value.
const SWITCHES: [&str; 2] = ["-nogreek", "-notraceptr"];
/// The flags of Popeye that have no effect here and take a value.
const IGNORED: [&str; 4] = ["-heartbeat", "-maxtrans", "-maxpos", "-maxtrace"];

impl PopeyeArgs {
    /// Reads the arguments after `popeye`.
    pub(crate) fn read(words: &[OsString]) -> Result<PopeyeArgs, CliError> {
        let mut args = PopeyeArgs::default();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if !text.starts_with('-') || text == "-" {
                if args.file.replace(PathBuf::from(word)).is_some() {
                    return Err(CliError::Usage("name only one input file".to_owned()));
                }
                continue;
            }
            let flag = text.to_ascii_lowercase();
            let mut value = || words.next().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
            match flag.as_str() {
                "-maxmem" => args.memory = Some(memory(&value())?),
                "-maxtime" => args.time = Some(number(&flag, &value())?).filter(|seconds| *seconds > 0),
                "-maxsol" => args.max_solutions = u32::try_from(number(&flag, &value())?).ok().filter(|n| *n > 0),
                "-threads" => args.threads = u16::try_from(number(&flag, &value())?).ok().filter(|n| *n > 0),
                "-regression" => args.regression = true,
                "-h" | "-help" | "--help" => args.help = true,
                known if SWITCHES.contains(&known) => {}
                known if IGNORED.contains(&known) => drop(value()),
                _ => {
                    args.warnings.push(format!("the argument {} is unknown and ignored", excerpt(&text)));
                    if words.peek().is_some_and(|next| is_amount(&next.to_string_lossy())) {
                        words.next();
                    }
                }
            }
        }
        args.file = args.file.filter(|file| file.as_os_str() != "-");
        Ok(args)
    }
}

/// Returns whether a word is a number, perhaps with a unit, as the value of an unknown flag would be.
fn is_amount(word: &str) -> bool {
    let digits = word.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) && word.len() - digits.len() <= 1
}

fn number(flag: &str, value: &str) -> Result<u64, CliError> {
    value.parse().map_err(|_| CliError::Usage(format!("{flag} needs a number, not \"{}\"", excerpt(value))))
}

/// Reads an amount of memory: in KiB, or with a unit (`64M`).
fn memory(value: &str) -> Result<usize, CliError> {
    let wrong = || CliError::Usage(format!("-maxmem needs an amount such as 256M, not \"{}\"", excerpt(value)));
    if !is_amount(value) {
        return Err(wrong());
    }
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match value.bytes().last().map(|unit| unit.to_ascii_lowercase()) {
        Some(b'm') => 20,
        Some(b'g') => 30,
        _ => 10,
    };
    let amount: usize = digits.parse().map_err(|_| wrong())?;
    amount.checked_mul(1 << shift).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<PopeyeArgs, CliError> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        PopeyeArgs::read(&words)
    }

    #[test]
    fn the_flags_of_popeyes_callers_are_read() {
        let args = read("-maxmem 64M -maxtime 60 -heartbeat 5 -maxtrans 1000 -nogreek -regression in.txt").unwrap();
        assert_eq!((args.memory, args.time, args.regression), (Some(64 << 20), Some(60), true));
        assert_eq!((args.file, args.warnings.len()), (Some(PathBuf::from("in.txt")), 0));
        assert_eq!(read("-maxmem 40960").unwrap().memory, Some(40 << 20));
        assert_eq!(read("-").unwrap(), PopeyeArgs::default());
        let args = read("-maxsol 2 -threads 1").unwrap();
        assert_eq!((args.max_solutions, args.threads), (Some(2), Some(1)));
    }

    #[test]
    fn unknown_flags_are_ignored_with_a_warning_and_wrong_values_refused() {
        let args = read("-newflag 3 in.txt").unwrap();
        assert_eq!((args.file, args.warnings.len()), (Some(PathBuf::from("in.txt")), 1));
        for line in ["-maxmem", "-maxmem lots", "-maxmem 99999999999G", "-maxtime x", "a b"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
