//! The examples of the commands. The first screen of a command's help and its manual page show them, and a test runs
//! every one.

/// Mate in two by D. G. Prinz, the first problem that a computer solved.
macro_rules! prinz {
    () => {
        "5Kbk/6pp/6P1/8/8/8/8/7R w - -"
    };
}

/// An example of a command.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The page on which the example stands: the name of a command, or `engines`.
    pub topic: &'static str,
    /// The task of the example, as one sentence.
    pub meaning: &'static str,
    /// The lines for a shell. The last one ends with exit code 0.
    pub script: &'static str,
    /// A part of what the example prints or writes.
    pub shows: &'static str,
}

/// Makes an example.
const fn example(topic: &'static str, meaning: &'static str, script: &'static str, shows: &'static str) -> Example {
    Example { topic, meaning, script, shows }
}

/// All examples. Files that an example reads without writing them first are `problems.epd`, `game.pgn`,
/// `collection.olv`, `puzzles.csv` and `problem.popeye`.
pub const EXAMPLES: &[Example] = &[
    example(
        "solve",
        "Find the shortest mate, and prove that it is the shortest.",
        concat!("matesolve \"", prinz!(), "\""),
        "mate in 2 (proved shortest)",
    ),
    example(
        "solve",
        "Look for a mate in two after the sixth half-move of a game.",
        "matesolve game.pgn --ply 6 --mate 2",
        "Qxf7#",
    ),
    example(
        "solve",
        "List all first moves with the lengths of their mates.",
        "matesolve \"7k/8/5K2/6Q1/8/8/8/8 w - -\" --moves --max 3",
        "Qg7#",
    ),
    example(
        "solve",
        "Solve a selfmate: White forces Black to mate.",
        "matesolve \"8/B7/RQ6/7k/8/8/6PP/3n2RK w - -\" -s 's#'",
        "selfmate in 2 (proved shortest)",
    ),
    example(
        "report",
        "Print the whole solution with its tries, and whether the problem is sound.",
        concat!("matesolve report \"", prinz!(), "\" -s '#2' --tries"),
        "1. Rh6!",
    ),
    example(
        "report",
        "Say of every problem of a file whether it is sound.",
        "matesolve report problems.epd --soundness",
        "sound",
    ),
    example(
        "economy",
        "Say what each man of a problem is for.",
        concat!("matesolve economy \"", prinz!(), "\" -s '#2'"),
        "wPg6   needed",
    ),
    example(
        "mend",
        "Look for sound versions with this key.",
        "matesolve mend \"5Kbk/6pp/8/8/8/8/8/7R w - -\" -s '#2' --key Rh6 --changes 1",
        "+wPg6   1. Rh6!",
    ),
    example(
        "twins",
        "Look for changes that make another sound problem.",
        concat!("matesolve twins \"", prinz!(), "\" -s '#2'"),
        "another key",
    ),
    example(
        "retract",
        "Take the key of a problem back.",
        "matesolve retract \"5Kbk/6pp/6PR/8/8/8/8/8 b - -\" -s '#2'",
        "wRh6-->h1   1. Rh6!",
    ),
    example("batch", "Solve a file, one second for each line.", "matesolve batch problems.epd --time 1s", "mate in 2"),
    example(
        "batch",
        "Write the results as JSON lines.",
        "matesolve batch problems.epd --format jsonl -o results.jsonl",
        "\"mate_in\":2",
    ),
    example(
        "audit",
        "List the published solutions that are not right.",
        "matesolve audit collection.olv --list differing",
        "agrees",
    ),
    example(
        "audit",
        "Write an audit that can be continued.",
        "matesolve audit collection.olv --format jsonl -o audit.jsonl --resume",
        "\"verdict\":\"agrees\"",
    ),
    example(
        "puzzles",
        "Say of every mate puzzle whether its mate is the shortest and its moves are the only ones.",
        "matesolve puzzles puzzles.csv",
        "right 1",
    ),
    example(
        "merge",
        "Solve the two halves of a file apart, and put the results together.",
        "matesolve batch problems.epd --shard 1/2 --format jsonl -o 1.jsonl\n\
         matesolve batch problems.epd --shard 2/2 --format jsonl -o 2.jsonl\n\
         matesolve merge 1.jsonl 2.jsonl --input problems.epd",
        "\"mate_in\":2",
    ),
    example(
        "split",
        "Write the parts of a problem to a file, for `batch` on any machines.",
        concat!("matesolve split \"", prinz!(), "\" -s '#3' -o parts.epd"),
        "id \"1. Rh6\"",
    ),
    example(
        "join",
        "Solve the parts of a problem, and print its verdict.",
        concat!(
            "matesolve split \"",
            prinz!(),
            "\" -s '#2' -o parts.epd\n\
             matesolve batch parts.epd --format jsonl -o 1.jsonl\n\
             matesolve join parts.epd 1.jsonl"
        ),
        "sound",
    ),
    example(
        "compare",
        "Compare what two node limits find, also as a page with plots.",
        "matesolve batch problems.epd --nodes 1k --format jsonl -o a.jsonl\n\
         matesolve batch problems.epd --nodes 1M --format jsonl -o b.jsonl\n\
         matesolve compare a.jsonl b.jsonl --html compared.html",
        "</svg>",
    ),
    example(
        "engines",
        "Solve by proof-number search on a tree.",
        concat!("matesolve \"", prinz!(), "\" --engine pn --engine-option graph=tree"),
        "mate in 2",
    ),
    example("popeye", "Solve a file in Popeye's language.", "matesolve popeye problem.popeye", "1.Rh1-h6"),
    example(
        "verify",
        "Write the proof of a mate, and check it by the rules of chess alone.",
        concat!(
            "matesolve \"",
            prinz!(),
            "\" --certificate mate.cert\n\
             matesolve verify mate.cert"
        ),
        "holds",
    ),
    example(
        "diagram",
        "Draw a picture of a problem.",
        concat!("matesolve diagram \"", prinz!(), "\" -s '#2' -o mate.svg"),
        "</svg>",
    ),
    example("uci", "List the options of the engine.", "printf 'uci\\nquit\\n' | matesolve uci", "uciok"),
    example("bench", "Count the nodes of a short benchmark.", "matesolve bench --nodes 1k", "nodes"),
    example(
        "completions",
        "Complete commands and options in bash, in this shell.",
        "matesolve completions bash > matesolve.bash\n. ./matesolve.bash",
        "COMPREPLY",
    ),
    example("man", "Write all manual pages to a folder.", "matesolve man --dir man1", ".SH EXAMPLES"),
    example("schema", "Print the JSON Schema of a report.", "matesolve schema report", "\"$schema\""),
    example("help", "Describe the engines and their options.", "matesolve help engines", "proof-number"),
];

/// Returns the examples of a page, in their order.
pub(crate) fn of(topic: &str) -> impl Iterator<Item = &'static Example> {
    EXAMPLES.iter().filter(move |example| example.topic == topic)
}

/// Returns the examples of a page as they stand in its help: each line of a script below what it does.
pub(crate) fn text(topic: &str) -> String {
    let one = |example: &Example| {
        let lines: Vec<&str> = example.script.lines().collect();
        format!("  {}\n    {}\n", example.meaning, lines.join("\n    "))
    };
    let examples: Vec<String> = of(topic).map(one).collect();
    let heading = if examples.len() == 1 { "Example:" } else { "Examples:" };
    format!("{heading}\n{}", examples.concat())
}
