//! Writes the commands of a twin in Popeye's language, as [`super::Twin::read`] reads them.

use std::fmt;

use shakmaty::{Color, Role, Square};

use super::command::{NamedMan, TwinCommand};
use crate::problem::men::letter;

impl fmt::Display for TwinCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TwinCommand::Move(man, to) => write!(f, "Move {} {to}", man.square),
            TwinCommand::Exchange(NamedMan { square, .. }, other) => write!(f, "Exchange {square} {}", other.square),
            TwinCommand::Remove(man) => write!(f, "Remove {}", man.square),
            TwinCommand::Add(color, role, square) => write!(f, "Add {} {}", side(*color), man(*role, *square)),
            TwinCommand::Place(None, role, square) => f.write_str(&man(*role, *square)),
            TwinCommand::Place(Some(color), role, square) => {
                write!(f, "{}{}", color.fold_wb('w', 'b'), man(*role, *square))
            }
            TwinCommand::Substitute(old, new) => write!(f, "Substitute {} {}", letter(*old), letter(*new)),
            TwinCommand::Rotate(rotation) => write!(f, "Rotate {}", rotation.degrees()),
            TwinCommand::Mirror(mirror) => write!(f, "Mirror {}", mirror.name()),
            TwinCommand::Shift(from, to) => write!(f, "Shift {from} {to}"),
            TwinCommand::PolishType => f.write_str("PolishType"),
            TwinCommand::Stipulation(text) => write!(f, "Stipulation {text}"),
            TwinCommand::Attacker(color) => f.write_str(color.fold_wb("White", "Black")),
            TwinCommand::OtherSide => f.write_str("Duplex"),
            TwinCommand::Refused(text) => f.write_str(text),
        }
    }
}

fn side(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

fn man(role: Role, square: Square) -> String {
    format!("{}{square}", letter(role))
}

#[cfg(test)]
mod tests {
    use super::super::Twin;

    #[test]
    fn commands_are_read_back() {
        for text in [
            "Move a1 b2",
            "Exchange a1 b2",
            "Remove e5",
            "Add white Qe8",
            "Add black Pa3",
            "Substitute R S",
            "Rotate 90",
            "Mirror a1<-->h1",
            "Shift a1 b3",
            "PolishType",
            "Black",
        ] {
            let commands = Twin::read(None, text).commands;
            let written: Vec<String> = commands.iter().map(ToString::to_string).collect();
            assert_eq!(written, [text]);
        }
    }
}
