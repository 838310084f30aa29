//! The list of commands, and the parser of the command line. The arguments of most commands are defined in their own
//! file or folder; `completions`, `man`, `help`, `popeye` and `schema` have theirs here.

use std::error::Error as _;
use std::num::ParseIntError;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::base::printable;
use crate::chess::StipulationError;
use crate::cli::audit::args::AuditArgs;
use crate::cli::batch::args::BatchArgs;
use crate::cli::bench::BenchArgs;
use crate::cli::compare::CompareArgs;
use crate::cli::diagram::DiagramArgs;
use crate::cli::files::written::check_ending;
use crate::cli::help::examples;
use crate::cli::help::pages::PAGES;
use crate::cli::help::wrap::{columns, wrapped};
use crate::cli::merge::MergeArgs;
use crate::cli::puzzles::PuzzlesArgs;
use crate::cli::report::args::ReportArgs;
use crate::cli::runs::options;
use crate::cli::runs::run::RunArgs;
use crate::cli::solve::args::SolveArgs;
use crate::cli::split::args::{JoinArgs, SplitArgs};
use crate::cli::terminal::{CliError, Codes};
use crate::cli::verify::VerifyArgs;
use crate::cli::workbench::args::{KeepArgs, ListArgs, MendArgs, WorkbenchArgs};

/// The help of the program itself: the commands in groups, and the way to the other pages.
pub(crate) const SHORT_HELP: &str = include_str!("help/short.txt");

/// Finds forced mates in chess positions and proves them
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub solve: SolveArgs,
}

/// The topics of `help` and `man`: the commands, and the engines with their options. `help` has [`PAGES`], too.
pub(crate) fn topics() -> impl Iterator<Item = &'static str> {
    "solve report economy mend twins retract batch audit merge split join compare popeye puzzles engines \
     verify diagram uci bench completions man schema help"
        .split(' ')
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve one position and print the result; the command may be left out
    #[command(arg_required_else_help = true)]
    Solve(Box<SolveArgs>),
    /// Solve files of problems and print one result per line, in input order
    Batch(BatchArgs),
    /// Solve published problems again and say whether their solutions are right: cooks, other keys, short mates, duals
    Audit(AuditArgs),
    /// Certify a puzzle database: lengths, only moves and the themes `mateInN`
    Puzzles(PuzzlesArgs),
    /// Put the results of several runs with `--shard` (batch, report, puzzles, audit) together, in input order, and
    /// name those that are missing
    Merge(MergeArgs),
    /// Divide one problem into parts that `batch` solves on many machines
    Split(SplitArgs),
    /// Put the results of the parts of a problem together: the verdict and the keys, as `report --soundness` prints
    /// them
    Join(JoinArgs),
    /// Set two runs over the same problems side by side: what each has found, where they differ, and contradictions
    Compare(CompareArgs),
    /// Solve a fixed set of problems on one thread and print the node count and the speed
    Bench(BenchArgs),
    /// Draw a position as an SVG picture
    Diagram(DiagramArgs),
    /// Print the whole solution of a problem and judge its soundness: keys, tries, set play, threats, variations, duals
    Report(ReportArgs),
    /// Say what each man of a sound problem is for, and look for versions with fewer or weaker men
    Economy(WorkbenchArgs<KeepArgs>),
    /// Look for sound versions of an unsound problem by one or two small changes
    Mend(WorkbenchArgs<MendArgs>),
    /// Look for twins of a sound problem: other sound problems, one change away, with another key
    Twins(WorkbenchArgs<ListArgs>),
    /// List the diagrams from which a position after the key can have come, with the keys and tries of each
    Retract(WorkbenchArgs<ListArgs>),
    /// Check a certificate, or the main lines of a results file, by the rules of chess alone
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell to write the script for
        shell: Shell,
    },
    /// Print a manual page, or write all of them to a folder
    Man {
        /// The command, or `engines`; without it, the page of the program
        #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(topics()))]
        topic: Option<String>,
        /// Write all pages to this folder, as matesolve.1, matesolve-report.1 and so on
        #[arg(long, value_name = "DIR", conflicts_with = "topic")]
        dir: Option<std::path::PathBuf>,
    },
    /// Print help on a command, on the engines and their options, on stipulations, formats, themes or exit codes
    Help {
        /// The command, or `engines`, `stipulations`, `formats`, `themes`, `exit`
        #[arg(value_name = "TOPIC", value_parser = PossibleValuesParser::new(topics().chain(PAGES.map(|(name, _)| name))))]
        topic: Option<String>,
    },
    /// Solve the problems of a file in Popeye's input language and print the solutions in Popeye's layout
    #[command(disable_help_flag = true, override_usage = "matesolve popeye [FLAGS] [FILE]", after_help = include_str!("help/popeye.txt").trim_ascii_end())]
    Popeye {
        /// The flags and the file; without a file, or with -, standard input is read
        #[arg(value_name = "FILE", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<std::ffi::OsString>,
    },
    /// Run as a UCI engine for chess programs, on standard input and output
    Uci,
    /// Print the JSON Schema of a result, a report, an audit, a certified puzzle or a proposal of the workbench
    Schema {
        /// The object to describe
        #[arg(default_value = "result")]
        object: SchemaOf,
    },
}

