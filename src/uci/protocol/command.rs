//! Parses one line of the GUI into a command.
//!
//! A line that cannot be parsed becomes an error sentence for the GUI. The parser never guesses: a wrong guess would
//! give the GUI a wrong answer to play on.

use crate::base::printable;

use super::go::Go;

/// A command of the GUI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UciCommand {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `debug on|off`
    Debug(bool),
    /// `position …`: the words after `position`.
    Position(Vec<String>),
    /// `setoption name … value …`: the name, and the value if there is one.
    SetOption(String, Option<String>),
    /// `go …`: the limits of a search.
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// A blank line, or `register`: nothing to do.
    Nothing,
}

/// Parses one line.
pub(crate) fn read(line: &str) -> Result<UciCommand, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        // Only copy-protected engines need `register`; this one never asks for it.
        [] | ["register", ..] => UciCommand::Nothing,
        ["uci"] => UciCommand::Uci,
        ["isready"] => UciCommand::IsReady,
        ["ucinewgame"] => UciCommand::NewGame,
        ["debug", "on"] => UciCommand::Debug(true),
        ["debug", "off"] => UciCommand::Debug(false),
        ["debug", ..] => return Err("debug needs on or off".to_owned()),
        ["position", ref rest @ ..] => UciCommand::Position(rest.iter().map(|&word| word.to_owned()).collect()),
        ["setoption", ref rest @ ..] => set_option(rest)?,
        ["go", ref rest @ ..] => UciCommand::Go(Go::read(rest)?),
        ["stop"] => UciCommand::Stop,
        ["ponderhit"] => UciCommand::PonderHit,
        ["quit"] => UciCommand::Quit,
        [first, ..] => {
            let word = printable::excerpt(first);
            return Err(format!(
                "this line is not a UCI command: it begins with \"{word}\"; the command uci lists the options"
            ));
        }
    })
}

/// Parses the words after `setoption`: `name <words> value <words>`. An option of type button has no value.
fn set_option(words: &[&str]) -> Result<UciCommand, String> {
    let ["name", rest @ ..] = words else {
        return Err("setoption needs a name: setoption name NAME value VALUE".to_owned());
    };
    let split = rest.iter().position(|&word| word == "value");
    let name = rest[..split.unwrap_or(rest.len())].join(" ");
    let value = split.map(|at| rest[at + 1..].join(" "));
    Ok(UciCommand::SetOption(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_commands() {
        for (line, command) in [
            ("uci", UciCommand::Uci),
            ("  \t ", UciCommand::Nothing),
            ("debug\ton", UciCommand::Debug(true)),
            ("setoption name Clear Hash", UciCommand::SetOption("Clear Hash".to_owned(), None)),
            ("setoption name Hash value 64\r", UciCommand::SetOption("Hash".to_owned(), Some("64".to_owned()))),
            ("position startpos", UciCommand::Position(vec!["startpos".to_owned()])),
            ("go", UciCommand::Go(Go::default())),
        ] {
            assert_eq!(read(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn a_line_that_is_no_command_gives_an_error_sentence() {
        for line in ["hello", "uci now", "debug maybe", "setoption Hash 3", "go nodes many", "\u{1b}[31m", "go nodes"] {
            let why = read(line).unwrap_err();
            assert!(why.len() > 20 && !why.contains('\u{1b}'), "{line}: {why}");
        }
    }
}
