//! The arguments of the tuning bench.

/// The text printed without arguments, and after a wrong argument.
pub const USAGE: &str = "\
Usage: cargo bench --bench tuning -- COMMAND FILE [--nodes N] [--every K]

Commands:
  race       found, best and proved: the default engine, which does not know the stated lengths
  refute     refutes one move less than each stated mate: how many are decided, and nodes
  threads    the same with 1 and 2 threads: nodes and seconds
  engines    mates found by each engine, by length and by key
  selective  found, best and proved by selective, and the counters of its table, also of small ones

FILE is an EPD file with a stated mate (`bm #n;` or `dm n;`) on each line, or `demo` for the mates in problems/.
--nodes N  the limit for each position, at least 1
--every K  measures only every K-th position, at least 1";

/// A measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Race,
    Refute,
    Threads,
    Engines,
    Selective,
}

impl Command {
    const ALL: [(&'static str, Command); 5] = [
        ("race", Command::Race),
        ("refute", Command::Refute),
        ("threads", Command::Threads),
        ("engines", Command::Engines),
        ("selective", Command::Selective),
    ];

    /// Returns the node limit for each position that most of the tables were measured with.
    pub fn default_nodes(self) -> u64 {
        match self {
            Command::Race | Command::Selective => 1_000_000,
            Command::Refute => 700_000,
            Command::Threads => 3_000_000,
            Command::Engines => 200_000,
        }
    }
}

/// The measurement to run and its positions.
#[derive(Debug)]
pub struct Arguments {
    pub command: Command,
    /// A path, or `demo`.
    pub file: String,
    /// The limit for each position, if it is given.
    pub nodes: Option<u64>,
    pub every: usize,
}

impl Arguments {
    /// Reads the arguments. Returns `None` if there are none; what cargo adds (`--bench`, `--test`) does not count.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
        let mut words = arguments.filter(|word| word != "--bench" && word != "--test");
        let (mut names, mut nodes, mut every) = (Vec::new(), None, 1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--nodes" => nodes = Some(number(&word, words.next())?),
                "--every" => every = number(&word, words.next())?,
                _ if word.starts_with('-') => return Err(format!("{word} is not an option of this bench.")),
                _ => names.push(word),
            }
        }
        let mut names = names.into_iter();
        let Some(command) = names.next() else {
            return if nodes.is_none() && every == 1 { Ok(None) } else { Err("a command is missing.".to_owned()) };
        };
        let known = Command::ALL.iter().find(|(name, _)| *name == command);
        let (_, command) = known.ok_or_else(|| format!("\"{command}\" is not a command of this bench."))?;
        let file = names.next().ok_or("the EPD file is missing; give its path, or `demo`.")?;
        if let Some(more) = names.next() {
            return Err(format!("\"{more}\" is one argument too many."));
        }
        let every = usize::try_from(every).map_err(|_| "--every needs a smaller number.".to_owned())?;
        Ok(Some(Arguments { command: *command, file, nodes, every }))
    }
}

fn number(option: &str, value: Option<String>) -> Result<u64, String> {
    let value = value.ok_or_else(|| format!("{option} needs a number, at least 1."))?;
    let number = value.replace([',', '_'], "").parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("{option} needs a number, at least 1, not \"{value}\"."))
}