/// The JSON objects that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// The result of solving one problem
    Result,
    /// The audit of one published problem
    Audit,
    /// The certificate of one puzzle
    Puzzle,
    /// The report on one problem
    Report,
    /// The answer of the workbench, and each proposal
    Proposal,
}

/// The options that `-h` shows of the commands that have many; `--help` shows all.
const FREQUENT: [(&str, &str); 3] = [
    ("solve", "stipulation mate first any-length defend moves time nodes threads hash format board"),
    ("batch", "stipulation mate first defend check unordered resume jobs time nodes threads hash format output quiet"),
    ("report", "stipulation mate why twin full set-play tries phases themes soundness time threads hash format output"),
];

/// Returns the definitions of all arguments, with the examples and the exit codes of each command in its help.
pub(crate) fn program() -> clap::Command {
    Args::command()
        .override_help(wrapped(SHORT_HELP, columns()))
        .term_width(columns())
        .mut_subcommands(|command| with_exit_codes(with_examples(with_frequent(command))))
}

/// Makes `-h` show the options of [`FREQUENT`], if the command is listed there. The last one says how to see the
/// others.
fn with_frequent(command: clap::Command) -> clap::Command {
    if command.is_disable_help_flag_set() {
        return command;
    }
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).help("Print help");
    let Some((_, shown)) = FREQUENT.iter().find(|(name, _)| *name == command.get_name()) else {
        return command.disable_help_flag(true).arg(help);
    };
    let is_shown = |argument: &Arg| shown.split(' ').any(|name| argument.get_long() == Some(name));
    let command = command.mut_args(|argument| {
        let is_hidden = !argument.is_positional() && !is_shown(&argument);
        argument.hide_short_help(is_hidden)
    });
    let help = help.help("Print these options; --help prints all").help_heading("Output");
    command.disable_help_flag(true).arg(help)
}

/// Puts the exit codes at the end of the whole help of a command, unless they are [`Codes::Plain`].
fn with_exit_codes(command: clap::Command) -> clap::Command {
    let codes = Codes::of(command.get_name());
    if codes == Codes::Plain {
        return command;
    }
    let before = command.get_after_help().map_or(String::new(), |text| format!("{text}\n\n"));
    command.after_long_help(before + &wrapped(&codes.help(), columns()))
}

/// Puts the examples of a command on the first screen of its help: above the options.
pub(crate) fn with_examples(command: clap::Command) -> clap::Command {
    let examples = examples::text(command.get_name(), columns());
    let has_arguments = command.get_arguments().next().is_some() || !command.is_disable_help_flag_set();
    let arguments = if has_arguments { "\n{all-args}" } else { "" };
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{examples}{arguments}{{after-help}}"
    ))
}

/// Parses the arguments; the first one is the program's name.
///
/// # Errors
/// A message for the user: wrong usage, or the help or the version that the arguments ask for.
pub(crate) fn parse(arguments: Vec<std::ffi::OsString>) -> Result<Args, clap::Error> {
    let mut program = program();
    let matches = program.try_get_matches_from_mut(arguments).map_err(with_tip)?;
    let mut args = Args::from_arg_matches(&matches).map_err(|error| error.format(&mut program))?;
    let given = matches.subcommand().and_then(|(name, given)| Some((program.find_subcommand(name)?, given)));
    if let (Some(run), Some((command, given))) = (args.run(), given) {
        run.options = options::of(command, given);
    }
    check_output(matches.subcommand().map_or(&matches, |(_, given)| given)).map_err(|why| {
        let why = clap::Error::raw(ErrorKind::ValueValidation, format!("{why}\n"));
        why.with_cmd(&program)
    })?;
    Ok(args)
}

/// Checks that the ending of the output fits its format.
fn check_output(given: &ArgMatches) -> Result<(), CliError> {
    let raw = |id: &str| given.try_get_raw(id).ok().flatten().and_then(|mut values| values.next());
    match (raw("output"), raw("format")) {
        (Some(path), Some(format)) => check_ending(Path::new(path), &format.to_string_lossy()),
        _ => Ok(()),
    }
}

impl Args {
    /// Returns the options of a run over files, of the commands that have them.
    fn run(&mut self) -> Option<&mut RunArgs> {
        match self.command.as_mut()? {
            Command::Batch(args) => Some(&mut args.run),
            Command::Audit(args) => Some(&mut args.run),
            Command::Puzzles(args) => Some(&mut args.run),
            Command::Report(args) => Some(&mut args.run),
            _ => None,
        }
    }
}

