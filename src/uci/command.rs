//! Lines from the GUI, taken apart. What cannot be understood becomes a sentence, never a guess: a GUI that hears
//! nothing waits, and one that is answered wrongly plays on.

use super::go::Go;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `debug on|off`
    Debug(bool),
    /// `position …`: the words that follow.
    Position(Vec<String>),
    /// `setoption name … value …`: the name and the value.
    SetOption(String, Option<String>),
    /// `go …`
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// A blank line, or one that asks for nothing here.
    Nothing,
}

/// Reads one line.
pub(super) fn read(line: &str) -> Result<Command, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        // A copy-protected engine would have to be registered; this one says so nowhere and need not be.
        [] | ["register", ..] => Command::Nothing,
        ["uci"] => Command::Uci,
        ["isready"] => Command::IsReady,
        ["ucinewgame"] => Command::NewGame,
        ["debug", "on"] => Command::Debug(true),
        ["debug", "off"] => Command::Debug(false),
        ["debug", ..] => return Err("debug is followed by on or off".to_owned()),
        ["position", ref rest @ ..] => Command::Position(rest.iter().map(|&word| word.to_owned()).collect()),
        ["setoption", ref rest @ ..] => set_option(rest)?,
        ["go", ref rest @ ..] => Command::Go(Go::read(rest)?),
        ["stop"] => Command::Stop,
        ["ponderhit"] => Command::PonderHit,
        ["quit"] => Command::Quit,
        [first, ..] => {
            let word = crate::problem::fen::excerpt(first);
            return Err(format!("\"{word}\" is not understood here; this is UCI, and uci lists the options"));
        }
    })
}

/// `name <words> value <words>`; a button has no value.
fn set_option(words: &[&str]) -> Result<Command, String> {
    let ["name", rest @ ..] = words else {
        return Err("setoption is followed by name, the option's name, value, and its value".to_owned());
    };
    let split = rest.iter().position(|&word| word == "value");
    let name = rest[..split.unwrap_or(rest.len())].join(" ");
    let value = split.map(|at| rest[at + 1..].join(" "));
    Ok(Command::SetOption(name, value))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        for (line, command) in [
            ("uci", Command::Uci),
            ("  \t ", Command::Nothing),
            ("debug\ton", Command::Debug(true)),
            ("setoption name Clear Hash", Command::SetOption("Clear Hash".to_owned(), None)),
            ("setoption name Hash value 64\r", Command::SetOption("Hash".to_owned(), Some("64".to_owned()))),
            ("position startpos", Command::Position(vec!["startpos".to_owned()])),
            ("go", Command::Go(Go::default())),
        ] {
            assert_eq!(read(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn what_is_no_command_is_refused_in_a_sentence() {
        for line in ["hello", "uci now", "debug maybe", "setoption Hash 3", "go nodes many", "\u{1b}[31m", "go mate"] {
            let why = read(line).unwrap_err();
            assert!(why.len() > 20 && !why.contains('\u{1b}'), "{line}: {why}");
        }
    }
}