/// Words that people write instead of an option, and the option.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("--json", "--format json"),
    ("--jsonl", "--format jsonl"),
    ("--csv", "--format csv"),
    ("--html", "--format html, with `matesolve report`"),
    ("--max", "--mate N"),
    ("--memory", "--hash SIZE, the memory of each position, and --jobs J"),
    ("--tries-with-play", "--tries=play"),
    ("-n", "--nodes N for a limit of nodes, or --mate N for a length"),
    ("-t", "--time TIME for a limit of time, or --threads T"),
    ("-d", "--mate N for a length in moves"),
];

/// Makes a usage error name what to write instead: for an option that the command does not have, and for a value that
/// cannot be read.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    if let (Some(ContextValue::String(value)), Some(why)) = (error.get(ContextKind::InvalidValue), error.source()) {
        let value = printable::excerpt(value);
        let why = match why {
            why if why.is::<ParseIntError>() => format!("\"{value}\" is no value of {word}; write a whole number"),
            why if why.is::<StipulationError>() => why.to_string(),
            why => format!("\"{value}\" is no value of {word}: {why}"),
        };
        return clap::Error::raw(ErrorKind::ValueValidation, why + "\n");
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let option = word.split('=').next().unwrap_or_default();
    let has = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_long().is_some_and(|long| option == format!("--{long}")))
    };
    let program = Args::command();
    let commands: Vec<String> =
        program.get_subcommands().filter(has).map(|command| format!("`matesolve {}`", command.get_name())).collect();
    let tip = match OTHER_NAMES.iter().find(|(name, _)| *name == option) {
        Some((_, other)) => format!("write {other}"),
        None if commands.is_empty() => "`matesolve -h` and `matesolve help COMMAND` list the options".to_owned(),
        None => format!("{option} is an option of {}", commands.join(", ")),
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// Returns a message if the first argument is no command and no file, but almost the name of a command.
pub(crate) fn mistyped_command(word: &str) -> Option<String> {
    let is_name = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
    if !is_name || Path::new(word).exists() {
        return None;
    }
    let command = Args::command();
    let names = || command.get_subcommands().map(clap::Command::get_name);
    if names().any(|name| name == word) {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let distance = |name: &str| strsim::osa_distance(&lower, name);
    let best = names().min_by_key(|name| distance(name))?;
    // A third of the letters may be wrong: more is another word.
    let close = distance(best) * 3 <= best.len().max(3);
    close.then(|| format!("there is no command `{word}`; did you mean `matesolve {best}`?"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::SHORT_HELP;

    #[test]
    fn the_short_help_names_options_that_there_are() {
        let program = super::program();
        for (name, shown) in super::FREQUENT {
            let command = program.find_subcommand(name).unwrap();
            let options = || command.get_arguments().filter(|it| !it.is_positional());
            for word in shown.split(' ').filter(|word| *word != "board") {
                assert!(options().any(|it| it.get_long() == Some(word) && !it.is_hide_set()), "{name} --{word}");
            }
        }
        assert!(super::SHORT_HELP.lines().all(|line| line.chars().count() <= 80));
    }

    #[test]
    fn clap_accepts_the_argument_definitions() {
        super::program().debug_assert();
    }

    #[test]
    fn every_command_is_a_topic_and_in_the_short_help() {
        let command = super::Args::command();
        let mut names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        for name in &names {
            let is_named = SHORT_HELP.split([' ', ',', '\n']).any(|word| word == *name);
            assert!(is_named, "{name} is not in the short help");
        }
        names.push("engines");
        names.sort_unstable();
        let mut topics = super::topics().collect::<Vec<_>>();
        topics.sort_unstable();
        assert_eq!(names, topics);
    }

    #[test]
    fn an_option_that_several_commands_have_means_the_same_in_all() {
        let program = super::Args::command();
        for name in ["quiet", "color", "jobs"] {
            let of = |command: &clap::Command| {
                let found = command.get_arguments().find(|argument| argument.get_long() == Some(name))?;
                Some((found.get_help()?.to_string(), found.get_short()))
            };
            let all: Vec<_> = program.get_subcommands().filter_map(of).collect();
            assert!(all.len() > 2 && all.iter().all(|one| *one == all[0]), "--{name}: {all:?}");
        }
    }

    #[test]
    fn words_like_a_command_are_recognised() {
        for (word, command) in
            [("reprot", "report"), ("bacth", "batch"), ("veryfy", "verify"), ("hlep", "help"), ("Batch", "batch")]
        {
            let message = super::mistyped_command(word);
            assert!(
                message.is_some_and(|text| text.contains(&format!("did you mean `matesolve {command}`"))),
                "{word}"
            );
        }
        for word in ["report", "help", "startpos", "nonsense", "8/8/8", "-", "-h", "--help", "", "Kf8"] {
            assert_eq!(super::mistyped_command(word), None, "{word}");
        }
    }
}
